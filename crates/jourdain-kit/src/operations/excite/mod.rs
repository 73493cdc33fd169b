//! `excite`: a motion that shows the base parameters well.

mod samples;
mod show;

use super::identify::DriveTerms;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::snap::Snap;
use crate::write;
use jourdain::identify;
use jourdain::identify::excite::{self, Excitation, Options, Series};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::PathBuf;

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
                      position, velocity and, with --acceleration, acceleration. The search makes the condition number of \
                      the base regressor small; equal seeds give equal motions. Collisions are not looked at.\n\nThe file of \
                      --trajectory is one that `jourdain trajectory` reads."
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

    /// Highest acceleration of every joint, rad/s² or m/s²
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "A", allow_negative_numbers = true))]
    pub acceleration: Option<f64>,

    /// Share of the limits to use
    #[serde(default = "share")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = share(), allow_negative_numbers = true))]
    pub share: f64,

    /// Random motions to start from
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

    /// Write samples of one period as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Samples per second of the file
    #[serde(default = "rate")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", default_value_t = rate(), allow_negative_numbers = true))]
    pub rate: f64,

    /// Draw positions, velocities and accelerations
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
    /// Period, s.
    pub period: f64,
    /// The motion of each joint.
    pub joints: Vec<Joint>,
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
    /// How far it goes.
    #[serde(skip)]
    pub extent: Extent,
}

/// How far a joint goes, over a thousand samples of the period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Least position, rad or m.
    pub least: f64,
    /// Largest position, rad or m.
    pub largest: f64,
    /// Highest speed, rad/s or m/s.
    pub speed: f64,
    /// Highest acceleration, rad/s² or m/s².
    pub acceleration: f64,
}

impl Operation for Request {
    const NAME: &'static str = "excite";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([
            (&ending::MOTION, self.trajectory.as_deref()),
            (&ending::TABLE, self.out.as_deref()),
            (&ending::PLOT, self.plot.as_deref()),
        ])?;
        self.check()?;
        let model = self.snap.apply(self.robot.load(host)?)?;
        self.snap.note(&model, host);
        let problem = self.drives.problem(&model)?;
        let options = Options {
            harmonics: self.harmonics.into(),
            period: self.period,
            acceleration: self.acceleration,
            share: self.share,
            starts: self.starts.into(),
            steps: self.steps as usize,
            seed: self.seed,
        };
        let found = excite::excite(&problem, &options, |share| host.goes_on(share))?;
        let mut files = Vec::new();
        if let Some(path) = &self.trajectory {
            write::text(path, &format!("{:#}\n", found.trajectory()), host)?;
            files.push(("motion", path.clone()));
        }
        if let Some(path) = &self.out {
            samples::write(path, &model, &found, self.rate, host)?;
            files.push(("samples", path.clone()));
        }
        if let Some(path) = &self.plot {
            plot::write(path, &samples::figure(&model, &found), self.style, host)?;
            files.push(("plot", path.clone()));
        }
        Ok(Report::new(&problem, found, files))
    }
}

impl Request {
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
        if !self.acceleration.is_none_or(positive) {
            return wrong("--acceleration");
        }
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
    fn new(problem: &identify::Problem, found: Excitation, files: Vec<(&'static str, PathBuf)>) -> Self {
        let joint = |(series, joint): (&Series, &String)| {
            let (sine, cosine) = series.waves.iter().map(|[a, b]| (*a, *b)).unzip();
            let extent = Extent::of(series, found.period);
            Joint { joint: joint.clone(), offset: series.offset, sine, cosine, extent }
        };
        Self {
            robot: problem.model().name().to_owned(),
            count: problem.count(),
            condition: found.quality.condition,
            random_condition: found.random,
            period: found.period,
            joints: found.series.iter().zip(problem.joints()).map(joint).collect(),
            trajectory: found.trajectory(),
            notices: found.notices,
            files,
        }
    }
}

impl Extent {
    fn of(series: &Series, period: f64) -> Self {
        let nothing = Self { least: f64::INFINITY, largest: f64::NEG_INFINITY, speed: 0.0, acceleration: 0.0 };
        (0..1000).fold(nothing, |extent, i| {
            let [q, v, a] = series.motion(period * f64::from(i) / 1000.0, period);
            Self {
                least: extent.least.min(q),
                largest: extent.largest.max(q),
                speed: extent.speed.max(v.abs()),
                acceleration: extent.acceleration.max(a.abs()),
            }
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        show::text(self)
    }
}
