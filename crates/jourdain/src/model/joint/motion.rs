//! A joint of a model: T(q), the subspace Ξ(q) and its derivatives, q ⊕ δ.
//!
//! A joint moves its link against the parent by T(q); the link's twist against the parent, in link axes at the link
//! origin, is Ξ(q) w. All types but spherical and free are products of exponentials, exp(X₁q₁) … exp(X_m q_m), with
//! w = q̇; spherical and free joints have a constant Ξ and velocities w that are not the rates of q.
//!
//! # Reference
//! G (26), (28)–(32); the rules for a Ξ that depends on q are in `ARCHITECTURE.md`, "joints with a moving subspace".

use super::{JointKind, JointType, Screw, free, product, spherical};
use crate::model::lowered::{Lowering, NUMBERS};
use crate::spatial::{Pose, Twist, Vector};
use jourdain_symbolic::{Constant, Scalar};

/// How a joint moves its link.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion<T> {
    /// exp(X₁q₁) … exp(X_m q_m), X in link axes at zero position; empty for a fixed joint.
    Product(Vec<Screw<T>>),
    /// Rotation about a point of the link; q = unit quaternion w, x, y, z, velocity = angular velocity in link axes.
    Spherical {
        /// The centre in the link frame, m.
        center: Vector<T>,
    },
    /// Any motion; q = position, quaternion; velocity = twist in link axes, linear part first.
    Free,
}

/// A joint: its type's name and its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<T> {
    /// The type's name.
    pub kind: JointType,
    /// What it does.
    pub motion: Motion<T>,
}

impl<T: Constant> Joint<T> {
    /// Numbers in the position.
    #[must_use]
    pub fn nq(&self) -> usize {
        match &self.motion {
            Motion::Product(screws) => screws.len(),
            Motion::Spherical { .. } => 4,
            Motion::Free => 7,
        }
    }

    /// Numbers in the velocity.
    #[must_use]
    pub fn nv(&self) -> usize {
        match &self.motion {
            Motion::Product(screws) => screws.len(),
            Motion::Spherical { .. } => 3,
            Motion::Free => 6,
        }
    }

    /// Where the quaternion stands among the joint's numbers of the position, if it has one.
    #[must_use]
    pub fn quaternion(&self) -> Option<usize> {
        match &self.motion {
            Motion::Product(_) => None,
            Motion::Spherical { .. } => Some(0),
            Motion::Free => Some(3),
        }
    }

    /// True if one of the joint's velocity numbers, from 0, is that of a length; false if it is that of an angle.
    ///
    /// # Panics
    /// If a product has not as many.
    #[must_use]
    pub fn slides(&self, number: usize) -> bool {
        match &self.motion {
            Motion::Product(screws) => matches!(screws[number], Screw::Translation { .. }),
            Motion::Spherical { .. } => false,
            Motion::Free => number < 3,
        }
    }

    /// True if the subspace Ξ moves with q.
    #[must_use]
    pub fn has_moving_subspace(&self) -> bool {
        matches!(&self.motion, Motion::Product(screws) if screws.len() > 1)
    }

    /// T(q), the link frame after the motion in the link frame before it. Quaternions must be unit.
    #[must_use]
    pub fn transform<S: Scalar<Constant = T>>(&self, q: &[S]) -> Pose<S> {
        match &self.motion {
            Motion::Product(screws) => product::transform(screws, q),
            Motion::Spherical { center } => spherical::transform(*center, q),
            Motion::Free => free::transform(q),
        }
    }

    /// The columns Ξʲ: link twists per unit of each velocity number, link axes at the link origin.
    pub fn subspace_into<S: Scalar<Constant = T>>(&self, q: &[S], out: &mut [Twist<S>]) {
        match &self.motion {
            Motion::Product(screws) => product::subspace(screws, q, out),
            Motion::Spherical { center } => spherical::subspace(*center, out),
            Motion::Free => free::subspace(out),
        }
    }

    /// Ξ̇ʲ given Ξ and the velocity.
    pub fn subspace_dot_into<S: Scalar<Constant = T>>(&self, xi: &[Twist<S>], w: &[S], out: &mut [Twist<S>]) {
        if self.has_moving_subspace() {
            product::subspace_dot(xi, w, out);
        } else {
            out.fill(Twist::zero());
        }
    }

    /// Ξ̈ʲ given Ξ, Ξ̇, the velocity and its rate.
    pub fn subspace_ddot_into<S: Scalar<Constant = T>>(
        &self,
        xi: &[Twist<S>],
        xi_dot: &[Twist<S>],
        w: &[S],
        w_dot: &[S],
        out: &mut [Twist<S>],
    ) {
        if self.has_moving_subspace() {
            product::subspace_ddot(xi, xi_dot, w, w_dot, out);
        } else {
            out.fill(Twist::zero());
        }
    }

    /// ∂Ξʲ/∂q_h, along T·exp(ε Ξʰ) for spherical and free joints (where it is zero).
    #[must_use]
    pub fn subspace_partial<S: Scalar<Constant = T>>(&self, xi: &[Twist<S>], j: usize, h: usize) -> Twist<S> {
        if self.has_moving_subspace() { product::subspace_partial(xi, j, h) } else { Twist::zero() }
    }

    /// ∂Ξ̇ʲ/∂q_h given Ξ and the velocity.
    #[must_use]
    pub fn subspace_dot_partial<S: Scalar<Constant = T>>(
        &self,
        xi: &[Twist<S>],
        w: &[S],
        j: usize,
        h: usize,
    ) -> Twist<S> {
        if self.has_moving_subspace() { product::subspace_dot_partial(xi, w, j, h) } else { Twist::zero() }
    }

    /// q with every number at rest: zeros, and the identity quaternion.
    pub fn neutral_into<S: Scalar>(&self, q: &mut [S]) {
        q.fill(S::zero());
        match &self.motion {
            Motion::Product(_) => {}
            Motion::Spherical { .. } => q[0] = S::one(),
            Motion::Free => q[3] = S::one(),
        }
    }

    /// The rate of the position numbers q̇ for the velocity w.
    pub fn position_rate_into<S: Scalar>(&self, q: &[S], w: &[S], rate: &mut [S]) {
        match &self.motion {
            Motion::Product(_) => rate.copy_from_slice(w),
            Motion::Spherical { .. } => spherical::position_rate(q, w, rate),
            Motion::Free => free::position_rate(q, w, rate),
        }
    }
}

impl From<&JointKind> for Joint<f64> {
    /// The joint that a robot file describes, in the link frame.
    fn from(kind: &JointKind) -> Self {
        Self { kind: kind.joint_type(), motion: kind.motion(&Lowering::new(0, &NUMBERS)) }
    }
}

impl Joint<f64> {
    /// The position reached from q by the joint motion T(q)·exp(δ): `q ⊕ δ`, in place; quaternions stay unit.
    pub fn retract(&self, q: &mut [f64], delta: &[f64]) {
        match &self.motion {
            Motion::Product(_) => q.iter_mut().zip(delta).for_each(|(q, d)| *q += d),
            Motion::Spherical { .. } => spherical::retract(q, delta),
            Motion::Free => free::retract(q, delta),
        }
    }
}
