//! `quantities`: the registry, as a list.

use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::text::table;
use jourdain::quantity::{Entry, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// List the quantities that can be evaluated
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {}

/// All quantities, in the order of the documentation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report(Vec<Listed>);

/// A quantity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its name; `:L` stands for a link.
    pub name: String,
    /// What it is.
    pub about: &'static str,
    /// What its axes count.
    pub shape: Vec<String>,
    /// What it reads of a state.
    pub inputs: Vec<String>,
    /// Its unit where all joints turn.
    pub unit: &'static str,
    /// The equation it realises.
    pub equation: &'static str,
}

impl From<&Entry> for Listed {
    fn from(entry: &Entry) -> Self {
        Self {
            name: if entry.per_link { format!("{}:L", entry.name) } else { entry.name.to_owned() },
            about: entry.about,
            shape: entry.shape.0.iter().map(ToString::to_string).collect(),
            inputs: entry.inputs.iter().map(ToString::to_string).collect(),
            unit: entry.unit,
            equation: entry.reference,
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "quantities";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        Ok(Report(Quantity::ALL.iter().map(Listed::from).collect()))
    }
}

/// What the letters of the list mean.
const LEGEND: &str = "nq: numbers of q; nv: degrees of freedom; np: ten parameters per link, then those of the drives; \
                      nb: base parameters; L: a link.\n\
                      G: Garofalo, Ott and Albu-Schäffer 2013; MK: Müller and Kumar 2021; GK: Gautier and Khalil 1990; \
                      Grimm: Grimm 1990.";

impl operation::Report for Report {
    fn text(&self) -> String {
        let header = ["quantity", "shape", "inputs", "equation", "meaning"];
        let row = |listed: &Listed| {
            let shape = if listed.shape.is_empty() { "1".to_owned() } else { listed.shape.join(" × ") };
            let inputs = listed.inputs.join(" ");
            [listed.name.clone(), shape, inputs, listed.equation.to_owned(), listed.about.to_owned()]
        };
        format!("{}\n\n{LEGEND}", table::render(header, self.0.iter().map(row), &[]))
    }
}
