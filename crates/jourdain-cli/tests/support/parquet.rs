//! Parquet files for tests, written and read by the crate itself.

#![allow(dead_code)] // Each test file uses its own part.

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::sync::Arc;

/// A column to write.
pub enum Column {
    Double(Vec<f64>),
    Float(Vec<f32>),
    Int32(Vec<i32>),
    /// Nanoseconds since some time.
    Stamp(Vec<i64>),
    /// With gaps.
    Optional(Vec<Option<f64>>),
    /// No numbers.
    Text(Vec<String>),
}

/// Writes columns in row groups of so many rows.
pub fn write(path: &str, columns: &[(String, Column)], rows: usize, group: usize) {
    let field = |(name, column): &(String, Column)| {
        let (physical, repetition) = match column {
            Column::Double(_) => (Physical::DOUBLE, Repetition::REQUIRED),
            Column::Float(_) => (Physical::FLOAT, Repetition::REQUIRED),
            Column::Int32(_) => (Physical::INT32, Repetition::REQUIRED),
            Column::Stamp(_) => (Physical::INT64, Repetition::REQUIRED),
            Column::Optional(_) => (Physical::DOUBLE, Repetition::OPTIONAL),
            Column::Text(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED),
        };
        let stamp = LogicalType::timestamp(true, TimeUnit::NANOS);
        let logical = match column {
            Column::Stamp(_) => Some(stamp),
            Column::Text(_) => Some(LogicalType::String),
            _ => None,
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        Arc::new(builder.with_logical_type(logical).build().unwrap())
    };
    let schema = Type::group_type_builder("states").with_fields(columns.iter().map(field).collect()).build().unwrap();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), Arc::new(schema), properties).unwrap();
    for start in (0..rows).step_by(group) {
        let range = start..rows.min(start + group);
        let mut row_group = writer.next_row_group().unwrap();
        for (_, column) in columns {
            let mut out = row_group.next_column().unwrap().unwrap();
            match column {
                Column::Double(x) => out.typed::<DoubleType>().write_batch(&x[range.clone()], None, None),
                Column::Float(x) => out.typed::<FloatType>().write_batch(&x[range.clone()], None, None),
                Column::Int32(x) => out.typed::<Int32Type>().write_batch(&x[range.clone()], None, None),
                Column::Stamp(x) => out.typed::<Int64Type>().write_batch(&x[range.clone()], None, None),
                Column::Text(x) => {
                    let values: Vec<ByteArray> = x[range.clone()].iter().map(|x| ByteArray::from(x.as_str())).collect();
                    out.typed::<ByteArrayType>().write_batch(&values, None, None)
                }
                Column::Optional(x) => {
                    let values: Vec<f64> = x[range.clone()].iter().copied().flatten().collect();
                    let levels: Vec<i16> = x[range.clone()].iter().map(|x| i16::from(x.is_some())).collect();
                    out.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
                }
            }
            .unwrap();
            out.close().unwrap();
        }
        row_group.close().unwrap();
    }
    writer.close().unwrap();
}

/// The columns of doubles and 64-bit integers of a file, the latter as doubles, and whether they are stamps.
pub fn read(path: &str) -> Vec<(String, Vec<f64>, bool)> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let is_stamp = |logical: Option<&LogicalType>| matches!(logical, Some(LogicalType::Timestamp(_)));
    let described = schema.columns().iter();
    let mut columns: Vec<(String, Vec<f64>, bool)> =
        described.map(|column| (column.path().string(), Vec::new(), is_stamp(column.logical_type_ref()))).collect();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).unwrap();
        let rows = usize::try_from(group.metadata().num_rows()).unwrap();
        for (index, (_, values, _)) in columns.iter_mut().enumerate() {
            match group.get_column_reader(index).unwrap() {
                ColumnReader::DoubleColumnReader(mut reader) => {
                    reader.read_records(rows, None, None, values).unwrap();
                }
                ColumnReader::Int64ColumnReader(mut reader) => {
                    let mut read = Vec::new();
                    reader.read_records(rows, None, None, &mut read).unwrap();
                    values.extend(read.into_iter().map(|x| x as f64));
                }
                _ => panic!("a column of another type"),
            }
        }
    }
    columns
}
