//! Why a simulation could not be run, or not to its end.

use super::law::Law;
use super::trajectory::Trajectory;
use crate::dynamics::{SingularMassMatrix, recursive};
use crate::elastic::ElasticError;
use crate::flexible::factor::Indefinite;
use crate::flexible::{LineariseError, OutOfRange};
use crate::integrate::IntegrationError;
use crate::model::Model;
use crate::quantity::QuantityError;
use crate::state::StateError;
use crate::workspace::Workspace;

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
    /// Torques for another number of joints.
    #[error("the torque has {found} numbers, but {robot} needs {expected}")]
    TorqueLength {
        /// The robot's name.
        robot: String,
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// Another vector of the wrong length.
    #[error("the {what} must have {expected} numbers for {robot}, not {found}")]
    Length {
        /// The vector.
        what: &'static str,
        /// The system's name.
        robot: String,
        /// Numbers needed, in words.
        expected: String,
        /// Numbers given.
        found: usize,
    },
    /// No such law.
    #[error("there is no law `{law}`; the laws are {}", Law::NAMES.join(", "))]
    UnknownLaw {
        /// What was asked for.
        law: String,
    },
    /// A law without the torques that it is made of.
    #[error("the law `{law}` needs {needs}")]
    TorqueMissing {
        /// The law.
        law: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A law that the system cannot take.
    #[error("{robot}, a system with {kind} parts, cannot take the law `{law}`; it takes {}", .can.join(", "))]
    Law {
        /// The law.
        law: &'static str,
        /// The system's name.
        robot: String,
        /// What kind of system it is.
        kind: &'static str,
        /// The laws that it can take.
        can: &'static [&'static str],
    },
    /// A law that needs a position number per velocity number.
    #[error("the law `{law}` follows joints of one number each, but {robot} has the spherical or free joint `{joint}`")]
    Quaternions {
        /// The law.
        law: &'static str,
        /// The robot's name.
        robot: String,
        /// The joint.
        joint: String,
    },
    /// A law that is a function has failed, or asked for what is no torque.
    #[error("the law failed at t = {t} s: {message}")]
    LawFailed {
        /// When, s.
        t: f64,
        /// What it says.
        message: String,
    },
    /// Saturation where no drive has a largest torque.
    #[error("{robot} gives no drive a largest torque (`effort`), so that nothing can saturate")]
    NoEffort {
        /// The system's name.
        robot: String,
    },
    /// Wrenches on a system that has no links in space.
    #[error("{robot} takes no wrenches")]
    NoWrenches {
        /// The system's name.
        robot: String,
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
    /// No such quantity of a flexible arm.
    #[error("{robot} has no quantity `{quantity}`; it has {}", .known.join(", "))]
    UnknownQuantity {
        /// The system's name.
        robot: String,
        /// The quantity.
        quantity: String,
        /// Those it has.
        known: Vec<String>,
    },
    /// The integration did not reach its end.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
    /// The first-order model of a flexible arm has left its range.
    #[error(transparent)]
    Indefinite(Box<Indefinite>),
    /// A link of a flexible arm bent further than its kinematics bear.
    #[error("{found}")]
    OutOfRange {
        /// When, which and how far.
        found: OutOfRange,
        /// The motion up to there; `None` if it started out of range.
        motion: Option<Box<Trajectory>>,
    },
    /// An elastic robot that cannot be set up or controlled.
    #[error(transparent)]
    Elastic(#[from] ElasticError),
    /// A flexible arm without a linear model.
    #[error(transparent)]
    Linearise(#[from] LineariseError),
    /// A quantity that cannot be evaluated.
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    /// The mass matrix has lost its inverse.
    #[error("{singular}, at t = {t} s")]
    Singular {
        /// Where.
        singular: Box<SingularMassMatrix>,
        /// The last time in order, s.
        t: f64,
    },
}

impl SimulationError {
    /// What an integration that broke down at a position means: a singular mass matrix, if there is one.
    pub(super) fn broken(error: IntegrationError, t: f64, model: &Model<f64>, q: &[f64]) -> Self {
        match error {
            IntegrationError::NotFinite { .. } | IntegrationError::StepTooSmall { .. } => {
                match recursive::check_regular(model, q, &mut Workspace::new(model)) {
                    Err(singular) => Self::Singular { singular: Box::new(singular), t },
                    Ok(()) => error.into(),
                }
            }
            IntegrationError::TooManySteps { .. } | IntegrationError::Cancelled { .. } => error.into(),
        }
    }

    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Option { .. } => "bad-option",
            Self::TooManySamples { .. } => "too-many-samples",
            Self::State(_) => "bad-state",
            Self::TorqueLength { .. } | Self::Length { .. } => "wrong-length",
            Self::UnknownLaw { .. } => "unknown-law",
            Self::TorqueMissing { .. } => "no-torque",
            Self::Law { .. } | Self::Quaternions { .. } => "unsupported-law",
            Self::LawFailed { .. } => "law-failed",
            Self::NoEffort { .. } => "no-effort-limit",
            Self::NoWrenches { .. } => "no-wrenches",
            Self::StartsBeyondLimit { .. } => "beyond-limit",
            Self::UnknownQuantity { .. } => "unknown-quantity",
            Self::Integration(error) => error.kind(),
            Self::Indefinite(_) => "not-positive-definite",
            Self::OutOfRange { .. } => "out-of-range",
            Self::Elastic(error) => error.kind(),
            Self::Linearise(_) => "no-linear-model",
            Self::Quantity(_) => "bad-quantity",
            Self::Singular { .. } => "singular-mass-matrix",
        }
    }

    /// True if the simulation began and broke down on the way, which is no fault of the input's form.
    #[must_use]
    pub fn is_breakdown(&self) -> bool {
        match self {
            Self::Integration(_) | Self::Indefinite(_) | Self::Singular { .. } | Self::OutOfRange { .. } => true,
            Self::Elastic(error) => error.is_breakdown(),
            Self::Option { .. }
            | Self::TooManySamples { .. }
            | Self::State(_)
            | Self::TorqueLength { .. }
            | Self::Length { .. }
            | Self::UnknownLaw { .. }
            | Self::TorqueMissing { .. }
            | Self::Law { .. }
            | Self::Quaternions { .. }
            | Self::LawFailed { .. }
            | Self::NoEffort { .. }
            | Self::NoWrenches { .. }
            | Self::StartsBeyondLimit { .. }
            | Self::UnknownQuantity { .. }
            | Self::Linearise(_)
            | Self::Quantity(_) => false,
        }
    }

    /// The time reached before the simulation broke down, s.
    #[must_use]
    pub fn reached(&self) -> Option<f64> {
        match self {
            Self::Integration(error) => Some(error.reached()),
            Self::Indefinite(diagnosis) => diagnosis.t,
            Self::Singular { t, .. } => Some(*t),
            Self::OutOfRange { found, .. } => found.t,
            _ => None,
        }
    }
}
