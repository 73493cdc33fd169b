//! `jourdain flexible simulate`: the motion of a flexible arm in time.

use super::{ArmArguments, write};
use crate::commands::simulate::progress_bar;
use crate::failure::Failure;
use crate::input;
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use clap::ValueEnum;
use jourdain::flexible::{BuiltArm, FlexibleArm, Scenario};
use jourdain::formats;
use jourdain::simulate::{Flexible, Method, Options, Sample, Simulation, SimulationError, Start, Trajectory};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to do where the first-order model ends.
pub(super) const BEYOND: &str = "the first-order model ends at such deflections; --kinematics rotation \
                                 has no such limit";

/// Simulate the motion of a flexible arm
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A scenario is one of fig5 … fig10 (runs of the paper), a JSON file, - for standard input, or the JSON \
                        itself with q0, qd0, duration, step, torque and damping_factor; without one the arm starts straight \
                        and at rest.\n\nThe energy drift is the largest |E(t) - E(0) - work of torques and friction|, the \
                        momentum drift that of the angular momentum about the base."
)]
pub struct Arguments {
    #[command(flatten)]
    arm: ArmArguments,

    #[command(flatten)]
    run: RunArguments,

    /// Write the samples as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw deflections, joints and tip as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// What the arm does.
#[derive(Debug, clap::Args)]
pub(super) struct RunArguments {
    /// fig5 … fig10, JSON file, - for standard input, or the JSON itself
    #[arg(long, short, value_name = "NAME|FILE|JSON")]
    pub scenario: Option<String>,

    /// Time to simulate, s, instead of what the scenario says
    #[arg(long, short, value_name = "S", allow_negative_numbers = true)]
    pub duration: Option<f64>,

    /// Step length, s, instead of what the scenario says; with the adaptive method the time between samples
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub step: Option<f64>,

    /// Integrator
    #[arg(long, short, default_value = "rk4")]
    pub method: MethodName,

    /// Relative and absolute error per step of the adaptive method
    #[arg(long, value_name = "X", default_value_t = 1e-9, allow_negative_numbers = true)]
    pub tolerance: f64,

    /// Take a sample every so many steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: u64,
}

/// Integrators.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(super) enum MethodName {
    /// Runge-Kutta of order 4, fixed steps
    Rk4,
    /// Dormand-Prince of order 5, steps by tolerance
    Adaptive,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let built = arguments.arm.build()?;
    let (arm, scenario, motion) = arguments.run.run(&arguments.arm.arm, &built, output)?;
    if let Some(path) = &arguments.out {
        write(path, "samples", &to_csv(&arm, &motion))?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &arm, &motion)?;
    }
    if output.is_json() {
        output.json(&to_json(arguments, &motion))?;
    } else {
        output.text(&to_text(arguments, &arm, &scenario, &motion))?;
    }
    Ok(0)
}

impl RunArguments {
    fn read(&self, arm: &str, built: &BuiltArm) -> Result<Scenario, Failure> {
        let mut scenario = match self.scenario.as_deref() {
            None => Scenario::rest(built.arm.size()),
            Some(name) => match Scenario::figure(name) {
                Some(scenario) => scenario,
                None if name == "-" && arm == "-" => {
                    return Err(Failure::usage("arm and scenario cannot both come from standard input"));
                }
                None => {
                    let example = "{\"q0\": [0, 0], \"duration\": 2}";
                    let given = input::read_json(name, "--scenario", "scenario", example).map_err(|failure| {
                        let near = formats::suggest::nearest(name, &Scenario::FIGURES);
                        near.map(|near| format!("did you mean `{near}`?")).into_iter().fold(failure, Failure::hint)
                    })?;
                    formats::read_scenario(&given.text, &built.arm).map_err(|found| given.failure(found))?
                }
            },
        };
        scenario.duration = self.duration.unwrap_or(scenario.duration);
        scenario.step = self.step.unwrap_or(scenario.step);
        Ok(scenario)
    }

    /// The arm as the scenario damps it, the scenario and the motion, with a progress bar once it has taken a second.
    pub fn run(
        &self,
        name: &str,
        built: &BuiltArm,
        output: &Output,
    ) -> Result<(FlexibleArm<f64>, Scenario, Trajectory), Failure> {
        let scenario = self.read(name, built)?;
        let arm = scenario.arm(built);
        let method = match self.method {
            MethodName::Rk4 => Method::Rk4,
            MethodName::Adaptive => Method::Adaptive { relative: self.tolerance, absolute: self.tolerance },
        };
        let (begun, mut bar) = (Instant::now(), None);
        let system = Flexible::new(&arm);
        let mut simulation = Simulation::new(&system);
        simulation.law = scenario.torque.clone().into();
        simulation.start = Start::State { q: scenario.q0.clone(), qd: scenario.qd0.clone() };
        let (duration, step, every) = (scenario.duration, scenario.step, self.every);
        simulation.options = Options { duration, step, method, every, ..Options::default() };
        let motion = simulation.run(&mut |t| {
            if !output.is_quiet() && begun.elapsed() > Duration::from_secs(1) {
                bar.get_or_insert_with(progress_bar).set_position((1000.0 * t / scenario.duration) as u64);
            }
            ControlFlow::Continue(())
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let motion = motion.map_err(|error| failure(&error))?;
        Ok((arm, scenario, motion))
    }
}

fn failure(error: &SimulationError) -> Failure {
    let failure = Failure::new(error.kind(), error.to_string());
    match error {
        SimulationError::Indefinite(_) => failure.hint(BEYOND).unsolved(),
        other if other.is_breakdown() => failure.hint("a smaller --step or --method adaptive may help").unsolved(),
        _ => failure,
    }
}

/// t, the coordinates, their rates, the tip, torques and energies; a line per sample.
fn to_csv(arm: &FlexibleArm<f64>, motion: &Trajectory) -> String {
    let names = arm.coordinate_names();
    let mut heading = vec!["t".to_owned()];
    heading.extend(names.iter().cloned());
    heading.extend(names.iter().map(|name| format!("{name}_dot")));
    heading.extend((1..=arm.joints()).map(|i| format!("tau{i}")));
    heading.extend(["tip_x", "tip_y", "kinetic", "potential", "energy", "work"].map(str::to_owned));
    let mut text = heading.join(",");
    text.push('\n');
    for sample in &motion.samples {
        let energies = [sample.kinetic, sample.potential, sample.energy(), sample.work];
        let numbers = sample.q.iter().chain(&sample.qd).chain(&sample.tau).chain(&sample.outputs).chain(&energies);
        // Writing to a string does not fail.
        let _ = write!(text, "{}", sample.t);
        for x in numbers {
            let _ = write!(text, ",{x}");
        }
        text.push('\n');
    }
    text
}

/// Laid out as Figs. 5–10: deflections link by link, joints, tip.
fn draw(path: &Path, arm: &FlexibleArm<f64>, motion: &Trajectory) -> Result<(), Failure> {
    let names = arm.coordinate_names();
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let curve = |name: &str, value: &dyn Fn(&Sample) -> f64| Curve {
        name: name.to_owned(),
        values: motion.samples.iter().map(value).collect(),
    };
    let mut panels: Vec<(String, Vec<Curve>)> = Vec::new();
    for i in (0..arm.joints()).filter(|&i| !arm.deflections(i).is_empty()) {
        let curves = arm.deflections(i).map(|c| curve(&names[c], &move |sample| sample.q[c]));
        panels.push((format!("link {}: δ [m]", i + 1), curves.collect()));
    }
    let joints = (0..arm.joints()).map(|c| curve(&names[c], &move |sample| sample.q[c]));
    panels.push(("joints [rad]".to_owned(), joints.collect()));
    panels.push((
        "tip [m]".to_owned(),
        vec![curve("x", &|sample| sample.outputs[0]), curve("y", &|sample| sample.outputs[1])],
    ));
    let lettered = panels.into_iter().enumerate().map(|(place, (axis, curves))| Panel {
        axis: format!("({}) {axis}", char::from(b'a' + (place % 26) as u8)),
        curves,
    });
    plot::stacked(path, arm.name(), "time [s]", &times, &lettered.collect::<Vec<_>>())
}

/// Of the angular momentum about the base, N m s.
fn momentum_drift(motion: &Trajectory) -> f64 {
    motion.momentum_drift().map_or(0.0, |[_, angular]| angular)
}

fn to_json(arguments: &Arguments, motion: &Trajectory) -> Value {
    let last = motion.samples.last();
    let method = match arguments.run.method {
        MethodName::Rk4 => "rk4",
        MethodName::Adaptive => "adaptive",
    };
    json!({
        "steps": motion.steps,
        "duration": last.map(|last| last.t),
        "method": method,
        "energy_drift": motion.energy_drift(),
        "momentum_drift": momentum_drift(motion),
        "final": last.map(|last| json!({
            "t": last.t,
            "q": last.q,
            "qd": last.qd,
            "tip": last.outputs,
            "energy": last.energy(),
            "work": last.work,
        })),
    })
}

fn to_text(arguments: &Arguments, arm: &FlexibleArm<f64>, scenario: &Scenario, motion: &Trajectory) -> String {
    let Some(last) = motion.samples.last() else { return String::new() };
    let method = match arguments.run.method {
        MethodName::Rk4 => format!("Runge–Kutta 4, step {} s", numbers::short(scenario.step)),
        MethodName::Adaptive => format!("adaptive, tolerance {:e}", arguments.run.tolerance),
    };
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
            motion.energy_drift(),
            numbers::short(last.energy()),
            numbers::short(last.work)
        ),
        format!("momentum drift  {:.2e} N m s", momentum_drift(motion)),
        format!("{FAINT}no foreshortening or geometric stiffening in the model{FAINT:#}"),
    ];
    for (what, path) in [("samples", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            lines.push(format!("{what:<15} {}", path.display()));
        }
    }
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
