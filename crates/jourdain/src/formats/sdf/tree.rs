//! From frames, links and joints to links that carry their joint.
//!
//! Everything is worked out at the pose that the file draws, where all joints are at zero: an axis in the frame of the link
//! that moves is the axis as drawn, seen from that link.

use super::super::native::shorten;
use super::super::xml::Context;
use super::coupling;
use super::document::Document;
use super::frames::{WORLD, negative};
use super::graph::{Carried, Carrier, Graph};
use super::joint::{Axis, Expressed, Joint, Type};
use super::visual;
use crate::model::description::{
    GROUND, JointDescription, JointKind, LinkDescription, MotorDescription, NamedState, ScrewDescription, ScrewKind,
};
use crate::model::{Diagnostic, Number};
use crate::spatial::{Pose, Quaternion};
use std::collections::{HashMap, HashSet};

/// The links of the models that are chosen, in the order of `q`, and the position that the file draws where it is not zero.
pub(super) fn assemble(
    document: &Document,
    chosen: &[bool],
    context: &mut Context<'_, '_>,
) -> Option<(Vec<LinkDescription>, Vec<NamedState>)> {
    let graph = Graph::read(document, chosen, context)?;
    let several = chosen.iter().filter(|chosen| **chosen).count() > 1;
    let names = Names::new(document, &graph, several, context);
    let mimics = coupling::read(document, &graph, &names.joints, context);
    let mut taken: HashSet<&str> = names.joints.iter().map(String::as_str).collect();
    let mut positions = Vec::new();
    let mut links = Vec::with_capacity(graph.order.len());
    for carried in &graph.order {
        let link = &document.links[carried.link];
        let mut description = link.description.clone();
        description.name.clone_from(&names.links[carried.link]);
        description.parent = carried.parent.map_or_else(|| GROUND.to_owned(), |parent| names.links[parent].clone());
        context.report.concerning(Some(&description.name), None);
        if let Some(auto) = &link.auto {
            auto.fill(link.frame, &document.frames, &mut description, context);
        }
        description.shapes.extend(visual::placed(&link.elsewhere, link.frame, &document.frames));
        match carried.carrier {
            Carrier::None => {
                description.joint =
                    JointDescription::new(own_name(&names.links[carried.link], &taken), JointKind::Free);
                let pose = document.frames.in_world(link.frame);
                if pose != Pose::identity() {
                    let rotation = Quaternion::from_rotation(&pose.rotation).to_array();
                    let q = pose.translation.0.into_iter().chain(rotation).collect();
                    positions.push((description.joint.name.clone(), q));
                }
            }
            Carrier::Static => {
                description.joint =
                    JointDescription::new(own_name(&names.links[carried.link], &taken), JointKind::Fixed);
                description.placement = document.frames.relative(WORLD, link.frame).placement();
            }
            Carrier::Joint { joint, is_reversed } => {
                let read = &document.joints[joint];
                context.report.concerning(Some(&description.name), Some(&read.name));
                attach(&mut description, read, carried, document, is_reversed, context)?;
                description.joint.name.clone_from(&names.joints[joint]);
                description.joint.mimic.clone_from(&mimics[joint]);
                let drawn: Vec<f64> = read.axes.iter().map(|axis| axis.position.map_or(0.0, |q| q.value)).collect();
                if description.joint.kind.degrees_of_freedom() == drawn.len() && drawn.iter().any(|q| *q != 0.0) {
                    positions.push((description.joint.name.clone(), drawn));
                }
            }
        }
        links.push(description);
    }
    taken.clear();
    context.report.concerning(None, None);
    default_inertia(document, &graph, context);
    let states = match positions.is_empty() {
        true => Vec::new(),
        false => vec![NamedState { name: "initial".to_owned(), positions }],
    };
    Some((links, states))
}

/// The name of a joint that has none in the file: its link's.
fn own_name(link: &str, taken: &HashSet<&str>) -> String {
    let mut name = link.to_owned();
    while taken.contains(name.as_str()) {
        name.push_str("_to_world");
    }
    name
}

fn attach(
    link: &mut LinkDescription,
    joint: &Joint,
    carried: &Carried,
    document: &Document,
    is_reversed: bool,
    context: &mut Context<'_, '_>,
) -> Option<()> {
    let frames = &document.frames;
    let (frame, parent) = (document.links[carried.link].frame, carried.parent);
    let parent = parent.map_or(WORLD, |parent| document.links[parent].frame);
    link.placement = frames.relative(parent, frame).placement();
    let point = frames.relative(frame, joint.frame).origin();
    let mut axes: Vec<[Number; 3]> = Vec::new();
    for axis in &joint.axes {
        let from = expressed(axis, joint, document, context)?;
        let direction = frames.relative(frame, from).direction(axis.direction);
        axes.push(if is_reversed { direction.map(negative) } else { direction });
    }
    let kind = match (joint.kind, &axes[..]) {
        (Type::Revolute | Type::Continuous, [axis]) => JointKind::Revolute { axis: *axis, point },
        (Type::Prismatic, [axis]) => JointKind::Prismatic { axis: *axis },
        (Type::Screw, [axis]) => JointKind::Helical { axis: *axis, point, pitch: joint.pitch },
        (Type::Ball, _) => JointKind::Spherical { point },
        (Type::Universal, [first, second]) if !is_reversed => JointKind::Universal { axes: [*first, *second], point },
        (Type::Universal, [first, second]) => {
            let turn = |axis: &[Number; 3]| ScrewDescription {
                kind: ScrewKind::Revolute,
                axis: *axis,
                point,
                pitch: Number::ZERO,
            };
            JointKind::Composite { sequence: vec![turn(second), turn(first)] }
        }
        // The reader gives each type its axes, and a gearbox carries no link.
        (
            Type::Fixed
            | Type::Gearbox
            | Type::Revolute
            | Type::Continuous
            | Type::Prismatic
            | Type::Screw
            | Type::Universal,
            _,
        ) => JointKind::Fixed,
    };
    if is_reversed && matches!(joint.kind, Type::Ball | Type::Universal) {
        let message = format!(
            "the parent of joint `{}` is carried by its child: its coordinates are those of the inverse motion",
            shorten(&joint.name)
        );
        context.push(joint.span, Diagnostic::warning("joint-reversed", message));
    }
    let freedom = kind.degrees_of_freedom();
    link.joint = JointDescription::new("", kind);
    link.joint.location = Some(joint.location);
    link.places.append(joint.places.clone());
    if freedom == 1 {
        let [axis] = &joint.axes[..] else { return Some(()) };
        link.joint.limits = axis.limits.filter(|_| joint.kind != Type::Continuous);
        link.joint.continuous = link.joint.limits.is_none();
        (link.joint.velocity, link.joint.effort) = (axis.velocity, axis.effort);
    } else if freedom > 1 {
        for axis in joint.axes.iter().filter(|axis| axis.limits.is_some()) {
            let message =
                format!("the limits of joint `{}` are left out: it has {freedom} angles", shorten(&joint.name));
            context.lost(axis.span, message);
        }
    }
    link.motor = (freedom > 0 && joint.motor != MotorDescription::default()).then_some(joint.motor);
    Some(())
}

/// The frame that the direction of an axis is given in.
pub(super) fn expressed(
    axis: &Axis,
    joint: &Joint,
    document: &Document,
    context: &mut Context<'_, '_>,
) -> Option<usize> {
    match &axis.expressed {
        Expressed::InJoint => Some(joint.frame),
        Expressed::InModel => Some(document.frames.all[joint.frame].model),
        Expressed::In(reference) => document.frames.look_up(joint.frame, reference, context),
    }
}

/// Warns of links that have SDF's default inertia, of which most files do not mean 1 kg.
fn default_inertia(document: &Document, graph: &Graph, context: &mut Context<'_, '_>) {
    let mut bare = graph.order.iter().map(|carried| &document.links[carried.link]);
    let mut bare = bare.by_ref().filter(|link| !link.has_inertial && !link.is_static);
    let Some(first) = bare.next() else { return };
    let others = match bare.count() {
        0 => String::new(),
        1 => " and one more link".to_owned(),
        more => format!(" and {more} more links"),
    };
    let name = shorten(&first.description.name);
    let message = format!("`{name}`{others} without <inertial>: 1 kg and 1 kg m² about each axis, SDF's default");
    let warning = Diagnostic::warning("default-inertia", message).link(&first.description.name);
    context.report.push(warning.at(first.description.location).hint("give masses and inertias"));
}

/// What links and joints are called.
struct Names {
    links: Vec<String>,
    joints: Vec<String>,
}

impl Names {
    /// Links have the names of the models around them in front, joints where their own is not enough.
    fn new(document: &Document, graph: &Graph, several: bool, context: &mut Context<'_, '_>) -> Self {
        let with_top = |top: Option<usize>, name: &str| match top {
            Some(top) if several => format!("{}::{name}", document.tops[top].name),
            Some(_) | None => name.to_owned(),
        };
        let links = document.links.iter().map(|link| with_top(Some(link.top), &link.description.name));
        let mut links: Vec<String> = links.collect();
        if let Some(number) = links.iter().position(|name| name == GROUND) {
            let mut name = format!("{GROUND}_frame");
            while links.contains(&name) {
                name.push('_');
            }
            let message = format!("the link `base` is called `{name}` here, because `base` is the ground");
            let warning = Diagnostic::warning("link-renamed", message).link(GROUND);
            let place = document.links[number].description.place("name");
            context.report.push(warning.at(place).hint("rename it in the file if its name matters"));
            links[number] = name;
        }
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (joint, _) in document.joints.iter().zip(&graph.kept).filter(|(_, kept)| **kept) {
            *times.entry(joint.name.as_str()).or_default() += 1;
        }
        let joint_name = |joint: &Joint| match times.get(joint.name.as_str()) {
            Some(0 | 1) | None => joint.name.clone(),
            Some(_) => with_top(joint.top, &joint.scoped),
        };
        Self { links, joints: document.joints.iter().map(joint_name).collect() }
    }
}
