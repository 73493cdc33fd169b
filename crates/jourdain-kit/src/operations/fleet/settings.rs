//! How the logs of a fleet are read, and what is unknown of its robots: one answer for all of them.

use crate::operations::identify::{Base, DriveTerms, Timing};
use crate::problem::Problem;
use crate::snap::Snap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How logs are read, and what is unknown.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Settings {
    /// Samples per second, for logs without time
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub rate: Option<f64>,

    /// Cut-off of the smoothing; without it, the one that the first log asks for holds for all
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub cutoff: Option<f64>,

    /// Seconds by which the motion that torques belong to is later
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", allow_negative_numbers = true))]
    pub delay: Option<f64>,

    /// Use every N-th sample
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub decimate: Option<u64>,

    /// Topic of the joint states, for recordings that have several
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub topic: Option<String>,

    /// What holds a free base whose torques are not in the logs; without it, the wrenches of the logs, if there are any
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHAT"))]
    pub base: Option<Base>,

    /// Identify a torque offset of every joint too
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub offset: bool,

    /// What is unknown of the drives
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub drives: DriveTerms,

    /// When the columns were measured
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub timing: Timing,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

impl Settings {
    /// What cannot be.
    pub(super) fn check(&self) -> Result<(), Problem> {
        if self.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return Err(Problem::usage("--rate is a number of samples per second above zero"));
        }
        if self.decimate == Some(0) {
            return Err(Problem::usage("--decimate takes every N-th sample, N at least 1"));
        }
        if self.delay.is_some_and(|delay| !(-1.0..=1.0).contains(&delay)) {
            return Err(Problem::usage("--delay is at most a second to either side").hint("--delay 0.004"));
        }
        Ok(())
    }
}
