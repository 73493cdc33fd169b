//! A link in another frame: its inertia and what else is written in link axes.

use super::plain::about_com;
use crate::model::Number;
use crate::model::description::{InertiaDescription, LinkDescription, Orientation, Placement};
use crate::model::shape::ShapeDescription;
use crate::spatial::{Pose, Quaternion, Rotation, Vector};

/// Puts the mass, the inertia, the shapes and the rotor's axis of a link into another frame, in which the old one is at `old`. Its
/// placement and its joint are the caller's.
pub(super) fn reframe(link: &mut LinkDescription, old: &Pose<f64>) {
    if *old == Pose::identity() {
        return;
    }
    link.shapes.iter_mut().for_each(|shape| move_shape(shape, old));
    let tensor = about_com(link).rotated(&old.rotation);
    link.inertia = InertiaDescription::AboutCom(tensor.to_array().map(Number::from));
    link.com = old.apply(Vector(link.com.map(|x| x.value))).0.map(Number::from);
    if link.mass.value == 0.0 && tensor.to_array() == [0.0; 6] {
        link.com = [Number::ZERO; 3];
    }
    if let Some(axis) = link.motor.as_mut().and_then(|motor| motor.axis.as_mut()) {
        *axis = old.rotation.apply(Vector(axis.map(|x| x.value))).0.map(Number::from);
    }
}

/// Puts a shape into another frame, in which the old one is at `old`.
pub(super) fn move_shape(shape: &mut ShapeDescription, old: &Pose<f64>) {
    if let Placement::Origin { xyz, orientation } = placement(&(*old * shape.pose())) {
        (shape.xyz, shape.orientation) = (xyz, orientation);
    }
}

/// A placement with numbers of a file's length.
pub(super) fn placement(pose: &Pose<f64>) -> Placement {
    let xyz = pose.translation.0.map(Number::from);
    let orientation = if pose.rotation == Rotation::identity() {
        Orientation::Rpy([Number::ZERO; 3])
    } else {
        Orientation::Quaternion(Quaternion::from_rotation(&pose.rotation).to_array().map(Number::from))
    };
    Placement::Origin { xyz, orientation }
}
