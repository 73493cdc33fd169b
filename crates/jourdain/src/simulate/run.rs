//! A whole simulation: a system, a law, what stands between them, and how to integrate.

use super::controller::check_reference;
use super::driven::{Driven, Parts, Samples};
use super::error::SimulationError;
use super::law::Law;
use super::rigid::Rigid;
use super::system::System;
use super::trajectory::{LimitHit, Trajectory};
use super::wrappers::Wrappers;
use crate::integrate::{Adaptive, Fixed, Implicit, Plan, Schedule, Stepper, march};
use crate::model::Model;
use crate::prescribed::{Reference, Torque};
use crate::state::{LinkWrench, State, StateError, check_vector};
use std::ops::ControlFlow;

/// Most numbers that a trajectory may hold: one gigabyte of them.
pub const MOST_NUMBERS: usize = 1 << 27;

/// Most steps of methods that choose them: a motion that needs more is too fast to be followed.
const MOST_CHOSEN: u64 = 10_000_000;

/// Most fixed steps.
const MOST_FIXED: f64 = 1e9;

/// Fixed steps are chosen up to this product of step and fastest rate, where a radian of the fastest vibration costs an error of
/// 0.3⁴/120 = 7e-5 of it.
const RESOLVED: f64 = 0.3;

/// Steps by tolerance are chosen up to this product of duration and fastest rate.
const MANY: f64 = 1e6;

/// The integrator.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Method {
    /// Chosen by the stiffness of the system linearised at the start: fixed steps where they resolve its fastest motion, steps
    /// by this tolerance where they do not, implicit ones where even these would be too many.
    Auto {
        /// Error per step, relative and absolute.
        tolerance: f64,
    },
    /// Runge–Kutta of order 4 with fixed steps.
    #[default]
    Rk4,
    /// Dormand–Prince of order 5 with steps by tolerance.
    Adaptive {
        /// Error per step relative to each number.
        relative: f64,
        /// Error per step that is always allowed.
        absolute: f64,
    },
    /// Rosenbrock of order 2, implicit, with steps by tolerance.
    Implicit {
        /// Error per step relative to each number.
        relative: f64,
        /// Error per step that is always allowed.
        absolute: f64,
    },
}

impl Method {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto { .. } => "auto",
            Self::Rk4 => "rk4",
            Self::Adaptive { .. } => "adaptive",
            Self::Implicit { .. } => "implicit",
        }
    }

    /// Dormand–Prince with one tolerance, relative and absolute.
    #[must_use]
    pub fn adaptive(tolerance: f64) -> Self {
        Self::Adaptive { relative: tolerance, absolute: tolerance }
    }

    /// Rosenbrock with one tolerance, relative and absolute.
    #[must_use]
    pub fn implicit(tolerance: f64) -> Self {
        Self::Implicit { relative: tolerance, absolute: tolerance }
    }

    /// Which method [`Method::Auto`] stands for, given the fastest rate of the system, 1/s.
    #[must_use]
    pub fn choose(self, fastest: f64, options: &Options) -> Self {
        match self {
            Self::Auto { .. } if fastest * options.step <= RESOLVED => Self::Rk4,
            Self::Auto { tolerance } if fastest * options.duration <= MANY => Self::adaptive(tolerance),
            Self::Auto { tolerance } => Self::implicit(tolerance),
            Self::Rk4 | Self::Adaptive { .. } | Self::Implicit { .. } => self,
        }
    }

    fn tolerances(self) -> Option<[f64; 2]> {
        match self {
            Self::Auto { tolerance } => Some([tolerance; 2]),
            Self::Rk4 => None,
            Self::Adaptive { relative, absolute } | Self::Implicit { relative, absolute } => Some([relative, absolute]),
        }
    }
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Time to simulate, s.
    pub duration: f64,
    /// Step length of the fixed-step method, s; samples are taken at its multiples by any method.
    pub step: f64,
    /// The integrator.
    pub method: Method,
    /// Every how many steps a sample is taken; start and end always are.
    pub every: u64,
    /// Stop when a joint reaches an end of its range; end with an error where a link of a flexible arm bends further than its
    /// kinematics bear.
    pub stop_at_limits: bool,
    /// Most steps that the integrator may take, and never more than ten million if it chooses them; an error tells how far they led.
    pub most_steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            duration: 1.0,
            step: 1e-3,
            method: Method::default(),
            every: 1,
            stop_at_limits: false,
            most_steps: u64::MAX,
        }
    }
}

/// Where a system starts.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Start {
    /// Neutral and at rest.
    #[default]
    Neutral,
    /// At these positions and velocities; [`System::state`] says what may be left out.
    State {
        /// Positions.
        q: Vec<f64>,
        /// Velocities.
        qd: Vec<f64>,
    },
    /// Moving along with the reference, off it by these angles (q = q_d − offset).
    Reference {
        /// One number per joint.
        offset: Vec<f64>,
    },
}

/// A simulation to be run. Fill in what differs from a system left to itself for a second.
///
/// ```
/// use jourdain::prescribed::Reference;
/// use jourdain::simulate::{Gains, Law, Rigid, Simulation, Start};
///
/// let model = jourdain::robots::load("planar2r").expect("a built-in robot");
/// let robot = Rigid::new(&model);
/// let mut simulation = Simulation::new(&robot);
/// simulation.law = Law::ComputedTorque(Gains::uniform(100.0, 20.0));
/// simulation.reference = Some(Reference::Rest(vec![0.5, -0.5]));
/// simulation.options.duration = 2.0;
/// let motion = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
/// assert!(motion.largest_error(1.9) < 1e-6 && motion.energy_drift() < 1e-6);
/// ```
#[derive(Clone)]
pub struct Simulation<'s> {
    /// What moves.
    pub system: &'s dyn System,
    /// What the law takes it for; without it the law knows the system exactly.
    pub nominal: Option<&'s dyn System>,
    /// What drives it.
    pub law: Law,
    /// What the law is to follow; without it rest where the system starts.
    pub reference: Option<Reference<'s>>,
    /// Where it starts.
    pub start: Start,
    /// Wrenches on links, constant in link axes.
    pub wrenches: Vec<LinkWrench<f64>>,
    /// What stands between law and system.
    pub wrappers: Wrappers,
    /// How to integrate.
    pub options: Options,
}

impl<'s> Simulation<'s> {
    /// A system left to itself for a second, from its neutral position.
    #[must_use]
    pub fn new(system: &'s dyn System) -> Self {
        Self {
            system,
            nominal: None,
            law: Law::None,
            reference: None,
            start: Start::Neutral,
            wrenches: Vec::new(),
            wrappers: Wrappers::default(),
            options: Options::default(),
        }
    }

    /// Runs it; `progress` is told the time reached after every step, and may stop it.
    ///
    /// # Errors
    /// Input that does not fit, a motion that leaves the finite numbers or its range of validity, too many steps, or
    /// `progress` having stopped it.
    pub fn run(&self, progress: &mut dyn FnMut(f64) -> ControlFlow<()>) -> Result<Trajectory, SimulationError> {
        let Self { system, law, options, .. } = self;
        let layout = system.layout();
        let follows = law.follows();
        self.check()?;
        let x = self.first_state()?;
        let posture = || Reference::Rest(x[..layout.inputs.len().min(layout.positions.len())].to_vec());
        let reference = self.reference.clone().unwrap_or_else(posture);
        if follows || self.reference.is_some() {
            check_reference(&reference, *system)?;
        }
        let believed = self.nominal.unwrap_or(*system);
        let controller = believed.controller(law, &reference)?;
        let mechanics = system.mechanics();
        if options.stop_at_limits
            && let Some(found) = mechanics.beyond(&x)
        {
            let joint = layout.joints[found.place].clone();
            return Err(SimulationError::StartsBeyondLimit { joint, position: found.position, limit: found.limit });
        }
        let fastest = match options.method {
            Method::Auto { .. } => {
                let [q, _] = self.split(&x);
                let linear = system.linearise(q, &[])?;
                Some(linear.fastest().map_err(crate::flexible::LineariseError::from)?)
            }
            Method::Rk4 | Method::Adaptive { .. } | Method::Implicit { .. } => None,
        };
        let method = options.method.choose(fastest.unwrap_or(0.0), options);
        let (knots, memory) = (controller.knots().to_vec(), controller.memory());
        let schedule =
            Schedule { duration: options.duration, step: options.step, knots: &knots, period: self.wrappers.period() };
        let parts = Parts {
            mechanics,
            controller,
            layout,
            wrappers: self.wrappers,
            schedule,
            reference: (follows || self.reference.is_some()).then_some(&reference),
            wrenches: &self.wrenches,
            stop_at_limits: options.stop_at_limits,
        };
        let mut driven = Driven::new(parts, Samples::default(), progress);
        let mut y = driven.start(&x);
        if let Some(found) = driven.outside(0.0, &y).filter(|_| options.stop_at_limits) {
            return Err(SimulationError::OutOfRange { found, motion: None });
        }
        let mut stepper: Box<dyn Stepper> = match method {
            Method::Rk4 | Method::Auto { .. } => Box::new(Fixed::new(options.step, y.len())),
            Method::Adaptive { relative, absolute } => Box::new(Adaptive::new(relative, absolute, y.len())),
            Method::Implicit { relative, absolute } => Box::new(Implicit::new(relative, absolute, y.len())),
        };
        let most_steps = match method {
            Method::Rk4 | Method::Auto { .. } => options.most_steps,
            Method::Adaptive { .. } | Method::Implicit { .. } => options.most_steps.min(MOST_CHOSEN),
        };
        let plan = Plan { schedule, every: options.every, most_steps };
        let marched = march(&mut driven, stepper.as_mut(), &plan, &mut y)?;
        let outside = marched.stopped.and_then(|(t, _)| driven.outside(t, &y));
        let hit = |(t, crossing): (f64, crate::integrate::Crossing)| LimitHit {
            joint: layout.joints[crossing.place].clone(),
            t,
            limit: crossing.limit,
        };
        let motion = Trajectory {
            samples: driven.recorder.0,
            demands: driven.demands,
            steps: marched.steps,
            method,
            fastest,
            stopped: marched.stopped.filter(|_| outside.is_none()).map(hit),
            left_range: driven.left_range,
            law: law.name(),
            layout: layout.clone(),
            memory,
        };
        match outside {
            Some(found) => Err(SimulationError::OutOfRange { found, motion: Some(Box::new(motion)) }),
            None => Ok(motion),
        }
    }

    fn split<'x>(&self, x: &'x [f64]) -> [&'x [f64]; 2] {
        let (q, qd) = x.split_at(self.system.layout().positions.len());
        [q, qd]
    }

    fn first_state(&self) -> Result<Vec<f64>, SimulationError> {
        match (&self.start, &self.reference) {
            (Start::State { q, qd }, _) => self.system.state(q, qd),
            (Start::Reference { offset }, Some(reference)) => {
                check_reference(reference, self.system)?;
                check_vector("offset", offset, self.system.layout().inputs.len(), self.system.name())?;
                self.system.state_on(reference, offset)
            }
            (Start::Neutral | Start::Reference { .. }, _) => self.system.state(&[], &[]),
        }
    }

    fn check(&self) -> Result<(), SimulationError> {
        let Options { duration, step, method, every, .. } = self.options;
        let [relative, absolute] = method.tolerances().unwrap_or([1.0; 2]);
        for (name, value) in [
            ("duration", duration),
            ("step", step),
            ("number of steps per sample", every as f64),
            ("relative tolerance", relative),
            ("absolute tolerance", absolute),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SimulationError::Option { name, expected: "a positive number", value });
            }
        }
        self.wrappers.check()?;
        let (layout, robot) = (self.system.layout(), || self.system.name().to_owned());
        if self.wrappers.saturate && layout.efforts.iter().all(Option::is_none) {
            return Err(SimulationError::NoEffort { robot: robot() });
        }
        let loads = match &self.reference {
            Some(Reference::Motion(motion)) => motion.loads.len(),
            Some(Reference::Rest(_)) | None => 0,
        };
        if (loads > 0 || !self.wrenches.is_empty()) && layout.joints.is_empty() {
            return Err(SimulationError::NoWrenches { robot: robot() });
        }
        for load in &self.wrenches {
            if load.link >= layout.joints.len() {
                let count = layout.joints.len();
                return Err(StateError::NoSuchLink { link: load.link, robot: robot(), count }.into());
            }
            check_vector("wrenches", &load.wrench.to_array(), 6, self.system.name())?;
        }
        if let Some(other) = self.nominal
            && (other.layout().size(), other.layout().inputs.len()) != (layout.size(), layout.inputs.len())
        {
            let (expected, found) = (layout.size().to_string(), other.layout().size());
            return Err(SimulationError::Length { what: "nominal system's state", robot: robot(), expected, found });
        }
        let samples = (duration / step / every as f64).ceil() + 2.0;
        let numbers = layout.size() + 2 * layout.inputs.len() + layout.outputs.len() + 16;
        if samples * numbers as f64 > MOST_NUMBERS as f64 {
            return Err(SimulationError::TooManySamples { samples, numbers });
        }
        if duration / step > MOST_FIXED {
            let (name, expected) = ("duration over the step", "at most 1e9");
            return Err(SimulationError::Option { name, expected, value: duration / step });
        }
        Ok(())
    }
}

/// Simulates a rigid robot from `start` (position, velocity, wrenches), under torques over time. `progress` is told the time
/// reached after every step.
///
/// ```
/// use jourdain::simulate::{Options, Torque, run};
/// use jourdain::{State, robots};
///
/// let arm = robots::load("planar2r").expect("a built-in robot");
/// let motion = run(&arm, &State::neutral(&arm), &Torque::None, &Options::default(), |_| ()).unwrap();
/// assert_eq!(motion.steps, 1000);
/// assert!(motion.energy_drift() < 1e-9);
/// ```
///
/// # Errors
/// Input that does not fit, or a motion that leaves the finite numbers.
pub fn run(
    model: &Model<f64>,
    start: &State<f64>,
    torque: &Torque,
    options: &Options,
    mut progress: impl FnMut(f64),
) -> Result<Trajectory, SimulationError> {
    let start = start.clone().checked(model)?;
    let system = Rigid::new(model);
    let mut simulation = Simulation::new(&system);
    simulation.law = torque.clone().into();
    simulation.start = Start::State { q: start.q, qd: start.qd };
    simulation.wrenches = start.wrenches;
    simulation.options = *options;
    simulation.run(&mut |t| {
        progress(t);
        ControlFlow::Continue(())
    })
}
