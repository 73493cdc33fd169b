//! The scalars that jourdain's formulas are written over.
//!
//! A formula is one function generic over [`Scalar`]. What it computes depends on what it is run on:
//!
//! | run on | gives |
//! |---|---|
//! | `f64` | numbers |
//! | [`Jet`] | time derivatives of any order (a truncated Taylor series) |
//! | [`Dual`] | the derivative along one direction |
//! | [`Lanes`] | several states at once |
//!
//! A [`Scalar`] is `Copy`. The constants of a model (masses, lengths) have a type of their own,
//! [`Scalar::Constant`], so that a jet or a symbol is *scaled* by a constant and never multiplied by a second variable.

#![forbid(unsafe_code)]

mod scalar;

pub use scalar::{Constant, Scalar};
