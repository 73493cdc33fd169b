// The frequency response of a linear arm: magnitude from A, B, C, phase from poles and zeros.
//
// Undamped poles and zeros lie on the axis that the frequency runs along. Each counts as if it were a little to the left, so that the
// phase falls by half a turn at a pole and rises by half a turn at a zero, as it does with any damping.

type Complex = [number, number];

export interface Channel { input: number; output: string; zeros: Complex[] | null }

/** |C (jω − A)⁻¹ B| for one input and one output. */
export function magnitude(a: readonly number[][], b: readonly number[], c: readonly number[], omega: number): number {
  const x = solve(a, b, omega);
  let [re, im] = [0, 0];
  c.forEach((v, i) => {
    re += v * (x[i]?.[0] ?? 0);
    im += v * (x[i]?.[1] ?? 0);
  });
  return Math.hypot(re, im);
}

/** Phase in degrees, continuous in the frequency. */
export function phase(poles: readonly Complex[], zeros: readonly Complex[], omega: number): number {
  const tiny = 1e-9 * Math.max(1, omega);
  const angle = ([re, im]: Complex): number => Math.atan2(omega - im, -(Math.abs(re) <= tiny * 10 ? -tiny : re));
  const total = zeros.reduce((sum, z) => sum + angle(z), 0) - poles.reduce((sum, p) => sum + angle(p), 0);
  // Zeros come in pairs to the left and to the right: the right one starts at half a turn, which belongs to the sign of the gain.
  const right = zeros.filter(([re, im]) => re > tiny * 10 && Math.abs(im) <= tiny * 10).length;
  return ((total - right * Math.PI) * 180) / Math.PI;
}

/** (jω − A) x = b by elimination with complex numbers. */
function solve(a: readonly number[][], b: readonly number[], omega: number): Complex[] {
  const n = a.length;
  const m: Complex[][] = a.map((row, i) => [...row.map((v, j): Complex => [-v, i === j ? omega : 0]), [b[i] ?? 0, 0]]);
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
