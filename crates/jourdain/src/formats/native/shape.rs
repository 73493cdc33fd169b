//! `[[link.shape]]`: a shape that shows a link.
//!
//! `type` and `size` (edges of a box, half axes of an ellipsoid, radius and length of a cylinder or capsule, radius of a sphere),
//! or `mesh` and `scale`; `origin` and `colour` are optional.

use super::super::suggest;
use super::document::{Item, entry, floats};
use super::link::read_origin;
use super::table::{Context, Table};
use super::tree::Node;
use super::write::origin_entries;
use crate::model::Number;
use crate::model::description::{Orientation, Placement};
use crate::model::shape::{Form, MAX_SHAPES, ShapeDescription, colour};

/// The shapes of a link.
pub(super) fn read(nodes: &[Node], context: &mut Context<'_>) -> Vec<ShapeDescription> {
    if let Some(beyond) = nodes.get(MAX_SHAPES) {
        context.error(beyond, "too-many-shapes", format!("a link has at most {MAX_SHAPES} shapes"));
    }
    nodes.iter().take(MAX_SHAPES).filter_map(|node| shape(node, context)).collect()
}

fn shape(node: &Node, context: &mut Context<'_>) -> Option<ShapeDescription> {
    let mut table = Table::new(node, "a shape", context)?;
    let form = form(&mut table, context);
    let origin = table.table("origin", context).map(|origin| read_origin(origin, context));
    let given = table.list("colour", context);
    let colour = given.and_then(|items| {
        let numbers: Option<Vec<f64>> =
            items.iter().map(|item| super::table::number(item, "colour", context).map(|x| x.value)).collect();
        let colour = colour(&numbers?);
        if colour.is_none() {
            let message = "`colour` must be red, green, blue and opacity from 0 to 1".to_owned();
            context.error(node, "bad-colour", message);
        }
        colour
    });
    table.finish(context);
    let mut shape = ShapeDescription { colour, ..ShapeDescription::new(form?) };
    if let Some(Placement::Origin { xyz, orientation }) = origin {
        (shape.xyz, shape.orientation) = (xyz, orientation);
    }
    Some(shape)
}

fn form(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<Form> {
    table.exclude("mesh", "size", context);
    let path = table.text("mesh", context);
    let scale = table.vector::<3>("scale", context).map(|scale| scale.map(|x| x.value));
    let kind = table.text("type", context);
    let size = table.list("size", context);
    let node = table.node();
    if let Some(path) = path {
        let form = Form::mesh(path, scale.unwrap_or([1.0; 3]));
        if form.is_none() || kind.is_some_and(|kind| kind != "mesh") {
            let message = "a shape with `mesh` has the name of a file, factors other than zero, and no other type";
            context.error(node, "bad-shape", message.to_owned());
        }
        return form;
    }
    table.refuse(&["scale"], "it belongs to a mesh", context);
    let Some(kind) = kind else {
        context.error(node, "missing-key", "a shape has neither `type` nor `mesh`".to_owned());
        return None;
    };
    let Some(wanted) = Form::sizes(kind) else {
        let message = format!("there is no shape `{}`", super::shorten(kind));
        context.error_with_hint(node, "unknown-shape", message, Some(suggest::hint(kind, &Form::NAMES)));
        return None;
    };
    let numbers: Option<Vec<f64>> = size
        .unwrap_or_default()
        .iter()
        .map(|item| super::table::number(item, "size", context).map(|x| x.value))
        .collect();
    let form = Form::of(kind, &numbers?);
    if form.is_none() {
        context.error(node, "bad-shape", format!("`size` must be {wanted}, all positive"));
    }
    form
}

/// A shape as it is written.
pub(super) fn entries(shape: &ShapeDescription) -> Vec<(String, Item)> {
    let mut entries = match &shape.form {
        Form::Mesh { path, scale } => {
            let mut entries = vec![entry("mesh", Item::Text(path.clone()))];
            if *scale != [1.0; 3] {
                entries.push(entry("scale", floats(scale)));
            }
            entries
        }
        form => vec![entry("type", Item::Text(form.name().to_owned())), entry("size", floats(&form.size()))],
    };
    if shape.xyz != [Number::ZERO; 3] || shape.orientation != Orientation::Rpy([Number::ZERO; 3]) {
        entries.push(entry("origin", Item::Table(origin_entries(&shape.xyz, &shape.orientation))));
    }
    entries.extend(shape.colour.map(|colour| entry("colour", floats(&colour))));
    entries
}
