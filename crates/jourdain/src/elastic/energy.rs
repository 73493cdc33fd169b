//! Energy of an elastic robot, and what changes it.
//!
//! T = ½ q̇ᵀ M q̇ + ½ θ̇ᵀ B θ̇ (+ q̇ᵀ S θ̇ in the complete model),  V = V_gravity + ½ (θ − q)ᵀ K (θ − q),
//! d(T + V)/dt = uᵀ θ̇ − friction of links and rotors − (θ̇ − q̇)ᵀ D (θ̇ − q̇), with q̇ for θ̇ at rigid joints.

use super::model::{ElasticModel, ElasticState};
use super::rotors;
use crate::dynamics::{drive, recursive};
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant as _, Scalar};

/// T: links, rotors of rigid joints with them, and rotors of elastic ones.
pub fn kinetic_energy<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    workspace: &mut Workspace<S>,
) -> S {
    let links = recursive::kinetic_energy(elastic.model(), state.q, state.qd, workspace);
    let spinning = elastic.springs().iter().zip(state.theta_d);
    spinning.fold(links + rotors::kinetic_energy(elastic, state), |sum, (spring, &speed)| {
        sum + half(speed * speed).scale(spring.inertia)
    })
}

/// V: gravity and springs.
pub fn potential_energy<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    workspace: &mut Workspace<S>,
) -> S {
    let gravity = recursive::potential_energy(elastic.model(), state.q, workspace);
    let springs = elastic.springs().iter().zip(state.theta);
    springs.fold(gravity, |sum, (spring, &theta)| {
        let deflection = theta - state.q[spring.dof];
        sum + half(deflection * deflection).scale(spring.stiffness)
    })
}

/// What the torques `u`, friction and damping add to T + V per second; `friction` is room for one number per joint.
pub fn power<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    state: &ElasticState<'_, S>,
    u: &[S],
    friction: &mut [S],
) -> S {
    friction.fill(S::zero());
    drive::add_torques(elastic.model(), state.q, state.qd, friction);
    let mut power = S::zero();
    for (&speed, &friction) in state.qd.iter().zip(friction.iter()) {
        power -= speed * friction;
    }
    for &i in elastic.rigid() {
        power = u[i].mul_add(state.qd[i], power);
    }
    for (spring, &speed) in elastic.springs().iter().zip(state.theta_d) {
        power = (u[spring.dof] - spring.rotor_friction(speed)).mul_add(speed, power);
        if !spring.damping.is_zero() {
            let rate = speed - state.qd[spring.dof];
            power -= (rate * rate).scale(spring.damping);
        }
    }
    power
}

fn half<S: Scalar>(x: S) -> S {
    x * S::from_f64(0.5)
}
