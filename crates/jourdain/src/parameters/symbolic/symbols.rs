//! The lengths of a robot as symbols, in the literature's names.
//!
//! Denavit–Hartenberg lengths are D (along x; `a` in robot files), R (along z; `d`) and B, with the number of the link. Where a
//! frame is given by a pose, its position is Px, Py, Pz; points on joint axes are Ax, Ay, Az and a pitch is H. Angles are numbers:
//! multiples of 90° exactly, others to 10⁻¹³ rad.

use super::field::Formula;
use super::polynomial::{Polynomial, Variable};
use crate::model::lowered::{Constants, Part};
use crate::model::{LinkNumber, Number};
use crate::parameters::exact::Rational;
use crate::parameters::field::Field;
use crate::parameters::names::{link_latex, link_text};
use std::cell::RefCell;

/// A length of one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// As text: `D3`.
    pub text: String,
    /// As LaTeX: `D_{3}`.
    pub latex: String,
    /// Its value, m.
    pub value: f64,
}

/// The symbols of a robot, in the order of the links.
#[derive(Clone, Debug, Default)]
pub struct Symbols(pub Vec<Symbol>);

impl Symbols {
    /// The value of a variable, m.
    #[must_use]
    pub fn value(&self, variable: Variable) -> f64 {
        self.0.get(variable).map_or(0.0, |symbol| symbol.value)
    }

    fn name(&self, variable: Variable, latex: bool) -> &str {
        self.0.get(variable).map_or("", |symbol| if latex { &symbol.latex } else { &symbol.text })
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
                factors.push(if latex { magnitude.to_latex() } else { magnitude.to_text() });
            }
            for &(variable, power) in monomial.powers() {
                let name = self.name(variable, latex).to_owned();
                factors.push(match (power, latex) {
                    (1, _) => name,
                    (_, true) => format!("{name}^{{{power}}}"),
                    (_, false) => format!("{name}^{power}"),
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
    numbers: Vec<LinkNumber>,
    symbols: RefCell<Symbols>,
}

impl Recorder {
    /// `numbers` are the links' numbers as they stand in names.
    pub fn new(numbers: Vec<LinkNumber>) -> Self {
        Self { numbers, symbols: RefCell::default() }
    }

    pub fn into_symbols(self) -> Symbols {
        self.symbols.into_inner()
    }

    /// A length with the axis it is along, if there is one.
    fn symbol(&self, link: usize, letter: &str, axis: &str, value: f64) -> Symbol {
        let number = self.numbers.get(link);
        let (text, latex) = (number.map_or(String::new(), link_text), number.map_or(String::new(), link_latex));
        Symbol { text: format!("{letter}{axis}{text}"), latex: format!("{letter}_{{{axis}{latex}}}"), value }
    }
}

impl Constants<Formula> for Recorder {
    fn length(&self, link: usize, part: Part, number: Number) -> Formula {
        if number.value == 0.0 {
            return Formula::zero();
        }
        let mut symbol = match part {
            Part::Dh(name) => self.symbol(link, name, "", number.value),
            Part::Position(axis) => self.symbol(link, "P", axis, number.value),
            Part::Point(axis) => self.symbol(link, "A", axis, number.value),
            Part::Pitch => self.symbol(link, "H", "", number.value),
        };
        let mut symbols = self.symbols.borrow_mut();
        // The points of the factors of one joint may well be the same.
        let same = |other: &Symbol| other.text == symbol.text && other.value == symbol.value;
        let index = symbols.0.iter().position(same).unwrap_or_else(|| {
            let bare = |other: &&Symbol| other.text.trim_end_matches('\'') == symbol.text;
            let names = symbols.0.iter().filter(bare).count();
            symbol.text.push_str(&"'".repeat(names));
            symbol.latex.push_str(&"'".repeat(names));
            symbols.0.push(symbol);
            symbols.0.len() - 1
        });
        Formula::polynomial(Polynomial::variable(index))
    }

    fn cos_sin(&self, _: usize, _: &'static str, angle: f64) -> (Formula, Formula) {
        Formula::cos_sin(angle)
    }
}
