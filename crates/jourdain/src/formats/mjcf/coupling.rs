//! `<equality>` and `<actuator>`: what they make of the joints.
//!
//! y − y₀ = a₀ + a₁ (x − x₀) is a mimic: multiplier a₁, offset y₀ + a₀ − a₁ x₀, with y₀ and x₀ the joints' `ref`. Positions are
//! in radians whatever the unit of angles. MuJoCo's constraint is soft and ours is not.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::Element;
use super::body::{Body, Part, Tree};
use super::context::{Context, View};
use super::joint::{Coupling, Joint, Kind};
use std::collections::HashMap;

/// Joints by name.
struct Joints<'a> {
    bodies: &'a mut [Body],
    places: HashMap<String, [usize; 2]>,
}

impl Joints<'_> {
    /// The joint that an attribute names; reported if there is none.
    fn find(
        &self,
        element: &Element,
        attribute: &str,
        prefix: &str,
        context: &mut Context<'_, '_>,
    ) -> Option<[usize; 2]> {
        let name = element.get(attribute)?;
        let found = self.places.get(&format!("{prefix}{name}")).copied();
        if found.is_none() {
            let mut names: Vec<&str> = self.places.keys().map(String::as_str).collect();
            names.sort_unstable();
            let message = format!("there is no joint `{}`", shorten(name));
            context.error_with_hint(element.span_of(attribute), "unknown-joint", message, suggest::hint(name, &names));
        }
        found
    }

    fn get(&mut self, [body, joint]: [usize; 2]) -> &mut Joint {
        &mut self.bodies[body].joints[joint]
    }
}

/// Reads the couplings and drives of every part of a tree.
pub(super) fn read(tree: &mut Tree, context: &mut Context<'_, '_>) {
    let places =
        tree.bodies.iter().enumerate().flat_map(|(body, it)| {
            it.joints.iter().enumerate().map(move |(joint, it)| (it.name.clone(), [body, joint]))
        });
    let places = places.collect();
    let mut joints = Joints { bodies: &mut tree.bodies, places };
    for part in &tree.parts {
        for section in part.document.root.children() {
            match section.tag.as_str() {
                "equality" => section.children().for_each(|child| equality(child, part, &mut joints, context)),
                "actuator" => section.children().for_each(|child| actuator(child, part, &mut joints, context)),
                "tendon" => section.children().for_each(|child| tendon(child, part, context)),
                "deformable" if section.children().next().is_some() => {
                    context.lost(section.span, "deformable bodies are left out");
                }
                "contact" => {
                    for pair in section.children().filter(|child| child.tag == "pair").take(1) {
                        context.lost(pair.span, "contacts are left out: nothing stops bodies from meeting");
                    }
                }
                _ => {}
            }
        }
    }
}

fn equality(element: &Element, part: &Part, joints: &mut Joints<'_>, context: &mut Context<'_, '_>) {
    let view = part.document.classes.view(element, None, context);
    if context.flag(view, "active") == Some(false) {
        return;
    }
    if element.tag != "joint" {
        let message =
            format!("<{}> closes a loop and is left out: the model is the tree without it", shorten(&element.tag));
        context.lost(element.span, message);
        return;
    }
    if element.get("joint1").is_none() {
        context.error(element.span, "missing-attribute", "<joint> of <equality> has no attribute `joint1`");
        return;
    }
    let Some(follower) = joints.find(element, "joint1", &part.prefix, context) else { return };
    let mut coefficients = [0.0, 1.0, 0.0, 0.0, 0.0];
    if let Some(attribute) = view.attribute("polycoef") {
        let Some(given) = context.numbers(attribute, 1, 5) else { return };
        given.iter().enumerate().for_each(|(i, number)| coefficients[i] = *number);
    }
    let [constant, slope, higher @ ..] = coefficients;
    let (own, kind) = (joints.get(follower).reference, joints.get(follower).kind);
    if kind.freedoms() != 1 {
        context.error(element.span_of("joint1"), "mimic-kind", "only hinges and slides can be coupled");
        return;
    }
    let coupling = if element.get("joint2").is_some_and(|name| !name.is_empty()) {
        let Some(leader) = joints.find(element, "joint2", &part.prefix, context) else { return };
        if higher != [0.0; 3] {
            context.lost(element.span, "a coupling that is not linear is left out: the joints move freely");
            return;
        }
        let leader = joints.get(leader);
        let offset = own + constant - slope * leader.reference;
        Coupling::Follows { joint: leader.name.clone(), multiplier: slope, offset }
    } else {
        Coupling::Locked(own + constant)
    };
    joints.get(follower).coupling = Some(coupling);
}

fn actuator(element: &Element, part: &Part, joints: &mut Joints<'_>, context: &mut Context<'_, '_>) {
    let view = part.document.classes.view(element, None, context);
    let Some(place) = ["joint", "jointinparent"].into_iter().find(|name| element.get(name).is_some()) else { return };
    let Some(joint) = joints.find(element, place, &part.prefix, context) else { return };
    let gear =
        view.attribute("gear").and_then(|attribute| context.numbers(attribute, 1, 6)).map_or(1.0, |gear| gear[0]);
    let armature = context.number(view, "armature").unwrap_or(0.0);
    let limit = |name: &str, context: &mut Context<'_, '_>| {
        let range = view.attribute(name).and_then(|attribute| context.numbers_or_infinite(attribute, 2, 2))?;
        let largest = range[0].abs().max(range[1].abs()) * gear.abs();
        (range[0] < range[1] && largest.is_finite()).then_some(largest)
    };
    let mut effort = limit("forcerange", context);
    if element.tag == "motor" {
        effort = effort.or_else(|| limit("ctrlrange", context));
    }
    if context.number(view, "damping").is_some_and(|damping| damping != 0.0) {
        context.lost(element.span, "the damping of the drive is left out");
    }
    let joint = joints.get(joint);
    if matches!(joint.kind, Kind::Hinge | Kind::Slide) {
        joint.effort = joint.effort.or(effort);
    }
    if armature != 0.0 && gear != 0.0 {
        match joint.rotor {
            None => joint.rotor = Some([armature, gear]),
            Some(_) => joint.armature += gear * gear * armature,
        }
    }
}

fn tendon(element: &Element, part: &Part, context: &mut Context<'_, '_>) {
    let view: View<'_> = part.document.classes.view(element, None, context);
    for name in ["armature", "stiffness", "damping", "frictionloss", "range"] {
        let Some(attribute) = view.attribute(name) else { continue };
        if context
            .numbers_or_infinite(attribute, 1, 3)
            .is_some_and(|numbers| numbers.iter().any(|number| *number != 0.0))
        {
            let message = format!("the {name} of the tendon is left out: a tree of joints cannot carry it");
            context.lost(element.span, message);
            return;
        }
    }
}
