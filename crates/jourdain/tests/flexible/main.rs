//! Planar arms with flexible links.

#[path = "../common/beam.rs"]
mod beam;

mod arm_files;
mod flexible_stiffness;
mod laws;
