//! Why a robot with elastic joints could not be set up, controlled or simulated.

use crate::dynamics::SingularMassMatrix;
use crate::integrate::IntegrationError;

/// Why it could not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ElasticError {
    /// No joint has a stiffness.
    #[error("{robot} has no elastic joint")]
    NoElasticJoint {
        /// The robot's name.
        robot: String,
    },
    /// Spherical and free joints have quaternions.
    #[error("{robot} has the spherical or free joint `{joint}`, which the elastic model does not take")]
    Quaternions {
        /// The robot's name.
        robot: String,
        /// The joint.
        joint: String,
    },
    /// A spring on a joint with several numbers, or on a coupled one.
    #[error("the elastic joint `{joint}` {why}")]
    Joint {
        /// The joint.
        joint: String,
        /// What it must not be.
        why: &'static str,
    },
    /// A constant of a spring or rotor is out of its range.
    #[error("the {what} of the elastic joint `{joint}` must be positive, not {value}")]
    NotPositive {
        /// The joint.
        joint: String,
        /// Which constant.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Poles that no real gains give, or that are not stable.
    #[error("{0}")]
    Poles(String),
    /// A vector of the wrong length.
    #[error("{what} has {found} numbers, but {robot} needs {expected}")]
    Length {
        /// The vector.
        what: &'static str,
        /// The robot's name.
        robot: String,
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// A range of a study that makes no sense.
    #[error("the {what} must be {expected}, not {value}")]
    Range {
        /// Which range.
        what: &'static str,
        /// What it must be.
        expected: &'static str,
        /// Its value.
        value: f64,
    },
    /// The complete model of a robot whose links do not hold their rotors.
    #[error("the rotors of {robot} have more inertia about their axes than the links that carry them")]
    RotorsTooHeavy {
        /// The robot's name.
        robot: String,
    },
    /// The complete model linearised about a motion.
    #[error("{robot} with complete rotors is linearised at rest only")]
    CompleteMoving {
        /// The robot's name.
        robot: String,
    },
    /// The mass matrix is singular at the posture.
    #[error(transparent)]
    Singular(#[from] SingularMassMatrix),
    /// The mass matrix is regular, but not that of bodies.
    #[error(
        "the mass matrix of {robot} is not positive definite at this posture: negative masses have no small motions"
    )]
    Indefinite {
        /// The robot's name.
        robot: String,
    },
    /// The eigenvalues could not be found.
    #[error("the eigenvalues of {robot} do not converge at this posture")]
    Eigenvalues {
        /// The robot's name.
        robot: String,
    },
    /// An integration did not reach its end.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
}

impl ElasticError {
    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoElasticJoint { .. } => "no-elastic-joint",
            Self::Quaternions { .. } => "unsupported-joint",
            Self::Joint { .. } => "elastic-joint-type",
            Self::NotPositive { .. } => "not-positive",
            Self::Poles(_) => "bad-poles",
            Self::Length { .. } => "wrong-length",
            Self::Range { .. } => "bad-option",
            Self::Singular(_) => "singular-mass-matrix",
            Self::Indefinite { .. } => "not-positive-definite",
            Self::RotorsTooHeavy { .. } => "rotors-too-heavy",
            Self::CompleteMoving { .. } => "unsupported",
            Self::Eigenvalues { .. } => "no-convergence",
            Self::Integration(error) => error.kind(),
        }
    }

    /// True if the problem was well posed and could not be solved.
    #[must_use]
    pub fn is_breakdown(&self) -> bool {
        match self {
            Self::Singular(_) | Self::Indefinite { .. } | Self::Eigenvalues { .. } | Self::Integration(_) => true,
            Self::NoElasticJoint { .. }
            | Self::Quaternions { .. }
            | Self::Joint { .. }
            | Self::NotPositive { .. }
            | Self::Poles(_)
            | Self::Length { .. }
            | Self::RotorsTooHeavy { .. }
            | Self::CompleteMoving { .. }
            | Self::Range { .. } => false,
        }
    }
}
