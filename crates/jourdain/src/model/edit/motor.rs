//! Motors and friction.

use super::{EditError, Edited, names};
use crate::model::description::{LinkDescription, MotorDescription};
use std::collections::HashSet;

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

/// Lets shafts turn with the joints that are left; one whose own joint no longer moves goes.
pub(super) fn keep_shafts(edited: &mut Edited) {
    let links = &edited.description.links;
    if links.iter().all(|link| link.shaft.is_none()) {
        return;
    }
    let moves = |link: &&LinkDescription| link.joint.kind.degrees_of_freedom() > 0;
    let moving: HashSet<String> =
        links.iter().filter(moves).flat_map(|link| [link.joint.name.clone(), link.name.clone()]).collect();
    for link in &mut edited.description.links {
        let goes = link.joint.kind.degrees_of_freedom() == 0;
        if let Some(shaft) = link.shaft.take_if(|_| goes) {
            let others: Vec<String> = shaft.with.into_iter().map(|(name, _)| name).collect();
            let (joint, others) = (&link.joint.name, names::listed(&others));
            edited.warnings.push(format!("the shaft of joint `{joint}` goes, and with it what it did to {others}"));
        }
        if let Some(shaft) = &mut link.shaft {
            shaft.with.retain(|(name, _)| moving.contains(name));
        }
    }
}

pub(super) fn take_friction(edited: &mut Edited) {
    let mut count = 0;
    for link in &mut edited.description.links {
        if let Some(shaft) = link.shaft.as_mut() {
            count += usize::from(shaft.motor.rubs() && !link.motor.is_some_and(|motor| motor.rubs()));
            shaft.motor = shaft.motor.without_friction();
        }
        let Some(motor) = &mut link.motor else { continue };
        count += usize::from(motor.rubs());
        *motor = motor.without_friction();
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
