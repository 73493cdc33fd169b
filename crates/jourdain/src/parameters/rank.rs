//! The numeric witness: the rank of the regressor stacked over random states, in `f64` with the gap of its singular values.
//!
//! No structure is used here, only the regressor itself; it is what the structural count is compared with. Columns are
//! scaled to unit length first, so that the units of the parameters do not matter. A rank is believed as far as the gap
//! between the smallest singular value that counts and the largest that does not.

use super::snap::snapped;
use crate::dynamics::recursive;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::random::Random;
use crate::state::State;
use crate::workspace::Workspace;
use jourdain_symbolic::Constant;
use nalgebra::DMatrix;

/// Singular values below this, relative to the largest, do not count.
pub const RANK_TOLERANCE: f64 = 1e-9;

/// Columns shorter than this, relative to the longest, are rounding.
pub(super) const NOISE: f64 = 1e-12;

/// Most columns of a regressor whose singular values are computed: beyond it takes minutes.
pub const MOST_COLUMNS: usize = 1000;

/// The rank of a regressor over random states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericRank {
    /// The singular values that count.
    pub rank: usize,
    /// The smallest singular value that counts, relative to the largest.
    pub smallest_kept: f64,
    /// The largest singular value that does not count, relative to the largest of all; `None` if all count.
    pub largest_dropped: Option<f64>,
    /// How many random states.
    pub states: usize,
}

impl NumericRank {
    /// How many times smaller the first singular value is that does not count; `None` if all count or the rest is zero.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        self.largest_dropped.filter(|&dropped| dropped > 0.0).map(|dropped| self.smallest_kept / dropped)
    }
}

/// The rank of the regressor of a robot, its angles [snapped](super::snap) as for the structural analysis.
///
/// `None` for a robot with more than [`MOST_COLUMNS`] parameters or without motion.
#[must_use]
pub fn numeric_rank<T: Constant>(model: &Model<T>, seed: u64) -> Option<NumericRank> {
    let (description, _) = snapped(model.description(), model.snap());
    let model = Model::from_description(&description).ok()?;
    let columns = recursive::parameter_count(&model);
    if columns > MOST_COLUMNS || model.nv() == 0 {
        return None;
    }
    let stacked = stacked_regressor(&model, seed);
    let states = stacked.rows() / model.nv();
    let mut matrix = stacked.to_nalgebra();
    let longest = matrix.column_iter().fold(0.0_f64, |longest, column| longest.max(column.norm()));
    for mut column in matrix.column_iter_mut() {
        let norm = column.norm();
        // What has no effect but by rounding is not to be blown up.
        if norm > NOISE * longest {
            column /= norm;
        } else {
            column.fill(0.0);
        }
    }
    let mut values: Vec<f64> = triangle(matrix).singular_values().iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let largest = values.first().copied().filter(|&value| value > 0.0)?;
    let rank = values.iter().filter(|&&value| value > RANK_TOLERANCE * largest).count();
    Some(NumericRank {
        rank,
        smallest_kept: values[rank - 1] / largest,
        largest_dropped: values.get(rank).map(|value| value / largest),
        states,
    })
}

/// The triangular factor: the same singular values in a square.
fn triangle(matrix: DMatrix<f64>) -> DMatrix<f64> {
    if matrix.nrows() > matrix.ncols() { matrix.qr().unpack_r() } else { matrix }
}

/// The regressor at random states, one below the other, with twice as many rows as columns.
pub(super) fn stacked_regressor(model: &Model<f64>, seed: u64) -> Matrix<f64> {
    let (nv, columns) = (model.nv(), recursive::parameter_count(model));
    let states = (2 * columns).div_ceil(nv.max(1)) + 8;
    let mut random = Random(seed);
    let mut workspace = Workspace::new(model);
    let mut stacked = Matrix::zeros(states * nv, columns);
    let mut state = State::neutral(model);
    for at in 0..states {
        let mut numbers = |size: f64| -> Vec<f64> { (0..nv).map(|_| size * random.signed()).collect() };
        model.retract(&mut state.q, &numbers(2.0));
        let (qd, qdd) = (numbers(2.0), numbers(4.0));
        let rows = &mut stacked.as_mut_slice()[at * nv * columns..(at + 1) * nv * columns];
        recursive::regressor_into(model, &state.q, &qd, &qdd, &mut workspace, rows);
    }
    stacked
}

