//! How well a motion shows the parameters: the regressor along it.

use super::criterion::{Criterion, Information};
use super::limits::efforts;
use super::series::Series;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::identify::Problem;
use crate::workspace::Workspace;
use jourdain_symbolic::Lanes;
use nalgebra::DMatrix;

const LANES: usize = 4;

/// What can be said of a motion.
#[derive(Clone, Debug)]
pub struct Quality {
    /// Condition number: rows in units of torque limits, columns of unit length.
    pub condition: f64,
    /// What was made small.
    pub criterion: f64,
    /// Root mean square of each column, rows in units of torque limits: how strongly each unknown acts per unit.
    pub strengths: Vec<f64>,
    /// Deviation of each unknown, SI, with one sample and noise as large as the torque limits. With n samples and noise of a share s of
    /// the limits it is s/√n times that.
    pub deviations: Vec<f64>,
}

impl Quality {
    /// Of a motion, from so many samples of a period.
    #[must_use]
    pub fn of(problem: &Problem, series: &[Series], criterion: &Criterion, period: f64, samples: usize) -> Self {
        let mut judge = Judge::new(problem);
        judge.gather(series, period, samples);
        let rows = judge.samples as f64;
        let strengths = (0..problem.count()).map(|k| (judge.gram[(k, k)] / rows).sqrt()).collect();
        let information = judge.information();
        Self {
            condition: information.condition(),
            criterion: information.value(criterion),
            strengths,
            deviations: information.deviations(),
        }
    }
}

/// Judges motions in memory that is used again.
pub(super) struct Judge<'a> {
    problem: &'a Problem,
    workspace: Workspace<Lanes<LANES>>,
    motion: [Vec<Lanes<LANES>>; 3],
    regressor: Vec<Lanes<LANES>>,
    /// One over the torque limit of each joint.
    weights: Vec<f64>,
    gram: DMatrix<f64>,
    samples: usize,
}

impl<'a> Judge<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let model = problem.model();
        let n = model.nv();
        // Where no limit is known, a torque of one.
        let weights = efforts(model).into_iter().map(|effort| if effort.is_finite() { 1.0 / effort } else { 1.0 });
        let zero = Lanes::splat(0.0);
        Self {
            problem,
            workspace: Workspace::new(model),
            motion: std::array::from_fn(|_| vec![zero; n]),
            regressor: vec![zero; n * parameter_count(model)],
            weights: weights.collect(),
            gram: DMatrix::zeros(problem.count(), problem.count()),
            samples: 0,
        }
    }

    /// The value of a criterion, less being better.
    pub fn value(&mut self, criterion: &Criterion, series: &[Series], period: f64, samples: usize) -> f64 {
        self.gather(series, period, samples);
        self.information().value(criterion)
    }

    /// Of the motion that was gathered last.
    pub fn information(&self) -> Information<'_> {
        Information { gram: &self.gram, samples: self.samples }
    }

    /// WᵀW of the stacked regressor. Squaring is harmless here: what matters are conditions far below 1e8.
    fn gather(&mut self, series: &[Series], period: f64, samples: usize) {
        let (problem, model) = (self.problem, self.problem.model());
        let width = parameter_count(model);
        let quads = samples.div_ceil(LANES);
        self.samples = quads * LANES;
        self.gram.fill(0.0);
        for quad in 0..quads {
            for lane in 0..LANES {
                let t = (quad * LANES + lane) as f64 / (quads * LANES) as f64 * period;
                for (j, series) in series.iter().enumerate() {
                    for (to, x) in self.motion.iter_mut().zip(series.motion(t, period)) {
                        to[j].0[lane] = x;
                    }
                }
            }
            let [q, qd, qdd] = &self.motion;
            regressor_into(model, q, qd, qdd, &mut self.workspace, &mut self.regressor);
            for (j, row) in self.regressor.chunks_exact(width).enumerate() {
                let weight = self.weights[j] * self.weights[j];
                let felt = problem.felt(j);
                for (at, &i) in felt.iter().enumerate() {
                    let left = row[problem.column(i)].0.map(|x| weight * x);
                    for &k in &felt[at..] {
                        let right = row[problem.column(k)].0;
                        self.gram[(k, i)] += (0..LANES).map(|l| left[l] * right[l]).sum::<f64>();
                    }
                }
            }
        }
    }
}
