//! A log that comes as tables, one after the other: what a reader of column files has in hand at a time.
//!
//! No more than one table is kept, beside those of the first rows, from which clock and smoothing are found. Rows count through all
//! tables, from 1, unless they have numbers of their own. How the log is cut into tables makes no difference to what is read.

use super::super::accumulate::Sample;
use super::super::error::IdentifyError;
use super::columns::Columns;
use super::rows::Rows;
use super::stream::{Options, PRELUDE, Summary, look, samples};
use crate::formats::table::{Place, Table, TableError};
use crate::model::Model;
use std::rc::Rc;

/// Reads a log table by table and gives its samples, in order, to `take`. All tables have the columns of the first.
///
/// # Errors
/// What is wrong with the log, with its row; no table at all; what `tables` gives as an error.
pub fn read_tables(
    tables: impl IntoIterator<Item = Result<Table, IdentifyError>>,
    model: &Model<f64>,
    options: &Options,
    mut take: impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let mut tables = tables.into_iter().map(|table| table.map(Rc::new));
    let (mut first, mut rows) = (Vec::new(), 0);
    while rows < PRELUDE {
        let Some(table) = tables.next().transpose()? else { break };
        rows += table.rows();
        first.push(table);
    }
    let again = first.clone().into_iter().map(Ok);
    let found = look(&mut TablesRows::new(first.into_iter().map(Ok), PRELUDE, model)?, model, options)?;
    let mut all = TablesRows::new(again.chain(tables), usize::MAX, model)?;
    samples(&mut all, &found, model, options, &mut take)
}

/// Tables whose rows are taken as one log.
struct TablesRows<I> {
    tables: I,
    table: Rc<Table>,
    columns: Columns,
    used: Vec<usize>,
    /// Rows of the tables before this one, the next row of this one, and how many more may be read.
    before: u64,
    row: usize,
    left: usize,
    values: Vec<f64>,
}

impl<I: Iterator<Item = Result<Rc<Table>, IdentifyError>>> TablesRows<I> {
    /// The first rows, at most so many.
    fn new(mut tables: I, most: usize, model: &Model<f64>) -> Result<Self, IdentifyError> {
        let table = tables.next().transpose()?.ok_or(TableError::NoColumns)?;
        let columns = Columns::new(table.headings(), model)?;
        let (used, values) = (columns.used().collect(), vec![0.0; table.headings().len()]);
        Ok(Self { tables, table, columns, used, before: 0, row: 0, left: most, values })
    }

    /// Goes to the next row; false at the end.
    fn advance(&mut self) -> Result<bool, IdentifyError> {
        if self.left == 0 {
            return Ok(false);
        }
        while self.row == self.table.rows() {
            let Some(next) = self.tables.next().transpose()? else { return Ok(false) };
            if next.headings() != self.table.headings() {
                let message = format!("the columns change after row {}", self.before + self.row as u64);
                return Err(TableError::Unreadable { message }.into());
            }
            self.before += self.row as u64;
            (self.table, self.row) = (next, 0);
        }
        self.left -= 1;
        self.row += 1;
        Ok(true)
    }
}

impl<I: Iterator<Item = Result<Rc<Table>, IdentifyError>>> Rows for TablesRows<I> {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn place(&self) -> Place {
        let after = || self.before + self.row as u64 + 1;
        Place::Row(self.table.number_in_file(self.row).unwrap_or_else(after))
    }

    fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError> {
        if !self.advance()? {
            return Ok(None);
        }
        for &column in &self.used {
            self.values[column] = self.table.number(column, self.row - 1).map_err(|error| match error {
                TableError::NotFinite { row, column, name, value } => {
                    let row = self.table.number_in_file(self.row - 1).unwrap_or(self.before + row);
                    TableError::NotFinite { row, column, name, value }
                }
                error => error,
            })?;
        }
        Ok(Some(&self.values))
    }

    fn skip(&mut self) -> Result<bool, IdentifyError> {
        self.advance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identify::log::read_table;
    use crate::robots;
    use std::ops::ControlFlow;

    const HEADINGS: [&str; 5] = ["t", "q1", "q2", "tau1", "tau2"];

    /// Rows of a motion without derivatives, so that a filter spans the tables.
    fn rows(count: usize) -> Vec<[f64; 5]> {
        let row = |i| {
            let t = 0.01 * i as f64;
            [t, (3.0 * t).sin(), (2.0 * t).cos(), t, 1.0]
        };
        (0..count).map(row).collect()
    }

    fn table(rows: &[[f64; 5]]) -> Table {
        let column = |(k, name): (usize, &&str)| ((*name).to_owned(), rows.iter().map(|row| row[k]).collect());
        Table::new(HEADINGS.iter().enumerate().map(column).collect()).unwrap()
    }

    fn read(tables: Vec<Table>) -> Result<(Summary, Vec<Vec<f64>>), IdentifyError> {
        let (model, mut seen) = (robots::load("planar2r").unwrap(), Vec::new());
        let take = |sample: &Sample<'_>| seen.push([&[sample.t], sample.q, sample.qd, sample.qdd, sample.tau].concat());
        let summary = read_tables(tables.into_iter().map(Ok), &model, &Options::default(), take)?;
        Ok((summary, seen))
    }

    #[test]
    fn however_a_log_is_cut_its_samples_are_the_same() {
        let rows = rows(40_000);
        let model = robots::load("planar2r").unwrap();
        let mut whole = Vec::new();
        let take =
            |sample: &Sample<'_>| whole.push([&[sample.t], sample.q, sample.qd, sample.qdd, sample.tau].concat());
        let go_on = |_| ControlFlow::Continue(());
        let summary = read_table(&table(&rows), &model, &Options::default(), go_on, take).unwrap();
        for size in [997, 32_768, 40_000] {
            let mut tables: Vec<Table> = rows.chunks(size).map(table).collect();
            tables.insert(1, table(&[]));
            assert_eq!(read(tables).unwrap(), (summary.clone(), whole.clone()), "{size}");
        }
    }

    #[test]
    fn rows_count_through_all_tables() {
        let mut rows = rows(300);
        rows[210][3] = f64::NAN;
        let error = read(rows.chunks(100).map(table).collect()).unwrap_err();
        assert_eq!((error.kind(), error.place()), ("not-finite", Some((211, 4))));
        rows[210] = rows[208];
        let error = read(rows.chunks(100).map(table).collect()).unwrap_err();
        assert_eq!((error.kind(), error.place()), ("unsorted-time", Some((211, 1))));
    }

    #[test]
    fn rows_that_have_numbers_of_their_own_are_called_by_them() {
        let mut rows = rows(300);
        rows[210][3] = f64::NAN;
        let numbered = |(part, rows): (usize, &[[f64; 5]])| {
            let number = |k: usize| 2 * (100 * part + k) as u64 + 7;
            table(rows).numbered((0..rows.len()).map(number).collect())
        };
        let error = read(rows.chunks(100).enumerate().map(numbered).collect()).unwrap_err();
        assert_eq!((error.kind(), error.place()), ("not-finite", Some((427, 4))));
        rows[210] = rows[208];
        let error = read(rows.chunks(100).enumerate().map(numbered).collect()).unwrap_err();
        assert_eq!((error.kind(), error.place()), ("unsorted-time", Some((427, 1))));
        let mut pieces = rows[..200].chunks(100).enumerate().map(numbered);
        let mut joined = pieces.next().unwrap();
        joined.append(pieces.next().unwrap());
        assert_eq!(joined, table(&rows[..200]).numbered((0..200).map(|k| 2 * k + 7).collect()));
    }

    #[test]
    fn tables_of_one_log_have_the_same_columns() {
        let other = Table::new(vec![("t".to_owned(), vec![9.0])]).unwrap();
        let error = read(vec![table(&rows(50)), other]).unwrap_err();
        assert!(error.to_string().ends_with("the columns change after row 50"), "{error}");
        assert_eq!(read(Vec::new()).unwrap_err().kind(), "no-heading");
    }
}
