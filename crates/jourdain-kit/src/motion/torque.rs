//! Torques of the drives: none, constant or over time.

use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, Given, What};
use crate::states::table_problem;
use jourdain::formats::table::{COMPUTED_TORQUES, Series, TORQUES, Table, TableError, read_series};
use jourdain::model::Diagnostic;
use jourdain::model::description::Location;
use jourdain::simulate::{self, Torque, TorqueTable};
use jourdain::{Model, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const TABLE: What = What { name: "the torque table", option: "--torque table", hint: "" };

/// Between the lines of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// Straight lines
    #[default]
    Linear,
    /// Each line holds until the next
    Hold,
}

impl Interpolation {
    fn of_library(self) -> simulate::Interpolation {
        match self {
            Self::Linear => simulate::Interpolation::Linear,
            Self::Hold => simulate::Interpolation::Hold,
        }
    }
}

/// What --torque says; without it the state's `tau`, held all the time.
///
/// # Errors
/// What is no torque, or a table that cannot be read.
pub fn read(
    words: Option<&[String]>,
    interpolation: Interpolation,
    model: &Model<f64>,
    start: &State<f64>,
    host: &dyn Host,
) -> Result<Torque, Problem> {
    let words: Vec<&str> = words.unwrap_or_default().iter().map(String::as_str).collect();
    match words[..] {
        [] if start.tau.iter().all(|tau| *tau == 0.0) => Ok(Torque::None),
        [] => Ok(Torque::Constant(start.tau.clone())),
        ["none"] => Ok(Torque::None),
        ["constant", text] => serde_json::from_str(text).map(Torque::Constant).map_err(|error| {
            Problem::new("bad-torque", format!("`{text}` is not a list of numbers: {error}"))
                .hint("write the torques as a JSON list: --torque constant '[1.5, 0]'")
        }),
        ["table", file] => match host.table(file) {
            Some(table) => in_memory(table, file, model, interpolation.of_library()).map(Torque::Table),
            None => {
                let given = read::given(file, TABLE, host)?;
                read_table(given, model, interpolation.of_library()).map(Torque::Table)
            }
        },
        _ => Err(Problem::usage(format!("`--torque {}` is not a torque", words.join(" ")))
            .hint("it is one of: --torque none, --torque constant '[1.5, 0]', --torque table FILE")),
    }
}

/// Torques over time that are in memory.
fn in_memory(
    table: &Table,
    name: &str,
    model: &Model<f64>,
    interpolation: simulate::Interpolation,
) -> Result<TorqueTable, Problem> {
    let series = table.series(model, &[TORQUES, COMPUTED_TORQUES]).map_err(|error| table_problem(&error, name))?;
    TorqueTable::new(series.times.into_iter().zip(series.rows).collect(), interpolation).map_err(|error| {
        Problem::new("bad-table", format!("row {}: {}", error.line, error.message)).file(name).at(error.line as u64, 1)
    })
}

/// Torques over time: by the headings of the table, or as they stand behind the time.
fn read_table(
    given: Given,
    model: &Model<f64>,
    interpolation: simulate::Interpolation,
) -> Result<TorqueTable, Problem> {
    let series = match read_series(&given.text, model, &[TORQUES, COMPUTED_TORQUES]) {
        Err(TableError::Empty) => None,
        other => other.map_err(|error| table_problem(&error, &given.title))?,
    };
    let table = match series {
        None => TorqueTable::parse(&given.text, interpolation),
        Some(Series { times, rows, places }) => TorqueTable::new(times.into_iter().zip(rows).collect(), interpolation)
            .map_err(|mut error| {
                let line = places.get(error.line.saturating_sub(1)).map_or(1, |place| place.number());
                error.line = usize::try_from(line).unwrap_or(usize::MAX);
                error
            }),
    };
    table.map_err(|error| {
        let start: usize = given.text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
        let length = given.text.lines().nth(error.line - 1).map_or(0, str::len);
        let place = Location { file: 0, line: error.line, column: 1, start, end: start + length };
        given.problem(vec![Diagnostic::error("bad-table", error.message).at(place)])
    })
}
