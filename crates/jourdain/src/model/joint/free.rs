//! The free joint: q = position of the link origin (3) then unit quaternion (4); velocity = twist in **link** axes, linear
//! part first. A floating base is a free joint at the root and needs no other code.

use super::{Facts, JointKind};
use crate::spatial::{Pose, Quaternion, Twist, Vector};
use jourdain_symbolic::Scalar;

pub(super) const FACTS: Facts = Facts::new("free", &[], || JointKind::Free);

pub(super) fn transform<S: Scalar>(q: &[S]) -> Pose<S> {
    Pose { rotation: Quaternion::new([q[3], q[4], q[5], q[6]]).to_rotation(), translation: Vector([q[0], q[1], q[2]]) }
}

pub(super) fn subspace<S: Scalar>(out: &mut [Twist<S>]) {
    for (i, column) in out.iter_mut().enumerate() {
        *column = Twist::unit(i);
    }
}

pub(super) fn position_rate<S: Scalar>(q: &[S], w: &[S], rate: &mut [S]) {
    let attitude = Quaternion::new([q[3], q[4], q[5], q[6]]);
    let linear = attitude.to_rotation().apply(Vector([w[0], w[1], w[2]]));
    rate[..3].copy_from_slice(&linear.0);
    rate[3..].copy_from_slice(&attitude.rate(Vector([w[3], w[4], w[5]])).to_array());
}

pub(super) fn retract(q: &mut [f64], delta: &[f64]) {
    let step = Pose::exp(Twist::from_array(std::array::from_fn(|i| delta[i])));
    let moved = transform(q) * step;
    let attitude = Quaternion::new([q[3], q[4], q[5], q[6]]) * Quaternion::exp(Vector([delta[3], delta[4], delta[5]]));
    q[..3].copy_from_slice(&moved.translation.0);
    q[3..].copy_from_slice(&attitude.normalized().to_array());
}
