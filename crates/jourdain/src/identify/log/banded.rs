//! Symmetric positive definite matrices with few diagonals, factored in place: M = L Lᵀ.
//!
//! A spline of degree five couples six neighbouring coefficients, so its normal equations have five diagonals on either side of
//! the middle one, and a solution costs as much as there are coefficients.

/// Diagonals below the middle one.
pub(super) const BELOW: usize = 5;

/// The lower half, row by row: entry d of row i is the element (i, i − d).
#[derive(Clone, Debug, Default)]
pub(super) struct Banded(Vec<[f64; BELOW + 1]>);

impl Banded {
    /// All zero, in memory that is used again.
    pub fn clear(&mut self, size: usize) {
        self.0.clear();
        self.0.resize(size, [0.0; BELOW + 1]);
    }

    /// Adds to the element (row, row − below).
    #[inline]
    pub fn add(&mut self, row: usize, below: usize, value: f64) {
        self.0[row][below] += value;
    }

    /// Cholesky's factor in place; false if the matrix is not positive definite.
    pub fn factor(&mut self) -> bool {
        for i in 0..self.0.len() {
            for d in (0..=BELOW.min(i)).rev() {
                let j = i - d;
                // L(i,j) = (M(i,j) − Σ_k L(i,k) L(j,k)) / L(j,j), with k from where both rows begin.
                let sum: f64 = (1..=BELOW - d).filter(|e| e + d <= i).map(|e| self.0[i][d + e] * self.0[j][e]).sum();
                let rest = self.0[i][d] - sum;
                self.0[i][d] = if d > 0 {
                    rest / self.0[j][0]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return false;
                };
            }
        }
        true
    }

    /// Solves L Lᵀ x = b in place, with the factor in place of the matrix; `b` holds `width` right sides side by side.
    pub fn solve(&self, b: &mut [f64], width: usize) {
        let size = self.0.len();
        for i in 0..size {
            for d in 1..=BELOW.min(i) {
                let (done, row) = b.split_at_mut(i * width);
                subtract(&mut row[..width], self.0[i][d], &done[(i - d) * width..][..width]);
            }
            b[i * width..][..width].iter_mut().for_each(|x| *x /= self.0[i][0]);
        }
        for i in (0..size).rev() {
            for d in 1..=BELOW.min(size - 1 - i) {
                let (row, done) = b.split_at_mut((i + 1) * width);
                subtract(&mut row[i * width..], self.0[i + d][d], &done[(d - 1) * width..][..width]);
            }
            b[i * width..][..width].iter_mut().for_each(|x| *x /= self.0[i][0]);
        }
    }
}

#[inline]
fn subtract(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to -= factor * from);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_banded_solution_solves_its_equations() {
        let mut random = Random(4);
        for size in [1, 3, 6, 40] {
            let mut dense = vec![vec![0.0; size]; size];
            let mut banded = Banded::default();
            banded.clear(size);
            for i in 0..size {
                for d in 0..=BELOW.min(i) {
                    let x = if d == 0 { 8.0 + random.signed() } else { random.signed() };
                    banded.add(i, d, x);
                    (dense[i][i - d], dense[i - d][i]) = (x, x);
                }
            }
            let b = random.vector(2 * size);
            let mut x = b.clone();
            assert!(banded.factor());
            banded.solve(&mut x, 2);
            for (i, row) in dense.iter().enumerate() {
                for side in 0..2 {
                    let product: f64 = row.iter().enumerate().map(|(j, m)| m * x[2 * j + side]).sum();
                    assert!((product - b[2 * i + side]).abs() < 1e-12, "size {size}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let mut banded = Banded::default();
        banded.clear(2);
        banded.add(0, 0, 1.0);
        banded.add(1, 0, 1.0);
        banded.add(1, 1, 2.0);
        assert!(!banded.factor());
    }
}
