//! The torques that values of the unknowns predict for a sample.

use super::accumulate::Sample;
use super::problem::Problem;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::workspace::Workspace;

/// Predicts torques in memory that is used again.
#[derive(Debug)]
pub(super) struct Predictor<'a> {
    problem: &'a Problem,
    values: &'a [f64],
    workspace: Workspace<f64>,
    regressor: Vec<f64>,
    terms: Vec<f64>,
    torques: Vec<f64>,
}

impl<'a> Predictor<'a> {
    pub fn new(problem: &'a Problem, values: &'a [f64]) -> Self {
        let model = problem.model();
        Self {
            problem,
            values,
            workspace: Workspace::new(model),
            regressor: vec![0.0; model.nv() * parameter_count(model)],
            terms: vec![0.0; problem.terms().len()],
            torques: vec![0.0; model.nv()],
        }
    }

    /// The torques at the state of a sample, one per degree of freedom.
    pub fn torques(&mut self, sample: &Sample<'_>) -> &[f64] {
        let model = self.problem.model();
        let width = parameter_count(model);
        regressor_into(model, sample.q, sample.qd, sample.qdd, &mut self.workspace, &mut self.regressor);
        let rigid = |j: usize| self.problem.rigid(j, |column| self.regressor[j * width + column]);
        self.problem.term_values(sample, rigid, &mut self.terms);
        for (j, (row, to)) in self.regressor.chunks_exact(width).zip(&mut self.torques).enumerate() {
            *to = self.problem.torque(j, row, &self.terms, self.values);
        }
        &self.torques
    }
}
