//! Which logs a run takes, whose they are, and where it keeps what it has read.

use super::leaf::OnError;
use crate::resolve::Robot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Which logs a run takes.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Logs {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Logs, or folders of them; all that the store has if there are none
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(value_name = "LOGS", value_hint = clap::ValueHint::AnyPath))]
    pub logs: Vec<String>,

    /// How paths name robot and day, such as {robot}/{day}.csv; without it the folder names the robot, the file the day
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATTERN"))]
    pub pattern: Option<String>,

    /// Column of the logs that names the robot of each row, for logs of several robots; paths then name days alone
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HEADING"))]
    pub column: Option<String>,

    /// Folder that keeps the factors of every log, so that it is read once
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath))]
    pub store: Option<PathBuf>,

    /// What becomes of damaged logs
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub on_error: OnError,

    /// First day that counts, as the logs are named
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DAY"))]
    pub from: Option<String>,

    /// Last day that counts
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DAY"))]
    pub to: Option<String>,
}
