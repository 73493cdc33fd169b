//! `<keyframe>`: named positions, and `qpos0`, the position as drawn.
//!
//! The numbers are MuJoCo's `qpos`, in its order. A key that is too short goes on as `qpos0` does. The keys of an attached model
//! are about that model alone, of which only a part may be attached.

use super::super::native::shorten;
use super::super::report::Report;
use super::super::xml::Element;
use super::body::{Body, Part, Tree};
use super::context::{Context, View};
use super::joint::{Joint, Kind};
use crate::model::description::NamedState;
use crate::spatial::{Pose, Quaternion};
use std::rc::Rc;

/// The name of the position as drawn.
const DRAWN: &str = "qpos0";

/// The named positions of a tree; those of joints that have numbers of their own.
pub(super) fn read(tree: &Tree, context: &mut Context<'_, '_>) -> Vec<NamedState> {
    context.report.concerning(None, None);
    let drawn: Vec<(&Joint, Vec<f64>)> = drawn(&tree.bodies);
    let own = |positions: Vec<(&Joint, Vec<f64>)>| -> Vec<(String, Vec<f64>)> {
        let free = positions.into_iter().filter(|(joint, _)| joint.coupling.is_none());
        free.map(|(joint, numbers)| (joint.name.clone(), numbers)).collect()
    };
    let mut states: Vec<NamedState> = Vec::new();
    for (number, part) in tree.parts.iter().enumerate() {
        let sections = part.document.root.children().filter(|section| section.tag == "keyframe");
        for (index, key) in sections.flat_map(Element::children).filter(|key| key.tag == "key").enumerate() {
            let whole = drawn.clone();
            let positions = match number {
                0 => filled(key, whole, context),
                part => attached(key, tree, part, whole, context),
            };
            let Some(positions) = positions else { continue };
            let name = match (key.get("name").unwrap_or_default(), part) {
                ("", Part { prefix, .. }) if prefix.is_empty() => format!("key{index}"),
                (name, Part { prefix, suffix, .. }) => format!("{prefix}{name}{suffix}"),
            };
            if states.iter().any(|state| state.name == name) {
                let message = format!("two keys are called `{}`", shorten(&name));
                context.error_with_hint(key.span, "duplicate-state", message, "names must be unique");
                continue;
            }
            states.push(NamedState { name, positions: own(positions) });
        }
    }
    let moved = drawn.iter().any(|(joint, numbers)| *numbers != neutral(joint));
    if moved && states.iter().all(|state| state.name != DRAWN) {
        states.push(NamedState { name: DRAWN.to_owned(), positions: own(drawn) });
    }
    states
}

fn neutral(joint: &Joint) -> Vec<f64> {
    match joint.kind {
        Kind::Hinge | Kind::Slide => vec![0.0],
        Kind::Ball => vec![1.0, 0.0, 0.0, 0.0],
        Kind::Free => vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    }
}

/// Every joint with its numbers at the position as drawn.
fn drawn(bodies: &[Body]) -> Vec<(&Joint, Vec<f64>)> {
    let of = |joint: &Joint, pose: &Pose<f64>| match joint.kind {
        Kind::Hinge | Kind::Slide => vec![joint.reference],
        Kind::Ball => neutral(joint),
        Kind::Free => {
            let quaternion = Quaternion::from_rotation(&pose.rotation).to_array();
            pose.translation.0.into_iter().chain(quaternion).collect()
        }
    };
    let joints = bodies.iter().flat_map(|body| body.joints.iter().map(move |joint| (joint, of(joint, &body.pose))));
    joints.collect()
}

/// The positions with the numbers of a key, as far as it has any; `None` if they do not fit.
fn filled<'a>(
    key: &Element,
    mut positions: Vec<(&'a Joint, Vec<f64>)>,
    context: &mut Context<'_, '_>,
) -> Option<Vec<(&'a Joint, Vec<f64>)>> {
    let Some(attribute) = View::plain(key).attribute("qpos") else { return Some(positions) };
    let given = context.numbers(attribute, 0, usize::MAX - 1)?;
    let count: usize = positions.iter().map(|(_, numbers)| numbers.len()).sum();
    if given.len() > count {
        let message = format!("the key has {} positions, and the model {count}", given.len());
        context.error(attribute.span, "wrong-length", message);
        return None;
    }
    let targets = positions.iter_mut().flat_map(|(_, numbers)| numbers.iter_mut());
    targets.zip(&given).for_each(|(target, number)| *target = *number);
    for (joint, numbers) in &mut positions {
        let first = match joint.kind {
            Kind::Hinge | Kind::Slide => continue,
            Kind::Ball => 0,
            Kind::Free => 3,
        };
        // Scaled first, so that squares of huge numbers stay finite.
        let largest = numbers[first..].iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        numbers[first..].iter_mut().for_each(|x| *x /= largest);
        let norm = numbers[first..].iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm <= 1e-14 {
            // MuJoCo takes the identity for it.
            numbers[first..].copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
        } else {
            numbers[first..].iter_mut().for_each(|x| *x /= norm);
        }
    }
    Some(positions)
}

/// The same for a key of an attached model: its numbers are about all of that model, read once more by itself.
fn attached<'a>(
    key: &Element,
    tree: &'a Tree,
    part: usize,
    mut positions: Vec<(&'a Joint, Vec<f64>)>,
    context: &mut Context<'_, '_>,
) -> Option<Vec<(&'a Joint, Vec<f64>)>> {
    // What is wrong with the model has been said when it was attached.
    let mut unheard = Report::default();
    let mut quiet =
        Context { sources: &mut *context.sources, report: &mut unheard, files: context.files, is_idle: false };
    let alone = Tree::read(&Rc::clone(&tree.parts[part].document), &mut quiet);
    let given = filled(key, drawn(&alone.bodies), context)?;
    if View::plain(key).attribute("qpos").is_none() {
        return Some(positions);
    }
    // Joints of the part stand in the order of the model, and some may be missing; an element is known by its place.
    let mut rest = given.into_iter();
    let here: Vec<bool> =
        tree.bodies.iter().flat_map(|body| body.joints.iter().map(move |_| body.part == part)).collect();
    for ((joint, numbers), _) in positions.iter_mut().zip(here).filter(|(_, here)| *here) {
        if let Some((_, found)) = rest.by_ref().find(|(other, _)| other.span == joint.span) {
            *numbers = found;
        }
    }
    Some(positions)
}
