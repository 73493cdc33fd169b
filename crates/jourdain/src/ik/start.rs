//! Where to start: the middle of the ranges, then random positions, the same for the same seed.

use super::chain::Chain;
use crate::model::Model;
use crate::random::Random;
use std::f64::consts::PI;

impl Random {
    /// A random position of the chain's joints: within their limits, else a turn or a few of the robot's `length`.
    pub fn chain_position(&mut self, chain: &Chain, model: &Model<f64>, length: f64, q: &mut [f64]) {
        for variable in chain.variables() {
            let Some(position) = variable.position else { continue };
            let [low, high] = variable.limits;
            let turning = if variable.turns { PI } else { 2.0 * length };
            let [low, high] = match (low.is_finite(), high.is_finite()) {
                (true, true) => [low, high],
                (true, false) => [low, low + 2.0 * turning],
                (false, true) => [high - 2.0 * turning, high],
                (false, false) => [-turning, turning],
            };
            q[position] = low + (high - low) * self.fraction();
        }
        for &(_, link) in chain.quaternions() {
            let link = &model.links()[link];
            let mut delta = [0.0; 6];
            let count = link.joint.nv();
            for (i, x) in delta[..count].iter_mut().enumerate() {
                let size = if count == 6 && i < 3 { 2.0 * length } else { 2.0 };
                *x = size * (2.0 * self.fraction() - 1.0);
            }
            let q = &mut q[link.q..link.q + link.joint.nq()];
            link.joint.neutral_into(q);
            link.joint.retract(q, &delta[..count]);
        }
    }
}

/// The middle of every range, zero where there is none; quaternions stay.
pub(crate) fn middle(chain: &Chain, q: &mut [f64]) {
    for variable in chain.variables() {
        let Some(position) = variable.position else { continue };
        let [low, high] = variable.limits;
        q[position] = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * (low + high),
            _ => 0.0_f64.clamp(low, high),
        };
    }
}
