//! A base that floats, and one that does not.
//!
//! What floats is the frame of the ground: its pose is `q`, whichever links stand on it and wherever they do.

use super::{Edited, names, placing};
use crate::model::description::{GROUND, JointKind, LinkDescription, Placement};
use crate::spatial::Pose;

/// What the link is called that stands in for the ground.
const BASE: &str = "floating_base";

pub(super) fn float(edited: &mut Edited) {
    let robot = &mut edited.description;
    let on_ground = |link: &LinkDescription| link.parent == GROUND;
    let held: Vec<usize> = (0..robot.links.len())
        .filter(|&link| on_ground(&robot.links[link]) && robot.links[link].joint.kind != JointKind::Free)
        .collect();
    match held[..] {
        [] => edited.say("the base floats already"),
        [only] if is_ground(&robot.links[only]) => {
            let link = &mut robot.links[only];
            link.joint.kind = JointKind::Free;
            let what = format!("link `{}` floats", link.name);
            edited.say(what);
        }
        [first, ..] => {
            let base = names::free(&names::taken(robot), BASE);
            for &link in &held {
                robot.links[link].parent.clone_from(&base);
            }
            let mut link = LinkDescription::new(&base, GROUND);
            link.joint.kind = JointKind::Free;
            robot.links.insert(first, link);
            edited.say(format!("a link `{base}` without mass floats in place of the ground"));
        }
    }
}

/// True for a link whose frame is the ground's.
fn is_ground(link: &LinkDescription) -> bool {
    let pose = Pose::from(placing::frame(link));
    link.joint.kind == JointKind::Fixed
        && pose == Pose::identity()
        && matches!(link.placement, Placement::Origin { .. })
}

pub(super) fn fix(edited: &mut Edited) {
    let robot = &mut edited.description;
    let floats = |link: &LinkDescription| link.parent == GROUND && link.joint.kind == JointKind::Free;
    let (mut fixed, mut joints) = (Vec::new(), Vec::new());
    for link in robot.links.iter_mut().filter(|link| floats(link)) {
        placing::weld(link);
        fixed.push(link.name.clone());
        joints.push(link.joint.name.clone());
    }
    names::forget(robot, &joints);
    match &fixed[..] {
        [] => edited.say("the base is fixed already"),
        [only] => edited.say(format!("link `{only}` fixed to the ground")),
        several => edited.say(format!("links {} fixed to the ground", names::listed(several))),
    }
}
