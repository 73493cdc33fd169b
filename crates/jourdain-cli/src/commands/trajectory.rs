//! `jourdain trajectory`: quantities along a motion that is given as a function of time.

use super::eval::{Asked, Method, evaluate, nested, parse_quantities};
use crate::failure::Failure;
use crate::input;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use jourdain::formats::table::{TIME, csv_cell};
use jourdain::prescribed::{PrescribedError, PrescribedMotion};
use jourdain::quantity::Axis;
use jourdain::{Model, State};
use serde_json::{Map, Value, json};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The name of the built-in trajectory.
const MUELLER_KUMAR: &str = "mueller-kumar";

/// Most curves of one panel of a plot.
const MOST_CURVES: usize = 64;

/// Most numbers that are kept: half a gigabyte.
const MOST_NUMBERS: usize = 1 << 26;

/// Evaluate quantities along a trajectory
#[derive(Debug, clap::Args)]
#[command(after_help = "A trajectory is JSON: {\"duration\": 2, \"joints\": [curve, ...]} with a curve {\"cosines\": \
                        [{\"amplitude\", \"frequency\", \"phase\"}, ...], \"offset\"}, {\"polynomial\": [c0, c1, ...]} or \
                        a number per joint; or {\"points\": {\"times\", \"q\", \"spline\": \"cubic\" or \"quintic\"}}, at \
                        rest at both ends. \"wrenches\": [{\"link\", \"force\", \"moment\"}] have three curves each. Or it \
                        is a .csv file of samples with columns t and q[JOINT], or a time and the position \
                        per line, with --smoothing. All derivatives \
                        are exact.\n\nBuilt in: mueller-kumar, the motion and load of Figures 3 and 4 of Mueller and Kumar \
                        2021, for robots with seven joints.")]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// JSON file, CSV file of samples, the JSON itself, or a built-in name
    #[arg(long, short, value_name = "FILE|JSON|NAME")]
    trajectory: String,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[arg(long, short = 'Q', required = true, value_name = "NAMES")]
    quantity: Vec<String>,

    /// Number of times, begin and end included
    #[arg(long, short, value_name = "N", default_value_t = 101)]
    samples: usize,

    /// Times instead of evenly spaced ones, separated by commas, s
    #[arg(long, value_name = "TIMES", value_delimiter = ',', allow_negative_numbers = true)]
    times: Vec<f64>,

    /// Standard deviation of the Gaussian that smooths samples, s
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    smoothing: Option<f64>,

    /// Which formulas to use
    #[arg(long, default_value = "recursive")]
    method: Method,

    /// Write the numbers as CSV
    #[arg(long, short, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Draw the quantities as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let model = input::load_robot(&arguments.robot, output)?;
    let asked = parse_quantities(&arguments.quantity, &model)?;
    let motion = read_motion(&arguments.trajectory, arguments.smoothing, &model)?;
    let times = read_times(arguments, &motion)?;
    let size: usize = asked.iter().map(|asked| asked.quantity.entry().shape.size(&model)).sum();
    if size.saturating_mul(times.len()) > MOST_NUMBERS {
        let message = format!("{} times {size} numbers are too many; at most {MOST_NUMBERS} are kept", times.len());
        return Err(Failure::new("too-large", message).hint("ask for fewer samples or quantities"));
    }
    let states: Vec<State<f64>> = times.iter().map(|t| motion.state(&model, *t)).collect();
    let results = evaluate(&asked, arguments.method.path(), &model, &states, output)?;
    if let Some(path) = &arguments.out {
        write_csv(path, &model, &asked, &times, &results).map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the samples: {error}")).file(path.display().to_string())
        })?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &model, &asked, &times, &results)?;
    }
    if output.is_json() {
        output.json(&to_json(&model, &asked, &times, &results))?;
    } else {
        output.text(&to_text(arguments, &model, &asked, &times, &results))?;
    }
    Ok(0)
}

/// A trajectory from a file, the JSON itself or a built-in name.
pub(super) fn read_motion(
    given: &str,
    smoothing: Option<f64>,
    model: &Model<f64>,
) -> Result<PrescribedMotion, Failure> {
    let is_csv = Path::new(given).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    if smoothing.is_some() && !is_csv {
        let message = "a smoothing belongs to samples: the trajectory is no .csv file";
        return Err(Failure::usage(message));
    }
    if given == MUELLER_KUMAR {
        return PrescribedMotion::mueller_kumar(model).map_err(|error| failure(&error, None));
    }
    let inline = given.trim_start().starts_with('{');
    let text = if inline {
        given.to_owned()
    } else {
        std::fs::read_to_string(given).map_err(|error| {
            let hint = format!("a trajectory is a JSON or CSV file, the JSON itself, or `{MUELLER_KUMAR}`");
            Failure::new("cannot-read", format!("cannot read the trajectory: {error}")).file(given).hint(hint)
        })?
    };
    let motion = match (is_csv, smoothing) {
        (true, Some(sigma)) => PrescribedMotion::from_csv(&text, sigma, model),
        (true, None) => {
            let hint = "--smoothing 0.02 averages over 0.02 s";
            return Err(Failure::usage("samples have no derivatives: say how to smooth them").hint(hint));
        }
        (false, _) => PrescribedMotion::from_json(&text, model),
    };
    motion.map_err(|error| failure(&error, (!inline).then_some(given)))
}

fn failure(error: &PrescribedError, file: Option<&str>) -> Failure {
    let kind = match error {
        PrescribedError::UnknownLink { .. } => "unknown-link",
        PrescribedError::Joints { .. } => "wrong-length",
        PrescribedError::Quaternions { .. } => "unsupported-joint",
        _ => "bad-trajectory",
    };
    file.iter().fold(Failure::new(kind, error.to_string()), |failure, file| failure.file(*file))
}

fn read_times(arguments: &Arguments, motion: &PrescribedMotion) -> Result<Vec<f64>, Failure> {
    if let Some(t) = arguments.times.iter().find(|t| !t.is_finite()) {
        return Err(Failure::usage(format!("{t} is no time")));
    }
    if !arguments.times.is_empty() {
        return Ok(arguments.times.clone());
    }
    if arguments.samples == 0 || arguments.samples > MOST_NUMBERS {
        return Err(Failure::usage(format!("{} samples cannot be taken", arguments.samples)));
    }
    Ok(motion.times(arguments.samples))
}

/// What the numbers of a quantity are called along its axes; one empty name for a single number.
fn element_labels(model: &Model<f64>, asked: &Asked) -> Vec<String> {
    let entry = asked.quantity.entry();
    let lengths = entry.shape.lengths(model);
    let labels = |axis: &Axis| axis.labels(model).unwrap_or_default();
    let axes: Vec<Vec<String>> = entry.shape.0.iter().map(labels).collect();
    (0..entry.shape.size(model))
        .map(|index| {
            let mut rest = index;
            let mut parts = Vec::with_capacity(lengths.len());
            for (length, labels) in lengths.iter().zip(&axes).rev() {
                let at = rest % length;
                rest /= length;
                parts.push(labels.get(at).cloned().unwrap_or_else(|| at.to_string()));
            }
            parts.reverse();
            parts.join(" ")
        })
        .collect()
}

fn write_csv(
    path: &Path,
    model: &Model<f64>,
    asked: &[Asked],
    times: &[f64],
    results: &[Vec<Vec<f64>>],
) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    write!(file, "{TIME}")?;
    for asked in asked {
        for name in asked.quantity.entry().shape.headings(&asked.name, model) {
            write!(file, ",{}", csv_cell(&name))?;
        }
    }
    writeln!(file)?;
    for (t, values) in times.iter().zip(results) {
        write!(file, "{t}")?;
        for x in values.iter().flatten() {
            write!(file, ",{x}")?;
        }
        writeln!(file)?;
    }
    file.flush()
}

fn draw(
    path: &Path,
    model: &Model<f64>,
    asked: &[Asked],
    times: &[f64],
    results: &[Vec<Vec<f64>>],
) -> Result<(), Failure> {
    let mut panels = Vec::with_capacity(asked.len());
    for (index, asked) in asked.iter().enumerate() {
        let names = element_labels(model, asked);
        if names.len() > MOST_CURVES {
            let message = format!("`{}` has {} numbers; a plot shows at most {MOST_CURVES}", asked.name, names.len());
            return Err(Failure::new("too-large", message).hint("--out writes all numbers as CSV"));
        }
        let curve = |(element, name): (usize, String)| Curve {
            name: if name.is_empty() { asked.name.clone() } else { name },
            values: results.iter().map(|values| values[index][element]).collect(),
        };
        let unit = asked.quantity.common_unit(model);
        let axis = unit.map_or_else(|| asked.name.clone(), |unit| format!("{} [{unit}]", asked.name));
        panels.push(Panel { axis, curves: names.into_iter().enumerate().map(curve).collect() });
    }
    plot::stacked(path, model.name(), "time [s]", times, &panels)
}

fn to_json(model: &Model<f64>, asked: &[Asked], times: &[f64], results: &[Vec<Vec<f64>>]) -> Value {
    let mut quantities = Map::new();
    for (index, asked) in asked.iter().enumerate() {
        let lengths = asked.quantity.entry().shape.lengths(model);
        let samples = results.iter().map(|values| nested(&lengths, &values[index])).collect();
        quantities.insert(asked.name.clone(), Value::Array(samples));
    }
    json!({ "robot": model.name(), "t": times, "quantities": quantities })
}

fn to_text(
    arguments: &Arguments,
    model: &Model<f64>,
    asked: &[Asked],
    times: &[f64],
    results: &[Vec<Vec<f64>>],
) -> String {
    let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} samples from {} s to {} s",
        model.name(),
        times.len(),
        numbers::short(first),
        numbers::short(last)
    )];
    for (what, path) in [("samples", &arguments.out), ("plot", &arguments.plot)] {
        if let Some(path) = path {
            lines.push(format!("{what:<8} {}", path.display()));
        }
    }
    for (index, asked) in asked.iter().enumerate() {
        let (units, about) = (asked.quantity.units(model), asked.quantity.about());
        let common = asked.quantity.common_unit(model);
        let unit = common.map_or_else(String::new, |unit| format!(" [{unit}]"));
        lines.push(String::new());
        lines.push(format!("{HEADING}{}{HEADING:#}{FAINT}{unit}  {about}{FAINT:#}", asked.name));
        let mut rows = vec![["", "least", "at t", "largest", "at t"].map(str::to_owned).to_vec()];
        for (element, mut label) in element_labels(model, asked).into_iter().enumerate() {
            if common.is_none() {
                label = format!("{label} [{}]", units[element]);
            }
            let values = || results.iter().map(|values| values[index][element]).zip(times);
            let least = values().fold((f64::INFINITY, 0.0), |best, (x, t)| if x < best.0 { (x, *t) } else { best });
            let largest =
                values().fold((f64::NEG_INFINITY, 0.0), |best, (x, t)| if x > best.0 { (x, *t) } else { best });
            let cells = [least.0, least.1, largest.0, largest.1].map(numbers::short);
            rows.push(std::iter::once(label).chain(cells).collect());
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}
