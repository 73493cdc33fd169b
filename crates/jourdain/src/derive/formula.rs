//! A quantity as equations to read: collected like in a book where the robot is small, otherwise in factored form with
//! named parts.

use super::parameters::Parameter;
use super::trace::{DeriveError, DeriveOptions, Simplify, loads, trace};
use super::{Traced, notation};
use crate::model::Model;
use crate::quantity::{Path, Quantity};
use jourdain_symbolic::Expr;
use jourdain_symbolic::collect::{self, Definition, Polynomial, Role, Symbol, Tree};
use jourdain_symbolic::expr::{self, Rules};

/// An element of a quantity, or several that are the same: left sides and what they are.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The elements' names, in plain text and in LaTeX.
    pub left: Vec<[String; 2]>,
    /// What they are.
    pub right: Tree,
}

/// A quantity as equations.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The parts that have names, in order; none if the equations are multiplied out.
    pub definitions: Vec<Definition>,
    /// One equation for each element that differs from those before it.
    pub equations: Vec<Equation>,
    /// The parameters that appear.
    pub parameters: Vec<Parameter>,
    /// The links that wrenches act on, if the quantity reads wrenches: `fx1` is a force on the first of them.
    pub loaded: Vec<usize>,
}

/// Equations with more terms than this are not read but computed with.
const READABLE: usize = 120;
/// The same where the user asked for everything multiplied out.
const BEARABLE: usize = 5_000;

/// The formula of a quantity of a robot.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn formula(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Formula, DeriveError> {
    let limit = match options.simplify {
        Simplify::None => 0,
        Simplify::Standard => READABLE,
        Simplify::Full => BEARABLE,
    };
    let expanded = (limit > 0).then(|| expr::scope(Rules::default(), || expand(model, quantity, options, limit)));
    match expanded.transpose()?.flatten() {
        Some(formula) => Ok(formula),
        None => expr::scope(Rules { angle_sums: options.simplify == Simplify::Full, for_numbers: false }, || {
            factored(model, quantity, options)
        }),
    }
}

/// Multiplied out and collected, if it is small enough. From the closed form with exact numbers: no frames are chosen and
/// nothing is rounded there, so that what cancels does.
fn expand(
    model: &Model,
    quantity: &Quantity,
    options: &DeriveOptions,
    limit: usize,
) -> Result<Option<Formula>, DeriveError> {
    let options = DeriveOptions { path: Path::Closed, ..options.clone() };
    let traced = trace_one(model, quantity, &options, true)?;
    let out = &traced.out[0];
    // Terms cancel on the way, so that there may be more of them than at the end.
    let Ok(polynomials) = Polynomial::expand(out, limit.saturating_mul(8)) else { return Ok(None) };
    // A divisor of several terms would be written out wherever it is used.
    let unwieldy = |p: &Polynomial| p.len() > limit || p.terms().any(|(term, _)| term.factors.iter().any(is_divisor));
    if polynomials.iter().any(unwieldy) {
        return Ok(None);
    }
    let symbol = |name: &str| written(name, model, &traced);
    let trees = polynomials.iter().map(|polynomial| collect::collect(polynomial, &symbol)).collect();
    let appears = |name: &str| polynomials.iter().any(|p| mentions(p, name));
    let parameters = traced.parameters.iter().filter(|parameter| appears(&parameter.symbol.text)).cloned().collect();
    let loaded = loaded(quantity, &traced);
    Ok(Some(Formula { definitions: Vec::new(), equations: equations(model, quantity, trees), parameters, loaded }))
}

/// As the fast algorithm computes it, with names for what is used more than once.
fn factored(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Formula, DeriveError> {
    let traced = trace_one(model, quantity, options, false)?;
    let symbol = |name: &str| written(name, model, &traced);
    let sine = |name: &str, sine: bool| {
        let place = name.strip_prefix("q[")?.strip_suffix(']')?.parse::<usize>().ok()? + 1;
        let letter = if sine { "s" } else { "c" };
        let (text, latex) = (format!("{letter}{place}"), format!("{letter}_{{{place}}}"));
        Some(Symbol { text, latex, role: Role::Parameter })
    };
    let (definitions, trees) = collect::definitions(&traced.out[0], &symbol, &sine);
    let loaded = loaded(quantity, &traced);
    Ok(Formula { definitions, equations: equations(model, quantity, trees), parameters: traced.parameters, loaded })
}

fn trace_one(model: &Model, quantity: &Quantity, options: &DeriveOptions, exact: bool) -> Result<Traced, DeriveError> {
    let quantities = std::slice::from_ref(quantity);
    trace(model, quantities, options, loads(model, quantities, options), exact)
}

/// The links whose wrenches may appear.
fn loaded(quantity: &Quantity, traced: &Traced) -> Vec<usize> {
    if quantity.reads().wrench_rates().is_some() { traced.loaded.clone() } else { Vec::new() }
}

fn is_divisor(&(factor, power): &(Expr, i32)) -> bool {
    power < 0 && factor.name().is_none()
}

/// How a symbol of the state or of the robot is written.
fn written(name: &str, model: &Model, traced: &Traced) -> Symbol {
    notation::state_symbol(name, model.nv(), traced.loaded.len())
        .or_else(|| traced.parameters.iter().find(|p| p.symbol.text == name).map(|p| p.symbol.clone()))
        .unwrap_or_else(|| Symbol { text: name.to_owned(), latex: name.to_owned(), role: Role::Parameter })
}

fn mentions(polynomial: &Polynomial, name: &str) -> bool {
    let symbol = Expr::symbol(name);
    let factors: Vec<Expr> = polynomial.terms().flat_map(|(term, _)| term.factors.iter().map(|&(f, _)| f)).collect();
    expr::reachable(&factors).contains(&symbol)
}

/// Elements that are the same share an equation.
fn equations(model: &Model, quantity: &Quantity, trees: Vec<Tree>) -> Vec<Equation> {
    let mut equations: Vec<Equation> = Vec::new();
    for (name, right) in notation::elements(model, quantity).into_iter().zip(trees) {
        match equations.iter_mut().find(|equation| equation.right == right) {
            Some(equation) => equation.left.push(name),
            None => equations.push(Equation { left: vec![name], right }),
        }
    }
    equations
}
