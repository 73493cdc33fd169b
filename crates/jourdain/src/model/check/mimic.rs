//! Coupled joints: one leads, one follows, both have one degree of freedom.

use super::super::description::Description;
use super::super::lowered::leaders;
use super::{Findings, joint_error};

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
        } else if leading.mimic.is_some() {
            let message = format!("the joint `{name}` follows `{}`, which follows another", leading.name);
            findings.add(error("mimic-chain", message).hint("follow the joint that leads both"));
        } else if leading.kind.degrees_of_freedom() != 1 {
            let message = format!("the joint `{name}` follows `{}`, which has not one degree of freedom", leading.name);
            findings.add(error("mimic-multi-dof", message).hint("only joints of one degree of freedom can be coupled"));
        }
    }
}
