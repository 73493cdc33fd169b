//! URDF: links, joints, inertials; meshes are never opened.
//!
//! The order of `q` is that of a depth-first walk from the root link, the children of a link in the order in which
//! their joints stand in the file. The root link is welded to the ground and keeps its name and inertia.
//! Trap: the default axis of a URDF joint is x.

mod joint;
mod link;
mod order;
mod write;
mod xml;

use super::limits::MAX_LINKS;
use super::report::Report;
use super::xml::{Element, Sources};
use crate::model::description::standard_gravity;
use crate::model::{Description, Diagnostic};
pub(super) use write::check_names;
pub use write::to_urdf;
use xml::Reader;

/// A limit of this size or more is none. URDF wants numbers where there is no limit, and simulators have agreed on this one.
const UNLIMITED: f64 = 1e16;

/// Tags of `<robot>` that say nothing about its dynamics.
const HARMLESS: [&str; 6] = ["material", "transmission", "gazebo", "ros2_control", "sensor", "mujoco"];

pub(super) fn read(root: &Element, sources: &Sources<'_>, report: &mut Report) -> Option<Description> {
    let mut reader = Reader::new(sources, report);
    if root.tag != "robot" {
        let message = format!("the root element is <{}>, not <robot>", super::native::shorten(&root.tag));
        reader.error(reader.place(root), "not-urdf", message, Some("is this a URDF file?".to_owned()));
        return None;
    }
    if let Some(tag) = xacro_tag(root) {
        let message = "the file is a xacro macro file, not URDF".to_owned();
        let hint = "expand it first: xacro robot.urdf.xacro > robot.urdf".to_owned();
        reader.error(reader.place(tag), "xacro-not-expanded", message, Some(hint));
        return None;
    }
    let name = reader.text(root, "name").unwrap_or_default().to_owned();
    reader.known_attributes(root, &["name", "version", "xmlns"]);

    let count = |tag: &str| root.children().filter(|child| child.tag == tag).count();
    let (link_count, joint_count) = (count("link"), count("joint"));
    if link_count.max(joint_count) > MAX_LINKS {
        let message = format!("{link_count} links and {joint_count} joints, more than {MAX_LINKS}");
        reader.error(reader.place(root), "too-many-links", message, None);
        return None;
    }
    let (mut links, mut joints) = (Vec::with_capacity(link_count), Vec::with_capacity(link_count));
    for child in root.children() {
        match child.tag.as_str() {
            "link" => links.extend(link::read(child, &mut reader)),
            "joint" => joints.extend(joint::read(child, &mut reader)),
            tag if HARMLESS.contains(&tag) => {}
            _ => reader.unsupported(child),
        }
        reader.report.concerning(None, None);
    }
    let links = order::assemble(links, joints, &mut reader);
    reader.finish();
    Some(Description { name, gravity: standard_gravity(), allow_unphysical: false, links, states: Vec::new() })
}

/// The first element of xacro in the tree.
fn xacro_tag(element: &Element) -> Option<&Element> {
    if element.tag.starts_with("xacro:") { Some(element) } else { element.children().find_map(xacro_tag) }
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
