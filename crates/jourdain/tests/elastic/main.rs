//! Elastic joints.

#[path = "../common/mod.rs"]
mod common;

mod elastic;
mod elastic_complete;
mod elastic_damping;
mod elastic_energy;
mod elastic_laws;
mod refusals;
