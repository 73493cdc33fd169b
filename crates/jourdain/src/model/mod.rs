//! The robot: a tree of links joined by joints.
//!
//! A file is read into a [`Description`], which is checked and built into a [`Model`].

pub mod body_tree;
mod build;
pub mod check;
pub mod description;
mod diagnostic;
pub mod joint;
mod link;
mod map;
mod number;
mod tree;

pub use build::BuildError;
pub use description::Description;
pub use diagnostic::{Diagnostic, Severity};
pub use joint::{Joint, JointType, Motion, Screw};
pub use link::{Column, Limits, Link, Mimic, Motor};
pub use number::{Fraction, Number};
pub use tree::Model;
