//! The quantity registry: every quantity is declared once, with name, shape, inputs, equation and formula.
//!
//! The declarations are the entries of one table, `quantity/table.rs`; the command line, the benches and the reference
//! follow from it. A formula is generic over the [`Scalar`], so that one entry gives numbers, derivatives and symbols
//! alike. Most quantities have two formulas, see [`Path`].
//!
//! ```
//! use jourdain::quantity::{Path, Quantity};
//! use jourdain::{State, Workspace, robots};
//!
//! let model = robots::load("planar2r").ok_or("no such robot")?;
//! let state = State::neutral(&model);
//! let quantity = Quantity::parse("pose:tool", &model)?;
//! let pose = quantity.evaluate(Path::Fast, &model, &state, &mut Workspace::new(&model))?;
//! assert_eq!(quantity.entry().shape.lengths(&model), [4, 4]);
//! assert_eq!(pose[3], 0.9); // both arms stretched along x: 0.5 m + 0.4 m
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod context;
mod error;
mod input;
mod parse;
mod shape;
mod table;

pub use error::QuantityError;
pub use input::Input;
pub use shape::{Axis, Shape};
pub use table::Kind;

use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use context::Context;
use jourdain_symbolic::Scalar;

/// What is known of a quantity without a robot.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The fixed name; for a quantity of a link the part before the colon.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// True if it belongs to a link: `name:LINK`.
    pub per_link: bool,
    /// Its axes.
    pub shape: Shape,
    /// What it reads of the state.
    pub inputs: &'static [Input],
    /// Its unit where all joints turn; for sliding joints with m for rad and N for N m.
    pub unit: &'static str,
    /// The equation it realises: G is Garofalo, Ott, Albu-Schäffer 2013, MK is Müller, Kumar 2021.
    pub reference: &'static str,
    /// Which quantity this is.
    pub kind: Kind,
}

/// Which of the two formulas of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// The recursive algorithm.
    #[default]
    Fast,
    /// The paper's closed form, literally: the reference. The same as `Fast` where there is only one formula.
    Closed,
}

/// A quantity of a robot: a kind, and the link it belongs to if it belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quantity {
    kind: Kind,
    link: Option<usize>,
}

impl Quantity {
    /// All there are, in the order of the documentation.
    pub const ALL: &'static [Entry] = table::ENTRIES;

    /// A quantity of the whole robot.
    ///
    /// # Errors
    /// A kind that belongs to a link.
    pub fn new(kind: Kind) -> Result<Self, QuantityError> {
        match kind.entry() {
            entry if entry.per_link => Err(QuantityError::LinkMissing { name: entry.name, example: None }),
            _ => Ok(Self { kind, link: None }),
        }
    }

    /// A quantity of the link with that index.
    ///
    /// # Errors
    /// A kind that belongs to the whole robot.
    pub fn of_link(kind: Kind, link: usize) -> Result<Self, QuantityError> {
        match kind.entry() {
            entry if entry.per_link => Ok(Self { kind, link: Some(link) }),
            entry => Err(QuantityError::LinkUnexpected { name: entry.name }),
        }
    }

    /// What is known of it without a robot.
    #[must_use]
    pub fn entry(&self) -> &'static Entry {
        self.kind.entry()
    }

    /// The index of the link it belongs to.
    #[must_use]
    pub fn link(&self) -> Option<usize> {
        self.link
    }

    /// Evaluates the formula on any scalar; `out` is row-major.
    ///
    /// # Errors
    /// A state or an output that does not fit the robot, and a robot that does not have the quantity.
    pub fn evaluate_into<S: Scalar>(
        &self,
        path: Path,
        model: &Model<S::Constant>,
        state: &State<S>,
        workspace: &mut Workspace<S>,
        out: &mut [S],
    ) -> Result<(), QuantityError> {
        let entry = self.entry();
        input::check_lengths(entry.inputs, model, state)?;
        let expected = entry.shape.size(model);
        if out.len() != expected {
            return Err(QuantityError::Room { name: entry.name.to_owned(), expected, found: out.len() });
        }
        let link = self.link.unwrap_or(0);
        if entry.per_link && link >= model.links().len() {
            let (link, robot) = (format!("number {link}"), model.name().to_owned());
            return Err(QuantityError::UnknownLink { link, robot, suggestion: None });
        }
        let mut context = Context { model, state, workspace, link };
        self.kind.run(path, &mut context, out)
    }

    /// Evaluates the numbers, row-major. The state must be [checked](State::checked): unit quaternions, finite numbers.
    ///
    /// # Errors
    /// As [`evaluate_into`](Self::evaluate_into), a result that is not finite, and one too large to be meant.
    pub fn evaluate(
        &self,
        path: Path,
        model: &Model<f64>,
        state: &State<f64>,
        workspace: &mut Workspace<f64>,
    ) -> Result<Vec<f64>, QuantityError> {
        let elements = self.entry().shape.size(model);
        if elements > error::MOST_ELEMENTS {
            return Err(QuantityError::TooLarge { name: self.name(model), elements });
        }
        let mut out = vec![0.0; elements];
        self.evaluate_into(path, model, state, workspace, &mut out)?;
        match out.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(QuantityError::NotFinite { name: self.name(model), index, value: out[index] }),
            None => Ok(out),
        }
    }
}

#[cfg(test)]
mod tests;
