//! Motion in time: integrators, torque laws, events and recorded trajectories.
//!
//! | file | what it does |
//! |---|---|
//! | [`equations`] | the rates of position, velocity, work and impulse: what is integrated |
//! | [`rk4`] | the classic Runge–Kutta method with fixed steps, over any scalar |
//! | [`adaptive`] | the method of Dormand and Prince, which chooses its steps by a tolerance |
//! | [`schedule`] | when steps and smooth pieces of a torque law end |
//! | [`implicit`] | a linearly implicit method, for stiff systems |
//! | [`torque`] | no torque, a constant one, or a table over time |
//! | [`limits`] | where a joint leaves its range |
//! | [`momentum`] | linear and angular momentum about the world origin |
//! | [`trajectory`] | recorded samples and how far energy and momentum drift |
//! | [`run`](mod@run) | a whole simulation |
//!
//! The work of torques, friction and wrenches is integrated beside the motion by the same method, so that
//! E(t) − E(0) − work is zero but for the error of the integrator: its size, the *energy drift*, measures that error.

pub mod adaptive;
pub mod equations;
mod error;
pub mod implicit;
pub mod limits;
pub mod momentum;
mod recorder;
pub mod rk4;
pub mod run;
pub mod schedule;
pub mod torque;
pub mod trajectory;

pub use adaptive::Adaptive;
pub use equations::{Equations, RobotEquations};
pub use error::SimulationError;
pub use implicit::Implicit;
pub use rk4::Rk4;
pub use run::{Method, Options, run};
pub use schedule::Schedule;
pub use torque::{Interpolation, TableError, Torque, TorqueTable};
pub use trajectory::{LimitHit, Sample, Trajectory};
