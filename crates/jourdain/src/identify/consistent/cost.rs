//! What it costs to be a robot: how well the same columns would meet the torques if their numbers could be anything.

use super::super::factors::Factors;
use super::super::problem::Problem;
use crate::spectral;
use nalgebra::{DMatrix, DVector};

/// Singular values below this, over the largest, are directions that the data do not show.
const RANK: f64 = 1e-9;

/// The unknowns that fit best, of either sign and whatever a body can have; `None` if numbers leave the range of floating point.
/// `weights` multiply the squares of the joints. Where the data leave them open the unknowns are the smallest.
pub(super) fn unconstrained(problem: &Problem, factors: &Factors, weights: &[f64]) -> Option<Vec<f64>> {
    let p = problem.count();
    let rows: usize = factors.triangles.iter().map(|triangle| triangle.width()).sum();
    let mut stacked = DMatrix::zeros(rows.max(p + 1), p + 1);
    let mut first = 0;
    for (j, triangle) in factors.triangles.iter().enumerate() {
        let (felt, width) = (problem.felt(j), triangle.width());
        for row in 0..width {
            for column in row..width {
                let to = felt.get(column).copied().unwrap_or(p);
                stacked[(first + row, to)] = triangle.matrix()[(row, column)] * weights[j].sqrt();
            }
        }
        first += width;
    }
    let lengths: Vec<f64> = (0..p).map(|k| stacked.column(k).norm()).collect();
    for (k, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0.0) {
        stacked.column_mut(k).scale_mut(1.0 / length);
    }
    let r = stacked.qr().unpack_r();
    let svd = spectral::singular(r.view((0, 0), (p, p)).into_owned(), true, true)?;
    let right = DVector::from_fn(p, |k, _| r[(k, p)]);
    let solution = svd.solve(&right, RANK * svd.singular_values.max()).ok()?;
    let value = |k: usize| if lengths[k] > 0.0 { solution[k] / lengths[k] } else { 0.0 };
    Some((0..p).map(value).collect())
}
