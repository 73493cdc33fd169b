//! The dynamics of any tree robot and its time derivatives in closed form, after Müller and Kumar, "Closed form time
//! derivatives of the equations of motion of rigid body systems", Multibody System Dynamics 53, 2021 (**MK**).
//!
//! | quantity | equation | method |
//! |---|---|---|
//! | A, X, a, b, D, U | (8)–(19), (23), (26) | [`System::new`] |
//! | M, Ṁ, M̈, … | (20), (29), (40) | [`System::mass_matrix`] |
//! | C̄ and its derivatives | (54), (31), (45) | [`System::coriolis_matrix`] |
//! | g, ġ, g̈, … | (25), (36), (52) | [`System::gravity`] |
//! | wrench torques and their derivatives | (27), (37), (53) | [`System::external_forces`] |
//! | τ, τ̇, τ̈, … | (1), (28), (38) | [`System::inverse_dynamics`] |
//! | the expressions as MK writes them | (30)–(53) | [`OneDof`] |
//!
//! One matrix of 6×6 blocks over all bodies takes the place of the sums over links of the parent module, with which this
//! one shares no formula: each is held against the other. [`System`] holds for trees, joints with several numbers and any
//! order of differentiation; [`OneDof`] has the paper's own expressions, which need joints with one number each, spherical
//! and free joints excluded.
//!
//! Traps. MK (50) is misprinted: the term M A a a A a has the coefficient 1, not 2. Twists and wrenches are stacked linear
//! part first, where MK has the angular part first. This is a reference: it allocates, and its cost grows with the cube of
//! the tree's depth.

mod block_matrix;
mod bodies;
mod coriolis;
mod forces;
mod inverse_dynamics;
mod mass_matrix;
mod one_dof;
mod system;

pub use coriolis::coriolis_matrix_ddot;
pub use forces::{external_forces_ddot, external_forces_dot, gravity_ddot};
pub use inverse_dynamics::{inverse_dynamics_ddot, inverse_dynamics_dot};
pub use mass_matrix::mass_matrix_ddot;
pub use one_dof::{Form, OneDof};
pub use system::System;
