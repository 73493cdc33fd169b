//! Names, parents and loops.

use super::super::Diagnostic;
use super::super::description::{Description, GROUND, JointKind};
use super::super::lowered::Tree;
use super::{Findings, link_error, to_warning};
use std::collections::HashSet;

/// Reports what is wrong with names and parents; the tree if nothing is.
pub(super) fn check(description: &Description, findings: &mut Findings) -> Option<Tree> {
    let links = &description.links;
    if links.is_empty() {
        findings.add(Diagnostic::error("no-links", "the robot has no links").hint("add a [[link]]"));
        return None;
    }
    let before = findings.list.len();
    check_names(description, findings);

    let tree = Tree::new(description);
    for (link, parent) in links.iter().zip(&tree.parent) {
        if parent.is_none() && link.parent != GROUND {
            let message = format!("the parent of link `{}` is `{}`, which is no link", link.name, link.parent);
            let hint = format!("name a link of the file, or \"{GROUND}\" for the ground");
            findings.add(link_error(link, "parent", "unknown-parent", message).hint(hint));
        }
    }
    for &start in &tree.loops {
        let link = &links[start];
        let message = if tree.parent[start] == Some(start) {
            format!("the link `{}` is its own parent", link.name)
        } else {
            format!("the link `{}` is among its own ancestors", link.name)
        };
        findings.add(link_error(link, "parent", "loop", message).hint("a robot is a tree: cut the loop at one joint"));
    }
    if tree.loops.is_empty() {
        for (link, later) in links.iter().zip(&tree.parent).enumerate().filter_map(|(number, (link, parent))| {
            parent.filter(|parent| *parent > number).map(|parent| (link, &links[parent]))
        }) {
            let message = format!("the link `{}` stands before its parent `{}`", link.name, later.name);
            let finding = link_error(link, "parent", "parent-after-child", message);
            findings.add(to_warning(finding.hint("q follows the order parent first: put the parent before the link")));
        }
    }
    let sound = !findings.list[before..].iter().any(Diagnostic::is_error);
    if sound && links.iter().all(|link| link.joint.kind == JointKind::Fixed) {
        let message = "no joint of the robot moves";
        findings.add(
            Diagnostic::warning("no-moving-joint", message)
                .at(links[0].location)
                .hint("give a link joint = { type = \"revolute\" }"),
        );
    }
    sound.then_some(tree)
}

fn check_names(description: &Description, findings: &mut Findings) {
    let (mut links, mut joints) = (HashSet::new(), HashSet::new());
    for link in &description.links {
        if link.name.is_empty() {
            findings.add(link_error(link, "name", "empty-name", "a link has an empty name".to_owned()));
        } else if link.name == GROUND {
            let message = format!("a link is called \"{GROUND}\", which is the ground");
            findings.add(link_error(link, "name", "reserved-name", message).hint("call it otherwise, say \"trunk\""));
        }
        if !links.insert(link.name.as_str()) && !link.name.is_empty() {
            let message = format!("two links are called `{}`", link.name);
            findings.add(link_error(link, "name", "duplicate-link", message).hint("names must be unique"));
        } else if link.joint.name.is_empty() && !link.name.is_empty() {
            let finding = super::joint_error(link, "joint.name", "empty-name", "a joint has an empty name".to_owned());
            findings.add(finding);
        } else if !joints.insert(link.joint.name.as_str()) {
            let message = format!("two joints are called `{}`", link.joint.name);
            let finding = super::joint_error(link, "joint.name", "duplicate-joint", message);
            findings.add(finding.hint("names must be unique; a joint without a name has that of its link"));
        }
    }
}
