//! `<joint>` and `<freejoint>`: what the motion of a link is made of in MuJoCo.

use super::super::super::plain::{Losses, Part, Plain, fresh, rigid_drive};
use super::super::super::written::Unwritable;
use super::super::super::xml::write::{Attributes, Writer};
use super::group::Group;
use crate::model::Motion;
use crate::model::joint::Screw;
use crate::spatial::{Pose, Vector};
use std::collections::HashSet;

/// A joint of a body, in the body's frame.
pub(super) struct MjcfJoint {
    name: String,
    pub kind: MjcfKind,
    limits: Option<[f64; 2]>,
    effort: Option<f64>,
    /// Inertia of the rotor felt at the joint, viscous and Coulomb friction.
    drive: [f64; 3],
}

/// The kinds of joints in MuJoCo.
#[derive(Clone, Copy)]
pub(super) enum MjcfKind {
    Hinge {
        axis: Vector<f64>,
        point: Vector<f64>,
    },
    Slide {
        axis: Vector<f64>,
    },
    Ball {
        point: Vector<f64>,
    },
    /// The place of the joint's frame, which its position has in front.
    Free {
        place: Pose<f64>,
    },
}

impl MjcfKind {
    /// The same seen from a frame.
    fn seen_from(self, frame: &Pose<f64>) -> Self {
        if *frame == Pose::identity() {
            return self;
        }
        let (turn, inverse) = (|axis| frame.rotation.apply_inverse(axis), frame.inverse());
        match self {
            Self::Hinge { axis, point } => Self::Hinge { axis: turn(axis), point: inverse.apply(point) },
            Self::Slide { axis } => Self::Slide { axis: turn(axis) },
            Self::Ball { point } => Self::Ball { point: inverse.apply(point) },
            Self::Free { .. } => self,
        }
    }
}

/// The joints of every link.
pub(super) fn joints(
    plain: &Plain<'_>,
    groups: &[Group],
    losses: &mut Losses,
) -> Result<Vec<Vec<MjcfJoint>>, Unwritable> {
    let mut names: HashSet<String> = plain.parts.iter().map(|part| part.link.joint.name.clone()).collect();
    let mut joints: Vec<Vec<MjcfJoint>> = Vec::new();
    joints.resize_with(plain.parts.len(), Vec::new);
    for (part, frame) in groups.iter().flat_map(|group| group.parts.iter().zip(&group.frames)) {
        joints[*part] = of_part(&plain.parts[*part], frame, &mut names, losses)?;
    }
    Ok(joints)
}

fn of_part(
    part: &Part<'_>,
    frame: &Pose<f64>,
    names: &mut HashSet<String>,
    losses: &mut Losses,
) -> Result<Vec<MjcfJoint>, Unwritable> {
    let joint = &part.link.joint;
    let (kinds, endings): (Vec<MjcfKind>, Vec<String>) = kinds(part, losses)?.into_iter().unzip();
    if kinds.is_empty() {
        if joint.name != part.link.name {
            losses.joint("the name of a weld, that of", &joint.name);
        }
        return Ok(Vec::new());
    }
    let limits = joint.limits.map(|limits| limits.map(|limit| limit.value));
    if limits.is_some_and(|[lower, upper]| lower >= upper) {
        losses.joint("limits that leave no motion, of", &joint.name);
    }
    if joint.velocity.is_some() {
        losses.joint("the velocity limit of", &joint.name);
    }
    let is_one = kinds.len() == 1;
    let is_free = matches!(kinds[0], MjcfKind::Free { .. });
    let has_ball = kinds.iter().any(|kind| matches!(kind, MjcfKind::Ball { .. } | MjcfKind::Free { .. }));
    if joint.effort.is_some() && has_ball {
        losses.joint("the effort limit of", &joint.name);
    }
    losses.shaft(part.link);
    losses.balance(part.link);
    if let Some(motor) = &part.link.motor {
        if is_free {
            losses.joint("that its drive acts along the link's axes, and not the world's, of the free", &joint.name);
        }
        if motor.ratio.value != 1.0 {
            losses
                .joint("the gear ratio (the inertia of the rotor stands there as the joint feels it) of", &joint.name);
        }
        losses.elasticity(motor, &joint.name);
    }
    let mut name = |ending: &str| match is_one {
        true => joint.name.clone(),
        false => fresh(format!("{}_{ending}", joint.name), names),
    };
    let drive = part.link.motor.as_ref().map_or([0.0; 3], rigid_drive);
    let made: Vec<MjcfJoint> = kinds
        .into_iter()
        .zip(endings)
        .map(|(kind, ending)| MjcfJoint {
            name: name(&ending),
            kind: kind.seen_from(frame),
            limits: limits.filter(|[lower, upper]| lower < upper),
            effort: joint.effort.map(|effort| effort.value).filter(|_| !has_ball),
            drive,
        })
        .collect();
    if !is_one {
        let kind = joint.kind.joint_type().name();
        let names: Vec<String> = made.iter().map(|joint| format!("`{}`", joint.name)).collect();
        losses.whole(format!(
            "that the joint `{}` is {kind}: it is {} joints, {}",
            joint.name,
            names.len(),
            names.join(", ")
        ));
    }
    Ok(made)
}

/// What a joint is made of, each with the ending of its name where there are several.
fn kinds(part: &Part<'_>, losses: &mut Losses) -> Result<Vec<(MjcfKind, String)>, Unwritable> {
    let joint = &part.link.joint;
    let screws = match &part.motion {
        Motion::Spherical { center } => return Ok(vec![(MjcfKind::Ball { point: *center }, String::new())]),
        Motion::Free if part.parent.is_none() => {
            if part.pose != Pose::identity() {
                let what = "the place of its frame, which MuJoCo takes into the position q, of the free";
                losses.joint(what, &joint.name);
            }
            return Ok(vec![(MjcfKind::Free { place: part.pose }, String::new())]);
        }
        Motion::Free => {
            let slide = |(i, letter): (usize, &str)| (MjcfKind::Slide { axis: Vector::unit(i) }, letter.to_owned());
            let mut kinds: Vec<_> = ["x", "y", "z"].into_iter().enumerate().map(slide).collect();
            kinds.push((MjcfKind::Ball { point: Vector::zero() }, "ball".to_owned()));
            return Ok(kinds);
        }
        Motion::Product(screws) => screws,
    };
    let kind = |(number, screw): (usize, &Screw<f64>)| match *screw {
        Screw::Rotation { pitch, .. } if pitch != 0.0 => {
            let message = format!("MJCF has no helical joint, and `{}` is one", joint.name);
            Err(Unwritable::new(message, "write the native form, or lock the joint"))
        }
        Screw::Rotation { axis, point, .. } => Ok((MjcfKind::Hinge { axis, point }, (number + 1).to_string())),
        Screw::Translation { axis } => Ok((MjcfKind::Slide { axis }, (number + 1).to_string())),
    };
    screws.iter().enumerate().map(kind).collect()
}

impl MjcfJoint {
    pub fn write(&self, writer: &mut Writer) {
        let named = Attributes::new().text("name", &self.name);
        let moved = match self.kind {
            MjcfKind::Free { .. } if self.drive == [0.0; 3] => return writer.leaf("freejoint", named),
            MjcfKind::Free { .. } => named.text("type", "free"),
            MjcfKind::Hinge { axis, point } => {
                named.text("type", "hinge").numbers("axis", &axis.0).numbers_unless_zero("pos", &point.0)
            }
            MjcfKind::Slide { axis } => named.text("type", "slide").numbers("axis", &axis.0),
            MjcfKind::Ball { point } => named.text("type", "ball").numbers_unless_zero("pos", &point.0),
        };
        let mut all = self.limits.iter().fold(moved, |all, limits| all.numbers("range", limits));
        all = self.effort.iter().fold(all, |all, effort| all.numbers("actuatorfrcrange", &[-effort, *effort]));
        for (name, value) in ["armature", "damping", "frictionloss"].iter().zip(self.drive) {
            all = all.numbers_unless_zero(name, &[value]);
        }
        writer.leaf("joint", all);
    }
}
