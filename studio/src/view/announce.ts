// For those who listen: the picture described from live values, and changes said at most once a second, after they have ended.

import { fixed } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import type { Store } from '../state/store.ts';
import { h } from './dom.ts';

export function announcer(): { element: HTMLElement; say: (text: string) => void } {
  const element = h('div', { class: 'visually-hidden', 'aria-live': 'polite' });
  let timer = 0;
  const say = (text: string): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => { element.textContent = text; }, 1000);
  };
  return { element, say };
}

export function describe(m: Model, q: readonly number[], poses: ArrayLike<number> | null): string {
  const joints = m.moving.slice(0, 12).map((joint) => `${joint.name} ${fixed(q[joint.coordinate] ?? 0, 2)} ${joint.unit}`).join(', ');
  const o = 16 * m.tool;
  const tool = poses ? `; ${m.scene.links[m.tool]?.name} at ${[3, 7, 11].map((k) => fixed(poses[o + k] ?? 0, 3)).join(', ')} m` : '';
  return `${m.scene.name}, ${m.moving.length} joints: ${joints}${m.moving.length > 12 ? ' and more' : ''}${tool}`;
}

/** Keeps the canvas's description up to date, once a change has ended. */
export function keepDescribed(canvas: HTMLElement, session: Session, store: Store): void {
  let timer = 0;
  session.onNumbers(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (session.model) canvas.setAttribute('aria-label', describe(session.model, store.now.q, session.poses));
    }, 400);
  });
}
