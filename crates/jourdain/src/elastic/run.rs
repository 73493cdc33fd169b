//! A simulation of an elastic robot under a control law.
//!
//! The method of integration follows from how fast the springs are, as the eigenvalues of the linearised robot at the start tell:
//! fixed Runge–Kutta steps where they resolve the fastest motion, steps by tolerance where they do not, and the implicit
//! method where even these would be too many.

use super::closed_loop::ClosedLoop;
use super::control::ControlLaw;
use super::energy;
use super::error::ElasticError;
use super::linearise::linearise;
use super::model::ElasticState;
use crate::simulate::{Adaptive, Implicit, Rk4, SimulationError};
use crate::state::check_vector;
use crate::workspace::Workspace;

/// Most numbers that a simulation may keep: one gigabyte of them.
const MOST_NUMBERS: f64 = (1_u64 << 27) as f64;

/// Fixed steps are chosen up to this product of step and fastest rate, where a radian of the fastest vibration costs an error of
/// 0.3⁴/120 = 7e-5 of it.
const RESOLVED: f64 = 0.3;

/// Steps by tolerance are chosen up to this product of duration and fastest rate.
const MANY: f64 = 1e6;

/// How to integrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Chosen by the stiffness.
    #[default]
    Auto,
    /// Runge–Kutta of order 4, fixed steps.
    Rk4,
    /// Dormand–Prince of order 5, steps by tolerance.
    Adaptive,
    /// Rosenbrock of order 2, implicit, steps by tolerance.
    Implicit,
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Time to simulate, s.
    pub duration: f64,
    /// Step of the fixed-step method, s; samples are taken at its multiples by any method.
    pub step: f64,
    /// Every how many steps a sample is taken; start and end always are.
    pub every: u64,
    /// How to integrate.
    pub method: Method,
    /// Error per step of the methods that choose their steps, relative and absolute.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { duration: 2.0, step: 1e-3, every: 1, method: Method::Auto, tolerance: 1e-9 }
    }
}

/// Where the robot starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Off the reference by these angles, q = q_d − offset, and moving along with it.
    Offset(Vec<f64>),
    /// At a state: q, q̇ per joint, θ, θ̇ per spring.
    State {
        /// Positions of the links.
        q: Vec<f64>,
        /// Velocities of the links.
        qd: Vec<f64>,
        /// Positions of the rotors.
        theta: Vec<f64>,
        /// Velocities of the rotors.
        theta_d: Vec<f64>,
    },
}

/// The robot at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// Positions of the links.
    pub q: Vec<f64>,
    /// Velocities of the links.
    pub qd: Vec<f64>,
    /// Positions of the rotors of all joints; of a rigid one the link's.
    pub theta: Vec<f64>,
    /// Velocities of the rotors of all joints.
    pub theta_d: Vec<f64>,
    /// Motor torques, link side.
    pub torque: Vec<f64>,
    /// q_d − q.
    pub error: Vec<f64>,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy, springs included, J.
    pub potential: f64,
    /// What torques, friction, damping and loads have done up to now, J.
    pub work: f64,
}

/// A simulated motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Samples in the order of time.
    pub samples: Vec<Sample>,
    /// Steps that the integrator took.
    pub steps: u64,
    /// The method that was used.
    pub method: Method,
    /// The fastest rate of the linearised robot at the start, 1/s.
    pub fastest: f64,
}

impl Simulated {
    /// The largest |E(t) − E(0) − work|, J.
    #[must_use]
    pub fn energy_drift(&self) -> f64 {
        let balance = |sample: &Sample| sample.kinetic + sample.potential - sample.work;
        let start = self.samples.first().map_or(0.0, balance);
        self.samples.iter().map(|sample| (balance(sample) - start).abs()).fold(0.0, f64::max)
    }

    /// The largest |q_d − q| of the samples from the time `from` on, rad or m.
    #[must_use]
    pub fn largest_error(&self, from: f64) -> f64 {
        let late = self.samples.iter().filter(|sample| sample.t >= from);
        late.flat_map(|sample| &sample.error).fold(0.0, |largest, e| largest.max(e.abs()))
    }
}

/// Which method [`Method::Auto`] stands for, given the fastest rate of the robot.
#[must_use]
pub fn choose(fastest: f64, options: &Options) -> Method {
    match options.method {
        Method::Auto if fastest * options.step <= RESOLVED => Method::Rk4,
        Method::Auto if fastest * options.duration <= MANY => Method::Adaptive,
        Method::Auto => Method::Implicit,
        given => given,
    }
}

/// Simulates; `progress` is told the time reached.
///
/// # Errors
/// Input that does not fit, or a motion that leaves the finite numbers.
pub fn run<L: ControlLaw<f64>>(
    system: &mut ClosedLoop<'_, f64, L>,
    start: &Start,
    options: &Options,
    mut progress: impl FnMut(f64),
) -> Result<Simulated, ElasticError> {
    check(system, options)?;
    let y = initial(system, start)?;
    let fastest = linearise(system.plant(), system.state(&y).q)?.fastest();
    let method = choose(fastest, options);
    let mut recorder = Recorder { workspace: Workspace::new(system.plant().model()), samples: Vec::new() };
    recorder.record(system, 0.0, &y)?;
    let steps = match method {
        Method::Rk4 => fixed(system, y, options, &mut recorder, &mut progress)?,
        Method::Implicit => {
            let solver = Implicit::new(options.tolerance, options.tolerance, y.len());
            stepping(solver, system, &y, options, &mut recorder, &mut progress)?
        }
        Method::Adaptive | Method::Auto => {
            let solver = Adaptive::new(options.tolerance, options.tolerance, y.len());
            stepping(solver, system, &y, options, &mut recorder, &mut progress)?
        }
    };
    Ok(Simulated { samples: recorder.samples, steps, method, fastest })
}

fn check<L: ControlLaw<f64>>(system: &ClosedLoop<'_, f64, L>, options: &Options) -> Result<(), SimulationError> {
    let values = [
        ("duration", options.duration),
        ("step", options.step),
        ("number of steps per sample", options.every as f64),
        ("tolerance", options.tolerance),
    ];
    if let Some((name, value)) = values.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        return Err(SimulationError::Option { name, expected: "a positive number", value });
    }
    let samples = (options.duration / options.step / options.every as f64).ceil() + 2.0;
    let numbers = 6 * system.plant().model().nv() + 16;
    if samples * numbers as f64 > MOST_NUMBERS || options.duration / options.step > 1e15 {
        return Err(SimulationError::TooManySamples { samples, numbers });
    }
    Ok(())
}

fn initial<L: ControlLaw<f64>>(system: &mut ClosedLoop<'_, f64, L>, start: &Start) -> Result<Vec<f64>, ElasticError> {
    let model = system.plant().model();
    let (n, m) = (model.nv(), system.plant().springs().len());
    let vector =
        |what, v: &[f64], expected: usize| check_vector(what, v, expected, model.name()).map_err(SimulationError::from);
    match start {
        Start::Offset(offset) => {
            vector("offset", offset, n)?;
            Ok(system.start_off_reference(offset))
        }
        Start::State { q, qd, theta, theta_d } => {
            vector("q", q, n)?;
            vector("qd", qd, n)?;
            vector("theta", theta, m)?;
            vector("theta_d", theta_d, m)?;
            Ok(system.start(&ElasticState { q, qd, theta, theta_d }))
        }
    }
}

/// Number of steps, and the end of step `k` counted from one; the last may be shorter.
fn grid(options: &Options) -> (u64, impl Fn(u64) -> f64 + use<>) {
    let Options { duration, step, .. } = *options;
    let count = ((duration / step - 1e-9).ceil() as u64).max(1);
    (count, move |k: u64| if k >= count { duration } else { k as f64 * step })
}

fn fixed<L: ControlLaw<f64>>(
    system: &mut ClosedLoop<'_, f64, L>,
    mut y: Vec<f64>,
    options: &Options,
    recorder: &mut Recorder,
    progress: &mut impl FnMut(f64),
) -> Result<u64, SimulationError> {
    let mut rk4 = Rk4::new(y.len());
    let (count, end) = grid(options);
    for k in 1..=count {
        let (from, to) = (end(k - 1), end(k));
        rk4.step(system, from, to - from, &mut y);
        if y.iter().any(|x| !x.is_finite()) {
            return Err(SimulationError::NotFinite { t: from });
        }
        if k % options.every == 0 || k == count {
            recorder.record(system, to, &y)?;
        }
        progress(to);
    }
    Ok(count)
}

/// What the two methods with steps by tolerance have in common.
trait Stepper {
    fn start<L: ControlLaw<f64>>(
        &mut self,
        system: &mut ClosedLoop<'_, f64, L>,
        end: f64,
        y: &[f64],
    ) -> Result<(), SimulationError>;
    fn step<L: ControlLaw<f64>>(&mut self, system: &mut ClosedLoop<'_, f64, L>) -> Result<(), SimulationError>;
    fn time(&self) -> f64;
    fn values_at(&self, t: f64) -> Vec<f64>;
}

macro_rules! stepper {
    ($($solver:ty),*) => {$(
        impl Stepper for $solver {
            fn start<L: ControlLaw<f64>>(
                &mut self,
                system: &mut ClosedLoop<'_, f64, L>,
                end: f64,
                y: &[f64],
            ) -> Result<(), SimulationError> {
                <$solver>::start(self, system, 0.0, end, y)
            }

            fn step<L: ControlLaw<f64>>(&mut self, system: &mut ClosedLoop<'_, f64, L>) -> Result<(), SimulationError> {
                <$solver>::step(self, system)
            }

            fn time(&self) -> f64 {
                <$solver>::time(self)
            }

            fn values_at(&self, t: f64) -> Vec<f64> {
                <$solver>::values_at(self, t)
            }
        }
    )*};
}

stepper!(Adaptive, Implicit);

fn stepping<L: ControlLaw<f64>>(
    mut solver: impl Stepper,
    system: &mut ClosedLoop<'_, f64, L>,
    y: &[f64],
    options: &Options,
    recorder: &mut Recorder,
    progress: &mut impl FnMut(f64),
) -> Result<u64, SimulationError> {
    let (count, end) = grid(options);
    let (mut sample, mut steps) = (options.every.min(count), 0);
    solver.start(system, options.duration, y)?;
    while solver.time() < options.duration {
        solver.step(system)?;
        steps += 1;
        while sample <= count && end(sample) <= solver.time() {
            recorder.record(system, end(sample), &solver.values_at(end(sample)))?;
            sample = if sample == count { count + 1 } else { (sample + options.every).min(count) };
        }
        progress(solver.time());
    }
    Ok(steps)
}

struct Recorder {
    workspace: Workspace<f64>,
    samples: Vec<Sample>,
}

impl Recorder {
    fn record<L: ControlLaw<f64>>(
        &mut self,
        system: &mut ClosedLoop<'_, f64, L>,
        t: f64,
        y: &[f64],
    ) -> Result<(), SimulationError> {
        let torque = system.torques(t, y).to_vec();
        let (plant, state) = (system.plant(), system.state(y));
        let mut orders: [Vec<f64>; 5] = std::array::from_fn(|_| vec![0.0; state.q.len()]);
        system.reference().at_into(t, &mut orders);
        let sample = Sample {
            t,
            q: state.q.to_vec(),
            qd: state.qd.to_vec(),
            theta: plant.all_positions(state.q, state.theta),
            theta_d: plant.all_positions(state.qd, state.theta_d),
            torque,
            error: orders[0].iter().zip(state.q).map(|(d, q)| d - q).collect(),
            kinetic: energy::kinetic_energy(plant, &state, &mut self.workspace),
            potential: energy::potential_energy(plant, &state, &mut self.workspace),
            work: system.work(y),
        };
        let numbers = sample.torque.iter().chain(&sample.error).chain([&sample.kinetic, &sample.potential]);
        if numbers.into_iter().any(|x| !x.is_finite()) {
            return Err(SimulationError::NotFinite { t: self.samples.last().map_or(0.0, |sample| sample.t) });
        }
        self.samples.push(sample);
        Ok(())
    }
}
