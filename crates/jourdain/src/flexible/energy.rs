//! Energies, and the angular momentum about the base.
//!
//! The momentum that belongs to θ₁ is that of the whole arm about its first joint; without gravity it changes by the first
//! torque and the first joint's friction alone, whatever the arm's inner forces do.

use super::arm::{FlexibleArm, Kinematics};
use super::terms::Terms;
use super::{first_order, turned, untruncated};
use jourdain_symbolic::Scalar;

/// ½ q̇ᵀ B q̇ from terms at the state.
#[must_use]
pub fn kinetic_energy<S: Scalar>(terms: &Terms<S>, qd: &[S]) -> S {
    let momentum = terms.inertia.apply(qd);
    momentum.iter().zip(qd).fold(S::zero(), |sum, (&p, &v)| p.mul_add(v, sum)) * S::from_f64(0.5)
}

/// The elastic energy ½ qᵀ K q, DS (13).
#[must_use]
pub fn elastic_energy<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> S {
    arm.stiffness().fold(S::zero(), |sum, (row, column, k)| sum + (q[row] * q[column]).scale(k)) * S::from_f64(0.5)
}

/// The potential energy of weight; zero if the arm's centre of mass is level with the base.
#[must_use]
pub fn weight_energy<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> S {
    match arm.kinematics() {
        Kinematics::Paper => first_order::weight_energy(arm, q),
        Kinematics::Linear | Kinematics::Rotation => untruncated::weight_energy(arm, q),
        Kinematics::Stiffened | Kinematics::Exact => turned::weight_energy(arm, q),
    }
}

/// The angular momentum about the base, the first row of B times q̇.
#[must_use]
pub fn base_momentum<S: Scalar>(terms: &Terms<S>, qd: &[S]) -> S {
    qd.iter().enumerate().fold(S::zero(), |sum, (c, &v)| terms.inertia[(0, c)].mul_add(v, sum))
}
