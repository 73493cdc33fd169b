// The criterion along the self-motion as a small plot with a dot that can be dragged: the elbow moves, the tool stays.

import { fixed } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import { fill, h, s } from '../view/dom.ts';
import type { SelfMotion } from './selfmotion.ts';

export interface CurveView {
  root: HTMLElement;
  show(m: Model, curve: SelfMotion | null, note: string): void;
}

const [left, right, top, height, bottom] = [38, 10, 18, 84, 36];

export function curveView(slide: (q: number[]) => void, ended: () => void): CurveView {
  const root = h('div', {});
  const width = 420;
  let drawn: { curve: SelfMotion; x: (v: number) => number; y: (v: number) => number; dot: SVGElement; line: SVGElement; text: SVGElement } | null = null;

  const show = (m: Model, curve: SelfMotion | null, note: string): void => {
    drawn = null;
    if (!curve || curve.s.length < 3) return fill(root, h('p', { class: 'muted sm', style: 'margin:4px 0' }, note));
    const [s0, s1] = [curve.s[0] ?? 0, curve.s[curve.s.length - 1] ?? 1];
    const finite = curve.criterion.filter(Number.isFinite);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    const pad = 0.08 * (high - low || 1);
    const x = (v: number): number => left + ((v - s0) / (s1 - s0)) * (width - left - right);
    const y = (v: number): number => top + height - ((v - low + pad) / (high - low + 2 * pad)) * height;
    const path = curve.s.map((v, i) => `${i === 0 ? 'M' : 'L'}${x(v).toFixed(2)} ${y(curve.criterion[i] ?? low).toFixed(2)}`).join('');
    const line = s('path', { stroke: 'var(--ink)', 'stroke-width': 1 });
    const dot = s('circle', { r: 6, fill: 'var(--ink)' });
    const text = s('text', { 'font-size': 11, 'font-weight': 600, fill: 'var(--ink)', 'text-anchor': 'middle' });
    const svg = s('svg', { viewBox: `0 0 ${width} ${top + height + bottom}`, width: '100%', role: 'img', 'aria-label': `criterion along the self-motion, from ${fixed(low, 3)} to ${fixed(high, 3)}` },
      s('text', { x: left, y: 12, 'font-size': 11, fill: 'var(--ink-3)' }, 'criterion −log w'),
      s('text', { x: width - right, y: 12, 'font-size': 11, fill: 'var(--ink-3)', 'text-anchor': 'end' }, '○ minimum  △ maximum'),
      ...ticks(low - pad, high + pad, 4).flatMap((v) => [
        s('path', { d: `M${left} ${y(v).toFixed(1)}H${width - right}`, stroke: 'var(--line)', 'stroke-width': 0.75 }),
        s('text', { x: left - 5, y: y(v) + 4, 'font-size': 11, fill: 'var(--ink-3)', 'text-anchor': 'end' }, fixed(v, 2)),
      ]),
      s('path', { d: `M${left} ${top + height}H${width - right}`, stroke: 'var(--line-strong)' }),
      ...ticks(s0, s1, 6).map((v) => s('text', { x: x(v), y: top + height + 15, 'font-size': 11, fill: 'var(--ink-3)', 'text-anchor': 'middle' }, fixed(v, Number.isInteger(v) ? 0 : 1))),
      s('text', { x: width - right, y: top + height + 31, 'font-size': 11, fill: 'var(--ink-3)', 'text-anchor': 'end' }, 'along the self-motion (rad)'),
      s('path', { d: path, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.6, 'stroke-linejoin': 'round' }),
      ...ends(m, curve, x), ...extremes(curve).map(({ at, least }) => least
        ? s('circle', { cx: x(curve.s[at] ?? 0), cy: y(curve.criterion[at] ?? 0), r: 4, fill: 'var(--surface)', stroke: 'var(--ink)', 'stroke-width': 1.6 })
        : s('path', { d: `M${x(curve.s[at] ?? 0) - 4} ${y(curve.criterion[at] ?? 0) + 3.5}h8l-4 -7z`, fill: 'var(--surface)', stroke: 'var(--ink-3)', 'stroke-width': 1.4 })),
      line, dot, text);
    const range = h('input', {
      type: 'range', min: 0, max: curve.s.length - 1, step: 'any', value: curve.s.indexOf(0), 'aria-label': 'Self-motion', 'data-testid': 'self-motion',
      style: `position:absolute;left:${(100 * left) / width}%;width:${(100 * (width - left - right)) / width}%;top:0;height:${top + height + 10}px;opacity:0;margin:0;cursor:ew-resize`,
      oninput: () => {
        const v = Number(range.value);
        place(v);
        slide(between(curve, v));
      },
      onchange: () => ended(),
    });
    fill(root, h('div', { style: 'position:relative' }, svg, range));
    drawn = { curve, x, y, dot, line, text };
    place(curve.s.indexOf(0));
  };
  /** Puts the dot at a place between two points of the curve. */
  const place = (v: number): void => {
    if (!drawn) return;
    const { curve, x, y, dot, line, text } = drawn;
    const i = Math.min(curve.s.length - 2, Math.max(0, Math.floor(v)));
    const mix = (a: readonly number[]): number => (a[i] ?? 0) + ((a[i + 1] ?? 0) - (a[i] ?? 0)) * (v - i);
    const [px, py] = [x(mix(curve.s)), y(mix(curve.criterion))];
    dot.setAttribute('cx', px.toFixed(2));
    dot.setAttribute('cy', py.toFixed(2));
    line.setAttribute('d', `M${px.toFixed(2)} ${top}V${top + height}`);
    text.setAttribute('x', String(Math.min(width - 60, Math.max(left + 50, px))));
    // Under the dot if there is room, else above it.
    text.setAttribute('y', String(py + 20 > top + height - 2 ? py - 12 : py + 20));
    text.textContent = `here ${fixed(mix(curve.criterion), 3)}`;
  };
  return { root, show };
}

/** The joint position between two points of the curve. */
export function between(curve: SelfMotion, v: number): number[] {
  const i = Math.min(curve.q.length - 2, Math.max(0, Math.floor(v)));
  return (curve.q[i] ?? []).map((a, k) => a + ((curve.q[i + 1]?.[k] ?? a) - a) * (v - i));
}

export function extremes(curve: SelfMotion): { at: number; least: boolean }[] {
  const found: { at: number; least: boolean }[] = [];
  const c = curve.criterion;
  for (let i = 1; i < c.length - 1; i += 1) {
    const [a, b, d] = [c[i - 1] ?? 0, c[i] ?? 0, c[i + 1] ?? 0];
    if (b < a && b <= d) found.push({ at: i, least: true });
    if (b > a && b >= d) found.push({ at: i, least: false });
  }
  return found;
}

function ends(m: Model, curve: SelfMotion, x: (v: number) => number): SVGElement[] {
  return curve.ends.flatMap((name, k) => {
    const joint = m.moving.find((one) => one.name === name);
    if (!joint) return [];
    const at = x((k === 0 ? curve.s[0] : curve.s[curve.s.length - 1]) ?? 0);
    return [s('rect', { x: at - 1.5, y: top, width: 3, height, fill: `var(--j${joint.index})` }, s('title', {}, `${joint.name} at its limit`))];
  });
}

/** At most `n` round numbers within a range. */
export function ticks(low: number, high: number, n: number): number[] {
  const raw = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((f) => f * power >= raw) ?? 10) * power;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k += 1) found.push(Number((k * step).toPrecision(12)));
  return found;
}
