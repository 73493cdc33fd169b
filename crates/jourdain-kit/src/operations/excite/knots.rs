//! Knots for controllers: as JSON, and as the `trajectory_msgs/JointTrajectory` of ROS in YAML.

use crate::ending::Ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::write;
use jourdain::identify::excite::{Bounds, Degree, Excitation, Spline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Knots of splines.
pub(super) const SPLINE: Ending = Ending { what: "knots of a spline", endings: &["json", "yaml", "yml"] };

/// How far splines may be from the motion, rad or m: torques and distances are known along the motion.
const NEAR: f64 = 1e-3;

/// Most knots.
const MOST: f64 = 1e6;

/// Knots for a controller.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Knots {
    /// Write knots of splines: JSON, or a ROS joint trajectory in YAML
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.json|yaml"))]
    pub spline: Option<PathBuf>,

    /// Degree of the splines: cubic ones have no accelerations
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub degree: SplineDegree,

    /// Knots per second
    #[serde(default = "knot_rate")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", default_value_t = knot_rate(), allow_negative_numbers = true))]
    pub knot_rate: f64,
}

fn knot_rate() -> f64 {
    20.0
}

/// The degree of splines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SplineDegree {
    /// Three
    Cubic,
    /// Five
    #[default]
    Quintic,
}

/// What the splines are like.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SplineReport {
    /// How many knots.
    pub knots: usize,
    /// How far the splines are from the series at most, rad or m.
    pub deviation: f64,
}

impl Knots {
    pub(super) fn check(&self, period: f64, jerk: bool) -> Result<(), Problem> {
        if !(self.knot_rate > 0.0 && self.knot_rate * period <= MOST) {
            return Err(Problem::usage("--knot-rate is above zero and gives at most a million knots"));
        }
        if self.spline.is_some() && self.degree == SplineDegree::Cubic && jerk {
            let message = "accelerations of cubic splines jump at knots: no limit of jerk holds for them";
            return Err(Problem::usage(message).hint("--degree quintic"));
        }
        Ok(())
    }

    /// Writes them, if the splines themselves keep to the limits.
    pub(super) fn write(
        &self,
        path: &Path,
        robot: &str,
        joints: &[String],
        found: &Excitation,
        bounds: &[Bounds],
        host: &dyn Host,
    ) -> Result<SplineReport, Problem> {
        let degree = match self.degree {
            SplineDegree::Cubic => Degree::Cubic,
            SplineDegree::Quintic => Degree::Quintic,
        };
        let spline = Spline::new(found, self.knot_rate, degree);
        for ((extent, bounds), joint) in spline.extents.iter().zip(bounds).zip(joints) {
            let what = [
                ("position", extent.position[0] < bounds.low || extent.position[1] > bounds.high),
                ("velocity", extent.speed > bounds.velocity),
                ("acceleration", extent.acceleration > bounds.acceleration),
                ("jerk", extent.jerk > bounds.jerk),
            ];
            if let Some((what, _)) = what.iter().find(|(_, beyond)| *beyond) {
                let message =
                    format!("splines through {} knots leave the {what} limit of joint `{joint}`", spline.times.len());
                return Err(Problem::new("coarse-knots", message).hint("a higher --knot-rate, or a smaller --share"));
            }
        }
        if spline.deviation > NEAR {
            let message = format!(
                "splines through {} knots leave the motion by {:.4} rad or m, and torques and distances with it",
                spline.times.len(),
                spline.deviation
            );
            return Err(Problem::new("coarse-knots", message).hint("a higher --knot-rate"));
        }
        let text = match SPLINE.of(path)? {
            "json" => self.json(&spline, robot, joints),
            _yaml => ros(&spline, robot, joints),
        };
        write::text(path, &text, host)?;
        Ok(SplineReport { knots: spline.times.len(), deviation: spline.deviation })
    }

    fn json(&self, spline: &Spline, robot: &str, joints: &[String]) -> String {
        let knot = |(t, [position, velocity, acceleration]): (&f64, &[Vec<f64>; 3])| match spline.degree {
            Degree::Cubic => json!({ "t": t, "position": position, "velocity": velocity }),
            Degree::Quintic => {
                json!({ "t": t, "position": position, "velocity": velocity, "acceleration": acceleration })
            }
        };
        let knots: Vec<_> = spline.times.iter().zip(&spline.knots).map(knot).collect();
        let duration = spline.times.last();
        let file = json!({
            "robot": robot, "degree": self.degree, "duration": duration, "joint_names": joints, "knots": knots
        });
        format!("{file:#}\n")
    }
}

/// The message as ROS prints it. Names are in double quotes, in which YAML reads what JSON writes.
fn ros(spline: &Spline, robot: &str, joints: &[String]) -> String {
    let name = |name: &str| serde_json::Value::from(name).to_string();
    let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    let names: Vec<String> = joints.iter().map(|joint| name(joint)).collect();
    let mut text = format!(
        "# trajectory_msgs/JointTrajectory: an exciting motion of {}\n\
         header:\n  stamp: {{sec: 0, nanosec: 0}}\n  frame_id: \"\"\njoint_names: [{}]\npoints:\n",
        name(robot),
        names.join(", ")
    );
    for (t, [position, velocity, acceleration]) in spline.times.iter().zip(&spline.knots) {
        let nanoseconds = (t * 1e9).round() as u64;
        let acceleration = match spline.degree {
            Degree::Cubic => String::new(),
            Degree::Quintic => list(acceleration),
        };
        // Writing to a text does not fail.
        let _ = write!(
            text,
            "- positions: [{}]\n  velocities: [{}]\n  accelerations: [{acceleration}]\n  effort: []\n  \
             time_from_start: {{sec: {}, nanosec: {}}}\n",
            list(position),
            list(velocity),
            nanoseconds / 1_000_000_000,
            nanoseconds % 1_000_000_000
        );
    }
    text
}
