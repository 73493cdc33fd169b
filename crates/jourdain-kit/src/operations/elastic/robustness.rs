//! `elastic robustness`: one nominal control law against many perturbed robots.

use super::Law;
use super::setup::{Loop, Setup};
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::sheet;
use crate::text;
use crate::text::numbers;
use crate::text::style::{FAINT, GOOD, HEADING, WARN};
use jourdain::elastic::robustness::{Outcome, Spread, Study};
use jourdain::model::plain_name;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most robots of a study.
const MOST_SAMPLES: usize = 10_000_000;

/// Test a control law on perturbed robots
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The law believes in the robot given. Each sample draws another robot around it, uniformly: every \
                      link's mass with its inertia, every stiffness and all friction times 1 +- share, and a payload \
                      between none and --payload at the origin of the last link. It starts where the nominal robot would \
                      be on the reference, off by --offset.\n\nStable: the error stays within --bound, and at rest at the \
                      end of the reference all poles of the loop lie in the left half-plane. Decay rate: the distance of \
                      the rightmost of these poles from the axis. Equal seeds give equal studies on any number of cores."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// The loop
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub setup: Loop,

    /// Robots to draw
    #[serde(default = "samples")]
    #[cfg_attr(feature = "clap", arg(long, short = 'n', value_name = "N", default_value_t = samples()))]
    pub samples: usize,

    /// Seed of the robots
    #[serde(default = "seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = seed()))]
    pub seed: u64,

    /// Spread of each link's mass, as a share
    #[serde(default = "share")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = share(), allow_negative_numbers = true))]
    pub mass: f64,

    /// Spread of each stiffness, as a share
    #[serde(default = "share")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = share(), allow_negative_numbers = true))]
    pub stiffness: f64,

    /// Spread of the friction, as a share
    #[serde(default = "friction")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = friction(), allow_negative_numbers = true))]
    pub friction: f64,

    /// Largest payload, kg
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KG", default_value_t, allow_negative_numbers = true))]
    pub payload: f64,

    /// Errors beyond this are a loss of control, rad or m
    #[serde(default = "bound")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = bound(), allow_negative_numbers = true))]
    pub bound: f64,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw the distributions as SVG
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg"))]
    pub plot: Option<PathBuf>,
}

fn samples() -> usize {
    1000
}

fn seed() -> u64 {
    1
}

fn share() -> f64 {
    0.1
}

fn friction() -> f64 {
    0.2
}

fn bound() -> f64 {
    1.0
}

/// What a study says.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// The control law.
    pub controller: Law,
    /// How many robots were drawn.
    pub samples: usize,
    /// Their seed.
    pub seed: u64,
    /// How many of them are stable.
    pub stable: usize,
    /// The share that is.
    pub stable_fraction: f64,
    /// Of the largest error of each robot, rad or m.
    pub largest_error: Distribution,
    /// Of the largest error in the last quarter, rad or m.
    pub late_error: Distribution,
    /// Of the decay rates, 1/s, where loops have one.
    pub decay: Option<Distribution>,
    /// What became of each robot.
    #[serde(skip)]
    pub outcomes: Vec<Outcome>,
    #[serde(skip)]
    duration: f64,
    #[serde(skip)]
    request: Request,
}

/// How a number is spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Distribution {
    /// The least.
    pub least: f64,
    /// Half of them lie below.
    pub median: f64,
    /// The largest.
    pub largest: f64,
}

impl Distribution {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * (values.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
        Self { least: at(0.0), median: at(0.5), largest: at(1.0) }
    }
}

impl Operation for Request {
    const NAME: &'static str = "elastic robustness";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        if self.samples == 0 || self.samples > MOST_SAMPLES {
            return Err(Problem::usage(format!("{} robots cannot be drawn", self.samples))
                .hint(format!("from 1 to {MOST_SAMPLES}")));
        }
        let setup = self.setup.read(&self.robot, host)?;
        let outcomes = self.study(&setup, host)?;
        let robot = setup.elastic.model().name().to_owned();
        if let Some(path) = &self.out {
            write_samples(path, &setup, &outcomes, host)?;
        }
        if let Some(path) = &self.plot {
            draw(path, &format!("{robot}, {}", self.setup.controller.name()), &outcomes, host)?;
        }
        let stable = outcomes.iter().filter(|outcome| outcome.stable).count();
        let decays: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.decay).collect();
        Ok(Report {
            robot,
            controller: self.setup.controller,
            samples: outcomes.len(),
            seed: self.seed,
            stable,
            stable_fraction: stable as f64 / outcomes.len().max(1) as f64,
            largest_error: Distribution::of(outcomes.iter().map(|outcome| outcome.largest).collect()),
            late_error: Distribution::of(outcomes.iter().map(|outcome| outcome.late).collect()),
            decay: (!decays.is_empty()).then(|| Distribution::of(decays)),
            outcomes,
            duration: setup.duration,
            request: self.clone(),
        })
    }
}

impl Request {
    /// All samples, on all cores, until the caller has had enough.
    fn study(&self, setup: &Setup, host: &dyn Host) -> Result<Vec<Outcome>, Problem> {
        let study = Study {
            nominal: &setup.elastic,
            kind: self.setup.controller.kind(),
            poles: setup.poles,
            motion: &setup.motion,
            offset: setup.offset.clone(),
            spread: Spread {
                mass: self.mass,
                stiffness: self.stiffness,
                friction: self.friction,
                payload: self.payload,
            },
            samples: self.samples,
            seed: self.seed,
            duration: setup.duration,
            step: self.setup.step,
            bound: self.bound,
        };
        study.check()?;
        let done = AtomicUsize::new(0);
        let sample = |index: usize| {
            if host.is_cancelled() {
                return Err(Problem::cancelled());
            }
            let outcome = study.sample(index)?;
            host.progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / self.samples as f64);
            Ok(outcome)
        };
        // Drawn here rather than by the study, so that they can be stopped.
        (0..self.samples).into_par_iter().map(sample).collect()
    }
}

/// What was drawn and what became of it, a row per robot; a decay rate that there is not is left empty.
fn write_samples(path: &Path, setup: &Setup, outcomes: &[Outcome], host: &dyn Host) -> Result<(), Problem> {
    let links = setup.elastic.model().links();
    let mut columns: Vec<String> = links.iter().map(|link| format!("mass[{}]", plain_name(&link.name))).collect();
    let joint = |link: usize| format!("stiffness[{}]", plain_name(&links[link].joint_name));
    columns.extend(setup.elastic.springs().iter().map(|spring| joint(spring.link)));
    columns.extend(["friction", "payload", "stable", "largest", "late", "rms", "decay"].map(str::to_owned));
    let mut values = Vec::with_capacity(outcomes.len() * columns.len());
    for outcome in outcomes {
        let Outcome { masses, stiffnesses, friction, payload, stable, largest, late, rms, decay } = outcome;
        values.extend(masses.iter().chain(stiffnesses).chain([friction, payload]));
        values.extend([f64::from(u8::from(*stable)), *largest, *late, *rms, decay.unwrap_or(f64::NAN)]);
    }
    sheet::counted(path, "sample", columns, &values, None, outcomes.len(), host)
}

/// Every quantity sorted, over the share of robots that lie below.
fn draw(path: &Path, title: &str, outcomes: &[Outcome], host: &dyn Host) -> Result<(), Problem> {
    let sorted = |name: &str, value: fn(&Outcome) -> f64| {
        let mut values: Vec<f64> = outcomes.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        Curve { name: name.to_owned(), values }
    };
    let last = outcomes.len().saturating_sub(1).max(1) as f64;
    let shares: Vec<f64> = (0..outcomes.len()).map(|k| k as f64 / last).collect();
    let panels = [
        Panel { axis: "largest error".to_owned(), curves: vec![sorted("at any time", |outcome| outcome.largest)] },
        Panel {
            axis: "remaining error".to_owned(),
            curves: vec![
                sorted("last quarter", |outcome| outcome.late),
                sorted("root mean square", |outcome| outcome.rms),
            ],
        },
        Panel {
            axis: "decay rate [1/s]".to_owned(),
            curves: vec![sorted("decay rate", |outcome| outcome.decay.unwrap_or(0.0))],
        },
    ];
    plot::stacked(path, title, "share of robots", &shares, &panels, host)
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let request = &self.request;
        let style = if self.stable == self.samples { GOOD } else { WARN };
        let mut lines = vec![
            format!(
                "{HEADING}{}{HEADING:#}: {} robots for {} s, controller {}, seed {}",
                self.robot,
                self.samples,
                numbers::short(self.duration),
                self.controller.name(),
                self.seed
            ),
            format!(
                "{FAINT}mass ± {} %, stiffness ± {} %, friction ± {} %, payload up to {} kg{FAINT:#}",
                numbers::short(100.0 * request.mass),
                numbers::short(100.0 * request.stiffness),
                numbers::short(100.0 * request.friction),
                numbers::short(request.payload)
            ),
            format!(
                "stable  {style}{:.2} %{style:#} ({} of {})",
                100.0 * self.stable_fraction,
                self.stable,
                self.samples
            ),
        ];
        lines.extend(text::files(7, [("samples", request.out.as_deref()), ("plot", request.plot.as_deref())]));
        lines.push(String::new());
        let mut rows = vec![["", "least", "median", "largest"].map(str::to_owned).to_vec()];
        let mut row = |what: &str, values: Distribution| {
            let cells = [values.least, values.median, values.largest].map(|x| format!("{x:.4}"));
            rows.push(std::iter::once(what.to_owned()).chain(cells).collect());
        };
        row("largest error", self.largest_error);
        row("error, last quarter", self.late_error);
        if let Some(decay) = self.decay {
            row("decay rate [1/s]", decay);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    }
}
