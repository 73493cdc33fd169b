//! Expressions in an order for reading and comparing.
//!
//! [`Polynomial::expand`] multiplies an expression out into a sum of terms, each with at most one sine or cosine of a sum
//! of angles: a canonical form, equal for equal expressions. [`Tree`] is an expression as it is written, and [`collect`]
//! puts a polynomial into one, collected by motion and by sines and cosines. Nothing else in the crate expands.

mod expand;
mod group;
mod polynomial;
mod shared;
mod tree;

pub use expand::TooLarge;
pub use group::collect;
pub use polynomial::{Angle, Polynomial, Term};
pub use shared::{Definition, definitions};
pub use tree::{Notation, Role, Symbol, Tree};

#[cfg(test)]
mod tests;
