//! How well a motion shows the parameters: the condition number of the regressor along it.

use super::series::Series;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::identify::Problem;
use crate::workspace::Workspace;
use jourdain_symbolic::Lanes;
use nalgebra::DMatrix;

const LANES: usize = 4;

/// Condition number of a motion that does not show some parameter at all.
const BLIND: f64 = 1e12;

/// What can be said of a motion.
#[derive(Clone, Debug)]
pub struct Quality {
    /// Condition number: rows in units of torque limits, columns of unit length.
    pub condition: f64,
    /// Root mean square of each column, rows in units of torque limits: how strongly each unknown acts per unit.
    pub strengths: Vec<f64>,
}

impl Quality {
    /// Of a motion, from so many samples of a period.
    #[must_use]
    pub fn of(problem: &Problem, series: &[Series], period: f64, samples: usize) -> Self {
        let mut judge = Judge::new(problem);
        judge.gather(series, period, samples);
        let rows = judge.samples as f64;
        let strengths = (0..problem.count()).map(|k| (judge.gram[(k, k)] / rows).sqrt()).collect();
        Self { condition: judge.of_gram(), strengths }
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
        let mut weights = vec![1.0; n];
        for link in model.links().iter().filter(|link| link.mimic.is_none()) {
            let effort = link.limits.effort.filter(|effort| *effort > 0.0).unwrap_or(1.0);
            weights[link.v..link.v + link.joint.nv()].fill(1.0 / effort);
        }
        let zero = Lanes::splat(0.0);
        Self {
            problem,
            workspace: Workspace::new(model),
            motion: std::array::from_fn(|_| vec![zero; n]),
            regressor: vec![zero; n * parameter_count(model)],
            weights,
            gram: DMatrix::zeros(problem.count(), problem.count()),
            samples: 0,
        }
    }

    pub fn condition(&mut self, series: &[Series], period: f64, samples: usize) -> f64 {
        self.gather(series, period, samples);
        self.of_gram()
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

    fn of_gram(&self) -> f64 {
        let p = self.gram.nrows();
        let lengths: Vec<f64> = (0..p).map(|k| self.gram[(k, k)].sqrt()).collect();
        if lengths.iter().any(|length| length.is_nan() || *length <= 0.0) {
            return BLIND;
        }
        let scaled = DMatrix::from_fn(p, p, |i, k| {
            let (row, column) = (i.max(k), i.min(k));
            self.gram[(row, column)] / (lengths[row] * lengths[column])
        });
        let values = scaled.symmetric_eigenvalues();
        let (smallest, largest) = (values.min(), values.max());
        if smallest > 0.0 { (largest / smallest).sqrt().min(BLIND) } else { BLIND }
    }
}
