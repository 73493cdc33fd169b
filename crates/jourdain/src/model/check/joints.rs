//! Joint by joint: finite numbers, axes, pitches, limits, motors.

use super::super::Number;
use super::super::description::{
    DhConvention, InertiaDescription, JointKind, LinkDescription, MotorDescription, Orientation, Placement, ScrewKind,
};
use super::{Findings, joint_error, link_error, to_warning};

/// Most factors of a composite joint.
const MAX_FACTORS: usize = 100;

/// Reports what is wrong with a link's placement, joint and motor; false if a number is not finite.
pub(super) fn check(link: &LinkDescription, findings: &mut Findings) -> bool {
    if let Some(field) = not_finite(link) {
        let message = format!("a number of link `{}` is not finite", link.name);
        findings.add(link_error(link, field, "not-finite", message));
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

/// Degrees of freedom of a joint.
pub(super) fn degrees_of_freedom(kind: &JointKind) -> usize {
    match kind {
        JointKind::Fixed => 0,
        JointKind::Revolute { .. } | JointKind::Prismatic { .. } | JointKind::Helical { .. } => 1,
        JointKind::Universal { .. } | JointKind::Cylindrical { .. } => 2,
        JointKind::Spherical { .. } | JointKind::Planar { .. } => 3,
        JointKind::Free => 6,
        JointKind::Composite { sequence } => sequence.len(),
    }
}

/// The part of the link in which a number is not finite.
fn not_finite(link: &LinkDescription) -> Option<&'static str> {
    let bad = |numbers: &[Number]| numbers.iter().any(|number| !number.value.is_finite());
    let placement = match &link.placement {
        Placement::Origin { xyz, orientation: Orientation::Rpy(rpy) } => bad(xyz) || bad(rpy),
        Placement::Origin { xyz, orientation: Orientation::Quaternion(quaternion) } => bad(xyz) || bad(quaternion),
        Placement::Dh { parameters: p, .. } => bad(&[p.alpha, p.a, p.theta, p.d, p.gamma, p.b]),
    };
    let inertia = match &link.inertia {
        InertiaDescription::AboutCom(elements) | InertiaDescription::AboutOrigin(elements) => bad(elements),
        InertiaDescription::AboutComRotated { elements, rpy } => bad(elements) || bad(rpy),
    };
    let joint = match &link.joint.kind {
        JointKind::Fixed | JointKind::Free => false,
        JointKind::Revolute { axis, point }
        | JointKind::Planar { axis, point }
        | JointKind::Cylindrical { axis, point } => bad(axis) || bad(point),
        JointKind::Prismatic { axis } => bad(axis),
        JointKind::Helical { axis, point, pitch } => bad(axis) || bad(point) || bad(&[*pitch]),
        JointKind::Spherical { point } => bad(point),
        JointKind::Universal { axes, point } => bad(&axes[0]) || bad(&axes[1]) || bad(point),
        JointKind::Composite { sequence } => sequence.iter().any(|s| bad(&s.axis) || bad(&s.point) || bad(&[s.pitch])),
    };
    let limits = [link.joint.velocity, link.joint.effort];
    let limits = link.joint.limits.is_some_and(|limits| bad(&limits)) || limits.iter().flatten().any(|n| bad(&[*n]));
    let motor = link.motor.is_some_and(|motor| {
        bad(&[motor.inertia, motor.ratio, motor.damping, motor.viscous, motor.coulomb])
            || bad(&[motor.rotor_viscous, motor.rotor_coulomb])
            || motor.stiffness.is_some_and(|stiffness| bad(&[stiffness]))
    });
    let mimic = link.joint.mimic.as_ref().is_some_and(|mimic| bad(&[mimic.multiplier, mimic.offset]));
    [
        (bad(&[link.mass]), "mass"),
        (bad(&link.com), "com"),
        (placement, "placement"),
        (inertia, "inertia"),
        (joint, "joint"),
        (limits, "joint.limits"),
        (mimic, "joint.mimic"),
        (motor, "motor"),
    ]
    .into_iter()
    .find_map(|(is_bad, field)| is_bad.then_some(field))
}

fn is_zero(vector: &[Number]) -> bool {
    vector.iter().map(|number| number.value * number.value).sum::<f64>().sqrt() < 1e-12
}

fn check_axes(link: &LinkDescription, findings: &mut Findings) {
    let mut zero = |axis: &[Number; 3], field: &str, which: &str| {
        if is_zero(axis) {
            let message = format!("the {which} of joint `{}` is zero", link.joint.name);
            findings.add(joint_error(link, field, "zero-axis", message).hint("an axis is a direction, say [0, 0, 1]"));
        }
    };
    match &link.joint.kind {
        JointKind::Revolute { axis, .. }
        | JointKind::Prismatic { axis }
        | JointKind::Helical { axis, .. }
        | JointKind::Planar { axis, .. }
        | JointKind::Cylindrical { axis, .. } => zero(axis, "joint.axis", "axis"),
        JointKind::Universal { axes, .. } => {
            zero(&axes[0], "joint.axis", "first axis");
            zero(&axes[1], "joint.axis2", "second axis");
            if axes.iter().all(|axis| !is_zero(axis)) && are_parallel(&axes[0], &axes[1]) {
                let message = format!("the two axes of joint `{}` are parallel", link.joint.name);
                let finding = joint_error(link, "joint.axis", "axes-parallel", message);
                findings.add(finding.hint("a universal joint turns about two different axes; defaults are x and y"));
            }
        }
        JointKind::Composite { sequence } => {
            sequence.iter().for_each(|factor| zero(&factor.axis, "joint.sequence", "axis of a factor"));
            if sequence.len() > MAX_FACTORS {
                let message =
                    format!("the sequence of joint `{}` has more than {MAX_FACTORS} factors", link.joint.name);
                let finding = joint_error(link, "joint.sequence", "sequence-too-long", message);
                findings.add(finding.hint("six factors reach every motion; further ones belong to links of their own"));
            }
            if sequence.is_empty() {
                let message = format!("the sequence of joint `{}` is empty", link.joint.name);
                let finding = joint_error(link, "joint.sequence", "empty-sequence", message);
                findings.add(finding.hint("a joint that does not move is \"fixed\""));
            }
        }
        JointKind::Fixed | JointKind::Free | JointKind::Spherical { .. } => {}
    }
    let has_zero_pitch = match &link.joint.kind {
        JointKind::Helical { pitch, .. } => pitch.value == 0.0,
        JointKind::Composite { sequence } => {
            sequence.iter().any(|s| s.kind == ScrewKind::Helical && s.pitch.value == 0.0)
        }
        _ => false,
    };
    if has_zero_pitch {
        let message = format!("the pitch of the helical joint `{}` is zero", link.joint.name);
        let finding = joint_error(link, "joint.pitch", "zero-pitch", message);
        findings.add(to_warning(finding.hint("without travel it is \"revolute\"")));
    }
}

/// |a × b| against |a| |b|.
fn are_parallel(a: &[Number; 3], b: &[Number; 3]) -> bool {
    let vector = |v: &[Number; 3]| nalgebra::Vector3::new(v[0].value, v[1].value, v[2].value).normalize();
    vector(a).cross(&vector(b)).norm() < 1e-9
}

/// Standard DH moves the joint before it steps to the link: only motions about or along one axis fit.
fn check_dh(link: &LinkDescription, findings: &mut Findings) {
    let Placement::Dh { convention: DhConvention::Standard, .. } = link.placement else { return };
    if !matches!(degrees_of_freedom(&link.joint.kind), 0 | 1)
        && !matches!(link.joint.kind, JointKind::Cylindrical { .. })
    {
        let message = format!("the joint `{}` does not fit the standard DH convention", link.joint.name);
        let finding = joint_error(link, "joint", "dh-joint-type", message);
        findings.add(finding.hint("place the link by `origin`, or use a joint about or along one axis"));
    }
}

fn check_limits(link: &LinkDescription, findings: &mut Findings) {
    let joint = &link.joint;
    let name = &joint.name;
    let freedom = degrees_of_freedom(&joint.kind);
    if let Some([lower, upper]) = joint.limits {
        if freedom != 1 {
            let message = format!("the joint `{name}` has {freedom} degrees of freedom and takes no position limits");
            findings.add(joint_error(link, "joint.limits", "limits-not-applicable", message).hint("take `limits` out"));
        } else if lower.value > upper.value {
            let message = format!("the limits of joint `{name}` are reversed: {} > {}", lower.value, upper.value);
            findings.add(joint_error(link, "joint.limits", "limits-reversed", message).hint("lower first, then upper"));
        }
    } else if matches!(joint.kind, JointKind::Revolute { .. }) && !joint.continuous && joint.mimic.is_none() {
        let message = format!("the revolute joint `{name}` has no position limits");
        let finding = joint_error(link, "joint", "missing-limits", message);
        findings.add(to_warning(finding.hint("give limits, or make it \"continuous\"")));
    }
    for (value, field, what) in
        [(joint.velocity, "joint.velocity", "velocity limit"), (joint.effort, "joint.effort", "effort limit")]
    {
        if let Some(value) = value.filter(|value| value.value < 0.0) {
            let message = format!("the {what} of joint `{name}` is negative: {}", value.value);
            findings.add(joint_error(link, field, "negative-limit", message).hint("it bounds the magnitude"));
        }
    }
}

fn check_motor(link: &LinkDescription, findings: &mut Findings) {
    let Some(motor) = link.motor else { return };
    let name = &link.joint.name;
    if degrees_of_freedom(&link.joint.kind) == 0 {
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
    let freedom = degrees_of_freedom(&link.joint.kind);
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
