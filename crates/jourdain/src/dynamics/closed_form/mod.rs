//! The dynamics of any tree robot in closed form, after Garofalo, Ott and Albu-Schäffer, "On the closed form computation of
//! the dynamic matrices and their differentiations", IROS 2013 (**G**).
//!
//! | quantity | equation | function |
//! |---|---|---|
//! | Jacobians and their rates | (26)–(29), (31), (32) | [`Outward`] |
//! | M, C, g | (6) | [`mass_matrix()`], [`coriolis_matrix`], [`gravity()`] |
//! | centre of mass | (7) | [`com()`], [`com_jacobian`] |
//! | τ | (5) | [`inverse_dynamics()`], [`external_forces`] |
//!
//! Everything is a sum over links of products with the link's Jacobian, so that one [`Outward`] pass serves several
//! quantities: each is a method of it, and a plain function beside. This is the reference that the fast path is held
//! against, and what symbols print; it allocates.

mod body_form;
mod com;
mod coriolis;
mod external;
mod gravity;
mod inverse_dynamics;
mod mass_matrix;
mod outward;
mod outward_partials;

pub use com::{com, com_jacobian};
pub use coriolis::coriolis_matrix;
pub use external::external_forces;
pub use gravity::gravity;
pub use inverse_dynamics::inverse_dynamics;
pub use mass_matrix::mass_matrix;
pub use outward::{LinkMotion, Outward};
pub use outward_partials::LinkPartials;
