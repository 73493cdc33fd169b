//! Logs of several robots in one file, a column of which names the robot of each row: who is in them, and the rows of one.
//!
//! Lines and rows keep the numbers that they have in the file, for messages.

use crate::problem::Problem;
use jourdain::formats::table::{Lines, RowParser};
#[cfg(feature = "fleets")]
use jourdain::model::harmless::is_harmful;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
#[cfg(feature = "fleets")]
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

/// Longest line, bytes.
const LONGEST: u64 = 1 << 20;

/// Longest name, bytes.
#[cfg(feature = "fleets")]
const LONGEST_NAME: usize = 128;

/// Most robots of a file: what has more is no column of names.
#[cfg(feature = "fleets")]
const MOST_ROBOTS: usize = 100_000;

/// Bytes that are made ready at a time.
const READY: usize = 1 << 16;

/// The rows of one robot.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RobotRows {
    /// The column that names robots.
    pub column: String,
    /// What stands in it.
    pub robot: String,
}

/// The robots that a file is of.
#[cfg(feature = "fleets")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Robots {
    /// How many rows each has.
    pub rows: BTreeMap<String, u64>,
    /// The first row or line that names none, and how many there are.
    pub unnamed: Option<(u64, u64)>,
}

#[cfg(feature = "fleets")]
impl Robots {
    /// Counts the row of this number.
    pub(crate) fn count(&mut self, name: &str, number: u64, column: &str) -> Result<(), Problem> {
        if name.is_empty() {
            self.unnamed.get_or_insert((number, 0)).1 += 1;
            return Ok(());
        }
        if let Some(rows) = self.rows.get_mut(name) {
            *rows += 1;
            return Ok(());
        }
        let bad = |message: String| {
            let hint = "--column is the heading of a column with the names of robots";
            Err(Problem::new("bad-name", message).at(number, 1).hint(hint))
        };
        // Names become names of files, and are shown.
        let is_bad = |c: char| is_harmful(c) || matches!(c, '/' | '\\');
        if name.len() > LONGEST_NAME || name.starts_with('.') || name.contains(is_bad) {
            let shown: String = name.chars().take(40).collect();
            return bad(format!("`{shown}` in column `{column}` is no name for a robot"));
        }
        if self.rows.len() == MOST_ROBOTS {
            return bad(format!("column `{column}` has more than {MOST_ROBOTS} names"));
        }
        self.rows.insert(name.to_owned(), 1);
        Ok(())
    }
}

/// The robots that a text is of.
#[cfg(feature = "fleets")]
pub(crate) fn robots_of_text(mut source: impl BufRead, column: &str) -> Result<Robots, Problem> {
    let mut robots = Robots::default();
    let Some(heading) = Heading::read(&mut source, column)? else { return Ok(robots) };
    let (mut lines, mut text) = (Lines::new(source), Vec::new());
    let cannot = |error: &dyn std::fmt::Display| Problem::new("cannot-read", error.to_string());
    while lines.next_into(&mut text).map_err(|error| cannot(&error))? {
        robots.count(&heading.name(&text), heading.lines + lines.line(), column)?;
    }
    Ok(robots)
}

/// That a log has no such column.
pub(crate) fn no_column(column: &str, headings: &[String]) -> Problem {
    let message = format!("there is no column `{column}` that could name the robot of each row");
    let hint = format!("its columns are {}", headings.iter().take(12).cloned().collect::<Vec<_>>().join(", "));
    Problem::new("missing-column", message).hint(hint)
}

/// The heading of a text, with the column that names robots.
struct Heading {
    /// As it was, with what stands before it, and how many lines that is.
    text: Vec<u8>,
    lines: u64,
    parser: RowParser,
    column: usize,
}

impl Heading {
    /// Reads up to the heading; `None` if there is none.
    fn read(source: &mut impl BufRead, column: &str) -> Result<Option<Self>, Problem> {
        let (mut text, mut lines) = (Vec::new(), 0);
        loop {
            let before = text.len();
            let length = next_line(source, &mut text, lines)
                .map_err(|error| Problem::new("cannot-read", format!("cannot read the log: {error}")))?;
            if length == 0 {
                return Ok(None);
            }
            lines += 1;
            if let Ok(parser) = RowParser::new(&mut Lines::new(&text[before..])) {
                let place = parser.headings().iter().position(|heading| heading == column);
                let column = place.ok_or_else(|| no_column(column, parser.headings()))?;
                return Ok(Some(Self { text, lines, parser, column }));
            }
        }
    }

    /// The name in a line.
    fn name<'a>(&self, line: &'a [u8]) -> Cow<'a, str> {
        let cell = String::from_utf8_lossy(self.parser.cell(line, self.column));
        if cell.contains("\"\"") { cell.replace("\"\"", "\"").into() } else { cell }
    }
}

/// Appends a line with its end; the number of its bytes.
fn next_line(source: &mut impl BufRead, text: &mut Vec<u8>, before: u64) -> io::Result<usize> {
    let length = source.by_ref().take(LONGEST).read_until(b'\n', text)?;
    if length as u64 == LONGEST && text.last() != Some(&b'\n') {
        return Err(io::Error::other(format!("line {} is longer than a megabyte", before + 1)));
    }
    Ok(length)
}

/// A text in which the lines of other robots are empty, so that all lines keep their numbers.
pub(crate) struct OneRobot<R> {
    source: R,
    /// `None` of an empty text.
    heading: Option<Heading>,
    robot: String,
    line: Vec<u8>,
    lines: u64,
    /// What is ready, and how much of it was taken.
    ready: Vec<u8>,
    taken: usize,
}

impl<R: BufRead> OneRobot<R> {
    pub fn new(mut source: R, part: &RobotRows) -> Result<Self, Problem> {
        let heading = Heading::read(&mut source, &part.column)?;
        let (ready, lines) = heading.as_ref().map_or((Vec::new(), 0), |heading| (heading.text.clone(), heading.lines));
        Ok(Self { source, heading, robot: part.robot.clone(), line: Vec::new(), lines, ready, taken: 0 })
    }
}

impl<R: BufRead> BufRead for OneRobot<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken < self.ready.len() {
            return Ok(&self.ready[self.taken..]);
        }
        self.ready.clear();
        self.taken = 0;
        while let Some(heading) = self.heading.as_ref().filter(|_| self.ready.len() < READY) {
            self.line.clear();
            if next_line(&mut self.source, &mut self.line, self.lines)? == 0 {
                break;
            }
            self.lines += 1;
            if heading.name(self.line.trim_ascii_end()) == self.robot.as_str() {
                self.ready.extend_from_slice(&self.line);
            } else {
                self.ready.push(b'\n');
            }
        }
        Ok(&self.ready)
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

impl<R: BufRead> Read for OneRobot<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(all(test, feature = "fleets"))]
mod tests {
    use super::*;

    const TEXT: &str = "# made by a cell\n\nt;robot;q1\n0;a;1\n0;\"b \"\"2\"\"\";2\n\n1; a ;3\n1;;4\n";

    fn part(robot: &str) -> RobotRows {
        RobotRows { column: "robot".to_owned(), robot: robot.to_owned() }
    }

    #[test]
    fn robots_are_counted_and_rows_without_one_are_told() {
        let robots = robots_of_text(TEXT.as_bytes(), "robot").unwrap();
        let rows: Vec<_> = robots.rows.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
        assert_eq!(rows, [("a", 2), ("b \"2\"", 1)]);
        assert_eq!(robots.unnamed, Some((8, 1)));
        assert_eq!(robots_of_text(&b""[..], "robot").unwrap(), Robots::default());
    }

    #[test]
    fn lines_of_others_are_empty_and_all_keep_their_numbers() {
        for size in [1, 7, 1000] {
            let source = io::BufReader::with_capacity(size, TEXT.as_bytes());
            let mut text = String::new();
            OneRobot::new(source, &part("a")).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "# made by a cell\n\nt;robot;q1\n0;a;1\n\n\n1; a ;3\n\n");
        }
        let mut text = String::new();
        OneRobot::new(TEXT.as_bytes(), &part("b \"2\"")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text.lines().nth(4), Some("0;\"b \"\"2\"\"\";2"));
    }

    #[test]
    fn what_is_no_name_or_no_column_is_refused() {
        for name in ["../x", ".x", "a\\b", "a\u{1b}[0m", &"x".repeat(200)] {
            let error = robots_of_text(format!("t,robot\n0,{name}\n").as_bytes(), "robot").unwrap_err();
            assert_eq!(error.kind(), "bad-name", "{name}");
        }
        let error = robots_of_text(&b"t,robot\n0,a\n"[..], "arm").unwrap_err();
        assert_eq!(error.kind(), "missing-column");
        assert!(OneRobot::new(&b"t,q1\n0,1\n"[..], &part("a")).is_err());
        let many: String = (0..=MOST_ROBOTS).map(|k| format!("0,{k}\n")).collect();
        assert_eq!(robots_of_text(format!("t,robot\n{many}").as_bytes(), "robot").unwrap_err().kind(), "bad-name");
        let long = vec![b'1'; 2 << 20];
        let mut text = Vec::new();
        assert!(
            OneRobot::new([b"t,robot\n", &long[..]].concat().as_slice(), &part("a"))
                .unwrap()
                .read_to_end(&mut text)
                .is_err()
        );
    }
}
