//! What each base parameter is made of, as text and LaTeX.
//!
//! Terms with the same coefficient share it: `XXR3 = XX3 - YY3 + YY4 + 2 R4 mZ4 + (R4^2 - D4^2) (m4 + m5 + m6)`.

use super::base::BaseParameters;
use super::names::{Name, base_names, frame_columns, standard_names};
use super::symbolic::{Formula, SymbolicRegrouping};
use super::transport::PER_LINK;
use crate::model::Model;
use jourdain_symbolic::Constant;

/// A base parameter as a formula in the standard parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// `XXR3`.
    pub name: String,
    /// The right-hand side as text.
    pub formula: String,
    /// The equation as LaTeX.
    pub latex: String,
}

/// The base parameters with numbers for coefficients, twelve digits of them.
#[must_use]
pub fn relations<T: Constant>(model: &Model<T>, base: &BaseParameters) -> Vec<Relation> {
    let coefficient = |row: usize, column: usize| {
        let value = base.matrix()[(row, column)];
        (value != 0.0).then(|| {
            let digits = rounded(value.abs());
            Coefficient { negative: value < 0.0, one: digits == "1", text: [digits.clone(), digits], several: false }
        })
    };
    build(model, base, coefficient)
}

/// The base parameters with formulas for coefficients; `None` if the regrouping with symbols keeps other parameters,
/// because the robot's structure hangs on its numbers.
#[must_use]
pub fn symbolic_relations<T: Constant>(
    model: &Model<T>,
    base: &BaseParameters,
    symbolic: &SymbolicRegrouping,
) -> Option<Vec<Relation>> {
    let regrouping = &symbolic.regrouping;
    let inertial = base.kept().len() - friction(base);
    if regrouping.kept != base.kept()[..inertial] {
        return None;
    }
    Some(build(model, base, |row, column| {
        let Some(form) = regrouping.forms.get(row) else {
            let one = || "1".to_owned();
            return (base.kept()[row] == column).then(|| Coefficient {
                negative: false,
                one: true,
                text: [one(), one()],
                several: false,
            });
        };
        let (_, formula) = form.iter().find(|(other, _)| *other == column)?;
        Some(symbolic_coefficient(symbolic, formula))
    }))
}

/// The number of base parameters that are friction.
fn friction(base: &BaseParameters) -> usize {
    base.kept().iter().filter(|&&column| base.parameters()[column].kind.is_friction()).count()
}

/// A coefficient without its sign.
#[derive(Clone, PartialEq)]
struct Coefficient {
    negative: bool,
    one: bool,
    /// Text and LaTeX.
    text: [String; 2],
    /// More than one term: needs parentheses.
    several: bool,
}

fn symbolic_coefficient(symbolic: &SymbolicRegrouping, formula: &Formula) -> Coefficient {
    let (numerator, denominator) = formula.parts();
    let write = |latex: bool| {
        let (top, several) = symbolic.symbols.write(numerator, latex);
        if formula.to_polynomial().is_some() {
            return (top, several);
        }
        let (bottom, _) = symbolic.symbols.write(denominator, latex);
        (if latex { format!("\\frac{{{top}}}{{{bottom}}}") } else { format!("({top})/({bottom})") }, false)
    };
    let (text, several) = write(false);
    let (latex, _) = write(true);
    // A single negative term gives its sign to the sum it stands in.
    match (several, text.strip_prefix('-'), latex.strip_prefix('-')) {
        (false, Some(text), Some(latex)) => {
            Coefficient { negative: true, one: text == "1", text: [text.to_owned(), latex.to_owned()], several }
        }
        _ => Coefficient { negative: false, one: text == "1", text: [text, latex], several },
    }
}

/// Twelve digits, no more zeros than needed.
pub(super) fn rounded(value: f64) -> String {
    let short: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    if (1e-5..1e15).contains(&short) { format!("{short}") } else { format!("{short:e}") }
}

/// Link by link, inertias before first moments before masses, drives last.
fn reading_order(columns: usize, links: usize) -> Vec<usize> {
    const WITHIN: [usize; PER_LINK] = [4, 5, 6, 7, 8, 9, 1, 2, 3, 0];
    let inertial = (0..links).flat_map(|link| WITHIN.map(|i| PER_LINK * link + i));
    inertial.chain(PER_LINK * links..columns).collect()
}

fn build<T: Constant>(
    model: &Model<T>,
    base: &BaseParameters,
    coefficient: impl Fn(usize, usize) -> Option<Coefficient>,
) -> Vec<Relation> {
    let (standard, names) = (standard_names(model), base_names(model, base));
    let frames = frame_columns(model);
    let mut order = reading_order(standard.len(), model.links().len());
    order.retain(|&column| !frames[column]);
    let mut relations = Vec::with_capacity(names.len());
    for (row, name) in names.iter().enumerate() {
        let own = base.kept()[row];
        let mut groups: Vec<(Coefficient, Vec<&Name>)> = Vec::new();
        for &column in std::iter::once(&own).chain(order.iter().filter(|&&column| column != own)) {
            let Some(coefficient) = coefficient(row, column) else { continue };
            match groups.iter_mut().find(|(other, _)| *other == coefficient && !coefficient.one) {
                Some((_, members)) => members.push(&standard[column]),
                None => groups.push((coefficient, vec![&standard[column]])),
            }
        }
        let formula = sum(&groups, false);
        let latex = format!("{} = {}", name.latex(), sum(&groups, true));
        relations.push(Relation { name: name.text(), formula, latex });
    }
    relations
}

fn sum(groups: &[(Coefficient, Vec<&Name>)], latex: bool) -> String {
    let mut text = String::new();
    for (i, (coefficient, members)) in groups.iter().enumerate() {
        text.push_str(match (i, coefficient.negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        let names: Vec<_> = members.iter().map(|name| if latex { name.latex() } else { name.text() }).collect();
        let names = names.join(" + ");
        let (open, close, times) = if latex { ("\\left(", "\\right)", "\\,") } else { ("(", ")", " ") };
        if !coefficient.one {
            let factor = &coefficient.text[usize::from(latex)];
            text.push_str(&if coefficient.several { format!("{open}{factor}{close}") } else { factor.clone() });
            text.push_str(times);
        }
        text.push_str(&if members.len() > 1 { format!("{open}{names}{close}") } else { names });
    }
    text
}
