//! From a quantity to its formula: tracing a robot's formula on symbols and turning it into a program.

mod arguments;
mod package;
mod reference;
mod together;
mod trace;

pub use package::{Package, PackageOptions, package};
pub use reference::{program_inputs, reference_state};
pub use together::derive_together;
pub use trace::{Derivation, DeriveError, DeriveOptions, derive};
