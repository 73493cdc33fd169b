//! Quantities by name, at named and checked inputs: the short way to numbers.
//!
//! The `_into` functions of [`dynamics`](crate::dynamics) and [`kinematics`](crate::kinematics) take plain slices, check
//! nothing and allocate nothing; this is the face for everything that is not a control loop.

use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::state::Inputs;
use crate::workspace::Workspace;

/// A robot with the memory that its formulas need.
///
/// ```
/// use jourdain::state::Inputs;
/// use jourdain::{Evaluator, robots};
///
/// let model = robots::load("planar2r").ok_or("no such robot")?;
/// let mut robot = Evaluator::new(&model);
/// let (q, qd, qdd) = ([0.3, -0.5], [1.0, 0.2], [0.0, 2.0]);
/// let at = Inputs { q: &q, qd: &qd, qdd: &qdd, ..Inputs::default() };
/// let mass = robot.evaluate("M", &at)?;
/// let torque = robot.evaluate("inverse_dynamics", &at)?;
/// let bias = robot.evaluate("bias", &at)?;
/// assert!((torque[1] - (mass[2] * qdd[0] + mass[3] * qdd[1] + bias[1])).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model<f64>,
    workspace: Workspace<f64>,
    path: Path,
}

impl<'m> Evaluator<'m> {
    /// For a robot, by the fast formulas.
    #[must_use]
    pub fn new(model: &'m Model<f64>) -> Self {
        Self { model, workspace: Workspace::new(model), path: Path::Fast }
    }

    /// The same by another formula.
    #[must_use]
    pub fn by(self, path: Path) -> Self {
        Self { path, ..self }
    }

    /// The numbers of a quantity of that name, row-major; what the inputs leave out is zero, but the position.
    ///
    /// # Errors
    /// An unknown name, inputs that do not fit the robot, and a result that is not finite.
    pub fn evaluate(&mut self, name: &str, at: &Inputs<'_>) -> Result<Vec<f64>, QuantityError> {
        self.evaluate_quantity(&Quantity::parse(name, self.model)?, at)
    }

    /// As [`evaluate`](Self::evaluate), of a quantity that is known already.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_quantity(&mut self, quantity: &Quantity, at: &Inputs<'_>) -> Result<Vec<f64>, QuantityError> {
        let state = at.state(self.model, 0, 1)?;
        quantity.evaluate(self.path, self.model, &state, &mut self.workspace)
    }
}
