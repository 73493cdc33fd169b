//! The robot: a tree of links joined by joints.
//!
//! A file is read into a [`Description`], which is checked and lowered, once and together, and then built into a [`Model`].

mod balance;
pub mod body_tree;
mod build;
pub mod check;
mod checked;
mod coordinate;
pub mod description;
mod diagnostic;
pub mod edit;
pub mod field;
mod formula;
pub mod harmless;
mod hysteresis;
pub mod joint;
mod link;
pub(crate) mod lowered;
mod map;
mod named;
mod number;
mod parameter;
pub mod shape;
mod tree;

pub use balance::{BalanceDescription, BalanceError, Cylinder, Rise};
pub use build::BuildError;
pub use checked::Checked;
pub use coordinate::{Coordinate, CoordinateKind, Part, plain_name, units};
pub use description::Description;
pub use diagnostic::{Diagnostic, IncludedFile, Severity};
pub use edit::{Edit, EditError, Edited, Payload};
pub use formula::{Formula, FormulaError, Step};
pub use hysteresis::{Element, Hysteresis, MOST_ELEMENTS};
pub use joint::{Joint, JointKind, JointType, Motion, Screw};
pub use link::{Column, Limits, Link, Mimic, Motor, Shaft};
pub use number::{Fraction, Number};
pub use parameter::{DriveTerm, Inertial, LinkNumber, Parameter, ParameterError, ParameterKind};
pub use tree::{Model, SNAP};
