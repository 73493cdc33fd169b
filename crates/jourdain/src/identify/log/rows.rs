//! Rows of a log as numbers, one at a time: lines of a text, or a table in memory.

use super::super::error::IdentifyError;
use super::columns::Columns;
use super::lines::Lines;
use crate::formats::table::{Place, Table, TableError};
use crate::model::Model;
use std::io::BufRead;
use std::ops::{ControlFlow, Range};

/// Rows after which whoever waits is told how far the reading is.
const TOLD: usize = 1 << 10;

/// A log with its heading read.
pub(super) trait Rows {
    /// What its columns are.
    fn columns(&self) -> &Columns;

    /// Where the next row stands.
    fn place(&self) -> Place;

    /// The numbers of the next row, by column; those of columns that are not used are zero. `None` at the end.
    fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError>;

    /// Passes over a row without reading its numbers; false at the end.
    fn skip(&mut self) -> Result<bool, IdentifyError>;
}

impl<R: BufRead> Rows for Lines<R> {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn place(&self) -> Place {
        Place::Line(self.line() + 1)
    }

    fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError> {
        Self::next(self)
    }

    fn skip(&mut self) -> Result<bool, IdentifyError> {
        Self::skip(self)
    }
}

/// A log in memory.
pub(super) struct TableRows<'t, F> {
    table: &'t Table,
    columns: Columns,
    used: Vec<usize>,
    rows: Range<usize>,
    values: Vec<f64>,
    progress: F,
}

impl<'t, F: FnMut(f64) -> ControlFlow<()>> TableRows<'t, F> {
    /// The first rows of a table, at most so many.
    pub fn new(table: &'t Table, most: usize, model: &Model<f64>, progress: F) -> Result<Self, IdentifyError> {
        let columns = Columns::new(table.headings(), model)?;
        let (used, values) = (columns.used().collect(), vec![0.0; table.headings().len()]);
        Ok(Self { table, columns, used, rows: 0..table.rows().min(most), values, progress })
    }

    /// The number of the next row, if there is one.
    fn advance(&mut self) -> Result<Option<usize>, IdentifyError> {
        let Some(row) = self.rows.next() else { return Ok(None) };
        if row % TOLD == 0 && (self.progress)(row as f64 / self.table.rows() as f64).is_break() {
            let message = "stopped before the end, as asked".to_owned();
            return Err(TableError::Unreadable { message }.into());
        }
        Ok(Some(row))
    }
}

impl<F: FnMut(f64) -> ControlFlow<()>> Rows for TableRows<'_, F> {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn place(&self) -> Place {
        Place::Row(self.rows.start as u64 + 1)
    }

    fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError> {
        let Some(row) = self.advance()? else { return Ok(None) };
        for &column in &self.used {
            self.values[column] = self.table.number(column, row)?;
        }
        Ok(Some(&self.values))
    }

    fn skip(&mut self) -> Result<bool, IdentifyError> {
        Ok(self.advance()?.is_some())
    }
}
