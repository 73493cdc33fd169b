//! `elastic simulate`: an elastic robot under a control law.

use super::Law;
use super::setup::{Loop, Setup};
use crate::host::Host;
use crate::labels::{self, Label};
use crate::operation::{self, Operation};
use crate::operations::simulate::{every, named, tolerance};
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::sheet;
use crate::text;
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING};
use jourdain::Model;
use jourdain::elastic::closed_loop::{ClosedLoop, Reference};
use jourdain::elastic::control::Controller;
use jourdain::elastic::run::{Sample, Simulated};
use jourdain::elastic::{self, Options, Start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Simulate an elastic robot under a control law
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Built-in trajectories: waves (q_i = 0.4 sin(2 t + i), 2 s), hold (rest at zero), mueller-kumar \
                      (seven joints). Loads of a trajectory act on the robot and are not known to the law.\n\nThe law is \
                      evaluated in continuous time. Positions of motors and torques are on the link side: shaft angle \
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

    /// Integrator
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t))]
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

    /// Draw errors, deflections and torques as SVG
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg"))]
    pub plot: Option<PathBuf>,
}

/// Integrators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Chosen by the stiffness of the springs
    #[default]
    Auto,
    /// Runge-Kutta of order 4, fixed steps
    Rk4,
    /// Dormand-Prince of order 5, steps by tolerance
    Adaptive,
    /// Rosenbrock of order 2, implicit, steps by tolerance
    Implicit,
}

impl Method {
    fn of_library(self) -> elastic::Method {
        match self {
            Self::Auto => elastic::Method::Auto,
            Self::Rk4 => elastic::Method::Rk4,
            Self::Adaptive => elastic::Method::Adaptive,
            Self::Implicit => elastic::Method::Implicit,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Rk4 => "rk4",
            Self::Adaptive => "adaptive",
            Self::Implicit => "implicit",
        }
    }
}

impl From<elastic::Method> for Method {
    fn from(method: elastic::Method) -> Self {
        match method {
            elastic::Method::Auto => Self::Auto,
            elastic::Method::Rk4 => Self::Rk4,
            elastic::Method::Adaptive => Self::Adaptive,
            elastic::Method::Implicit => Self::Implicit,
        }
    }
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
    pub fastest: f64,
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
    /// All samples.
    #[serde(skip)]
    pub simulated: Simulated,
    #[serde(skip)]
    labels: Vec<Label>,
    #[serde(skip)]
    files: [Option<PathBuf>; 2],
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

impl From<&Sample> for Final {
    fn from(sample: &Sample) -> Self {
        Self {
            t: sample.t,
            q: sample.q.clone(),
            qd: sample.qd.clone(),
            theta: sample.theta.clone(),
            theta_d: sample.theta_d.clone(),
            torque: sample.torque.clone(),
            error: sample.error.clone(),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "elastic simulate";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let setup = self.setup.read(&self.robot, host)?;
        let simulated = self.integrate(&setup, host)?;
        let model = setup.elastic.model();
        if let Some(path) = &self.out {
            write_samples(path, model, &simulated, host)?;
        }
        if let Some(path) = &self.plot {
            draw(path, model, &simulated, host)?;
        }
        let last = simulated.samples.last();
        Ok(Report {
            robot: model.name().to_owned(),
            controller: self.setup.controller,
            method: simulated.method.into(),
            reason: reason(self.method, &simulated, self.setup.step),
            fastest: simulated.fastest,
            steps: simulated.steps,
            duration: last.map(|last| last.t),
            energy_drift: simulated.energy_drift(),
            largest_error: simulated.largest_error(0.0),
            late_error: simulated.largest_error(0.75 * setup.duration),
            last: last.map(Final::from),
            simulated,
            labels: labels::velocities(model),
            files: [self.out.clone(), self.plot.clone()],
        })
    }
}

impl Request {
    fn integrate(&self, setup: &Setup, host: &dyn Host) -> Result<Simulated, Problem> {
        let Setup { elastic, motion, poles, offset, duration } = setup;
        let options = Options {
            duration: *duration,
            step: self.setup.step,
            every: self.every,
            method: self.method.of_library(),
            tolerance: self.tolerance,
        };
        let posture: Vec<f64> = motion.joints.iter().map(|curve| curve.derivative(0, motion.start)).collect();
        let law = Controller::new(self.setup.controller.kind(), elastic, poles, &posture)?;
        let mut system = ClosedLoop::new(elastic, law, Reference::Motion(motion));
        let start = Start::Offset(offset.clone());
        let simulated = elastic::run(&mut system, &start, &options, |t| host.progress(t / duration))?;
        if host.is_cancelled() { Err(Problem::cancelled()) } else { Ok(simulated) }
    }
}

/// Why this method.
fn reason(asked: Method, simulated: &Simulated, step: f64) -> String {
    let fastest = numbers::short(simulated.fastest);
    let step = numbers::short(step);
    match (asked, simulated.method) {
        (Method::Auto, elastic::Method::Rk4) => {
            format!("chosen: steps of {step} s resolve the fastest motion, {fastest} rad/s")
        }
        (Method::Auto, elastic::Method::Adaptive) => {
            format!("chosen: steps of {step} s do not resolve the fastest motion, {fastest} rad/s")
        }
        (Method::Auto, _) => {
            format!(
                "chosen: the fastest motion, {fastest} rad/s, is too stiff for explicit steps; it is damped, not followed"
            )
        }
        _ => "as asked for".to_owned(),
    }
}

/// `t`, `q:JOINT` to `error:JOINT` and the energies, a row per sample.
fn write_samples(path: &Path, model: &Model<f64>, simulated: &Simulated, host: &dyn Host) -> Result<(), Problem> {
    let labels = labels::velocities(model);
    let prefixes = ["q", "qd", "theta", "thetad", "torque", "error"];
    let mut columns: Vec<String> = prefixes.iter().flat_map(|prefix| named(prefix, &labels)).collect();
    columns.extend(["kinetic", "potential", "energy", "work"].map(str::to_owned));
    let times: Vec<f64> = simulated.samples.iter().map(|sample| sample.t).collect();
    let mut values = Vec::with_capacity(times.len() * columns.len());
    for sample in &simulated.samples {
        let Sample { q, qd, theta, theta_d, torque, error, kinetic, potential, work, .. } = sample;
        values.extend([q, qd, theta, theta_d, torque, error].into_iter().flatten());
        values.extend([*kinetic, *potential, kinetic + potential, *work]);
    }
    sheet::timed(path, columns, &times, &values, host)
}

fn draw(path: &Path, model: &Model<f64>, simulated: &Simulated, host: &dyn Host) -> Result<(), Problem> {
    let labels = labels::velocities(model);
    let times: Vec<f64> = simulated.samples.iter().map(|sample| sample.t).collect();
    let curves = |value: fn(&Sample, usize) -> f64| {
        let curve = |(i, label): (usize, &Label)| Curve {
            name: label.name.clone(),
            values: simulated.samples.iter().map(|sample| value(sample, i)).collect(),
        };
        labels.iter().enumerate().map(curve).collect::<Vec<_>>()
    };
    let units = labels::units(&labels, "");
    let panels = [
        Panel { axis: format!("position [{units}]"), curves: curves(|sample, i| sample.q[i]) },
        Panel { axis: format!("error [{units}]"), curves: curves(|sample, i| sample.error[i]) },
        Panel { axis: format!("deflection [{units}]"), curves: curves(|sample, i| sample.theta[i] - sample.q[i]) },
        Panel { axis: "torque [N m, N]".to_owned(), curves: curves(|sample, i| sample.torque[i]) },
    ];
    plot::stacked(path, model.name(), "time [s]", &times, &panels, host)
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let Some(last) = self.simulated.samples.last() else { return String::new() };
        let mut lines = vec![
            format!(
                "{HEADING}{}{HEADING:#}: {} s in {} steps, controller {}",
                self.robot,
                numbers::short(last.t),
                self.steps,
                self.controller.name()
            ),
            format!("method        {} {FAINT}({}){FAINT:#}", self.method.name(), self.reason),
            format!(
                "error         at most {:.2e}, in the last quarter {:.2e}",
                self.largest_error, self.late_error
            ),
            format!("energy drift  {:.2e} J {FAINT}(work {} J){FAINT:#}", self.energy_drift, numbers::short(last.work)),
        ];
        let [out, plot] = &self.files;
        lines.extend(text::files(13, [("samples", out.as_deref()), ("plot", plot.as_deref())]));
        lines.push(String::new());
        lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
        let mut rows = vec![["", "q", "qd", "theta", "thetad", "torque", "error"].map(str::to_owned).to_vec()];
        let columns = [&last.q, &last.qd, &last.theta, &last.theta_d, &last.torque, &last.error];
        let notations = columns.map(|values| Notation::of(values.iter().copied()));
        for (i, label) in self.labels.iter().enumerate() {
            let mut row = vec![label.name.clone()];
            row.extend(columns.iter().zip(&notations).map(|(values, notation)| numbers::format(values[i], notation)));
            rows.push(row);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    }
}
