//! Names, parents and loops.

use super::super::Diagnostic;
use super::super::description::{Description, GROUND};
use super::{Findings, link_error, to_warning};
use std::collections::HashMap;

/// The tree by indices.
pub(super) struct Tree {
    /// The parent of each link, `None` for the ground.
    pub parent: Vec<Option<usize>>,
    /// All links, parents before children.
    pub order: Vec<usize>,
}

/// Reports what is wrong with names and parents; the tree if nothing is.
pub(super) fn check(description: &Description, findings: &mut Findings) -> Option<Tree> {
    let links = &description.links;
    if links.is_empty() {
        findings.add(Diagnostic::error("no-links", "the robot has no links").hint("add a [[link]]"));
        return None;
    }
    let before = findings.list.len();
    check_names(description, findings);

    let index = index(description);
    let mut parent = Vec::with_capacity(links.len());
    for link in links {
        let found = index.get(link.parent.as_str()).copied();
        if found.is_none() && link.parent != GROUND {
            let message = format!("the parent of link `{}` is `{}`, which is no link", link.name, link.parent);
            let hint = format!("name a link of the file, or \"{GROUND}\" for the ground");
            findings.add(link_error(link, "parent", "unknown-parent", message).hint(hint));
        }
        parent.push(found);
    }
    let (order, loops) = parents_first(&parent);
    let loops_are_absent = loops.is_empty();
    for start in loops {
        let link = &links[start];
        let message = if parent[start] == Some(start) {
            format!("the link `{}` is its own parent", link.name)
        } else {
            format!("the link `{}` is among its own ancestors", link.name)
        };
        findings.add(link_error(link, "parent", "loop", message).hint("a robot is a tree: cut the loop at one joint"));
    }
    if loops_are_absent {
        for (link, later) in links.iter().zip(&parent).enumerate().filter_map(|(number, (link, parent))| {
            parent.filter(|parent| *parent > number).map(|parent| (link, &links[parent]))
        }) {
            let message = format!("the link `{}` stands before its parent `{}`", link.name, later.name);
            let finding = link_error(link, "parent", "parent-after-child", message);
            findings.add(to_warning(finding.hint("q follows the order parent first: put the parent before the link")));
        }
    }
    let sound = !findings.list[before..].iter().any(Diagnostic::is_error);
    if sound && links.iter().all(|link| link.joint.kind == super::super::description::JointKind::Fixed) {
        let message = "no joint of the robot moves";
        findings.add(
            Diagnostic::warning("no-moving-joint", message)
                .at(links[0].location)
                .hint("give a link joint = { type = \"revolute\" }"),
        );
    }
    sound.then_some(Tree { parent, order })
}

fn check_names(description: &Description, findings: &mut Findings) {
    let (mut links, mut joints) = (HashMap::new(), HashMap::new());
    for link in &description.links {
        if link.name.is_empty() {
            findings.add(link_error(link, "name", "empty-name", "a link has an empty name".to_owned()));
        } else if link.name == GROUND {
            let message = format!("a link is called \"{GROUND}\", which is the ground");
            findings.add(link_error(link, "name", "reserved-name", message).hint("call it otherwise, say \"trunk\""));
        }
        if links.insert(link.name.as_str(), ()).is_some() && !link.name.is_empty() {
            let message = format!("two links are called `{}`", link.name);
            findings.add(link_error(link, "name", "duplicate-link", message).hint("names must be unique"));
        } else if link.joint.name.is_empty() && !link.name.is_empty() {
            let finding = super::joint_error(link, "joint.name", "empty-name", "a joint has an empty name".to_owned());
            findings.add(finding);
        } else if joints.insert(link.joint.name.as_str(), ()).is_some() {
            let message = format!("two joints are called `{}`", link.joint.name);
            let finding = super::joint_error(link, "joint.name", "duplicate-joint", message);
            findings.add(finding.hint("names must be unique; a joint without a name has that of its link"));
        }
    }
}

/// The first link of each name.
fn index(description: &Description) -> HashMap<&str, usize> {
    let mut index = HashMap::with_capacity(description.links.len());
    for (number, link) in description.links.iter().enumerate() {
        if link.name != GROUND {
            index.entry(link.name.as_str()).or_insert(number);
        }
    }
    index
}

/// All links in the order given, but with ancestors pulled before whoever needs them; and a link of each loop.
fn parents_first(parent: &[Option<usize>]) -> (Vec<usize>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Waiting,
        OnPath,
        Placed,
    }
    let mut state = vec![State::Waiting; parent.len()];
    let (mut order, mut loops, mut path) = (Vec::with_capacity(parent.len()), Vec::new(), Vec::new());
    for start in 0..parent.len() {
        let mut link = Some(start);
        while let Some(current) = link.filter(|current| state[*current] == State::Waiting) {
            state[current] = State::OnPath;
            path.push(current);
            link = parent[current];
        }
        if let Some(current) = link.filter(|current| state[*current] == State::OnPath) {
            loops.push(current);
        }
        while let Some(current) = path.pop() {
            state[current] = State::Placed;
            order.push(current);
        }
    }
    (order, loops)
}

/// Puts parents before their children and leaves the order as it is otherwise.
///
/// A description with loops or unknown parents, which the check refuses, is left alone.
pub fn sort_parents_first(description: &mut Description) {
    let index = index(description);
    let parent: Vec<Option<usize>> =
        description.links.iter().map(|link| index.get(link.parent.as_str()).copied()).collect();
    let (order, loops) = parents_first(&parent);
    if loops.is_empty() && order.iter().enumerate().any(|(place, link)| place != *link) {
        let mut slots: Vec<_> = std::mem::take(&mut description.links).into_iter().map(Some).collect();
        description.links = order.into_iter().filter_map(|link| slots[link].take()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_pulled_forward_and_the_rest_keeps_its_order() {
        // 0 hangs on 3, 3 on 2; 1 and 4 on the ground.
        let parent = [Some(3), None, None, Some(2), None];
        assert_eq!(parents_first(&parent), (vec![2, 3, 0, 1, 4], vec![]));
    }

    #[test]
    fn every_loop_is_found_once_and_a_long_chain_does_not_recurse() {
        assert_eq!(parents_first(&[Some(1), Some(0), Some(2), Some(0)]).1, vec![0, 2]);
        let chain: Vec<Option<usize>> = (0..100_000).map(|link| (link < 99_999).then_some(link + 1)).collect();
        let (order, loops) = parents_first(&chain);
        assert!(loops.is_empty() && order.first() == Some(&99_999));
    }
}
