//! Planar arms with flexible links, De Luca and Siciliano 1991: modes, the explicit equations of motion for any number of links
//! and modes, simulation and linearisation.

pub mod arm;
mod bent;
pub mod boundary;
pub mod centreline;
pub mod derive;
pub mod description;
pub mod energy;
pub mod factor;
mod first_order;
pub mod linearise;
pub mod modes;
mod plane;
mod quadrature;
pub mod range;
pub mod regressor;
pub mod scenario;
pub mod slopes;
pub mod stiffening;
pub mod tables;
pub mod terms;
#[cfg(test)]
pub(crate) mod tests;
pub mod tip;
mod turned;
pub mod two_link;
mod untruncated;

pub use crate::linear::Linearisation;
pub use arm::{FlexibleArm, Kinematics, Link, Payload};
pub use centreline::centrelines;
pub use description::{ArmDescription, ArmError, BuiltArm, Damping, GivenBoundary, LinkDescription};
pub use linearise::{LineariseError, linearise, linearise_moving};
pub use nalgebra::Complex;
pub use range::OutOfRange;
pub use scenario::Scenario;
pub use stiffening::{Stiffening, stiffening};
pub use terms::{Terms, forces, terms, terms_into};
pub use tip::{Tip, tip};
pub use two_link::TwoLink;
