//! Essential parameters: those that the data can tell from zero.
//!
//! A motion shows some base parameters so poorly that noise is larger than they are. Left out one by one, the least known first, they
//! cost the torques nothing and the others become better known. With C the covariance of the values β, leaving out parameter k
//! takes β_k C_·k/C_kk off the others and C_·k C_k·/C_kk off their covariance; what is left is then fitted anew.
//!
//! Trap: left out means zero, not unknown. A parameter that is known from elsewhere belongs into the robot file, with --friction none or as the prior of
//! the consistent estimate.

use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::{Problem, Rest};
use super::solve::{self, JointFit};

/// A parameter is told from zero if it is so many deviations away.
const TOLD: f64 = 2.0;

/// What the data can tell.
#[derive(Clone, Debug)]
pub struct Essential {
    /// Which of the unknowns they are, in order.
    pub kept: Vec<usize>,
    /// Their values when fitted alone.
    pub values: Vec<f64>,
    /// Their standard deviations.
    pub deviations: Vec<f64>,
    /// Condition number of their regressor.
    pub condition: f64,
    /// How each joint is met by them.
    pub joints: Vec<JointFit>,
}

/// The essential parameters among the unknowns of a problem, which the factors must show.
///
/// # Errors
/// As [`solve`](super::solve()).
pub fn essential(problem: &Problem, factors: &Factors) -> Result<Essential, IdentifyError> {
    let fit = solve::fit(problem, factors, |_, _| Ok(()))?;
    let keep = told(&fit);
    let reduced = problem.reduced(&keep, Rest::Zero);
    let factors = factors.select(problem, &reduced)?;
    let fit = solve::fit(&reduced, &factors, |_, _| Ok(()))?;
    let kept = (0..keep.len()).filter(|&k| keep[k]).collect();
    let joints = solve::joint_fits(&reduced, &factors, &fit.values, &fit.noise);
    Ok(Essential { kept, joints, values: fit.values, deviations: fit.deviations, condition: fit.condition })
}

/// Which values can be told from zero when those that cannot are left out.
fn told(fit: &solve::Fit) -> Vec<bool> {
    let (mut values, mut covariance, widening) = (fit.values.clone(), fit.covariance(), fit.widening());
    let mut keep = vec![true; values.len()];
    loop {
        let distance = |k: usize| values[k].abs() / (widening[k] * covariance[(k, k)].sqrt());
        let least = (0..keep.len()).filter(|&k| keep[k]).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let Some(k) = least.filter(|&k| distance(k) < TOLD) else { return keep };
        // One is left at least: a robot without parameters has no torques.
        if keep.iter().filter(|kept| **kept).count() == 1 {
            return keep;
        }
        keep[k] = false;
        let (column, variance) = (covariance.column(k).clone_owned(), covariance[(k, k)]);
        let value = values[k];
        values.iter_mut().zip(column.iter()).for_each(|(x, c)| *x -= c * value / variance);
        covariance -= &column * column.transpose() / variance;
    }
}

/// Which unknowns the factors can tell from the others: as many as their columns have directions, those that are seen best.
#[must_use]
pub fn shown(problem: &Problem, factors: &Factors) -> Vec<bool> {
    solve::independent(problem, factors)
}
