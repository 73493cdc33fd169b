//! `schema`: the JSON schemas of requests and reports.

use crate::host::Host;
use crate::operation::{self, Operation};
use crate::operations::ALL;
use crate::problem::Problem;
use crate::text::table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Print the JSON schemas of an operation's request and report, or list the operations
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// Operation, such as eval or "flexible modes"; without it all of them are listed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(num_args = 1.., value_name = "OPERATION"))]
    pub operation: Vec<String>,
}

/// The schemas of one operation, or the list of all.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The schemas of one operation.
    One(Schemas),
    /// All operations.
    All(Vec<Listed>),
}

/// What an operation takes and gives.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Schemas {
    /// The JSON schema of its request.
    pub request: Value,
    /// The JSON schema of its report.
    pub report: Value,
}

/// An operation of the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: String,
}

impl Operation for Request {
    const NAME: &'static str = "schema";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        if self.operation.is_empty() {
            let listed = ALL.iter().map(|entry| Listed { name: entry.name, about: entry.about() });
            return Ok(Report::All(listed.collect()));
        }
        let mut schema = operation::find(&self.operation.join(" "))?.schema();
        Ok(Report::One(Schemas { request: schema["request"].take(), report: schema["report"].take() }))
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::All(all) => {
                let rows = all.iter().map(|listed| [listed.name.to_owned(), listed.about.clone()]);
                table::render(["operation", "what it does"], rows, &[])
            }
            // A schema is for programs: there is no other form.
            Self::One(schemas) => serde_json::to_string_pretty(schemas).unwrap_or_default(),
        }
    }
}
