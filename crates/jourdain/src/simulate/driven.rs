//! A system under a law, as equations to march through: y = (x, memory of the law, work, impulse).
//!
//! Work and impulse are integrated beside the motion by the same method, so that E(t) − E(0) − work is zero but for the error of
//! the integrator: its size, the *energy drift*, measures that error.

use super::controller::{Controller, Moment};
use super::error::SimulationError;
use super::system::{Layout, Mechanics};
use super::trajectory::Sample;
use super::wrappers::{Wrappers, saturate};
use crate::flexible::OutOfRange;
use crate::integrate::{Crossing, Equations, IntegrationError, Marching, Schedule};
use crate::prescribed::Reference;
use crate::state::LinkWrench;
use std::ops::ControlFlow;

/// A system under a law.
pub(super) struct Driven<'s> {
    parts: Parts<'s>,
    progress: &'s mut dyn FnMut(f64) -> ControlFlow<()>,
    pub samples: Vec<Sample>,
    /// The first sample at which the state was beyond what the model bears.
    pub left_range: Option<OutOfRange>,
    room: Room,
}

/// Scratch memory.
struct Room {
    memory: usize,
    /// A time within the piece at hand.
    inside: f64,
    measured: Vec<f64>,
    torque: Vec<f64>,
    /// The rate of the law's memory, held with the torque.
    memory_rate: Vec<f64>,
    loads: Vec<LinkWrench<f64>>,
    momenta: Vec<f64>,
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

impl<'s> Driven<'s> {
    pub fn new(parts: Parts<'s>, progress: &'s mut dyn FnMut(f64) -> ControlFlow<()>) -> Self {
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
            memory_rate: vec![0.0; memory],
            loads: Vec::with_capacity(parts.wrenches.len() + loads),
            momenta: vec![0.0; layout.momenta.len()],
        };
        Self { parts, progress, samples: Vec::new(), left_range: None, room }
    }

    /// y at the start: the law's memory as it begins, no work done yet.
    pub fn start(&mut self, x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        y.resize(self.size(), 0.0);
        self.parts.controller.start_into(x, &mut y[x.len()..x.len() + self.room.memory]);
        y
    }

    /// Where a state leaves what the model bears, if it does.
    pub fn outside(&self, t: f64, y: &[f64]) -> Option<OutOfRange> {
        self.parts.mechanics.outside(t, &y[..self.parts.layout.size()])
    }

    /// Torques and memory rates of the law for what is measured.
    fn apply(&mut self, t: f64, memory: &[f64]) {
        let Room { inside, measured, torque, memory_rate, .. } = &mut self.room;
        self.parts.controller.torque_into(Moment { t, inside: *inside }, measured, memory, memory_rate, torque);
        if self.parts.wrappers.saturate {
            saturate(torque, &self.parts.layout.efforts);
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

impl Equations<f64> for Driven<'_> {
    fn size(&self) -> usize {
        self.parts.layout.size() + self.room.memory + 1 + self.parts.layout.momenta.len()
    }

    fn rate_into(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
        let (size, memory) = (self.parts.layout.size(), self.room.memory);
        self.apply_unless_held(t, y);
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

impl Marching for Driven<'_> {
    type Error = SimulationError;

    fn begin(&mut self, from: f64, to: f64, y: &[f64]) {
        self.room.inside = 0.5 * (from + to);
        if let Some(sample) = self.parts.schedule.instant(from) {
            let size = self.parts.layout.size();
            self.room.measured.copy_from_slice(&y[..size]);
            self.parts.wrappers.measure(sample, self.parts.layout.positions.len(), &mut self.room.measured);
            self.apply(from, &y[size..size + self.room.memory]);
        }
    }

    fn record(&mut self, t: f64, y: &[f64]) -> Result<(), SimulationError> {
        self.apply_unless_held(t, y);
        let (size, memory) = (self.parts.layout.size(), self.room.memory);
        let (x, rest) = y.split_at(size);
        let (memory, sums) = rest.split_at(memory);
        let (q, qd) = x.split_at(self.parts.layout.positions.len());
        let [kinetic, potential] = self.parts.mechanics.energy(x);
        let mut outputs = vec![0.0; self.parts.layout.outputs.len()];
        self.parts.mechanics.outputs_into(x, &mut outputs);
        self.parts.mechanics.momenta_into(x, &mut self.room.momenta);
        let sample = Sample {
            t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            tau: self.room.torque.clone(),
            reference: self.parts.reference.map_or_else(Vec::new, |reference| {
                let [position] = reference.orders(t);
                position
            }),
            outputs,
            memory: memory.to_vec(),
            kinetic,
            potential,
            work: sums[0],
            own_momentum: self.room.momenta.iter().zip(&sums[1..]).map(|(h, impulse)| h - impulse).collect(),
        };
        let energy = sample.energy();
        let parts = [&sample.tau, &sample.reference, &sample.outputs, &sample.own_momentum];
        if parts.into_iter().flatten().chain([&energy]).any(|x| !x.is_finite()) {
            let t = self.samples.last().map_or(0.0, |sample| sample.t);
            return Err(IntegrationError::NotFinite { t }.into());
        }
        self.samples.push(sample);
        if self.left_range.is_none() {
            self.left_range = self.outside(t, y);
        }
        Ok(())
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
        self.parts.mechanics.explain(error, t, &y[..self.parts.layout.size()])
    }

    fn reached(&mut self, t: f64) -> ControlFlow<()> {
        (self.progress)(t)
    }
}
