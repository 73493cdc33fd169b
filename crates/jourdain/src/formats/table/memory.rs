//! A table that is in memory already: columns of numbers by name.
//!
//! Names of columns are those of a file. Trap: rows count from 1, as in messages about Parquet files, and there is no heading
//! among them. A table that has only some rows of a file knows their numbers there.

use super::error::TableError;
use super::heading::Vector;
use super::series::{Series, Wanted};
use crate::model::Model;
use std::fmt;

/// Where a row stands, from 1: in a text by its line, in memory by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, its heading counted.
    Line(u64),
    /// A row of a table.
    Row(u64),
}

impl Place {
    /// The number of the line or row.
    #[must_use]
    pub fn number(self) -> u64 {
        match self {
            Self::Line(number) | Self::Row(number) => number,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Row(number) => write!(f, "row {number}"),
        }
    }
}

/// Columns of numbers by name, all of one length.
///
/// ```
/// use jourdain::formats::table::Table;
///
/// let table = Table::new(vec![("t".to_owned(), vec![0.0, 0.1]), ("q1".to_owned(), vec![1.0, 1.5])]).unwrap();
/// assert_eq!(table.rows(), 2);
/// assert!(Table::new(vec![("t".to_owned(), vec![0.0]), ("q1".to_owned(), vec![])]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    headings: Vec<String>,
    columns: Vec<Vec<f64>>,
    rows: usize,
    /// The number of each row in its file, from 1, where others were left out.
    numbers: Option<Vec<u64>>,
}

impl Table {
    /// The table of these columns.
    ///
    /// # Errors
    /// No columns, or some that are longer than others.
    pub fn new(columns: Vec<(String, Vec<f64>)>) -> Result<Self, TableError> {
        let rows = columns.first().ok_or(TableError::NoColumns)?.1.len();
        if let Some((name, column)) = columns.iter().find(|(_, column)| column.len() != rows) {
            let (name, found, first) = (name.clone(), column.len(), columns[0].0.clone());
            return Err(TableError::Lengths { name, found, first, expected: rows });
        }
        let (headings, columns) = columns.into_iter().unzip();
        Ok(Self { headings, columns, rows, numbers: None })
    }

    /// The same with the number that each row has in its file, from 1.
    ///
    /// # Panics
    /// If there are not as many numbers as rows.
    #[must_use]
    pub fn numbered(self, numbers: Vec<u64>) -> Self {
        assert_eq!(numbers.len(), self.rows, "every row has a number");
        Self { numbers: Some(numbers), ..self }
    }

    /// Appends the rows of a table of the same columns.
    ///
    /// # Panics
    /// If it has other columns, or only one of the two has numbers of its own.
    pub fn append(&mut self, other: Self) {
        assert_eq!(self.headings, other.headings, "the same columns");
        self.columns.iter_mut().zip(other.columns).for_each(|(own, more)| own.extend(more));
        self.rows += other.rows;
        match (&mut self.numbers, other.numbers) {
            (Some(own), Some(more)) => own.extend(more),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => panic!("rows of both tables have numbers, or of none"),
        }
    }

    /// The number that a row, from 0, has in its file, if it is another than its place here.
    #[must_use]
    pub fn number_in_file(&self, row: usize) -> Option<u64> {
        self.numbers.as_ref().and_then(|numbers| numbers.get(row).copied())
    }

    /// The names of the columns.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The numbers of a column.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> &[f64] {
        &self.columns[column]
    }

    /// A number that is to be finite.
    ///
    /// # Errors
    /// It is not.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn number(&self, column: usize, row: usize) -> Result<f64, TableError> {
        match self.columns[column][row] {
            x if x.is_finite() => Ok(x),
            value => {
                let name = self.headings[column].clone();
                let row = self.number_in_file(row).unwrap_or(row as u64 + 1);
                Err(TableError::NotFinite { row, column: column + 1, name, value })
            }
        }
    }

    /// The first of `vectors` that the table has, over time. Other columns are left alone.
    ///
    /// # Errors
    /// Columns that are missing or there twice, or numbers that are not finite.
    ///
    /// # Panics
    /// If there are no `vectors`.
    pub fn series(&self, model: &Model<f64>, vectors: &[Vector]) -> Result<Series, TableError> {
        let Wanted { time, columns } = Wanted::required(&self.headings, model, vectors)?;
        let mut series = Series { times: Vec::with_capacity(self.rows), rows: Vec::new(), places: Vec::new() };
        for row in 0..self.rows {
            series.times.push(self.number(time, row)?);
            series.rows.push(columns.iter().map(|&column| self.number(column, row)).collect::<Result<_, _>>()?);
            series.places.push(Place::Row(row as u64 + 1));
        }
        Ok(series)
    }
}

#[cfg(test)]
mod tests {
    use super::super::heading::{COMPUTED_TORQUES, TORQUES};
    use super::*;
    use crate::robots;

    fn table(columns: &[(&str, &[f64])]) -> Table {
        Table::new(columns.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect()).unwrap()
    }

    #[test]
    fn a_vector_over_time_is_found_by_its_headings() {
        let model = robots::load("planar2r").unwrap();
        let tau = [TORQUES, COMPUTED_TORQUES];
        let found =
            table(&[("tau2", &[3.0, 4.0]), ("t", &[0.0, 0.5]), ("tau_link1", &[1.0, 2.0]), ("x", &[f64::NAN; 2])]);
        let series = found.series(&model, &tau).unwrap();
        assert_eq!((series.times, series.rows), (vec![0.0, 0.5], vec![vec![1.0, 3.0], vec![2.0, 4.0]]));
        let kind = |columns: &[(&str, &[f64])]| table(columns).series(&model, &tau).unwrap_err().kind();
        assert_eq!(kind(&[("t", &[0.0])]), "missing-column");
        assert_eq!(kind(&[("tau1", &[0.0]), ("tau2", &[0.0])]), "missing-column");
        assert_eq!(kind(&[("t", &[0.0]), ("tau1", &[0.0]), ("tau2", &[f64::INFINITY])]), "not-finite");
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let error = Table::new(vec![("t".to_owned(), vec![0.0; 3]), ("q1".to_owned(), vec![0.0; 2])]).unwrap_err();
        assert_eq!(error.to_string(), "column `q1` has 2 numbers, but `t` has 3");
        assert_eq!(Table::new(Vec::new()).unwrap_err().kind(), "no-heading");
    }
}
