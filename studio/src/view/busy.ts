// Waiting: nothing for a tenth of a second, then a thin bar, after a second words and a way to stop.

import type { Jobs } from '../engine/jobs.ts';
import { h } from './dom.ts';

/** Shows that a lane of the worker is at work, as long as it is. */
export function whileBusy<T>(jobs: Jobs, lane: string, words: string, host: HTMLElement, work: Promise<T>): Promise<T> {
  const aside = host.closest('.right');
  const began = performance.now();
  const seconds = document.createTextNode('');
  const note = h('div', { class: 'working', role: 'status' }, words, ' ', seconds, h('button', { class: 'btn line small', type: 'button', onclick: () => jobs.cancel(lane) }, 'Cancel'));
  const bar = window.setTimeout(() => aside?.classList.add('busy'), 100);
  const text = window.setTimeout(() => aside?.querySelector('.tabs')?.after(note), 1000);
  const count = window.setInterval(() => { seconds.textContent = `${Math.round((performance.now() - began) / 1000)} s`; }, 1000);
  return work.finally(() => {
    clearTimeout(bar);
    clearTimeout(text);
    clearInterval(count);
    aside?.classList.remove('busy');
    note.remove();
  });
}

/** True for work that was cancelled or overtaken: there is nothing to say about it. */
export function wasAborted(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}
