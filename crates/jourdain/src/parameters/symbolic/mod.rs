//! Regrouping relations with lengths as symbols, as the literature prints them.
//!
//! The same analysis as with numbers, over the field of fractions of polynomials in the robot's lengths: what comes out are
//! the coefficients as formulas. A length that is zero in the robot file stays zero, and angles are numbers. Lengths that
//! happen to be equal do not count as equal: a robot whose structure hangs on that has fewer base parameters with its
//! numbers than with symbols.

mod field;
mod polynomial;
mod symbols;

pub use field::Formula;
pub use polynomial::{Polynomial, Variable};
pub use symbols::{Symbol, Symbols};

use super::base::{Regrouping, regrouped_in};
use super::geometry::Geometry;
use super::layout::Layout;
use super::nominal::nominal_description;
use super::structure::Coordinates;
use crate::model::Model;
use jourdain_symbolic::Constant;

/// A regrouping whose coefficients are formulas, with the names of the symbols in them.
#[derive(Clone, Debug)]
pub struct SymbolicRegrouping {
    /// Kept columns and what each base parameter is made of.
    pub regrouping: Regrouping<Formula>,
    /// The lengths that the formulas speak of.
    pub symbols: Symbols,
}

impl SymbolicRegrouping {
    /// The regrouping of a robot; `None` if it has coupled joints or the formulas grow beyond reading.
    #[must_use]
    pub fn new<T: Constant>(model: &Model<T>) -> Option<Self> {
        if model.has_mimic() {
            return None;
        }
        let layout = Layout::new(model);
        let (description, _) = nominal_description(model);
        let recorder = symbols::Recorder::new(model.link_numbers());
        let geometry = Geometry::with_constants(&description, &recorder);
        let kept = regrouped_in(Coordinates::Standard, &geometry, &layout);
        if kept.iter().flat_map(|kept| &kept.form).any(|(_, formula)| formula.is_given_up()) {
            return None;
        }
        Some(Self { regrouping: layout.regrouping(kept), symbols: recorder.into_symbols() })
    }
}
