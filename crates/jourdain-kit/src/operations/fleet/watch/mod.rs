//! `fleet watch`: which robots change, and which are unlike the others of their model.

mod days;
mod draw;
mod page;
mod series;

use super::arrange::Seen;
use super::identify::leaves;
use super::leaf::SetAside;
use super::logs::Logs;
use super::plan::Plan;
use super::recipe::Ready;
use super::report::Rows;
use super::settings::Settings;
use crate::clash::Outputs;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::operations::identify::Reading;
use crate::plot;
use crate::plot::look::Style;
use crate::problem::Problem;
use crate::text::style::{self, FAINT, GOOD, HEADING, WARN};
use crate::{ending, sheet, write};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use series::Fleet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Find robots of a fleet that change or are unlike the others
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The parameters of every robot are estimated day by day, from the factors that the store has; logs that are given and not \
                      there yet are read. A change is a drift or a jump of one robot's parameter, an outlier a robot unlike the others. Of all \
                      that is reported, the expected share of false alarms is --level. Robot and settings must be those of \
                      `jourdain fleet identify`."
    )
)]
pub struct Request {
    /// Which logs
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub logs: Logs,

    /// Share of false alarms among all alarms
    #[serde(default = "level")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = level()))]
    pub level: f64,

    /// Parameters to watch; all if none are named
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAMES", value_delimiter = ','))]
    pub parameters: Vec<String>,

    /// How logs are read, and what is unknown
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub settings: Settings,

    /// Threads to work on; as many as there are processors if it is not given. The result is the same
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<usize>,

    /// Write the report: as words or, with figures, as a page
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.txt|html"))]
    pub report: Option<PathBuf>,

    /// Write the parameters of every robot and day as a table
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.csv|parquet"))]
    pub table: Option<PathBuf>,

    /// Draw what was found
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,
}

fn level() -> f64 {
    0.05
}

/// What was found in a fleet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The model.
    pub robot: String,
    /// The robots that were watched.
    pub robots: Vec<String>,
    /// The days, in order.
    pub days: Vec<String>,
    /// Questions that were asked: of every robot and parameter, does it change, and is it unlike the others.
    pub tests: u64,
    /// Expected share of false alarms among the findings, at most.
    pub level: f64,
    /// What was found, the surest first.
    pub findings: Vec<Finding>,
    /// What became of the rows of all logs.
    pub rows: Rows,
    /// Logs that were set aside.
    pub set_aside: Vec<SetAside>,
    /// Robots and days without an estimate, and why.
    pub without: Vec<String>,
    /// The files that were written.
    pub files: Vec<String>,
}

/// How a robot draws attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// A parameter changes bit by bit.
    Drift,
    /// A parameter changes at once.
    Jump,
    /// A parameter is unlike that of the other robots.
    Outlier,
}

impl FindingKind {
    fn word(self) -> &'static str {
        match self {
            Self::Drift => "drift",
            Self::Jump => "jump",
            Self::Outlier => "outlier",
        }
    }
}

/// A robot that changes, or that is unlike the others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// The robot.
    pub robot: String,
    /// The parameter.
    pub parameter: String,
    /// How it draws attention.
    pub kind: FindingKind,
    /// The first day after a jump; null otherwise.
    pub day: Option<String>,
    /// The value before, SI; of an outlier the mean of the others.
    pub before: f64,
    /// The value after, SI; of an outlier its own.
    pub after: f64,
    /// Change over the value before; null if that is zero.
    pub relative: Option<f64>,
    /// How probable as much would be if all were well.
    pub p_value: f64,
}

impl Operation for Request {
    const NAME: &'static str = "fleet watch";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        let Self { report, table, plot, .. } = self;
        vec![("report", report.as_deref()), ("table", table.as_deref()), ("plot", plot.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([
            (&ending::REPORT, self.report.as_deref()),
            (&ending::TABLE, self.table.as_deref()),
            (&ending::PLOT, self.plot.as_deref()),
        ])?;
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Problem::usage("--level is a share between 0 and 1"));
        }
        let threads = Reading { threads: self.threads, ..Reading::default() };
        threads.check()?;
        let (threads, on_error) = (threads.threads(), self.logs.on_error);
        let plan = Plan::new(&self.logs, &self.settings, host)?.complete(on_error, threads, host)?;
        let ready = Ready::new(plan.recipe.clone())?;
        if let Some(unknown) = self.parameters.iter().find(|name| !ready.names().contains(name)) {
            let message = format!("--parameters: there is no parameter `{unknown}`");
            return Err(Problem::usage(message).hint(format!("there are {}", ready.names().join(", "))));
        }
        let (mut fleet, mut seen) = (Fleet::new(&ready, &self.parameters), Seen::default());
        let outcomes = leaves(&ready, &plan, on_error, threads, host, |shard, factors, outcome| {
            let counts = seen.admit(outcome, on_error)?;
            fleet.take(shard, factors.filter(|_| counts))
        })?;
        let fleet = fleet.finish()?;
        let counted = super::Report::new(&plan, &outcomes, Vec::new());
        let (findings, tests) = fleet.findings(self.level);
        let mut report = Report {
            robot: plan.recipe.name.clone(),
            robots: fleet.robots(),
            days: fleet.days.labels().to_vec(),
            tests,
            level: self.level,
            findings,
            rows: counted.rows,
            set_aside: counted.set_aside,
            without: fleet.without.clone(),
            files: Vec::new(),
        };
        let figure = draw::figure(&report, &fleet);
        if let Some(path) = &self.table {
            write_table(path, &fleet, host)?;
            report.files.push(path.display().to_string());
        }
        if let Some(path) = &self.plot {
            plot::write(path, &figure, self.style, host)?;
            report.files.push(path.display().to_string());
        }
        if let Some(path) = &self.report {
            let text = match ending::REPORT.of(path)? {
                "html" | "htm" => page::text(&report, &figure),
                _ => style::plain(&operation::Report::text(&report)) + "\n",
            };
            write::text(path, &text, host)?;
            report.files.push(path.display().to_string());
        }
        Ok(report)
    }
}

fn write_table(path: &Path, fleet: &Fleet<'_>, host: &dyn Host) -> Result<(), Problem> {
    let names = &fleet.names;
    let deviations = names.iter().map(|name| format!("{name}_deviation"));
    let columns = std::iter::once("day".to_owned()).chain(names.iter().cloned()).chain(deviations).collect();
    let (mut values, mut words) = (Vec::new(), Vec::new());
    for own in &fleet.series {
        for (k, day) in own.days.iter().enumerate() {
            values.push(fleet.days.number(day));
            values.extend(own.points.iter().map(|points| points[k].value));
            values.extend(own.points.iter().map(|points| points[k].deviation));
            words.push(own.robot.as_str());
        }
    }
    sheet::counted(path, "number", columns, &values, Some(("robot", &words)), words.len(), host)
}

/// Findings that a text shows; files and JSON have all.
const MOST: usize = 40;

impl operation::Report for Report {
    fn text(&self) -> String {
        let Self { robot, robots, days, tests, level, findings, rows, set_aside, without, .. } = self;
        let mut text = format!("{HEADING}{robot}: {} robots over {} days{HEADING:#}\n", robots.len(), days.len());
        let _ = writeln!(
            text,
            "rows   {} read = {} used + {} dropped + {} set aside",
            rows.read, rows.used, rows.dropped, rows.set_aside
        );
        let _ = writeln!(
            text,
            "tests  {tests}; at most {:.0} % of the findings are expected to be false alarms\n",
            100.0 * level
        );
        if findings.is_empty() {
            let _ = writeln!(text, "{GOOD}nothing was found{GOOD:#}");
        }
        for found in findings.iter().take(MOST) {
            let _ = writeln!(text, "{WARN}{:<8}{WARN:#} {}", found.kind.word(), found.words());
        }
        if findings.len() > MOST {
            let _ = writeln!(text, "{FAINT}and {} more: --json or --report has all{FAINT:#}", findings.len() - MOST);
        }
        for fault in set_aside {
            let _ = writeln!(text, "set aside {}: {}", fault.file, fault.reason);
        }
        for words in without.iter().take(MOST) {
            let _ = writeln!(text, "no estimate of {words}");
        }
        for file in &self.files {
            let _ = writeln!(text, "wrote {file}");
        }
        text.trim_end().to_owned()
    }
}

impl Finding {
    /// As a sentence.
    fn words(&self) -> String {
        let Self { robot, parameter, before, after, .. } = self;
        let change = self.relative.map_or(String::new(), |share| format!(", {:+.1} %", 100.0 * share));
        let when = self.day.as_ref().map_or(String::new(), |day| format!(" on {day}"));
        let what = match self.kind {
            FindingKind::Drift => format!("{parameter} drifts from {before:.5} to {after:.5}"),
            FindingKind::Jump => format!("{parameter} jumps from {before:.5} to {after:.5}"),
            FindingKind::Outlier => format!("{parameter} is {after:.5}, that of the others {before:.5}"),
        };
        format!("{robot}: {what}{when}{change} (p = {:.1e})", self.p_value)
    }
}
