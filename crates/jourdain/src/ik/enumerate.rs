//! All stationary points that can be found: by many starts and, for one redundant degree, by tracing the self-motion.
//!
//! With one redundant degree the configurations of a pose are curves. On them Nᵀ ∂H is a number whose zeros are the stationary
//! points; each curve is followed in both directions, and between two points of different sign a zero is found by halving
//! and Newton's method. So no point of a traced curve is missed, which starts alone cannot promise. Curves are traced beyond
//! the limits: what is within may be several arcs of one curve, some too short for a start to find, and where an arc ends at a
//! limit an optimum may be held there.
//!
//! Starts look for curves that are not known yet until the next one is unlikely to find another ([`Options::chance`](super::Options::chance)).

use super::linear::dot;
use super::optima::share_unseen;
use super::report::{Goal, IkError, Solution};
use super::solver::Solver;
use crate::random::Random;
use crate::spatial::Pose;
use std::f64::consts::TAU;

/// Length of a step along a self-motion.
const STEP: f64 = 0.04;
/// Most steps along one curve.
const MOST_STEPS: usize = 1500;
/// Solutions nearer than this are the same.
const SAME: f64 = 1e-6;
/// Starts at least, however few things there are to find.
const LEAST: usize = 100;
/// Starts at most where optima may fill whole surfaces.
const MOST: usize = 400;

/// A point of a self-motion and the direction of the curve there.
struct Sample {
    q: Vec<f64>,
    tangent: Vec<f64>,
}

impl Solver<'_> {
    /// The stationary points of all kinds, best first.
    ///
    /// # Errors
    /// If the target or start is none, or every configuration is stationary.
    pub fn solve_all(&mut self, target: &Pose<f64>, start: Option<&[f64]>) -> Result<Vec<Solution>, IkError> {
        let redundancy = self.chain.variables.len() - self.generic_rank;
        if self.criterion.is_constant() && redundancy > 0 {
            return Err(IkError::Method("without a criterion every configuration is as good as any other"));
        }
        self.set_target(target)?;
        let mut q = self.first_start(start)?;
        let origin = q.clone();
        let mut random = Random(self.options.seed);
        let mut found: Vec<Solution> = Vec::new();
        let mut samples: Vec<Sample> = Vec::new();
        let (mut curves, mut reached, mut tried) = (0, 0, 0);
        let goal = self.options.goal;
        let most = if redundancy > 1 { self.options.starts.min(MOST) } else { self.options.starts };
        for index in 0..most.max(1) {
            if index > 0 {
                q.copy_from_slice(&origin);
                random.chain_position(&self.chain, self.model, self.scale, &mut q);
            }
            tried = index + 1;
            let begin = q.clone();
            self.options.goal = Goal::Minimum;
            let report = self.run_from(&mut q, tried, false);
            reached += usize::from(report.status.is_reached());
            self.keep(&mut q, tried, &mut found);
            if redundancy > 1 {
                for other in [Goal::Maximum, Goal::Stationary] {
                    q.copy_from_slice(&begin);
                    self.options.goal = other;
                    self.run_from(&mut q, tried, false);
                    self.keep(&mut q, tried, &mut found);
                }
            } else if redundancy == 1 {
                q.copy_from_slice(&begin);
                if self.reach_unlimited(&mut q, 1e-9) && !self.is_on_curve(&q, &samples) {
                    curves += 1;
                    self.trace(&q, 1.0, tried, &mut samples, &mut found);
                    self.trace(&q, -1.0, tried, &mut samples, &mut found);
                }
            }
            let things = if redundancy == 1 { curves } else { found.len() };
            if tried >= LEAST && reached > 0 && share_unseen(things, reached) <= self.options.chance {
                break;
            }
            if reached == 0 && tried == LEAST && self.is_out_of_reach(super::proof::Effort::Large) {
                break;
            }
        }
        self.options.goal = goal;
        let sign = if goal == Goal::Maximum { -1.0 } else { 1.0 };
        found.sort_by(|a, b| {
            let order = (sign * a.report.criterion - sign * b.report.criterion).abs() <= 1e-9;
            if order {
                a.q.iter()
                    .zip(&b.q)
                    .map(|(a, b)| a.total_cmp(b))
                    .find(|order| order.is_ne())
                    .unwrap_or(std::cmp::Ordering::Equal)
            } else {
                (sign * a.report.criterion).total_cmp(&(sign * b.report.criterion))
            }
        });
        found.iter_mut().for_each(|solution| solution.report.starts = tried);
        Ok(found)
    }

    /// Adds the stationary point at `q`, whatever its kind, unless it is known.
    fn keep(&mut self, q: &mut [f64], starts: usize, found: &mut Vec<Solution>) {
        let goal = std::mem::replace(&mut self.options.goal, Goal::Stationary);
        let iterations = 0;
        let report = self.certify(q, iterations, starts);
        self.options.goal = goal;
        if !report.status.is_success() {
            return;
        }
        let solution = self.solution(q, report, true);
        if !found.iter().any(|known| self.apart(&known.q, &solution.q) < SAME) {
            found.push(solution);
        }
    }

    /// Largest difference of a joint; whole turns do not count where they change nothing.
    fn apart(&self, a: &[f64], b: &[f64]) -> f64 {
        self.difference(a, b, |i| self.criterion.is_periodic() && self.low[i] == f64::NEG_INFINITY)
    }

    /// Largest difference of a joint; whole turns do not count.
    fn apart_by_turns(&self, a: &[f64], b: &[f64]) -> f64 {
        self.difference(a, b, |_| true)
    }

    fn difference(&self, a: &[f64], b: &[f64], turns: impl Fn(usize) -> bool) -> f64 {
        let mut largest = 0.0_f64;
        for (i, variable) in self.chain.variables.iter().enumerate() {
            let Some(position) = variable.position else { continue };
            let mut d = a[position] - b[position];
            if variable.turns && turns(i) {
                d -= TAU * (d / TAU).round();
            }
            largest = largest.max(d.abs());
        }
        // Quaternion joints: the link's place decides.
        for &(_, link) in self.chain.quaternions() {
            let link = &self.model.links()[link];
            let (a, b) = (&a[link.q..link.q + link.joint.nq()], &b[link.q..link.q + link.joint.nq()]);
            let difference = |sign: f64| a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - sign * b).abs()));
            largest = largest.max(difference(1.0).min(difference(-1.0)));
        }
        largest
    }

    /// True if a traced curve passes through `q`: near a sample, and from there along the curve.
    fn is_on_curve(&self, q: &[f64], samples: &[Sample]) -> bool {
        samples.iter().any(|sample| {
            if self.apart_by_turns(&sample.q, q) > STEP {
                return false;
            }
            let mut difference: Vec<f64> = Vec::with_capacity(sample.tangent.len());
            for variable in &self.chain.variables {
                let Some(position) = variable.position else { return true };
                let d = q[position] - sample.q[position];
                difference.push(if variable.turns { d - TAU * (d / TAU).round() } else { d });
            }
            let along = dot(&difference, &sample.tangent);
            let across = dot(&difference, &difference) - along * along;
            across.max(0.0).sqrt() < 1e-3 + 0.1 * along.abs()
        })
    }

    /// Follows the self-motion from `q`, whatever the limits say, and keeps every stationary point within them.
    fn trace(
        &mut self,
        q: &[f64],
        direction: f64,
        starts: usize,
        samples: &mut Vec<Sample>,
        found: &mut Vec<Solution>,
    ) {
        let begin = q.to_vec();
        let mut q = q.to_vec();
        let Some(mut tangent) = self.tangent(&q) else { return };
        tangent.iter_mut().for_each(|x| *x *= direction);
        let mut slope = self.slope(&q, &tangent);
        let mut step = STEP;
        for count in 0..MOST_STEPS {
            let mut next = q.clone();
            let delta: Vec<f64> = tangent.iter().map(|x| step * x).collect();
            self.chain.retract(self.model, &mut next, &delta);
            let after = if self.settle(&mut next) { self.tangent(&next) } else { None };
            let Some(mut next_tangent) = after else {
                step *= 0.5;
                if step < 1e-4 {
                    return;
                }
                continue;
            };
            let along = dot(&next_tangent, &tangent);
            if along < 0.0 {
                next_tangent.iter_mut().for_each(|x| *x = -*x);
            }
            if along.abs() < 0.9 && step > 1e-3 {
                step *= 0.5;
                continue;
            }
            let next_slope = self.slope(&next, &next_tangent);
            match (&slope, &next_slope) {
                (Some((a, at)), Some((b, to))) if a * b < 0.0 => {
                    self.zero_between(at, to, *a, &tangent, starts, found);
                }
                // An arc within the limits ends or begins: an optimum may be held there.
                (Some((_, inside)), None) | (None, Some((_, inside))) => self.held_near(inside, starts, found),
                _ => {}
            }
            (tangent, slope, q) = (next_tangent, next_slope, next);
            step = (1.3 * step).min(STEP);
            samples.push(Sample { q: q.clone(), tangent: tangent.clone() });
            // Whole turns bring a curve back to where it began, whatever limits make of them.
            if count > 3 && self.apart_by_turns(&q, &begin) < 0.6 * STEP {
                return;
            }
        }
    }

    /// The self-motion's direction.
    fn tangent(&mut self, q: &[f64]) -> Option<Vec<f64>> {
        let n = self.chain.variables.len();
        self.local.held.fill(0);
        self.evaluate_task(q);
        self.local.gradient.fill(0.0);
        self.linearize();
        (self.local.r == 1).then(|| self.local.null[..n].to_vec())
    }

    /// The criterion's slope along a direction, and the position it is taken at: whole turns back within the limits. `None`
    /// outside of them, and where the criterion is not defined.
    fn slope(&mut self, q: &[f64], tangent: &[f64]) -> Option<(f64, Vec<f64>)> {
        let mut q = q.to_vec();
        self.turn_into_limits(&mut q);
        let n = self.chain.variables.len();
        let inside = (0..n).all(|i| self.position(&q, i).is_none_or(|x| x >= self.low[i] && x <= self.high[i]));
        if !inside {
            return None;
        }
        self.evaluate_task(&q);
        self.evaluate_criterion(&q);
        self.local.value.is_finite().then(|| (dot(&self.local.gradient, tangent), q))
    }

    /// Keeps the optima that a limit holds near `q`.
    fn held_near(&mut self, q: &[f64], starts: usize, found: &mut Vec<Solution>) {
        for goal in [Goal::Minimum, Goal::Maximum] {
            let mut held = q.to_vec();
            self.options.goal = goal;
            self.stationary(&mut held, 40);
            if self.apart(&held, q) < 5.0 * STEP {
                self.keep(&mut held, starts, found);
            }
        }
    }

    /// Back to the pose by whole Newton steps.
    fn settle(&mut self, q: &mut [f64]) -> bool {
        let n = self.chain.variables.len();
        for _ in 0..12 {
            self.evaluate_task(q);
            if self.local.residual.size < 1e-11 {
                return true;
            }
            self.local.held.fill(0);
            self.linearize();
            let mut step = vec![0.0; n];
            let e: Vec<f64> = self.local.residual.e[..self.equations.m].iter().map(|x| -x).collect();
            self.local.factor.solve_transposed(&e, &mut step);
            if step.iter().any(|x| x.abs() > 0.3) {
                return false;
            }
            self.chain.retract(self.model, q, &step);
        }
        false
    }

    /// The stationary point between two neighbours on a curve.
    fn zero_between(
        &mut self,
        a: &[f64],
        b: &[f64],
        slope: f64,
        forward: &[f64],
        starts: usize,
        found: &mut Vec<Solution>,
    ) {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        let width = self.apart(&a, &b);
        for _ in 0..12 {
            let mut middle: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 0.5 * (a + b)).collect();
            for &(_, link) in self.chain.quaternions() {
                let link = &self.model.links()[link];
                middle[link.q..link.q + link.joint.nq()].copy_from_slice(&a[link.q..link.q + link.joint.nq()]);
            }
            if !self.settle(&mut middle) {
                break;
            }
            let Some(mut tangent) = self.tangent(&middle) else { break };
            if dot(&tangent, forward) < 0.0 {
                tangent.iter_mut().for_each(|x| *x = -*x);
            }
            let Some((at, middle)) = self.slope(&middle, &tangent) else { break };
            if at.signum() == slope.signum() { a = middle } else { b = middle }
        }
        let mut q = b.clone();
        self.options.goal = Goal::Stationary;
        self.stationary(&mut q, 20);
        if self.apart(&q, &b) < 2.0 * width + 1e-3 {
            self.keep(&mut q, starts, found);
        }
    }
}
