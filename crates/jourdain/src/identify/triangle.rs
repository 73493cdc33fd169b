//! The triangular factor of a tall matrix, updated block by block.
//!
//! For rows A with QR factors, R and a block B below it have the factor of A and B together: ‖A x‖ = ‖R x‖ for every x,
//! whatever was seen before and in which order. So a log of any length is kept in one triangle, and triangles of parts
//! merge into that of the whole. Reflections are Householder's; nothing is ever squared, unlike in normal equations, where
//! the condition number is.
//!
//! Four samples stand side by side in a [`Lanes`], as the regressor gives them: a column of a block is a run of registers.

use crate::matrix::Matrix;
use jourdain_symbolic::{Lanes, Loops, in_registers};

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

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.0.as_mut_slice().fill(0.0);
    }

    /// The triangle of some columns and of the last, less `value` times a column for each of `known`.
    pub(super) fn select(&self, columns: &[usize], known: &[(usize, f64)]) -> Self {
        let (width, last) = (columns.len() + 1, self.width() - 1);
        let quads = self.width().div_ceil(4);
        let mut block = vec![Quad::splat(0.0); width * quads];
        for row in 0..self.width() {
            let mut put = |to: usize, x: f64| block[to * quads + row / 4].0[row % 4] = x;
            columns.iter().enumerate().for_each(|(to, &column)| put(to, self.0[(row, column)]));
            let off: f64 = known.iter().map(|&(column, value)| value * self.0[(row, column)]).sum();
            put(width - 1, self.0[(row, last)] - off);
        }
        let mut selected = Self::new(width);
        selected.absorb(&mut block, quads, quads);
        selected
    }

    /// Takes in the rows of another triangle.
    pub fn merge(&mut self, other: &Self) {
        self.merge_in(other, &mut Vec::new());
    }

    /// The same, in memory that is used again.
    pub(super) fn merge_in(&mut self, other: &Self, block: &mut Vec<Quad>) {
        let width = self.width();
        let quads = width.div_ceil(4);
        block.clear();
        block.resize(width * quads, Quad::splat(0.0));
        for row in 0..other.width().min(width) {
            for column in row..width {
                block[column * quads + row / 4].0[row % 4] = other.0[(row, column)];
            }
        }
        self.absorb_triangle(block, quads);
    }

    /// Takes in the rows of a block, column by column with `stride` quads each, of which the first `quads` count. The block
    /// is used up.
    pub(super) fn absorb(&mut self, block: &mut [Quad], stride: usize, quads: usize) {
        if quads > 0 {
            let (width, r) = (self.width(), self.0.as_mut_slice());
            in_registers(Absorb { r, width, block, stride, quads, triangular: false });
        }
    }

    /// The same of a block that is a triangle itself: below its diagonal nothing has to be done.
    fn absorb_triangle(&mut self, block: &mut [Quad], quads: usize) {
        let (width, r) = (self.width(), self.0.as_mut_slice());
        in_registers(Absorb { r, width, block, stride: quads, quads, triangular: true });
    }
}

/// Reflects a block below the triangle `r` into it, two columns at a time: columns behind them are then loaded and stored once for both
/// reflections.
struct Absorb<'a> {
    r: &'a mut [f64],
    width: usize,
    block: &'a mut [Quad],
    stride: usize,
    quads: usize,
    /// Column k of the block has nothing below row k.
    triangular: bool,
}

impl Loops for Absorb<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { r, width, block, stride, quads, triangular } = self;
        let mut k = 0;
        while k < width {
            let used = if triangular { quads.min((k + 1) / 4 + 1) } else { quads };
            let (head, tail) = block.split_at_mut((k + 1) * stride);
            let x = &head[k * stride..][..used];
            let (rows, below) = r.split_at_mut((k + 1) * width);
            let row = &mut rows[k * width + k..];
            let Some(first) = Reflector::new(&mut row[0], x) else {
                k += 1;
                continue;
            };
            if k + 1 == width {
                break;
            }
            first.apply::<1>(x, &mut tail[..stride], stride, &mut row[1..2]);
            let (next, behind) = tail.split_at_mut(stride);
            let y = &next[..used];
            let row_below = &mut below[k + 1..width];
            match Reflector::new(&mut row_below[0], y) {
                None => first.apply_all(x, behind, stride, &mut row[2..]),
                Some(second) => {
                    let pair = Pair { first, second, product: dot(x, y) };
                    pair.apply_all([x, y], behind, stride, [&mut row[2..], &mut row_below[1..]]);
                }
            }
            k += 2;
        }
    }
}

/// The reflection 1 − β (v; x)(v; x)ᵀ that takes a column to the diagonal.
#[derive(Clone, Copy)]
struct Reflector {
    v: f64,
    beta: f64,
}

impl Reflector {
    /// Of a column x below its number on the diagonal, which becomes the length of both; `None` if there is nothing below.
    #[inline(always)]
    fn new(diagonal: &mut f64, x: &[Quad]) -> Option<Self> {
        let below = dot(x, x);
        if below == 0.0 {
            return None;
        }
        let top = *diagonal;
        let length = (top * top + below).sqrt();
        // The sign that does not cancel.
        let v = if top < 0.0 { top - length } else { top + length };
        *diagonal = top - v;
        Some(Self { v, beta: 2.0 / (v * v + below) })
    }

    /// Applies it to columns with `tops` above them.
    #[inline(always)]
    fn apply_all(self, x: &[Quad], columns: &mut [Quad], stride: usize, tops: &mut [f64]) {
        let (tops, rest) = tops.as_chunks_mut::<TOGETHER>();
        let mut columns = columns.chunks_exact_mut(TOGETHER * stride);
        for (tops, columns) in tops.iter_mut().zip(&mut columns) {
            self.apply::<TOGETHER>(x, columns, stride, tops);
        }
        let left = columns.into_remainder().chunks_exact_mut(stride);
        for (top, column) in rest.chunks_exact_mut(1).zip(left) {
            self.apply::<1>(x, column, stride, top);
        }
    }

    /// Applies it to N of them.
    #[inline(always)]
    fn apply<const N: usize>(self, x: &[Quad], columns: &mut [Quad], stride: usize, tops: &mut [f64]) {
        let mut parts = columns.chunks_exact_mut(stride);
        let length = x.len();
        let y: [&mut [Quad]; N] = std::array::from_fn(|_| &mut parts.next().unwrap_or_default()[..length]);
        let mut sums = [[0.0; 4]; N];
        for i in 0..length {
            let x = x[i].0;
            for n in 0..N {
                add_product(&mut sums[n], &y[n][i].0, &x);
            }
        }
        let factors: [f64; N] = std::array::from_fn(|n| {
            let factor = self.beta * (self.v * tops[n] + sum(sums[n]));
            tops[n] -= factor * self.v;
            -factor
        });
        for i in 0..length {
            let x = x[i].0;
            for n in 0..N {
                add_product(&mut y[n][i].0, &x, &[factors[n]; 4]);
            }
        }
    }
}

/// Two reflections one after the other, and the product x·y of what they have below the diagonal.
#[derive(Clone, Copy)]
struct Pair {
    first: Reflector,
    second: Reflector,
    product: f64,
}

impl Pair {
    /// Applies both to columns with `tops` above them.
    #[inline(always)]
    fn apply_all(self, [x, y]: [&[Quad]; 2], columns: &mut [Quad], stride: usize, [tops, tops_below]: [&mut [f64]; 2]) {
        let (tops, rest) = tops.as_chunks_mut::<TOGETHER>();
        let (tops_below, rest_below) = tops_below.as_chunks_mut::<TOGETHER>();
        let mut columns = columns.chunks_exact_mut(TOGETHER * stride);
        for ((tops, tops_below), columns) in tops.iter_mut().zip(tops_below).zip(&mut columns) {
            self.apply::<TOGETHER>(x, y, columns, stride, tops, tops_below);
        }
        let left = columns.into_remainder().chunks_exact_mut(stride);
        for ((top, top_below), column) in rest.chunks_exact_mut(1).zip(rest_below.chunks_exact_mut(1)).zip(left) {
            self.apply::<1>(x, y, column, stride, top, top_below);
        }
    }

    /// Applies both to N columns z: y·z after the first is y·z − f x·y, so that one look at z gives the factors of both.
    #[inline(always)]
    fn apply<const N: usize>(
        self,
        x: &[Quad],
        y: &[Quad],
        columns: &mut [Quad],
        stride: usize,
        tops: &mut [f64],
        tops_below: &mut [f64],
    ) {
        let Self { first, second, product } = self;
        let mut parts = columns.chunks_exact_mut(stride);
        // One length for all: the compiler then sees that no index is beyond an end.
        let length = x.len();
        let y = &y[..length];
        let z: [&mut [Quad]; N] = std::array::from_fn(|_| &mut parts.next().unwrap_or_default()[..length]);
        let (mut sums, mut sums_below) = ([[0.0; 4]; N], [[0.0; 4]; N]);
        for i in 0..length {
            let (x, y) = (x[i].0, y[i].0);
            for n in 0..N {
                let z = z[n][i].0;
                add_product(&mut sums[n], &z, &x);
                add_product(&mut sums_below[n], &z, &y);
            }
        }
        let factors: [[f64; 2]; N] = std::array::from_fn(|n| {
            let f = first.beta * (first.v * tops[n] + sum(sums[n]));
            tops[n] -= f * first.v;
            let g = second.beta * (second.v * tops_below[n] + (sum(sums_below[n]) - f * product));
            tops_below[n] -= g * second.v;
            [-f, -g]
        });
        for i in 0..length {
            let (x, y) = (x[i].0, y[i].0);
            for n in 0..N {
                let mut sum = z[n][i].0;
                add_product(&mut sum, &x, &[factors[n][0]; 4]);
                add_product(&mut sum, &y, &[factors[n][1]; 4]);
                z[n][i].0 = sum;
            }
        }
    }
}

/// to + a b, lane by lane, in one rounding only if the whole program is built for processors that have it.
#[inline(always)]
fn add_product(to: &mut [f64; 4], a: &[f64; 4], b: &[f64; 4]) {
    for l in 0..4 {
        to[l] = if cfg!(target_feature = "fma") { a[l].mul_add(b[l], to[l]) } else { a[l] * b[l] + to[l] };
    }
}

#[inline(always)]
fn dot(x: &[Quad], y: &[Quad]) -> f64 {
    let mut lanes = [0.0; 4];
    for (x, y) in x.iter().zip(y) {
        add_product(&mut lanes, &x.0, &y.0);
    }
    sum(lanes)
}

#[inline(always)]
fn sum([a, b, c, d]: [f64; 4]) -> f64 {
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
    fn selected_columns_have_the_lengths_of_their_rows() {
        let mut random = Random(12);
        let rows: Vec<Vec<f64>> = (0..31).map(|_| random.vector(6)).collect();
        let selected = of(&rows, 6, 31).select(&[0, 3], &[(1, 0.7), (4, -2.0)]);
        let x = random.vector(3);
        let value = |row: &Vec<f64>| row[0] * x[0] + row[3] * x[1] + (row[5] - 0.7 * row[1] + 2.0 * row[4]) * x[2];
        let exact: f64 = rows.iter().map(|row| value(row).powi(2)).sum();
        assert!((selected.square(&x) - exact).abs() < 1e-12 * exact);
    }

    #[test]
    fn wide_registers_give_the_bits_of_narrow_ones_and_a_triangular_block_those_of_a_full_one() {
        let mut random = Random(8);
        for width in [1, 2, 5, 12, 31] {
            let rows: Vec<Vec<f64>> = (0..60).map(|_| random.vector(width)).collect();
            let (mut full, quads) = block(&rows, width);
            let (mut wide, mut narrow) = (Triangle::new(width), Triangle::new(width));
            wide.absorb(&mut full.clone(), quads, quads);
            let r = narrow.0.as_mut_slice();
            Absorb { r, width, block: &mut full, stride: quads, quads, triangular: false }.run();
            assert_eq!(wide, narrow, "width {width}");
            let mut merged = of(&rows[..20], width, 20);
            merged.merge(&wide);
            let square: Vec<Vec<f64>> = (0..width).map(|k| wide.0.as_slice()[k * width..][..width].to_vec()).collect();
            let (mut square, quads) = block(&square, width);
            let mut plain = of(&rows[..20], width, 20);
            plain.absorb(&mut square, quads, quads);
            let pairs = || merged.0.as_slice().iter().zip(plain.0.as_slice());
            assert!(pairs().all(|(a, b)| (a - b).abs() < 1e-13), "width {width}");
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
