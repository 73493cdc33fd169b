//! Screw lists of serial robots: the native form's `screws` and `home`, and beside them the matrices of *Modern Robotics*.
//!
//! All is in the ground frame at q = 0, so that the frames of links are gone: fixed links are part of the link that carries them.
//! A joint of several numbers is several screws, all but the last without mass.
//!
//! # Reference
//! Lynch and Park 2017, eq. (4.14), (4.16) and chapter 8.

mod book;

use super::native::document::{self, Item, entry};
use super::native::robot::BOOK;
use super::native::write::{body_entries, list, motor_entries, origin_entries, range_entries};
use super::plain::{Losses, Plain, about_com, fresh};
use super::reframe::{move_shape, placement, reframe};
use super::written::{Unwritable, Written};
use crate::model::Motion;
use crate::model::Number;
use crate::model::description::{Description, GROUND, InertiaDescription, LinkDescription, Placement};
use crate::model::joint::Screw;
use crate::spatial::{Inertia, Pose, Vector};
use std::collections::HashSet;

/// The notation of a screw list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrewNotation {
    /// JSON.
    Json,
    /// TOML.
    Toml,
}

/// A screw with what it carries, in the ground frame at zero position.
struct Turn<'a> {
    screw: Screw<f64>,
    joint: String,
    /// The link, reframed, with all that is welded to it; `None` for a screw in front of the last of its joint.
    carries: Option<LinkDescription>,
    /// The link's frame.
    frame: Pose<f64>,
    name: String,
    of: &'a LinkDescription,
}

/// The chain of a robot to a link, by default the last, as a screw list.
///
/// # Errors
/// No such link, a chain without a joint, or a joint with a quaternion.
pub fn to_screws(robot: &Description, link: Option<&str>, notation: ScrewNotation) -> Result<Written, Unwritable> {
    let plain = Plain::new(robot);
    let target = target(&plain, link)?;
    let mut losses = Losses::default();
    let home = plain.home();
    let turns = turns(&plain, target, &home, &mut losses)?;
    losses.states(&robot.states);
    let mut entries = vec![entry("name", Item::Text(robot.name.clone())), entry("gravity", list(&robot.gravity))];
    if robot.allow_unphysical {
        entries.push(entry("allow_unphysical", Item::Boolean(true)));
    }
    let mut taken: HashSet<String> = turns.iter().map(|turn| turn.name.clone()).chain([GROUND.to_owned()]).collect();
    let tool = if taken.contains(&plain.parts[target].link.name) {
        fresh("tool".to_owned(), &mut taken)
    } else {
        plain.parts[target].link.name.clone()
    };
    entries.push(entry("home", Item::Table(home_entries(tool, &home[target]))));
    let screws = turns.iter().map(|turn| Item::Table(screw_entries(turn, &plain, &turns, &mut losses))).collect();
    entries.push(entry("screws", Item::List(screws)));
    entries.insert(entries.len() - 1, entry(BOOK, book::matrices(&turns, &home[target])));
    let text = match notation {
        ScrewNotation::Json => document::json(&entries),
        ScrewNotation::Toml => document::toml(&entries),
    };
    Ok(Written { text, lost: losses.finish() })
}

/// The link that the list leads to: the one named, or else the end of the longest chain, the last of several.
fn target(plain: &Plain<'_>, link: Option<&str>) -> Result<usize, Unwritable> {
    if let Some(name) = link {
        let names: Vec<&str> = plain.parts.iter().map(|part| part.link.name.as_str()).collect();
        return names
            .iter()
            .position(|other| *other == name)
            .ok_or_else(|| Unwritable::new(format!("there is no link `{name}`"), super::suggest::hint(name, &names)));
    }
    let mut depths: Vec<usize> = Vec::with_capacity(plain.parts.len());
    for part in &plain.parts {
        depths.push(part.parent.map_or(0, |parent| depths[parent] + 1));
    }
    let deepest = depths.iter().enumerate().max_by_key(|(_, depth)| **depth).map(|(link, _)| link);
    deepest.ok_or_else(|| Unwritable::new("the robot has no links", "a screw list has a screw for each joint"))
}

fn turns<'a>(
    plain: &'a Plain<'_>,
    target: usize,
    home: &[Pose<f64>],
    losses: &mut Losses,
) -> Result<Vec<Turn<'a>>, Unwritable> {
    let mut chain: Vec<usize> = std::iter::successors(Some(target), |link| plain.parts[*link].parent).collect();
    chain.reverse();
    let moving: Vec<usize> = chain.into_iter().filter(|link| plain.carrier(*link) == Some(*link)).collect();
    if moving.is_empty() {
        let message = format!("no joint moves the link `{}`", plain.parts[target].link.name);
        return Err(Unwritable::new(message, "name another with --link"));
    }
    report_others(plain, target, &moving, home, losses);
    let mut joints: HashSet<String> = plain.parts.iter().map(|part| part.link.joint.name.clone()).collect();
    let mut links: HashSet<String> = plain.parts.iter().map(|part| part.link.name.clone()).collect();
    let mut turns = Vec::new();
    for number in moving {
        let part = &plain.parts[number];
        let joint = &part.link.joint;
        let Motion::Product(screws) = &part.motion else {
            let message = format!("the joint `{}` has a quaternion, and a screw one number", joint.name);
            return Err(Unwritable::new(message, "lock it, or take a part of the robot without it"));
        };
        let pose = home[number];
        for (index, screw) in screws.iter().enumerate() {
            let is_last = index + 1 == screws.len();
            let screw = match *screw {
                Screw::Rotation { axis, point, pitch } => {
                    Screw::Rotation { axis: pose.rotation.apply(axis), point: pose.apply(point), pitch }
                }
                Screw::Translation { axis } => Screw::Translation { axis: pose.rotation.apply(axis) },
            };
            turns.push(Turn {
                screw,
                joint: match screws.len() {
                    1 => joint.name.clone(),
                    _ => fresh(format!("{}_{}", joint.name, index + 1), &mut joints),
                },
                carries: is_last.then(|| welded(plain, number, home)),
                frame: pose,
                name: if is_last {
                    part.link.name.clone()
                } else {
                    fresh(format!("{}_{}", part.link.name, index + 1), &mut links)
                },
                of: part.link,
            });
        }
        if screws.len() > 1 {
            let kind = joint.kind.joint_type().name();
            losses.whole(format!("that the joint `{}` is {kind}: it is {} screws", joint.name, screws.len()));
        }
    }
    Ok(turns)
}

/// What is not in the list: frames, and what hangs beside the chain.
fn report_others(plain: &Plain<'_>, target: usize, moving: &[usize], home: &[Pose<f64>], losses: &mut Losses) {
    for (number, part) in plain.parts.iter().enumerate() {
        let name = &part.link.name;
        match plain.carrier(number) {
            _ if number == target && !moving.contains(&number) => {}
            Some(carrier) if carrier == number && moving.contains(&number) => {
                if home[number] != Pose::identity() {
                    losses.link("the frame, which is the ground's at q = 0 now, of", name);
                }
            }
            Some(carrier) if moving.contains(&carrier) => {
                losses.link("a frame of its own, being welded to another link, for", name)
            }
            Some(_) => losses.link("what is not on the chain:", name),
            None => losses.link("what is welded to the ground:", name),
        }
    }
}

/// A link with all that is welded to it, in the ground frame at zero position.
fn welded(plain: &Plain<'_>, number: usize, home: &[Pose<f64>]) -> LinkDescription {
    let mut link = plain.parts[number].link.clone();
    reframe(&mut link, &home[number]);
    let others = (0..plain.parts.len()).filter(|other| *other != number && plain.carrier(*other) == Some(number));
    for other in others.clone() {
        for shape in &plain.parts[other].link.shapes {
            let mut shape = shape.clone();
            move_shape(&mut shape, &home[other]);
            link.shapes.push(shape);
        }
    }
    let inertia = |other: usize| {
        let link = plain.parts[other].link;
        let own = Inertia::from_com(link.mass.value, Vector(link.com.map(|x| x.value)), about_com(link));
        own.transformed(&home[other])
    };
    let added = others.filter(|other| !plain.parts[*other].is_massless()).map(inertia).reduce(|sum, other| sum + other);
    if let Some(added) = added {
        let sum = inertia(number) + added;
        link.has_inertial = true;
        link.mass = Number::from(sum.mass);
        if sum.mass == 0.0 {
            link.inertia = InertiaDescription::AboutOrigin(sum.rotational.to_array().map(Number::from));
        } else {
            let (com, about_com) = sum.about_com();
            link.com = com.0.map(Number::from);
            link.inertia = InertiaDescription::AboutCom(about_com.to_array().map(Number::from));
        }
    }
    link
}

fn home_entries(name: String, pose: &Pose<f64>) -> Vec<(String, Item)> {
    let mut entries = vec![entry("name", Item::Text(name))];
    if let Placement::Origin { xyz, orientation } = placement(pose) {
        entries.extend(origin_entries(&xyz, &orientation));
    }
    entries
}

fn screw_entries(turn: &Turn<'_>, plain: &Plain<'_>, turns: &[Turn<'_>], losses: &mut Losses) -> Vec<(String, Item)> {
    let mut entries = vec![entry("name", Item::Text(turn.name.clone()))];
    if turn.joint != turn.name {
        entries.push(entry("joint", Item::Text(turn.joint.clone())));
    }
    let numbers = |v: Vector<f64>| list(&v.0.map(Number::from));
    let given = &turn.of.joint;
    let turning = if given.continuous { "continuous" } else { "revolute" };
    let (kind, axis, point, pitch) = match turn.screw {
        Screw::Rotation { axis, point, pitch: 0.0 } => (turning, axis, Some(point), None),
        Screw::Rotation { axis, point, pitch } => ("helical", axis, Some(point), Some(pitch)),
        Screw::Translation { axis } => ("prismatic", axis, None, None),
    };
    entries.extend([entry("type", Item::Text(kind.to_owned())), entry("axis", numbers(axis))]);
    entries.extend(point.filter(|point| point.0 != [0.0; 3]).map(|point| entry("point", numbers(point))));
    entries.extend(pitch.map(|pitch| entry("pitch", document::float(pitch))));
    let mut ranges = given.clone();
    if let Some(mimic) = &mut ranges.mimic {
        let leader = plain.parts.iter().find(|part| part.link.joint.name == given.name).and_then(|part| part.leader);
        let leader = leader.map(|leader| plain.parts[leader].link.joint.name.clone());
        match leader.filter(|leader| turns.iter().any(|turn| turn.joint == *leader)) {
            Some(leader) => mimic.joint = leader,
            None => {
                losses.joint("the coupling to a joint that is not on the chain, of", &given.name);
                ranges.mimic = None;
            }
        }
    }
    entries.extend(range_entries(&ranges));
    if let Some(link) = &turn.carries {
        entries.extend(body_entries(link));
    }
    losses.shaft(turn.of);
    losses.balance(turn.of);
    let motor = turn.carries.as_ref().map_or(turn.of.motor, |link| link.motor);
    entries.extend(motor.as_ref().map(|motor| entry("motor", Item::Table(motor_entries(motor)))));
    entries
}
