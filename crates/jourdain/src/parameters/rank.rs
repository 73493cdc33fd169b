//! The numeric witness: the singular values of the regressor stacked over random states, in `f64`.
//!
//! No structure is used here, only the regressor itself; it is what the exact count is compared with. Columns are
//! scaled to unit length first, so that the units of the parameters do not matter. Rounding leaves singular values of 10⁻¹⁴ where
//! there should be none, and geometry that is nearly special makes small ones that count: so the witness confirms a count or
//! cannot see it, but never says another number.

use super::nominal::nominal;
use crate::dynamics::recursive;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::random::Random;
use crate::spectral;
use crate::state::State;
use crate::workspace::Workspace;
use jourdain_symbolic::Constant;
use nalgebra::DMatrix;

/// How many times smaller the first singular value must be that does not count.
const GAP: f64 = 1e3;

/// The largest singular value that may not count: more than rounding.
const ZERO: f64 = 1e-12;

/// Rounding of a singular value, per column.
const ROUNDING: f64 = 2e-16;

/// Columns shorter than this, relative to the longest, are rounding.
const NOISE: f64 = 1e-12;

/// Most columns of a regressor whose singular values are computed: beyond it takes minutes.
pub const MOST_COLUMNS: usize = 1000;

/// The singular values of a regressor over random states, its columns scaled to unit length.
#[derive(Clone, Debug, PartialEq)]
pub struct SingularValues {
    /// The values, descending.
    pub values: Vec<f64>,
    /// How many random states.
    pub states: usize,
}

impl SingularValues {
    /// The smallest that counts, if so many count.
    #[must_use]
    pub fn smallest_kept(&self, count: usize) -> Option<f64> {
        self.values.get(count.checked_sub(1)?).copied()
    }

    /// The largest that does not count, if so many count; zero if all do.
    #[must_use]
    pub fn largest_dropped(&self, count: usize) -> f64 {
        self.values.get(count).copied().unwrap_or(0.0)
    }

    /// True if the values bear out that so many count: the next is rounding, and far smaller.
    #[must_use]
    pub fn confirm(&self, count: usize) -> bool {
        let dropped = self.largest_dropped(count);
        let rounding = self.values.len() as f64 * ROUNDING;
        let kept = self.smallest_kept(count).unwrap_or(f64::INFINITY);
        count <= self.values.len() && dropped <= ZERO && kept >= GAP * dropped.max(rounding)
    }

    /// How many times smaller the first value is that does not count; `None` if all count or the rest is zero.
    #[must_use]
    pub fn gap(&self, count: usize) -> Option<f64> {
        let dropped = self.largest_dropped(count);
        self.smallest_kept(count).filter(|_| dropped > 0.0).map(|kept| kept / dropped)
    }
}

/// The singular values of the regressor of a robot, of its [nominal](super::nominal()) geometry.
///
/// `None` for a robot with more than [`MOST_COLUMNS`] parameters or without motion.
#[must_use]
pub fn singular_values<T: Constant>(model: &Model<T>, seed: u64) -> Option<SingularValues> {
    let model = Model::from_description(nominal(model).description()).ok()?;
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
    let mut values: Vec<f64> =
        spectral::singular(triangle(matrix), false, false)?.singular_values.iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    Some(SingularValues { values, states })
}

/// The triangular factor: the same singular values in a square.
fn triangle(matrix: DMatrix<f64>) -> DMatrix<f64> {
    if matrix.nrows() > matrix.ncols() { matrix.qr().unpack_r() } else { matrix }
}

/// The regressor at random states, one below the other, with twice as many rows as columns.
fn stacked_regressor(model: &Model<f64>, seed: u64) -> Matrix<f64> {
    let (nv, columns) = (model.nv(), recursive::parameter_count(model));
    let states = (2 * columns).div_ceil(nv.max(1)) + 8;
    // Angles of coupled joints at multiples 1 and √2 of one angle are hardly told apart within ±2 rad.
    let range = if model.has_mimic() { 9.0 } else { 2.0 };
    let mut random = Random(seed);
    let mut workspace = Workspace::new(model);
    let mut stacked = Matrix::zeros(states * nv, columns);
    let mut state = State::neutral(model);
    for at in 0..states {
        let mut numbers = |size: f64| -> Vec<f64> { (0..nv).map(|_| size * random.signed()).collect() };
        model.retract(&mut state.q, &numbers(range));
        let (qd, qdd) = (numbers(2.0), numbers(4.0));
        let rows = &mut stacked.as_mut_slice()[at * nv * columns..(at + 1) * nv * columns];
        recursive::regressor_into(model, &state.q, &qd, &qdd, &mut workspace, rows);
    }
    stacked
}
