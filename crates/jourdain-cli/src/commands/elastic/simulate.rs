//! `jourdain elastic simulate`: an elastic robot under a control law.

use super::super::simulate::progress_bar;
use super::setup::{Loop, Setup, failure};
use crate::failure::Failure;
use crate::labels::{self, Label};
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use clap::ValueEnum;
use jourdain::elastic::control::{Kind, place};
use jourdain::elastic::{ElasticError, ElasticModel, linearise};
use jourdain::formats::table::csv_cell;
use jourdain::simulate::{
    self, Elastic, Gains, Law, Options, Reference, Sample, Simulation, SimulationError, Start, Trajectory,
};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
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
    fn of_library(self, tolerance: f64) -> simulate::Method {
        match self {
            Self::Auto => simulate::Method::Auto { tolerance },
            Self::Rk4 => simulate::Method::Rk4,
            Self::Adaptive => simulate::Method::adaptive(tolerance),
            Self::Implicit => simulate::Method::implicit(tolerance),
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let setup = arguments.setup.read(&arguments.robot, output)?;
    let options = Options {
        duration: setup.duration,
        step: arguments.setup.step,
        every: arguments.every,
        method: arguments.method.of_library(arguments.tolerance),
        ..Options::default()
    };
    let simulated = integrate(arguments, &setup, &options, output)?;
    if let Some(path) = &arguments.out {
        write_csv(path, &setup.elastic, &simulated).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the samples: {error}")).file(path.display().to_string())
        })?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &setup.elastic, &simulated)?;
    }
    if output.is_json() {
        output.json(&to_json(arguments, &setup.elastic, &simulated, &options))?;
    } else {
        output.text(&to_text(arguments, &setup.elastic, &simulated, &options))?;
    }
    Ok(0)
}

fn integrate(arguments: &Arguments, setup: &Setup, options: &Options, output: &Output) -> Result<Trajectory, Failure> {
    let Setup { elastic, motion, offset, duration, .. } = setup;
    let system = Elastic::new(elastic);
    let mut simulation = Simulation::new(&system);
    simulation.law = law(arguments.setup.controller.kind(), setup, &system).map_err(|error| failure(&error))?;
    simulation.reference = Some(Reference::Motion(motion));
    simulation.start = Start::Reference { offset: offset.clone() };
    simulation.options = *options;
    let (begun, mut bar) = (Instant::now(), None);
    let simulated = simulation.run(&mut |t| {
        if !output.is_quiet() && begun.elapsed() > Duration::from_secs(1) {
            bar.get_or_insert_with(progress_bar).set_position((1000.0 * t / duration) as u64);
        }
        ControlFlow::Continue(())
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    simulated.map_err(|error| match error {
        SimulationError::Elastic(error) => failure(&error),
        SimulationError::Integration(error) => failure(&ElasticError::Integration(error)),
        other => Failure::new(other.kind(), other.to_string()),
    })
}

fn law(kind: Kind, setup: &Setup, system: &Elastic<'_>) -> Result<Law, ElasticError> {
    let second = [setup.poles[0], setup.poles[1]];
    Ok(match kind {
        Kind::Linearising => Law::ExactLinearisation { poles: setup.poles },
        Kind::Feedforward => {
            let gains = place(&second)?;
            Law::FeedForward(system.motor_gains(gains, &Reference::Motion(&setup.motion)))
        }
        Kind::ComputedTorque => {
            let [position, velocity] = place(&second)?;
            Law::ComputedTorque(Gains::uniform(position, velocity))
        }
        Kind::None => Law::None,
    })
}

/// The fastest rate of the robot at the start, 1/s.
fn fastest(elastic: &ElasticModel<f64>, simulated: &Trajectory) -> Option<f64> {
    let at_start = || {
        let first = simulated.samples.first()?;
        linearise(elastic, &first.q[..elastic.model().nv()]).ok()?.fastest().ok()
    };
    simulated.fastest.or_else(at_start)
}

/// Why this method.
fn reason(arguments: &Arguments, simulated: &Trajectory, options: &Options) -> String {
    let fastest = simulated.fastest.map(numbers::short).unwrap_or_default();
    let step = numbers::short(options.step);
    match (arguments.method, simulated.method) {
        (Method::Auto, simulate::Method::Rk4) => {
            format!("chosen: steps of {step} s resolve the fastest motion, {fastest} rad/s")
        }
        (Method::Auto, simulate::Method::Adaptive { .. }) => {
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

fn write_csv(path: &Path, elastic: &ElasticModel<f64>, simulated: &Trajectory) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let labels = labels::velocities(elastic.model());
    let mut heading = vec!["t".to_owned()];
    for prefix in ["q", "qd", "theta", "thetad", "torque", "error"] {
        heading.extend(labels.iter().map(|label| csv_cell(&format!("{prefix}:{}", label.name))));
    }
    heading.extend(["kinetic", "potential", "energy", "work"].map(str::to_owned));
    writeln!(file, "{}", heading.join(","))?;
    for sample in &simulated.samples {
        write!(file, "{}", sample.t)?;
        let energies = [sample.kinetic, sample.potential, sample.energy(), sample.work];
        for x in parts(elastic, sample).iter().flatten().chain(&energies) {
            write!(file, ",{x}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}

/// q, q̇, θ, θ̇, torque and error, one number per joint.
fn parts(elastic: &ElasticModel<f64>, sample: &Sample) -> [Vec<f64>; 6] {
    let (system, n) = (Elastic::new(elastic), elastic.model().nv());
    let [q, qd] = [&sample.q, &sample.qd].map(|values| values[..n].to_vec());
    [q, qd, system.rotors(&sample.q), system.rotors(&sample.qd), sample.tau.clone(), sample.error()]
}

fn draw(path: &Path, elastic: &ElasticModel<f64>, simulated: &Trajectory) -> Result<(), Failure> {
    let labels = labels::velocities(elastic.model());
    let times: Vec<f64> = simulated.samples.iter().map(|sample| sample.t).collect();
    let samples: Vec<[Vec<f64>; 6]> = simulated.samples.iter().map(|sample| parts(elastic, sample)).collect();
    let curves = |value: fn(&[Vec<f64>; 6], usize) -> f64| {
        let curve = |(i, label): (usize, &Label)| Curve {
            name: label.name.clone(),
            values: samples.iter().map(|sample| value(sample, i)).collect(),
        };
        labels.iter().enumerate().map(curve).collect::<Vec<_>>()
    };
    let units = labels::units(&labels, "");
    let panels = [
        Panel { axis: format!("position [{units}]"), curves: curves(|[q, ..], i| q[i]) },
        Panel { axis: format!("error [{units}]"), curves: curves(|[.., error], i| error[i]) },
        Panel { axis: format!("deflection [{units}]"), curves: curves(|[q, _, theta, ..], i| theta[i] - q[i]) },
        Panel { axis: "torque [N m, N]".to_owned(), curves: curves(|[.., torque, _], i| torque[i]) },
    ];
    plot::stacked(path, elastic.model().name(), "time [s]", &times, &panels)
}

fn to_json(arguments: &Arguments, elastic: &ElasticModel<f64>, simulated: &Trajectory, options: &Options) -> Value {
    let last = simulated.samples.last();
    json!({
        "robot": elastic.model().name(),
        "controller": arguments.setup.controller.name(),
        "method": simulated.method.name(),
        "reason": reason(arguments, simulated, options),
        "fastest": fastest(elastic, simulated),
        "steps": simulated.steps,
        "duration": last.map(|last| last.t),
        "energy_drift": simulated.energy_drift(),
        "largest_error": simulated.largest_error(0.0),
        "late_error": simulated.largest_error(0.75 * options.duration),
        "final": last.map(|last| {
            let [q, qd, theta, theta_d, torque, error] = parts(elastic, last);
            json!({
                "t": last.t, "q": q, "qd": qd, "theta": theta, "theta_d": theta_d, "torque": torque, "error": error,
            })
        }),
    })
}

fn to_text(arguments: &Arguments, elastic: &ElasticModel<f64>, simulated: &Trajectory, options: &Options) -> String {
    let Some(last) = simulated.samples.last() else { return String::new() };
    let mut lines = vec![
        format!(
            "{HEADING}{}{HEADING:#}: {} s in {} steps, controller {}",
            elastic.model().name(),
            numbers::short(last.t),
            simulated.steps,
            arguments.setup.controller.name()
        ),
        format!(
            "method        {} {FAINT}({}){FAINT:#}",
            simulated.method.name(),
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
    let columns = parts(elastic, last);
    let notations = columns.each_ref().map(|values| Notation::of(values.iter().copied()));
    for (i, label) in labels::velocities(elastic.model()).iter().enumerate() {
        let mut row = vec![label.name.clone()];
        row.extend(columns.iter().zip(&notations).map(|(values, notation)| numbers::format(values[i], notation)));
        rows.push(row);
    }
    lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    lines.join("\n")
}
