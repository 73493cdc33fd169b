//! Weighted least squares from factors: values, standard deviations, condition.
//!
//! With S_j the noise of joint j the estimate minimises Σ_j ‖Y_j β − τ_j‖²/S_j². The S_j are not known: they start from what
//! each joint leaves unexplained when it is fitted alone, and are then the residuals of the common fit, over the samples
//! less the share of the unknowns that the joint pays for, tr(Y_j (YᵀY)⁻¹ Y_jᵀ)/S_j². A few rounds settle it. The covariance
//! of β is (RᵀR)⁻¹ of the weighted factor R.
//!
//! Standard deviations are the larger of two: those of errors that are independent from sample to sample, and those that the scatter
//! between stretches of the log shows ([`super::spread`]), which also hold where neighbouring errors go together.
//!
//! Trap: errors that a whole log shares, those of the measured motion among them, are no part of either.

use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::Problem;
use super::{plausible, spread, units};
use crate::spectral;
use nalgebra::DMatrix;

/// Rounds of weighting.
const ROUNDS: usize = 25;
/// The weights have settled when none changes by more.
const SETTLED: f64 = 1e-9;
/// Singular values of the scaled regressor below this, over the largest, are zero: the parameters are not to be had.
const RANK: f64 = 1e-9;
/// What is left of a column of unit length when those before are taken off, below which it is one of them.
const APART: f64 = 1e-6;
/// Least noise of a joint over the largest torque; what is exact gets no more weight than this.
const LEAST_NOISE: f64 = 1e-10;
/// A condition number that says of a motion that it shows the parameters poorly.
const POOR: f64 = 1e2;
/// A joint slower than this, rad/s or m/s, stands still.
const STILL: f64 = 1e-2;
/// A parameter counts as part of a direction that the motion does not show if it has this much of it.
const SHARE: f64 = 0.1;

/// Base parameters from data.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The values of the unknowns.
    pub values: Vec<f64>,
    /// Their standard deviations.
    pub deviations: Vec<f64>,
    /// Condition number of the weighted regressor with columns of unit length.
    pub condition: f64,
    /// Samples that it rests on.
    pub samples: u64,
    /// How each joint is met.
    pub joints: Vec<JointFit>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
}

/// How one joint's torques are met.
#[derive(Clone, Copy, Debug)]
pub struct JointFit {
    /// Standard deviation of the noise, N m or N: the inverse of its weight.
    pub noise: f64,
    /// Root mean square of the residual.
    pub residual: f64,
    /// Root mean square of the measured torque, less what is known.
    pub torque: f64,
}

impl JointFit {
    /// Residual over torque; zero if there is no torque.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.torque > 0.0 { self.residual / self.torque } else { 0.0 }
    }
}

impl Estimate {
    /// Standard deviations over values; `None` where the value is zero.
    #[must_use]
    pub fn relative_deviations(&self) -> Vec<Option<f64>> {
        let relative = |(value, deviation): (&f64, &f64)| (*value != 0.0).then(|| deviation / value.abs());
        self.values.iter().zip(&self.deviations).map(relative).collect()
    }
}

/// The weighted factor of all joints together, and what follows from it.
pub(super) struct Weighted {
    /// p × p.
    factor: DMatrix<f64>,
    right: Vec<f64>,
    /// Lengths of the columns.
    lengths: Vec<f64>,
}

impl Weighted {
    pub fn new(problem: &Problem, factors: &Factors, noise: &[f64]) -> Self {
        Self::of(&stacked(problem, factors, noise))
    }

    /// Of rows with the right side as their last column.
    pub fn of(stacked: &DMatrix<f64>) -> Self {
        let p = stacked.ncols() - 1;
        let lengths: Vec<f64> = (0..p).map(|k| stacked.column(k).norm()).collect();
        let mut scaled = stacked.clone();
        for (k, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0.0) {
            scaled.column_mut(k).scale_mut(1.0 / length);
        }
        let r = scaled.qr().unpack_r();
        let right = (0..p).map(|k| r[(k, p)]).collect();
        Self { factor: r.view((0, 0), (p, p)).into_owned(), right, lengths }
    }

    /// R⁻¹ of the scaled factor, and the solution. Rank must be full.
    pub fn solve(&self) -> (Vec<f64>, DMatrix<f64>) {
        let p = self.right.len();
        let mut inverse = DMatrix::identity(p, p);
        let mut solution = DMatrix::from_column_slice(p, 1, &self.right);
        // A zero on the diagonal would have been found by the rank; the solution would then be refused.
        self.factor.solve_upper_triangular_mut(&mut inverse);
        self.factor.solve_upper_triangular_mut(&mut solution);
        let values = (0..p).map(|k| solution[k] / self.lengths[k]).collect();
        (values, inverse)
    }

    /// The solution, and W with the covariance W Wᵀ of it for independent errors. Rank must be full.
    pub fn solve_with_root(&self) -> (Vec<f64>, DMatrix<f64>) {
        let (values, mut root) = self.solve();
        root.row_iter_mut().zip(&self.lengths).for_each(|(mut row, length)| row /= *length);
        (values, root)
    }

    /// The condition number, or the unknowns that are part of directions without effect.
    pub fn condition(&self) -> Result<f64, Vec<usize>> {
        let p = self.right.len();
        let silent: Vec<usize> = (0..p).filter(|&k| self.lengths[k] == 0.0).collect();
        if !silent.is_empty() {
            return Err(silent);
        }
        let Some(svd) = spectral::singular(self.factor.clone(), false, true) else { return Err((0..p).collect()) };
        let largest = svd.singular_values.max();
        let smallest = svd.singular_values.min();
        let Some(directions) = svd.v_t.as_ref().filter(|_| smallest <= RANK * largest || !smallest.is_finite()) else {
            return Ok(largest / smallest);
        };
        let dark = |i: &usize| svd.singular_values[*i] <= RANK * largest;
        let part = |k: &usize| (0..p).filter(dark).any(|i| directions[(i, *k)].abs() > SHARE);
        Err((0..p).filter(part).collect())
    }
}

/// The rows of all joints, each over its noise, with the torque as the last column.
pub(super) fn stacked(problem: &Problem, factors: &Factors, noise: &[f64]) -> DMatrix<f64> {
    let p = problem.count();
    let rows: usize = factors.triangles.iter().map(|triangle| triangle.width()).sum();
    let mut stacked = DMatrix::zeros(rows.max(p + 1), p + 1);
    let mut first = 0;
    for (j, triangle) in factors.triangles.iter().enumerate() {
        let (felt, width) = (problem.felt(j), triangle.width());
        for row in 0..width {
            for column in row..width {
                let to = felt.get(column).copied().unwrap_or(p);
                stacked[(first + row, to)] = triangle.matrix()[(row, column)] / noise[j];
            }
        }
        first += width;
    }
    stacked
}

/// The sum of squares that a joint leaves unexplained.
pub(super) fn residual_square(problem: &Problem, factors: &Factors, joint: usize, values: &[f64]) -> f64 {
    let mut x: Vec<f64> = problem.felt(joint).iter().map(|&i| values[i]).collect();
    x.push(-1.0);
    factors.triangles[joint].square(&x)
}

/// Root mean squares of the torques.
pub(super) fn torques(factors: &Factors) -> Vec<f64> {
    let of = |(j, triangle): (usize, &super::Triangle)| {
        let mut x = vec![0.0; triangle.width()];
        if let Some(last) = x.last_mut() {
            *last = 1.0;
        }
        (triangle.square(&x) / factors.rows(j)).sqrt()
    };
    factors.triangles.iter().enumerate().map(of).collect()
}

/// The noise of each joint when it is fitted alone: the last number of its triangle.
pub(super) fn own_noise(factors: &Factors, floor: f64) -> Vec<f64> {
    let of = |(j, triangle): (usize, &super::Triangle)| {
        let last = triangle.width() - 1;
        let freedom = (factors.rows(j) - last as f64).max(1.0);
        (triangle.matrix()[(last, last)].abs() / freedom.sqrt()).max(floor)
    };
    factors.triangles.iter().enumerate().map(of).collect()
}

/// The least noise that counts, given the torques.
pub(super) fn floor(torque: &[f64]) -> f64 {
    let largest = torque.iter().fold(0.0_f64, |largest, x| largest.max(*x));
    if largest > 0.0 { LEAST_NOISE * largest } else { 1.0 }
}

/// Which unknowns have columns that are independent, those of the best-seen directions first.
pub(super) fn independent(problem: &Problem, factors: &Factors) -> Vec<bool> {
    let noise = own_noise(factors, floor(&torques(factors)));
    let weighted = Weighted::new(problem, factors, &noise);
    let (mut rest, p) = (weighted.factor, weighted.lengths.len());
    let mut shown = vec![false; p];
    // Columns have unit length: the longest that is left of one, less its part along those before.
    for _ in 0..p {
        let left = (0..p).filter(|&k| !shown[k] && weighted.lengths[k] > 0.0);
        let Some((k, length)) =
            left.map(|k| (k, rest.column(k).norm())).max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, x)| *x > APART)
        else {
            break;
        };
        shown[k] = true;
        let along = rest.column(k) / length;
        let parts = along.transpose() * &rest;
        rest -= along * parts;
    }
    shown
}

/// A weighted fit, and what deviations follow from.
pub(super) struct Fit {
    pub values: Vec<f64>,
    /// Standard deviations of the values, the larger of both kinds.
    pub deviations: Vec<f64>,
    /// Noise per joint.
    pub noise: Vec<f64>,
    pub condition: f64,
    lengths: Vec<f64>,
    /// R⁻¹ of the factor with columns of unit length.
    inverse: DMatrix<f64>,
}

impl Fit {
    /// By how much the scatter between stretches widens the deviations of independent errors, per unknown; at least one.
    pub fn widening(&self) -> Vec<f64> {
        let alone = |k: usize| self.inverse.row(k).norm() / self.lengths[k];
        (0..self.values.len()).map(|k| (self.deviations[k] / alone(k)).max(1.0)).collect()
    }

    /// The covariance of the values for independent errors.
    pub fn covariance(&self) -> DMatrix<f64> {
        let mut rows = self.inverse.clone();
        rows.row_iter_mut().zip(&self.lengths).for_each(|(mut row, length)| row /= *length);
        &rows * rows.transpose()
    }

    /// The standard deviation of Σ a_k β_k for independent errors.
    pub fn deviation_of(&self, a: &[f64]) -> f64 {
        let scaled = DMatrix::from_fn(1, a.len(), |_, k| a[k] / self.lengths[k]);
        (scaled * &self.inverse).norm()
    }
}

/// How each joint is met.
pub(super) fn joint_fits(problem: &Problem, factors: &Factors, values: &[f64], noise: &[f64]) -> Vec<JointFit> {
    let torque = torques(factors);
    let joint = |j: usize| JointFit {
        noise: noise[j],
        residual: (residual_square(problem, factors, j, values) / factors.rows(j)).sqrt(),
        torque: torque[j],
    };
    (0..noise.len()).map(joint).collect()
}

/// The fit of the unknowns; `first` judges the one with the weights of joints fitted alone, and may refuse it.
pub(super) fn fit(
    problem: &Problem,
    factors: &Factors,
    first: impl FnOnce(&[f64], &[f64]) -> Result<(), IdentifyError>,
) -> Result<Fit, IdentifyError> {
    let p = problem.count();
    let floor = floor(&torques(factors));
    let mut noise = own_noise(factors, floor);
    let mut weighted = Weighted::new(problem, factors, &noise);
    let mut condition = weighted.condition().map_err(|dark| too_little(problem, factors, &dark))?;
    let (mut values, mut inverse) = weighted.solve();
    first(&noise, &values)?;
    for _ in 0..ROUNDS {
        let before = noise.clone();
        for j in 0..noise.len() {
            let square = residual_square(problem, factors, j, &values);
            let paid = paid_by(problem, factors, j, &weighted, &inverse) / (noise[j] * noise[j]);
            noise[j] = (square / (factors.rows(j) - paid).max(1.0)).sqrt().max(floor);
        }
        weighted = Weighted::new(problem, factors, &noise);
        condition = weighted.condition().map_err(|dark| too_little(problem, factors, &dark))?;
        (values, inverse) = weighted.solve();
        if noise.iter().zip(&before).all(|(a, b)| (a - b).abs() <= SETTLED * b) {
            break;
        }
    }
    let mut deviations: Vec<f64> = (0..p).map(|k| inverse.row(k).norm() / weighted.lengths[k]).collect();
    if let Some(variances) = spread::variances(problem, factors, &values, &noise, &weighted.lengths) {
        deviations
            .iter_mut()
            .zip(variances)
            .for_each(|(deviation, variance)| *deviation = deviation.max(variance.sqrt()));
    }
    Ok(Fit { values, deviations, noise, condition, lengths: weighted.lengths, inverse })
}

/// The estimate of the unknowns.
///
/// # Errors
/// Too few samples, units or signs that cannot be, or motion that does not show all parameters.
pub fn solve(problem: &Problem, factors: &Factors) -> Result<Estimate, IdentifyError> {
    let needed = factors.triangles.iter().map(|triangle| triangle.width()).max().unwrap_or(0) as u64 + 1;
    if factors.samples < needed {
        return Err(IdentifyError::TooFew { samples: factors.samples, needed });
    }
    if factors.triangles.iter().any(|triangle| triangle.matrix().as_slice().iter().any(|x| !x.is_finite())) {
        return Err(IdentifyError::BeyondRange);
    }
    units::check_ranges(problem, factors)?;
    let mut warnings = Vec::new();
    let fit = fit(problem, factors, |noise, values| {
        warnings = units::check_torques(problem, factors, noise, values)?;
        Ok(())
    })?;
    warnings.extend(plausible::check(problem, factors, &fit)?);
    let joints = joint_fits(problem, factors, &fit.values, &fit.noise);
    let Fit { values, deviations, condition, .. } = fit;
    if condition > POOR {
        warnings.push(poor_motion(problem, factors, condition, &values, &deviations));
    }
    let poor = joints.iter().zip(problem.joints()).filter(|(fit, _)| fit.relative() > 0.5);
    warnings.extend(poor.map(|(fit, joint)| {
        let percent = 100.0 * fit.relative();
        format!(
            "the model leaves {percent:.0} % of the torque of joint `{joint}` unexplained: wrong column, sign or units?"
        )
    }));
    Ok(Estimate { values, deviations, condition, samples: factors.samples, joints, warnings })
}

/// The share of the unknowns that a joint pays for, times its noise squared: ‖R_j R⁻¹‖².
fn paid_by(problem: &Problem, factors: &Factors, j: usize, weighted: &Weighted, inverse: &DMatrix<f64>) -> f64 {
    let felt = problem.felt(j);
    let triangle = factors.triangles[j].matrix();
    let own = DMatrix::from_fn(felt.len(), felt.len(), |row, column| {
        if column < row { 0.0 } else { triangle[(row, column)] / weighted.lengths[felt[column]] }
    });
    let rows = inverse.select_rows(felt.iter());
    (own * rows).norm_squared()
}

/// The joints that hardly move, with how they do.
fn still_joints(problem: &Problem, factors: &Factors) -> Option<String> {
    let still = factors.ranges.iter().zip(problem.joints()).filter(|(range, _)| range.speed < STILL);
    let still: Vec<String> = still
        .map(|(range, joint)| {
            let way = (range.most - range.least).max(0.0);
            format!("joint `{joint}` moves by {way:.2e} at no more than {:.2e} per second", range.speed)
        })
        .collect();
    (!still.is_empty()).then(|| still.join("; "))
}

/// Names what the motion does not show.
fn too_little(problem: &Problem, factors: &Factors, dark: &[usize]) -> IdentifyError {
    let detail = still_joints(problem, factors);
    let detail = detail.unwrap_or_else(|| "no joint stands still, but the motion is too uniform".to_owned());
    IdentifyError::TooLittleMotion { parameters: dark.iter().map(|&k| problem.names()[k].clone()).collect(), detail }
}

/// Names what the motion shows worst.
fn poor_motion(problem: &Problem, factors: &Factors, condition: f64, values: &[f64], deviations: &[f64]) -> String {
    const MOST: usize = 8;
    let mut worst: Vec<usize> = (0..values.len()).filter(|&k| deviations[k] > values[k].abs()).collect();
    worst.sort_by(|&a, &b| (deviations[b] / values[b].abs()).total_cmp(&(deviations[a] / values[a].abs())));
    worst.truncate(MOST);
    let names: Vec<&str> = worst.iter().map(|&k| problem.names()[k].as_str()).collect();
    let names = if names.is_empty() { String::new() } else { format!("; least known are {}", names.join(", ")) };
    let still = still_joints(problem, factors).map_or(String::new(), |still| format!("; {still}"));
    format!("the motion shows the parameters poorly: condition number {condition:.0}{names}{still}")
}
