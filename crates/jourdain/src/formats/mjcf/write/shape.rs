//! `<geom>`: shapes for the eye alone. They weigh nothing and touch nothing.
//!
//! Trap: MuJoCo refuses a file whose meshes it cannot read, so only those are written that are plain paths to files it knows.

use super::super::super::plain::Losses;
use super::super::super::reframe::move_shape;
use super::super::super::xml::write::{Attributes, Writer};
use crate::model::description::{Description, LinkDescription, Orientation};
use crate::model::shape::Form;
use crate::spatial::{Pose, Quaternion};

/// The meshes of a robot, each once: file, factors and name.
pub(super) struct Meshes(Vec<(String, [f64; 3], String)>);

/// Endings of the files that MuJoCo reads.
const ENDINGS: [&str; 3] = [".stl", ".obj", ".msh"];

impl Meshes {
    /// Declares the meshes of a robot.
    pub fn write(writer: &mut Writer, robot: &Description) -> Self {
        let mut meshes: Vec<(String, [f64; 3], String)> = Vec::new();
        for shape in robot.links.iter().flat_map(|link| &link.shapes) {
            let Form::Mesh { path, scale } = &shape.form else { continue };
            let is_known = meshes.iter().any(|(known, factors, _)| known == path && factors == scale);
            if !is_known && is_read(path) {
                meshes.push((path.clone(), *scale, format!("mesh{}", meshes.len() + 1)));
            }
        }
        if !meshes.is_empty() {
            writer.start("asset", Attributes::new());
            for (path, scale, name) in &meshes {
                let mesh = Attributes::new().text("name", name).text("file", path);
                writer.leaf("mesh", if *scale == [1.0; 3] { mesh } else { mesh.numbers("scale", scale) });
            }
            writer.end();
        }
        Self(meshes)
    }

    fn name(&self, path: &str, scale: &[f64; 3]) -> Option<&str> {
        let found = self.0.iter().find(|(known, factors, _)| known == path && factors == scale);
        found.map(|(_, _, name)| name.as_str())
    }
}

fn is_read(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    !path.contains("://") && ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Writes the shapes of a link into a body, in whose frame the link is at `frame`.
pub(super) fn write(
    writer: &mut Writer,
    link: &LinkDescription,
    frame: &Pose<f64>,
    meshes: &Meshes,
    losses: &mut Losses,
) {
    for shape in &link.shapes {
        let mut shape = shape.clone();
        if *frame != Pose::identity() {
            move_shape(&mut shape, frame);
        }
        let attributes = Attributes::new();
        let attributes = match &shape.form {
            Form::Box { size } => attributes.text("type", "box").numbers("size", &size.map(|edge| edge / 2.0)),
            Form::Ellipsoid { radii } => attributes.text("type", "ellipsoid").numbers("size", radii),
            Form::Sphere { radius } => attributes.text("type", "sphere").numbers("size", &[*radius]),
            Form::Cylinder { radius, length } | Form::Capsule { radius, length } => {
                attributes.text("type", shape.form.name()).numbers("size", &[*radius, length / 2.0])
            }
            Form::Mesh { path, scale } => match meshes.name(path, scale) {
                Some(name) => attributes.text("type", "mesh").text("mesh", name),
                None => {
                    losses.link("a mesh that MuJoCo could not read, which shows", &link.name);
                    continue;
                }
            },
        };
        let attributes = attributes.numbers_unless_zero("pos", &shape.xyz.map(|x| x.value));
        let attributes = match shape.orientation {
            Orientation::Rpy(rpy) => attributes.numbers_unless_zero("euler", &rpy.map(|angle| angle.value)),
            Orientation::Quaternion(_) => {
                attributes.numbers("quat", &Quaternion::from_rotation(&shape.pose().rotation).to_array())
            }
        };
        let attributes = match &shape.colour {
            Some(colour) => attributes.numbers("rgba", colour),
            None => attributes,
        };
        let light = attributes.numbers("mass", &[0.0]).numbers("contype", &[0.0]).numbers("conaffinity", &[0.0]);
        writer.leaf("geom", light.numbers("group", &[2.0]));
    }
}
