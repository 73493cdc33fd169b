// A figure for paper: drawn by the engine as the command draws it, never a copy of the screen.

import { Problem } from '../engine/types.ts';
import type { Session } from '../state/session.ts';
import { saveFile } from './copy.ts';
import { h } from './dom.ts';
import { wasAborted } from './busy.ts';

/** A button that asks the operation again, with a figure, and saves it as SVG. */
export function figureButton(session: Session, name: () => string, operation: string, request: () => object | null): HTMLElement {
  const problem = h('span', { class: 'xs muted', role: 'status' });
  const button = h('button', { class: 'btn line', type: 'button', 'data-testid': 'figure', title: 'SVG for a paper, drawn by the engine', onclick: () => {
    const asked = request();
    if (!asked) return;
    button.disabled = true;
    problem.textContent = '';
    session.jobs.outcome(operation, { ...asked, plot: 'figure.svg' }, ['figure.svg'], 'figure').then(({ files }) => {
      const svg = files['figure.svg'];
      if (svg) saveFile(`${name()}.svg`, svg, 'image/svg+xml');
    }, (reason: unknown) => {
      if (reason instanceof Problem) problem.textContent = [reason.message, reason.hint].filter(Boolean).join(': ');
      else if (!wasAborted(reason)) throw reason;
    }).finally(() => { button.disabled = false; });
  } }, 'Figure');
  return h('span', { class: 'row' }, button, problem);
}
