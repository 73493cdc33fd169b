//! The resolved-motion method, for comparison: θ̇ = J⁺ ẋ − α (1 − J⁺ J) ∂H, Ch (19) with the sign that minimises, by Runge–Kutta steps.
//!
//! The configuration trails behind the optimum by a lag that depends on α, the speed and the direction of the path, and
//! nothing brings back what the integration loses of the pose: the two things that solving Ch (11) avoids.
//!
//! Trap: the lag depends on the scale of H. The paper's numbers need w in m² and α/speed = 1/mm
//! ([`Measure::NegativeVolume`](super::criterion::Measure::NegativeVolume) with a length of 1 m).

use super::continuation::between;
use super::linear::dot;
use super::report::{IkError, Kind, Report, Solution, Status};
use super::solver::Solver;
use super::task::{Orientation, project};
use crate::spatial::{Pose, Vector};
use std::ops::ControlFlow;

/// Speed, step and gain of the integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedMotion {
    /// Speed of the tip, m/s.
    pub speed: f64,
    /// Time step, s.
    pub step: f64,
    /// α, 1/s.
    pub gain: f64,
}

impl Default for ResolvedMotion {
    /// The paper's: 100 mm/s, 10 ms, 100/s.
    fn default() -> Self {
        Self { speed: 0.1, step: 0.01, gain: 100.0 }
    }
}

/// Error of the pose, m and rad, up to which the integration counts as holding it.
const HELD: f64 = 1e-6;
/// Most steps of one call.
const MOST_STEPS: f64 = 1e7;

impl Solver<'_> {
    /// The configurations at the targets when the tip moves in straight lines from the start through them.
    ///
    /// # Errors
    /// If a target or the start is none, or speed, step or gain are no such thing.
    pub fn resolved_motion(
        &mut self,
        targets: &[Pose<f64>],
        start: Option<&[f64]>,
        motion: &ResolvedMotion,
    ) -> Result<Vec<Solution>, IkError> {
        self.resolved_motion_until(targets, start, motion, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; `progress` is told the share that is done, and may stop it.
    ///
    /// # Errors
    /// As [`resolved_motion`](Self::resolved_motion); `progress` having stopped it.
    pub fn resolved_motion_until(
        &mut self,
        targets: &[Pose<f64>],
        start: Option<&[f64]>,
        motion: &ResolvedMotion,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<Solution>, IkError> {
        let good = |x: f64| x.is_finite() && x > 0.0;
        if !good(motion.speed) || !good(motion.step) || !motion.gain.is_finite() {
            return Err(IkError::Method("speed and step must be positive and the gain finite"));
        }
        let mut q = self.first_start(start)?;
        let mut solutions = Vec::with_capacity(targets.len());
        let mut from = self.chain.tip(&q);
        for (k, target) in targets.iter().enumerate() {
            if progress(k as f64 / targets.len() as f64).is_break() {
                return Err(IkError::Stopped);
            }
            self.set_target(target)?;
            self.move_straight(&mut q, &from, target, motion)?;
            from = *target;
            let report = self.certify_approximate(&q, k);
            solutions.push(Solution { q: q.clone(), report, active: Vec::new() });
        }
        Ok(solutions)
    }

    /// From a start straight to a target, then self-motion, Ch (20) with dx = 0, until the criterion is stationary.
    ///
    /// # Errors
    /// As [`resolved_motion`](Self::resolved_motion).
    pub fn solve_resolved_motion(
        &mut self,
        target: &Pose<f64>,
        start: Option<&[f64]>,
        motion: &ResolvedMotion,
    ) -> Result<Solution, IkError> {
        let q = self.first_start(start)?;
        let mut solution =
            self.resolved_motion(std::slice::from_ref(target), Some(&q), motion)?.pop().ok_or(IkError::Target)?;
        let mut steps = 0;
        while solution.report.stationarity > self.options.stationarity && steps < 20_000 {
            self.rk4(&mut solution.q, motion, Vector::zero(), Vector::zero());
            steps += 1;
            if steps % 10 == 0 {
                solution.report = self.certify_approximate(&solution.q, steps);
            }
        }
        solution.report = self.certify_approximate(&solution.q, steps);
        Ok(solution)
    }

    /// What is true of a point that was integrated, not solved for: within what integration can hold of the pose it is "not
    /// stationary"; beyond, the pose is missed.
    fn certify_approximate(&mut self, q: &[f64], iterations: usize) -> Report {
        self.local.held.fill(0);
        let mut report = self.certify(q, iterations, 1);
        if report.status == Status::NotFound && report.pose_error <= HELD {
            report.status = Status::NotStationary;
            if report.redundancy > 0 {
                report.kind = Kind::of(report.smallest_eigenvalue, report.largest_eigenvalue, 1e-12);
            }
        }
        self.judged(report)
    }

    fn move_straight(
        &mut self,
        q: &mut [f64],
        from: &Pose<f64>,
        to: &Pose<f64>,
        motion: &ResolvedMotion,
    ) -> Result<(), IkError> {
        // Rows that are not asked for do not count as way.
        let asked = |i: usize| f64::from(u8::from(self.task.position[i] != 0.0));
        let way = to.translation - from.translation;
        let way = Vector([way[0] * asked(0), way[1] * asked(1), way[2] * asked(2)]);
        let turn = match self.task.orientation {
            Orientation::Free => Vector::zero(),
            _ => (to.rotation * from.rotation.transpose()).log(),
        };
        let length = way.norm().max(turn.norm() * self.task.length);
        let duration = length / motion.speed;
        let count = (duration / motion.step).round().max(1.0);
        if length == 0.0 {
            return Ok(());
        }
        if count > MOST_STEPS {
            return Err(IkError::Method("the way takes more than ten million steps"));
        }
        let motion = ResolvedMotion { step: duration / count, ..*motion };
        let (linear, angular) = (way.times(1.0 / duration), turn.times(1.0 / duration));
        for k in 0..count as usize {
            // Rows of a pointing task follow the target.
            self.set_target(&between(from, to, k as f64 / count))?;
            self.rk4(q, &motion, linear, angular);
        }
        self.set_target(to)
    }

    /// One Runge–Kutta step of Ch (19).
    fn rk4(&mut self, q: &mut [f64], motion: &ResolvedMotion, linear: Vector<f64>, angular: Vector<f64>) {
        let n = self.chain.variables.len();
        let mut sum = vec![0.0; n];
        let mut rate = vec![0.0; n];
        for (stage, (offset, weight)) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)].into_iter().enumerate() {
            let mut at = q.to_vec();
            if stage > 0 {
                let delta: Vec<f64> = rate.iter().map(|x| offset * motion.step * x).collect();
                self.chain.retract(self.model, &mut at, &delta);
            }
            self.rate(&at, motion.gain, linear, angular, &mut rate);
            sum.iter_mut().zip(&rate).for_each(|(sum, x)| *sum += weight * x);
        }
        sum.iter_mut().for_each(|x| *x *= motion.step / 6.0);
        self.chain.retract(self.model, q, &sum);
    }

    /// J⁺ ẋ − α (1 − J⁺ J) ∂H.
    fn rate(&mut self, q: &[f64], gain: f64, linear: Vector<f64>, angular: Vector<f64>, out: &mut [f64]) {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        self.local.held.fill(0);
        self.evaluate_task(q);
        self.evaluate_criterion(q);
        if !self.local.value.is_finite() {
            self.local.gradient.fill(0.0);
        }
        project(&self.equations.rows, m, &self.chain, &self.local.geometry, &mut self.local.jacobian);
        self.linearize();
        let twist = [linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]];
        let demand: Vec<f64> = self.equations.rows[..m].iter().map(|row| dot(row, &twist)).collect();
        self.local.factor.solve_transposed(&demand, out);
        for k in 0..self.local.r {
            let along = gain * self.local.reduced_gradient[k];
            (0..n).for_each(|i| out[i] -= along * self.local.null[k * n + i]); // Ch (19), (45)
        }
    }
}
