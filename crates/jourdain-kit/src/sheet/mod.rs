//! Rows of numbers under named columns, written as CSV or Parquet while they come.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::states::{TimeColumn, Times};
use crate::write::Output;
use std::path::Path;

/// What the columns are called.
pub struct Layout {
    /// A column in front that goes through as it is.
    pub time: Option<TimeColumn>,
    /// The columns of numbers.
    pub columns: Vec<String>,
    /// A column of words behind.
    pub words: Option<String>,
}

impl Layout {
    /// Columns after one of time, `t`.
    #[must_use]
    pub fn timed(columns: Vec<String>) -> Self {
        Self { time: Some(TimeColumn { name: "t".to_owned(), integer: None }), columns, words: None }
    }

    /// Columns after one that counts the rows.
    #[must_use]
    pub fn counted(name: &str, columns: Vec<String>) -> Self {
        Self { time: Some(TimeColumn { name: name.to_owned(), integer: Some(None) }), columns, words: None }
    }

    /// All names, time first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let time = self.time.iter().map(|time| time.name.as_str());
        time.chain(self.columns.iter().chain(&self.words).map(String::as_str))
    }
}

/// Writes a whole table of numbers over time, rows one after the other, as CSV or, by the ending of the name, Parquet.
///
/// # Errors
/// It cannot be written.
pub fn timed(path: &Path, columns: Vec<String>, times: &[f64], values: &[f64], host: &dyn Host) -> Result<(), Problem> {
    let mut sheet = Sheet::by_name(&Layout::timed(columns), Some(path), host)?;
    sheet.write(times.len(), &Times::of(times), values)?;
    sheet.finish()
}

/// Writes a whole table of numbers whose rows are counted from zero under `name`, with a word for each if `words` has a name.
///
/// # Errors
/// It cannot be written.
pub fn counted(
    path: &Path,
    name: &str,
    columns: Vec<String>,
    values: &[f64],
    words: Option<(&str, &[&str])>,
    count: usize,
    host: &dyn Host,
) -> Result<(), Problem> {
    let mut layout = Layout::counted(name, columns);
    layout.words = words.map(|(name, _)| name.to_owned());
    let mut sheet = Sheet::by_name(&layout, Some(path), host)?;
    let numbers = Times::Integers((0..count as i64).collect());
    sheet.write_with(count, &numbers, values, words.map_or(&[], |(_, words)| words))?;
    sheet.finish()
}

/// A file, or standard output, that rows are written to.
pub struct Sheet<'h> {
    writer: Writer<'h>,
}

enum Writer<'h> {
    Csv(csv::Writer<'h>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer<'h>>),
}

impl<'h> Sheet<'h> {
    /// CSV to a file or to standard output.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn csv(layout: &Layout, out: Option<&Path>, host: &'h dyn Host) -> Result<Self, Problem> {
        Ok(Self { writer: Writer::Csv(csv::Writer::new(layout, Output::new(out, host)?)) })
    }

    /// Parquet to a file.
    ///
    /// # Errors
    /// It cannot be opened, or names of columns that Parquet cannot have.
    #[cfg(feature = "parquet")]
    pub fn parquet(layout: &Layout, out: &Path, host: &'h dyn Host) -> Result<Self, Problem> {
        let writer = parquet::Writer::new(layout, Output::new(Some(out), host)?)?;
        Ok(Self { writer: Writer::Parquet(Box::new(writer)) })
    }

    /// Parquet is not part of this build.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "parquet"))]
    pub fn parquet(_: &Layout, _: &Path, _: &'h dyn Host) -> Result<Self, Problem> {
        Err(Problem::new("unsupported", "this build has no Parquet").hint("write CSV"))
    }

    /// CSV or, by the ending of the name, Parquet; standard output without a name.
    ///
    /// # Errors
    /// It cannot be opened, or its name ends in something else.
    pub fn by_name(layout: &Layout, out: Option<&Path>, host: &'h dyn Host) -> Result<Self, Problem> {
        match out {
            Some(path) if ending::TABLE.of(path)? == "parquet" => Self::parquet(layout, path, host),
            Some(_) | None => Self::csv(layout, out, host),
        }
    }

    /// Writes rows, one after the other in `values`; `count` of them, because there may be no columns. NaN is a number that is
    /// missing.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, count: usize, times: &Times, values: &[f64]) -> Result<(), Problem> {
        self.write_with(count, times, values, &[])
    }

    /// The same with a word for each row, if the layout has a column of words.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write_with(&mut self, count: usize, times: &Times, values: &[f64], words: &[&str]) -> Result<(), Problem> {
        match &mut self.writer {
            Writer::Csv(writer) => writer.write(count, times, values, words),
            #[cfg(feature = "parquet")]
            Writer::Parquet(writer) => writer.write(count, times, values, words),
        }
    }

    /// Writes what is left; only then is the file there under its name.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> Result<(), Problem> {
        match self.writer {
            Writer::Csv(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Writer::Parquet(writer) => writer.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;

    fn put(path: &Path) {
        let columns = ["a", "b"].map(str::to_owned).to_vec();
        let words = ["solved", "not, quite"];
        counted(path, "point", columns, &[1.5, 2.0, -0.25, f64::NAN], Some(("status", &words)), 2, &Files).unwrap();
    }

    #[test]
    fn a_table_with_counted_rows_and_words_is_csv() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.csv");
        put(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "point,a,b,status\n0,1.5,2.0,solved\n1,-0.25,,\"not, quite\"\n");
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn the_same_table_is_parquet_by_its_name() {
        use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
        use ::parquet::record::RowAccessor as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.parquet");
        put(&path);
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[1].get_long(0).unwrap(), rows[1].get_double(1).unwrap()), (1, -0.25));
        assert_eq!(rows[1].get_string(3).unwrap(), "not, quite");
        assert!(rows[1].get_double(2).unwrap().is_nan());
    }
}
