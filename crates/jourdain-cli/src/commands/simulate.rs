//! `jourdain simulate`: the motion of a robot in time.

use crate::failure::Failure;
use crate::input;
use crate::labels::{self, Label};
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output, WARN};
use crate::plot::{self, Curve, Panel};
use crate::states::table_failure;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use jourdain::State;
use jourdain::formats::table::{COMPUTED_TORQUES, Series, TIME, TORQUES, TableError, csv_cell, headings, read_series};
use jourdain::model::description::Location;
use jourdain::model::{Diagnostic, Model};
use jourdain::simulate::{self, IntegrationError, Options, Sample, SimulationError, Torque, TorqueTable, Trajectory};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Simulate the motion of a robot
#[derive(Debug, clap::Args)]
#[command(after_help = "Friction and rotors of the robot file act on the motion; drive torques are none unless \
                        --torque or the state's tau gives them. A table has columns t and tau[JOINT] or \
                        inverse_dynamics[JOINT], among others; or lines of a time and one torque per degree of freedom, \
                        separated by commas or spaces. Before its first and after its last line the nearest \
                        line holds.\n\nThe energy drift is the largest |E(t) - E(0) - work of torques, friction and \
                        wrenches|: the error of the integrator.")]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Start: JSON file, - for standard input, or the JSON itself; without it neutral and at rest
    #[arg(long, short, value_name = "FILE|JSON")]
    state: Option<String>,

    /// Time to simulate, s
    #[arg(long, short, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true)]
    duration: f64,

    /// Step length, s; with the adaptive method the time between samples
    #[arg(long, value_name = "S", default_value_t = 1e-3, allow_negative_numbers = true)]
    step: f64,

    /// Integrator
    #[arg(long, short, default_value = "rk4")]
    method: Method,

    /// Relative and absolute error per step of the adaptive method
    #[arg(long, value_name = "X", default_value_t = 1e-9, allow_negative_numbers = true)]
    tolerance: f64,

    /// Torques of the drives: none, constant JSON, or table FILE
    #[arg(long, short, num_args = 1..=2, value_names = ["KIND", "JSON|FILE"])]
    torque: Option<Vec<String>>,

    /// How a torque table is read between its lines
    #[arg(long, default_value = "linear")]
    interpolation: Interpolation,

    /// Take a sample every so many steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,

    /// Stop when a joint reaches an end of its range
    #[arg(long)]
    stop_at_limits: bool,

    /// Write the samples as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw positions, velocities and energy as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Integrators.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Method {
    /// Runge-Kutta of order 4, fixed steps
    Rk4,
    /// Dormand-Prince of order 5, steps by tolerance
    Adaptive,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Rk4 => "rk4",
            Self::Adaptive => "adaptive",
        }
    }
}

/// Between the lines of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Interpolation {
    /// Straight lines
    Linear,
    /// Each line holds until the next
    Hold,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    if arguments.robot == "-" && arguments.state.as_deref() == Some("-") {
        let hint = "give one of them as a file; a state may also stand on the command line";
        return Err(Failure::usage("robot and state cannot both come from standard input").hint(hint));
    }
    let model = input::load_robot(&arguments.robot, output)?;
    let start = read_start(arguments, &model)?;
    let torque = read_torque(arguments, &model, &start)?;
    let options = Options {
        duration: arguments.duration,
        step: arguments.step,
        method: match arguments.method {
            Method::Rk4 => simulate::Method::Rk4,
            Method::Adaptive => {
                simulate::Method::Adaptive { relative: arguments.tolerance, absolute: arguments.tolerance }
            }
        },
        every: arguments.every,
        stop_at_limits: arguments.stop_at_limits,
        ..Options::default()
    };
    let motion = integrate(&model, &start, &torque, &options, output)?;
    if let Some(path) = &arguments.out {
        write_csv(path, &model, &motion).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the samples: {error}")).file(path.display().to_string())
        })?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &model, &motion)?;
    }
    if output.is_json() {
        output.json(&to_json(arguments.method, &motion))?;
    } else {
        output.text(&to_text(arguments, &model, &motion))?;
    }
    Ok(0)
}

fn read_start(arguments: &Arguments, model: &Model<f64>) -> Result<State<f64>, Failure> {
    let Some(argument) = &arguments.state else { return Ok(State::neutral(model)) };
    let mut file = input::read_states(argument, model)?;
    match (file.states.pop(), file.states.len()) {
        (Some(given), 0) => Ok(given.state),
        (None, _) => Err(Failure::new("no-state", "the list of states is empty")),
        (Some(_), others) => {
            Err(Failure::new("many-states", format!("a motion starts from one state, not from {}", others + 1)))
        }
    }
}

/// What --torque says; without it the state's `tau`, held all the time.
fn read_torque(arguments: &Arguments, model: &Model<f64>, start: &State<f64>) -> Result<Torque, Failure> {
    let words: Vec<&str> = arguments.torque.iter().flatten().map(String::as_str).collect();
    match words[..] {
        [] if start.tau.iter().all(|tau| *tau == 0.0) => Ok(Torque::None),
        [] => Ok(Torque::Constant(start.tau.clone())),
        ["none"] => Ok(Torque::None),
        ["constant", text] => serde_json::from_str(text).map(Torque::Constant).map_err(|error| {
            Failure::new("bad-torque", format!("`{text}` is not a list of numbers: {error}"))
                .hint("write the torques as a JSON list: --torque constant '[1.5, 0]'")
        }),
        ["table", file] => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                Failure::new("cannot-read", format!("cannot read the torque table: {error}")).file(file)
            })?;
            let interpolation = match arguments.interpolation {
                Interpolation::Linear => simulate::Interpolation::Linear,
                Interpolation::Hold => simulate::Interpolation::Hold,
            };
            read_table(&text, file, model, interpolation).map(Torque::Table)
        }
        _ => Err(Failure::usage(format!("`--torque {}` is not a torque", words.join(" ")))
            .hint("it is one of: --torque none, --torque constant '[1.5, 0]', --torque table FILE")),
    }
}

/// Torques over time: by the headings of the table, or as they stand behind the time.
fn read_table(
    text: &str,
    file: &str,
    model: &Model<f64>,
    interpolation: simulate::Interpolation,
) -> Result<TorqueTable, Failure> {
    let series = match read_series(text, model, &[TORQUES, COMPUTED_TORQUES]) {
        Err(TableError::Empty) => None,
        other => other.map_err(|error| table_failure(&error, file))?,
    };
    let table = match series {
        None => TorqueTable::parse(text, interpolation),
        Some(Series { times, rows, lines }) => TorqueTable::new(times.into_iter().zip(rows).collect(), interpolation)
            .map_err(|mut error| {
                let line = lines.get(error.line.saturating_sub(1)).copied().unwrap_or(1);
                error.line = usize::try_from(line).unwrap_or(usize::MAX);
                error
            }),
    };
    table.map_err(|error| {
        let start: usize = text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
        let length = text.lines().nth(error.line - 1).map_or(0, str::len);
        let place = Location { line: error.line, column: 1, start, end: start + length };
        let found = Diagnostic::error("bad-table", error.message).at(place);
        Failure::findings(Some(file), file, text.to_owned(), vec![found])
    })
}

/// The motion, with a progress bar once it has taken a second.
fn integrate(
    model: &Model<f64>,
    start: &State<f64>,
    torque: &Torque,
    options: &Options,
    output: &Output,
) -> Result<Trajectory, Failure> {
    let (begun, mut bar) = (Instant::now(), None);
    let motion = simulate::run(model, start, torque, options, |t| {
        if !output.is_quiet() && begun.elapsed() > Duration::from_secs(1) {
            let bar = bar.get_or_insert_with(progress_bar);
            bar.set_position((1000.0 * t / options.duration) as u64);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    motion.map_err(|error| {
        let failure = Failure::new(error.kind(), error.to_string());
        let failure = hint(&error).into_iter().fold(failure, Failure::hint);
        if error.is_breakdown() { failure.unsolved() } else { failure }
    })
}

fn hint(error: &SimulationError) -> Option<&'static str> {
    match error {
        SimulationError::Integration(IntegrationError::NotFinite { .. }) => Some(
            "a smaller --step may help; if it does not, the mass matrix may be singular: `jourdain check` names massless \
             links that make it so",
        ),
        SimulationError::Integration(IntegrationError::StepTooSmall { .. }) => Some("a larger --tolerance may help"),
        SimulationError::TooManySamples { .. } => Some("--every N takes a sample only every N steps"),
        _ => None,
    }
}

/// A bar of a thousand parts.
pub(super) fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(1000);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn write_csv(path: &Path, model: &Model<f64>, motion: &Trajectory) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let velocities = model.velocities();
    let mut heading = vec![TIME.to_owned()];
    heading.extend(headings("q", &model.coordinates()));
    heading.extend(headings("qd", &velocities));
    heading.extend(headings("tau", &velocities));
    heading.extend(["kinetic", "potential", "energy", "work"].map(str::to_owned));
    let heading: Vec<_> = heading.iter().map(|name| csv_cell(name)).collect();
    writeln!(file, "{}", heading.join(","))?;
    for sample in &motion.samples {
        write!(file, "{}", sample.t)?;
        let energies = [sample.kinetic, sample.potential, sample.energy(), sample.work];
        for x in sample.q.iter().chain(&sample.qd).chain(&sample.tau).chain(&energies) {
            write!(file, ",{x}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}

fn draw(path: &Path, model: &Model<f64>, motion: &Trajectory) -> Result<(), Failure> {
    let (positions, velocities) = (labels::positions(model), labels::velocities(model));
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let curves = |labels: &[Label], values: fn(&Sample) -> &[f64]| {
        let curve = |(index, label): (usize, &Label)| Curve {
            name: label.name.clone(),
            values: motion.samples.iter().map(|sample| values(sample)[index]).collect(),
        };
        labels.iter().enumerate().map(curve).collect::<Vec<_>>()
    };
    let energy = |name: &str, value: fn(&Sample) -> f64| Curve {
        name: name.to_owned(),
        values: motion.samples.iter().map(value).collect(),
    };
    let mut energies = vec![
        energy("kinetic", |sample| sample.kinetic),
        energy("potential", |sample| sample.potential),
        energy("total", Sample::energy),
    ];
    if motion.samples.iter().any(|sample| sample.work != 0.0) {
        energies.push(energy("total less work", |sample| sample.energy() - sample.work));
    }
    let panels = [
        Panel {
            axis: format!("position [{}]", labels::units(&positions, "")),
            curves: curves(&positions, |sample| &sample.q),
        },
        Panel {
            axis: format!("velocity [{}]", labels::units(&velocities, "/s")),
            curves: curves(&velocities, |sample| &sample.qd),
        },
        Panel { axis: "energy [J]".to_owned(), curves: energies },
    ];
    plot::stacked(path, model.name(), "time [s]", &times, &panels)
}

/// The larger of the linear and the angular drift of the momentum, in SI units.
fn momentum_drift(motion: &Trajectory) -> Option<f64> {
    motion.momentum_drift().map(|[linear, angular]| linear.max(angular))
}

fn to_json(method: Method, motion: &Trajectory) -> Value {
    let last = motion.samples.last();
    json!({
        "steps": motion.steps,
        "duration": last.map(|last| last.t),
        "method": method.name(),
        "energy_drift": motion.energy_drift(),
        "momentum_drift": momentum_drift(motion),
        "stopped": motion.stopped.as_ref().map(|hit| json!({ "joint": hit.joint, "t": hit.t, "limit": hit.limit })),
        "final": last.map(|last| json!({ "t": last.t, "q": last.q, "qd": last.qd })),
    })
}

fn to_text(arguments: &Arguments, model: &Model<f64>, motion: &Trajectory) -> String {
    let Some(last) = motion.samples.last() else { return String::new() };
    let method = match arguments.method {
        Method::Rk4 => format!("Runge–Kutta 4, step {} s", numbers::short(arguments.step)),
        Method::Adaptive => format!("adaptive, tolerance {:e}", arguments.tolerance),
    };
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} s in {} steps ({method})",
        model.name(),
        numbers::short(last.t),
        motion.steps
    )];
    if let Some(hit) = &motion.stopped {
        lines.push(format!(
            "{WARN}stopped{WARN:#}: joint `{}` reached its limit {} at t = {} s",
            hit.joint,
            numbers::short(hit.limit),
            numbers::short(hit.t)
        ));
    }
    let largest = motion.samples.iter().map(|sample| sample.kinetic).fold(0.0, f64::max);
    lines.push(format!(
        "energy drift    {:.2e} J {FAINT}(kinetic energy up to {} J, work {} J){FAINT:#}",
        motion.energy_drift(),
        numbers::short(largest),
        numbers::short(last.work)
    ));
    if let Some([linear, angular]) = motion.momentum_drift() {
        lines.push(format!("momentum drift  {linear:.2e} N s, {angular:.2e} N m s"));
    }
    for (what, path) in [("samples", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            lines.push(format!("{what:<15} {}", path.display()));
        }
    }
    lines.push(String::new());
    lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
    lines.extend(state_lines(model, last));
    lines.join("\n")
}

/// Position and velocity, a line per number; numbers of the same name share one.
fn state_lines(model: &Model<f64>, sample: &Sample) -> Vec<String> {
    let (positions, velocities) = (labels::positions(model), labels::velocities(model));
    let [of_q, of_w] = [&sample.q, &sample.qd].map(|values| Notation::of(values.iter().copied()));
    let position = |(label, x): (&Label, &f64)| [numbers::format(*x, &of_q), label.unit.to_owned()];
    let velocity = |(label, x): (&Label, &f64)| [numbers::format(*x, &of_w), format!("{}/s", label.unit)];
    let empty = || [String::new(), String::new()];
    let mut rows = vec![["", "q", "", "qd", ""].map(str::to_owned).to_vec()];
    let mut row = |name: &str, q: [String; 2], w: [String; 2]| {
        rows.push(std::iter::once(name.to_owned()).chain(q).chain(w).collect());
    };
    let mut moving = velocities.iter().zip(&sample.qd).peekable();
    for (label, x) in positions.iter().zip(&sample.q) {
        if velocities.iter().all(|other| other.name != label.name) {
            row(&label.name, position((label, x)), empty());
            continue;
        }
        // Velocities that are not the rates of positions follow the positions of their joint.
        while let Some(other) = moving.next_if(|(other, _)| other.name != label.name) {
            row(&other.0.name, empty(), velocity(other));
        }
        row(&label.name, position((label, x)), moving.next().map_or_else(empty, velocity));
    }
    for other in moving {
        row(&other.0.name, empty(), velocity(other));
    }
    numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")).collect()
}
