//! The fast path: recursions over the [tree of bodies](crate::model::body_tree) of a model.
//!
//! Every function has an `_into` form that writes to a slice (row-major) and allocates nothing, given a
//! [`Workspace`](crate::Workspace) made for the model. Lengths are the caller's duty here; the
//! [registry](crate::quantity) checks them.

mod articulated;
mod composite;
mod composite_bodies;
mod coupling;
mod derivative_tables;
mod energy;
mod factor;
mod forward;
mod lie_series;
mod matrices;
mod matrix_rates;
mod newton_euler;
mod partials;
mod position;
mod rates;
mod regressor;
mod regular;
mod tensors;
mod time_derivatives;

pub use articulated::articulated_body_into;
pub use derivative_tables::{TableScratch, inverse_dynamics_tables, inverse_dynamics_tables_into};
pub use energy::{kinetic_energy, potential_energy};
pub use forward::{
    forward_dynamics, forward_dynamics_by_factor_into, forward_dynamics_into, forward_dynamics_partials,
    forward_dynamics_partials_into, mass_matrix_inverse, mass_matrix_inverse_dq_into, mass_matrix_inverse_into,
};
pub use lie_series::{
    MOST_ORDER, coriolis_matrix_derivative_into, external_forces_derivative, gravity_derivative,
    inverse_dynamics_derivative, mass_matrix_derivative_into,
};
pub use matrices::{
    coriolis_matrix, coriolis_matrix_into, dynamic_matrices_into, gravity, gravity_into, mass_matrix, mass_matrix_into,
};
pub use matrix_rates::{RateScratch, dynamic_matrices_rates_into};
pub use newton_euler::{bias_into, external_forces_into, inverse_dynamics, inverse_dynamics_into, link_torques_into};
pub use partials::{
    gravity_partials, gravity_partials_into, inverse_dynamics_partials, inverse_dynamics_partials_into,
};
pub use rates::{
    coriolis_matrix_dot, coriolis_matrix_dot_into, gravity_dot, gravity_dot_into, mass_matrix_dot, mass_matrix_dot_into,
};
pub use regressor::{
    energy_regressor, energy_regressor_into, momentum_regressor, momentum_regressor_into, parameter_count, regressor,
    regressor_into, slotine_li_regressor, slotine_li_regressor_dot, slotine_li_regressor_into,
};
pub use regular::check_regular;
pub use tensors::{
    DualScratch, coriolis_matrix_dq, coriolis_matrix_dq_into, coriolis_matrix_dqd, coriolis_matrix_dqd_into,
    mass_matrix_dq, mass_matrix_dq_into,
};
pub use time_derivatives::{
    JetScratch, WorldWrench, coriolis_matrix_derivatives, coriolis_matrix_series_into, dynamic_matrices_series_into,
    external_forces_derivatives, external_forces_series_into, gravity_derivatives, gravity_series_into,
    inverse_dynamics_derivatives, inverse_dynamics_derivatives_under, inverse_dynamics_series_into,
    inverse_dynamics_under_series_into, mass_matrix_derivatives, mass_matrix_series_into, world_wrench,
    world_wrench_series, wrench_series,
};

pub(crate) use articulated::ArticulatedBodies;
pub(crate) use composite::CommonFrame;
pub(crate) use composite_bodies::CompositeBodies;
pub(crate) use forward::solve_with_last_factor;
pub(crate) use matrices::{Gyration, Torsionless};
pub(crate) use newton_euler::NewtonEuler;
pub(crate) use partials::Partials;
pub(crate) use position::Positions;
pub(crate) use regressor::RegressorScratch;
