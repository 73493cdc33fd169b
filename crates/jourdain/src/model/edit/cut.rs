//! Parts of a robot: the chains to some links, or all but a subtree.
//!
//! Trap: a joint may follow one that is cut off. If the joint that leads both is still there, it follows that one;
//! otherwise it becomes a joint of its own, with a warning, because then `q` has a number more than one would think.

use super::{EditError, Edited, names};
use crate::model::description::{Description, MimicDescription};
use crate::model::lowered::{Tree, couplings};

pub(super) fn only(edited: &mut Edited, ends: &[String]) -> Result<(), EditError> {
    let robot = &edited.description;
    let tree = Tree::new(robot);
    let mut kept = vec![false; robot.links.len()];
    for end in ends {
        let mut link = Some(names::link(robot, end)?);
        while let Some(current) = link.filter(|&current| !kept[current]) {
            kept[current] = true;
            link = tree.parent[current];
        }
    }
    let chains = if ends.len() == 1 { "the chain to" } else { "the chains to" };
    keep(edited, &kept, format!("only {chains} {}", names::listed(ends)))
}

pub(super) fn without(edited: &mut Edited, name: &str) -> Result<(), EditError> {
    let robot = &edited.description;
    let start = names::link(robot, name)?;
    let tree = Tree::new(robot);
    let mut kept = vec![true; robot.links.len()];
    kept[start] = false;
    for &link in &tree.order {
        kept[link] &= tree.parent[link].is_none_or(|parent| kept[parent]);
    }
    keep(edited, &kept, format!("without `{name}`"))
}

/// Takes all other links away, and says `what` was done with how many went.
fn keep(edited: &mut Edited, kept: &[bool], what: String) -> Result<(), EditError> {
    if kept.iter().all(|kept| !kept) {
        return Err(EditError::NothingLeft);
    }
    let gone = kept.iter().filter(|kept| !**kept).count();
    let robot = &mut edited.description;
    let orphans = follow_who_is_left(robot, kept);
    let mut kept = kept.iter().copied();
    let mut lost = Vec::new();
    robot.links.retain(|link| {
        let stays = kept.next().unwrap_or(true);
        if !stays {
            lost.push(link.joint.name.clone());
        }
        stays
    });
    names::forget(robot, &lost);
    let links = if gone == 1 { "1 link less".to_owned() } else { format!("{gone} links less") };
    edited.say(format!("{what}: {links}"));
    for (joint, leader) in orphans {
        edited.warn(format!("the joint `{joint}` followed `{leader}`, which is gone, and now moves by itself"));
    }
    Ok(())
}

/// Lets joints follow leaders that are left; gives those whose leader is gone, with its name.
fn follow_who_is_left(robot: &mut Description, kept: &[bool]) -> Vec<(String, String)> {
    let couplings = couplings(robot);
    let mut orphans = Vec::new();
    for (link, coupling) in couplings.into_iter().enumerate().filter(|(link, _)| kept[*link]) {
        let Some(coupling) = coupling else { continue };
        let leader = robot.links[coupling.leader].joint.name.clone();
        let joint = robot.links[link].joint.name.clone();
        if kept[coupling.leader] {
            let (multiplier, offset) = (coupling.multiplier, coupling.offset);
            robot.links[link].joint.mimic = Some(MimicDescription { joint: leader, multiplier, offset });
            continue;
        }
        for state in &mut robot.states {
            let leading = state.positions.iter().find(|(name, _)| *name == leader);
            let leading = leading.and_then(|(_, position)| position.first().copied()).unwrap_or(0.0);
            state.positions.push((joint.clone(), vec![coupling.multiplier.value * leading + coupling.offset.value]));
        }
        robot.links[link].joint.mimic = None;
        orphans.push((joint, leader));
    }
    orphans
}
