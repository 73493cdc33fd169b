//! What can be wrong with a log, or with what it tells about a robot.

use crate::formats::table::{Place, TableError};

/// Why an identification stops.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IdentifyError {
    /// Nothing moves.
    #[error("the robot `{robot}` has no moving joint: there is nothing to identify")]
    NoJoints {
        /// The robot.
        robot: String,
    },
    /// The robot with a drive at every joint is no robot.
    #[error("the robot cannot be built with a drive at every joint: {message}")]
    Robot {
        /// What was found.
        message: String,
    },
    /// The log is no table of numbers, or not of the right ones.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Time that does not rise.
    #[error("{place}: the time {now} s follows {before} s")]
    TimeOrder {
        /// Where.
        place: Place,
        /// Time of the row before.
        before: f64,
        /// Time of this row.
        now: f64,
    },
    /// A quaternion that is none.
    #[error("{place}: the quaternion of joint `{joint}` has length {length}")]
    Quaternion {
        /// Where.
        place: Place,
        /// Joint.
        joint: String,
        /// Its length.
        length: f64,
    },
    /// Derivatives are wanted but nothing says how far apart the samples are.
    #[error("{missing} must be found from samples, but the log has no time column `t`")]
    NoTime {
        /// What is missing.
        missing: &'static str,
    },
    /// Derivatives of quaternions are not found here.
    #[error("the log must have velocities and accelerations: joint `{joint}` has a quaternion, which is not filtered")]
    QuaternionDerivatives {
        /// Joint.
        joint: String,
    },
    /// A cut-off beyond what the sampling allows, or none at all.
    #[error("a cut-off of {cutoff} Hz does not go with samples at {rate} Hz")]
    Cutoff {
        /// Asked for.
        cutoff: f64,
        /// Samples per second.
        rate: f64,
    },
    /// Too few samples.
    #[error("{samples} samples are too few: {needed} are needed")]
    TooFew {
        /// Samples that count.
        samples: u64,
        /// How many would do.
        needed: u64,
    },
    /// Units that cannot be.
    #[error("the {what} of joint `{joint}` seem{} to be in other units: {evidence}", if .what.ends_with('s') { "" } else { "s" })]
    Units {
        /// Positions, torques, ….
        what: &'static str,
        /// Joint.
        joint: String,
        /// What speaks for it.
        evidence: String,
    },
    /// Parameters that the motion does not show.
    #[error("too little motion: {} cannot be told apart or do not act ({detail})", list(.parameters))]
    TooLittleMotion {
        /// The parameters.
        parameters: Vec<String>,
        /// Which joints stand still, or that none does.
        detail: String,
    },
    /// A joint that no series moves.
    #[error("joint `{joint}` has a quaternion, which no Fourier series moves")]
    QuaternionSeries {
        /// Joint.
        joint: String,
    },
    /// A search that cannot be made.
    #[error("{message}")]
    Search {
        /// What is wrong.
        message: String,
    },
    /// Factors of another robot or with other unknowns.
    #[error("the factors belong to another problem: {found} parameters instead of {expected}, or other ones")]
    OtherProblem {
        /// Unknowns here.
        expected: usize,
        /// Unknowns there.
        found: usize,
    },
    /// A file of factors that is none.
    #[error("this is no file of factors: {message}")]
    BadFactors {
        /// What is wrong.
        message: String,
    },
    /// The estimates cannot stand in a robot file.
    #[error("link `{link}` has a first moment but no mass: no centre of mass gives that")]
    NoMass {
        /// Link.
        link: String,
    },
}

/// Names with commas, not all of many.
fn list(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

impl IdentifyError {
    /// A short name of the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoJoints { .. } | Self::Robot { .. } => "unsupported-robot",
            Self::Table(error) => error.kind(),
            Self::TimeOrder { .. } => "unsorted-time",
            Self::Quaternion { .. } => "bad-quaternion",
            Self::NoTime { .. } => "no-time",
            Self::QuaternionDerivatives { .. } | Self::QuaternionSeries { .. } => "unsupported-joint",
            Self::Cutoff { .. } => "bad-cutoff",
            Self::TooFew { .. } => "too-few-samples",
            Self::Units { .. } => "wrong-units",
            Self::TooLittleMotion { .. } => "too-little-motion",
            Self::Search { .. } => "bad-search",
            Self::OtherProblem { .. } => "other-problem",
            Self::BadFactors { .. } => "bad-factors",
            Self::NoMass { .. } => "no-mass",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Table(TableError::MissingColumn { near: None, .. }) => {
                "columns are q1, q2, … (or q_JOINT), qd1, …, qdd1, …, tau1, … and t; of these qd, qdd and t may be missing"
                    .to_owned()
            }
            Self::Table(error) => return error.hint(),
            Self::TimeOrder { .. } => "sort them by time; separate runs go into separate logs".to_owned(),
            Self::NoTime { .. } => "add a column `t` in seconds, or say --rate HZ".to_owned(),
            Self::Cutoff { rate, .. } => format!("it lies between 0 and half the sampling rate, {} Hz", rate / 2.0),
            Self::Units { .. } => "positions are in rad or m, torques in N m or N; convert the column".to_owned(),
            Self::TooLittleMotion { .. } => {
                "move all joints, fast and slow, through most of their range: `jourdain excite` finds such a motion"
                    .to_owned()
            }
            Self::TooFew { .. } => "record longer; derivatives also cost samples at both ends of a log".to_owned(),
            Self::OtherProblem { .. } => "robot, --friction and --armature must be those of all parts".to_owned(),
            _ => return None,
        })
    }

    /// Line and cell of a log, from 1, where the error has one.
    #[must_use]
    pub fn place(&self) -> Option<(u64, usize)> {
        match self {
            Self::Table(error) => error.place(),
            Self::TimeOrder { place, .. } | Self::Quaternion { place, .. } => Some((place.number(), 1)),
            _ => None,
        }
    }

    /// The data are well-formed, but do not determine the answer.
    #[must_use]
    pub fn is_unsolved(&self) -> bool {
        matches!(self, Self::TooLittleMotion { .. })
    }
}
