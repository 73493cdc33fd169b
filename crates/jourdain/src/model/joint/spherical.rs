//! The spherical joint: rotation about a point of the link. q = unit quaternion (w, x, y, z), velocity = angular velocity
//! in link axes; q̇ = ½ q ⊗ (0, ω). No chart, so no singularity.

use super::facts::ORIGIN;
use super::{Facts, JointKind};
use crate::spatial::{Pose, Quaternion, Twist, Vector};
use jourdain_symbolic::Scalar;

pub(super) const FACTS: Facts = Facts::new("spherical", &["point"], || JointKind::Spherical { point: ORIGIN });

fn quaternion<S: Scalar>(q: &[S]) -> Quaternion<S> {
    Quaternion::new([q[0], q[1], q[2], q[3]])
}

pub(super) fn transform<S: Scalar>(center: Vector<S::Constant>, q: &[S]) -> Pose<S> {
    let rotation = quaternion(q).to_rotation();
    let translation = if center.is_zero() { Vector::zero() } else { center.lift() - rotation.apply(center.lift()) };
    Pose { rotation, translation }
}

pub(super) fn subspace<S: Scalar>(center: Vector<S::Constant>, out: &mut [Twist<S>]) {
    let center = center.lift();
    for (i, column) in out.iter_mut().enumerate() {
        let axis = Vector::unit(i);
        *column = Twist { linear: center.cross(axis), angular: axis };
    }
}

pub(super) fn position_rate<S: Scalar>(q: &[S], w: &[S], rate: &mut [S]) {
    rate.copy_from_slice(&quaternion(q).rate(Vector([w[0], w[1], w[2]])).to_array());
}

pub(super) fn retract(q: &mut [f64], delta: &[f64]) {
    let turned = quaternion(q) * Quaternion::exp(Vector([delta[0], delta[1], delta[2]]));
    q.copy_from_slice(&turned.normalized().to_array());
}
