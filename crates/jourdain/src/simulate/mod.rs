//! Systems that move under laws: one simulation for rigid robots, elastic joints and flexible links.
//!
//! | file | what it does |
//! |---|---|
//! | [`system`] | what moves: coordinates, state, rates, energy, laws, linear models, quantities by name |
//! | [`rigid`], [`elastic`], [`flexible`] | the three kinds |
//! | [`law`] | laws as data, and which system takes which |
//! | [`controller`] | a law at work |
//! | `custom_law` | a law that is a function of the caller's |
//! | `rigid_laws`, `adaptive_law`, `flexible_laws` | laws of rigid robots and of flexible arms; those of elastic joints are in [`crate::elastic::control`] |
//! | [`wrappers`] | saturation, sampling, noise, resolution |
//! | [`run`](mod@run) | a whole simulation: options, checks, the method chosen |
//! | `driven` | system and law as equations to be [marched](crate::integrate::march()) through, and the recorder |
//! | [`robustness`] | one law of an elastic robot against many robots around it |
//! | [`trajectory`] | samples with names, and how far energy and momentum drift |
//! | [`equations`] | a rigid robot under torques over time, over any scalar |
//! | [`limits`], [`momentum`] | ranges of joints; momentum about the world origin |
//!
//! The work of torques, friction, damping and wrenches is integrated beside the motion by the same method, so that
//! E(t) − E(0) − work is zero but for the error of the integrator: its size, the *energy drift*, measures that error.

mod adaptive_law;
pub mod column;
pub mod controller;
mod custom_law;
mod driven;
pub mod elastic;
pub mod equations;
mod error;
pub mod flexible;
mod flexible_laws;
#[cfg(test)]
mod flexible_tests;
pub mod law;
pub mod limits;
pub mod momentum;
pub mod rigid;
mod rigid_laws;
pub mod robustness;
pub mod run;
pub mod system;
pub mod trajectory;
pub mod wrappers;

pub use crate::integrate::{Adaptive, Equations, Implicit, IntegrationError, Rk4};
pub use crate::prescribed::{Interpolation, Reference, TableError, Torque, TorqueTable};
pub use column::Column;
pub use controller::{Controller, Moment};
pub use custom_law::CustomLaw;
pub use elastic::Elastic;
pub use equations::RobotEquations;
pub use error::SimulationError;
pub use flexible::Flexible;
pub use law::{AdaptiveLaw, Gains, Law, LawRequest, Learned};
pub use rigid::Rigid;
pub use run::{MOST_NUMBERS, Method, Options, Simulation, Start, run};
pub use system::{Layout, Mechanics, System, Value};
pub use trajectory::{Demand, LimitHit, Sample, Trajectory};
pub use wrappers::Wrappers;
