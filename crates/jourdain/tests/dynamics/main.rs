//! Kinematics and dynamics of any tree: every way to a number against every other, and against laws.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/double.rs"]
mod double;
#[path = "../generated/mod.rs"]
mod generated;
#[path = "../logs/mod.rs"]
mod logs;

mod balance;
mod closed_form;
mod custom_laws;
mod drive_terms;
mod extreme_numbers;
mod kinematics;
mod large_angles;
mod large_trees;
mod laws;
mod long_chains;
mod mueller_kumar;
mod named_quantities;
mod product;
mod recursive;
mod refusals;
mod shafts;
mod simulate;
mod singular;
mod springs;
mod time_derivatives;
mod trajectories;
mod witnesses;
