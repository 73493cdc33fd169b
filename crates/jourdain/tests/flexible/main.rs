//! Planar arms with flexible links.

#[path = "../common/beam.rs"]
mod beam;

mod flexible_stiffness;
mod laws;
