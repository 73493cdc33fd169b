//! `expand`: a xacro file with its macros worked out.

use super::check::Finding;
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::write;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Expand a xacro file: macros, properties, conditions and includes
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The file
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Write the result to a file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub out: Option<PathBuf>,
}

/// The expanded file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The result, if no file was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is doubtful about the file.
    pub warnings: Vec<Finding>,
}

impl Operation for Request {
    const NAME: &'static str = "expand";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", self.out.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::EXPANDED, self.out.as_deref())])?;
        if self.robot.strict || !self.robot.edits.is_empty() {
            let problem = Problem::usage("expand gives the text of a file, which knows neither edits nor --strict");
            return Err(problem.hint("jourdain convert writes an edited robot"));
        }
        let expansion = self.robot.expand(host)?;
        let Some(text) = expansion.text else {
            return Err(self.robot.problem(expansion.source, expansion.diagnostics));
        };
        for warning in &expansion.diagnostics {
            let place = warning.location.map(|place| format!("{}:{}: ", place.line, place.column)).unwrap_or_default();
            let file = warning.file.as_ref().map(|file| format!("{}:", file.name)).unwrap_or_default();
            host.warn(format!("{file}{place}{}", warning.message));
        }
        let warnings = expansion.diagnostics.iter().map(Finding::from).collect();
        match &self.out {
            Some(file) => {
                write::text(file, &text, host)?;
                Ok(Report { file: Some(file.clone()), text: None, warnings })
            }
            None => Ok(Report { file: None, text: Some(text), warnings }),
        }
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match (&self.file, &self.text) {
            (Some(file), _) => format!("wrote {}", file.display()),
            (None, Some(text)) => text.trim_end().to_owned(),
            (None, None) => String::new(),
        }
    }

    /// They are in the report already, with their places.
    fn takes_warnings(&self) -> bool {
        false
    }
}
