//! Kinetic and potential energy, in O(n), with the physical inertias.
//!
//! Potential energy is zero where all mass is at the ground's origin: V = −Σ m g·c.

use crate::dynamics::drive;
use crate::kinematics::{poses_into, twists_into};
use crate::model::Model;
use crate::spatial::{Pose, Twist};
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Scalar};

/// Calls `visit(link, pose in the ground frame, twist in link axes)` for every link.
pub(super) fn for_each_link<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    workspace: &mut Workspace<S>,
    mut visit: impl FnMut(usize, &Pose<S>, Twist<S>),
) {
    let Workspace { kinematics, poses, twists, .. } = workspace;
    poses_into(model, q, poses);
    twists_into(model, q, w, kinematics, twists);
    for (link, (pose, &twist)) in poses.iter().zip(twists.iter()).enumerate() {
        visit(link, pose, twist);
    }
}

/// ½ q̇ᵀ M q̇, J; armature included.
pub fn kinetic_energy<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], workspace: &mut Workspace<S>) -> S {
    let mut twice = S::zero();
    for_each_link(model, q, w, workspace, |link, _, v| {
        let inertia = &model.links()[link].inertia;
        if !inertia.is_zero() {
            twice += v.dot(inertia.lift().apply(v));
        }
    });
    for (i, j, armature) in drive::armatures(model) {
        twice += (w[i] * w[j]).scale(armature);
    }
    twice * S::from_f64(0.5)
}

/// −Σ m g·c, J.
pub fn potential_energy<S: Scalar>(model: &Model<S::Constant>, q: &[S], workspace: &mut Workspace<S>) -> S {
    let mut energy = S::zero();
    let up = -model.gravity();
    let rest = std::mem::take(&mut workspace.rest);
    for_each_link(model, q, &rest, workspace, |link, pose, _| {
        let inertia = &model.links()[link].inertia;
        let moment = pose.rotation.apply(inertia.first_moment.lift()) + pose.translation.map(|x| x.scale(inertia.mass));
        for k in 0..3 {
            if !up[k].is_zero() {
                energy = moment[k].scale_add(up[k], energy);
            }
        }
    });
    workspace.rest = rest;
    energy
}
