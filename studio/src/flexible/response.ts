// The frequency response of a linear arm, from A, B and C.
//
// Undamped poles and zeros lie on the axis that the frequency runs along. The phase is taken a hundredth beside it, to the right, where
// poles and zeros are passed on the same side as with any damping: it falls by half a turn at a pole and rises by half a turn at a
// zero. Only then does it not matter how exactly the zeros are known.

type Complex = [number, number];

export interface Channel { input: number; output: string; zeros: Complex[] | null }

const beside = 0.01;

/** |C (jω − A)⁻¹ B| for one input and one output. */
export function magnitude(a: readonly number[][], b: readonly number[], c: readonly number[], omega: number): number {
  return size(response(a, b, c, [0, omega]));
}

/** Phase in degrees at rising frequencies, without jumps; it begins between −180 and 180. */
export function phases(a: readonly number[][], b: readonly number[], c: readonly number[], omegas: readonly number[]): number[] {
  let last = 0;
  return omegas.map((omega, k) => {
    const [re, im] = response(a, b, c, [beside * omega, omega]);
    let angle = (Math.atan2(im, re) * 180) / Math.PI;
    // A phase of half a turn is −180, as two integrators have it, not 180.
    if (k === 0 && angle > 179) angle -= 360;
    if (k > 0) angle += 360 * Math.round((last - angle) / 360);
    last = angle;
    return angle;
  });
}

function response(a: readonly number[][], b: readonly number[], c: readonly number[], at: Complex): Complex {
  const x = solve(a, b, at);
  return c.reduce<Complex>(([re, im], v, i) => [re + v * (x[i]?.[0] ?? 0), im + v * (x[i]?.[1] ?? 0)], [0, 0]);
}

/** (s − A) x = b by elimination with complex numbers. */
function solve(a: readonly number[][], b: readonly number[], at: Complex): Complex[] {
  const n = a.length;
  const m: Complex[][] = a.map((row, i) => [...row.map((v, j): Complex => (i === j ? [at[0] - v, at[1]] : [-v, 0])), [b[i] ?? 0, 0]]);
  for (let k = 0; k < n; k += 1) {
    let best = k;
    for (let i = k + 1; i < n; i += 1) if (size(m[i]?.[k]) > size(m[best]?.[k])) best = i;
    [m[k], m[best]] = [m[best] as Complex[], m[k] as Complex[]];
    const head = m[k] as Complex[];
    for (let i = k + 1; i < n; i += 1) {
      const row = m[i] as Complex[];
      const f = divide(row[k] as Complex, head[k] as Complex);
      for (let j = k; j <= n; j += 1) row[j] = minus(row[j] as Complex, times(f, head[j] as Complex));
    }
  }
  const x: Complex[] = new Array<Complex>(n);
  for (let i = n - 1; i >= 0; i -= 1) {
    let sum = m[i]?.[n] as Complex;
    for (let j = i + 1; j < n; j += 1) sum = minus(sum, times(m[i]?.[j] as Complex, x[j] as Complex));
    x[i] = divide(sum, m[i]?.[i] as Complex);
  }
  return x;
}

const size = (z: Complex | undefined): number => (z ? Math.hypot(z[0], z[1]) : 0);
const times = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const minus = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
const divide = (a: Complex, b: Complex): Complex => {
  const d = b[0] * b[0] + b[1] * b[1];
  return [(a[0] * b[0] + a[1] * b[1]) / d, (a[1] * b[0] - a[0] * b[1]) / d];
};
