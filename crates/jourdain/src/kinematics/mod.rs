//! Kinematics of a tree: poses, twists, Jacobians with their rates and partial derivatives, and the centre of mass.
//!
//! Every function comes in two forms: `…_into` writes to memory given to it and uses a [`KinematicsScratch`], so that
//! nothing is allocated; the plain name allocates what it returns. A Jacobian is taken in a [`Frame`]: a link, its axes
//! or the world's, and optionally a point of the link other than its origin.
//!
//! All Jacobians are computed relative to their link and only turned into world axes, never moved to the world origin:
//! a robot ten kilometres away loses no digit.
//!
//! Derivatives without a formula of their own come from running a formula on positions made by [`trajectory`] (time
//! derivatives of any order) or [`tangent`] (partial derivatives along T·exp(ε ê)).

mod centroidal;
pub mod com;
mod forward;
mod frame;
mod jacobian;
mod jacobian_partials;
mod jacobian_rate;
mod jacobian_second;
mod link_motion;
mod manipulability;
mod scratch;
pub mod tangent;
pub mod trajectory;

pub use centroidal::{centroidal_matrix_dot, centroidal_matrix_into, centroidal_momentum};
pub use com::{Massless, com, com_into, com_jacobian, com_jacobian_dot, com_jacobian_dot_into, com_jacobian_into};
pub use forward::{pose, poses, poses_into, twists, twists_into};
pub use frame::{Axes, Frame};
pub use jacobian::{jacobian, jacobian_into};
pub use jacobian_partials::{jacobian_partials, jacobian_partials_into};
pub use jacobian_rate::{jacobian_dot, jacobian_dot_into};
pub use jacobian_second::{jacobian_ddot_into, jacobian_dot_partials_into};
pub use link_motion::{acceleration, spatial_acceleration, twist};
pub use manipulability::manipulability;
pub use scratch::KinematicsScratch;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
