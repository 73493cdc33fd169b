//! Why a quantity could not be evaluated, with the names and values that tell.

use crate::kinematics::Massless;
use crate::state::StateError;

/// Why a quantity could not be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantityError {
    /// No quantity has this name.
    #[error("there is no quantity `{name}`")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// A per-link quantity was asked for without a link.
    #[error("`{name}` belongs to a link")]
    LinkMissing {
        /// The quantity.
        name: &'static str,
        /// A link it could be asked for.
        example: Option<String>,
    },
    /// A quantity of the whole robot was asked for one link.
    #[error("`{name}` belongs to the whole robot, not to a link")]
    LinkUnexpected {
        /// The quantity.
        name: &'static str,
    },
    /// The robot has no such link.
    #[error("robot `{robot}` has no link `{link}`")]
    UnknownLink {
        /// The link asked for.
        link: String,
        /// The robot.
        robot: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// The state does not fit the robot.
    #[error(transparent)]
    State(#[from] StateError),
    /// The robot has no centre of mass.
    #[error(transparent)]
    Massless(#[from] Massless),
    /// The output does not have the size of the quantity.
    #[error("`{name}` has {expected} elements, but there is room for {found}")]
    Room {
        /// The quantity.
        name: String,
        /// Elements of the quantity.
        expected: usize,
        /// Elements of the output.
        found: usize,
    },
    /// The result is not a finite number.
    #[error("element {index} of `{name}` comes out as {value}")]
    NotFinite {
        /// The quantity.
        name: String,
        /// The element, row-major.
        index: usize,
        /// NaN or an infinity.
        value: f64,
    },
}

impl QuantityError {
    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown-quantity",
            Self::LinkMissing { .. } => "link-missing",
            Self::LinkUnexpected { .. } => "link-unexpected",
            Self::UnknownLink { .. } => "unknown-link",
            Self::State(_) => "bad-state",
            Self::Massless(_) => "massless",
            Self::Room { .. } => "wrong-length",
            Self::NotFinite { .. } => "not-finite",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { suggestion: Some(near), .. } | Self::UnknownLink { suggestion: Some(near), .. } => {
                Some(format!("did you mean `{near}`?"))
            }
            Self::Unknown { .. } => Some("`jourdain quantities` lists them all".to_owned()),
            Self::UnknownLink { .. } => Some("`jourdain info` shows the links".to_owned()),
            Self::LinkMissing { name, example } => {
                Some(format!("write `{name}:LINK`, such as `{name}:{}`", example.as_deref().unwrap_or("tool")))
            }
            Self::LinkUnexpected { name } => Some(format!("write `{name}`")),
            Self::NotFinite { .. } => Some(
                "the numbers of the state are too large, or the mass matrix is singular: `jourdain check` names \
                 massless links that make it so"
                    .to_owned(),
            ),
            Self::State(_) | Self::Massless(_) | Self::Room { .. } => None,
        }
    }
}
