//! Writes a robot in the native form, in both notations.
//!
//! What is read back is the same robot to the last bit: numbers as they are, fractions as fractions, placements and inertias as
//! they were given.

use super::balance;
use super::document::{self, Item, entry, floats};
use super::shape;
use crate::model::description::{
    Description, DhConvention, InertiaDescription, JointDescription, JointKind, LinkDescription, MotorDescription,
    NamedState, Orientation, Placement, STRIBECK_SPEED, ScrewDescription, ScrewKind,
};
use crate::model::joint::Given;
use crate::model::{Fraction, Number};

/// The robot as TOML.
#[must_use]
pub fn to_toml(robot: &Description) -> String {
    document::toml(&robot_document(robot))
}

/// The robot as JSON, with the keys of the TOML form.
#[must_use]
pub fn to_json(robot: &Description) -> String {
    document::json(&robot_document(robot))
}

fn robot_document(robot: &Description) -> Vec<(String, Item)> {
    let mut entries = vec![entry("name", text(&robot.name)), entry("gravity", list(&robot.gravity))];
    let convention = robot.links.iter().find_map(|link| match link.placement {
        Placement::Dh { convention, .. } => Some(convention),
        Placement::Origin { .. } => None,
    });
    entries.extend(convention.map(|convention| entry("dh", text(convention_name(convention)))));
    if robot.allow_unphysical {
        entries.push(entry("allow_unphysical", Item::Boolean(true)));
    }
    let links = robot.links.iter().map(|link| Item::Table(link_entries(link, convention))).collect();
    entries.push(entry("link", Item::List(links)));
    if !robot.states.is_empty() {
        entries.push(entry("state", Item::List(robot.states.iter().map(state).collect())));
    }
    entries
}

fn convention_name(convention: DhConvention) -> &'static str {
    match convention {
        DhConvention::Modified => "modified",
        DhConvention::Standard => "standard",
    }
}

fn link_entries(link: &LinkDescription, convention: Option<DhConvention>) -> Vec<(String, Item)> {
    let mut entries = vec![entry("name", text(&link.name)), entry("parent", text(&link.parent))];
    entries.extend(body_entries(link));
    entries.push(match &link.placement {
        Placement::Origin { xyz, orientation } => entry("origin", Item::Table(origin_entries(xyz, orientation))),
        Placement::Dh { convention: own, parameters: p } => {
            let mut row = vec![("alpha", p.alpha), ("a", p.a), ("theta", p.theta), ("d", p.d)];
            if *own == DhConvention::Modified {
                row.extend([("gamma", p.gamma), ("b", p.b)].into_iter().filter(|(_, x)| *x != Number::ZERO));
            }
            let mut row: Vec<_> = row.iter().map(|(key, x)| entry(key, number(x))).collect();
            if convention != Some(*own) {
                row.push(entry("convention", text(convention_name(*own))));
            }
            entry("dh", Item::Table(row))
        }
    });
    let in_dh_frame = matches!(link.placement, Placement::Dh { .. });
    entries.push(entry("joint", Item::Table(joint_entries(&link.joint, &link.name, in_dh_frame))));
    entries.extend(link.motor.as_ref().map(|motor| entry("motor", Item::Table(motor_entries(motor)))));
    entries.extend(link.shaft.as_ref().map(|shaft| {
        let with = shaft.with.iter().map(|(joint, factor)| entry(joint, number(factor))).collect();
        let mut keys = vec![entry("with", Item::Table(with))];
        keys.extend(motor_entries(&shaft.motor));
        entry("shaft", Item::Table(keys))
    }));
    entries.extend(link.balance.as_ref().map(|held| entry("balance", Item::Table(balance::entries(held)))));
    entries
}

/// Mass, centre of mass, inertia and shapes, as links and screws have them.
pub(in crate::formats) fn body_entries(link: &LinkDescription) -> Vec<(String, Item)> {
    let mut entries = Vec::new();
    if !link.has_inertial {
        entries.push(entry("inertial", Item::Boolean(false)));
    }
    if link.mass != Number::ZERO {
        entries.push(entry("mass", number(&link.mass)));
    }
    if link.com != [Number::ZERO; 3] {
        entries.push(entry("com", list(&link.com)));
    }
    match &link.inertia {
        InertiaDescription::AboutCom(elements) if *elements == [Number::ZERO; 6] => {}
        InertiaDescription::AboutCom(elements) => entries.push(entry("inertia", list(elements))),
        InertiaDescription::AboutOrigin(elements) => entries.push(entry("inertia_origin", list(elements))),
        InertiaDescription::AboutComRotated { elements, rpy } => {
            entries.extend([entry("inertia", list(elements)), entry("inertia_rpy", list(rpy))]);
        }
    }
    if !link.shapes.is_empty() {
        let shapes = link.shapes.iter().map(|shape| Item::Table(shape::entries(shape))).collect();
        entries.push(entry("shape", Item::List(shapes)));
    }
    entries
}

/// The keys of an origin.
pub(in crate::formats) fn origin_entries(xyz: &[Number; 3], orientation: &Orientation) -> Vec<(String, Item)> {
    let orientation = match orientation {
        Orientation::Rpy(rpy) => entry("rpy", list(rpy)),
        Orientation::Quaternion(quaternion) => entry("quaternion", list(quaternion)),
    };
    vec![entry("xyz", list(xyz)), orientation]
}

fn joint_entries(joint: &JointDescription, link: &str, in_dh_frame: bool) -> Vec<(String, Item)> {
    let mut entries = Vec::new();
    if joint.name != link {
        entries.push(entry("name", text(&joint.name)));
    }
    let facts = joint.kind.joint_type().facts();
    let name = facts.alias.filter(|_| joint.continuous).unwrap_or(facts.name);
    entries.push(entry("type", text(name)));
    if let JointKind::Composite { sequence } = &joint.kind {
        let factors = sequence.iter().map(|factor| Item::Table(screw_entries(factor))).collect();
        entries.push(entry("sequence", Item::List(factors)));
    } else {
        // A link with `dh` moves about or along its z axis; the reader wants it that way.
        let is_free = !(in_dh_frame && facts.set_by_dh);
        joint.kind.visit(&mut |key, part| match part {
            Given::Axis(axis) if is_free => entries.push(entry(key, list(axis))),
            Given::Point(point) if is_free && *point != [Number::ZERO; 3] => entries.push(entry(key, list(point))),
            Given::Axis(_) | Given::Point(_) => {}
            Given::Pitch(pitch) => entries.push(entry(key, number(pitch))),
        });
    }
    entries.extend(range_entries(joint));
    entries
}

/// Limits and coupling: what joints and screws share.
pub(in crate::formats) fn range_entries(joint: &JointDescription) -> Vec<(String, Item)> {
    let mut entries = Vec::new();
    if joint.continuous && joint.kind.joint_type().facts().alias.is_none() {
        entries.push(entry("unlimited", Item::Boolean(true)));
    }
    entries.extend(joint.limits.as_ref().map(|limits| entry("limits", list(limits))));
    for (key, limit) in [("velocity", &joint.velocity), ("effort", &joint.effort)] {
        entries.extend(limit.iter().map(|limit| entry(key, number(limit))));
    }
    entries.extend(joint.mimic.as_ref().map(|mimic| {
        let parts = vec![
            entry("joint", text(&mimic.joint)),
            entry("multiplier", number(&mimic.multiplier)),
            entry("offset", number(&mimic.offset)),
        ];
        entry("mimic", Item::Table(parts))
    }));
    entries
}

fn screw_entries(factor: &ScrewDescription) -> Vec<(String, Item)> {
    let kind = match factor.kind {
        ScrewKind::Revolute => "revolute",
        ScrewKind::Prismatic => "prismatic",
        ScrewKind::Helical => "helical",
    };
    let mut entries = vec![entry("type", text(kind)), entry("axis", list(&factor.axis))];
    if factor.point != [Number::ZERO; 3] {
        entries.push(entry("point", list(&factor.point)));
    }
    if factor.kind == ScrewKind::Helical {
        entries.push(entry("pitch", number(&factor.pitch)));
    }
    entries
}

/// The keys of a motor.
pub(in crate::formats) fn motor_entries(motor: &MotorDescription) -> Vec<(String, Item)> {
    let given = [
        ("inertia", Some(&motor.inertia)),
        ("ratio", Some(&motor.ratio)),
        ("stiffness", motor.stiffness.as_ref()),
        ("damping", Some(&motor.damping)),
        ("viscous", Some(&motor.viscous)),
        ("coulomb", Some(&motor.coulomb)),
    ];
    let mut entries: Vec<_> = given.iter().filter_map(|(key, value)| Some(entry(key, number((*value)?)))).collect();
    for (keys, felt, power) in [
        (["shaft_viscous", "rotor_viscous"], motor.rotor_viscous, 2),
        (["shaft_coulomb", "rotor_coulomb"], motor.rotor_coulomb, 1),
    ] {
        if felt.value == 0.0 {
            continue;
        }
        entries.push(match at_shaft(&felt, motor.ratio.value, power) {
            Some(shaft) => entry(keys[0], document::float(shaft)),
            None => entry(keys[1], number(&felt)),
        });
    }
    let speed = motor.stribeck.filter(|_| motor.stribeck_speed.value != STRIBECK_SPEED).map(|_| motor.stribeck_speed);
    let load = Some(motor.load).filter(|load| load.value != 0.0);
    for (key, value) in [
        ("root", motor.root),
        ("stribeck", motor.stribeck),
        ("stribeck_speed", speed),
        ("offset", motor.offset),
        ("load", load),
    ] {
        entries.extend(value.as_ref().map(|value| entry(key, number(value))));
    }
    if !motor.hysteresis.is_empty() {
        let elements = motor.hysteresis.elements().iter();
        let elements = elements.map(|element| floats(&[element.length, element.strength])).collect();
        entries.push(entry("hysteresis", Item::List(elements)));
    }
    entries.extend(motor.axis.as_ref().map(|axis| entry("axis", list(axis))));
    entries
}

/// What at the shaft is read as `felt` at the joint, to the last bit, if there is such a number.
fn at_shaft(felt: &Number, ratio: f64, power: i32) -> Option<f64> {
    let factor = ratio.abs().powi(power);
    let near = felt.value / factor;
    [near, near.next_up(), near.next_down()].into_iter().find(|shaft| Number::from(shaft * factor) == *felt)
}

fn state(state: &NamedState) -> Item {
    let positions = state.positions.iter().map(|(joint, numbers)| match numbers[..] {
        [number] => entry(joint, document::float(number)),
        _ => entry(joint, floats(numbers)),
    });
    Item::Table(vec![entry("name", text(&state.name)), entry("q", Item::Table(positions.collect()))])
}

fn text(text: &str) -> Item {
    Item::Text(text.to_owned())
}

pub(in crate::formats) fn list(numbers: &[Number]) -> Item {
    Item::List(numbers.iter().map(number).collect())
}

/// The shortest text that is read as the same number: a decimal; the fraction where a decimal would not be exact; more digits
/// where a short decimal would be taken for exact and the number is not.
pub(super) fn number(x: &Number) -> Item {
    let is_read_as = |text: &String| Number::parse(text).is_some_and(|read| read == *x);
    let decimal = format!("{:?}", x.value);
    if is_read_as(&decimal) {
        return Item::Number(decimal);
    }
    if let Some(Fraction { numerator, denominator }) = x.exact {
        let fraction = format!("{numerator}/{denominator}");
        if is_read_as(&fraction) {
            return Item::Text(fraction);
        }
    }
    let long = x.exact.and_then(exact_decimal).into_iter();
    let long = long.chain((17..40).map(|digits| format!("{:.*e}", digits, x.value))).find(is_read_as);
    Item::Number(long.unwrap_or(decimal))
}

/// A fraction with all its decimals, if they end.
fn exact_decimal(exact: Fraction) -> Option<String> {
    let (power, shift) = (0..=20)
        .map(|shift| (10_i128.pow(shift), shift))
        .find(|(power, _)| power % i128::from(exact.denominator) == 0)?;
    Some(format!("{}e-{shift}", i128::from(exact.numerator) * (power / i128::from(exact.denominator))))
}

#[cfg(test)]
mod tests {
    use super::super::super::{Format, read_str};
    use super::*;
    use crate::robots;

    /// Both notations are read back as the same robot, to the last bit.
    fn survives(description: &Description) {
        for (text, format) in [(to_toml(description), Format::Toml), (to_json(description), Format::Json)] {
            let reading = read_str(&text, format);
            assert!(reading.is_ok(), "{:?}\n{text}", reading.diagnostics);
            assert_eq!(reading.description.unwrap().into_description().without_locations(), *description, "{text}");
        }
    }

    #[test]
    fn every_built_in_robot_survives_being_written() {
        for robot in robots::ALL {
            let description = robot.read().description.unwrap().into_description().without_locations();
            survives(&description);
        }
    }

    #[test]
    fn every_kind_of_joint_and_odd_names_survive() {
        let text = r#"
            name = "odd \"robot\"\n"
            [[link]]
            name = "a b"
            mass = 1
            joint = { type = "composite", sequence = [{ type = "revolute", axis = [1, 0, 0], point = [0, "1/3", 0] }, { type = "helical", pitch = 0.1 }] }
            [[link]]
            name = "u"
            inertia_origin = [1, 0, 0, 1, 0, 1]
            mass = 2
            origin = { xyz = [0, 0, 1], quaternion = [1, 0, 0, 0] }
            joint = { type = "universal", point = [0, 0, 0.1], name = "wrist" }
            motor = { inertia = 1e-4, ratio = 100 }
            [[link]]
            name = "h"
            mass = 1
            inertia = [1, 0, 0, 1, 0, 1]
            joint = { type = "helical", axis = [0, 1, 0], pitch = 0.01, limits = [-1, 1], velocity = 2, effort = 3 }
            motor = { inertia = 1e-4, ratio = 101, stiffness = 1e4, shaft_viscous = 3e-5, shaft_coulomb = 0.07 }
            [[link]]
            name = "m"
            mass = 1
            inertia = [1, 0, 0, 1, 0, 1]
            joint = { type = "prismatic", mimic = { joint = "h", multiplier = -0.5, offset = 0.1 } }
            [[link]]
            name = "s"
            mass = 1
            inertia = [1, 0, 0, 1, 0, 1]
            joint = { type = "spherical" }
            [[link]]
            name = "c"
            mass = 1
            inertia = [1, 0, 0, 1, 0, 1]
            joint = { type = "cylindrical" }
            [[state]]
            name = "at \"home\""
            q = { wrist = [0.1, -0.2], h = 0.3, s = [0.6, 0, 0.8, 0] }
            [[state]]
            name = "zero"
            q = {}
        "#;
        let first = read_str(text, Format::Toml);
        let description = first
            .description
            .unwrap_or_else(|| panic!("{:?}", first.diagnostics))
            .into_description()
            .without_locations();
        survives(&description);
    }
}
