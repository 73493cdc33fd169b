//! `<mimic>` as files have it: also on joints that do not move, and of joints that a part of a robot left behind.
//!
//! Such a coupling says nothing about this robot. A joint that does not move stays where it is, and one whose leader is missing or
//! does not move is a joint of its own; both are told.

use super::super::native::shorten;
use super::super::report::Report;
use crate::model::Diagnostic;
use crate::model::description::{Description, JointKind};
use crate::model::lowered::leaders;

/// Takes out the couplings that mean nothing.
pub(super) fn settle(robot: &mut Description, report: &mut Report) {
    if report.names_are_incomplete {
        return;
    }
    let known = leaders(robot);
    let moves = |leader: &str| known.get(leader).map(|&link| robot.links[link].joint.kind != JointKind::Fixed);
    let idle: Vec<(usize, Diagnostic)> = robot
        .links
        .iter()
        .enumerate()
        .filter_map(|(number, link)| {
            let leader = &link.joint.mimic.as_ref()?.joint;
            let (name, leading) = (shorten(&link.joint.name), shorten(leader));
            let finding = if link.joint.kind == JointKind::Fixed {
                let message = format!("the joint `{name}` is fixed: that it follows `{leading}` is ignored");
                Diagnostic::warning("mimic-fixed", message)
                    .hint("take <mimic> out, or give the joint a type that moves")
            } else {
                let why = match moves(leader) {
                    Some(true) => return None,
                    Some(false) => "does not move",
                    None => "is no joint",
                };
                let message = format!("the joint `{name}` follows `{leading}`, which {why}: it is a joint of its own");
                Diagnostic::warning("mimic-unknown", message).hint("name a joint of the file, or take <mimic> out")
            };
            let place = link.places.get("joint.mimic").or(link.joint.location);
            Some((number, finding.link(&link.name).joint(&link.joint.name).at(place)))
        })
        .collect();
    for (number, finding) in idle {
        robot.links[number].joint.mimic = None;
        report.push(finding);
    }
}
