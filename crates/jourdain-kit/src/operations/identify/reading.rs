//! How logs are read: options that say nothing of the robot.

use crate::mixed::RobotRows;
use crate::problem::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::NonZero;

/// Most threads: each has some megabytes of its own.
const MOST_THREADS: usize = 64;

/// How logs are read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Reading {
    /// Topic of the joint states, for recordings that have several
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub topic: Option<String>,

    /// Threads to work on; as many as there are processors if it is not given. The result is the same
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<usize>,

    /// The rows that are read, of a log of several robots
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub part: Option<RobotRows>,
}

impl Reading {
    /// What cannot be.
    pub(in crate::operations) fn check(&self) -> Result<(), Problem> {
        match self.threads {
            Some(0) => Err(Problem::usage("--threads is a number of threads, at least 1")),
            _ => Ok(()),
        }
    }

    /// How many threads work.
    pub(in crate::operations) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get)).min(MOST_THREADS)
    }
}
