//! Shapes that show a link. Drawings alone depend on them: no number, no finding and no equality of models does.
//!
//! Readers take what they understand of the visual shapes of a file, and leave out what they do not: a file whose pictures are
//! broken is no worse a robot. Meshes are never opened.

use super::description::Orientation;
use super::number::Number;
use crate::spatial::{Pose, Quaternion, Rotation, Vector};

/// A shape in the frame of its link.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDescription {
    /// What it is.
    pub form: Form,
    /// Its centre, or the origin of a mesh, in the link frame, m.
    pub xyz: [Number; 3],
    /// Its axes in the link frame.
    pub orientation: Orientation,
    /// Red, green, blue and opacity, from 0 to 1, if the file says.
    pub colour: Option<[f64; 4]>,
}

/// What a shape is. Lengths are in metres; cylinders and capsules lie along z.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A box.
    Box {
        /// Its edges.
        size: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its length.
        length: f64,
    },
    /// A cylinder with half a ball at each end.
    Capsule {
        /// The radius of cylinder and balls.
        radius: f64,
        /// The length of the cylinder alone.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its half axes.
        radii: [f64; 3],
    },
    /// A mesh in a file of its own.
    Mesh {
        /// The file as the robot's file names it: a path from its folder, or an address such as `package://…`.
        path: String,
        /// Factors along the axes of the mesh.
        scale: [f64; 3],
    },
}

/// Most shapes of one link: those that come later are left out, so that a link has a bounded size.
pub const MAX_SHAPES: usize = 256;
/// Longest name of the file of a mesh, bytes.
const MAX_PATH: usize = 1024;

impl Form {
    /// The names of all forms.
    pub const NAMES: [&'static str; 6] = ["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"];

    /// Its name in robot files and reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::Sphere { .. } => "sphere",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Mesh { .. } => "mesh",
        }
    }

    /// Its sizes: edges, half axes, or radius and length; none for a mesh.
    #[must_use]
    pub fn size(&self) -> Vec<f64> {
        match self {
            Self::Box { size: numbers } | Self::Ellipsoid { radii: numbers } => numbers.to_vec(),
            Self::Sphere { radius } => vec![*radius],
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => vec![*radius, *length],
            Self::Mesh { .. } => Vec::new(),
        }
    }

    /// What the sizes of a form are, in words; `None` for what is no form.
    #[must_use]
    pub fn sizes(name: &str) -> Option<&'static str> {
        match name {
            "box" => Some("the three edges of a box"),
            "ellipsoid" => Some("the three half axes of an ellipsoid"),
            "sphere" => Some("the radius of a sphere"),
            "cylinder" | "capsule" => Some("radius and length"),
            "mesh" => Some("no number for a mesh, which has the name of a file as `mesh`"),
            _ => None,
        }
    }

    /// The form of a name and sizes that are positive; `None` for a mesh and for what is no form.
    #[must_use]
    pub fn of(name: &str, size: &[f64]) -> Option<Self> {
        let is_size = |x: &f64| *x > 0.0 && x.is_finite();
        match (name, size) {
            _ if !size.iter().all(is_size) => None,
            ("box", &[x, y, z]) => Some(Self::Box { size: [x, y, z] }),
            ("ellipsoid", &[x, y, z]) => Some(Self::Ellipsoid { radii: [x, y, z] }),
            ("sphere", &[radius]) => Some(Self::Sphere { radius }),
            ("cylinder", &[radius, length]) => Some(Self::Cylinder { radius, length }),
            ("capsule", &[radius, length]) => Some(Self::Capsule { radius, length }),
            _ => None,
        }
    }

    /// A mesh; `None` if its factors are no numbers, or its name is none.
    #[must_use]
    pub fn mesh(path: &str, scale: [f64; 3]) -> Option<Self> {
        let is_fine = !path.is_empty() && path.len() <= MAX_PATH && scale.iter().all(|x| x.is_finite() && *x != 0.0);
        is_fine.then(|| Self::Mesh { path: path.to_owned(), scale })
    }
}

impl ShapeDescription {
    /// A shape at the origin of its link, without a colour.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { form, xyz: [Number::ZERO; 3], orientation: Orientation::Rpy([Number::ZERO; 3]), colour: None }
    }

    /// Its frame in the link frame.
    #[must_use]
    pub fn pose(&self) -> Pose<f64> {
        let rotation = match self.orientation {
            Orientation::Rpy([roll, pitch, yaw]) => Rotation::from_rpy(roll.value, pitch.value, yaw.value),
            Orientation::Quaternion(numbers) => {
                let numbers = numbers.map(|x| x.value);
                let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
                let unit = if norm > 0.0 { numbers.map(|x| x / norm) } else { [1.0, 0.0, 0.0, 0.0] };
                Quaternion::new(unit).to_rotation()
            }
        };
        Pose { rotation, translation: Vector(self.xyz.map(|x| x.value)) }
    }
}

/// A colour out of numbers, if they are one: three or four from 0 to 1.
#[must_use]
pub fn colour(numbers: &[f64]) -> Option<[f64; 4]> {
    let numbers = match *numbers {
        [r, g, b] => [r, g, b, 1.0],
        [r, g, b, a] => [r, g, b, a],
        _ => return None,
    };
    numbers.iter().all(|x| (0.0..=1.0).contains(x)).then_some(numbers)
}
