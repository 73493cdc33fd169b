// Elastic joints: natural frequencies where the robot stands, motor and link side of each mode.

import { Problem, type RobotRequest } from '../engine/types.ts';
import { significant } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { jointStyle } from '../view/colours.ts';
import { h } from '../view/dom.ts';

export interface ElasticMode { frequency_hz: number; q: number[]; theta: number[] }

/** Null for a robot without an elastic joint. */
export function elasticModes(session: Session, robot: RobotRequest, q: readonly number[]): ElasticMode[] | null {
  try {
    return session.engine.handle<{ modes: ElasticMode[] }>('elastic linearise', { ...robot, posture: JSON.stringify(q) }).modes;
  } catch (thrown) {
    if (thrown instanceof Problem) return null;
    throw thrown;
  }
}

/** The modes that swing, each with the share of links and motors. */
export function springsCard(m: Model, modes: readonly ElasticMode[]): HTMLElement[] {
  const swinging = modes.filter((mode) => mode.frequency_hz > 1e-3);
  const most = (mode: ElasticMode): number => Math.max(...mode.q.map(Math.abs), ...mode.theta.map(Math.abs), 1e-12);
  const marks = (values: readonly number[], scale: number): HTMLElement => h('span', { class: 'mini' }, ...m.moving.slice(0, 10).map((joint) => h('i', { style: `${jointStyle(joint.index)};--y:${(7.5 * (1 - (values[joint.velocity] ?? 0) / scale)).toFixed(1)}px` })));
  return [
    h('div', { class: 'card-head', style: 'margin-bottom:4px' }, h('span', { class: 'title' }, 'Elastic joints'), h('span', { class: 'note' }, 'modes where the robot stands; drives hold it')),
    h('table', { class: 'numbers' }, h('thead', {}, h('tr', {}, ...['frequency', 'link side', 'motor side'].map((text) => h('th', {}, text)))),
      h('tbody', {}, ...swinging.slice(0, 8).map((mode) => h('tr', {}, h('td', { style: 'font-weight:540' }, `${significant(mode.frequency_hz, 3)} Hz`), h('td', {}, marks(mode.q, most(mode))), h('td', {}, marks(mode.theta, most(mode))))))),
  ];
}
