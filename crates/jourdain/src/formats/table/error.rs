//! What can be wrong with a table.

use super::memory::Place;

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TableError {
    /// The text could not be read.
    #[error("cannot read the table: {message}")]
    Unreadable {
        /// What the system says.
        message: String,
    },
    /// Nothing there, not even a heading.
    #[error("the table is empty: its first line must name the columns")]
    Empty,
    /// No line with names.
    #[error("the table has no heading: its first line must name the columns ({expected})")]
    NoHeading {
        /// An example.
        expected: String,
    },
    /// A column that must be there.
    #[error("there is no column for {what}: `{column}` or `{number}`")]
    MissingColumn {
        /// Positions, torques, ….
        what: &'static str,
        /// The column's heading.
        column: String,
        /// The column's heading by number.
        number: String,
        /// The letters of the vector.
        letters: &'static str,
        /// A heading that looks like it.
        near: Option<String>,
    },
    /// Two columns for one thing.
    #[error("column {column}: `{name}` stands for the same as an earlier column")]
    DuplicateColumn {
        /// Number of the column, from 1.
        column: usize,
        /// Heading.
        name: String,
    },
    /// A heading that could be that of two columns.
    #[error("column {column}: `{name}` could mean `{}` or `{}`", .meanings[0], .meanings[1])]
    Ambiguous {
        /// Number of the column, from 1.
        column: usize,
        /// Heading.
        name: String,
        /// What it could mean.
        meanings: [String; 2],
    },
    /// No column of time.
    #[error("there is no column of time: `t` or `time`")]
    NoTime,
    /// A line with too few or too many cells.
    #[error("line {line} has {found} cells, the heading has {expected}")]
    Cells {
        /// Line, from 1.
        line: u64,
        /// Cells of the heading.
        expected: usize,
        /// Cells of the line.
        found: usize,
    },
    /// A cell that is no finite number.
    #[error("line {line}, column {column} (`{name}`): {}", fault(.text, *.numeric))]
    BadCell {
        /// Line, from 1.
        line: u64,
        /// Number of the cell, from 1.
        column: usize,
        /// Heading of the column.
        name: String,
        /// What stands there.
        text: String,
        /// It is a number, but NaN or infinite.
        numeric: bool,
    },
    /// A number in memory that is not finite.
    #[error("row {row}, column {column} (`{name}`): `{value}` is not a finite number")]
    NotFinite {
        /// Row, from 1.
        row: u64,
        /// Number of the column, from 1.
        column: usize,
        /// Heading of the column.
        name: String,
        /// What it is.
        value: f64,
    },
    /// A table without columns.
    #[error("the table has no columns")]
    NoColumns,
    /// Columns of different lengths.
    #[error("column `{name}` has {found} numbers, but `{first}` has {expected}")]
    Lengths {
        /// A column.
        name: String,
        /// Its numbers.
        found: usize,
        /// The first column.
        first: String,
        /// Its numbers.
        expected: usize,
    },
    /// A quaternion without direction.
    #[error("{place}: {message}")]
    Quaternion {
        /// Where.
        place: Place,
        /// Cell of its first number, from 1.
        column: usize,
        /// Which.
        message: String,
    },
}

/// What is wrong with a cell.
fn fault(text: &str, numeric: bool) -> String {
    match (text, numeric) {
        ("", _) => "the cell is empty".to_owned(),
        (text, true) => format!("`{text}` is not a finite number"),
        (text, false) => format!("`{text}` is not a number"),
    }
}

impl TableError {
    /// A short name of the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "cannot-read",
            Self::Empty | Self::NoHeading { .. } => "no-heading",
            Self::MissingColumn { .. } | Self::NoTime => "missing-column",
            Self::Ambiguous { .. } => "ambiguous-column",
            Self::DuplicateColumn { .. } => "duplicate-column",
            Self::Cells { .. } => "wrong-cells",
            Self::BadCell { numeric: false, .. } => "not-a-number",
            Self::BadCell { numeric: true, .. } | Self::NotFinite { .. } => "not-finite",
            Self::NoColumns => "no-heading",
            Self::Lengths { .. } => "wrong-length",
            Self::Quaternion { .. } => "zero-quaternion",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::MissingColumn { near: Some(near), .. } => format!("is it the column `{near}`? rename it"),
            Self::MissingColumn { letters, .. } => {
                format!("columns are {letters}[JOINT] or {letters}1, {letters}2, …, all of them or none")
            }
            Self::Ambiguous { .. } => "write it as the one that is meant".to_owned(),
            Self::NoTime => "the first line names the columns".to_owned(),
            Self::Empty => "is it the right file?".to_owned(),
            Self::DuplicateColumn { .. } => "take one of them out, or rename it".to_owned(),
            Self::Cells { .. } => "every line has as many cells as the heading, one number each".to_owned(),
            Self::BadCell { text, .. } if text.is_empty() => "a value is missing? leave such lines out".to_owned(),
            Self::BadCell { numeric: true, .. } => "a sensor dropped out? leave such lines out".to_owned(),
            Self::NotFinite { .. } => "a sensor dropped out? leave such rows out".to_owned(),
            Self::NoColumns => "columns are named as in a file: t, q1, q2, …".to_owned(),
            Self::Lengths { .. } => "every column has a number for each row".to_owned(),
            Self::BadCell { .. } => "numbers are written 0.5 or 5e-1, with a point".to_owned(),
            Self::Quaternion { .. } => "a quaternion is w, x, y, z; no rotation is 1, 0, 0, 0".to_owned(),
            Self::Unreadable { .. } | Self::NoHeading { .. } => return None,
        })
    }

    /// Line and cell, from 1, where the error has them.
    #[must_use]
    pub fn place(&self) -> Option<(u64, usize)> {
        match self {
            Self::DuplicateColumn { column, .. } | Self::Ambiguous { column, .. } => Some((1, *column)),
            Self::BadCell { line, column, .. } | Self::NotFinite { row: line, column, .. } => Some((*line, *column)),
            Self::Quaternion { place, column, .. } => Some((place.number(), *column)),
            Self::Cells { line, .. } => Some((*line, 1)),
            _ => None,
        }
    }
}
