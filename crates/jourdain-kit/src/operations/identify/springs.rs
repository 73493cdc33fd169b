//! `identify --elastic`: stiffness, damping and rotor inertia of elastic joints, from logs with positions of motors and links.

use super::report::{Files, Report};
use super::show::{file_lines, headed, percent, rounded};
use super::{Request, logs};
use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::robot_file;
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::Model;
use jourdain::identify::{self, FoundSpring, Measured, SideFit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A side of a joint of which more than this is left is told of.
const POOR: f64 = 0.5;
/// Two ways to a stiffness may differ by this share.
const APART: f64 = 0.1;
/// A number whose deviation is more than this share of it is not shown well.
const UNCERTAIN: f64 = 0.3;

/// Whether springs are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ElasticJoints {
    /// Find springs and rotors of the joints whose motors have a position of their own in the log: columns theta1, theta2, ...
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub elastic: bool,
}

/// Springs and rotors of elastic joints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sprung {
    /// The robot's name.
    pub robot: String,
    /// Samples that were used.
    pub samples: u64,
    /// Joint by joint, on the link side.
    pub elastic: Vec<SpringReport>,
    /// How the log was read.
    pub log: SprungLog,
    /// What is worth knowing beyond the numbers.
    pub warnings: Vec<String>,
    /// The files that were written.
    pub files: Files,
}

/// The log of an elastic robot.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprungLog {
    /// Its name, as given.
    pub file: String,
    /// Lines with numbers.
    pub lines: u64,
    /// Lines that were the one before once more, and left out.
    pub doubled: u64,
    /// What the time stamps count: `s`, `ms`, `µs` or `ns`.
    pub time_unit: &'static str,
    /// Samples per second.
    pub rate_hz: f64,
    /// Cut-off of the smoothing, Hz.
    pub cutoff_hz: f64,
    /// True if it is the one with which the torques of motors are met best.
    pub from_residuals: bool,
    /// True if a higher one might be better, but samples are too far apart for it.
    pub limited: bool,
}

/// The spring of a joint and the rotor behind it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpringReport {
    /// The joint.
    pub joint: String,
    /// K, N m/rad or N/m.
    pub stiffness: Number,
    /// The stiffness by the torque of the motor alone; null if that does not show it.
    pub stiffness_by_motor: Option<f64>,
    /// The stiffness by the torque that the links of the robot file ask for alone; null if that does not show it.
    pub stiffness_by_link: Option<f64>,
    /// D, N m s/rad or N s/m.
    pub damping: Number,
    /// B, kg m² or kg: rotor inertia times the square of the gear ratio.
    pub inertia: Number,
    /// Viscous friction of the rotor.
    pub viscous: Number,
    /// Coulomb friction of the rotor.
    pub coulomb: Number,
    /// Root mean square of θ − q about its mean, rad or m.
    pub deflection_rms: f64,
    /// How the torque of the motor is met: residual over torque.
    pub motor_error: f64,
    /// How the torque that the links of the robot file ask for is met by the spring.
    pub link_error: f64,
}

/// A number with its standard deviation.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Number {
    /// The estimate.
    pub value: f64,
    /// Its standard deviation; zero with a value of zero for what came out negative.
    pub deviation: f64,
}

impl From<Measured> for Number {
    fn from(measured: Measured) -> Self {
        Self { value: measured.value, deviation: measured.deviation }
    }
}

/// Finds springs.
pub(super) fn run(request: &Request, host: &dyn Host) -> Result<Report, Problem> {
    check(request)?;
    let writer = request.out.as_deref().map(robot_file::writer).transpose()?;
    let model = request.snap.apply(request.robot.load(host)?)?;
    request.snap.note(&model, host);
    let [file] = &request.data[..] else {
        return Err(Problem::usage("--elastic takes one log").hint("--data LOG.csv"));
    };
    let log = logs::read_rotors(file, &model, request.rate, host)?;
    let delay = request.given_delay()?.unwrap_or(0.0);
    let found = identify::springs(&model, &log, request.cutoff, delay, request.decimate.unwrap_or(1));
    let found = found.map_err(|error| Problem::from(error).file(file))?;
    let mut files = Files::default();
    if let (Some(path), Some(writer)) = (&request.out, writer) {
        robot_file::put(path, writer, &identify::sprung_robot(&model, &found), host)?;
        files.robot = Some(path.display().to_string());
    }
    let springs: Vec<SpringReport> = found.springs.iter().map(|spring| SpringReport::new(&model, spring)).collect();
    let report = Report::Elastic(Box::new(Sprung {
        robot: model.name().to_owned(),
        samples: found.samples,
        warnings: springs.iter().flat_map(SpringReport::warnings).collect(),
        elastic: springs,
        log: SprungLog {
            file: file.clone(),
            lines: log.rows,
            doubled: log.doubled,
            time_unit: log.clock.symbol(),
            rate_hz: log.rate(),
            cutoff_hz: found.cutoff,
            from_residuals: found.chosen,
            limited: found.limited,
        },
        files,
    }));
    request.keep(&report, None, host)?;
    Ok(report)
}

/// What does not go together.
fn check(request: &Request) -> Result<(), Problem> {
    let given = [
        ("--merge", !request.merge.is_empty()),
        ("--factors", request.factors.is_some()),
        ("--shard", request.shard.is_some()),
        ("--plot", request.plot.is_some()),
        ("--validate", request.validate.is_some()),
        ("--coupling", request.coupling.is_some()),
        ("--offset", request.offset),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(Problem::usage(format!(
            "{option} does not go with --elastic, which fits springs and rotors alone"
        )));
    }
    ending::check([(&ending::REPORT, request.report.as_deref())])?;
    request.check_reading()
}

impl SpringReport {
    fn new(model: &Model<f64>, spring: &FoundSpring) -> Self {
        Self {
            joint: model.velocities()[spring.dof].to_string(),
            stiffness: spring.stiffness.into(),
            stiffness_by_motor: spring.by_motor,
            stiffness_by_link: spring.by_link,
            damping: spring.damping.into(),
            inertia: spring.inertia.into(),
            viscous: spring.viscous.into(),
            coulomb: spring.coulomb.into(),
            deflection_rms: spring.deflection,
            motor_error: SideFit::relative(&spring.motor),
            link_error: SideFit::relative(&spring.link),
        }
    }

    fn warnings(&self) -> Vec<String> {
        let Self { joint, .. } = self;
        let mut warnings = Vec::new();
        if self.stiffness.deviation > UNCERTAIN * self.stiffness.value {
            warnings
                .push(format!("the spring of joint `{joint}` is hardly shown: load it more, or use finer encoders"));
        }
        if let (Some(motor), Some(link)) = (self.stiffness_by_motor, self.stiffness_by_link)
            && (motor - link).abs() > APART * self.stiffness.value
        {
            let (motor, link) = (rounded(motor), rounded(link));
            warnings.push(format!(
                "the motor torque of joint `{joint}` says {motor}, the links of the robot file say {link}: gain of the \
                 drive, or masses, are not right"
            ));
        }
        if self.inertia.value == 0.0 {
            let why = "a robot file needs it above zero; move faster";
            warnings.push(format!("the rotor inertia of joint `{joint}` came out negative and is put to zero: {why}"));
        }
        if self.motor_error > POOR {
            let percent = percent(self.motor_error);
            warnings
                .push(format!("{percent} of the motor torque of joint `{joint}` is left: wrong column, sign or gear?"));
        }
        if self.link_error > POOR {
            let percent = percent(self.link_error);
            warnings.push(format!(
                "the spring of joint `{joint}` leaves {percent} of what the links ask for: is the robot file right?"
            ));
        }
        warnings
    }
}

impl Sprung {
    /// As people read it.
    pub(super) fn text(&self) -> String {
        let Self { robot, samples, log, .. } = self;
        let joints = self.elastic.len();
        let noun = if joints == 1 { "joint" } else { "joints" };
        let mut lines =
            vec![format!("{HEADING}{robot}{HEADING:#}: springs and rotors of {joints} {noun} from {samples} samples")];
        let doubled = if log.doubled > 0 { format!(", {} lines sent twice", log.doubled) } else { String::new() };
        let unit = if log.time_unit == "s" { String::new() } else { format!(", time in {}", log.time_unit) };
        lines.push(format!("log      {}: {} lines{doubled}{unit}", log.file, log.lines));
        let origin = match (log.from_residuals, log.limited) {
            (true, true) => "torques are met best, limited by the sampling rate",
            (true, false) => "torques are met best",
            (false, true | false) => "as given",
        };
        lines.push(format!(
            "motion   smoothed, cut-off {} Hz ({origin}) at {} samples/s",
            rounded(log.cutoff_hz),
            rounded(log.rate_hz)
        ));
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        lines.push(String::new());
        let titles =
            ["joint", "stiffness", "damping", "inertia", "viscous", "Coulomb", "deflection", "motor left", "link left"];
        let mut rows = vec![titles.map(str::to_owned).to_vec()];
        rows.extend(self.elastic.iter().map(|spring| {
            let numbers = [spring.stiffness, spring.damping, spring.inertia, spring.viscous, spring.coulomb];
            let mut row = vec![spring.joint.clone()];
            row.extend(numbers.map(|x| format!("{} ± {}", rounded(x.value), rounded(x.deviation))));
            row.extend([rounded(spring.deflection_rms), percent(spring.motor_error), percent(spring.link_error)]);
            row
        }));
        lines.extend(headed(&rows));
        lines.push(format!("{FAINT}link side, SI: what motors have at the joint{FAINT:#}"));
        lines.extend(file_lines(&self.files));
        lines.join("\n")
    }
}
