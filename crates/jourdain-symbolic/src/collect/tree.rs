//! An expression as it is written: sums, products and names, for plain text and LaTeX.

use crate::expr::Number;
use core::fmt::Write;

/// What a symbol stands for, which decides where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Enters the equations linearly: a mass, an inertia. Sums of them are collected.
    Linear,
    /// Any other parameter: a length, gravity.
    Parameter,
    /// A position.
    Position,
    /// A velocity, an acceleration and so on: the highest order is written first.
    Motion {
        /// The order of the derivative.
        order: usize,
    },
}

/// How a symbol is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// In plain text.
    pub text: String,
    /// In LaTeX.
    pub latex: String,
    /// What it stands for.
    pub role: Role,
}

/// An expression as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A number.
    Number(Number),
    /// A symbol.
    Symbol(Symbol),
    /// The terms; a term that begins with a minus is subtracted.
    Sum(Vec<Tree>),
    /// The factors.
    Product(Vec<Tree>),
    /// The opposite.
    Negative(Box<Tree>),
    /// A whole power.
    Power(Box<Tree>, i32),
    /// A quotient.
    Quotient(Box<Tree>, Box<Tree>),
    /// `sin`, `cos` or `sqrt`.
    Function(&'static str, Box<Tree>),
}

/// Which language to write in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// ASCII that computer-algebra systems read.
    Text,
    /// Mathematics of LaTeX.
    Latex,
}

/// How tightly a form binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Power,
}

impl Tree {
    /// A product of fewer than two factors is not one.
    #[must_use]
    pub fn product(mut factors: Vec<Self>) -> Self {
        match factors.len() {
            0 => Self::Number(Number::ONE),
            1 => factors.remove(0),
            _ => Self::Product(factors),
        }
    }

    /// A sum of fewer than two terms is not one.
    #[must_use]
    pub fn sum(mut terms: Vec<Self>) -> Self {
        match terms.len() {
            0 => Self::Number(Number::ZERO),
            1 => terms.remove(0),
            _ => Self::Sum(terms),
        }
    }

    /// The opposite, a double sign dropped.
    #[must_use]
    pub fn negative(self) -> Self {
        match self {
            Self::Negative(inner) => *inner,
            other => Self::Negative(Box::new(other)),
        }
    }

    /// In one line.
    #[must_use]
    pub fn written(&self, notation: Notation) -> String {
        let mut text = String::new();
        self.write(notation, Strength::Sum, &mut text);
        text
    }

    fn strength(&self, notation: Notation) -> Strength {
        match self {
            Self::Sum(_) | Self::Negative(_) => Strength::Sum,
            Self::Number(number) if number.is_negative() => Strength::Sum,
            Self::Number(Number::Exact(f)) if f.denominator != 1 && notation == Notation::Text => Strength::Product,
            Self::Number(Number::Float(_)) if notation == Notation::Latex => Strength::Product,
            Self::Product(_) => Strength::Product,
            Self::Quotient(..) if notation == Notation::Text => Strength::Product,
            _ => Strength::Power,
        }
    }

    fn write(&self, notation: Notation, around: Strength, out: &mut String) {
        let latex = notation == Notation::Latex;
        if self.strength(notation) < around {
            out.push_str(if latex { "\\left(" } else { "(" });
            self.write(notation, Strength::Sum, out);
            out.push_str(if latex { "\\right)" } else { ")" });
            return;
        }
        match self {
            Self::Number(number) => write_number(*number, notation, out),
            Self::Symbol(symbol) => out.push_str(if latex { &symbol.latex } else { &symbol.text }),
            Self::Negative(inner) => {
                out.push('-');
                inner.write(notation, Strength::Product, out);
            }
            Self::Sum(terms) => {
                for (place, term) in terms.iter().enumerate() {
                    match term {
                        Self::Negative(inner) if place > 0 => {
                            out.push_str(" - ");
                            inner.write(notation, Strength::Product, out);
                        }
                        _ => {
                            out.push_str(if place > 0 { " + " } else { "" });
                            term.write(notation, if place > 0 { Strength::Product } else { Strength::Sum }, out);
                        }
                    }
                }
            }
            Self::Product(factors) => {
                for (place, factor) in factors.iter().enumerate() {
                    if place > 0 {
                        out.push_str(if latex { " \\, " } else { "*" });
                    }
                    factor.write(notation, Strength::Product, out);
                }
            }
            Self::Power(base, exponent) => {
                match &**base {
                    // sin^2 x, not (sin x)^2
                    Self::Function(name @ ("sin" | "cos"), angle) if latex => {
                        let _ = write!(out, "\\{name}^{{{exponent}}}");
                        write_argument(angle, notation, out);
                        return;
                    }
                    base => base.write(notation, Strength::Power, out),
                }
                let _ = if latex { write!(out, "^{{{exponent}}}") } else { write!(out, "^{exponent}") };
            }
            Self::Quotient(above, below) if latex => {
                out.push_str("\\frac{");
                above.write(notation, Strength::Sum, out);
                out.push_str("}{");
                below.write(notation, Strength::Sum, out);
                out.push('}');
            }
            Self::Quotient(above, below) => {
                above.write(notation, Strength::Product, out);
                out.push('/');
                below.write(notation, Strength::Power, out);
            }
            Self::Function("sqrt", inner) if latex => {
                out.push_str("\\sqrt{");
                inner.write(notation, Strength::Sum, out);
                out.push('}');
            }
            Self::Function(name, inner) => {
                let _ = if latex { write!(out, "\\{name}") } else { write!(out, "{name}") };
                write_argument(inner, notation, out);
            }
        }
    }
}

/// The argument of a function: in LaTeX without parentheses if it is one name.
fn write_argument(argument: &Tree, notation: Notation, out: &mut String) {
    match argument {
        Tree::Symbol(symbol) if notation == Notation::Latex => {
            out.push(' ');
            out.push_str(&symbol.latex);
        }
        _ => {
            out.push_str(if notation == Notation::Latex { "\\left(" } else { "(" });
            argument.write(notation, Strength::Sum, out);
            out.push_str(if notation == Notation::Latex { "\\right)" } else { ")" });
        }
    }
}

fn write_number(number: Number, notation: Notation, out: &mut String) {
    // A long fraction that is a short decimal came from a robot file as one.
    if let Number::Exact(f) = number
        && f.denominator > 16
        && is_decimal(f.denominator)
    {
        let _ = write!(out, "{}", f.to_f64());
        return;
    }
    let _ = match (number, notation) {
        (Number::Exact(f), Notation::Latex) if f.denominator != 1 => {
            let sign = if f.numerator < 0 { "-" } else { "" };
            write!(out, "{sign}\\frac{{{}}}{{{}}}", f.numerator.unsigned_abs(), f.denominator)
        }
        (Number::Float(value), Notation::Latex) => write_float(value, out),
        _ => write!(out, "{number}"),
    };
}

fn is_decimal(mut denominator: i64) -> bool {
    for prime in [2, 5] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}

/// Six digits are enough to read by; generated code has them all.
fn write_float(value: f64, out: &mut String) -> core::fmt::Result {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        write!(out, "{} \\cdot 10^{{{exponent}}}", shorten(mantissa))
    } else {
        let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
        write!(out, "{}", shorten(&format!("{value:.decimals$}")))
    }
}

fn shorten(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}
