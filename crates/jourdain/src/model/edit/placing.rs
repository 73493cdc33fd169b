//! Where links are, as a description says it: a frame as a position and three angles.

use crate::model::description::{DhConvention, JointDescription, JointKind, LinkDescription, Orientation, Placement};
use crate::model::joint::Given;
use crate::model::lowered::{Frame, Lowering, NUMBERS, place};
use crate::model::number::Number;
use crate::spatial::{Pose, Rotation, Vector};

/// The pose as an origin. Right angles come out exact.
pub(super) fn origin(pose: &Pose<f64>) -> Placement {
    // Zero has a sign, which nobody wants to read in a file.
    let number = |x: f64| Number::from(x + 0.0);
    let rpy = pose.rotation.to_rpy();
    Placement::Origin { xyz: pose.translation.0.map(number), orientation: Orientation::Rpy(rpy.map(number)) }
}

/// Where the link frame is at zero, in numbers.
pub(super) fn frame(link: &LinkDescription) -> Frame<f64> {
    place(&link.placement, &Lowering::new(0, &NUMBERS))
}

/// Places a link by an origin that is placed by a row of a Denavit–Hartenberg table, and describes its joint in the link frame.
pub(super) fn by_origin(link: &mut LinkDescription) {
    let Placement::Dh { convention, .. } = link.placement else { return };
    let pose = Pose::from(frame(link));
    if convention == DhConvention::Standard {
        // The joint is described in the frame before the link's.
        let local = |vector: Vector<f64>| vector.map(Number::from).0;
        link.joint.kind.visit_mut(&mut |_, part| match part {
            Given::Axis(axis) => *axis = local(pose.rotation.apply_inverse(Vector(axis.map(|x| x.value)))),
            Given::Point(point) => {
                *point = local(pose.rotation.apply_inverse(Vector(point.map(|x| x.value)) - pose.translation));
            }
            Given::Pitch(_) => {}
        });
    }
    link.placement = origin(&pose);
}

/// Welds the link to its parent at the joint's zero; what only a moving joint has goes.
pub(super) fn weld(link: &mut LinkDescription) {
    link.joint = JointDescription {
        location: link.joint.location,
        ..JointDescription::new(std::mem::take(&mut link.joint.name), JointKind::Fixed)
    };
    link.motor = None;
    link.balance = None;
}

/// The rotation by angles about the parent's axes that right angles keep exact.
pub(super) fn turn(rpy: [Number; 3]) -> Rotation<f64> {
    Rotation::from_rpy(rpy[0].value, rpy[1].value, rpy[2].value)
}
