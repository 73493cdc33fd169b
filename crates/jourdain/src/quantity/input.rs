//! What quantities read of a state.

use crate::model::Model;
use crate::state::{State, StateError};
use jourdain_symbolic::Scalar;
use std::fmt;

/// A part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// The position `q`.
    Position,
    /// The velocity `qd`.
    Velocity,
    /// The acceleration `qdd`.
    Acceleration,
    /// The jerk `qddd`.
    Jerk,
    /// The snap `qdddd`.
    Snap,
    /// The derivatives of the position above the fourth, `derivatives`; missing ones are zero.
    Higher,
    /// The reference velocity `qd_r`.
    ReferenceVelocity,
    /// The reference acceleration `qdd_r`.
    ReferenceAcceleration,
    /// The joint torques `tau`.
    Torque,
    /// The wrenches applied to links.
    Wrenches,
}

impl Input {
    /// All of them, in the order of arguments in generated code.
    pub const ALL: [Self; 10] = [
        Self::Position,
        Self::Velocity,
        Self::Acceleration,
        Self::Jerk,
        Self::Snap,
        Self::Higher,
        Self::ReferenceVelocity,
        Self::ReferenceAcceleration,
        Self::Torque,
        Self::Wrenches,
    ];

    /// The input of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|input| input.key() == key)
    }

    /// The key in a state file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Position => "q",
            Self::Velocity => "qd",
            Self::Acceleration => "qdd",
            Self::Jerk => "qddd",
            Self::Snap => "qdddd",
            Self::Higher => "derivatives",
            Self::ReferenceVelocity => "qd_r",
            Self::ReferenceAcceleration => "qdd_r",
            Self::Torque => "tau",
            Self::Wrenches => "wrenches",
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// That the vectors a quantity reads have the robot's lengths.
pub(super) fn check_lengths<S: Scalar>(
    inputs: &[Input],
    model: &Model<S::Constant>,
    state: &State<S>,
) -> Result<(), StateError> {
    for &input in inputs {
        let (vector, expected) = match input {
            Input::Position => (&state.q, model.nq()),
            Input::Velocity => (&state.qd, model.nv()),
            Input::Acceleration => (&state.qdd, model.nv()),
            Input::Jerk => (&state.qddd, model.nv()),
            Input::Snap => (&state.qdddd, model.nv()),
            Input::Higher => match state.derivatives.iter().find(|vector| vector.len() != model.nv()) {
                Some(vector) => (vector, model.nv()),
                None => continue,
            },
            Input::ReferenceVelocity => (&state.qd_r, model.nv()),
            Input::ReferenceAcceleration => (&state.qdd_r, model.nv()),
            Input::Torque => (&state.tau, model.nv()),
            Input::Wrenches => {
                let count = model.links().len();
                match state.wrenches.iter().find(|load| load.link >= count) {
                    Some(load) => {
                        let robot = model.name().to_owned();
                        return Err(StateError::NoSuchLink { link: load.link, robot, count });
                    }
                    None => continue,
                }
            }
        };
        if vector.len() != expected {
            let (name, robot) = (input.key(), model.name().to_owned());
            return Err(StateError::Length { name, robot, found: vector.len(), expected });
        }
    }
    Ok(())
}
