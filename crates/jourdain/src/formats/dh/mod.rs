//! Denavit–Hartenberg tables of serial robots, whatever they were given by.
//!
//! The result is a native robot whose moving links are placed by `dh`: each gets the frame that the convention gives it, and its
//! inertia in that frame; fixed links stay where they are, in poses against the new frames. What the table cannot say of the
//! ground and of the last link are fixed links too: a base in front, the old frame of the last link behind. θ and d are those
//! at q = 0, so that q keeps its meaning.
//!
//! # Reference
//! Modified: Craig; standard: Denavit and Hartenberg. [`DhConvention`] has the formulas.

mod error;
mod frames;
mod parameters;

use super::plain::{Losses, Plain, fresh};
use super::reframe::{placement, reframe};
use super::written::{Unwritable, Written};
use crate::model::Motion;
use crate::model::Number;
use crate::model::description::{Description, DhConvention, GROUND, JointKind, LinkDescription, Placement, ScrewKind};
use crate::model::joint::Screw;
use crate::spatial::Pose;
pub use error::DhError;
use frames::{Axis, Frames};
use std::collections::HashSet;

/// The robot as a native file with a Denavit–Hartenberg table, and how far it is from the robot.
///
/// Axes that are parallel to a tenth of `tolerance` (rad) are taken as parallel; a result that is further than `tolerance` (m,
/// rad) from the robot in some position is refused.
///
/// # Errors
/// A robot that branches, a joint of several numbers, or a table that is not near enough.
pub fn to_dh(robot: &Description, convention: DhConvention, tolerance: f64) -> Result<(Written, DhError), Unwritable> {
    let plain = Plain::new(robot);
    let chain = chain(&plain)?;
    let home = plain.home();
    let axes: Vec<Axis> = chain.iter().map(|link| axis(&plain, &home, *link)).collect();
    let last = home[chain[chain.len() - 1]];
    let mut frames = Frames::choose(&axes, &last, convention, 0.1 * tolerance);
    // A frame that is the link's own but for rounding is the link's own.
    for (frame, link) in frames.of.iter_mut().zip(&chain).filter(|(frame, link)| is_near(frame, &home[**link])) {
        *frame = home[*link];
    }
    let mut losses = Losses::default();
    let made = assemble(&plain, &chain, &home, &frames, convention, &mut losses);
    let error = error::largest(&plain, &made, &chain, &frames, &home);
    if !(error.position <= tolerance && error.orientation <= tolerance) {
        let message = format!("the table is off by {error}, more than the tolerance of {tolerance:e}");
        return Err(Unwritable::new(message, "a larger --tolerance, if that is near enough"));
    }
    let text = format!("# Largest error of the table over random positions: {error}.\n{}", super::to_toml(&made));
    Ok((Written { text, lost: losses.finish() }, error))
}

fn is_near(a: &Pose<f64>, b: &Pose<f64>) -> bool {
    let size = 1.0 + b.translation.norm();
    let same = |(x, y): (&f64, &f64)| (x - y).abs() < 4.0 * f64::EPSILON * size;
    (a.translation - b.translation).norm() < 4.0 * f64::EPSILON * size
        && a.rotation.0.as_flattened().iter().zip(b.rotation.0.as_flattened()).all(same)
}

/// The links that move, if each hangs on the one before.
fn chain(plain: &Plain<'_>) -> Result<Vec<usize>, Unwritable> {
    let mut chain: Vec<usize> = Vec::new();
    for (number, part) in plain.parts.iter().enumerate() {
        let joint = &part.link.joint;
        match joint.kind.degrees_of_freedom() {
            0 => continue,
            1 => {}
            several => {
                let message =
                    format!("the joint `{}` has {several} degrees of freedom, and a row of a table one", joint.name);
                return Err(Unwritable::new(message, "lock it, or take a part of the robot without it"));
            }
        }
        let carrier = part.parent.and_then(|parent| plain.carrier(parent));
        if carrier != chain.last().copied() {
            let message = format!("the robot branches: the joint `{}` does not follow the one before it", joint.name);
            return Err(Unwritable::new(message, "take one chain of it, with --only LINK"));
        }
        chain.push(number);
    }
    if chain.is_empty() {
        return Err(Unwritable::new("no joint of the robot moves", "a table has a row for each joint"));
    }
    Ok(chain)
}

/// The axis of a link's joint in the ground frame at zero position. A slide has no place of its own: that of the link's frame.
fn axis(plain: &Plain<'_>, home: &[Pose<f64>], link: usize) -> Axis {
    let pose = &home[link];
    let screw = match &plain.parts[link].motion {
        Motion::Product(screws) => screws.first(),
        Motion::Spherical { .. } | Motion::Free => None,
    };
    match screw {
        Some(Screw::Rotation { axis, point, .. }) => Axis { z: pose.rotation.apply(*axis), point: pose.apply(*point) },
        Some(Screw::Translation { axis }) => Axis { z: pose.rotation.apply(*axis), point: pose.translation },
        None => Axis { z: pose.rotation.column(2), point: pose.translation },
    }
}

fn assemble(
    plain: &Plain<'_>,
    chain: &[usize],
    home: &[Pose<f64>],
    frames: &Frames,
    convention: DhConvention,
    losses: &mut Losses,
) -> Description {
    let mut taken: HashSet<String> = plain.parts.iter().map(|part| part.link.name.clone()).collect();
    taken.insert(GROUND.to_owned());
    let mut before = GROUND.to_owned();
    let mut links = Vec::new();
    for (number, part) in plain.parts.iter().enumerate() {
        let mut link = part.link.clone();
        let Some(row) = chain.iter().position(|link| *link == number) else {
            if let Some(carrier) = part.parent.filter(|parent| chain.contains(parent)) {
                let frame = frames.of[chain.iter().position(|link| *link == carrier).unwrap_or_default()];
                if frame != home[carrier] {
                    link.placement = placement(&(frame.inverse() * home[number]));
                }
            }
            links.push(link);
            continue;
        };
        if row == 0 && frames.base != Pose::identity() {
            let mut base = LinkDescription::new(fresh("dh_base".to_owned(), &mut taken), GROUND);
            base.placement = placement(&frames.base);
            before.clone_from(&base.name);
            links.push(base);
        }
        let (from, to) = (if row == 0 { frames.base } else { frames.of[row - 1] }, frames.of[row]);
        if link.parent != before && row > 0 {
            losses.link("that it hangs on a fixed link, and not on the one before in the table, of", &link.name);
        }
        link.parent.clone_from(&before);
        link.placement = Placement::Dh { convention, parameters: parameters::between(&from, &to, convention) };
        along_z(&mut link.joint.kind);
        if to != home[number] {
            reframe(&mut link, &(to.inverse() * home[number]));
            losses.link("the frame, which is the table's now, of", &link.name);
        }
        before.clone_from(&link.name);
        let is_last = row + 1 == chain.len();
        let carried = || plain.parts.iter().any(|part| part.parent == Some(number));
        let name = link.name.clone();
        links.push(link);
        if is_last && to != home[number] && !carried() {
            let mut tool = LinkDescription::new(fresh("tool".to_owned(), &mut taken), name);
            tool.placement = placement(&(to.inverse() * home[number]));
            links.push(tool);
        }
    }
    let robot = plain.robot;
    Description { links, ..robot.clone() }
}

/// In a table a joint moves about or along z.
fn along_z(kind: &mut JointKind) {
    const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];
    const ORIGIN: [Number; 3] = [Number::ZERO; 3];
    match kind {
        JointKind::Revolute { axis, point } | JointKind::Helical { axis, point, .. } => (*axis, *point) = (Z, ORIGIN),
        JointKind::Prismatic { axis } => *axis = Z,
        JointKind::Composite { sequence } => {
            if let [factor] = sequence[..] {
                *kind = match factor.kind {
                    ScrewKind::Revolute => JointKind::Revolute { axis: Z, point: ORIGIN },
                    ScrewKind::Prismatic => JointKind::Prismatic { axis: Z },
                    ScrewKind::Helical => JointKind::Helical { axis: Z, point: ORIGIN, pitch: factor.pitch },
                };
            }
        }
        // They have not one degree of freedom, so that they are not in a table.
        JointKind::Fixed
        | JointKind::Spherical { .. }
        | JointKind::Planar { .. }
        | JointKind::Free
        | JointKind::Universal { .. }
        | JointKind::Cylindrical { .. }
        | JointKind::Translation => {}
    }
}
