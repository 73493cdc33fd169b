//! States from a file, block by block: CSV, lines of JSON, long lists of JSON and Parquet in constant memory, short JSON as a whole.

#[cfg(feature = "parquet")]
mod names;
#[cfg(feature = "parquet")]
mod parquet;

use crate::host::Host;
use crate::problem::Problem;
use crate::progress::Watched;
use crate::read::{self, STDIN, What};
use jourdain::formats::table::{Place, StateColumns, StateTable, Table, TableError};
use jourdain::formats::{self, GivenState, StateFile, StateItems, StateLines};
use jourdain::{Model, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Cursor, Read as _};
use std::path::Path;

#[cfg(all(feature = "parquet", feature = "fleets"))]
pub(crate) use names::read_names;
#[cfg(feature = "parquet")]
pub(crate) use parquet::{Tables, read_columns};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// JSON of up to so many bytes is read as a whole: what is wrong with it is shown with the lines around.
const WHOLE: usize = 1 << 20;

/// How states are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
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
            _ if read::is_inline_json(argument) => Self::Json,
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
    /// Their times.
    pub times: Times,
}

impl Block {
    /// The states.
    #[must_use]
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
    /// There are none.
    #[default]
    Absent,
    /// Texts of numbers one after the other, and where each ends.
    Text(Vec<u8>, Vec<usize>),
    /// Numbers.
    Doubles(Vec<f64>),
    /// Integers, whatever they mean.
    Integers(Vec<i64>),
}

impl Times {
    /// Numbers as people write them: `0`, not `0.0`.
    #[must_use]
    pub fn of(times: &[f64]) -> Self {
        let (mut text, mut ends) = (Vec::new(), Vec::with_capacity(times.len()));
        for time in times {
            text.extend_from_slice(time.to_string().as_bytes());
            ends.push(text.len());
        }
        Self::Text(text, ends)
    }
}

/// A column of time that goes through to the result.
#[derive(Clone)]
pub struct TimeColumn {
    /// Its heading.
    pub name: String,
    /// Set if it holds integers: what they mean in Parquet, where that is known.
    pub integer: Option<Option<Meaning>>,
}

/// What integers mean in a Parquet file: a date, a time of some unit.
#[cfg(feature = "parquet")]
pub type Meaning = ::parquet::basic::LogicalType;
/// What integers mean in a Parquet file, which this build does not read.
#[cfg(not(feature = "parquet"))]
pub type Meaning = std::convert::Infallible;

/// A source of states.
pub struct Reader<'a> {
    source: Source<'a>,
    model: &'a Model<f64>,
    /// A quantity that needs the position, if there is one.
    needs_position: Option<String>,
    file: Option<String>,
    /// True if there may be several.
    pub is_list: bool,
    /// The column of time, if there is one.
    pub time: Option<TimeColumn>,
    /// How many states there are, where that is known.
    pub expected: Option<usize>,
    finished: usize,
}

enum Source<'a> {
    Table(Box<StateTable<Box<dyn BufRead + 'a>>>),
    Lines(StateLines<Box<dyn BufRead + 'a>>),
    Items(StateItems<Box<dyn BufRead + 'a>>),
    #[cfg(feature = "parquet")]
    Columns(Box<parquet::Columns<'a>>),
    Memory {
        table: &'a Table,
        layout: StateColumns,
        next: usize,
    },
    Whole(std::vec::IntoIter<GivenState>),
}

impl<'a> Reader<'a> {
    /// Opens what `--state` says. `needs_position` names a quantity that does.
    pub fn open(
        argument: &str,
        format: Option<InputFormat>,
        model: &'a Model<f64>,
        needs_position: Option<String>,
        host: &'a dyn Host,
    ) -> Result<Self, Problem> {
        let format = format.unwrap_or_else(|| InputFormat::of(argument));
        let needed = needs_position.is_some();
        if let Some(table) = host.table(argument) {
            let layout =
                StateColumns::new(table.headings(), model, needed).map_err(|error| table_problem(&error, argument))?;
            let time = layout.time().map(|time| TimeColumn { name: table.headings()[time].clone(), integer: None });
            let (file, expected) = (Some(argument.to_owned()), Some(table.rows()));
            let source = Source::Memory { table, layout, next: 0 };
            return Ok(Self { source, model, needs_position, file, is_list: true, time, expected, finished: 0 });
        }
        let (mut is_list, mut time, mut expected) = (true, None, None);
        let source = match format {
            InputFormat::Json => match open_json(argument, model, host)? {
                Json::Whole(file) => {
                    (is_list, expected) = (file.is_list, Some(file.states.len()));
                    Source::Whole(file.states.into_iter())
                }
                Json::List(source) => Source::Items(StateItems::new(source)),
            },
            InputFormat::Jsonl => Source::Lines(StateLines::new(open(argument, host)?)),
            InputFormat::Csv => {
                let table = StateTable::new(open(argument, host)?, model, needed)
                    .map_err(|error| table_problem(&error, argument))?;
                time = table.time_name().map(|name| TimeColumn { name: name.to_owned(), integer: None });
                Source::Table(Box::new(table))
            }
            #[cfg(not(feature = "parquet"))]
            InputFormat::Parquet => return Err(Problem::new("unsupported", "this build reads no Parquet")),
            #[cfg(feature = "parquet")]
            InputFormat::Parquet => {
                let columns = parquet::Columns::open(argument, model, needed, host)?;
                (time, expected) = (columns.time(), Some(columns.rows()));
                Source::Columns(Box::new(columns))
            }
        };
        let file = (!read::is_inline_json(argument)).then(|| argument.to_owned());
        Ok(Self { source, model, needs_position, file, is_list, time, expected, finished: 0 })
    }

    /// The next states, at most so many; none are left if there are none.
    pub fn read(&mut self, most: usize, block: &mut Block) -> Result<(), Problem> {
        block.places.clear();
        let file = self.file.as_deref().unwrap_or_default();
        match &mut self.source {
            Source::Table(table) => {
                block.count =
                    table.read(most, self.model, &mut block.states).map_err(|error| table_problem(&error, file))?;
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
                    .map_err(|found| Problem::findings(Some(file), file, String::new(), found))?;
                block.states.clear();
                for (given, line) in states {
                    self.needs_position.iter().try_for_each(|name| {
                        let which = || format!("line {line}");
                        check_position(&given, name, self.model, which)
                            .map_err(|problem| problem.file(file).at(line, 1))
                    })?;
                    block.states.push(given.state);
                    block.places.push(line);
                }
                block.count = block.states.len();
            }
            Source::Items(items) => {
                let states = items
                    .read(most, self.model)
                    .map_err(|found| Problem::findings(Some(file), file, String::new(), found))?;
                block.states.clear();
                for given in states {
                    let index = self.finished + block.states.len();
                    let which = || format!("state {index}");
                    self.needs_position.iter().try_for_each(|name| check_position(&given, name, self.model, which))?;
                    block.states.push(given.state);
                }
                block.count = block.states.len();
            }
            #[cfg(feature = "parquet")]
            Source::Columns(columns) => {
                block.count = columns.read(most, self.model, &mut block.states, &mut block.times)?;
                let first = self.finished as u64 + 1;
                block.places.extend(first..first + block.count as u64);
            }
            Source::Memory { table, layout, next } => {
                let rows = *next..table.rows().min(*next + most);
                block.states.resize_with(rows.len().max(block.states.len()), || State::neutral(self.model));
                let mut times = Vec::with_capacity(rows.len());
                for (state, row) in block.states.iter_mut().zip(rows.clone()) {
                    let read = fill(state, layout, table, row, self.model);
                    read.map_err(|error| table_problem(&error, file))?;
                    if let Some(time) = layout.time() {
                        times.push(table.number(time, row).map_err(|error| table_problem(&error, file))?);
                    }
                    block.places.push(row as u64 + 1);
                }
                if layout.time().is_some() {
                    block.times = Times::Doubles(times);
                }
                (block.count, *next) = (rows.len(), rows.end);
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
    pub fn at(&self, problem: Problem, place: Option<u64>) -> Problem {
        match (&self.file, place) {
            (Some(file), Some(line)) => problem.file(file).at(line, 1),
            _ => problem,
        }
    }

    /// What a place of the file is called.
    pub fn place_name(&self) -> &'static str {
        match self.source {
            #[cfg(feature = "parquet")]
            Source::Columns(_) => "row",
            Source::Memory { .. } => "row",
            Source::Table(_) | Source::Lines(_) | Source::Items(_) | Source::Whole(_) => "line",
        }
    }
}

/// A row of a table in memory as a state.
fn fill(
    state: &mut State<f64>,
    layout: &StateColumns,
    table: &Table,
    row: usize,
    model: &Model<f64>,
) -> Result<(), TableError> {
    layout.used().try_for_each(|column| table.number(column, row).map(drop))?;
    layout.fill(model, state, |column| table.number(column, row).unwrap_or_default()).map_err(|(column, error)| {
        TableError::Quaternion { place: Place::Row(row as u64 + 1), column: column + 1, message: error.to_string() }
    })
}

fn check_position(
    given: &GivenState,
    quantity: &str,
    model: &Model<f64>,
    which: impl Fn() -> String,
) -> Result<(), Problem> {
    if given.has_position || model.nq() == 0 {
        return Ok(());
    }
    let problem = Problem::new("missing-position", format!("`{quantity}` needs `q`, but {} does not give it", which()));
    let hint = format!("give {} numbers: \"q\": [{}]", model.nq(), vec!["0"; model.nq().min(8)].join(", "));
    Err(problem.hint(hint))
}

/// What states are, for messages.
const STATES: What = What {
    name: "the states",
    option: "--state",
    hint: "states are a .json, .jsonl, .csv or .parquet file, - for standard input, or the JSON itself",
};

/// States as JSON: all that is there, or a list that is too long for that.
enum Json<'a> {
    Whole(StateFile),
    List(Box<dyn BufRead + 'a>),
}

/// Opens states of a robot; the name of one of its own will do.
fn open_json<'a>(argument: &str, model: &Model<f64>, host: &'a dyn Host) -> Result<Json<'a>, Problem> {
    let what = What {
        name: "the state",
        hint: "a state is a JSON file, - for standard input, or the JSON itself: '{\"q\": [0, 0]}'",
        ..STATES
    };
    if let Some(q) = named(argument, model) {
        let given = GivenState { state: State { q, ..State::neutral(model) }, has_position: true };
        return Ok(Json::Whole(StateFile { states: vec![given], is_list: false }));
    }
    let given = if read::is_inline_json(argument) {
        read::given(argument, what, host)?
    } else {
        let own: Vec<&str> = model.state_names().collect();
        let cannot = |error: std::io::Error| match own[..] {
            [] => read::cannot_read(argument, what, &error),
            _ => read::cannot_read(argument, what, &error).hint(format!(
                "the states of {} are {}; {}",
                model.name(),
                own.join(", "),
                what.hint
            )),
        };
        let (source, length) = read::open(argument, host).map_err(cannot)?;
        let mut source = Watched::new(source, length, host);
        let mut head = Vec::new();
        source.by_ref().take(WHOLE as u64 + 1).read_to_end(&mut head).map_err(cannot)?;
        if head.len() > WHOLE && is_list_of_states(&head) {
            let whole = Cursor::new(head).chain(source);
            return Ok(Json::List(Box::new(BufReader::with_capacity(BUFFER, whole))));
        }
        if head.len() > WHOLE && !head.trim_ascii_start().starts_with(b"{") {
            let message = "the text is long, and neither a state nor a list of states";
            return Err(Problem::new("syntax-error", message).file(argument).hint(what.hint));
        }
        read::text(argument, read::rest(head, source, length, argument, what)?, what)?
    };
    formats::read_states(&given.text, model).map(Json::Whole).map_err(|found| given.problem(found))
}

/// True if a text begins as a list of objects or of lists does.
fn is_list_of_states(text: &[u8]) -> bool {
    let inside = text.trim_ascii_start().strip_prefix(b"[");
    inside.is_some_and(|inside| matches!(inside.trim_ascii_start(), [b'[' | b'{', ..]))
}

/// The position that the robot's file gives this name to.
#[must_use]
pub fn named(argument: &str, model: &Model<f64>) -> Option<Vec<f64>> {
    model.named_position(argument).filter(|_| argument != STDIN && !read::is_inline_json(argument))
}

/// Reads the one state that something starts from; without an argument neutral and at rest.
///
/// # Errors
/// It cannot be read, or is no state of the robot; none or several.
pub fn read_start(argument: Option<&str>, model: &Model<f64>, host: &dyn Host) -> Result<State<f64>, Problem> {
    let Some(argument) = argument else { return Ok(State::neutral(model)) };
    let many = |count: &str| Problem::new("many-states", format!("a motion starts from one state, not from {count}"));
    let Json::Whole(mut file) = open_json(argument, model, host)? else { return Err(many("a long list")) };
    match (file.states.pop(), file.states.len()) {
        (Some(given), 0) => Ok(given.state),
        (None, _) => Err(Problem::new("no-state", "the list of states is empty")),
        (Some(_), others) => Err(many(&(others + 1).to_string())),
    }
}

/// A text, its progress told if its length is known.
fn open<'a>(file: &str, host: &'a dyn Host) -> Result<Box<dyn BufRead + 'a>, Problem> {
    let (source, length) = read::open(file, host).map_err(|error| cannot_read(file, &error))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, Watched::new(source, length, host))))
}

fn cannot_read(file: &str, error: &dyn std::fmt::Display) -> Problem {
    read::cannot_read(file, STATES, error)
}

/// An error with its place in the table.
pub(crate) fn table_problem(error: &TableError, file: &str) -> Problem {
    let problem = Problem::new(error.kind(), error.to_string()).file(file).hints(error.hint());
    error.place().into_iter().fold(problem, |problem, (line, column)| problem.at(line, column))
}
