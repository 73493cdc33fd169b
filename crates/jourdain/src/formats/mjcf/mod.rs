//! MJCF, the files of MuJoCo: a tree of bodies, each with its joints, its inertia given or had from its shapes.
//!
//! Follows what MuJoCo 4 does, not what its documentation says, where the two differ. Positions are MuJoCo's `qpos`, `ref`
//! included; velocities of free bodies are in body axes. What a tree cannot carry is named.

mod body;
mod context;
mod coupling;
mod defaults;
mod document;
mod geom;
mod include;
mod inertia;
mod joint;
mod keyframe;
mod links;
mod mesh;
mod orientation;
mod primitive;
mod settings;
mod value;

use super::native::shorten;
use super::report::Report;
use super::xml::{Element, Files, Sources};
use crate::model::{Description, Diagnostic, Number};
use body::{Body, Tree};
use context::Context;
use document::Document;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Deepest nesting of elements: bodies stand inside one another.
pub(super) const MAX_DEPTH: usize = 1000;

/// Sections of a model; all that is not read says nothing about its dynamics.
const SECTIONS: [&str; 18] = [
    "compiler",
    "option",
    "size",
    "visual",
    "statistic",
    "default",
    "asset",
    "worldbody",
    "contact",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "keyframe",
    "custom",
    "deformable",
    "extension",
    "include",
];

/// Reads a model whose root element is `<mujoco>`.
pub(super) fn read(
    root: Element,
    file: &Path,
    sources: &mut Sources<'_>,
    files: &dyn Files,
    report: &mut Report,
) -> Option<Description> {
    let mut context = Context { sources, report, files };
    let context = &mut context;
    let place = root.span;
    let name = root.get("model").filter(|name| !name.is_empty()).unwrap_or("MuJoCo Model").to_owned();
    let document = Rc::new(Document::read(root, file, context));
    for section in document.root.children().filter(|section| !SECTIONS.contains(&section.tag.as_str())) {
        let message = format!("the section <{}> is not known and is ignored", shorten(&section.tag));
        context.push(section.span, Diagnostic::warning("unsupported-tag", message));
    }
    let mut tree = Tree::read(&document, context);
    name_joints(&mut tree.bodies);
    unique_names(&tree.bodies, context);
    coupling::read(&mut tree, context);
    inertia::resolve(&mut tree.bodies, &document.settings, context);
    keyframe::check(&tree, context);
    if tree.bodies.len() == 1 && !context.report.is_fatal() {
        let message = "the model has no bodies".to_owned();
        let hint = "a file of settings or defaults is to be included by a model";
        context.push(place, Diagnostic::error("no-links", message).hint(hint));
    }
    let links = links::links(&tree.bodies, context);
    let gravity = document.settings.gravity.map(Number::from);
    Some(Description { name, gravity, allow_unphysical: false, links, states: Vec::new() })
}

/// A joint without a name is called after its body: `BODY_joint`, `BODY_joint2`.
fn name_joints(bodies: &mut [Body]) {
    for body in bodies {
        for (index, joint) in body.joints.iter_mut().filter(|joint| joint.name.is_empty()).enumerate() {
            joint.name = match index {
                0 => format!("{}_joint", body.name),
                index => format!("{}_joint{}", body.name, index + 1),
            };
        }
    }
}

fn unique_names(bodies: &[Body], context: &mut Context<'_, '_>) {
    let bodies_named = bodies.iter().skip(1).map(|body| ("bodies", "duplicate-link", &body.name, body.span));
    let joints_named = bodies.iter().flat_map(|body| &body.joints);
    let joints_named = joints_named.map(|joint| ("joints", "duplicate-joint", &joint.name, joint.span));
    let mut seen = HashMap::new();
    for (what, code, name, span) in bodies_named.chain(joints_named) {
        if seen.insert((what, name), span).is_some() {
            let message = format!("two {what} are called `{}`", shorten(name));
            context.error_with_hint(span, code, message, "names must be unique");
        }
    }
}
