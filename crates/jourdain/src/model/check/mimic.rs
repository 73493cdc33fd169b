//! Coupled joints: one leads, one follows, both have one degree of freedom.

use super::super::description::Description;
use super::joints::degrees_of_freedom;
use super::{Findings, joint_error};
use std::collections::HashMap;

/// Finds the leader of a coupling: a joint of that name, or else the joint of a link of that name.
pub(super) struct Leaders<'a>(HashMap<&'a str, usize>);

impl<'a> Leaders<'a> {
    pub fn new(description: &'a Description) -> Self {
        let links = || description.links.iter().enumerate();
        let by_link = links().map(|(number, link)| (link.name.as_str(), number));
        // Joint names come last and win.
        Self(by_link.chain(links().map(|(number, link)| (link.joint.name.as_str(), number))).collect())
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}

pub(super) fn check(description: &Description, findings: &mut Findings) {
    if description.links.iter().all(|link| link.joint.mimic.is_none()) {
        return;
    }
    let leaders = Leaders::new(description);
    for (number, link) in description.links.iter().enumerate() {
        let Some(mimic) = &link.joint.mimic else { continue };
        let name = &link.joint.name;
        let error = |code, message| joint_error(link, "joint.mimic", code, message);
        if degrees_of_freedom(&link.joint.kind) != 1 {
            let message = format!("the joint `{name}` follows another, but has not one degree of freedom");
            findings.add(error("mimic-multi-dof", message).hint("only joints of one degree of freedom can be coupled"));
        }
        let Some(leader) = leaders.find(&mimic.joint) else {
            let message = format!("the joint `{name}` follows `{}`, which is no joint", mimic.joint);
            findings.add(error("mimic-unknown", message).hint("name a joint of the file"));
            continue;
        };
        let leading = &description.links[leader].joint;
        if leader == number {
            findings.add(error("mimic-self", format!("the joint `{name}` follows itself")));
        } else if leading.mimic.is_some() {
            let message = format!("the joint `{name}` follows `{}`, which follows another", leading.name);
            findings.add(error("mimic-chain", message).hint("follow the joint that leads both"));
        } else if degrees_of_freedom(&leading.kind) != 1 {
            let message = format!("the joint `{name}` follows `{}`, which has not one degree of freedom", leading.name);
            findings.add(error("mimic-multi-dof", message).hint("only joints of one degree of freedom can be coupled"));
        }
    }
}
