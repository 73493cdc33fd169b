//! `<joint>` and `<freejoint>`.
//!
//! Traps: degrees; a range that does not grow means no limits; `<freejoint>` has no defaults; `ref` is the position at which
//! the body stands as drawn.

use super::super::xml::Span;
use super::context::{Context, View};
use super::orientation::unit;
use super::settings::Settings;
use crate::model::Diagnostic;
use crate::spatial::{Pose, Vector};

pub(super) const ATTRIBUTES: [&str; 25] = [
    "name",
    "class",
    "type",
    "group",
    "pos",
    "axis",
    "springdamper",
    "limited",
    "actuatorfrclimited",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "stiffness",
    "range",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "margin",
    "ref",
    "springref",
    "springyield",
    "armature",
    "damping",
    "frictionloss",
    "user",
];

/// The kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl Kind {
    /// Velocities.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Hinge | Self::Slide => 1,
            Self::Ball => 3,
            Self::Free => 6,
        }
    }
}

/// What an equality makes of a joint.
#[derive(Clone, Debug)]
pub(super) enum Coupling {
    /// q = multiplier · q of the other + offset.
    Follows { joint: String, multiplier: f64, offset: f64 },
    /// Held at a position.
    Locked(f64),
}

/// A joint of a body, in the body's frame.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Empty if the file gives none.
    pub name: String,
    /// Its name without the number of a copy: what refers to it refers to all its copies. Empty if the file gives none.
    pub family: String,
    pub kind: Kind,
    /// Unit length.
    pub axis: Vector<f64>,
    pub point: Vector<f64>,
    pub limits: Option<[f64; 2]>,
    /// Position at which the body stands as drawn.
    pub reference: f64,
    pub armature: f64,
    pub damping: f64,
    pub friction: f64,
    /// Largest torque or force of all drives.
    pub effort: Option<f64>,
    /// A rotor behind a gear: inertia and ratio.
    pub rotor: Option<[f64; 2]>,
    pub coupling: Option<Coupling>,
    pub span: Span,
}

/// Reads a joint that stands in a frame of its body.
pub(super) fn read(
    view: View<'_>,
    frame: &Pose<f64>,
    settings: &Settings,
    context: &mut Context<'_, '_>,
) -> Option<Joint> {
    let span = view.element.span;
    let name = view.element.get("name").unwrap_or_default().to_owned();
    let is_free = view.element.tag == "freejoint";
    context.known_attributes(view, if is_free { &["name", "group", "align"] } else { &ATTRIBUTES });
    let kinds = [("hinge", Kind::Hinge), ("slide", Kind::Slide), ("ball", Kind::Ball), ("free", Kind::Free)];
    let kind = match view.get("type") {
        _ if is_free => Kind::Free,
        None => Kind::Hinge,
        Some(_) => context.keyword(view, "type", &kinds)?,
    };
    if is_free && context.flag_or_auto(view, "align") == Some(true) {
        let message = "align=\"true\" is ignored: the free body keeps the frame that the file gives it";
        let hint = "take it out, or expect the position of the body's own origin";
        context.push(view.element.span_of("align"), Diagnostic::lost(message).hint(hint));
    }
    let given = Vector(context.vector(view, "axis").unwrap_or([0.0, 0.0, 1.0]));
    let axis = match unit(given) {
        Some(axis) => axis,
        None if matches!(kind, Kind::Hinge | Kind::Slide) => {
            let place = view.element.span_of("axis");
            context.error_with_hint(place, "zero-axis", "the axis has length zero".to_owned(), "give it a direction");
            return None;
        }
        None => given,
    };
    let point = Vector(context.vector(view, "pos").unwrap_or_default());
    let turned = |angle: f64| if settings.degrees && kind == Kind::Hinge { angle.to_radians() } else { angle };
    let reference = match kind {
        Kind::Hinge | Kind::Slide => turned(context.number(view, "ref").unwrap_or(0.0)),
        Kind::Ball | Kind::Free => 0.0,
    };
    springs(view, context);
    let armature = context.number(view, "armature").unwrap_or(0.0);
    if kind == Kind::Free && armature != 0.0 {
        context.lost(
            span,
            "the armature of a free joint goes along with the body's axes here, and with the world's in MuJoCo",
        );
    }
    let effort = (view.attribute("actuatorfrcrange").filter(|_| kind.freedoms() == 1))
        .and_then(|attribute| context.numbers_or_infinite(attribute, 2, 2))
        .filter(|range| range[0] < range[1])
        .map(|range| range[0].abs().max(range[1].abs()));
    Some(Joint {
        name,
        family: String::new(),
        kind,
        axis: frame.rotation.apply(axis),
        point: frame.apply(point),
        limits: limits(view, kind, settings, context).map(|range| range.map(turned)),
        reference,
        armature,
        damping: linear(view, "damping", context),
        friction: context.number(view, "frictionloss").unwrap_or(0.0),
        effort: effort.filter(|effort| effort.is_finite()),
        rotor: None,
        coupling: None,
        span,
    })
}

/// Coefficient of a force that may be a polynomial of three; only the first is carried.
fn linear(view: View<'_>, name: &str, context: &mut Context<'_, '_>) -> f64 {
    let Some(attribute) = view.attribute(name) else { return 0.0 };
    let Some(numbers) = context.numbers(attribute, 1, 3) else { return 0.0 };
    if numbers[1..].iter().any(|number| *number != 0.0) {
        context.lost(attribute.span, format!("the nonlinear part of the joint's {name} is left out"));
    }
    numbers[0]
}

fn springs(view: View<'_>, context: &mut Context<'_, '_>) {
    let stiffness = view.attribute("stiffness").filter(|attribute| {
        context.numbers(attribute, 1, 3).is_some_and(|numbers| numbers.iter().any(|number| *number != 0.0))
    });
    if let Some(attribute) = stiffness.or_else(|| view.attribute("springdamper")) {
        let what = if attribute.name == "springdamper" { "the spring and damper" } else { "the spring" };
        let message = format!("{what} of the joint is left out: torques are those of the arm without it");
        let place = if view.own(&attribute.name).is_some() { attribute.span } else { view.element.span };
        context.lost(place, message);
    }
}

/// Limits of a joint of one number, in the unit of the file.
fn limits(view: View<'_>, kind: Kind, settings: &Settings, context: &mut Context<'_, '_>) -> Option<[f64; 2]> {
    if kind == Kind::Free {
        return None;
    }
    let limited = context.flag_or_auto(view, "limited");
    let attribute = view.attribute("range");
    let range = attribute.and_then(|attribute| context.numbers_or_infinite(attribute, 2, 2));
    let range = range.map(|range| [range[0], range[1]]);
    let grows = range.is_some_and(|[low, high]| low < high);
    match limited {
        Some(false) => return None,
        Some(true) if !grows => {
            let message = "a limited joint needs a range whose second number is the larger".to_owned();
            let place = attribute.map_or(view.element.span, |attribute| attribute.span);
            context.error_with_hint(place, "limits-reversed", message, "give range=\"low high\", or limited=\"auto\"");
            return None;
        }
        None if !settings.autolimits && range.is_some() => {
            let message = "the joint has a range but not `limited`, and autolimits is off".to_owned();
            let hint = "say limited=\"true\" or \"false\", or take the range out";
            context.error_with_hint(view.element.span_of("range"), "limited-missing", message, hint);
            return None;
        }
        _ if !grows => return None,
        _ => {}
    }
    if kind == Kind::Ball {
        if range.is_some_and(|[low, _]| low != 0.0) {
            let message = "the range of a ball joint is from 0 to its largest angle".to_owned();
            context.error(view.element.span_of("range"), "limits-reversed", message);
        } else {
            context.lost(view.element.span_of("range"), "the largest angle of the ball joint is left out");
        }
        return None;
    }
    range.filter(|range| range.iter().all(|bound| bound.is_finite()))
}
