// Small linear algebra on rows of a Jacobian: the direction that moves nothing, and the shortest step that moves as asked.

/** The unit vector that is orthogonal to all rows; null if more than one direction is left over. */
export function nullDirection(rows: readonly number[][], n: number): number[] | null {
  const basis: number[][] = [];
  for (const row of rows) {
    let v = [...row];
    const before = norm(v);
    // Twice: once leaves rounding of the size of what was taken away.
    for (let k = 0; k < 2; k += 1) v = without(v, basis);
    const length = norm(v);
    if (length > 1e-9 * (before + 1e-300)) basis.push(v.map((x) => x / length));
  }
  if (basis.length !== n - 1) return null;
  let best: number[] = [];
  for (let i = 0; i < n; i += 1) {
    let e: number[] = Array.from({ length: n }, (_, j) => (i === j ? 1 : 0));
    for (let k = 0; k < 2; k += 1) e = without(e, basis);
    if (norm(e) > norm(best)) best = e;
  }
  const length = norm(best);
  return best.map((x) => x / length);
}

/** The shortest dq with J dq = e: Jᵀ (J Jᵀ)⁻¹ e; null where J J^T cannot be inverted. */
export function shortestStep(rows: readonly number[][], e: readonly number[]): number[] | null {
  const m = rows.length;
  const a = rows.map((r, i) => [...rows.map((s) => dot(r, s)), e[i] ?? 0]);
  for (let k = 0; k < m; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < m; i += 1) if (Math.abs(a[i]?.[k] ?? 0) > Math.abs(a[pivot]?.[k] ?? 0)) pivot = i;
    [a[k], a[pivot]] = [a[pivot] as number[], a[k] as number[]];
    const head = a[k] as number[];
    if (Math.abs(head[k] ?? 0) < 1e-14) return null;
    for (let i = k + 1; i < m; i += 1) {
      const row = a[i] as number[];
      const f = (row[k] ?? 0) / (head[k] ?? 1);
      for (let j = k; j <= m; j += 1) row[j] = (row[j] ?? 0) - f * (head[j] ?? 0);
    }
  }
  const y = new Array<number>(m).fill(0);
  for (let i = m - 1; i >= 0; i -= 1) {
    let sum = a[i]?.[m] ?? 0;
    for (let j = i + 1; j < m; j += 1) sum -= (a[i]?.[j] ?? 0) * (y[j] ?? 0);
    y[i] = sum / (a[i]?.[i] ?? 1);
  }
  const n = rows[0]?.length ?? 0;
  return Array.from({ length: n }, (_, j) => rows.reduce((sum, row, i) => sum + (row[j] ?? 0) * (y[i] ?? 0), 0));
}

export const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
export const norm = (a: readonly number[]): number => Math.sqrt(dot(a, a));

function without(v: readonly number[], basis: readonly number[][]): number[] {
  let rest = [...v];
  for (const b of basis) {
    const share = dot(rest, b);
    rest = rest.map((x, i) => x - share * (b[i] ?? 0));
  }
  return rest;
}
