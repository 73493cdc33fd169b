//! `identify`: base parameters and friction from measured motions and torques.

mod choice;
mod consistency;
mod draw;
mod drives;
mod gains;
mod logs;
pub(super) mod opened;
#[cfg(all(test, feature = "parquet", feature = "recordings"))]
mod opened_tests;
pub(super) mod page;
mod payload;
pub(super) mod problems;
mod reading;
mod report;
mod shard;
mod show;
mod springs;
mod statistics;
mod timing;

use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::Figure;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::read::{self, STDIN, What};
use crate::resolve::Robot;
use crate::robot_file;
use crate::snap::Snap;
use crate::sources;
use crate::text::style;
use crate::write;
pub use choice::{Base, Choice, Outliers};
pub use consistency::Consistency;
pub use drives::{DriveTerms, Friction};
pub use gains::{Currents, FoundGains, Gain, KnownMass};
use jourdain::Model;
use jourdain::identify::log::Options;
use jourdain::identify::{Comparison, Coordinates, Factors, IdentifyError, estimated_robot};
use logs::{Asked, Gathered};
pub use payload::{Body, BodyParameter, Carried, Center, FoundPoses, Load, Prior};
use problems::Problems;
pub use reading::Reading;
pub use report::{
    Consistent, Files, Filter, Identified, JointError, JointFit, Judged, LateJoint, LinkParameter, Log, Parameter,
    Part, Report, TriedWeight, Validation,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shard::Shard;
pub use springs::{ElasticJoints, Number, SpringReport, Sprung, SprungLog};
pub use statistics::{Essential, EssentialParameter, JointLeftOut, JointResiduals, LeftOut, Peak, Stretch};
use statistics::{Found, Told};
use std::path::PathBuf;
pub use timing::Timing;

const COUPLING: What = What { name: "the coupling", option: "--coupling", hint: "a matrix, as JSON" };

/// Identify base parameters and friction from a log
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A log is a CSV or Parquet file with columns t, q1, q2, ..., qd1, ..., qdd1, ..., tau1, ... in any order; a \
                      joint's name may stand for its number: q_elbow, q:elbow or q[elbow]. Or it is an MCAP file, such as a bag of ROS 2, with messages sensor_msgs/JointState. Without velocities or \
                      accelerations smooth curves are laid through the positions, at the times at which they were taken, \
                      and derivatives are theirs; the cut-off is the one with which torques are met best unless --cutoff \
                      gives it.\n\nLong logs can be shared out: --shard 2/8 \
                      --factors part2.jdf takes the second of eight parts, --merge part*.jdf puts the parts together. The \
                      result is that of the whole log.\n\n--payload LINK, without a mass, finds what LINK carries: ten parameters of \
                      a body, with ROBOT taken as known, or from a log without the load (--data) and one with it (--loaded)."
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
    #[cfg_attr(
        feature = "clap",
        arg(long, short, value_name = "LOG.csv|parquet|mcap", required_unless_present_any = ["merge", "poses"])
    )]
    pub data: Vec<String>,

    /// Log to check the estimates on
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LOG.csv|parquet|mcap"))]
    pub validate: Option<String>,

    /// Samples per second, for logs without time
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub rate: Option<f64>,

    /// Cut-off of the smoothing; given, logs with all derivatives are smoothed too
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub cutoff: Option<f64>,

    /// Use every N-th sample
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub decimate: Option<u64>,

    /// How logs are read
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub reading: Reading,

    /// What is unknown of the drives
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub drives: DriveTerms,

    /// Which samples count
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub choice: Choice,

    /// What a link carries
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub load: Load,

    /// Drive gains
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub currents: Currents,

    /// Elastic joints
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub springs: ElasticJoints,

    /// Identify a torque offset of every joint among the base parameters too
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub offset: bool,

    /// Matrix from motor to joint velocities, where motors turn with several joints
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE|JSON"))]
    pub coupling: Option<String>,

    /// Seconds by which the motion that torques belong to is later: `auto` finds it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "auto|SECONDS", allow_hyphen_values = true))]
    pub delay: Option<String>,

    /// When the columns were measured
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub timing: Timing,

    /// Which estimate to write and to judge beside the base parameters
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub fit: Fit,

    /// What the consistent estimate rests on beside the data
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub consistency: Consistency,

    /// Take only part I of K of the log
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "I/K", requires = "factors",
                                     conflicts_with_all = ["merge", "validate"]))]
    pub shard: Option<String>,

    /// Write what is kept of the data, for --merge
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.jdf|json"))]
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

    /// Write the report: as words or, with figures, as a page
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.txt|html"))]
    pub report: Option<PathBuf>,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

/// Which estimate is written and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// All inertial parameters, such as a body can have
    #[default]
    Consistent,
    /// Base parameters alone, by least squares
    Base,
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

    fn outputs(&self) -> Outputs<'_> {
        vec![
            ("factors", self.factors.as_deref()),
            ("out", self.out.as_deref()),
            ("plot", self.plot.as_deref()),
            ("report", self.report.as_deref()),
        ]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let (carries, robot) = payload::split(&self.robot, &self.load)?;
        gains::refuse_without(&self.currents)?;
        if self.currents.gains && !self.springs.elastic {
            return gains::run(self, carries.as_deref(), &robot, host);
        }
        if self.springs.elastic {
            if let Some(link) = carries {
                let message = format!("--payload {link} and --elastic are found one at a time");
                return Err(Problem::usage(message).hint("LINK=MASS is a load that is known"));
            }
            if self.currents.gains {
                return Err(Problem::usage("--gains and --elastic are found one at a time"));
            }
            payload::refuse_without_link(&self.load)?;
            return springs::run(self, host);
        }
        if let Some(link) = carries {
            return payload::run(self, &link, &robot, host);
        }
        payload::refuse_without_link(&self.load)?;
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
        let (weight, bounds) = (self.consistency.weight()?, self.consistency.bounds(&model, host)?);
        let simple = self.drives.problem(&model)?;
        let simple = if self.offset { simple.with_offsets() } else { simple };
        let mut files = Files::default();
        let asked = Asked {
            data: &self.data,
            merge: &self.merge,
            shard,
            reading: &self.reading,
            options: Options {
                rate: self.rate,
                cutoff: self.cutoff,
                decimate: self.decimate,
                base: self.choice.base(),
                late: self.timing.late(&model)?,
                ..Options::default()
            },
            delay: self.given_delay()?,
            coordinates: self.coordinates(&model, host)?,
        };
        let mut gathered = logs::gather(&asked, &model, simple, host)?;
        let unmeasured = gathered.problems.leave_out_unmeasured(&gathered.factors)?;
        let find = |problems: &Problems, factors: &Factors| Found::new(problems, factors, self.fit, weight, &bounds);
        let again = shard.is_none() && statistics::can_be_read_again(&asked);
        let mut found = shard.is_none().then(|| find(&gathered.problems, &gathered.factors));
        let mut told = match &mut found {
            Some(Ok(found)) if again && self.choice.outliers == Outliers::Drop => {
                statistics::leave_out(&mut gathered, found, &asked, &model, host, find)?
            }
            Some(Ok(_)) if !again && !self.data.is_empty() => Told::read_once(self.choice.outliers),
            _ => Told::default(),
        };
        told.warnings.splice(0..0, unmeasured);
        if let Some(path) = &self.factors {
            match ending::FACTORS.of(path)? {
                "json" => write::text(path, &gathered.factors.to_json(), host)?,
                _ => write::bytes(path, &gathered.factors.to_bytes(), host)?,
            }
            files.factors = Some(path.display().to_string());
        }
        let Some(found) = found else {
            return Ok(Report::Part(Part::new(&gathered.problems.wide, &gathered.factors, gathered.logs, files)));
        };
        let found = found.map_err(|problem| match self.data.first() {
            Some(first) => problem.file(first),
            None => problem,
        })?;
        if again {
            told.add_residuals(&gathered, &found, &asked, host)?;
        }
        told.add_essential(&gathered.problems, &gathered.factors)?;
        told.warnings.extend(gathered.factors.identity.missing());
        let Gathered { problems, factors, logs, options, .. } = gathered;
        let (validation, figure) = self.compare(&problems, &found, &options, host)?;
        if let (Some(path), Some(figure)) = (&self.plot, &figure) {
            plot::write(path, figure, self.style, host)?;
            files.plot = Some(path.display().to_string());
        }
        if let (Some(path), Some(writer)) = (&self.out, writer) {
            match &found.consistent {
                Some(consistent) => problems.write(consistent, &factors, path, writer, host)?,
                None => {
                    robot_file::put(path, writer, &estimated_robot(&problems.simple, &found.estimate.values)?, host)?;
                }
            }
            files.robot = Some(path.display().to_string());
        }
        let identified = Identified::new(&problems, found, told, logs, validation, files);
        let report = Report::Whole(Box::new(identified));
        self.keep(&report, figure, host)?;
        Ok(report)
    }
}

impl Request {
    /// True if the report is a page, which has a figure.
    fn tells_a_page(&self) -> bool {
        let ending = self.report.as_deref().and_then(|path| ending::REPORT.of(path).ok());
        matches!(ending, Some("html" | "htm"))
    }

    /// Writes the report, if that is asked for: in words, or as a page.
    fn keep(&self, report: &Report, figure: Option<Figure>, host: &dyn Host) -> Result<(), Problem> {
        let Some(path) = &self.report else { return Ok(()) };
        let words = style::plain(&operation::Report::text(report)) + "\n";
        let text = match report {
            _ if !self.tells_a_page() => words,
            Report::Whole(report) => page::text(&page::Story { report, robot: self.robot.words(), figure }),
            Report::Part(_) | Report::Payload(_) | Report::Poses(_) | Report::Elastic(_) | Report::Gains(_) => {
                page::in_words(&words)
            }
        };
        write::text(path, &text, host)
    }

    /// The log that torques are predicted along: that of the validation or, where they are drawn, the first of the data.
    fn replayed(&self) -> Option<&String> {
        let draws = self.plot.is_some() || self.tells_a_page();
        self.validate.as_ref().or_else(|| self.data.first().filter(|file| draws && *file != STDIN))
    }

    /// What does not go together.
    fn check(&self) -> Result<(), Problem> {
        self.reading.check()?;
        if self.data.is_empty() && self.merge.is_empty() {
            return Err(Problem::usage("there is no log to identify from").hint("--data LOG.csv, or --merge FILES"));
        }
        if self.shard.is_some() && (self.factors.is_none() || !self.merge.is_empty() || self.validate.is_some()) {
            let message = "part of a log gives factors: it needs --factors, and neither --merge nor --validate";
            return Err(Problem::usage(message));
        }
        let replayed = self.plot.is_some() && self.validate.is_none();
        if replayed && self.data.first().is_none_or(|file| file == STDIN) {
            let hint = "give a --validate log, or the data as a file";
            return Err(Problem::usage("a plot needs a log that can be read once more").hint(hint));
        }
        self.check_reading()
    }

    /// What does not go together of sources and of how they are read.
    fn check_reading(&self) -> Result<(), Problem> {
        let sources = self.data.iter().chain(&self.load.loaded).chain(&self.validate).chain(&self.merge);
        let from_stdin = sources.filter(|file| *file == STDIN).count();
        if from_stdin + usize::from(self.robot.is_stdin()) > 1 {
            return Err(Problem::usage("only one thing can come from standard input"));
        }
        if from_stdin > 0 && self.shard.is_some() {
            return Err(Problem::usage("standard input cannot be shared out").hint("--shard needs a file"));
        }
        if self.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return Err(Problem::usage("--rate is a number of samples per second above zero"));
        }
        if self.fit == Fit::Base && self.consistency.has_limits() {
            let message = "--total-mass and --bounds are of the consistent estimate, which --fit base leaves out";
            return Err(Problem::usage(message));
        }
        if self.decimate == Some(0) {
            return Err(Problem::usage("--decimate takes every N-th sample, N at least 1"));
        }
        Ok(())
    }

    /// The delay, if it is a number.
    fn given_delay(&self) -> Result<Option<f64>, Problem> {
        match self.delay.as_deref() {
            None | Some("auto") => Ok(None),
            Some(text) => match text.parse::<f64>().ok().filter(|delay| delay.abs() <= 1.0) {
                Some(delay) => Ok(Some(delay)),
                None => {
                    let message = format!("`{text}` is no delay: `auto`, or at most a second to either side");
                    Err(Problem::usage(message).hint("--delay 0.004"))
                }
            },
        }
    }

    /// The coordinates of the drives, if they are modelled: not where the friction to identify is stated, nor for quaternions.
    fn coordinates(&self, model: &Model<f64>, host: &dyn Host) -> Result<Option<Coordinates>, Problem> {
        let modelled =
            self.fit == Fit::Consistent && self.drives.friction == Friction::Both && model.nq() == model.nv();
        if let (false, Some((link, _))) = (modelled, model.shafts().next()) {
            let message = format!(
                "the shaft of `{}` turns with several joints: it is part of the model of the drives, which --fit base, --friction and \
                 quaternions leave out",
                link.joint_name
            );
            return Err(
                Problem::usage(message).hint("take the shaft out of the robot file, or leave these options out")
            );
        }
        let Some(coupling) = &self.coupling else {
            return Ok(modelled.then(|| Coordinates::of_robot(model)));
        };
        if !modelled {
            let message =
                "a coupling is part of the model of the drives, which --fit base, --friction and quaternions leave out";
            return Err(Problem::usage(message));
        }
        let given = read::given(coupling, COUPLING, host)?;
        let bad = |problem: Problem| given.file.iter().fold(problem, |problem, file| problem.file(file));
        let matrix: Vec<Vec<f64>> = serde_json::from_str(&given.text).map_err(|error| {
            bad(Problem::new("bad-coupling", format!("the coupling is no matrix of numbers: {error}")))
        })?;
        let coordinates = Coordinates::coupled(model.nv(), &matrix);
        let none = || bad(IdentifyError::Coupling { joints: model.nv() }.into());
        Ok(Some(coordinates.ok_or_else(none)?))
    }

    /// Torques predicted beside measured ones: validated on a log of its own, and as a figure, if need be on the first of the data.
    fn compare(
        &self,
        problems: &Problems,
        found: &Found,
        options: &Options,
        host: &dyn Host,
    ) -> Result<(Option<Validation>, Option<Figure>), Problem> {
        let Some(log) = self.replayed() else { return Ok((None, None)) };
        let draws = self.plot.is_some() || self.tells_a_page();
        let (estimate, consistent) = (&found.estimate, found.consistent.as_ref());
        let mut base = Comparison::new(&problems.simple, &estimate.values);
        let before = problems.simple.prior();
        let mut prior = Comparison::new(&problems.simple, &before);
        // Load is by the links of the estimate, as in the robot that is written.
        let loaded = consistent.map(|consistent| problems.best().clone().with_load_of(&consistent.best.standard));
        let best = consistent.zip(loaded.as_ref());
        let mut best = best.map(|(consistent, problem)| Comparison::new(problem, &consistent.best.values));
        let written = consistent.and_then(|consistent| consistent.written.as_ref());
        let mut written = written.map(|written| Comparison::new(problems.file(), &written.values));
        let log = logs::read(log, problems.wide.model(), &self.reading, options, host, |sample| {
            base.add(sample);
            best.iter_mut().chain(&mut written).for_each(|comparison| comparison.add(sample));
            if draws {
                prior.add(sample);
            }
        })?;
        if self.validate.is_some() && base.samples() == 0 {
            let message = format!("no sample of the validation log is left: {} lines were read", log.lines);
            return Err(Problem::new("too-few-samples", message).file(&log.file).hint("record longer, or another log"));
        }
        let figure = draws.then(|| {
            let shown = draw::Shown {
                problem: &problems.simple,
                estimate,
                found: &base,
                prior: &prior,
                log: &log.file,
                data: &self.data,
                validates: self.validate.is_some(),
            };
            shown.figure()
        });
        let judged =
            |comparison: Comparison<'_>| Judged { joints: JointError::of(&problems.simple, &comparison.errors()) };
        let joints = JointError::of(&problems.simple, &base.errors());
        let (consistent, written) = (best.map(judged), written.map(judged));
        let validation = self.validate.is_some().then_some(Validation { log, joints, consistent, written });
        Ok((validation, figure))
    }
}
