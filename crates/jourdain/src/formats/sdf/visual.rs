//! `<visual>`: the shapes that show a link, as far as they are understood.
//!
//! A shape may be placed relative to another frame than its link's, which is known only when all frames are: such shapes come after
//! the others. One whose frame is not there is left out.

use super::super::xml::{Context, Element, numbers};
use super::frames::Frames;
use crate::model::Number;
use crate::model::description::Orientation;
use crate::model::shape::{Form, MAX_SHAPES, ShapeDescription, colour};
use crate::spatial::{Pose, Quaternion};

/// The shapes of a link, and those that are in other frames with the names of these.
pub(super) fn read(
    link: &Element,
    context: &Context<'_, '_>,
) -> (Vec<ShapeDescription>, Vec<(ShapeDescription, String)>) {
    let (mut own, mut elsewhere) = (Vec::new(), Vec::new());
    let visuals = link.children().filter(|child| child.tag == "visual");
    for (shape, frame) in visuals.filter_map(|visual| shape(visual, context)).take(MAX_SHAPES) {
        match frame {
            None => own.push(shape),
            Some(frame) => elsewhere.push((shape, frame)),
        }
    }
    (own, elsewhere)
}

/// Shapes in other frames, in the frame of their link.
pub(super) fn placed(
    elsewhere: &[(ShapeDescription, String)],
    link: usize,
    frames: &Frames,
) -> impl Iterator<Item = ShapeDescription> {
    elsewhere.iter().filter_map(move |(shape, name)| {
        let from = frames.relative(link, frames.visible(link, name)?).pose();
        let Pose { rotation, translation } = from * shape.pose();
        let mut shape = shape.clone();
        shape.xyz = translation.0.map(Number::from);
        shape.orientation = Orientation::Quaternion(Quaternion::from_rotation(&rotation).to_array().map(Number::from));
        Some(shape)
    })
}

fn child<'a>(element: &'a Element, tag: &str) -> Option<&'a Element> {
    element.children().find(|child| child.tag == tag)
}

/// A shape, and the frame it is in if that is another one.
fn shape(visual: &Element, context: &Context<'_, '_>) -> Option<(ShapeDescription, Option<String>)> {
    let given = child(visual, "geometry")?.children().next()?;
    let text = |element: &Element, tag: &str| Some(context.own_text(child(element, tag)?)?.name);
    let size = |tag: &str, count: usize| numbers(&text(given, tag)?, count);
    let form = match given.tag.as_str() {
        "box" => Form::of("box", &size("size", 3)?)?,
        "ellipsoid" => Form::of("ellipsoid", &size("radii", 3)?)?,
        "sphere" => Form::of("sphere", &size("radius", 1)?)?,
        tag @ ("cylinder" | "capsule") => Form::of(tag, &[size("radius", 1)?, size("length", 1)?].concat())?,
        "mesh" => {
            let scale = match child(given, "scale") {
                Some(_) => size("scale", 3)?.try_into().ok()?,
                None => [1.0; 3],
            };
            Form::mesh(&text(given, "uri")?, scale)?
        }
        _ => return None,
    };
    let mut shape = ShapeDescription::new(form);
    if let Some(pose) = child(visual, "pose") {
        place(&mut shape, pose, context)?;
    }
    let material = child(visual, "material");
    let tint = |tag: &str| {
        let text = text(material?, tag)?;
        colour(&numbers(&text, 4).or_else(|| numbers(&text, 3))?)
    };
    shape.colour = tint("diffuse").or_else(|| tint("ambient"));
    let frame = child(visual, "pose").and_then(|pose| pose.get("relative_to")).filter(|frame| !frame.is_empty());
    Some((shape, frame.map(str::to_owned)))
}

fn place(shape: &mut ShapeDescription, pose: &Element, context: &Context<'_, '_>) -> Option<()> {
    let Some(text) = context.own_text(pose) else { return Some(()) };
    let words: Vec<Number> = text.name.split_whitespace().take(8).map(Number::parse).collect::<Option<_>>()?;
    let in_degrees = matches!(pose.get("degrees"), Some("true" | "1"));
    let turned = |angle: Number| if in_degrees { Number::from(angle.value.to_radians()) } else { angle };
    match (pose.get("rotation_format").filter(|format| !format.is_empty()), &words[..]) {
        (None | Some("euler_rpy"), &[x, y, z, roll, pitch, yaw]) => {
            shape.xyz = [x, y, z];
            shape.orientation = Orientation::Rpy([roll, pitch, yaw].map(turned));
        }
        (Some("quat_xyzw"), &[x, y, z, i, j, k, w]) => {
            shape.xyz = [x, y, z];
            shape.orientation = Orientation::Quaternion([w, i, j, k]);
        }
        _ => return None,
    }
    Some(())
}
