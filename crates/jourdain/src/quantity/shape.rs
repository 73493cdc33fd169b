//! The shape of a quantity in terms of the robot: how many numbers, what its axes count, and which unit follows for each.

use crate::dynamics::{closed_form, recursive};
use crate::model::{Coordinate, Model, plain_name};
use crate::parameters::{base_columns, base_labels};
use crate::unit::Unit;
use jourdain_symbolic::Constant;
use std::fmt;

/// How the unit along an axis goes with the unit of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variance {
    /// With it, as a velocity does: m/s for a sliding joint where a turning one has rad/s.
    Contravariant,
    /// Against it, as a torque does: N for a sliding joint where a turning one has N m.
    Covariant,
}

/// What one axis of a quantity counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The numbers of the position: `nq`.
    Positions,
    /// The velocities: `nv`.
    Velocities(Variance),
    /// The inertial parameters: ten per link.
    InertialParameters,
    /// All parameters of the dynamics: ten per link, then those of the drives.
    Parameters,
    /// The base parameters of the dynamics.
    BaseParameters,
    /// x, y, z.
    Space,
    /// Linear x, y, z, then angular x, y, z: of a motion, or of a momentum.
    Twist(Variance),
    /// The rows and columns of a 4×4 matrix.
    Homogeneous,
}

impl Axis {
    /// How many there are for a robot.
    #[must_use]
    pub fn length<T: Constant>(self, model: &Model<T>) -> usize {
        match self {
            Self::Positions => model.nq(),
            Self::Velocities(_) => model.nv(),
            Self::InertialParameters => 10 * model.links().len(),
            Self::Parameters => recursive::parameter_count(model),
            Self::BaseParameters => base_columns(model).len(),
            Self::Space => 3,
            Self::Twist(_) => 6,
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
            Self::Velocities(_) => Some(model.velocities().iter().map(ToString::to_string).collect()),
            Self::InertialParameters => {
                Some(model.inertial_parameters().iter().map(|parameter| parameter.text(model)).collect())
            }
            Self::Parameters => Some(closed_form::parameter_labels(model)),
            Self::BaseParameters => Some(base_labels(model).to_vec()),
            Self::Space => Some(["x", "y", "z"].map(str::to_owned).to_vec()),
            Self::Twist(_) => Some(["x", "y", "z", "rx", "ry", "rz"].map(str::to_owned).to_vec()),
            Self::Homogeneous => None,
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positions => "nq",
            Self::Velocities(_) => "nv",
            Self::InertialParameters => "10·links",
            Self::Parameters => "np",
            Self::BaseParameters => "nb",
            Self::Space => "3",
            Self::Twist(_) => "6",
            Self::Homogeneous => "4",
        })
    }
}

/// How the unit of an element differs from that of a turning joint, or of a linear row.
#[derive(Clone, Copy)]
struct Change {
    metres: i16,
    /// False if the number is no angle.
    angle: bool,
    divisor: Unit,
}

impl Change {
    const NONE: Self = Self { metres: 0, angle: true, divisor: Unit::ONE };

    fn metres(metres: i16) -> Self {
        Self { metres, angle: false, ..Self::NONE }
    }

    /// For a number of the position or of the velocity: none for an angle; those of a quaternion are plain.
    fn along(number: &Coordinate, variance: Variance) -> Self {
        match number.unit {
            Unit::RADIAN => Self::NONE,
            Unit::METRE => Self::metres(variance.power()),
            _ => Self::metres(0),
        }
    }

    fn of(self, unit: Unit) -> Unit {
        let unit = if self.angle { unit } else { unit.without_radians() };
        unit.metres(self.metres).per(self.divisor)
    }
}

impl Variance {
    /// The power of a length that takes the place of an angle.
    fn power(self) -> i16 {
        match self {
            Self::Contravariant => 1,
            Self::Covariant => -1,
        }
    }
}

impl Axis {
    /// How the unit changes along the axis.
    fn changes<T: Constant>(self, model: &Model<T>) -> Vec<Change> {
        match self {
            Self::Velocities(variance) => {
                model.velocities().iter().map(|number| Change::along(number, variance)).collect()
            }
            Self::Positions => {
                model.coordinates().iter().map(|number| Change::along(number, Variance::Contravariant)).collect()
            }
            // A twist has m/s, then rad/s; a momentum kg m/s, then kg m²/s.
            Self::Twist(variance) => {
                (0..6).map(|row| if row < 3 { Change::NONE } else { Change::metres(-variance.power()) }).collect()
            }
            Self::InertialParameters | Self::Parameters => {
                let divided = |divisor| Change { divisor, ..Change::NONE };
                closed_form::parameter_units(model).into_iter().take(self.length(model)).map(divided).collect()
            }
            Self::BaseParameters => {
                let units = closed_form::parameter_units(model);
                let divided = |&column: &usize| Change { divisor: units[column], ..Change::NONE };
                base_columns(model).iter().map(divided).collect()
            }
            Self::Space | Self::Homogeneous => vec![Change::NONE; self.length(model)],
        }
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

    /// The unit of each element, row-major, `unit` being that of a turning joint or a linear row.
    pub(super) fn units<T: Constant>(self, unit: Unit, model: &Model<T>) -> Vec<Unit> {
        if self.0 == [Axis::Homogeneous; 2] {
            // Rotation and last row are plain numbers; the last column is a translation.
            return (0..16).map(|place| if place % 4 == 3 && place < 12 { unit } else { Unit::ONE }).collect();
        }
        let mut units = vec![unit];
        for axis in self.0 {
            let changes = axis.changes(model);
            units = units.into_iter().flat_map(|unit| changes.iter().map(move |change| change.of(unit))).collect();
        }
        units
    }

    /// The unit as a list says it where all joints turn.
    pub(super) fn unit_text(self, unit: Unit) -> String {
        let parameters = [Axis::Parameters, Axis::InertialParameters, Axis::BaseParameters];
        if self.0.iter().any(|axis| parameters.contains(axis)) {
            return String::new();
        }
        match self.0.first() {
            Some(Axis::Twist(variance)) => format!("{unit}, {}", unit.metres(-variance.power())),
            _ => unit.to_string(),
        }
    }
}

impl Shape {
    /// The headings of the columns of a quantity, row-major: its name, and in brackets what each axis counts, `mass_matrix[a][b]`.
    /// Axes without names count from 1.
    #[must_use]
    pub fn headings<T: Constant>(self, name: &str, model: &Model<T>) -> Vec<String> {
        let mut headings = vec![name.to_owned()];
        for axis in self.0 {
            let along = axis.elements(model);
            let extended =
                |heading: &String| along.iter().map(|label| format!("{heading}[{label}]")).collect::<Vec<_>>();
            headings = headings.iter().flat_map(extended).collect();
        }
        headings
    }
}

impl Axis {
    /// The elements along the axis as they stand in brackets.
    fn elements<T: Constant>(self, model: &Model<T>) -> Vec<String> {
        let plain = |labels: Vec<String>| labels.iter().map(|label| plain_name(label).into_owned()).collect();
        match (self, self.labels(model)) {
            (Self::InertialParameters | Self::Parameters | Self::BaseParameters, Some(labels)) => plain(labels),
            (_, Some(labels)) => labels,
            (_, None) => (1..=self.length(model)).map(|number| number.to_string()).collect(),
        }
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
