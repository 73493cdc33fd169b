//! One start, several starts, the best of many, and the verdict where none of them leads to the target.
//!
//! Starts that fail prove nothing. After a few of them bounds are tried ([`proof`](super::proof)): what they exclude is
//! [`Unreachable`](super::Status::Unreachable). Otherwise the search goes on in other ways until the starts are used up: from a solution without
//! limits turned into them, and around the nearest configuration so far. What is left is [`NotFound`](super::Status::NotFound).

use super::proof::Effort;
use super::report::{Goal, IkError, Report, Solution, Status};
use super::solver::Solver;
use super::start::middle;
use crate::random::Random;
use crate::spatial::Pose;
use std::f64::consts::TAU;

/// Error of the pose, m and rad, from which pose and criterion are solved together.
const TOGETHER: f64 = 0.05;
/// Failures after which the bounds that cost microseconds are tried, and then those that cost milliseconds.
const DOUBTS: [usize; 2] = [8, 40];
/// Starts that look for the nearest configuration to a target that is out of reach.
const NEAREST: usize = 24;

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

    /// Solves for a target as [`solve`](Self::solve) does, from the position in `q` (`given`) or from the middle of the
    /// ranges, and leaves the solution there. Nothing is allocated.
    ///
    /// # Errors
    /// If the target is no pose.
    ///
    /// # Panics
    /// If `q` is shorter than the robot's position.
    pub fn best_into(&mut self, target: &Pose<f64>, q: &mut [f64], given: bool) -> Result<Report, IkError> {
        self.set_target(target)?;
        if !given {
            q.copy_from_slice(&self.neutral);
            middle(&self.chain, q);
        }
        Ok(self.search(q, given))
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
        let mut doubts = Doubts::default();
        while starts < doubts.most(self.options.starts) {
            if starts > 0 {
                self.restart(q, &best, starts, &mut random);
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
            doubts.failed(starts, self);
        }
        q.copy_from_slice(&best);
        self.best_q = best;
        self.wrap(q, false);
        let status = if least <= self.options.tolerance { Status::Solved } else { self.verdict(doubts) };
        Ok(Report {
            redundancy: self.chain.variables.len().saturating_sub(self.generic_rank),
            iterations: used,
            starts,
            ..Report::of_pose(status, least)
        })
    }

    /// From one start: the pose, then pose and criterion.
    pub(super) fn run_from(&mut self, q: &mut [f64], starts: usize, bold: bool) -> Report {
        let constant = self.criterion.is_constant();
        self.inside_domain(q);
        let tolerance = if constant { self.options.tolerance } else { TOGETHER };
        let (reached, first) = self.reach(q, tolerance, self.options.iterations, bold);
        self.local.held.fill(0);
        if reached { self.refine(q, first, starts) } else { self.certify(q, first, starts) }
    }

    /// From near the pose to pose and criterion.
    fn refine(&mut self, q: &mut [f64], before: usize, starts: usize) -> Report {
        // Without a criterion only from the tolerance to rounding.
        let most = if self.criterion.is_constant() { 3 } else { self.options.iterations };
        self.inside_domain(q);
        let (settled, more) = self.stationary(q, most);
        let iterations = before + more;
        if settled { self.certificate(q, iterations, starts) } else { self.certify(q, iterations, starts) }
    }

    /// From one start where many have failed: the criterion waits until the pose is reached.
    fn run_doubtful(&mut self, q: &mut [f64], starts: usize) -> Report {
        self.inside_domain(q);
        let (reached, first) = self.reach(q, self.options.tolerance, self.options.iterations, false);
        self.local.held.fill(0);
        if reached {
            return self.refine(q, first, starts);
        }
        Report { iterations: first, starts, ..Report::of_pose(Status::NotFound, self.local.residual.size) }
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
    /// as many starts as it takes to make a better one unlikely ([`Options::chance`](super::Options::chance)).
    ///
    /// # Errors
    /// If target or start are none.
    pub fn solve(&mut self, target: &Pose<f64>, start: Option<&[f64]>) -> Result<Solution, IkError> {
        self.set_target(target)?;
        let mut q = self.first_start(start)?;
        let report = self.search(&mut q, start.is_some());
        Ok(Solution { q, report, active: self.active().collect() })
    }

    /// From `q`, then from elsewhere; leaves the best configuration there, and in `held` what limits hold it.
    fn search(&mut self, q: &mut [f64], given: bool) -> Report {
        let mut random = Random(self.options.seed);
        let mut origin = std::mem::take(&mut self.origin_q);
        let mut best_q = std::mem::take(&mut self.best_q);
        origin.copy_from_slice(q);
        self.optima.clear();
        let first_only = given || self.criterion.is_constant();
        let mut doubts = Doubts::default();
        let mut best: Option<Report> = None;
        let (mut tried, mut succeeded) = (0, false);
        while tried < doubts.most(self.options.starts) {
            if tried > 0 {
                q.copy_from_slice(&origin);
                let failures = if succeeded { 0 } else { tried };
                self.restart(q, &best_q, failures, &mut random);
            }
            let doubtful = !succeeded && tried > DOUBTS[0];
            tried += 1;
            let report =
                if doubtful { self.run_doubtful(q, tried) } else { self.run_from(q, tried, self.options.starts <= 1) };
            self.wrap(q, !given || tried > 1);
            if best.is_none_or(|best| self.is_better(&report, &best)) {
                best = Some(report);
                best_q.copy_from_slice(q);
                self.best_held.copy_from_slice(&self.local.held);
            }
            if report.status.is_success() {
                succeeded = true;
                self.optima.saw(report.criterion);
                if first_only || self.optima.chance() <= self.options.chance {
                    break;
                }
            } else if !succeeded {
                doubts.failed(tried, self);
            }
        }
        q.copy_from_slice(&best_q);
        self.local.held.copy_from_slice(&self.best_held);
        let mut report = best.unwrap_or_else(|| Report::of_pose(Status::NotFound, f64::INFINITY));
        report.starts = tried;
        report.chance = (succeeded && !first_only).then(|| self.optima.chance());
        (self.origin_q, self.best_q) = (origin, best_q);
        if report.status == Status::NotFound {
            // A start that was given up early may have been on its way.
            self.approach(q);
            self.local.held.fill(0);
            let nearest = self.certify(q, report.iterations, tried);
            report = if nearest.status.is_reached() {
                self.refine(q, report.iterations, tried)
            } else {
                Report { status: self.verdict(doubts), ..nearest }
            };
        }
        report
    }

    /// What can be said of a target that no start has led to.
    fn verdict(&mut self, doubts: Doubts) -> Status {
        if doubts.proved || self.is_out_of_reach(Effort::Large) { Status::Unreachable } else { Status::NotFound }
    }

    /// The same of one report, for methods with a single start.
    pub(super) fn judged(&mut self, report: Report) -> Report {
        match report.status {
            Status::NotFound => Report { status: self.verdict(Doubts::default()), ..report },
            _ => report,
        }
    }

    /// A new start: random; after many failures in turn also from a solution without limits, turned into them, and around
    /// the nearest configuration so far.
    fn restart(&mut self, q: &mut [f64], nearest: &[f64], failures: usize, random: &mut Random) {
        let way = if failures > 2 * DOUBTS[0] { failures % 3 } else { 0 };
        if way == 2 {
            let radius = 0.05 * 2.0_f64.powi((failures / 3 % 6) as i32);
            q.copy_from_slice(nearest);
            let mut delta = std::mem::take(&mut self.delta);
            delta.iter_mut().for_each(|x| *x = radius * random.signed());
            self.chain.retract(self.model, q, &delta);
            self.delta = delta;
            return;
        }
        random.chain_position(&self.chain, self.model, self.scale, q);
        if way == 1 && self.options.limits {
            self.without_limits(q);
        }
    }

    /// Moves `q` towards the pose without regard to limits, and by whole turns back into them where that does it.
    fn without_limits(&mut self, q: &mut [f64]) {
        self.reach_unlimited(q, TOGETHER);
        self.turn_into_limits(q);
    }

    /// Moves `q` to the pose without regard to limits; false if it does not get there.
    pub(super) fn reach_unlimited(&mut self, q: &mut [f64], tolerance: f64) -> bool {
        std::mem::swap(&mut self.low, &mut self.unlimited[0]);
        std::mem::swap(&mut self.high, &mut self.unlimited[1]);
        let (reached, _) = self.reach(q, tolerance, self.options.iterations, false);
        std::mem::swap(&mut self.low, &mut self.unlimited[0]);
        std::mem::swap(&mut self.high, &mut self.unlimited[1]);
        reached
    }

    /// Turns angles by whole turns towards their limits.
    pub(super) fn turn_into_limits(&self, q: &mut [f64]) {
        if !self.options.limits {
            return;
        }
        for variable in &self.chain.variables {
            if let (Some(position), true, [low, high]) = (variable.position, variable.turns, variable.limits) {
                let x = &mut q[position];
                if *x > high {
                    *x -= TAU * ((*x - high) / TAU).ceil();
                } else if *x < low {
                    *x += TAU * ((low - *x) / TAU).ceil();
                }
            }
        }
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

    /// Velocity indices of the variables that are held at a limit.
    pub(super) fn active(&self) -> impl Iterator<Item = usize> + '_ {
        let held = self.local.held.iter().zip(&self.chain.variables);
        held.filter(|(held, _)| **held != 0).map(|(_, variable)| variable.velocity)
    }

    /// The solution at `q`, angles brought to where they belong.
    pub(super) fn solution(&mut self, q: &[f64], report: Report, principal: bool) -> Solution {
        let mut q = q.to_vec();
        self.wrap(&mut q, principal);
        Solution { q, report, active: self.active().collect() }
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

/// What failures have led to.
#[derive(Clone, Copy, Debug, Default)]
struct Doubts {
    /// A bound excludes the target.
    proved: bool,
}

impl Doubts {
    /// How many starts there may be.
    fn most(self, starts: usize) -> usize {
        if self.proved { starts.clamp(1, NEAREST) } else { starts.max(1) }
    }

    /// Takes note of so many failures; the bounds are tried when there are enough.
    fn failed(&mut self, count: usize, solver: &mut Solver<'_>) {
        if count == DOUBTS[0] {
            self.proved = solver.is_out_of_reach(Effort::Small);
        } else if count == DOUBTS[1] {
            self.proved |= solver.is_out_of_reach(Effort::Large);
        }
    }
}
