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
    /// A number that nothing on earth has.
    #[error("{place}, column {column}: {value:e} is too large to be a position, velocity, acceleration or torque")]
    TooLarge {
        /// Where.
        place: Place,
        /// The column, from 1.
        column: usize,
        /// The number.
        value: f64,
    },
    /// Positions that no curve goes through.
    #[error("no smooth curve goes through the positions: they or their times leave the range of numbers")]
    Unsmooth,
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
    /// Numbers that squares of leave the range of floating point.
    #[error("the data leave the range of numbers: a column is far too large")]
    BeyondRange,
    /// A weight of the prior that is none.
    #[error("the weight of the prior must be a positive number, not {weight}")]
    PriorWeight {
        /// Asked for.
        weight: f64,
    },
    /// Limits of masses and centres of mass that cannot be kept to.
    #[error("the limits cannot be kept to: {message}")]
    Bounds {
        /// What is wrong.
        message: String,
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
    /// Inertias below zero.
    #[error(
        "the torques {} have the wrong sign: {} would have a negative inertia",
        if *.all { "of all joints".to_owned() } else { format!("of {}", named(.joints)) },
        if *.all { "every joint".to_owned() } else { named(.joints) }
    )]
    WrongSign {
        /// Every joint whose torque is measured.
        all: bool,
        /// The joints.
        joints: Vec<String>,
    },
    /// Inertias far from those of the robot file.
    #[error(
        "the time stamps seem to be in other units: all inertias come out {ratio:.1e} times those of the robot file, as with times that are {:.0e} \
         times what they should be", .ratio.sqrt()
    )]
    WrongClock {
        /// Estimated over expected inertia, in the mean.
        ratio: f64,
    },
    /// Torques far from those of the robot file.
    #[error(
        "the torques of all joints seem to be in other units: they are {ratio:.1e} times what the robot file makes of the motion"
    )]
    WrongScale {
        /// Measured over expected torque, in the mean.
        ratio: f64,
    },
    /// Joints that the log says nothing of.
    #[error("there are no positions of {}: the log has no column {}", named(.joints), .columns.join(", "))]
    NoPositions {
        /// The joints.
        joints: Vec<String>,
        /// Columns that would do.
        columns: Vec<String>,
    },
    /// A wrench on a link that is not there, or a part that no wrench has.
    #[error("column {column}: `{heading}` is no part of a wrench on a link of the robot")]
    WrenchColumn {
        /// The column, from 1.
        column: usize,
        /// What it is called.
        heading: String,
        /// The links there are.
        links: Vec<String>,
    },
    /// A wrench without all its numbers.
    #[error("the wrench on link `{link}` has no column `wrench:{link}[{part}]`")]
    WrenchPart {
        /// Link.
        link: String,
        /// `fx`, `mz`, ….
        part: &'static str,
    },
    /// Parameters that the motion does not show.
    #[error("too little motion: {} cannot be told apart or do not act ({detail})", list(.parameters))]
    TooLittleMotion {
        /// The parameters.
        parameters: Vec<String>,
        /// Which joints stand still, or that none does.
        detail: String,
    },
    /// A link that no joint moves, or none against anything.
    #[error("no joint feels what link `{link}` carries")]
    Unfelt {
        /// Link.
        link: String,
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
    /// No motion keeps to torques and distances.
    #[error("no motion was found that stays below the effort limits and clear of everything: {found}")]
    NoMotion {
        /// What was last run into.
        found: String,
    },
    /// Factors of another robot or with other unknowns.
    #[error("the factors belong to another problem: {found} parameters instead of {expected}, or other ones")]
    OtherProblem {
        /// Unknowns here.
        expected: usize,
        /// Unknowns there.
        found: usize,
    },
    /// Factors whose drives were modelled with other settings.
    #[error("the factors were made with another coupling or load of the drives")]
    OtherDrives,
    /// Factors of another robot.
    #[error("the factors are those of another robot, `{found}` and not `{expected}`: {detail}")]
    OtherRobot {
        /// The robot here.
        expected: String,
        /// The robot there.
        found: String,
        /// What differs.
        detail: String,
    },
    /// Samples that are there already.
    #[error("rows {from} to {to} of {file} are there already: {other} has the same content")]
    SameSamples {
        /// The log that has them already.
        file: String,
        /// The log that has them too.
        other: String,
        /// The first of them, from 1.
        from: u64,
        /// The last of them.
        to: u64,
    },
    /// Parts of one log that were read in different ways.
    #[error("parts of {file} were read in different ways: {own}; {found}")]
    OtherSettings {
        /// The log.
        file: String,
        /// How the parts before were read.
        own: String,
        /// How this one was.
        found: String,
    },
    /// A matrix that couples no motors to these joints.
    #[error("the coupling is no regular matrix of {joints} rows and columns whose motors turn their own joints")]
    Coupling {
        /// Degrees of freedom.
        joints: usize,
    },
    /// A file of factors that is none.
    #[error("this is no file of factors: {message}")]
    BadFactors {
        /// What is wrong.
        message: String,
    },
    /// A file of factors that was changed after it was written.
    #[error("the file of factors is damaged: its content is not what was written")]
    DamagedFactors,
    /// The estimates cannot stand in a robot file.
    #[error("link `{link}` has a first moment but no mass: no centre of mass gives that")]
    NoMass {
        /// Link.
        link: String,
    },
}

/// Joints by name.
fn named(joints: &[String]) -> String {
    let names = joints.iter().map(|joint| format!("`{joint}`")).collect::<Vec<_>>();
    format!("joint{} {}", if joints.len() == 1 { "" } else { "s" }, list(&names))
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
            Self::TooLarge { .. } => "too-large",
            Self::Unsmooth => "unsmooth",
            Self::Quaternion { .. } => "bad-quaternion",
            Self::NoTime { .. } => "no-time",
            Self::QuaternionDerivatives { .. } | Self::QuaternionSeries { .. } => "unsupported-joint",
            Self::Cutoff { .. } => "bad-cutoff",
            Self::TooFew { .. } => "too-few-samples",
            Self::BeyondRange => "too-large",
            Self::PriorWeight { .. } => "bad-weight",
            Self::Bounds { .. } => "bad-bounds",
            Self::Units { .. } | Self::WrongClock { .. } | Self::WrongScale { .. } => "wrong-units",
            Self::WrongSign { .. } => "wrong-sign",
            Self::NoPositions { .. } | Self::WrenchPart { .. } => "missing-column",
            Self::WrenchColumn { .. } => "unknown-column",
            Self::TooLittleMotion { .. } => "too-little-motion",
            Self::Unfelt { .. } => "unfelt-link",
            Self::Search { .. } => "bad-search",
            Self::NoMotion { .. } => "no-motion",
            Self::OtherProblem { .. } => "other-problem",
            Self::OtherDrives => "other-drives",
            Self::OtherRobot { .. } => "other-robot",
            Self::SameSamples { .. } => "same-samples",
            Self::OtherSettings { .. } => "other-settings",
            Self::DamagedFactors => "damaged-factors",
            Self::Coupling { .. } => "bad-coupling",
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
            Self::TooLarge { .. } => "a cell that was damaged, or a value that stands for a missing one: leave the line out".to_owned(),
            Self::NoTime { .. } => "add a column `t` in seconds, or say --rate HZ".to_owned(),
            Self::Cutoff { rate, .. } => format!("it lies between 0 and half the sampling rate, {} Hz", rate / 2.0),
            Self::Units { .. } => "positions are in rad or m, torques in N m or N; convert the column".to_owned(),
            Self::WrongSign { .. } => {
                "torques are those that the drives give to the joints, positive in the direction of the axis: change the sign of the columns `tau`, \
                 or of the positions if it is they"
                    .to_owned()
            }
            Self::WrongScale { .. } => "torques are in N m or N, at the joint and not at the motor; convert the columns".to_owned(),
            Self::WrongClock { .. } => {
                "`t` is in s, ms, µs or ns; what it is cannot always be told from the stamps: convert it to s (or the inertias of the robot file, if \
                 it is they)"
                    .to_owned()
            }
            Self::WrenchColumn { links, .. } => {
                format!("wrench:LINK[PART] with PART fx, fy, fz, mx, my or mz and LINK one of {}", list(links))
            }
            Self::WrenchPart { .. } => "three forces, or three forces and three moments".to_owned(),
            Self::NoPositions { joints, .. } => {
                let locks: Vec<String> = joints.iter().map(|joint| format!("--lock {joint}")).collect();
                format!("if they stood still: {}, or --lock JOINT=VALUE for a position other than zero", locks.join(" "))
            }
            Self::TooLittleMotion { .. } => {
                "move all joints, fast and slow, through most of their range: `jourdain excite` finds such a motion"
                    .to_owned()
            }
            Self::Unfelt { .. } => "name a link behind a moving joint: the one that carries the load".to_owned(),
            Self::TooFew { .. } => "record longer; derivatives also cost samples at both ends of a log".to_owned(),
            Self::NoMotion { .. } => {
                "a larger share of the effort limits, a smaller clearance or radius, or pairs of links that may touch".to_owned()
            }
            Self::QuaternionSeries { .. } => "hold the base: --fixed; or lock the joint: --lock".to_owned(),
            Self::OtherDrives => {
                "the load is that of the log that was read first: read the second one together with the first, or after --merge \
                 of its factors"
                    .to_owned()
            }
            Self::Bounds { .. } => {
                "a range is [least, largest], in kg or m in the frame of the link; --total-mass is that of the links that move".to_owned()
            }
            Self::Coupling { .. } => {
                "row i has the velocity of joint i as the motors make it: [[1, 0], [-1, 1]] for a second motor that turns with both"
                    .to_owned()
            }
            Self::OtherRobot { .. } => "merge factors of one robot; its inertias may differ, its geometry may not".to_owned(),
            Self::SameSamples { .. } => "take every log, and every part of it, once".to_owned(),
            Self::OtherSettings { .. } => "give all parts the same --cutoff, --delay and --decimate".to_owned(),
            Self::DamagedFactors => "copy the file again, or read its log again with --factors".to_owned(),
            Self::OtherProblem { .. } => "robot, --friction and --armature must be those of all parts".to_owned(),
            _ => return None,
        })
    }

    /// Line and cell of a log, from 1, where the error has one.
    #[must_use]
    pub fn place(&self) -> Option<(u64, usize)> {
        match self {
            Self::Table(error) => error.place(),
            Self::TooLarge { place, column, .. } => Some((place.number(), *column)),
            Self::WrenchColumn { column, .. } => Some((1, *column)),
            Self::TimeOrder { place, .. } | Self::Quaternion { place, .. } => Some((place.number(), 1)),
            _ => None,
        }
    }

    /// The data are well-formed, but do not determine the answer.
    #[must_use]
    pub fn is_unsolved(&self) -> bool {
        matches!(self, Self::TooLittleMotion { .. } | Self::NoMotion { .. })
    }
}
