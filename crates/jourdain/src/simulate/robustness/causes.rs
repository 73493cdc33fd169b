//! What makes robots unstable: each parameter on its own, at both ends of its spread.

use super::{Draw, Outcome, Study};
use crate::simulate::SimulationError;
use rayon::prelude::*;

/// A parameter that a study spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The mass of a link, with its inertia.
    Mass(usize),
    /// The stiffness of a spring, by its place.
    Stiffness(usize),
    /// All friction.
    Friction,
    /// The payload.
    Payload,
}

impl Parameter {
    /// Its value in a robot: a factor, or kg for the payload.
    #[must_use]
    pub fn of(self, draw: &Draw) -> f64 {
        match self {
            Self::Mass(link) => draw.masses[link],
            Self::Stiffness(spring) => draw.stiffnesses[spring],
            Self::Friction => draw.friction,
            Self::Payload => draw.payload,
        }
    }

    fn set(self, draw: &mut Draw, value: f64) {
        match self {
            Self::Mass(link) => draw.masses[link] = value,
            Self::Stiffness(spring) => draw.stiffnesses[spring] = value,
            Self::Friction => draw.friction = value,
            Self::Payload => draw.payload = value,
        }
    }
}

/// What a parameter does on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The parameter.
    pub parameter: Parameter,
    /// With everything else nominal, at the lower and the upper end of its spread.
    pub ends: [Outcome; 2],
    /// Correlation of the parameter with the decay rate over the robots of the study; `None` where there is none to speak of.
    pub correlation: Option<f64>,
}

impl Cause {
    /// The slower of the two decay rates, 1/s; at most zero where control was lost, minus infinity where none was found.
    #[must_use]
    pub fn worst(&self) -> f64 {
        let rate = |outcome: &Outcome| match outcome.decay {
            Some(decay) if outcome.stable => decay,
            Some(decay) => decay.min(0.0),
            None => f64::NEG_INFINITY,
        };
        self.ends.iter().map(rate).fold(f64::INFINITY, f64::min)
    }
}

impl Study<'_> {
    /// What each parameter that is spread does on its own, the worst first; `outcomes` are those of the study.
    ///
    /// # Errors
    /// As [`outcome`](Study::outcome).
    pub fn causes(&self, outcomes: &[Outcome]) -> Result<Vec<Cause>, SimulationError> {
        let links = self.nominal.model().links();
        let masses = (0..links.len()).filter(|&k| self.spread.mass > 0.0 && links[k].inertia.mass != 0.0);
        let springs = (0..self.nominal.springs().len()).filter(|_| self.spread.stiffness > 0.0);
        let rubs = links.iter().filter_map(|link| link.motor).any(|motor| {
            let always = [motor.viscous, motor.coulomb, motor.rotor_viscous, motor.rotor_coulomb];
            always.into_iter().chain(motor.root).chain(motor.stribeck).any(|x| x != 0.0)
        });
        let mut parameters: Vec<Parameter> = masses.map(Parameter::Mass).collect();
        parameters.extend(springs.map(Parameter::Stiffness));
        parameters.extend((rubs && self.spread.friction > 0.0).then_some(Parameter::Friction));
        parameters.extend((self.spread.payload > 0.0).then_some(Parameter::Payload));
        let cause = |&parameter: &Parameter| {
            let at = |value: f64| {
                let mut draw = Draw::nominal(self.nominal);
                parameter.set(&mut draw, value);
                self.outcome(draw)
            };
            let [low, high] = match parameter {
                Parameter::Mass(_) => [1.0 - self.spread.mass, 1.0 + self.spread.mass],
                Parameter::Stiffness(_) => [1.0 - self.spread.stiffness, 1.0 + self.spread.stiffness],
                Parameter::Friction => [(1.0 - self.spread.friction).max(0.0), 1.0 + self.spread.friction],
                Parameter::Payload => [0.0, self.spread.payload],
            };
            let pairs = outcomes.iter().filter_map(|outcome| Some([parameter.of(&outcome.draw), outcome.decay?]));
            Ok(Cause { parameter, ends: [at(low)?, at(high)?], correlation: correlation(&pairs.collect::<Vec<_>>()) })
        };
        let mut causes: Vec<Cause> = parameters.par_iter().map(cause).collect::<Result<_, SimulationError>>()?;
        causes.sort_by(|a, b| a.worst().total_cmp(&b.worst()));
        Ok(causes)
    }
}

fn correlation(pairs: &[[f64; 2]]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |i: usize| pairs.iter().map(|pair| pair[i]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(f).sum::<f64>();
    let (xx, yy) = (sum(&|p| (p[0] - x).powi(2)), sum(&|p| (p[1] - y).powi(2)));
    let xy = sum(&|p| (p[0] - x) * (p[1] - y));
    (pairs.len() > 2 && xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}
