//! From samples to factors: the regressor of four samples at a time, gathered into blocks that the triangles take in.
//!
//! Memory is that of one block per joint, whatever the number of samples; after [`Accumulator::new`] nothing is allocated.

use super::factors::Factors;
use super::problem::Problem;
use super::triangle::Quad;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::workspace::Workspace;

/// Quads of samples in a block: enough to spread the start of a reflection over, few enough for the nearest cache.
const QUADS: usize = 32;
const LANES: usize = 4;

/// One measured state of a robot with the torques that went with it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Time, s.
    pub t: f64,
    /// Position.
    pub q: &'a [f64],
    /// Velocity.
    pub qd: &'a [f64],
    /// Acceleration.
    pub qdd: &'a [f64],
    /// Torque.
    pub tau: &'a [f64],
}

/// Takes in samples one by one.
#[derive(Debug)]
pub struct Accumulator<'a> {
    problem: &'a Problem,
    workspace: Workspace<Quad>,
    q: Vec<Quad>,
    qd: Vec<Quad>,
    qdd: Vec<Quad>,
    tau: Vec<Quad>,
    /// Lanes of the current quad that are filled.
    lanes: usize,
    regressor: Vec<Quad>,
    /// Per degree of freedom, where its columns stand in the regressor.
    sources: Vec<Vec<usize>>,
    /// Per degree of freedom, columns of known value with the value.
    known: Vec<Vec<(usize, f64)>>,
    /// Per degree of freedom, the columns of a block, `QUADS` each.
    blocks: Vec<Vec<Quad>>,
    /// Quads of the blocks that are filled.
    quads: usize,
    factors: Factors,
}

impl<'a> Accumulator<'a> {
    /// Of no samples.
    #[must_use]
    pub fn new(problem: &'a Problem) -> Self {
        let model = problem.model();
        let (n, width) = (model.nv(), parameter_count(model));
        let zero = Quad::splat(0.0);
        let sources = (0..n).map(|j| problem.felt(j).iter().map(|&i| j * width + problem.column(i)).collect());
        let known = (0..n).map(|j| problem.known().iter().map(|&(column, x)| (j * width + column, x)).collect());
        Self {
            problem,
            workspace: Workspace::new(model),
            q: vec![zero; model.nq()],
            qd: vec![zero; n],
            qdd: vec![zero; n],
            tau: vec![zero; n],
            lanes: 0,
            regressor: vec![zero; n * width],
            sources: sources.collect(),
            known: known.collect(),
            blocks: (0..n).map(|j| vec![zero; (problem.felt(j).len() + 1) * QUADS]).collect(),
            quads: 0,
            factors: Factors::new(problem),
        }
    }

    /// Takes in a sample, whose vectors have the model's lengths.
    pub fn add(&mut self, sample: &Sample<'_>) {
        let lane = self.lanes;
        let put = |to: &mut [Quad], from: &[f64]| {
            for (to, from) in to.iter_mut().zip(from) {
                to.0[lane] = *from;
            }
        };
        put(&mut self.q, sample.q);
        put(&mut self.qd, sample.qd);
        put(&mut self.qdd, sample.qdd);
        put(&mut self.tau, sample.tau);
        self.lanes += 1;
        self.factors.samples += 1;
        if self.lanes == LANES {
            self.push_quad();
        }
    }

    /// The factors of all samples so far.
    #[must_use]
    pub fn finish(mut self) -> Factors {
        if self.lanes > 0 {
            self.push_quad();
        }
        self.absorb();
        self.factors
    }

    /// Puts the rows of the current quad into the blocks; lanes without a sample count for nothing.
    fn push_quad(&mut self) {
        let filled = self.lanes;
        self.lanes = 0;
        for values in [&mut self.q, &mut self.qd, &mut self.qdd, &mut self.tau] {
            for value in values.iter_mut() {
                let last = value.0[filled - 1];
                value.0[filled..].fill(last);
            }
        }
        self.note_ranges();
        let model = self.problem.model();
        regressor_into(model, &self.q, &self.qd, &self.qdd, &mut self.workspace, &mut self.regressor);
        let at = self.quads;
        for (j, block) in self.blocks.iter_mut().enumerate() {
            let mut tau = self.tau[j];
            for &(source, value) in &self.known[j] {
                tau -= self.regressor[source] * Quad::splat(value);
            }
            let mut columns = block.iter_mut().skip(at).step_by(QUADS);
            // The sources come first: what ends a zip must not have taken a column.
            for (&source, to) in self.sources[j].iter().zip(&mut columns) {
                *to = self.regressor[source];
            }
            if let Some(to) = columns.next() {
                *to = tau;
            }
            if filled < LANES {
                block.iter_mut().skip(at).step_by(QUADS).for_each(|quad| quad.0[filled..].fill(0.0));
            }
        }
        self.quads += 1;
        if self.quads == QUADS {
            self.absorb();
        }
    }

    fn absorb(&mut self) {
        for (triangle, block) in self.factors.triangles.iter_mut().zip(&mut self.blocks) {
            triangle.absorb(block, QUADS, self.quads);
        }
        self.quads = 0;
    }

    fn note_ranges(&mut self) {
        let own_positions = self.q.len() == self.qd.len();
        for (j, range) in self.factors.ranges.iter_mut().enumerate() {
            for lane in 0..LANES {
                if own_positions {
                    let q = self.q[j].0[lane];
                    range.least = range.least.min(q);
                    range.most = range.most.max(q);
                }
                range.speed = range.speed.max(self.qd[j].0[lane].abs());
                range.acceleration = range.acceleration.max(self.qdd[j].0[lane].abs());
            }
        }
    }
}
