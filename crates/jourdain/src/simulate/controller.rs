//! A law at work: from time and measured state to torques, with a memory of its own where it needs one.

use super::column::Column;
use super::error::SimulationError;
use super::law::{DEFAULT_RATE, Gains, Law};
use super::system::System;
use crate::prescribed::{Reference, Torque};
use crate::state::check_vector;

/// A time, and a time within the smooth piece meant: the two differ where the first is an end of the piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// s
    pub t: f64,
    /// s
    pub inside: f64,
}

/// A law at work.
pub trait Controller {
    /// The torques for the measured state x, and the rate of the law's own state.
    fn torque_into(&mut self, at: Moment, x: &[f64], memory: &[f64], memory_rate: &mut [f64], torque: &mut [f64]);

    /// The numbers of the law's own state.
    fn memory(&self) -> Vec<Column> {
        Vec::new()
    }

    /// The law's own state at the start.
    fn start_into(&mut self, _x: &[f64], _memory: &mut [f64]) {}

    /// Why the law has no torque to give, once it has none; what it wrote then is not to be used.
    fn failure(&self) -> Option<SimulationError> {
        None
    }

    /// The times where the law has a kink or a jump, ascending.
    fn knots(&self) -> &[f64] {
        &[]
    }
}

/// Torques that do not depend on the motion.
struct OpenLoop(Torque);

impl Controller for OpenLoop {
    fn torque_into(&mut self, at: Moment, _: &[f64], _: &[f64], _: &mut [f64], torque: &mut [f64]) {
        self.0.at_into(at.t, at.inside, torque);
    }

    fn knots(&self) -> &[f64] {
        self.0.knots()
    }
}

/// The laws that any system takes: none, constant, table, and functions. `None` for one that depends on the kind of system.
pub(super) fn any_system<'s>(
    law: &'s Law,
    system: &'s dyn System,
) -> Result<Option<Box<dyn Controller + 's>>, SimulationError> {
    if let Law::Custom(law) = law {
        return Ok(Some(law.controller(system)));
    }
    let Some(torque) = law.open_loop() else { return Ok(None) };
    let expected = system.layout().inputs.len();
    if let Some(found) = torque.size().filter(|&found| found != expected) {
        return Err(SimulationError::TorqueLength { robot: system.name().to_owned(), found, expected });
    }
    if let Torque::Constant(values) = &torque {
        check_vector("tau", values, expected, system.name())?;
    }
    Ok(Some(Box::new(OpenLoop(torque))))
}

/// The error of a law that a system cannot take.
pub(super) fn cannot_take(law: &Law, system: &dyn System, can: &'static [&'static str]) -> SimulationError {
    SimulationError::Law { law: law.name(), robot: system.name().to_owned(), kind: system.kind(), can }
}

/// That a reference has one number per drive.
pub(super) fn check_reference(reference: &Reference<'_>, system: &dyn System) -> Result<(), SimulationError> {
    let (found, expected) = (reference.size(), system.layout().inputs.len());
    if found != expected {
        let robot = system.name().to_owned();
        return Err(SimulationError::Length { what: "reference", robot, expected: expected.to_string(), found });
    }
    if let Reference::Rest(q) = reference {
        check_vector("goal", q, expected, system.name())?;
    }
    Ok(())
}

/// One gain per joint out of none, one or all; none stands for `default`.
pub(super) fn spread(
    what: &'static str,
    given: &[f64],
    default: impl Fn(usize) -> f64,
    count: usize,
    system: &str,
) -> Result<Vec<f64>, SimulationError> {
    let gains: Vec<f64> = match given {
        [] => (0..count).map(default).collect(),
        [one] => vec![*one; count],
        many if many.len() == count => many.to_vec(),
        many => {
            let expected = if count == 1 { "1".to_owned() } else { format!("1 or {count}") };
            return Err(SimulationError::Length { what, robot: system.to_owned(), expected, found: many.len() });
        }
    };
    match gains.iter().find(|gain| !gain.is_finite()) {
        Some(&value) => Err(SimulationError::Option { name: what, expected: "a finite number", value }),
        None => Ok(gains),
    }
}

/// K_P and K_D per joint; without numbers those of a double pole at the default rate for a joint of this inertia.
pub(super) fn pairs(gains: &Gains, inertia: &[f64], system: &str) -> Result<Vec<[f64; 2]>, SimulationError> {
    let default = |power: i32, factor: f64| move |i: usize| factor * inertia[i] * DEFAULT_RATE.powi(power);
    let position = spread("position gain", &gains.position, default(2, 1.0), inertia.len(), system)?;
    let velocity = spread("velocity gain", &gains.velocity, default(1, 2.0), inertia.len(), system)?;
    Ok(position.into_iter().zip(velocity).map(|(p, v)| [p, v]).collect())
}
