//! Writes a robot in the native form.
//!
//! What is read back is the same robot: numbers as they are, fractions as fractions, placements as they were given. Axes of
//! a tensor that are turned against the link's, which only URDF has, are turned back.

use crate::model::Number;
use crate::model::description::{
    Description, DhConvention, InertiaDescription, JointDescription, JointKind, LinkDescription, MotorDescription,
    NamedState, Orientation, Placement, ScrewDescription, ScrewKind,
};
use crate::model::joint::Given;
use nalgebra::{Matrix3, Rotation3};

/// The robot as TOML. A file has one Denavit–Hartenberg convention; links of the other one, of which a file has none, would
/// be written in the first's.
#[must_use]
pub fn to_toml(robot: &Description) -> String {
    let mut text = format!("name = {}\ngravity = {}\n", quoted(&robot.name), list(&robot.gravity));
    let convention = robot.links.iter().find_map(|link| match link.placement {
        Placement::Dh { convention, .. } => Some(convention),
        Placement::Origin { .. } => None,
    });
    if let Some(convention) = convention {
        let name = match convention {
            DhConvention::Modified => "modified",
            DhConvention::Standard => "standard",
        };
        text += &format!("dh = \"{name}\"\n");
    }
    if robot.allow_unphysical {
        text += "allow_unphysical = true\n";
    }
    for link in &robot.links {
        text += &link_table(link);
    }
    for state in &robot.states {
        text += &format!("\n[[state]]\nname = {}\nq = {}\n", quoted(&state.name), positions(state));
    }
    text
}

fn positions(state: &NamedState) -> String {
    let entry = |(joint, numbers): &(String, Vec<f64>)| match numbers[..] {
        [number] => format!("{} = {number:?}", quoted(joint)),
        _ => format!("{} = {numbers:?}", quoted(joint)),
    };
    format!("{{ {} }}", state.positions.iter().map(entry).collect::<Vec<_>>().join(", "))
}

fn link_table(link: &LinkDescription) -> String {
    let mut text = format!("\n[[link]]\nname = {}\nparent = {}\n", quoted(&link.name), quoted(&link.parent));
    if link.mass != Number::ZERO {
        text += &format!("mass = {}\n", number(&link.mass));
    }
    if link.com != [Number::ZERO; 3] {
        text += &format!("com = {}\n", list(&link.com));
    }
    match &link.inertia {
        InertiaDescription::AboutCom(elements) if *elements == [Number::ZERO; 6] => {}
        InertiaDescription::AboutCom(elements) => text += &format!("inertia = {}\n", list(elements)),
        InertiaDescription::AboutOrigin(elements) => text += &format!("inertia_origin = {}\n", list(elements)),
        InertiaDescription::AboutComRotated { elements, rpy } => {
            text += &format!("inertia = {}\n", list(&turned(elements, rpy)));
        }
    }
    match &link.placement {
        Placement::Origin { xyz, orientation } => {
            let orientation = match orientation {
                Orientation::Rpy(rpy) => format!("rpy = {}", list(rpy)),
                Orientation::Quaternion(quaternion) => format!("quaternion = {}", list(quaternion)),
            };
            text += &format!("origin = {{ xyz = {}, {orientation} }}\n", list(xyz));
        }
        Placement::Dh { convention, parameters } => {
            let mut parts: Vec<String> = Vec::new();
            let p = parameters;
            let mut entries = vec![("alpha", p.alpha), ("a", p.a), ("theta", p.theta), ("d", p.d)];
            if *convention == DhConvention::Modified {
                entries.extend([("gamma", p.gamma), ("b", p.b)].into_iter().filter(|(_, x)| *x != Number::ZERO));
            }
            parts.extend(entries.iter().map(|(key, x)| format!("{key} = {}", number(x))));
            text += &format!("dh = {{ {} }}\n", parts.join(", "));
        }
    }
    let in_dh_frame = matches!(link.placement, Placement::Dh { .. });
    text += &format!("joint = {{ {} }}\n", joint(&link.joint, &link.name, in_dh_frame).join(", "));
    if let Some(drive) = &link.motor {
        text += &format!("motor = {{ {} }}\n", motor(drive).join(", "));
    }
    text
}

fn joint(joint: &JointDescription, link: &str, in_dh_frame: bool) -> Vec<String> {
    let mut parts = Vec::new();
    if joint.name != link {
        parts.push(format!("name = {}", quoted(&joint.name)));
    }
    let facts = joint.kind.joint_type().facts();
    let name = facts.alias.filter(|_| joint.continuous).unwrap_or(facts.name);
    parts.push(format!("type = \"{name}\""));
    if let JointKind::Composite { sequence } = &joint.kind {
        let factors: Vec<String> =
            sequence.iter().map(|factor| format!("{{ {} }}", screw(factor).join(", "))).collect();
        parts.push(format!("sequence = [{}]", factors.join(", ")));
    } else {
        // A link with `dh` moves about or along its z axis; the reader wants it that way.
        let is_free = !(in_dh_frame && facts.set_by_dh);
        joint.kind.visit(&mut |key, part| match part {
            Given::Axis(axis) if is_free => parts.push(format!("{key} = {}", list(axis))),
            Given::Point(point) if is_free && *point != [Number::ZERO; 3] => {
                parts.push(format!("{key} = {}", list(point)));
            }
            Given::Axis(_) | Given::Point(_) => {}
            Given::Pitch(pitch) => parts.push(format!("{key} = {}", number(pitch))),
        });
    }
    if let Some(limits) = &joint.limits {
        parts.push(format!("limits = {}", list(limits)));
    }
    for (key, limit) in [("velocity", &joint.velocity), ("effort", &joint.effort)] {
        parts.extend(limit.iter().map(|limit| format!("{key} = {}", number(limit))));
    }
    if let Some(mimic) = &joint.mimic {
        parts.push(format!(
            "mimic = {{ joint = {}, multiplier = {}, offset = {} }}",
            quoted(&mimic.joint),
            number(&mimic.multiplier),
            number(&mimic.offset)
        ));
    }
    parts
}

fn screw(factor: &ScrewDescription) -> Vec<String> {
    let kind = match factor.kind {
        ScrewKind::Revolute => "revolute",
        ScrewKind::Prismatic => "prismatic",
        ScrewKind::Helical => "helical",
    };
    let mut parts = vec![format!("type = \"{kind}\""), format!("axis = {}", list(&factor.axis))];
    if factor.point != [Number::ZERO; 3] {
        parts.push(format!("point = {}", list(&factor.point)));
    }
    if factor.kind == ScrewKind::Helical {
        parts.push(format!("pitch = {}", number(&factor.pitch)));
    }
    parts
}

fn motor(motor: &MotorDescription) -> Vec<String> {
    let entries = [
        ("inertia", Some(&motor.inertia)),
        ("ratio", Some(&motor.ratio)),
        ("stiffness", motor.stiffness.as_ref()),
        ("damping", Some(&motor.damping)),
        ("viscous", Some(&motor.viscous)),
        ("coulomb", Some(&motor.coulomb)),
    ];
    let numbers = entries.iter().filter_map(|(key, value)| Some(format!("{key} = {}", number((*value)?))));
    let rotor = [("shaft_viscous", motor.rotor_viscous, 2), ("shaft_coulomb", motor.rotor_coulomb, 1)];
    let rotor = rotor.into_iter().filter(|(_, felt, _)| felt.value != 0.0);
    let rotor = rotor.map(|(key, felt, power)| format!("{key} = {:?}", at_shaft(felt.value, motor.ratio.value, power)));
    numbers.chain(rotor).chain(motor.axis.as_ref().map(|axis| format!("axis = {}", list(axis)))).collect()
}

/// What is read as `felt` at the joint, to the last bit where there is such a number: a last digit may be lost in the division.
fn at_shaft(felt: f64, ratio: f64, power: i32) -> f64 {
    let factor = ratio.abs().powi(power);
    let near = felt / factor;
    [near, near.next_up(), near.next_down()].into_iter().find(|shaft| shaft * factor == felt).unwrap_or(near)
}

/// The tensor in link axes.
fn turned(elements: &[Number; 6], rpy: &[Number; 3]) -> [Number; 6] {
    let [xx, xy, xz, yy, yz, zz] = elements.map(|x| x.value);
    let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let rotation = Rotation3::from_euler_angles(rpy[0].value, rpy[1].value, rpy[2].value);
    let i = rotation.matrix() * tensor * rotation.matrix().transpose();
    [i[(0, 0)], i[(0, 1)], i[(0, 2)], i[(1, 1)], i[(1, 2)], i[(2, 2)]].map(Number::from)
}

fn list(numbers: &[Number]) -> String {
    format!("[{}]", numbers.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// The shortest text that is read as the same number: a decimal, or the fraction where a decimal would not be exact.
fn number(x: &Number) -> String {
    let decimal = format!("{:?}", x.value);
    match x.exact {
        Some(exact) if Number::parse(&decimal).and_then(|read| read.exact) != Some(exact) => {
            format!("\"{}/{}\"", exact.numerator, exact.denominator)
        }
        _ => decimal,
    }
}

fn quoted(text: &str) -> String {
    ::toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::super::{Format, read_str};
    use super::*;
    use crate::robots;

    #[test]
    fn every_built_in_robot_survives_being_written() {
        for robot in robots::ALL {
            let description = robot.read().description.unwrap().into_description().without_locations();
            let text = to_toml(&description);
            let reading = read_str(&text, Format::Toml);
            assert!(reading.is_ok(), "{}: {:?}\n{text}", robot.name, reading.diagnostics);
            assert_eq!(
                reading.description.unwrap().into_description().without_locations(),
                description,
                "{}",
                robot.name
            );
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
        let written = to_toml(&description);
        let second = read_str(&written, Format::Toml);
        assert!(second.is_ok(), "{:?}\n{written}", second.diagnostics);
        assert_eq!(second.description.unwrap().into_description().without_locations(), description, "{written}");
    }
}
