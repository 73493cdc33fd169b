//! What came of a fleet, with counts that add up.

use super::estimate::Estimate;
use super::leaf::{Outcome, SetAside};
use super::plan::Plan;
use crate::operation;
use crate::text::style::{BAD, FAINT, HEADING, WARN};
use jourdain::identify::RowCounts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// What became of rows: `read` is `used` + `dropped` + `set_aside`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Rows {
    /// Rows that were read.
    pub read: u64,
    /// Rows that became samples.
    pub used: u64,
    /// Rows that were dropped.
    pub dropped: u64,
    /// Why they were dropped.
    pub dropped_by: DroppedRows,
    /// Rows of logs that were set aside.
    pub set_aside: u64,
}

/// Why rows were dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct DroppedRows {
    /// They were the row before once more.
    pub doubled: u64,
    /// Only every so manieth was to be used.
    pub thinned: u64,
    /// They are at the ends of a log or beside a gap, where no derivatives are known.
    pub edges: u64,
}

impl From<RowCounts> for Rows {
    fn from(RowCounts { read, used, doubled, thinned, edges }: RowCounts) -> Self {
        let dropped_by = DroppedRows { doubled, thinned, edges };
        Self { read, used, dropped: doubled + thinned + edges, dropped_by, set_aside: 0 }
    }
}

impl Rows {
    fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.used += other.used;
        self.dropped += other.dropped;
        self.dropped_by.doubled += other.dropped_by.doubled;
        self.dropped_by.thinned += other.dropped_by.thinned;
        self.dropped_by.edges += other.dropped_by.edges;
        self.set_aside += other.set_aside;
    }
}

/// What came of a fleet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The model.
    pub robot: String,
    /// Cut-off of the smoothing of all logs, Hz; null if they were taken as they are.
    pub cutoff_hz: Option<f64>,
    /// The log that the cut-off is from; null if it was given.
    pub cutoff_from: Option<String>,
    /// Logs.
    pub logs: u64,
    /// Logs whose factors were in the store: they were not read.
    pub stored: u64,
    /// What became of the rows of all logs.
    pub rows: Rows,
    /// The parameters, by robot; one entry where all robots are one.
    pub robots: Vec<Estimate>,
    /// Logs that were set aside.
    pub set_aside: Vec<SetAside>,
    /// The files that were written.
    pub files: Vec<String>,
}

impl Report {
    /// Of what came of every log and of every robot.
    #[must_use]
    pub fn new(plan: &Plan, outcomes: &[Outcome], robots: Vec<Estimate>) -> Self {
        let mut rows = Rows::default();
        outcomes.iter().for_each(|outcome| rows.add(&outcome.rows));
        for fault in &plan.set_aside {
            rows.add(&Rows { read: fault.rows, set_aside: fault.rows, ..Rows::default() });
        }
        let mut set_aside = plan.set_aside.clone();
        set_aside.extend(outcomes.iter().filter_map(|outcome| outcome.set_aside.clone()));
        Self {
            robot: plan.recipe.name.clone(),
            cutoff_hz: plan.recipe.settings.cutoff,
            cutoff_from: plan.recipe.chosen_from.clone(),
            logs: plan.logs(outcomes),
            stored: outcomes.iter().filter(|outcome| outcome.was_stored).count() as u64,
            rows,
            robots,
            set_aside,
            files: Vec::new(),
        }
    }
}

/// Robots and parameters that a text shows; files and JSON have all.
const MOST: usize = 12;

impl operation::Report for Report {
    fn text(&self) -> String {
        let Self { robot, logs, stored, rows, robots, set_aside, .. } = self;
        let by = rows.dropped_by;
        let mut text = format!(
            "{HEADING}{robot}: {} from {logs} logs{HEADING:#}\n",
            if robots.len() == 1 { "1 robot".to_owned() } else { format!("{} robots", robots.len()) }
        );
        let _ = writeln!(
            text,
            "rows     {} read = {} used + {} dropped ({} doubled, {} thinned, {} at ends and gaps) + {} set aside",
            rows.read, rows.used, rows.dropped, by.doubled, by.thinned, by.edges, rows.set_aside
        );
        let _ = writeln!(text, "store    {stored} of {logs} logs were there already");
        let _ = match (self.cutoff_hz, &self.cutoff_from) {
            (Some(cutoff), Some(from)) => {
                writeln!(text, "motion   smoothed, cut-off {cutoff:.4} Hz for all logs, as {from} asks for")
            }
            (Some(cutoff), None) => writeln!(text, "motion   smoothed, cut-off {cutoff} Hz for all logs, as given"),
            (None, _) => writeln!(text, "motion   as it is in the logs"),
        };
        for estimate in robots.iter().take(MOST) {
            text += &shown(estimate);
        }
        if robots.len() > MOST {
            let _ =
                writeln!(text, "{FAINT}and {} robots more: --json or --table has all{FAINT:#}", robots.len() - MOST);
        }
        if !set_aside.is_empty() {
            let _ = writeln!(text, "\n{WARN}set aside{WARN:#}");
        }
        for fault in set_aside.iter().take(MOST) {
            let row = fault.row.map_or(String::new(), |row| format!(", row {row}"));
            let _ = writeln!(text, "  {}{row}: {} ({} rows)", fault.file, fault.reason, fault.rows);
        }
        if set_aside.len() > MOST {
            let _ = writeln!(text, "  and {} logs more", set_aside.len() - MOST);
        }
        for file in &self.files {
            let _ = writeln!(text, "wrote {file}");
        }
        text.trim_end().to_owned()
    }

    /// A robot without an estimate is a problem that was not solved.
    fn exit_code(&self) -> u8 {
        u8::from(self.robots.iter().any(|robot| robot.problem.is_some()))
    }
}

fn shown(estimate: &Estimate) -> String {
    let mut text = format!("\n{HEADING}{}{HEADING:#}", estimate.robot);
    if let Some(fault) = &estimate.problem {
        return format!("{text}: {BAD}no estimate{BAD:#}: {}\n", fault.message);
    }
    let _ = writeln!(
        text,
        ": {} samples, condition number {:.4}",
        estimate.samples,
        estimate.condition.unwrap_or(f64::NAN)
    );
    for parameter in &estimate.parameters {
        let _ = writeln!(text, "  {:<8} {:>14.6}  ± {:.2e}", parameter.name, parameter.value, parameter.deviation);
    }
    for warning in &estimate.warnings {
        let _ = writeln!(text, "  {WARN}warning{WARN:#}: {warning}");
    }
    text
}
