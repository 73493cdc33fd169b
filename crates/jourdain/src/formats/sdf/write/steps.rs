//! The joints of a robot as those that SDF has: what it lacks becomes several, one after the other.

use crate::model::description::{DhConvention, JointKind, LinkDescription, Placement, ScrewDescription, ScrewKind};
use crate::model::joint::Screw;
use crate::model::{Motion, Number};

/// A joint of SDF, in the frame of the link that it moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Fixed,
    Revolute { axis: [f64; 3], point: [f64; 3] },
    Prismatic { axis: [f64; 3] },
    Screw { axis: [f64; 3], point: [f64; 3], pitch: f64 },
    Ball { point: [f64; 3] },
    Universal { axes: [[f64; 3]; 2], point: [f64; 3] },
}

impl Step {
    /// The name of the type. A joint without limits is continuous.
    pub fn name(&self, has_limits: bool) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute { .. } if has_limits => "revolute",
            Self::Revolute { .. } => "continuous",
            Self::Prismatic { .. } => "prismatic",
            Self::Screw { .. } => "screw",
            Self::Ball { .. } => "ball",
            Self::Universal { .. } => "universal",
        }
    }

    pub fn axes(&self) -> Vec<[f64; 3]> {
        match self {
            Self::Fixed | Self::Ball { .. } => Vec::new(),
            Self::Revolute { axis, .. } | Self::Prismatic { axis } | Self::Screw { axis, .. } => vec![*axis],
            Self::Universal { axes, .. } => axes.to_vec(),
        }
    }

    /// Where the joint is.
    pub fn point(&self) -> [f64; 3] {
        match self {
            Self::Fixed | Self::Prismatic { .. } => [0.0; 3],
            Self::Revolute { point, .. }
            | Self::Screw { point, .. }
            | Self::Ball { point }
            | Self::Universal { point, .. } => *point,
        }
    }
}

/// The joints that do what a link's joint does, the parent's side first. A free joint is three slides and a ball.
pub(super) fn steps(link: &LinkDescription, motion: &Motion<f64>) -> Vec<Step> {
    let is_standard = matches!(link.placement, Placement::Dh { convention: DhConvention::Standard, .. });
    let value = |vector: &[Number; 3]| vector.map(|x| x.value);
    match &link.joint.kind {
        // The file's own numbers are about the frame before the link's.
        _ if is_standard => of_motion(motion),
        JointKind::Fixed => vec![Step::Fixed],
        JointKind::Revolute { axis, point } => vec![Step::Revolute { axis: value(axis), point: value(point) }],
        JointKind::Prismatic { axis } => vec![Step::Prismatic { axis: value(axis) }],
        JointKind::Helical { axis, point, pitch } => {
            vec![Step::Screw { axis: value(axis), point: value(point), pitch: pitch.value }]
        }
        JointKind::Spherical { point } => vec![Step::Ball { point: value(point) }],
        JointKind::Universal { axes: [first, second], point } => {
            vec![Step::Universal { axes: [value(first), value(second)], point: value(point) }]
        }
        JointKind::Cylindrical { axis, point } => {
            vec![Step::Revolute { axis: value(axis), point: value(point) }, Step::Prismatic { axis: value(axis) }]
        }
        JointKind::Composite { sequence } => sequence.iter().map(of_factor).collect(),
        JointKind::Planar { .. } | JointKind::Translation | JointKind::Free => of_motion(motion),
    }
}

fn of_factor(factor: &ScrewDescription) -> Step {
    let (axis, point) = (factor.axis.map(|x| x.value), factor.point.map(|x| x.value));
    match factor.kind {
        ScrewKind::Revolute => Step::Revolute { axis, point },
        ScrewKind::Prismatic => Step::Prismatic { axis },
        ScrewKind::Helical => Step::Screw { axis, point, pitch: factor.pitch.value },
    }
}

fn of_motion(motion: &Motion<f64>) -> Vec<Step> {
    let of_screw = |screw: &Screw<f64>| match screw {
        Screw::Rotation { axis, point, pitch } if *pitch == 0.0 => Step::Revolute { axis: axis.0, point: point.0 },
        Screw::Rotation { axis, point, pitch } => Step::Screw { axis: axis.0, point: point.0, pitch: *pitch },
        Screw::Translation { axis } => Step::Prismatic { axis: axis.0 },
    };
    match motion {
        Motion::Product(screws) if screws.is_empty() => vec![Step::Fixed],
        Motion::Product(screws) => screws.iter().map(of_screw).collect(),
        Motion::Spherical { center } => vec![Step::Ball { point: center.0 }],
        Motion::Free => {
            let slides = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| Step::Prismatic { axis });
            slides.into_iter().chain([Step::Ball { point: [0.0; 3] }]).collect()
        }
    }
}
