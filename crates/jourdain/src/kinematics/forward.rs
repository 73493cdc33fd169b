//! Forward kinematics: where the links are and how they move.
//!
//! T_k = T_p · placement · T_joint(q) outwards from the ground, and G (26) for the twists,
//! v_k = Ad(T_pk)⁻¹ v_p + Ξ_k w. Twists are in the axes of their own link, at its origin.

use super::KinematicsScratch;
use crate::model::Model;
use crate::spatial::{Pose, Twist};
use jourdain_symbolic::Scalar;

/// The pose of one link in the world. Only its chain is computed, and nothing allocated.
///
/// # Panics
/// If there is no such link, or `q` is too short.
#[must_use]
pub fn pose<S: Scalar>(model: &Model<S::Constant>, q: &[S], link: usize) -> Pose<S> {
    let links = model.links();
    let mut pose = links[link].transform(q);
    for l in model.chain(link).skip(1) {
        pose = links[l].transform(q) * pose;
    }
    pose
}

/// The poses of all links in the world.
///
/// # Panics
/// If `q` is too short, or `out` is not one pose per link.
pub fn poses_into<S: Scalar>(model: &Model<S::Constant>, q: &[S], out: &mut [Pose<S>]) {
    assert_eq!(out.len(), model.links().len(), "one pose per link");
    for (k, link) in model.links().iter().enumerate() {
        let transform = link.transform(q);
        out[k] = link.parent.map_or(transform, |p| out[p] * transform);
    }
}

/// The poses of all links in the world; see [`poses_into`].
///
/// # Panics
/// If `q` is too short.
#[must_use]
pub fn poses<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Vec<Pose<S>> {
    let mut out = vec![Pose::identity(); model.links().len()];
    poses_into(model, q, &mut out);
    out
}

/// The twists of all links, each in its own axes at its own origin.
///
/// # Reference
/// G (26).
///
/// # Panics
/// If `q` or `w` is too short, or `out` is not one twist per link.
pub fn twists_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    scratch: &mut KinematicsScratch<S>,
    out: &mut [Twist<S>],
) {
    assert_eq!(out.len(), model.links().len(), "one twist per link");
    for (k, link) in model.links().iter().enumerate() {
        let xi = &mut scratch.columns[model.columns_of(k)];
        link.joint.subspace_into(link.position(q, &mut [S::zero()]), xi);
        let mut twist = link.parent.map_or(Twist::zero(), |p| link.transform(q).adjoint_inverse(out[p]));
        for (column, &w) in xi.iter().zip(link.velocity(w, &mut [S::zero()])) {
            twist += column.times(w);
        }
        out[k] = twist; // G (26)
    }
}

/// The twists of all links; see [`twists_into`].
///
/// # Panics
/// If `q` or `w` is too short.
#[must_use]
pub fn twists<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<Twist<S>> {
    let mut out = vec![Twist::zero(); model.links().len()];
    twists_into(model, q, w, &mut KinematicsScratch::new(model), &mut out);
    out
}
