//! The lengths and angles of a robot as symbols, in the literature's names.
//!
//! Denavit–Hartenberg lengths are D (along x; `a` in robot files), R (along z; `d`) and B, with the number of the link; angles
//! are α, θ and γ. Where a frame is given by a pose, its position is Px, Py, Pz and its angles φ, ϑ, ψ (roll, pitch, yaw); points
//! on joint axes are Ax, Ay, Az and a pitch is H.

use super::field::Formula;
use super::polynomial::{Polynomial, Variable};
use crate::model::Number;
use crate::parameters::exact::Rational;
use crate::parameters::field::Field;
use crate::parameters::geometry::{Constants, Part};
use std::cell::RefCell;
use std::f64::consts::FRAC_PI_2;

/// A length or an angle of one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// As text: `D3`, `alpha3`.
    pub text: String,
    /// As LaTeX: `D_{3}`, `\alpha_{3}`.
    pub latex: String,
    /// Its value, m or rad.
    pub value: f64,
}

/// The symbols of a robot.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Lengths, in the order of the links.
    pub lengths: Vec<Symbol>,
    /// Angles, in the order of the links.
    pub angles: Vec<Symbol>,
}

impl Symbols {
    /// The value of a variable.
    #[must_use]
    pub fn value(&self, variable: Variable) -> f64 {
        let of = |symbols: &[Symbol], i: usize| symbols.get(i).map_or(0.0, |symbol| symbol.value);
        match variable {
            Variable::Length(i) => of(&self.lengths, i),
            Variable::Cosine(i) => of(&self.angles, i).cos(),
            Variable::Sine(i) => of(&self.angles, i).sin(),
        }
    }

    fn name(&self, variable: Variable, latex: bool) -> String {
        let of = |symbols: &[Symbol], i: usize| {
            symbols.get(i).map_or_else(String::new, |s| if latex { s.latex.clone() } else { s.text.clone() })
        };
        match (variable, latex) {
            (Variable::Length(i), _) => of(&self.lengths, i),
            (Variable::Cosine(i), true) => format!("\\cos {}", of(&self.angles, i)),
            (Variable::Sine(i), true) => format!("\\sin {}", of(&self.angles, i)),
            (Variable::Cosine(i), false) => format!("cos({})", of(&self.angles, i)),
            (Variable::Sine(i), false) => format!("sin({})", of(&self.angles, i)),
        }
    }

    /// A polynomial as text or LaTeX, positive terms first, and whether it has more than one term.
    #[must_use]
    pub fn write(&self, polynomial: &Polynomial, latex: bool) -> (String, bool) {
        let mut terms: Vec<_> = polynomial.terms().rev().collect();
        terms.sort_by_key(|(_, coefficient)| coefficient.is_negative());
        let mut text = String::new();
        for (i, (monomial, coefficient)) in terms.iter().enumerate() {
            let negative = coefficient.is_negative();
            text.push_str(match (i, negative) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            let magnitude = if negative { coefficient.neg() } else { (*coefficient).clone() };
            let mut factors = Vec::new();
            if magnitude != Rational::one() || monomial.degree() == 0 {
                factors.push(if latex { magnitude.to_latex() } else { magnitude.to_string() });
            }
            for &(variable, power) in monomial.powers() {
                let name = self.name(variable, latex);
                factors.push(match (power, latex, variable) {
                    (1, ..) => name,
                    (_, true, Variable::Length(_)) => format!("{name}^{{{power}}}"),
                    // cos² α rather than cos α²
                    (_, true, _) => name.replacen(' ', &format!("^{{{power}}} "), 1),
                    (_, false, _) => format!("{name}^{power}"),
                });
            }
            text.push_str(&factors.join(if latex { "\\," } else { " " }));
        }
        if terms.is_empty() {
            text.push('0');
        }
        (text, terms.len() > 1)
    }
}

/// Hands out symbols while a geometry is built and remembers them.
pub(super) struct Recorder {
    numbers: Vec<String>,
    symbols: RefCell<Symbols>,
}

impl Recorder {
    /// `numbers` are the links' numbers as they stand in names.
    pub fn new(numbers: &[String]) -> Self {
        Self { numbers: numbers.to_vec(), symbols: RefCell::default() }
    }

    pub fn into_symbols(self) -> Symbols {
        self.symbols.into_inner()
    }

    fn symbol(&self, link: usize, text: &str, latex: &str, value: f64) -> Symbol {
        let number = self.numbers.get(link).map_or("", String::as_str);
        let index = crate::parameters::names::latex_index(number);
        Symbol { text: format!("{text}{number}"), latex: format!("{latex}_{{{index}}}"), value }
    }
}

impl Constants<Formula> for Recorder {
    fn length(&self, link: usize, part: Part, number: Number) -> Formula {
        if number.value == 0.0 {
            return Formula::zero();
        }
        let (text, latex) = match part {
            Part::Dh(name) => (name.to_owned(), name.to_owned()),
            Part::Position(axis) => (format!("P{axis}"), format!("P_{axis}")),
            Part::Point(axis) => (format!("A{axis}"), format!("A_{axis}")),
            Part::Pitch => ("H".to_owned(), "H".to_owned()),
        };
        let mut symbol = self.symbol(link, &text, &latex, number.value);
        if let Some((letter, axis)) = latex.split_once('_') {
            let number = self.numbers.get(link).map_or("", String::as_str);
            symbol.latex = format!("{letter}_{{{axis}{}}}", crate::parameters::names::latex_index(number));
        }
        let mut symbols = self.symbols.borrow_mut();
        // The points of the factors of one joint may well be the same.
        let same = |other: &Symbol| other.text == symbol.text && other.value == symbol.value;
        let index = symbols.lengths.iter().position(same).unwrap_or_else(|| {
            let bare = |other: &&Symbol| other.text.trim_end_matches('\'') == symbol.text;
            let names = symbols.lengths.iter().filter(bare).count();
            if names > 0 {
                symbol.text.push_str(&"'".repeat(names));
                symbol.latex.push_str(&"'".repeat(names));
            }
            symbols.lengths.push(symbol);
            symbols.lengths.len() - 1
        });
        Formula::polynomial(Polynomial::variable(Variable::Length(index)))
    }

    fn cos_sin(&self, link: usize, name: &'static str, angle: f64) -> (Formula, Formula) {
        if (angle - (angle / FRAC_PI_2).round() * FRAC_PI_2).abs() < 1e-12 {
            return Formula::cos_sin(angle);
        }
        let latex = match name {
            "roll" => "\\phi",
            "pitch" => "\\vartheta",
            "yaw" => "\\psi",
            "alpha" => "\\alpha",
            "theta" => "\\theta",
            _ => "\\gamma",
        };
        let symbol = self.symbol(link, name, latex, angle);
        let mut symbols = self.symbols.borrow_mut();
        let index = symbols.angles.len();
        symbols.angles.push(symbol);
        let variable = |variable| Formula::polynomial(Polynomial::variable(variable));
        (variable(Variable::Cosine(index)), variable(Variable::Sine(index)))
    }
}
