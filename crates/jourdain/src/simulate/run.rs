//! A whole simulation: checks, steps, samples, events.
//!
//! Steps end at the multiples of the step length, and at the rows of a torque table, so that the law is smooth within each.
//! The adaptive method goes its own way between the rows and is read at the same sample times.

use super::adaptive::Adaptive;
use super::equations::{Equations as _, RobotEquations};
use super::error::SimulationError;
use super::limits::{crossing, last_time_inside};
use super::recorder::Recorder;
use super::rk4::Rk4;
use super::schedule::Schedule;
use super::torque::Torque;
use super::trajectory::{LimitHit, Trajectory};
use crate::model::Model;
use crate::state::State;

/// Most numbers that a trajectory may hold: one gigabyte of them.
const MOST_NUMBERS: f64 = (1_u64 << 27) as f64;

/// The integrator.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Method {
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
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Time to simulate, s.
    pub duration: f64,
    /// Step length of the fixed-step method, s; samples are taken at its multiples by either method.
    pub step: f64,
    /// The integrator.
    pub method: Method,
    /// Every how many steps a sample is taken; start and end always are.
    pub every: u64,
    /// Stop when a joint reaches an end of its range.
    pub stop_at_limits: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { duration: 1.0, step: 1e-3, method: Method::default(), every: 1, stop_at_limits: false }
    }
}

/// Simulates the motion from `start` (position, velocity, wrenches), under the torques. `progress` is told the time reached
/// after every step.
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
    check(model, &start, torque, options)?;
    let mut equations = RobotEquations::new(model, torque, &start.wrenches);
    let mut simulation = Simulation {
        y: equations.start(&start.q, &start.qd),
        steps: 0,
        recorder: Recorder::new(model),
        options: *options,
        schedule: Schedule { duration: options.duration, step: options.step, knots: torque.knots() },
    };
    simulation.recorder.record(&mut equations, 0.0, &simulation.y)?;
    let stopped = match options.method {
        Method::Rk4 => simulation.fixed(&mut equations, &mut progress)?,
        Method::Adaptive { relative, absolute } => {
            simulation.adaptive(&mut equations, relative, absolute, &mut progress)?
        }
    };
    Ok(Trajectory { samples: simulation.recorder.samples, steps: simulation.steps, stopped })
}

fn check(model: &Model<f64>, start: &State<f64>, torque: &Torque, options: &Options) -> Result<(), SimulationError> {
    let positive = |name: &'static str, value: f64| {
        let expected = "a positive number";
        if value > 0.0 && value.is_finite() { Ok(()) } else { Err(SimulationError::Option { name, expected, value }) }
    };
    positive("duration", options.duration)?;
    positive("step", options.step)?;
    positive("number of steps per sample", options.every as f64)?;
    if let Method::Adaptive { relative, absolute } = options.method {
        positive("relative tolerance", relative)?;
        positive("absolute tolerance", absolute)?;
    }
    if let Some(found) = torque.size().filter(|&found| found != model.nv()) {
        let (robot, expected) = (model.name().to_owned(), model.nv());
        return Err(SimulationError::TorqueLength { robot, found, expected });
    }
    if let Torque::Constant(tau) = torque {
        crate::state::check_vector("tau", tau, model.nv(), model.name())?;
    }
    if options.stop_at_limits
        && let Some(found) = crossing(model, &start.q)
    {
        let joint = model.links()[found.link].joint_name.clone();
        return Err(SimulationError::StartsBeyondLimit { joint, position: found.position, limit: found.limit });
    }
    let samples = (options.duration / options.step / options.every as f64).ceil() + 2.0;
    let numbers = model.nq() + 2 * model.nv() + 16;
    // Steps are counted in numbers that f64 holds exactly.
    if samples * numbers as f64 > MOST_NUMBERS || options.duration / options.step > 1e15 {
        return Err(SimulationError::TooManySamples { samples, numbers });
    }
    Ok(())
}

/// A simulation on its way.
struct Simulation<'t> {
    y: Vec<f64>,
    steps: u64,
    recorder: Recorder,
    options: Options,
    schedule: Schedule<'t>,
}

impl Simulation<'_> {
    fn fixed(
        &mut self,
        equations: &mut RobotEquations<'_, f64>,
        progress: &mut impl FnMut(f64),
    ) -> Result<Option<LimitHit>, SimulationError> {
        let (model, count) = (equations.model(), self.schedule.step_count());
        let mut rk4 = Rk4::new(self.y.len());
        let mut before = self.y.clone();
        let mut t = 0.0;
        for k in 1..=count {
            let end = self.schedule.step_end(k);
            while t < end {
                let to = self.schedule.piece_end(t, end, self.options.step);
                equations.select_piece(0.5 * (t + to));
                before.copy_from_slice(&self.y);
                rk4.step(equations, t, to - t, &mut self.y);
                self.steps += 1;
                check_finite(&self.y, t)?;
                if self.options.stop_at_limits
                    && let Some(found) = crossing(model, equations.position(&self.y))
                {
                    let mut part = before.clone();
                    let hit = last_time_inside(model, t, to, |middle| {
                        part.copy_from_slice(&before);
                        rk4.step(equations, t, middle - t, &mut part);
                        Ok::<_, SimulationError>(equations.position(&part).to_vec())
                    })?;
                    rk4.step(equations, t, hit - t, &mut before);
                    self.recorder.record(equations, hit, &before)?;
                    let joint = model.links()[found.link].joint_name.clone();
                    return Ok(Some(LimitHit { joint, t: hit, limit: found.limit }));
                }
                t = to;
            }
            if k % self.options.every == 0 || k == count {
                self.recorder.record(equations, end, &self.y)?;
            }
            progress(end);
        }
        Ok(None)
    }

    fn adaptive(
        &mut self,
        equations: &mut RobotEquations<'_, f64>,
        relative: f64,
        absolute: f64,
        progress: &mut impl FnMut(f64),
    ) -> Result<Option<LimitHit>, SimulationError> {
        let (model, count) = (equations.model(), self.schedule.step_count());
        let mut solver = Adaptive::new(relative, absolute, self.y.len());
        let (mut t, mut sample) = (0.0, self.options.every.min(count));
        while t < self.options.duration {
            let to = self.schedule.piece_end(t, self.options.duration, self.options.step);
            equations.select_piece(0.5 * (t + to));
            solver.start(equations, t, to, &self.y)?;
            while solver.time() < to {
                let from = solver.time();
                // Taking a sample has selected the piece of its own time.
                equations.select_piece(0.5 * (t + to));
                solver.step(equations)?;
                self.steps += 1;
                let reached = solver.time();
                self.y.copy_from_slice(solver.values());
                equations.project(&mut self.y);
                check_finite(&self.y, from)?;
                let hit = match crossing(model, equations.position(&self.y)).filter(|_| self.options.stop_at_limits) {
                    Some(found) => {
                        let at = |time: f64| Ok(equations.position(&solver.values_at(time)).to_vec());
                        let t = last_time_inside::<SimulationError>(model, from, reached, at)?;
                        let joint = model.links()[found.link].joint_name.clone();
                        Some(LimitHit { joint, t, limit: found.limit })
                    }
                    None => None,
                };
                let last = hit.as_ref().map_or(reached, |hit| hit.t);
                while sample < count && self.schedule.step_end(sample) <= last {
                    let time = self.schedule.step_end(sample);
                    self.record_between(equations, &solver, time)?;
                    sample = (sample + self.options.every).min(count);
                }
                if hit.is_some() {
                    self.record_between(equations, &solver, last)?;
                    return Ok(hit);
                }
                progress(reached);
            }
            t = to;
        }
        self.recorder.record(equations, self.options.duration, &self.y)?;
        Ok(None)
    }

    fn record_between(
        &mut self,
        equations: &mut RobotEquations<'_, f64>,
        solver: &Adaptive,
        t: f64,
    ) -> Result<(), SimulationError> {
        let mut y = solver.values_at(t);
        equations.project(&mut y);
        self.recorder.record(equations, t, &y)
    }
}

fn check_finite(y: &[f64], t: f64) -> Result<(), SimulationError> {
    if y.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(SimulationError::NotFinite { t }) }
}
