//! `jourdain flexible derive`: the explicit equations of an arm, to read or as source code.

use super::{ArmArguments, write};
use crate::failure::Failure;
use crate::output::{FAINT, HEADING, Output};
use clap::ValueEnum;
use jourdain::flexible::derive::{ArmConstants, ArmEquation, ArmQuantity, equations, program};
use jourdain::flexible::derive::{ArmLanguage, package};
use jourdain::flexible::{FlexibleArm, derive};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Derive the explicit equations of an arm, to read or as source code
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Quantities: inertia (B), velocity (h), gravity (g), forces (B qdd + h + g + K q + D qd), tip. Without --out \
                        the result is printed."
)]
pub struct Arguments {
    #[command(flatten)]
    arm: ArmArguments,

    /// Quantities, separated by commas
    #[arg(long, short = 'Q', value_name = "NAMES", value_delimiter = ',', default_value = "inertia,velocity")]
    quantity: Vec<QuantityName>,

    /// Language
    #[arg(long, short, default_value = "text")]
    target: Target,

    /// What lengths, masses and shapes of the arm are in the result [default: symbolic in equations, numeric in code]
    #[arg(long, short)]
    parameters: Option<Parameters>,

    /// Folder for the files
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Quantities of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum QuantityName {
    /// B
    Inertia,
    /// h
    Velocity,
    /// g
    Gravity,
    /// B qdd + h + g + K q + D qd
    Forces,
    /// x, y and angle of the tip
    Tip,
}

/// Languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Equations in plain text
    Text,
    /// Equations for a paper
    Latex,
    /// Rust without the standard library, one file
    Rust,
    /// C99, a header and a source file
    C,
    /// Python with NumPy, one module
    Python,
    /// MATLAB and Octave, a file per function
    Matlab,
}

/// What the constants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Parameters {
    /// Numbers
    Numeric,
    /// Named symbols
    Symbolic,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let arm = arguments.arm.build()?.arm;
    let quantities: Vec<ArmQuantity> = arguments
        .quantity
        .iter()
        .map(|name| match name {
            QuantityName::Inertia => ArmQuantity::Inertia,
            QuantityName::Velocity => ArmQuantity::Velocity,
            QuantityName::Gravity => ArmQuantity::Gravity,
            QuantityName::Forces => ArmQuantity::Forces,
            QuantityName::Tip => ArmQuantity::Tip,
        })
        .collect();
    let language = match arguments.target {
        Target::Text | Target::Latex => None,
        Target::Rust => Some(ArmLanguage::Rust),
        Target::C => Some(ArmLanguage::C),
        Target::Python => Some(ArmLanguage::Python),
        Target::Matlab => Some(ArmLanguage::Matlab),
    };
    let constants = match arguments.parameters {
        Some(Parameters::Numeric) => ArmConstants::Numeric,
        Some(Parameters::Symbolic) => ArmConstants::Symbolic,
        None if language.is_some() => ArmConstants::Numeric,
        None => ArmConstants::Symbolic,
    };
    let files = match language {
        Some(language) => package(&arm, &quantities, constants, language, env!("CARGO_PKG_VERSION"))
            .map_err(|error| Failure::new("cannot-derive", error.to_string()))?,
        None => {
            let latex = arguments.target == Target::Latex;
            let ending = if latex { "tex" } else { "txt" };
            vec![(format!("{}.{ending}", file_name(arm.name())), written(&arm, &quantities, constants, latex))]
        }
    };
    let mut names = Vec::new();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new("cannot-write", format!("cannot make the folder: {error}")).file(folder.display().to_string())
        })?;
        for (name, text) in &files {
            let path = folder.join(name);
            write(&path, "file", text)?;
            names.push(path.display().to_string());
        }
    }
    if output.is_json() {
        let mut document = json!({ "files": names, "quantities": counts(&arm, &quantities, constants)? });
        if arguments.out.is_none() {
            document["text"] = json!(files.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n"));
        }
        output.json(&document)?;
    } else if arguments.out.is_some() {
        output.text(&names.join("\n"))?;
    } else {
        let show = |(name, text): &(String, String)| {
            if files.len() == 1 { text.clone() } else { format!("{HEADING}{name}{HEADING:#}\n{text}") }
        };
        output.text(&files.iter().map(show).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(0)
}

/// A name that is safe as a file name.
fn file_name(name: &str) -> String {
    let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(60).collect();
    if safe.is_empty() { "arm".to_owned() } else { safe }
}

fn counts(arm: &FlexibleArm<f64>, quantities: &[ArmQuantity], constants: ArmConstants) -> Result<Value, Failure> {
    let mut map = Map::new();
    for &quantity in quantities {
        let derived =
            program(arm, quantity, constants).map_err(|error| Failure::new("cannot-derive", error.to_string()))?;
        let operations = derived.program.operations();
        let names: Vec<&str> = derived.parameters.iter().map(|parameter| parameter.symbol.text.as_str()).collect();
        map.insert(
            quantity.name().to_owned(),
            json!({
                "operations": {
                    "mul": operations.mul,
                    "add": operations.add,
                    "div": operations.div,
                    "sqrt": operations.sqrt,
                    "sincos": operations.sincos,
                },
                "function": quantity.name(),
                "parameters": names,
            }),
        );
    }
    Ok(Value::Object(map))
}

fn written(arm: &FlexibleArm<f64>, quantities: &[ArmQuantity], constants: ArmConstants, latex: bool) -> String {
    let notation = if latex { derive::Notation::Latex } else { derive::Notation::Text };
    let (equals, begin, end) = if latex { (" &= ", "\\begin{align*}\n", "\n\\end{align*}") } else { (" = ", "", "") };
    let mut blocks = Vec::new();
    for &quantity in quantities {
        let (parts, elements) = equations(arm, quantity, constants, notation);
        let line = |equation: &ArmEquation| format!("{}{equals}{}", equation.left.join(" = "), equation.right);
        let lines: Vec<String> = parts.iter().chain(&elements).map(line).collect();
        let joined = lines.join(if latex { " \\\\\n" } else { "\n" });
        let comment = if latex { "%" } else { "#" };
        blocks.push(format!("{FAINT}{comment} {}{FAINT:#}\n{begin}{joined}{end}", quantity.about()));
    }
    blocks.join("\n\n")
}
