//! States from a file, block by block: CSV, lines of JSON and Parquet in constant memory, JSON as a whole.

mod parquet;

use crate::failure::Failure;
use crate::input;
use crate::progress::{Progress, Watched};
use clap::ValueEnum;
use jourdain::formats::table::{StateTable, TableError};
use jourdain::formats::{GivenState, StateLines};
use jourdain::{Model, State};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// How states are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// A state, or a list of states
    Json,
    /// A state per line, each as JSON
    Jsonl,
    /// A heading and a line of numbers per state
    Csv,
    /// A column per number
    Parquet,
}

impl InputFormat {
    /// What the argument itself says: JSON if it is that, or what the name of the file ends in.
    pub fn of(argument: &str) -> Self {
        let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            _ if input::is_inline_json(argument) => Self::Json,
            Some("csv" | "tsv") => Self::Csv,
            Some("jsonl" | "ndjson") => Self::Jsonl,
            Some("parquet") => Self::Parquet,
            _ => Self::Json,
        }
    }
}

/// States, where they stand in their file, and their times; memory that is used again.
#[derive(Default)]
pub struct Block {
    states: Vec<State<f64>>,
    count: usize,
    /// Lines or rows, from 1; empty if states have none.
    places: Vec<u64>,
    pub times: Times,
}

impl Block {
    pub fn states(&self) -> &[State<f64>] {
        &self.states[..self.count]
    }

    /// The line or row of a state, from 1.
    pub fn place(&self, index: usize) -> Option<u64> {
        self.places.get(index).copied()
    }
}

/// The times of a block, in the form that their file has.
#[derive(Default)]
pub enum Times {
    #[default]
    Absent,
    /// Texts of numbers one after the other, and where each ends.
    Text(Vec<u8>, Vec<usize>),
    Doubles(Vec<f64>),
    Integers(Vec<i64>),
}

/// A column of time that goes through to the result.
#[derive(Clone)]
pub struct TimeColumn {
    pub name: String,
    /// Set if it holds integers: what they mean in Parquet, where that is known.
    pub integer: Option<Option<::parquet::basic::LogicalType>>,
}

/// A source of states.
pub struct Reader<'a> {
    source: Source<'a>,
    model: &'a Model<f64>,
    /// A quantity that needs the position, if there is one.
    needs_position: Option<String>,
    file: Option<String>,
    pub is_list: bool,
    pub time: Option<TimeColumn>,
    /// How many states there are, where that is known.
    pub expected: Option<usize>,
    finished: usize,
}

enum Source<'a> {
    Table(Box<StateTable<Box<dyn BufRead + 'a>>>),
    Lines(StateLines<Box<dyn BufRead + 'a>>),
    Columns(Box<parquet::Columns<'a>>),
    Whole(std::vec::IntoIter<GivenState>),
}

impl<'a> Reader<'a> {
    /// Opens what `--state` says. `needs_position` names a quantity that does.
    pub fn open(
        argument: &str,
        format: Option<InputFormat>,
        model: &'a Model<f64>,
        needs_position: Option<String>,
        progress: &'a Progress,
    ) -> Result<Self, Failure> {
        let format = format.unwrap_or_else(|| InputFormat::of(argument));
        let needed = needs_position.is_some();
        let (mut is_list, mut time, mut expected) = (true, None, None);
        let source = match format {
            InputFormat::Json => {
                let file = input::read_states(argument, model)?;
                (is_list, expected) = (file.is_list, Some(file.states.len()));
                Source::Whole(file.states.into_iter())
            }
            InputFormat::Jsonl => Source::Lines(StateLines::new(open(argument, progress)?)),
            InputFormat::Csv => {
                let table = StateTable::new(open(argument, progress)?, model, needed)
                    .map_err(|error| table_failure(&error, argument))?;
                time = table.time_name().map(|name| TimeColumn { name: name.to_owned(), integer: None });
                Source::Table(Box::new(table))
            }
            InputFormat::Parquet => {
                let columns = parquet::Columns::open(argument, model, needed, progress)?;
                (time, expected) = (columns.time(), Some(columns.rows()));
                Source::Columns(Box::new(columns))
            }
        };
        let file = (!input::is_inline_json(argument)).then(|| argument.to_owned());
        Ok(Self { source, model, needs_position, file, is_list, time, expected, finished: 0 })
    }

    /// The next states, at most so many; none are left if there are none.
    pub fn read(&mut self, most: usize, block: &mut Block) -> Result<(), Failure> {
        block.places.clear();
        let file = self.file.as_deref().unwrap_or_default();
        match &mut self.source {
            Source::Table(table) => {
                block.count =
                    table.read(most, self.model, &mut block.states).map_err(|error| table_failure(&error, file))?;
                block.places.extend((0..block.count).map(|index| table.line(index)));
                if self.time.is_some() {
                    let (mut text, mut ends) = match std::mem::take(&mut block.times) {
                        Times::Text(text, ends) => (text, ends),
                        _ => Default::default(),
                    };
                    text.clear();
                    ends.clear();
                    for index in 0..block.count {
                        text.extend_from_slice(table.time(index));
                        ends.push(text.len());
                    }
                    block.times = Times::Text(text, ends);
                }
            }
            Source::Lines(lines) => {
                let states = lines
                    .read(most, self.model)
                    .map_err(|found| Failure::findings(Some(file), file, String::new(), found))?;
                block.states.clear();
                for (given, line) in states {
                    self.needs_position.iter().try_for_each(|name| {
                        let which = || format!("line {line}");
                        check_position(&given, name, self.model, which)
                            .map_err(|failure| failure.file(file).at(line, 1))
                    })?;
                    block.states.push(given.state);
                    block.places.push(line);
                }
                block.count = block.states.len();
            }
            Source::Columns(columns) => {
                block.count = columns.read(most, self.model, &mut block.states, &mut block.times)?;
                let first = self.finished as u64 + 1;
                block.places.extend(first..first + block.count as u64);
            }
            Source::Whole(states) => {
                block.states.clear();
                for given in states.by_ref().take(most) {
                    let index = self.finished + block.states.len();
                    let which = || if self.is_list { format!("state {index}") } else { "the state".to_owned() };
                    self.needs_position.iter().try_for_each(|name| check_position(&given, name, self.model, which))?;
                    block.states.push(given.state);
                }
                block.count = block.states.len();
            }
        }
        self.finished += block.count;
        Ok(())
    }

    /// A failure about a state of the file: its line or row is told.
    pub fn at(&self, failure: Failure, place: Option<u64>) -> Failure {
        match (&self.file, place) {
            (Some(file), Some(line)) => failure.file(file).at(line, 1),
            _ => failure,
        }
    }

    /// What a place of the file is called.
    pub fn place_name(&self) -> &'static str {
        if matches!(self.source, Source::Columns(_)) { "row" } else { "line" }
    }
}

fn check_position(
    given: &GivenState,
    quantity: &str,
    model: &Model<f64>,
    which: impl Fn() -> String,
) -> Result<(), Failure> {
    if given.has_position || model.nq() == 0 {
        return Ok(());
    }
    let failure = Failure::new("missing-position", format!("`{quantity}` needs `q`, but {} does not give it", which()));
    let hint = format!("give {} numbers: \"q\": [{}]", model.nq(), vec!["0"; model.nq().min(8)].join(", "));
    Err(failure.hint(hint))
}

/// A text, its progress told if its length is known.
fn open<'a>(file: &str, progress: &'a Progress) -> Result<Box<dyn BufRead + 'a>, Failure> {
    let (source, length): (Box<dyn Read>, _) = if file == input::STDIN {
        (Box::new(std::io::stdin().lock()), None)
    } else {
        let opened = File::open(file).map_err(|error| cannot_read(file, &error))?;
        let length = opened.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        (Box::new(opened), length)
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER, Watched::new(source, length, progress))))
}

fn cannot_read(file: &str, error: &dyn std::fmt::Display) -> Failure {
    let hint = "states are a .json, .jsonl, .csv or .parquet file, - for standard input, or the JSON itself";
    Failure::new("cannot-read", format!("cannot read the states: {error}")).file(file).hint(hint)
}

/// An error with its place in the table.
pub fn table_failure(error: &TableError, file: &str) -> Failure {
    let failure = Failure::new(error.kind(), error.to_string()).file(file);
    let failure = error.hint().into_iter().fold(failure, Failure::hint);
    error.place().into_iter().fold(failure, |failure, (line, column)| failure.at(line, column))
}
