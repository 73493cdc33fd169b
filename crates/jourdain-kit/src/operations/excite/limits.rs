//! Limits beyond those of the robot file.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Share of the effort limits that is used unless another is given.
pub(super) const EFFORT_SHARE: f64 = 0.8;

/// Limits of an exciting motion.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MotionLimits {
    /// Highest acceleration, rad/s² or m/s²: one for all joints, or one for each
    #[serde(default, deserialize_with = "several")]
    #[schemars(with = "OneOrSeveral")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "A[,A…]", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub acceleration: Vec<f64>,

    /// Highest jerk, rad/s³ or m/s³: one for all joints, or one for each
    #[serde(default, deserialize_with = "several")]
    #[schemars(with = "OneOrSeveral")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "J[,J…]", value_delimiter = ',', allow_negative_numbers = true)
    )]
    pub jerk: Vec<f64>,

    /// Share of the effort limits that torques may reach, by the model of the robot file
    #[serde(default = "effort_share")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = effort_share(), allow_negative_numbers = true))]
    pub effort_share: f64,
}

fn effort_share() -> f64 {
    EFFORT_SHARE
}

/// A number, or several.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrSeveral {
    One(f64),
    Several(Vec<f64>),
}

fn several<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    Ok(match Option::<OneOrSeveral>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(OneOrSeveral::One(number)) => vec![number],
        Some(OneOrSeveral::Several(numbers)) => numbers,
    })
}
