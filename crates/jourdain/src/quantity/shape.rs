//! The shape of a quantity in terms of the robot: how many numbers, and what its axes count.

use crate::dynamics::{closed_form, recursive};
use crate::model::Model;
use crate::parameters::{base_columns, base_labels};
use jourdain_symbolic::Constant;
use std::fmt;

/// What one axis of a quantity counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The numbers of the position: `nq`.
    Positions,
    /// The velocities: `nv`.
    Velocities,
    /// The inertial parameters: ten per link.
    InertialParameters,
    /// All parameters of the dynamics: ten per link, then those of the drives.
    Parameters,
    /// The base parameters of the dynamics.
    BaseParameters,
    /// x, y, z.
    Space,
    /// Linear x, y, z, then angular x, y, z.
    Twist,
    /// The rows and columns of a 4×4 matrix.
    Homogeneous,
}

impl Axis {
    /// How many there are for a robot.
    #[must_use]
    pub fn length<T: Constant>(self, model: &Model<T>) -> usize {
        match self {
            Self::Positions => model.nq(),
            Self::Velocities => model.nv(),
            Self::InertialParameters => 10 * model.links().len(),
            Self::Parameters => recursive::parameter_count(model),
            Self::BaseParameters => base_columns(model).len(),
            Self::Space => 3,
            Self::Twist => 6,
            Self::Homogeneous => 4,
        }
    }
}

impl Axis {
    /// What the elements along the axis are called; `None` where a number says as much.
    #[must_use]
    pub fn labels<T: Constant>(self, model: &Model<T>) -> Option<Vec<String>> {
        match self {
            Self::Positions => Some(model.coordinates().iter().map(ToString::to_string).collect()),
            Self::Velocities => Some(model.velocities().iter().map(ToString::to_string).collect()),
            Self::InertialParameters => {
                Some(model.inertial_parameters().iter().map(|parameter| parameter.text(model)).collect())
            }
            Self::Parameters => Some(closed_form::parameter_labels(model)),
            Self::BaseParameters => Some(base_labels(model).to_vec()),
            Self::Space => Some(["x", "y", "z"].map(str::to_owned).to_vec()),
            Self::Twist => Some(["x", "y", "z", "rx", "ry", "rz"].map(str::to_owned).to_vec()),
            Self::Homogeneous => None,
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positions => "nq",
            Self::Velocities => "nv",
            Self::InertialParameters => "10·links",
            Self::Parameters => "np",
            Self::BaseParameters => "nb",
            Self::Space => "3",
            Self::Twist => "6",
            Self::Homogeneous => "4",
        })
    }
}

/// Axes of an array, outermost first; none for a single number. Elements are row-major: the last axis runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape(pub &'static [Axis]);

impl Shape {
    /// The lengths of the axes for a robot.
    #[must_use]
    pub fn lengths<T: Constant>(self, model: &Model<T>) -> Vec<usize> {
        self.0.iter().map(|axis| axis.length(model)).collect()
    }

    /// The number of elements for a robot, or the largest number there is if they are more.
    #[must_use]
    pub fn size<T: Constant>(self, model: &Model<T>) -> usize {
        self.0.iter().fold(1_usize, |size, axis| size.saturating_mul(axis.length(model)))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("1");
        }
        for (i, axis) in self.0.iter().enumerate() {
            write!(f, "{}{axis}", if i > 0 { " × " } else { "" })?;
        }
        Ok(())
    }
}
