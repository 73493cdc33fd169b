//! The logs: what was read, when samples were taken, how the motion was smoothed.

use super::super::report::{Filter, Log};
use super::super::show::{percent, rounded};
use super::Story;
use super::html::{Cell, Table, file_name, paragraph};

pub(super) fn tell(story: &Story<'_>) -> Option<String> {
    let logs = &story.report.logs;
    if logs.is_empty() {
        return Some(paragraph("The estimates are from factors that were kept of earlier logs; no log was read."));
    }
    let heading = ["log", "lines", "used", "sent twice", "gaps", "time in", "samples/s", "motion", "torques"];
    let mut table = Table::new(heading).words(2);
    let validated = story.report.validation.as_ref().map(|validation| (&validation.log, "as for the data"));
    for (log, given) in logs.iter().map(|log| (log, "as given")).chain(validated) {
        let rate = log.filter.as_ref().map_or("–".to_owned(), |filter| rounded(filter.rate_hz));
        let numbers = [log.lines.to_string(), log.samples.to_string(), log.doubled.to_string(), log.gaps.to_string()];
        let cells = numbers.into_iter().chain([log.time_unit.to_owned(), rate]).map(Cell::Number);
        let motion = log.filter.as_ref().map_or("as recorded".to_owned(), |filter| smoothing(filter, given));
        table.row(file_name(&log.file), false, cells.chain([Cell::Words(motion), Cell::Words(delay(log))]));
    }
    Some(table.html())
}

fn smoothing(filter: &Filter, given: &str) -> String {
    let origin = match (filter.from_residuals, filter.limited, filter.from_spectrum) {
        (true, true, _) => "torques are met best, limited by the sampling rate",
        (true, false, _) => "torques are met best",
        (false, _, true) => "5 times the highest frequency of the motion",
        (false, _, false) => given,
    };
    let tick =
        filter.tick.map(|tick| format!("; stamps put on ticks of {} ms", rounded(1e3 * tick))).unwrap_or_default();
    format!(
        "smoothed at {} Hz ({origin}); {} by differentiation{tick}",
        rounded(filter.cutoff_hz),
        filter.differentiated
    )
}

fn delay(log: &Log) -> String {
    if log.delay == 0.0 {
        return "no delay".to_owned();
    }
    let way = if log.delay > 0.0 { "ahead of" } else { "behind" };
    format!("{} ms {way} the motion: residuals {} lower", rounded(1e3 * log.delay.abs()), percent(log.delay_gain))
}
