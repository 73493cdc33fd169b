// Plots on the page: uPlot with the page's tokens, labels at the curves instead of a legend, bands for what is out of limits.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { token } from './colours.ts';
import { h } from './dom.ts';
import { fixed, significant } from '../numbers/format.ts';
import { showTable } from './table.ts';

export interface Series {
  values: ArrayLike<number>;
  colour: string;
  /** Written at the right end of the curve. */
  label?: string;
  width?: number;
  dash?: number[];
  points?: boolean;
}

export interface PlotOptions {
  title: HTMLElement;
  x: ArrayLike<number>;
  series: Series[];
  width: number;
  height: number;
  /** Ranges of y that are tinted. */
  bands?: { from: number; to: number; colour: string; share: number }[];
  yRange?: [number, number];
  xLabel?: string;
  logX?: boolean;
  sync?: string;
  labels?: number;
  /** In words for the table and for those who listen; what the title says otherwise. */
  name?: string;
  /** What the table calls the first column; time in seconds unless told. */
  xName?: string;
  /** Frequencies that are marked on the upper edge: × for poles, ○ for zeros. */
  marks?: { at: number; zero: boolean }[];
}

export interface PlotView {
  root: HTMLElement;
  /** Moves the line that marks a time; by transforms only. */
  mark(x: number | null): void;
  destroy(): void;
}

export function plot(options: PlotOptions): PlotView {
  const { x, series, width, height } = options;
  const holder = h('div', {});
  const name = options.name ?? options.title.textContent ?? '';
  const table = h('button', { class: 'plot-table', type: 'button', 'aria-label': `${name} as a table`, onclick: () => showTable(options, name) }, 'Table');
  const root = h('figure', { class: 'plot' }, h('figcaption', { class: 'xs' }, options.title, table), holder);
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: token('ink-3'), font, grid: { stroke: token('line'), width: 0.75 }, ticks: { show: false } };
  const range = options.yRange ?? span(series);
  holder.setAttribute('role', 'img');
  holder.setAttribute('aria-label', spoken(name, options));
  const u = new uPlot({
    width, height, legend: { show: false }, padding: [6, options.labels ?? (options.logX ? 18 : 8), 0, 0],
    cursor: { points: { show: false }, y: false, ...(options.sync ? { sync: { key: options.sync } } : {}), drag: { x: false, y: false } },
    scales: { x: { time: false, ...(options.logX ? { distr: 3 as const } : {}) }, y: { range: () => range } },
    axes: [
      { ...axis, grid: { show: options.logX ?? false, stroke: token('line'), width: 0.75 }, size: options.xLabel ? 22 : 18, gap: 3, space: 60, ...(options.logX ? { values: (_: unknown, ticks: number[]) => ticks.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? String(v) : null)) } : {}) },
      { ...axis, size: 36, gap: 4, space: 26, values: (_, ticks) => ticks.map((v) => fixed(v, decimals(ticks))) },
    ],
    series: [{}, ...series.map((one) => ({ stroke: one.colour, width: one.width ?? 1.7, ...(one.dash ? { dash: one.dash } : {}), points: { show: one.points ?? false, size: 3.4, fill: one.colour, width: 0 }, ...(one.points ? { paths: () => null } : {}) }))],
    hooks: {
      drawClear: [(self: uPlot) => bands(self, options.bands ?? [], range)],
      draw: [(self: uPlot) => {
        endLabels(self, series, font);
        polesAndZeros(self, options.marks ?? []);
      }],
    },
  } as uPlot.Options, [Array.from(x), ...series.map((one) => (one.points ? thinned(one.values, width / 6) : Array.from(one.values)))] as uPlot.AlignedData, holder);
  const line = h('div', { style: `position:absolute;top:0;bottom:0;width:1px;background:${token('ink')};display:none` });
  u.over.append(line);
  return {
    root,
    mark(at) {
      line.style.display = at === null ? 'none' : '';
      if (at !== null) line.style.transform = `translateX(${u.valToPos(at, 'x').toFixed(1)}px)`;
    },
    destroy: () => u.destroy(),
  };
}

/** Dots that can be told apart, at most so many; the others are left out. */
function thinned(values: ArrayLike<number>, most: number): (number | null)[] {
  const step = Math.max(1, Math.ceil(values.length / most));
  return Array.from(values, (v, i) => (i % step === 0 ? v : null));
}

function spoken(name: string, { x, series }: PlotOptions): string {
  const curves = series.map((one) => {
    const [low, high] = span([one], 0);
    const last = one.values[one.values.length - 1] ?? 0;
    return `${one.label ?? 'curve'} from ${significant(low)} to ${significant(high)}, at the end ${significant(last)}`;
  });
  return `${name}, ${significant(x[0] ?? 0)} to ${significant(x[x.length - 1] ?? 0)}: ${curves.join('; ')}`;
}

function span(series: readonly Series[], air = 0.08): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const one of series) {
    for (let i = 0; i < one.values.length; i += 1) {
      const v = one.values[i] as number;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  if (!(high > low)) [low, high] = [Number.isFinite(low) ? low - 1 : -1, Number.isFinite(high) ? high + 1 : 1];
  const pad = air * (high - low);
  return [low - pad, high + pad];
}

/** As many decimals as the ticks need to differ: 0.25, not 0.3. */
function decimals(ticks: readonly number[]): number {
  for (let d = 0; d < 6; d += 1) if (ticks.every((v) => Math.abs(v - Number(v.toFixed(d))) < 1e-9 * Math.max(1, Math.abs(v)))) return d;
  return 6;
}

function bands(u: uPlot, wanted: NonNullable<PlotOptions['bands']>, [low, high]: [number, number]): void {
  for (const { from, to, colour, share } of wanted) {
    const [a, b] = [Math.max(low, from), Math.min(high, to)];
    if (b <= a) continue;
    u.ctx.save();
    u.ctx.globalAlpha = share;
    u.ctx.fillStyle = colour;
    const [y0, y1] = [u.valToPos(b, 'y', true), u.valToPos(a, 'y', true)];
    u.ctx.fillRect(u.bbox.left, y0, u.bbox.width, y1 - y0);
    u.ctx.restore();
  }
}

/** Names at the right ends, pushed apart where they would overlap. */
function endLabels(u: uPlot, series: readonly Series[], font: string): void {
  const named = series.map((one, k) => ({ ...one, y: u.valToPos((u.data[k + 1]?.at(-1) as number | undefined) ?? 0, 'y', true) })).filter((one) => one.label !== undefined).toSorted((a, b) => a.y - b.y);
  const ratio = devicePixelRatio;
  const gap = 13 * ratio;
  named.forEach((one, k) => {
    const before = named[k - 1];
    one.y = Math.max(u.bbox.top + 4 * ratio, Math.min(u.bbox.top + u.bbox.height, one.y));
    if (before && one.y - before.y < gap) one.y = before.y + gap;
  });
  u.ctx.save();
  u.ctx.font = font.replace('11px', `${11 * ratio}px`);
  u.ctx.textBaseline = 'middle';
  u.ctx.textAlign = 'left';
  for (const { label, colour, y } of named) {
    u.ctx.fillStyle = colour;
    u.ctx.fillText(label ?? '', u.bbox.left + u.bbox.width + 5 * ratio, y);
  }
  u.ctx.restore();
}

/** Crosses and circles along the upper edge, each with a hairline down to its frequency. */
function polesAndZeros(u: uPlot, marks: readonly { at: number; zero: boolean }[]): void {
  const ratio = devicePixelRatio;
  const r = 3.4 * ratio;
  u.ctx.save();
  u.ctx.lineWidth = 1.4 * ratio;
  for (const { at, zero } of marks) {
    const x = u.valToPos(at, 'x', true);
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
    const y = u.bbox.top + r + ratio;
    u.ctx.globalAlpha = 0.35;
    u.ctx.strokeStyle = token('line-strong');
    u.ctx.setLineDash(zero ? [2 * ratio, 3 * ratio] : []);
    u.ctx.beginPath();
    u.ctx.moveTo(x, y + r);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.setLineDash([]);
    u.ctx.globalAlpha = 1;
    u.ctx.strokeStyle = token('ink');
    u.ctx.beginPath();
    if (zero) {
      u.ctx.arc(x, y, r, 0, 2 * Math.PI);
    } else {
      u.ctx.moveTo(x - r, y - r);
      u.ctx.lineTo(x + r, y + r);
      u.ctx.moveTo(x + r, y - r);
      u.ctx.lineTo(x - r, y + r);
    }
    u.ctx.stroke();
  }
  u.ctx.restore();
}
