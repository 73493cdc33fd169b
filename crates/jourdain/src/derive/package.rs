//! A set of quantities as functions of one module of generated code: names, descriptions and reference values.

use super::parameters::Parameter;
use super::reference;
use super::trace::{Derivation, DeriveError, DeriveOptions, Parameters, derive_together};
use crate::model::{Model, Motion};
use crate::parameters::{Form, minimal_model};
use crate::quantity::{Input, Quantity, QuantityError};
use jourdain_symbolic::emit::comment::wrap;
use jourdain_symbolic::emit::{Case, Function, Module, Output, identifier};
use jourdain_symbolic::{Argument, Operations};

/// What goes into a package.
#[derive(Clone, Debug, Default)]
pub struct PackageOptions {
    /// How quantities are derived.
    pub derive: DeriveOptions,
    /// The name of one function that computes all quantities; without it each has its own.
    pub together: Option<String>,
    /// The command that makes the package, for the comment at the top.
    pub command: String,
}

/// A module of functions, and which quantity is where.
#[derive(Clone, Debug)]
pub struct Package {
    /// What is written to files.
    pub module: Module,
    /// Per quantity the place of its function.
    pub functions: Vec<usize>,
    /// Per function what it was made from.
    pub derivations: Vec<Derivation>,
}

impl Package {
    /// What the function of a quantity executes.
    #[must_use]
    pub fn operations(&self, quantity: usize) -> Operations {
        self.module.functions[self.functions[quantity]].program.operations()
    }
}

/// The module of some quantities of a robot.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn package(model: &Model, quantities: &[Quantity], options: &PackageOptions) -> Result<Package, DeriveError> {
    let names = function_names(model, quantities);
    let (mut functions, mut derivations) = (Vec::new(), Vec::new());
    let mut push = |(function, derivation)| {
        functions.push(function);
        derivations.push(derivation);
    };
    if let Some(name) = &options.together {
        let all: Vec<(&str, Quantity)> = names.iter().map(String::as_str).zip(quantities.iter().copied()).collect();
        let about = "All of the quantities below, which share what they have in common.".to_owned();
        push(function(model, identifier::sanitize(name, "model"), about, &all, options)?);
    } else {
        for (name, quantity) in names.into_iter().zip(quantities) {
            let about = format!("{}: {}", quantity.name(model), quantity.about());
            push(function(model, name, about, &[("out", *quantity)], options)?);
        }
    }
    let places = (0..quantities.len()).map(|k| if options.together.is_some() { 0 } else { k }).collect();
    let module = Module {
        name: identifier::module(model.name()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        notes: notes(model, quantities, options),
        functions,
    };
    Ok(Package { module, functions: places, derivations })
}

/// `jacobian_tool` for `jacobian:tool`. Links whose names become the same identifier stay apart whichever are asked for.
fn function_names(model: &Model, quantities: &[Quantity]) -> Vec<String> {
    let links = model.links().iter().map(|link| identifier::sanitize(&link.name, "link"));
    let links = identifier::distinct(links);
    identifier::distinct(quantities.iter().map(|quantity| {
        let name = quantity.base_name();
        quantity.link().map_or(name.clone(), |link| format!("{name}_{}", links[link]))
    }))
}

fn function(
    model: &Model,
    name: String,
    about: String,
    quantities: &[(&str, Quantity)],
    options: &PackageOptions,
) -> Result<(Function, Derivation), DeriveError> {
    let derivation = derive_together(model, quantities, &options.derive)?;
    let program = derivation.program.clone();
    let higher = quantities.iter().map(|(_, quantity)| quantity.reads().higher()).max().unwrap_or(0);
    let state = reference::reference_state(model, derivation.layout.loaded(), higher);
    let inputs = derivation.read(&state).map_err(QuantityError::from)?;
    // With base parameters the code is that of the regrouped robot, which has a Coriolis matrix of its own.
    let regrouped = (options.derive.parameters == Parameters::Base).then(|| minimal_model(model, Form::PseudoInertia));
    let source = regrouped.as_ref().unwrap_or(model);
    let mut expected = Vec::new();
    for (_, quantity) in quantities {
        expected.extend(reference::output(source, quantity, &state)?);
    }
    let outputs = quantities
        .iter()
        .map(|(name, quantity)| {
            let unit = unit_text(model, quantity);
            let about = if *name == "out" { String::new() } else { format!("{}, ", quantity.about()) };
            let lengths = quantity.entry().shape.lengths(model);
            let order = if lengths.len() > 1 { "row-major" } else { "" };
            Output { about: format!("{about}{order}{unit}").trim().to_owned(), lengths }
        })
        .collect();
    let inputs_about = program.inputs().iter().map(|argument| argument_text(model, argument, &derivation)).collect();
    let case = Case { inputs, outputs: expected };
    Ok((Function { name, about, program, inputs: inputs_about, outputs, case }, derivation))
}

/// The units of an output, in brackets; nothing where they are as many as the parameters of a robot.
fn unit_text(model: &Model, quantity: &Quantity) -> String {
    match quantity.common_unit(model) {
        Some(unit) => format!(" [{unit}]"),
        None => {
            let mut units: Vec<String> = Vec::new();
            for unit in quantity.units(model).iter().map(ToString::to_string) {
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
            if units.len() > 4 { String::new() } else { format!(" [{}]", units.join(", ")) }
        }
    }
}

/// What an argument holds, in one line.
fn argument_text(model: &Model, argument: &Argument, derivation: &Derivation) -> String {
    match Input::from_key(&argument.name) {
        Some(Input::Wrenches) => {
            let loaded = derivation.layout.loaded();
            let links: Vec<&str> = loaded.iter().map(|&link| model.links()[link].name.as_str()).collect();
            let rates = (argument.length / (6 * loaded.len()).max(1)).saturating_sub(1);
            let rates = ["", ", then their rates", ", then their rates, then the rates of these"][rates.min(2)];
            format!("force and moment applied to {}, in link axes at the link origin{rates}", links.join(", "))
        }
        Some(input) => input.about().to_owned(),
        None => {
            let one = |parameter: &Parameter| match parameter.unit {
                "" => parameter.symbol.text.clone(),
                unit => format!("{} [{unit}]", parameter.symbol.text),
            };
            derivation.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The comment at the top: the robot, the command, the order of the numbers.
fn notes(model: &Model, quantities: &[Quantity], options: &PackageOptions) -> Vec<String> {
    /// Columns of a comment.
    const WIDTH: usize = 100;
    let names: Vec<String> = quantities.iter().map(|quantity| quantity.name(model)).collect();
    let mut lines = vec![
        format!("Robot: {} ({} degrees of freedom)", model.name(), model.nv()),
        format!("Quantities: {}", names.join(", ")),
        format!("Command: {}", options.command),
        String::new(),
        "SI units and radians. The numbers of a position q, and of a velocity and its derivatives:".to_owned(),
    ];
    let mut words = Vec::new();
    for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nv() > 0) {
        let span = |start: usize, count: usize| match count {
            1 => format!("[{start}]"),
            _ => format!("[{start}..{}]", start + count - 1),
        };
        let (q, v) = (span(link.q, link.joint.nq()), span(link.v, link.joint.nv()));
        let place = if q == v { q } else { format!("q{q} qd{v}") };
        let what = match link.joint.motion {
            Motion::Spherical { .. } => " (quaternion w x y z; body rates)",
            Motion::Free => " (position, quaternion w x y z; body twist, linear first)",
            Motion::Product(_) => "",
        };
        words.push(format!("{place} {}{what},", link.joint_name));
    }
    if let Some(last) = words.last_mut() {
        last.pop();
    }
    lines.extend(wrap(words, WIDTH));
    if quantities.iter().any(Quantity::inverts) {
        lines.push(String::new());
        lines.push(match options.derive.parameters {
            Parameters::Numeric => "Where the mass matrix is singular, what needs its inverse is NaN.".to_owned(),
            Parameters::Symbolic | Parameters::Base => {
                "Where the mass matrix is singular, what needs its inverse is undefined: parameters are not checked."
                    .to_owned()
            }
        });
    }
    lines
}
