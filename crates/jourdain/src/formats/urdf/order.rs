//! From separate links and joints to links that carry their joint, parents before children.

use super::super::native::shorten;
use super::super::report::NAMELESS;
use super::joint::UrdfJoint;
use super::unknown_link;
use super::xml::Reader;
use crate::model::Diagnostic;
use crate::model::description::{GROUND, InertiaDescription, LinkDescription};
use std::collections::{HashMap, HashSet};

/// The links in depth-first order, each with its joint; problems of the tree are reported.
pub(super) fn assemble(
    mut links: Vec<LinkDescription>,
    joints: Vec<UrdfJoint>,
    reader: &mut Reader<'_, '_>,
) -> Vec<LinkDescription> {
    reader.report.concerning(None, None);
    let complete = !reader.report.names_are_incomplete;
    let mut index: HashMap<String, usize> = HashMap::new();
    for (number, link) in links.iter().enumerate() {
        if index.insert(link.name.clone(), number).is_some() && link.name != NAMELESS {
            let message = format!("two links are called `{}`", shorten(&link.name));
            let diagnostic = Diagnostic::error("duplicate-link", message).link(&link.name).at(link.place("name"));
            reader.report.push(diagnostic.hint("names must be unique"));
        }
    }

    let names: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    let mut carried_by: Vec<Option<usize>> = vec![None; links.len()];
    for (number, joint) in joints.iter().enumerate() {
        let mut find = |(name, place): &(String, _)| {
            let found = index.get(name).copied();
            if found.is_none() && complete && !reader.report.is_full() {
                reader.report.push(unknown_link(name, &names).joint(&joint.joint.name).at(*place));
            }
            found
        };
        let (Some(parent), Some(child)) = (find(&joint.parent), find(&joint.child)) else { continue };
        if let Some(first) = carried_by[child] {
            let message = format!(
                "the link `{}` is the child of two joints, `{}` and `{}`",
                shorten(&joint.child.0),
                shorten(&joints[first].joint.name),
                shorten(&joint.joint.name)
            );
            let diagnostic = Diagnostic::error("two-parents", message).link(&joint.child.0).joint(&joint.joint.name);
            reader.report.push(diagnostic.at(joint.child.1).hint("URDF describes trees: cut the loop at one joint"));
            continue;
        }
        carried_by[child] = Some(number);
        children[parent].push(child);
    }

    let connected = complete && !reader.report.is_fatal();
    let roots: Vec<usize> = (0..links.len()).filter(|link| carried_by[*link].is_none()).collect();
    if connected && roots.len() > 1 {
        let second = &links[roots[1]];
        let message = format!(
            "{} links have no parent, `{}` and `{}` among them",
            roots.len(),
            shorten(&links[roots[0]].name),
            shorten(&second.name)
        );
        let diagnostic = Diagnostic::error("multiple-roots", message).link(&second.name).at(second.place("name"));
        reader.report.push(diagnostic.hint("join each link but one to its parent by a joint"));
    }
    let order = walk(&roots, &children);
    report_loop(&links, &order, &joints, &carried_by, connected, reader);

    let mut joints: Vec<Option<UrdfJoint>> = joints.into_iter().map(Some).collect();
    let joint_names: HashSet<String> = joints.iter().flatten().map(|joint| joint.joint.name.clone()).collect();
    for (link, carrier) in links.iter_mut().zip(&carried_by) {
        match carrier.and_then(|number| joints[number].take()) {
            Some(joint) => attach(link, joint),
            None => {
                GROUND.clone_into(&mut link.parent);
                while joint_names.contains(&link.joint.name) {
                    link.joint.name.push_str("_to_ground");
                }
            }
        }
    }
    let mut slots: Vec<Option<LinkDescription>> = links.into_iter().map(Some).collect();
    let ordered: Vec<LinkDescription> = order.into_iter().filter_map(|link| slots[link].take()).collect();
    free_the_ground_name(ordered, reader)
}

/// Depth first, the children of a link in the order given.
fn walk(roots: &[usize], children: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(children.len());
    let mut stack: Vec<usize> = roots.iter().rev().copied().collect();
    while let Some(link) = stack.pop() {
        order.push(link);
        stack.extend(children[link].iter().rev());
    }
    order
}

/// Links that no root leads to hang on a loop.
fn report_loop(
    links: &[LinkDescription],
    order: &[usize],
    joints: &[UrdfJoint],
    carried_by: &[Option<usize>],
    connected: bool,
    reader: &mut Reader<'_, '_>,
) {
    let reached: HashSet<usize> = order.iter().copied().collect();
    let Some(lost) = (0..links.len()).find(|link| !reached.contains(link)).filter(|_| connected) else { return };
    let message = format!("the link `{}` hangs on a loop of joints", shorten(&links[lost].name));
    let mut diagnostic = Diagnostic::error("loop", message).link(&links[lost].name).at(links[lost].place("name"));
    if let Some(number) = carried_by[lost] {
        diagnostic = diagnostic.joint(&joints[number].joint.name);
    }
    reader.report.push(diagnostic.hint("URDF describes trees: cut the loop at one joint"));
}

fn attach(link: &mut LinkDescription, joint: UrdfJoint) {
    link.parent = joint.parent.0;
    link.placement = joint.placement;
    link.joint = joint.joint;
    link.motor = joint.motor;
    link.places.append(joint.places);
}

/// `base` is the ground here, and in URDF a name like any other.
///
/// A root link of that name lies on the ground and becomes it if it weighs nothing; otherwise, and anywhere else, it gets a new
/// name. Its weight matters when the base is let float.
fn free_the_ground_name(mut links: Vec<LinkDescription>, reader: &mut Reader<'_, '_>) -> Vec<LinkDescription> {
    let Some(position) = links.iter().position(|link| link.name == GROUND) else { return links };
    let is_root = position == 0;
    if is_root && is_weightless(&links[0]) {
        links.remove(0);
        return links;
    }
    let taken: HashSet<&str> = links.iter().map(|link| link.name.as_str()).collect();
    let mut name = "base_frame".to_owned();
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    let which = if is_root { "root link" } else { "link" };
    let code = if is_root { "base-is-ground" } else { "link-renamed" };
    let message = format!("the {which} `base` is called `{name}` here, because `base` is the ground");
    let place = links[position].place(if is_root { "mass" } else { "name" });
    let warning = Diagnostic::warning(code, message).link(GROUND).at(place);
    reader.report.push(warning.hint("rename it in the file if its name matters"));
    for link in links.iter_mut().skip(1).filter(|link| link.parent == GROUND) {
        link.parent.clone_from(&name);
    }
    if is_root && links[0].joint.name == GROUND {
        links[0].joint.name.clone_from(&name);
    }
    links[position].name = name;
    links
}

fn is_weightless(link: &LinkDescription) -> bool {
    let (InertiaDescription::AboutCom(elements)
    | InertiaDescription::AboutOrigin(elements)
    | InertiaDescription::AboutComRotated { elements, .. }) = &link.inertia;
    elements.iter().chain([&link.mass]).all(|number| number.value == 0.0)
}
