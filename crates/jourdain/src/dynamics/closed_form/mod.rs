//! The dynamics of any tree robot in closed form, after Garofalo, Ott and Albu-Schäffer, "On the closed form computation of
//! the dynamic matrices and their differentiations", IROS 2013 (**G**).
//!
//! | quantity | equation | function |
//! |---|---|---|
//! | Jacobians and their rates | (26)–(29), (31), (32) | [`Outward`] |
//! | M, C, g | (6) | [`mass_matrix()`], [`coriolis_matrix`], [`gravity()`] |
//! | centre of mass | (7) | [`com()`], [`com_jacobian`] |
//! | ∂M/∂π, ∂C/∂π, ∂g/∂π | (8)–(13) | [`mass_matrix_dpi`], [`coriolis_matrix_dpi`], [`gravity_dpi`] |
//! | regressors | (15), (16) | [`slotine_li_regressor`], [`regressor()`] |
//! | ∂M/∂q, ∂C/∂q, ∂C/∂q̇, ∂g/∂q | (24) | [`mass_matrix_dq`], [`coriolis_matrix_dq`], [`coriolis_matrix_dqd`], [`gravity_dq`] |
//! | Ṁ, Ċ, ġ | (25) | [`mass_matrix_dot`], [`coriolis_matrix_dot`], [`gravity_dot`] |
//! | J̈, twist and accelerations of a link, centroidal momentum matrix | (26)–(29) | [`jacobian_ddot`], [`twist`], [`acceleration`], [`centroidal_matrix`] |
//! | τ | (5) | [`inverse_dynamics()`], [`external_forces`] |
//! | ∂τ/∂q, ∂τ/∂q̇ | (24) | [`inverse_dynamics_dq`], [`inverse_dynamics_dqd`] |
//!
//! Everything is a sum over links of products with the link's Jacobian, so that one [`Outward`] pass serves several
//! quantities: each is a method of it, and a plain function beside. This is the reference that the fast path is held
//! against, and what symbols print; it allocates.
//!
//! [`mueller_kumar`] is a second, independent form with time derivatives of any order.

mod body_form;
mod com;
mod coriolis;
mod external;
mod gravity;
mod inverse_dynamics;
mod inverse_dynamics_partials;
mod link_motion;
mod mass_matrix;
pub mod mueller_kumar;
mod outward;
mod outward_partials;
mod parameters;
mod partials;
mod rates;
mod regressor;

pub use com::{com, com_jacobian};
pub use coriolis::coriolis_matrix;
pub use external::external_forces;
pub use gravity::gravity;
pub use inverse_dynamics::inverse_dynamics;
pub use inverse_dynamics_partials::{inverse_dynamics_dq, inverse_dynamics_dqd};
pub use link_motion::{acceleration, centroidal_matrix, jacobian_ddot, spatial_acceleration, twist};
pub use mass_matrix::mass_matrix;
pub use outward::{LinkMotion, Outward};
pub use outward_partials::LinkPartials;
pub use parameters::{coriolis_matrix_dpi, gravity_dpi, mass_matrix_dpi, momentum_columns};
pub use partials::{christoffel_symbols, coriolis_matrix_dq, coriolis_matrix_dqd, gravity_dq, mass_matrix_dq};
pub use rates::{LinkRates, coriolis_matrix_dot, gravity_dot, mass_matrix_dot};
pub(crate) use regressor::parameter_units;
pub use regressor::{parameter_labels, parameters, regressor, slotine_li_regressor};
