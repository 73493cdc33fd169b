//! Optimal configurations along a path, by continuation.
//!
//! Differentiating e = 0, ∂H + Jᵀ λ = 0 along the path gives the tangent of the curve of optima, dq = J⁺ dx − N (Nᵀ W N)⁻¹ Nᵀ W J⁺ dx: the
//! resolved-motion method with its lag removed, and what the extended Jacobian of Ch (27) gives for one redundant joint.
//! Newton's step from the last optimum towards the next target is that predictor; Newton's method corrects it. Where the
//! corrected point is far from its prediction the segment is halved; where that does not help, as in singularities and where limits
//! change, it is crept along in small parts by damped steps. What moves far even then is another branch: a jump.
//!
//! Where the path leaves the workspace the arm stays as near to the target as it gets from where it is, and goes on from
//! there when the path comes back.
//!
//! Trap: an optimum ends where the smallest eigenvalue of Nᵀ W N reaches zero (a fold). No continuous answer exists beyond; the
//! report says where the configuration jumps instead of hiding it.

use super::events::{self, Event};
use super::report::{Goal, IkError, Kind, Report, Solution, Status};
use super::solver::Solver;
use crate::random::Random;
use crate::spatial::{Pose, Rotation};
use std::ops::ControlFlow;

/// Smallest part of a segment that is tried before it is crept along.
const SMALLEST_PART: f64 = 1.0 / 256.0;
/// Parts in which a segment is crept along, at first and at last.
const CREEPING: [usize; 2] = [8, 128];
/// Largest joint step of a part that is crept along, rad and m.
const CREEP: f64 = 0.1;
/// Largest joint step, rad and m, with which an arm comes back to a path that it could not follow.
const REENTRY: f64 = 0.5;
/// Attempts from where the arm is, most of them from around there.
const AROUND: usize = 12;
/// Starts that look for another branch where the path has left this one for good.
const ELSEWHERE: usize = 60;
/// Targets nearer than this are the same point of a closed path.
const SAME: f64 = 1e-9;

/// The optima along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSolution {
    /// One solution per target.
    pub points: Vec<Solution>,
    /// Indices of points that were not reached continuously from the one before.
    pub jumps: Vec<usize>,
    /// What happens on the way, in its order.
    pub events: Vec<Event>,
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
        self.follow_until(targets, start, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; `progress` is told the share that is done, and may stop it.
    ///
    /// # Errors
    /// As [`follow`](Self::follow); `progress` having stopped it.
    pub fn follow_until(
        &mut self,
        targets: &[Pose<f64>],
        start: Option<&[f64]>,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<PathSolution, IkError> {
        let Some(first) = targets.first() else { return Err(IkError::Target) };
        for target in targets {
            self.set_target(target)?;
        }
        let mut points = vec![self.solve(first, start)?];
        let mut jumps = Vec::new();
        // The last point that was on the path.
        let mut anchor = 0;
        for (k, pair) in targets.windows(2).enumerate() {
            if progress((k + 1) as f64 / targets.len() as f64).is_break() {
                return Err(IkError::Stopped);
            }
            let (next, jumped) = self.next_point(&pair[0], &pair[1], &points[k], &points[anchor])?;
            if jumped {
                jumps.push(k + 1);
            }
            if next.report.status.is_reached() {
                anchor = k + 1;
            }
            points.push(next);
        }
        Ok(PathSolution::new(points, targets, jumps))
    }

    /// The next point, and whether it is on another branch than the one before.
    fn next_point(
        &mut self,
        from: &Pose<f64>,
        to: &Pose<f64>,
        before: &Solution,
        anchor: &Solution,
    ) -> Result<(Solution, bool), IkError> {
        let on_path = before.report.status.is_reached();
        if before.report.status.is_success()
            && let Some(next) = self.segment(from, to, before)?
        {
            return Ok((next, false));
        }
        if on_path {
            for parts in CREEPING {
                if let Some(next) = self.creep(from, to, before, parts)? {
                    return Ok((next, false));
                }
            }
        }
        self.set_target(to)?;
        // Once more, without regard to how far it leads; an arm that could not follow also from where it left the path, because a
        // stretched arm no longer knows how it was bent; and from around there, because two limits met at once can block a step.
        let allowed = events::allowed(from, to, self.scale).max(if on_path { 0.0 } else { REENTRY });
        let mut best: Option<(f64, Solution)> = None;
        let mut random = Random(self.options.seed);
        for attempt in 0..AROUND {
            let mut q = if attempt == 1 { anchor.q.clone() } else { before.q.clone() };
            if attempt > 1 {
                let radius = 0.3 * allowed.min(1.0) * attempt as f64 / AROUND as f64;
                let delta: Vec<f64> = (0..self.chain.variables.len()).map(|_| radius * random.signed()).collect();
                self.chain.retract(self.model, &mut q, &delta);
            }
            let report = self.run_from(&mut q, 1, false);
            let step = self.joint_step(&before.q, &q);
            if report.status.is_reached() && best.as_ref().is_none_or(|(least, _)| step < *least) {
                best = Some((step, self.unwrapped(&q, report)));
            }
            // Off the path one look around is enough: most of its targets are out of reach.
            if best.as_ref().is_some_and(|(step, _)| *step <= allowed) || (attempt == 1 && !on_path) {
                break;
            }
        }
        if let Some((step, next)) = best {
            return Ok((next, step > allowed));
        }
        let proved = self.is_out_of_reach(super::proof::Effort::Small);
        if !proved {
            let starts = std::mem::replace(&mut self.options.starts, ELSEWHERE);
            let found = self.solve(to, Some(&before.q));
            self.options.starts = starts;
            let found = found?;
            if found.report.status.is_reached() {
                let far = self.joint_step(&before.q, &found.q) > allowed;
                return Ok((found, far));
            }
        }
        let mut q = before.q.clone();
        let iterations = self.approach(&mut q);
        self.local.held.fill(0);
        let report = self.certify(&q, iterations, 1);
        let report = match report.status {
            Status::NotFound if proved => Report { status: Status::Unreachable, ..report },
            Status::NotFound => self.judged(report),
            _ => report,
        };
        Ok((self.unwrapped(&q, report), false))
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

    /// The same in equal parts, each by damped steps from where the last has led; `None` if one of them leads far or nowhere.
    fn creep(
        &mut self,
        from: &Pose<f64>,
        to: &Pose<f64>,
        before: &Solution,
        parts: usize,
    ) -> Result<Option<Solution>, IkError> {
        let mut q = before.q.clone();
        let mut iterations = 0;
        for part in 1..=parts {
            self.set_target(&between(from, to, part as f64 / parts as f64))?;
            let mut next = q.clone();
            let report = self.run_from(&mut next, 1, false);
            iterations += report.iterations;
            if !report.status.is_reached() || self.joint_step(&q, &next) > CREEP {
                return Ok(None);
            }
            q = next;
            if part == parts {
                return Ok(Some(self.unwrapped(&q, Report { iterations, ..report })));
            }
        }
        Ok(None)
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
        let (moved, corrected) = (self.joint_step(&start, &predicted), self.joint_step(&predicted, q));
        (iterations + 1, corrected <= 0.02_f64.max(0.5 * moved) && moved < 0.5)
    }

    /// Largest change of a number of the chain's joints.
    fn joint_step(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    }

    /// The solution without turning its angles: a path is continuous.
    fn unwrapped(&self, q: &[f64], report: Report) -> Solution {
        Solution { q: q.to_vec(), report, active: self.active().collect() }
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
    /// What can be said of points that a solver has found one by one.
    #[must_use]
    pub fn from_points(points: Vec<Solution>, targets: &[Pose<f64>], solver: &Solver<'_>) -> Self {
        let jumps = events::jumps(&points, targets, solver.scale);
        Self::new(points, targets, jumps)
    }

    /// The same of points that were integrated, and are continuous by that.
    #[must_use]
    pub fn from_motion(points: Vec<Solution>, targets: &[Pose<f64>]) -> Self {
        Self::new(points, targets, Vec::new())
    }

    fn new(points: Vec<Solution>, targets: &[Pose<f64>], jumps: Vec<usize>) -> Self {
        let ends = points.first().zip(points.last());
        let difference = ends.map_or(0.0, |(first, last)| {
            first.q.iter().zip(&last.q).fold(0.0_f64, |largest, (a, b)| largest.max((a - b).abs()))
        });
        let closed = targets.len() > 1
            && targets.first().zip(targets.last()).is_some_and(|(first, last)| same_target(first, last));
        let reached = points.iter().filter(|point| point.report.status.is_reached());
        let smallest = reached.map(|point| point.report.smallest_eigenvalue).fold(f64::INFINITY, f64::min);
        Self {
            closed,
            closure_error: closed.then_some(difference),
            smallest_eigenvalue: if smallest.is_finite() { smallest } else { 0.0 },
            events: events::of(&points, &jumps),
            points,
            jumps,
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
