//! `<visual>`: the shapes that show a link, as far as they are understood, and what they are written as.

use super::super::plain::Losses;
use super::super::xml::write::{Attributes, Writer};
use super::super::xml::{Element, numbers};
use crate::model::Number;
use crate::model::description::{LinkDescription, Orientation};
use crate::model::shape::{Form, MAX_SHAPES, ShapeDescription, colour};
use crate::spatial::{Rotation, Vector};
use std::collections::HashMap;

/// The colours of materials, by name.
pub(super) type Colours = HashMap<String, [f64; 4]>;

/// The colours that a file gives a name to, wherever it does.
pub(super) fn colours(root: &Element) -> Colours {
    let visuals = root.children().filter(|child| child.tag == "link").flat_map(Element::children);
    let inside = visuals.filter(|child| child.tag == "visual").flat_map(Element::children);
    let mut colours = Colours::new();
    for material in root.children().chain(inside).filter(|child| child.tag == "material") {
        if let (Some(name), Some(colour)) = (material.get("name"), own_colour(material)) {
            colours.entry(name.to_owned()).or_insert(colour);
        }
    }
    colours
}

fn own_colour(material: &Element) -> Option<[f64; 4]> {
    let given = material.children().find(|child| child.tag == "color")?;
    colour(&numbers(given.get("rgba")?, 4)?)
}

/// The shapes of a link.
pub(super) fn read(link: &Element, colours: &Colours) -> Vec<ShapeDescription> {
    let visuals = link.children().filter(|child| child.tag == "visual");
    visuals.filter_map(|visual| shape(visual, colours)).take(MAX_SHAPES).collect()
}

fn shape(visual: &Element, colours: &Colours) -> Option<ShapeDescription> {
    let child = |element: &'_ Element, tag: &str| element.children().position(|child| child.tag == tag);
    let geometry = visual.children().nth(child(visual, "geometry")?)?.children().next()?;
    let size = |name: &str, count: usize| numbers(geometry.get(name)?, count);
    let form = match geometry.tag.as_str() {
        "box" => Form::of("box", &size("size", 3)?)?,
        "sphere" => Form::of("sphere", &size("radius", 1)?)?,
        tag @ ("cylinder" | "capsule") => Form::of(tag, &[size("radius", 1)?, size("length", 1)?].concat())?,
        "mesh" => {
            let scale = match geometry.get("scale") {
                Some(text) => numbers(text, 3).and_then(|scale| scale.try_into().ok())?,
                None => [1.0; 3],
            };
            Form::mesh(geometry.get("filename")?.trim(), scale)?
        }
        _ => return None,
    };
    let mut shape = ShapeDescription::new(form);
    if let Some(origin) = visual.children().find(|child| child.tag == "origin") {
        let three = |name: &str| -> Option<[Number; 3]> {
            let Some(text) = origin.get(name) else { return Some([Number::ZERO; 3]) };
            let words: Vec<Number> = text.split_whitespace().take(4).map(Number::parse).collect::<Option<_>>()?;
            words.try_into().ok()
        };
        (shape.xyz, shape.orientation) = (three("xyz")?, Orientation::Rpy(three("rpy")?));
    }
    let material = visual.children().find(|child| child.tag == "material");
    shape.colour = material.and_then(|material| own_colour(material).or(colours.get(material.get("name")?).copied()));
    Some(shape)
}

/// Writes the shapes of a link. URDF has no capsules, which are three shapes then, and no ellipsoids.
pub(super) fn write(writer: &mut Writer, link: &LinkDescription, losses: &mut Losses) {
    for shape in &link.shapes {
        let rpy = match shape.orientation {
            Orientation::Rpy(rpy) => rpy.map(|angle| angle.value),
            Orientation::Quaternion(_) => shape.pose().rotation.to_rpy(),
        };
        match &shape.form {
            Form::Ellipsoid { .. } => losses.link("an ellipsoid that shows", &link.name),
            Form::Capsule { radius, length } => {
                losses.link("that it is a capsule, and not a cylinder and two balls, that shows", &link.name);
                let rotation = Rotation::from_rpy(rpy[0], rpy[1], rpy[2]);
                let half = rotation.apply(Vector::new(0.0, 0.0, length / 2.0));
                let at = Vector(shape.xyz.map(|x| x.value));
                visual(writer, &Form::Cylinder { radius: *radius, length: *length }, at, rpy, shape.colour);
                for end in [at + half, at - half] {
                    visual(writer, &Form::Sphere { radius: *radius }, end, [0.0; 3], shape.colour);
                }
            }
            form => visual(writer, form, Vector(shape.xyz.map(|x| x.value)), rpy, shape.colour),
        }
    }
}

fn visual(writer: &mut Writer, form: &Form, xyz: Vector<f64>, rpy: [f64; 3], colour: Option<[f64; 4]>) {
    writer.start("visual", Attributes::new());
    if xyz.0 != [0.0; 3] || rpy != [0.0; 3] {
        writer.leaf("origin", Attributes::new().numbers("xyz", &xyz.0).numbers("rpy", &rpy));
    }
    writer.start("geometry", Attributes::new());
    let attributes = Attributes::new();
    match form {
        Form::Box { size } => writer.leaf("box", attributes.numbers("size", size)),
        Form::Sphere { radius } => writer.leaf("sphere", attributes.numbers("radius", &[*radius])),
        Form::Cylinder { radius, length } => {
            writer.leaf("cylinder", attributes.numbers("radius", &[*radius]).numbers("length", &[*length]));
        }
        Form::Mesh { path, scale } => {
            let attributes = attributes.text("filename", path);
            let is_plain = *scale == [1.0; 3];
            writer.leaf("mesh", if is_plain { attributes } else { attributes.numbers("scale", scale) });
        }
        // Written as others, or not at all.
        Form::Capsule { .. } | Form::Ellipsoid { .. } => {}
    }
    writer.end();
    if let Some(colour) = colour {
        let name = colour.map(|share| format!("{share}")).join(" ");
        writer.start("material", Attributes::new().text("name", &name));
        writer.leaf("color", Attributes::new().numbers("rgba", &colour));
        writer.end();
    }
    writer.end();
}
