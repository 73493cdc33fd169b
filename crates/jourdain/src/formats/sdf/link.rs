//! `<link>` and its `<inertial>`.
//!
//! Traps: a link without `<inertial>` weighs 1 kg and has 1 kg m² about each axis; the tensor is in the axes of the
//! inertial's own pose.

use super::super::xml::{Context, Element};
use super::document::Here;
use super::solid::Auto;
use super::visual;
use crate::model::description::{InertiaDescription, LinkDescription, Orientation};
use crate::model::shape::ShapeDescription;
use crate::model::{Diagnostic, Number};
use crate::spatial::Symmetric;

/// Children of a link that say nothing about its dynamics.
const HARMLESS: [&str; 15] = [
    "visual",
    "contact",
    "collision",
    "sensor",
    "plugin",
    "must_be_base_link",
    "velocity_decay",
    "self_collide",
    "enable_wind",
    "projector",
    "audio_sink",
    "audio_source",
    "battery",
    "light",
    "particle_emitter",
];

/// The elements of an inertia tensor, and what they are if they are not given.
const ELEMENTS: [(&str, Number); 6] = [
    ("ixx", Number::ONE),
    ("ixy", Number::ZERO),
    ("ixz", Number::ZERO),
    ("iyy", Number::ONE),
    ("iyz", Number::ZERO),
    ("izz", Number::ONE),
];

/// A link as read.
pub(super) struct Link {
    pub frame: usize,
    /// Which of the models that stand in no other.
    pub top: usize,
    pub is_static: bool,
    /// Name, inertia and places; placement and joint come later.
    pub description: LinkDescription,
    /// Inertia that is to be had from its shapes.
    pub auto: Option<Auto>,
    /// Shapes in other frames, with the names of these.
    pub elsewhere: Vec<(ShapeDescription, String)>,
    pub has_inertial: bool,
}

pub(super) fn read(element: &Element, name: &str, frame: usize, here: &Here, context: &mut Context<'_, '_>) -> Link {
    context.known_attributes_of(element, &["name"]);
    context.known_children_of(element, &[&["inertial", "pose", "gravity", "kinematic", "frame"], &HARMLESS]);
    let mut description = LinkDescription::new(name, "");
    description.location = Some(context.sources.locate(element.span));
    description.places.set("name", context.sources.locate(element.span_of("name")));
    let inertia = ELEMENTS.map(|(_, default)| default);
    (description.mass, description.inertia) = (Number::ONE, InertiaDescription::AboutCom(inertia));
    if !here.is_static {
        if context.flag_of(element, "gravity") == Some(false) {
            let place =
                element.children().find(|child| child.tag == "gravity").map_or(element.span, |child| child.span);
            context.lost(place, format!("gravity acts on `{name}` here as on any link: <gravity>false is left out"));
        }
        if context.flag_of(element, "kinematic") == Some(true) {
            context.lost(element.span, format!("the link `{name}` is moved by forces here: <kinematic> is left out"));
        }
    }
    let elsewhere;
    (description.shapes, elsewhere) = visual::read(element, context);
    let inertial = context.child(element, "inertial");
    let mut auto = None;
    if let Some(inertial) = inertial {
        context.known_attributes_of(inertial, &["auto"]);
        let known = ["pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame"];
        context.known_children_of(inertial, &[&known]);
        if context.flag_attribute(inertial, "auto") == Some(true) {
            auto = Some(Auto::read(element, inertial, here, context));
        } else {
            read_inertial(inertial, &mut description, context);
        }
        if let Some(fluid) = context.child(inertial, "fluid_added_mass") {
            context.lost(fluid.span, format!("the fluid that `{name}` moves is left out: <fluid_added_mass>"));
        }
        description.inertia_location.get_or_insert(context.sources.locate(inertial.span));
    }
    let (top, is_static) = (here.top.unwrap_or_default(), here.is_static);
    Link { frame, top, is_static, description, auto, elsewhere, has_inertial: inertial.is_some() }
}

fn read_inertial(element: &Element, link: &mut LinkDescription, context: &mut Context<'_, '_>) {
    let (pose, relative_to) = context.pose_of(element);
    if let Some(reference) = relative_to {
        let message = "the pose of an <inertial> is in the frame of its link; `relative_to` is ignored";
        context.push(reference.span, Diagnostic::warning("unknown-attribute", message));
    }
    if let Some(mass) = context.number_of(element, "mass") {
        link.mass = mass;
    }
    link.places.set("mass", context.place_of(element, "mass"));
    link.places.set("com", context.place_of(element, "pose"));
    let mut elements = ELEMENTS.map(|(_, default)| default);
    if let Some(inertia) = context.child(element, "inertia") {
        context.known_children_of(inertia, &[&ELEMENTS.map(|(tag, _)| tag)]);
        for (element, (tag, _)) in elements.iter_mut().zip(ELEMENTS) {
            *element = context.number_of(inertia, tag).unwrap_or(*element);
        }
        link.inertia_location = Some(context.sources.locate(inertia.span));
    }
    link.com = pose.map_or([Number::ZERO; 3], |pose| pose.xyz);
    link.inertia = match pose.map(|pose| (pose.orientation, pose)) {
        Some((Orientation::Rpy(rpy), pose)) if pose.is_turned() => {
            InertiaDescription::AboutComRotated { elements, rpy }
        }
        Some((Orientation::Quaternion(_), pose)) => {
            let tensor = Symmetric::from_array(elements.map(|x| x.value)).rotated(&pose.pose().rotation);
            InertiaDescription::AboutCom(tensor.to_array().map(Number::from))
        }
        Some((Orientation::Rpy(_), _)) | None => InertiaDescription::AboutCom(elements),
    };
}
