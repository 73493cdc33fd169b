//! What came of an identification.

use super::gains::FoundGains;
use super::payload::{Carried, FoundPoses};
use super::problems::{self, Problems};
use super::show::percent;
use super::springs::Sprung;
use super::statistics::{Essential, Found, JointResiduals, LeftOut, Told};
use crate::operation;
use jourdain::identify::log::{Clock, Filtering, Summary};
use jourdain::identify::{self, Factors, Study};
use jourdain::model::{Link, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Estimates or, of one part of a log, what was kept for them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The estimates.
    Whole(Box<Identified>),
    /// What was kept of a part.
    Part(Part),
    /// What a link carries.
    Payload(Box<Carried>),
    /// Poses that show what a link carries.
    Poses(Box<FoundPoses>),
    /// Springs and rotors of elastic joints.
    Elastic(Box<Sprung>),
    /// Drive gains.
    Gains(Box<FoundGains>),
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
    /// The parameters that the data can tell from zero; null if they cannot be had.
    pub essential: Option<Essential>,
    /// What is left of the torques; null if the logs cannot be read once more.
    pub residuals: Option<Vec<JointResiduals>>,
    /// Torques that were left out; null if none were looked for.
    pub outliers: Option<LeftOut>,
    /// All inertial parameters, such as a body can have; null with `fit` `base`.
    pub consistent: Option<Consistent>,
    /// The logs that were read.
    pub logs: Vec<Log>,
    /// How the estimates do on another log; null without one.
    pub validation: Option<Validation>,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
    /// The files that were written.
    pub files: Files,
}

/// What the robot file may cost a joint, over its torque, before that is worth a warning.
const HELD_BACK: f64 = 0.1;

/// Parameters of all links and drives that a robot can have.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Consistent {
    /// The parameters, link by link, then those of the drives.
    pub parameters: Vec<LinkParameter>,
    /// How the torques of each joint are met.
    pub joints: Vec<JointFit>,
    /// How they are met with viscous and Coulomb friction alone, fitted anew, which is all that some formats hold; null if the
    /// estimate has no more.
    pub written: Option<Vec<JointFit>>,
    /// Weight of the robot file, in units of log-likelihood.
    pub prior_weight: f64,
    /// The weights that it was chosen from; empty if it was given, or if the log is too short to choose.
    pub prior_weights: Vec<TriedWeight>,
    /// Stretches of the log that were left out in turn to choose it.
    pub folds: usize,
    /// Per joint, what the same model leaves of the torque, over it, if its parameters need not be those of a robot.
    pub unconstrained: Vec<f64>,
}

/// A weight of the robot file that was tried.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TriedWeight {
    /// The weight.
    pub weight: f64,
    /// Geometric mean over joints of the relative error of what was left out.
    pub relative_error: f64,
}

/// A parameter of a link or of the drive of its joint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkParameter {
    /// The link; several with a plus where a motor turns with their joints.
    pub link: String,
    /// `m`, `mX`, …, `XX`, …, `ZZ` about the link origin; `Ia`, `Fv`, `Fc` of the drive; `Fh1a`, … and others for its further terms.
    pub name: String,
    /// The estimate, SI.
    pub value: f64,
    /// Its standard deviation by what data and prior together leave open, SI; null where a payload is found beside the robot.
    pub deviation: Option<f64>,
    /// What it was before the data, SI: the robot file, made into a body that can be.
    pub prior: f64,
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
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
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
    pub unit: String,
}

/// How the estimates do on another log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Validation {
    /// The log.
    pub log: Log,
    /// The errors of the joints, with the base parameters.
    pub joints: Vec<JointError>,
    /// The same with the consistent estimate; null without one.
    pub consistent: Option<Judged>,
    /// The same with viscous and Coulomb friction alone; null if the consistent estimate has no more.
    pub written: Option<Judged>,
}

/// How an estimate does.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Judged {
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
    /// The share of samples at which the joint is faster than 0.02 rad/s or m/s.
    pub moving: f64,
    /// Error over torque, both of those samples; null if there are none.
    pub relative_error_moving: Option<f64>,
    /// The same of the other samples, at which the joint stands and friction may be anything up to what it breaks loose at.
    pub relative_error_standing: Option<f64>,
    /// `N m`, or `N` for a joint that slides.
    #[serde(skip)]
    pub unit: String,
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
    /// Lines that were the one before once more, and left out.
    pub doubled: u64,
    /// Gaps in time.
    pub gaps: u64,
    /// The motion that torques belong to is so many seconds later; they are late if it is negative.
    pub delay: f64,
    /// By how much the delay lowers what is left of the torques, as a share.
    pub delay_gain: f64,
    /// Joints whose torques come at another time than those of the others, as far as the log tells.
    pub late: Vec<LateJoint>,
    /// What the time stamps count: `s`, `ms`, `µs` or `ns`.
    pub time_unit: &'static str,
    /// True if the time counts from 1970.
    pub since_1970: bool,
    /// How the motion was smoothed; null if the log was taken as it is.
    pub filter: Option<Filter>,
}

/// A joint whose torques come at another time than those of the others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LateJoint {
    /// The joint's number, from 1.
    pub joint: usize,
    /// By how many seconds its torques are later.
    pub late: f64,
    /// By how much what is left of them would be lower without, as a share.
    pub gain: f64,
}

/// How the motion of a log was smoothed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Filter {
    /// Cut-off, Hz.
    pub cutoff_hz: f64,
    /// True if the cut-off was found from the spectrum of the motion.
    pub from_spectrum: bool,
    /// True if it is the one with which torques are met best.
    pub from_residuals: bool,
    /// True if a higher one might be better, but samples are too far apart for it.
    pub limited: bool,
    /// Samples per second.
    pub rate_hz: f64,
    /// The clock of the device, s, if stamps are uneven and the motion shows the clock; samples then stand on its ticks.
    pub tick: Option<f64>,
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
        problems: &Problems,
        found: Found,
        told: Told,
        logs: Vec<Log>,
        validation: Option<Validation>,
        files: Files,
    ) -> Self {
        let (problem, Found { estimate, consistent }) = (&problems.simple, found);
        let consistent = consistent.map(|consistent| Consistent::new(problems, &consistent));
        let held_back = consistent.as_ref().and_then(|consistent| consistent.held_back(problem.model()));
        Self {
            robot: problem.model().name().to_owned(),
            count: problem.count(),
            samples: estimate.samples,
            condition: estimate.condition,
            parameters: Parameter::of(problem, &estimate.values, &estimate.deviations),
            joints: JointFit::of(problem, &estimate.joints),
            essential: told.essential,
            residuals: told.residuals,
            outliers: told.outliers,
            consistent,
            logs,
            validation,
            warnings: told.warnings.into_iter().chain(estimate.warnings).chain(held_back).collect(),
            files,
        }
    }
}

impl Parameter {
    pub(in crate::operations) fn of(problem: &identify::Problem, values: &[f64], deviations: &[f64]) -> Vec<Self> {
        let prior = problem.prior();
        let parameter = |(k, name): (usize, &String)| Self {
            name: name.clone(),
            value: values[k],
            deviation: deviations[k],
            relative_deviation: (values[k] != 0.0).then(|| deviations[k] / values[k].abs()),
            prior: prior[k],
        };
        problem.names().iter().enumerate().map(parameter).collect()
    }
}

impl JointFit {
    pub(in crate::operations) fn of(problem: &identify::Problem, fits: &[identify::JointFit]) -> Vec<Self> {
        let joint = |((joint, fit), unit): ((&String, &identify::JointFit), String)| Self {
            joint: joint.clone(),
            torque_rms: fit.torque,
            residual_rms: fit.residual,
            relative_error: fit.relative(),
            noise: fit.noise,
            unit,
        };
        problem.joints().iter().zip(fits).zip(torque_units(problem)).map(joint).collect()
    }
}

impl Consistent {
    pub(super) fn new(problems: &Problems, consistent: &problems::Consistent) -> Self {
        let (problem, best) = (problems.best(), &consistent.best);
        let (links, parameters) = (problem.model().links(), problem.base().parameters());
        let parameter = |(k, &column): (usize, &usize)| LinkParameter {
            link: links[parameters[column].link].name.clone(),
            name: parameters[column].kind.letters().to_owned(),
            value: best.standard[column],
            deviation: best.deviations.get(k).copied(),
            prior: best.prior[column],
        };
        let base = problem.unknowns().len();
        let term = |(e, term): (usize, &identify::DriveColumn)| {
            let row = problem.coordinates().row(term.coordinate).iter().enumerate();
            let moved = row.filter(|(_, c)| **c != 0.0).filter_map(|(dof, _)| {
                let moves =
                    |link: &&Link<f64>| link.mimic.is_none() && (link.v..link.v + link.joint.nv()).contains(&dof);
                links.iter().find(moves)
            });
            let moved: Vec<&str> = moved.map(|link| link.name.as_str()).collect();
            LinkParameter {
                link: moved.join("+"),
                name: problem.names()[base + e].clone(),
                value: best.values[base + e],
                deviation: best.deviations.get(best.free.len() + e).copied(),
                prior: best.term_priors[e],
            }
        };
        let terms = problem.terms().iter().enumerate().map(term);
        let tried = |&(weight, relative_error): &(f64, f64)| TriedWeight { weight, relative_error };
        Self {
            parameters: best.free.iter().enumerate().map(parameter).chain(terms).collect(),
            joints: JointFit::of(problem, &best.joints),
            written: consistent.written.as_ref().map(|written| JointFit::of(problem, &written.joints)),
            prior_weight: best.prior_weight,
            prior_weights: consistent.chosen.iter().flat_map(|chosen| &chosen.path).map(tried).collect(),
            folds: consistent.chosen.as_ref().map_or(0, |chosen| chosen.folds),
            unconstrained: best.unconstrained.clone(),
        }
    }

    /// What says that the robot file outweighs the data, at the joint where that costs most.
    fn held_back(&self, model: &Model<f64>) -> Option<String> {
        let joints = self.joints.iter().zip(&self.unconstrained);
        let (joint, left, could) = joints
            .map(|(joint, could)| (&joint.joint, joint.relative_error, *could))
            .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))?;
        if left - could < HELD_BACK || left < 2.0 * could {
            return None;
        }
        let has_no_mass = |name: &str| model.links().iter().any(|link| link.name == name && link.inertia.mass == 0.0);
        let free = self.parameters.iter().filter(|parameter| parameter.name == "m");
        let massless: Vec<String> =
            free.filter(|mass| has_no_mass(&mass.link)).map(|mass| format!("`{}`", mass.link)).collect();
        let remedy = if massless.is_empty() {
            "check its masses and inertias".to_owned()
        } else {
            format!("it gives no mass to {}, so give one that is about right", massless.join(", "))
        };
        Some(format!(
            "the robot file outweighs the data: {} of the torque of joint `{joint}` is left, where {} could be; {remedy}, or a smaller \
             weight (`--prior-weight`)",
            percent(left),
            percent(could)
        ))
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
        let joint = |((joint, error), unit): ((&String, &identify::JointError), String)| Self {
            joint: joint.clone(),
            torque_rms: error.torque,
            error_rms: error.error,
            relative_error: error.relative(),
            largest_error: error.largest,
            moving: error.moves,
            relative_error_moving: error.moving,
            relative_error_standing: error.standing,
            unit,
        };
        problem.joints().iter().zip(errors).zip(torque_units(problem)).map(joint).collect()
    }
}

impl Log {
    pub(super) fn new(file: &str, summary: Summary, study: Option<&Study>) -> Self {
        let filter = |filtering: Filtering| Filter {
            cutoff_hz: filtering.cutoff,
            from_spectrum: filtering.from_spectrum,
            from_residuals: study.is_some_and(|study| study.chosen),
            limited: study.is_some_and(|study| study.limited),
            rate_hz: filtering.rate,
            tick: filtering.tick.map(|tick| tick.period),
            decimate: filtering.decimate,
            dropped_at_ends: filtering.dropped,
            differentiated: filtering.found,
        };
        let late = |own: &identify::LateJoint| LateJoint { joint: own.joint + 1, late: own.late, gain: own.gain };
        Self {
            file: file.to_owned(),
            lines: summary.rows,
            samples: summary.samples,
            doubled: summary.doubled,
            gaps: summary.gaps,
            delay: study.map_or(0.0, |study| study.delay),
            delay_gain: study.map_or(0.0, |study| study.delay_gain),
            late: study.iter().flat_map(|study| &study.late).map(late).collect(),
            time_unit: summary.clock.symbol(),
            since_1970: summary.start.is_some_and(Clock::is_epoch),
            filter: summary.filtering.map(filter),
        }
    }
}

/// The units of the torques, per degree of freedom: that of a force for a joint that slides.
pub(super) fn torque_units(problem: &identify::Problem) -> Vec<String> {
    problem.model().velocities().iter().map(|coordinate| coordinate.effort().to_string()).collect()
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Whole(identified) => super::show::identified(identified),
            Self::Part(part) => super::show::part(part),
            Self::Payload(carried) => carried.text(),
            Self::Poses(poses) => poses.text(),
            Self::Elastic(sprung) => sprung.text(),
            Self::Gains(gains) => gains.text(),
        }
    }
}
