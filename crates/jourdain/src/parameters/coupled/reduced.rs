//! Rows that are exact modulo a prime and near in `f64`, brought to one reduced form.
//!
//! The prime decides how many columns are independent and which coefficients vanish. Which columns are kept is chosen in
//! `f64`: in the order asked for, but a column of which the ones before it leave hardly anything waits, because dividing by
//! that would spoil the numbers. The reduced form of a space is unique once the columns are chosen, so its coefficients
//! modulo the prime and in `f64` are the same numbers.

use super::super::exact::{Certain, Prime};
use super::super::field::Field;

/// What must be left of a column of unit length in the first pass; a tenth of it in each further one.
const FIRST: f64 = 1e-2;

/// Columns this much shorter than the longest wait in proportion: what is left of them is blown up, and its rounding with it.
const SHORT: f64 = 1e-4;

/// The least that is asked for. Columns that count, but of which less is left, come last, in the order asked for.
const LEAST: f64 = 0.9e-10;

/// What is left of a kept column below this is rounding, and no direction to measure others by: they are given nothing of it.
const FLOOR: f64 = 1e-12;

/// Columns shorter than this, relative to the longest, are rounding.
const NOISE: f64 = 1e-12;

/// Rows in echelon form, each with its first element one.
#[derive(Clone, Debug)]
pub(in super::super) struct Echelon<F> {
    rows: Vec<(usize, Vec<F>)>,
}

impl<F> Default for Echelon<F> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<F: Field> Echelon<F> {
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row; false if it was a combination of the others.
    pub fn insert(&mut self, mut row: Vec<F>) -> bool {
        for (pivot, other) in &self.rows {
            let factor = row[*pivot].clone();
            if !factor.is_zero() {
                for (x, y) in row[*pivot..].iter_mut().zip(&other[*pivot..]) {
                    *x = x.sub(&factor.mul(y));
                }
            }
        }
        let Some(pivot) = row.iter().position(|x| !x.is_zero()) else { return false };
        let inverse = row[pivot].inverse();
        row[pivot..].iter_mut().for_each(|x| *x = x.mul(&inverse));
        let at = self.rows.partition_point(|(other, _)| *other < pivot);
        self.rows.insert(at, (pivot, row));
        true
    }
}

/// The kept columns and the rows with one at its own and zero at the others'.
pub(super) fn reduced(exact: Echelon<Prime>, near: &[Vec<f64>], order: &[usize]) -> (Vec<usize>, Vec<Vec<Certain>>) {
    let rank = exact.rank();
    let columns = Columns::new(near, order.len());
    let preferred = columns.independent(order, rank);
    let mut rows: Vec<Vec<Prime>> = exact.rows.into_iter().map(|(_, row)| row).collect();
    let mut kept = Vec::with_capacity(rank);
    for &column in preferred.iter().chain(order) {
        if kept.len() == rank {
            break;
        }
        if solve_for(column, kept.len(), &mut rows) {
            kept.push(column);
        }
    }
    let mut is_kept = vec![false; order.len()];
    kept.iter().for_each(|&column| is_kept[column] = true);
    let basis = columns.basis(&kept);
    let mut found: Vec<Vec<Certain>> =
        rows.iter().map(|row| row.iter().map(|&x| Certain::new(x, 1.0)).collect()).collect();
    for column in (0..order.len()).filter(|&column| !is_kept[column]) {
        for (k, value) in columns.coordinates(column, &kept, &basis).into_iter().enumerate() {
            found[k][column] = Certain::new(rows[k][column], value);
        }
    }
    (kept, found)
}

/// Makes a column that of a unit vector, with its one in row `at`; false if the rows from there on have none to give.
fn solve_for(column: usize, at: usize, rows: &mut [Vec<Prime>]) -> bool {
    let Some(pivot) = (at..rows.len()).find(|&row| !rows[row][column].is_zero()) else { return false };
    rows.swap(at, pivot);
    let inverse = rows[at][column].inverse();
    rows[at].iter_mut().for_each(|x| *x = x.mul(&inverse));
    let solved = std::mem::take(&mut rows[at]);
    for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
        let factor = row[column];
        if !factor.is_zero() {
            row.iter_mut().zip(&solved).for_each(|(x, y)| *x = x.sub(&factor.mul(y)));
        }
    }
    rows[at] = solved;
    true
}

/// The columns of near rows, with unit length.
struct Columns {
    units: Vec<Vec<f64>>,
    lengths: Vec<f64>,
}

/// An orthonormal basis of kept columns, and their coordinates in it.
struct Basis {
    directions: Vec<Vec<f64>>,
    factor: Vec<Vec<f64>>,
}

impl Columns {
    fn new(rows: &[Vec<f64>], width: usize) -> Self {
        let column = |c: usize| -> Vec<f64> { rows.iter().map(|row| row[c]).collect() };
        let mut units: Vec<Vec<f64>> = (0..width).map(column).collect();
        let mut lengths: Vec<f64> = units.iter().map(|column| norm(column)).collect();
        let longest = lengths.iter().fold(0.0_f64, |longest, &length| longest.max(length));
        for (column, length) in units.iter_mut().zip(&mut lengths) {
            if *length > NOISE * longest {
                column.iter_mut().for_each(|x| *x /= *length);
            } else {
                column.fill(0.0);
                *length = 0.0;
            }
        }
        Self { units, lengths }
    }

    /// Columns of which those before them leave enough, and then those of which they leave less, and so on.
    fn independent(&self, order: &[usize], most: usize) -> Vec<usize> {
        let (mut directions, mut found): (Vec<Vec<f64>>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut waiting: Vec<usize> = order.iter().copied().filter(|&column| self.lengths[column] > 0.0).collect();
        let longest = self.lengths.iter().fold(0.0_f64, |longest, &length| longest.max(length));
        let mut least = FIRST;
        while found.len() < most && least >= LEAST {
            waiting.retain(|&column| {
                if found.len() == most {
                    return true;
                }
                let (rest, _) = project(&self.units[column], &directions);
                let left = norm(&rest);
                let waits = left * (self.lengths[column] / (SHORT * longest)).min(1.0) <= least;
                if !waits {
                    directions.push(rest.into_iter().map(|x| x / left).collect());
                    found.push(column);
                }
                waits
            });
            least *= 0.1;
        }
        found
    }

    fn basis(&self, kept: &[usize]) -> Basis {
        let mut basis = Basis { directions: Vec::new(), factor: Vec::new() };
        for &column in kept {
            let (rest, mut projections) = project(&self.units[column], &basis.directions);
            let left = norm(&rest);
            let (left, scale) = if left > FLOOR { (left, 1.0 / left) } else { (0.0, 0.0) };
            basis.directions.push(rest.into_iter().map(|x| x * scale).collect());
            projections.push(left);
            basis.factor.push(projections);
        }
        basis
    }

    /// The coordinates of a column in the kept ones, by least squares.
    fn coordinates(&self, column: usize, kept: &[usize], basis: &Basis) -> Vec<f64> {
        let (_, mut solution) = project(&self.units[column], &basis.directions);
        for k in (0..solution.len()).rev() {
            solution[k] = if basis.factor[k][k] > 0.0 { solution[k] / basis.factor[k][k] } else { 0.0 };
            let value = solution[k];
            for i in 0..k {
                solution[i] -= basis.factor[k][i] * value;
            }
        }
        let length = self.lengths[column];
        let scaled =
            |(x, &kept): (f64, &usize)| if self.lengths[kept] > 0.0 { x * length / self.lengths[kept] } else { 0.0 };
        solution.into_iter().zip(kept).map(scaled).collect()
    }
}

/// What is left of a vector beside orthonormal directions, and its coordinates along them; every projection is done twice.
fn project(vector: &[f64], directions: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let (mut rest, mut projections) = (vector.to_vec(), vec![0.0; directions.len()]);
    for _ in 0..2 {
        for (direction, projection) in directions.iter().zip(&mut projections) {
            let part = direction.iter().zip(&rest).map(|(d, x)| d * x).sum::<f64>();
            *projection += part;
            rest.iter_mut().zip(direction).for_each(|(x, d)| *x -= part * d);
        }
    }
    (rest, projections)
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
