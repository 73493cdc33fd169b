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

/// All quantities by names that can be asked for, in the order of the documentation; of a family its two lowest orders.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report(Vec<Listed>);

/// A quantity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its name; `:L` stands for a link.
    pub name: String,
    /// Shorter names that are understood too.
    pub short: &'static [&'static str],
    /// The family that it is one of, such as the derivatives of any order.
    pub family: Option<&'static str>,
    /// What it is.
    pub about: String,
    /// What its axes count.
    pub shape: Vec<String>,
    /// What it reads of a state.
    pub inputs: Vec<String>,
    /// Its unit where all joints turn.
    pub unit: String,
    /// The equation it realises.
    pub equation: &'static str,
}

impl From<&Quantity> for Listed {
    fn from(quantity: &Quantity) -> Self {
        let (entry, name) = (quantity.entry(), quantity.base_name());
        Self {
            name: if entry.per_link() { format!("{name}:L") } else { name },
            short: entry.short,
            family: entry.is_family().then_some(entry.name),
            about: quantity.about(),
            shape: entry.shape.0.iter().map(ToString::to_string).collect(),
            inputs: quantity.reads().inputs().map(|input| input.to_string()).collect(),
            unit: quantity.unit_text(),
            equation: entry.reference,
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "quantities";
    type Report = Report;

    fn run(&self, _: &dyn Host) -> Result<Report, Problem> {
        Ok(Report(Quantity::each(0).iter().map(Listed::from).collect()))
    }
}

/// What the letters of the list mean.
const LEGEND: &str = "nq: numbers of q; nv: degrees of freedom; np: ten parameters per link, then those of the drives; \
                      nb: base parameters; L: a link; N: any order from 3 on.\n\
                      G: Garofalo, Ott and Albu-Schäffer 2013; MK: Müller and Kumar 2021; GK: Gautier and Khalil 1990; \
                      Grimm: Grimm 1990.";

impl operation::Report for Report {
    fn text(&self) -> String {
        let header = ["quantity", "shape", "inputs", "equation", "meaning"];
        format!("{}\n\n{LEGEND}", table::render(header, Quantity::ALL.iter().map(row), &[]))
    }
}

/// One line per entry: a family of all orders is one.
fn row(entry: &Entry) -> [String; 5] {
    let name = if entry.per_link() { format!("{}:L", entry.name) } else { entry.name.to_owned() };
    let name = entry.short.iter().fold(name, |name, short| format!("{name}, {short}"));
    let mut inputs: Vec<String> = entry.reads.inputs().map(|input| input.to_string()).collect();
    if entry.is_family() {
        // A family reads as many derivatives more as its order.
        inputs.insert(entry.reads.highest_motion() + 1, "…".to_owned());
    }
    [name, entry.shape.to_string(), inputs.join(" "), entry.reference.to_owned(), entry.about.to_owned()]
}
