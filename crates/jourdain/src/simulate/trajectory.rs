//! Recorded motion, and how far energy and momentum are from what they should be.

use crate::spatial::Wrench;

/// The robot at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// Position; quaternions unit.
    pub q: Vec<f64>,
    /// Velocity.
    pub qd: Vec<f64>,
    /// Torques of the drives.
    pub tau: Vec<f64>,
    /// Kinetic energy, rotors of rigid drives included, J.
    pub kinetic: f64,
    /// Potential energy, J.
    pub potential: f64,
    /// What torques, friction and wrenches have done up to now, J.
    pub work: f64,
    /// Momentum about the world origin less the impulse of all that acted from outside; `None` unless the robot floats.
    pub own_momentum: Option<Wrench<f64>>,
}

impl Sample {
    /// Kinetic and potential energy, J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
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
    /// Why it ended early, if it did.
    pub stopped: Option<LimitHit>,
}

impl Trajectory {
    /// The largest |E(t) − E(0) − work| of the samples, J: zero but for the error of the integrator.
    #[must_use]
    pub fn energy_drift(&self) -> f64 {
        let Some(first) = self.samples.first() else { return 0.0 };
        let start = first.energy() - first.work;
        self.samples.iter().map(|sample| (sample.energy() - sample.work - start).abs()).fold(0.0, f64::max)
    }

    /// The largest |h(t) − h(0) − impulse| of the samples: linear (N s), angular about the world origin (N m s). `None`
    /// unless the robot floats.
    #[must_use]
    pub fn momentum_drift(&self) -> Option<[f64; 2]> {
        let start = self.samples.first()?.own_momentum?;
        let mut drift = [0.0_f64; 2];
        for sample in &self.samples {
            let now = sample.own_momentum?;
            drift[0] = drift[0].max((now.force - start.force).norm());
            drift[1] = drift[1].max((now.moment - start.moment).norm());
        }
        Some(drift)
    }
}
