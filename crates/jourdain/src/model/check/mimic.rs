//! Coupled joints: one leads, one follows, both have one degree of freedom. A joint may follow one that follows another, as
//! long as one of them leads in the end.

use super::super::description::Description;
use super::super::lowered::leaders;
use super::{Findings, joint_error};
use std::collections::HashMap;

pub(super) fn check(description: &Description, findings: &mut Findings) {
    let leaders = leaders(description);
    for (number, link) in description.links.iter().enumerate() {
        let Some(mimic) = &link.joint.mimic else { continue };
        let name = &link.joint.name;
        let error = |code, message| joint_error(link, "joint.mimic", code, message);
        if link.joint.kind.degrees_of_freedom() != 1 {
            let message = format!("the joint `{name}` follows another, but has not one degree of freedom");
            findings.add(error("mimic-multi-dof", message).hint("only joints of one degree of freedom can be coupled"));
        }
        let Some(leader) = leaders.get(mimic.joint.as_str()).copied() else {
            let message = format!("the joint `{name}` follows `{}`, which is no joint", mimic.joint);
            findings.add(error("mimic-unknown", message).hint("name a joint of the file"));
            continue;
        };
        let leading = &description.links[leader].joint;
        if leader == number {
            findings.add(error("mimic-self", format!("the joint `{name}` follows itself")));
        } else if leads_nowhere(description, &leaders, leader) {
            let message = format!("the joint `{name}` follows `{}`, and no joint leads them", leading.name);
            findings.add(error("mimic-loop", message).hint("let one of the joints follow no other"));
        } else if leading.kind.degrees_of_freedom() != 1 {
            let message = format!("the joint `{name}` follows `{}`, which has not one degree of freedom", leading.name);
            findings.add(error("mimic-multi-dof", message).hint("only joints of one degree of freedom can be coupled"));
        }
    }
}

/// True if following on from a joint never ends: it does with one that leads, and with one that is unknown.
fn leads_nowhere(description: &Description, leaders: &HashMap<&str, usize>, start: usize) -> bool {
    let next = |link: &usize| leaders.get(description.links[*link].joint.mimic.as_ref()?.joint.as_str()).copied();
    std::iter::successors(Some(start), next).nth(description.links.len()).is_some()
}
