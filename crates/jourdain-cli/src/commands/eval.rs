//! `jourdain eval`: quantities of a robot at one state or many.

use crate::failure::Failure;
use crate::input;
use crate::numbers::{self, Notation};
use crate::output::{FAINT, HEADING, Output};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use jourdain::batch::evaluate_batch;
use jourdain::formats::StateFile;
use jourdain::quantity::{Axis, Input, Path, Quantity};
use jourdain::{Model, State};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Evaluate quantities of a robot at one state or many
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A state is a JSON object with the keys q, qd, qdd, qddd, qdddd, derivatives, qd_r, qdd_r, tau and \
                        wrenches; what is missing is zero. A JSON array of states gives an array of results.\n\
                        `jourdain quantities` lists the quantities."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// JSON file with one state or an array of states, - for standard input, or the JSON itself
    #[arg(long, short, value_name = "FILE|JSON")]
    state: String,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[arg(long, short = 'Q', required = true, value_name = "NAMES")]
    quantity: Vec<String>,

    /// Which formulas to use
    #[arg(long, default_value = "recursive")]
    method: Method,
}

/// Which formulas to use.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Method {
    /// The fast recursive algorithms
    Recursive,
    /// The closed forms of the papers
    Closed,
}

impl Method {
    pub(super) fn path(self) -> Path {
        match self {
            Self::Recursive => Path::Fast,
            Self::Closed => Path::Closed,
        }
    }
}

/// Most degrees of freedom: the algorithms need memory in proportion to the square.
const MOST_DOF: usize = 1000;

/// A quantity under the name it was asked for by.
pub(super) struct Asked {
    pub name: String,
    pub quantity: Quantity,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    if arguments.robot == "-" && arguments.state == "-" {
        let hint = "give one of them as a file; a state may also stand on the command line";
        return Err(Failure::usage("robot and state cannot both come from standard input").hint(hint));
    }
    let model = input::load_robot(&arguments.robot, output)?;
    if model.nv() > MOST_DOF {
        let message = format!("{} has {} degrees of freedom; eval takes at most {MOST_DOF}", model.name(), model.nv());
        return Err(Failure::new("too-large", message).file(&arguments.robot));
    }
    let asked = parse_quantities(&arguments.quantity, &model)?;
    let StateFile { states, is_list } = input::read_states(&arguments.state, &model)?;
    let needs_position = asked.iter().find(|asked| asked.quantity.entry().inputs.contains(&Input::Position));
    let incomplete = states.iter().position(|given| !given.has_position && model.nq() > 0);
    if let (Some(asked), Some(index)) = (needs_position, incomplete) {
        let which = if is_list { format!("state {index}") } else { "the state".to_owned() };
        let failure =
            Failure::new("missing-position", format!("`{}` needs `q`, but {which} does not give it", asked.name));
        let hint = format!("give {} numbers: \"q\": [{}]", model.nq(), vec!["0"; model.nq().min(8)].join(", "));
        return Err(failure.hint(hint));
    }
    let states: Vec<_> = states.into_iter().map(|given| given.state).collect();
    let results = evaluate(&asked, arguments.method.path(), &model, &states, is_list, output)?;
    if output.is_json() {
        let mut documents: Vec<_> = results.iter().map(|values| to_json(&model, &asked, values)).collect();
        match documents.pop() {
            Some(document) if !is_list => output.json(&document)?,
            last => {
                documents.extend(last);
                output.json(&Value::Array(documents))?;
            }
        }
    } else {
        output.text(&to_text(&model, &asked, &results, is_list))?;
    }
    Ok(0)
}

/// Names separated by commas. A link's name may hold a comma itself, so the whole is tried first.
pub(super) fn parse_quantities(arguments: &[String], model: &Model<f64>) -> Result<Vec<Asked>, Failure> {
    let mut asked: Vec<Asked> = Vec::new();
    let mut push = |name: &str, quantity: Quantity| {
        if asked.iter().all(|other| other.name != name) {
            asked.push(Asked { name: name.to_owned(), quantity });
        }
    };
    for argument in arguments {
        match Quantity::parse(argument, model) {
            Ok(quantity) => push(argument, quantity),
            Err(_) => {
                for name in argument.split(',').map(str::trim) {
                    push(name, Quantity::parse(name, model)?);
                }
            }
        }
    }
    Ok(asked)
}

/// The numbers of all states, with a progress bar once it has taken a second.
pub(super) fn evaluate(
    asked: &[Asked],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    is_list: bool,
    output: &Output,
) -> Result<Vec<Vec<Vec<f64>>>, Failure> {
    let quantities: Vec<_> = asked.iter().map(|asked| asked.quantity).collect();
    let (start, finished, bar) = (Instant::now(), AtomicU64::new(0), OnceLock::new());
    let results = evaluate_batch(&quantities, path, model, states, |more| {
        let finished = finished.fetch_add(more as u64, Ordering::Relaxed) + more as u64;
        if !output.is_quiet() && start.elapsed() > Duration::from_secs(1) {
            bar.get_or_init(|| progress_bar(states.len())).set_position(finished);
        }
    });
    if let Some(bar) = bar.get() {
        bar.finish_and_clear();
    }
    results.map_err(|(index, error)| {
        let (hint, kind) = (error.hint(), error.kind());
        let message = if is_list { format!("state {index}: {error}") } else { error.to_string() };
        hint.into_iter().fold(Failure::new(kind, message), Failure::hint)
    })
}

fn progress_bar(states: usize) -> ProgressBar {
    let bar = ProgressBar::new(states as u64);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} states, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn to_json(model: &Model<f64>, asked: &[Asked], values: &[Vec<f64>]) -> Value {
    let mut quantities = Map::new();
    for (asked, values) in asked.iter().zip(values) {
        let lengths = asked.quantity.entry().shape.lengths(model);
        quantities.insert(asked.name.clone(), nested(&lengths, values));
    }
    let mut document = json!({ "robot": model.name(), "quantities": quantities });
    let axes = || asked.iter().flat_map(|asked| asked.quantity.entry().shape.0);
    // Columns that count parameters come with their labels, those of all parameters where there are both.
    let counted = [Axis::Parameters, Axis::InertialParameters, Axis::BaseParameters];
    let axis = counted.into_iter().find(|axis| axes().any(|other| other == axis));
    if let Some(labels) = axis.and_then(|axis| axis.labels(model)) {
        document["parameters"] = json!(labels);
    }
    document
}

/// Row-major numbers as nested lists.
pub(super) fn nested(lengths: &[usize], values: &[f64]) -> Value {
    match lengths {
        [] => values.first().map_or(Value::Null, |x| json!(x)),
        [_] => json!(values),
        [rows, rest @ ..] => {
            let size = values.len() / (*rows).max(1);
            Value::Array((0..*rows).map(|row| nested(rest, &values[row * size..(row + 1) * size])).collect())
        }
    }
}

fn to_text(model: &Model<f64>, asked: &[Asked], results: &[Vec<Vec<f64>>], is_list: bool) -> String {
    let mut blocks = Vec::new();
    for (index, values) in results.iter().enumerate() {
        if is_list {
            blocks.push(format!("{HEADING}state {index}{HEADING:#}"));
        }
        blocks.extend(asked.iter().zip(values).map(|(asked, values)| block(model, asked, values)));
    }
    blocks.join("\n\n")
}

fn block(model: &Model<f64>, asked: &Asked, values: &[f64]) -> String {
    let entry = asked.quantity.entry();
    let notation = Notation::of(values.iter().copied());
    let cell = |x: &f64| numbers::format(*x, &notation);
    let unit = if entry.unit.is_empty() { String::new() } else { format!(" [{}]", entry.unit) };
    let heading = format!("{HEADING}{}{HEADING:#}{FAINT}{unit}  {}{FAINT:#}", asked.name, entry.about);
    let axes = entry.shape.0;
    let label = |axis: Axis, index: usize| axis.labels(model).map_or(String::new(), |labels| labels[index].clone());
    let lines = match (axes, entry.shape.lengths(model).as_slice()) {
        (&[], _) => values.iter().map(|x| format!("  {}", cell(x))).collect(),
        (&[axis], _) => {
            let labels = axis.labels(model).unwrap_or_default();
            matrix_lines(values.len(), 1, &labels, &[], |row, _| cell(&values[row]))
        }
        // Parameters are many and have names: one line each.
        (&[axis, Axis::Parameters | Axis::InertialParameters | Axis::BaseParameters], &[rows, columns]) => {
            let labels = [axes[1].labels(model), axis.labels(model)].map(Option::unwrap_or_default);
            matrix_lines(columns, rows, &labels[0], &labels[1], |row, column| cell(&values[column * columns + row]))
        }
        (&[rows_axis, columns_axis], &[rows, columns]) => {
            let labels = [rows_axis.labels(model), columns_axis.labels(model)].map(Option::unwrap_or_default);
            matrix_lines(rows, columns, &labels[0], &labels[1], |row, column| cell(&values[row * columns + column]))
        }
        (&[rows_axis, columns_axis, variable], &[rows, columns, variables]) => {
            let labels = [rows_axis.labels(model), columns_axis.labels(model)].map(Option::unwrap_or_default);
            let mut lines = Vec::new();
            for h in 0..variables {
                lines.push(format!("  {FAINT}by{FAINT:#} {}", label(variable, h)));
                lines.extend(matrix_lines(rows, columns, &labels[0], &labels[1], |row, column| {
                    cell(&values[(row * columns + column) * variables + h])
                }));
            }
            lines
        }
        _ => Vec::new(),
    };
    std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A matrix with its labels, indented.
pub(super) fn matrix_lines(
    rows: usize,
    columns: usize,
    row_labels: &[String],
    column_labels: &[String],
    cell: impl Fn(usize, usize) -> String,
) -> Vec<String> {
    let mut table = Vec::with_capacity(rows + 1);
    if !column_labels.is_empty() {
        table.push(std::iter::once(String::new()).chain(column_labels.iter().cloned()).collect());
    }
    for row in 0..rows {
        let label = row_labels.get(row).cloned().unwrap_or_default();
        table.push(std::iter::once(label).chain((0..columns).map(|column| cell(row, column))).collect());
    }
    numbers::align_right(&table).into_iter().map(|line| format!("  {line}")).collect()
}
