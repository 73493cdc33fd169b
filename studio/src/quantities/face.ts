// What a face of a card can do, and how a face says that it cannot.

import { h } from '../view/dom.ts';
import { icon } from '../view/icons.ts';

export interface FaceView {
  root: HTMLElement;
  /** New numbers. */
  numbers?: () => void;
  /** Another joint is selected or hovered. */
  selected?: () => void;
  copy?: () => void;
}

export function explain(reason: unknown, title: string): HTMLElement {
  const { message, hint } = reason as { message?: string; hint?: string | null };
  return h('div', { class: 'finding' }, icon('warning', 16), h('b', {}, title), h('p', {}, [message, hint].filter(Boolean).join(': ')));
}
