//! Why a quantity could not be evaluated, with the names and values that tell.

use super::Entry;
use crate::dynamics::SingularMassMatrix;
use crate::kinematics::Massless;
use crate::state::StateError;

/// Most elements of a quantity: half a gigabyte of numbers.
pub const MOST_ELEMENTS: usize = 1 << 26;

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
    /// A derivative of an order that there is not.
    #[error("`{family}` has orders from {first} to {last}{}", order.map_or(String::new(), |order| format!(", not {order}")), first = Entry::FIRST_ORDER, last = Entry::LAST_ORDER)]
    Order {
        /// The family.
        family: &'static str,
        /// The order asked for, if one was.
        order: Option<usize>,
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
    /// A motor turns with several joints, and parameters have no columns for it.
    #[error("`{name}` has no columns for the shaft of `{joint}`, which turns with several joints of {robot}")]
    Shaft {
        /// The quantity.
        name: String,
        /// The joint that the shaft belongs to.
        joint: String,
        /// The robot.
        robot: String,
    },
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
    /// The quantity has more elements than is sensible.
    #[error("`{name}` would have {elements} elements; at most {most} are computed", most = MOST_ELEMENTS)]
    TooLarge {
        /// The quantity.
        name: String,
        /// Its number of elements.
        elements: usize,
    },
    /// The mass matrix has no inverse in this position.
    #[error(transparent)]
    Singular(#[from] SingularMassMatrix),
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
            Self::Order { .. } => "unknown-order",
            Self::UnknownLink { .. } => "unknown-link",
            Self::State(_) => "bad-state",
            Self::Massless(_) => "massless",
            Self::Shaft { .. } => "shaft",
            Self::Room { .. } => "wrong-length",
            Self::TooLarge { .. } => "too-large",
            Self::Singular(_) => "singular-mass-matrix",
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
            Self::Order { family, .. } => {
                let stem = family.trim_end_matches("dN");
                Some(format!("write `{stem}d3`, or `{stem}dot` and `{stem}ddot` for the first two"))
            }
            Self::Singular(error) => Some(error.hint().to_owned()),
            Self::NotFinite { .. } => Some("the numbers of the state are too large".to_owned()),
            Self::Shaft { .. } => Some("take the shaft out of the robot file: the rest has regressors".to_owned()),
            Self::State(_) | Self::Massless(_) | Self::Room { .. } | Self::TooLarge { .. } => None,
        }
    }
}
