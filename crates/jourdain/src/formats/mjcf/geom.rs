//! `<geom>`: the shapes from which a body's inertia may come.
//!
//! Traps: shapes that are only for the eye weigh as much as any other; the default density is that of water; a `mass` from a
//! class wins over a `density` on the element.

use super::super::native::shorten;
use super::super::reframe::placement;
use super::super::xml::Span;
use super::context::{Context, View};
use super::document::{Document, rgba};
use super::mesh::Solid;
use super::orientation::{onto, unit};
use super::primitive::Shape;
use crate::model::description::Placement;
use crate::model::shape::{Form as Drawn, ShapeDescription};
use crate::spatial::{Inertia, Pose, Symmetric, Vector};
use std::rc::Rc;

pub(super) const ATTRIBUTES: [&str; 36] = [
    "name",
    "class",
    "type",
    "contype",
    "conaffinity",
    "condim",
    "group",
    "priority",
    "size",
    "material",
    "friction",
    "mass",
    "density",
    "shellinertia",
    "solmix",
    "solref",
    "solimp",
    "margin",
    "gap",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "hfield",
    "mesh",
    "fitscale",
    "rgba",
    "fluidshape",
    "fluidcoef",
    "user",
    "adhesion",
    "castshadow",
    "surfacevel",
];

/// What a geom is made of.
#[derive(Clone)]
enum Form {
    /// A shape with its half sizes.
    Primitive(Shape, [f64; 3]),
    /// A mesh by its name, or a shape that is fitted to it.
    Mesh { name: String, document: Rc<Document>, fitted: Option<(Shape, f64)> },
}

/// A geom that has weight, in its body's frame.
#[derive(Clone)]
pub(super) struct Geom {
    form: Form,
    pose: Pose<f64>,
    mass: Option<f64>,
    density: f64,
    shell: bool,
    colour: Option<[f64; 4]>,
    pub group: i64,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Shape(Shape),
    Mesh,
    Plane,
    HeightField,
    Distance,
}

const TYPES: [(&str, Type); 9] = [
    ("sphere", Type::Shape(Shape::Sphere)),
    ("capsule", Type::Shape(Shape::Capsule)),
    ("ellipsoid", Type::Shape(Shape::Ellipsoid)),
    ("cylinder", Type::Shape(Shape::Cylinder)),
    ("box", Type::Shape(Shape::Box)),
    ("mesh", Type::Mesh),
    ("plane", Type::Plane),
    ("hfield", Type::HeightField),
    ("sdf", Type::Distance),
];

/// Reads a geom that stands in a frame of its body; `None` if it has no weight. `moves` is false of bodies welded to the ground.
pub(super) fn read(
    view: View<'_>,
    frame: &Pose<f64>,
    moves: bool,
    document: &Rc<Document>,
    context: &mut Context<'_, '_>,
) -> Option<Geom> {
    let span = view.element.span;
    context.known_attributes(view, &ATTRIBUTES);
    let kind = match view.get("type") {
        Some(_) => context.keyword(view, "type", &TYPES)?,
        None => Type::Shape(Shape::Sphere),
    };
    let mesh = view.get("mesh").map(str::to_owned);
    let fit = context.number(view, "fitscale").unwrap_or(1.0);
    let mut pose = super::orientation::pose(view, &document.settings, context);
    let form = match (kind, mesh) {
        (Type::Plane, _) if moves => {
            let hint = "use a thin box, or take it out of the body";
            context.error_with_hint(span, "moving-plane", "a plane in a body that moves".to_owned(), hint);
            return None;
        }
        (Type::Plane, _) => return None,
        (Type::HeightField, _) => {
            let name = view.get("hfield").unwrap_or_default();
            let Some(sizes) = document.field(name) else {
                let message = format!("there is no height field `{}`", shorten(name));
                context.error_with_hint(span, "unknown-mesh", message, "declare it: <asset><hfield name=\"…\" …/>");
                return None;
            };
            Form::Primitive(Shape::Box, sizes)
        }
        (Type::Distance, _) => {
            if moves {
                context.lost(span, "a geom of type `sdf` has no weight here");
            }
            return None;
        }
        (Type::Mesh, None) => {
            context.error(span, "missing-attribute", "a geom of type mesh has no attribute `mesh`");
            return None;
        }
        (Type::Mesh, Some(name)) => Form::Mesh { name, document: Rc::clone(document), fitted: None },
        (Type::Shape(shape), Some(name)) => {
            Form::Mesh { name, document: Rc::clone(document), fitted: Some((shape, fit)) }
        }
        (Type::Shape(shape), None) => Form::Primitive(shape, sizes(view, shape, &mut pose, context)?),
    };
    let mass = context.number(view, "mass");
    let density = context.number(view, "density").unwrap_or(1000.0);
    for (name, value) in [("mass", mass.unwrap_or(0.0)), ("density", density)] {
        if value < 0.0 {
            context.error(view.element.span_of(name), "negative-mass", format!("the {name} of a geom is negative"));
            return None;
        }
    }
    let shell = context.flag(view, "shellinertia").unwrap_or(false);
    let group = context.whole(view, "group").unwrap_or(0);
    let colour = view.get("rgba").and_then(rgba).or_else(|| document.colour(view.get("material")?));
    Some(Geom { form, pose: *frame * pose, mass, density, shell, colour, group, span })
}

/// The half sizes; `fromto` gives the pose too, whatever the orientation.
fn sizes(view: View<'_>, shape: Shape, pose: &mut Pose<f64>, context: &mut Context<'_, '_>) -> Option<[f64; 3]> {
    let given = match view.attribute("size") {
        Some(attribute) => context.numbers(attribute, 1, 3)?,
        None => Vec::new(),
    };
    let mut sizes = [0.0; 3];
    given.iter().enumerate().for_each(|(i, size)| sizes[i] = *size);
    let fromto = view.attribute("fromto");
    let mut needed = shape.sizes();
    if let Some(attribute) = fromto {
        if shape == Shape::Sphere {
            let hint = "fromto is for capsules, cylinders, boxes and ellipsoids";
            context.error_with_hint(attribute.span, "fromto-sphere", "a sphere has no ends".to_owned(), hint);
            return None;
        }
        // A position of zero, as some programs write it, is none.
        if pose.translation != Vector::zero() {
            let hint = "fromto gives the place and the orientation";
            context.error_with_hint(attribute.span, "fromto-and-pos", "a geom has `fromto` and `pos`".to_owned(), hint);
            return None;
        }
        let ends: [f64; 6] = context.numbers(attribute, 6, 6)?.try_into().ok()?;
        let (a, b) = (Vector([ends[0], ends[1], ends[2]]), Vector([ends[3], ends[4], ends[5]]));
        let Some(direction) = unit(a - b) else {
            context.error(attribute.span, "zero-direction", "the two ends of `fromto` are the same point");
            return None;
        };
        *pose = Pose { rotation: onto(direction), translation: (a + b).times(0.5) };
        let half = (a - b).norm() / 2.0;
        sizes = match shape {
            Shape::Capsule | Shape::Cylinder | Shape::Sphere => [sizes[0], half, 0.0],
            Shape::Ellipsoid | Shape::Box => [sizes[0], sizes[0], half],
        };
        needed = 1;
    }
    if let Some(position) = sizes[..needed].iter().position(|size| *size <= 0.0) {
        let place = view.attribute("size").map_or(view.element.span, |attribute| attribute.span);
        let message = format!("size {} of a {} must be positive", position + 1, view.get("type").unwrap_or("sphere"));
        let hint = format!("it takes {needed} of them, half sizes in metres");
        context.error_with_hint(place, "geom-size", message, hint);
        return None;
    }
    Some(sizes)
}

/// The last group that MuJoCo shows unless it is asked to show others: shapes for collisions are usually beyond.
const LAST_SHOWN: i64 = 2;

impl Geom {
    /// What is seen of it; nothing of hidden groups and of shapes that are fitted to a mesh.
    pub fn shape(&self) -> Option<ShapeDescription> {
        if self.group > LAST_SHOWN {
            return None;
        }
        let (form, pose) = match &self.form {
            Form::Primitive(shape, [a, b, c]) => {
                let form = match shape {
                    Shape::Box => Drawn::Box { size: [2.0 * a, 2.0 * b, 2.0 * c] },
                    Shape::Ellipsoid => Drawn::Ellipsoid { radii: [*a, *b, *c] },
                    Shape::Sphere => Drawn::Sphere { radius: *a },
                    Shape::Cylinder => Drawn::Cylinder { radius: *a, length: 2.0 * b },
                    Shape::Capsule => Drawn::Capsule { radius: *a, length: 2.0 * b },
                };
                (form, self.pose)
            }
            Form::Mesh { name, document, fitted: None } => {
                let (path, scale, placed) = document.drawn(name)?;
                (Drawn::mesh(&path, scale)?, self.pose * placed)
            }
            Form::Mesh { fitted: Some(_), .. } => return None,
        };
        let Placement::Origin { xyz, orientation } = placement(&pose) else { return None };
        Some(ShapeDescription { form, xyz, orientation, colour: self.colour })
    }

    /// Its inertia in the frame of its body.
    pub fn inertia(&self, context: &mut Context<'_, '_>) -> Option<Inertia<f64>> {
        // What weighs nothing need not be looked at: its mesh may be missing.
        if self.mass == Some(0.0) {
            return Some(Inertia::zero());
        }
        let (shape, sizes, pose) = match &self.form {
            Form::Primitive(shape, sizes) => (*shape, *sizes, self.pose),
            Form::Mesh { name, document, fitted } => {
                let solid = document.solid(name, self.span, context)?;
                match fitted {
                    None => return Some(self.weigh(solid.volume, solid.com, solid.inertia).transformed(&self.pose)),
                    Some((shape, scale)) => {
                        let (sizes, placed) = fit(*shape, *scale, &solid);
                        (*shape, sizes, self.pose * placed)
                    }
                }
            }
        };
        let (volume, [xx, yy, zz]) = if self.shell { shape.shell(sizes) } else { shape.solid(sizes) };
        let moments = Symmetric { xx, yy, zz, ..Symmetric::zero() };
        Some(self.weigh(volume, Vector::zero(), moments).transformed(&pose))
    }

    /// The inertia of a body of density one, at this geom's mass or density.
    fn weigh(&self, volume: f64, com: Vector<f64>, about_com: Symmetric<f64>) -> Inertia<f64> {
        let density = self.mass.map_or(self.density, |mass| mass / volume);
        Inertia::from_com(
            volume * density,
            com,
            Symmetric::from_array(about_com.to_array().map(|entry| entry * density)),
        )
    }
}

/// A shape fitted to a mesh, and where it lies: to the box of the same inertia, its axes by falling moments, or to the box around
/// it in these axes.
fn fit(shape: Shape, scale: f64, solid: &Solid) -> ([f64; 3], Pose<f64>) {
    let (moments, rotation) = super::inertia::principal(solid.inertia);
    let (half, centre) = match solid.bounds {
        Some([low, high]) => ((high - low).times(0.5).0, (high + low).times(0.5)),
        None => {
            let half = |i: usize| {
                let [a, b, c] = [moments[i], moments[(i + 1) % 3], moments[(i + 2) % 3]];
                (6.0 * (b + c - a).max(0.0) / solid.volume).sqrt() / 2.0
            };
            ([half(0), half(1), half(2)], Vector::zero())
        }
    };
    let [x, y, z] = half;
    let sizes = match (shape, solid.bounds) {
        (Shape::Ellipsoid | Shape::Box, _) => half,
        (Shape::Sphere, Some(_)) => [x.max(y).max(z), 0.0, 0.0],
        (Shape::Capsule, Some(_)) => [x.max(y), (z - x.max(y)).max(0.0), 0.0],
        (Shape::Cylinder, Some(_)) => [x.max(y), z, 0.0],
        (Shape::Sphere, None) => [(x + y + z) / 3.0, 0.0, 0.0],
        (Shape::Capsule, None) => [(x + y) / 2.0, (z - (x + y) / 4.0).max(0.0), 0.0],
        (Shape::Cylinder, None) => [(x + y) / 2.0, z, 0.0],
    };
    let translation = solid.com + rotation.apply(centre);
    (sizes.map(|size| size * scale), Pose { rotation, translation })
}
