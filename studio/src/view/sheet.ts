// A file that was refused: where, what, and the remedy. The former robot stays behind it.

import type { Problem } from '../engine/types.ts';
import { copyText } from './copy.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';

export function refusal(stage: HTMLElement, problem: Problem, source: string | null): void {
  stage.querySelector('.sheet')?.remove();
  const where = problem.line === null ? '' : `:${problem.line}${problem.column === null ? '' : `:${problem.column}`}`;
  const copy = h('button', { class: 'btn line', type: 'button', onclick: () => void copyText(text, copy) }, icon('copy', 16), 'Copy message');
  const text = [`${problem.file ?? ''}${where}`, problem.message, problem.hint ?? ''].filter((part) => part !== '').join('\n');
  const sheet = h('div', { class: 'sheet', role: 'alertdialog', 'aria-label': 'The file was refused' },
    h('h2', {}, icon('error', 18), problem.message),
    problem.file ? h('p', { class: 'sm' }, `${problem.file}${where}`) : null,
    excerpt(source, problem),
    problem.hint ? h('p', {}, problem.hint) : null,
    h('div', { class: 'row' }, copy, h('button', { class: 'btn', type: 'button', onclick: () => sheet.remove() }, 'Close')));
  stage.append(sheet);
}

/** A whole file with one line marked, scrolled to it. */
export function fileSheet(stage: HTMLElement, name: string, source: string, line: number, column: number | null): void {
  stage.querySelector('.sheet')?.remove();
  const marked = h('mark', {}, '');
  const lines = source.split('\n');
  const numbered = (from: number, to: number): string => lines.slice(from, to).map((text, i) => `${String(from + i + 1).padStart(4)} │ ${text}\n`).join('');
  marked.textContent = `${numbered(line - 1, line)}${column === null ? '' : `     │ ${' '.repeat(Math.max(0, column - 1))}^\n`}`;
  const pre = h('pre', { class: 'code', tabindex: 0, style: 'max-height:52vh' }, numbered(0, line - 1), marked, numbered(line, lines.length));
  const close = h('button', { class: 'btn line', type: 'button', onclick: () => sheet.remove() }, 'Close');
  const sheet = h('div', { class: 'sheet', role: 'dialog', 'aria-label': name }, h('h2', { style: 'color:inherit' }, icon('file', 18), `${name}:${line}${column === null ? '' : `:${column}`}`), pre, h('div', { class: 'row' }, close));
  stage.append(sheet);
  pre.scrollTop = Math.max(0, marked.offsetTop - pre.offsetTop - 120);
  close.focus();
}

/** The lines around the place, with a caret under the column. */
function excerpt(source: string | null, problem: Problem): HTMLElement | null {
  if (source === null || problem.line === null) return null;
  const lines = source.split('\n');
  const first = Math.max(0, problem.line - 3);
  const shown = lines.slice(first, problem.line).map((line, i) => `${String(first + i + 1).padStart(4)} │ ${line.slice(0, 110)}`);
  if (problem.column !== null) shown.push(`     │ ${' '.repeat(Math.min(110, Math.max(0, problem.column - 1)))}^`);
  return h('pre', { class: 'code' }, shown.join('\n'));
}
