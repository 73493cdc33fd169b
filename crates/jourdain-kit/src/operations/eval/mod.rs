//! `eval`: quantities of a robot at one state or many.

pub mod quantities;
mod show;
mod stream;

use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::limits;
use crate::nested::Nested;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::read::STDIN;
use crate::resolve::Robot;
use crate::snap::Snap;
use crate::sources;
use crate::states::{Block, InputFormat, Reader};
use jourdain::Model;
use jourdain::quantity::{Axis, Input, Path, QuantityError};
use quantities::{Asked, Method, evaluate_all, parse_quantities, warn_of_damping};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};
use serde::{Deserialize, Serialize};
pub use show::matrix_lines;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};

/// Evaluate quantities of a robot at one state or many
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A state is a JSON object with the keys q, qd, qdd and so on, qd_r, qdd_r, qddd_r, tau and wrenches; \
                      what is missing is zero. A vector may name its joints, {\"elbow\": 0.3}, and a state that is a list of \
                      numbers is its q. A JSON array of states gives an array of results.\n\
                      In CSV and Parquet the columns are q[JOINT] or q1, q2, ..., qd[JOINT] and so on; t or time goes \
                      through to the result, whose columns are inverse_dynamics[JOINT], mass_matrix[JOINT][JOINT], ....\n\
                      `jourdain quantities` lists the quantities."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// File of states (.json, .jsonl, .ndjson, .csv, .parquet), - for standard input, the JSON itself, or the name of one of the
    /// robot's states
    #[schemars(extend("x-table" = sources::states()))]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON"))]
    pub state: String,

    /// What the states are written in, if the name does not say; standard input is JSON
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT"))]
    pub input_format: Option<InputFormat>,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[cfg_attr(feature = "clap", arg(long, short = 'Q', required = true, value_name = "NAMES"))]
    pub quantity: Vec<String>,

    /// Which formulas to use
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub method: Method,

    /// What to write; without it, text to read
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short))]
    pub format: Option<Format>,

    /// File to write, which has its name only once it is complete
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub out: Option<PathBuf>,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

/// What results are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// One document, as with --json
    Json,
    /// A line per state, a column per number
    Csv,
    /// A row per state, a column per number
    Parquet,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The numbers.
    Numbers(Box<Numbers>),
    /// A file of them.
    File(Written),
}

/// The numbers of quantities at states.
#[derive(Debug)]
pub struct Numbers {
    /// The robot.
    pub model: Model<f64>,
    /// The quantities.
    pub asked: Vec<Asked>,
    /// `results[state][quantity]`, row-major.
    pub results: Vec<Vec<Vec<f64>>>,
    /// True if a list of states was given, of however many.
    pub is_list: bool,
    /// True if JSON was asked for beside text.
    as_json: bool,
}

/// The schema of what [`Numbers`] is as data: one object for one state, a list of them for a list.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a description only")]
#[schemars(untagged)]
enum NumbersSchema {
    One(StateSchema),
    List(Vec<StateSchema>),
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "a description only")]
struct StateSchema {
    /// The robot's name.
    robot: String,
    /// By the name asked for.
    quantities: BTreeMap<String, Nested<'static>>,
    /// The names of parameters, if a quantity has an axis of them.
    #[schemars(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<String>>,
}

/// A file of numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// The robot's name.
    pub robot: String,
    /// How many states there were.
    pub states: usize,
    /// What the columns are called.
    pub columns: Vec<String>,
    /// The file; null for standard output.
    pub file: Option<String>,
}

/// States read at once where all are kept anyway.
const READ_AT_ONCE: usize = 4096;

impl Operation for Request {
    const NAME: &'static str = "eval";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", self.out.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let format = check(self)?;
        let model = self.snap.apply(self.robot.load(host)?)?;
        if self.method.path() == Path::Closed || model.has_mimic() {
            limits::EVAL_DENSE.check(model.name(), model.nv()).map_err(|problem| self.robot.blame(problem))?;
        }
        let asked = parse_quantities(&self.quantity, &model)?;
        if asked.iter().any(|asked| asked.quantity.entry().shape.0.contains(&Axis::BaseParameters)) {
            self.snap.note(&model, host);
        }
        warn_of_damping(&asked, &model, host);
        let needs_position = asked.iter().find(|asked| asked.quantity.reads().contains(Input::Position));
        let needs_position = needs_position.map(|asked| asked.name.clone());
        let reader = Reader::open(&self.state, self.input_format, &model, needs_position, host)?;
        match format {
            Some(format @ (Format::Csv | Format::Parquet)) => {
                stream::run(self, format, &asked, &model, reader, host).map(Report::File)
            }
            Some(Format::Json) | None => {
                let is_list = reader.is_list;
                let results = whole(self.method, &asked, &model, reader, host)?;
                let as_json = format == Some(Format::Json);
                Ok(Report::Numbers(Box::new(Numbers { model, asked, results, is_list, as_json })))
            }
        }
    }
}

/// What to write: what is asked for, or else what the name of the file ends in. What does not go together is refused.
fn check(request: &Request) -> Result<Option<Format>, Problem> {
    if request.robot.is_stdin() && request.state == STDIN {
        let hint = "give one of them as a file; a state may also stand on the command line";
        return Err(Problem::usage("robot and state cannot both come from standard input").hint(hint));
    }
    let named = |path: &FilePath| match ending::TABLE.of(path)? {
        "parquet" => Ok(Format::Parquet),
        _ => Ok(Format::Csv),
    };
    let has_ending = |path: &&FilePath| path.extension().is_some();
    match (request.format, request.out.as_deref()) {
        (Some(Format::Json), Some(_)) => {
            let hint = "JSON goes to standard output: `> FILE` keeps it";
            Err(Problem::usage("--out needs --format csv or --format parquet").hint(hint))
        }
        (None, Some(path)) if path.extension().is_none() => {
            let hint = "or let the name end in .csv or .parquet";
            Err(Problem::usage("--out needs --format csv or --format parquet").hint(hint))
        }
        (None, Some(path)) => named(path).map(Some),
        (Some(Format::Parquet), None) => {
            Err(Problem::usage("Parquet needs a file to go to").hint("add --out FILE.parquet"))
        }
        (Some(format), Some(path)) if named(path).is_ok_and(|other| other != format) && has_ending(&path) => {
            let message = format!("the name `{}` and --format do not agree", path.display());
            Err(Problem::usage(message).hint("leave --format out, or change the ending"))
        }
        (format, _) => Ok(format),
    }
}

/// All results at once.
fn whole(
    method: Method,
    asked: &[Asked],
    model: &Model<f64>,
    mut reader: Reader<'_>,
    host: &dyn Host,
) -> Result<Vec<Vec<Vec<f64>>>, Problem> {
    let (mut states, mut places, mut block) = (Vec::new(), Vec::new(), Block::default());
    loop {
        reader.read(READ_AT_ONCE, &mut block)?;
        if block.states().is_empty() {
            break;
        }
        states.extend_from_slice(block.states());
        places.extend((0..block.states().len()).filter_map(|index| block.place(index)));
    }
    let is_list = reader.is_list;
    evaluate_all(asked, method.path(), model, &states, host)
        .map_err(|(index, error)| state_problem(&error, is_list.then_some(index), places.get(index).copied(), &reader))
}

/// What is wrong at a state of a list, with its place in the file.
fn state_problem(error: &QuantityError, index: Option<usize>, place: Option<u64>, reader: &Reader<'_>) -> Problem {
    let place_name = place.map(|place| format!(" ({} {place})", reader.place_name())).unwrap_or_default();
    let message = match index {
        Some(index) => format!("state {index}{place_name}: {error}"),
        None => error.to_string(),
    };
    reader.at(Problem::new(error.kind(), message).hints(error.hint()), place)
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = |values| StateNumbers { numbers: self, values };
        match &self.results[..] {
            [values] if !self.is_list => state(values).serialize(serializer),
            results => {
                let mut list = serializer.serialize_seq(Some(results.len()))?;
                results.iter().try_for_each(|values| list.serialize_element(&state(values)))?;
                list.end()
            }
        }
    }
}

impl JsonSchema for Numbers {
    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        NumbersSchema::json_schema(generator)
    }
}

/// The numbers at one state.
struct StateNumbers<'a> {
    numbers: &'a Numbers,
    values: &'a [Vec<f64>],
}

impl Serialize for StateNumbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Numbers { model, asked, .. } = self.numbers;
        let mut document = serializer.serialize_map(None)?;
        document.serialize_entry("robot", model.name())?;
        document.serialize_entry("quantities", &Quantities { model, asked, values: self.values })?;
        let axes = || asked.iter().flat_map(|asked| asked.quantity.entry().shape.0);
        // Columns that count parameters come with their labels, those of all parameters where there are both.
        let counted = [Axis::Parameters, Axis::InertialParameters, Axis::BaseParameters];
        let axis = counted.into_iter().find(|axis| axes().any(|other| other == axis));
        if let Some(labels) = axis.and_then(|axis| axis.labels(model)) {
            document.serialize_entry("parameters", &labels)?;
        }
        document.end()
    }
}

/// Quantities by name.
struct Quantities<'a> {
    model: &'a Model<f64>,
    asked: &'a [Asked],
    values: &'a [Vec<f64>],
}

impl Serialize for Quantities<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.asked.len()))?;
        for (asked, values) in self.asked.iter().zip(self.values) {
            let lengths = asked.quantity.entry().shape.lengths(self.model);
            map.serialize_entry(&asked.name, &Nested::new(&lengths, values))?;
        }
        map.end()
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Numbers(numbers) if numbers.as_json => serde_json::to_string(numbers).unwrap_or_default(),
            Self::Numbers(numbers) => {
                let Numbers { model, asked, results, is_list, .. } = &**numbers;
                show::to_text(model, asked, results, *is_list)
            }
            Self::File(written) => {
                let file = written.file.as_deref().unwrap_or_default();
                let what = if written.states == 1 { "state" } else { "states" };
                format!("{file}: {} {what}, {} columns", written.states, written.columns.len())
            }
        }
    }

    fn is_to_print(&self) -> bool {
        !matches!(self, Self::File(Written { file: None, .. }))
    }

    fn takes_warnings(&self) -> bool {
        matches!(self, Self::File(_))
    }
}
