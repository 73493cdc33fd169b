//! Rows of numbers under named columns, written as CSV or Parquet while they come.

mod csv;
mod parquet;
mod target;

use crate::failure::Failure;
use crate::states::{TimeColumn, Times};
use std::path::Path;
use target::{Pending, Target};

/// What the columns are called.
pub struct Layout {
    /// A column in front that goes through as it is.
    pub time: Option<TimeColumn>,
    pub columns: Vec<String>,
}

impl Layout {
    /// All names, time first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.time.iter().map(|time| time.name.as_str()).chain(self.columns.iter().map(String::as_str))
    }
}

/// A file, or standard output, that rows are written to.
pub struct Sheet {
    writer: Writer,
    pending: Pending,
}

enum Writer {
    Csv(csv::Writer),
    Parquet(Box<parquet::Writer>),
}

impl Sheet {
    /// CSV to a file or to standard output.
    pub fn csv(layout: &Layout, out: Option<&Path>) -> Result<Self, Failure> {
        let (target, pending) = Target::new(out)?;
        Ok(Self { writer: Writer::Csv(csv::Writer::new(layout, target)), pending })
    }

    /// Parquet to a file.
    pub fn parquet(layout: &Layout, out: &Path) -> Result<Self, Failure> {
        let (target, pending) = Target::new(Some(out))?;
        let writer = parquet::Writer::new(layout, target).map_err(|error| pending.failure(&error))?;
        Ok(Self { writer: Writer::Parquet(Box::new(writer)), pending })
    }

    /// Writes rows, one after the other in `values`; `count` of them, because there may be no columns.
    pub fn write(&mut self, count: usize, times: &Times, values: &[f64]) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Csv(writer) => writer.write(count, times, values),
            Writer::Parquet(writer) => writer.write(count, times, values),
        }
        .map_err(|error| self.pending.failure(&error))
    }

    /// Writes what is left; only then is the file there under its name.
    pub fn finish(self) -> Result<(), Failure> {
        match self.writer {
            Writer::Csv(writer) => writer.finish(),
            Writer::Parquet(writer) => writer.finish(),
        }
        .map_err(|error| self.pending.failure(&error))?;
        self.pending.commit()
    }
}
