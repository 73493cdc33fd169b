//! Numbers that can be computed with: finite, and not so large that a product of them is infinite.
//!
//! A mass matrix has products of a mass and two lengths, its partial derivatives and the Coriolis terms more of both. With
//! every number below 10³⁰ eight of them can be multiplied and what the state brings has room. Directions and quaternions are
//! scaled to unit length first, limits only compared: those need to be finite and no more. Trap: a test has to fail for
//! what is no number, so that it asks whether a magnitude is *within* the bound, never whether it is beyond.

use super::super::description::{Description, InertiaDescription, LinkDescription, Orientation, Placement};
use super::super::joint::Given;
use super::super::{Diagnostic, Number};
use super::{Findings, link_error};

/// The largest mass, length, moment, stiffness … of a robot, in the units of its file.
pub(super) const MOST: f64 = 1e30;

/// What is wrong with a number.
#[derive(Clone, Copy, PartialEq)]
enum Flaw {
    NotFinite,
    TooLarge,
}

fn flaw(number: Number, most: f64) -> Option<Flaw> {
    let magnitude = number.value.abs();
    if magnitude <= most {
        None
    } else if magnitude < f64::INFINITY {
        Some(Flaw::TooLarge)
    } else {
        Some(Flaw::NotFinite)
    }
}

/// Reports the first number of a link that cannot be computed with; false if there is one.
pub(super) fn check(link: &LinkDescription, findings: &mut Findings) -> bool {
    let mut found: Option<(&'static str, Number, Flaw)> = None;
    visit(link, &mut |field, numbers, most| {
        if found.is_none() {
            found = numbers.iter().find_map(|&number| Some((field, number, flaw(number, most)?)));
        }
    });
    let Some((field, number, flaw)) = found else { return true };
    findings.add(match flaw {
        Flaw::NotFinite => {
            let message = format!("a number of link `{}` is not finite", link.name);
            link_error(link, field, "not-finite", message)
        }
        Flaw::TooLarge => {
            let message =
                format!("a number of link `{}` is too large: {:e} in its {}", link.name, number.value, part(field));
            link_error(link, field, "number-too-large", message).hint(hint())
        }
    });
    false
}

/// The same for gravity.
pub(super) fn check_gravity(description: &Description, findings: &mut Findings) {
    for &component in &description.gravity {
        match flaw(component, MOST) {
            None => {}
            Some(Flaw::NotFinite) => return findings.add(Diagnostic::error("not-finite", "gravity is not finite")),
            Some(Flaw::TooLarge) => {
                let message = format!("gravity is too large: {:e}", component.value);
                return findings.add(Diagnostic::error("number-too-large", message).hint(hint()));
            }
        }
    }
}

fn hint() -> String {
    format!("at most {MOST:e}, in kg, m, s and rad")
}

/// A field of a link as a word.
fn part(field: &'static str) -> &'static str {
    field.strip_prefix("joint.").unwrap_or(field)
}

/// All numbers of a link, with the field they belong to and how large they may be.
fn visit(link: &LinkDescription, see: &mut impl FnMut(&'static str, &[Number], f64)) {
    see("mass", &[link.mass], MOST);
    see("com", &link.com, MOST);
    match &link.placement {
        Placement::Origin { xyz, orientation } => {
            see("placement", xyz, MOST);
            match orientation {
                Orientation::Rpy(rpy) => see("placement", rpy, MOST),
                Orientation::Quaternion(quaternion) => see("placement", quaternion, f64::MAX),
            }
        }
        Placement::Dh { parameters: p, .. } => see("placement", &[p.alpha, p.a, p.theta, p.d, p.gamma, p.b], MOST),
    }
    match &link.inertia {
        InertiaDescription::AboutCom(elements) | InertiaDescription::AboutOrigin(elements) => {
            see("inertia", elements, MOST);
        }
        InertiaDescription::AboutComRotated { elements, rpy } => {
            see("inertia", elements, MOST);
            see("inertia", rpy, MOST);
        }
    }
    link.joint.kind.visit(&mut |_, part| {
        let most = if matches!(part, Given::Axis(_)) { f64::MAX } else { MOST };
        see("joint", part.numbers(), most);
    });
    for limit in [link.joint.velocity, link.joint.effort].into_iter().flatten() {
        see("joint.limits", &[limit], f64::MAX);
    }
    if let Some(limits) = &link.joint.limits {
        see("joint.limits", limits, f64::MAX);
    }
    if let Some(mimic) = &link.joint.mimic {
        see("joint.mimic", &[mimic.multiplier, mimic.offset], MOST);
    }
    if let Some(balance) = &link.balance {
        see("balance", &balance.numbers(), MOST);
    }
    let shaft = link.shaft.as_ref().map(|shaft| &shaft.motor);
    for motor in link.motor.iter().chain(shaft) {
        see("motor", &[motor.inertia, motor.ratio, motor.damping, motor.viscous, motor.coulomb], MOST);
        see("motor", &[motor.rotor_viscous, motor.rotor_coulomb], MOST);
        if let Some(stiffness) = motor.stiffness {
            see("motor", &[stiffness], MOST);
        }
        let more = [motor.root, motor.stribeck, motor.offset].into_iter().flatten();
        let more: Vec<Number> = more.chain([motor.stribeck_speed, motor.load]).collect();
        see("motor", &more, MOST);
        for element in motor.hysteresis.elements() {
            see("motor", &[element.length, element.strength].map(Number::from), MOST);
        }
        if let Some(axis) = &motor.axis {
            see("motor", axis, f64::MAX);
        }
    }
}
