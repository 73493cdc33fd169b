//! Laws of a rigid robot that follow a reference q_d, with e = q_d − q.
//!
//! - PD: u = K_P e + K_D ė
//! - PD with gravity: u = g(q) + K_P e + K_D ė. At a goal ½ q̇ᵀ M q̇ + ½ eᵀ K_P e falls at the rate q̇ᵀ K_D q̇.
//! - feed-forward: u = τ(q_d, q̇_d, q̈_d) + K_P e + K_D ė
//! - computed torque: u = τ(q, q̇, q̈_d + K_D ė + K_P e), so that ë + K_D ė + K_P e = 0
//!
//! τ has friction in it. Trap: smoothed Coulomb friction at a measured velocity near zero switches with the noise.

use super::controller::{Controller, Moment};
use crate::dynamics::{balance, recursive};
use crate::model::Model;
use crate::prescribed::Reference;
use crate::workspace::Workspace;

/// Which of the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    Pd,
    PdGravity,
    FeedForward,
    ComputedTorque,
}

/// A law at work.
pub(super) struct ModelLaw<'m> {
    model: &'m Model<f64>,
    kind: Follow,
    gains: Vec<[f64; 2]>,
    reference: Reference<'m>,
    orders: [Vec<f64>; 3],
    acceleration: Vec<f64>,
    workspace: Workspace<f64>,
}

impl<'m> ModelLaw<'m> {
    pub fn new(model: &'m Model<f64>, kind: Follow, gains: Vec<[f64; 2]>, reference: Reference<'m>) -> Self {
        let zero = vec![0.0; model.nv()];
        let orders = std::array::from_fn(|_| zero.clone());
        Self { model, kind, gains, reference, orders, acceleration: zero, workspace: Workspace::new(model) }
    }
}

impl Controller for ModelLaw<'_> {
    fn torque_into(&mut self, at: Moment, x: &[f64], _: &[f64], _: &mut [f64], torque: &mut [f64]) {
        let Self { model, kind, gains, reference, orders, acceleration, workspace } = self;
        reference.at_into(at.t, orders);
        let (q, qd) = x.split_at(model.nq());
        let [q_d, qd_d, qdd_d] = orders;
        let correction = |i: usize| {
            let [position, velocity] = gains[i];
            position * (q_d[i] - q[i]) + velocity * (qd_d[i] - qd[i])
        };
        match kind {
            Follow::Pd => torque.fill(0.0),
            Follow::PdGravity => {
                recursive::gravity_into(model, q, workspace, torque);
                balance::add_torques(model, q, torque);
            }
            Follow::FeedForward => {
                recursive::inverse_dynamics_into(model, q_d, qd_d, qdd_d, &[], workspace, torque);
            }
            Follow::ComputedTorque => {
                (0..qd.len()).for_each(|i| acceleration[i] = qdd_d[i] + correction(i));
                recursive::inverse_dynamics_into(model, q, qd, acceleration, &[], workspace, torque);
                return;
            }
        }
        torque.iter_mut().enumerate().for_each(|(i, torque)| *torque += correction(i));
    }
}
