//! Joints: one file per type, with everything that the type is.
//!
//! A joint's file says how the type is called, which keys a robot file gives it by, what they default to, which of its
//! descriptions are refused, and which screws it is a product of. The reader and the writer of robot files, the check, the
//! lowering and the model take it from there. This file has the list of types; [`Motion`] is what a model runs on.

mod composite;
mod cylindrical;
mod facts;
mod fixed;
mod free;
mod helical;
mod motion;
mod planar;
mod prismatic;
mod product;
mod revolute;
mod screw;
mod spherical;
mod translation;
mod universal;

pub use composite::{ScrewDescription, ScrewKind};
pub use facts::{Facts, Flaw, Given};
pub use motion::{Joint, Motion};
pub use screw::Screw;

use super::field::Field;
use super::lowered::Lowering;
use super::number::Number;

/// The types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointType {
    /// No motion.
    Fixed,
    /// One rotation.
    Revolute,
    /// One translation.
    Prismatic,
    /// One rotation with travel.
    Helical,
    /// Rotation about a point.
    Spherical,
    /// Two translations and a rotation in a plane.
    Planar,
    /// Any motion.
    Free,
    /// Two rotations in sequence.
    Universal,
    /// Rotation about and translation along one axis.
    Cylindrical,
    /// Three translations.
    Translation,
    /// A product of exponentials.
    Composite,
}

impl JointType {
    /// All types.
    pub const ALL: [Self; 11] = [
        Self::Fixed,
        Self::Revolute,
        Self::Prismatic,
        Self::Helical,
        Self::Spherical,
        Self::Planar,
        Self::Free,
        Self::Universal,
        Self::Cylindrical,
        Self::Translation,
        Self::Composite,
    ];

    /// What robot files and checks need to know of the type.
    #[must_use]
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::Fixed => &fixed::FACTS,
            Self::Revolute => &revolute::FACTS,
            Self::Prismatic => &prismatic::FACTS,
            Self::Helical => &helical::FACTS,
            Self::Spherical => &spherical::FACTS,
            Self::Planar => &planar::FACTS,
            Self::Free => &free::FACTS,
            Self::Universal => &universal::FACTS,
            Self::Cylindrical => &cylindrical::FACTS,
            Self::Translation => &translation::FACTS,
            Self::Composite => &composite::FACTS,
        }
    }

    /// The name in robot files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }
}

/// What a joint does. Axes (any non-zero length) and points are in the link frame.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// Rotation about an axis through a point.
    Revolute {
        /// Direction of the axis.
        axis: [Number; 3],
        /// A point on the axis, m.
        point: [Number; 3],
    },
    /// Translation along an axis.
    Prismatic {
        /// Direction of motion.
        axis: [Number; 3],
    },
    /// Rotation about an axis with `pitch` metres of travel per radian.
    Helical {
        /// Direction of the axis.
        axis: [Number; 3],
        /// A point on the axis, m.
        point: [Number; 3],
        /// Travel per radian, m/rad.
        pitch: Number,
    },
    /// Rotation about a point; q is a unit quaternion w, x, y, z.
    Spherical {
        /// The centre, m.
        point: [Number; 3],
    },
    /// Two translations across, then a rotation about, `axis`: q = (x, y, angle).
    Planar {
        /// The plane's normal.
        axis: [Number; 3],
        /// A point on the rotation axis, m.
        point: [Number; 3],
    },
    /// Any motion; q is position then quaternion, the velocity a body twist, linear part first.
    Free,
    /// Two rotations in sequence about axes through one point.
    Universal {
        /// The first and the second axis at zero position.
        axes: [[Number; 3]; 2],
        /// Where the axes meet, m.
        point: [Number; 3],
    },
    /// Rotation about, then translation along, one axis: q = (angle, displacement).
    Cylindrical {
        /// Direction of the axis.
        axis: [Number; 3],
        /// A point on the axis, m.
        point: [Number; 3],
    },
    /// Three translations along the axes of the link: q = (x, y, z).
    Translation,
    /// A product of exponentials, one number per factor.
    Composite {
        /// The factors, from the parent's side to the link's.
        sequence: Vec<ScrewDescription>,
    },
}

impl JointKind {
    /// Numbers in the position: one more than in the velocity where there is a quaternion.
    #[must_use]
    pub fn nq(&self) -> usize {
        self.degrees_of_freedom() + usize::from(self.quaternion().is_some())
    }

    /// Where the quaternion stands among the numbers of the position, if there is one.
    #[must_use]
    pub fn quaternion(&self) -> Option<usize> {
        match self {
            Self::Spherical { .. } => Some(0),
            Self::Free => Some(3),
            Self::Fixed
            | Self::Revolute { .. }
            | Self::Prismatic { .. }
            | Self::Helical { .. }
            | Self::Universal { .. }
            | Self::Cylindrical { .. }
            | Self::Planar { .. }
            | Self::Translation
            | Self::Composite { .. } => None,
        }
    }

    /// The type.
    #[must_use]
    pub fn joint_type(&self) -> JointType {
        match self {
            Self::Fixed => JointType::Fixed,
            Self::Revolute { .. } => JointType::Revolute,
            Self::Prismatic { .. } => JointType::Prismatic,
            Self::Helical { .. } => JointType::Helical,
            Self::Spherical { .. } => JointType::Spherical,
            Self::Planar { .. } => JointType::Planar,
            Self::Free => JointType::Free,
            Self::Universal { .. } => JointType::Universal,
            Self::Cylindrical { .. } => JointType::Cylindrical,
            Self::Translation => JointType::Translation,
            Self::Composite { .. } => JointType::Composite,
        }
    }

    /// Numbers in the velocity.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Helical { .. } => 1,
            Self::Universal { .. } | Self::Cylindrical { .. } => 2,
            Self::Spherical { .. } | Self::Planar { .. } | Self::Translation => 3,
            Self::Free => 6,
            Self::Composite { sequence } => sequence.len(),
        }
    }

    /// Visits what the joint is described by, each part with its key in robot files.
    pub fn visit_mut(&mut self, visit: &mut dyn FnMut(&'static str, Given<'_>)) {
        match self {
            Self::Fixed | Self::Free | Self::Translation => {}
            Self::Revolute { axis, point } | Self::Planar { axis, point } | Self::Cylindrical { axis, point } => {
                visit("axis", Given::Axis(axis));
                visit("point", Given::Point(point));
            }
            Self::Prismatic { axis } => visit("axis", Given::Axis(axis)),
            Self::Helical { axis, point, pitch } => {
                visit("axis", Given::Axis(axis));
                visit("point", Given::Point(point));
                visit("pitch", Given::Pitch(pitch));
            }
            Self::Spherical { point } => visit("point", Given::Point(point)),
            Self::Universal { axes: [first, second], point } => {
                visit("axis", Given::Axis(first));
                visit("axis2", Given::Axis(second));
                visit("point", Given::Point(point));
            }
            Self::Composite { sequence } => {
                for ScrewDescription { axis, point, pitch, .. } in sequence {
                    visit("sequence", Given::Axis(axis));
                    visit("sequence", Given::Point(point));
                    visit("sequence", Given::Pitch(pitch));
                }
            }
        }
    }

    /// The same of a joint that is not to be changed.
    pub fn visit(&self, visit: &mut dyn FnMut(&'static str, Given<'_>)) {
        self.clone().visit_mut(visit);
    }

    /// What is wrong with the description beyond numbers that are not finite and axes that are zero.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        match self {
            Self::Universal { axes, .. } => universal::flaws(axes),
            Self::Helical { pitch, .. } => helical::flaws(*pitch),
            Self::Composite { sequence } => composite::flaws(sequence),
            Self::Fixed
            | Self::Revolute { .. }
            | Self::Prismatic { .. }
            | Self::Spherical { .. }
            | Self::Planar { .. }
            | Self::Free
            | Self::Cylindrical { .. }
            | Self::Translation => Vec::new(),
        }
    }

    /// How it moves, in the frame that it is described in.
    pub(crate) fn motion<F: Field>(&self, lowering: &Lowering<'_, F>) -> Motion<F> {
        let screws = match self {
            Self::Spherical { point } => return Motion::Spherical { center: lowering.point(point) },
            Self::Free => return Motion::Free,
            Self::Fixed => Vec::new(),
            Self::Revolute { axis, point } => revolute::screws(axis, point, lowering),
            Self::Prismatic { axis } => prismatic::screws(axis, lowering),
            Self::Helical { axis, point, pitch } => helical::screws(axis, point, *pitch, lowering),
            Self::Planar { axis, point } => planar::screws(axis, point, lowering),
            Self::Universal { axes, point } => universal::screws(axes, point, lowering),
            Self::Cylindrical { axis, point } => cylindrical::screws(axis, point, lowering),
            Self::Translation => translation::screws(lowering),
            Self::Composite { sequence } => composite::screws(sequence, lowering),
        };
        Motion::Product(screws)
    }
}

#[cfg(test)]
mod tests;
