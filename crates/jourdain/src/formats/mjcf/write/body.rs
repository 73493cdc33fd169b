//! `<body>` with its `<inertial>`; what stands in it follows.

use super::super::super::plain::{Part, about_com};
use super::super::super::xml::write::{Attributes, Writer};
use super::group::Group;
use crate::model::description::{LinkDescription, Orientation};
use crate::spatial::{Quaternion, Rotation};

/// Starts the body of a group.
pub(super) fn start(writer: &mut Writer, name: &str, group: &Group, part: &Part<'_>) {
    let mut attributes = Attributes::new().text("name", name).numbers_unless_zero("pos", &group.pose.translation.0);
    // Only a link that is a body of its own stands where its file says.
    attributes = match part.orientation.filter(|_| group.parts.len() == 1) {
        Some(Orientation::Rpy(rpy)) => attributes.numbers_unless_zero("euler", &rpy.map(|angle| angle.value)),
        Some(Orientation::Quaternion(_)) | None if group.pose.rotation == Rotation::identity() => attributes,
        Some(Orientation::Quaternion(quaternion)) => attributes.numbers("quat", &quaternion.map(|x| x.value)),
        None => attributes.numbers("quat", &Quaternion::from_rotation(&group.pose.rotation).to_array()),
    };
    writer.start("body", attributes);
    if !part.is_massless() {
        writer.leaf("inertial", inertial(part.link));
    }
}

fn inertial(link: &LinkDescription) -> Attributes {
    let tensor = about_com(link);
    let attributes = Attributes::new().numbers("pos", &link.com.map(|x| x.value)).numbers("mass", &[link.mass.value]);
    if [tensor.xy, tensor.xz, tensor.yz] == [0.0; 3] {
        return attributes.numbers("diaginertia", &[tensor.xx, tensor.yy, tensor.zz]);
    }
    // Trap: the order is xx yy zz xy xz yz.
    attributes.numbers("fullinertia", &[tensor.xx, tensor.yy, tensor.zz, tensor.xy, tensor.xz, tensor.yz])
}
