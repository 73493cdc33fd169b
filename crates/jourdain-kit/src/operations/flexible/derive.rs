//! `flexible derive`: the explicit equations of an arm, to read or as source code.

use super::ChangedArm;
use crate::by_name::ByName;
use crate::ending;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::operations::derive::Operations;
use crate::problem::Problem;
use crate::text::style::HEADING;
use crate::write;
use jourdain::flexible::FlexibleArm;
use jourdain::flexible::derive::{self, ArmConstants, ArmDeriveError, ArmEquation, ArmLanguage, ArmQuantity};
use jourdain_symbolic::emit::identifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Derive the explicit equations of an arm, to read or as source code
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Quantities: inertia (B), velocity (h), gravity (g), forces (B qdd + h + g + K q + D qd), tip. \
                      Without --out the result is printed."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// Quantities, separated by commas
    #[serde(default = "quantities")]
    #[cfg_attr(
        feature = "clap",
        arg(long, short = 'Q', value_name = "NAMES", value_delimiter = ',', default_values_t = quantities(), value_enum)
    )]
    pub quantity: Vec<Quantity>,

    /// Language
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t))]
    pub target: Target,

    /// What lengths, masses and shapes of the arm are in the result [default: symbolic in equations, numeric in code]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short))]
    pub parameters: Option<Parameters>,

    /// Folder for the files
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "DIR"))]
    pub out: Option<PathBuf>,
}

fn quantities() -> Vec<Quantity> {
    vec![Quantity::Inertia, Quantity::Velocity]
}

/// Quantities of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Equations in plain text
    #[default]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Parameters {
    /// Numbers
    Numeric,
    /// Named symbols
    Symbolic,
}

impl Quantity {
    fn of_library(self) -> ArmQuantity {
        match self {
            Self::Inertia => ArmQuantity::Inertia,
            Self::Velocity => ArmQuantity::Velocity,
            Self::Gravity => ArmQuantity::Gravity,
            Self::Forces => ArmQuantity::Forces,
            Self::Tip => ArmQuantity::Tip,
        }
    }
}

impl Target {
    fn language(self) -> Option<ArmLanguage> {
        match self {
            Self::Text | Self::Latex => None,
            Self::Rust => Some(ArmLanguage::Rust),
            Self::C => Some(ArmLanguage::C),
            Self::Python => Some(ArmLanguage::Python),
            Self::Matlab => Some(ArmLanguage::Matlab),
        }
    }
}

/// What was derived.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The files that were written.
    pub files: Vec<String>,
    /// By name, in the order asked for.
    pub quantities: ByName<Derived>,
    /// All that would have been written, without a folder for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The files with their names.
    #[serde(skip)]
    pub sources: Vec<(String, String)>,
}

/// A quantity as a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Derived {
    /// What one call executes.
    pub operations: Operations,
    /// The name of the function.
    pub function: &'static str,
    /// The symbols of the arm that it takes.
    pub parameters: Vec<String>,
}

impl Operation for Request {
    const NAME: &'static str = "flexible derive";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check_folder(self.out.as_deref())?;
        let arm = self.arm.build(host)?.arm;
        let quantities: Vec<ArmQuantity> = self.quantity.iter().map(|quantity| quantity.of_library()).collect();
        let language = self.target.language();
        let constants = match self.parameters {
            Some(Parameters::Numeric) => ArmConstants::Numeric,
            Some(Parameters::Symbolic) => ArmConstants::Symbolic,
            None if language.is_some() => ArmConstants::Numeric,
            None => ArmConstants::Symbolic,
        };
        let sources = match language {
            Some(language) => derive::package(&arm, &quantities, constants, language, env!("CARGO_PKG_VERSION"))
                .map_err(cannot_derive)?,
            None => {
                let latex = self.target == Target::Latex;
                let ending = if latex { "tex" } else { "txt" };
                vec![(
                    format!("{}.{ending}", identifier::module(arm.name())),
                    written(&arm, &quantities, constants, latex)?,
                )]
            }
        };
        let mut files = Vec::new();
        if let Some(folder) = &self.out {
            write::folder(folder, host)?;
            for (name, text) in &sources {
                let path = folder.join(name);
                write::text(&path, text, host)?;
                files.push(path.display().to_string());
            }
        }
        let all = || sources.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        Ok(Report {
            files,
            quantities: derived(&arm, &quantities, constants)?,
            text: self.out.is_none().then(all),
            sources,
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let show = |(name, text): &(String, String)| {
            if self.sources.len() == 1 { text.clone() } else { format!("{HEADING}{name}{HEADING:#}\n{text}") }
        };
        match &self.text {
            Some(_) => self.sources.iter().map(show).collect::<Vec<_>>().join("\n"),
            None => self.files.join("\n"),
        }
    }
}

fn cannot_derive(error: ArmDeriveError) -> Problem {
    let hint = match error {
        ArmDeriveError::Quadrature => {
            Some("--kinematics stiffened is the same to second order in the deflections, in closed form")
        }
        ArmDeriveError::Symbol(_) => None,
    };
    Problem::new("cannot-derive", error.to_string()).hints(hint)
}

fn derived(
    arm: &FlexibleArm<f64>,
    quantities: &[ArmQuantity],
    constants: ArmConstants,
) -> Result<ByName<Derived>, Problem> {
    let mut found = Vec::with_capacity(quantities.len());
    for &quantity in quantities {
        let program = derive::program(arm, quantity, constants).map_err(cannot_derive)?;
        let operations = program.program.operations().into();
        let parameters = program.parameters.into_iter().map(|parameter| parameter.symbol.text).collect();
        let name = quantity.name();
        if found.iter().all(|(other, _)| other != name) {
            found.push((name.to_owned(), Derived { operations, function: name, parameters }));
        }
    }
    Ok(ByName(found))
}

fn written(
    arm: &FlexibleArm<f64>,
    quantities: &[ArmQuantity],
    constants: ArmConstants,
    latex: bool,
) -> Result<String, Problem> {
    let notation = if latex { derive::Notation::Latex } else { derive::Notation::Text };
    let (equals, begin, end) = if latex { (" &= ", "\\begin{align*}\n", "\n\\end{align*}") } else { (" = ", "", "") };
    let mut blocks = Vec::new();
    for &quantity in quantities {
        let (parts, elements) = derive::equations(arm, quantity, constants, notation).map_err(cannot_derive)?;
        let line = |equation: &ArmEquation| format!("{}{equals}{}", equation.left.join(" = "), equation.right);
        let lines: Vec<String> = parts.iter().chain(&elements).map(line).collect();
        let joined = lines.join(if latex { " \\\\\n" } else { "\n" });
        let comment = if latex { "%" } else { "#" };
        blocks.push(format!("{comment} {}\n{begin}{joined}{end}", quantity.about()));
    }
    Ok(blocks.join("\n\n"))
}
