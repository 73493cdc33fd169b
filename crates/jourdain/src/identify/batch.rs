//! Samples on their way to the factors: gathered into batches, each of one stretch of time, and taken in one batch at a time.
//!
//! A batch becomes the triangles of its own rows, whoever does it, and these are merged in the order of the batches. So the number of threads
//! does not change a bit of the factors.

use super::accumulate::Sample;
use super::blocks::SECONDS;
use super::factors::Range;
use super::hysteresis::LENGTHS;
use super::problem::Problem;
use super::triangle::{Quad, Triangle};
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::workspace::Workspace;

/// Most samples of a batch: a stretch with more is several.
const MOST: usize = 2048;
/// Quads of samples in a block: enough to spread the start of a reflection over, few enough for the nearest cache.
const QUADS: usize = 32;
const LANES: usize = 4;

/// Samples of one stretch of time.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// Time over the length of the shortest stretch.
    pub number: i64,
    pub samples: usize,
    /// Per sample: q, q̇, q̈, τ, z.
    numbers: Vec<f64>,
    /// How many numbers each of these has.
    lengths: [usize; 5],
}

impl Batch {
    /// Without samples, with memory for as many as it may hold.
    pub fn new(problem: &Problem) -> Self {
        let (n, nq) = (problem.model().nv(), problem.model().nq());
        let lengths = [nq, n, n, n, elements(problem)];
        Self { number: 0, samples: 0, numbers: vec![0.0; MOST * lengths.iter().sum::<usize>()], lengths }
    }

    /// True if a sample of this time has no place in it.
    pub fn is_full_for(&self, t: f64) -> bool {
        self.samples == MOST || (self.samples > 0 && self.number != stretch(t))
    }

    /// Takes in a sample that has a place. What it lacks is zero.
    pub fn push(&mut self, sample: &Sample<'_>) {
        self.number = stretch(sample.t);
        let width = self.lengths.iter().sum::<usize>();
        let mut to = &mut self.numbers[self.samples * width..][..width];
        for (from, length) in [sample.q, sample.qd, sample.qdd, sample.tau, sample.z].into_iter().zip(self.lengths) {
            let (own, rest) = to.split_at_mut(length);
            let count = from.len().min(length);
            own[..count].copy_from_slice(&from[..count]);
            own[count..].fill(0.0);
            to = rest;
        }
        self.samples += 1;
    }

    /// Forgets all samples.
    pub fn clear(&mut self) {
        self.samples = 0;
    }
}

/// The number of the shortest stretch of time that a time lies in.
pub(super) fn stretch(t: f64) -> i64 {
    (t / SECONDS).floor() as i64
}

/// Elements of the hysteresis that a problem needs at a sample.
fn elements(problem: &Problem) -> usize {
    if problem.terms().is_empty() { 0 } else { problem.coordinates().count() * LENGTHS.len() }
}

/// What a batch comes to.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub number: i64,
    pub samples: u64,
    pub triangles: Vec<Triangle>,
    pub ranges: Vec<Range>,
}

impl Stretch {
    pub fn new(problem: &Problem) -> Self {
        let n = problem.joints().len();
        let triangles = (0..n).map(|j| Triangle::new(problem.felt(j).len() + 1)).collect();
        Self { number: 0, samples: 0, triangles, ranges: vec![Range::EMPTY; n] }
    }
}

/// Makes triangles of batches: the regressor of four samples at a time, gathered into blocks that the triangles take in.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    problem: &'a Problem,
    workspace: Workspace<Quad>,
    /// q, q̇, q̈, τ, z of four samples.
    state: [Vec<Quad>; 5],
    /// Per degree of freedom, the torque of the rigid body, by which its drive is loaded.
    rigid: Vec<Quad>,
    /// One sample of the quad, and the terms of the drives at it.
    single: [Vec<f64>; 3],
    at_sample: Vec<f64>,
    terms: Vec<Quad>,
    regressor: Vec<Quad>,
    /// Per degree of freedom, where its columns stand in the regressor.
    sources: Vec<Vec<usize>>,
    /// Per degree of freedom, its terms, and how much of each it feels.
    shares: Vec<Vec<(usize, f64)>>,
    /// Per degree of freedom, columns of known value with the value.
    known: Vec<Vec<(usize, f64)>>,
    /// Per degree of freedom, columns with the value by which they load its drive.
    loads: Vec<Vec<(usize, f64)>>,
    /// Per degree of freedom, the columns of a block, `QUADS` each.
    blocks: Vec<Vec<Quad>>,
    /// Quads of the blocks that are filled.
    quads: usize,
}

impl<'a> Worker<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let model = problem.model();
        let (n, width) = (model.nv(), parameter_count(model));
        let zero = Quad::splat(0.0);
        let base = problem.unknowns().len();
        let felt = |j: usize| problem.felt(j).iter().copied();
        let sources = |j: usize| felt(j).filter(|i| *i < base).map(|i| j * width + problem.column(i)).collect();
        let shares =
            |j: usize| felt(j).filter(|i| *i >= base).map(|i| (i - base, problem.share(i - base, j))).collect();
        let known = |j: usize| problem.known().iter().map(|&(column, x)| (j * width + column, x)).collect();
        let loads = |j: usize| problem.loads(j).map(|(column, x)| (j * width + column, x)).collect();
        let elements = elements(problem);
        Self {
            problem,
            workspace: Workspace::new(model),
            state: [model.nq(), n, n, n, elements].map(|length| vec![zero; length]),
            rigid: vec![zero; n],
            single: [n, n, elements].map(|length| vec![0.0; length]),
            at_sample: vec![0.0; problem.terms().len()],
            terms: vec![zero; problem.terms().len()],
            regressor: vec![zero; n * width],
            sources: (0..n).map(sources).collect(),
            shares: (0..n).map(shares).collect(),
            known: (0..n).map(known).collect(),
            loads: (0..n).map(loads).collect(),
            blocks: (0..n).map(|j| vec![zero; (problem.felt(j).len() + 1) * QUADS]).collect(),
            quads: 0,
        }
    }

    /// The triangles of a batch, in place of what `stretch` had.
    pub fn take(&mut self, batch: &Batch, stretch: &mut Stretch) {
        (stretch.number, stretch.samples) = (batch.number, batch.samples as u64);
        stretch.triangles.iter_mut().for_each(Triangle::clear);
        stretch.ranges.fill(Range::EMPTY);
        let width = batch.lengths.iter().sum::<usize>();
        for samples in batch.numbers[..batch.samples * width].chunks(LANES * width) {
            let filled = samples.len() / width;
            for lane in 0..LANES {
                // Lanes without a sample have the last one once more.
                let mut numbers = samples[lane.min(filled - 1) * width..][..width].iter();
                for values in &mut self.state {
                    values.iter_mut().zip(&mut numbers).for_each(|(to, from)| to.0[lane] = *from);
                }
            }
            self.push_quad(filled, stretch);
        }
        self.absorb(stretch);
    }

    /// Puts the rows of the current quad into the blocks.
    fn push_quad(&mut self, filled: usize, stretch: &mut Stretch) {
        note_ranges(&self.state, &mut stretch.ranges);
        let [q, qd, qdd, ..] = &self.state;
        regressor_into(self.problem.model(), q, qd, qdd, &mut self.workspace, &mut self.regressor);
        for (rigid, loads) in self.rigid.iter_mut().zip(&self.loads) {
            *rigid = loads.iter().fold(Quad::splat(0.0), |sum, &(at, x)| sum + self.regressor[at] * Quad::splat(x));
        }
        self.find_terms(filled);
        let tau = &self.state[3];
        for (j, block) in self.blocks.iter_mut().enumerate() {
            // Lanes without a sample, and torques that were not measured, are no rows.
            let counts: [bool; LANES] = std::array::from_fn(|lane| lane < filled && tau[j].0[lane].is_finite());
            stretch.ranges[j].rows += counts.iter().filter(|counts| **counts).count() as u64;
            let known = self.known[j].iter();
            let tau = known.fold(tau[j], |tau, &(at, value)| tau - self.regressor[at] * Quad::splat(value));
            let regressor = self.sources[j].iter().map(|at| self.regressor[*at]);
            let terms = self.shares[j].iter().map(|&(term, share)| self.terms[term] * Quad::splat(share));
            let columns = block.iter_mut().skip(self.quads).step_by(QUADS);
            for (to, mut value) in columns.zip(regressor.chain(terms).chain([tau])) {
                value.0.iter_mut().zip(counts).for_each(|(x, counts)| *x = if counts { *x } else { 0.0 });
                *to = value;
            }
        }
        self.quads += 1;
        if self.quads == QUADS {
            self.absorb(stretch);
        }
    }

    /// The terms of the drives at the samples of the current quad.
    fn find_terms(&mut self, filled: usize) {
        let Self { problem, state: [_, qd, qdd, _, z], single, at_sample, terms, rigid, .. } = self;
        if terms.is_empty() {
            return;
        }
        for lane in 0..filled {
            for (to, from) in single.iter_mut().zip([&*qd, &*qdd, &*z]) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = from.0[lane]);
            }
            let [qd, qdd, z] = &*single;
            let sample = Sample { t: 0.0, q: &[], qd, qdd, tau: &[], z };
            problem.term_values(&sample, |j| rigid[j].0[lane], at_sample);
            terms.iter_mut().zip(&*at_sample).for_each(|(to, from)| to.0[lane] = *from);
        }
    }

    fn absorb(&mut self, stretch: &mut Stretch) {
        for (triangle, block) in stretch.triangles.iter_mut().zip(&mut self.blocks) {
            triangle.absorb(block, QUADS, self.quads);
        }
        self.quads = 0;
    }
}

fn note_ranges([q, qd, qdd, ..]: &[Vec<Quad>; 5], ranges: &mut [Range]) {
    let own_positions = q.len() == qd.len();
    for (j, range) in ranges.iter_mut().enumerate() {
        for lane in 0..LANES {
            if own_positions {
                let q = q[j].0[lane];
                range.least = range.least.min(q);
                range.most = range.most.max(q);
            }
            range.speed = range.speed.max(qd[j].0[lane].abs());
            range.acceleration = range.acceleration.max(qdd[j].0[lane].abs());
        }
    }
}
