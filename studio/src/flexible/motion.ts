// A motion of a flexible arm: bent and let go, or pushed and stopped; played with its true deflections, or magnified and said so.

import { Problem, type Samples } from '../engine/types.ts';
import { fixed, significant } from '../numbers/format.ts';
import type { Session } from '../state/session.ts';
import { token } from '../view/colours.ts';
import { wasAborted, whileBusy } from '../view/busy.ts';
import { saveFile } from '../view/copy.ts';
import { fill, h, press, segmented } from '../view/dom.ts';
import { figureButton } from '../view/figure.ts';
import { icon } from '../view/icons.ts';
import { plot, type PlotView } from '../view/plot.ts';
import type { Picture } from './picture.ts';
import { modeShape, scaled, together, type Bend, type Mode } from './shapes.ts';

/** What the motion needs to know of the arm. */
export interface ArmState { request: object; lengths: number[]; angles: number[]; payload: number; modes: Mode[][] }

type Kind = 'release' | 'push';
interface Report { energy_drift: number; momentum_drift: number | null; method: string; warnings?: string[] }

export class FlexibleMotion {
  readonly root = h('div', {});
  private kind: Kind = 'release';
  private samples: Samples | null = null;
  private arm: ArmState | null = null;
  private plots: PlotView[] = [];
  private readonly result = h('div', {});
  private readonly run = h('button', { class: 'btn ink', type: 'button', onclick: () => void this.simulate() }, 'Run');
  private readonly choice = segmented<Kind>('Scenario', [['release', 'Bend and let go'], ['push', 'Push and stop']], 'release', (kind) => {
    this.kind = kind;
    press(this.choice, kind);
  });
  private asked: object | null = null;
  private time = 0;
  private playing = false;
  private readonly clock = h('b', {});
  private readonly range = h('input', { type: 'range', min: 0, max: 2, step: 'any', value: 0, 'aria-label': 'Time', 'data-testid': 'flexible-time', class: 'time', oninput: () => this.seek(Number(this.range.value)) });
  private readonly play = h('button', { class: 'btn line icon', type: 'button', 'aria-label': 'Play', onclick: () => this.toggle() }, icon('play', 16));

  constructor(private readonly session: Session, private readonly picture: Picture, private readonly state: () => ArmState | null) {
    this.root.append(h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'Scenario'), h('span', { class: 'spacer' }), this.run), this.choice,
      h('p', { class: 'muted sm', style: 'margin:8px 0 0' }, 'Bend: the last link in its first mode, its end off by 5 % of its length. Push: a torque on the first joint for half a second, then its negative.')), this.result);
  }

  /** Another arm, payload or posture: what was computed is about the former. */
  forget(): void {
    this.samples = null;
    this.playing = false;
    for (const one of this.plots) one.destroy();
    this.plots = [];
    fill(this.result);
  }

  /** Shows the moment again when the tab is opened. */
  show(): void {
    if (!this.samples || !this.arm) return;
    this.picture.show({ lengths: this.arm.lengths, angles: this.arm.angles, payload: this.arm.payload, bends: [], caption: 'motion; dashed: the start' });
    this.seek(this.time);
  }

  private async simulate(): Promise<void> {
    const arm = this.state();
    if (!arm) return;
    const count = arm.modes.reduce((sum, modes) => sum + modes.length, 0);
    const last = arm.lengths.length - 1;
    const mode = arm.modes[last]?.[0];
    const q0 = [...arm.angles, ...Array.from({ length: count }, () => 0)];
    if (this.kind === 'release' && mode) q0[arm.angles.length + count - (arm.modes[last]?.length ?? 0)] = (0.05 * (arm.lengths[last] ?? 1)) / mode.phi_e;
    const torque = this.kind === 'push' ? { kind: 'bang-bang', amplitude: arm.angles.map((_, i) => (i === 0 ? 0.2 : 0)), switch: 0.5, end: 1 } : { kind: 'none' };
    const asked = { ...arm.request, scenario: JSON.stringify({ q0, duration: 2, step: 0.001, torque }), every: 4 };
    this.run.disabled = true;
    try {
      const { report, samples } = await whileBusy(this.session.jobs, 'flexible', 'Simulating', this.root,
        this.session.jobs.outcome<Report>('flexible simulate', asked, [], 'flexible'));
      this.asked = asked;
      this.samples = samples;
      this.arm = arm;
      this.time = 0;
      this.draw(report);
      this.show();
    } catch (thrown) {
      if (wasAborted(thrown)) return;
      if (!(thrown instanceof Problem)) throw thrown;
      fill(this.result, h('section', { class: 'card' }, h('div', { class: 'finding err' }, icon('error', 16), h('b', {}, thrown.message), thrown.hint ? h('p', {}, thrown.hint) : null)));
    } finally {
      this.run.disabled = false;
    }
  }

  private column(name: string): Float64Array {
    const { columns, rows } = this.samples as Samples;
    const at = columns.indexOf(name);
    return Float64Array.from({ length: rows.length / columns.length }, (_, i) => rows[i * columns.length + at] ?? 0);
  }

  private draw(report: Report): void {
    const { arm } = this;
    if (!this.samples || !arm) return;
    for (const one of this.plots) one.destroy();
    const t = this.column('t');
    this.range.max = String(t[t.length - 1] ?? 2);
    const width = Math.max(300, (this.root.clientWidth || 420) - 32);
    const colour = (i: number): string => token(`joint-${(i % 8) + 1}`);
    const off = arm.modes.map((modes, i) => {
      const columns = modes.map((mode, k) => ({ values: this.column(`q[delta${i + 1}${k + 1}]`), at: mode.phi_e }));
      return { values: t.map((_, n) => 1000 * columns.reduce((sum, one) => sum + (one.values[n] ?? 0) * one.at, 0)), colour: colour(i), label: `link ${i + 1}` };
    });
    const title = (text: string, unit: string): HTMLElement => h('span', {}, h('b', { style: 'font-weight:600' }, text), h('span', { class: 'muted' }, ` (${unit})`));
    const ends = plot({ title: title('End of each link off its line', 'mm'), x: t, series: off, width, height: 150, labels: 48, sync: 'flexible' });
    const joints = plot({ title: title('Joints', 'rad'), x: t, series: arm.angles.map((_, i) => ({ values: this.column(`q[theta${i + 1}]`), colour: colour(i), label: `joint ${i + 1}` })), width, height: 130, labels: 48, sync: 'flexible' });
    this.plots = [ends, joints];
    const energy = this.column('energy');
    const fine = report.energy_drift < 1e-3 * Math.max(...energy, 1e-12);
    fill(this.result,
      h('section', { class: 'card' }, h('div', { class: 'row', style: 'flex-wrap:nowrap;margin-bottom:8px' }, this.play, this.clock, this.range), ends.root, joints.root),
      h('section', { class: 'card', style: 'border:0' }, h('span', { class: fine ? 'check' : 'check err' }, icon(fine ? 'check' : 'error', 14), `energy drifts by ${significant(report.energy_drift, 2)} J, method ${report.method}`),
        ...(report.warnings ?? []).map((text) => h('p', { class: 'check warn' }, icon('warning', 14), text)),
        h('div', { class: 'row', style: 'margin-top:10px' }, h('button', { class: 'btn line', type: 'button', onclick: () => this.save() }, 'CSV'), figureButton(this.session, () => 'flexible_motion', 'flexible simulate', () => this.asked))));
  }

  private save(): void {
    if (!this.samples) return;
    const { columns, rows } = this.samples;
    const lines = [columns.join(',')];
    for (let i = 0; i < rows.length; i += columns.length) lines.push(Array.from(rows.subarray(i, i + columns.length)).join(','));
    saveFile('flexible_motion.csv', `${lines.join('\n')}\n`, 'text/csv');
  }

  private seek(time: number): void {
    const { samples, arm } = this;
    if (!samples || !arm) return;
    const width = samples.columns.length;
    const count = samples.rows.length / width;
    const whole = samples.rows[(count - 1) * width] ?? 1;
    this.time = Math.min(whole, Math.max(0, time));
    const row = Math.round((this.time / whole) * (count - 1));
    const at = (name: string): number => samples.rows[row * width + samples.columns.indexOf(name)] ?? 0;
    const bends: Bend[] = arm.modes.map((modes, i) => together(modes.map((mode, k) => scaled(modeShape(mode, arm.lengths[i] ?? 1), at(`q[delta${i + 1}${k + 1}]`)))));
    this.picture.move(arm.angles.map((_, i) => at(`q[theta${i + 1}]`)), bends);
    this.clock.textContent = `${fixed(this.time, 3)} s`;
    this.range.value = String(this.time);
    for (const one of this.plots) one.mark(this.time);
  }

  private toggle(): void {
    this.playing = !this.playing;
    fill(this.play, icon(this.playing ? 'pause' : 'play', 16));
    this.play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
    if (!this.playing) return;
    if (this.time >= Number(this.range.max) - 1e-9) this.seek(0);
    let last = performance.now();
    const tick = (now: number): void => {
      if (!this.playing || !this.root.isConnected) return;
      this.seek(this.time + (now - last) / 1000);
      last = now;
      if (this.time >= Number(this.range.max) - 1e-9) return this.toggle();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
