//! The terms of the equation of motion, B q̈ + h + K q + D q̇ + g = Q u, DS (25) with gravity.
//!
//! h is the exact Christoffel vector, DS (26), of whichever B the kinematics give, so that energy and momentum balance to
//! rounding: h = Ḃ q̇ − ½ ∂(q̇ᵀ B q̇)/∂q.

use super::arm::{FlexibleArm, Kinematics};
use super::{first_order, turned, untruncated};
use crate::matrix::Matrix;
use jourdain_symbolic::{Constant, Scalar};

/// B, h and g at one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms<S> {
    /// B, symmetric.
    pub inertia: Matrix<S>,
    /// h
    pub velocity: Vec<S>,
    /// g, the derivative of the potential energy of weight.
    pub gravity: Vec<S>,
}

impl<S: Scalar> Terms<S> {
    /// For arms of that many coordinates.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { inertia: Matrix::zeros(size, size), velocity: vec![S::zero(); size], gravity: vec![S::zero(); size] }
    }
}

/// Memory that the terms are computed in.
#[derive(Clone, Debug)]
pub struct Scratch<S> {
    pub(super) first_order: first_order::Memory<S>,
    pub(super) untruncated: untruncated::Memory<S>,
    pub(super) turned: turned::Memory<S>,
}

impl<S: Scalar> Scratch<S> {
    /// For one arm.
    #[must_use]
    pub fn new<T: Constant>(arm: &FlexibleArm<T>) -> Self {
        Self {
            first_order: first_order::Memory::new(arm),
            untruncated: untruncated::Memory::new(arm),
            turned: turned::Memory::new(arm),
        }
    }
}

/// B, h and g; allocates nothing.
///
/// # Panics
/// If a slice or `out` does not have the arm's size.
///
/// # Reference
/// DS (25), (26).
pub fn terms_into<S: Scalar>(
    arm: &FlexibleArm<S::Constant>,
    q: &[S],
    qd: &[S],
    scratch: &mut Scratch<S>,
    out: &mut Terms<S>,
) {
    assert_eq!((q.len(), qd.len(), out.velocity.len()), (arm.size(), arm.size(), arm.size()), "coordinates of the arm");
    match arm.kinematics() {
        Kinematics::Paper => first_order::terms_into(arm, q, qd, &mut scratch.first_order, out),
        Kinematics::Linear | Kinematics::Rotation => {
            untruncated::terms_into(arm, q, qd, &mut scratch.untruncated, out);
        }
        Kinematics::Stiffened | Kinematics::Exact => turned::terms_into(arm, q, qd, &mut scratch.turned, out),
    }
}

/// B, h and g.
///
/// # Panics
/// If a slice does not have the arm's size.
#[must_use]
pub fn terms<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S]) -> Terms<S> {
    let mut out = Terms::new(arm.size());
    terms_into(arm, q, qd, &mut Scratch::new(arm), &mut out);
    out
}

/// Adds K q.
pub fn add_stiffness<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S], out: &mut [S]) {
    for (row, column, k) in arm.stiffness() {
        out[row] = q[column].scale_add(k, out[row]);
    }
}

/// Adds D q̇.
pub fn add_damping<S: Scalar>(arm: &FlexibleArm<S::Constant>, qd: &[S], out: &mut [S]) {
    let n = arm.joints();
    for (i, link) in arm.links().iter().enumerate() {
        out[i] = qd[i].scale_add(link.viscous, out[i]);
    }
    for (c, damping) in (n..).zip(arm.links().iter().flat_map(|link| &link.damping)) {
        out[c] = qd[c].scale_add(*damping, out[c]);
    }
}

/// The generalised forces of a motion, B q̈ + h + g + K q + D q̇: the first n are the joint torques, the rest is zero if the
/// motion is one that torques can cause.
///
/// # Panics
/// If a slice does not have the arm's size.
#[must_use]
pub fn forces<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S], qd: &[S], qdd: &[S]) -> Vec<S> {
    let Terms { inertia, velocity, gravity } = terms(arm, q, qd);
    let mut out = inertia.apply(qdd);
    for ((out, &h), &g) in out.iter_mut().zip(&velocity).zip(&gravity) {
        *out += h + g;
    }
    add_stiffness(arm, q, &mut out);
    add_damping(arm, qd, &mut out);
    out
}
