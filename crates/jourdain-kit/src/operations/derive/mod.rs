//! `derive`: quantities of a robot as source code or as equations to read.

mod command;
pub mod files;
mod show;
mod target;

use super::eval::quantities::{Asked, parse_quantities, warn_of_damping};
use crate::by_name::ByName;
use crate::ending;
use crate::host::Host;
use crate::limits;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::snap::Snap;
use jourdain::Model;
use jourdain::derive::{self, DeriveError, DeriveOptions, Package, PackageOptions, Simplify, package};
use jourdain::quantity::{Axis, Quantity, find_link};
use jourdain_symbolic::collect::Notation;
use jourdain_symbolic::emit::{self, File, MARK, identifier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use target::Form;
pub use target::{Parameters, Target};

/// Derive quantities of a robot as source code or equations
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Every file needs nothing but the language's own mathematics (Python: NumPy) and tests itself \
                      against reference values; docs/derive.md says how. Without --out the code is printed.\n\
                      `jourdain quantities` lists the quantities."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[cfg_attr(feature = "clap", arg(long, short = 'Q', required = true, value_name = "NAMES"))]
    pub quantity: Vec<String>,

    /// Language
    #[cfg_attr(feature = "clap", arg(long, short))]
    pub target: Target,

    /// What the masses, lengths and inertias of the robot are in the result
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t))]
    pub parameters: Parameters,

    /// How much to simplify: 0 not at all, 1 common factors and formulas of small robots, 2 sums of angles and all formulas
    #[serde(default = "simplify")]
    #[schemars(range(min = 0, max = 2))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEVEL", default_value_t = simplify(),
                                     value_parser = clap::value_parser!(u8).range(0..=2)))]
    pub simplify: u8,

    /// Links whose wrenches the code takes, separated by commas [default: none; for external forces all]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINKS"))]
    pub wrenches: Option<String>,

    /// One function of this name for all quantities, which share what they have in common
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub together: Option<String>,

    /// Folder for the files
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "DIR"))]
    pub out: Option<PathBuf>,

    /// Overwrite files that were not generated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,

    /// Which angles are taken as special ones
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub snap: Snap,
}

fn simplify() -> u8 {
    1
}

/// What was derived.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The files that were written; none without a folder.
    pub files: Vec<String>,
    /// By the name asked for.
    pub quantities: ByName<Derived>,
    /// Without a folder, the texts by the names of their files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sources: Option<ByName<String>>,
    #[serde(skip)]
    target: Target,
}

/// A quantity as code.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Derived {
    /// What one call executes.
    pub operations: Operations,
    /// What the function is called; several quantities may share one.
    pub function: String,
}

/// How many operations of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Operations {
    /// Multiplications, also those joined with an addition.
    pub mul: usize,
    /// Additions, subtractions and changes of sign, also those joined with a multiplication.
    pub add: usize,
    /// Divisions.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Angles of which the sine, the cosine or both are taken.
    pub sincos: usize,
}

impl From<jourdain_symbolic::Operations> for Operations {
    fn from(count: jourdain_symbolic::Operations) -> Self {
        let jourdain_symbolic::Operations { mul, add, div, sqrt, sincos } = count;
        Self { mul, add, div, sqrt, sincos }
    }
}

impl From<DeriveError> for Problem {
    fn from(error: DeriveError) -> Self {
        match error {
            DeriveError::Quantity(error) => error.into(),
            error @ (DeriveError::Regrouped(_) | DeriveError::Symbol(_) | DeriveError::NotFinite { .. }) => {
                Self::new("cannot-derive", error.to_string())
            }
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "derive";
    type Report = Report;

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check_folder(self.out.as_deref())?;
        let simplify = self.simplification()?;
        let model = self.snap.apply(self.robot.load(host)?)?;
        let asked = parse_quantities(&self.quantity, &model)?;
        warn_of_damping(&asked, &model, host);
        check_size(&model, &asked)?;
        let is_base = |asked: &Asked| asked.quantity.entry().shape.0.contains(&Axis::BaseParameters);
        if self.parameters == Parameters::Base || asked.iter().any(is_base) {
            self.snap.note(&model, host);
        }
        let loaded = self.wrenches.as_deref().map_or(Ok(Vec::new()), |links| parse_links(links, &model))?;
        let derive = DeriveOptions { loaded, parameters: self.parameters.into(), simplify, ..DeriveOptions::default() };
        let options = PackageOptions { derive, together: self.together.clone(), command: command::of(self, &asked) };
        let quantities: Vec<Quantity> = asked.iter().map(|asked| asked.quantity).collect();
        let package = package(&model, &quantities, &options)?;
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let texts = match self.target.form() {
            Form::Code(target) => target.emit(&package.module),
            Form::Equations(notation) => vec![equations(&model, &quantities, &options, notation)?],
        };
        let files = match &self.out {
            Some(folder) => files::write(folder, &texts, self.force, host)?,
            None => Vec::new(),
        };
        let sources = self.out.is_none().then(|| texts.into_iter().map(|file| (file.name, file.text)).collect());
        Ok(Report { files, quantities: derived(&asked, &package, self.target), sources, target: self.target })
    }
}

impl Request {
    fn simplification(&self) -> Result<Simplify, Problem> {
        match self.simplify {
            0 => Ok(Simplify::None),
            1 => Ok(Simplify::Standard),
            2 => Ok(Simplify::Full),
            level => {
                Err(Problem::usage(format!("there is no level {level} of simplification")).hint("it is 0, 1 or 2"))
            }
        }
    }
}

fn check_size(model: &Model<f64>, asked: &[Asked]) -> Result<(), Problem> {
    limits::DERIVE_DOF.check(model.name(), model.nv())?;
    asked.iter().try_for_each(|asked| {
        limits::DERIVE_NUMBERS.check(&format!("`{}`", asked.name), asked.quantity.entry().shape.size(model))
    })
}

/// Links separated by commas, each once. A link's name may hold a comma itself, so the whole is tried first.
fn parse_links(names: &str, model: &Model<f64>) -> Result<Vec<usize>, Problem> {
    if let Some(link) = model.link_index(names) {
        return Ok(vec![link]);
    }
    let mut links = Vec::new();
    for name in names.split(',').map(str::trim) {
        let link = find_link(name, model)?;
        if !links.contains(&link) {
            links.push(link);
        }
    }
    Ok(links)
}

/// The equations as one document.
fn equations(
    model: &Model<f64>,
    quantities: &[Quantity],
    options: &PackageOptions,
    notation: Notation,
) -> Result<File, Problem> {
    let provenance = format!("{MARK} {}: {}", env!("CARGO_PKG_VERSION"), options.command);
    let text = derive::document(model, quantities, &options.derive, notation, &provenance)?;
    let end = match notation {
        Notation::Latex => "tex",
        Notation::Text => "txt",
    };
    Ok(File { name: format!("{}.{end}", identifier::module(model.name())), text })
}

/// What each quantity costs, and what its function is called; equations are called by the quantity.
fn derived(asked: &[Asked], package: &Package, target: Target) -> ByName<Derived> {
    let name = |function: &emit::Function| match target.form() {
        Form::Code(target) => target.function_name(&package.module, function),
        Form::Equations(_) => function.name.clone(),
    };
    let of = |(k, asked): (usize, &Asked)| {
        let function = name(&package.module.functions[package.functions[k]]);
        (asked.name.clone(), Derived { operations: package.operations(k).into(), function })
    };
    asked.iter().enumerate().map(of).collect()
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match &self.sources {
            Some(sources) => show::sources(self.target, sources),
            None => show::summary(self),
        }
    }
}
