//! Why a robot cannot be edited as asked.

/// Why an edit cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// No link is called so.
    #[error("there is no link `{name}`")]
    UnknownLink {
        /// The name asked for.
        name: String,
        /// All links.
        known: Vec<String>,
    },
    /// No joint is called so.
    #[error("there is no joint `{name}`")]
    UnknownJoint {
        /// The name asked for.
        name: String,
        /// All joints that move.
        known: Vec<String>,
    },
    /// The joint follows another and cannot be locked by itself.
    #[error("the joint `{joint}` follows `{leader}` and stands where that one stands: lock `{leader}`")]
    Follows {
        /// The joint asked for.
        joint: String,
        /// The joint that leads it.
        leader: String,
    },
    /// The joint does not move, so that it stands at no value.
    #[error("the joint `{joint}` does not move and cannot be locked at a value")]
    Motionless {
        /// The joint.
        joint: String,
    },
    /// Too few or too many numbers for a joint.
    #[error("the joint `{joint}` has {expected} in q, not {given}", expected = numbers(*.expected))]
    WrongCount {
        /// The joint.
        joint: String,
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A quaternion without a direction.
    #[error("the quaternion of joint `{joint}` is zero; no turn is 1, 0, 0, 0")]
    ZeroQuaternion {
        /// The joint.
        joint: String,
    },
    /// A number that nothing can be computed with.
    #[error("{what} is not finite")]
    NotFinite {
        /// What it is.
        what: &'static str,
    },
    /// A factor that is zero or negative.
    #[error("inertia is multiplied by a positive factor, not by {factor}")]
    BadFactor {
        /// The factor.
        factor: f64,
    },
    /// Link and payload weigh nothing together, but not each.
    #[error("link `{link}` and payload weigh nothing together, so that they have no centre of mass")]
    NoMass {
        /// The link.
        link: String,
    },
    /// Nothing would be left.
    #[error("nothing would be left of the robot")]
    NothingLeft,
    /// There are several ends that a tool could be mounted on, or none.
    #[error("the robot has no link `tool` and not one end but {count}: say where the tool is mounted", count = .ends.len())]
    ManyEnds {
        /// The links that carry none.
        ends: Vec<String>,
    },
}

impl EditError {
    /// A stable word for the kind.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownLink { .. } => "unknown-link",
            Self::UnknownJoint { .. } => "unknown-joint",
            Self::Follows { .. } => "locked-follower",
            Self::Motionless { .. } => "motionless-joint",
            Self::WrongCount { .. } => "wrong-length",
            Self::ZeroQuaternion { .. } => "zero-quaternion",
            Self::NotFinite { .. } => "not-finite",
            Self::BadFactor { .. } => "bad-factor",
            Self::NoMass { .. } => "no-mass",
            Self::NothingLeft => "no-links",
            Self::ManyEnds { .. } => "many-ends",
        }
    }

    /// The names that could have been meant: what is there, if the name asked for is not.
    #[must_use]
    pub fn known(&self) -> Option<(&str, &[String])> {
        match self {
            Self::UnknownLink { name, known } | Self::UnknownJoint { name, known } => Some((name, known)),
            Self::Follows { .. }
            | Self::Motionless { .. }
            | Self::WrongCount { .. }
            | Self::ZeroQuaternion { .. }
            | Self::NotFinite { .. }
            | Self::BadFactor { .. }
            | Self::NoMass { .. }
            | Self::NothingLeft
            | Self::ManyEnds { .. } => None,
        }
    }
}

fn numbers(count: usize) -> String {
    if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") }
}
