//! Which poles, and which sampling, a robot bears: from its own spectrum.
//!
//! Exact linearisation cancels the springs, and an error of the model leaves a share of the fastest mode uncancelled: its poles
//! have to be as fast as that mode before they outweigh what is left. Laws that act on the motors only must stay below the
//! slowest mode of the springs.

use super::Study;
use crate::elastic::control::{Kind, Pole};
use crate::elastic::{ElasticError, ElasticModel, linearise};
use crate::prescribed::PrescribedMotion;
use crate::simulate::SimulationError;
use std::ops::ControlFlow;

/// Postures along a motion at which the spectrum is taken.
const POSTURES: usize = 9;

/// The natural frequencies of the springs along a motion, rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    /// The slowest.
    pub slowest: f64,
    /// The fastest.
    pub fastest: f64,
}

impl Spectrum {
    /// Of a robot along the first `duration` seconds of a motion.
    ///
    /// # Errors
    /// A mass matrix that is singular on the way.
    pub fn along(elastic: &ElasticModel<f64>, motion: &PrescribedMotion, duration: f64) -> Result<Self, ElasticError> {
        let robot = || elastic.model().name().to_owned();
        let mut spectrum = Self { slowest: f64::INFINITY, fastest: 0.0 };
        for k in 0..POSTURES {
            let t = motion.start + duration * k as f64 / (POSTURES - 1) as f64;
            let posture: Vec<f64> = motion.joints.iter().map(|curve| curve.derivative(0, t)).collect();
            let modes =
                linearise(elastic, &posture)?.modes().map_err(|_| ElasticError::Eigenvalues { robot: robot() })?;
            // In the order of their squares: the links as a rigid robot would move, then the springs.
            let springs = modes.iter().skip(elastic.model().nv());
            for omega in springs.map(|mode| mode.omega()) {
                spectrum.slowest = spectrum.slowest.min(omega);
                spectrum.fastest = spectrum.fastest.max(omega);
            }
        }
        Ok(spectrum)
    }

    /// The poles that a law's bandwidth is measured by: all at the fastest mode for exact linearisation, at the slowest for the
    /// others.
    #[must_use]
    pub fn poles(&self, kind: Kind) -> [Pole; 4] {
        let rate = match kind {
            Kind::Linearising => self.fastest,
            Kind::Feedforward | Kind::ComputedTorque | Kind::None => self.slowest,
        };
        [[-rate, 0.0]; 4]
    }
}

/// How many robots stay stable with poles that are `scale` times as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bandwidth {
    /// The factor of all poles.
    pub scale: f64,
    /// The share of the robots, from 0 to 1.
    pub stable: f64,
}

impl Study<'_> {
    /// How the share of stable robots depends on the bandwidth.
    ///
    /// # Errors
    /// As [`run`](Study::run).
    pub fn bandwidth(
        &self,
        scales: &[f64],
        progress: impl Fn() -> ControlFlow<()> + Sync,
    ) -> Result<Vec<Bandwidth>, SimulationError> {
        let of = |&scale: &f64| Ok(Bandwidth { scale, stable: self.scaled(scale).stable_share(&progress)? });
        scales.iter().map(of).collect()
    }

    /// The share of stable robots.
    ///
    /// # Errors
    /// As [`run`](Study::run).
    pub fn stable_share(&self, progress: impl Fn() -> ControlFlow<()> + Sync) -> Result<f64, SimulationError> {
        let outcomes = self.run(progress)?;
        Ok(outcomes.iter().filter(|outcome| outcome.stable).count() as f64 / outcomes.len().max(1) as f64)
    }
}

/// The sampling frequency, Hz, from which on the loop of the nominal robot is stable at rest at the end of the reference, to a
/// per cent; `None` if it is not even in continuous time. A loop may be stable again at far lower frequencies, where the torque
/// hardly ever changes; that is not meant.
#[must_use]
pub fn least_sampling(study: &Study<'_>) -> Option<f64> {
    let closed = study.closed_loop(study.nominal).ok()?;
    let is_stable = |period: Option<f64>| closed.decay(period).is_ok_and(|decay| decay > 0.0);
    let at = |hertz: f64| is_stable(Some(1.0 / hertz));
    if !is_stable(None) {
        return None;
    }
    let down = std::iter::successors(Some(1e6), |hertz| Some(hertz / 1.25)).take_while(|&hertz| hertz > 1.0);
    let (mut high, mut low) = (1e6, None);
    for hertz in down {
        if !at(hertz) {
            low = Some(hertz);
            break;
        }
        high = hertz;
    }
    let Some(mut low) = low else { return Some(high) };
    if low >= high {
        return None;
    }
    while high / low > 1.01 {
        let middle = f64::sqrt(low * high);
        if at(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
