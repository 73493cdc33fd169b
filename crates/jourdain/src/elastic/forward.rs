//! Forward dynamics: how links and rotors accelerate under motor torques.
//!
//! q̈ = M⁻¹ (τ − h) with τ = K (θ − q) + D (θ̇ − q̇) at elastic joints and τ = u at rigid ones,
//! θ̈ = B⁻¹ (u − τ − rotor friction). In the complete model both belong to one system of equations: [`rotors`](super::rotors).
//!
//! # Reference
//! Grimm (1), (2), solved for the accelerations.

use super::model::{ElasticModel, ElasticState, Spring};
use super::rotors::{RotorScratch, accelerations_into};
use crate::dynamics::recursive;
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// Scratch for one model and one thread.
#[derive(Clone, Debug)]
pub struct ForwardScratch<S: Scalar> {
    workspace: Workspace<S>,
    tau: Vec<S>,
    /// Of the complete model.
    rotors: Option<Box<Complete<S>>>,
}

#[derive(Clone, Debug)]
struct Complete<S: Scalar> {
    net: Vec<S>,
    scratch: RotorScratch<S>,
}

impl<S: Scalar> ForwardScratch<S> {
    /// Allocates everything for `elastic`.
    #[must_use]
    pub fn new(elastic: &ElasticModel<S::Constant>) -> Self {
        let complete = || {
            Box::new(Complete { net: vec![S::zero(); elastic.springs().len()], scratch: RotorScratch::new(elastic) })
        };
        Self {
            workspace: Workspace::new(elastic.model()),
            tau: vec![S::zero(); elastic.model().nv()],
            rotors: (!elastic.couplings().is_empty()).then(complete),
        }
    }
}

/// q̈ per joint and θ̈ per spring for the motor torques `u`, one per joint.
pub fn forward_dynamics_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    u: &[S],
    wrenches: &[LinkWrench<S>],
    scratch: &mut ForwardScratch<S>,
    qdd: &mut [S],
    theta_dd: &mut [S],
) {
    let ForwardScratch { workspace, tau, rotors } = scratch;
    tau.copy_from_slice(u);
    elastic.spring_torques_into(state, tau);
    let net = |(k, spring): (usize, &Spring<S::Constant>)| {
        u[spring.dof] - tau[spring.dof] - spring.rotor_friction(state.theta_d[k])
    };
    let springs = || elastic.springs().iter().enumerate();
    if let Some(complete) = rotors {
        let Complete { net: room, scratch } = complete.as_mut();
        room.iter_mut().zip(springs()).for_each(|(room, of)| *room = net(of));
        accelerations_into(elastic, state, [tau, room], wrenches, workspace, scratch, [qdd, theta_dd]);
        return;
    }
    for (k, spring) in springs() {
        theta_dd[k] = Spring::over(net((k, spring)), spring.inertia);
    }
    recursive::forward_dynamics_into(elastic.model(), state.q, state.qd, tau, wrenches, workspace, qdd);
}

/// q̈ and θ̈; see [`forward_dynamics_into`].
#[must_use]
pub fn forward_dynamics<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    u: &[S],
    wrenches: &[LinkWrench<S>],
) -> (Vec<S>, Vec<S>) {
    let mut qdd = vec![S::zero(); elastic.model().nv()];
    let mut theta_dd = vec![S::zero(); elastic.springs().len()];
    let scratch = &mut ForwardScratch::new(elastic);
    forward_dynamics_into(elastic, state, u, wrenches, scratch, &mut qdd, &mut theta_dd);
    (qdd, theta_dd)
}
