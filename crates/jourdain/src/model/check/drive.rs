//! What is asked of drives beyond viscous and Coulomb friction.

use super::{Findings, joint_error};
use crate::model::Number;
use crate::model::description::{Description, LinkDescription, MotorDescription};

/// Reports what is wrong with friction by root, speed, hysteresis and load.
pub(super) fn check(link: &LinkDescription, motor: &MotorDescription, findings: &mut Findings) {
    let name = &link.joint.name;
    for (value, field, what) in [
        (motor.root, "motor.root", "friction by the root of the speed"),
        (motor.stribeck, "motor.stribeck", "friction that falls with speed"),
        (Some(motor.load), "motor.load", "friction by load"),
    ] {
        if let Some(value) = value.filter(|value| value.value < 0.0) {
            let message = format!("the {what} of the motor of joint `{name}` is negative: {}", value.value);
            findings.add_physics(joint_error(link, field, "motor-negative", message));
        }
    }
    if motor.stribeck_speed.value <= 0.0 {
        let message = format!("the Stribeck speed of joint `{name}` is not positive: {}", motor.stribeck_speed.value);
        let finding = joint_error(link, "motor.stribeck_speed", "stribeck-speed", message);
        findings.add(finding.hint("the speed at which that friction is half of what it was, rad/s or m/s"));
    }
    for element in motor.hysteresis.elements() {
        if element.length <= 0.0 {
            let message = format!("a length in the hysteresis of joint `{name}` is not positive: {}", element.length);
            let finding = joint_error(link, "motor.hysteresis", "hysteresis", message);
            findings.add(finding.hint("elements are [length, strength], in rad and N m or m and N"));
        }
        if element.strength < 0.0 {
            let message = format!("a strength in the hysteresis of joint `{name}` is negative: {}", element.strength);
            findings.add_physics(joint_error(link, "motor.hysteresis", "motor-negative", message));
        }
    }
    check_memory(link, motor, findings);
}

/// Reports what is wrong with the motor of a shaft.
pub(super) fn check_shaft(link: &LinkDescription, motor: &MotorDescription, findings: &mut Findings) {
    let name = &link.joint.name;
    let given = |number: Number| number.value != 0.0;
    for (is_given, key) in [
        (motor.stiffness.is_some(), "stiffness"),
        (given(motor.damping), "damping"),
        (motor.axis.is_some(), "axis"),
        (motor.offset.is_some(), "offset"),
        (given(motor.load), "load"),
    ] {
        if is_given {
            let message = format!("the shaft of joint `{name}` has `{key}`, which belongs to a single joint");
            findings.add(joint_error(link, "shaft", "shaft", message).hint("give it to `motor`"));
        }
    }
    for (value, what) in [
        (motor.inertia, "inertia"),
        (motor.viscous, "viscous friction"),
        (motor.coulomb, "Coulomb friction"),
        (motor.rotor_viscous, "viscous friction at the rotor"),
        (motor.rotor_coulomb, "Coulomb friction at the rotor"),
        (motor.root.unwrap_or_default(), "friction by the root of the speed"),
        (motor.stribeck.unwrap_or_default(), "friction that falls with speed"),
    ] {
        if value.value < 0.0 {
            let message = format!("the {what} of the shaft of joint `{name}` is negative: {}", value.value);
            findings.add_physics(joint_error(link, "shaft", "motor-negative", message));
        }
    }
    for element in motor.hysteresis.elements() {
        if element.strength < 0.0 {
            let message =
                format!("a strength in the hysteresis of the shaft of `{name}` is negative: {}", element.strength);
            findings.add_physics(joint_error(link, "shaft", "motor-negative", message));
        }
    }
    let lengths = motor.hysteresis.elements().iter().map(|element| element.length);
    if motor.ratio.value == 0.0 || motor.stribeck_speed.value <= 0.0 || lengths.into_iter().any(|length| length <= 0.0)
    {
        let message = format!(
            "the shaft of joint `{name}` has a gear ratio of zero, or a Stribeck speed or length that is not positive"
        );
        findings
            .add(joint_error(link, "shaft", "shaft", message).hint("1 without a gear; 0.1 rad/s; lengths in rad or m"));
    }
}

/// Motions of robots with springs have no memory: neither their elastic joints nor the others may have hysteresis.
pub(super) fn check_robot(description: &Description, findings: &mut Findings) {
    let motors = || description.links.iter().filter_map(|link| Some((link, link.motor.as_ref()?)));
    let Some((elastic, _)) = motors().find(|(_, motor)| motor.stiffness.is_some()) else { return };
    for (link, _) in motors().filter(|(_, motor)| !motor.hysteresis.is_empty()) {
        let (name, other) = (&link.joint.name, &elastic.joint.name);
        let message =
            format!("the joint `{name}` has a hysteresis, which robots with springs, here at `{other}`, do not have");
        let finding = joint_error(link, "motor.hysteresis", "hysteresis", message);
        findings.add(finding.hint("give `coulomb` alone, or take the stiffness out"));
    }
}

/// Elements are driven by the numbers of a position, and what rises with load follows one of them.
fn check_memory(link: &LinkDescription, motor: &MotorDescription, findings: &mut Findings) {
    let name = &link.joint.name;
    if motor.hysteresis.is_empty() {
        if motor.load.value != 0.0 {
            let message = format!("the friction by load of joint `{name}` has no hysteresis to follow");
            let finding = joint_error(link, "motor.load", "hysteresis", message);
            findings.add(finding.hint("give `hysteresis`, whose sign it takes, or leave `load` out"));
        }
        return;
    }
    if link.joint.kind.degrees_of_freedom() != link.joint.kind.nq() {
        let message = format!("the joint `{name}` has no angles that its hysteresis could follow");
        let finding = joint_error(link, "motor.hysteresis", "hysteresis", message);
        findings
            .add(finding.hint("a chain of revolute joints has angles; at this joint `coulomb` is all there can be"));
    }
}
