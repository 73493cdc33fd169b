//! `<joint>`: its type, what it joins, its axes.
//!
//! Trap: an axis is in the frame of the joint since 1.5, in that of the model before, and in 1.5 and 1.6 in that of the model
//! if `use_parent_model_frame` says so.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Context, Element, Span};
use super::document::{Here, Version};
use super::value::{Reference, UNBOUNDED};
use crate::model::description::{Location, MotorDescription, Places};
use crate::model::{Diagnostic, Number};

/// The types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Screw,
    Ball,
    Universal,
    Gearbox,
}

/// The names of the types, and how many axes each has. `revolute2` and `universal` move alike.
const TYPES: [(&str, Type, usize); 9] = [
    ("revolute", Type::Revolute, 1),
    ("continuous", Type::Continuous, 1),
    ("prismatic", Type::Prismatic, 1),
    ("fixed", Type::Fixed, 0),
    ("ball", Type::Ball, 0),
    ("universal", Type::Universal, 2),
    ("revolute2", Type::Universal, 2),
    ("screw", Type::Screw, 1),
    ("gearbox", Type::Gearbox, 2),
];

const READ: [&str; 11] = [
    "parent",
    "child",
    "pose",
    "axis",
    "axis2",
    "gearbox_ratio",
    "gearbox_reference_body",
    "thread_pitch",
    "screw_thread_pitch",
    "drake:rotor_inertia",
    "drake:gear_ratio",
];
const HARMLESS: [&str; 5] = ["physics", "sensor", "frame", "plugin", "drake:controller_gains"];

/// The frame that the direction of an axis is given in.
#[derive(Clone, Debug)]
pub(super) enum Expressed {
    InJoint,
    InModel,
    In(Reference),
}

/// `q = multiplier (leader − reference) + offset`.
#[derive(Clone, Debug)]
pub(super) struct Mimic {
    pub leader: Reference,
    /// The leader's `axis` or `axis2`.
    pub is_first: bool,
    pub multiplier: Number,
    pub offset: Number,
}

/// One axis of a joint.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub direction: [Number; 3],
    pub expressed: Expressed,
    pub limits: Option<[Number; 2]>,
    pub velocity: Option<Number>,
    pub effort: Option<Number>,
    pub viscous: Number,
    pub coulomb: Number,
    pub mimic: Option<Mimic>,
    pub position: Option<Number>,
    pub span: Span,
}

/// What couples two joints of a gearbox.
#[derive(Clone, Debug)]
pub(super) struct Gear {
    pub ratio: Number,
    pub reference: Option<Reference>,
}

/// A joint as read.
pub(super) struct Joint {
    pub kind: Type,
    pub frame: usize,
    /// Its name as it stands in the file, and with the models around it.
    pub name: String,
    pub scoped: String,
    pub parent: Reference,
    pub child: Reference,
    pub axes: Vec<Axis>,
    pub gear: Gear,
    /// Travel per radian, m/rad.
    pub pitch: Number,
    pub motor: MotorDescription,
    pub places: Places,
    pub location: Location,
    pub span: Span,
    pub is_static: bool,
    pub top: Option<usize>,
}

pub(super) fn read(element: &Element, frame: usize, here: &Here, context: &mut Context<'_, '_>) -> Option<Joint> {
    context.known_attributes_of(element, &["name", "type"]);
    context.known_children_of(element, &[&READ, &HARMLESS]);
    let name = element.get("name").unwrap_or_default().to_owned();
    let (kind, axes) = read_type(element, context)?;
    let axes: Vec<Axis> = match axes {
        // A ball has no axis, but files give it friction there.
        0 => context.child(element, "axis").map(|axis| read_axis(axis, here, context)).into_iter().collect(),
        1 => vec![required_axis(element, "axis", here, context)?],
        _ => vec![required_axis(element, "axis", here, context)?, required_axis(element, "axis2", here, context)?],
    };
    let parent = context.required_text(element, "parent");
    let child = context.required_text(element, "child");
    let (Some(parent), Some(child)) = (parent, child) else {
        context.report.names_are_incomplete = true;
        return None;
    };
    let mut places = Places::default();
    places.set("joint", context.sources.locate(element.span));
    places.set("joint.name", context.sources.locate(element.span_of("name")));
    places.set("parent", context.sources.locate(parent.span));
    if let Some(axis) = element.children().find(|child| child.tag == "axis") {
        places.set("joint.axis", context.place_of(axis, "xyz"));
        let inside = |tag: &str| axis.children().find(|child| child.tag == tag).unwrap_or(axis);
        let (limit, dynamics, mimic) = (inside("limit"), inside("dynamics"), inside("mimic"));
        places.set("joint.limits", context.place_of(limit, "lower"));
        places.set("joint.velocity", context.place_of(limit, "velocity"));
        places.set("joint.effort", context.place_of(limit, "effort"));
        places.set("motor.viscous", context.place_of(dynamics, "damping"));
        places.set("motor.coulomb", context.place_of(dynamics, "friction"));
        places.set("joint.mimic", context.sources.locate(mimic.span));
    }
    if let Some(second) = element.children().find(|child| child.tag == "axis2") {
        places.set("joint.axis2", context.place_of(second, "xyz"));
    }
    let gear = Gear {
        ratio: context.number_of(element, "gearbox_ratio").unwrap_or(Number::ONE),
        reference: context.text_of(element, "gearbox_reference_body"),
    };
    let pitch = if kind == Type::Screw { read_pitch(element, context)? } else { Number::ZERO };
    let motor = read_motor(element, kind, &axes, context);
    Some(Joint {
        kind,
        frame,
        scoped: format!("{}{name}", here.prefix),
        name,
        parent,
        child,
        axes,
        gear,
        pitch,
        motor,
        places,
        location: context.sources.locate(element.span),
        span: element.span,
        is_static: here.is_static,
        top: here.top,
    })
}

fn read_type(element: &Element, context: &mut Context<'_, '_>) -> Option<(Type, usize)> {
    let Some(given) = element.get("type") else {
        context.error(element.span, "missing-attribute", "<joint> has no attribute `type`");
        return None;
    };
    if let Some((_, kind, axes)) = TYPES.iter().find(|(name, ..)| *name == given) {
        return Some((*kind, *axes));
    }
    let message = format!("there is no SDF joint type `{}`", shorten(given));
    let hint = suggest::hint(given, &TYPES.map(|(name, ..)| name));
    context.error_with_hint(element.span_of("type"), "unknown-joint-type", message, hint);
    None
}

fn required_axis(element: &Element, tag: &str, here: &Here, context: &mut Context<'_, '_>) -> Option<Axis> {
    let axis = context.child(element, tag);
    if axis.is_none() {
        let kind = element.get("type").unwrap_or_default();
        context.error(element.span, "missing-element", format!("a joint of type {kind} needs <{tag}>"));
    }
    axis.map(|axis| read_axis(axis, here, context))
}

fn read_axis(element: &Element, here: &Here, context: &mut Context<'_, '_>) -> Axis {
    let has_flag = (Version(1, 5)..Version(1, 7)).contains(&here.version);
    let old = ["use_parent_model_frame", "initial_position"];
    context.known_children_of(element, &[&["xyz", "dynamics", "limit", "mimic"], &old]);
    if let Some(flag) = element.children().find(|child| child.tag == old[0]).filter(|_| !has_flag) {
        let message = "<use_parent_model_frame> is of SDF 1.5 and 1.6 and is ignored";
        let warning = Diagnostic::warning("unsupported-tag", message);
        let hint =
            "the axis is in the frame of the joint; <xyz expressed_in=\"__model__\"> puts it into that of the model";
        context.push(flag.span, if here.version < Version(1, 5) { warning } else { warning.hint(hint) });
    }
    let direction = context.vector_of(element, "xyz").unwrap_or([Number::ZERO, Number::ZERO, Number::ONE]);
    let named = context.child(element, "xyz").and_then(|xyz| context.reference(xyz, "expressed_in"));
    let in_model =
        here.version < Version(1, 5) || (has_flag && context.flag_of(element, "use_parent_model_frame") == Some(true));
    let expressed = match named {
        Some(frame) => Expressed::In(frame),
        None if in_model => Expressed::InModel,
        None => Expressed::InJoint,
    };
    let mut axis = Axis {
        direction,
        expressed,
        limits: None,
        velocity: None,
        effort: None,
        viscous: Number::ZERO,
        coulomb: Number::ZERO,
        mimic: context.child(element, "mimic").and_then(|mimic| read_mimic(mimic, context)),
        position: context.number_of(element, "initial_position"),
        span: element.span,
    };
    if let Some(limit) = context.child(element, "limit") {
        context.known_children_of(limit, &[&["lower", "upper", "velocity", "effort", "stiffness", "dissipation"]]);
        axis.limits = match (context.bound_of(limit, "lower"), context.bound_of(limit, "upper")) {
            (None, None) => None,
            (lower, upper) => {
                Some([lower.unwrap_or(Number::from(-UNBOUNDED)), upper.unwrap_or(Number::from(UNBOUNDED))])
            }
        };
        // A negative bound is none: it was the default once.
        let mut magnitude = |tag: &str| context.bound_of(limit, tag).filter(|bound| bound.value >= 0.0);
        (axis.velocity, axis.effort) = (magnitude("velocity"), magnitude("effort"));
    }
    if let Some(dynamics) = context.child(element, "dynamics") {
        context.known_children_of(dynamics, &[&["damping", "friction", "spring_reference", "spring_stiffness"]]);
        axis.viscous = context.number_of(dynamics, "damping").unwrap_or_default();
        axis.coulomb = context.number_of(dynamics, "friction").unwrap_or_default();
        if context.number_of(dynamics, "spring_stiffness").is_some_and(|stiffness| stiffness.value != 0.0) {
            context.lost(dynamics.span, "the spring of the joint is left out: <spring_stiffness>");
        }
    }
    axis
}

fn read_mimic(element: &Element, context: &mut Context<'_, '_>) -> Option<Mimic> {
    context.known_attributes_of(element, &["joint", "axis"]);
    context.known_children_of(element, &[&["multiplier", "offset", "reference"]]);
    let Some(leader) = context.reference(element, "joint") else {
        context.error(element.span, "missing-attribute", "<mimic> has no attribute `joint`");
        return None;
    };
    let multiplier = context.number_of(element, "multiplier").unwrap_or(Number::ONE);
    let offset = context.number_of(element, "offset").unwrap_or_default();
    let reference = context.number_of(element, "reference").unwrap_or_default();
    let offset = if reference.value == 0.0 {
        offset
    } else {
        offset.plus(multiplier.times(reference).times(Number::integer(-1)))
    };
    Some(Mimic { leader, is_first: element.get("axis") != Some("axis2"), multiplier, offset })
}

/// Travel per radian. `thread_pitch`, which is older, is in radians per metre of a left-handed thread.
fn read_pitch(element: &Element, context: &mut Context<'_, '_>) -> Option<Number> {
    let per_turn = |pitch: f64| Number::from(pitch / std::f64::consts::TAU);
    if let Some(pitch) = context.number_of(element, "screw_thread_pitch") {
        return Some(per_turn(pitch.value));
    }
    match context.number_of(element, "thread_pitch") {
        Some(old) if old.value == 0.0 => {
            let message = "a <thread_pitch> of zero radians per metre is no thread".to_owned();
            context.error_with_hint(element.span, "zero-pitch", message, "<screw_thread_pitch> is in metres per turn");
            None
        }
        Some(old) => Some(Number::from(-1.0 / old.value)),
        None => {
            let message = "a screw joint without <screw_thread_pitch> travels 1 m per turn";
            context.push(element.span, Diagnostic::warning("missing-pitch", message));
            Some(per_turn(1.0))
        }
    }
}

/// Friction of the first axis; that of another one is lost where it differs.
fn read_motor(element: &Element, kind: Type, axes: &[Axis], context: &mut Context<'_, '_>) -> MotorDescription {
    let mut motor = MotorDescription {
        inertia: context.number_of(element, "drake:rotor_inertia").unwrap_or_default(),
        ratio: context.number_of(element, "drake:gear_ratio").unwrap_or(Number::ONE),
        ..MotorDescription::default()
    };
    if let Some(first) = axes.first() {
        (motor.viscous, motor.coulomb) = (first.viscous, first.coulomb);
        for other in axes.iter().skip(1) {
            if kind == Type::Universal && (other.viscous, other.coulomb) != (first.viscous, first.coulomb) {
                context.lost(other.span, "the second axis has the friction of the first here");
            }
        }
    }
    motor
}
