//! Formulas as files: plain text and LaTeX.

use super::formula::{Equation, Formula, formula};
use super::parameters::Parameter;
use super::trace::{DeriveError, DeriveOptions};
use crate::model::Model;
use crate::quantity::Quantity;
use jourdain_symbolic::collect::{Notation, Tree};
use std::fmt::Write;

/// Lines of LaTeX source are broken at about this many characters.
const LINE: usize = 160;

/// The equations of quantities in one file. LaTeX is a fragment for `amsmath`; text is ASCII that computer-algebra
/// systems read. `provenance` goes into the first line.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn document(
    model: &Model,
    quantities: &[Quantity],
    options: &DeriveOptions,
    notation: Notation,
    provenance: &str,
) -> Result<String, DeriveError> {
    let comment = if notation == Notation::Latex { "%" } else { "#" };
    let mut out = format!("{comment} {}\n", one_line(provenance));
    let _ = writeln!(out, "{comment} robot: {}", one_line(model.name()));
    if notation == Notation::Latex {
        let _ = writeln!(out, "% needs \\usepackage{{amsmath}}; \\allowdisplaybreaks helps with long formulas");
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for quantity in quantities {
        let formula = formula(model, quantity, options)?;
        let entry = quantity.entry();
        let _ =
            writeln!(out, "\n{comment} {}: {}, {}", one_line(&quantity.name(model)), quantity.about(), entry.reference);
        for (place, &link) in formula.loaded.iter().enumerate() {
            let (n, link) = (place + 1, one_line(&model.links()[link].name));
            let _ = writeln!(out, "{comment} f{n}, n{n}: force and moment applied to {link}, link axes at its origin");
        }
        write_formula(&formula, notation, &mut out);
        parameters.extend(
            formula.parameters.into_iter().filter(|parameter| !parameters.contains(parameter)).collect::<Vec<_>>(),
        );
    }
    write_parameters(&parameters, notation, &mut out);
    Ok(out)
}

fn write_formula(formula: &Formula, notation: Notation, out: &mut String) {
    let definitions = formula.definitions.iter().map(|definition| {
        let names = vec![[definition.symbol.text.clone(), definition.symbol.latex.clone()]];
        (names, &definition.tree)
    });
    let equations = formula.equations.iter().map(|Equation { left, right }| (left.clone(), right));
    let lines: Vec<(Vec<[String; 2]>, &Tree)> = definitions.chain(equations).collect();
    match notation {
        Notation::Text => {
            for (left, right) in lines {
                let names: Vec<&str> = left.iter().map(|[text, _]| text.as_str()).collect();
                let _ = writeln!(out, "{} = {}", names.join(" = "), right.written(notation));
            }
        }
        Notation::Latex => {
            out.push_str("\\begin{align*}\n");
            for (place, (left, right)) in lines.iter().enumerate() {
                let names: Vec<&str> = left.iter().map(|[_, latex]| latex.as_str()).collect();
                let _ = write!(out, "{} ={{}}& {}", broken(&names), lines_of(right));
                out.push_str(if place + 1 < lines.len() { " \\\\\n" } else { "\n" });
            }
            out.push_str("\\end{align*}\n");
        }
    }
}

/// Many equal elements: a few of them to a line.
fn broken(names: &[&str]) -> String {
    names.chunks(12).map(|some| some.join(" = ")).collect::<Vec<_>>().join(" ={}& \\\\\n")
}

/// A sum over as many lines as it needs.
fn lines_of(tree: &Tree) -> String {
    let Tree::Sum(terms) = tree else { return tree.written(Notation::Latex) };
    let (mut text, mut length) = (String::new(), 0);
    for (place, term) in terms.iter().enumerate() {
        let written = match (term, place) {
            (_, 0) => term.written(Notation::Latex),
            // A sum of nothing and the term gives it its sign.
            (Tree::Negative(inner), _) => format!(" - {}", protected(inner)),
            _ => format!(" + {}", protected(term)),
        };
        if length > 0 && length + written.len() > LINE {
            text.push_str(" \\\\\n& \\quad {}");
            length = 0;
        }
        length += written.len();
        text.push_str(&written);
    }
    text
}

/// A term of a sum, in parentheses if it is a sum itself.
fn protected(term: &Tree) -> String {
    match term {
        Tree::Sum(_) => format!("\\left({}\\right)", term.written(Notation::Latex)),
        _ => term.written(Notation::Latex),
    }
}

fn write_parameters(parameters: &[Parameter], notation: Notation, out: &mut String) {
    if parameters.is_empty() {
        return;
    }
    match notation {
        Notation::Text => {
            out.push_str("\n# symbols and their numbers in the robot file\n");
            for Parameter { symbol, value, unit, about } in parameters {
                let _ = writeln!(out, "# {} = {value} {unit}: {}", symbol.text, one_line(about));
            }
        }
        Notation::Latex => {
            out.push_str("\n\\begin{tabular}{lll}\n");
            for Parameter { symbol, value, unit, about } in parameters {
                let unit = unit.replace(' ', "\\,");
                let about = escaped(&one_line(about));
                let _ = writeln!(out, "${}$ & ${value}\\,\\mathrm{{{unit}}}$ & {about} \\\\", symbol.latex);
            }
            out.push_str("\\end{tabular}\n");
        }
    }
}

/// Names from a robot file in a comment: printable ASCII in one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect()
}

/// Text with the characters that mean something to LaTeX written out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut open = false;
    for c in text.chars() {
        match c {
            '`' => {
                out.push_str(if open { "}" } else { "\\texttt{" });
                open = !open;
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    if open {
        out.push('}');
    }
    out
}
