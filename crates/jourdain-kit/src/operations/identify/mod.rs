//! `identify`: base parameters and friction from measured motions and torques.

mod draw;
mod drives;
mod logs;
mod report;
mod show;

use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::read::STDIN;
use crate::resolve::Robot;
use crate::robot_file;
use crate::snap::Snap;
use crate::sources;
use crate::text::style;
use crate::write;
pub use drives::{DriveTerms, Friction};
use jourdain::identify::log::Options;
use jourdain::identify::{self, Comparison, Estimate, IdentifyError, estimated_robot, solve};
use logs::Shard;
pub use report::{Files, Filter, Identified, JointError, JointFit, Log, Parameter, Part, Report, Validation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Identify base parameters and friction from a log
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A log is a CSV file with a heading: t, q1, q2, ..., qd1, ..., qdd1, ..., tau1, ... in any order; a \
                      joint's name may stand for its number: q_elbow, q:elbow or q[elbow]. Without velocities or \
                      accelerations positions pass a zero-phase low-pass (Butterworth of order 4, forwards and backwards) \
                      and the missing derivatives are those of the filtered positions; the cut-off is 5 times the highest \
                      frequency of the motion unless --cutoff gives it.\n\nLong logs can be shared out: --shard 2/8 \
                      --factors part2.json takes the second of eight parts, --merge part*.json puts the parts together. The \
                      result is that of the whole log."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Log to identify from; several are taken together; - for standard input
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "LOG.csv", required_unless_present = "merge"))]
    pub data: Vec<String>,

    /// Log to check the estimates on
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LOG.csv"))]
    pub validate: Option<String>,

    /// Samples per second, for logs without time
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub rate: Option<f64>,

    /// Cut-off of the low-pass; given, logs with all derivatives are filtered too
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub cutoff: Option<f64>,

    /// Use every N-th sample
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub decimate: Option<u64>,

    /// What is unknown of the drives
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub drives: DriveTerms,

    /// Take only part I of K of the log
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "I/K", requires = "factors",
                                     conflicts_with_all = ["merge", "validate"]))]
    pub shard: Option<String>,

    /// Write what is kept of the data, for --merge
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.json"))]
    pub factors: Option<PathBuf>,

    /// Take in what --factors wrote
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILES", num_args = 1.., value_hint = clap::ValueHint::FilePath))]
    pub merge: Vec<String>,

    /// Write the robot with the estimates, in the format that the name ends in
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "ROBOT.urdf"))]
    pub out: Option<PathBuf>,

    /// Draw measured and predicted torques, of the validation log if there is one
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// Write the report
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.txt"))]
    pub report: Option<PathBuf>,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

impl From<IdentifyError> for Problem {
    fn from(error: IdentifyError) -> Self {
        let problem = Self::new(error.kind(), error.to_string()).hints(error.hint());
        let problem = error.place().into_iter().fold(problem, |problem, (line, column)| problem.at(line, column));
        if error.is_unsolved() { problem.unsolved() } else { problem }
    }
}

impl Operation for Request {
    const NAME: &'static str = "identify";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([
            (&ending::FACTORS, self.factors.as_deref()),
            (&ending::PLOT, self.plot.as_deref()),
            (&ending::REPORT, self.report.as_deref()),
        ])?;
        let writer = self.out.as_deref().map(robot_file::writer).transpose()?;
        self.check()?;
        let shard = self.shard.as_deref().map(Shard::parse).transpose()?;
        let model = self.snap.apply(self.robot.load(host)?)?;
        self.snap.note(&model, host);
        let problem = self.drives.problem(&model)?;
        let mut files = Files::default();
        let (factors, logs) = logs::gather(&self.data, &self.merge, shard, &self.options(), &problem, host)?;
        if let Some(path) = &self.factors {
            write::text(path, &factors.to_json(), host)?;
            files.factors = Some(path.display().to_string());
        }
        if shard.is_some() {
            return Ok(Report::Part(Part::new(&problem, &factors, logs, files)));
        }
        let estimate = solve(&problem, &factors).map_err(|error| match self.data.first() {
            Some(first) => Problem::from(error).file(first),
            None => error.into(),
        })?;
        let validation = self.compare(&problem, &estimate, &mut files, host)?;
        if let (Some(path), Some(writer)) = (&self.out, writer) {
            let robot = estimated_robot(&problem, &estimate.values)?;
            robot_file::put(path, writer, &robot, host)?;
            files.robot = Some(path.display().to_string());
        }
        let report = Report::Whole(Box::new(Identified::new(&problem, estimate, logs, validation, files)));
        if let Some(path) = &self.report {
            let text = operation::Report::text(&report);
            write::text(path, &(style::plain(&text) + "\n"), host)?;
        }
        Ok(report)
    }
}

impl Request {
    /// What does not go together.
    fn check(&self) -> Result<(), Problem> {
        if self.data.is_empty() && self.merge.is_empty() {
            return Err(Problem::usage("there is no log to identify from").hint("--data LOG.csv, or --merge FILES"));
        }
        if self.shard.is_some() && (self.factors.is_none() || !self.merge.is_empty() || self.validate.is_some()) {
            let message = "part of a log gives factors: it needs --factors, and neither --merge nor --validate";
            return Err(Problem::usage(message));
        }
        let sources = self.data.iter().chain(&self.validate).chain(&self.merge);
        let from_stdin = sources.filter(|file| *file == STDIN).count();
        if from_stdin + usize::from(self.robot.is_stdin()) > 1 {
            return Err(Problem::usage("only one thing can come from standard input"));
        }
        if from_stdin > 0 && self.shard.is_some() {
            return Err(Problem::usage("standard input cannot be shared out").hint("--shard needs a file"));
        }
        let replayed = self.plot.is_some() && self.validate.is_none();
        if replayed && self.data.first().is_none_or(|file| file == STDIN) {
            let hint = "give a --validate log, or the data as a file";
            return Err(Problem::usage("a plot needs a log that can be read once more").hint(hint));
        }
        if self.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return Err(Problem::usage("--rate is a number of samples per second above zero"));
        }
        if self.decimate == Some(0) {
            return Err(Problem::usage("--decimate takes every N-th sample, N at least 1"));
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options { rate: self.rate, cutoff: self.cutoff, decimate: self.decimate, rows: None }
    }

    /// Torques predicted beside measured ones: validated on a log of its own, and drawn, if need be on the first of the data.
    fn compare(
        &self,
        problem: &identify::Problem,
        estimate: &Estimate,
        files: &mut Files,
        host: &dyn Host,
    ) -> Result<Option<Validation>, Problem> {
        let Some(log) = self.validate.as_ref().or(self.data.first().filter(|_| self.plot.is_some())) else {
            return Ok(None);
        };
        let before = problem.prior();
        let [mut comparison, mut prior] = [&estimate.values, &before].map(|values| Comparison::new(problem, values));
        let log = logs::read(log, problem.model(), &self.options(), host, |sample| {
            comparison.add(sample);
            if self.plot.is_some() {
                prior.add(sample);
            }
        })?;
        if let Some(path) = &self.plot {
            let shown = draw::Shown {
                problem,
                estimate,
                found: &comparison,
                prior: &prior,
                log: &log.file,
                data: &self.data,
                validates: self.validate.is_some(),
            };
            plot::write(path, &shown.figure(), self.style, host)?;
            files.plot = Some(path.display().to_string());
        }
        let joints = || JointError::of(problem, &comparison.errors());
        Ok(self.validate.is_some().then(|| Validation { log, joints: joints() }))
    }
}
