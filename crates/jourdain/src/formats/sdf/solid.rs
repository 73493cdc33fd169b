//! `<inertial auto="true">`: a link's inertia from its collision shapes and their densities.
//!
//! A collision's own density wins over that of the link's `<inertial>`; without either it is that of water. A mass given in
//! `<inertial>` scales the whole.

use super::super::mesh;
use super::super::native::shorten;
use super::super::primitive::Shape;
use super::super::xml::{Context, Element, Span};
use super::document::Here;
use super::frames::Frames;
use super::include::places;
use super::value::{Given, Reference};
use crate::model::Number;
use crate::model::description::{InertiaDescription, LinkDescription};
use crate::spatial::{Inertia, Pose, Symmetric, Vector};

/// Density of water, kg/m³.
const WATER: f64 = 1000.0;

/// A link whose inertia comes from its shapes.
pub(super) struct Auto {
    shapes: Vec<(Placed, Inertia<f64>)>,
    mass: Option<Number>,
    span: Span,
}

/// Where a shape is, and in which frame.
type Placed = (Option<Given>, Option<Reference>);

impl Auto {
    pub fn read(link: &Element, inertial: &Element, here: &Here, context: &mut Context<'_, '_>) -> Self {
        let mass = context.number_of(inertial, "mass");
        let usual = context.number_of(inertial, "density").map_or(WATER, |density| density.value);
        let mut shapes = Vec::new();
        for collision in link.children().filter(|child| child.tag == "collision") {
            let density = context.number_of(collision, "density").map_or(usual, |density| density.value);
            let pose = context.pose_of(collision);
            let Some(geometry) = context.child(collision, "geometry") else { continue };
            let Some((volume, com, about_com)) = shape(geometry, here, context) else { continue };
            let about_com = Symmetric::from_array(about_com.to_array().map(|entry| entry * density));
            shapes.push((pose, Inertia::from_com(volume * density, com, about_com)));
        }
        Self { shapes, mass, span: inertial.span }
    }

    /// Gives a link the inertia of all shapes together.
    pub fn fill(&self, frame: usize, frames: &Frames, link: &mut LinkDescription, context: &mut Context<'_, '_>) {
        let mut total = Inertia::zero();
        for ((given, relative_to), inertia) in &self.shapes {
            let from = match relative_to {
                None => Pose::identity(),
                Some(reference) => match frames.look_up(frame, reference, context) {
                    Some(other) => frames.relative(frame, other).pose(),
                    None => return,
                },
            };
            let pose = from * given.map_or_else(Pose::identity, |given| given.pose());
            total += inertia.transformed(&pose);
        }
        if total.mass <= 0.0 || !total.mass.is_finite() {
            let message =
                "auto=\"true\" takes the inertia from collision shapes, and there is none with a volume".to_owned();
            context.error_with_hint(self.span, "no-shapes", message, "give the link a <collision>, or numbers");
            return;
        }
        let (com, about_com) = total.about_com();
        let mass = self.mass.unwrap_or(Number::from(total.mass));
        let scale = mass.value / total.mass;
        link.mass = mass;
        link.com = com.0.map(Number::from);
        link.inertia = InertiaDescription::AboutCom(about_com.to_array().map(|entry| Number::from(entry * scale)));
    }
}

/// Volume, centre and inertia at density one of a `<geometry>`; `None` if it has no volume.
fn shape(geometry: &Element, here: &Here, context: &mut Context<'_, '_>) -> Option<(f64, Vector<f64>, Symmetric<f64>)> {
    let shape = geometry.children().next()?;
    let mut size = |tag: &str, share: f64| -> Option<f64> {
        let number = context.number_of(shape, tag);
        if number.is_none() {
            context.error(shape.span, "missing-element", format!("<{}> has no <{tag}>", shape.tag));
        }
        positive(number?, shape, context).map(|size| size * share)
    };
    let (kind, sizes) = match shape.tag.as_str() {
        "sphere" => (Shape::Sphere, [size("radius", 1.0)?, 0.0, 0.0]),
        "cylinder" => (Shape::Cylinder, [size("radius", 1.0)?, size("length", 0.5)?, 0.0]),
        "capsule" => (Shape::Capsule, [size("radius", 1.0)?, size("length", 0.5)?, 0.0]),
        "box" => (Shape::Box, three(shape, "size", 0.5, context)?),
        "ellipsoid" => (Shape::Ellipsoid, three(shape, "radii", 1.0, context)?),
        "mesh" => return solid(shape, here, context),
        "empty" | "plane" | "heightmap" => return None,
        other => {
            let message = format!("inertia cannot be had from <{}>", shorten(other));
            let hint = "it can from box, sphere, cylinder, capsule, ellipsoid and mesh; or give numbers";
            context.error_with_hint(shape.span, "unsupported-element", message, hint);
            return None;
        }
    };
    let (volume, [xx, yy, zz]) = kind.solid(sizes);
    Some((volume, Vector::zero(), Symmetric { xx, yy, zz, ..Symmetric::zero() }))
}

fn three(shape: &Element, tag: &str, share: f64, context: &mut Context<'_, '_>) -> Option<[f64; 3]> {
    let numbers: [Number; 3] = context.vector_of(shape, tag)?;
    let mut sizes = [0.0; 3];
    for (size, number) in sizes.iter_mut().zip(numbers) {
        *size = positive(number, shape, context)? * share;
    }
    Some(sizes)
}

fn positive(size: Number, shape: &Element, context: &mut Context<'_, '_>) -> Option<f64> {
    if size.value <= 0.0 {
        context.error(shape.span, "geom-size", format!("the sizes of <{}> must be positive", shape.tag));
        return None;
    }
    Some(size.value)
}

fn solid(shape: &Element, here: &Here, context: &mut Context<'_, '_>) -> Option<(f64, Vector<f64>, Symmetric<f64>)> {
    let uri = context.required_text(shape, "uri")?;
    if let Some(part) = context.child(shape, "submesh") {
        let message = "inertia cannot be had from a part of a mesh".to_owned();
        context.error_with_hint(part.span, "unsupported-element", message, "give the link numbers");
        return None;
    }
    let scale = context.vector_of::<3>(shape, "scale").map_or([1.0; 3], |scale| scale.map(|x| x.value));
    let read = places(&uri.name, &here.folder).and_then(|places| {
        let bytes = places.iter().find_map(|path| context.files.read(path).ok());
        let bytes = bytes.ok_or_else(|| "there is no such file".to_owned())?;
        let mut mesh = mesh::read(&uri.name, &bytes)?;
        for vertex in &mut mesh.vertices {
            *vertex = Vector(std::array::from_fn(|i| scale[i] * vertex[i]));
        }
        if scale[0] * scale[1] * scale[2] < 0.0 {
            mesh.faces.iter_mut().for_each(|face| face.swap(1, 2));
        }
        mesh::solid(&mesh, mesh::Kind::Exact)
    });
    match read {
        Ok(solid) => Some((solid.volume, solid.com, solid.inertia)),
        Err(error) => {
            let message = format!("the mesh `{}`, needed for the link's inertia: {error}", shorten(&uri.name));
            let hint = "put the file there, or give the link numbers";
            context.error_with_hint(uri.span, "cannot-read", message, hint);
            None
        }
    }
}
