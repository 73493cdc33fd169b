//! MJCF, the files of MuJoCo: a tree of bodies, each with its joints, its inertia given or had from its shapes.
//!
//! Follows what MuJoCo 4 does, not what its documentation says, where the two differ. Positions are MuJoCo's `qpos`, `ref`
//! included; velocities of free bodies are in body axes. What a tree cannot carry is named.

mod attach;
mod body;
mod context;
mod coupling;
mod defaults;
mod document;
mod geom;
mod include;
mod inertia;
mod joint;
mod joints;
mod keyframe;
mod links;
mod orientation;
mod replicate;
mod settings;
mod value;
mod write;

use super::native::shorten;
use super::report::Report;
use super::xml::{Element, Files, Sources};
use super::{mesh, primitive};
use crate::model::{Description, Diagnostic, Number};
use body::Tree;
use context::Context;
use document::Document;
use std::path::Path;
use std::rc::Rc;
pub use write::to_mjcf;

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
    let mut context = Context { sources, report, files, is_idle: false };
    let context = &mut context;
    let place = root.span;
    let name = root.get("model").filter(|name| !name.is_empty()).unwrap_or("MuJoCo Model").to_owned();
    let document = Rc::new(Document::read(root, file, context));
    for section in document.root.children().filter(|section| !SECTIONS.contains(&section.tag.as_str())) {
        let message = format!("the section <{}> is not known and is ignored", shorten(&section.tag));
        context.push(section.span, Diagnostic::warning("unsupported-tag", message));
    }
    let mut tree = Tree::read(&document, context);
    coupling::read(&mut tree, context);
    inertia::resolve(&mut tree, context);
    let states = keyframe::read(&tree, context);
    if tree.bodies.len() == 1 && !context.report.is_fatal() {
        let message = "the model has no bodies".to_owned();
        let hint = "a file of settings or defaults is to be included by a model";
        context.push(place, Diagnostic::error("no-links", message).hint(hint));
    }
    let links = links::links(&tree.bodies, context);
    let gravity = document.settings.gravity.map(Number::from);
    Some(Description { name, gravity, allow_unphysical: false, links, states })
}
