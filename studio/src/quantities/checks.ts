// Properties that hold if the numbers are right, computed from the numbers shown: symmetry, definiteness, Ṁ = C + Cᵀ.
//
// They wait until a change has ended; the rate of M is taken along a fixed motion, since at rest it would say nothing.

import type { Session } from '../state/session.ts';
import type { Plan } from '../engine/types.ts';

export interface MassChecks {
  symmetric: boolean;
  definite: boolean;
  condition: number;
  /** Largest element of Ṁ − C − Cᵀ over the largest of Ṁ. */
  residual: number | null;
}

export class Checks {
  private plan: Plan | null = null;
  private robot: object | null = null;

  constructor(private readonly session: Session) {}

  massMatrix(q: readonly number[]): MassChecks | null {
    const numbers = this.session.numbers('mass_matrix');
    if (!numbers) return null;
    const n = numbers.shape[0] ?? 0;
    const m = Array.from({ length: n }, (_, i) => Array.from(numbers.values.subarray(i * n, (i + 1) * n)));
    const largest = Math.max(...m.flat().map(Math.abs));
    const symmetric = m.every((row, i) => row.every((x, j) => Math.abs(x - (m[j]?.[i] ?? 0)) <= 1e-12 * largest));
    const eigenvalues = symmetricEigenvalues(m);
    const [least, most] = [Math.min(...eigenvalues), Math.max(...eigenvalues)];
    return { symmetric, definite: least > 0, condition: most / least, residual: this.residual(q, n) };
  }

  private residual(q: readonly number[], n: number): number | null {
    if (this.robot !== this.session.model) {
      this.plan?.drop();
      this.plan = this.session.sidePlan(['mass_matrix_dot', 'coriolis_matrix']);
      this.robot = this.session.model;
    }
    const { plan } = this;
    if (!plan) return null;
    plan.input('q')?.set(q);
    const qd = Array.from({ length: n }, (_, i) => Math.sin(1 + 2.3 * i));
    plan.input('qd')?.set(qd);
    if (!plan.run()) return null;
    const [rate, c] = [plan.output('mass_matrix_dot'), plan.output('coriolis_matrix')];
    let [worst, largest] = [0, 0];
    for (let i = 0; i < n; i += 1) {
      for (let j = 0; j < n; j += 1) {
        const r = rate[i * n + j] ?? 0;
        worst = Math.max(worst, Math.abs(r - (c[i * n + j] ?? 0) - (c[j * n + i] ?? 0)));
        largest = Math.max(largest, Math.abs(r));
      }
    }
    return largest > 0 ? worst / largest : 0;
  }
}

/** By Jacobi's rotations: exact to rounding, and fast enough for the sizes of robots. */
export function symmetricEigenvalues(matrix: readonly (readonly number[])[]): number[] {
  const n = matrix.length;
  const a = Float64Array.from(matrix.flat());
  const at = (i: number, j: number): number => a[i * n + j] ?? 0;
  for (let sweep = 0; sweep < 40; sweep += 1) {
    let off = 0;
    let on = 0;
    for (let i = 0; i < n; i += 1) {
      on += at(i, i) ** 2;
      for (let j = i + 1; j < n; j += 1) off += at(i, j) ** 2;
    }
    if (off <= 1e-28 * on) break;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        if (at(p, q) === 0) continue;
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k += 1) {
          const [x, y] = [at(k, p), at(k, q)];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k += 1) {
          const [x, y] = [at(p, k), at(q, k)];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
        }
      }
    }
  }
  return Array.from({ length: n }, (_, i) => at(i, i));
}
