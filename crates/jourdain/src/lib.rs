//! Closed-form robot models: kinematics and dynamics of tree robots, their derivatives and regressors.
//!
//! Every formula is one function generic over a [`Scalar`]: run on `f64` it gives numbers, on a
//! [`Jet`](jourdain_symbolic) time derivatives, on a dual partial derivatives, on lanes several states at once.

#![forbid(unsafe_code)]

pub mod dynamics;
pub mod formats;
pub mod kinematics;
pub mod matrix;
pub mod model;
pub mod quantity;
#[cfg(test)]
mod random;
pub mod robots;
pub mod spatial;
pub mod state;
mod workspace;

pub use jourdain_symbolic::{Constant, Scalar};
pub use matrix::Matrix;
pub use model::Model;
pub use state::State;
pub use workspace::Workspace;
