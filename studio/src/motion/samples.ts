// A motion as columns that can be read by time.

import type { Samples } from '../engine/types.ts';
import type { Model } from '../state/model.ts';

export class Motion {
  readonly t: Float64Array;
  readonly count: number;
  private readonly q: number[];
  private readonly qd: number[];

  constructor(private readonly samples: Samples, m: Model) {
    this.count = samples.rows.length / samples.columns.length;
    this.t = this.column('t') ?? new Float64Array(this.count);
    const name = ({ joint, part }: { joint: string; part: string }): string => (part === '' ? joint : `${joint}.${part}`);
    this.q = m.scene.coordinates.map((c) => samples.columns.indexOf(`q[${name(c)}]`));
    this.qd = m.scene.velocities.map((c) => samples.columns.indexOf(`qd[${name(c)}]`));
  }

  get duration(): number { return this.t[this.count - 1] ?? 0; }
  get columns(): readonly string[] { return this.samples.columns; }

  column(name: string): Float64Array | null {
    const at = this.samples.columns.indexOf(name);
    return at < 0 ? null : Float64Array.from({ length: this.count }, (_, i) => this.samples.rows[i * this.samples.columns.length + at] ?? 0);
  }

  /** The last sample not later than a time. */
  index(time: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.t[middle] ?? 0) <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Position at a time, between samples on a straight line; quaternions are short steps apart and stay close to length one. */
  position(time: number): number[] { return this.read(this.q, time); }
  velocity(time: number): number[] { return this.read(this.qd, time); }

  private read(columns: readonly number[], time: number): number[] {
    const i = this.index(time);
    const j = Math.min(this.count - 1, i + 1);
    const width = this.samples.columns.length;
    const span = (this.t[j] ?? 0) - (this.t[i] ?? 0);
    const share = span > 0 ? Math.min(1, Math.max(0, (time - (this.t[i] ?? 0)) / span)) : 0;
    return columns.map((c) => {
      const a = this.samples.rows[i * width + c] ?? 0;
      return a + ((this.samples.rows[j * width + c] ?? a) - a) * share;
    });
  }

  csv(): string {
    const width = this.samples.columns.length;
    const lines = [this.samples.columns.join(',')];
    for (let i = 0; i < this.count; i += 1) lines.push(Array.from(this.samples.rows.subarray(i * width, (i + 1) * width)).join(','));
    return `${lines.join('\n')}\n`;
  }
}

export interface LimitEvent { joint: number; t: number }

/** When each joint first leaves its limits. */
export function limitEvents(m: Model, motion: Motion): LimitEvent[] {
  const events: LimitEvent[] = [];
  for (const joint of m.moving) {
    if (!joint.limited) continue;
    const q = motion.column(`q[${joint.name}]`);
    const at = q?.findIndex((x) => x < joint.lower || x > joint.upper) ?? -1;
    if (at >= 0) events.push({ joint: joint.index, t: motion.t[at] ?? 0 });
  }
  return events.toSorted((a, b) => a.t - b.t);
}
