//! The shapes that show links, and where the files of meshes are.
//!
//! A mesh is named as the robot's file names it. Where that is a file is looked up as xacro does: a package is what the caller
//! says, or a folder of that name on the way up from the robot's file.

use crate::files;
use crate::host::Host;
use crate::resolve::Robot;
use jourdain::model::shape::{Form, ShapeDescription};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Most folders looked at on the way up.
const MAX_UP: usize = 12;

/// A shape that shows a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShapeScene {
    /// `box`, `sphere`, `cylinder`, `capsule`, `ellipsoid` or `mesh`.
    pub kind: &'static str,
    /// Its frame in the link frame; cylinders and capsules lie along z.
    pub origin: [[f64; 4]; 4],
    /// Edges of a box, half axes of an ellipsoid, radius of a sphere, radius and length of a cylinder and of a capsule without its
    /// ends, m; empty for a mesh.
    pub size: Vec<f64>,
    /// The file of a mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshScene>,
    /// Red, green, blue and opacity from 0 to 1, if the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<[f64; 4]>,
}

/// The file of a mesh.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeshScene {
    /// As the robot's file names it.
    pub uri: String,
    /// Its path; null if it was not found.
    pub path: Option<String>,
    /// Factors along its axes.
    pub scale: [f64; 3],
}

/// Shapes of the links of a robot.
pub(super) fn shapes(given: &[ShapeDescription], robot: &Robot, host: &dyn Host) -> Vec<ShapeScene> {
    let mesh = |form: &Form| match form {
        Form::Mesh { path, scale } => {
            Some(MeshScene { uri: path.clone(), path: locate(path, robot, host), scale: *scale })
        }
        Form::Box { .. }
        | Form::Sphere { .. }
        | Form::Cylinder { .. }
        | Form::Capsule { .. }
        | Form::Ellipsoid { .. } => None,
    };
    let scene = |shape: &ShapeDescription| ShapeScene {
        kind: shape.form.name(),
        origin: shape.pose().to_matrix(),
        size: shape.form.size(),
        mesh: mesh(&shape.form),
        colour: shape.colour,
    };
    given.iter().map(scene).collect()
}

/// The path of the file that a robot's file names, if there is one that may be read.
#[must_use]
pub fn locate(uri: &str, robot: &Robot, host: &dyn Host) -> Option<String> {
    let folder = robot.folder()?;
    let (scheme, rest) = uri.split_once("://").unwrap_or(("file", uri));
    let places = match scheme {
        "file" => vec![folder.join(rest)],
        "package" | "model" => {
            // Some files have a slash too many.
            let rest = rest.trim_start_matches('/');
            let (name, inside) = rest.split_once('/')?;
            let given = robot.package.iter().filter_map(|pair| pair.split_once('='));
            let given = given.filter(|(package, _)| package.trim_end_matches(':').trim() == name);
            let mut places: Vec<PathBuf> = given.map(|(_, folder)| Path::new(folder).join(inside)).collect();
            let mut up = folder;
            for _ in 0..MAX_UP {
                places.extend([up.join(rest), up.join("models").join(rest)]);
                if up.file_name().is_some_and(|last| last == name) {
                    places.push(up.join(inside));
                }
                if !up.pop() {
                    up.push("..");
                }
            }
            places
        }
        _ => return None,
    };
    let found = places.into_iter().find(|path| files::is_file(path, host))?;
    Some(found.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use crate::files::Memory;
    use crate::operation;
    use serde_json::json;

    #[test]
    fn shapes_are_shown_and_meshes_found_beside_the_robot_and_in_its_package() {
        let robot = r#"<robot name="r"><material name="blue"><color rgba="0 0 1 1"/></material>
            <link name="a">
              <visual><origin xyz="0 0 1" rpy="0 0 0"/><geometry><box size="1 2 3"/></geometry><material name="blue"/></visual>
              <visual><geometry><mesh filename="package://arm/meshes/a.stl" scale="2 2 2"/></geometry></visual>
              <visual><geometry><mesh filename="../meshes/none.stl"/></geometry></visual>
              <visual><geometry><mesh filename="package:///arm/meshes/a.stl"/></geometry></visual>
              <visual><geometry><sphere radius="oops"/></geometry></visual>
            </link></robot>"#;
        let memory = Memory::default();
        memory.put("src/arm/urdf/r.urdf", robot.as_bytes());
        memory.put("src/arm/meshes/a.stl", b"solid".as_slice());
        let report = operation::handle("scene", json!({ "robot": "src/arm/urdf/r.urdf" }), &memory).unwrap();
        let scene = report.to_json().unwrap();
        let shapes = &scene["links"][0]["shapes"];
        assert_eq!(shapes.as_array().unwrap().len(), 4);
        assert_eq!((&shapes[0]["kind"], &shapes[0]["size"]), (&json!("box"), &json!([1.0, 2.0, 3.0])));
        assert_eq!((&shapes[0]["origin"][2][3], &shapes[0]["colour"]), (&json!(1.0), &json!([0.0, 0.0, 1.0, 1.0])));
        assert_eq!(shapes[1]["mesh"]["path"], "src/arm/meshes/a.stl");
        assert_eq!(shapes[3]["mesh"]["path"], "src/arm/meshes/a.stl");
        assert_eq!(shapes[1]["mesh"]["scale"], json!([2.0, 2.0, 2.0]));
        assert_eq!(
            (&shapes[2]["mesh"]["path"], &shapes[2]["mesh"]["uri"]),
            (&json!(null), &json!("../meshes/none.stl"))
        );
    }
}
