//! `check`: everything that is wrong or doubtful about a robot file.

use crate::flaws;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::text::diagnostics;
use crate::text::style::{BAD, GOOD, WARN};
use jourdain::model::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Check a robot and list all errors and warnings
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// True if there is no error.
    pub ok: bool,
    /// All findings, in the order of the file.
    pub diagnostics: Vec<Finding>,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    source: String,
    #[serde(skip)]
    found: Vec<Diagnostic>,
}

/// A finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A stable word for the rule.
    pub code: &'static str,
    /// The link it is about.
    pub link: Option<String>,
    /// The joint it is about.
    pub joint: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column, from 1.
    pub column: Option<usize>,
    /// What is wrong, with the values.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// No robot can be so.
    Error,
    /// Probably a slip.
    Warning,
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: if diagnostic.is_error() { Severity::Error } else { Severity::Warning },
            code: diagnostic.code,
            link: diagnostic.link.clone(),
            joint: diagnostic.joint.clone(),
            line: diagnostic.location.map(|place| place.line),
            column: diagnostic.location.map(|place| place.column),
            message: match &diagnostic.file {
                Some(file) => format!("in {}: {}", file.name, diagnostic.message),
                None => diagnostic.message.clone(),
            },
            hint: diagnostic.hint.clone(),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "check";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let mut reading = self.robot.read(host)?;
        if self.robot.strict {
            flaws::refuse(&mut reading.diagnostics);
        }
        Ok(Report {
            ok: !reading.diagnostics.iter().any(Diagnostic::is_error),
            diagnostics: reading.diagnostics.iter().map(Finding::from).collect(),
            title: self.robot.title().to_owned(),
            source: reading.source,
            found: reading.diagnostics,
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        self.with_details(&self.found.iter().collect::<Vec<_>>())
    }

    fn brief(&self) -> String {
        self.with_details(&self.found.iter().filter(|found| found.is_error()).collect::<Vec<_>>())
    }

    fn exit_code(&self) -> u8 {
        u8::from(!self.ok)
    }
}

impl Report {
    fn with_details(&self, shown: &[&Diagnostic]) -> String {
        let details = diagnostics::render(&self.title, &self.source, shown);
        let gap = if details.is_empty() { "" } else { "\n" };
        let errors = self.found.iter().filter(|found| found.is_error()).count();
        format!("{details}{gap}{}", verdict(&self.title, errors, self.found.len() - errors))
    }
}

fn verdict(title: &str, errors: usize, warnings: usize) -> String {
    let count = |number: usize, what: &str| match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    let style = match (errors, warnings) {
        (0, 0) => GOOD,
        (0, _) => WARN,
        _ => BAD,
    };
    format!("{title}: {style}{}, {}{style:#}", count(errors, "error"), count(warnings, "warning"))
}
