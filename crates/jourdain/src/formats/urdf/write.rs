//! Writes URDF.
//!
//! The ground is the root link `base`, which the reader takes for the ground again; a link that is welded onto the ground without
//! an offset and is alone there is the root itself. An axis that does not pass through the link's origin, and a joint of several
//! numbers, become a chain of massless links, so that the link keeps its frame and `q` its meaning.
//! Trap: URDF wants `effort` and `velocity` beside every limit. What is not known is written as [`UNLIMITED`].

use super::super::plain::{Losses, Part, Plain, about_com, fresh, rigid_drive};
use super::super::written::{Unwritable, Written};
use super::super::xml::write::{Attributes, Writer, unwritable};
use super::{UNLIMITED, visual};
use crate::model::Motion;
use crate::model::description::{Description, GROUND, InertiaDescription, JointKind, LinkDescription, Orientation};
use crate::model::joint::Screw;
use crate::spatial::{Pose, Rotation, Vector};
use std::collections::HashSet;

/// The robot as URDF, with what URDF cannot say.
///
/// # Errors
/// A joint that URDF has no way to write, or a name that XML has none for.
pub fn to_urdf(robot: &Description) -> Result<Written, Unwritable> {
    let plain = Plain::new(robot);
    let mut losses = Losses::default();
    check_names(robot)?;
    losses.gravity(robot);
    losses.states(&robot.states);
    if robot.allow_unphysical {
        losses.whole("that the robot may be unphysical");
    }
    if !plain.is_depth_first() {
        losses.whole("the order of the coordinates: readers of URDF walk the tree depth first");
    }
    let mut writer = Writer::new();
    writer.start("robot", Attributes::new().text("name", &robot.name));
    let is_root = root_is_a_link(&plain);
    if !is_root {
        writer.leaf("link", Attributes::new().text("name", GROUND));
    }
    let mut names = Names::new(robot);
    for (number, part) in plain.parts.iter().enumerate() {
        if number == 0 && is_root {
            write_link(&mut writer, &part.link.name, Some(part.link), &mut losses);
            continue;
        }
        let parent = part.parent.map_or(GROUND, |parent| plain.parts[parent].link.name.as_str());
        write_part(&mut writer, part, parent, &plain, &mut names, &mut losses)?;
    }
    Ok(Written { text: writer.finish(), lost: losses.finish() })
}

/// Refuses names that XML has no way to write.
pub(in crate::formats) fn check_names(robot: &Description) -> Result<(), Unwritable> {
    let links = robot.links.iter().flat_map(|link| [&link.name, &link.joint.name]);
    let states = robot.states.iter().map(|state| &state.name);
    for name in std::iter::once(&robot.name).chain(links).chain(states) {
        if let Some(c) = unwritable(name) {
            let message = format!("the name {name:?} has the character U+{:04X}, which XML cannot hold", u32::from(c));
            return Err(Unwritable::new(message, "rename it"));
        }
    }
    Ok(())
}

/// True if the first link can be URDF's root: it is what the reader makes of one.
fn root_is_a_link(plain: &Plain<'_>) -> bool {
    let Some(first) = plain.parts.first() else { return false };
    let is_alone = plain.parts.iter().filter(|part| part.parent.is_none()).count() == 1;
    let is_welded = first.link.joint.kind == JointKind::Fixed && first.pose == Pose::identity();
    is_alone && is_welded && first.link.joint.name == first.link.name
}

/// Names that are taken.
struct Names {
    links: HashSet<String>,
    joints: HashSet<String>,
}

impl Names {
    fn new(robot: &Description) -> Self {
        let links = robot.links.iter().map(|link| link.name.clone()).chain([GROUND.to_owned()]).collect();
        Self { links, joints: robot.links.iter().map(|link| link.joint.name.clone()).collect() }
    }
}

/// A joint of URDF, and where it is.
struct Step {
    tag: &'static str,
    axis: Option<Vector<f64>>,
    pose: Pose<f64>,
    orientation: Option<Orientation>,
}

fn write_part(
    writer: &mut Writer,
    part: &Part<'_>,
    parent: &str,
    plain: &Plain<'_>,
    names: &mut Names,
    losses: &mut Losses,
) -> Result<(), Unwritable> {
    let (link, joint) = (part.link, &part.link.joint);
    let steps = steps(part)?;
    let moving = steps.iter().filter(|step| step.tag != "fixed").count();
    let mut parent = parent.to_owned();
    let mut told = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let is_last = number + 1 == steps.len();
        let moves = step.tag != "fixed";
        let name = match moves {
            true if moving == 1 => joint.name.clone(),
            true => fresh(format!("{}_{}", joint.name, number + 1), &mut names.joints),
            false if moving == 0 => joint.name.clone(),
            false => fresh(format!("{}_frame", joint.name), &mut names.joints),
        };
        let child = match is_last {
            true => link.name.clone(),
            false if moving > 1 => fresh(format!("{}_{}", link.name, number + 1), &mut names.links),
            false => fresh(format!("{}_axis", link.name), &mut names.links),
        };
        write_link(writer, &child, is_last.then_some(link), losses);
        write_joint(writer, step, &name, [&parent, &child], part, plain);
        if moves && moving > 1 {
            told.push(format!("`{name}`"));
        }
        parent = child;
    }
    if moving > 1 {
        let kind = joint.kind.joint_type().name();
        losses.whole(format!("that the joint `{}` is {kind}: it is {moving} joints, {}", joint.name, told.join(", ")));
    } else if steps.len() > 1 {
        losses.link("an axis away from the origin: a massless link with the axis carries the", &link.name);
    }
    report_drive(part, losses);
    Ok(())
}

/// The joints that move a link: several, with massless links between, where URDF has none that does.
fn steps(part: &Part<'_>) -> Result<Vec<Step>, Unwritable> {
    let joint = &part.link.joint;
    let first = |tag, axis, shift: Vector<f64>| Step {
        tag,
        axis,
        pose: Pose { translation: part.pose.apply(shift), ..part.pose },
        orientation: part.orientation,
    };
    let later = |tag, axis, shift| Step { tag, axis, pose: Pose::translation(shift), orientation: None };
    let screws = match &part.motion {
        Motion::Free => return Ok(vec![first("floating", None, Vector::zero())]),
        Motion::Spherical { .. } => {
            let message = format!("URDF has no spherical joint, and `{}` is one", joint.name);
            return Err(Unwritable::new(message, "write MJCF or the native form; or lock the joint"));
        }
        Motion::Product(screws) => screws,
    };
    if screws.is_empty() {
        return Ok(vec![first("fixed", None, Vector::zero())]);
    }
    if let (JointKind::Planar { .. }, [_, _, Screw::Rotation { axis, point, .. }]) = (&joint.kind, &screws[..]) {
        let mut steps = vec![first("planar", Some(*axis), *point)];
        if !is_zero(*point) {
            steps.push(later("fixed", None, -*point));
        }
        return Ok(steps);
    }
    let (mut steps, mut at) = (Vec::with_capacity(screws.len()), Vector::zero());
    for screw in screws {
        let (tag, axis, point) = match *screw {
            Screw::Rotation { axis, point, pitch } => {
                if pitch != 0.0 {
                    let message = format!("URDF has no helical joint, and `{}` is one", joint.name);
                    return Err(Unwritable::new(message, "write the native form, or lock the joint"));
                }
                ("revolute", axis, point)
            }
            // A slide may be anywhere: here is nearest.
            Screw::Translation { axis } => ("prismatic", axis, at),
        };
        let shift = point - at;
        steps.push(if steps.is_empty() { first(tag, Some(axis), shift) } else { later(tag, Some(axis), shift) });
        at = point;
    }
    if !is_zero(at) {
        steps.push(later("fixed", None, -at));
    }
    Ok(steps)
}

fn is_zero(v: Vector<f64>) -> bool {
    v.0 == [0.0; 3]
}

fn write_link(writer: &mut Writer, name: &str, link: Option<&LinkDescription>, losses: &mut Losses) {
    let named = Attributes::new().text("name", name);
    writer.start("link", named);
    if link.is_none_or(|link| link.has_inertial) {
        write_inertial(writer, link);
    }
    if let Some(link) = link {
        visual::write(writer, link, losses);
    }
    writer.end();
}

fn write_inertial(writer: &mut Writer, link: Option<&LinkDescription>) {
    let (mut mass, mut com, mut elements, mut rpy) = (0.0, [0.0; 3], [0.0; 6], [0.0; 3]);
    if let Some(link) = link {
        (mass, com) = (link.mass.value, link.com.map(|x| x.value));
        match link.inertia {
            InertiaDescription::AboutCom(given) => elements = given.map(|x| x.value),
            InertiaDescription::AboutComRotated { elements: given, rpy: turned } => {
                (elements, rpy) = (given.map(|x| x.value), turned.map(|x| x.value));
            }
            InertiaDescription::AboutOrigin(_) => elements = about_com(link).to_array(),
        }
    }
    writer.start("inertial", Attributes::new());
    writer.leaf("origin", Attributes::new().numbers("xyz", &com).numbers("rpy", &rpy));
    writer.leaf("mass", Attributes::new().numbers("value", &[mass]));
    let tensor = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].iter().zip(elements);
    writer.leaf("inertia", tensor.fold(Attributes::new(), |all, (name, element)| all.numbers(name, &[element])));
    writer.end();
}

fn write_joint(writer: &mut Writer, step: &Step, name: &str, ends: [&str; 2], part: &Part<'_>, plain: &Plain<'_>) {
    let joint = &part.link.joint;
    let is_unlimited = step.tag == "revolute" && joint.limits.is_none();
    let tag = if is_unlimited { "continuous" } else { step.tag };
    writer.start("joint", Attributes::new().text("name", name).text("type", tag));
    let rpy = match step.orientation {
        Some(Orientation::Rpy(rpy)) => rpy.map(|angle| angle.value),
        Some(Orientation::Quaternion(_)) | None if step.pose.rotation == Rotation::identity() => [0.0; 3],
        Some(Orientation::Quaternion(_)) | None => step.pose.rotation.to_rpy(),
    };
    writer.leaf("origin", Attributes::new().numbers("xyz", &step.pose.translation.0).numbers("rpy", &rpy));
    writer.leaf("parent", Attributes::new().text("link", ends[0]));
    writer.leaf("child", Attributes::new().text("link", ends[1]));
    if let Some(axis) = step.axis {
        writer.leaf("axis", Attributes::new().numbers("xyz", &axis.0));
    }
    if step.tag != "fixed" {
        write_limit(writer, step.tag, part);
        if let Some(motor) = &part.link.motor {
            let [_, viscous, coulomb] = rigid_drive(motor);
            if viscous != 0.0 || coulomb != 0.0 {
                let friction = Attributes::new().numbers("damping", &[viscous]).numbers("friction", &[coulomb]);
                writer.leaf("dynamics", friction);
            }
        }
        if let (Some(mimic), Some(leader)) = (&joint.mimic, part.leader) {
            let leader = &plain.parts[leader].link.joint.name;
            let factors = Attributes::new().text("joint", leader).numbers("multiplier", &[mimic.multiplier.value]);
            writer.leaf("mimic", factors.numbers("offset", &[mimic.offset.value]));
        }
    }
    writer.end();
}

/// `<limit>`, which revolute and prismatic joints must have.
fn write_limit(writer: &mut Writer, tag: &str, part: &Part<'_>) {
    let joint = &part.link.joint;
    let mut range = joint.limits.map(|limits| limits.map(|limit| limit.value));
    if tag == "prismatic" {
        range = range.or(Some([-UNLIMITED, UNLIMITED]));
    }
    if range.is_none() && joint.velocity.is_none() && joint.effort.is_none() {
        return;
    }
    let mut limit = Attributes::new();
    if let Some([lower, upper]) = range {
        limit = limit.numbers("lower", &[lower]).numbers("upper", &[upper]);
    }
    for (name, value) in [("effort", joint.effort), ("velocity", joint.velocity)] {
        limit = limit.numbers(name, &[value.map_or(UNLIMITED, |value| value.value)]);
    }
    writer.leaf("limit", limit);
}

/// What URDF has no words for about drives.
fn report_drive(part: &Part<'_>, losses: &mut Losses) {
    losses.shaft(part.link);
    losses.balance(part.link);
    let Some(motor) = &part.link.motor else { return };
    let joint = &part.link.joint.name;
    if motor.inertia.value != 0.0 {
        losses.joint("the inertia of the rotor, which is part of the mass matrix, of", joint);
    }
    if motor.ratio.value != 1.0 {
        losses.joint("the gear ratio of", joint);
    }
    losses.elasticity(motor, joint);
}
