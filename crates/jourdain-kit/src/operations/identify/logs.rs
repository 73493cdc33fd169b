//! Logs: read line by line, in parts, and merged with what was kept of other parts.

use super::opened::{self, Opened};
use super::problems::Problems;
use super::reading::Reading;
use super::report::Log;
use super::shard::Shard;
use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use jourdain::Model;
use jourdain::identify::log::{self, Options, RotorLog};
use jourdain::identify::{self, Choice, Coordinates, Factors, LogPart, LogSettings, Sample};

const FACTORS: What = What { name: "the factors", option: "--merge", hint: "" };

/// What is asked of the logs.
pub(super) struct Asked<'a> {
    pub data: &'a [String],
    pub merge: &'a [String],
    pub shard: Option<Shard>,
    pub reading: &'a Reading,
    pub options: Options,
    /// The delay, if it is given.
    pub delay: Option<f64>,
    /// The coordinates of the drives, if they are modelled.
    pub coordinates: Option<Coordinates>,
}

/// What came of the logs.
pub(super) struct Gathered {
    pub problems: Problems,
    pub factors: Factors,
    pub logs: Vec<Log>,
    /// How the first log was read, for others.
    pub options: Options,
    /// How each log was read.
    pub each: Vec<Options>,
    /// Samples that tell how large residuals usually are.
    pub choice: Choice,
    /// The factors that were merged with those of the logs.
    merged: Vec<(String, Factors)>,
}

impl Gathered {
    /// The logs that `asked` names are read once more; `pass` gives of each sample what counts, `begins` is told of each log.
    pub fn again(
        &self,
        asked: &Asked<'_>,
        model: &Model<f64>,
        host: &dyn Host,
        mut pass: impl FnMut(&Sample<'_>, &mut dyn FnMut(&Sample<'_>)),
        mut begins: impl FnMut(&str),
    ) -> Result<Factors, Problem> {
        let mut factors = Factors::new(&self.problems.wide);
        for (file, options) in asked.data.iter().zip(&self.each) {
            begins(file);
            let (own, _) = identify::accumulate(&self.problems.wide, asked.reading.threads(), |take| {
                read(file, model, asked.reading, options, host, |sample| pass(sample, &mut *take))
            })?;
            factors.merge(&own).map_err(|error| Problem::from(error).file(file))?;
        }
        for (file, part) in &self.merged {
            factors.merge(part).map_err(|error| Problem::from(error).file(file))?;
        }
        // They are of the same rows.
        factors.identity.clone_from(&self.factors.identity);
        Ok(factors)
    }
}

/// The factors of all data: those of earlier parts, and those of the logs.
pub(super) fn gather(
    asked: &Asked<'_>,
    model: &Model<f64>,
    simple: identify::Problem,
    host: &dyn Host,
) -> Result<Gathered, Problem> {
    let mut merged = Vec::with_capacity(asked.merge.len());
    for source in asked.merge {
        let (part, file) = if read::is_inline_json(source) {
            (Factors::from_json(source), FACTORS.option)
        } else {
            (Factors::from_bytes(&read::bytes(source, FACTORS, host)?), read::title(source))
        };
        merged.push((file.to_owned(), part.map_err(|error| Problem::from(error).file(file))?));
    }
    let settings = merged.first().and_then(|(_, part)| part.drives.clone()).filter(|_| asked.coordinates.is_some());
    let mut problems = match &settings {
        Some(settings) => Problems::of_settings(model, simple.clone(), settings)?,
        None => Problems::plain(simple.clone()),
    };
    let coordinates = settings
        .map(|_| problems.wide.coordinates().clone())
        .or_else(|| asked.coordinates.clone().filter(|_| merged.is_empty()));
    let mut first =
        Options { coordinates: coordinates.clone(), delay: asked.delay.unwrap_or(0.0), ..asked.options.clone() };
    let mut factors: Option<Factors> = None;
    let mut logs = Vec::with_capacity(asked.data.len());
    let (mut each, mut choice) = (Vec::with_capacity(asked.data.len()), Choice::default());
    for (number, file) in asked.data.iter().enumerate() {
        let content = || opened::content(file, model, asked.reading, host);
        let content = asked.shard.map(|_| content()).transpose()?;
        let rows = asked.shard.zip(content).map(|(shard, content)| shard.rows(content.rows));
        let mut opened = Opened::new(file, model, asked.reading, host)?;
        let mut options = Options { rows: rows.clone(), ..first.clone() };
        let mut studied = None;
        if let Some(coordinates) = &coordinates {
            let problem = Problems::to_study(model, coordinates)?;
            let study = identify::study(&problem, &asked.options, asked.delay, |options, take| {
                opened.beginning(model, options, take)
            });
            let study = study.map_err(|error| opened::problem(error, file, host))?;
            if problems.with_terms.is_none() {
                problems = Problems::with_terms(model, simple.clone(), coordinates, &study.load)?;
            }
            (options.cutoff, options.delay) = (study.cutoff, study.delay);
            studied = Some(study);
        }
        if number == 0 {
            first = Options { rows: None, ..options.clone() };
        }
        let threads = asked.reading.threads();
        let (mut own, (summary, read)) = identify::accumulate(&problems.wide, threads, |take| {
            opened.read(model, &options, |sample| {
                choice.add(sample);
                take(sample);
            })
        })?;
        let content = content.unwrap_or(read);
        let rows = rows.unwrap_or(0..content.rows);
        own.identity.logs.push(LogPart {
            file: read::title(file).to_owned(),
            hash: content.hash,
            rows: content.rows,
            from: rows.start,
            to: rows.end,
            part: asked.shard.map(|shard| [shard.part, shard.of]),
            settings: LogSettings {
                cutoff: summary.filtering.as_ref().map(|filtering| filtering.cutoff),
                delay: options.delay,
                decimate: options.decimate.unwrap_or(1),
                late: options.late.mark(),
            },
            counts: Some(summary.counts()),
        });
        each.push(options);
        logs.push(Log::new(file, summary, studied.as_ref()));
        let all = factors.get_or_insert_with(|| Factors::new(&problems.wide));
        all.merge(&own).map_err(|error| Problem::from(error).file(file))?;
    }
    let mut factors = factors.unwrap_or_else(|| Factors::new(&problems.wide));
    for (file, part) in &merged {
        factors.merge(part).map_err(|error| Problem::from(error).file(file))?;
    }
    Ok(Gathered { problems, factors, logs, options: first, each, choice, merged })
}

/// Reads a log and gives its samples to `take`.
pub(super) fn read(
    file: &str,
    model: &Model<f64>,
    reading: &Reading,
    options: &Options,
    host: &dyn Host,
    take: impl FnMut(&Sample<'_>),
) -> Result<Log, Problem> {
    let (summary, _) = Opened::new(file, model, reading, host)?.read(model, options, take)?;
    Ok(Log::new(file, summary, None))
}

/// Reads a log with positions of motors.
pub(super) fn read_rotors(
    file: &str,
    model: &Model<f64>,
    rate: Option<f64>,
    host: &dyn Host,
) -> Result<RotorLog, Problem> {
    let read = match host.table(file) {
        Some(table) => log::read_rotors_table(table, model, rate),
        None => log::read_rotors(opened::text(file, host)?, model, rate),
    };
    read.map_err(|error| opened::problem(error, file, host))
}
