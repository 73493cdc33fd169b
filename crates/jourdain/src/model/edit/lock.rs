//! A joint that stands still from now on.
//!
//! The link stays, welded where the joint puts it, so that poses by name mean what they meant; the dynamics joins welded
//! links by itself. Trap: a joint that follows the locked one stands still as well, at multiplier · position + offset.

use super::{EditError, Edited, names, placing};
use crate::model::description::{Description, JointKind, LinkDescription, Placement};
use crate::model::joint::{Joint, Motion, Screw};
use crate::model::lowered::{Lowering, NUMBERS, couplings, place_and_move};
use crate::model::number::Number;
use crate::spatial::{Pose, exact_sin_cos};

pub(super) fn lock(edited: &mut Edited, name: &str, position: &[Number]) -> Result<(), EditError> {
    let robot = &mut edited.description;
    let at = names::joint(robot, name)?;
    let couplings = couplings(robot);
    let joint = robot.links[at].joint.name.clone();
    if let Some(coupling) = &couplings[at] {
        let leader = robot.links[coupling.leader].joint.name.clone();
        return Err(EditError::Follows { joint, leader });
    }
    if position.iter().any(|x| !x.value.is_finite()) {
        return Err(EditError::NotFinite { what: "a position to lock a joint at" });
    }
    let mut said = vec![stand(robot, at, position)?];
    let followers: Vec<_> =
        couplings.iter().enumerate().filter_map(|(link, coupling)| Some((link, (*coupling)?))).collect();
    for (link, coupling) in followers.into_iter().filter(|(_, coupling)| coupling.leader == at) {
        let leading = position.first().copied().unwrap_or(Number::ZERO);
        said.push(stand(robot, link, &[coupling.multiplier.times(leading).plus(coupling.offset)])?);
    }
    for Standing { done, warning } in said {
        edited.say(done);
        edited.warnings.extend(warning);
    }
    Ok(())
}

/// What locking one joint did.
struct Standing {
    done: String,
    warning: Option<String>,
}

/// Welds one link at a position of its joint; no numbers stand for its zero.
fn stand(robot: &mut Description, at: usize, position: &[Number]) -> Result<Standing, EditError> {
    let link = &mut robot.links[at];
    let name = link.joint.name.clone();
    let joint = Joint::from(&link.joint.kind);
    if joint.nq() == 0 && !position.is_empty() {
        return Err(EditError::Motionless { joint: name });
    }
    if !position.is_empty() && position.len() != joint.nq() {
        return Err(EditError::WrongCount { joint: name, expected: joint.nq(), given: position.len() });
    }
    if joint.nq() == 0 {
        return Ok(Standing { done: format!("joint `{name}` does not move anyway"), warning: None });
    }
    let mut q: Vec<f64> = position.iter().map(|x| x.value).collect();
    if q.is_empty() {
        q.resize(joint.nq(), 0.0);
        joint.neutral_into(&mut q);
    } else if let Some(start) = joint.quaternion() {
        let quaternion = &mut q[start..start + 4];
        // The largest number first: its square may be beyond the range of numbers.
        let largest = quaternion.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if largest == 0.0 {
            return Err(EditError::ZeroQuaternion { joint: name });
        }
        quaternion.iter_mut().for_each(|x| *x /= largest);
        let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        quaternion.iter_mut().for_each(|x| *x /= length);
    }
    let outside = link.joint.limits.filter(|[low, high]| q[0] < low.value || q[0] > high.value);
    let warning = outside.map(|[low, high]| {
        format!("joint `{name}` is locked at {}, outside its limits {} to {}", q[0], low.value, high.value)
    });
    let motor = if link.motor.is_some() { "; its motor goes" } else { "" };
    let done = format!("joint `{name}` locked at {}{motor}", shown(&joint, &q));
    if !is_rest(&joint, &q) {
        link.placement = standing(link, position, &q);
    }
    placing::weld(link);
    names::forget(robot, &[name]);
    Ok(Standing { done, warning })
}

fn is_rest(joint: &Joint<f64>, q: &[f64]) -> bool {
    let mut rest = vec![0.0; q.len()];
    joint.neutral_into(&mut rest);
    rest == q
}

/// The numbers with their units, as far as they share one.
fn shown(joint: &Joint<f64>, q: &[f64]) -> String {
    let numbers: Vec<String> = q.iter().map(f64::to_string).collect();
    let unit = match (&joint.motion, q.len()) {
        (Motion::Product(_), 1) if joint.slides(0) => " m",
        (Motion::Product(_), 1) => " rad",
        _ => "",
    };
    format!("{}{unit}", numbers.join(", "))
}

/// Where the link is when its joint is at `q`: in its row of a Denavit–Hartenberg table if it has one, otherwise by an origin.
fn standing(link: &LinkDescription, position: &[Number], q: &[f64]) -> Placement {
    if let (Placement::Dh { convention, parameters }, [by]) = (&link.placement, position) {
        let (convention, mut parameters) = (*convention, *parameters);
        let default = link.joint.kind.joint_type().facts().default;
        let is_about_z = link.joint.kind == default();
        match link.joint.kind {
            JointKind::Revolute { .. } if is_about_z => {
                parameters.theta = Number::from(parameters.theta.value + by.value);
                return Placement::Dh { convention, parameters };
            }
            JointKind::Prismatic { .. } if is_about_z => {
                parameters.d = parameters.d.plus(*by);
                return Placement::Dh { convention, parameters };
            }
            _ => {}
        }
    }
    let (frame, motion) = place_and_move(link, &Lowering::new(0, &NUMBERS));
    let joint = Joint { kind: link.joint.kind.joint_type(), motion };
    placing::origin(&(Pose::from(frame) * moved(&joint, q)))
}

/// T(q) as [`Joint::transform`], but right angles come out exact.
fn moved(joint: &Joint<f64>, q: &[f64]) -> Pose<f64> {
    match &joint.motion {
        Motion::Product(screws) => screws.iter().zip(q).fold(Pose::identity(), |pose, (screw, &q)| {
            pose * match screw {
                Screw::Rotation { .. } => screw.turned(q, exact_sin_cos(q)),
                Screw::Translation { .. } => screw.exp(q),
            }
        }),
        Motion::Spherical { .. } | Motion::Free => joint.transform(q),
    }
}
