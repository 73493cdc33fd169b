// Symbols in italics with an index, as elements: q₁, and the rows of matrices.

import type { Model } from '../state/model.ts';
import { powerOfTen } from '../numbers/format.ts';
import { h } from './dom.ts';

export function symbol(letter: string, index: number | string | null): HTMLElement {
  return h('span', { class: 'symbol' }, letter, index === null ? null : h('sub', {}, index));
}

/** What a row or column that counts velocities is called: the joint's symbol, or the part of a joint with several numbers. */
export function velocitySymbol(m: Model, v: number): { element: HTMLElement; joint: number; text: string } {
  const joint = m.moving.find((j) => j.velocity === v);
  if (joint) return { element: symbol('q', joint.coordinate + 1), joint: joint.index, text: joint.name };
  const part = m.scene.velocities[v];
  return { element: symbol((part?.part ?? '').slice(0, 1) || 'v', (part?.part ?? '').slice(1) || String(v + 1)), joint: -1, text: `${part?.joint ?? ''} ${part?.part ?? v}` };
}

/** A number of few digits, powers of ten as superscripts. */
export function numberElement(x: number, digits = 3): HTMLElement {
  const [text, exponent] = powerOfTen(x, digits);
  return h('span', {}, text, exponent === null ? null : h('sup', {}, exponent));
}
