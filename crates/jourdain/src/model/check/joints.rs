//! Joint by joint: axes, pitches, limits, motors.

use super::super::Number;
use super::super::description::{DhConvention, LinkDescription, MotorDescription, Orientation, Placement};
use super::super::joint::Given;
use super::{Findings, joint_error, link_error, magnitude, to_judge, to_warning};

/// Reports what is wrong with a link's placement, joint and motor; false if a number cannot be computed with.
pub(super) fn check(link: &LinkDescription, findings: &mut Findings) -> bool {
    if !magnitude::check(link, findings) {
        return false;
    }
    if let Placement::Origin { orientation: Orientation::Quaternion(quaternion), .. } = link.placement
        && is_zero(&quaternion)
    {
        let message = format!("the quaternion of link `{}` is zero", link.name);
        findings.add(link_error(link, "placement", "zero-quaternion", message).hint("no turn is [1, 0, 0, 0]"));
    }
    check_axes(link, findings);
    check_dh(link, findings);
    check_limits(link, findings);
    check_motor(link, findings);
    true
}

fn is_zero(vector: &[Number]) -> bool {
    vector.iter().fold(0.0_f64, |length, number| length.hypot(number.value)) < 1e-12
}

fn check_axes(link: &LinkDescription, findings: &mut Findings) {
    let (kind, name) = (&link.joint.kind, &link.joint.name);
    let has_two_axes = kind.joint_type().facts().keys.contains(&"axis2");
    kind.visit(&mut |key, part| {
        let Given::Axis(axis) = part else { return };
        if is_zero(axis) {
            let which = match key {
                "axis2" => "second axis",
                "sequence" => "axis of a factor",
                _ if has_two_axes => "first axis",
                _ => "axis",
            };
            let message = format!("the {which} of joint `{name}` is zero");
            let finding = joint_error(link, &format!("joint.{key}"), "zero-axis", message);
            findings.add(finding.hint("an axis is a direction, say [0, 0, 1]"));
        }
    });
    for flaw in kind.flaws() {
        let message = format!("the joint `{name}` {}", flaw.message);
        let finding = joint_error(link, &format!("joint.{}", flaw.key), flaw.code, message).hint(flaw.hint);
        findings.add(if flaw.is_warning { to_warning(finding) } else { finding });
    }
}

/// Standard DH moves the joint before it steps to the link: only motions about or along one axis fit.
fn check_dh(link: &LinkDescription, findings: &mut Findings) {
    let Placement::Dh { convention: DhConvention::Standard, .. } = link.placement else { return };
    if !link.joint.kind.joint_type().facts().has_one_axis {
        let message = format!("the joint `{}` does not fit the standard DH convention", link.joint.name);
        let finding = joint_error(link, "joint", "dh-joint-type", message);
        findings.add(finding.hint("place the link by `origin`, or use a joint about or along one axis"));
    }
}

fn check_limits(link: &LinkDescription, findings: &mut Findings) {
    let joint = &link.joint;
    let name = &joint.name;
    let freedom = joint.kind.degrees_of_freedom();
    if let Some([lower, upper]) = joint.limits {
        if freedom != 1 {
            let message = format!("the joint `{name}` has {freedom} degrees of freedom and takes no position limits");
            findings.add(joint_error(link, "joint.limits", "limits-not-applicable", message).hint("take `limits` out"));
        } else if lower.value > upper.value {
            let message = format!("the limits of joint `{name}` are reversed: {} > {}", lower.value, upper.value);
            let finding = joint_error(link, "joint.limits", "limits-reversed", message);
            findings.add(to_judge(finding.hint("lower first, then upper; they are left out")));
        }
    } else if joint.kind.joint_type().facts().wants_limits && !joint.continuous && joint.mimic.is_none() {
        let message = format!("the {} joint `{name}` has no position limits", joint.kind.joint_type().name());
        let finding = joint_error(link, "joint", "missing-limits", message);
        findings.add(to_warning(finding.hint("give limits, or make it \"continuous\"")));
    }
    for (value, field, what) in
        [(joint.velocity, "joint.velocity", "velocity limit"), (joint.effort, "joint.effort", "effort limit")]
    {
        if let Some(value) = value.filter(|value| value.value < 0.0) {
            let message = format!("the {what} of joint `{name}` is negative: {}", value.value);
            let finding = joint_error(link, field, "negative-limit", message);
            findings.add(to_judge(finding.hint("it bounds the magnitude; it is left out")));
        }
    }
}

fn check_motor(link: &LinkDescription, findings: &mut Findings) {
    let Some(motor) = link.motor else { return };
    let name = &link.joint.name;
    if link.joint.kind.degrees_of_freedom() == 0 {
        let message = format!("the link `{}` has a motor, but its joint does not move", link.name);
        findings.add(joint_error(link, "motor", "motor-without-motion", message).hint("take `motor` out"));
    }
    for (value, field, what) in [
        (motor.inertia, "motor.inertia", "inertia"),
        (motor.damping, "motor.damping", "damping"),
        (motor.viscous, "motor.viscous", "viscous friction"),
        (motor.coulomb, "motor.coulomb", "Coulomb friction"),
        (motor.rotor_viscous, "motor.rotor_viscous", "viscous friction at the shaft"),
        (motor.rotor_coulomb, "motor.rotor_coulomb", "Coulomb friction at the shaft"),
    ] {
        if value.value < 0.0 {
            let message = format!("the {what} of the motor of joint `{name}` is negative: {}", value.value);
            findings.add_physics(joint_error(link, field, "motor-negative", message));
        }
    }
    if motor.ratio.value == 0.0 {
        let message = format!("the gear ratio of joint `{name}` is zero");
        let finding = joint_error(link, "motor.ratio", "motor-ratio-zero", message);
        findings.add(finding.hint("motor turns per joint turn; 1 without a gear"));
    }
    if motor.axis.is_some_and(|axis| is_zero(&axis)) {
        let message = format!("the axis of the motor of joint `{name}` has no direction");
        let finding = joint_error(link, "motor.axis", "zero-axis", message);
        findings
            .add(finding.hint("an axis is a direction, say [0, 0, 1]; without it the rotor turns about the joint's"));
    }
    super::drive::check(link, &motor, findings);
    if motor.stiffness.is_some() {
        check_elastic(link, &motor, findings);
    }
    if let Some(stiffness) = motor.stiffness.filter(|stiffness| stiffness.value <= 0.0) {
        let message = format!("the stiffness of joint `{name}` is not positive: {}", stiffness.value);
        let finding = joint_error(link, "motor.stiffness", "motor-stiffness", message);
        findings.add(finding.hint("a rigid joint has no `stiffness`"));
    }
}

/// A spring joins one number of the rotor to one of the link, and the rotor has to have inertia to move against it.
fn check_elastic(link: &LinkDescription, motor: &MotorDescription, findings: &mut Findings) {
    let name = &link.joint.name;
    let freedom = link.joint.kind.degrees_of_freedom();
    if freedom > 1 {
        let message = format!("the joint `{name}` has a stiffness, but {freedom} degrees of freedom");
        let finding = joint_error(link, "motor.stiffness", "elastic-joint-type", message);
        findings.add(finding.hint("an elastic joint is revolute, prismatic or helical: use a chain of such joints"));
    }
    if link.joint.mimic.is_some() {
        let message = format!("the joint `{name}` is coupled to another and cannot have a stiffness of its own");
        let finding = joint_error(link, "motor.stiffness", "elastic-mimic", message);
        findings.add(finding.hint("give the stiffness to the leading joint"));
    }
    if motor.inertia.value == 0.0 {
        let message = format!("the elastic joint `{name}` has no motor inertia");
        let finding = joint_error(link, "motor.stiffness", "elastic-without-rotor", message);
        findings.add(
            finding.hint("give `inertia`: between a spring and a torque there is a rotor, which needs it to move"),
        );
    }
}
