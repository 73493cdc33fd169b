//! The column of a Parquet file that names the robot of each row.

#![cfg_attr(not(feature = "fleets"), allow(unused_imports))]

use super::cannot_read;
use super::parquet::{MOST_AT_ONCE, Trouble, broken, guarded, open, read, spread};
use crate::host::Host;
use crate::mixed::no_column;
use crate::problem::Problem;
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::file::reader::FileReader as _;
use parquet::schema::types::ColumnDescPtr;

/// The column that names the robot of each row: words, or whole numbers.
pub(super) struct Names {
    file: String,
    column: String,
    pub index: usize,
    pub reader: Option<ColumnReader>,
}

impl Names {
    pub fn find(column: &str, columns: &[ColumnDescPtr], file: &str) -> Result<Self, Problem> {
        let index = columns.iter().position(|own| own.path().string() == column);
        let index = index.ok_or_else(|| {
            let headings: Vec<String> = columns.iter().map(|own| own.path().string()).collect();
            no_column(column, &headings).file(file)
        })?;
        let (physical, repeated) = (columns[index].physical_type(), columns[index].max_rep_level() > 0);
        if repeated || !matches!(physical, Type::BYTE_ARRAY | Type::INT32 | Type::INT64) {
            let message = format!("column {} (`{column}`) holds {physical} values, not names", index + 1);
            return Err(Problem::new("wrong-type", message).file(file).hint("names are texts or whole numbers"));
        }
        Ok(Self { file: file.to_owned(), column: column.to_owned(), index, reader: None })
    }

    /// Gives the names of so many rows to `take`, with their places; empty where there is none.
    fn read(&mut self, count: usize, mut take: impl FnMut(usize, &str)) -> Result<(), Trouble> {
        let mut number = |(values, missing): (Vec<i64>, Vec<usize>)| {
            for (row, value) in values.iter().enumerate() {
                let is_missing = missing.binary_search(&row).is_ok();
                take(row, &if is_missing { String::new() } else { value.to_string() });
            }
        };
        match self.reader.as_mut() {
            Some(ColumnReader::ByteArrayColumnReader(reader)) => {
                let (values, missing) = spread(read(reader, count)?, count);
                for (row, value) in values.iter().enumerate() {
                    // What is missing has no data at all, not even none.
                    let is_missing = missing.binary_search(&row).is_ok();
                    let data = if is_missing { &[] } else { value.data() };
                    take(row, String::from_utf8_lossy(data).trim());
                }
            }
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                let (values, missing) = spread(read(reader, count)?, count);
                number((values.into_iter().map(i64::from).collect(), missing));
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => number(spread(read(reader, count)?, count)),
            _ => return Err(Trouble::TooShort),
        }
        Ok(())
    }

    /// The places, among so many rows, of those of a robot, ascending.
    pub fn rows_of(&mut self, robot: &str, count: usize) -> Result<Vec<usize>, Trouble> {
        let mut rows = Vec::new();
        self.read(count, |row, name| {
            if name == robot {
                rows.push(row);
            }
        })?;
        Ok(rows)
    }

    pub fn problem(&self, trouble: Trouble, before: usize) -> Problem {
        trouble.problem(&self.file, &self.column, self.index, before)
    }
}

/// Gives the name in every row of a column, with the number of the row, from 1, to `take`; empty where there is none.
#[cfg(feature = "fleets")]
pub(crate) fn read_names(
    file: &str,
    column: &str,
    host: &dyn Host,
    mut take: impl FnMut(&str, u64) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let reader = open(file, host)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut names = Names::find(column, schema.columns(), file)?;
    let mut finished = 0;
    for group in 0..reader.num_row_groups() {
        let group = guarded(|| reader.get_row_group(group)).map_err(|error| broken(file, &error))?;
        let mut left = usize::try_from(group.metadata().num_rows()).map_err(|error| cannot_read(file, &error))?;
        names.reader = Some(guarded(|| group.get_column_reader(names.index)).map_err(|error| broken(file, &error))?);
        while left > 0 {
            if host.is_cancelled() {
                return Err(Problem::cancelled());
            }
            let count = left.min(MOST_AT_ONCE);
            let mut taken = Ok(());
            let each = |row: usize, name: &str| {
                if taken.is_ok() {
                    taken = take(name, (finished + row + 1) as u64);
                }
            };
            names.read(count, each).map_err(|trouble| names.problem(trouble, finished))?;
            taken?;
            (left, finished) = (left - count, finished + count);
        }
    }
    Ok(())
}
