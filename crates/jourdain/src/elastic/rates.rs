//! Accelerations and power at a state, under torques and loads: what every integration of an elastic robot asks for.

use super::energy;
use super::forward::{ForwardScratch, forward_dynamics_into};
use super::model::{ElasticModel, ElasticState};
use crate::kinematics::{KinematicsScratch, twists_into};
use crate::spatial::Twist;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;

/// Scratch for one model and one thread.
#[derive(Clone, Debug)]
pub struct Rates<S: Scalar> {
    forward: ForwardScratch<S>,
    kinematics: KinematicsScratch<S>,
    twists: Vec<Twist<S>>,
    friction: Vec<S>,
}

impl<S: Scalar> Rates<S> {
    /// Allocates everything for `elastic`.
    #[must_use]
    pub fn new(elastic: &ElasticModel<S::Constant>) -> Self {
        let model = elastic.model();
        Self {
            forward: ForwardScratch::new(elastic),
            kinematics: KinematicsScratch::new(model),
            twists: vec![Twist::zero(); model.links().len()],
            friction: vec![S::zero(); model.nv()],
        }
    }

    /// Writes q̈ per joint and θ̈ per spring, and returns what torques, friction, damping and loads add to the energy per second.
    pub fn at_into(
        &mut self,
        elastic: &ElasticModel<S::Constant>,
        state: &ElasticState<'_, S>,
        torque: &[S],
        loads: &[LinkWrench<S>],
        qdd: &mut [S],
        theta_dd: &mut [S],
    ) -> S {
        forward_dynamics_into(elastic, state, torque, loads, &mut self.forward, qdd, theta_dd);
        let mut power = energy::power(elastic, state, torque, &mut self.friction);
        if !loads.is_empty() {
            twists_into(elastic.model(), state.q, state.qd, &mut self.kinematics, &mut self.twists);
            for load in loads {
                power += self.twists[load.link].dot(load.wrench);
            }
        }
        power
    }
}
