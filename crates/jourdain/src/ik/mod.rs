//! Inverse kinematics that resolves redundancy.
mod chain;
pub mod criterion;
mod linear;
mod task;
pub use chain::{Chain, Geometry, Variable};
pub use task::{Orientation, Task};
