//! Joints that move no inertia: there the mass matrix is singular and forward dynamics has no answer.
//!
//! Two cases are told as such: nothing outboard of a joint has inertia; and the outermost rigid piece has, but not about
//! (or along) all directions that its joint moves it in, such as a point mass on the axis. A rotor on the joint cures both,
//! unless the joint is elastic (its rotor is then a coordinate apart). Every other set of joints that can move against each
//! other without moving inertia is found by [`loose`].
//!
//! If every joint without a rotor resists with the piece that it carries itself, M is positive definite, and no more is
//! asked: the innermost joint of a motion would move its own piece alone.

use super::super::Diagnostic;
use super::super::description::{Description, LinkDescription};
use super::super::joint::{Joint, Motion};
use super::super::lowered::Lowered;
use super::{Findings, loose};
use crate::model::description::MotorDescription;
use crate::spatial::{Inertia, Pose, Twist};
use crate::spectral;
use nalgebra::DMatrix;

/// A generalised inertia below this, over the most that the motion could feel of the piece, is zero.
const TOLERANCE: f64 = 1e-13;

pub(super) fn check(description: &Description, lowered: &Lowered<f64>, findings: &mut Findings) {
    let (links, order) = (&lowered.links, &lowered.order);
    let is_fixed = |motion: &Motion<f64>| matches!(motion, Motion::Product(screws) if screws.is_empty());
    let mut piece: Vec<Inertia<f64>> = links.iter().map(|link| link.inertia).collect();
    let mut has_inertia: Vec<bool> = piece.iter().map(resists).collect();
    let mut is_outermost = vec![true; links.len()];
    for (number, link) in links.iter().enumerate().rev() {
        let Some(parent) = link.parent else { continue };
        has_inertia[parent] |= has_inertia[number];
        if is_fixed(&link.motion) {
            let body = piece[number].transformed(&Pose::from(link.placement.clone()));
            piece[parent] += body;
            is_outermost[parent] &= is_outermost[number];
        } else {
            is_outermost[parent] = false;
        }
    }
    // Joints whose followers move inertia.
    let mut leads = vec![false; links.len()];
    for (link, moves_inertia) in links.iter().zip(&has_inertia) {
        if let Some(coupling) = &link.coupling {
            leads[coupling.leader] |= moves_inertia;
        }
    }

    let mut inside_reported = vec![false; links.len()];
    let mut doubtful = false;
    for (number, lowered) in links.iter().enumerate() {
        let link = &description.links[order[number]];
        inside_reported[number] = lowered.parent.is_some_and(|parent| inside_reported[parent]);
        let moves = !is_fixed(&lowered.motion) && lowered.coupling.is_none();
        if !moves || has_rotor(link) {
            continue;
        }
        let loose = !resists(&piece[number]) || moves_freely(link, &lowered.motion, &piece[number]);
        doubtful |= loose || piece[number].mass < 0.0;
        if inside_reported[number] || leads[number] {
            continue;
        }
        if !has_inertia[number] {
            inside_reported[number] = true;
            let message = format!(
                "nothing that joint `{}` moves has mass or inertia: with the massless link `{}` the mass matrix is singular",
                link.joint.name, link.name
            );
            findings.add(warning(link, message));
        } else if is_outermost[number] && loose {
            inside_reported[number] = true;
            let message = format!(
                "the inertia of link `{}` does not resist all motions of joint `{}`: the mass matrix is singular",
                link.name, link.joint.name
            );
            findings.add(warning(link, message));
        }
    }
    if doubtful {
        for set in loose::sets(description, lowered) {
            if set.iter().any(|&number| inside_reported[number]) {
                continue;
            }
            let link = &description.links[order[set[0]]];
            let names: Vec<String> =
                set.iter().map(|&number| format!("`{}`", description.links[order[number]].joint.name)).collect();
            let message = match &names[..] {
                [name] => format!("joint {name} can move without moving any inertia: the mass matrix is singular"),
                names => format!(
                    "the joints {} can move against each other without moving any inertia: the mass matrix is singular",
                    names.join(", ")
                ),
            };
            let finding = Diagnostic::warning("no-inertia", message).link(&link.name).joint(&link.joint.name);
            findings.add(finding.at(link.location).hint(HINT));
        }
    }
}

const HINT: &str =
    "give a link between them mass and inertia, or a joint a motor inertia; kinematics does not need them";

/// True unless the body has neither mass nor moments.
fn resists(inertia: &Inertia<f64>) -> bool {
    inertia.mass != 0.0 || inertia.rotational.to_array().iter().any(|element| *element != 0.0)
}

fn warning(link: &LinkDescription, message: String) -> Diagnostic {
    Diagnostic::warning("massless-tip", message)
        .link(&link.name)
        .joint(&link.joint.name)
        .at(link.location)
        .hint("give the link mass and inertia, or the joint a motor inertia; kinematics does not need them")
}

pub(super) fn has_rotor(link: &LinkDescription) -> bool {
    let turns = |motor: MotorDescription| motor.inertia.value * motor.ratio.value != 0.0 && motor.stiffness.is_none();
    link.motor.is_some_and(turns) || link.shaft.as_ref().is_some_and(|shaft| turns(shaft.motor))
}

/// True if Ξᵀ Λ Ξ of the outermost piece is singular. A Ξ that varies with q is looked at in one generic position: what
/// vanishes there vanishes in all.
fn moves_freely(link: &LinkDescription, motion: &Motion<f64>, piece: &Inertia<f64>) -> bool {
    let joint = Joint { kind: link.joint.kind.joint_type(), motion: motion.clone() };
    // One rigid piece has six directions to move in.
    if joint.nv() > 6 {
        return true;
    }
    let q: Vec<f64> = (0..joint.nq()).map(|number| 0.37 + 0.29 * (number % 7) as f64).collect();
    let mut twists = vec![Twist::zero(); joint.nv()];
    joint.subspace_into(&q, &mut twists);
    // The most that each motion could feel of the piece: a share of it is free of units.
    let Inertia { mass, first_moment, rotational: i } = *piece;
    let (m, h, i) = (mass.abs(), first_moment.norm(), i.xx.abs() + i.yy.abs() + i.zz.abs());
    let most = |twist: &Twist<f64>| {
        let (v, w) = (twist.linear.norm(), twist.angular.norm());
        (m * v * v + 2.0 * h * v * w + i * w * w).sqrt()
    };
    let shares: Vec<f64> = twists.iter().map(most).collect();
    if shares.contains(&0.0) {
        return true;
    }
    let share = |i: usize, j: usize| twists[i].dot(piece.apply(twists[j])) / (shares[i] * shares[j]);
    let smallest = match twists.len() {
        // Nearly every joint, of robots of up to a hundred thousand.
        1 => share(0, 0),
        n => spectral::symmetric(DMatrix::from_fn(n, n, share)).map_or(0.0, |eigen| eigen.eigenvalues.min()),
    };
    smallest.abs() <= TOLERANCE
}
