//! A law that is a function of the caller's: from time, positions and velocities to torques.
//!
//! Trap: an integrator asks for torques at trial times, forwards and back, and more than once for the same time. A law that
//! remembers anything from call to call is to be sampled ([`Wrappers::frequency`](super::Wrappers)): then it is called once per
//! sample, in order.

use super::controller::{Controller, Moment};
use super::error::SimulationError;
use super::law::Law;
use super::system::System;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

type Function = dyn FnMut(f64, &[f64], &[f64], &mut [f64]) -> Result<(), String> + Send;

/// A function as a law; copies share it.
#[derive(Clone)]
pub struct CustomLaw(Arc<Mutex<Function>>);

impl fmt::Debug for CustomLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomLaw")
    }
}

impl PartialEq for CustomLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Law {
    /// A law that is a function: it is given the time in s, the measured positions and velocities in the order of the system's
    /// [`Layout`](super::Layout), and writes one torque per drive, which are zero before. It is never shown a number that is not
    /// finite, and the simulation ends where it writes one.
    ///
    /// An elastic robot shows the positions of joints, then of motors; a flexible arm joint angles, then deflections.
    ///
    /// ```
    /// use jourdain::simulate::{Law, Rigid, Simulation};
    ///
    /// let model = jourdain::robots::load("planar2r").expect("a built-in robot");
    /// let robot = Rigid::new(&model);
    /// let mut simulation = Simulation::new(&robot);
    /// simulation.law = Law::from_fn(|_, q, qd, torque| {
    ///     for i in 0..torque.len() {
    ///         torque[i] = 200.0 * (0.5 - q[i]) - 40.0 * qd[i];
    ///     }
    /// });
    /// let motion = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    /// assert_eq!(motion.law, "custom");
    /// ```
    pub fn from_fn(mut law: impl FnMut(f64, &[f64], &[f64], &mut [f64]) + Send + 'static) -> Self {
        Self::try_from_fn(move |t, q, qd, torque| {
            law(t, q, qd, torque);
            Ok(())
        })
    }

    /// The same of a function that may fail, which ends the simulation with what it says.
    ///
    /// ```
    /// use jourdain::simulate::{Law, Rigid, Simulation};
    ///
    /// let model = jourdain::robots::load("planar2r").expect("a built-in robot");
    /// let robot = Rigid::new(&model);
    /// let mut simulation = Simulation::new(&robot);
    /// simulation.law = Law::try_from_fn(|t, _, _, _| if t < 0.1 { Ok(()) } else { Err("the sensor is gone".to_owned()) });
    /// let error = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap_err();
    /// assert!(error.to_string().ends_with("the sensor is gone"));
    /// ```
    pub fn try_from_fn(
        law: impl FnMut(f64, &[f64], &[f64], &mut [f64]) -> Result<(), String> + Send + 'static,
    ) -> Self {
        Self::Custom(CustomLaw(Arc::new(Mutex::new(law))))
    }
}

/// The function at work.
struct CustomController<'s> {
    law: &'s CustomLaw,
    system: &'s dyn System,
    failure: Option<SimulationError>,
}

impl CustomLaw {
    /// At work on a system.
    pub(super) fn controller<'s>(&'s self, system: &'s dyn System) -> Box<dyn Controller + 's> {
        Box::new(CustomController { law: self, system, failure: None })
    }
}

impl Controller for CustomController<'_> {
    fn torque_into(&mut self, at: Moment, x: &[f64], _: &[f64], _: &mut [f64], torque: &mut [f64]) {
        // A step that was tried too far is none of the law's business: the integrator will take a shorter one.
        if self.failure.is_some() || x.iter().any(|x| !x.is_finite()) {
            torque.fill(f64::NAN);
            return;
        }
        let layout = self.system.layout();
        let (q, qd) = x.split_at(layout.positions.len());
        torque.fill(0.0);
        let mut law = self.law.0.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = law(at.t, q, qd, torque).and_then(|()| match torque.iter().position(|x| !x.is_finite()) {
            Some(drive) => Err(format!("it asks for {} = {}", layout.inputs[drive], torque[drive])),
            None => Ok(()),
        });
        if let Err(message) = asked {
            self.failure = Some(SimulationError::LawFailed { t: at.t, message });
            torque.fill(f64::NAN);
        }
    }

    fn failure(&self) -> Option<SimulationError> {
        self.failure.clone()
    }
}
