//! `elastic robustness`: one nominal control law against many perturbed robots.

use super::Law;
use super::setup::{Loop, Setup};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::{Axis, Block, Curve, Figure, Kind, Panel};
use crate::plot::look::{Hue, Style};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::sheet;
use crate::text;
use crate::text::numbers;
use crate::text::style::{FAINT, GOOD, HEADING, WARN};
use jourdain::Model;
use jourdain::elastic::ElasticModel;
use jourdain::elastic::control::Pole;
use jourdain::model::plain_name;
use jourdain::simulate::Wrappers;
use jourdain::simulate::robustness::{self, Cause, Outcome, Parameter, Spectrum, Spread, Study, least_sampling};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most robots of a study.
const MOST_SAMPLES: usize = 10_000_000;

/// Robots on which a bandwidth, or a cause, is tried.
const PROBES: usize = 25;

/// Bandwidths that are tried where no poles are given, as factors of the spectrum's own.
const SCALES: [f64; 6] = [0.0625, 0.125, 0.25, 0.5, 1.0, 2.0];

/// A bandwidth bears a spread if this share of its robots stays stable.
const BEARS: f64 = 0.98;

/// Causes that the text names.
const NAMED: usize = 4;

/// Test a control law on perturbed robots
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The law believes in the robot given. Each sample draws another robot around it, uniformly: every \
                      link's mass with its inertia, every stiffness and all friction times 1 +- share, and a payload \
                      between none and --largest-payload at the origin of the last link. It starts where the nominal robot would \
                      be on the reference, off by --offset.\n\nStable: the error stays within --bound, and at rest at the \
                      end of the reference all poles of the loop lie in the left half-plane. Decay rate: the distance of \
                      the rightmost of these poles from the axis. Equal seeds give equal studies on any number of cores.\n\n\
                      Without --poles they follow from the frequencies of the springs along the motion: the slowest \
                      bandwidth, of six, that the robots bear. --damping, --saturate and --sample make it the study of a \
                      damped, saturated or sampled loop; the poles are then those of the sampled one."
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

    /// Largest payload to draw, kg
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KG", default_value_t, allow_negative_numbers = true))]
    pub largest_payload: f64,

    /// Errors beyond this are a loss of control, rad or m
    #[serde(default = "bound")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = bound(), allow_negative_numbers = true))]
    pub bound: f64,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw the distributions
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,
}

fn samples() -> usize {
    200
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
    /// The law's error poles, real and imaginary part, rad/s.
    pub poles: Vec<Pole>,
    /// The slowest and the fastest natural frequency of the springs along the motion, rad/s.
    pub spectrum: [f64; 2],
    /// The share of the robots of which some drive was asked for more than it can give.
    pub overdriven_fraction: f64,
    /// The lowest sampling frequency at which the nominal loop is stable at the end of the motion, Hz.
    pub least_sampling: Option<f64>,
    /// How the share of stable robots depends on the bandwidth.
    pub bandwidth: Vec<Bandwidth>,
    /// The slowest bandwidth that was tried and survives, 1/s.
    pub survives: Option<f64>,
    /// The share of stable robots if only one kind of parameter is spread.
    pub alone: Vec<Alone>,
    /// What each parameter does on its own, the worst first.
    pub causes: Vec<Effect>,
    /// What became of each robot.
    #[serde(skip)]
    pub outcomes: Vec<Outcome>,
    #[serde(skip)]
    duration: f64,
    #[serde(skip)]
    request: Request,
}

/// The share of stable robots at a bandwidth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bandwidth {
    /// Decay rate of the slowest pole, 1/s.
    pub rate: f64,
    /// All poles as factors of the study's.
    pub scale: f64,
    /// The share of stable robots.
    pub stable_fraction: f64,
}

/// The share of stable robots if only this is spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Alone {
    /// mass, stiffness, friction or payload; or all of them without the saturation of a saturated loop.
    pub spread: &'static str,
    /// The share of stable robots.
    pub stable_fraction: f64,
}

/// What a parameter does with everything else nominal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Effect {
    /// `mass[LINK]`, `stiffness[JOINT]`, friction or payload.
    pub parameter: String,
    /// At the lower end of its spread.
    pub low: End,
    /// At the upper end.
    pub high: End,
    /// Correlation with the decay rate over all robots.
    pub correlation: Option<f64>,
}

/// A robot at an end of a spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct End {
    /// The parameter: a factor, or kg.
    pub value: f64,
    /// Whether it is stable.
    pub stable: bool,
    /// Its decay rate, 1/s.
    pub decay: Option<f64>,
}

impl Effect {
    fn new(cause: &Cause, model: &Model<f64>, elastic: &ElasticModel<f64>) -> Self {
        let parameter = match cause.parameter {
            Parameter::Mass(link) => format!("mass[{}]", plain_name(&model.links()[link].name)),
            Parameter::Stiffness(spring) => {
                format!("stiffness[{}]", plain_name(&model.links()[elastic.springs()[spring].link].joint_name))
            }
            Parameter::Friction => "friction".to_owned(),
            Parameter::Payload => "payload".to_owned(),
        };
        let [low, high] = cause.ends.each_ref().map(|outcome| End {
            value: cause.parameter.of(&outcome.draw),
            stable: outcome.stable,
            decay: outcome.decay,
        });
        Self { parameter, low, high, correlation: cause.correlation }
    }
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

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", self.out.as_deref()), ("plot", self.plot.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.out.as_deref()), (&ending::PLOT, self.plot.as_deref())])?;
        if self.samples == 0 || self.samples > MOST_SAMPLES {
            return Err(Problem::usage(format!("{} robots cannot be drawn", self.samples))
                .hint(format!("from 1 to {MOST_SAMPLES}")));
        }
        let setup = self.setup.read(&self.robot, host)?;
        let found = self.study(&setup, host)?;
        let outcomes = &found.outcomes;
        let robot = setup.elastic.model().name().to_owned();
        if let Some(path) = &self.out {
            write_samples(path, &setup, outcomes, host)?;
        }
        if let Some(path) = &self.plot {
            plot::write(path, &self.figure(&robot, outcomes), self.style, host)?;
        }
        let count = outcomes.len().max(1) as f64;
        let stable = outcomes.iter().filter(|outcome| outcome.stable).count();
        let decays: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.decay).collect();
        let rate = slowest(&found.poles);
        let bandwidth: Vec<Bandwidth> = (found.bandwidth.iter())
            .map(|tried| Bandwidth { rate: tried.scale * rate, scale: tried.scale, stable_fraction: tried.stable })
            .collect();
        Ok(Report {
            robot,
            controller: self.setup.controller,
            samples: outcomes.len(),
            seed: self.seed,
            stable,
            stable_fraction: stable as f64 / count,
            largest_error: Distribution::of(outcomes.iter().map(|outcome| outcome.largest).collect()),
            late_error: Distribution::of(outcomes.iter().map(|outcome| outcome.late).collect()),
            decay: (!decays.is_empty()).then(|| Distribution::of(decays)),
            poles: found.poles.to_vec(),
            spectrum: [found.spectrum.slowest, found.spectrum.fastest],
            overdriven_fraction: outcomes.iter().filter(|outcome| outcome.overdriven).count() as f64 / count,
            least_sampling: found.least_sampling,
            survives: bandwidth.iter().find(|tried| tried.stable_fraction >= BEARS).map(|tried| tried.rate),
            bandwidth,
            alone: found.alone,
            causes: (found.causes.iter())
                .map(|cause| Effect::new(cause, setup.elastic.model(), &setup.elastic))
                .collect(),
            outcomes: found.outcomes,
            duration: setup.duration,
            request: self.clone(),
        })
    }
}

/// What a study finds.
struct Found {
    poles: [Pole; 4],
    spectrum: Spectrum,
    least_sampling: Option<f64>,
    bandwidth: Vec<robustness::Bandwidth>,
    alone: Vec<Alone>,
    causes: Vec<Cause>,
    outcomes: Vec<Outcome>,
}

/// The decay rate of the slowest pole.
fn slowest(poles: &[Pole; 4]) -> f64 {
    poles.iter().map(|pole| -pole[0]).fold(f64::INFINITY, f64::min)
}

impl Request {
    /// All samples, on all cores, until the caller has had enough.
    fn study(&self, setup: &Setup, host: &dyn Host) -> Result<Found, Problem> {
        let kind = self.setup.controller.kind();
        let guess = setup.poles.unwrap_or([[-1.0, 0.0]; 4]);
        let mut study = Study {
            nominal: &setup.elastic,
            kind,
            poles: guess,
            motion: &setup.motion,
            offset: setup.offset.clone(),
            spread: Spread {
                mass: self.mass,
                stiffness: self.stiffness,
                friction: self.friction,
                payload: self.largest_payload,
            },
            samples: self.samples.min(PROBES),
            seed: self.seed,
            duration: setup.duration,
            step: self.setup.step,
            bound: self.bound,
            wrappers: Wrappers { saturate: self.setup.saturate, frequency: self.setup.sample, ..Wrappers::default() },
        };
        study.check()?;
        let spectrum = Spectrum::along(&setup.elastic, &setup.motion, setup.duration)?;
        let own = spectrum.poles(kind);
        study.poles = setup.poles.unwrap_or(own);
        let scales = match (self.setup.controller, setup.poles) {
            (Law::None, _) => Vec::new(),
            (_, None) => SCALES.to_vec(),
            (_, Some(given)) => {
                let reach = (2.0 * slowest(&own) / slowest(&given)).clamp(4.0, 4096.0);
                std::iter::successors(Some(0.25), |scale| Some(2.0 * scale)).take_while(|&s| s < 1.99 * reach).collect()
            }
        };
        let parts: Vec<(&str, Spread)> = self.parts(study.spread);
        let total = (scales.len() + parts.len()) * study.samples + self.samples;
        let done = AtomicUsize::new(0);
        let progress = || {
            host.progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / total as f64);
            if host.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let found = || -> Result<Found, Problem> {
            let mut bandwidth = study.bandwidth(&scales, progress)?;
            if setup.poles.is_none()
                && let Some(chosen) = choose(&bandwidth)
            {
                study = study.scaled(chosen);
                bandwidth.iter_mut().for_each(|tried| tried.scale /= chosen);
            }
            let mut alone = Vec::with_capacity(parts.len());
            for (name, spread) in parts {
                let only = Study { spread, ..study.clone() };
                alone.push(Alone { spread: name, stable_fraction: only.stable_share(progress)? });
            }
            study.samples = self.samples;
            let outcomes = study.run(progress)?;
            let causes = study.causes(&outcomes)?;
            let least_sampling = least_sampling(&study);
            if study.wrappers.saturate {
                // What saturation does is seen by leaving it out.
                let wrappers = Wrappers { saturate: false, ..study.wrappers };
                let free = Study { wrappers, samples: self.samples.min(PROBES), ..study.clone() };
                alone.push(Alone { spread: "all, unsaturated", stable_fraction: free.stable_share(progress)? });
            }
            Ok(Found { poles: study.poles, spectrum, least_sampling, bandwidth, alone, causes, outcomes })
        }();
        if host.is_cancelled() { Err(Problem::cancelled()) } else { found }
    }

    /// Each kind of parameter on its own.
    fn parts(&self, spread: Spread) -> Vec<(&'static str, Spread)> {
        let none = Spread { mass: 0.0, stiffness: 0.0, friction: 0.0, payload: 0.0 };
        let Spread { mass, stiffness, friction, payload } = spread;
        let parts = [
            ("mass", mass, Spread { mass, ..none }),
            ("stiffness", stiffness, Spread { stiffness, ..none }),
            ("friction", friction, Spread { friction, ..none }),
            ("payload", payload, Spread { payload, ..none }),
        ];
        parts.into_iter().filter(|(_, size, _)| *size > 0.0).map(|(name, _, only)| (name, only)).collect()
    }
}

/// The slowest bandwidth that the robots bear; failing that, the one that most of them do.
fn choose(bandwidth: &[robustness::Bandwidth]) -> Option<f64> {
    let bears = bandwidth.iter().find(|tried| tried.stable >= BEARS);
    let most = || bandwidth.iter().max_by(|a, b| a.stable.total_cmp(&b.stable));
    bears.or_else(most).map(|tried| tried.scale)
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
        let Outcome { draw, stable, largest, late, rms, decay, .. } = outcome;
        values.extend(draw.masses.iter().chain(&draw.stiffnesses).chain([&draw.friction, &draw.payload]));
        values.extend([f64::from(u8::from(*stable)), *largest, *late, *rms, decay.unwrap_or(f64::NAN)]);
    }
    sheet::counted(path, "sample", columns, &values, None, outcomes.len(), host)
}

impl Request {
    /// Every quantity sorted, over the share of robots that lie below.
    fn figure(&self, robot: &str, outcomes: &[Outcome]) -> Figure {
        let last = outcomes.len().saturating_sub(1).max(1) as f64;
        let shares: Arc<[f64]> = (0..outcomes.len()).map(|k| 100.0 * k as f64 / last).collect();
        let sorted = |hue, label: &str, value: fn(&Outcome) -> f64| {
            let mut values: Vec<f64> = outcomes.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            Curve::new(&shares, values, hue).labelled(label)
        };
        let panel = |name: &str, unit: &str, note: &str, curves| Panel {
            name: name.to_owned(),
            unit: unit.to_owned(),
            note: note.to_owned(),
            curves,
            ..Panel::default()
        };
        let errors = vec![
            sorted(Hue::Note, "rms", |outcome| outcome.rms).drawn(Kind::Dashed),
            sorted(Hue::Positive, "late", |outcome| outcome.late),
            sorted(Hue::Ink, "largest", |outcome| outcome.largest).drawn(Kind::Emphasis),
        ];
        // Robots without a rate of decay are a gap at the left.
        let decay = vec![sorted(Hue::Ink, "decay", |outcome| outcome.decay.unwrap_or(f64::NEG_INFINITY))];
        let mut panels = vec![panel("Error", "rad, m", "at any time, in the last quarter, root mean square", errors)];
        if outcomes.iter().any(|outcome| outcome.decay.is_some()) {
            panels.push(panel("Rate of decay", "1/s", "robots without one are left out", decay));
        }
        let stable = outcomes.iter().filter(|outcome| outcome.stable).count();
        let finding = format!("{stable} of {} robots are stable", outcomes.len());
        let drawn = [("mass", self.mass), ("stiffness", self.stiffness), ("friction", self.friction)];
        let drawn: Vec<String> =
            drawn.map(|(what, share)| format!("{what} ±{} %", numbers::short(100.0 * share))).into();
        let title = format!("{robot} · robustness of {}", self.setup.controller.name());
        Figure {
            description: format!("{title}. {finding}."),
            title,
            notes: vec![
                finding,
                drawn.join(", "),
                format!("seed {}", self.seed),
                "jourdain elastic robustness".to_owned(),
            ],
            x: Axis { name: "share of robots below".to_owned(), unit: "%".to_owned(), ..Axis::default() },
            legend: Vec::new(),
            blocks: panels.into_iter().map(|panel| Block { cells: vec![vec![panel]], wide: false }).collect(),
        }
    }
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
                numbers::short(request.largest_payload)
            ),
            format!(
                "springs  {} to {} rad/s along the motion",
                numbers::short(self.spectrum[0]),
                numbers::short(self.spectrum[1])
            ),
        ];
        lines.extend(self.loop_lines());
        lines.push(format!(
            "stable   {style}{:.2} %{style:#} ({} of {})",
            100.0 * self.stable_fraction,
            self.stable,
            self.samples
        ));
        lines.extend(self.hint().map(|hint| format!("{WARN}hint{WARN:#}     {hint}")));
        lines.extend(text::files(8, [("samples", request.out.as_deref()), ("plot", request.plot.as_deref())]));
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
        lines.extend(self.tables());
        lines.join("\n")
    }
}

impl Report {
    /// Poles, efforts and sampling.
    fn loop_lines(&self) -> Vec<String> {
        let request = &self.request.setup;
        let mut lines = Vec::new();
        if !self.bandwidth.is_empty() {
            let pole = |[re, im]: &Pole| match *im {
                0.0 => numbers::short(-re),
                im => {
                    format!("{}{}{}i", numbers::short(-re), if im > 0.0 { "-" } else { "+" }, numbers::short(im.abs()))
                }
            };
            let one = self.poles.iter().all(|pole| *pole == self.poles[0]);
            let rates: Vec<String> = self.poles.iter().take(if one { 1 } else { 4 }).map(pole).collect();
            let why = if request.poles.is_empty() { "chosen by the springs" } else { "as given" };
            lines.push(format!("poles    {} 1/s {FAINT}({why}){FAINT:#}", rates.join(", ")));
        }
        if let Some(least) = self.least_sampling.filter(|_| !self.bandwidth.is_empty()) {
            let least = format!("the nominal loop needs at least {} Hz", numbers::short(least.ceil()));
            lines.push(match request.sample {
                Some(hertz) => format!("sampled  {} Hz; {least}", numbers::short(hertz)),
                None => format!("sampled  not; if it were, {least}"),
            });
        }
        if self.overdriven_fraction > 0.0 {
            let share = numbers::short((1000.0 * self.overdriven_fraction).round() / 10.0);
            let then = if request.saturate { "which is cut" } else { "and get it: --saturate cuts it" };
            lines.push(format!(
                "{WARN}efforts{WARN:#}  {share} % of the robots ask a drive for more than its effort, {then}"
            ));
        }
        lines
    }

    /// What would help, where some robots are not stable.
    fn hint(&self) -> Option<String> {
        if self.stable == self.samples {
            return None;
        }
        let cause = self.causes.first().map(|cause| format!("`{}` does most harm", cause.parameter));
        let bears = self.survives.map(|rate| format!("robots bear poles from {} 1/s on", numbers::short(rate)));
        let none =
            || "no bandwidth that was tried bears this spread: narrow it, or try another --controller".to_owned();
        let bears = if self.bandwidth.is_empty() { bears } else { Some(bears.unwrap_or_else(none)) };
        let parts: Vec<String> = cause.into_iter().chain(bears).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Bandwidths and causes.
    fn tables(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let mut lines = Vec::new();
        if !self.bandwidth.is_empty() {
            let rates = self.bandwidth.iter().map(|tried| numbers::short(tried.rate));
            let shares = self.bandwidth.iter().map(|tried| percent(tried.stable_fraction));
            let rows = [
                std::iter::once("poles [1/s]".to_owned()).chain(rates).collect(),
                std::iter::once("stable".to_owned()).chain(shares).collect(),
            ];
            lines.push(String::new());
            lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        }
        if !self.alone.is_empty() {
            let alone: Vec<String> =
                self.alone.iter().map(|alone| format!("{} {}", alone.spread, percent(alone.stable_fraction))).collect();
            lines.push(String::new());
            lines.push(format!("  stable if only one is spread: {}", alone.join(", ")));
        }
        if !self.causes.is_empty() {
            let mut rows = vec![["decay rate [1/s] alone", "low", "high", "correlation"].map(str::to_owned).to_vec()];
            for cause in self.causes.iter().take(NAMED) {
                let end = |end: &End| end.decay.map_or_else(|| "–".to_owned(), |decay| format!("{decay:.2}"));
                let correlation = cause.correlation.map_or_else(|| "–".to_owned(), |x| format!("{x:.2}"));
                rows.push(vec![cause.parameter.clone(), end(&cause.low), end(&cause.high), correlation]);
            }
            lines.push(String::new());
            lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        }
        lines
    }
}
