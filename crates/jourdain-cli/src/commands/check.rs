//! `jourdain check`: everything that is wrong or doubtful about a robot file.

use crate::failure::Failure;
use crate::input;
use crate::output::{BAD, GOOD, Output, WARN};
use crate::report;
use jourdain::model::Diagnostic;
use serde_json::{Value, json};

/// Check a robot and list all errors and warnings
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,
}

/// Runs the command; the exit code is 1 if there is an error.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let reading = input::read_robot(&arguments.robot)?;
    let errors = reading.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let warnings = reading.diagnostics.len() - errors;
    if output.is_json() {
        let diagnostics: Vec<_> = reading.diagnostics.iter().map(to_json).collect();
        output.json(&json!({ "ok": errors == 0, "diagnostics": diagnostics }))?;
    } else {
        let title = input::robot_title(&arguments.robot);
        let shown: Vec<_> =
            reading.diagnostics.iter().filter(|diagnostic| diagnostic.is_error() || !output.is_quiet()).collect();
        let details = report::render(title, &reading.source, &shown);
        let gap = if details.is_empty() { "" } else { "\n" };
        output.text(&format!("{details}{gap}{}", verdict(title, errors, warnings)))?;
    }
    Ok(u8::from(errors > 0))
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

fn to_json(diagnostic: &Diagnostic) -> Value {
    json!({
        "severity": if diagnostic.is_error() { "error" } else { "warning" },
        "code": diagnostic.code,
        "link": diagnostic.link,
        "joint": diagnostic.joint,
        "line": diagnostic.location.map(|place| place.line),
        "column": diagnostic.location.map(|place| place.column),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    })
}
