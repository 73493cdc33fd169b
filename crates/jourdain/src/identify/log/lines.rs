//! Lines of a log as numbers, one at a time, in memory that is used again.

use super::super::error::IdentifyError;
use super::columns::Columns;
use crate::formats::table::{self, RowParser, TableError};
use crate::model::Model;
use std::io::BufRead;

/// A log with its heading read.
pub(super) struct Lines<R> {
    lines: table::Lines<R>,
    parser: RowParser,
    pub columns: Columns,
    text: Vec<u8>,
    values: Vec<f64>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R, model: &Model<f64>) -> Result<Self, IdentifyError> {
        let mut lines = table::Lines::new(source);
        let mut parser = RowParser::new(&mut lines).map_err(|error| match error {
            TableError::Empty => IdentifyError::TooFew { samples: 0, needed: 2 },
            error => error.into(),
        })?;
        let columns = Columns::new(parser.headings(), model)?;
        parser.want(columns.used());
        let values = vec![0.0; parser.headings().len()];
        Ok(Self { lines, parser, columns, text: Vec::new(), values })
    }

    /// Number of the line last read, from 1.
    pub fn line(&self) -> u64 {
        self.lines.line()
    }

    /// The numbers of the next line, by column; those of columns that are not used are zero. `None` at the end.
    pub fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError> {
        if !self.lines.next_into(&mut self.text)? {
            return Ok(None);
        }
        self.parser.parse(&self.text, self.lines.line(), &mut self.values)?;
        Ok(Some(&self.values))
    }

    /// Passes over a line without reading its numbers; false at the end.
    pub fn skip(&mut self) -> Result<bool, IdentifyError> {
        Ok(self.lines.next_into(&mut self.text)?)
    }
}
