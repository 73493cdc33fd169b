//! One nominal law against many perturbed robots: how far exact linearisation, or any other law, survives a wrong model.
//!
//! Every sample draws a robot around the nominal one: masses with their inertias, stiffnesses and friction times 1 ± spread, a
//! point mass at the end of the last link, all uniformly distributed. The robot is simulated under the law of the *nominal*
//! model, from the same start off the reference. A sample is
//!
//! - *stable* if the error stays within the bound all the time and the loop, linearised at rest at the reference's end, has
//!   all poles in the left half-plane;
//! - its *decay rate* is the distance of the rightmost of these poles from the imaginary axis: how fast small deviations
//!   die out, negative if they grow.
//!
//! Sample i depends on the seed and on i alone, whatever the number of threads.
//!
//! Trap: with quadruple nominal poles the decay rate is as sensitive to small model errors as their fourth root.
//!
//! # Reference
//! The question of Grimm 1990; he bounds the model errors, this samples them.

mod bandwidth;
mod causes;
mod draw;

pub use bandwidth::{Bandwidth, Spectrum, least_sampling};
pub use causes::{Cause, Parameter};
pub use draw::{Draw, perturbed};

use super::driven::{Driven, Parts, Recorder, Seen};
use super::elastic::Elastic;
use super::error::SimulationError;
use super::system::System as _;
use super::wrappers::Wrappers;
use crate::elastic::control::{Controller, Kind, Pole};
use crate::elastic::{ClosedLoop, ElasticError, ElasticModel, linearise};
use crate::integrate::{Adaptive, Fixed, IntegrationError, Plan, Schedule, Stepper, march};
use crate::prescribed::{PrescribedMotion, Reference};
use jourdain_symbolic::Dual;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Steps are fixed up to this product of step and fastest rate, otherwise chosen by tolerance.
const RESOLVED: f64 = 0.5;

/// Most steps that one robot may take: beyond them it counts as lost.
const MOST_STEPS: u64 = 200_000;

/// How far robots are from the nominal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Of each link's mass, first moment and inertia, as a share.
    pub mass: f64,
    /// Of each spring's stiffness, as a share.
    pub stiffness: f64,
    /// Of each friction coefficient, as a share.
    pub friction: f64,
    /// Largest payload, kg; between none and this.
    pub payload: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { mass: 0.1, stiffness: 0.1, friction: 0.2, payload: 0.0 }
    }
}

/// A study.
#[derive(Clone, Debug)]
pub struct Study<'m> {
    /// The model that the law believes in.
    pub nominal: &'m ElasticModel<f64>,
    /// The law.
    pub kind: Kind,
    /// Its error poles.
    pub poles: [Pole; 4],
    /// What the links are to do.
    pub motion: &'m PrescribedMotion,
    /// Off the reference at the start, q = q_d − offset.
    pub offset: Vec<f64>,
    /// How far robots are from the nominal one.
    pub spread: Spread,
    /// Robots.
    pub samples: usize,
    /// What the robots follow from.
    pub seed: u64,
    /// Time to simulate, s.
    pub duration: f64,
    /// Step, s; where it does not resolve a robot's springs or the poles, steps are chosen by tolerance.
    pub step: f64,
    /// Errors beyond this, rad or m, are a loss of control.
    pub bound: f64,
    /// What stands between law and robot: saturation, sampling, noise.
    pub wrappers: Wrappers,
}

/// What one robot did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Which robot it was.
    pub draw: Draw,
    /// True if the error stayed within the bound and all poles are stable.
    pub stable: bool,
    /// Largest |q_d − q| of all joints and times, up to the bound.
    pub largest: f64,
    /// Largest |q_d − q| in the last quarter of the time.
    pub late: f64,
    /// Root mean square of |q_d − q| over time.
    pub rms: f64,
    /// Distance of the rightmost pole at the end's posture, 1/s; `None` if it was not found.
    pub decay: Option<f64>,
    /// True if the law asked some drive for more than it can give.
    pub overdriven: bool,
}

impl Study<'_> {
    /// Runs all samples on all cores; `progress` is called once per sample, from any thread, and may end the study.
    ///
    /// # Errors
    /// A study that makes no sense, or one that was ended; what a single robot does is no error.
    pub fn run(&self, progress: impl Fn() -> ControlFlow<()> + Sync) -> Result<Vec<Outcome>, SimulationError> {
        self.check()?;
        let one = |index: usize| {
            let outcome = self.sample(index)?;
            match progress() {
                ControlFlow::Continue(()) => Ok(outcome),
                ControlFlow::Break(()) => Err(IntegrationError::Cancelled { t: 0.0 }.into()),
            }
        };
        (0..self.samples).into_par_iter().map(one).collect()
    }

    /// That the study makes sense; [`run`](Self::run) asks for it itself, [`sample`](Self::sample) does not.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<(), SimulationError> {
        let Spread { mass, stiffness, friction, payload } = self.spread;
        let range = |what, expected, value| Err(ElasticError::Range { what, expected, value }.into());
        for (what, value) in [("spread of the mass", mass), ("spread of the stiffness", stiffness)] {
            if !(0.0..1.0).contains(&value) {
                return range(what, "from 0 to below 1", value);
            }
        }
        for (what, value) in [("spread of the friction", friction), ("payload", payload)] {
            if !(value >= 0.0 && value.is_finite()) {
                return range(what, "zero or a positive number", value);
            }
        }
        for (what, value) in [("duration", self.duration), ("step", self.step), ("bound", self.bound)] {
            if !(value > 0.0 && value.is_finite()) {
                return range(what, "a positive number", value);
            }
        }
        if self.duration / self.step > 1e9 {
            return range("step", "no less than a billionth of the duration", self.step);
        }
        let (found, expected) = (self.offset.len(), self.nominal.model().nv());
        if found != expected {
            let robot = self.nominal.model().name().to_owned();
            return Err(ElasticError::Length { what: "the offset", robot, found, expected }.into());
        }
        let layout = Elastic::new(self.nominal).layout().clone();
        if self.wrappers.saturate && layout.efforts.iter().all(Option::is_none) {
            return Err(SimulationError::NoEffort { robot: self.nominal.model().name().to_owned() });
        }
        self.wrappers.check()
    }

    /// Robot number `index`.
    ///
    /// # Errors
    /// Poles that no gains give.
    pub fn sample(&self, index: usize) -> Result<Outcome, SimulationError> {
        self.outcome(Draw::new(self.nominal, &self.spread, self.seed, index))
    }

    /// What one robot does.
    ///
    /// # Errors
    /// Poles that no gains give.
    pub fn outcome(&self, draw: Draw) -> Result<Outcome, SimulationError> {
        let plant = draw.robot(self.nominal)?;
        let track = self.follow(&plant)?;
        let decay = self.closed_loop(&plant).and_then(|closed| closed.decay(self.wrappers.period())).ok();
        let stable = track.within && decay.is_some_and(|decay| decay > 0.0);
        let Track { largest, late, rms, overdriven, .. } = track;
        Ok(Outcome { draw, stable, largest, late, rms, decay, overdriven })
    }

    /// The error along the motion, under the law of the nominal robot.
    fn follow(&self, plant: &ElasticModel<f64>) -> Result<Track, SimulationError> {
        let (system, believed) = (Elastic::new(plant), Elastic::new(self.nominal));
        let reference = Reference::Motion(self.motion);
        let law = believed.law(self.kind, &self.poles, &reference)?;
        // The start is the nominal robot's: the true one is not known.
        let x = believed.state_on(&reference, &self.offset)?;
        let fastest = linearise(plant, &x[..self.offset.len()]).ok().and_then(|linear| linear.fastest().ok());
        let fastest = self.poles.iter().map(|[re, im]| re.hypot(*im)).fold(fastest.unwrap_or(0.0), f64::max);
        let controller = believed.controller(&law, &reference)?;
        let knots = controller.knots().to_vec();
        let schedule =
            Schedule { duration: self.duration, step: self.step, knots: &knots, period: self.wrappers.period() };
        let parts = Parts {
            mechanics: system.mechanics(),
            controller,
            layout: system.layout(),
            wrappers: self.wrappers,
            schedule,
            reference: Some(&reference),
            wrenches: &[],
            stop_at_limits: false,
        };
        let orders = [vec![0.0; self.offset.len()]];
        let track = Track { within: true, overdriven: false, largest: 0.0, late: 0.0, rms: 0.0, samples: 0 };
        let mut go_on = |_| ControlFlow::Continue(());
        let recorder = Tracker { track, bound: self.bound, late_from: 0.75 * self.duration, orders };
        let mut driven = Driven::new(parts, recorder, &mut go_on);
        let mut y = driven.start(&x);
        let mut stepper: Box<dyn Stepper> = if fastest * self.step <= RESOLVED {
            Box::new(Fixed::new(self.step, y.len()))
        } else {
            Box::new(Adaptive::new(1e-6, 1e-6, y.len()))
        };
        let plan = Plan { schedule, every: 1, most_steps: MOST_STEPS };
        let lost = march(&mut driven, stepper.as_mut(), &plan, &mut y).is_err();
        let demands = driven.demands.iter().zip(&system.layout().efforts);
        let overdriven = demands.into_iter().any(|(demand, effort)| effort.is_some_and(|e| demand.torque > e));
        let Tracker { mut track, .. } = driven.recorder;
        if lost {
            (track.within, track.largest, track.late) = (false, self.bound, self.bound);
        }
        track.overdriven = overdriven;
        track.rms = (track.rms / track.samples.max(1) as f64).sqrt();
        Ok(track)
    }

    /// The loop at rest at the reference's end.
    fn closed_loop(&self, plant: &ElasticModel<f64>) -> Result<ClosedLoop, ElasticError> {
        let at = |t: f64| self.motion.joints.iter().map(|curve| curve.derivative(0, t)).collect::<Vec<f64>>();
        let (start, rest) = (at(self.motion.start), at(self.motion.start + self.duration));
        let mut law = Controller::<Dual<f64>>::new(self.kind, self.nominal, &self.poles, &start)?;
        ClosedLoop::at_rest(plant, &mut law, &rest)
    }

    /// The same study with other poles: all of them `scale` times as fast.
    #[must_use]
    pub fn scaled(&self, scale: f64) -> Self {
        Self { poles: self.poles.map(|pole| pole.map(|x| scale * x)), ..self.clone() }
    }
}

/// The error of one robot so far.
struct Track {
    within: bool,
    overdriven: bool,
    largest: f64,
    late: f64,
    rms: f64,
    samples: u64,
}

/// Follows the error, and ends the motion where it passes the bound.
struct Tracker {
    track: Track,
    bound: f64,
    late_from: f64,
    orders: [Vec<f64>; 1],
}

impl Recorder for Tracker {
    const SHOWS_TORQUE: bool = false;

    fn record(&mut self, seen: &Seen<'_>, parts: &mut Parts<'_>) -> Result<(), SimulationError> {
        if let Some(reference) = parts.reference {
            reference.at_into(seen.t, &mut self.orders);
        }
        let error = self.orders[0].iter().zip(seen.x).map(|(d, q)| (d - q).abs()).fold(0.0, f64::max);
        if error > self.bound || seen.x.iter().any(|x| !x.is_finite()) {
            return Err(IntegrationError::Cancelled { t: seen.t }.into());
        }
        let track = &mut self.track;
        track.largest = track.largest.max(error);
        track.rms += error * error;
        track.samples += 1;
        if seen.t >= self.late_from {
            track.late = track.late.max(error);
        }
        Ok(())
    }
}
