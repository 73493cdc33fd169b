//! SDF, the files of Gazebo and Drake: models of links and joints with poses relative to one another, versions 1.4 to 1.12.
//!
//! Traps: a link's pose is in the frame of the model; a link without inertia weighs 1 kg; a model that nothing joins to the
//! world floats. Gravity is 9.8 m/s² unless the world says otherwise.

mod coupling;
mod document;
mod frames;
mod graph;
mod include;
mod joint;
mod link;
mod solid;
mod tree;
mod value;
mod visual;
mod write;

use super::limits::MAX_DEPTH;
use super::native::shorten;
use super::report::Report;
use super::xml::{Context, Element, Files, Sources};
use crate::model::{Description, Diagnostic, Number};
use document::Document;
use std::path::Path;
pub use write::to_sdf;

/// Gravity where no world gives it, m/s².
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.8];

/// Reads a file; its root element must be `<sdf>`.
pub(super) fn read(
    root: &Element,
    file: &Path,
    sources: &mut Sources<'_>,
    files: &dyn Files,
    report: &mut Report,
) -> Option<Description> {
    let context = &mut Context { sources, report, files, is_idle: false };
    if root.tag != "sdf" {
        let message = format!("the root element is <{}>, not <sdf>", shorten(&root.tag));
        context.error_with_hint(root.span, "not-sdf", message, "is this an SDF file?");
        return None;
    }
    let mut document = Document::read(root, file, context);
    if document.tops.is_empty() && !context.report.is_fatal() {
        let hint = "a robot is a <model>, in <sdf> or in a <world>";
        let message = "the file has no <model>".to_owned();
        context.error_with_hint(root.span, "no-links", message, hint);
    }
    if let Some(top) = document.tops.first().filter(|_| document.links.is_empty() && !context.report.is_fatal()) {
        let message = format!("the model `{}` has no links", shorten(&top.name));
        context.error_with_hint(top.span, "no-links", message, "add a <link>");
    }
    if !document.frames.resolve(context) || context.report.is_fatal() {
        return None;
    }
    let chosen = choose(&document, context);
    let (links, states) = tree::assemble(&document, &chosen, context)?;
    let mut of_chosen = document.tops.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
    let name = match (of_chosen.next(), of_chosen.next()) {
        (Some((top, _)), None) => top.name.clone(),
        _ => std::mem::take(&mut document.name),
    };
    let gravity = document.gravity.unwrap_or(GRAVITY.map(Number::from));
    Some(Description { name, gravity, allow_unphysical: false, links, states })
}

/// Which models are read: those that move, or all if none does or the world joins them.
fn choose(document: &Document, context: &mut Context<'_, '_>) -> Vec<bool> {
    let moves: Vec<bool> = document.tops.iter().map(|top| !top.is_static).collect();
    let moving = moves.iter().filter(|moves| **moves).count();
    let names = |wanted: bool| {
        let listed = document.tops.iter().zip(&moves).filter(|(_, moves)| **moves == wanted);
        listed.map(|(top, _)| format!("`{}`", shorten(&top.name))).take(10).collect::<Vec<_>>().join(", ")
    };
    if document.has_world_joints || moving == 0 || moving == moves.len() {
        if let Some(second) = document.tops.get(1) {
            let message = format!("{} models are read as one robot; links are called MODEL::LINK", moves.len());
            let hint = "--only LINK takes one of them";
            context.push(second.span, Diagnostic::warning("several-models", message).hint(hint));
        }
        return vec![true; moves.len()];
    }
    if let Some((scenery, _)) = document.tops.iter().zip(&moves).find(|(_, moves)| !**moves) {
        let message = format!("static models stand still and are left out: {}", names(false));
        context.push(scenery.span, Diagnostic::warning("static-left-out", message));
    }
    if moving > 1 {
        let message = format!("{moving} models are read as one robot, links are called MODEL::LINK: {}", names(true));
        let place = document.tops.iter().zip(&moves).filter(|(_, moves)| **moves).nth(1).map(|(top, _)| top.span);
        let warning = Diagnostic::warning("several-models", message).hint("--only LINK takes one of them");
        let place = place.map(|span| context.sources.locate(span));
        context.report.push(warning.at(place));
    }
    moves
}
