//! Robots as files: what is read, converted, edited, checked and refused.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/compare.rs"]
mod compare;

mod bad_input;
mod convert;
mod edits;
mod equivalent_robots;
mod expressions;
mod mjcf;
mod robot_checks;
mod robot_files;
mod screw_lists;
mod sdf;
mod sdf_findings;
mod shapes;
mod states;
mod xacro;
mod xacro_files;
mod zoo;
