// A flexible arm: tabs Modes, Quantities, Frequency and Motion. Payload and posture are sliders; former frequencies stay as hollow dots.

import { Problem } from '../engine/types.ts';
import { fixed, significant } from '../numbers/format.ts';
import type { Session } from '../state/session.ts';
import { token } from '../view/colours.ts';
import { fill, h, s } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { plot, type PlotView } from '../view/plot.ts';
import { FlexibleMotion } from './motion.ts';
import { ArmTerms } from './terms.ts';
import { Picture } from './picture.ts';
import { magnitude, phases, type Channel } from './response.ts';
import { modeShape, type Mode } from './shapes.ts';

interface Modes { links: { modes: Mode[]; boundary?: { mass: number; inertia: number } }[] }
interface Linear {
  locked_frequencies_hz: number[];
  free_frequencies_hz: number[];
  outputs: string[];
  A: number[][];
  B: number[][];
  C: number[][];
  poles: [number, number][];
  channels: Channel[];
}

export class FlexiblePanel {
  readonly picture = new Picture();
  readonly modes = h('div', {});
  readonly frequency = h('div', {});
  readonly motion: FlexibleMotion;
  readonly terms: ArmTerms;
  /** The arm on the stage; null if a robot is there. */
  shown: string | null = null;
  private readonly shapes = h('section', { class: 'card' });
  private readonly frequencies = h('section', { class: 'card' });
  private readonly change = h('section', { class: 'card', style: 'border:0' });
  private readonly bode = h('section', { class: 'card', style: 'border:0' });
  private arm = '';
  private lengths: number[] = [];
  private angles: number[] = [];
  private payload: [number, number] = [0, 0];
  private found: Modes | null = null;
  private linear: Linear | null = null;
  private first: Linear | null = null;
  private chosen = { link: 0, mode: 0 };
  private channel = { input: 1, output: '' };
  private plots: PlotView[] = [];

  constructor(private readonly session: Session) {
    this.motion = new FlexibleMotion(session, this.picture, () => this.found && { request: this.request(), lengths: this.lengths, angles: this.angles, payload: this.payload[0], modes: this.found.links.map((link) => link.modes) });
    this.terms = new ArmTerms(session);
    this.modes.append(this.shapes, this.frequencies, this.change);
    this.frequency.append(this.bode);
  }

  /** Opens an arm; the problem if it was refused. */
  open(arm: string): Problem | null {
    const before = this.arm;
    try {
      this.arm = arm;
      const modes = this.session.engine.handle<Modes>('flexible modes', { arm, details: true });
      const links = modes.links.length;
      const coordinates = links + modes.links.reduce((sum, link) => sum + link.modes.length, 0);
      // The tip of the arm with one joint bent by a right angle tells the lengths up to that joint.
      const upTo = Array.from({ length: links }, (_, k) => this.tip(coordinates, k === 0 ? [] : [k])[0]);
      const whole = this.tip(coordinates, [])[0];
      this.lengths = upTo.map((_, k) => (k + 1 < links ? (upTo[k + 1] ?? 0) : whole) - (k === 0 ? 0 : (upTo[k] ?? 0)));
      this.angles = upTo.map((_, k) => (k === 0 ? 0 : Math.PI / 2));
      // What hangs at the end of the last link is the payload.
      const end = modes.links.at(-1)?.boundary;
      this.payload = [end?.mass ?? 0, end?.inertia ?? 0];
      this.found = modes;
      this.chosen = { link: 0, mode: 0 };
      this.first = null;
      this.channel = { input: 1, output: '' };
      this.shown = arm;
      this.controls();
      this.compute();
      return null;
    } catch (thrown) {
      this.arm = before;
      if (thrown instanceof Problem) return thrown;
      throw thrown;
    }
  }

  /** Shows the mode again, after a motion. */
  showMode(): void {
    this.showShapes();
  }

  showTerms(): void {
    this.terms.show({ request: this.request(), angles: this.angles, modes: (this.found?.links ?? []).map((link) => link.modes.length) });
  }

  close(): void {
    this.shown = null;
    this.picture.show(null);
  }

  get summary(): string {
    const modes = this.found?.links.reduce((sum, link) => sum + link.modes.length, 0) ?? 0;
    return `${this.lengths.length} flexible links · ${modes} modes`;
  }

  private tip(coordinates: number, bent: number[]): [number, number] {
    const q = Array.from({ length: coordinates }, (_, i) => (bent.includes(i) ? Math.PI / 2 : 0));
    return this.session.engine.handle<{ tip: [number, number] }>('flexible eval', { arm: this.arm, state: JSON.stringify({ q }) }).tip;
  }

  private request(): { arm: string } {
    return { arm: this.arm, ...(this.payload[0] > 0 ? { payload: this.payload } : {}) };
  }

  private compute(): void {
    this.found = this.session.engine.handle<Modes>('flexible modes', this.request());
    this.linear = this.session.engine.handle<Linear>('flexible linearise', { ...this.request(), at: JSON.stringify(this.angles) });
    this.first ??= this.linear;
    this.motion.forget();
    if (this.channel.output === '') this.channel.output = this.linear.outputs[0] ?? '';
    this.showShapes();
    this.showFrequencies();
    if (this.frequency.isConnected) this.showBode();
  }

  private showShapes(): void {
    const rows = (this.found?.links ?? []).flatMap((link, i) => link.modes.map((mode, k) => {
      const shape = modeShape(mode, this.lengths[i] ?? 1);
      const values = Array.from({ length: 41 }, (_, n) => shape.value(((this.lengths[i] ?? 1) * n) / 40));
      const most = Math.max(...values.map(Math.abs), 1e-12);
      const path = values.map((v, n) => `${n === 0 ? 'M' : 'L'}${(4 + 2.2 * n).toFixed(1)} ${(17 - (12 * v) / most).toFixed(1)}`).join('');
      return h('button', {
        class: this.chosen.link === i && this.chosen.mode === k ? 'solution sel' : 'solution', type: 'button', style: 'height:42px;grid-template-columns:10px 98px 100px 1fr 1fr', 'data-mode': `${i + 1}.${k + 1}`,
        onclick: () => {
          this.chosen = { link: i, mode: k };
          this.showShapes();
        },
      }, h('i', { class: 'swatch', style: `--c:var(--joint-${(i % 8) + 1})` }), h('span', {}, `link ${i + 1}, mode ${k + 1}`),
        s('svg', { width: 98, height: 34, 'aria-hidden': 'true' }, s('path', { d: 'M4 17H92', stroke: 'var(--line-strong)', 'stroke-dasharray': '3 3' }), s('path', { d: path, fill: 'none', stroke: `var(--joint-${(i % 8) + 1})`, 'stroke-width': 2.2 })),
        h('span', { style: 'text-align:right;font-weight:560' }, `${significant(mode.frequency_hz, 4)} Hz`), h('span', { class: 'muted xs', style: 'text-align:right' }, `β ${fixed(mode.beta, 2)}/m`));
    }));
    fill(this.shapes, h('div', { class: 'card-head', style: 'margin-bottom:2px' }, h('span', { class: 'title' }, 'Mode shapes'), h('span', { class: 'note' }, 'clamped, with what is outboard')), ...rows);
    const mode = this.found?.links[this.chosen.link]?.modes[this.chosen.mode];
    if (mode) this.picture.show({ lengths: this.lengths, angles: this.angles, payload: this.payload[0], link: this.chosen.link, number: this.chosen.mode, mode });
  }

  /** Frequencies on a logarithmic line; hollow dots are where they were when the arm was opened. */
  private showFrequencies(): void {
    const { linear, first } = this;
    if (!linear || !first) return;
    const all = [...linear.locked_frequencies_hz, ...linear.free_frequencies_hz, ...first.locked_frequencies_hz, ...first.free_frequencies_hz].filter((f) => f > 1e-6);
    const [low, high] = [Math.min(...all) / 1.6, Math.max(...all) * 1.6];
    const x = (f: number): number => 20 + (Math.log(f / low) / Math.log(high / low)) * 330;
    const row = (name: string, now: number[], before: number[], y: number): SVGElement[] => [
      s('text', { x: 20, y: y - 22, 'font-size': 12, fill: 'var(--ink-2)' }, name), s('path', { d: `M20 ${y}H350`, stroke: 'var(--line-strong)' }),
      ...before.filter((f) => f > 1e-6).map((f) => s('circle', { cx: x(f), cy: y, r: 5, fill: 'none', stroke: 'var(--ink-3)' })),
      ...now.filter((f) => f > 1e-6).flatMap((f, k, list) => [s('circle', { cx: x(f), cy: y, r: 5, fill: 'var(--ink)' }),
        s('text', { x: x(f), y: y + (k > 0 && x(f) - x(list[k - 1] ?? 0) < 34 ? -9 : 18), 'font-size': 11, 'text-anchor': 'middle', fill: 'var(--ink)' }, significant(f))]),
    ];
    const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((f) => f > low && f < high);
    fill(this.frequencies, h('div', { class: 'card-head', style: 'margin-bottom:0' }, h('span', { class: 'title' }, 'Frequencies of the arm'), h('span', { class: 'note' }, 'hollow: when opened')),
      s('svg', { viewBox: '0 0 370 172', width: '100%', role: 'img', 'aria-label': `frequencies with locked joints ${linear.locked_frequencies_hz.map((f) => significant(f)).join(', ')} Hz` },
        ...row('joints locked', linear.locked_frequencies_hz, first.locked_frequencies_hz, 44), ...row('joints free', linear.free_frequencies_hz, first.free_frequencies_hz, 108),
        s('path', { d: 'M20 148H350', stroke: 'var(--line-strong)' }), ...ticks.map((f) => s('text', { x: x(f), y: 164, 'font-size': 11, 'text-anchor': 'middle', fill: 'var(--ink-3)' }, String(f))), s('text', { x: 350, y: 142, 'font-size': 11, 'text-anchor': 'end', fill: 'var(--ink-3)' }, 'Hz')));
  }

  private controls(): void {
    const slider = (name: string, colour: string, low: number, high: number, value: number, unit: string, act: (v: number) => void): HTMLElement => {
      const text = h('span', { style: 'font-weight:540' }, `${fixed(value, 3)} ${unit}`);
      const rail = h('div', { class: 'rail' }, h('div', { class: 'thumb' }));
      const filled = h('div', { class: 'filled' });
      const share = (v: number): number => (v - low) / (high - low);
      const zero = share(Math.min(high, Math.max(low, 0)));
      const show = (v: number): void => {
        rail.style.transform = `translateX(${100 * share(v)}%)`;
        filled.style.transform = `translateX(${100 * Math.min(share(v), zero)}%) scaleX(${Math.abs(share(v) - zero)})`;
        text.textContent = `${fixed(v, 3)} ${unit}`;
      };
      const range = h('input', { type: 'range', min: low, max: high, step: 'any', value, 'aria-label': name, oninput: () => {
        show(Number(range.value));
        act(Number(range.value));
      } });
      show(value);
      return h('div', { class: 'joint', style: `padding:4px 0;--c:${colour};--ci:${colour}` }, h('div', { class: 'head' }, h('span', { class: 'name' }, name), text), h('div', { class: 'slider limited', style: 'margin-left:2px' }, h('div', { class: 'track' }), filled, rail, range));
    };
    const ratio = this.payload[0] > 0 ? this.payload[1] / this.payload[0] : 0.005;
    fill(this.change, h('div', { class: 'card-head', style: 'margin-bottom:4px' }, h('span', { class: 'title' }, 'Change')),
      slider('Payload', 'var(--ink)', 0.001, Math.max(0.5, 2 * this.payload[0]), this.payload[0], 'kg', (mass) => {
        this.payload = [mass, mass * ratio];
        this.compute();
      }),
      ...this.angles.slice(1).map((value, k) => slider(`Joint ${k + 2}`, `var(--joint-${((k + 1) % 8) + 1})`, -Math.PI, Math.PI, value, 'rad', (angle) => {
        this.angles = this.angles.map((one, i) => (i === k + 1 ? angle : one));
        this.compute();
      })));
  }

  /** Bode diagram of one channel, poles and zeros named. */
  showBode(): void {
    const { linear } = this;
    if (!linear) return;
    for (const one of this.plots) one.destroy();
    this.plots = [];
    const row = linear.outputs.indexOf(this.channel.output);
    const channel = linear.channels.find((one) => one.input === this.channel.input && one.output === this.channel.output);
    const frequencies = linear.poles.map(([, im]) => Math.abs(im) / (2 * Math.PI)).filter((f) => f > 1e-6);
    const [low, high] = [Math.min(...frequencies, 1) / 10, Math.max(...frequencies, 1) * 10];
    const hz = Array.from({ length: 500 }, (_, k) => low * (high / low) ** (k / 499));
    const b = linear.B.map((line) => line[this.channel.input - 1] ?? 0);
    const decibel = hz.map((f) => Math.max(-160, Math.min(80, 20 * Math.log10(magnitude(linear.A, b, linear.C[row] ?? [], 2 * Math.PI * f)))));
    const angles = phases(linear.A, b, linear.C[row] ?? [], hz.map((f) => 2 * Math.PI * f));
    const silent = Math.max(...decibel) < -150;
    const choice = (label: string, values: readonly string[], now: string, act: (v: string) => void): HTMLElement => {
      const menu = h('select', { class: 'menu', 'aria-label': label, onchange: () => {
        act(menu.value);
        this.showBode();
      } }, ...values.map((v) => h('option', { value: v, selected: v === now }, v)));
      return menu;
    };
    const width = Math.max(300, (this.frequency.clientWidth || 420) - 32);
    const title = (text: string, unit: string): HTMLElement => h('span', {}, h('b', { style: 'font-weight:600' }, text), h('span', { class: 'muted' }, ` (${unit})`));
    const hertz = (roots: readonly [number, number][]): number[] => [...new Set(roots.map(([re, im]) => Math.hypot(re, im) / (2 * Math.PI)).filter((f) => f > 1e-6).map((f) => Number(f.toPrecision(9))))];
    const marks = [...hertz(linear.poles).map((at) => ({ at, zero: false })), ...hertz(channel?.zeros ?? []).map((at) => ({ at, zero: true }))];
    const gain = plot({ title: title('Magnitude', 'dB'), x: hz, series: [{ values: decibel, colour: token('ink') }], width, height: 190, logX: true, sync: 'bode', xName: 'Hz', marks });
    const turn = plot({ title: title('Phase', 'degrees'), x: hz, series: [{ values: angles, colour: token('ink') }], width, height: 150, logX: true, sync: 'bode', xLabel: 'Hz', xName: 'Hz' });
    this.plots = [gain, turn];
    const list = (roots: readonly [number, number][]): string => distinct(roots).filter(([, im]) => im >= 0).map(([re, im]) => (Math.abs(im) < 1e-9 ? `${significant(re)} rad/s` : `${significant(Math.hypot(re, im) / (2 * Math.PI))} Hz`)).join(', ') || 'none';
    fill(this.bode, h('div', { class: 'card-head' }, h('span', { class: 'title', style: 'min-width:0' }, 'From torque'), choice('Input', this.lengths.map((_, k) => String(k + 1)), String(this.channel.input), (v) => { this.channel.input = Number(v); }), h('span', {}, 'to'),
      choice('Output', linear.outputs, this.channel.output, (v) => { this.channel.output = v; })),
      channel?.zeros === null || silent ? h('div', { class: 'finding' }, icon('warning', 16), h('b', {}, 'In this posture the torque does not reach this output.')) : null,
      gain.root, turn.root, h('p', { class: 'muted xs', style: 'text-align:right;margin:2px 8px' }, 'frequency (Hz)'),
      h('dl', { class: 'pairs' }, h('dt', {}, '× poles'), h('dd', {}, list(linear.poles)), h('dt', {}, '○ zeros'), h('dd', {}, list(channel?.zeros ?? []))));
  }
}

/** Roots that are the same to nine digits, once. */
function distinct(roots: readonly [number, number][]): [number, number][] {
  return [...new Map(roots.map((root) => [root.map((x) => (Math.abs(x) < 1e-9 ? '0' : x.toPrecision(9))).join(), root])).values()];
}
