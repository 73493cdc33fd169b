//! The robot: a tree of links joined by joints.
//!
//! A file is read into a [`Description`], which is checked and built into a [`Model`].

mod build;
pub mod check;
pub mod compiled;
mod coordinate;
pub mod description;
mod diagnostic;
pub mod joint;
mod link;
mod map;
mod number;
mod parameter;
mod tree;

pub use build::BuildError;
pub use coordinate::{Coordinate, CoordinateKind, Part, Unit, plain_name, units};
pub use description::Description;
pub use diagnostic::{Diagnostic, Severity};
pub use joint::{Joint, JointType, Motion, Screw};
pub use link::{Column, Limits, Link, Mimic, Motor};
pub use number::{Fraction, Number};
pub use parameter::{DriveTerm, Inertial, LinkNumber, Parameter, ParameterError, ParameterKind};
pub use tree::Model;
