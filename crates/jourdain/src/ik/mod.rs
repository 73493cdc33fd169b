//! Inverse kinematics that resolves redundancy.
mod chain;
pub mod criterion;
mod linear;
mod newton;
mod reach;
mod report;
mod search;
mod solver;
mod start;
mod task;

pub use chain::{Chain, Geometry, Variable};
pub use report::{Goal, IkError, Kind, Options, Report, Solution, Status};
pub use solver::Solver;
pub use task::{LENGTH, Orientation, Task};
