//! Positions that move along a direction: the input of partial derivatives.
//!
//! Any formula run on such a position gives, beside its value, its derivative along T·exp(ε δ̂): along δ itself but for
//! spherical and free joints, whose position numbers change by q̇(δ). Trap: seeding one component of a quaternion is not
//! a motion of the joint and leaves the unit sphere.

use crate::model::{Model, Motion};
use jourdain_symbolic::{Dual, Scalar};

/// The position `q` moving along `direction` (length nv).
///
/// # Panics
/// If `q`, `direction` or `out` is too short.
pub fn along_into<S: Scalar>(model: &Model<S::Constant>, q: &[S], direction: &[S], out: &mut [Dual<S>]) {
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let (nq, nv) = (link.joint.nq(), link.joint.nv());
        let (q, direction) = (&q[link.q..link.q + nq], &direction[link.v..link.v + nv]);
        let out = &mut out[link.q..link.q + nq];
        let mut rate = [S::zero(); 7];
        let rate = match link.joint.motion {
            Motion::Product(_) => direction,
            Motion::Spherical { .. } | Motion::Free => {
                link.joint.position_rate_into(q, direction, &mut rate[..nq]);
                &rate[..nq]
            }
        };
        for ((out, &value), &derivative) in out.iter_mut().zip(q).zip(rate) {
            *out = Dual::new(value, derivative);
        }
    }
}

/// The position `q` moving along `direction`; see [`along_into`].
///
/// ```
/// use jourdain::kinematics::{pose, tangent};
/// use jourdain::model::description::{Description, JointKind, LinkDescription, standard_gravity};
/// use jourdain::model::{Model, Number};
///
/// let mut link = LinkDescription::new("door", "base");
/// link.joint.kind = JointKind::Prismatic { axis: [Number::ONE, Number::ZERO, Number::ZERO] };
/// let links = vec![link];
/// let description = Description { name: "slide".into(), gravity: standard_gravity(), allow_unphysical: false, links, states: Vec::new() };
/// let model = Model::from_description(&description).unwrap();
/// let q = tangent::along(&model, &[0.3], &[1.0]);
/// assert_eq!(pose(&model, &q, 0).translation[0].derivative, 1.0);
/// ```
///
/// # Panics
/// If `q` or `direction` is too short.
#[must_use]
pub fn along<S: Scalar>(model: &Model<S::Constant>, q: &[S], direction: &[S]) -> Vec<Dual<S>> {
    let mut out = vec![Dual::fixed(S::zero()); model.nq()];
    along_into(model, q, direction, &mut out);
    out
}
