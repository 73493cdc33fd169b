// The numbers of a plot as a table, for those who cannot see it or want to take them along.

import { significant } from '../numbers/format.ts';
import { copyText } from './copy.ts';
import { h } from './dom.ts';
import type { PlotOptions } from './plot.ts';

const most = 200;

export function showTable({ x, series, xName }: Pick<PlotOptions, 'x' | 'series' | 'xName'>, name: string): void {
  document.querySelector('.table-dialog')?.remove();
  const back = document.activeElement as HTMLElement | null;
  const step = Math.max(1, Math.ceil(x.length / most));
  const heads = [xName ?? 't (s)', ...series.map((one, k) => one.label ?? (series.length === 1 ? name : `curve ${k + 1}`))];
  const close = (): void => {
    dialog.remove();
    back?.focus();
  };
  const all = (): string => [heads.join(','), ...Array.from(x, (v, i) => [v, ...series.map((one) => one.values[i])].join(','))].join('\n');
  const copy = h('button', { class: 'btn line', type: 'button', onclick: () => void copyText(all(), copy) }, 'Copy all as CSV');
  const rows = Array.from({ length: Math.ceil(x.length / step) }, (_, k) => k * step);
  const done = h('button', { class: 'btn ink', type: 'button', onclick: close }, 'Close');
  const dialog = h('div', { class: 'palette table-dialog', onpointerdown: (event: PointerEvent) => { if (event.target === dialog) close(); }, onkeydown: (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
  } }, h('div', { class: 'box', role: 'dialog', 'aria-label': name },
    h('div', { class: 'sec', style: 'padding:14px 18px 8px' }, name, h('span', { class: 'spacer' }), h('span', { class: 'muted xs', style: 'font-weight:420' }, step > 1 ? `every ${step}th of ${x.length} rows` : `${x.length} rows`)),
    h('div', { style: 'overflow:auto;padding:0 18px', tabindex: 0 }, h('table', { class: 'numbers' }, h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map((i) => h('tr', {}, h('td', {}, significant(x[i] ?? 0, 5)), ...series.map((one) => h('td', {}, significant(one.values[i] ?? Number.NaN, 5)))))))),
    h('div', { class: 'row', style: 'padding:10px 18px;justify-content:flex-end' }, copy, done)));
  document.body.append(dialog);
  done.focus();
}
