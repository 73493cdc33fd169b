//! The pose alone, from anywhere: damped Gauss–Newton steps on a clamped error, with a second-order correction, inside the
//! limits.
//!
//! dq = Jᵀ (J Jᵀ + μ)⁻¹ (−e), e shortened to what one step can do; then −½ Jᵀ (J Jᵀ + μ)⁻¹ (q̇-quadratic acceleration of the
//! tip along dq), which costs one pass over the columns and turns Newton's order two into three. Joints at a limit that
//! the step would leave are held and the step is taken again without them.
//!
//! Trap: accepting only steps that lower |e| gets stuck on arms with elbow offsets. No step is refused here. A start that
//! makes no progress for a while is given up where another start costs less; without limits and without another start
//! it goes on with hardly any damping and long steps, which jump out of such places.

use super::linear::{ROWS, Small, backward, cholesky, forward, norm};
use super::solver::Solver;

/// Damping that is left at the target.
const LEAST_DAMPING: f64 = 1e-13;

/// How to step.
struct Gait {
    /// Share of |e|² in the damping.
    damping: f64,
    /// Largest change of a joint in one step.
    largest: f64,
    /// Iterations without progress after which it is given up.
    patience: usize,
}

const STEADY: Gait = Gait { damping: 1e-3, largest: 1.2, patience: 8 };
const BOLD: Gait = Gait { damping: 1e-6, largest: 3.0, patience: 100 };

impl Solver<'_> {
    /// Moves `q` until the error, m and rad, is at most `tolerance`; false if it does not get there. Returns the iterations
    /// with it. `bold`: there is no other start to turn to.
    pub(super) fn reach(&mut self, q: &mut [f64], tolerance: f64, most: usize, bold: bool) -> (bool, usize) {
        self.clamp(q);
        let (mut best, mut best_at) = (f64::INFINITY, 0);
        let bold = bold && self.low.iter().chain(&self.high).all(|x| x.is_infinite());
        let mut gait = &STEADY;
        for iteration in 0..=most {
            self.evaluate_task(q);
            let size = self.local.residual.size;
            if size <= tolerance {
                return (true, iteration);
            }
            if size < 0.98 * best {
                (best, best_at) = (size, iteration);
            }
            if iteration == most || !size.is_finite() {
                return (false, iteration);
            }
            if iteration - best_at > gait.patience {
                if !bold || std::ptr::eq(gait, &BOLD) {
                    return (false, iteration);
                }
                (gait, best_at) = (&BOLD, iteration);
            }
            if !self.reach_step(q, gait) {
                return (false, iteration);
            }
            let step = std::mem::take(&mut self.local.step);
            self.chain.retract(self.model, q, &step);
            self.local.step = step;
            self.clamp(q);
        }
        (false, most)
    }

    /// Moves `q` as near to the pose as it gets without ever going away from it; returns the iterations. Where the pose is
    /// out of reach this stays near the start.
    pub(super) fn approach(&mut self, q: &mut [f64]) -> usize {
        const MOST: usize = 80;
        let mut gait = Gait { damping: 1e-2, largest: 0.2, patience: MOST };
        let mut next = std::mem::take(&mut self.best_q);
        self.clamp(q);
        self.evaluate_task(q);
        let mut error = norm(&self.local.residual.e[..self.equations.m]);
        let mut used = MOST;
        for iteration in 0..MOST {
            if self.local.residual.size <= self.options.tolerance || gait.damping > 1e6 || !self.reach_step(q, &gait) {
                used = iteration;
                break;
            }
            next.copy_from_slice(q);
            let step = std::mem::take(&mut self.local.step);
            self.chain.retract(self.model, &mut next, &step);
            self.local.step = step;
            self.clamp(&mut next);
            self.evaluate_task(&next);
            let found = norm(&self.local.residual.e[..self.equations.m]);
            if found < error {
                // What is gained in the last digits is not worth going on for.
                let done = found > (1.0 - 1e-9) * error;
                q.copy_from_slice(&next);
                (error, gait.damping) = (found, (0.3 * gait.damping).max(1e-6));
                if done {
                    used = iteration;
                    break;
                }
            } else {
                gait.damping *= 10.0;
                self.evaluate_task(q);
            }
        }
        self.best_q = next;
        used
    }

    /// One step into `local.step`; false if there is none.
    fn reach_step(&mut self, q: &[f64], gait: &Gait) -> bool {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        let e = self.equations.clamped(&self.local.residual);
        let square: f64 = e[..m].iter().map(|x| x * x).sum();
        let damping = LEAST_DAMPING + gait.damping * square;
        self.local.held.fill(0);
        for pass in 0..4 {
            let mut g: Small = [[0.0; ROWS]; ROWS];
            let local = &mut self.local;
            for c in (0..n).filter(|&c| local.held[c] == 0) {
                for i in 0..m {
                    let x = local.jacobian[i * n + c];
                    for k in 0..=i {
                        g[i][k] += x * local.jacobian[k * n + c];
                    }
                }
            }
            (0..m).for_each(|i| g[i][i] += damping);
            // Lost to rounding near a singularity: damp more.
            let undamped = g;
            let mut more = 1e-10;
            while !cholesky(m, &mut g) {
                g = undamped;
                (0..m).for_each(|i| g[i][i] += more);
                more *= 100.0;
                if more > 1e3 {
                    return false;
                }
            }
            let mut y = e;
            (0..m).for_each(|i| y[i] = -y[i]);
            local.apply_transposed(&g, m, n, &mut y);
            let mut blocked = false;
            for i in 0..n {
                let Some(position) = self.chain.variables[i].position else { continue };
                let local = &mut self.local;
                let d = local.step[i];
                if local.held[i] == 0
                    && ((d > 0.0 && q[position] >= self.high[i]) || (d < 0.0 && q[position] <= self.low[i]))
                {
                    local.held[i] = if d > 0.0 { 1 } else { -1 };
                    blocked = true;
                }
            }
            if blocked && pass < 3 {
                continue;
            }
            if self.chain.simple {
                self.bend(&g, m, n);
            }
            break;
        }
        let local = &mut self.local;
        let largest = local.step.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if largest > gait.largest {
            local.step.iter_mut().for_each(|x| *x *= gait.largest / largest);
        }
        largest > 0.0
    }

    /// Adds −½ J⁺ (acceleration along the step), where that is small against the step.
    fn bend(&mut self, g: &Small, m: usize, n: usize) {
        let local = &mut self.local;
        let (linear, angular) = self.chain.acceleration(&local.geometry, &local.step);
        let mut y = [0.0; ROWS];
        for (x, row) in y.iter_mut().zip(&local.residual.a[..m]) {
            *x = -0.5
                * (row[0] * linear[0]
                    + row[1] * linear[1]
                    + row[2] * linear[2]
                    + row[3] * angular[0]
                    + row[4] * angular[1]
                    + row[5] * angular[2]);
        }
        std::mem::swap(&mut local.step, &mut local.range);
        local.apply_transposed(g, m, n, &mut y);
        std::mem::swap(&mut local.step, &mut local.range);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        if square(&local.range) <= 0.25 * square(&local.step) {
            local.step.iter_mut().zip(&local.range).for_each(|(x, y)| *x += y);
        }
    }
}

impl super::solver::Local {
    /// step ← J_freeᵀ (L Lᵀ)⁻¹ y.
    fn apply_transposed(&mut self, g: &Small, m: usize, n: usize, y: &mut [f64; ROWS]) {
        forward(m, g, y);
        backward(m, g, y);
        for c in 0..n {
            self.step[c] = if self.held[c] == 0 { (0..m).map(|i| self.jacobian[i * n + c] * y[i]).sum() } else { 0.0 };
        }
    }
}
