// Rotations: matrices row by row, roll-pitch-yaw (about x, then y, then z of the ground), and the vector of a small turn.

export type Rotation = readonly (readonly number[])[];

export function fromRollPitchYaw(roll: number, pitch: number, yaw: number): number[][] {
  const [cr, sr, cp, sp, cy, sy] = [Math.cos(roll), Math.sin(roll), Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
  return [
    [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
    [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
    [-sp, cp * sr, cp * cr],
  ];
}

export function toRollPitchYaw(r: Rotation): [number, number, number] {
  const at = (i: number, j: number): number => r[i]?.[j] ?? 0;
  const level = Math.hypot(at(0, 0), at(1, 0));
  // Straight up or down only the sum of roll and yaw counts: yaw is taken as zero.
  if (level < 1e-9) return [Math.atan2(-at(1, 2), at(1, 1)), Math.atan2(-at(2, 0), level), 0];
  return [Math.atan2(at(2, 1), at(2, 2)), Math.atan2(-at(2, 0), level), Math.atan2(at(1, 0), at(0, 0))];
}

/** The turn by `angle` about a unit axis, applied before `r` is read: axis in ground coordinates. */
export function turned(r: Rotation, axis: readonly number[], angle: number): number[][] {
  const [x = 0, y = 0, z = 0] = axis;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  const turn = [
    [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ];
  return turn.map((row) => [0, 1, 2].map((j) => row.reduce((sum, v, k) => sum + v * (r[k]?.[j] ?? 0), 0)));
}

/** The rotation vector that takes `from` to `to`, in ground coordinates. */
export function difference(from: Rotation, to: Rotation): [number, number, number] {
  const e = (i: number, j: number): number => [0, 1, 2].reduce((sum, k) => sum + (to[i]?.[k] ?? 0) * (from[j]?.[k] ?? 0), 0);
  const v = [e(2, 1) - e(1, 2), e(0, 2) - e(2, 0), e(1, 0) - e(0, 1)].map((x) => x / 2);
  const sine = Math.hypot(...v);
  const angle = Math.atan2(sine, (e(0, 0) + e(1, 1) + e(2, 2) - 1) / 2);
  const factor = sine > 1e-12 ? angle / sine : 1;
  return [factor * (v[0] ?? 0), factor * (v[1] ?? 0), factor * (v[2] ?? 0)];
}
