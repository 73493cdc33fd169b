//! States from the columns of a Parquet file, some rows of all columns at a time.

use super::names::Names;
use super::{TimeColumn, Times, cannot_read, table_problem};
use crate::host::{Access, Host};
use crate::mixed::RobotRows;
use crate::panics;
use crate::problem::Problem;
use crate::read::STDIN;
use jourdain::formats::table::{StateColumns, Table, TableError};
use jourdain::{Model, State};
use parquet::basic::{LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use rayon::prelude::*;
use std::fs::File;

/// Room that is made for rows before any of them is there: how many a file says it has may be a lie.
pub(super) const MOST_AT_ONCE: usize = 1 << 16;

/// A file of columns.
pub(super) struct Columns<'a> {
    file: String,
    reader: SerializedFileReader<File>,
    layout: StateColumns,
    /// The columns that are read, by their place in the file.
    columns: Vec<Option<Column>>,
    /// The next row group, rows left of the one before, rows that were read.
    next_group: usize,
    left: usize,
    finished: usize,
    rows: usize,
    host: &'a dyn Host,
}

/// A column that is read.
struct Column {
    name: String,
    reader: Option<ColumnReader>,
    unsigned: bool,
    values: Vec<f64>,
    /// Integers as they are, for time.
    integers: Option<Vec<i64>>,
    logical: Option<LogicalType>,
}

impl<'a> Columns<'a> {
    pub fn open(file: &str, model: &Model<f64>, needs_position: bool, host: &'a dyn Host) -> Result<Self, Problem> {
        let reader = open(file, host)?;
        let metadata = reader.metadata().file_metadata();
        let schema = metadata.schema_descr_ptr();
        let headings: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        let layout =
            StateColumns::new(&headings, model, needs_position).map_err(|error| heading_problem(&error, file))?;
        let rows = usize::try_from(metadata.num_rows()).map_err(|error| cannot_read(file, &error))?;
        let mut columns: Vec<Option<Column>> = headings.iter().map(|_| None).collect();
        for index in layout.used().chain(layout.time()) {
            let is_time = layout.time() == Some(index);
            columns[index] = Some(Column::new(&schema.columns()[index], index, is_time, file)?);
        }
        let file = file.to_owned();
        Ok(Self { file, reader, layout, columns, next_group: 0, left: 0, finished: 0, rows, host })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn time(&self) -> Option<TimeColumn> {
        let column = self.columns[self.layout.time()?].as_ref()?;
        let integer = column.integers.is_some().then(|| column.logical.clone());
        Some(TimeColumn { name: column.name.clone(), integer })
    }

    /// Fills the first of `states` and returns how many.
    pub fn read(
        &mut self,
        most: usize,
        model: &Model<f64>,
        states: &mut Vec<State<f64>>,
        times: &mut Times,
    ) -> Result<usize, Problem> {
        while self.left == 0 {
            if !self.next_group()? {
                return Ok(0);
            }
        }
        let count = most.min(self.left);
        for (index, column) in self.columns.iter_mut().enumerate() {
            let Some(column) = column else { continue };
            let read = column.read(count, None);
            read.map_err(|trouble| trouble.problem(&self.file, &column.name, index, self.finished))?;
        }
        if states.len() < count {
            states.resize_with(count, || State::neutral(model));
        }
        let columns: Vec<&[f64]> =
            self.columns.iter().map(|column| column.as_ref().map_or(&[][..], |column| &column.values)).collect();
        let (layout, before) = (&self.layout, self.finished);
        let fill = |(row, state): (usize, &mut State<f64>)| {
            layout.fill(model, state, |column| columns[column][row]).map_err(|(column, error)| {
                let place = (before + row + 1) as u64;
                Problem::new("zero-quaternion", format!("row {place}: {error}")).at(place, column + 1)
            })
        };
        let filled = states[..count].par_iter_mut().with_min_len(256).enumerate().map(fill);
        if let Some(Err(problem)) = filled.find_first(Result::is_err) {
            return Err(problem.file(&self.file));
        }
        if let Some(column) = self.layout.time().and_then(|time| self.columns[time].as_ref()) {
            *times = match &column.integers {
                Some(integers) => Times::Integers(integers.clone()),
                None => Times::Doubles(column.values.clone()),
            };
        }
        self.left -= count;
        self.finished += count;
        self.host.progress(self.finished as f64 / self.rows.max(1) as f64);
        Ok(count)
    }

    /// Opens all columns of the next row group; false if there is none.
    fn next_group(&mut self) -> Result<bool, Problem> {
        if self.next_group >= self.reader.num_row_groups() {
            return Ok(false);
        }
        let broken = |error: ParquetError| broken(&self.file, &error);
        let group = guarded(|| self.reader.get_row_group(self.next_group)).map_err(broken)?;
        for (index, column) in self.columns.iter_mut().enumerate() {
            if let Some(column) = column {
                column.reader = Some(guarded(|| group.get_column_reader(index)).map_err(broken)?);
            }
        }
        self.left = usize::try_from(group.metadata().num_rows()).map_err(|error| cannot_read(&self.file, &error))?;
        self.next_group += 1;
        Ok(true)
    }
}

/// A file of columns whose rows come as tables, one after the other.
pub(crate) struct Tables<'a> {
    file: String,
    reader: SerializedFileReader<File>,
    /// The columns that are read, with their place in the file.
    columns: Vec<(usize, Column)>,
    next_group: usize,
    left: usize,
    finished: usize,
    rows: usize,
    /// Integers of time count from the first of them: as floating point they would lose digits.
    begin: Option<i64>,
    /// The robot whose rows are taken, and the column that names it.
    part: Option<(String, Names)>,
    host: &'a dyn Host,
}

impl<'a> Tables<'a> {
    /// Opens a file; `choose` says which columns are read, and which of them is time. With a part, its rows alone are taken.
    pub fn open(
        file: &str,
        choose: impl FnOnce(&[String]) -> Result<(Vec<usize>, Option<usize>), TableError>,
        part: Option<&RobotRows>,
        host: &'a dyn Host,
    ) -> Result<Self, Problem> {
        let reader = open(file, host)?;
        let metadata = reader.metadata().file_metadata();
        let schema = metadata.schema_descr_ptr();
        let headings: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        let (wanted, time) = choose(&headings).map_err(|error| heading_problem(&error, file))?;
        let rows = usize::try_from(metadata.num_rows()).map_err(|error| cannot_read(file, &error))?;
        let column =
            |index: usize| Ok((index, Column::new(&schema.columns()[index], index, time == Some(index), file)?));
        let columns = wanted.into_iter().map(column).collect::<Result<_, Problem>>()?;
        let names = |part: &RobotRows| {
            Names::find(&part.column, schema.columns(), file).map(|names| (part.robot.clone(), names))
        };
        let part = part.map(names).transpose()?;
        let (file, begin) = (file.to_owned(), None);
        Ok(Self { file, reader, columns, next_group: 0, left: 0, finished: 0, rows, begin, part, host })
    }

    /// How many rows there are in all.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The next rows, at most so many; `None` at the end.
    pub fn next_table(&mut self, most: usize) -> Result<Option<Table>, Problem> {
        let Some(mut table) = self.chunk(most)? else { return Ok(None) };
        // Those of one robot may be few and far between.
        while self.part.is_some() && table.rows() < most {
            let Some(more) = self.chunk(most - table.rows())? else { break };
            table.append(more);
        }
        Ok(Some(table))
    }

    /// What counts of the next rows of a group, at most so many of them; `None` at the end.
    fn chunk(&mut self, most: usize) -> Result<Option<Table>, Problem> {
        while self.left == 0 {
            if !self.next_group()? {
                return Ok(None);
            }
        }
        if self.host.goes_on(self.finished as f64 / self.rows.max(1) as f64).is_break() {
            return Err(Problem::cancelled());
        }
        let (count, before) = (most.min(self.left), self.finished);
        let mine = match &mut self.part {
            Some((robot, names)) => {
                Some(names.rows_of(robot, count).map_err(|trouble| names.problem(trouble, before))?)
            }
            None => None,
        };
        let mut columns = Vec::with_capacity(self.columns.len());
        for (index, column) in &mut self.columns {
            let read = column.read(count, mine.as_deref());
            read.map_err(|trouble| trouble.problem(&self.file, &column.name, *index, before))?;
            let values = match &column.integers {
                Some(integers) => {
                    let begin = *self.begin.get_or_insert(integers.first().copied().unwrap_or(0));
                    integers.iter().map(|t| t.wrapping_sub(begin) as f64).collect()
                }
                None => std::mem::take(&mut column.values),
            };
            let values = match &mine {
                Some(mine) => mine.iter().map(|row| values[*row]).collect(),
                None => values,
            };
            columns.push((column.name.clone(), values));
        }
        self.left -= count;
        self.finished += count;
        let table = Table::new(columns).map_err(|error| table_problem(&error, &self.file))?;
        let number = |row: usize| (before + row + 1) as u64;
        Ok(Some(match mine {
            Some(mine) => table.numbered(mine.into_iter().map(number).collect()),
            None => table,
        }))
    }

    /// Opens the columns of the next row group; false if there is none.
    fn next_group(&mut self) -> Result<bool, Problem> {
        if self.next_group >= self.reader.num_row_groups() {
            return Ok(false);
        }
        let broken = |error: ParquetError| broken(&self.file, &error);
        let group = guarded(|| self.reader.get_row_group(self.next_group)).map_err(broken)?;
        for (index, column) in &mut self.columns {
            column.reader = Some(guarded(|| group.get_column_reader(*index)).map_err(broken)?);
        }
        if let Some((_, names)) = &mut self.part {
            names.reader = Some(guarded(|| group.get_column_reader(names.index)).map_err(broken)?);
        }
        self.left = usize::try_from(group.metadata().num_rows()).map_err(|error| cannot_read(&self.file, &error))?;
        self.next_group += 1;
        Ok(true)
    }
}

/// Columns of numbers, all rows of them, by their place in the file; `choose` says which. Returns the number of rows as well.
pub(crate) fn read_columns(
    file: &str,
    choose: impl FnOnce(&[String]) -> Result<Vec<usize>, Problem>,
    host: &dyn Host,
) -> Result<(Vec<Vec<f64>>, usize), Problem> {
    let reader = open(file, host)?;
    let metadata = reader.metadata().file_metadata();
    let schema = metadata.schema_descr_ptr();
    let headings: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let rows = usize::try_from(metadata.num_rows()).map_err(|error| cannot_read(file, &error))?;
    let mut columns: Vec<Vec<f64>> = headings.iter().map(|_| Vec::new()).collect();
    for index in choose(&headings).map_err(|problem| problem.file(file))? {
        let mut column = Column::new(&schema.columns()[index], index, false, file)?;
        for group in 0..reader.num_row_groups() {
            let group = guarded(|| reader.get_row_group(group)).map_err(|error| broken(file, &error))?;
            let count = usize::try_from(group.metadata().num_rows()).map_err(|error| cannot_read(file, &error))?;
            column.reader = Some(guarded(|| group.get_column_reader(index)).map_err(|error| broken(file, &error))?);
            let before = columns[index].len();
            column.read(count, None).map_err(|trouble| trouble.problem(file, &column.name, index, before))?;
            columns[index].extend_from_slice(&column.values);
        }
        if columns[index].len() != rows {
            return Err(Trouble::TooShort.problem(file, &column.name, index, 0));
        }
    }
    Ok((columns, rows))
}

/// Opens a file of columns, which must be a file: they are found from its end.
pub(super) fn open(file: &str, host: &dyn Host) -> Result<SerializedFileReader<File>, Problem> {
    let hint = "save it to a file first: the columns of a Parquet file are found from its end";
    if file == STDIN {
        return Err(Problem::usage("Parquet cannot be read from standard input").hint(hint));
    }
    if host.memory().is_some() {
        return Err(Problem::usage("Parquet cannot be read from memory").file(file).hint("save it as CSV"));
    }
    let permitted = host.permitted(file, Access::Read);
    let opened = permitted.and_then(|path| File::open(&*path)).map_err(|error| cannot_read(file, &error))?;
    if !opened.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(Problem::usage("Parquet cannot be read from a pipe").file(file).hint(hint));
    }
    guarded(|| SerializedFileReader::new(opened)).map_err(|error| broken(file, &error))
}

/// What may be wrong in a column.
pub(super) enum Trouble {
    Null { row: usize },
    NotFinite { row: usize, value: f64 },
    Broken(ParquetError),
    TooShort,
}

impl Trouble {
    pub fn problem(self, file: &str, name: &str, column: usize, before: usize) -> Problem {
        let place = |row: usize| (before + row + 1) as u64;
        let at = |row: usize, kind, what: String| {
            let message = format!("row {}, column {} (`{name}`): {what}", place(row), column + 1);
            Problem::new(kind, message).file(file).at(place(row), column + 1)
        };
        match self {
            Self::Null { row } => at(row, "missing-value", "there is no value".to_owned())
                .hint("every row needs all numbers of its state: fill the gap, or leave the row out"),
            Self::NotFinite { row, value } => at(row, "not-finite", format!("`{value}` is not a finite number"))
                .hint("a sensor dropped out? leave such rows out"),
            Self::Broken(error) => broken(file, &error),
            Self::TooShort => broken(file, &format!("column `{name}` has fewer rows than the file")),
        }
    }
}

impl Column {
    fn new(descriptor: &ColumnDescriptor, index: usize, is_time: bool, file: &str) -> Result<Self, Problem> {
        let (name, physical) = (descriptor.path().string(), descriptor.physical_type());
        let is_integer = matches!(physical, Type::INT32 | Type::INT64);
        let is_number = is_integer || matches!(physical, Type::FLOAT | Type::DOUBLE);
        let logical = descriptor.logical_type_ref();
        let is_decimal = matches!(logical, Some(LogicalType::Decimal(_)));
        if !is_number || is_decimal || descriptor.max_rep_level() > 0 {
            let what = if descriptor.max_rep_level() > 0 { "lists".to_owned() } else { format!("{physical} values") };
            let what = if is_decimal { "decimals".to_owned() } else { what };
            let message = format!("column {} (`{name}`) holds {what}, not numbers", index + 1);
            let hint = "columns are DOUBLE, FLOAT, INT32 or INT64";
            return Err(Problem::new("wrong-type", message).file(file).hint(hint));
        }
        let unsigned = matches!(logical, Some(LogicalType::Integer(integer)) if !integer.is_signed);
        // Smaller integers are widened, so that what they meant no longer fits.
        let logical = logical.cloned().filter(|_| physical == Type::INT64);
        let integers = (is_time && is_integer).then(Vec::new);
        Ok(Self { name, reader: None, unsigned, values: Vec::new(), integers, logical })
    }

    /// Reads so many rows; those that count, all or `mine`, have finite numbers.
    fn read(&mut self, count: usize, mine: Option<&[usize]>) -> Result<(), Trouble> {
        self.values.clear();
        let unsigned = self.unsigned;
        let integer = |x: i64| if unsigned { x as u64 as f64 } else { x as f64 };
        let integers = &mut self.integers;
        let missing = match self.reader.as_mut() {
            Some(ColumnReader::DoubleColumnReader(reader)) => {
                let (read, missing) = spread(read(reader, count)?, count);
                self.values.extend(read);
                missing
            }
            Some(ColumnReader::FloatColumnReader(reader)) => {
                let (read, missing) = spread(read(reader, count)?, count);
                self.values.extend(read.into_iter().map(f64::from));
                missing
            }
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                let widened = |x: i32| if unsigned { i64::from(x as u32) } else { i64::from(x) };
                let (read, missing) = spread(read(reader, count)?, count);
                let read: Vec<i64> = read.into_iter().map(widened).collect();
                self.values.extend(read.iter().map(|x| *x as f64));
                integers.iter_mut().for_each(|integers| integers.clone_from(&read));
                missing
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => {
                let (read, missing) = spread(read(reader, count)?, count);
                self.values.extend(read.iter().map(|x| integer(*x)));
                integers.iter_mut().for_each(|integers| integers.clone_from(&read));
                missing
            }
            _ => return Err(Trouble::TooShort),
        };
        let counts = |row: &usize| mine.is_none_or(|mine| mine.binary_search(row).is_ok());
        if let Some(row) = missing.into_iter().find(counts) {
            return Err(Trouble::Null { row });
        }
        match (0..count).find(|row| !self.values[*row].is_finite() && counts(row)) {
            Some(row) => Err(Trouble::NotFinite { row, value: self.values[row] }),
            None => Ok(()),
        }
    }
}

/// Asks the crate for something. Trap: it panics on some files that contradict themselves.
pub(super) fn guarded<T>(ask: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    panics::caught(ask).unwrap_or_else(|_| Err(ParquetError::General("its parts contradict each other".to_owned())))
}

/// So many rows: the values that are there, and for each row, where some may be missing, a level.
pub(super) fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
) -> Result<(Vec<T::T>, Vec<i16>), Trouble> {
    let (mut values, mut levels, mut found) = (Vec::with_capacity(count.min(MOST_AT_ONCE)), Vec::new(), 0);
    while found < count {
        // Levels are only there, and only asked for, where values may be missing.
        let (records, _, _) = guarded(|| reader.read_records(count - found, Some(&mut levels), None, &mut values))
            .map_err(Trouble::Broken)?;
        if records == 0 {
            return Err(Trouble::TooShort);
        }
        found += records;
    }
    Ok((values, levels))
}

/// A value for every row, and the rows, ascending, whose value is missing.
pub(super) fn spread<T: Default>((values, levels): (Vec<T>, Vec<i16>), count: usize) -> (Vec<T>, Vec<usize>) {
    if values.len() == count {
        return (values, Vec::new());
    }
    let highest = levels.iter().copied().max().unwrap_or(0).max(1);
    let is_missing = |row: &usize| levels.get(*row).is_none_or(|level| *level < highest);
    let missing: Vec<usize> = (0..count).filter(is_missing).collect();
    let (mut values, mut gaps) = (values.into_iter(), missing.iter().peekable());
    let mut next = |row: usize| match gaps.next_if_eq(&&row) {
        Some(_) => T::default(),
        None => values.next().unwrap_or_default(),
    };
    ((0..count).map(&mut next).collect(), missing)
}

pub(super) fn broken(file: &str, error: &dyn std::fmt::Display) -> Problem {
    let hint = "is it a Parquet file, and complete?";
    Problem::new("bad-parquet", format!("cannot read the Parquet file: {error}")).file(file).hint(hint)
}

/// An error about names of columns, which stand in no line here.
fn heading_problem(error: &TableError, file: &str) -> Problem {
    match error {
        TableError::DuplicateColumn { .. } => {
            Problem::new(error.kind(), error.to_string()).file(file).hints(error.hint())
        }
        _ => table_problem(error, file),
    }
}
