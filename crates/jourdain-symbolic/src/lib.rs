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
//! | [`Expr`] | the formula itself, and from it a [`Program`] |
//!
//! A [`Scalar`] is `Copy`. The constants of a model (masses, lengths) have a type of their own,
//! [`Scalar::Constant`], so that a jet or a symbol is *scaled* by a constant and never multiplied by a second variable.
//! Scalars nest: `Jet<Lanes<4>, 3>` is two time derivatives of four states, `Dual<Jet<f64, 3>>` a partial derivative of
//! each of them. [`sin_cos_slice`] takes the sines and cosines of all joints in one vectorised pass.
//!
//! ```
//! use jourdain_symbolic::{Dual, Jet, Lanes, Scalar};
//!
//! /// The height of a pendulum's bob: one formula.
//! fn height<S: Scalar>(length: S::Constant, angle: S) -> S {
//!     -angle.sin_cos().1.scale(length)
//! }
//!
//! assert_eq!(height(2.0, 0.0), -2.0);
//! assert_eq!(height(2.0, Lanes([0.0; 4])), Lanes([-2.0; 4]));
//! // Swinging through the lowest point at 3 rad/s: no vertical velocity, an acceleration of 2 · 3² upwards.
//! assert_eq!(height(2.0, Jet::from_derivatives([0.0, 3.0, 0.0])).derivatives(), [-2.0, 0.0, 18.0]);
//! // The slope at 30 degrees.
//! let slope = height(2.0, Dual::variable(std::f64::consts::FRAC_PI_6)).derivative;
//! assert!((slope - 1.0).abs() < 1e-15);
//! ```

// Generated machine code is called from one module, see `jit`, and code for wide registers from `registers`.
#![deny(unsafe_code)]

pub mod collect;
mod dual;
pub mod emit;
pub mod expr;
mod fraction;
mod jet;
mod jit;
mod lanes;
mod mixer;
mod program;
#[cfg(test)]
mod random;
#[allow(unsafe_code)]
mod registers;
mod scalar;
mod sincos;

pub use dual::Dual;
pub use expr::Expr;
pub use fraction::Fraction;
pub use jet::Jet;
pub use jit::{BackEnd, Compiled, CompiledScratch, processor_features};
pub use lanes::Lanes;
pub use program::{Argument, Instruction, Operand, Operations, Options, Program, Tape, TapeScratch, UnknownSymbol};
pub use registers::{Loops, in_registers};
pub use scalar::{Ahead, Constant, Scalar};
pub use sincos::sin_cos_slice;
