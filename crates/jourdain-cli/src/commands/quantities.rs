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
        output.json(&Value::Array(Quantity::each(0).iter().map(to_json).collect()))?;
    } else {
        let header = ["quantity", "shape", "inputs", "equation", "meaning"];
        let list = table::render(header, Quantity::ALL.iter().map(to_row), &[]);
        let legend = "nq: numbers of q; nv: degrees of freedom; np: ten parameters per link, then those of the drives; nb: base parameters; L: a link; N: any order from 3 on.\n\
                      G: Garofalo, Ott and Albu-Schäffer 2013; MK: Müller and Kumar 2021; GK: Gautier and Khalil 1990; Grimm: Grimm 1990.";
        output.text(&format!("{list}\n\n{legend}"))?;
    }
    Ok(0)
}

fn name(entry: &Entry) -> String {
    let name = if entry.per_link() { format!("{}:L", entry.name) } else { entry.name.to_owned() };
    entry.short.iter().fold(name, |name, short| format!("{name}, {short}"))
}

fn to_row(entry: &Entry) -> [String; 5] {
    let mut inputs = entry.reads.inputs().map(|input| input.to_string()).collect::<Vec<_>>();
    if entry.is_family() {
        // A family reads as many derivatives more as its order.
        let motion = entry.reads.highest_motion() + 1;
        inputs.insert(motion, "…".to_owned());
    }
    [name(entry), entry.shape.to_string(), inputs.join(" "), entry.reference.to_owned(), entry.about.to_owned()]
}

/// A quantity by a name that can be asked for: of a family the two lowest orders.
fn to_json(quantity: &Quantity) -> Value {
    let (entry, name) = (quantity.entry(), quantity.base_name());
    json!({
        "name": if entry.per_link() { format!("{name}:L") } else { name },
        "short": entry.short,
        "family": entry.is_family().then_some(entry.name),
        "about": quantity.about(),
        "shape": entry.shape.0.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "inputs": quantity.reads().inputs().map(|input| input.to_string()).collect::<Vec<_>>(),
        "unit": entry.unit_text(),
        "equation": entry.reference,
    })
}
