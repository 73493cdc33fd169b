//! Links and joints by name, and what else a description holds by name.

use super::EditError;
use crate::model::description::{Description, LinkDescription};
use std::collections::HashSet;

/// The link of that name.
pub(super) fn link(robot: &Description, name: &str) -> Result<usize, EditError> {
    let found = robot.links.iter().position(|link| link.name == name);
    found.ok_or_else(|| EditError::UnknownLink {
        name: name.to_owned(),
        known: robot.links.iter().map(|link| link.name.clone()).collect(),
    })
}

/// The link whose joint has that name, or else the link of that name.
pub(super) fn joint(robot: &Description, name: &str) -> Result<usize, EditError> {
    let find = |test: &dyn Fn(&LinkDescription) -> bool| robot.links.iter().position(test);
    let found = find(&|link| link.joint.name == name).or_else(|| find(&|link| link.name == name));
    found.ok_or_else(|| {
        let moving = robot.links.iter().filter(|link| link.joint.kind.degrees_of_freedom() > 0);
        EditError::UnknownJoint { name: name.to_owned(), known: moving.map(|link| link.joint.name.clone()).collect() }
    })
}

/// All names of links and joints.
pub(super) fn taken(robot: &Description) -> HashSet<&str> {
    robot.links.iter().flat_map(|link| [link.name.as_str(), link.joint.name.as_str()]).collect()
}

/// A name that is not taken, as like `wanted` as can be.
pub(super) fn free(taken: &HashSet<&str>, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken.contains(name.as_str())).unwrap_or_default()
}

/// Takes joints out of the named states.
pub(super) fn forget(robot: &mut Description, joints: &[String]) {
    let gone: HashSet<&String> = joints.iter().collect();
    for state in &mut robot.states {
        state.positions.retain(|(name, _)| !gone.contains(name));
    }
}

/// Names in a sentence, not too many of them.
pub(super) fn listed(names: &[String]) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
