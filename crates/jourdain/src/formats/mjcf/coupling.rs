//! `<equality>` and `<actuator>`: what they make of the joints.
//!
//! y − y₀ = a₀ + a₁ (x − x₀) is a mimic: multiplier a₁, offset y₀ + a₀ − a₁ x₀, with y₀ and x₀ the joints' `ref`. Positions are
//! in radians whatever the unit of angles. MuJoCo's constraint is soft and ours is not.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::Element;
use super::body::{Body, Part, Tree};
use super::context::Context;
use super::joint::{Coupling, Joint, Kind};
use std::collections::HashMap;

/// Joints by name.
struct Joints<'a> {
    bodies: &'a mut [Body],
    places: HashMap<String, [usize; 2]>,
    /// What the names of copies end in, by the name without it.
    copies: HashMap<String, Vec<String>>,
}

/// Which joints an element is about.
struct Reference<'a> {
    part: &'a Part,
    /// What the names end in: the number of a copy, or nothing.
    suffix: &'a str,
    /// True of attached models, of which a part may have been left behind.
    may_miss: bool,
}

impl Joints<'_> {
    fn new(bodies: &mut [Body]) -> Joints<'_> {
        let (mut places, mut copies) = (HashMap::new(), HashMap::<String, Vec<String>>::new());
        for (number, body) in bodies.iter().enumerate() {
            for (index, joint) in body.joints.iter().enumerate() {
                places.insert(joint.name.clone(), [number, index]);
                let suffix = joint.name.strip_prefix(&joint.family).filter(|suffix| !suffix.is_empty());
                if let Some(suffix) = suffix.filter(|_| !joint.family.is_empty()) {
                    copies.entry(joint.family.clone()).or_default().push(suffix.to_owned());
                }
            }
        }
        Joints { bodies, places, copies }
    }

    /// What the names end in that an element refers to: nothing, or one ending for each of the copies.
    fn suffixes(&self, element: &Element, attribute: &str, part: &Part) -> Vec<String> {
        let name = format!("{}{}", part.prefix, element.get(attribute).unwrap_or_default());
        if !self.places.contains_key(&name) && !part.suffix.is_empty() {
            return vec![part.suffix.clone()];
        }
        match self.copies.get(&name).filter(|_| !self.places.contains_key(&name)) {
            Some(suffixes) => suffixes.clone(),
            None => vec![String::new()],
        }
    }

    /// True if the joint that an attribute names has other copies than what refers to it, or only one of the two has any.
    fn is_copied_otherwise(&self, element: &Element, attribute: &str, of: &Reference<'_>) -> bool {
        let name = format!("{}{}", of.part.prefix, element.get(attribute).unwrap_or_default());
        let is_plain = self.places.contains_key(&name);
        let has_copy = self.places.contains_key(&format!("{name}{}", of.suffix));
        if of.suffix.is_empty() { !is_plain && self.copies.contains_key(&name) } else { is_plain && !has_copy }
    }

    /// The joint that an attribute names; reported if there is none.
    fn find(
        &self,
        element: &Element,
        attribute: &str,
        of: &Reference<'_>,
        context: &mut Context<'_, '_>,
    ) -> Option<[usize; 2]> {
        let given = element.get(attribute)?;
        let name = format!("{}{given}", of.part.prefix);
        let copy = self.places.get(&format!("{name}{}", of.suffix));
        let found = copy.or_else(|| self.places.get(&name)).copied();
        if found.is_none() && !of.may_miss {
            let mut names: Vec<&str> = self.places.keys().map(String::as_str).collect();
            names.sort_unstable();
            let message = format!("there is no joint `{}`", shorten(given));
            context.error_with_hint(element.span_of(attribute), "unknown-joint", message, suggest::hint(given, &names));
        }
        found
    }

    /// A joint, what it follows, what that follows, and so on. There are no circles.
    fn chain(&self, from: [usize; 2]) -> Vec<[usize; 2]> {
        let next = |place: &[usize; 2]| match &self.bodies[place[0]].joints[place[1]].coupling {
            Some(Coupling::Follows { joint, .. }) => self.places.get(joint).copied(),
            Some(Coupling::Locked(_)) | None => None,
        };
        std::iter::successors(Some(from), next).collect()
    }

    /// What follows a joint that is held is held as well.
    fn hold_followers(&mut self) {
        let mut places: Vec<[usize; 2]> = self.places.values().copied().collect();
        places.sort_unstable();
        for place in places {
            let mut chain = self.chain(place);
            let last = chain.pop().map(|last| self.get(last).coupling.clone());
            let Some(Some(Coupling::Locked(mut q))) = last else { continue };
            for follower in chain.into_iter().rev() {
                let coupling = &mut self.get(follower).coupling;
                if let Some(Coupling::Follows { multiplier, offset, .. }) = coupling {
                    q = *multiplier * q + *offset;
                }
                *coupling = Some(Coupling::Locked(q));
            }
        }
    }

    fn get(&mut self, [body, joint]: [usize; 2]) -> &mut Joint {
        &mut self.bodies[body].joints[joint]
    }
}

/// Reads the couplings and drives of every part of a tree.
pub(super) fn read(tree: &mut Tree, context: &mut Context<'_, '_>) {
    let mut joints = Joints::new(&mut tree.bodies);
    for (number, part) in tree.parts.iter().enumerate() {
        for section in part.document.root.children() {
            match section.tag.as_str() {
                "equality" => section.children().for_each(|child| {
                    for suffix in joints.suffixes(child, "joint1", part) {
                        equality(
                            child,
                            &Reference { part, suffix: &suffix, may_miss: number > 0 },
                            &mut joints,
                            context,
                        );
                    }
                }),
                "actuator" => section.children().for_each(|child| {
                    let place = ["joint", "jointinparent"].into_iter().find(|name| child.get(name).is_some());
                    for suffix in joints.suffixes(child, place.unwrap_or_default(), part) {
                        let of = Reference { part, suffix: &suffix, may_miss: number > 0 };
                        actuator(child, place, &of, &mut joints, context);
                    }
                }),
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
    joints.hold_followers();
}

fn equality(element: &Element, of: &Reference<'_>, joints: &mut Joints<'_>, context: &mut Context<'_, '_>) {
    let view = of.part.document.classes.view_in(element, "equality", context);
    if context.flag(view, "active") == Some(false) {
        return;
    }
    if element.tag != "joint" {
        let message = match element.tag.as_str() {
            "tendon" => "<tendon> couples tendons and is left out: the joints move freely".to_owned(),
            other => format!("<{}> closes a loop and is left out: the model is the tree without it", shorten(other)),
        };
        context.lost(element.span, message);
        return;
    }
    if element.get("joint1").is_none() {
        context.error(element.span, "missing-attribute", "<joint> of <equality> has no attribute `joint1`");
        return;
    }
    let Some(follower) = joints.find(element, "joint1", of, context) else { return };
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
    if joints.get(follower).coupling.is_some() {
        let message = "a joint that is coupled already is coupled again: only the first coupling is kept";
        context.lost(element.span, message);
        return;
    }
    let coupling = if element.get("joint2").is_some_and(|name| !name.is_empty()) {
        if joints.is_copied_otherwise(element, "joint2", of) {
            context.lost(element.span, "a coupling of a copied joint with one that is not copied with it is left out");
            return;
        }
        let Some(leader_place) = joints.find(element, "joint2", of, context) else { return };
        if higher != [0.0; 3] {
            context.lost(element.span, "a coupling that is not linear is left out: the joints move freely");
            return;
        }
        let leader = joints.get(leader_place);
        if leader.kind.freedoms() != 1 {
            context.error(element.span_of("joint2"), "mimic-kind", "only hinges and slides can be coupled");
            return;
        }
        let (name, leads) = (leader.name.clone(), joints.chain(leader_place));
        if leads.contains(&follower) {
            context.lost(
                element.span,
                format!(
                    "the joints up to `{}` follow one another in a circle: this coupling is left out",
                    shorten(&name)
                ),
            );
            return;
        }
        let leader = joints.get(leader_place);
        let offset = own + constant - slope * leader.reference;
        Coupling::Follows { joint: leader.name.clone(), multiplier: slope, offset }
    } else {
        Coupling::Locked(own + constant)
    };
    joints.get(follower).coupling = Some(coupling);
}

fn actuator(
    element: &Element,
    place: Option<&str>,
    of: &Reference<'_>,
    joints: &mut Joints<'_>,
    context: &mut Context<'_, '_>,
) {
    let view = of.part.document.classes.view_in(element, "actuator", context);
    let armature = context.number(view, "armature").unwrap_or(0.0);
    let damping = view.attribute("damping").and_then(|attribute| context.numbers(attribute, 1, 3)).unwrap_or_default();
    let Some(place) = place else {
        for (name, value) in [("armature", armature), ("damping", damping.iter().map(|x| x.abs()).sum())] {
            if value != 0.0 {
                context.lost(element.span, format!("the {name} of a drive that acts on no joint is left out"));
            }
        }
        return;
    };
    let Some(joint) = joints.find(element, place, of, context) else { return };
    let gear =
        view.attribute("gear").and_then(|attribute| context.numbers(attribute, 1, 6)).map_or(1.0, |gear| gear[0]);
    let limit = |name: &str, context: &mut Context<'_, '_>| {
        let range = view.attribute(name).and_then(|attribute| context.numbers_or_infinite(attribute, 2, 2))?;
        let largest = range[0].abs().max(range[1].abs()) * gear.abs();
        (range[0] < range[1] && largest.is_finite()).then_some(largest)
    };
    let mut effort = limit("forcerange", context);
    if element.tag == "motor" {
        effort = effort.or_else(|| limit("ctrlrange", context));
    }
    if damping.iter().skip(1).any(|number| *number != 0.0) {
        context.lost(element.span, "the nonlinear part of the drive's damping is left out");
    }
    let joint = joints.get(joint);
    joint.damping += gear * gear * damping.first().unwrap_or(&0.0);
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
    let view = part.document.classes.view_in(element, "tendon", context);
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
