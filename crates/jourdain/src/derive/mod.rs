//! From a quantity to its formula: tracing a robot's formula on symbols and turning it into a program.

mod arguments;
mod trace;

pub use trace::{Derivation, DeriveError, DeriveOptions, derive};
