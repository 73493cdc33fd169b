// Numbers of a quantity: a heat map for matrices, bars for torques, a list for other vectors.
//
// Cells are made once; new numbers are written into them. Every cell has its full number in `data-value`.

import { fixed } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import type { Numbers } from '../state/session.ts';
import { jointStyle } from '../view/colours.ts';
import { h } from '../view/dom.ts';
import { symbol, velocitySymbol } from '../view/symbols.ts';

export interface Values {
  root: HTMLElement;
  write(numbers: Numbers): void;
  /** Marks the element on the diagonal that belongs to a velocity; −1 for none. */
  mark?(velocity: number): void;
}

export interface Options {
  quantity: string;
  /** What each index counts: `nv`, `6`, `3`, `np` …, as the engine lists it. */
  counts: readonly string[];
  model: Model;
  dark: () => boolean;
  /** Called with row and column of a cell that was clicked. */
  pick: (row: number, column: number) => void;
}

export function values(numbers: Numbers, options: Options): Values {
  const { shape } = numbers;
  if (shape.length >= 3) return slices(numbers, options);
  if (shape.length === 2) return heat(shape[0] ?? 1, shape[1] ?? 1, options, () => 0);
  if (shape.length === 1 && options.counts[0] === 'nv') return bars(shape[0] ?? 1, numbers.unit, options);
  return list(shape[0] ?? 1, numbers.unit, options);
}

/** Labels of rows and columns: joints for what counts velocities, axes for three or six. */
function header(m: Model, counts: string | undefined): (i: number) => { element: HTMLElement; joint: number; text: string } {
  if (counts === 'nv') return (i) => velocitySymbol(m, i);
  const axes = { 3: ['x', 'y', 'z'], 6: ['x', 'y', 'z', 'ωx', 'ωy', 'ωz'] }[Number(counts)];
  return (i) => {
    const name = axes?.[i];
    return { element: name ? symbol(name.charAt(0), name.slice(1) || null) : h('span', { class: 'xs muted' }, i + 1), joint: -1, text: name ?? String(i + 1) };
  };
}

function decimals(largest: number): number {
  if (!(largest > 0)) return 4;
  return Math.max(0, Math.min(7, largest >= 1000 ? 1 : largest >= 100 ? 2 : largest >= 0.05 ? 4 : 3 - Math.floor(Math.log10(largest))));
}

const tint = (value: number, share: number): string =>
  share < 0.004 ? '' : `color-mix(in srgb, var(${value >= 0 ? '--heat-pos' : '--heat-neg'}) ${(100 * share).toFixed(1)}%, var(--heat-zero))`;

function heat(rows: number, columns: number, options: Options, slice: () => number): Values {
  const { model: m } = options;
  const square = options.counts[0] === 'nv' && options.counts[1] === 'nv';
  const narrow = ((document.querySelector('.right')?.clientWidth ?? 452) - 56) / columns < 50;
  const dense = columns > 12;
  const [rowHeader, columnHeader] = [header(m, options.counts[0]), header(m, options.counts[1])];
  const root = h('div', { class: dense ? 'heat dense' : 'heat', role: 'table', 'data-quantity': options.quantity, 'aria-label': options.quantity, style: `grid-template-columns:${dense ? 20 : 24}px repeat(${columns}, minmax(0, 1fr))` });
  const top = h('div', { class: 'row-group', role: 'row' }, h('div', { role: 'cell' }));
  for (let j = 0; j < columns; j += 1) {
    const { element, joint, text } = columnHeader(j);
    // Too narrow for letters: the colour stands for the joint, its name is in the title.
    top.append(h('div', { class: 'head', role: 'columnheader', style: jointStyle(joint), title: text }, columns > 20 ? h('i', { style: 'width:70%;height:4px;border-radius:1px;background:var(--c)' }, h('span', { class: 'visually-hidden' }, text)) : element));
  }
  root.append(top);
  const cells: HTMLElement[] = [];
  for (let i = 0; i < rows; i += 1) {
    const { element, joint, text } = rowHeader(i);
    const row = h('div', { class: 'row-group', role: 'row' }, h('div', { class: 'head first', role: 'rowheader', style: jointStyle(joint), title: text }, element));
    for (let j = 0; j < columns; j += 1) {
      const cell = h('div', { class: 'cell pick', role: 'cell', tabindex: i === 0 && j === 0 ? 0 : -1, 'data-row': i, 'data-column': j, style: jointStyle(joint) });
      row.append(cell);
      cells.push(cell);
    }
    root.append(row);
  }
  walkable(root, cells, columns, options);
  let before: Float64Array | null = null;
  let darkBefore: boolean | null = null;
  let placesBefore = -1;
  const write = (numbers: Numbers): void => {
    const depth = numbers.shape.length > 2 ? (numbers.shape[2] ?? 1) : 1;
    const at = (k: number): number => numbers.values[k * depth + slice()] ?? Number.NaN;
    let largest = 0;
    for (let k = 0; k < cells.length; k += 1) largest = Math.max(largest, Math.abs(at(k)) || 0);
    const places = Math.max(0, decimals(largest) - (narrow ? 1 : 0));
    const dark = options.dark();
    const all = before === null || dark !== darkBefore || places !== placesBefore;
    const now = new Float64Array(cells.length);
    for (let k = 0; k < cells.length; k += 1) {
      const value = at(k);
      now[k] = value;
      const cell = cells[k];
      if (!cell || (!all && before && before[k] === value && before[cells.length] === largest)) continue;
      const low = square && k % columns < Math.floor(k / columns) && Math.abs(value - at((k % columns) * columns + Math.floor(k / columns))) <= 1e-9 * largest;
      const share = 0.9 * Math.sqrt(Math.abs(value) / (largest || 1)) * (low ? 0.38 : 1);
      cell.dataset['value'] = String(value);
      if (!dense) cell.textContent = Number.isFinite(value) ? (Math.abs(value) <= 1e-12 * largest || value === 0 ? '0' : fixed(value, places)) : 'singular';
      else cell.title = String(value);
      cell.style.backgroundColor = Number.isFinite(value) ? tint(value, share) : 'var(--error-bg)';
      cell.style.color = low ? 'var(--ink-3)' : dark ? (share > 0.8 ? '#0b0e12' : '') : share > 0.76 ? '#fff' : '';
    }
    before = new Float64Array(cells.length + 1);
    before.set(now);
    before[cells.length] = largest;
    darkBefore = dark;
    placesBefore = places;
  };
  return {
    root, write,
    mark(velocity) {
      if (!square) return;
      root.querySelector('.cell.on')?.classList.remove('on');
      cells[velocity * (columns + 1)]?.classList.add('on');
    },
  };
}

/** Arrow keys walk through the cells; Enter or a click picks one. */
function walkable(root: HTMLElement, cells: HTMLElement[], columns: number, options: Options): void {
  const pick = (target: EventTarget | null): void => {
    const cell = (target as HTMLElement | null)?.closest<HTMLElement>('[data-row]');
    if (cell) options.pick(Number(cell.dataset['row']), Number(cell.dataset['column']));
  };
  root.addEventListener('click', (event) => pick(event.target));
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') return pick(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const here = cells.indexOf(event.target as HTMLElement);
    const next = step === undefined || here < 0 ? undefined : cells[here + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    cells[here]?.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  });
}

/** An array with three indices, one slice of the last at a time. */
function slices(numbers: Numbers, options: Options): Values {
  const { model: m } = options;
  const depth = numbers.shape[2] ?? 1;
  let slice = 0;
  let last = numbers;
  const inner = heat(numbers.shape[0] ?? 1, numbers.shape[1] ?? 1, options, () => slice);
  const choice = h('select', {
    class: 'menu', 'aria-label': 'Last index',
    onchange: () => {
      slice = choice.selectedIndex;
      inner.write(last);
    },
  });
  for (let k = 0; k < depth; k += 1) choice.append(h('option', {}, options.counts[2] === 'nv' ? velocitySymbol(m, k).text : String(k + 1)));
  const root = h('div', {}, h('div', { class: 'pages' }, 'last index', choice, `of ${depth}`), inner.root);
  return {
    root,
    write(next) {
      last = next;
      inner.write(next);
    },
  };
}

function bars(n: number, unit: string, options: Options): Values {
  const { model: m } = options;
  const root = h('div', { class: 'bars', 'data-quantity': options.quantity, role: 'table', 'aria-label': options.quantity });
  const rows = Array.from({ length: n }, (_, i) => {
    const { element, joint, text } = velocitySymbol(m, i);
    const bar = h('i', {});
    const value = h('span', {});
    const cell = h('span', { class: 'v', role: 'cell', 'data-row': i, 'data-column': 0 }, value, ' ', h('span', { class: 'muted xs' }, unit));
    root.append(h('div', { class: 'bar-row', role: 'row' }, h('span', { role: 'rowheader', style: jointStyle(joint), title: text }, element), h('div', { class: 'b', style: jointStyle(joint), role: 'presentation' }, bar), cell));
    return { bar, value, cell, effort: joint >= 0 ? (m.moving[joint]?.effort ?? null) : null };
  });
  const limited = effortScaled(options.quantity) && rows.every((row) => row.effort !== null && row.effort > 0);
  return {
    root,
    write({ values: v }) {
      let largest = 0;
      for (let i = 0; i < n; i += 1) largest = Math.max(largest, Math.abs(v[i] ?? 0));
      const places = largest >= 1000 ? 1 : largest >= 1 || largest === 0 ? 2 : 4;
      rows.forEach((row, i) => {
        const x = v[i] ?? Number.NaN;
        const full = limited ? (row.effort as number) : largest || 1;
        row.bar.style.transform = `scaleX(${Math.max(-1, Math.min(1, x / full)) || 0})`;
        row.cell.dataset['value'] = String(x);
        row.cell.classList.toggle('over-limit', limited && Math.abs(x) > full);
        row.value.textContent = Math.abs(x) <= 1e-12 * largest || x === 0 ? '0' : fixed(x, places);
      });
    },
  };
}

/** Torques are shown as a share of what the drive can give. */
export function effortScaled(quantity: string): boolean {
  return ['gravity', 'inverse_dynamics', 'bias', 'external_forces'].includes(quantity);
}

function list(n: number, unit: string, options: Options): Values {
  const label = header(options.model, options.counts[0]);
  const root = h('dl', { class: 'pairs', 'data-quantity': options.quantity });
  const cells = Array.from({ length: n }, (_, i) => {
    const value = h('span', {});
    const cell = h('dd', { 'data-row': i, 'data-column': 0 }, value, ' ', h('span', { class: 'muted xs' }, unit.split(',')[n === 6 && i >= 3 ? 1 : 0]?.trim() ?? ''));
    root.append(h('dt', {}, n === 1 ? '' : label(i).element), cell);
    return { cell, value };
  });
  return {
    root,
    write({ values: v }) {
      cells.forEach(({ cell, value }, i) => {
        const x = v[i] ?? Number.NaN;
        cell.dataset['value'] = String(x);
        value.textContent = fixed(x, decimals(Math.abs(x)));
      });
    },
  };
}
