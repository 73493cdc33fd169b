//! Motors and friction.

use super::{EditError, Edited, names};
use crate::model::description::MotorDescription;
use crate::model::number::Number;

pub(super) fn replace(edited: &mut Edited, joint: &str, motor: &MotorDescription) -> Result<(), EditError> {
    let at = names::joint(&edited.description, joint)?;
    let link = &mut edited.description.links[at];
    link.motor = Some(*motor).filter(|motor| !motor.is_idle());
    let name = link.joint.name.clone();
    edited.say(format!("another motor on joint `{name}`"));
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
