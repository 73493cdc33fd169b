//! Predicted beside measured torques: how well estimates do on data they were not made from.

use super::accumulate::Sample;
use super::problem::Problem;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::workspace::Workspace;

/// Most samples that are kept to be drawn.
const MOST_DRAWN: usize = 4096;

/// Compares torques sample by sample, in constant memory.
#[derive(Debug)]
pub struct Comparison<'a> {
    problem: &'a Problem,
    values: &'a [f64],
    workspace: Workspace<f64>,
    regressor: Vec<f64>,
    samples: u64,
    /// Per joint: Σ τ², Σ (τ − τ̂)², largest |τ − τ̂|.
    sums: Vec<[f64; 3]>,
    every: u64,
    drawn: Drawn,
}

/// Torques along a log, thinned out evenly.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Times, s.
    pub t: Vec<f64>,
    /// Per joint, measured torques.
    pub measured: Vec<Vec<f64>>,
    /// Per joint, predicted torques.
    pub predicted: Vec<Vec<f64>>,
}

/// How well the torques of one joint are predicted.
#[derive(Clone, Copy, Debug)]
pub struct JointError {
    /// Root mean square of the measured torque.
    pub torque: f64,
    /// Root mean square of the error.
    pub error: f64,
    /// Largest error.
    pub largest: f64,
}

impl JointError {
    /// Error over torque; zero if there is no torque.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.torque > 0.0 { self.error / self.torque } else { 0.0 }
    }
}

impl<'a> Comparison<'a> {
    /// Of no samples yet, with these values of the unknowns.
    #[must_use]
    pub fn new(problem: &'a Problem, values: &'a [f64]) -> Self {
        let model = problem.model();
        let n = model.nv();
        Self {
            problem,
            values,
            workspace: Workspace::new(model),
            regressor: vec![0.0; n * parameter_count(model)],
            samples: 0,
            sums: vec![[0.0; 3]; n],
            every: 1,
            drawn: Drawn { t: Vec::new(), measured: vec![Vec::new(); n], predicted: vec![Vec::new(); n] },
        }
    }

    /// Takes in a sample.
    pub fn add(&mut self, sample: &Sample<'_>) {
        let model = self.problem.model();
        let width = parameter_count(model);
        regressor_into(model, sample.q, sample.qd, sample.qdd, &mut self.workspace, &mut self.regressor);
        let drawn = self.samples.is_multiple_of(self.every);
        for (j, (row, tau)) in self.regressor.chunks_exact(width).zip(sample.tau).enumerate() {
            let predicted = self.problem.torque(j, row, self.values);
            let error = tau - predicted;
            let [square, errors, largest] = &mut self.sums[j];
            *square += tau * tau;
            *errors += error * error;
            *largest = largest.max(error.abs());
            if drawn {
                self.drawn.measured[j].push(*tau);
                self.drawn.predicted[j].push(predicted);
            }
        }
        if drawn {
            self.drawn.t.push(sample.t);
        }
        self.samples += 1;
        if self.drawn.t.len() >= MOST_DRAWN {
            self.drawn.thin();
            self.every *= 2;
        }
    }

    /// Number of samples.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The errors of the joints.
    #[must_use]
    pub fn errors(&self) -> Vec<JointError> {
        let n = (self.samples as f64).max(1.0);
        let of = |[square, errors, largest]: &[f64; 3]| JointError {
            torque: (square / n).sqrt(),
            error: (errors / n).sqrt(),
            largest: *largest,
        };
        self.sums.iter().map(of).collect()
    }

    /// What there is to draw.
    #[must_use]
    pub fn drawn(&self) -> &Drawn {
        &self.drawn
    }
}

impl Drawn {
    /// Leaves every other sample out.
    fn thin(&mut self) {
        let columns = self.measured.iter_mut().chain(&mut self.predicted);
        for column in columns.chain(std::iter::once(&mut self.t)) {
            let mut index = 0;
            column.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }
}
