//! What came of an identification.

use crate::labels;
use crate::operation;
use jourdain::identify::log::{Filtering, Summary};
use jourdain::identify::{self, Estimate, Factors};
use schemars::JsonSchema;
use serde::Serialize;

/// Estimates or, of one part of a log, what was kept for them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The estimates.
    Whole(Box<Identified>),
    /// What was kept of a part.
    Part(Part),
}

/// Base parameters and friction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Identified {
    /// The robot's name.
    pub robot: String,
    /// How many parameters there are.
    pub count: usize,
    /// Samples that they rest on.
    pub samples: u64,
    /// Condition number of the weighted regressor with columns of unit length: what noise is amplified by, at worst.
    pub condition: f64,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// How the torques of each joint are met.
    pub joints: Vec<JointFit>,
    /// The logs that were read.
    pub logs: Vec<Log>,
    /// How the estimates do on another log; null without one.
    pub validation: Option<Validation>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
    /// The files that were written.
    pub files: Files,
}

/// What is kept of one part of a log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Part {
    /// The robot's name.
    pub robot: String,
    /// Samples of this part.
    pub samples: u64,
    /// How many parameters there are.
    pub count: usize,
    /// The logs that were read.
    pub logs: Vec<Log>,
    /// The files that were written.
    pub files: Files,
}

/// A parameter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Parameter {
    /// `ZZR1`, `Fv2`, ….
    pub name: String,
    /// The estimate, SI.
    pub value: f64,
    /// Its standard deviation, SI.
    pub deviation: f64,
    /// Deviation over value; null if the value is zero.
    pub relative_deviation: Option<f64>,
    /// What the robot file makes of it, SI.
    pub prior: f64,
}

/// How the torques of a joint are met.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointFit {
    /// The joint, numbered where it has several degrees of freedom.
    pub joint: String,
    /// Root mean square of the measured torque less what is known, N m or N.
    pub torque_rms: f64,
    /// Root mean square of what is left, N m or N.
    pub residual_rms: f64,
    /// Residual over torque.
    pub relative_error: f64,
    /// Standard deviation of the noise, N m or N: the inverse of the joint's weight.
    pub noise: f64,
    /// `N m`, or `N` for a joint that slides.
    #[serde(skip)]
    pub unit: &'static str,
}

/// How the estimates do on another log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Validation {
    /// The log.
    pub log: Log,
    /// The errors of the joints.
    pub joints: Vec<JointError>,
}

/// How well the torques of a joint are predicted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointError {
    /// The joint, numbered where it has several degrees of freedom.
    pub joint: String,
    /// Root mean square of the measured torque, N m or N.
    pub torque_rms: f64,
    /// Root mean square of the error, N m or N.
    pub error_rms: f64,
    /// Error over torque.
    pub relative_error: f64,
    /// Largest error, N m or N.
    pub largest_error: f64,
    /// `N m`, or `N` for a joint that slides.
    #[serde(skip)]
    pub unit: &'static str,
}

/// A log that was read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Log {
    /// Its name, as given.
    pub file: String,
    /// Lines with numbers.
    pub lines: u64,
    /// Samples that were used.
    pub samples: u64,
    /// Gaps in time.
    pub gaps: u64,
    /// The low-pass; null if the log was taken as it is.
    pub filter: Option<Filter>,
}

/// How a log was filtered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Filter {
    /// Cut-off, Hz.
    pub cutoff_hz: f64,
    /// True if the cut-off was found from the spectrum of the motion.
    pub from_spectrum: bool,
    /// Samples per second.
    pub rate_hz: f64,
    /// Every so manieth sample is used.
    pub decimate: u64,
    /// Samples dropped at either end.
    pub dropped_at_ends: usize,
    /// What was found by differentiation.
    pub differentiated: &'static str,
}

/// The files that were written, in the order of their writing.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Files {
    /// What is kept of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factors: Option<String>,
    /// Measured and predicted torques.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot: Option<String>,
    /// The robot with the estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<String>,
}

impl Files {
    /// What each is, and its path.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [("factors", &self.factors), ("plot", &self.plot), ("robot", &self.robot)];
        all.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)))
    }
}

impl Identified {
    pub(super) fn new(
        problem: &identify::Problem,
        estimate: Estimate,
        logs: Vec<Log>,
        validation: Option<Validation>,
        files: Files,
    ) -> Self {
        let (relative, prior) = (estimate.relative_deviations(), problem.prior());
        let parameter = |(k, name): (usize, &String)| Parameter {
            name: name.clone(),
            value: estimate.values[k],
            deviation: estimate.deviations[k],
            relative_deviation: relative[k],
            prior: prior[k],
        };
        let joint = |((joint, fit), unit): ((&String, &identify::JointFit), &'static str)| JointFit {
            joint: joint.clone(),
            torque_rms: fit.torque,
            residual_rms: fit.residual,
            relative_error: fit.relative(),
            noise: fit.noise,
            unit,
        };
        Self {
            robot: problem.model().name().to_owned(),
            count: problem.count(),
            samples: estimate.samples,
            condition: estimate.condition,
            parameters: problem.names().iter().enumerate().map(parameter).collect(),
            joints: problem.joints().iter().zip(&estimate.joints).zip(torque_units(problem)).map(joint).collect(),
            logs,
            validation,
            warnings: estimate.warnings,
            files,
        }
    }
}

impl Part {
    pub(super) fn new(problem: &identify::Problem, factors: &Factors, logs: Vec<Log>, files: Files) -> Self {
        let robot = problem.model().name().to_owned();
        Self { robot, samples: factors.samples, count: problem.count(), logs, files }
    }
}

impl JointError {
    pub(super) fn of(problem: &identify::Problem, errors: &[identify::JointError]) -> Vec<Self> {
        let joint = |((joint, error), unit): ((&String, &identify::JointError), &'static str)| Self {
            joint: joint.clone(),
            torque_rms: error.torque,
            error_rms: error.error,
            relative_error: error.relative(),
            largest_error: error.largest,
            unit,
        };
        problem.joints().iter().zip(errors).zip(torque_units(problem)).map(joint).collect()
    }
}

impl Log {
    pub(super) fn new(file: &str, summary: Summary) -> Self {
        let filter = |filtering: Filtering| Filter {
            cutoff_hz: filtering.cutoff,
            from_spectrum: filtering.from_spectrum,
            rate_hz: filtering.rate,
            decimate: filtering.decimate,
            dropped_at_ends: filtering.dropped,
            differentiated: filtering.found,
        };
        Self {
            file: file.to_owned(),
            lines: summary.rows,
            samples: summary.samples,
            gaps: summary.gaps,
            filter: summary.filtering.map(filter),
        }
    }
}

/// The units of the torques, per degree of freedom: that of a force for a joint that slides.
pub(super) fn torque_units(problem: &identify::Problem) -> Vec<&'static str> {
    labels::velocities(problem.model()).iter().map(|label| if label.unit == "m" { "N" } else { "N m" }).collect()
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Whole(identified) => super::show::identified(identified),
            Self::Part(part) => super::show::part(part),
        }
    }
}
