//! Base parameters: their number, their values and what they leave unchanged.

#[path = "../common/mod.rs"]
mod common;

mod base_parameter_ranks;
mod base_parameters;
mod coupled_base_parameters;
mod laws;
