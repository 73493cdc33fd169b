//! Inverse kinematics by its laws: bounds, certificates, limits and paths on arms whose answers are known.

#[path = "../common/mod.rs"]
mod common;

mod bounds;
mod certificates;
mod limits;
mod paths;
