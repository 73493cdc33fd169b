//! Motors that turn with several joints: each joint has one number of its own, and all are on one chain.
//!
//! The mass matrix of a tree has elements only for joints that carry one another, and its factor no others: a shaft between two arms
//! would have some.

use super::super::description::{Description, LinkDescription};
use super::super::lowered::leaders;
use super::{Findings, drive, joint_error};
use std::collections::HashMap;

pub(super) fn check(description: &Description, findings: &mut Findings) {
    if description.links.iter().all(|link| link.shaft.is_none()) {
        return;
    }
    let leaders = leaders(description);
    let parents: HashMap<&str, &str> =
        description.links.iter().map(|link| (link.name.as_str(), link.parent.as_str())).collect();
    let elastic = description.links.iter().find(|link| link.motor.is_some_and(|motor| motor.stiffness.is_some()));
    for link in &description.links {
        let Some(shaft) = &link.shaft else { continue };
        let name = &link.joint.name;
        let error = |message: String| joint_error(link, "shaft", "shaft", message);
        if let Some(elastic) = elastic {
            let message = format!(
                "the shaft of joint `{name}` turns with several joints, in a robot with a spring at `{}`",
                elastic.joint.name
            );
            findings.add(
                error(message).hint("robots with elastic joints have motors of single joints: take one of the two out"),
            );
        }
        if !is_single(link) {
            let message = format!("the joint `{name}` has a shaft, but no one number of its own");
            findings.add(
                error(message).hint("shafts turn with revolute, prismatic and helical joints that follow no other"),
            );
        }
        let mut turned = vec![link];
        for (other, factor) in &shaft.with {
            let Some(found) = leaders.get(other.as_str()).map(|&at| &description.links[at]) else {
                let message = format!("the shaft of joint `{name}` turns with `{other}`, which is no joint");
                findings.add(error(message).hint("name joints of the file: with = { wrist = 1 }"));
                continue;
            };
            if turned.iter().any(|known| known.name == found.name) {
                let message = format!("the shaft of joint `{name}` turns with `{other}` twice");
                findings.add(error(message).hint("its own joint counts already, with the factor 1"));
            } else if !is_single(found) {
                let message =
                    format!("the shaft of joint `{name}` turns with `{other}`, which has no one number of its own");
                findings.add(
                    error(message).hint("shafts turn with revolute, prismatic and helical joints that follow no other"),
                );
            } else if !turned.iter().all(|known| carries(&parents, known, found) || carries(&parents, found, known)) {
                let message = format!("the shaft of joint `{name}` turns with `{other}`, which is on another branch");
                findings.add(error(message).hint("the joints of a shaft carry one another"));
            }
            if !(factor.value.abs() > 1e-12 && factor.value.abs() < 1e12) {
                let message = format!("the shaft of joint `{name}` turns {} times with `{other}`", factor.value);
                findings.add(error(message).hint("turns per turn of that joint; leave it out if there are none"));
            }
            turned.push(found);
        }
        drive::check_shaft(link, &shaft.motor, findings);
    }
}

fn is_single(link: &LinkDescription) -> bool {
    link.joint.kind.degrees_of_freedom() == 1 && link.joint.mimic.is_none()
}

/// True if a link is between the ground and another.
fn carries(parents: &HashMap<&str, &str>, link: &LinkDescription, other: &LinkDescription) -> bool {
    let chain = std::iter::successors(Some(other.name.as_str()), |name| parents.get(name).copied());
    chain.take(parents.len() + 1).any(|name| name == link.name)
}
