//! A robot mounted on a link of another: a gripper on a flange, an arm on a vehicle.
//!
//! Trap: two robots may use the same names, and every built-in arm ends in a link called `tool`. A name that is taken gets
//! the mounted robot's name in front; what refers to it follows.

use super::{EditError, Edited, names, placing};
use crate::model::description::{Description, DhConvention, GROUND, JointKind, MimicDescription, Placement};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The link that a tool goes on unless the caller says otherwise.
const TOOL: &str = "tool";

pub(super) fn mount(edited: &mut Edited, tool: &Description, link: Option<&str>) -> Result<(), EditError> {
    let robot = &mut edited.description;
    let carrier = match link {
        Some(name) => robot.links[names::link(robot, name)?].name.clone(),
        None => end(robot)?,
    };
    let mut tool = tool.clone();
    let mut welded = Vec::new();
    for link in tool.links.iter_mut().filter(|link| link.parent == GROUND && link.joint.kind == JointKind::Free) {
        placing::weld(link);
        welded.push(link.name.clone());
    }
    // A file has one Denavit–Hartenberg convention.
    if let (Some(ours), Some(theirs)) = (convention(robot), convention(&tool))
        && ours != theirs
    {
        tool.links.iter_mut().for_each(placing::by_origin);
    }
    let renamed = rename(robot, &mut tool);
    for link in tool.links.iter_mut().filter(|link| link.parent == GROUND) {
        link.parent.clone_from(&carrier);
    }
    // Places in the tool's file are none in the robot's.
    let tool = tool.without_locations();
    let count = tool.links.len();
    robot.links.extend(tool.links);
    robot.allow_unphysical |= tool.allow_unphysical;

    let links = if count == 1 { "1 link".to_owned() } else { format!("{count} links") };
    let mut done = format!("`{}` mounted on `{carrier}`, {links}", tool.name);
    if !renamed.is_empty() {
        done.push_str(&format!("; of its names {} got `{}_` in front", names::listed(&renamed), tool.name));
    }
    edited.say(done);
    if !welded.is_empty() {
        edited.warn(format!("of the tool, {} floated and is welded to `{carrier}`", names::listed(&welded)));
    }
    if !tool.states.is_empty() {
        let states: Vec<String> = tool.states.iter().map(|state| state.name.clone()).collect();
        edited.warn(format!(
            "the named states {} of the tool are those of another robot and left out",
            names::listed(&states)
        ));
    }
    Ok(())
}

fn convention(robot: &Description) -> Option<DhConvention> {
    robot.links.iter().find_map(|link| match link.placement {
        Placement::Dh { convention, .. } => Some(convention),
        Placement::Origin { .. } => None,
    })
}

/// The link called `tool`, or else the one that carries none.
fn end(robot: &Description) -> Result<String, EditError> {
    if robot.links.iter().any(|link| link.name == TOOL) {
        return Ok(TOOL.to_owned());
    }
    let carriers: HashSet<&str> = robot.links.iter().map(|link| link.parent.as_str()).collect();
    let ends = robot.links.iter().map(|link| &link.name).filter(|name| !carriers.contains(name.as_str()));
    let mut ends: Vec<String> = ends.cloned().collect();
    match ends.len() {
        1 => Ok(ends.remove(0)),
        _ => Err(EditError::ManyEnds { ends }),
    }
}

/// Gives links and joints of the tool names that the robot does not use; gives the old ones.
fn rename(robot: &Description, tool: &mut Description) -> Vec<String> {
    let taken: HashSet<&str> = names::taken(robot).union(&names::taken(tool)).copied().collect();
    let new = |used: &HashSet<&str>, name: &str| {
        used.contains(name).then(|| (name.to_owned(), names::free(&taken, &format!("{}_{name}", tool.name))))
    };
    let used: HashSet<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    let links: HashMap<String, String> = tool.links.iter().filter_map(|link| new(&used, &link.name)).collect();
    let used: HashSet<&str> = robot.links.iter().map(|link| link.joint.name.as_str()).collect();
    let joints: HashMap<String, String> = tool.links.iter().filter_map(|link| new(&used, &link.joint.name)).collect();
    let all: HashSet<&str> = tool.links.iter().map(|link| link.joint.name.as_str()).collect();
    let leads_by_joint = |mimic: &MimicDescription| all.contains(mimic.joint.as_str());
    let by_joint: Vec<bool> =
        tool.links.iter().map(|link| link.joint.mimic.as_ref().is_some_and(leads_by_joint)).collect();
    let joints_of_tool: HashSet<String> = all.iter().map(|&name| name.to_owned()).collect();
    let mut renamed = BTreeSet::new();
    for (link, by_joint) in tool.links.iter_mut().zip(by_joint) {
        let mut set = |name: &mut String, names: &HashMap<String, String>| {
            if let Some(new) = names.get(name.as_str()) {
                renamed.insert(std::mem::replace(name, new.clone()));
            }
        };
        set(&mut link.name, &links);
        set(&mut link.joint.name, &joints);
        set(&mut link.parent, &links);
        for (other, _) in link.shaft.iter_mut().flat_map(|shaft| &mut shaft.with) {
            let by_joint = joints_of_tool.contains(other.as_str());
            set(other, if by_joint { &joints } else { &links });
        }
        if let Some(mimic) = &mut link.joint.mimic {
            set(&mut mimic.joint, if by_joint { &joints } else { &links });
        }
    }
    renamed.into_iter().collect()
}
