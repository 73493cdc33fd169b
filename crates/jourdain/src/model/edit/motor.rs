//! Motors and friction.

use super::{EditError, Edited, names};
use crate::model::description::MotorDescription;
use crate::model::number::Number;

pub(super) fn replace(edited: &mut Edited, motors: &[(String, MotorDescription)]) -> Result<(), EditError> {
    let mut joints = Vec::new();
    for (joint, motor) in motors {
        let at = names::joint(&edited.description, joint)?;
        let link = &mut edited.description.links[at];
        link.motor = Some(*motor).filter(|motor| !motor.is_idle());
        joints.push(link.joint.name.clone());
    }
    edited.say(match &joints[..] {
        [] => "no other motors".to_owned(),
        [only] => format!("another motor on joint `{only}`"),
        several => format!("other motors on joints {}", names::listed(several)),
    });
    Ok(())
}

pub(super) fn take_friction(edited: &mut Edited) {
    let mut count = 0;
    for link in &mut edited.description.links {
        let Some(motor) = &mut link.motor else { continue };
        let friction = [&mut motor.viscous, &mut motor.coulomb, &mut motor.rotor_viscous, &mut motor.rotor_coulomb];
        count += usize::from(friction.iter().any(|term| term.value != 0.0));
        for term in friction {
            *term = Number::ZERO;
        }
        if motor.is_idle() {
            link.motor = None;
        }
    }
    edited.say(match count {
        0 => "no friction, and there was none".to_owned(),
        1 => "no friction at 1 joint".to_owned(),
        _ => format!("no friction at {count} joints"),
    });
}
