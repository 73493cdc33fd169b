//! URDF: links, joints, inertials; meshes are never opened.
//!
//! The order of `q` is that of a depth-first walk from the root link, the children of a link in the order in which
//! their joints stand in the file. The root link is welded to the ground and keeps its name and inertia.
//! Trap: the default axis of a URDF joint is x.

mod joint;
mod link;
mod mimic;
mod order;
mod visual;
mod write;
mod xml;

use super::limits::MAX_LINKS;
use super::report::Report;
use super::xml::{Element, Node, Sources};
use crate::model::description::standard_gravity;
use crate::model::{Description, Diagnostic};
pub(super) use write::check_names;
pub use write::to_urdf;
use xml::Reader;

/// A limit of this size or more is none. URDF wants numbers where there is no limit, and simulators have agreed on this one.
const UNLIMITED: f64 = 1e16;

/// Tags of `<robot>` that say nothing about its dynamics.
const HARMLESS: [&str; 6] = ["material", "transmission", "gazebo", "ros2_control", "sensor", "mujoco"];

pub(super) fn read(mut root: Element, sources: &Sources<'_>, report: &mut Report) -> Option<Description> {
    let mut reader = Reader::new(sources, report);
    if root.tag != "robot" {
        let message = format!("the root element is <{}>, not <robot>", super::native::shorten(&root.tag));
        reader.error(reader.place(&root), "not-urdf", message, Some("is this a URDF file?".to_owned()));
        return None;
    }
    let name = match root.get("name").filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => {
            let place = reader.attribute_place(&root, "name");
            reader.report.name_the_robot(place)
        }
    };
    reader.known_attributes(&root, &["name", "version", "xmlns"]);

    let count = |tag: &str| root.children().filter(|child| child.tag == tag).count();
    let (link_count, joint_count) = (count("link"), count("joint"));
    if link_count == 0 {
        let hint = "a file of macros alone gives such a robot: expand the one that uses them".to_owned();
        reader.error(reader.place(&root), "no-links", "the robot has no links".to_owned(), Some(hint));
    }
    if link_count.max(joint_count) > MAX_LINKS {
        let message = format!("{link_count} links and {joint_count} joints, more than {MAX_LINKS}");
        reader.error(reader.place(&root), "too-many-links", message, None);
        return None;
    }
    let (mut links, mut joints) = (Vec::with_capacity(link_count), Vec::with_capacity(link_count));
    let colours = visual::colours(&root);
    // What has been read is given up at once: of large robots the tree is as large as the links.
    for node in root.nodes.drain(..) {
        let Node::Element(child) = node else { continue };
        match child.tag.as_str() {
            "link" => links.push(link::read(&child, &colours, &mut reader)),
            "joint" => joints.extend(joint::read(&child, &mut reader)),
            tag if HARMLESS.contains(&tag) => {}
            _ => reader.unsupported(&child),
        }
        reader.report.concerning(None, None);
    }
    let links = order::assemble(links, joints, &mut reader);
    let mut robot =
        Description { name, gravity: standard_gravity(), allow_unphysical: false, links, states: Vec::new() };
    mimic::settle(&mut robot, reader.report);
    reader.finish();
    Some(robot)
}

/// What is wrong with a reference to a link that is not there.
fn unknown_link(name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("there is no link `{}`", super::native::shorten(name));
    let diagnostic = Diagnostic::error("unknown-link", message);
    match super::suggest::nearest(name, known) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic.hint("add the link, or correct the name"),
    }
}
