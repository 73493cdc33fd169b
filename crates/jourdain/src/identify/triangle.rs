//! The triangular factor of a tall matrix, updated block by block.
//!
//! For rows A with QR factors, R and a block B below it have the factor of A and B together: ‖A x‖ = ‖R x‖ for every x,
//! whatever was seen before and in which order. So a log of any length is kept in one triangle, and triangles of parts
//! merge into that of the whole. Reflections are Householder's; nothing is ever squared, unlike in normal equations, where
//! the condition number is.
//!
//! Four samples stand side by side in a [`Lanes`], as the regressor gives them: a column of a block is a run of registers.

use crate::matrix::Matrix;
use jourdain_symbolic::{Lanes, Scalar};

/// Four rows of a block at one column.
pub(super) type Quad = Lanes<4>;

/// Columns that a reflection is applied to at once; a register of the reflector is then loaded once for all of them.
const TOGETHER: usize = 4;

/// An upper triangle R with RᵀR = AᵀA for all rows A that it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangle(Matrix<f64>);

impl Triangle {
    /// Of no rows.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self(Matrix::zeros(width, width))
    }

    /// From its numbers, row by row from the diagonal on; `None` if they are not as many as a triangle of `width` has.
    #[must_use]
    pub fn from_packed(width: usize, packed: &[f64]) -> Option<Self> {
        if packed.len() != width * (width + 1) / 2 {
            return None;
        }
        let mut numbers = packed.iter();
        let mut triangle = Self::new(width);
        for row in 0..width {
            for column in row..width {
                triangle.0[(row, column)] = *numbers.next()?;
            }
        }
        Some(triangle)
    }

    /// Its numbers, row by row from the diagonal on.
    #[must_use]
    pub fn packed(&self) -> Vec<f64> {
        let width = self.width();
        (0..width).flat_map(|row| (row..width).map(move |column| self.0[(row, column)])).collect()
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.columns()
    }

    /// The whole square, zero below the diagonal.
    #[must_use]
    pub fn matrix(&self) -> &Matrix<f64> {
        &self.0
    }

    /// ‖A x‖², the same as ‖R x‖².
    #[must_use]
    pub fn square(&self, x: &[f64]) -> f64 {
        self.0.apply(x).iter().map(|y| y * y).sum()
    }

    /// Multiplies the last column of all rows.
    pub(super) fn scale_last(&mut self, factor: f64) {
        let last = self.width() - 1;
        (0..=last).for_each(|row| self.0[(row, last)] *= factor);
    }

    /// Takes in the rows of another triangle.
    pub fn merge(&mut self, other: &Self) {
        let width = self.width();
        let mut block = vec![Quad::splat(0.0); width * width.div_ceil(4)];
        let quads = width.div_ceil(4);
        for row in 0..other.width().min(width) {
            for column in row..width {
                block[column * quads + row / 4].0[row % 4] = other.0[(row, column)];
            }
        }
        self.absorb(&mut block, quads, quads);
    }

    /// Takes in the rows of a block, column by column with `stride` quads each, of which the first `quads` count. The block
    /// is used up.
    pub(super) fn absorb(&mut self, block: &mut [Quad], stride: usize, quads: usize) {
        let width = self.width();
        if quads == 0 {
            return;
        }
        let r = self.0.as_mut_slice();
        for k in 0..width {
            let (head, tail) = block.split_at_mut((k + 1) * stride);
            let x = &head[k * stride..][..quads];
            let below = sum(x.iter().fold(Quad::splat(0.0), |sum, x| x.mul_add(*x, sum)));
            if below == 0.0 {
                continue;
            }
            let row = &mut r[k * width + k..(k + 1) * width];
            let top = row[0];
            let length = (top * top + below).sqrt();
            // The sign that does not cancel.
            let v = if top < 0.0 { top - length } else { top + length };
            row[0] = top - v;
            let beta = 2.0 / (v * v + below);
            let mut tops = row[1..].chunks_exact_mut(TOGETHER);
            let mut columns = tail.chunks_exact_mut(TOGETHER * stride);
            for (tops, columns) in (&mut tops).zip(&mut columns) {
                reflect::<TOGETHER>(x, columns, stride, v, beta, tops);
            }
            let rest = columns.into_remainder().chunks_exact_mut(stride);
            for (top, column) in tops.into_remainder().chunks_exact_mut(1).zip(rest) {
                reflect::<1>(x, column, stride, v, beta, top);
            }
        }
    }
}

/// Applies the reflection 1 − β (v; x)(v; x)ᵀ to N columns with `tops` above them.
#[inline(always)]
fn reflect<const N: usize>(x: &[Quad], columns: &mut [Quad], stride: usize, v: f64, beta: f64, tops: &mut [f64]) {
    let mut parts = columns.chunks_exact_mut(stride);
    let y: [&mut [Quad]; N] = std::array::from_fn(|_| &mut parts.next().unwrap_or_default()[..x.len()]);
    let mut sums = [Quad::splat(0.0); N];
    for (i, x) in x.iter().enumerate() {
        for n in 0..N {
            sums[n] = y[n][i].mul_add(*x, sums[n]);
        }
    }
    let factors: [Quad; N] = std::array::from_fn(|n| {
        let factor = beta * (v * tops[n] + sum(sums[n]));
        tops[n] -= factor * v;
        Quad::splat(-factor)
    });
    for (i, x) in x.iter().enumerate() {
        for n in 0..N {
            y[n][i] = factors[n].mul_add(*x, y[n][i]);
        }
    }
}

#[inline(always)]
fn sum(quad: Quad) -> f64 {
    let [a, b, c, d] = quad.0;
    (a + b) + (c + d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn block(rows: &[Vec<f64>], width: usize) -> (Vec<Quad>, usize) {
        let quads = rows.len().div_ceil(4);
        let mut block = vec![Quad::splat(0.0); width * quads];
        for (i, row) in rows.iter().enumerate() {
            for (column, x) in row.iter().enumerate() {
                block[column * quads + i / 4].0[i % 4] = *x;
            }
        }
        (block, quads)
    }

    fn of(rows: &[Vec<f64>], width: usize, at_once: usize) -> Triangle {
        let mut triangle = Triangle::new(width);
        for rows in rows.chunks(at_once) {
            let (mut block, quads) = block(rows, width);
            triangle.absorb(&mut block, quads, quads);
        }
        triangle
    }

    #[test]
    fn a_triangle_has_the_lengths_of_all_rows_in_any_partition() {
        let mut random = Random(5);
        for width in [1, 3, 6, 9] {
            let rows: Vec<Vec<f64>> = (0..57).map(|_| random.vector(width)).collect();
            let one = of(&rows, width, 57);
            let mut merged = of(&rows[..20], width, 8);
            merged.merge(&of(&rows[20..], width, 3));
            for _ in 0..5 {
                let x = random.vector(width);
                let product = |row: &Vec<f64>| row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>();
                let exact: f64 = rows.iter().map(|row| product(row).powi(2)).sum();
                for triangle in [&one, &merged, &of(&rows, width, 4)] {
                    assert!((triangle.square(&x) - exact).abs() < 1e-13 * exact.max(1.0), "width {width}");
                }
            }
        }
    }

    #[test]
    fn a_triangle_survives_packing() {
        let mut random = Random(6);
        let rows: Vec<Vec<f64>> = (0..9).map(|_| random.vector(5)).collect();
        let triangle = of(&rows, 5, 9);
        assert_eq!(Triangle::from_packed(5, &triangle.packed()), Some(triangle));
        assert_eq!(Triangle::from_packed(5, &[0.0; 14]), None);
    }
}
