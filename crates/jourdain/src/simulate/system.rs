//! What moves: one face for rigid robots, robots with elastic joints and arms with flexible links.
//!
//! A [`System`] is the description: coordinates, laws that it can take, linear models, quantities by name. It is shared and
//! never changes. Its [`Mechanics`] is the same with scratch memory, one per simulation: rates, energy and momentum at a state.
//!
//! The state is x = (positions, velocities), in the order of [`Layout`].

use super::column::Column;
use super::controller::Controller;
use super::error::SimulationError;
use super::law::Law;
use crate::flexible::OutOfRange;
use crate::integrate::{Crossing, IntegrationError};
use crate::linear::Linearisation;
use crate::prescribed::Reference;
use crate::state::LinkWrench;

/// The numbers of a system.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Layout {
    /// The numbers of the position.
    pub positions: Vec<Column>,
    /// The numbers of the velocity.
    pub velocities: Vec<Column>,
    /// The torques and forces that drive it.
    pub inputs: Vec<Column>,
    /// The largest torque of each drive, where the file gives one, N m or N.
    pub efforts: Vec<Option<f64>>,
    /// What else is told of a state, such as the place of a tip.
    pub outputs: Vec<Column>,
    /// The joints that wrenches and limits may name, link by link; none for a system without links in space.
    pub joints: Vec<String>,
    /// The numbers of the momentum that the system keeps if nothing acts on it from outside.
    pub momenta: Vec<Column>,
}

impl Layout {
    /// Numbers of a state.
    #[must_use]
    pub fn size(&self) -> usize {
        self.positions.len() + self.velocities.len()
    }
}

/// A value of a quantity at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The numbers, row by row.
    pub numbers: Vec<f64>,
    /// The lengths of the axes; none for a single number.
    pub shape: Vec<usize>,
}

/// What moves.
pub trait System: Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// What kind of system it is: `rigid`, `elastic` or `flexible`.
    fn kind(&self) -> &'static str;

    /// Its numbers.
    fn layout(&self) -> &Layout;

    /// A state from positions and velocities, checked and with unit quaternions. What a user rarely knows may be left out:
    /// without rotors or deflections they follow the joints, carrying what gravity asks of them.
    ///
    /// # Errors
    /// Other lengths, or numbers that are not finite.
    fn state(&self, positions: &[f64], velocities: &[f64]) -> Result<Vec<f64>, SimulationError>;

    /// The state that moves along with a reference, off it by `offset` (q = q_d − offset).
    ///
    /// # Errors
    /// A reference that does not fit.
    fn state_on(&self, reference: &Reference<'_>, offset: &[f64]) -> Result<Vec<f64>, SimulationError>;

    /// Its mechanics, with scratch memory.
    fn mechanics(&self) -> Box<dyn Mechanics + '_>;

    /// A law for it, which takes this system for the one it drives.
    ///
    /// # Errors
    /// A law that the system cannot take, or gains that do not fit.
    fn controller<'s>(
        &'s self,
        law: &'s Law,
        reference: &Reference<'s>,
    ) -> Result<Box<dyn Controller + 's>, SimulationError>;

    /// Small motions about rest at these positions, or about a motion that goes on at these velocities; see
    /// [`state`](Self::state) for what may be left out.
    ///
    /// # Errors
    /// A state without a linear model.
    fn linearise(&self, positions: &[f64], velocities: &[f64]) -> Result<Linearisation, SimulationError>;

    /// The quantities that [`evaluate`](Self::evaluate) knows.
    fn quantities(&self) -> Vec<String>;

    /// A quantity at a state x.
    ///
    /// # Errors
    /// No such quantity, or one that cannot be evaluated there.
    fn evaluate(&self, quantity: &str, x: &[f64]) -> Result<Value, SimulationError>;
}

/// Rates, energy and momentum at a state; allocates nothing once made.
pub trait Mechanics {
    /// Writes ẋ, and to `sums` the power of torques, friction, damping and loads, then what acts on the momenta from outside.
    fn rate_into(&mut self, x: &[f64], torque: &[f64], loads: &[LinkWrench<f64>], rate: &mut [f64], sums: &mut [f64]);

    /// Kinetic and potential energy, J.
    fn energy(&mut self, x: &[f64]) -> [f64; 2];

    /// Writes the momenta.
    fn momenta_into(&mut self, _x: &[f64], _out: &mut [f64]) {}

    /// Writes the outputs.
    fn outputs_into(&mut self, _x: &[f64], _out: &mut [f64]) {}

    /// Moves a state that integration has taken off its surface back onto it.
    fn project(&self, _x: &mut [f64]) {}

    /// The motion has come to this state: what remembers it moves on. The first is the start.
    fn accept(&mut self, _x: &[f64]) {}

    /// The joint that is farthest out of its range, if one is.
    fn beyond(&self, _x: &[f64]) -> Option<Crossing> {
        None
    }

    /// Where a state at time `t` leaves what the model bears, if it does; that ends the simulation.
    fn outside(&self, _t: f64, _x: &[f64]) -> Option<OutOfRange> {
        None
    }

    /// Why the integration broke down, at the last time and state that were in order.
    fn explain(&self, error: IntegrationError, _t: f64, _x: &[f64]) -> SimulationError {
        error.into()
    }
}
