//! `jourdain eval`: quantities of a robot at one state or many.

mod show;
mod stream;

use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use crate::states::{Block, InputFormat, Reader};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use jourdain::batch::evaluate_batch;
use jourdain::quantity::{Input, Path, Quantity, QuantityError};
use jourdain::{Model, State};
use serde_json::Value;
pub(crate) use show::{matrix_lines, nested};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Evaluate quantities of a robot at one state or many
#[derive(Debug, clap::Args)]
#[command(after_help = "A state is a JSON object with the keys q, qd, qdd and so on, qd_r, qdd_r, qddd_r, tau and \
                        wrenches; what is missing is zero. A JSON array of states gives an array of results.\n\
                        In CSV and Parquet the columns are q1, q2, ..., qd1, ... and so on, or q_JOINT; t or time goes \
                        through to the result, whose columns are inverse_dynamics_1, mass_matrix_1_2, ....\n\
                        `jourdain quantities` lists the quantities.")]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// File of states (.json, .jsonl, .ndjson, .csv, .parquet), - for standard input, or the JSON itself
    #[arg(long, short, value_name = "FILE|JSON")]
    state: String,

    /// What the states are written in, if the name does not say; standard input is JSON
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<InputFormat>,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[arg(long, short = 'Q', required = true, value_name = "NAMES")]
    quantity: Vec<String>,

    /// Which formulas to use
    #[arg(long, default_value = "recursive")]
    method: Method,

    /// What to write; without it, text to read
    #[arg(long, short)]
    format: Option<Format>,

    /// File to write, which has its name only once it is complete
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What results are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One document, as with --json
    Json,
    /// A line per state, a column per number
    Csv,
    /// A row per state, a column per number
    Parquet,
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

/// States read at once where all are kept anyway.
const READ_AT_ONCE: usize = 4096;

/// A quantity under the name it was asked for by.
pub(super) struct Asked {
    pub name: String,
    pub quantity: Quantity,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    check(arguments, output)?;
    let model = input::load_robot(&arguments.robot, output)?;
    if model.nv() > MOST_DOF {
        let message = format!("{} has {} degrees of freedom; eval takes at most {MOST_DOF}", model.name(), model.nv());
        return Err(Failure::new("too-large", message).file(&arguments.robot));
    }
    let asked = parse_quantities(&arguments.quantity, &model)?;
    let needs_position = asked.iter().find(|asked| asked.quantity.reads().contains(Input::Position));
    let needs_position = needs_position.map(|asked| asked.name.clone());
    // Rows on the terminal are progress enough.
    let rows_are_shown =
        arguments.format == Some(Format::Csv) && arguments.out.is_none() && std::io::stdout().is_terminal();
    let progress = if rows_are_shown { Progress::hidden() } else { Progress::new(output) };
    let reader = Reader::open(&arguments.state, arguments.input_format, &model, needs_position, &progress)?;
    match arguments.format {
        Some(Format::Csv | Format::Parquet) => stream::run(arguments, &asked, &model, reader, &progress, output),
        _ => whole(arguments, &asked, &model, reader, &progress, output),
    }
}

/// What does not go together.
fn check(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    if arguments.robot == "-" && arguments.state == "-" {
        let hint = "give one of them as a file; a state may also stand on the command line";
        return Err(Failure::usage("robot and state cannot both come from standard input").hint(hint));
    }
    match (arguments.format, &arguments.out) {
        (None | Some(Format::Json), Some(_)) => {
            let hint = "JSON goes to standard output: `> FILE` keeps it";
            Err(Failure::usage("--out needs --format csv or --format parquet").hint(hint))
        }
        (Some(Format::Parquet), None) => {
            Err(Failure::usage("Parquet needs a file to go to").hint("add --out FILE.parquet"))
        }
        (Some(Format::Csv), None) if output.is_json() => {
            let hint = "add --out FILE.csv, or leave --json out";
            Err(Failure::usage("with --json, CSV cannot go to standard output").hint(hint))
        }
        _ => Ok(()),
    }
}

/// All results at once, as JSON or text.
fn whole(
    arguments: &Arguments,
    asked: &[Asked],
    model: &Model<f64>,
    mut reader: Reader<'_>,
    progress: &Progress,
    output: &Output,
) -> Result<u8, Failure> {
    let (mut states, mut places, mut block) = (Vec::new(), Vec::new(), Block::default());
    loop {
        reader.read(READ_AT_ONCE, &mut block)?;
        if block.states().is_empty() {
            break;
        }
        states.extend_from_slice(block.states());
        places.extend((0..block.states().len()).filter_map(|index| block.place(index)));
    }
    progress.clear();
    let is_list = reader.is_list;
    let results = evaluate_all(asked, arguments.method.path(), model, &states, output).map_err(|(index, error)| {
        state_failure(&error, is_list.then_some(index), places.get(index).copied(), &reader)
    })?;
    if output.is_json() || arguments.format == Some(Format::Json) {
        let mut documents: Vec<_> = results.iter().map(|values| show::to_json(model, asked, values)).collect();
        match documents.pop() {
            Some(document) if !is_list => output.json(&document)?,
            last => {
                documents.extend(last);
                output.json(&Value::Array(documents))?;
            }
        }
    } else {
        output.text(&show::to_text(model, asked, &results, is_list))?;
    }
    Ok(0)
}

/// What is wrong at a state of a list, with its place in the file.
fn state_failure(error: &QuantityError, index: Option<usize>, place: Option<u64>, reader: &Reader<'_>) -> Failure {
    let place_name = place.map(|place| format!(" ({} {place})", reader.place_name())).unwrap_or_default();
    let message = match index {
        Some(index) => format!("state {index}{place_name}: {error}"),
        None => error.to_string(),
    };
    let failure = error.hint().into_iter().fold(Failure::new(error.kind(), message), Failure::hint);
    reader.at(failure, place)
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

/// The numbers of all states of a list, with a progress bar once it has taken a second.
pub(super) fn evaluate(
    asked: &[Asked],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    output: &Output,
) -> Result<Vec<Vec<Vec<f64>>>, Failure> {
    evaluate_all(asked, path, model, states, output).map_err(|(index, error)| {
        let failure = Failure::new(error.kind(), format!("state {index}: {error}"));
        error.hint().into_iter().fold(failure, Failure::hint)
    })
}

fn evaluate_all(
    asked: &[Asked],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    output: &Output,
) -> Result<Vec<Vec<Vec<f64>>>, (usize, QuantityError)> {
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
    results
}

fn progress_bar(states: usize) -> ProgressBar {
    let bar = ProgressBar::new(states as u64);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} states, {eta} left") {
        bar.set_style(style);
    }
    bar
}
