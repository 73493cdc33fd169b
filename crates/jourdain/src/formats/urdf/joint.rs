//! `<joint>`: type, frames, limits, friction, coupling.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::Element;
use super::UNLIMITED;
use super::xml::Reader;
use crate::model::description::{
    JointDescription, JointKind, Location, MimicDescription, MotorDescription, Orientation, Placement, Places,
};
use crate::model::{Diagnostic, Number};

const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];
const KNOWN: [&str; 9] =
    ["parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"];

/// A joint with the names of the links that it joins.
pub(super) struct UrdfJoint {
    pub parent: (String, Location),
    pub child: (String, Location),
    pub placement: Placement,
    pub joint: JointDescription,
    pub motor: Option<MotorDescription>,
    pub places: Places,
}

pub(super) fn read(element: &Element, reader: &mut Reader<'_, '_>) -> Option<UrdfJoint> {
    let name = reader.text(element, "name").unwrap_or_default();
    reader.report.concerning(None, Some(name));
    reader.known_attributes(element, &["name", "type"]);
    reader.known_children(element, &KNOWN);
    let mut places = Places::default();
    places.set("joint", reader.place(element));
    places.set("joint.name", reader.attribute_place(element, "name"));

    let type_name = reader.text(element, "type").unwrap_or("fixed");
    let kind = read_kind(element, type_name, &mut places, reader);
    let mut joint = JointDescription::new(name, kind);
    joint.location = Some(reader.place(element));
    joint.continuous = type_name == "continuous";
    let motor = read_dynamics(element, &joint.kind, &mut places, reader);
    read_limit(element, type_name, &mut joint, &mut places, reader);
    joint.mimic = read_mimic(element, &mut places, reader);

    let placement = read_origin(element, &mut places, reader);
    let parent = read_end(element, "parent", reader);
    let child = read_end(element, "child", reader);
    let (Some(parent), Some(child)) = (parent, child) else {
        reader.report.names_are_incomplete = true;
        return None;
    };
    places.set("parent", parent.1);
    Some(UrdfJoint { parent, child, placement, joint, motor, places })
}

fn read_end(element: &Element, tag: &'static str, reader: &mut Reader<'_, '_>) -> Option<(String, Location)> {
    let end = reader.required_child(element, tag)?;
    reader.known_attributes(end, &["link"]);
    let name = reader.text(end, "link")?.to_owned();
    Some((name, reader.attribute_place(end, "link")))
}

fn read_kind(element: &Element, type_name: &str, places: &mut Places, reader: &mut Reader<'_, '_>) -> JointKind {
    let mut axis = [Number::ONE, Number::ZERO, Number::ZERO];
    if let Some(given) = reader.child(element, "axis") {
        reader.known_attributes(given, &["xyz"]);
        reader.text(given, "xyz");
        axis = reader.vector(given, "xyz").unwrap_or(axis);
        places.set("joint.axis", reader.attribute_place(given, "xyz"));
    }
    let point = [Number::ZERO; 3];
    match type_name {
        "revolute" | "continuous" => JointKind::Revolute { axis, point },
        "prismatic" => JointKind::Prismatic { axis },
        "floating" => JointKind::Free,
        "planar" => JointKind::Planar { axis, point },
        "fixed" => JointKind::Fixed,
        other => {
            let message = format!("there is no URDF joint type `{}`", shorten(other));
            let place = reader.attribute_place(element, "type");
            reader.error(place, "unknown-joint-type", message, Some(suggest::hint(other, &TYPES)));
            JointKind::Fixed
        }
    }
}

fn read_origin(element: &Element, places: &mut Places, reader: &mut Reader<'_, '_>) -> Placement {
    let (mut xyz, mut rpy) = ([Number::ZERO; 3], [Number::ZERO; 3]);
    if let Some(origin) = reader.child(element, "origin") {
        reader.known_attributes(origin, &["xyz", "rpy"]);
        xyz = reader.vector(origin, "xyz").unwrap_or(xyz);
        rpy = reader.vector(origin, "rpy").unwrap_or(rpy);
        let turned = if origin.attribute("rpy").is_some() { "rpy" } else { "xyz" };
        places.set("placement", reader.attribute_place(origin, turned));
    }
    Placement::Origin { xyz, orientation: Orientation::Rpy(rpy) }
}

/// `<limit>`. URDF's default for a bound that is not given is zero; without either bound there are no limits.
fn read_limit(
    element: &Element,
    type_name: &str,
    joint: &mut JointDescription,
    places: &mut Places,
    reader: &mut Reader<'_, '_>,
) {
    let limit = reader.child(element, "limit");
    if let Some(limit) = limit {
        reader.known_attributes(limit, &["lower", "upper", "effort", "velocity"]);
        for (name, field) in [("velocity", "joint.velocity"), ("effort", "joint.effort")] {
            places.set(field, reader.attribute_place(limit, name));
        }
        places.set("joint.limits", reader.place(limit));
        let (lower, upper) = (reader.optional_number(limit, "lower"), reader.optional_number(limit, "upper"));
        let bounded = |limit: &Number| limit.value < UNLIMITED;
        joint.velocity = reader.optional_number(limit, "velocity").filter(bounded);
        joint.effort = reader.optional_number(limit, "effort").filter(bounded);
        if matches!(type_name, "revolute" | "prismatic") && (lower.is_some() || upper.is_some()) {
            let range = [lower.unwrap_or(Number::ZERO), upper.unwrap_or(Number::ZERO)];
            joint.continuous = range[0].value <= -UNLIMITED && range[1].value >= UNLIMITED;
            joint.limits = (!joint.continuous).then_some(range);
        }
    }
    if type_name == "prismatic" && joint.limits.is_none() && !joint.continuous {
        let message = format!("the prismatic joint `{}` has no position limits", shorten(&joint.name));
        let place = limit.map_or_else(|| reader.place(element), |limit| reader.place(limit));
        let hint = "URDF wants <limit lower=\"…\" upper=\"…\"/>";
        reader.report.push(Diagnostic::warning("missing-limits", message).at(place).hint(hint));
    }
}

/// `<dynamics>`: damping is viscous friction, friction is Coulomb friction; without either there is no drive.
fn read_dynamics(
    element: &Element,
    kind: &JointKind,
    places: &mut Places,
    reader: &mut Reader<'_, '_>,
) -> Option<MotorDescription> {
    let dynamics = reader.child(element, "dynamics")?;
    reader.known_attributes(dynamics, &["damping", "friction"]);
    places.set("motor.viscous", reader.attribute_place(dynamics, "damping"));
    places.set("motor.coulomb", reader.attribute_place(dynamics, "friction"));
    let viscous = reader.optional_number(dynamics, "damping").unwrap_or_default();
    let coulomb = reader.optional_number(dynamics, "friction").unwrap_or_default();
    let motor = MotorDescription { viscous, coulomb, ..MotorDescription::default() };
    (*kind != JointKind::Fixed && !motor.is_idle()).then_some(motor)
}

fn read_mimic(element: &Element, places: &mut Places, reader: &mut Reader<'_, '_>) -> Option<MimicDescription> {
    let mimic = reader.child(element, "mimic")?;
    reader.known_attributes(mimic, &["joint", "multiplier", "offset"]);
    let joint = reader.text(mimic, "joint")?.to_owned();
    places.set("joint.mimic", reader.attribute_place(mimic, "joint"));
    Some(MimicDescription {
        joint,
        multiplier: reader.optional_number(mimic, "multiplier").unwrap_or(Number::ONE),
        offset: reader.optional_number(mimic, "offset").unwrap_or(Number::ZERO),
    })
}
