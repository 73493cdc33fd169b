//! What the numbers of a system are: names that a table, a plot or a report needs no knowledge of the system for.

use crate::model::{Coordinate, plain_name};
use crate::unit::Unit;
use std::fmt;

/// The symbol of what adaptive control learns, apart from the state that another law may keep.
pub(super) const ESTIMATE: &str = "estimate";

/// A number of a system: of its position, velocity, torques or outputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// The letter of what it is one of: `q`, `qd`, `tau`, `reference`, `estimate` …; or the whole name, such as `work`.
    pub symbol: &'static str,
    /// The joint, coordinate or parameter that it belongs to; empty for a number of the whole system.
    pub of: String,
    /// Which number of a joint that has several, such as `qw`; otherwise empty.
    pub part: String,
    /// The unit; [`Unit::ONE`] for a pure number, and for one whose unit is not known.
    pub unit: Unit,
}

impl Column {
    /// A number of the whole system.
    #[must_use]
    pub fn whole(symbol: &'static str, unit: Unit) -> Self {
        Self { symbol, of: String::new(), part: String::new(), unit }
    }

    /// A number of a joint, coordinate or parameter.
    #[must_use]
    pub fn of(symbol: &'static str, of: &str, part: &str, unit: Unit) -> Self {
        Self { symbol, of: of.to_owned(), part: part.to_owned(), unit }
    }

    /// A number of a vector that has one per coordinate.
    #[must_use]
    pub fn of_coordinate(symbol: &'static str, coordinate: &Coordinate, unit: Unit) -> Self {
        Self::of(symbol, &coordinate.joint, &coordinate.part.to_string(), unit)
    }

    /// The same number of another kind: the torque of the coordinate whose position this is.
    #[must_use]
    pub fn as_kind(&self, symbol: &'static str, unit: Unit) -> Self {
        Self { symbol, unit, ..self.clone() }
    }

    /// The unit as it is written; nothing for a pure number.
    #[must_use]
    pub fn unit_text(&self) -> String {
        if self.unit == Unit::ONE { String::new() } else { self.unit.to_string() }
    }

    /// Joint and part, without the letter: the text of a [`Coordinate`].
    #[must_use]
    pub fn place(&self) -> String {
        let of = plain_name(&self.of);
        if self.part.is_empty() { of.into_owned() } else { format!("{of}.{}", self.part) }
    }
}

impl fmt::Display for Column {
    /// `symbol[joint.part]`, and `symbol` alone for a number of the whole system.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.of.is_empty() { f.write_str(self.symbol) } else { write!(f, "{}[{}]", self.symbol, self.place()) }
    }
}
