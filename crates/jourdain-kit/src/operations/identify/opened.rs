//! Logs of all kinds, opened: text line by line, Parquet files and recordings table by table, tables that are in memory already.
//!
//! What a file is, its first bytes decide. The beginning of a log, from which its clock and cut-off are found, can be read as often as
//! need be, the whole once; the hash of its content is found on the way.

use super::reading::Reading;
use crate::host::Host;
use crate::mixed::OneRobot;
#[cfg(feature = "fleets")]
use crate::mixed::{self, Robots};
use crate::problem::Problem;
use crate::progress::Watched;
use crate::read::{self, What};
use jourdain::Model;
use jourdain::formats::table::{Table, TableError, count_rows, first_lines};
use jourdain::identify::log::{self, Options, Summary};
use jourdain::identify::{Hash, IdentifyError, Sample, table_hash};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

const LOG: What = What { name: "the log", option: "--data", hint: "" };

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// Bytes that tell what a file is.
const TELLING: usize = 16;

/// What files of other kinds begin with, what they are, and what to do with them.
const OTHERS: [(&[u8], &str, &str); 4] = [
    (b"SQLite format 3", "a bag of ROS 2 in SQLite", "convert it: `ros2 bag convert` writes MCAP"),
    (b"#ROSBAG V", "a bag of ROS 1", "convert it to MCAP with messages of ROS 2"),
    (b"\x1f\x8b", "compressed by gzip", "give it through a pipe: gzip -dc LOG.csv.gz | jourdain identify ... --data -"),
    (b"PK\x03\x04", "a zip file or a spreadsheet", "save the table as CSV"),
];

/// How much of a log there is, and what stands for its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::operations) struct Content {
    pub rows: u64,
    pub hash: u64,
}

/// A log that was opened.
pub(in crate::operations) struct Opened<'h> {
    file: String,
    host: &'h dyn Host,
    from: From<'h>,
}

enum From<'h> {
    Memory(&'h Table),
    Text { beginning: Vec<u8>, rest: Box<dyn BufRead + 'h>, hash: Rc<RefCell<Hash>> },
    Tables { beginning: Table, rest: Box<dyn Tables + 'h> },
}

/// A file that comes as tables.
trait Tables {
    /// The next rows, at most so many; `None` at the end.
    fn next_table(&mut self, most: usize) -> Result<Option<Table>, Problem>;

    /// What is worth knowing once all of it was read, and the hash of it.
    fn end(&mut self) -> (Vec<String>, u64);
}

impl<'h> Opened<'h> {
    /// Opens a log of a robot.
    pub fn new(file: &str, model: &Model<f64>, reading: &Reading, host: &'h dyn Host) -> Result<Self, Problem> {
        let opened = |from| Ok(Self { file: file.to_owned(), host, from });
        if let Some(table) = host.table(file) {
            return opened(From::Memory(table));
        }
        let (source, kind, hash) = source(file, true, host)?;
        let mut rest: Box<dyn Tables + 'h> = match kind {
            Kind::Text => {
                let mut rest: Box<dyn BufRead + 'h> = match &reading.part {
                    Some(part) => Box::new(OneRobot::new(source, part).map_err(|problem| problem.file(file))?),
                    None => Box::new(source),
                };
                let beginning = first_lines(&mut rest, log::PRELUDE);
                let beginning = beginning.map_err(|error| problem(error.into(), file, host))?;
                return opened(From::Text { beginning, rest, hash });
            }
            Kind::Parquet => parquet(file, model, reading, host)?,
            Kind::Recording => recording(source, hash, file, model, reading, host)?,
        };
        let none = || problem(IdentifyError::TooFew { samples: 0, needed: 2 }, file, host);
        let beginning = rest.next_table(log::PRELUDE);
        let beginning =
            beginning.map_err(|problem| if host.is_cancelled() { Problem::cancelled() } else { problem })?;
        let beginning = beginning.ok_or_else(none)?;
        opened(From::Tables { beginning, rest })
    }

    /// Reads the first rows.
    pub fn beginning(
        &mut self,
        model: &Model<f64>,
        options: &Options,
        take: &mut dyn FnMut(&Sample<'_>),
    ) -> Result<Summary, IdentifyError> {
        let go_on = |_| ControlFlow::Continue(());
        let all = 0..log::PRELUDE as u64;
        let first = || Options { rows: options.rows.clone().or(Some(all.clone())), ..options.clone() };
        match &self.from {
            From::Memory(table) => log::read_table(table, model, &first(), go_on, take),
            From::Tables { beginning, .. } => log::read_table(beginning, model, options, go_on, take),
            From::Text { beginning, .. } => log::read(&beginning[..], model, options, take),
        }
    }

    /// Reads all of it. The content is that which was read: all of the log unless `options` say otherwise.
    pub fn read(
        self,
        model: &Model<f64>,
        options: &Options,
        take: impl FnMut(&Sample<'_>),
    ) -> Result<(Summary, Content), Problem> {
        let Self { file, host, from } = self;
        let of = |summary: Summary, hash: u64| {
            let rows = summary.rows;
            (summary, Content { rows, hash })
        };
        match from {
            From::Memory(table) => {
                let summary = log::read_table(table, model, options, |share| host.goes_on(share), take);
                Ok(of(summary.map_err(|error| problem(error, &file, host))?, table_hash(table)))
            }
            From::Text { beginning, rest, hash } => {
                let summary = log::read(Cursor::new(beginning).chain(rest), model, options, take);
                let hash = hash.borrow().value();
                Ok(of(summary.map_err(|error| problem(error, &file, host))?, hash))
            }
            From::Tables { beginning, mut rest } => {
                let mut trouble = None;
                let next = || match rest.next_table(log::PRELUDE) {
                    Ok(table) => table.map(Ok),
                    Err(problem) => {
                        trouble = Some(problem);
                        Some(Err(TableError::Unreadable { message: "the file is broken".to_owned() }.into()))
                    }
                };
                let tables = [Ok(beginning)].into_iter().chain(std::iter::from_fn(next).fuse());
                let summary = log::read_tables(tables, model, options, take);
                if let Some(problem) = trouble {
                    return Err(if host.is_cancelled() { Problem::cancelled() } else { problem });
                }
                let summary = summary.map_err(|error| problem(error, &file, host))?;
                let (remarks, hash) = rest.end();
                remarks.into_iter().for_each(|remark| host.remark(remark));
                Ok(of(summary, hash))
            }
        }
    }
}

/// A log that must be text.
pub(super) fn text<'h>(file: &str, host: &'h dyn Host) -> Result<impl BufRead + use<'h>, Problem> {
    match source(file, true, host)? {
        (source, Kind::Text, _) => Ok(source),
        (_, Kind::Parquet | Kind::Recording, _) => {
            let message = "positions of motors are read from CSV alone";
            Err(Problem::new("unsupported-log", message).file(file).hint("save the log as CSV"))
        }
    }
}

/// The robots that a log is of, as one of its columns names them.
#[cfg(feature = "fleets")]
pub(in crate::operations) fn robots(file: &str, column: &str, host: &dyn Host) -> Result<Robots, Problem> {
    let (source, kind, _) = source(file, false, host)?;
    let found = match kind {
        Kind::Text => mixed::robots_of_text(source, column),
        Kind::Parquet => robots_of_parquet(file, column, host),
        Kind::Recording => Err(unsupported_column()),
    };
    found.map_err(|problem| if host.is_cancelled() { Problem::cancelled() } else { problem.file(file) })
}

#[cfg(any(feature = "fleets", feature = "recordings"))]
fn unsupported_column() -> Problem {
    let message = "a recording has topics, and no column that could name the robot of each row";
    Problem::new("unsupported-log", message).hint("keep recordings in folders, one per robot")
}

/// The rows and the hash of all of a log, by reading it.
pub(in crate::operations) fn content(
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &dyn Host,
) -> Result<Content, Problem> {
    if let Some(table) = host.table(file) {
        return Ok(Content { rows: table.rows() as u64, hash: table_hash(table) });
    }
    let (source, kind, hash) = source(file, false, host)?;
    let mut tables = match kind {
        Kind::Text => {
            let rows = count_rows(source).map_err(|error| problem(error.into(), file, host))?;
            return Ok(Content { rows, hash: hash.borrow().value() });
        }
        Kind::Parquet => return parquet_content(source, &hash, file, model, reading, host),
        Kind::Recording => recording(source, hash, file, model, reading, host)?,
    };
    let mut rows = 0;
    while let Some(table) = tables.next_table(log::PRELUDE)? {
        rows += table.rows() as u64;
    }
    Ok(Content { rows, hash: tables.end().1 })
}

/// What a file is.
enum Kind {
    Text,
    Parquet,
    Recording,
}

type Source<'h> = BufReader<Hashed<Watched<'h, Box<dyn Read>>>>;

/// Opens a file, sees what it is, and hashes it while it is read.
fn source<'h>(file: &str, tells: bool, host: &'h dyn Host) -> Result<(Source<'h>, Kind, Rc<RefCell<Hash>>), Problem> {
    let cannot = |error: &io::Error| read::cannot_read(file, LOG, error);
    let (mut source, length) = read::open(file, host).map_err(|error| cannot(&error))?;
    let mut first = Vec::new();
    source.by_ref().take(TELLING as u64).read_to_end(&mut first).map_err(|error| cannot(&error))?;
    if let Some((_, what, hint)) = OTHERS.iter().find(|(mark, ..)| first.starts_with(mark)) {
        return Err(Problem::new("unsupported-log", format!("the log is {what}")).file(file).hint(*hint));
    }
    let kind = if first.starts_with(b"PAR1") {
        Kind::Parquet
    } else if first.starts_with(b"\x89MCAP") {
        Kind::Recording
    } else {
        Kind::Text
    };
    let all: Box<dyn Read> = Box::new(Cursor::new(first).chain(source));
    let hash = Rc::new(RefCell::new(Hash::default()));
    let watched = Watched::new(all, length.filter(|_| tells), host);
    let source = BufReader::with_capacity(BUFFER, Hashed { source: watched, hash: Rc::clone(&hash) });
    Ok((source, kind, hash))
}

/// A source that is hashed while it is read.
struct Hashed<R> {
    source: R,
    hash: Rc<RefCell<Hash>>,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.hash.borrow_mut().add(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(all(feature = "parquet", feature = "fleets"))]
fn robots_of_parquet(file: &str, column: &str, host: &dyn Host) -> Result<Robots, Problem> {
    let mut robots = Robots::default();
    crate::states::read_names(file, column, host, |name, number| robots.count(name, number, column))?;
    Ok(robots)
}

#[cfg(feature = "parquet")]
fn parquet_tables<'h>(
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &'h dyn Host,
) -> Result<crate::states::Tables<'h>, Problem> {
    // What is wrong with the columns is kept as it was told: a table knows less.
    let wrong = RefCell::new(None);
    let choose = |headings: &[String]| match log::Columns::new(headings, model) {
        Ok(columns) => Ok((columns.used().collect(), columns.t)),
        Err(error) => {
            let message = error.to_string();
            wrong.replace(Some(error));
            Err(TableError::Unreadable { message })
        }
    };
    let tables = crate::states::Tables::open(file, choose, reading.part.as_ref(), host);
    match wrong.into_inner() {
        Some(error) => Err(problem(error, file, host)),
        None => tables,
    }
}

#[cfg(feature = "parquet")]
fn parquet<'h>(
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &'h dyn Host,
) -> Result<Box<dyn Tables + 'h>, Problem> {
    struct Parquet<'h> {
        tables: crate::states::Tables<'h>,
        file: String,
        host: &'h dyn Host,
    }
    impl Tables for Parquet<'_> {
        fn next_table(&mut self, most: usize) -> Result<Option<Table>, Problem> {
            self.tables.next_table(most)
        }

        fn end(&mut self) -> (Vec<String>, u64) {
            // Columns are read from here and there in the file: its bytes are hashed by themselves.
            let hash =
                source(&self.file, false, self.host).ok().and_then(|(source, _, hash)| drained(source, &hash).ok());
            (Vec::new(), hash.unwrap_or(0))
        }
    }
    Ok(Box::new(Parquet { tables: parquet_tables(file, model, reading, host)?, file: file.to_owned(), host }))
}

#[cfg(feature = "parquet")]
fn parquet_content(
    source: Source<'_>,
    hash: &RefCell<Hash>,
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &dyn Host,
) -> Result<Content, Problem> {
    let rows = parquet_tables(file, model, reading, host)?.rows() as u64;
    let hash = drained(source, hash).map_err(|error| read::cannot_read(file, LOG, &error))?;
    Ok(Content { rows, hash })
}

#[cfg(feature = "parquet")]
fn drained(mut source: Source<'_>, hash: &RefCell<Hash>) -> io::Result<u64> {
    io::copy(&mut source, &mut io::sink())?;
    Ok(hash.borrow().value())
}

#[cfg(all(not(feature = "parquet"), feature = "fleets"))]
fn robots_of_parquet(file: &str, _: &str, _: &dyn Host) -> Result<Robots, Problem> {
    Err(no_parquet(file))
}

#[cfg(not(feature = "parquet"))]
fn no_parquet(file: &str) -> Problem {
    Problem::new("unsupported", "this build reads no Parquet").file(file).hint("save the log as CSV")
}

#[cfg(not(feature = "parquet"))]
fn parquet<'h>(file: &str, _: &Model<f64>, _: &Reading, _: &'h dyn Host) -> Result<Box<dyn Tables + 'h>, Problem> {
    Err(no_parquet(file))
}

#[cfg(not(feature = "parquet"))]
fn parquet_content(
    _: Source<'_>,
    _: &RefCell<Hash>,
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &dyn Host,
) -> Result<Content, Problem> {
    parquet(file, model, reading, host).map(|_| Content { rows: 0, hash: 0 })
}

#[cfg(feature = "recordings")]
fn recording<'h>(
    source: Source<'h>,
    hash: Rc<RefCell<Hash>>,
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    host: &'h dyn Host,
) -> Result<Box<dyn Tables + 'h>, Problem> {
    use crate::recording::JointStates;

    if reading.part.is_some() {
        return Err(unsupported_column().file(file));
    }
    struct Recording<'h> {
        states: JointStates<Source<'h>>,
        hash: Rc<RefCell<Hash>>,
    }
    impl Tables for Recording<'_> {
        fn next_table(&mut self, most: usize) -> Result<Option<Table>, Problem> {
            self.states.next_table(most)
        }

        fn end(&mut self) -> (Vec<String>, u64) {
            (self.states.remarks(), self.hash.borrow().value())
        }
    }
    let states = JointStates::new(source, file, model, reading.topic.as_deref());
    let states = states.map_err(|problem| if host.is_cancelled() { Problem::cancelled() } else { problem })?;
    Ok(Box::new(Recording { states, hash }))
}

#[cfg(not(feature = "recordings"))]
fn recording<'h>(
    _: Source<'h>,
    _: Rc<RefCell<Hash>>,
    file: &str,
    _: &Model<f64>,
    _: &Reading,
    _: &'h dyn Host,
) -> Result<Box<dyn Tables + 'h>, Problem> {
    Err(Problem::new("unsupported", "this build reads no recordings").file(file).hint("save the log as CSV"))
}

/// What is wrong with a log.
pub(in crate::operations) fn problem(error: IdentifyError, file: &str, host: &dyn Host) -> Problem {
    if host.is_cancelled() { Problem::cancelled() } else { Problem::from(error).file(file) }
}
