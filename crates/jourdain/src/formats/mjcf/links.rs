//! From bodies to links: a body with several joints is a chain of massless links and itself.
//!
//! The link of a joint is at parent · J(q − ref), so that q is MuJoCo's; hence the placement is drawn · J(−ref).

use super::super::reframe::placement;
use super::body::Body;
use super::context::Context;
use super::geom::Geom;
use super::inertia;
use super::joint::{Coupling, Joint, Kind};
use super::orientation::about;
use crate::model::description::{
    GROUND, InertiaDescription, JointDescription, JointKind, LinkDescription, MimicDescription, MotorDescription,
};
use crate::model::shape::MAX_SHAPES;
use crate::model::{Diagnostic, Number};
use crate::spatial::Pose;
use std::collections::HashSet;

/// The links of all bodies but the world, in MuJoCo's order.
pub(super) fn links(bodies: &[Body], context: &mut Context<'_, '_>) -> Vec<LinkDescription> {
    let mut names: HashSet<String> = bodies.iter().map(|body| body.name.clone()).collect();
    names.insert(GROUND.to_owned());
    let ground = ground_name(bodies, &mut names, context);
    let of = |body: usize| match body {
        0 => GROUND.to_owned(),
        body if bodies[body].name == GROUND => ground.clone(),
        body => bodies[body].name.clone(),
    };
    let joints: HashSet<&str> = bodies.iter().flat_map(|body| &body.joints).map(|joint| joint.name.as_str()).collect();
    let mut links = Vec::with_capacity(bodies.len());
    for (number, body) in bodies.iter().enumerate().skip(1) {
        let mut parent = of(body.parent);
        let mut drawn = body.pose;
        for (index, joint) in body.joints.iter().enumerate() {
            let is_last = index + 1 == body.joints.len();
            let name = if is_last { of(number) } else { fresh(format!("{}_{}", body.name, joint.name), &mut names) };
            let mut link = moved(joint, name.clone(), parent, &drawn, context);
            link.location = Some(context.sources.locate(body.span));
            links.push(link);
            (parent, drawn) = (name, Pose::identity());
        }
        if body.joints.is_empty() {
            let mut link = LinkDescription::new(of(number), parent);
            // What welds a body has no name in MJCF, and must not take that of a joint.
            if joints.contains(link.name.as_str()) {
                link.joint.name = fresh(format!("{}_weld", link.name), &mut names);
            }
            link.placement = placement(&drawn);
            link.location = Some(context.sources.locate(body.span));
            links.push(link);
        }
        let Some(link) = links.last_mut() else { continue };
        link.mass = Number::from(body.mass.mass);
        link.com = body.mass.com.0.map(Number::from);
        link.inertia = InertiaDescription::AboutCom(body.mass.about_com.to_array().map(Number::from));
        link.inertia_location = Some(context.sources.locate(inertia::place(body)));
        link.shapes = body.geoms.iter().filter_map(Geom::shape).take(MAX_SHAPES).collect();
    }
    links
}

/// `base` is the ground here, and in MJCF a name like any other.
fn ground_name(bodies: &[Body], names: &mut HashSet<String>, context: &mut Context<'_, '_>) -> String {
    let Some(body) = bodies.iter().find(|body| body.name == GROUND) else { return String::new() };
    let name = fresh(format!("{GROUND}_frame"), names);
    let message = format!("the body `base` is called `{name}` here, because `base` is the ground");
    let warning = Diagnostic::warning("link-renamed", message).link(GROUND);
    context.push(body.span, warning.hint("rename it in the file if its name matters"));
    name
}

/// A name that is not taken yet, and now is.
fn fresh(mut name: String, names: &mut HashSet<String>) -> String {
    while !names.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn moved(
    joint: &Joint,
    name: String,
    parent: String,
    drawn: &Pose<f64>,
    context: &mut Context<'_, '_>,
) -> LinkDescription {
    let mut link = LinkDescription::new(name, parent);
    let (axis, point) = (joint.axis.0.map(Number::from), joint.point.0.map(Number::from));
    let locked = match joint.coupling {
        Some(Coupling::Locked(q)) => Some(q),
        Some(Coupling::Follows { .. }) | None => None,
    };
    let kind = match joint.kind {
        _ if locked.is_some() => JointKind::Fixed,
        Kind::Hinge => JointKind::Revolute { axis, point },
        Kind::Slide => JointKind::Prismatic { axis },
        Kind::Ball => JointKind::Spherical { point },
        Kind::Free => JointKind::Free,
    };
    link.placement = match joint.kind {
        // q is the pose in the world.
        Kind::Free => placement(&Pose::identity()),
        Kind::Ball => placement(drawn),
        Kind::Hinge | Kind::Slide => placement(&(*drawn * motion(joint, locked.unwrap_or(0.0) - joint.reference))),
    };
    link.joint = JointDescription::new(joint.name.clone(), kind);
    link.joint.location = Some(context.sources.locate(joint.span));
    if locked.is_some() {
        return link;
    }
    link.joint.limits = joint.limits.map(|limits| limits.map(Number::from));
    link.joint.continuous = joint.limits.is_none();
    link.joint.effort = joint.effort.map(Number::from);
    link.joint.mimic = match &joint.coupling {
        Some(Coupling::Follows { joint, multiplier, offset }) => Some(MimicDescription {
            joint: joint.clone(),
            multiplier: Number::from(*multiplier),
            offset: Number::from(*offset),
        }),
        Some(Coupling::Locked(_)) | None => None,
    };
    let [inertia, ratio] = match joint.rotor {
        Some([inertia, ratio]) => [inertia + joint.armature / (ratio * ratio), ratio],
        None => [joint.armature, 1.0],
    };
    let motor = MotorDescription {
        inertia: Number::from(inertia),
        ratio: Number::from(ratio),
        viscous: Number::from(joint.damping),
        coulomb: Number::from(joint.friction),
        ..MotorDescription::default()
    };
    link.motor = (motor != MotorDescription::default()).then_some(motor);
    link
}

/// What a joint of one number does by `q`, in the frame of its body.
pub(super) fn motion(joint: &Joint, q: f64) -> Pose<f64> {
    match joint.kind {
        Kind::Slide => Pose::translation(joint.axis.times(q)),
        Kind::Hinge => {
            let rotation = about(joint.axis, q);
            Pose { rotation, translation: joint.point - rotation.apply(joint.point) }
        }
        Kind::Ball | Kind::Free => Pose::identity(),
    }
}
