//! Null-space Lagrange–Newton: pose and criterion together, quadratically.
//!
//! Stationary points of H on e(q) = 0 solve e = 0, Nᵀ ∂H = 0: the zeros of Ch (11), without a choice of columns. A step is
//! dq = dn + N p with dn = −J⁺ e and (Nᵀ W N) p = −Nᵀ(∂H + W dn); eigenvalues of Nᵀ W N are taken with the sign of the goal, so
//! that away from the solution the step descends and at the solution they are the second-order certificate. The merit
//! function is H + ν |e|, with a second-order correction where it refuses a whole step. Near the solution whole steps are
//! taken as long as the residual falls.
//!
//! Limits are an active set: a step ends at the first limit it meets, that joint is held, and is let go when the
//! multiplier says that the criterion gains by it.

use super::linear::{ROWS, dot, norm};
use super::report::{Goal, Kind, Report, Status};
use super::solver::Solver;

/// Largest change of a joint in one step.
const LARGEST_STEP: f64 = 0.6;
/// Eigenvalues of the reduced Hessian below this share of W count as zero.
const ZERO: f64 = 1e-8;
/// Eigenvalues of the reduced Hessian below this share of the largest are hardly a curvature.
const FLAT: f64 = 0.03;
/// Residuals below this share of the tolerance need no further step.
const FINISHED: f64 = 1e-5;

impl Solver<'_> {
    /// Moves `q`, already near the pose, to a stationary point. Returns whether it got there, the local state then being that
    /// of `q`, and the iterations.
    pub(super) fn stationary(&mut self, q: &mut [f64], most: usize) -> (bool, usize) {
        self.local.held.fill(0);
        let (mut penalty, mut trusting, mut before) = (0.0_f64, true, f64::INFINITY);
        let mut arrived = false;
        let mut changes = 0;
        for iteration in 0..=most {
            self.evaluate_task(q);
            self.evaluate_criterion(q);
            if !self.local.value.is_finite() || !self.local.residual.size.is_finite() {
                return (false, iteration);
            }
            self.linearize();
            if self.within() {
                if changes < 50
                    && let Some(release) = self.wrongly_held()
                {
                    changes += 1;
                    self.local.held[release] = 0;
                    (arrived, before) = (false, f64::INFINITY);
                    self.linearize();
                } else if arrived || self.residual() <= FINISHED * self.options.tolerance || iteration == most {
                    return (true, iteration);
                } else {
                    // One more step takes the solution from the tolerance to rounding.
                    arrived = true;
                }
            } else if arrived {
                // Rounding: the tolerance was met a step ago.
                arrived = false;
            }
            if iteration == most {
                break;
            }
            let residual = self.residual();
            if residual > 0.9 * before {
                trusting = false;
            }
            before = residual;
            // A joint at its limit that the step would leave is held, and the step taken again.
            let mut fraction = self.newton_step(q);
            for _ in 0..self.chain.variables.len() {
                let Some((blocking, side)) = fraction.blocked.filter(|_| fraction.length < 1e-10) else { break };
                self.local.held[blocking] = side;
                self.linearize();
                fraction = self.newton_step(q);
            }
            if fraction.blocked.is_some() && fraction.length < 1e-10 {
                return (false, iteration);
            }
            let largest = self.local.step.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            if !largest.is_finite() {
                return (false, iteration);
            }
            let near = largest < 0.1 && self.local.residual.size < 0.03 && fraction.convex;
            let whole = self.options.goal == Goal::Stationary || arrived || (near && trusting);
            let length = if whole {
                fraction.length
            } else {
                match self.line_search(q, fraction.length, &mut penalty) {
                    Some(length) => length,
                    None if near => fraction.length,
                    None => return (false, iteration),
                }
            };
            if !whole {
                trusting = true;
            }
            self.advance(q, length);
            if length == fraction.length
                && let Some((blocking, side)) = fraction.blocked
            {
                self.local.held[blocking] = side;
                if let Some(position) = self.chain.variables[blocking].position {
                    q[position] = if side > 0 { self.high[blocking] } else { self.low[blocking] };
                }
            }
        }
        (self.within(), most)
    }

    fn advance(&mut self, q: &mut [f64], length: f64) {
        let local = &mut self.local;
        local.work.iter_mut().zip(&local.step).for_each(|(x, step)| *x = length * step);
        self.chain.retract(self.model, q, &local.work);
        self.clamp(q);
    }

    fn within(&self) -> bool {
        self.local.residual.size <= self.options.tolerance && self.local.stationarity <= self.options.stationarity
    }

    fn residual(&self) -> f64 {
        self.local.residual.size.max(self.local.stationarity)
    }

    /// The held variable whose multiplier has the wrong sign, the worst of them.
    fn wrongly_held(&self) -> Option<usize> {
        let n = self.chain.variables.len();
        let local = &self.local;
        let sign = if self.options.goal == Goal::Maximum { -1.0 } else { 1.0 };
        let least = 1e-9 * (1.0 + norm(&local.gradient));
        let mut worst: Option<(usize, f64)> = None;
        for i in (0..n).filter(|&i| local.held[i] != 0) {
            let mut reduced = local.gradient[i];
            for k in 0..self.equations.m {
                reduced += local.jacobian[k * n + i] * local.lambda[k];
            }
            // At the high limit the criterion must fall outwards, at the low one inwards.
            let gain = sign * reduced * f64::from(local.held[i]);
            if gain > least && worst.is_none_or(|(_, most)| gain > most) {
                worst = Some((i, gain));
            }
        }
        worst.map(|(i, _)| i)
    }

    /// The step into `local.step`, and how far it may be taken.
    fn newton_step(&mut self, q: &[f64]) -> Reach {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        let constant = self.criterion.is_constant();
        if !constant {
            self.second_order(q);
        }
        let mut e = self.equations.clamped(&self.local.residual);
        e.iter_mut().for_each(|x| *x = -*x);
        let goal = self.options.goal;
        let local = &mut self.local;
        local.factor.solve_transposed(&e[..m], &mut local.work);
        local.range.fill(0.0);
        for (x, &i) in local.work.iter().zip(&local.free) {
            local.range[i] = *x; // dn = −J⁺ e
        }
        limit(&mut local.range, LARGEST_STEP);
        local.step.copy_from_slice(&local.range);
        let mut convex = true;
        if !constant && local.r > 0 {
            let r = local.r;
            let size = local.hessian.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            for (a, right) in local.coefficients[..r].iter_mut().enumerate() {
                let null = &local.null[a * n..(a + 1) * n];
                let mut sum = local.reduced_gradient[a];
                for i in 0..n {
                    if null[i] != 0.0 {
                        sum += null[i] * dot(&local.hessian[i * n..(i + 1) * n], &local.range);
                    }
                }
                *right = -sum; // −Nᵀ(h + W dn)
            }
            local.work.fill(0.0);
            let floor = (1e-9 * size).max(f64::MIN_POSITIVE);
            let steepest = local.values[..r].iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            for k in 0..r {
                let value = local.values[k];
                let curvature = match goal {
                    Goal::Minimum => value.abs().max(floor),
                    Goal::Maximum => -value.abs().max(floor),
                    Goal::Stationary => value.signum() * value.abs().max(floor),
                };
                // Where H hardly bends, as under turns of a whole floating robot, W dn is an excuse to wander: only the slope counts.
                let flat = value.abs() < FLAT * steepest;
                let along: f64 = (0..r)
                    .map(|a| {
                        let right = if flat { -local.reduced_gradient[a] } else { local.coefficients[a] };
                        local.vectors[a * r + k] * right
                    })
                    .sum();
                local.along[k] = (along / curvature).clamp(-LARGEST_STEP, LARGEST_STEP);
                for a in 0..r {
                    let x = local.along[k] * local.vectors[a * r + k];
                    (0..n).for_each(|i| local.work[i] += x * local.null[a * n + i]);
                }
            }
            let longest = local.along[..r].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for k in 0..r {
                let value = local.values[k];
                let wanted = match goal {
                    Goal::Minimum => value > floor,
                    Goal::Maximum => value < -floor,
                    Goal::Stationary => value.abs() > floor,
                };
                // A direction that the step does not use does not spoil it.
                convex &= wanted || local.along[k].abs() <= 1e-3 * longest;
            }
            limit(&mut local.work, LARGEST_STEP);
            local.step.iter_mut().zip(&local.work).for_each(|(x, p)| *x += p);
        }
        let mut reach = Reach { length: 1.0, blocked: None, convex };
        for i in 0..n {
            let (Some(x), d) = (self.position(q, i), self.local.step[i]) else { continue };
            let room = if d > 0.0 {
                self.high[i] - x
            } else if d < 0.0 {
                x - self.low[i]
            } else {
                continue;
            };
            if room < reach.length * d.abs() {
                reach.length = (room / d.abs()).max(0.0);
                reach.blocked = Some((i, if d > 0.0 { 1 } else { -1 }));
            }
        }
        reach
    }

    /// Newton's step towards the current target, as a predictor; returns how far it may be taken.
    pub(super) fn predictor(&mut self, q: &[f64]) -> f64 {
        self.newton_step(q).length
    }

    /// A length at which the merit function H + ν|e| is lower; the step is corrected in place where that helps.
    fn line_search(&mut self, q: &[f64], longest: f64, penalty: &mut f64) -> Option<f64> {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        let sign = if self.options.goal == Goal::Maximum { -1.0 } else { 1.0 };
        let error = norm(&self.local.residual.e[..m]);
        let slope = sign * dot(&self.local.gradient, &self.local.step);
        let needed = 1.5 * norm(&self.local.lambda[..m]) + 1e-3;
        *penalty = penalty.max(needed);
        // What the linear model promises of |e|: all of it, but for the clamp.
        let mut promised = 0.0;
        for k in 0..m {
            let x = self.local.residual.e[k] + dot(&self.local.jacobian[k * n..(k + 1) * n], &self.local.step);
            promised += x * x;
        }
        let drop = error - promised.sqrt();
        if drop > 1e-14 && slope - *penalty * drop > -0.1 * *penalty * drop {
            *penalty = penalty.max(1.2 * slope / drop);
        }
        let descent = slope - *penalty * drop;
        let merit = sign * self.local.value + *penalty * error;
        let noise = 1e-14 * (1.0 + merit.abs());
        let mut length = longest;
        for attempt in 0..30 {
            let mut trial = std::mem::take(&mut self.trial_q);
            trial.copy_from_slice(q);
            let local = &mut self.local;
            local.work.iter_mut().zip(&local.step).for_each(|(x, step)| *x = length * step);
            self.chain.retract(self.model, &mut trial, &local.work);
            let (residual, value) = self.try_at(&trial);
            let mut found = sign * value + *penalty * norm(&residual.e[..m]);
            let enough = merit + 1e-4 * length * descent.min(0.0) + noise;
            if found > enough && attempt == 0 && value.is_finite() && longest == 1.0 {
                // Second-order correction: back to the pose from where the step has led.
                let mut e: [f64; ROWS] = residual.e;
                e.iter_mut().for_each(|x| *x = -*x);
                let local = &mut self.local;
                local.factor.solve_transposed(&e[..m], &mut local.work);
                local.range.fill(0.0);
                for (x, &i) in local.work.iter().zip(&local.free) {
                    local.range[i] = *x;
                }
                self.chain.retract(self.model, &mut trial, &local.range);
                let inside =
                    (0..n).all(|i| self.position(&trial, i).is_none_or(|x| x >= self.low[i] && x <= self.high[i]));
                if inside && norm(&self.local.range) <= 0.5 * norm(&self.local.step) {
                    let (residual, value) = self.try_at(&trial);
                    found = sign * value + *penalty * norm(&residual.e[..m]);
                    if found <= enough {
                        let local = &mut self.local;
                        local.step.iter_mut().zip(&local.range).for_each(|(x, y)| *x += y);
                    }
                }
            }
            self.trial_q = trial;
            if found <= enough {
                return Some(length);
            }
            length *= 0.5;
        }
        None
    }

    /// The certificate at `q`; variables on a bound that the criterion pushes at stay held.
    pub(super) fn certify(&mut self, q: &[f64], iterations: usize, starts: usize) -> Report {
        self.evaluate_task(q);
        self.evaluate_criterion(q);
        if self.local.value.is_finite() {
            self.linearize();
        }
        self.certificate(q, iterations, starts)
    }

    /// The certificate where the local state is that of `q` already.
    pub(super) fn certificate(&mut self, q: &[f64], iterations: usize, starts: usize) -> Report {
        let mut report = Report {
            criterion: self.local.value,
            iterations,
            starts,
            ..Report::of_pose(Status::NotFound, self.local.residual.size)
        };
        if !report.criterion.is_finite() {
            report.criterion = f64::MAX;
            self.local.gradient.fill(0.0);
            return report;
        }
        if self.criterion.is_constant() {
            self.local.held.fill(0);
            self.linearize();
        }
        self.second_order(q);
        let local = &self.local;
        let values = &local.values[..local.r];
        let fold = |start: f64, f: fn(f64, f64) -> f64| values.iter().fold(start, |a, b| f(a, *b));
        if !values.is_empty() {
            (report.smallest_eigenvalue, report.largest_eigenvalue) =
                (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
        }
        let size = local.hessian.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        report.kind = if values.is_empty() {
            Kind::Minimum
        } else {
            Kind::of(report.smallest_eigenvalue, report.largest_eigenvalue, (ZERO * size).max(1e-12))
        };
        report.stationarity = local.stationarity;
        report.redundancy = local.r;
        report.active = local.held.iter().filter(|held| **held != 0).count();
        let wanted = match self.options.goal {
            Goal::Minimum => Some(Kind::Minimum),
            Goal::Maximum => Some(Kind::Maximum),
            Goal::Stationary => None,
        };
        // At the end of an arm's reach an error ε of the pose is a joint error of √ε: nearer to a singularity than that, the
        // rank cannot be told.
        report.regularity = local.factor.diagonal_ratio(self.generic_rank);
        let full = report.regularity > 3.0 * self.options.tolerance.sqrt();
        report.status = if report.pose_error.is_nan() || report.pose_error > self.options.tolerance {
            Status::NotFound
        } else if self.criterion.is_constant() {
            Status::Solved
        } else if !full && report.active == 0 {
            Status::RankDeficient
        } else if report.stationarity > self.options.stationarity || self.wrongly_held().is_some() {
            Status::NotStationary
        } else if !values.is_empty()
            && report.kind != Kind::Degenerate
            && wanted.is_some_and(|kind| kind != report.kind)
        {
            Status::WrongKind
        } else if report.active > 0 {
            Status::LimitActive
        } else {
            Status::Solved
        };
        // Where the pose is missed or the rank lost, eigenvalues certify nothing.
        if matches!(report.status, Status::RankDeficient | Status::NotFound) {
            report.kind = Kind::Degenerate;
        }
        report
    }
}

/// How far a step may be taken.
struct Reach {
    length: f64,
    /// The limit that ends it: variable and side.
    blocked: Option<(usize, i8)>,
    /// The reduced Hessian has the sign that the goal wants.
    convex: bool,
}

/// Shortens a step so that no element is larger than `most`.
fn limit(step: &mut [f64], most: f64) {
    let largest = step.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest > most {
        step.iter_mut().for_each(|x| *x *= most / largest);
    }
}
