//! One start, several starts, the best of many.

use super::report::{Goal, IkError, Report, Solution, Status};
use super::solver::Solver;
use super::start::middle;
use crate::random::Random;
use crate::spatial::Pose;

/// Error of the pose, m and rad, from which pose and criterion are solved together.
const TOGETHER: f64 = 0.05;

impl Solver<'_> {
    /// Solves for a target from the position in `q`, once, and leaves the solution there. Nothing is allocated.
    ///
    /// # Errors
    /// If the target is no pose.
    ///
    /// # Panics
    /// If `q` is shorter than the robot's position.
    pub fn solve_into(&mut self, target: &Pose<f64>, q: &mut [f64]) -> Result<Report, IkError> {
        self.set_target(target)?;
        Ok(self.run_from(q, 1, true))
    }

    /// The pose alone, within the limits: restarts until it is reached or the starts are used up. Nothing is allocated; the
    /// position with the smallest error is left in `q`.
    ///
    /// # Errors
    /// If the target is no pose.
    ///
    /// # Panics
    /// If `q` is shorter than the robot's position.
    pub fn reach_into(&mut self, target: &Pose<f64>, q: &mut [f64]) -> Result<Report, IkError> {
        self.set_target(target)?;
        let mut random = Random(self.options.seed);
        let (mut least, mut starts) = (f64::INFINITY, 0);
        let mut best = std::mem::take(&mut self.best_q);
        best.copy_from_slice(q);
        let mut used = 0;
        while starts < self.options.starts.max(1) {
            if starts > 0 {
                random.chain_position(&self.chain, self.model, self.task.length, q);
            }
            starts += 1;
            let bold = self.options.starts <= 1;
            let (reached, iterations) = self.reach(q, self.options.tolerance, self.options.iterations, bold);
            used = iterations;
            let size = self.local.residual.size;
            if size < least {
                least = size;
                best.copy_from_slice(q);
            }
            if reached {
                break;
            }
        }
        q.copy_from_slice(&best);
        self.best_q = best;
        self.wrap(q, false);
        Ok(Report {
            status: if least <= self.options.tolerance { Status::Solved } else { Status::Unreachable },
            pose_error: least,
            stationarity: 0.0,
            criterion: 0.0,
            kind: super::report::Kind::Degenerate,
            smallest_eigenvalue: 0.0,
            largest_eigenvalue: 0.0,
            redundancy: self.chain.variables.len().saturating_sub(self.generic_rank),
            iterations: used,
            starts,
            active: 0,
        })
    }

    /// From one start: the pose, then pose and criterion.
    pub(super) fn run_from(&mut self, q: &mut [f64], starts: usize, bold: bool) -> Report {
        let constant = self.criterion.is_constant();
        self.inside_domain(q);
        let tolerance = if constant { self.options.tolerance } else { TOGETHER };
        let (reached, first) = self.reach(q, tolerance, self.options.iterations, bold);
        let mut iterations = first;
        self.local.held.fill(0);
        if reached {
            // Without a criterion only from the tolerance to rounding.
            let most = if constant { 3 } else { self.options.iterations };
            self.inside_domain(q);
            let (settled, second) = self.stationary(q, most);
            iterations += second;
            if settled {
                return self.certificate(q, iterations, starts);
            }
        }
        self.certify(q, iterations, starts)
    }

    /// Moves numbers off the walls of the criterion's domain.
    fn inside_domain(&self, q: &mut [f64]) {
        for (i, variable) in self.chain.variables.iter().enumerate() {
            if let (Some(position), Some([low, high])) = (variable.position, self.criterion.domain(i)) {
                let margin = 1e-3 * (high - low);
                q[position] = q[position].clamp(low + margin, high - margin);
            }
        }
    }

    /// Solves for a target.
    ///
    /// With a start: the stationary point that it leads to; random starts follow only if it fails. Without: the best of
    /// all starts.
    ///
    /// # Errors
    /// If target or start are none.
    pub fn solve(&mut self, target: &Pose<f64>, start: Option<&[f64]>) -> Result<Solution, IkError> {
        self.set_target(target)?;
        let mut q = self.first_start(start)?;
        let origin = q.clone();
        let mut random = Random(self.options.seed);
        let mut best: Option<Solution> = None;
        let count = self.options.starts.max(1);
        let mut tried = 0;
        for index in 0..count {
            if index > 0 {
                q.copy_from_slice(&origin);
                random.chain_position(&self.chain, self.model, self.task.length, &mut q);
            }
            tried = index + 1;
            let report = self.run_from(&mut q, index + 1, count == 1);
            let candidate = self.solution(&q, report, start.is_none() || index > 0);
            let better = best.as_ref().is_none_or(|best| self.is_better(&candidate.report, &best.report));
            if better {
                best = Some(candidate);
            }
            let done = best.as_ref().is_some_and(|best| best.report.status.is_success());
            if done && (start.is_some() || self.criterion.is_constant()) {
                break;
            }
        }
        let mut best = best.ok_or(IkError::Start)?;
        best.report.starts = tried;
        Ok(best)
    }

    /// The given start, checked, or the middle of the ranges.
    pub(super) fn first_start(&self, start: Option<&[f64]>) -> Result<Vec<f64>, IkError> {
        let mut q: Vec<f64> = self.model.neutral();
        let Some(start) = start else {
            middle(&self.chain, &mut q);
            return Ok(q);
        };
        if start.len() != q.len() {
            return Err(IkError::StartLength {
                robot: self.model.name().to_owned(),
                found: start.len(),
                expected: q.len(),
            });
        }
        let mut state = crate::State::neutral(self.model);
        state.q = start.to_vec();
        Ok(state.checked(self.model).map_err(|_| IkError::Start)?.q)
    }

    /// The solution at `q`, angles brought to where they belong.
    pub(super) fn solution(&mut self, q: &[f64], report: Report, principal: bool) -> Solution {
        let mut q = q.to_vec();
        self.wrap(&mut q, principal);
        let held = self.local.held.iter().zip(&self.chain.variables);
        let active = held.filter(|(held, _)| **held != 0).map(|(_, variable)| variable.velocity).collect();
        Solution { q, report, active }
    }

    pub(super) fn is_better(&self, a: &Report, b: &Report) -> bool {
        match (a.status.is_success(), b.status.is_success()) {
            (true, true) => {
                let sign = if self.options.goal == Goal::Maximum { -1.0 } else { 1.0 };
                // Equal up to rounding: the first one stays.
                sign * a.criterion < sign * b.criterion - 1e-12 * (1.0 + b.criterion.abs())
            }
            (true, false) => true,
            (false, true) => false,
            (false, false) if a.status == b.status => a.pose_error < b.pose_error,
            (false, false) => a.status < b.status,
        }
    }
}
