//! The fast path: recursions over the bodies of the [compiled](crate::model::compiled) model.
//!
//! Every function has an `_into` form that writes to a slice (row-major) and allocates nothing, given a
//! [`Workspace`](crate::Workspace) made for the model. Lengths are the caller's duty here; the
//! [registry](crate::quantity) checks them.

mod composite;
mod coupling;
mod matrices;
mod newton_euler;
mod position;

pub(crate) use composite::CommonFrame;
pub(crate) use matrices::{Gyration, Torsionless};
pub use matrices::{
    coriolis_matrix, coriolis_matrix_into, dynamic_matrices_into, gravity, gravity_into, mass_matrix, mass_matrix_into,
};
pub(crate) use newton_euler::NewtonEuler;
pub use newton_euler::{inverse_dynamics, inverse_dynamics_into};
pub(crate) use position::Positions;
