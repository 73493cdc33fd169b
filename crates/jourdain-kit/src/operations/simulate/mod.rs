//! `simulate`: the motion of a robot in time.

mod draw;
pub(super) mod show;
mod torque;

use crate::host::Host;
use crate::labels::{self, Label};
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::read::STDIN;
use crate::resolve::Robot;
use crate::sheet;
use crate::states::read_start;
use jourdain::Model;
use jourdain::simulate::{self, LimitHit, Options, SimulationError, Trajectory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
pub use torque::Interpolation;

/// Simulate the motion of a robot
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Friction and rotors of the robot file act on the motion; drive torques are none unless --torque or \
                      the state's tau gives them. A table has lines of a time and one torque per degree of freedom, \
                      separated by commas or spaces; before its first and after its last line the nearest line \
                      holds.\n\nThe energy drift is the largest |E(t) - E(0) - work of torques, friction and wrenches|: \
                      the error of the integrator."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Start: JSON file, - for standard input, or the JSON itself; without it neutral and at rest
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON"))]
    pub state: Option<String>,

    /// Time to simulate, s
    #[serde(default = "duration")]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "S", default_value_t = duration(), allow_negative_numbers = true))]
    pub duration: f64,

    /// Step length, s; with the adaptive method the time between samples
    #[serde(default = "step")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = step(), allow_negative_numbers = true))]
    pub step: f64,

    /// Integrator
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t))]
    pub method: Method,

    /// Relative and absolute error per step of the adaptive method
    #[serde(default = "tolerance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = tolerance(), allow_negative_numbers = true))]
    pub tolerance: f64,

    /// Torques of the drives: none, constant JSON, or table FILE
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, num_args = 1..=2, value_names = ["KIND", "JSON|FILE"]))]
    pub torque: Option<Vec<String>>,

    /// How a torque table is read between its lines
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub interpolation: Interpolation,

    /// Take a sample every so many steps
    #[serde(default = "every")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = every()))]
    pub every: u64,

    /// Stop when a joint reaches an end of its range
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub stop_at_limits: bool,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw positions, velocities and energy as SVG
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg"))]
    pub plot: Option<PathBuf>,
}

fn duration() -> f64 {
    1.0
}

fn step() -> f64 {
    1e-3
}

/// The tolerance of methods that choose their steps, unless another is given.
pub(super) fn tolerance() -> f64 {
    1e-9
}

pub(super) fn every() -> u64 {
    1
}

/// Integrators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Runge-Kutta of order 4, fixed steps
    #[default]
    Rk4,
    /// Dormand-Prince of order 5, steps by tolerance
    Adaptive,
}

impl Method {
    /// The library's, with the tolerance.
    #[must_use]
    pub fn with(self, tolerance: f64) -> simulate::Method {
        match self {
            Self::Rk4 => simulate::Method::Rk4,
            Self::Adaptive => simulate::Method::Adaptive { relative: tolerance, absolute: tolerance },
        }
    }
}

/// How a motion went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// How many steps were taken.
    pub steps: u64,
    /// The time simulated, s.
    pub duration: Option<f64>,
    /// The integrator.
    pub method: Method,
    /// The largest |E(t) − E(0) − work|, J.
    pub energy_drift: f64,
    /// The larger of the linear (N s) and the angular (N m s) drift, where momentum is conserved.
    pub momentum_drift: Option<f64>,
    /// The limit that ended the motion.
    pub stopped: Option<Stopped>,
    /// The state at the end.
    #[serde(rename = "final")]
    pub last: Option<Final>,
    /// All samples.
    #[serde(skip)]
    pub motion: Trajectory,
    #[serde(skip)]
    model: Model<f64>,
    #[serde(skip)]
    request: Request,
}

/// A joint at an end of its range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Stopped {
    /// The joint's name.
    pub joint: String,
    /// When, s.
    pub t: f64,
    /// The end of its range, rad or m.
    pub limit: f64,
}

/// The state at the end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Final {
    /// Time, s.
    pub t: f64,
    /// Position, rad and m.
    pub q: Vec<f64>,
    /// Velocity, rad/s and m/s.
    pub qd: Vec<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "simulate";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        if self.robot.is_stdin() && self.state.as_deref() == Some(STDIN) {
            let hint = "give one of them as a file; a state may also stand on the command line";
            return Err(Problem::usage("robot and state cannot both come from standard input").hint(hint));
        }
        let model = self.robot.load(host)?;
        let start = read_start(self.state.as_deref(), &model, host)?;
        let torque = torque::read(self.torque.as_deref(), self.interpolation, &start, host)?;
        let options = Options {
            duration: self.duration,
            step: self.step,
            method: self.method.with(self.tolerance),
            every: self.every,
            stop_at_limits: self.stop_at_limits,
        };
        let motion = simulate::run(&model, &start, &torque, &options, |t| host.progress(t / self.duration))?;
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        if let Some(path) = &self.out {
            write_samples(path, &model, &motion, host)?;
        }
        if let Some(path) = &self.plot {
            draw::draw(path, &model, &motion, host)?;
        }
        let last = motion.samples.last();
        let stopped = |hit: &LimitHit| Stopped { joint: hit.joint.clone(), t: hit.t, limit: hit.limit };
        Ok(Report {
            steps: motion.steps,
            duration: last.map(|last| last.t),
            method: self.method,
            energy_drift: motion.energy_drift(),
            momentum_drift: motion.momentum_drift().map(|[linear, angular]| linear.max(angular)),
            stopped: motion.stopped.as_ref().map(stopped),
            last: last.map(|last| Final { t: last.t, q: last.q.clone(), qd: last.qd.clone() }),
            motion,
            model,
            request: self.clone(),
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        show::to_text(&self.request, &self.model, &self.motion)
    }
}

impl From<SimulationError> for Problem {
    fn from(error: SimulationError) -> Self {
        let hint = match &error {
            SimulationError::NotFinite { .. } => Some(
                "a smaller --step may help; if it does not, the mass matrix may be singular: `jourdain check` names massless \
                 links that make it so",
            ),
            SimulationError::StepTooSmall { .. } => Some("a larger --tolerance may help"),
            SimulationError::TooManySamples { .. } => Some("--every N takes a sample only every N steps"),
            _ => None,
        };
        let problem = Self::new(error.kind(), error.to_string()).hints(hint);
        if error.is_breakdown() { problem.unsolved() } else { problem }
    }
}

/// `t`, `q:JOINT`, `qd:JOINT`, `tau:JOINT` and the energies, a row per sample.
fn write_samples(path: &Path, model: &Model<f64>, motion: &Trajectory, host: &dyn Host) -> Result<(), Problem> {
    let (positions, velocities) = (labels::positions(model), labels::velocities(model));
    let mut columns = named("q", &positions);
    columns.extend(named("qd", &velocities));
    columns.extend(named("tau", &velocities));
    columns.extend(["kinetic", "potential", "energy", "work"].map(str::to_owned));
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let mut values = Vec::with_capacity(times.len() * columns.len());
    for sample in &motion.samples {
        values.extend(sample.q.iter().chain(&sample.qd).chain(&sample.tau));
        values.extend([sample.kinetic, sample.potential, sample.energy(), sample.work]);
    }
    sheet::timed(path, columns, &times, &values, host)
}

/// A column per number: `qd:JOINT`.
pub(super) fn named(prefix: &str, labels: &[Label]) -> Vec<String> {
    labels.iter().map(|label| format!("{prefix}:{}", label.name)).collect()
}
