//! Turns integrated numbers into samples.

use super::equations::RobotEquations;
use super::error::SimulationError;
use super::momentum::momentum;
use super::trajectory::Sample;
use crate::dynamics::recursive;
use crate::model::Model;
use crate::workspace::Workspace;

/// The samples so far.
pub(super) struct Recorder {
    pub samples: Vec<Sample>,
    workspace: Workspace<f64>,
}

impl Recorder {
    /// Without samples.
    pub fn new(model: &Model<f64>) -> Self {
        Self { samples: Vec::new(), workspace: Workspace::new(model) }
    }

    /// Adds a sample; torques are those that hold from `t` on.
    pub fn record(
        &mut self,
        equations: &mut RobotEquations<'_, f64>,
        t: f64,
        y: &[f64],
    ) -> Result<(), SimulationError> {
        let model = equations.model();
        equations.select_piece(t);
        let tau = equations.torques(t).to_vec();
        let (q, qd) = (equations.position(y), equations.velocity(y));
        let impulse = equations.impulse(y);
        let sample = Sample {
            t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            tau,
            kinetic: recursive::kinetic_energy(model, q, qd, &mut self.workspace),
            potential: recursive::potential_energy(model, q, &mut self.workspace),
            work: equations.work(y),
            own_momentum: impulse.map(|impulse| momentum(model, q, qd) - impulse),
        };
        let momenta = sample.own_momentum.map_or([0.0; 6], |momentum| momentum.to_array());
        if !sample.energy().is_finite() || momenta.iter().any(|x| !x.is_finite()) {
            return Err(SimulationError::NotFinite { t: self.samples.last().map_or(0.0, |sample| sample.t) });
        }
        self.samples.push(sample);
        Ok(())
    }
}
