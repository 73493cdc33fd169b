//! `jourdain elastic simulate`: an elastic robot under a control law.

use super::super::simulate::progress_bar;
use super::setup::{Loop, Setup, failure};
use crate::failure::Failure;
use crate::labels::{self, Label};
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use clap::ValueEnum;
use jourdain::Model;
use jourdain::elastic::closed_loop::{ClosedLoop, Reference};
use jourdain::elastic::control::Controller;
use jourdain::elastic::run::{Sample, Simulated};
use jourdain::elastic::{self, Options, Start};
use jourdain::formats::table::{TIME, csv_cell, headings};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Simulate an elastic robot under a control law
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Built-in trajectories: waves (q_i = 0.4 sin(2 t + i), 2 s), hold (rest at zero), mueller-kumar (seven \
                        joints). Loads of a trajectory act on the robot and are not known to the law.\n\nThe law is \
                        evaluated in continuous time. Positions of motors and torques are on the link side: shaft angle \
                        over gear ratio, shaft torque times gear ratio.\n\nWithout --method it follows from the fastest \
                        motion of the robot at the start, and is told."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    #[command(flatten)]
    setup: Loop,

    /// Integrator
    #[arg(long, short, default_value = "auto")]
    method: Method,

    /// Relative and absolute error per step of the methods that choose their steps
    #[arg(long, value_name = "X", default_value_t = 1e-9, allow_negative_numbers = true)]
    tolerance: f64,

    /// Take a sample every so many steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,

    /// Write the samples as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw errors, deflections and torques as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Integrators.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Method {
    /// Chosen by the stiffness of the springs
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
}

fn method_name(method: elastic::Method) -> &'static str {
    match method {
        elastic::Method::Auto => "auto",
        elastic::Method::Rk4 => "rk4",
        elastic::Method::Adaptive => "adaptive",
        elastic::Method::Implicit => "implicit",
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let setup = arguments.setup.read(&arguments.robot, output)?;
    let options = Options {
        duration: setup.duration,
        step: arguments.setup.step,
        every: arguments.every,
        method: arguments.method.of_library(),
        tolerance: arguments.tolerance,
    };
    let simulated = integrate(arguments, &setup, &options, output)?;
    let model = setup.elastic.model();
    if let Some(path) = &arguments.out {
        write_csv(path, model, &simulated).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the samples: {error}")).file(path.display().to_string())
        })?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, model, &simulated)?;
    }
    if output.is_json() {
        output.json(&to_json(arguments, model, &simulated, &options))?;
    } else {
        output.text(&to_text(arguments, model, &simulated, &options))?;
    }
    Ok(0)
}

fn integrate(arguments: &Arguments, setup: &Setup, options: &Options, output: &Output) -> Result<Simulated, Failure> {
    let Setup { elastic, motion, poles, offset, duration } = setup;
    let posture: Vec<f64> = motion.joints.iter().map(|curve| curve.derivative(0, motion.start)).collect();
    let kind = arguments.setup.controller.kind();
    let law = Controller::new(kind, elastic, poles, &posture).map_err(|error| failure(&error))?;
    let mut system = ClosedLoop::new(elastic, law, Reference::Motion(motion));
    let (begun, mut bar) = (Instant::now(), None);
    let simulated = elastic::run(&mut system, &Start::Offset(offset.clone()), options, |t| {
        if !output.is_quiet() && begun.elapsed() > Duration::from_secs(1) {
            bar.get_or_insert_with(progress_bar).set_position((1000.0 * t / duration) as u64);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    simulated.map_err(|error| failure(&error))
}

/// Why this method.
fn reason(arguments: &Arguments, simulated: &Simulated, options: &Options) -> String {
    let fastest = numbers::short(simulated.fastest);
    let step = numbers::short(options.step);
    match (arguments.method, simulated.method) {
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

fn write_csv(path: &Path, model: &Model<f64>, simulated: &Simulated) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let velocities = model.velocities();
    let mut heading = vec![TIME.to_owned()];
    for letters in ["q", "qd", "theta", "thetad", "tau", "error"] {
        heading.extend(headings(letters, &velocities).iter().map(|name| csv_cell(name)));
    }
    heading.extend(["kinetic", "potential", "energy", "work"].map(str::to_owned));
    writeln!(file, "{}", heading.join(","))?;
    for sample in &simulated.samples {
        write!(file, "{}", sample.t)?;
        let Sample { q, qd, theta, theta_d, torque, error, kinetic, potential, work, .. } = sample;
        let energies = [*kinetic, *potential, kinetic + potential, *work];
        for x in [q, qd, theta, theta_d, torque, error].into_iter().flatten().chain(&energies) {
            write!(file, ",{x}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}

fn draw(path: &Path, model: &Model<f64>, simulated: &Simulated) -> Result<(), Failure> {
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
    plot::stacked(path, model.name(), "time [s]", &times, &panels)
}

fn to_json(arguments: &Arguments, model: &Model<f64>, simulated: &Simulated, options: &Options) -> Value {
    let last = simulated.samples.last();
    json!({
        "robot": model.name(),
        "controller": arguments.setup.controller.name(),
        "method": method_name(simulated.method),
        "reason": reason(arguments, simulated, options),
        "fastest": simulated.fastest,
        "steps": simulated.steps,
        "duration": last.map(|last| last.t),
        "energy_drift": simulated.energy_drift(),
        "largest_error": simulated.largest_error(0.0),
        "late_error": simulated.largest_error(0.75 * options.duration),
        "final": last.map(|last| json!({
            "t": last.t, "q": last.q, "qd": last.qd, "theta": last.theta, "theta_d": last.theta_d,
            "torque": last.torque, "error": last.error,
        })),
    })
}

fn to_text(arguments: &Arguments, model: &Model<f64>, simulated: &Simulated, options: &Options) -> String {
    let Some(last) = simulated.samples.last() else { return String::new() };
    let mut lines = vec![
        format!(
            "{HEADING}{}{HEADING:#}: {} s in {} steps, controller {}",
            model.name(),
            numbers::short(last.t),
            simulated.steps,
            arguments.setup.controller.name()
        ),
        format!(
            "method        {} {FAINT}({}){FAINT:#}",
            method_name(simulated.method),
            reason(arguments, simulated, options)
        ),
        format!(
            "error         at most {:.2e}, in the last quarter {:.2e}",
            simulated.largest_error(0.0),
            simulated.largest_error(0.75 * options.duration)
        ),
        format!(
            "energy drift  {:.2e} J {FAINT}(work {} J){FAINT:#}",
            simulated.energy_drift(),
            numbers::short(last.work)
        ),
    ];
    for (what, path) in [("samples", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            lines.push(format!("{what:<13} {}", path.display()));
        }
    }
    lines.push(String::new());
    lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
    let mut rows = vec![["", "q", "qd", "theta", "thetad", "torque", "error"].map(str::to_owned).to_vec()];
    let columns = [&last.q, &last.qd, &last.theta, &last.theta_d, &last.torque, &last.error];
    let notations = columns.map(|values| Notation::of(values.iter().copied()));
    for (i, label) in labels::velocities(model).iter().enumerate() {
        let mut row = vec![label.name.clone()];
        row.extend(columns.iter().zip(&notations).map(|(values, notation)| numbers::format(values[i], notation)));
        rows.push(row);
    }
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    lines.join("\n")
}
