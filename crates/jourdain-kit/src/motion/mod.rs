//! Systems in motion, as requests ask for them: what drives them, how they are integrated, and their samples as tables, plots and text.
//!
//! Nothing here knows what kind of system moves: names and units come from the [`Trajectory`].

pub mod animate;
pub mod control;
pub mod draw;
pub mod efforts;
pub mod show;
pub mod torque;

use crate::host::Host;
use crate::problem::Problem;
use crate::sheet;
use jourdain::elastic::ElasticModel;
use jourdain::simulate::{self, IntegrationError, Simulation, SimulationError, Trajectory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;

/// What to do where the first-order model of a flexible arm ends.
pub(crate) const BEYOND: &str =
    "the first-order model ends at such deflections; --kinematics stiffened and rotation have no such limit";

/// What to do where a flexible arm bends further than its kinematics bear.
pub(crate) fn out_of_range(kinematics: jourdain::flexible::Kinematics) -> &'static str {
    match kinematics {
        jourdain::flexible::Kinematics::Exact => "--beyond-validity goes on all the same",
        jourdain::flexible::Kinematics::Stiffened => {
            "--kinematics exact bears more; --beyond-validity goes on all the same"
        }
        jourdain::flexible::Kinematics::Paper
        | jourdain::flexible::Kinematics::Linear
        | jourdain::flexible::Kinematics::Rotation => {
            "--kinematics stiffened and exact bear more; --beyond-validity goes on all the same"
        }
    }
}

/// Integrators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Chosen by the fastest motion at the start
    Auto,
    /// Runge-Kutta of order 4, fixed steps
    #[default]
    Rk4,
    /// Dormand-Prince of order 5, steps by tolerance
    Adaptive,
    /// Rosenbrock of order 2, implicit, steps by tolerance
    Implicit,
}

impl Method {
    /// What is used unless another is asked for: fixed steps, but steps by tolerance under a law that looks at what it drives, because
    /// gains may be stiff.
    #[must_use]
    pub fn usual(law: &simulate::Law) -> Self {
        if law.open_loop().is_some() { Self::Rk4 } else { Self::Adaptive }
    }

    /// The library's, with the tolerance.
    #[must_use]
    pub fn with(self, tolerance: f64) -> simulate::Method {
        match self {
            Self::Auto => simulate::Method::Auto { tolerance },
            Self::Rk4 => simulate::Method::Rk4,
            Self::Adaptive => simulate::Method::adaptive(tolerance),
            Self::Implicit => simulate::Method::implicit(tolerance),
        }
    }
}

impl From<simulate::Method> for Method {
    fn from(method: simulate::Method) -> Self {
        match method {
            simulate::Method::Auto { .. } => Self::Auto,
            simulate::Method::Rk4 => Self::Rk4,
            simulate::Method::Adaptive { .. } => Self::Adaptive,
            simulate::Method::Implicit { .. } => Self::Implicit,
        }
    }
}

/// Which model of the rotors of elastic joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Rotors {
    /// Only their spin about their own axes
    #[default]
    Reduced,
    /// Also the turning of the links that carry them
    Complete,
}

impl Rotors {
    /// The robot with this model of its rotors.
    #[must_use]
    pub fn of(self, elastic: ElasticModel<f64>) -> ElasticModel<f64> {
        match self {
            Self::Reduced => elastic,
            Self::Complete => elastic.with_complete_rotors(),
        }
    }
}

/// Step length, s, unless another is given.
pub(crate) fn step() -> f64 {
    1e-3
}

/// The tolerance of methods that choose their steps, unless another is given.
pub(crate) fn tolerance() -> f64 {
    1e-9
}

/// Steps per sample, unless told otherwise.
pub(crate) fn every() -> u64 {
    1
}

/// Runs a simulation; the host hears how far it is and may end it.
///
/// # Errors
/// What the simulation cannot do; [`Problem::cancelled`].
pub fn integrate(simulation: &Simulation<'_>, host: &dyn Host) -> Result<Trajectory, Problem> {
    attempt(simulation, host)?.map_err(|error| explained(error, simulation))
}

/// What is said of an error of a simulation.
pub(crate) fn explained(error: SimulationError, simulation: &Simulation<'_>) -> Problem {
    let is_loop = simulation.law.open_loop().is_none();
    let broken = is_loop && error.is_breakdown() && !matches!(error, SimulationError::Singular { .. });
    let problem = Problem::from(error);
    let hint = "the loop may be unstable: try smaller gains or slower poles, another law, or a smaller --step";
    if broken { problem.hint(hint) } else { problem }
}

/// Runs a simulation; its own errors are left to the caller.
///
/// # Errors
/// [`Problem::cancelled`].
pub(crate) fn attempt(
    simulation: &Simulation<'_>,
    host: &dyn Host,
) -> Result<Result<Trajectory, SimulationError>, Problem> {
    let duration = simulation.options.duration;
    let mut cancelled = false;
    let motion = simulation.run(&mut |t| {
        host.progress(t / duration);
        cancelled = host.is_cancelled();
        if cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if cancelled {
        return Err(Problem::cancelled());
    }
    Ok(motion)
}

/// Writes all numbers of all samples as CSV or, by the ending of the name, Parquet.
///
/// # Errors
/// The file cannot be written.
pub fn write_samples(path: &Path, motion: &Trajectory, host: &dyn Host) -> Result<(), Problem> {
    let columns: Vec<String> = motion.columns().iter().skip(1).map(ToString::to_string).collect();
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let values: Vec<f64> = motion.rows().flat_map(|row| row.into_iter().skip(1)).collect();
    sheet::timed(path, columns, &times, &values, host)
}

impl From<SimulationError> for Problem {
    fn from(error: SimulationError) -> Self {
        let hint = match &error {
            SimulationError::Integration(IntegrationError::NotFinite { .. }) => Some("a smaller --step may help"),
            SimulationError::Integration(IntegrationError::StepTooSmall { .. }) => {
                Some("a larger --tolerance may help")
            }
            SimulationError::TooManySamples { .. } => Some("--every N takes a sample only every N steps"),
            SimulationError::Indefinite(_) => Some(BEYOND),
            SimulationError::Singular { singular, .. } => Some(singular.hint()),
            SimulationError::OutOfRange { found, .. } => Some(out_of_range(found.kinematics)),
            SimulationError::TorqueMissing { .. } => {
                Some("--torque constant '[1.5, 0]' or tau in the state; --torque table FILE")
            }
            SimulationError::NoEffort { .. } => Some("give joints an `effort`, or leave --saturate out"),
            _ => None,
        };
        let error = match error {
            SimulationError::Elastic(error) => return error.into(),
            SimulationError::Linearise(error) => return error.into(),
            SimulationError::Quantity(error) => return error.into(),
            error => error,
        };
        let problem = Self::new(error.kind(), error.to_string()).hints(hint);
        let problem = if error.is_breakdown() { problem.unsolved() } else { problem };
        if let SimulationError::OutOfRange { motion: Some(motion), .. } = &error
            && let Some(last) = motion.samples.last()
        {
            let last_state = serde_json::json!({ "q": last.q, "qd": last.qd });
            return problem.reached(&serde_json::json!({ "t": last.t, "steps": motion.steps, "final": last_state }));
        }
        match error.reached() {
            Some(t) => problem.reached(&serde_json::json!({ "t": t })),
            None => problem,
        }
    }
}
