//! A system under a law, as equations to march through: y = (x, memory of the law, work, impulse). What is made of the motion
//! is a [`Recorder`]'s business.
//!
//! Work and impulse are integrated beside the motion by the same method, so that E(t) − E(0) − work is zero but for the error of
//! the integrator: its size, the *energy drift*, measures that error.

use super::controller::{Controller, Moment};
use super::error::SimulationError;
use super::system::{Layout, Mechanics};
use super::trajectory::{Demand, Sample};
use super::wrappers::{Wrappers, saturate};
use crate::flexible::OutOfRange;
use crate::integrate::{Crossing, Equations, IntegrationError, Marching, Schedule};
use crate::prescribed::Reference;
use crate::state::LinkWrench;
use std::ops::ControlFlow;

/// A system under a law.
pub(super) struct Driven<'s, R> {
    parts: Parts<'s>,
    progress: &'s mut dyn FnMut(f64) -> ControlFlow<()>,
    pub recorder: R,
    pub demands: Vec<Demand>,
    /// The first sample at which the state was beyond what the model bears.
    pub left_range: Option<OutOfRange>,
    room: Room,
}

/// A moment of the motion.
pub(super) struct Seen<'y> {
    pub t: f64,
    /// State of the system.
    pub x: &'y [f64],
    /// State of the law.
    pub memory: &'y [f64],
    /// Work and impulse.
    pub sums: &'y [f64],
    pub torque: &'y [f64],
}

/// What is made of the motion.
pub(super) trait Recorder {
    /// Whether samples show the torque, which then is asked for once more at each of them.
    const SHOWS_TORQUE: bool;

    /// Takes a sample.
    fn record(&mut self, seen: &Seen<'_>, parts: &mut Parts<'_>) -> Result<(), SimulationError>;
}

/// All samples, with energies and momenta.
#[derive(Default)]
pub(super) struct Samples(pub Vec<Sample>);

impl Recorder for Samples {
    const SHOWS_TORQUE: bool = true;

    fn record(&mut self, seen: &Seen<'_>, parts: &mut Parts<'_>) -> Result<(), SimulationError> {
        let Seen { t, x, memory, sums, torque } = *seen;
        let (q, qd) = x.split_at(parts.layout.positions.len());
        let [kinetic, potential] = parts.mechanics.energy(x);
        let mut outputs = vec![0.0; parts.layout.outputs.len()];
        parts.mechanics.outputs_into(x, &mut outputs);
        let mut momenta = vec![0.0; parts.layout.momenta.len()];
        parts.mechanics.momenta_into(x, &mut momenta);
        let sample = Sample {
            t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            tau: torque.to_vec(),
            reference: parts.reference.map_or_else(Vec::new, |reference| {
                let [position] = reference.orders(t);
                position
            }),
            outputs,
            memory: memory.to_vec(),
            kinetic,
            potential,
            work: sums[0],
            own_momentum: momenta.iter().zip(&sums[1..]).map(|(h, impulse)| h - impulse).collect(),
        };
        let energy = sample.energy();
        let numbers = [&sample.tau, &sample.reference, &sample.outputs, &sample.own_momentum];
        if numbers.into_iter().flatten().chain([&energy]).any(|x| !x.is_finite()) {
            let t = self.0.last().map_or(0.0, |sample| sample.t);
            return Err(IntegrationError::NotFinite { t }.into());
        }
        self.0.push(sample);
        Ok(())
    }
}

/// Scratch memory.
struct Room {
    memory: usize,
    /// A time within the piece at hand.
    inside: f64,
    measured: Vec<f64>,
    torque: Vec<f64>,
    /// The torque before it was cut.
    asked: Vec<f64>,
    /// The rate of the law's memory, held with the torque.
    memory_rate: Vec<f64>,
    loads: Vec<LinkWrench<f64>>,
}

/// What a simulation hands over.
pub(super) struct Parts<'s> {
    pub mechanics: Box<dyn Mechanics + 's>,
    pub controller: Box<dyn Controller + 's>,
    pub layout: &'s Layout,
    pub wrappers: Wrappers,
    pub schedule: Schedule<'s>,
    pub reference: Option<&'s Reference<'s>>,
    /// Constant in link axes.
    pub wrenches: &'s [LinkWrench<f64>],
    pub stop_at_limits: bool,
}

impl<'s, R: Recorder> Driven<'s, R> {
    pub fn new(parts: Parts<'s>, recorder: R, progress: &'s mut dyn FnMut(f64) -> ControlFlow<()>) -> Self {
        let (layout, memory) = (parts.layout, parts.controller.memory().len());
        let loads = match parts.reference {
            Some(Reference::Motion(motion)) => motion.loads.len(),
            Some(Reference::Rest(_)) | None => 0,
        };
        let room = Room {
            memory,
            inside: 0.0,
            measured: vec![0.0; layout.size()],
            torque: vec![0.0; layout.inputs.len()],
            asked: vec![0.0; layout.inputs.len()],
            memory_rate: vec![0.0; memory],
            loads: Vec::with_capacity(parts.wrenches.len() + loads),
        };
        let demands = vec![Demand::default(); layout.inputs.len()];
        Self { parts, progress, recorder, demands, left_range: None, room }
    }

    /// y at the start: the law's memory as it begins, no work done yet.
    pub fn start(&mut self, x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        y.resize(self.size(), 0.0);
        self.parts.mechanics.accept(x);
        self.parts.controller.start_into(x, &mut y[x.len()..x.len() + self.room.memory]);
        y
    }

    /// Where a state leaves what the model bears, if it does.
    pub fn outside(&self, t: f64, y: &[f64]) -> Option<OutOfRange> {
        self.parts.mechanics.outside(t, &y[..self.parts.layout.size()])
    }

    /// Torques and memory rates of the law for what is measured.
    fn apply(&mut self, t: f64, memory: &[f64]) {
        let Room { inside, measured, torque, asked, memory_rate, .. } = &mut self.room;
        self.parts.controller.torque_into(Moment { t, inside: *inside }, measured, memory, memory_rate, torque);
        asked.copy_from_slice(torque);
        if self.parts.wrappers.saturate {
            saturate(torque, &self.parts.layout.efforts);
        }
    }

    /// Remembers the most that was asked of each drive.
    fn note_demand(&mut self, t: f64) {
        for (demand, asked) in self.demands.iter_mut().zip(&self.room.asked) {
            if asked.abs() > demand.torque {
                *demand = Demand { torque: asked.abs(), t };
            }
        }
    }

    /// What the law asks for at `t`, unless a sample of it is held.
    fn apply_unless_held(&mut self, t: f64, y: &[f64]) {
        if self.parts.schedule.period.is_none() {
            let size = self.parts.layout.size();
            self.room.measured.copy_from_slice(&y[..size]);
            self.apply(t, &y[size..size + self.room.memory]);
        }
    }
}

impl<R: Recorder> Equations<f64> for Driven<'_, R> {
    fn size(&self) -> usize {
        self.parts.layout.size() + self.room.memory + 1 + self.parts.layout.momenta.len()
    }

    fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
        let (size, memory) = (self.parts.layout.size(), self.room.memory);
        self.apply_unless_held(t, y);
        if !R::SHOWS_TORQUE {
            self.note_demand(t);
        }
        let loads = &mut self.room.loads;
        loads.clear();
        loads.extend_from_slice(self.parts.wrenches);
        if let Some(reference) = self.parts.reference {
            reference.add_loads(t, loads);
        }
        let (rate, rest) = rate.split_at_mut(size);
        let (memory_rate, sums) = rest.split_at_mut(memory);
        memory_rate.copy_from_slice(&self.room.memory_rate);
        self.parts.mechanics.rate_into(&y[..size], &self.room.torque, &self.room.loads, rate, sums);
    }

    fn project(&self, y: &mut [f64]) {
        self.parts.mechanics.project(&mut y[..self.parts.layout.size()]);
    }
}

impl<R: Recorder> Marching for Driven<'_, R> {
    type Error = SimulationError;

    fn begin(&mut self, from: f64, to: f64, y: &[f64]) {
        self.room.inside = 0.5 * (from + to);
        if let Some(sample) = self.parts.schedule.instant(from) {
            let size = self.parts.layout.size();
            self.room.measured.copy_from_slice(&y[..size]);
            self.parts.wrappers.measure(sample, self.parts.layout.positions.len(), &mut self.room.measured);
            self.apply(from, &y[size..size + self.room.memory]);
            self.note_demand(from);
        }
    }

    fn record(&mut self, t: f64, y: &[f64]) -> Result<(), SimulationError> {
        if R::SHOWS_TORQUE {
            self.apply_unless_held(t, y);
            if let Some(failure) = self.parts.controller.failure() {
                return Err(failure);
            }
            self.note_demand(t);
        }
        if self.left_range.is_none() {
            self.left_range = self.outside(t, y);
        }
        let (x, rest) = y.split_at(self.parts.layout.size());
        let (memory, sums) = rest.split_at(self.room.memory);
        let seen = Seen { t, x, memory, sums, torque: &self.room.torque };
        self.recorder.record(&seen, &mut self.parts)
    }

    fn beyond(&self, y: &[f64]) -> Option<Crossing> {
        let x = &y[..self.parts.layout.size()];
        if !self.parts.stop_at_limits {
            return None;
        }
        // The time does not enter a crossing.
        let outside = || self.parts.mechanics.outside(0.0, x);
        self.parts.mechanics.beyond(x).or_else(|| {
            outside().map(|found| Crossing { place: found.link, limit: found.limit, position: found.slope })
        })
    }

    fn explain(&self, error: IntegrationError, t: f64, y: &[f64]) -> SimulationError {
        let mechanics = || self.parts.mechanics.explain(error, t, &y[..self.parts.layout.size()]);
        self.parts.controller.failure().unwrap_or_else(mechanics)
    }

    fn accept(&mut self, y: &[f64]) {
        self.parts.mechanics.accept(&y[..self.parts.layout.size()]);
    }

    fn reached(&mut self, t: f64) -> ControlFlow<()> {
        (self.progress)(t)
    }
}
