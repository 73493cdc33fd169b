// A flexible arm on the stage: links as strokes in the colours of their joints, the rigid line dashed, extremes faint, and always
// a word on how much deflections are magnified.

import { fixed, significant } from '../numbers/format.ts';
import { fill, h, s } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { armLines, modeBend, scaled, type Bend, type Mode } from './shapes.ts';

export interface Arm { lengths: number[]; angles: number[]; payload: number }

/** A mode that swings, or a moment of a motion. */
export type Shown = { link: number; number: number; mode: Mode } | { bends: Bend[]; caption: string };

export type Posture = Arm & Shown;

/** A mode has no amplitude of its own: true to scale, its end is off by a hundredth of the link. */
const share = 0.01;
const magnified = 10;

export class Picture {
  readonly root = h('div', { class: 'figures hidden', style: 'padding:0;overflow:hidden' });
  private readonly svg = s('svg', { width: '100%', height: '100%', role: 'img', 'data-testid': 'flexible-arm' });
  private readonly chips = h('div', { class: 'over tl' });
  private readonly grid = h('div', { class: 'over br xs muted' }, 'grid 0.1 m');
  private readonly animate = h('button', { class: 'btn', type: 'button', onclick: () => this.toggle() }, 'Animate');
  private readonly scale = h('button', { class: 'btn', type: 'button', onclick: () => this.setScale(this.factor === 1 ? magnified : 1) }, 'True to scale');
  private readonly rigid = h('button', { class: 'btn', type: 'button', onclick: () => {
    this.ghost = !this.ghost;
    this.draw();
  } }, 'Rigid ghost');
  private ghost = true;
  private posture: Posture | null = null;
  private moving: SVGElement[] = [];
  private joints: SVGElement[] = [];
  private place: (x: number, y: number) => [number, number] = (x, y) => [x, y];
  /** Of modes, which have no size of their own, and of motions, which have one. */
  private readonly factors = { mode: magnified, motion: 1 };
  private running = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  private begin = performance.now();
  private looping = false;

  constructor() {
    this.root.append(this.svg, this.chips, h('div', { class: 'over bl float' }, this.animate, this.scale, this.rigid), this.grid);
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  /** Moves the arm as a motion does, without drawing the ground anew. */
  move(angles: number[], bends: Bend[]): void {
    if (!this.posture || !('bends' in this.posture)) return;
    this.posture = { ...this.posture, angles, bends };
    this.pose(1);
  }

  show(posture: Posture | null): void {
    this.posture = posture;
    this.root.classList.toggle('hidden', posture === null);
    this.draw();
    this.loop();
  }

  private toggle(): void {
    this.running = !this.running;
    this.begin = performance.now();
    this.draw();
    this.loop();
  }

  /** Swings as long as there is something to see. */
  private loop(): void {
    if (this.looping) return;
    const tick = (): void => {
      this.looping = this.running && this.posture !== null && 'mode' in this.posture;
      if (!this.looping) return;
      this.swing((performance.now() - this.begin) / 1000);
      requestAnimationFrame(tick);
    };
    tick();
  }

  private get factor(): number {
    return this.factors[this.posture && 'bends' in this.posture ? 'motion' : 'mode'];
  }

  private setScale(factor: number): void {
    this.factors[this.posture && 'bends' in this.posture ? 'motion' : 'mode'] = factor;
    this.draw();
  }

  /** The bends of all links: the mode with its end off by `tip`, or those of the moment, magnified. */
  private bends(tip: number): (Bend | null)[] {
    const { posture } = this;
    if (!posture) return [];
    if ('bends' in posture) return posture.bends.map((bend) => scaled(bend, this.factor));
    return posture.lengths.map((length, i) => (i === posture.link ? modeBend(posture.mode, length, tip) : null));
  }

  /** How far the end is off at the extreme of the swing. */
  private get reach(): number {
    const { posture } = this;
    return posture && 'mode' in posture ? this.factor * share * (posture.lengths[posture.link] ?? 1) : 0;
  }

  private draw(): void {
    const { posture } = this;
    const box = this.root.getBoundingClientRect();
    if (!posture || box.width < 10) return;
    this.animate.setAttribute('aria-pressed', String(this.running));
    this.scale.setAttribute('aria-pressed', String(this.factor === 1));
    this.rigid.setAttribute('aria-pressed', String(this.ghost));
    fill(this.chips, this.factor === 1 ? h('span', { class: 'chip' }, 'mode' in posture ? 'true to scale: the end is off by 1 % of the link' : 'true to scale') : h('span', { class: 'chip warn' }, icon('warning', 14), `deflections magnified ${magnified} ×`),
      h('span', { class: 'chip' }, 'mode' in posture ? `link ${posture.link + 1}, mode ${posture.number + 1} · clamped · ${significant(posture.mode.frequency_hz)} Hz` : posture.caption));
    this.animate.classList.toggle('hidden', !('mode' in posture));
    const whole = posture.lengths.reduce((a, b) => a + b, 0);
    const rigid = armLines(posture.lengths, posture.angles, []);
    const points = [...rigid.flat(), [0, 0] as [number, number]];
    const [x0, x1, y0, y1] = [Math.min(...points.map((p) => p[0])), Math.max(...points.map((p) => p[0])), Math.min(...points.map((p) => p[1])), Math.max(...points.map((p) => p[1]))];
    const pad = 0.22 * whole;
    const zoom = Math.min(box.width / (x1 - x0 + 2 * pad), (box.height - 60) / (y1 - y0 + 2 * pad));
    const [cx, cy] = [box.width / 2 - (zoom * (x0 + x1)) / 2, box.height / 2 + (zoom * (y0 + y1)) / 2];
    this.place = (x, y) => [cx + zoom * x, cy - zoom * y];
    const lines: SVGElement[] = [];
    for (let k = Math.floor(-cx / (0.1 * zoom)); k * 0.1 * zoom + cx < box.width; k += 1) lines.push(s('path', { d: `M${(cx + k * 0.1 * zoom).toFixed(1)} 0V${box.height}`, stroke: 'var(--line)', opacity: k % 5 ? 0.5 : 1 }));
    for (let k = Math.floor((cy - box.height) / (0.1 * zoom)); k * 0.1 * zoom < cy; k += 1) lines.push(s('path', { d: `M0 ${(cy - k * 0.1 * zoom).toFixed(1)}H${box.width}`, stroke: 'var(--line)', opacity: k % 5 ? 0.5 : 1 }));
    const stroke = (line: [number, number][], i: number, width: number, opacity: number): SVGElement => s('path', { d: this.path(line), fill: 'none', stroke: `var(--joint-${(i % 8) + 1})`, 'stroke-width': width, 'stroke-opacity': opacity, 'stroke-linecap': 'round' });
    const extremes = ('mode' in posture ? [-1, 1] : []).flatMap((side) => armLines(posture.lengths, posture.angles, this.bends(side * this.reach)).map((line, i) => stroke(line, i, 5, 0.22)));
    this.moving = rigid.map((line, i) => stroke(line, i, 7, 1));
    this.joints = rigid.map((_, i) => s('circle', { r: 12, fill: 'var(--surface)', stroke: `var(--joint-${(i % 8) + 1})`, 'stroke-width': 5 }));
    const tip = s('circle', { r: 8, fill: 'var(--ink)' });
    const text = s('text', { 'font-size': 12, fill: 'var(--ink-2)' }, `payload ${fixed(posture.payload, 2)} kg`);
    this.joints.push(tip, text);
    fill(this.svg, ...lines, ...extremes, ...(this.ghost ? rigid : []).map((line) => s('path', { d: this.path(line), fill: 'none', stroke: 'var(--ink-3)', 'stroke-dasharray': '5 5' })), ...this.moving, ...this.joints);
    this.svg.setAttribute('aria-label', `flexible arm of ${posture.lengths.length} links ${'mode' in posture ? `in mode ${posture.number + 1} of link ${posture.link + 1}` : posture.caption}`);
    this.pose(this.reach);
  }

  private swing(t: number): void {
    // Slow enough to see: a second and a half for a swing, whatever the true frequency, which the chip says.
    this.pose(this.reach * Math.cos((2 * Math.PI * t) / 1.5));
  }

  private pose(tip: number): void {
    const { posture } = this;
    if (!posture) return;
    const lines = armLines(posture.lengths, posture.angles, this.bends(tip));
    lines.forEach((line, i) => {
      this.moving[i]?.setAttribute('d', this.path(line));
      const [x, y] = this.place(...(line[0] as [number, number]));
      this.joints[i]?.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    });
    const end = this.place(...(lines[lines.length - 1]?.[40] as [number, number]));
    this.joints[lines.length]?.setAttribute('transform', `translate(${end[0].toFixed(1)} ${end[1].toFixed(1)})`);
    this.joints[lines.length + 1]?.setAttribute('transform', `translate(${(end[0] + 15).toFixed(1)} ${(end[1] - 6).toFixed(1)})`);
  }

  private path(line: readonly [number, number][]): string {
    return `M${line.map(([x, y]) => this.place(x, y).map((v) => v.toFixed(1)).join(' ')).join('L')}`;
  }
}
