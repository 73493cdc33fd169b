//! Optimal configurations along a path, by continuation.
//!
//! Differentiating e = 0, ∂H + Jᵀ λ = 0 along the path gives the tangent of the curve of optima, dq = J⁺ dx − N (Nᵀ W N)⁻¹ Nᵀ W J⁺ dx: the
//! resolved-motion method with its lag removed, and what the extended Jacobian of Ch (27) gives for one redundant joint.
//! Newton's step from the last optimum towards the next target is that predictor; Newton's method corrects it. A corrected
//! point far from its prediction is another branch: the segment is halved, and what stays far is reported as a jump.
//!
//! Trap: an optimum ends where the smallest eigenvalue of Nᵀ W N reaches zero (a fold). No continuous answer exists beyond; the
//! report says where the configuration jumps instead of hiding it.

use super::report::{Goal, IkError, Kind, Solution};
use super::solver::Solver;
use crate::spatial::{Pose, Rotation};

/// Smallest part of a segment that is tried before a jump is admitted.
const SMALLEST_PART: f64 = 1.0 / 1024.0;
/// Targets nearer than this are the same point of a closed path.
const SAME: f64 = 1e-9;

/// The optima along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSolution {
    /// One solution per target.
    pub points: Vec<Solution>,
    /// Indices of points that were not reached continuously from the one before.
    pub jumps: Vec<usize>,
    /// The last target is the first one.
    pub closed: bool,
    /// Largest difference of a joint between the ends of a closed path.
    pub closure_error: Option<f64>,
    /// Smallest eigenvalue of the reduced Hessian on the way: how near the optimum came to a fold.
    pub smallest_eigenvalue: f64,
}

impl Solver<'_> {
    /// Follows the optimum along targets; the first is solved as by [`solve`](Self::solve).
    ///
    /// # Errors
    /// If a target or the start is none, or there is no target.
    pub fn follow(&mut self, targets: &[Pose<f64>], start: Option<&[f64]>) -> Result<PathSolution, IkError> {
        let Some(first) = targets.first() else { return Err(IkError::Target) };
        for target in targets {
            self.set_target(target)?;
        }
        let mut points = vec![self.solve(first, start)?];
        let mut jumps = Vec::new();
        for (k, pair) in targets.windows(2).enumerate() {
            let before = points[k].clone();
            let next =
                if before.report.status.is_success() { self.segment(&pair[0], &pair[1], &before)? } else { None };
            points.push(match next {
                Some(solution) => solution,
                None => {
                    jumps.push(k + 1);
                    self.solve(&pair[1], Some(&before.q))?
                }
            });
        }
        Ok(PathSolution { jumps, ..PathSolution::from_points(points, targets) })
    }

    /// From one target to the next, in as many parts as it takes; `None` if the branch ends on the way.
    fn segment(&mut self, from: &Pose<f64>, to: &Pose<f64>, before: &Solution) -> Result<Option<Solution>, IkError> {
        let (mut done, mut part) = (0.0, 1.0);
        let mut q = before.q.clone();
        let mut iterations = 0;
        loop {
            let reach: f64 = if done + part > 1.0 - 1e-12 { 1.0 } else { done + part };
            self.set_target(&between(from, to, reach))?;
            let mut next = q.clone();
            let (steps, near) = self.predict_and_correct(&mut next);
            iterations += steps;
            let report = self.certify(&next, iterations, 1);
            let same_kind = report.kind == before.report.kind || report.active != before.report.active;
            if near && report.status.is_success() && same_kind {
                (done, q) = (reach, next);
                if done >= 1.0 {
                    return Ok(Some(self.unwrapped(&q, report)));
                }
                part *= 2.0;
            } else {
                part *= 0.5;
                if part < SMALLEST_PART {
                    return Ok(None);
                }
            }
        }
    }

    /// One predictor step, then the corrector; tells whether the corrector stayed near the prediction.
    fn predict_and_correct(&mut self, q: &mut [f64]) -> (usize, bool) {
        let start = q.to_vec();
        self.local.held.fill(0);
        for (i, variable) in self.chain.variables.iter().enumerate() {
            // A joint at its limit stays there in the prediction if it was held.
            let Some(x) = variable.position.map(|position| q[position]) else { continue };
            self.local.held[i] = i8::from(x >= self.high[i]) - i8::from(x <= self.low[i]);
        }
        self.evaluate_task(q);
        self.evaluate_criterion(q);
        if !self.local.value.is_finite() {
            return (0, false);
        }
        self.linearize();
        let goal = std::mem::replace(&mut self.options.goal, Goal::Stationary);
        let length = self.predictor(q);
        self.options.goal = goal;
        let step = std::mem::take(&mut self.local.step);
        let scaled: Vec<f64> = step.iter().map(|x| length * x).collect();
        self.chain.retract(self.model, q, &scaled);
        self.local.step = step;
        self.clamp(q);
        let predicted = q.to_vec();
        let (_, iterations) = self.stationary(q, self.options.iterations);
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let (moved, corrected) = (distance(&start, &predicted), distance(&predicted, q));
        (iterations + 1, corrected <= 0.02_f64.max(0.5 * moved) && moved < 0.5)
    }

    /// The solution without turning its angles: a path is continuous.
    fn unwrapped(&self, q: &[f64], report: super::Report) -> Solution {
        let held = self.local.held.iter().zip(&self.chain.variables);
        let active = held.filter(|(held, _)| **held != 0).map(|(_, variable)| variable.velocity).collect();
        Solution { q: q.to_vec(), report, active }
    }
}

/// A pose on the straight way between two, rotations by the shortest turn.
pub(super) fn between(from: &Pose<f64>, to: &Pose<f64>, share: f64) -> Pose<f64> {
    if share >= 1.0 {
        return *to;
    }
    let turn = (to.rotation * from.rotation.transpose()).log();
    Pose {
        rotation: Rotation::exp(turn.times(share)) * from.rotation,
        translation: from.translation.times(1.0 - share) + to.translation.times(share),
    }
}

fn same_target(a: &Pose<f64>, b: &Pose<f64>) -> bool {
    let turned = (a.rotation * b.rotation.transpose()).log().norm();
    (a.translation - b.translation).norm() < SAME && turned < SAME
}

impl PathSolution {
    /// What can be said of points that were solved for one by one.
    #[must_use]
    pub fn from_points(points: Vec<Solution>, targets: &[Pose<f64>]) -> Self {
        let ends = points.first().zip(points.last());
        let difference = ends.map_or(0.0, |(first, last)| {
            first.q.iter().zip(&last.q).fold(0.0_f64, |largest, (a, b)| largest.max((a - b).abs()))
        });
        let closed = targets.len() > 1
            && targets.first().zip(targets.last()).is_some_and(|(first, last)| same_target(first, last));
        let smallest = points.iter().map(|point| point.report.smallest_eigenvalue).fold(f64::INFINITY, f64::min);
        Self {
            closed,
            closure_error: closed.then_some(difference),
            smallest_eigenvalue: if smallest.is_finite() { smallest } else { 0.0 },
            points,
            jumps: Vec::new(),
        }
    }

    /// True if every point is a success and nothing jumps.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.jumps.is_empty() && self.points.iter().all(|point| point.report.status.is_success())
    }

    /// The kinds that occur, in order of appearance.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for point in self.points.iter().filter(|point| point.report.status.is_reached()) {
            if !kinds.contains(&point.report.kind) {
                kinds.push(point.report.kind);
            }
        }
        kinds
    }
}
