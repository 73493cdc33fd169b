//! Inverse kinematics that resolves redundancy.
mod chain;
mod chang;
mod continuation;
pub mod criterion;
mod enumerate;
mod hybrid;
mod linear;
mod newton;
mod reach;
mod report;
mod resolved_motion;
mod search;
mod solver;
mod start;
mod task;

pub use chain::{Chain, Geometry, Variable};
pub use chang::Extra;
pub use continuation::PathSolution;
pub use report::{Goal, IkError, Kind, Options, Report, Solution, Status};
pub use resolved_motion::ResolvedMotion;
pub use solver::Solver;
pub use task::{LENGTH, Orientation, Task};
