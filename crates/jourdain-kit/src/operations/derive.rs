//! `jourdain derive`: quantities of a robot as source code or as equations to read.

use super::eval::{Asked, parse_quantities};
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::table;
use clap::ValueEnum;
use jourdain::Model;
use jourdain::derive::{self, DeriveError, DeriveOptions, Package, PackageOptions, package};
use jourdain::quantity::Quantity;
use jourdain_symbolic::collect::Notation;
use jourdain_symbolic::emit::{self, File, MARK, identifier};
use serde_json::{Map, Value, json};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Derive quantities of a robot as source code or equations
#[derive(Debug, clap::Args)]
#[command(after_help = "Every file needs nothing but the language's own mathematics (Python: NumPy) and tests itself \
                        against reference values; docs/derive.md says how. Without --out the code is printed.\n\
                        `jourdain quantities` lists the quantities.")]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Quantities, separated by commas; `name:LINK` for those of a link
    #[arg(long, short = 'Q', required = true, value_name = "NAMES")]
    quantity: Vec<String>,

    /// Language
    #[arg(long, short)]
    target: Target,

    /// What the masses, lengths and inertias of the robot are in the result
    #[arg(long, short, default_value = "numeric")]
    parameters: Parameters,

    /// How much to simplify: 0 not at all, 1 common factors and formulas of small robots, 2 sums of angles and all formulas
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=2))]
    simplify: u8,

    /// Links whose wrenches the code takes, separated by commas [default: none; for external forces all]
    #[arg(long, value_name = "LINKS")]
    wrenches: Option<String>,

    /// One function of this name for all quantities, which share what they have in common
    #[arg(long, value_name = "NAME")]
    together: Option<String>,

    /// Folder for the files
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Overwrite files that were not generated
    #[arg(long)]
    force: bool,
}

/// Language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Rust without the standard library, one file
    Rust,
    /// C99, a header and a source file
    C,
    /// Python with NumPy, one module
    Python,
    /// MATLAB and Octave, a file per function
    Matlab,
    /// Equations for a paper
    Latex,
    /// Equations in plain text
    Text,
}

/// What a target makes.
enum Form {
    Code(emit::Target),
    Equations(Notation),
}

impl Target {
    fn form(self) -> Form {
        match self {
            Self::Rust => Form::Code(emit::Target::Rust),
            Self::C => Form::Code(emit::Target::C),
            Self::Python => Form::Code(emit::Target::Python),
            Self::Matlab => Form::Code(emit::Target::Matlab),
            Self::Latex => Form::Equations(Notation::Latex),
            Self::Text => Form::Equations(Notation::Text),
        }
    }
}

/// What the constants of the robot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Parameters {
    /// Numbers
    Numeric,
    /// Named inputs
    Symbolic,
    /// The base parameters as named inputs: the fewest, and the fewest operations
    Base,
}

impl From<Parameters> for derive::Parameters {
    fn from(parameters: Parameters) -> Self {
        match parameters {
            Parameters::Numeric => Self::Numeric,
            Parameters::Symbolic => Self::Symbolic,
            Parameters::Base => Self::Base,
        }
    }
}

/// Most numbers of one quantity, and most degrees of freedom: code for more would not compile in reasonable time.
const MOST_ELEMENTS: usize = 1 << 18;
const MOST_DOF: usize = 500;

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let model = input::load_robot(&arguments.robot, output)?;
    let asked = parse_quantities(&arguments.quantity, &model)?;
    check_size(&model, &asked)?;
    let loaded = arguments.wrenches.as_deref().map_or(Ok(Vec::new()), |links| parse_links(links, &model))?;
    let options = PackageOptions {
        derive: DeriveOptions {
            loaded,
            parameters: arguments.parameters.into(),
            simplify: [derive::Simplify::None, derive::Simplify::Standard, derive::Simplify::Full]
                [usize::from(arguments.simplify.min(2))],
            ..DeriveOptions::default()
        },
        together: arguments.together.clone(),
        command: command(arguments, &asked),
    };
    let quantities: Vec<Quantity> = asked.iter().map(|asked| asked.quantity).collect();
    let package = package(&model, &quantities, &options).map_err(derive_failure)?;
    let names = function_names(&package, arguments.target);
    let files = match arguments.target.form() {
        Form::Code(target) => target.emit(&package.module),
        Form::Equations(notation) => {
            let provenance = format!("{MARK} {}: {}", env!("CARGO_PKG_VERSION"), options.command);
            let text = derive::document(&model, &quantities, &options.derive, notation, &provenance);
            let end = if notation == Notation::Latex { "tex" } else { "txt" };
            let name = format!("{}.{end}", identifier::module(model.name()));
            vec![File { name, text: text.map_err(derive_failure)? }]
        }
    };
    let written = match &arguments.out {
        Some(folder) => write_files(folder, &files, arguments.force)?,
        None => Vec::new(),
    };
    match (output.is_json(), &arguments.out) {
        (true, _) => output.json(&document(&asked, &package, &names, &files, &written))?,
        (false, Some(_)) => output.text(&summary(&asked, &package, &names, &written))?,
        (false, None) => output.text(&sources(arguments.target, &files))?,
    }
    Ok(0)
}

/// What the function of each quantity is called; equations are called by the quantity.
fn function_names(package: &Package, target: Target) -> Vec<String> {
    let functions = package.functions.iter().map(|&place| &package.module.functions[place]);
    let name = |function: &emit::Function| match target.form() {
        Form::Code(target) => target.function_name(&package.module, function),
        Form::Equations(_) => function.name.clone(),
    };
    functions.map(name).collect()
}

fn check_size(model: &Model, asked: &[Asked]) -> Result<(), Failure> {
    if model.nv() > MOST_DOF {
        let message =
            format!("{} has {} degrees of freedom; derive takes at most {MOST_DOF}", model.name(), model.nv());
        return Err(Failure::new("too-large", message));
    }
    for asked in asked {
        let elements = asked.quantity.entry().shape.size(model);
        if elements > MOST_ELEMENTS {
            let message = format!("`{}` has {elements} elements; derive takes at most {MOST_ELEMENTS}", asked.name);
            return Err(Failure::new("too-large", message));
        }
    }
    Ok(())
}

/// Links separated by commas, each once. A link's name may hold a comma itself, so the whole is tried first.
fn parse_links(names: &str, model: &Model) -> Result<Vec<usize>, Failure> {
    if let Some(link) = model.link_index(names) {
        return Ok(vec![link]);
    }
    let mut links = Vec::new();
    for name in names.split(',').map(str::trim) {
        // A quantity of the link knows how to find it, and the nearest name if it is not there.
        let link = Quantity::parse(&format!("pose:{name}"), model)?.link();
        links.extend(link.filter(|link| !links.contains(link)));
    }
    Ok(links)
}

/// The command that gives the same files; where they go does not matter.
fn command(arguments: &Arguments, asked: &[Asked]) -> String {
    let names: Vec<&str> = asked.iter().map(|asked| asked.name.as_str()).collect();
    let target = arguments.target.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let mut words = vec![
        "jourdain derive".to_owned(),
        quoted(&arguments.robot),
        format!("--quantity {}", quoted(&names.join(","))),
        format!("--target {target}"),
    ];
    if arguments.parameters != Parameters::Numeric
        && let Some(value) = arguments.parameters.to_possible_value()
    {
        words.push(format!("--parameters {}", value.get_name()));
    }
    if arguments.simplify != 1 {
        words.push(format!("--simplify {}", arguments.simplify));
    }
    words.extend(arguments.wrenches.iter().map(|links| format!("--wrenches {}", quoted(links))));
    words.extend(arguments.together.iter().map(|name| format!("--together {}", quoted(name))));
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,:/+=@".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

fn derive_failure(error: DeriveError) -> Failure {
    match error {
        DeriveError::Quantity(error) => error.into(),
        error => Failure::new("cannot-derive", error.to_string()),
    }
}

/// Writes the files and returns their paths. Nothing is written if a file is in the way.
fn write_files(folder: &Path, files: &[File], force: bool) -> Result<Vec<String>, Failure> {
    let failure = |path: &Path, what: &str, error: &dyn std::fmt::Display| {
        Failure::new("cannot-write", format!("cannot {what}: {error}")).file(path.display().to_string())
    };
    std::fs::create_dir_all(folder).map_err(|error| failure(folder, "make the folder", &error))?;
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(&file.name)).collect();
    if !force && let Some(path) = paths.iter().find(|path| path.exists() && !is_generated(path)) {
        let failure = Failure::new("file-exists", "this file is there and was not generated by jourdain");
        return Err(failure.file(path.display().to_string()).hint("another --out, or --force to overwrite it"));
    }
    for (path, file) in paths.iter().zip(files) {
        std::fs::write(path, &file.text).map_err(|error| failure(path, "write the file", &error))?;
    }
    Ok(paths.iter().map(|path| path.display().to_string()).collect())
}

/// True if the mark of generated files is where it belongs: near the top.
fn is_generated(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut start));
    read.is_ok() && String::from_utf8_lossy(&start).contains(MARK)
}

fn document(asked: &[Asked], package: &Package, names: &[String], files: &[File], written: &[String]) -> Value {
    let mut quantities = Map::new();
    for (k, asked) in asked.iter().enumerate() {
        let count = package.operations(k);
        let operations = json!({
            "mul": count.mul, "add": count.add, "div": count.div, "sqrt": count.sqrt, "sincos": count.sincos,
        });
        quantities.insert(asked.name.clone(), json!({ "operations": operations, "function": names[k] }));
    }
    let mut document = json!({ "files": written, "quantities": quantities });
    if written.is_empty() {
        let sources: Map<String, Value> = files.iter().map(|file| (file.name.clone(), json!(file.text))).collect();
        document["sources"] = Value::Object(sources);
    }
    document
}

fn summary(asked: &[Asked], package: &Package, names: &[String], written: &[String]) -> String {
    let rows = asked.iter().enumerate().map(|(k, asked)| {
        let count = package.operations(k);
        let [mul, add, div, sqrt, sincos] =
            [count.mul, count.add, count.div, count.sqrt, count.sincos].map(|number| number.to_string());
        [asked.name.clone(), names[k].clone(), mul, add, div, sqrt, sincos]
    });
    let header = ["quantity", "function", "mul", "add", "div", "sqrt", "sincos"];
    let table = table::render(header, rows, &[2, 3, 4, 5, 6]);
    format!("{}\n\n{table}", written.join("\n"))
}

fn sources(target: Target, files: &[File]) -> String {
    match (target.form(), files) {
        (Form::Code(target), [_, _, ..]) => {
            files.iter().map(|file| format!("{}\n{}", target.comment(&file.name), file.text)).collect()
        }
        _ => files.iter().map(|file| file.text.as_str()).collect(),
    }
}
