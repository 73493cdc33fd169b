//! `elastic simulate`: an elastic robot under a control law.

use super::Law;
use super::setup::{Loop, Setup};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::motion::efforts::{self, Overdriven};
use crate::motion::{self, Method, Rotors, animate, draw, every, show, tolerance};
use crate::movie::Animate;
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::joints::Palette;
use crate::plot::look::Style;
use crate::plot::ticks;
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::text;
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING};
use jourdain::elastic::control::Pole;
use jourdain::elastic::{ElasticModel, linearise};
use jourdain::simulate::{
    Column, Elastic, Options, Reference, Sample, Simulation, Start, System as _, Trajectory, Wrappers,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Simulate an elastic robot under a control law
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Built-in trajectories: waves (q_i = 0.4 sin(2 t + i), 2 s), hold (rest at zero), mueller-kumar \
                      (seven joints). Loads of a trajectory act on the robot and are not known to the law.\n\nWithout \
                      --poles they are at 12 1/s. Torques of laws are cut at the `effort` of each joint, and told. Positions of motors and torques are on the link side: shaft angle \
                      over gear ratio, shaft torque times gear ratio.\n\nWithout --method it follows from the fastest \
                      motion of the robot at the start, and is told."
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

    /// Whether rotors feel the turning of the links that carry them
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub rotors: Rotors,

    /// Let the law ask more of a drive than its `effort`; without it torques are cut there
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "saturate"))]
    pub ignore_effort: bool,

    /// Integrator
    #[serde(default = "method")]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t = method()))]
    pub method: Method,

    /// Relative and absolute error per step of the methods that choose their steps
    #[serde(default = "tolerance")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = tolerance(), allow_negative_numbers = true))]
    pub tolerance: f64,

    /// Take a sample every so many steps
    #[serde(default = "every")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = every()))]
    pub every: u64,

    /// Write the samples as CSV or, by the ending of the name, Parquet
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.csv"))]
    pub out: Option<PathBuf>,

    /// Draw errors, deflections and torques
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// A moving picture
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub animation: Animate,
}

/// Where the poles of the error are unless told otherwise, rad/s.
const USUAL_POLES: [Pole; 4] = [[-12.0, 0.0]; 4];

/// Springs may be stiff: the method follows from them unless another is given.
fn method() -> Method {
    Method::Auto
}

/// How the motion went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The robot's name.
    pub robot: String,
    /// The control law.
    pub controller: Law,
    /// The integrator that was used.
    pub method: Method,
    /// Why this one.
    pub reason: String,
    /// The fastest motion at the start, rad/s.
    pub fastest: Option<f64>,
    /// How many steps were taken.
    pub steps: u64,
    /// The time simulated, s.
    pub duration: Option<f64>,
    /// The largest |E(t) − E(0) − work|, J.
    pub energy_drift: f64,
    /// The largest error of any joint, rad or m.
    pub largest_error: f64,
    /// The same in the last quarter of the time.
    pub late_error: f64,
    /// The state at the end.
    #[serde(rename = "final")]
    pub last: Option<Final>,
    /// The drives that were asked for more than they can give.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overdriven: Vec<Overdriven>,
    /// All samples.
    #[serde(skip)]
    pub motion: Trajectory,
    #[serde(skip)]
    joints: Vec<Column>,
    #[serde(skip)]
    files: [Option<PathBuf>; 3],
}

/// The state at the end, on the link side; rad, m, N m, N.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Final {
    /// Time, s.
    pub t: f64,
    /// Positions of the joints.
    pub q: Vec<f64>,
    /// Their rates.
    pub qd: Vec<f64>,
    /// Positions of the motors; those of the joints where these are rigid.
    pub theta: Vec<f64>,
    /// Their rates.
    pub theta_d: Vec<f64>,
    /// Torques of the motors.
    pub torque: Vec<f64>,
    /// q_d − q
    pub error: Vec<f64>,
}

impl Final {
    fn new(system: &Elastic<'_>, sample: &Sample) -> Self {
        let n = system.model().model().nv();
        Self {
            t: sample.t,
            q: sample.q[..n].to_vec(),
            qd: sample.qd[..n].to_vec(),
            theta: system.rotors(&sample.q),
            theta_d: system.rotors(&sample.qd),
            torque: sample.tau.clone(),
            error: sample.error(),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "elastic simulate";
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
        let mut setup = self.setup.read(&self.robot, host)?;
        setup.elastic = self.rotors.of(setup.elastic);
        let system = Elastic::new(&setup.elastic);
        let (motion, overdriven) = self.integrate(&setup, &system, host)?;
        if let Some(path) = &self.out {
            motion::write_samples(path, &motion, host)?;
        }
        if let Some(path) = &self.plot {
            let heading = draw::Heading {
                robot: system.name().to_owned(),
                scenario: format!("{} along a motion", self.setup.controller.name()),
                notes: vec![format!("error at most {}", ticks::number(motion.largest_error(0.0), 2))],
                step: self.setup.step,
                command: "elastic simulate",
            };
            let palette = Palette::of(setup.elastic.model());
            plot::write(path, &draw::figure(&heading, &palette, &motion), self.style, host)?;
        }
        animate::motion(setup.elastic.model(), Some(&setup.elastic), &motion, self.style.theme, &self.animation, host)?;
        let last = motion.samples.last();
        Ok(Report {
            robot: system.name().to_owned(),
            controller: self.setup.controller,
            method: motion.method.into(),
            reason: show::reason(&motion, self.setup.step).unwrap_or_else(|| "as asked for".to_owned()),
            fastest: fastest(&setup.elastic, &motion),
            steps: motion.steps,
            duration: last.map(|last| last.t),
            energy_drift: motion.energy_drift(),
            largest_error: motion.largest_error(0.0),
            late_error: motion.largest_error(0.75 * setup.duration),
            last: last.map(|last| Final::new(&system, last)),
            overdriven,
            joints: motion.layout.inputs.clone(),
            motion,
            files: [self.out.clone(), self.plot.clone(), self.animation.animate.clone()],
        })
    }
}

impl Request {
    fn integrate(
        &self,
        setup: &Setup,
        system: &Elastic<'_>,
        host: &dyn Host,
    ) -> Result<(Trajectory, Vec<Overdriven>), Problem> {
        let mut simulation = Simulation::new(system);
        let reference = Reference::Motion(&setup.motion);
        simulation.law = system.law(self.setup.controller.kind(), &setup.poles.unwrap_or(USUAL_POLES), &reference)?;
        let saturate = efforts::are_cut(system, &simulation.law, self.setup.saturate, self.ignore_effort)?;
        simulation.wrappers = Wrappers { saturate, frequency: self.setup.sample, ..Wrappers::default() };
        simulation.reference = Some(reference);
        simulation.start = Start::Reference { offset: setup.offset.clone() };
        simulation.options = Options {
            duration: setup.duration,
            step: self.setup.step,
            every: self.every,
            method: self.method.with(self.tolerance),
            ..Options::default()
        };
        let motion = motion::integrate(&simulation, host)?;
        let overdriven = efforts::overdriven(&motion, simulation.wrappers.saturate, host);
        Ok((motion, overdriven))
    }
}

/// The fastest rate of the robot at the start, 1/s.
fn fastest(elastic: &ElasticModel<f64>, motion: &Trajectory) -> Option<f64> {
    let at_start = || {
        let first = motion.samples.first()?;
        linearise(elastic, &first.q[..elastic.model().nv()]).ok()?.fastest().ok()
    };
    motion.fastest.or_else(at_start)
}

impl operation::Report for Report {
    fn samples(&self) -> Option<&Trajectory> {
        Some(&self.motion)
    }

    fn text(&self) -> String {
        let (Some(last), Some(sample)) = (&self.last, self.motion.samples.last()) else { return String::new() };
        let mut lines = vec![
            format!(
                "{HEADING}{}{HEADING:#}: {} s in {} steps, controller {}",
                self.robot,
                numbers::short(last.t),
                self.steps,
                self.controller.name()
            ),
            format!("method        {} {FAINT}({}){FAINT:#}", self.motion.method.name(), self.reason),
            format!("error         at most {:.2e}, in the last quarter {:.2e}", self.largest_error, self.late_error),
            format!(
                "energy drift  {:.2e} J {FAINT}(work {} J){FAINT:#}",
                self.energy_drift,
                numbers::short(sample.work)
            ),
        ];
        lines.extend(efforts::lines(&self.overdriven, 13));
        let files = ["samples", "plot", "animation"].into_iter().zip(self.files.iter().map(Option::as_deref));
        lines.extend(text::files(13, files));
        lines.push(String::new());
        lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
        let mut rows = vec![["", "q", "qd", "theta", "thetad", "torque", "error"].map(str::to_owned).to_vec()];
        let columns = [&last.q, &last.qd, &last.theta, &last.theta_d, &last.torque, &last.error];
        let notations = columns.map(|values| Notation::of(values.iter().copied()));
        for (i, joint) in self.joints.iter().enumerate() {
            let mut row = vec![joint.place()];
            row.extend(columns.iter().zip(&notations).map(|(values, notation)| numbers::format(values[i], notation)));
            rows.push(row);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    }
}
