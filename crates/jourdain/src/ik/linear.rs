//! Small dense linear algebra in memory given once: a rank-revealing QR factorisation with its null space, symmetric
//! eigenvalues, Cholesky factors of at most six rows.

/// Most rows of a task.
pub(crate) const ROWS: usize = 6;

/// A = Q R Pᵀ of a matrix with n rows and at most six columns, by Householder reflections with column pivoting.
///
/// For A = Jᵀ the first `rank` columns of Q span the range of Jᵀ and the others the null space of J.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    n: usize,
    m: usize,
    /// Column by column; reflections below the diagonal, R on and above it.
    a: Vec<f64>,
    tau: [f64; ROWS],
    pivot: [usize; ROWS],
    pub rank: usize,
}

impl Factor {
    pub fn new(most_rows: usize) -> Self {
        Self { n: 0, m: 0, a: vec![0.0; most_rows * ROWS], tau: [0.0; ROWS], pivot: [0; ROWS], rank: 0 }
    }

    /// Factors the n × m matrix `element(row, column)`; diagonal elements of R below `tolerance` times the first are zero.
    pub fn factor(&mut self, n: usize, m: usize, tolerance: f64, element: impl Fn(usize, usize) -> f64) {
        (self.n, self.m, self.rank) = (n, m, 0);
        let mut norms = [0.0; ROWS];
        for c in 0..m {
            self.pivot[c] = c;
            self.tau[c] = 0.0;
            for r in 0..n {
                let x = element(r, c);
                self.a[c * n + r] = x;
                norms[c] += x * x;
            }
        }
        let mut largest = 0.0;
        for k in 0..m.min(n) {
            let best = (k..m).fold(k, |best, c| if norms[c] > norms[best] { c } else { best });
            if best != k {
                self.pivot.swap(k, best);
                norms.swap(k, best);
                for r in 0..n {
                    self.a.swap(k * n + r, best * n + r);
                }
            }
            let (head, tail) = self.a.split_at_mut((k + 1) * n);
            let column = &mut head[k * n..];
            let norm = column[k..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if k == 0 {
                largest = norm;
            }
            if norm.is_nan() || norm <= tolerance * largest || norm == 0.0 {
                return;
            }
            self.rank = k + 1;
            let alpha = if column[k] > 0.0 { -norm } else { norm };
            let head = column[k] - alpha;
            self.tau[k] = -head / alpha;
            for x in &mut column[k + 1..] {
                *x /= head;
            }
            column[k] = alpha;
            for c in k + 1..m {
                let other = &mut tail[(c - k - 1) * n..(c - k) * n];
                let mut dot = other[k];
                for r in k + 1..n {
                    dot += column[r] * other[r];
                }
                dot *= self.tau[k];
                other[k] -= dot;
                for r in k + 1..n {
                    other[r] -= dot * column[r];
                }
                norms[c] = other[k + 1..].iter().map(|x| x * x).sum();
            }
        }
    }

    fn reflect(&self, k: usize, x: &mut [f64]) {
        let column = &self.a[k * self.n..(k + 1) * self.n];
        let mut dot = x[k];
        for r in k + 1..self.n {
            dot += column[r] * x[r];
        }
        dot *= self.tau[k];
        x[k] -= dot;
        for r in k + 1..self.n {
            x[r] -= dot * column[r];
        }
    }

    /// x ← Qᵀ x.
    pub fn transpose_apply(&self, x: &mut [f64]) {
        (0..self.rank).for_each(|k| self.reflect(k, x));
    }

    /// x ← Q x.
    pub fn apply(&self, x: &mut [f64]) {
        (0..self.rank).rev().for_each(|k| self.reflect(k, x));
    }

    /// The shortest x with Aᵀ x = b, as far as the rank goes.
    pub fn solve_transposed(&self, b: &[f64], x: &mut [f64]) {
        x[..self.n].fill(0.0);
        for k in 0..self.rank {
            let mut sum = b[self.pivot[k]];
            for i in 0..k {
                sum -= self.a[k * self.n + i] * x[i];
            }
            x[k] = sum / self.a[k * self.n + k];
        }
        self.apply(x);
    }

    /// The y that makes A y nearest to b, zero for dependent columns; `b` is overwritten by Qᵀ b.
    pub fn least_squares(&self, b: &mut [f64], y: &mut [f64]) {
        self.transpose_apply(b);
        y[..self.m].fill(0.0);
        for k in (0..self.rank).rev() {
            let mut sum = b[k];
            for i in k + 1..self.rank {
                sum -= self.a[i * self.n + k] * y[self.pivot[i]];
            }
            y[self.pivot[k]] = sum / self.a[k * self.n + k];
        }
    }

    /// The `k`-th diagonal element of R over the first, zero beyond the rank: how near the matrix is to rank k − 1.
    pub fn diagonal_ratio(&self, k: usize) -> f64 {
        let diagonal = |k: usize| self.a[k * self.n + k].abs();
        if k == 0 {
            1.0
        } else if k > self.rank {
            0.0
        } else {
            diagonal(k - 1) / diagonal(0)
        }
    }

    /// The column of the original matrix that was taken at place `k`.
    #[cfg(test)]
    fn pivot(&self, k: usize) -> usize {
        self.pivot[k]
    }

    /// Column `k` of Q.
    pub fn column(&self, k: usize, out: &mut [f64]) {
        out[..self.n].fill(0.0);
        out[k] = 1.0;
        self.apply(&mut out[..self.n]);
    }
}

/// Eigenvalues and eigenvectors (columns of `vectors`) of a symmetric matrix by Jacobi rotations; `a` is destroyed.
pub(crate) fn symmetric_eigen(n: usize, a: &mut [f64], vectors: &mut [f64], values: &mut [f64]) {
    vectors[..n * n].fill(0.0);
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        let size: f64 = a[..n * n].iter().map(|x| x * x).sum();
        if off.is_nan() || off <= 1e-32 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let apq = a[p * n + q];
                if apq == 0.0 {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (vectors[k * n + p], vectors[k * n + q]);
                    (vectors[k * n + p], vectors[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    (0..n).for_each(|i| values[i] = a[i * n + i]);
}

/// A symmetric matrix of at most six rows.
pub(crate) type Small = [[f64; ROWS]; ROWS];

/// The lower factor L of A = L Lᵀ, in place; false if A is not positive definite.
#[inline]
pub(crate) fn cholesky(m: usize, a: &mut Small) -> bool {
    for j in 0..m {
        let mut d = a[j][j];
        for k in 0..j {
            d -= a[j][k] * a[j][k];
        }
        if d.is_nan() || d <= 0.0 {
            return false;
        }
        let d = d.sqrt();
        a[j][j] = d;
        for i in j + 1..m {
            let mut s = a[i][j];
            for k in 0..j {
                s -= a[i][k] * a[j][k];
            }
            a[i][j] = s / d;
        }
    }
    true
}

/// x ← L⁻¹ x.
#[inline]
pub(crate) fn forward(m: usize, l: &Small, x: &mut [f64; ROWS]) {
    for i in 0..m {
        let mut s = x[i];
        for k in 0..i {
            s -= l[i][k] * x[k];
        }
        x[i] = s / l[i][i];
    }
}

/// x ← L⁻ᵀ x.
#[inline]
pub(crate) fn backward(m: usize, l: &Small, x: &mut [f64; ROWS]) {
    for i in (0..m).rev() {
        let mut s = x[i];
        for k in i + 1..m {
            s -= l[k][i] * x[k];
        }
        x[i] = s / l[i][i];
    }
}

/// Euclidean length.
pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Σ x y.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn factor_gives_shortest_solutions_multipliers_and_the_null_space() {
        let mut random = Random(5);
        for _ in 0..50 {
            let (n, m) = (6 + random.below(4), 1 + random.below(6));
            let a: Vec<f64> = random.vector(n * m);
            let mut factor = Factor::new(n);
            factor.factor(n, m, 1e-12, |r, c| a[r * m + c]);
            assert_eq!(factor.rank, m);
            assert!(factor.pivot(0) < m && factor.diagonal_ratio(m) > 0.0);
            let b = random.vector(m);
            let mut x = vec![0.0; n];
            factor.solve_transposed(&b, &mut x);
            let image: Vec<f64> = (0..m).map(|c| (0..n).map(|r| a[r * m + c] * x[r]).sum()).collect();
            image.iter().zip(&b).for_each(|(x, y)| assert!((x - y).abs() < 1e-11));
            let mut column = vec![0.0; n];
            for k in m..n {
                factor.column(k, &mut column);
                assert!((norm(&column) - 1.0).abs() < 1e-13 && dot(&column, &x).abs() < 1e-11);
                (0..m).for_each(|c| assert!((0..n).map(|r| a[r * m + c] * column[r]).sum::<f64>().abs() < 1e-13));
            }
            let y = random.vector(m);
            let mut image: Vec<f64> = (0..n).map(|r| dot(&a[r * m..(r + 1) * m], &y)).collect();
            let mut found = vec![0.0; m];
            factor.least_squares(&mut image, &mut found);
            found.iter().zip(&y).for_each(|(x, y)| assert!((x - y).abs() < 1e-11));
        }
    }

    #[test]
    fn dependent_columns_lower_the_rank() {
        let a = [1.0, 2.0, 3.0, 0.5, 1.0, 1.5, 0.0, 1.0, 0.0];
        let mut factor = Factor::new(3);
        factor.factor(3, 3, 1e-12, |r, c| a[c * 3 + r]);
        assert_eq!((factor.rank, factor.diagonal_ratio(3)), (2, 0.0));
    }

    #[test]
    fn eigenvectors_diagonalise() {
        let mut random = Random(9);
        for n in 1..8 {
            let half: Vec<f64> = random.vector(n * n);
            let a: Vec<f64> = (0..n * n).map(|k| half[k] + half[k % n * n + k / n]).collect();
            let (mut work, mut vectors, mut values) = (a.clone(), vec![0.0; n * n], vec![0.0; n]);
            symmetric_eigen(n, &mut work, &mut vectors, &mut values);
            for k in 0..n {
                for i in 0..n {
                    let image: f64 = (0..n).map(|j| a[i * n + j] * vectors[j * n + k]).sum();
                    assert!((image - values[k] * vectors[i * n + k]).abs() < 1e-13);
                }
            }
        }
    }
}
