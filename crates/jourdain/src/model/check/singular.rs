//! Joints that move no inertia: there the mass matrix is singular and forward dynamics has no answer.
//!
//! Two cases are certain in every configuration and are reported: nothing outboard of a joint has inertia; and the
//! outermost rigid piece has, but not about (or along) all directions that its joint moves it in, such as a point mass
//! on the axis. A rotor on the joint cures both, unless the joint is elastic (its rotor is then a coordinate apart).

use super::super::Diagnostic;
use super::super::description::{Description, JointKind, LinkDescription};
use super::Findings;
use super::mimic::Leaders;
use super::motion::{RigidInertia, pose, subspace};
use super::topology::Tree;

/// A generalised inertia below this, over the piece's mass and moments, is zero.
const TOLERANCE: f64 = 1e-13;

pub(super) fn check(description: &Description, tree: &Tree, findings: &mut Findings) {
    let links = &description.links;
    let mut piece: Vec<RigidInertia> = links.iter().map(RigidInertia::of).collect();
    let mut has_inertia: Vec<bool> = piece.iter().map(|inertia| !inertia.is_zero()).collect();
    let mut is_outermost = vec![true; links.len()];
    for &link in tree.order.iter().rev() {
        let Some(parent) = tree.parent[link] else { continue };
        has_inertia[parent] |= has_inertia[link];
        if links[link].joint.kind == JointKind::Fixed {
            let body = piece[link];
            piece[parent].add(&body, &pose(&links[link].placement));
            is_outermost[parent] &= is_outermost[link];
        } else {
            is_outermost[parent] = false;
        }
    }
    let leads = leaders_of_inertia(description, &has_inertia);

    let mut inside_reported = vec![false; links.len()];
    for &number in &tree.order {
        let link = &links[number];
        inside_reported[number] = tree.parent[number].is_some_and(|parent| inside_reported[parent]);
        let moves = link.joint.kind != JointKind::Fixed && link.joint.mimic.is_none();
        if !moves || inside_reported[number] || leads[number] || has_rotor(link) {
            continue;
        }
        if !has_inertia[number] {
            inside_reported[number] = true;
            let message = format!(
                "nothing that joint `{}` moves has mass or inertia: with the massless link `{}` the mass matrix is singular",
                link.joint.name, link.name
            );
            findings.add(warning(link, message));
        } else if is_outermost[number] && moves_freely(link, &piece[number]) {
            let message = format!(
                "the inertia of link `{}` does not resist all motions of joint `{}`: the mass matrix is singular",
                link.name, link.joint.name
            );
            findings.add(warning(link, message));
        }
    }
}

fn warning(link: &LinkDescription, message: String) -> Diagnostic {
    Diagnostic::warning("massless-tip", message)
        .link(&link.name)
        .joint(&link.joint.name)
        .at(link.location)
        .hint("give the link mass and inertia, or the joint a motor inertia; kinematics does not need them")
}

/// Joints whose followers move inertia.
fn leaders_of_inertia(description: &Description, has_inertia: &[bool]) -> Vec<bool> {
    let mut leads = vec![false; has_inertia.len()];
    let leaders = Leaders::new(description);
    for (link, moves_inertia) in description.links.iter().zip(has_inertia) {
        if let Some(leader) = link.joint.mimic.as_ref().and_then(|mimic| leaders.find(&mimic.joint)) {
            leads[leader] |= moves_inertia;
        }
    }
    leads
}

fn has_rotor(link: &LinkDescription) -> bool {
    link.motor.is_some_and(|motor| motor.inertia.value * motor.ratio.value != 0.0 && motor.stiffness.is_none())
}

/// True if Ξᵀ Λ Ξ of the outermost piece is singular.
fn moves_freely(link: &LinkDescription, piece: &RigidInertia) -> bool {
    let twists = subspace(link);
    // One rigid piece has six directions to move in.
    if twists.len() > 6 {
        return true;
    }
    let reach = twists.iter().map(nalgebra::Matrix::norm_squared).fold(1.0, f64::max);
    let smallest = piece.seen_by(&twists).symmetric_eigenvalues().min();
    smallest.abs() <= TOLERANCE * piece.scale() * reach
}
