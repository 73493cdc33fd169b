//! Lines of a table and the numbers in them, in memory that is used again.

use super::error::TableError;
use std::io::BufRead;

/// Longest line, bytes: what is longer is no table of numbers.
const LONGEST: usize = 1 << 20;

/// Bytes after which a block of lines is long enough.
const BLOCK_BYTES: usize = 1 << 24;

/// Bytes after which the first lines of a source are long enough.
const BEGINNING: usize = 1 << 27;

fn unreadable(error: &std::io::Error) -> TableError {
    TableError::Unreadable { message: error.to_string() }
}

/// Refuses a line, after so many others, that was cut because it is too long.
fn check_length(text: &[u8], before: u64) -> Result<(), TableError> {
    if text.len() == LONGEST && text.last() != Some(&b'\n') {
        let message = format!("line {} is longer than a megabyte", before + 1);
        return Err(TableError::Unreadable { message });
    }
    Ok(())
}

/// True of a line that is neither empty nor a remark.
fn has_content(line: &[u8]) -> bool {
    line.first().is_some_and(|first| *first != b'#') && !line.iter().all(u8::is_ascii_whitespace)
}

/// Appends a line with content to `text`, without its end; false at the end.
fn next_line<R: BufRead>(source: &mut R, text: &mut Vec<u8>, line: &mut u64) -> Result<bool, TableError> {
    let start = text.len();
    loop {
        let mut limited = std::io::Read::take(&mut *source, LONGEST as u64);
        let length = limited.read_until(b'\n', text).map_err(|error| unreadable(&error))?;
        if length == 0 {
            return Ok(false);
        }
        check_length(&text[text.len() - length..], *line)?;
        *line += 1;
        while text.len() > start && text.last().is_some_and(u8::is_ascii_whitespace) {
            text.pop();
        }
        if has_content(&text[start..]) {
            return Ok(true);
        }
        text.truncate(start);
    }
}

/// A source of lines that have content; those that begin with `#` are remarks.
pub struct Lines<R> {
    source: R,
    /// Number of the line last read, from 1.
    line: u64,
}

impl<R: BufRead> Lines<R> {
    /// From the first line of a source.
    pub fn new(source: R) -> Self {
        Self { source, line: 0 }
    }

    /// Number of the line last read, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Replaces `text` by the next line; false at the end.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn next_into(&mut self, text: &mut Vec<u8>) -> Result<bool, TableError> {
        text.clear();
        next_line(&mut self.source, text, &mut self.line)
    }

    /// Replaces `block` by the next lines, at most so many; none are left if it is empty.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn next_block(&mut self, most: usize, block: &mut TextBlock) -> Result<(), TableError> {
        block.text.clear();
        block.lines.clear();
        while block.lines.len() < most && block.text.len() < BLOCK_BYTES {
            if !next_line(&mut self.source, &mut block.text, &mut self.line)? {
                break;
            }
            block.lines.push((block.text.len(), self.line));
        }
        Ok(())
    }
}

/// Several lines.
#[derive(Clone, Debug, Default)]
pub struct TextBlock {
    text: Vec<u8>,
    /// Where each ends, and its number.
    lines: Vec<(usize, u64)>,
}

impl TextBlock {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line and its number, from 1.
    ///
    /// # Panics
    /// If there are not as many.
    #[must_use]
    pub fn line(&self, index: usize) -> (&[u8], u64) {
        let start = if index == 0 { 0 } else { self.lines[index - 1].0 };
        let (end, number) = self.lines[index];
        (&self.text[start..end], number)
    }
}

/// Makes numbers of the cells of a line.
#[derive(Clone, Debug)]
pub struct RowParser {
    separator: u8,
    headings: Vec<String>,
    /// The cells that are read, ascending.
    wanted: Vec<usize>,
}

impl RowParser {
    /// Reads the heading; no cell is read until [`want`](Self::want) names them.
    ///
    /// # Errors
    /// A source that is empty or cannot be read.
    pub fn new<R: BufRead>(lines: &mut Lines<R>) -> Result<Self, TableError> {
        let mut text = Vec::new();
        if !lines.next_into(&mut text)? {
            return Err(TableError::Empty);
        }
        let heading = String::from_utf8_lossy(&text);
        let heading = heading.trim_start_matches('\u{feff}');
        let separates = |separator: &u8| Cells::new(heading.as_bytes(), *separator).nth(1).is_some();
        let separator = [b',', b';', b'\t'].into_iter().find(separates).unwrap_or(b',');
        let clean = |cell: &[u8]| String::from_utf8_lossy(unquoted(cell)).replace("\"\"", "\"");
        let headings = Cells::new(heading.as_bytes(), separator).map(clean).collect();
        Ok(Self { separator, headings, wanted: Vec::new() })
    }

    /// The cells of the heading.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// Says which cells are read.
    pub fn want(&mut self, cells: impl IntoIterator<Item = usize>) {
        self.wanted = cells.into_iter().collect();
        self.wanted.sort_unstable();
    }

    /// The numbers of a line, by column, into `values`, which is as long as the heading; cells that are not read stay.
    ///
    /// # Errors
    /// A cell that is no finite number, and too few or too many cells.
    pub fn parse(&self, text: &[u8], line: u64, values: &mut [f64]) -> Result<(), TableError> {
        let mut wanted = self.wanted.iter().peekable();
        let mut found = 0;
        let mut cells = Cells::new(text, self.separator);
        let has_quotes = text.contains(&b'"');
        while let Some(rest) = cells.rest {
            let column = found;
            found += 1;
            if wanted.next_if_eq(&&column).is_none() || column >= values.len() {
                cells.next();
                continue;
            }
            // Nearly all cells are numbers of few digits, which are read while their end is looked for.
            if let Some((x, length)) = plain(rest, self.separator).filter(|_| !has_quotes) {
                cells.rest = rest.get(length + 1..).filter(|_| length < rest.len());
                values[column] = x;
                continue;
            }
            let cell = cells.next().unwrap_or_default();
            values[column] = match number(cell) {
                Some(x) if x.is_finite() => x,
                other => return Err(self.bad_cell(line, column, cell, other.is_some())),
            };
        }
        if found != self.headings.len() {
            return Err(TableError::Cells { line, expected: self.headings.len(), found });
        }
        Ok(())
    }

    /// The text of a cell.
    #[must_use]
    pub fn cell<'a>(&self, text: &'a [u8], column: usize) -> &'a [u8] {
        Cells::new(text, self.separator).nth(column).map_or(&[], unquoted)
    }

    fn bad_cell(&self, line: u64, column: usize, cell: &[u8], numeric: bool) -> TableError {
        let text: String = String::from_utf8_lossy(unquoted(cell)).trim().chars().take(40).collect();
        let name = self.headings.get(column).cloned().unwrap_or_default();
        TableError::BadCell { line, column: column + 1, name, text, numeric }
    }
}

/// Powers of ten that are numbers of floating point.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The number at the beginning of a text, up to a separator or to its end, and its length; `None` if it takes more than one rounding, or
/// is none. Its digits are an integer below 2⁵³ and its power of ten is exact, so that one product or quotient has the number nearest to
/// it (Clinger 1990).
#[inline]
fn plain(text: &[u8], separator: u8) -> Option<(f64, usize)> {
    const DIGITS: usize = 18;
    let digit = |at: usize| text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10);
    let negative = text.first() == Some(&b'-');
    let begin = usize::from(negative);
    let (mut at, mut integer) = (begin, 0_u64);
    while let Some(next) = digit(at).filter(|_| at - begin < DIGITS) {
        integer = 10 * integer + u64::from(next);
        at += 1;
    }
    let (mut digits, mut scale) = (at - begin, 0_i32);
    if text.get(at) == Some(&b'.') {
        at += 1;
        while let Some(next) = digit(at).filter(|_| digits < DIGITS) {
            integer = 10 * integer + u64::from(next);
            (at, digits, scale) = (at + 1, digits + 1, scale - 1);
        }
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        let falls = text.get(at) == Some(&b'-');
        at += usize::from(falls || text.get(at) == Some(&b'+'));
        let power = digit(at)?;
        at += 1;
        let power = match digit(at) {
            Some(next) => {
                at += 1;
                10 * power + next
            }
            None => power,
        };
        scale += if falls { -i32::from(power) } else { i32::from(power) };
    }
    let ends = text.get(at).is_none_or(|byte| *byte == separator);
    let power = POWERS.get(scale.unsigned_abs() as usize)?;
    if digits == 0 || !ends || integer > 1 << 53 {
        return None;
    }
    let size = if scale < 0 { integer as f64 / power } else { integer as f64 * power };
    Some((if negative { -size } else { size }, at))
}

fn number(cell: &[u8]) -> Option<f64> {
    std::str::from_utf8(unquoted(cell)).ok()?.trim().parse().ok()
}

/// The cells of a line. In a cell that begins with a quote, separators are text up to the quote that ends it.
struct Cells<'a> {
    rest: Option<&'a [u8]>,
    separator: u8,
}

impl<'a> Cells<'a> {
    fn new(text: &'a [u8], separator: u8) -> Self {
        Self { rest: Some(text), separator }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let quoted = rest.iter().find(|byte| !matches!(byte, b' ')) == Some(&b'"');
        let end = if quoted {
            // A doubled quote closes and opens again.
            let mut inside = false;
            rest.iter().position(|byte| {
                inside ^= *byte == b'"';
                !inside && *byte == self.separator
            })
        } else {
            rest.iter().position(|byte| *byte == self.separator)
        };
        self.rest = end.map(|end| &rest[end + 1..]);
        Some(&rest[..end.unwrap_or(rest.len())])
    }
}

/// A cell without the space and the quotes around it; a quote inside is still doubled.
fn unquoted(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    match cell {
        [b'"', inner @ .., b'"'] => inner,
        _ => cell,
    }
}

/// The number of lines below the heading.
///
/// # Errors
/// A source that cannot be read.
pub fn count_rows<R: BufRead>(source: R) -> Result<u64, TableError> {
    let (mut lines, mut text, mut rows) = (Lines::new(source), Vec::new(), 0_u64);
    while lines.next_into(&mut text)? {
        rows += 1;
    }
    Ok(rows.saturating_sub(1))
}

/// The heading of a source and so many lines with content after it, as they are, with the empty ones and the remarks between them; no more
/// than 128 MB, to the end of a line.
///
/// # Errors
/// A source that cannot be read.
pub fn first_lines<R: BufRead>(source: &mut R, rows: usize) -> Result<Vec<u8>, TableError> {
    let (mut text, mut line, mut found) = (Vec::new(), 0, 0);
    while found <= rows && text.len() <= BEGINNING {
        let before = text.len();
        let mut limited = std::io::Read::take(&mut *source, LONGEST as u64);
        limited.read_until(b'\n', &mut text).map_err(|error| unreadable(&error))?;
        if text.len() == before {
            break;
        }
        check_length(&text[before..], line)?;
        line += 1;
        found += usize::from(has_content(&text[before..]));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The second witness is the standard library, which rounds correctly.
    #[test]
    fn numbers_that_are_read_at_once_are_those_of_the_standard_library() {
        let seed = 11;
        let mut random = Random(seed);
        let mut at_once = 0;
        for i in 0..20_000 {
            let x = random.signed() * 10_f64.powi(i % 40 - 20);
            let digits = i as usize % 17;
            for text in [format!("{x}"), format!("{x:.digits$}"), format!("{x:e}"), format!("{x:.digits$e}")] {
                if let Some((found, length)) = plain(text.as_bytes(), b',') {
                    let exact: f64 = text.parse().unwrap();
                    assert_eq!((found.to_bits(), length), (exact.to_bits(), text.len()), "{text}, seed {seed}");
                    at_once += 1;
                }
                assert_eq!(plain(format!("{text},7").as_bytes(), b','), plain(text.as_bytes(), b','), "{text}");
            }
        }
        assert!(at_once > 20_000, "{at_once}");
        for text in
            ["", "-", ".", "1 ", " 1", "1;", "nan", "inf", "1e", "1e-", "1e400", "0x1", "--1", "+1", "1.2.3", "1e1.5"]
        {
            assert_eq!(plain(text.as_bytes(), b','), None, "{text}");
        }
        assert_eq!(plain(b"-0", b','), Some((-0.0, 2)));
        assert_eq!(plain(b".5,", b','), Some((0.5, 2)));
    }

    #[test]
    fn cells_of_all_kinds_are_read_and_counted() {
        let mut lines =
            Lines::new(&b"a;b;c;d\n 1 ;\"2\";x;4e0\n1;2;3;\n1;2;3\n0.1;1234567890123456789012;\"x;y\";-7\n"[..]);
        let mut parser = RowParser::new(&mut lines).unwrap();
        parser.want([0, 1, 3]);
        let (mut text, mut values) = (Vec::new(), [0.0; 4]);
        let mut next = |values: &mut [f64; 4]| {
            lines.next_into(&mut text).unwrap();
            parser.parse(&text, lines.line(), values)
        };
        next(&mut values).unwrap();
        assert_eq!(values, [1.0, 2.0, 0.0, 4.0]);
        assert!(matches!(next(&mut values), Err(TableError::BadCell { line: 3, column: 4, .. })));
        assert_eq!(next(&mut values), Err(TableError::Cells { line: 4, expected: 4, found: 3 }));
        next(&mut values).unwrap();
        assert_eq!(values, [0.1, 1234567890123456789012.0, 0.0, -7.0]);
    }
}
