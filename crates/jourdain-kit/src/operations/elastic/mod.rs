//! Operations on robots with elastic joints.

pub mod inverse;
pub mod linearise;
pub mod robustness;
mod setup;
pub mod simulate;

pub use setup::{Law, Loop};
