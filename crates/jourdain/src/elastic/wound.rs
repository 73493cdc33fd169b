//! How far damped springs are wound along a motion: K δ + D δ̇ = τ, solved forwards.
//!
//! With damping the deflection δ = θ − q that a motion of the links asks for is no function of the motion at one instant: it obeys
//! a differential equation of its own, δ̇ = (τ − K δ)/D. Forwards in time it is stable, and what is wrong with its start dies out
//! with the time constant D/K; backwards it would grow. It starts with the springs at rest: δ = K⁻¹ τ, δ̇ = 0.
//!
//! K/D may be far beyond every rate of the motion, so nothing is stepped by a formula for δ̇. On intervals of
//! [`INTERVAL`] τ is the polynomial of degree five through τ, τ̇, τ̈ at both ends (an error of h⁶ τ⁽⁶⁾/46080), and for that
//! polynomial the equation is solved exactly:
//!
//! - λ s > 3, with λ = K/D: δ(s) = δ_p(s) + (δ(0) − δ_p(0)) e^{−λ s}, δ_p = K⁻¹ Σ (−1/λ)ʲ τ⁽ʲ⁾, a finite sum
//! - otherwise, where that sum would cancel: δ(s) = δ(0) e^{−λ s} + D⁻¹ ∫ e^{−λ (s − σ)} τ(σ) dσ by Gauss' rule with eight points,
//!   which is exact to rounding there.
//!
//! Trap: a motion with a jump in its jerk (a cubic spline) has a kink in τ, which is rounded off over one interval.

use super::inverse::{InverseScratch, MotorMotion, damped_inverse_dynamics_into};
use super::model::ElasticModel;
use crate::dynamics::recursive::inverse_dynamics_tables_into;
use crate::prescribed::Reference;
use crate::state::LinkWrench;

/// The length of the intervals, s.
pub const INTERVAL: f64 = 1e-3;

/// Intervals that are always kept: integrators go back by less.
const KEPT: usize = 1 << 13;

/// Points and weights of Gauss' rule with eight points on [−1, 1]; the others mirror these.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_5],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_3],
];

/// A damped spring of the robot.
#[derive(Clone, Copy, Debug)]
struct Damped {
    /// Its place among the springs.
    place: usize,
    dof: usize,
    stiffness: f64,
    damping: f64,
}

/// τ and its first two derivatives at the begin of an interval, and δ there.
#[derive(Clone, Copy, Debug)]
struct Node {
    tau: [f64; 3],
    deflection: f64,
}

/// The deflections of the damped springs of a robot along a motion, from its start on.
#[derive(Clone, Debug)]
pub struct Wound<'m> {
    elastic: &'m ElasticModel<f64>,
    reference: Reference<'m>,
    with_loads: bool,
    damped: Vec<Damped>,
    /// The first interval that is kept.
    first: usize,
    /// One per damped spring, interval by interval.
    nodes: Vec<Node>,
    orders: [Vec<f64>; 5],
    loads: Vec<LinkWrench<f64>>,
    inverse: InverseScratch<f64>,
    /// Room for δ of all springs.
    deflection: Vec<f64>,
}

impl<'m> Wound<'m> {
    /// The springs of `elastic` along `reference`, at rest at its start; its loads are felt if `with_loads` says so.
    #[must_use]
    pub fn new(elastic: &'m ElasticModel<f64>, reference: Reference<'m>, with_loads: bool) -> Self {
        let springs = elastic.springs().iter().enumerate().filter(|(_, spring)| spring.damping != 0.0);
        let damped: Vec<Damped> = springs
            .map(|(place, spring)| Damped {
                place,
                dof: spring.dof,
                stiffness: spring.stiffness,
                damping: spring.damping,
            })
            .collect();
        let orders = reference.orders(0.0);
        let mut wound = Self {
            first: 0,
            nodes: Vec::with_capacity((2 * KEPT + 1) * damped.len()),
            inverse: InverseScratch::new(elastic.model()),
            deflection: vec![0.0; elastic.springs().len()],
            elastic,
            reference,
            with_loads,
            damped,
            orders,
            loads: Vec::new(),
        };
        wound.begin();
        wound
    }

    fn begin(&mut self) {
        self.first = 0;
        self.nodes.clear();
        self.torques(0.0);
        for k in 0..self.damped.len() {
            let tau = self.tau(k);
            self.nodes.push(Node { tau, deflection: tau[0] / self.damped[k].stiffness });
        }
    }

    /// The slowest time constant D/K of the robot's springs, s: how long a wrong start is felt.
    #[must_use]
    pub fn memory(&self) -> f64 {
        self.damped.iter().map(|spring| spring.damping / spring.stiffness).fold(0.0, f64::max)
    }

    /// Writes δ of the damped springs at time `t` after the start; entries of springs without damping are left.
    pub fn deflection_into(&mut self, t: f64, out: &mut [f64]) {
        let count = self.damped.len();
        if count == 0 {
            return;
        }
        // Rest has no history.
        let t = if matches!(self.reference, Reference::Rest(_)) { 0.0 } else { t.max(0.0) };
        let interval = (t / INTERVAL) as usize;
        if interval < self.first {
            self.begin();
        }
        while self.first + self.nodes.len() / count < interval + 2 {
            self.extend();
        }
        let s = (t - interval as f64 * INTERVAL).clamp(0.0, INTERVAL);
        let at = (interval - self.first) * count;
        for (k, spring) in self.damped.iter().enumerate() {
            out[spring.place] = spring.after(s, &self.nodes[at + k], &self.nodes[at + count + k].tau);
        }
    }

    /// What the motors do at time `t` after the start, and the torques that they need; for springs without damping as at any
    /// other instant.
    pub fn motors_into(&mut self, t: f64, out: &mut MotorMotion<f64>) {
        let mut deflection = std::mem::take(&mut self.deflection);
        self.deflection_into(t, &mut deflection);
        self.look_at(t);
        let Self { elastic, orders, loads, inverse, .. } = self;
        let [q, derivatives @ ..] = orders.each_ref().map(Vec::as_slice);
        damped_inverse_dynamics_into(elastic, q, &derivatives, &deflection, loads, inverse, out);
        self.deflection = deflection;
    }

    /// One interval more.
    fn extend(&mut self) {
        let count = self.damped.len();
        if self.nodes.len() > 2 * KEPT * count {
            self.nodes.drain(..KEPT * count);
            self.first += KEPT;
        }
        let last = self.nodes.len() - count;
        self.torques((self.first + self.nodes.len() / count) as f64 * INTERVAL);
        for k in 0..count {
            let tau = self.tau(k);
            let deflection = self.damped[k].after(INTERVAL, &self.nodes[last + k], &tau);
            self.nodes.push(Node { tau, deflection });
        }
    }

    /// The reference at a time, and its loads.
    fn look_at(&mut self, t: f64) {
        self.reference.at_into(t, &mut self.orders);
        if self.with_loads {
            self.reference.loads_with_rates_into(t, &mut self.loads);
        }
    }

    /// τ and its rates for all joints at a time.
    fn torques(&mut self, t: f64) {
        self.look_at(t);
        let Self { elastic, orders, loads, inverse, .. } = self;
        let [q, derivatives @ ..] = orders.each_ref().map(Vec::as_slice);
        let InverseScratch { tables, series } = inverse;
        inverse_dynamics_tables_into(elastic.model(), q, &derivatives, loads, tables, series);
    }

    fn tau(&self, k: usize) -> [f64; 3] {
        [0, 1, 2].map(|r| self.inverse.series[self.damped[k].dof].derivative(r))
    }
}

impl Damped {
    /// δ at `s` after the begin of an interval whose end has τ, τ̇, τ̈ = `end`.
    fn after(&self, s: f64, from: &Node, end: &[f64; 3]) -> f64 {
        let piece = quintic(&from.tau, end);
        let rate = self.stiffness / self.damping;
        let fading = (-rate * s).exp();
        if rate * s > 3.0 {
            let slow = |x: f64| (0..6).rev().fold(0.0, |sum, j| derivative(&piece, j, x) - sum / rate) / self.stiffness;
            return slow(s) + (from.deflection - slow(0.0)) * fading;
        }
        let half = 0.5 * s;
        let felt = |x: f64| (-rate * (s - x)).exp() * derivative(&piece, 0, x);
        let sum: f64 = GAUSS.iter().map(|[x, w]| w * (felt(half - half * x) + felt(half + half * x))).sum();
        from.deflection * fading + half * sum / self.damping
    }
}

/// The polynomial of degree five on one interval with these values and first two derivatives at its ends.
fn quintic(begin: &[f64; 3], end: &[f64; 3]) -> [f64; 6] {
    let h = INTERVAL;
    let d = (end[0] - begin[0] - h * (begin[1] + 0.5 * h * begin[2])) / (h * h * h);
    let e = (end[1] - begin[1] - h * begin[2]) / (h * h);
    let f = (end[2] - begin[2]) / h;
    [
        begin[0],
        begin[1],
        0.5 * begin[2],
        10.0 * d - 4.0 * e + 0.5 * f,
        (-15.0 * d + 7.0 * e - f) / h,
        (6.0 * d - 3.0 * e + 0.5 * f) / (h * h),
    ]
}

/// The derivative of order `r` of Σ c_k xᵏ.
fn derivative(piece: &[f64; 6], r: usize, x: f64) -> f64 {
    let falling = |k: usize| (0..r).fold(1.0, |product, i| product * (k - i) as f64);
    (r..6).rev().fold(0.0, |sum, k| sum * x + falling(k) * piece[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// τ = t⁵ on one interval has the solution of the textbook, whatever the damping: stiff, soft, and where the formulas meet.
    #[test]
    fn on_one_interval_the_equation_is_solved_exactly_for_every_damping() {
        let h = INTERVAL;
        let begin = Node { tau: [2.0, -30.0, 4e3], deflection: 1.7e-3 };
        let end = [2.1, 250.0, -9e4];
        for rate_per_interval in [1e-6, 1e-2, 1.0, 2.999, 3.001, 50.0, 1e6] {
            let stiffness = 1000.0;
            let spring = Damped { place: 0, dof: 0, stiffness, damping: stiffness * h / rate_per_interval };
            // Many small steps of the classic method, or for stiff springs the slow solution, which is all that is left.
            let piece = quintic(&begin.tau, &end);
            let count = (200.0_f64).max(20.0 * rate_per_interval);
            if count > 1e5 {
                let slow = derivative(&piece, 0, h) / stiffness
                    - derivative(&piece, 1, h) * spring.damping / stiffness.powi(2);
                assert!((spring.after(h, &begin, &end) / slow - 1.0).abs() < 1e-9);
                continue;
            }
            let (mut delta, step) = (begin.deflection, h / count);
            let rate = |s: f64, delta: f64| (derivative(&piece, 0, s) - stiffness * delta) / spring.damping;
            for k in 0..count as usize {
                let s = k as f64 * step;
                let a = rate(s, delta);
                let b = rate(s + 0.5 * step, delta + 0.5 * step * a);
                let c = rate(s + 0.5 * step, delta + 0.5 * step * b);
                let d = rate(s + step, delta + step * c);
                delta += step / 6.0 * (a + 2.0 * b + 2.0 * c + d);
            }
            let found = spring.after(h, &begin, &end);
            assert!((found - delta).abs() < 1e-8 * delta.abs(), "λ h = {rate_per_interval}: {found} for {delta}");
        }
    }
}
