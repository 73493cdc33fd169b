//! A sheet as Parquet: a column of doubles per number, one of texts for words, compressed with Snappy, in row groups of bounded size.

use super::Layout;
use crate::problem::Problem;
use crate::states::{TimeColumn, Times};
use crate::write::Output;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::io;
use std::sync::Arc;

/// Most rows of a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Most numbers of a row group, which is kept until it is full: 32 MiB.
const GROUP_NUMBERS: usize = 1 << 22;

pub(super) struct Writer<'h> {
    file: SerializedFileWriter<Output<'h>>,
    width: usize,
    group_rows: usize,
    /// Rows that wait, one after the other, and their times.
    rows: usize,
    values: Vec<f64>,
    doubles: Vec<f64>,
    integers: Vec<i64>,
    words: Vec<ByteArray>,
    has_time: bool,
    has_words: bool,
    column: Vec<f64>,
}

impl<'h> Writer<'h> {
    pub fn new(layout: &Layout, output: Output<'h>) -> Result<Self, Problem> {
        let time = layout.time.iter().map(time_field);
        let words = layout.words.iter().map(|name| typed_field(name, Physical::BYTE_ARRAY, Some(LogicalType::String)));
        let fields: Result<Vec<TypePtr>, ParquetError> =
            time.chain(layout.columns.iter().map(|name| field(name, Physical::DOUBLE))).chain(words).collect();
        let schema = fields.and_then(|fields| Type::group_type_builder("jourdain").with_fields(fields).build());
        // Measured numbers hardly ever repeat, so that a dictionary would only cost time.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::None)
            .build();
        let file = schema.and_then(|schema| SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties)));
        let width = layout.columns.len();
        Ok(Self {
            file: file
                .map_err(|error| Problem::new("cannot-write", format!("cannot begin the Parquet file: {error}")))?,
            width,
            group_rows: (GROUP_NUMBERS / width.max(1)).clamp(1, GROUP_ROWS),
            rows: 0,
            values: Vec::new(),
            doubles: Vec::new(),
            integers: Vec::new(),
            words: Vec::new(),
            has_words: layout.words.is_some(),
            has_time: layout.time.is_some(),
            column: Vec::new(),
        })
    }

    pub fn write(&mut self, count: usize, times: &Times, values: &[f64], words: &[&str]) -> Result<(), Problem> {
        self.append(count, times, values, words).map_err(|error| self.file.inner().problem(&error))
    }

    fn append(&mut self, count: usize, times: &Times, values: &[f64], words: &[&str]) -> io::Result<()> {
        let mut row = 0;
        while row < count {
            let more = (count - row).min(self.group_rows - self.rows);
            self.values.extend_from_slice(&values[row * self.width..(row + more) * self.width]);
            self.take_times(times, row..row + more)?;
            if self.has_words {
                self.words.extend(words[row..row + more].iter().map(|word| ByteArray::from(*word)));
            }
            self.rows += more;
            row += more;
            if self.rows == self.group_rows {
                self.flush().map_err(told)?;
            }
        }
        Ok(())
    }

    fn take_times(&mut self, times: &Times, rows: std::ops::Range<usize>) -> io::Result<()> {
        match times {
            Times::Absent => {}
            Times::Doubles(times) => self.doubles.extend_from_slice(&times[rows]),
            Times::Integers(times) => self.integers.extend_from_slice(&times[rows]),
            Times::Text(text, ends) => {
                for row in rows {
                    let start = if row == 0 { 0 } else { ends[row - 1] };
                    let number = std::str::from_utf8(&text[start..ends[row]]).ok().and_then(|text| text.parse().ok());
                    // The reader has seen to it that it is a number.
                    self.doubles.push(number.ok_or(io::ErrorKind::InvalidData)?);
                }
            }
        }
        Ok(())
    }

    /// Writes the rows that wait as a row group.
    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        if self.has_time && self.integers.is_empty() {
            write_column::<DoubleType>(&mut group, &self.doubles)?;
        } else if self.has_time {
            write_column::<Int64Type>(&mut group, &self.integers)?;
        }
        for column in 0..self.width {
            self.column.clear();
            self.column.extend(self.values.iter().skip(column).step_by(self.width));
            write_column::<DoubleType>(&mut group, &self.column)?;
        }
        if self.has_words {
            write_column::<ByteArrayType>(&mut group, &self.words)?;
        }
        group.close()?;
        self.rows = 0;
        self.words.clear();
        self.values.clear();
        self.doubles.clear();
        self.integers.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<(), Problem> {
        let written = self.flush().and_then(|()| self.file.finish().map(drop)).map_err(told);
        written.map_err(|error| self.file.inner().problem(&error))?;
        // `into_inner` would write the end of the file once more.
        self.file.inner_mut().complete()
    }
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Output<'_>>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("a column too many".to_owned()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

fn field(name: &str, physical: Physical) -> Result<TypePtr, ParquetError> {
    typed_field(name, physical, None)
}

fn typed_field(name: &str, physical: Physical, logical: Option<LogicalType>) -> Result<TypePtr, ParquetError> {
    let field = Type::primitive_type_builder(name, physical);
    Ok(Arc::new(field.with_repetition(Repetition::REQUIRED).with_logical_type(logical).build()?))
}

fn time_field(time: &TimeColumn) -> Result<TypePtr, ParquetError> {
    match &time.integer {
        None => field(&time.name, Physical::DOUBLE),
        Some(logical) => typed_field(&time.name, Physical::INT64, logical.clone()),
    }
}

/// What the system says, where it is the system that fails.
fn told(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
