//! The limits of the joints: those of the robot file, those that are asked for, and what is taken where there is none.

use super::Options;
use crate::identify::IdentifyError;
use crate::model::{Model, Motion, Screw};
use std::f64::consts::PI;

/// What a joint without limits gets: half range, speed.
const DEFAULT_TURN: (f64, f64) = (PI, 1.0);
const DEFAULT_SLIDE: (f64, f64) = (0.25, 0.25);

/// The limits of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest position.
    pub low: f64,
    /// Highest position.
    pub high: f64,
    /// Highest speed.
    pub velocity: f64,
    /// Highest acceleration; infinite if there is no limit.
    pub acceleration: f64,
    /// Highest jerk; infinite if there is no limit.
    pub jerk: f64,
}

/// The limits of the joints, and what had to be made up.
///
/// # Errors
/// A joint whose position is no list of plain numbers, and limits that are as many as nothing.
pub fn bounds(model: &Model<f64>, options: &Options) -> Result<(Vec<Bounds>, Vec<String>), IdentifyError> {
    let given = |what: &str, numbers: &[f64]| -> Result<Vec<f64>, IdentifyError> {
        match numbers {
            [] => Ok(vec![f64::INFINITY; model.nv()]),
            [one] => Ok(vec![*one; model.nv()]),
            several if several.len() == model.nv() => Ok(several.to_vec()),
            several => Err(IdentifyError::Search {
                message: format!(
                    "{} limits of {what} for {} joints: give one, or one for each",
                    several.len(),
                    model.nv()
                ),
            }),
        }
    };
    let (accelerations, jerks) = (given("acceleration", &options.acceleration)?, given("jerk", &options.jerk)?);
    let (mut bounds, mut notices) = (Vec::new(), Vec::new());
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let Motion::Product(screws) = &link.joint.motion else {
            return Err(IdentifyError::QuaternionSeries { joint: link.joint_name.clone() });
        };
        for (i, screw) in screws.iter().enumerate() {
            let slides = matches!(screw, Screw::Translation { .. });
            let (half, speed) = if slides { DEFAULT_SLIDE } else { DEFAULT_TURN };
            let unit = if slides { "m" } else { "rad" };
            let [low, high] = link.limits.position.filter(|[low, high]| low < high).unwrap_or_else(|| {
                notices
                    .push(format!("joint `{}` has no position limits: ±{half:.4} {unit} are taken", link.joint_name));
                [-half, half]
            });
            let velocity = link.limits.velocity.filter(|most| *most > 0.0).unwrap_or_else(|| {
                notices.push(format!("joint `{}` has no velocity limit: {speed} {unit}/s is taken", link.joint_name));
                speed
            });
            let (acceleration, jerk) = (accelerations[link.v + i], jerks[link.v + i]);
            bounds.push(Bounds { low, high, velocity, acceleration, jerk });
        }
    }
    Ok((bounds, notices))
}

/// The highest torque of each degree of freedom, N m or N; infinite where the robot file gives none.
#[must_use]
pub fn efforts(model: &Model<f64>) -> Vec<f64> {
    let mut efforts = vec![f64::INFINITY; model.nv()];
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        if let Some(effort) = link.limits.effort.filter(|effort| *effort > 0.0) {
            efforts[link.v..link.v + link.joint.nv()].fill(effort);
        }
    }
    efforts
}
