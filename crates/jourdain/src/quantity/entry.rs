//! All that is known of a quantity without a robot: the facts of an entry of the table.

use super::{Kind, Reads, Shape};
use crate::dynamics::recursive::MOST_ORDER;
use crate::unit::Unit;

/// What is known of a quantity without a robot. Every fact is said by every entry of the table; nothing has a default.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The fixed name; of a quantity of a link the part before the colon, of a family of derivatives with N for the order.
    pub name: &'static str,
    /// Other names that mean the same.
    pub short: &'static [&'static str],
    /// The symbol in plain text and in LaTeX; of a family that of order zero.
    pub symbol: [&'static str; 2],
    /// What it is, in one line.
    pub about: &'static str,
    /// What it belongs to.
    pub of: Owner,
    /// Its axes.
    pub shape: Shape,
    /// What it reads of the state; of a family what order zero reads.
    pub reads: Reads,
    /// The unit of its first element where all joints turn.
    pub unit: Unit,
    /// Which inertias it depends on.
    pub inertias: Inertias,
    /// What a robot must have for it.
    pub needs: &'static [Need],
    /// The equation it realises: G is Garofalo, Ott, Albu-Schäffer 2013, MK is Müller, Kumar 2021.
    pub reference: &'static str,
    /// Which quantity this is.
    pub kind: Kind,
}

/// What a quantity belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The whole robot: `name`.
    Robot,
    /// A link: `name:LINK`.
    Link,
    /// The whole robot; one quantity for each order of a time derivative, `name_d3`, `name_d4`, ….
    Family,
}

/// Which inertias a quantity depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inertias {
    /// None: it is kinematics, or multiplies parameters.
    None,
    /// What the joints feel, which base parameters say.
    Felt,
    /// Those of each body, which base parameters do not say.
    Bodies,
}

/// What a robot must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// Mass.
    Mass,
    /// A mass matrix that can be inverted.
    RegularMassMatrix,
}

impl Entry {
    /// The lowest order of a family: lower derivatives have names of their own.
    pub const FIRST_ORDER: usize = 3;
    /// The highest order of a family, where factorials leave the numbers of the machine.
    pub const LAST_ORDER: usize = MOST_ORDER;

    /// True if it belongs to a link: `name:LINK`.
    #[must_use]
    pub fn per_link(&self) -> bool {
        self.of == Owner::Link
    }

    /// True if there is one for each order of a time derivative.
    #[must_use]
    pub fn is_family(&self) -> bool {
        self.of == Owner::Family
    }

    /// The name of the member of a family with that order.
    pub(super) fn member(&self, order: usize) -> String {
        format!("{}{order}", self.stem())
    }

    /// The name of a family up to the order.
    pub(super) fn stem(&self) -> &'static str {
        self.name.strip_suffix('N').unwrap_or(self.name)
    }
}
