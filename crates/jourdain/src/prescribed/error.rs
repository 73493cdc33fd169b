//! What can be wrong with a prescribed motion.

/// Why there is no motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PrescribedError {
    /// Spherical and free joints have quaternions.
    #[error("{robot} has spherical or free joints, whose positions are no curves")]
    Quaternions {
        /// The robot's name.
        robot: String,
    },
    /// The number of curves is not the robot's.
    #[error("the trajectory has {found} joints, but {robot} has {expected}")]
    Joints {
        /// The robot's name.
        robot: String,
        /// Numbers of its position.
        expected: usize,
        /// Curves given.
        found: usize,
    },
    /// Begin and end are not in order.
    #[error("a trajectory cannot run from {start} s to {end} s")]
    Span {
        /// Begin.
        start: f64,
        /// End.
        end: f64,
    },
    /// Times that do not increase, or too few of them.
    #[error("{0}")]
    Points(String),
    /// The text is not a trajectory.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Line, from 1; zero if unknown.
        line: usize,
        /// Column, from 1; zero if unknown.
        column: usize,
    },
    /// A load names a link that is not there.
    #[error("robot `{robot}` has no link `{link}`")]
    UnknownLink {
        /// The name.
        link: String,
        /// The robot's name.
        robot: String,
    },
}
