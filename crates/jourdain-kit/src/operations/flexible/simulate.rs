//! `flexible simulate`: the motion of a flexible arm in time.

use super::{ChangedArm, stiffness_warning};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::motion::control::{Control, Followed, any_motion};
use crate::motion::{self, Method, animate, every, show, tolerance};
use crate::movie::{Animate, flexible};
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::{Axis, Block, Curve, Figure, Panel};
use crate::plot::joints::MOST_CURVES;
use crate::plot::look::{Hue, Style};
use crate::problem::Problem;
use crate::read::{self, STDIN, What};
use crate::text;
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::flexible::range::largest_slope;
use jourdain::flexible::{BuiltArm, FlexibleArm, Kinematics, Scenario};
use jourdain::formats;
use jourdain::simulate::{Flexible, Law, Options, Sample, Simulation, SimulationError, Start, System as _, Trajectory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Simulate the motion of a flexible arm
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A scenario is one of fig5 … fig10 (runs of the paper), a JSON file, - for standard input, or the \
                      JSON itself with q0, qd0, duration, step, torque and damping_factor; without one the arm starts \
                      straight and at rest.\n\nThe energy drift is the largest |E(t) - E(0) - work of torques and \
                      friction|, the momentum drift that of the angular momentum about the base.\n\nLaws take the place of \
                      the scenario's torque: pd, pd-gravity, computed-torque and strain-feedback, towards --goal or along \
                      the trajectories waves and hold."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// What it does
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: Run,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw deflections, joints and tip
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// Draw deflections of the animation so many times as large as they are
    #[serde(default = "magnify")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = magnify(), allow_negative_numbers = true))]
    pub magnify: f64,

    /// A moving picture
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub animation: Animate,
}

/// True to scale.
pub(super) fn magnify() -> f64 {
    1.0
}

/// What an arm does.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Run {
    /// fig5 … fig10, JSON file, - for standard input, or the JSON itself
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "NAME|FILE|JSON"))]
    pub scenario: Option<String>,

    /// Time to simulate, s, instead of what the scenario says
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "S", allow_negative_numbers = true))]
    pub duration: Option<f64>,

    /// Step length, s, instead of what the scenario says; with the adaptive method the time between samples
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", allow_negative_numbers = true))]
    pub step: Option<f64>,

    /// Integrator; without it rk4, or one that chooses its steps where modes are too fast for that or a law looks at the arm
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum))]
    pub method: Option<Method>,

    /// Relative and absolute error per step of the adaptive method
    #[serde(default = "tolerance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = tolerance(), allow_negative_numbers = true))]
    pub tolerance: f64,

    /// Take a sample every so many steps
    #[serde(default = "every")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = every()))]
    pub every: u64,

    /// Go on where links bend further than the kinematics bear
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub beyond_validity: bool,

    /// What drives the arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub control: Control,
}

/// How a motion went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// How many steps were taken.
    pub steps: u64,
    /// The time simulated, s.
    pub duration: Option<f64>,
    /// The integrator.
    pub method: Method,
    /// The largest |E(t) − E(0) − work|, J.
    pub energy_drift: f64,
    /// That of the angular momentum about the base, N m s.
    pub momentum_drift: f64,
    /// The state at the end.
    #[serde(rename = "final")]
    pub last: Option<Final>,
    /// What to know before the numbers are believed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// All samples.
    #[serde(skip)]
    pub motion: Trajectory,
    #[serde(skip)]
    arm: FlexibleArm<f64>,
    #[serde(skip)]
    step: f64,
    #[serde(skip)]
    request: Request,
}

/// The state at the end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Final {
    /// Time, s.
    pub t: f64,
    /// Joint angles (rad), then deflections (m).
    pub q: Vec<f64>,
    /// Their rates.
    pub qd: Vec<f64>,
    /// Position of the tip, m.
    pub tip: Vec<f64>,
    /// Kinetic and potential, J.
    pub energy: f64,
    /// Of torques and friction, J.
    pub work: f64,
}

impl From<&Sample> for Final {
    fn from(sample: &Sample) -> Self {
        let (q, qd) = (sample.q.clone(), sample.qd.clone());
        Self { t: sample.t, q, qd, tip: sample.outputs.clone(), energy: sample.energy(), work: sample.work }
    }
}

impl Operation for Request {
    const NAME: &'static str = "flexible simulate";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![
            ("out", self.out.as_deref()),
            ("plot", self.plot.as_deref()),
            ("animate", self.animation.animate.as_deref()),
        ]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.out.as_deref()), (&ending::PLOT, self.plot.as_deref())])?;
        self.animation.check()?;
        let write = |arm: &FlexibleArm<f64>, motion: &Trajectory| -> Result<(), Problem> {
            if let Some(path) = &self.out {
                motion::write_samples(path, motion, host)?;
            }
            if let Some(path) = &self.plot {
                plot::write(path, &figure(arm, motion), self.style, host)?;
            }
            Ok(())
        };
        let Ran { built, scenario, motion, warnings } = self.run.simulate(&self.arm, host, &write)?;
        let (title, notes) = self.run.headings(&built, &motion);
        flexible::write(&built, &motion, title, notes, self.magnify, self.style.theme, &self.animation, host)?;
        let arm = built.arm;
        let last = motion.samples.last();
        Ok(Report {
            steps: motion.steps,
            duration: last.map(|last| last.t),
            method: motion.method.into(),
            energy_drift: motion.energy_drift(),
            momentum_drift: motion.momentum_drift().map_or(0.0, |[_, angular]| angular),
            last: last.map(Final::from),
            warnings,
            motion,
            arm,
            step: scenario.step,
            request: self.clone(),
        })
    }
}

const SCENARIO: What = What {
    name: "the scenario",
    option: "--scenario",
    hint: "a scenario is a JSON file, - for standard input, or the JSON itself: '{\"q0\": [0, 0], \"duration\": 2}'",
};

const GOAL: What = What {
    name: "the goal",
    option: "--goal",
    hint: "the goal of an arm is a list of joint angles: a JSON file, or the JSON itself: '[0.5, -0.2]'",
};

/// Writes what a motion of an arm is asked to be written to.
pub(super) type Writer<'w> = dyn Fn(&FlexibleArm<f64>, &Trajectory) -> Result<(), Problem> + 'w;

/// A simulation that did not reach its end, and what is said of it.
struct Broken {
    error: SimulationError,
    problem: Problem,
}

/// A simulated arm: as the scenario damps it and with the kinematics it was run with.
pub(super) struct Ran {
    pub built: BuiltArm,
    pub scenario: Scenario,
    pub motion: Trajectory,
    pub warnings: Vec<String>,
}

impl Run {
    /// Who does what, and how, for titles.
    pub(super) fn headings(&self, built: &BuiltArm, motion: &Trajectory) -> (String, Vec<String>) {
        let scenario = self.scenario.as_deref().filter(|name| Scenario::FIGURES.contains(name));
        let title =
            scenario.map_or_else(|| built.arm.name().to_owned(), |name| format!("{} · {name}", built.arm.name()));
        (title, vec![animate::driven(motion.law), format!("kinematics {}", built.arm.kinematics().name())])
    }

    fn read(&self, arm: &ChangedArm, built: &BuiltArm, host: &dyn Host) -> Result<Scenario, Problem> {
        let mut scenario = match self.scenario.as_deref() {
            None => Scenario::rest(built.arm.size()),
            Some(name) => match Scenario::figure(name) {
                Some(scenario) => scenario.fitted(Scenario::FIGURE_LINKS, &built.arm).ok_or_else(|| {
                    let message = format!("the run `{name}` is one of two links with two modes or more each");
                    Problem::new("wrong-length", message).hint("--scenario also takes a JSON file, or the JSON itself")
                })?,
                None if name == STDIN && arm.is_stdin() => {
                    return Err(Problem::usage("arm and scenario cannot both come from standard input"));
                }
                None => {
                    let given = read::given(name, SCENARIO, host).map_err(|problem| {
                        let near = formats::suggest::nearest(name, &Scenario::FIGURES);
                        problem.hints(near.map(|near| format!("did you mean `{near}`?")))
                    })?;
                    formats::read_scenario(&given.text, &built.arm).map_err(|found| given.problem(found))?
                }
            },
        };
        scenario.duration = self.duration.unwrap_or(scenario.duration);
        scenario.step = self.step.unwrap_or(scenario.step);
        Ok(scenario)
    }

    /// Runs it. What was reached when a link bent out of range is handed to `write`, as is the whole motion.
    ///
    /// An arm whose file leaves the kinematics open and has more modes than the paper's own may find its first-order inertia matrix
    /// indefinite where two modes would not: it is run again with links that keep their length, and says so.
    pub(super) fn simulate(&self, arm: &ChangedArm, host: &dyn Host, write: &Writer<'_>) -> Result<Ran, Problem> {
        let (description, stated) = arm.describe(host)?;
        let mut built = arm.finish(&description)?;
        let scenario = self.read(arm, &built, host)?;
        built.arm = scenario.arm(&built);
        if self.beyond_validity {
            built.arm = built.arm.without_slope_limit();
        }
        let mut warnings = Vec::new();
        let mut motion = self.attempt(&built.arm, &scenario, host, write)?;
        if let Err(broken) = &motion
            && let SimulationError::Indefinite(diagnosis) = &broken.error
            && !stated.kinematics
            && built.modes.iter().any(|modes| modes.len() > 2)
        {
            let when = diagnosis.t.map_or_else(String::new, |t| format!(" at t = {} s", numbers::short(t)));
            warnings.push(format!(
                "the first-order inertia matrix of the `paper` kinematics loses definiteness{when} with this many modes; the run is \
                 one with `stiffened` kinematics"
            ));
            built.arm = built.arm.with_kinematics(Kinematics::Stiffened);
            motion = self.attempt(&built.arm, &scenario, host, write)?;
        }
        let motion = motion.map_err(|broken| broken.problem)?;
        write(&built.arm, &motion)?;
        warnings.extend(self.warnings(&built.arm, &motion));
        Ok(Ran { built, scenario, motion, warnings })
    }

    /// The motion, or the error of the simulation and what is said of it.
    fn attempt(
        &self,
        arm: &FlexibleArm<f64>,
        scenario: &Scenario,
        host: &dyn Host,
        write: &Writer<'_>,
    ) -> Result<Result<Trajectory, Box<Broken>>, Problem> {
        let followed = self.followed(arm, host)?;
        let system = Flexible::new(arm);
        let mut simulation = Simulation::new(&system);
        simulation.law = self.control.law(scenario.torque.clone(), &system, host)?;
        simulation.reference = followed.as_ref().map(Followed::reference);
        simulation.start = Start::State { q: scenario.q0.clone(), qd: scenario.qd0.clone() };
        simulation.wrappers = self.control.wrappers()?;
        simulation.options = Options {
            duration: scenario.duration,
            step: scenario.step,
            method: self.method.unwrap_or_else(|| usual(&system, &simulation.law, scenario)).with(self.tolerance),
            every: self.every,
            stop_at_limits: !self.beyond_validity,
            ..Options::default()
        };
        motion::attempt(&simulation, host)?.map_or_else(
            |error| {
                if let SimulationError::OutOfRange { motion: Some(motion), .. } = &error {
                    write(arm, motion)?;
                }
                let problem = motion::explained(error.clone(), &simulation);
                Ok(Err(Box::new(Broken { error, problem })))
            },
            |motion| Ok(Ok(motion)),
        )
    }

    /// What to know before the numbers of a motion are believed.
    fn warnings(&self, arm: &FlexibleArm<f64>, motion: &Trajectory) -> Vec<String> {
        let mut warnings: Vec<String> = stiffness_warning(arm, &spins(arm, motion)).into_iter().collect();
        let energy =
            motion.samples.iter().map(|sample| sample.energy().abs().max(sample.work.abs())).fold(0.0, f64::max);
        if motion.energy_drift() > DRIFTING * energy {
            warnings.push(format!(
                "the energy drifts by {:.2e} J of {energy:.2e}: the steps are too long; --method adaptive chooses them",
                motion.energy_drift()
            ));
        }
        let steepest = steepest(arm, motion);
        let (slope, limit) = (steepest.map_or(0.0, |(_, slope)| slope), arm.kinematics().slope_limit());
        if let Some((link, _)) = steepest.filter(|_| slope > limit) {
            let error = 100.0 * arm.kinematics().error_at(slope);
            warnings.push(format!(
                "link {link} bends to a slope of {slope:.4} rad, beyond the {limit:.4} that `{}` kinematics bear (estimated error \
                 {error:.0} %)",
                arm.kinematics().name()
            ));
        }
        warnings
    }

    /// What the joints of the arm are to follow, if anything is said.
    fn followed(&self, arm: &FlexibleArm<f64>, host: &dyn Host) -> Result<Option<Followed>, Problem> {
        if self.control.nominal.is_some() {
            return Err(Problem::usage("a law of a flexible arm knows the arm").hint("leave out --nominal"));
        }
        if let Some(goal) = &self.control.goal {
            let given = read::given(goal, GOAL, host)?;
            return read::list(given.text.trim(), GOAL.option).map(|goal| Some(Followed::Rest(goal)));
        }
        let Some(name) = &self.control.trajectory else { return Ok(None) };
        let motion = any_motion(name, arm.joints()).ok_or_else(|| {
            Problem::new("unsupported", format!("a flexible arm cannot follow the trajectory `{name}`"))
                .hint("--trajectory waves or hold, or a --goal as a JSON list of joint angles")
        })?;
        Ok(Some(Followed::Motion(motion)))
    }
}

/// Pieces of a run whose mean rates are looked at.
const PIECES: usize = 16;

/// The states at both ends, and in each piece of a run its middle with the mean rates of the joints: vibrations of a joint are no
/// spin that stiffens, turning is.
fn spins(arm: &FlexibleArm<f64>, motion: &Trajectory) -> Vec<[Vec<f64>; 2]> {
    let samples = &motion.samples;
    let resting = |sample: &Sample| [sample.q.clone(), vec![0.0; arm.size()]];
    let mut states: Vec<_> = [samples.first(), samples.last()].into_iter().flatten().map(resting).collect();
    let gap = samples.len().div_ceil(PIECES).max(1);
    for piece in samples.windows(gap + 1).step_by(gap) {
        let (first, last) = (&piece[0], &piece[gap]);
        let rate =
            |(c, (a, b)): (usize, (&f64, &f64))| if c < arm.joints() { (b - a) / (last.t - first.t) } else { 0.0 };
        let rates = first.q.iter().zip(&last.q).enumerate().map(rate).collect();
        states.push([piece[gap / 2].q.clone(), rates]);
    }
    states
}

/// An energy drift that is worth a word, as a part of the energy.
const DRIFTING: f64 = 0.01;

/// Fixed steps grow where the fastest motion times the step exceeds about this: 2.83 without damping, 2.79 with nothing else.
const STABLE: f64 = 2.5;

/// What integrates unless another method is asked for: as for other systems, but not by fixed steps that modes are too fast for.
fn usual(system: &Flexible<'_>, law: &Law, scenario: &Scenario) -> Method {
    let usual = Method::usual(law);
    // A start without a linear model says for itself what is wrong with it.
    let fastest = || system.linearise(&scenario.q0, &[]).ok()?.fastest().ok();
    match usual {
        Method::Rk4 if fastest().is_some_and(|fastest| fastest * scenario.step > STABLE) => Method::Auto,
        Method::Rk4 | Method::Auto | Method::Adaptive | Method::Implicit => usual,
    }
}

/// The link, counted from one, that bends most in a motion, and its largest slope in rad; `None` for a rigid arm.
fn steepest(arm: &FlexibleArm<f64>, motion: &Trajectory) -> Option<(usize, f64)> {
    let flexible = (0..arm.joints()).filter(|&link| !arm.deflections(link).is_empty());
    let most = |link: usize| {
        let slopes = motion.samples.iter().map(|sample| largest_slope(arm, link, &sample.q));
        (link + 1, slopes.fold(0.0, f64::max))
    };
    flexible.map(most).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// As Figs. 5–10: deflections link by link, joints, tip; and energies.
fn figure(arm: &FlexibleArm<f64>, motion: &Trajectory) -> Figure {
    let x: Arc<[f64]> = motion.samples.iter().map(|sample| sample.t).collect();
    let line = |value: &dyn Fn(&Sample) -> f64, hue, label: String| {
        Curve::new(&x, motion.samples.iter().map(value).collect(), hue).labelled(label)
    };
    let panel = |name: String, unit: &str, note: String, curves| Panel {
        name,
        unit: unit.to_owned(),
        note,
        curves,
        ..Panel::default()
    };
    let whole = |panel| Block { cells: vec![vec![panel]], wide: false };
    let joints = (0..arm.joints()).map(|c| line(&move |sample| sample.q[c], Hue::Joint(c), format!("θ_{{{}}}", c + 1)));
    let joints: Vec<Curve> = joints.collect();
    let mut blocks: Vec<Block> = (joints.chunks(MOST_CURVES))
        .map(|curves| whole(panel("Joint angles".to_owned(), "rad", String::new(), curves.to_vec())))
        .collect();
    for i in (0..arm.joints()).filter(|&i| !arm.deflections(i).is_empty()) {
        let columns: Vec<usize> = arm.deflections(i).collect();
        for (first, part) in columns.chunks(MOST_CURVES).enumerate() {
            let curve = |(j, c): (usize, &usize)| {
                let c = *c;
                let label = format!("δ_{{{}{}}}", i + 1, first * MOST_CURVES + j + 1);
                line(&move |sample| sample.q[c], Hue::Limb(i, j), label)
            };
            let name = format!("Deflections of link {}", i + 1);
            blocks.push(whole(Panel {
                hue: Hue::Joint(i),
                ..panel(name, "m", "mode by mode".to_owned(), part.iter().enumerate().map(curve).collect())
            }));
        }
    }
    let tip = [("x", 0, Hue::Positive), ("y", 1, Hue::Negative)];
    let tip = tip.map(|(label, k, hue)| line(&move |sample| sample.outputs[k], hue, label.to_owned()));
    blocks.push(whole(panel("Tip".to_owned(), "m", String::new(), tip.into())));
    let (energies, drift) = motion::draw::energies(motion, &x);
    blocks.push(energies);
    let mut finding = String::new();
    if let Some((link, slope)) = steepest(arm, motion).filter(|(_, slope)| *slope > 0.0) {
        finding = format!("link {link} bends most, by a slope of {} rad", plot::ticks::number(slope, 2));
    }
    let title = format!("{} · {}", arm.name(), motion::draw::drive(motion.law));
    let notes = vec![
        finding.clone(),
        format!("{} kinematics", arm.kinematics().name()),
        motion::draw::method(motion, x.last().copied().unwrap_or(0.0) / motion.steps.max(1) as f64),
        "jourdain flexible simulate".to_owned(),
    ];
    Figure {
        description: [title.as_str(), &finding, &drift]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(". "),
        title,
        notes,
        x: Axis::time(),
        legend: Vec::new(),
        blocks,
    }
}

impl operation::Report for Report {
    fn samples(&self) -> Option<&Trajectory> {
        Some(&self.motion)
    }

    fn text(&self) -> String {
        let Self { motion, arm, request, .. } = self;
        let Some(last) = motion.samples.last() else { return String::new() };
        let method = show::method(motion, self.step);
        let mut lines = vec![
            format!(
                "{HEADING}{}{HEADING:#}: {} s in {} steps ({method}, {} kinematics)",
                arm.name(),
                numbers::short(last.t),
                motion.steps,
                arm.kinematics().name()
            ),
            format!(
                "energy drift    {:.2e} J {FAINT}(energy {} J, work {} J){FAINT:#}",
                self.energy_drift,
                numbers::short(last.energy()),
                numbers::short(last.work)
            ),
            format!("momentum drift  {:.2e} N m s", self.momentum_drift),
        ];
        if let Some((link, slope)) = steepest(arm, motion) {
            let error = 100.0 * arm.kinematics().error_at(slope);
            let note = if arm.kinematics().is_stiffened() { "" } else { ", without geometric stiffness" };
            lines.push(format!(
                "largest slope   {slope:.4} rad {FAINT}(link {link}; estimated error of the tip {error:.2} %{note}){FAINT:#}"
            ));
        }
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        lines.extend(text::files(
            15,
            [
                ("samples", request.out.as_deref()),
                ("plot", request.plot.as_deref()),
                ("animation", request.animation.animate.as_deref()),
            ],
        ));
        lines.push(format!("\n{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
        let largest = |c: usize| motion.samples.iter().map(|sample| sample.q[c].abs()).fold(0.0, f64::max);
        let peaks: Vec<f64> = (0..arm.size()).map(largest).collect();
        let [of_q, of_qd] = [&peaks, &last.qd].map(|values| Notation::of(values.iter().copied()));
        let mut rows = vec![["", "q", "qd", "largest |q|"].map(str::to_owned).to_vec()];
        for (c, name) in arm.coordinate_names().into_iter().enumerate() {
            let cells = [(last.q[c], &of_q), (last.qd[c], &of_qd), (peaks[c], &of_q)];
            rows.push(std::iter::once(name).chain(cells.map(|(x, notation)| numbers::format(x, notation))).collect());
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.push(format!("  tip at ({:.6}, {:.6}) m", last.outputs[0], last.outputs[1]));
        lines.join("\n")
    }
}
