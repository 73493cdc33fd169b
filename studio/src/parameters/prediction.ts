// Measured and predicted torques along a log: the identified robot and the robot file, each driven through the smoothed positions.

import type { Engine, Plan, RobotRequest } from '../engine/types.ts';
import { significant } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import { jointColour, jointStyle, mix, token } from '../view/colours.ts';
import { h } from '../view/dom.ts';
import { plot, type PlotView } from '../view/plot.ts';
import { symbol } from '../view/symbols.ts';

export interface Table { columns: string[]; rows: number[][] }

/** A CSV of numbers; null if it is something else. */
export function readCsv(bytes: Uint8Array): Table | null {
  const lines = new TextDecoder().decode(bytes).trim().split(/\r?\n/);
  const columns = (lines[0] ?? '').split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.length < 2) return null;
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  return rows.every((row) => row.length === columns.length) ? { columns, rows } : null;
}

/** The column of a joint, by any of the names that logs have for it. */
export function column(table: Table, kind: 'q' | 'tau', joint: string, number: number): number {
  return [`${kind}[${joint}]`, `${kind}_${joint}`, `${kind}${number}`, `${kind}_${number}`, `${kind}[${number}]`].map((name) => table.columns.indexOf(name)).find((at) => at >= 0) ?? -1;
}

export interface Prediction { t: number[]; measured: number[][]; predicted: number[][]; file: number[][] }

/** A function of time, smoothed by a Gaussian of this deviation, with its first two derivatives; evenly spaced samples. */
export function smoothed(values: readonly number[], dt: number, sigma: number): { value: number[]; rate: number[]; second: number[] } {
  const reach = Math.max(2, Math.ceil((4 * sigma) / dt));
  const u = Array.from({ length: 2 * reach + 1 }, (_, k) => (k - reach) * dt);
  const bell = u.map((x) => Math.exp(-0.5 * (x / sigma) ** 2));
  const total = bell.reduce((a, b) => a + b, 0);
  const w = bell.map((x) => x / total);
  // Cut off and sampled, a Gaussian no longer has the moments of the formula: each kernel is set to meet a parabola exactly.
  const moment = (kernel: readonly number[], power: number): number => kernel.reduce((sum, x, k) => sum + x * (u[k] ?? 0) ** power, 0);
  const first = w.map((x, k) => x * (u[k] ?? 0));
  const slope = first.map((x) => x / moment(first, 1));
  const spread = moment(w, 2);
  const bent = w.map((x, k) => x * ((u[k] ?? 0) ** 2 - spread));
  const curvature = bent.map((x) => (2 * x) / moment(bent, 2));
  const value: number[] = [];
  const rate: number[] = [];
  const second: number[] = [];
  for (let i = 0; i < values.length; i += 1) {
    let [v, r, s] = [0, 0, 0];
    for (let k = 0; k < u.length; k += 1) {
      const x = values[Math.min(values.length - 1, Math.max(0, i + k - reach))] ?? 0;
      v += (w[k] ?? 0) * x;
      r += (slope[k] ?? 0) * x;
      s += (curvature[k] ?? 0) * x;
    }
    value.push(v);
    rate.push(r);
    second.push(s);
  }
  return { value, rate, second };
}

/** The torques of a robot along positions: one row per joint. */
function torques(m: Model, plan: Plan, motion: ReturnType<typeof smoothed>[], count: number): number[][] {
  const found: number[][] = m.moving.map(() => []);
  const [q, qd, qdd] = [plan.input('q'), plan.input('qd'), plan.input('qdd')].map((input) => (input ? Array.from(input) : []));
  for (let i = 0; i < count; i += 1) {
    m.moving.forEach((joint, j) => {
      (q as number[])[joint.coordinate] = motion[j]?.value[i] ?? 0;
      (qd as number[])[joint.velocity] = motion[j]?.rate[i] ?? 0;
      (qdd as number[])[joint.velocity] = motion[j]?.second[i] ?? 0;
    });
    plan.input('q')?.set(q as number[]);
    plan.input('qd')?.set(qd as number[]);
    plan.input('qdd')?.set(qdd as number[]);
    plan.run();
    const tau = plan.output('inverse_dynamics');
    m.moving.forEach((joint, j) => found[j]?.push(tau[joint.velocity] ?? Number.NaN));
  }
  return found;
}

/** Null if the log is not evenly spaced or lacks a position or a torque under a name that is known here. */
export function predict(engine: Engine, m: Model, robot: RobotRequest, identified: RobotRequest, log: { bytes: Uint8Array; cutoff: number | null }): Prediction | null {
  const table = readCsv(log.bytes);
  const time = table?.columns.findIndex((name) => name === 't' || name === 'time') ?? -1;
  if (!table || time < 0 || table.rows.length < 10 || m.moving.length !== m.scene.velocities.length) return null;
  const places = m.moving.map((joint, i) => [column(table, 'q', joint.name, i + 1), column(table, 'tau', joint.name, i + 1)] as const);
  const t = table.rows.map((row) => row[time] ?? 0);
  const dt = ((t.at(-1) ?? 0) - (t[0] ?? 0)) / (t.length - 1);
  if (places.flat().some((at) => at < 0) || t.some((x, i) => Math.abs(x - (t[0] ?? 0) - i * dt) > 0.1 * dt)) return null;
  // A Gaussian that lets through half of the power at the cut-off of the fit's own filter.
  const sigma = log.cutoff ? Math.sqrt(Math.log(2)) / (2 * Math.PI * log.cutoff) : 3 * dt;
  const values = (at: number): number[] => table.rows.map((row) => row[at] ?? 0);
  const motion = places.map(([q]) => smoothed(values(q), dt, sigma));
  const along = (request: RobotRequest): number[][] => {
    const open = engine.open(request);
    const plan = open.plan(['inverse_dynamics']);
    const found = torques(m, plan, motion, t.length);
    plan.drop();
    open.close();
    return found;
  };
  // At its ends a smoothed motion is not that of the robot.
  const margin = Math.ceil((4 * sigma) / dt);
  const inner = <T>(list: readonly T[]): T[] => list.slice(margin, list.length - margin);
  return { t: inner(t), measured: places.map(([, tau]) => inner(values(tau))), predicted: along(identified).map(inner), file: along(robot).map(inner) };
}

/** A panel of torques and one of residuals for each joint. */
export function predictionPlots(m: Model, found: Prediction, facts: { noise: number; error: number }[], width: number): { root: HTMLElement; views: PlotView[] } {
  const views: PlotView[] = [];
  const root = h('div', {});
  m.moving.forEach((joint, j) => {
    const { fill: colour, ink } = jointColour(m, joint.index);
    const unit = joint.prismatic ? 'N' : 'N m';
    const { noise = 0, error = 0 } = facts[j] ?? {};
    const title = h('span', { style: jointStyle(joint.index) }, symbol('τ', j + 1), h('span', { class: 'muted' }, ` (${unit})  ${joint.name} · relative error ${significant(100 * error, 3)} %`));
    const above = plot({
      title, x: found.t, width, height: m.moving.length > 3 ? 150 : 220, sync: 'identify', labels: 66,
      series: [
        { values: found.measured[j] ?? [], colour: mix(token('surface'), token('measured'), 0.42), points: true },
        { values: found.file[j] ?? [], colour: token('ink-3'), width: 1.1, dash: [5, 4], label: 'robot file' },
        { values: found.predicted[j] ?? [], colour: ink, width: 1.5, label: 'identified' },
      ],
    });
    const residual = (found.measured[j] ?? []).map((value, i) => value - (found.predicted[j]?.[i] ?? 0));
    const reach = Math.max(3 * noise, quantile(residual.map(Math.abs), 0.995)) || 1;
    const below = plot({
      title: h('span', {}, h('b', { style: 'font-weight:600' }, 'Residual'), h('span', { class: 'muted' }, ` (${unit})  band ±2σ`)), x: found.t, width, height: 84, sync: 'identify', labels: 66,
      yRange: [-reach, reach], bands: [{ from: -2 * noise, to: 2 * noise, colour, share: 0.14 }], series: [{ values: residual, colour, width: 0.8 }],
    });
    views.push(above, below);
    root.append(above.root, below.root);
  });
  return { root, views };
}

function quantile(values: number[], share: number): number {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
