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

use super::closed_loop::{ClosedLoop, Reference};
use super::control::{ControlLaw as _, Controller, Kind, Pole};
use super::error::ElasticError;
use super::linearise::linearise;
use super::model::ElasticModel;
use crate::integrate::{Adaptive, Equations as _, Rk4, Stepper as _};
use crate::model::Link;
use crate::prescribed::PrescribedMotion;
use crate::random::Random;
use crate::spatial::{Inertia, Symmetric};
use jourdain_symbolic::Dual;
use rayon::prelude::*;

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
    /// Step, s; where it does not resolve a robot's springs, steps are chosen by tolerance.
    pub step: f64,
    /// Errors beyond this, rad or m, are a loss of control.
    pub bound: f64,
}

/// What one robot did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Factor of each link's mass.
    pub masses: Vec<f64>,
    /// Factor of each spring's stiffness.
    pub stiffnesses: Vec<f64>,
    /// Factor of the friction.
    pub friction: f64,
    /// Payload, kg.
    pub payload: f64,
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
}

/// Numbers of their own for each sample.
fn draw(seed: u64, index: usize) -> Random {
    let mut random = Random(seed ^ (index as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    random.bits();
    random
}

fn factor(random: &mut Random, spread: f64) -> f64 {
    1.0 + spread * (2.0 * random.fraction() - 1.0)
}

impl Study<'_> {
    /// Runs all samples on all cores; `progress` is called once per sample, from any thread.
    ///
    /// # Errors
    /// A study that makes no sense; what a single robot does is no error.
    pub fn run(&self, progress: impl Fn() + Sync) -> Result<Vec<Outcome>, ElasticError> {
        self.check()?;
        let one = |index: usize| {
            let outcome = self.sample(index);
            progress();
            outcome
        };
        (0..self.samples).into_par_iter().map(one).collect()
    }

    /// That the study makes sense; [`run`](Self::run) asks for it itself, [`sample`](Self::sample) does not.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<(), ElasticError> {
        let Spread { mass, stiffness, friction, payload } = self.spread;
        for (what, value) in [("spread of the mass", mass), ("spread of the stiffness", stiffness)] {
            if !(0.0..1.0).contains(&value) {
                return Err(ElasticError::Range { what, expected: "from 0 to below 1", value });
            }
        }
        for (what, value) in [("spread of the friction", friction), ("payload", payload)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ElasticError::Range { what, expected: "zero or a positive number", value });
            }
        }
        for (what, value) in [("duration", self.duration), ("step", self.step), ("bound", self.bound)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ElasticError::Range { what, expected: "a positive number", value });
            }
        }
        if self.duration / self.step > 1e9 {
            let expected = "no less than a billionth of the duration";
            return Err(ElasticError::Range { what: "step", expected, value: self.step });
        }
        let (found, expected) = (self.offset.len(), self.nominal.model().nv());
        if found != expected {
            let robot = self.nominal.model().name().to_owned();
            return Err(ElasticError::Length { what: "the offset", robot, found, expected });
        }
        Ok(())
    }

    /// One robot.
    ///
    /// # Errors
    /// Poles that no gains give.
    pub fn sample(&self, index: usize) -> Result<Outcome, ElasticError> {
        let mut random = draw(self.seed, index);
        let model = self.nominal.model();
        let masses: Vec<f64> = model.links().iter().map(|_| factor(&mut random, self.spread.mass)).collect();
        let stiffnesses: Vec<f64> =
            self.nominal.springs().iter().map(|_| factor(&mut random, self.spread.stiffness)).collect();
        let friction = factor(&mut random, self.spread.friction).max(0.0);
        let payload = self.spread.payload * random.fraction();
        let plant = perturbed(self.nominal, &masses, &stiffnesses, friction, payload)?;

        let posture: Vec<f64> = self.motion.joints.iter().map(|curve| curve.derivative(0, self.motion.start)).collect();
        let law = Controller::new(self.kind, self.nominal, &self.poles, &posture)?;
        let mut system = ClosedLoop::new(&plant, law, Reference::Motion(self.motion));
        let track = self.follow(&mut system)?;

        let decay = self.decay(&plant, &posture).ok();
        let stable = track.within && decay.is_some_and(|decay| decay > 0.0);
        let Track { largest, late, rms, .. } = track;
        Ok(Outcome { masses, stiffnesses, friction, payload, stable, largest, late, rms, decay })
    }

    /// The error along the motion.
    fn follow(&self, system: &mut ClosedLoop<'_, f64, Controller<'_, f64>>) -> Result<Track, ElasticError> {
        // The start is the nominal robot's: the true one is not known.
        let nominal_law = Controller::new(Kind::None, self.nominal, &self.poles, &self.offset)?;
        let mut nominal = ClosedLoop::new(self.nominal, nominal_law, Reference::Motion(self.motion));
        let believed = nominal.start_off_reference(&self.offset);
        let mut y = system.start(&nominal.state(&believed));
        let fastest = linearise(system.plant(), system.state(&y).q).ok().and_then(|l| l.fastest().ok()).unwrap_or(0.0);
        let count = ((self.duration / self.step - 1e-9).ceil() as u64).max(1);
        let end = |k: u64| if k >= count { self.duration } else { k as f64 * self.step };
        let mut track = Track { within: true, largest: 0.0, late: 0.0, rms: 0.0 };
        let mut orders: [Vec<f64>; 5] = std::array::from_fn(|_| vec![0.0; self.offset.len()]);
        let resolved = fastest * self.step <= 0.5;
        let mut rk4 = Rk4::new(y.len());
        let mut adaptive = Adaptive::new(1e-6, 1e-6, y.len());
        for k in 0..=count {
            if k > 0 {
                let (from, to) = (end(k - 1), end(k));
                if resolved {
                    rk4.step(system, from, to - from, &mut y);
                } else if advance(&mut adaptive, system, from, to, &mut y).is_err() {
                    y.fill(f64::NAN);
                }
            }
            system.reference().at_into(end(k), &mut orders);
            let error = orders[0].iter().zip(&y).map(|(d, q)| (d - q).abs()).fold(0.0, f64::max);
            let lost = y.iter().any(|x| !x.is_finite()) || error > self.bound;
            track.add(if lost { self.bound } else { error }, 4 * k >= 3 * count);
            if lost {
                track.within = false;
                track.late = self.bound;
                break;
            }
        }
        track.rms = (track.rms / (count + 1) as f64).sqrt();
        Ok(track)
    }

    /// Distance of the rightmost pole of the loop at rest at the reference's end.
    fn decay(&self, plant: &ElasticModel<f64>, posture: &[f64]) -> Result<f64, ElasticError> {
        let end = self.motion.start + self.duration;
        let rest: Vec<f64> = self.motion.joints.iter().map(|curve| curve.derivative(0, end)).collect();
        let law = Controller::<Dual<f64>>::new(self.kind, self.nominal, &self.poles, posture)?;
        let memory = law.memory();
        let mut system = ClosedLoop::new(plant, law, Reference::Rest(rest.clone()));
        // Balance of the true robot; the law's memory holds the rigid joints.
        let balance = linearise(plant, &rest)?;
        let still = vec![0.0; rest.len()];
        let held: Vec<f64> = plant.rigid().iter().map(|&i| balance.torque[i]).collect();
        let theta = &balance.q[rest.len()..];
        let mut y = [&rest[..], &still, theta, &vec![0.0; theta.len()]].concat();
        y.extend((0..memory).map(|k| held.get(k).copied().unwrap_or(0.0)));
        y.push(0.0);
        let poles = system.eigenvalues(0.0, &y)?;
        Ok(-poles.iter().map(|[re, _]| *re).fold(f64::NEG_INFINITY, f64::max))
    }
}

/// The error of one robot so far.
struct Track {
    within: bool,
    largest: f64,
    late: f64,
    rms: f64,
}

impl Track {
    fn add(&mut self, error: f64, late: bool) {
        self.largest = self.largest.max(error);
        self.rms += error * error;
        if late {
            self.late = self.late.max(error);
        }
    }
}

fn advance(
    solver: &mut Adaptive,
    system: &mut ClosedLoop<'_, f64, Controller<'_, f64>>,
    from: f64,
    to: f64,
    y: &mut [f64],
) -> Result<(), ElasticError> {
    solver.start(system, from, to, y)?;
    while solver.time() < to {
        solver.step(system)?;
    }
    y.copy_from_slice(solver.values());
    system.project(y);
    Ok(())
}

/// The nominal robot with factors on its links' masses, its springs and its friction, and a point mass at the origin of the
/// last link.
///
/// # Errors
/// Factors that leave no elastic robot.
pub fn perturbed(
    nominal: &ElasticModel<f64>,
    masses: &[f64],
    stiffnesses: &[f64],
    friction: f64,
    payload: f64,
) -> Result<ElasticModel<f64>, ElasticError> {
    let model = nominal.model();
    let mut links: Vec<Link<f64>> = model.links().to_vec();
    for (link, &factor) in links.iter_mut().zip(masses) {
        link.inertia = Inertia {
            mass: factor * link.inertia.mass,
            first_moment: link.inertia.first_moment.times(factor),
            rotational: Symmetric::from_array(link.inertia.rotational.to_array().map(|x| factor * x)),
        };
        if let Some(motor) = &mut link.motor {
            for x in [&mut motor.viscous, &mut motor.coulomb, &mut motor.rotor_viscous, &mut motor.rotor_coulomb] {
                *x *= friction;
            }
        }
    }
    for (spring, factor) in nominal.springs().iter().zip(stiffnesses) {
        if let Some(motor) = &mut links[spring.link].motor {
            motor.stiffness = motor.stiffness.map(|stiffness| stiffness * factor);
        }
    }
    if let Some(last) = links.last_mut() {
        // At the origin a point mass adds neither first moment nor inertia.
        last.inertia.mass += payload;
    }
    ElasticModel::new(&model.rebuilt(model.gravity(), links))
}
