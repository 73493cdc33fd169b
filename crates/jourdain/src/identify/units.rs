//! Units that cannot be: positions far beyond the joint's range, torques that fit the other joints only when scaled.
//!
//! The torque of one joint is met as well in any unit when it is fitted alone; but its parameters are also those of the
//! joints before it. So a common fit that is much worse than the fits of single joints shows a wrong unit, and the unit
//! with which the common fit is good again shows the joint. The factors of the data hold all that is needed.

use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::Problem;
use super::solve::{Weighted, residual_square};
use std::f64::consts::PI;

/// A joint that goes this many times beyond its range was not measured in radians or metres.
const BEYOND: f64 = 5.0;
/// A joint's residual in the common fit over that in its own, squared, from which on something is inconsistent.
const INCONSISTENT: f64 = 25.0;
/// What must be left of the common residual, squared, when the torque of the guilty joint is scaled.
const EXPLAINED: f64 = 0.1;
/// Factors that torques may have to be multiplied by.
const FACTORS: [(f64, &str); 7] = [
    (1e-3, "milli for the unit"),
    (1e3, "kilo for the unit"),
    (PI / 180.0, "per degree for per radian"),
    (180.0 / PI, "per radian for per degree"),
    (1e-6, "micro for the unit"),
    (1e6, "mega for the unit"),
    (-1.0, "the other sign"),
];

/// That joints stay near their ranges.
pub(super) fn check_ranges(problem: &Problem, factors: &Factors) -> Result<(), IdentifyError> {
    let model = problem.model();
    for link in model.links().iter().filter(|link| link.is_single()) {
        let (range, limits) = (&factors.ranges[link.v], &link.limits);
        let units = |what: &'static str, evidence: String| {
            Err(IdentifyError::Units { what, joint: problem.joints()[link.v].clone(), evidence })
        };
        if let Some([low, high]) = limits.position.filter(|[low, high]| low < high) {
            let beyond = (low - range.least).max(range.most - high);
            if beyond > BEYOND * (high - low) {
                let ratio = (range.most - range.least) / (high - low);
                return units(
                    "positions",
                    format!(
                        "they go from {:.6} to {:.6}, {ratio:.0} times the range of the joint, [{low}, {high}]",
                        range.least, range.most
                    ),
                );
            }
        }
        if let Some(most) = limits.velocity.filter(|most| *most > 0.0 && range.speed > 50.0 * most) {
            return units(
                "velocities",
                format!(
                    "they reach {:.6}, {:.0} times the limit of the joint, {most}",
                    range.speed,
                    range.speed / most
                ),
            );
        }
    }
    Ok(())
}

/// That the torques of all joints are in one system of units; warnings where they are inconsistent for another reason.
pub(super) fn check_torques(
    problem: &Problem,
    factors: &Factors,
    noise: &[f64],
    values: &[f64],
) -> Result<Vec<String>, IdentifyError> {
    let misfit = |j: usize| residual_square(problem, factors, j, values) / (noise[j] * noise[j]);
    let misfits: Vec<f64> = (0..noise.len()).map(misfit).collect();
    let total: f64 = misfits.iter().sum();
    let agrees = |(j, misfit): (usize, &f64)| *misfit <= INCONSISTENT * factors.rows(j);
    if misfits.iter().enumerate().all(agrees) || noise.len() < 2 {
        return Ok(Vec::new());
    }
    let mut candidates = Vec::new();
    for j in 0..noise.len() {
        for (factor, name) in FACTORS {
            if let Some((left, values)) = scaled_fit(problem, factors, noise, j, factor) {
                candidates.push((left, distance(problem, &values), j, factor, name));
            }
        }
    }
    // One joint too large and all others too small fit alike: the robot file then tells which it is.
    let least = candidates.iter().fold(f64::INFINITY, |least, candidate| least.min(candidate.0));
    let alike = candidates.iter().filter(|candidate| candidate.0 <= 2.0 * least && candidate.0 < EXPLAINED * total);
    if let Some((.., j, factor, name)) = alike.min_by(|a, b| a.1.total_cmp(&b.1)) {
        let evidence = format!("they fit the other joints when multiplied by {factor} ({name})");
        return Err(IdentifyError::Units { what: "torques", joint: problem.joints()[*j].clone(), evidence });
    }
    let worst =
        misfits.iter().enumerate().fold(0, |worst, (j, misfit)| if *misfit > misfits[worst] { j } else { worst });
    let times = (misfits[worst] / factors.rows(worst)).sqrt();
    Ok(vec![format!(
        "the joints do not agree: joint `{}` is met {times:.0} times worse together with the others than alone; gear ratios, \
         torque constants or geometry may be wrong",
        problem.joints()[worst]
    )])
}

/// The weighted sum of squares that is left when the torques of joint `j` are multiplied by `factor`, and the values then
/// found.
fn scaled_fit(problem: &Problem, factors: &Factors, noise: &[f64], j: usize, factor: f64) -> Option<(f64, Vec<f64>)> {
    let (mut factors, mut noise) = (factors.clone(), noise.to_vec());
    factors.triangles[j].scale_last(factor);
    noise[j] *= factor.abs();
    let weighted = Weighted::new(problem, &factors, &noise);
    weighted.condition().ok()?;
    let (values, _) = weighted.solve();
    let squares = (0..noise.len()).map(|i| residual_square(problem, &factors, i, &values) / (noise[i] * noise[i]));
    Some((squares.sum(), values))
}

/// How far values are from those of the robot file.
fn distance(problem: &Problem, values: &[f64]) -> f64 {
    values.iter().zip(problem.prior()).map(|(value, prior)| (value - prior).powi(2)).sum()
}
