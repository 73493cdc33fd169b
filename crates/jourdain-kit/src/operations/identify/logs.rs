//! Logs: read line by line, in parts, and merged with what was kept of other parts.

use super::report::Log;
use crate::host::Host;
use crate::problem::Problem;
use crate::progress::Watched;
use crate::read::{self, What};
use jourdain::Model;
use jourdain::formats::table::count_rows;
use jourdain::identify::log::{self, Options};
use jourdain::identify::{self, Accumulator, Factors, IdentifyError, Sample};
use std::io::{BufRead, BufReader};
use std::ops::Range;

const LOG: What = What { name: "the log", option: "--data", hint: "" };
const FACTORS: What = What { name: "the factors", option: "--merge", hint: "" };

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// One of several equal parts of a log, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// From `2/8`.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let number = |text: &str| text.parse::<u64>().ok();
        let parts = text.split_once('/').and_then(|(part, of)| Some(Self { part: number(part)?, of: number(of)? }));
        parts.filter(|shard| (1..=shard.of).contains(&shard.part)).ok_or_else(|| {
            Problem::usage(format!("`{text}` is no part of a log")).hint("the second of eight parts is --shard 2/8")
        })
    }

    /// Its rows out of so many: parts differ by at most one, and together they are all.
    fn rows(self, rows: u64) -> Range<u64> {
        let at = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(self.of)) as u64;
        at(self.part - 1)..at(self.part)
    }
}

/// The factors of all data: those of earlier parts, and those of the logs.
pub(super) fn gather(
    data: &[String],
    merge: &[String],
    shard: Option<Shard>,
    options: &Options,
    problem: &identify::Problem,
    host: &dyn Host,
) -> Result<(Factors, Vec<Log>), Problem> {
    let mut factors = Factors::new(problem);
    for source in merge {
        let given = read::given(source, FACTORS, host)?;
        let merged = Factors::from_json(&given.text).and_then(|part| factors.merge(&part));
        merged.map_err(|error| match &given.file {
            Some(file) => Problem::from(error).file(file),
            None => error.into(),
        })?;
    }
    let mut logs = Vec::with_capacity(data.len());
    for file in data {
        let rows = shard.map(|shard| Ok::<_, Problem>(shard.rows(count(file, host)?))).transpose()?;
        let mut accumulator = Accumulator::new(problem);
        let options = Options { rows, ..options.clone() };
        logs.push(read(file, problem.model(), &options, host, |sample| accumulator.add(sample))?);
        factors.merge(&accumulator.finish()).map_err(|error| Problem::from(error).file(file))?;
    }
    Ok((factors, logs))
}

/// Reads a log and gives its samples to `take`.
pub(super) fn read(
    file: &str,
    model: &Model<f64>,
    options: &Options,
    host: &dyn Host,
    take: impl FnMut(&Sample<'_>),
) -> Result<Log, Problem> {
    let summary = match host.table(file) {
        Some(table) => log::read_table(table, model, options, |share| host.goes_on(share), take),
        None => log::read(open(file, true, host)?, model, options, take),
    };
    Ok(Log::new(file, summary.map_err(|error| problem(error, file, host))?))
}

/// The number of lines below the heading.
fn count(file: &str, host: &dyn Host) -> Result<u64, Problem> {
    if let Some(table) = host.table(file) {
        return Ok(table.rows() as u64);
    }
    count_rows(open(file, false, host)?).map_err(|error| problem(error.into(), file, host))
}

fn open<'h>(file: &str, tells: bool, host: &'h dyn Host) -> Result<impl BufRead + use<'h>, Problem> {
    let (source, length) = read::open(file, host).map_err(|error| read::cannot_read(file, LOG, &error))?;
    Ok(BufReader::with_capacity(BUFFER, Watched::new(source, length.filter(|_| tells), host)))
}

fn problem(error: IdentifyError, file: &str, host: &dyn Host) -> Problem {
    if host.is_cancelled() { Problem::cancelled() } else { Problem::from(error).file(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_rows_once() {
        for (rows, of) in [(10, 3), (2, 5), (0, 1), (u64::MAX, 7)] {
            let mut end = 0;
            for part in 1..=of {
                let range = Shard { part, of }.rows(rows);
                assert_eq!(range.start, end, "{part}/{of} of {rows}");
                assert!(range.end - range.start <= rows / of + 1);
                end = range.end;
            }
            assert_eq!(end, rows);
        }
    }

    #[test]
    fn a_part_is_one_of_those_there_are() {
        assert_eq!(Shard::parse("2/8").unwrap(), Shard { part: 2, of: 8 });
        for text in ["0/3", "4/3", "1", "1/", "/3", "a/b", "-1/3", ""] {
            assert_eq!(Shard::parse(text).unwrap_err().kind(), "usage", "{text}");
        }
    }
}
