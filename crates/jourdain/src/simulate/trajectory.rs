//! Recorded motion with the names of its numbers, and how far energy and momentum are from what they should be.

use super::column::{Column, ESTIMATE};
use super::run::Method;
use super::system::Layout;
use crate::flexible::OutOfRange;
use crate::unit::Unit;

/// A system at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// Position; quaternions unit.
    pub q: Vec<f64>,
    /// Velocity.
    pub qd: Vec<f64>,
    /// Torques of the drives from this time on.
    pub tau: Vec<f64>,
    /// What the law follows; empty for one that follows nothing.
    pub reference: Vec<f64>,
    /// What else the system tells of its state.
    pub outputs: Vec<f64>,
    /// The law's own state, such as an estimate.
    pub memory: Vec<f64>,
    /// Kinetic energy, rotors included, J.
    pub kinetic: f64,
    /// Potential energy, of springs too, J.
    pub potential: f64,
    /// What torques, friction, damping and loads have done up to now, J.
    pub work: f64,
    /// Momenta less the impulse of all that acted from outside; empty for a system that keeps none.
    pub own_momentum: Vec<f64>,
}

impl Sample {
    /// Kinetic and potential energy, J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// What the law follows less where the joints are; empty for a law that follows nothing.
    #[must_use]
    pub fn error(&self) -> Vec<f64> {
        self.reference.iter().zip(&self.q).map(|(d, q)| d - q).collect()
    }
}

/// The most that a law asked of one drive, whatever the drive then gave.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Demand {
    /// Size of the torque or force, N m or N.
    pub torque: f64,
    /// When, s.
    pub t: f64,
}

/// A joint that reached an end of its range and stopped the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitHit {
    /// The joint's name.
    pub joint: String,
    /// When, s.
    pub t: f64,
    /// The end of the range that it reached, rad or m.
    pub limit: f64,
}

/// A simulated motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// The samples in the order of time, the first at the start and the last at the end.
    pub samples: Vec<Sample>,
    /// Steps that the integrator took; those it tried and gave up are not counted.
    pub steps: u64,
    /// The method that was used; never [`Method::Auto`].
    pub method: Method,
    /// The fastest rate of the system linearised at the start, 1/s, if the method was chosen by it.
    pub fastest: Option<f64>,
    /// Why it ended early, if it did.
    pub stopped: Option<LimitHit>,
    /// The most that was asked of each drive, at samples and sampling instants.
    pub demands: Vec<Demand>,
    /// The first sample at which a link of a flexible arm was bent further than its kinematics bear, if it did not end the
    /// simulation.
    pub left_range: Option<OutOfRange>,
    /// The law's name.
    pub law: &'static str,
    /// The numbers of the system.
    pub layout: Layout,
    /// The numbers of the law's own state.
    pub memory: Vec<Column>,
}

impl Trajectory {
    fn drift(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        let Some(first) = self.samples.first() else { return 0.0 };
        self.samples.iter().map(|sample| (value(sample) - value(first)).abs()).fold(0.0, f64::max)
    }

    /// The largest |E(t) − E(0) − work| of the samples, J: zero but for the error of the integrator.
    #[must_use]
    pub fn energy_drift(&self) -> f64 {
        self.drift(|sample| sample.energy() - sample.work)
    }

    /// The largest |h(t) − h(0) − impulse| of the samples: linear (N s), and angular about the world origin or the base
    /// (N m s). `None` for a system that keeps no momentum.
    #[must_use]
    pub fn momentum_drift(&self) -> Option<[f64; 2]> {
        let start = self.samples.first().map(|sample| &sample.own_momentum).filter(|h| !h.is_empty())?;
        // The last three numbers, or the only one, are angular.
        let angular = start.len().saturating_sub(3);
        let length = |sample: &Sample, range: std::ops::Range<usize>| {
            range.map(|i| (sample.own_momentum[i] - start[i]).powi(2)).sum::<f64>().sqrt()
        };
        let largest = |range: std::ops::Range<usize>| {
            self.samples.iter().map(|sample| length(sample, range.clone())).fold(0.0, f64::max)
        };
        Some([largest(0..angular), largest(angular..start.len())])
    }

    /// The largest |q_d − q| of the samples from the time `from` on, rad or m; zero for a law that follows nothing.
    #[must_use]
    pub fn largest_error(&self, from: f64) -> f64 {
        let late = self.samples.iter().filter(|sample| sample.t >= from);
        late.flat_map(Sample::error).fold(0.0, |largest, e| largest.max(e.abs()))
    }

    /// The drives of which more was asked than they can give: drive, largest torque, what was asked.
    pub fn overdriven(&self) -> impl Iterator<Item = (&Column, f64, Demand)> {
        let Layout { inputs, efforts, .. } = &self.layout;
        let drives = inputs.iter().zip(efforts).zip(&self.demands);
        drives.filter_map(|((drive, effort), &demand)| {
            let effort = (*effort)?;
            (demand.torque > effort).then_some((drive, effort, demand))
        })
    }

    /// What adaptive control has learned, number by number: at the start and at the end. None of a law that only keeps a state.
    pub fn learned(&self) -> impl Iterator<Item = (&Column, [f64; 2])> {
        let of = |sample: Option<&Sample>| sample.map_or_else(Vec::new, |sample| sample.memory.clone());
        let (first, last) = (of(self.samples.first()), of(self.samples.last()));
        let numbers = first.into_iter().zip(last).map(|(first, last)| [first, last]);
        self.memory.iter().zip(numbers).filter(|(column, _)| column.symbol == ESTIMATE)
    }

    /// The columns of [`rows`](Self::rows).
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        let Layout { positions, velocities, inputs, outputs, .. } = &self.layout;
        let mut columns = vec![Column::whole("t", Unit::ONE.seconds(1))];
        for part in [positions, velocities, inputs] {
            columns.extend(part.iter().cloned());
        }
        let followed = self.samples.first().map_or(0, |sample| sample.reference.len());
        columns.extend(positions.iter().take(followed).map(|column| column.as_kind("reference", column.unit)));
        columns.extend(outputs.iter().chain(&self.memory).cloned());
        columns.extend(["kinetic", "potential", "energy", "work"].map(|name| Column::whole(name, Unit::JOULE)));
        columns
    }

    /// The samples as rows of numbers, in the order of [`columns`](Self::columns).
    pub fn rows(&self) -> impl Iterator<Item = Vec<f64>> + '_ {
        self.samples.iter().map(|sample| {
            let Sample { t, q, qd, tau, reference, outputs, memory, kinetic, potential, work, .. } = sample;
            let mut row = vec![*t];
            for part in [q, qd, tau, reference, outputs, memory] {
                row.extend(part);
            }
            row.extend([*kinetic, *potential, sample.energy(), *work]);
            row
        })
    }
}
