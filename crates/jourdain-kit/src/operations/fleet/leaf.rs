//! One log to its factors, and what became of its rows; or why it was set aside.

use super::recipe::Ready;
use super::report::Rows;
use super::store::Store;
use crate::host::Host;
use crate::mixed::RobotRows;
use crate::operations::identify::opened::{self, Opened};
use crate::problem::Problem;
use jourdain::identify::{self, Factors, Hash, LogPart, LogSettings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::UNIX_EPOCH;

/// A log of a fleet.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Shard {
    /// Its path or address.
    pub file: String,
    /// The robot that it is of; empty as long as its column was not asked.
    pub robot: String,
    /// The column that names the robot of each row, if there is one: the rows of this robot count.
    #[serde(default)]
    pub column: Option<String>,
    /// The day, or whatever its period is called.
    pub day: String,
    /// What tells, without reading it, that it is as it was; found from the file if it is missing.
    #[serde(default)]
    pub stamp: Option<String>,
    /// It is taken as the store has it, whatever became of the log.
    #[serde(default)]
    pub stored: bool,
}

impl Shard {
    /// A log that is not in a store.
    pub(super) fn new(file: String, robot: String, day: String) -> Self {
        Self { file, robot, column: None, day, stamp: None, stored: false }
    }

    /// The rows of it that count, if they are not all.
    pub(super) fn part(&self) -> Option<RobotRows> {
        let robot = self.robot.clone();
        self.column.clone().map(|column| RobotRows { column, robot })
    }

    /// True as long as its column was not asked for robots.
    pub(super) fn is_unnamed(&self) -> bool {
        self.column.is_some() && self.robot.is_empty()
    }

    /// A name for it that no other has.
    pub(super) fn key(&self) -> String {
        match &self.column {
            Some(column) => format!("{}\0{column}\0{}", self.file, self.robot),
            None => self.file.clone(),
        }
    }

    /// What stands for the content of its rows, where `hash` stands for that of the file.
    fn content(&self, hash: u64) -> u64 {
        match &self.column {
            Some(_) => Hash::of(format!("{hash:016x}{}", self.robot).as_bytes()),
            None => hash,
        }
    }
}

/// What becomes of damaged logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// The first one ends the run
    #[default]
    Raise,
    /// They are set aside, with file, row and reason in the report, and the rest goes on
    Collect,
}

/// What came of a log.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Outcome {
    /// The log.
    pub shard: Shard,
    /// What stands for its content, in hexadecimal digits; missing if it was set aside.
    pub content: Option<String>,
    /// What became of its rows.
    pub rows: Rows,
    /// Its factors were in the store already: it was not read.
    pub was_stored: bool,
    /// Why it was set aside, if it was.
    pub set_aside: Option<SetAside>,
}

/// A log that was set aside.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct SetAside {
    /// The log.
    pub file: String,
    /// The robot that it is of.
    pub robot: String,
    /// Its line or row that is wrong, from 1; null if it is all of it.
    pub row: Option<u64>,
    /// The column that is wrong, from 1.
    pub column: Option<usize>,
    /// A word for the kind of fault.
    pub kind: String,
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Rows that are lost with it, as far as they can be counted.
    pub rows: u64,
}

impl SetAside {
    /// A log with a fault; `rows` are those of it that can be counted.
    pub(super) fn new(shard: &Shard, problem: &Problem, rows: u64) -> Self {
        let json = problem.to_json();
        let text = |key: &str| json["error"][key].as_str().map(str::to_owned);
        Self {
            file: shard.file.clone(),
            robot: shard.robot.clone(),
            row: json["error"]["line"].as_u64(),
            column: json["error"]["column"].as_u64().map(|column| column as usize),
            kind: problem.kind().to_owned(),
            reason: text("message").unwrap_or_default(),
            remedy: text("hint"),
            rows,
        }
    }
}

impl Outcome {
    /// Of a log that gave factors.
    fn used(shard: &Shard, part: &LogPart, was_stored: bool) -> Self {
        let rows = part.counts.unwrap_or_default().into();
        let content = Some(format!("{:016x}", part.hash));
        Self { shard: shard.clone(), content, rows, was_stored, set_aside: None }
    }

    /// Sets it aside.
    pub(super) fn put_aside(&mut self, fault: SetAside) {
        self.rows = Rows { read: fault.rows, set_aside: fault.rows, ..Rows::default() };
        self.content = None;
        self.set_aside = Some(fault);
    }
}

impl Ready {
    /// The factors of a log, from the store if they are there, with what became of its rows; `path` is where it lies. A damaged log is set aside,
    /// or a problem if `on_error` says so.
    ///
    /// # Errors
    /// A store that cannot be used, a run that is not wanted any more, and damaged logs unless they are to be collected.
    pub fn leaf(
        &self,
        shard: &Shard,
        path: &str,
        store: Option<&Store>,
        on_error: OnError,
        host: &dyn Host,
    ) -> Result<(Option<Factors>, Outcome), Problem> {
        let stamp = shard.stamp.clone().or_else(|| stamp(path, host));
        if let Some((factors, outcome)) = self.stored(shard, stamp.as_deref(), store, host)? {
            return Ok((Some(factors), outcome));
        }
        let read = self.read(shard, path, host).and_then(|factors| {
            let now = shard.stamp.clone().or_else(|| self::stamp(path, host));
            if now == stamp { Ok(factors) } else { Err(changed(&shard.file)) }
        });
        let factors = match read {
            Ok(factors) => factors,
            Err(problem) if host.is_cancelled() || on_error == OnError::Raise => return Err(problem.file(&shard.file)),
            Err(problem) => {
                let fault = SetAside::new(shard, &problem, self.rows(shard, path, host));
                let mut outcome = Outcome {
                    shard: shard.clone(),
                    content: None,
                    rows: Rows::default(),
                    was_stored: false,
                    set_aside: None,
                };
                outcome.put_aside(fault);
                return Ok((None, outcome));
            }
        };
        let outcome = Outcome::used(shard, &factors.identity.logs[0], false);
        if let Some(store) = store {
            store.put(shard, stamp.as_deref(), &factors, host)?;
        }
        Ok((Some(factors), outcome))
    }

    /// The factors of a log, if the store has them and the log is as it was then.
    ///
    /// # Errors
    /// A run that is not wanted any more.
    pub fn stored(
        &self,
        shard: &Shard,
        stamp: Option<&str>,
        store: Option<&Store>,
        host: &dyn Host,
    ) -> Result<Option<(Factors, Outcome)>, Problem> {
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let factors = store.and_then(|store| store.get(shard, stamp, host));
        let fits = |factors: &Factors| factors.names == self.names() && factors.identity.logs.len() == 1;
        Ok(factors.filter(fits).map(|factors| {
            let outcome = Outcome::used(shard, &factors.identity.logs[0], true);
            (factors, outcome)
        }))
    }

    /// The rows of a log, as far as they can be counted.
    fn rows(&self, shard: &Shard, path: &str, host: &dyn Host) -> u64 {
        match &shard.column {
            Some(column) => opened::robots(path, column, host)
                .map_or(0, |robots| robots.rows.get(&shard.robot).copied().unwrap_or(0)),
            None => opened::content(path, self.model(), &self.reading, host).map_or(0, |content| content.rows),
        }
    }

    /// Reads a log.
    fn read(&self, shard: &Shard, path: &str, host: &dyn Host) -> Result<Factors, Problem> {
        let opened = Opened::new(path, self.model(), &self.reading(shard), host)?;
        let (mut factors, (summary, content)) = identify::accumulate(&self.problem, 1, |take| {
            opened.read(self.model(), &self.options, |sample| take(sample))
        })?;
        let cutoff = summary.filtering.as_ref().map(|filtering| filtering.cutoff);
        if cutoff != self.options.cutoff {
            let message = "the log lacks velocities or accelerations, which the first log of the run has: it would be smoothed in a way of its own";
            let hint = "state a --cutoff, so that all logs are smoothed alike";
            return Err(Problem::new("other-settings", message).hint(hint));
        }
        if summary.samples == 0 {
            let message = format!("none of its {} rows can be used: it is too short to be smoothed", summary.rows);
            return Err(Problem::new("too-few-samples", message).hint("record longer, or join it with its neighbours"));
        }
        factors.identity.logs.push(LogPart {
            file: shard.file.clone(),
            hash: shard.content(content.hash),
            rows: content.rows,
            from: 0,
            to: content.rows,
            part: None,
            settings: LogSettings {
                cutoff,
                delay: self.options.delay,
                decimate: self.options.decimate.unwrap_or(1),
                late: self.options.late.mark(),
            },
            counts: Some(summary.counts()),
        });
        Ok(factors)
    }
}

/// What tells, without reading a file, that it is as it was: its length and when it was written.
pub(super) fn stamp(path: &str, host: &dyn Host) -> Option<String> {
    if host.memory().is_some() {
        return None;
    }
    let path = host.permitted(path, crate::host::Access::Read).ok()?;
    let facts = std::fs::metadata(&*path).ok()?;
    let written = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}-{}", facts.len(), written.as_nanos()))
}

fn changed(file: &str) -> Problem {
    let message = "the log was written to while it was read";
    Problem::new("changed-log", message).file(file).hint("run again once it is complete")
}
