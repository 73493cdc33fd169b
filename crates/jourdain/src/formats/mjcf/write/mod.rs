//! Writes MJCF.
//!
//! Angles are in radians and `eulerseq` is that of roll, pitch and yaw, so that the numbers of a robot stand as they are. A joint
//! of several numbers is several joints of one body. MuJoCo refuses bodies that move and have no mass: a chain of massless links
//! becomes one body with all its joints, which is what the reader makes such a chain from.
//! Trap: the position of a free joint is a pose in the world, whatever the body's own place is.

mod body;
mod group;
mod joint;
mod keyframe;
mod shape;

use super::super::plain::{Losses, Plain, fresh};
use super::super::urdf::check_names;
use super::super::written::{Unwritable, Written};
use super::super::xml::write::{Attributes, Writer};
use super::MAX_DEPTH;
use crate::model::description::Description;
use group::Group;
use joint::MjcfJoint;
use std::collections::HashSet;

/// The name that MuJoCo keeps for itself.
const WORLD: &str = "world";

/// The robot as MJCF, with what MJCF cannot say and what MuJoCo would refuse.
///
/// # Errors
/// A joint that MJCF has no way to write, a name that XML has none for, or a chain too long to be nested.
pub fn to_mjcf(robot: &Description) -> Result<Written, Unwritable> {
    check_names(robot)?;
    let plain = Plain::new(robot);
    let mut losses = Losses::default();
    if robot.allow_unphysical {
        losses.whole("that the robot may be unphysical");
    }
    if !plain.is_depth_first() {
        losses.whole("the order of the coordinates: MuJoCo walks the tree depth first");
    }
    let groups = group::groups(&plain, &mut losses);
    let joints = joint::joints(&plain, &groups, &mut losses)?;
    let mut writer = Writer::new();
    writer.start("mujoco", Attributes::new().text("model", &robot.name));
    let compiler = Attributes::new().text("angle", "radian").text("eulerseq", "XYZ").text("autolimits", "true");
    writer.leaf("compiler", compiler);
    writer.leaf("option", Attributes::new().numbers("gravity", &robot.gravity.map(|x| x.value)));
    let meshes = shape::Meshes::write(&mut writer, robot);
    write_bodies(&mut writer, &plain, &groups, &joints, &meshes, &mut losses)?;
    write_couplings(&mut writer, &plain);
    keyframe::write(&mut writer, &plain, &document_order(&groups), &joints);
    Ok(Written { text: writer.finish(), lost: losses.finish() })
}

/// What is left to do on a walk through nested bodies.
enum Walk {
    Enter(usize),
    Leave,
}

fn write_bodies(
    writer: &mut Writer,
    plain: &Plain<'_>,
    groups: &[Group],
    joints: &[Vec<MjcfJoint>],
    meshes: &shape::Meshes,
    losses: &mut Losses,
) -> Result<(), Unwritable> {
    let mut names: HashSet<String> = plain.parts.iter().map(|part| part.link.name.clone()).collect();
    writer.start("worldbody", Attributes::new());
    let (mut stack, mut depth) = (vec![Walk::Leave], 1);
    stack.extend(roots(groups).rev().map(Walk::Enter));
    while let Some(step) = stack.pop() {
        let Walk::Enter(number) = step else {
            writer.end();
            depth -= 1;
            continue;
        };
        depth += 1;
        // The root element, the world and an element inside the last body are levels as well.
        if depth + 2 > MAX_DEPTH {
            let message = format!("more than {} bodies stand inside one another", MAX_DEPTH - 3);
            return Err(Unwritable::new(message, "write URDF or the native form, which do not nest links"));
        }
        let group = &groups[number];
        let part = &plain.parts[group.last()];
        let name = match part.link.name.as_str() {
            WORLD => {
                let name = fresh("world_link".to_owned(), &mut names);
                losses.whole(format!("the name of the link `{WORLD}`, which MuJoCo keeps for itself: it is `{name}`"));
                name
            }
            name => name.to_owned(),
        };
        body::start(writer, &name, group, part);
        group.parts.iter().for_each(|part| joints[*part].iter().for_each(|joint| joint.write(writer)));
        for (&number, frame) in group.parts.iter().zip(&group.frames) {
            shape::write(writer, plain.parts[number].link, &frame.inverse(), meshes, losses);
        }
        stack.push(Walk::Leave);
        stack.extend(group.children.iter().rev().map(|child| Walk::Enter(*child)));
    }
    Ok(())
}

fn roots(groups: &[Group]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    groups.iter().enumerate().filter(|(_, group)| group.is_root).map(|(number, _)| number)
}

/// The links as MuJoCo numbers them.
fn document_order(groups: &[Group]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut stack: Vec<usize> = roots(groups).rev().collect();
    while let Some(number) = stack.pop() {
        order.extend(&groups[number].parts);
        stack.extend(groups[number].children.iter().rev());
    }
    order
}

/// `<equality>`: y = offset + multiplier · x.
fn write_couplings(writer: &mut Writer, plain: &Plain<'_>) {
    let followers = || plain.parts.iter().filter(|part| part.leader.is_some() && part.link.joint.mimic.is_some());
    if followers().next().is_none() {
        return;
    }
    writer.start("equality", Attributes::new());
    for part in followers() {
        let (Some(mimic), Some(leader)) = (&part.link.joint.mimic, part.leader) else { continue };
        let ends = Attributes::new().text("joint1", &part.link.joint.name);
        let ends = ends.text("joint2", &plain.parts[leader].link.joint.name);
        let coefficients = [mimic.offset.value, mimic.multiplier.value, 0.0, 0.0, 0.0];
        writer.leaf("joint", ends.numbers("polycoef", &coefficients));
    }
    writer.end();
}
