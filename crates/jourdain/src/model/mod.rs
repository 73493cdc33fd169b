//! The robot: a tree of links joined by joints.
//!
//! A file is read into a [`Description`], which is checked and built into a model.

pub mod check;
pub mod description;
mod diagnostic;
mod number;

pub use description::Description;
pub use diagnostic::{Diagnostic, Severity};
pub use number::{Fraction, Number};
