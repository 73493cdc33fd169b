//! Results that no robot gives: inertias below zero, or a million times those of the robot file.
//!
//! The inertia that a joint feels when the others stand still, M_jj(q), is a linear function of the unknowns and positive on every robot at every
//! position. Where it comes out negative all over the range of the motion, by many deviations, torques (or positions) have the other sign; no
//! noise does that. Time in a wrong unit multiplies all M_jj by its square, while weights stay what they are; torques in a wrong unit multiply both.

use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::Problem;
use super::solve::{self, Fit};
use crate::Workspace;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::model::Model;

/// So many deviations below zero are no chance.
const SURE: f64 = 5.0;
/// Friction of so many deviations above zero brakes.
const BRAKES: f64 = 3.0;
/// Positions that are looked at.
const POSITIONS: usize = 8;
/// Inertias that are all so many times those of the robot file, or so small a part, are in other units.
const FAR: f64 = 1e4;
/// Torques that are all so many times those of the robot file, or so small a part, are in other units: milli or kilo, not a heavier robot.
const OTHER_UNITS: f64 = 300.0;
/// How far apart, as a factor, the ratios of torques and of inertias may be where torques are in other units.
const ALIKE: f64 = 10.0;

/// That the estimate is of a robot; warnings where a joint's inertia is negative but its friction is not.
///
/// # Errors
/// Torques of the wrong sign, or inertias far from those of the robot file at all joints.
pub(super) fn check(problem: &Problem, factors: &Factors, fit: &Fit) -> Result<Vec<String>, IdentifyError> {
    let model = problem.model();
    // Quaternions have no range to look at.
    if model.nq() != model.nv() {
        return Ok(Vec::new());
    }
    let widening = fit.widening().into_iter().fold(1.0_f64, f64::max);
    let measured: Vec<usize> = (0..model.nv()).filter(|&j| factors.ranges[j].rows > 0).collect();
    let (prior, mut seen, mut negative) = (problem.prior(), Seen::new(problem), vec![true; model.nv()]);
    let (mut logarithms, mut sure) = (0.0, true);
    for number in 0..POSITIONS {
        let q = position(factors, number);
        for &j in &measured {
            let (row, known) = (seen.inertia(&q, j), seen.known(j));
            let at = |values: &[f64]| row.iter().zip(values).map(|(row, value)| row * value).sum::<f64>() + known;
            let (value, before, deviation) = (at(&fit.values), at(&prior), widening * fit.deviation_of(&row));
            negative[j] &= value < -SURE * deviation;
            sure &= value > SURE * deviation && before > 0.0;
            logarithms += (value / before).abs().ln();
        }
    }
    // With the other sign a drive pushes where it brakes; an inertia alone may suffer from torques that are late.
    let brakes = |j: usize| {
        let own = |i: &usize| is_friction(problem, *i, j) && fit.values[*i] > BRAKES * fit.deviations[*i];
        (0..problem.count()).any(|i| own(&i))
    };
    let name = |j: &&usize| problem.joints()[**j].clone();
    let (late, wrong): (Vec<&usize>, Vec<&usize>) =
        measured.iter().filter(|j| negative[**j]).partition(|j| brakes(**j));
    if !wrong.is_empty() {
        let all = wrong.len() == measured.len();
        return Err(IdentifyError::WrongSign { all, joints: wrong.iter().map(name).collect() });
    }
    let ratio = (logarithms / (POSITIONS * measured.len()).max(1) as f64).exp();
    if sure && !measured.is_empty() {
        let torques = torques_over_expected(problem, factors, &measured);
        let apart = |x: f64, by: f64| !(1.0 / by..=by).contains(&x);
        if apart(torques, OTHER_UNITS) && !apart(torques / ratio, ALIKE) {
            return Err(IdentifyError::WrongScale { ratio: torques });
        }
        if apart(ratio, FAR) {
            return Err(IdentifyError::WrongClock { ratio });
        }
    }
    let warning = |joint: String| {
        format!(
            "joint `{joint}` comes out with a negative inertia: its torques may be late, its sign or a coupling of its motor wrong"
        )
    };
    Ok(late.iter().map(name).map(warning).collect())
}

/// Measured torques over those that the robot file gives the same motion, in the mean over joints.
fn torques_over_expected(problem: &Problem, factors: &Factors, measured: &[usize]) -> f64 {
    let (torque, prior) = (solve::torques(factors), problem.prior());
    let ratio = |j: usize| {
        let x: Vec<f64> = problem.felt(j).iter().map(|&i| prior[i]).chain([0.0]).collect();
        torque[j] / (factors.triangles[j].square(&x) / factors.rows(j)).sqrt()
    };
    let logarithms = measured.iter().map(|&j| ratio(j).ln()).filter(|x| x.is_finite());
    let (sum, count) = logarithms.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    if count > 0.0 { (sum / count).exp() } else { 1.0 }
}

/// True if an unknown is friction of a joint.
fn is_friction(problem: &Problem, unknown: usize, joint: usize) -> bool {
    let column = problem.regressor_column(unknown);
    column
        .map(|column| &problem.base().parameters()[column])
        .is_some_and(|parameter| parameter.kind.is_friction() && parameter.column(problem.model()).dof == joint)
}

/// A position within the range of the motion: the numbers of a sequence that fills it evenly.
fn position(factors: &Factors, number: usize) -> Vec<f64> {
    let golden = |j: usize| (0.5 + (number * (j + 1)) as f64 * 0.618_033_988_75).fract();
    let at = |(j, range): (usize, &super::factors::Range)| {
        if range.least <= range.most { range.least + golden(j) * (range.most - range.least) } else { 0.0 }
    };
    factors.ranges.iter().enumerate().map(at).collect()
}

/// Rows of M_jj over the unknowns.
struct Seen<'a> {
    problem: &'a Problem,
    workspace: Workspace<f64>,
    moving: Vec<f64>,
    resting: Vec<f64>,
}

impl<'a> Seen<'a> {
    fn new(problem: &'a Problem) -> Self {
        let model: &Model<f64> = problem.model();
        let size = model.nv() * parameter_count(model);
        Self { problem, workspace: Workspace::new(model), moving: vec![0.0; size], resting: vec![0.0; size] }
    }

    /// What a unit acceleration of a joint takes of each unknown, without the weight.
    fn inertia(&mut self, q: &[f64], j: usize) -> Vec<f64> {
        let (model, n) = (self.problem.model(), self.problem.model().nv());
        let (rest, mut unit) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 1.0;
        regressor_into(model, q, &rest, &unit, &mut self.workspace, &mut self.moving);
        regressor_into(model, q, &rest, &rest, &mut self.workspace, &mut self.resting);
        let base = self.problem.unknowns().len();
        let column = |i: usize| if i < base { self.column(j, self.problem.column(i)) } else { 0.0 };
        (0..self.problem.count()).map(column).collect()
    }

    /// The same of all that is known, such as rotors, at the position last looked at.
    fn known(&self, j: usize) -> f64 {
        self.problem.known().iter().map(|&(column, value)| value * self.column(j, column)).sum()
    }

    /// The same of a column of the regressor.
    fn column(&self, j: usize, column: usize) -> f64 {
        let at = j * parameter_count(self.problem.model()) + column;
        self.moving[at] - self.resting[at]
    }
}
