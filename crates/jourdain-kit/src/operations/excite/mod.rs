//! `excite`: a motion that shows the base parameters well.

mod aim;
mod from;
mod hold;
mod knots;
mod limits;
mod samples;
mod show;
mod surroundings;

use super::identify::DriveTerms;
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::snap::Snap;
use crate::write;
pub use aim::{Aim, By, Expected, Judgement};
use jourdain::Model;
use jourdain::identify;
use jourdain::identify::excite::{self, Excitation, Options, Series};
pub use knots::{Knots, SplineDegree, SplineReport};
pub use limits::MotionLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::PathBuf;
pub use surroundings::{Clear, Nearest};

/// How many waves a joint may have, and how many random motions there may be to start from.
const HARMONICS: RangeInclusive<i64> = 2..=50;
const STARTS: RangeInclusive<i64> = 1..=1000;

/// Find a motion that shows the base parameters well
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Every joint moves along a Fourier series that starts and ends at rest and stays within its limits of \
                      position and velocity and, with --acceleration and --jerk, of these. Torques by the model stay below \
                      their share of the effort limits. Links that have shapes in the robot file, or with --radius all \
                      links, keep clear of each other and, with --ground, of the ground. A base that floats is held. The \
                      search makes the criterion small; equal seeds give equal motions.\n\nThe file of --trajectory is one \
                      that `jourdain trajectory` reads; --from begins with such a file, with knots or with samples."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Waves of each joint
    #[serde(default = "harmonics")]
    #[schemars(range(min = 2, max = 50))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = harmonics(),
                                     value_parser = clap::value_parser!(u8).range(HARMONICS)))]
    pub harmonics: u8,

    /// Period, s
    #[serde(default = "period")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = period(), allow_negative_numbers = true))]
    pub period: f64,

    /// Limits beyond those of the robot file
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: MotionLimits,

    /// Share of the limits of motion to use
    #[serde(default = "share")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = share(), allow_negative_numbers = true))]
    pub share: f64,

    /// What to keep clear of
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub clear: Clear,

    /// What the motion is to be good at
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub aim: Aim,

    /// Motion to start from, in place of random ones
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.json|csv", value_hint = clap::ValueHint::FilePath))]
    pub from: Option<String>,

    /// Starts of the search
    #[serde(default = "starts")]
    #[schemars(range(min = 1, max = 1000))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = starts(),
                                     value_parser = clap::value_parser!(u16).range(STARTS)))]
    pub starts: u16,

    /// Steps from each start
    #[serde(default = "steps")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = steps()))]
    pub steps: u32,

    /// Where random numbers begin
    #[serde(default = "seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = seed()))]
    pub seed: u64,

    /// What is unknown of the drives
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub drives: DriveTerms,

    /// Write the coefficients as a trajectory
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.json"))]
    pub trajectory: Option<PathBuf>,

    /// Knots for a controller
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub knots: Knots,

    /// Write samples of one period as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Samples per second of the file
    #[serde(default = "rate")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", default_value_t = rate(), allow_negative_numbers = true))]
    pub rate: f64,

    /// Draw positions, velocities, accelerations and torques
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

fn harmonics() -> u8 {
    5
}

fn period() -> f64 {
    10.0
}

fn share() -> f64 {
    0.95
}

fn starts() -> u16 {
    8
}

fn steps() -> u32 {
    400
}

fn seed() -> u64 {
    1
}

fn rate() -> f64 {
    100.0
}

/// The motion that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// How many parameters are to be shown.
    pub count: usize,
    /// Condition number of the regressor along the motion, rows in units of the torque limits, columns of unit length.
    pub condition: f64,
    /// Median condition number of random motions in the same limits.
    pub random_condition: f64,
    /// How good the motion is by its criterion.
    pub criterion: Judgement,
    /// How well each parameter will be known from one period.
    pub parameters: Vec<Expected>,
    /// Period, s.
    pub period: f64,
    /// The motion of each joint.
    pub joints: Vec<Joint>,
    /// What comes nearest; null if nothing was to be kept clear of.
    pub nearest: Option<Nearest>,
    /// The splines that were written; null without.
    pub spline: Option<SplineReport>,
    /// The same as a trajectory, which `jourdain trajectory` reads.
    pub trajectory: Value,
    /// Limits that the robot file does not give, and what was taken.
    pub notices: Vec<String>,
    #[serde(skip)]
    files: Vec<(&'static str, PathBuf)>,
}

/// The series of a joint: q(t) = offset + Σ sine_l sin(2π l t / period) + cosine_l cos(2π l t / period), l from 1.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Joint {
    /// The joint, numbered where it has several degrees of freedom.
    pub joint: String,
    /// rad or m
    pub offset: f64,
    /// rad or m
    pub sine: Vec<f64>,
    /// rad or m
    pub cosine: Vec<f64>,
    /// Lowest position, rad or m.
    pub least: f64,
    /// Highest position, rad or m.
    pub largest: f64,
    /// Highest speed, rad/s or m/s.
    pub speed: f64,
    /// Highest acceleration, rad/s² or m/s².
    pub acceleration: f64,
    /// Highest jerk, rad/s³ or m/s³.
    pub jerk: f64,
    /// Highest torque by the model of the robot file, N m or N.
    pub torque: f64,
    /// The effort limit, N m or N; null if the robot file has none.
    pub effort: Option<f64>,
}

impl Operation for Request {
    const NAME: &'static str = "excite";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![
            ("trajectory", self.trajectory.as_deref()),
            ("out", self.out.as_deref()),
            ("plot", self.plot.as_deref()),
            ("spline", self.knots.spline.as_deref()),
        ]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([
            (&ending::MOTION, self.trajectory.as_deref()),
            (&ending::TABLE, self.out.as_deref()),
            (&knots::SPLINE, self.knots.spline.as_deref()),
            (&ending::PLOT, self.plot.as_deref()),
        ])?;
        self.check()?;
        let model = self.snap.apply(self.robot.load(host)?)?;
        self.snap.note(&model, host);
        let (model, held) = hold::base(model)?;
        let problem = self.drives.problem(&model)?;
        let options = Options {
            harmonics: self.harmonics.into(),
            period: self.period,
            acceleration: self.limits.acceleration.clone(),
            jerk: self.limits.jerk.clone(),
            share: self.share,
            effort_share: Some(self.limits.effort_share),
            criterion: self.aim.criterion(&problem)?,
            clearance: None,
            from: None,
            starts: self.starts.into(),
            steps: self.steps as usize,
            seed: self.seed,
        };
        let (bounds, _) = excite::bounds(problem.written(), &options)?;
        let (clearance, unclear) = self.clear.around(&self.robot, problem.written(), &bounds, host)?;
        let (from, stretched) = self.given(&model, host)?;
        let options = Options { clearance, from, ..options };
        let mut found = excite::excite(&problem, &options, |share| host.goes_on(share))?;
        found.notices.extend(held.into_iter().chain(unclear).chain(stretched));
        let mut report = Report::new(self, &problem, &found);
        if let Some(path) = &self.trajectory {
            write::text(path, &format!("{:#}\n", found.trajectory()), host)?;
            report.files.push(("motion", path.clone()));
        }
        if let Some(path) = &self.knots.spline {
            let joints = problem.joints();
            report.spline = Some(self.knots.write(path, model.name(), joints, &found, &bounds, host)?);
            report.files.push(("knots", path.clone()));
        }
        if let Some(path) = &self.out {
            samples::write(path, &model, &found, self.rate, host)?;
            report.files.push(("samples", path.clone()));
        }
        if let Some(path) = &self.plot {
            plot::write(path, &samples::figure(&model, &found), self.style, host)?;
            report.files.push(("plot", path.clone()));
        }
        Ok(report)
    }
}

impl Request {
    /// The motion to start from, and whether it is played at another speed.
    fn given(&self, model: &Model<f64>, host: &dyn Host) -> Result<(Option<Vec<Series>>, Option<String>), Problem> {
        let Some(given) = &self.from else { return Ok((None, None)) };
        let (series, duration) = from::read(given, self.harmonics.into(), model, host)?;
        let other = (duration - self.period).abs() > 1e-3 * self.period;
        let stretched = format!("the motion to start from takes {duration:.4} s and is played in {} s", self.period);
        Ok((Some(series), other.then_some(stretched)))
    }

    fn check(&self) -> Result<(), Problem> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let wrong = |what: &str| Err(Problem::usage(format!("{what} is a number above zero")));
        for (what, number, range) in
            [("--harmonics", i64::from(self.harmonics), HARMONICS), ("--starts", i64::from(self.starts), STARTS)]
        {
            if !range.contains(&number) {
                return Err(Problem::usage(format!("{what} is between {} and {}", range.start(), range.end())));
            }
        }
        if !positive(self.period) {
            return wrong("--period");
        }
        for (what, numbers) in [("--acceleration", &self.limits.acceleration), ("--jerk", &self.limits.jerk)] {
            if !numbers.iter().all(|x| positive(*x)) {
                return wrong(what);
            }
        }
        if !positive(self.limits.effort_share) {
            return wrong("--effort-share");
        }
        self.knots.check(self.period, !self.limits.jerk.is_empty())?;
        if !(positive(self.share) && self.share <= 1.0) {
            return Err(Problem::usage("--share is above zero and at most one"));
        }
        if !positive(self.rate) || self.rate * self.period > samples::MOST_ROWS {
            return Err(Problem::usage("--rate is above zero and gives at most ten million lines"));
        }
        Ok(())
    }
}

impl Report {
    fn new(request: &Request, problem: &identify::Problem, found: &Excitation) -> Self {
        let efforts = excite::efforts(problem.written());
        let joint = |(j, name): (usize, &String)| {
            let (series, extent) = (&found.series[j], found.extents[j]);
            let (sine, cosine) = series.waves.iter().map(|[a, b]| (*a, *b)).unzip();
            Joint {
                joint: name.clone(),
                offset: series.offset,
                sine,
                cosine,
                least: extent.position[0],
                largest: extent.position[1],
                speed: extent.speed,
                acceleration: extent.acceleration,
                jerk: extent.jerk,
                torque: found.reached.torques[j],
                effort: Some(efforts[j]).filter(|effort| effort.is_finite()),
            }
        };
        let samples = request.rate * request.period;
        Self {
            robot: problem.model().name().to_owned(),
            count: problem.count(),
            condition: found.quality.condition,
            random_condition: found.random,
            criterion: request.aim.judged(found, samples),
            parameters: request.aim.expected(problem, found, samples),
            period: found.period,
            joints: problem.joints().iter().enumerate().map(joint).collect(),
            nearest: found.reached.nearest.as_ref().map(|near| Nearest::of(problem.written(), near)),
            spline: None,
            trajectory: found.trajectory(),
            notices: found.notices.clone(),
            files: Vec::new(),
        }
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        show::text(self)
    }
}
