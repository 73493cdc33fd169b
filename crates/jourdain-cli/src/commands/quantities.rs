//! `jourdain quantities`: the registry, as a list.

use crate::failure::Failure;
use crate::output::Output;
use crate::table;
use jourdain::quantity::{Entry, Quantity};
use serde_json::{Value, json};

/// List the quantities that can be evaluated
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_: &Arguments, output: &Output) -> Result<u8, Failure> {
    if output.is_json() {
        output.json(&Value::Array(Quantity::ALL.iter().map(to_json).collect()))?;
    } else {
        let header = ["quantity", "shape", "inputs", "equation", "meaning"];
        let list = table::render(header, Quantity::ALL.iter().map(to_row), &[]);
        let legend = "nq: numbers of q; nv: degrees of freedom; np: ten parameters per link, then those of the drives; nb: base parameters; L: a link.\n\
                      G: Garofalo, Ott and Albu-Schäffer 2013; MK: Müller and Kumar 2021; GK: Gautier and Khalil 1990; Grimm: Grimm 1990.";
        output.text(&format!("{list}\n\n{legend}"))?;
    }
    Ok(0)
}

fn name(entry: &Entry) -> String {
    if entry.per_link { format!("{}:L", entry.name) } else { entry.name.to_owned() }
}

fn to_row(entry: &Entry) -> [String; 5] {
    let inputs = entry.inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    [name(entry), entry.shape.to_string(), inputs, entry.reference.to_owned(), entry.about.to_owned()]
}

fn to_json(entry: &Entry) -> Value {
    json!({
        "name": name(entry),
        "about": entry.about,
        "shape": entry.shape.0.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "inputs": entry.inputs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "unit": entry.unit,
        "equation": entry.reference,
    })
}
