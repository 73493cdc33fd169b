// The self-motion of an arm with one redundant degree: the curve of joint positions along which the tool stays.
//
// Followed in both directions from the present position by small steps along the direction that moves nothing, each corrected until
// the pose is met again, until a joint reaches its limit or the curve closes. The criterion is −log of the manipulability, with
// lengths measured in half metres as the solver does.

import type { Plan } from '../engine/types.ts';
import type { Model } from '../state/model.ts';
import type { Target } from '../state/store.ts';
import { nullDirection, shortestStep } from './linear.ts';
import { difference } from './rotation.ts';

export interface SelfMotion {
  /** Way along the curve, rad; zero at the present position. */
  s: number[];
  q: number[][];
  criterion: number[];
  /** Joints that end the curve: at its beginning and at its end; null where it closes or was not followed further. */
  ends: [string | null, string | null];
  closed: boolean;
}

const step = 0.06;
const most = 130;

export function selfMotion(m: Model, plan: Plan, target: Target, start: readonly number[]): SelfMotion | null {
  const link = m.scene.links.findIndex((one) => one.name === target.link);
  const n = m.scene.velocities.length;
  if (n !== m.scene.coordinates.length) return null;
  const wanted = target.task === 'pose' ? 6 : 3;
  if (n - wanted !== 1) return null;
  const jacobian = (q: readonly number[]): number[][] => {
    plan.input('q')?.set(q);
    plan.run();
    const j = plan.output(`jacobian:${target.link}`);
    return Array.from({ length: wanted }, (_, i) => Array.from(j.subarray(i * n, (i + 1) * n)));
  };
  const error = (): number[] => {
    const poses = plan.output('poses');
    const at = (k: number): number => poses[16 * link + k] ?? 0;
    const e = [target.position[0] - at(3), target.position[1] - at(7), target.position[2] - at(11)];
    if (wanted === 6) e.push(...difference([[at(0), at(1), at(2)], [at(4), at(5), at(6)], [at(8), at(9), at(10)]], target.rotation));
    return e;
  };
  const criterion = (): number => -Math.log(plan.output(`manipulability:${target.link}`)[0] ?? Number.NaN) + 3 * Math.log(0.5);

  const follow = (sign: number): { points: { q: number[]; c: number }[]; end: string | null; closed: boolean } => {
    const points: { q: number[]; c: number }[] = [];
    let q = [...start];
    let direction: number[] | null = null;
    for (let k = 0; k < most; k += 1) {
      const along = nullDirection(jacobian(q), n);
      if (!along) return { points, end: null, closed: false };
      const before: number[] = direction ?? along.map((x) => x * sign);
      const same = along.reduce((sum, x, i) => sum + x * (before[i] ?? 0), 0) >= 0;
      direction = same ? along : along.map((x) => -x);
      let next = q.map((x, i) => x + step * (direction?.[i] ?? 0));
      for (let newton = 0; newton < 3; newton += 1) {
        const rows = jacobian(next);
        const dq = shortestStep(rows, error());
        if (!dq) return { points, end: null, closed: false };
        next = next.map((x, i) => x + (dq[i] ?? 0));
      }
      const out = m.moving.find((joint) => joint.limited && ((next[joint.coordinate] ?? 0) < joint.lower || (next[joint.coordinate] ?? 0) > joint.upper));
      if (out) return { points, end: out.name, closed: false };
      jacobian(next);
      points.push({ q: next, c: criterion() });
      if (k > 10 && Math.hypot(...next.map((x, i) => x - (start[i] ?? 0))) < step) return { points, end: null, closed: true };
      q = next;
    }
    return { points, end: null, closed: false };
  };
  jacobian(start);
  const here = { q: [...start], c: criterion() };
  const ahead = follow(1);
  const behind = ahead.closed ? { points: [], end: null, closed: true } : follow(-1);
  const points = [...behind.points.toReversed(), here, ...ahead.points];
  return {
    s: points.map((_, i) => (i - behind.points.length) * step),
    q: points.map((point) => point.q),
    criterion: points.map((point) => point.c),
    ends: [behind.end, ahead.end],
    closed: ahead.closed,
  };
}
