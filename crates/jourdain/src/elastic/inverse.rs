//! Inverse dynamics: what the motors do, and which torques they need, for a given motion of the links.
//!
//! θ = q + K⁻¹ τ,  θ̇ = q̇ + K⁻¹ τ̇,  θ̈ = q̈ + K⁻¹ τ̈,  u = B θ̈ + rotor friction + τ,
//!
//! with τ, τ̇, τ̈ from one pass of the derivative tables along q, q̇, …, q⁗: O(n). A rigid joint has u = τ.
//!
//! With damping K δ + D δ̇ = τ is a differential equation for the deflection δ = θ − q: the inverse has a state. Given δ,
//! δ̇ = D⁻¹ (τ − K δ) and δ̈ = D⁻¹ (τ̇ − K δ̇), so that only τ̇ is needed: the relative degree is three. That is
//! [`damped_inverse_dynamics_into`]; the plain form leaves damping out.
//!
//! # Reference
//! Grimm (1), (2) for u; MK (38) for τ̈.

use super::model::{ElasticModel, Spring};
use crate::dynamics::recursive::{TableScratch, inverse_dynamics_tables_into};
use crate::model::Model;
use crate::state::LinkWrench;
use jourdain_symbolic::{Jet, Scalar};

/// Scratch for one model and one thread.
#[derive(Clone, Debug)]
pub struct InverseScratch<S: Scalar> {
    pub(super) tables: TableScratch<S, 3>,
    /// The Taylor coefficients of τ.
    pub(super) series: Vec<Jet<S, 3>>,
}

impl<S: Scalar> InverseScratch<S> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        Self { tables: TableScratch::new(model), series: vec![Jet::fixed(S::zero()); model.nv()] }
    }
}

/// What the motors do: rotors per spring, torques per joint.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorMotion<S> {
    /// θ.
    pub theta: Vec<S>,
    /// θ̇.
    pub theta_d: Vec<S>,
    /// θ̈.
    pub theta_dd: Vec<S>,
    /// u.
    pub torque: Vec<S>,
}

impl<S: Scalar> MotorMotion<S> {
    /// Room for the motors of `elastic`.
    #[must_use]
    pub fn zero(elastic: &ElasticModel<S::Constant>) -> Self {
        let rotors = vec![S::zero(); elastic.springs().len()];
        let torque = vec![S::zero(); elastic.model().nv()];
        Self { theta: rotors.clone(), theta_d: rotors.clone(), theta_dd: rotors, torque }
    }
}

/// Motor motion and torques for q and `derivatives` = q̇, q̈, q⃛, q⁗ (those not given are zero), damping left out.
pub fn inverse_dynamics_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    scratch: &mut InverseScratch<S>,
    out: &mut MotorMotion<S>,
) {
    torques_into(elastic, q, derivatives, wrenches, scratch, out);
    for (k, spring) in elastic.springs().iter().enumerate() {
        let i = spring.dof;
        let tau = &scratch.series[i];
        let [deflection, rate, second] = [0, 1, 2].map(|r| Spring::over(tau.derivative(r), spring.stiffness));
        out.theta[k] = q[i] + deflection;
        out.theta_d[k] = rate + entry(derivatives, 0, i);
        out.theta_dd[k] = second + entry(derivatives, 1, i);
        drive(spring, k, tau.0[0], out);
    }
}

/// The same for springs with damping, given their deflections δ = θ − q; δ of springs without damping is not read. The rate of δ
/// to integrate is `theta_d` − q̇.
pub fn damped_inverse_dynamics_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    deflection: &[S],
    wrenches: &[LinkWrench<S>],
    scratch: &mut InverseScratch<S>,
    out: &mut MotorMotion<S>,
) {
    use jourdain_symbolic::Constant as _;
    inverse_dynamics_into(elastic, q, derivatives, wrenches, scratch, out);
    for (k, spring) in elastic.springs().iter().enumerate().filter(|(_, spring)| !spring.damping.is_zero()) {
        let i = spring.dof;
        let tau = &scratch.series[i];
        let rate = Spring::over(tau.0[0] - deflection[k].scale(spring.stiffness), spring.damping);
        let second = Spring::over(tau.derivative(1) - rate.scale(spring.stiffness), spring.damping);
        out.theta[k] = q[i] + deflection[k];
        out.theta_d[k] = rate + entry(derivatives, 0, i);
        out.theta_dd[k] = second + entry(derivatives, 1, i);
        drive(spring, k, tau.0[0], out);
    }
}

fn torques_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
    scratch: &mut InverseScratch<S>,
    out: &mut MotorMotion<S>,
) {
    inverse_dynamics_tables_into(elastic.model(), q, derivatives, wrenches, &mut scratch.tables, &mut scratch.series);
    for (torque, tau) in out.torque.iter_mut().zip(&scratch.series) {
        *torque = tau.0[0];
    }
}

/// u of a spring whose rotor's motion is known.
#[inline]
fn drive<S: Scalar>(spring: &Spring<S::Constant>, k: usize, tau: S, out: &mut MotorMotion<S>) {
    let against = tau + spring.rotor_friction(out.theta_d[k]);
    out.torque[spring.dof] = out.theta_dd[k].scale_add(spring.inertia, against);
}

#[inline]
fn entry<S: Scalar>(derivatives: &[&[S]], order: usize, i: usize) -> S {
    derivatives.get(order).map_or_else(S::zero, |values| values[i])
}

/// Motor motion and torques; see [`inverse_dynamics_into`].
#[must_use]
pub fn inverse_dynamics<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    wrenches: &[LinkWrench<S>],
) -> MotorMotion<S> {
    let mut out = MotorMotion::zero(elastic);
    let scratch = &mut InverseScratch::new(elastic.model());
    inverse_dynamics_into(elastic, q, derivatives, wrenches, scratch, &mut out);
    out
}

/// θ = q + K⁻¹ τ in the order of q, for the registry: rigid joints keep their q, quaternions too.
pub(crate) fn motor_position<S: Scalar>(model: &Model<S::Constant>, q: &[S], tau: &[S]) -> Vec<S> {
    let mut theta = q.to_vec();
    for spring in super::model::springs(model) {
        theta[model.links()[spring.link].q] += Spring::over(tau[spring.dof], spring.stiffness);
    }
    theta
}

/// B θ̈ + rotor friction + τ in the order of the velocity, for the registry; `rates` are τ, τ̇, τ̈.
pub(crate) fn motor_torque<S: Scalar>(model: &Model<S::Constant>, qd: &[S], qdd: &[S], rates: [&[S]; 3]) -> Vec<S> {
    let mut torque = rates[0].to_vec();
    for spring in super::model::springs(model) {
        let i = spring.dof;
        let speed = qd[i] + Spring::over(rates[1][i], spring.stiffness);
        let acceleration = qdd[i] + Spring::over(rates[2][i], spring.stiffness);
        torque[i] = acceleration.scale_add(spring.inertia, torque[i] + spring.rotor_friction(speed));
    }
    torque
}
