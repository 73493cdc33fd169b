//! The weight of the prior, chosen by leaving parts of the log out.
//!
//! The log is cut into eight stretches of time. Each is left out in turn and predicted by what the others say, along a path of weights
//! from a hundred to a hundredth; the weight with the least mean logarithm of the joints' errors is taken, of several that are as good the largest. Noise and the samples
//! that count as one are those of a fit to all, so that weights of joints are the same along the path. Only the triangles of
//! blocks are needed, not the log.

use super::super::error::IdentifyError;
use super::super::factors::Factors;
use super::super::problem::Problem;
use super::super::solve;
use super::super::triangle::Triangle;
use super::bounds::Bounds;
use super::newton::{Minimum, Squares, descend};
use super::{PRIOR_WEIGHT, Unknowns, fit};

/// Weights, largest first: each minimum begins at the one before.
const PATH: [f64; 9] = [100.0, 31.6, 10.0, 3.16, 1.0, 0.316, 0.1, 0.0316, 0.01];
/// Stretches that are left out.
const FOLDS: usize = 8;
/// Blocks below which nothing is chosen.
const LEAST_BLOCKS: usize = 4;
/// Half the squared Newton decrement at which a point of the path is met.
const NEAR: f64 = 1e-3;

/// Weights whose errors are within this share of the least are as good as the best.
const AS_GOOD: f64 = 1e-3;

/// How the weight of the prior was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenWeight {
    /// The weight, γ.
    pub weight: f64,
    /// Stretches that were left out in turn; zero if the log is too short for it.
    pub folds: usize,
    /// The weights that were tried, each with the mean relative error of what was left out, over joints.
    pub path: Vec<(f64, f64)>,
}

/// The weight of the prior with which parts of a log tell the others best.
///
/// # Errors
/// As [`consistent`](super::consistent).
pub fn choose_weight(problem: &Problem, factors: &Factors, bounds: &Bounds) -> Result<ChosenWeight, IdentifyError> {
    let folds = folds(factors);
    if factors.blocks.len() < LEAST_BLOCKS {
        return Ok(ChosenWeight { weight: PRIOR_WEIGHT, folds: 0, path: Vec::new() });
    }
    let beyond = || IdentifyError::BeyondRange;
    let fitted = fit(problem, factors, PRIOR_WEIGHT, None, bounds)?;
    let torque = solve::torques(factors);
    let unknowns = Unknowns::new(problem, factors, &torque, None, bounds)?;
    let joints = torque.len();
    let blocks: Vec<&[Triangle]> = factors.blocks.iter().map(|block| &block.triangles[..]).collect();
    let whole = unknowns.squares(problem, &factors.triangles, &fitted.weights);
    let mut left = vec![vec![0.0; joints]; PATH.len()];
    for range in &folds {
        let mut rest = whole.clone();
        for triangles in &blocks[range.clone()] {
            let own = unknowns.squares(problem, triangles, &fitted.weights);
            rest = Squares { hessian: rest.hessian - own.hessian, linear: rest.linear - own.linear };
        }
        let mut minimum = Minimum { x: unknowns.layout.prior(), steps: 0 };
        for (gamma, left) in PATH.into_iter().zip(&mut left) {
            descend(&rest, &unknowns.layout, gamma, NEAR, &mut minimum).ok_or_else(beyond)?;
            let values = unknowns.values(&minimum.x);
            for triangles in &blocks[range.clone()] {
                for (j, (left, triangle)) in left.iter_mut().zip(*triangles).enumerate() {
                    let x: Vec<f64> = problem.felt(j).iter().map(|&i| values[i]).chain([-1.0]).collect();
                    *left += triangle.square(&x);
                }
            }
        }
    }
    let floor = solve::floor(&torque);
    let error = |left: &Vec<f64>| {
        let relative = |(square, torque): (&f64, &f64)| {
            ((square / factors.samples as f64).sqrt().max(floor) / torque.max(floor)).ln()
        };
        (left.iter().zip(&torque).map(relative).sum::<f64>() / joints.max(1) as f64).exp()
    };
    let path: Vec<(f64, f64)> = PATH.into_iter().zip(left.iter().map(error)).collect();
    let least = path.iter().map(|(_, error)| *error).fold(f64::INFINITY, f64::min);
    let weight = path.iter().find(|(_, error)| *error <= least * (1.0 + AS_GOOD)).ok_or_else(beyond)?.0;
    Ok(ChosenWeight { weight, folds: folds.len(), path })
}

/// Ranges of blocks with about the same number of samples each.
fn folds(factors: &Factors) -> Vec<std::ops::Range<usize>> {
    let (count, total) = (factors.blocks.len(), factors.samples as f64);
    let most = FOLDS.min(count);
    let (mut folds, mut begin, mut samples) = (Vec::with_capacity(most), 0, 0.0);
    for (at, block) in factors.blocks.iter().enumerate() {
        samples += block.samples as f64;
        // What is left must suffice for a block in each fold to come.
        let (done, to_come) = (folds.len() + 1, count - at - 1);
        let full = samples >= total * done as f64 / most as f64 || to_come <= most - done;
        if done < most && full {
            folds.push(begin..at + 1);
            begin = at + 1;
        }
    }
    if begin < count {
        folds.push(begin..count);
    }
    folds
}
