//! Why a simulation could not be run, or not to its end.

use crate::state::StateError;

/// Why a simulation could not be run, or not to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option is out of its range.
    #[error("the {name} must be {expected}, not {value}")]
    Option {
        /// The option.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        value: f64,
    },
    /// More samples than memory should be spent on.
    #[error("{samples} samples of {numbers} numbers are too many")]
    TooManySamples {
        /// Samples asked for.
        samples: f64,
        /// Numbers in each.
        numbers: usize,
    },
    /// The start does not fit the robot.
    #[error(transparent)]
    State(#[from] StateError),
    /// A torque law for another number of joints.
    #[error("the torque has {found} numbers, but {robot} needs {expected}")]
    TorqueLength {
        /// The robot's name.
        robot: String,
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// A joint starts out of its range, and the simulation is to stop when one does.
    #[error("joint `{joint}` starts at {position}, beyond its limit {limit}")]
    StartsBeyondLimit {
        /// The joint.
        joint: String,
        /// Where it starts.
        position: f64,
        /// The end of its range.
        limit: f64,
    },
    /// The motion has left the finite numbers.
    #[error("the motion is no longer finite at t = {t} s")]
    NotFinite {
        /// The last time with finite numbers, s.
        t: f64,
    },
    /// No step is small enough for the tolerance.
    #[error("no step is small enough for the tolerance at t = {t} s")]
    StepTooSmall {
        /// The time reached, s.
        t: f64,
    },
}

impl SimulationError {
    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Option { .. } => "bad-option",
            Self::TooManySamples { .. } => "too-many-samples",
            Self::State(_) => "bad-state",
            Self::TorqueLength { .. } => "wrong-length",
            Self::StartsBeyondLimit { .. } => "beyond-limit",
            Self::NotFinite { .. } => "not-finite",
            Self::StepTooSmall { .. } => "step-too-small",
        }
    }

    /// True if the simulation began and broke down on the way, which is no fault of the input's form.
    #[must_use]
    pub fn is_breakdown(&self) -> bool {
        matches!(self, Self::NotFinite { .. } | Self::StepTooSmall { .. })
    }
}
