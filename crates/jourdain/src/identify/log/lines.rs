//! Lines of a log as numbers, one at a time, in memory that is used again.

use super::super::error::IdentifyError;
use super::columns::Columns;
use crate::model::Model;
use std::io::BufRead;

/// Longest line, bytes: what is longer is no log.
const LONGEST: usize = 1 << 20;

/// A log with its heading read.
pub(super) struct Lines<R> {
    source: R,
    pub columns: Columns,
    separator: u8,
    text: Vec<u8>,
    /// Number of the line last read, from 1.
    pub line: u64,
    /// The cells of a line that are used, ascending, and their values.
    wanted: Vec<usize>,
    values: Vec<f64>,
}

fn unreadable(error: &std::io::Error) -> IdentifyError {
    IdentifyError::Unreadable { message: error.to_string() }
}

/// Reads a line with content into `text`, without its end; false at the end.
fn next_line<R: BufRead>(source: &mut R, text: &mut Vec<u8>, line: &mut u64) -> Result<bool, IdentifyError> {
    loop {
        text.clear();
        let mut limited = std::io::Read::take(&mut *source, LONGEST as u64);
        let length = limited.read_until(b'\n', text).map_err(|error| unreadable(&error))?;
        if length == 0 {
            return Ok(false);
        }
        if length == LONGEST && text.last() != Some(&b'\n') {
            let message = format!("line {} is longer than a megabyte", *line + 1);
            return Err(IdentifyError::Unreadable { message });
        }
        *line += 1;
        while text.last().is_some_and(u8::is_ascii_whitespace) {
            text.pop();
        }
        if !text.is_empty() && text[0] != b'#' {
            return Ok(true);
        }
    }
}

impl<R: BufRead> Lines<R> {
    pub fn new(mut source: R, model: &Model<f64>) -> Result<Self, IdentifyError> {
        let (mut text, mut line) = (Vec::new(), 0);
        if !next_line(&mut source, &mut text, &mut line)? {
            return Err(IdentifyError::TooFew { samples: 0, needed: 2 });
        }
        let heading = String::from_utf8_lossy(&text);
        let heading = heading.trim_start_matches('\u{feff}');
        let separator = *[b',', b';', b'\t'].iter().find(|s| heading.as_bytes().contains(s)).unwrap_or(&b',');
        let clean = |cell: &str| cell.trim().trim_matches('"').replace("\"\"", "\"");
        let headings: Vec<String> = heading.split(char::from(separator)).map(clean).collect();
        let columns = Columns::new(headings, model)?;
        let optional = [&columns.qd, &columns.qdd].into_iter().flatten().flatten();
        let mut wanted: Vec<usize> =
            columns.t.iter().chain(&columns.q).chain(&columns.tau).chain(optional).copied().collect();
        wanted.sort_unstable();
        let values = vec![0.0; columns.headings.len()];
        Ok(Self { source, columns, separator, text, line, wanted, values })
    }

    /// The numbers of the next line, by column; those of columns that are not used are zero. `None` at the end.
    pub fn next(&mut self) -> Result<Option<&[f64]>, IdentifyError> {
        if !next_line(&mut self.source, &mut self.text, &mut self.line)? {
            return Ok(None);
        }
        let mut wanted = self.wanted.iter().peekable();
        let mut found = 0;
        for (column, cell) in self.text.split(|byte| *byte == self.separator).enumerate() {
            found += 1;
            if wanted.next_if_eq(&&column).is_none() || column >= self.values.len() {
                continue;
            }
            self.values[column] = match parse(cell) {
                Some(x) if x.is_finite() => x,
                other => return Err(self.bad_cell(column, cell, other.is_some())),
            };
        }
        if found != self.values.len() {
            return Err(IdentifyError::Cells { line: self.line, expected: self.values.len(), found });
        }
        Ok(Some(&self.values))
    }

    fn bad_cell(&self, column: usize, cell: &[u8], numeric: bool) -> IdentifyError {
        let text: String = String::from_utf8_lossy(cell).trim().chars().take(40).collect();
        let name = self.columns.headings.get(column).cloned().unwrap_or_default();
        IdentifyError::BadCell { line: self.line, column: column + 1, name, text, numeric }
    }

    /// Passes over a line without reading its numbers; false at the end.
    pub fn skip(&mut self) -> Result<bool, IdentifyError> {
        next_line(&mut self.source, &mut self.text, &mut self.line)
    }
}

fn parse(cell: &[u8]) -> Option<f64> {
    std::str::from_utf8(cell).ok()?.trim().parse().ok()
}

/// The number of lines with samples.
///
/// # Errors
/// A source that cannot be read.
pub fn count_rows<R: BufRead>(mut source: R) -> Result<u64, IdentifyError> {
    let (mut text, mut line, mut rows) = (Vec::new(), 0, 0_u64);
    while next_line(&mut source, &mut text, &mut line)? {
        rows += 1;
    }
    Ok(rows.saturating_sub(1))
}

/// The first lines of a source, heading included, as they are.
pub(super) fn first_lines<R: BufRead>(source: &mut R, rows: usize) -> Result<Vec<u8>, IdentifyError> {
    let mut text = Vec::new();
    for _ in 0..=rows {
        let before = text.len();
        let mut limited = std::io::Read::take(&mut *source, LONGEST as u64);
        limited.read_until(b'\n', &mut text).map_err(|error| unreadable(&error))?;
        if text.len() == before {
            break;
        }
    }
    Ok(text)
}
