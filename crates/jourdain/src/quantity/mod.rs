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
mod entry;
mod error;
mod formulas;
mod parse;
mod reads;
mod shape;
mod table;

pub use crate::state::Input;
pub use entry::{Entry, Inertias, Need, Owner};
pub use error::{MOST_ELEMENTS, QuantityError};
pub use parse::find_link;
pub use reads::Reads;
pub use shape::{Axis, Shape, Variance};
pub use table::Kind;

use crate::dynamics::recursive::check_regular;
use crate::kinematics::Massless;
use crate::model::Model;
use crate::state::{State, normalize_quaternions};
use crate::unit::Unit;
use crate::workspace::Workspace;
use context::Context;
use jourdain_symbolic::{Constant, Lanes, Scalar};

/// Which of the two formulas of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// The recursive algorithm.
    #[default]
    Fast,
    /// The paper's closed form, literally: the reference. The same as `Fast` where there is only one formula.
    Closed,
}

/// A quantity of a robot: a kind, the link it belongs to if it belongs to one, and its order if it is one of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quantity {
    kind: Kind,
    link: Option<usize>,
    order: Option<usize>,
}

impl Quantity {
    /// Which one it is, whatever its link or order.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// All there are, in the order of the documentation.
    pub const ALL: &'static [Entry] = table::ENTRIES;

    /// A quantity of the whole robot.
    ///
    /// # Errors
    /// A kind that belongs to a link, or that has an order.
    pub fn new(kind: Kind) -> Result<Self, QuantityError> {
        let entry = kind.entry();
        match entry.of {
            Owner::Robot => Ok(Self { kind, link: None, order: None }),
            Owner::Link => Err(QuantityError::LinkMissing { name: entry.name, example: None }),
            Owner::Family => Err(QuantityError::Order { family: entry.name, order: None }),
        }
    }

    /// A quantity of the link with that index.
    ///
    /// # Errors
    /// A kind that belongs to the whole robot.
    pub fn of_link(kind: Kind, link: usize) -> Result<Self, QuantityError> {
        match kind.entry() {
            entry if entry.per_link() => Ok(Self { kind, link: Some(link), order: None }),
            entry => Err(QuantityError::LinkUnexpected { name: entry.name }),
        }
    }

    /// The time derivative of that order out of a family.
    ///
    /// # Errors
    /// A kind that is no family, and an order outside [`Entry::FIRST_ORDER`] to [`Entry::LAST_ORDER`].
    pub fn of_order(kind: Kind, order: usize) -> Result<Self, QuantityError> {
        let (entry, orders) = (kind.entry(), Entry::FIRST_ORDER..=Entry::LAST_ORDER);
        match entry.is_family() && orders.contains(&order) {
            true => Ok(Self { kind, link: None, order: Some(order) }),
            false => Err(QuantityError::Order { family: entry.name, order: Some(order) }),
        }
    }

    /// One quantity for every entry: those of a link for that link, families with their two lowest orders.
    #[must_use]
    pub fn each(link: usize) -> Vec<Self> {
        let of = |entry: &Entry| match entry.of {
            Owner::Robot => vec![Self { kind: entry.kind, link: None, order: None }],
            Owner::Link => vec![Self { kind: entry.kind, link: Some(link), order: None }],
            Owner::Family => [0, 1]
                .map(|more| Self { kind: entry.kind, link: None, order: Some(Entry::FIRST_ORDER + more) })
                .to_vec(),
        };
        Self::ALL.iter().flat_map(of).collect()
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

    /// The order of the time derivative, of a member of a family.
    #[must_use]
    pub fn order(&self) -> Option<usize> {
        self.order
    }

    /// What it is, in one line.
    #[must_use]
    pub fn about(&self) -> String {
        let about = self.entry().about;
        self.order.map_or_else(|| about.to_owned(), |order| about.replace("order N", &format!("order {order}")))
    }

    /// Its symbol in plain text and in LaTeX.
    #[must_use]
    pub fn symbol(&self) -> [String; 2] {
        let [text, latex] = self.entry().symbol;
        match self.order {
            None => [text.to_owned(), latex.to_owned()],
            Some(order) if latex.contains('_') => [format!("{text}_d{order}"), format!("{{{latex}}}^{{({order})}}")],
            Some(order) => [format!("{text}_d{order}"), format!("{latex}^{{({order})}}")],
        }
    }

    /// What it reads of a state.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.entry().reads.differentiated(self.order.unwrap_or(0))
    }

    /// The unit of its first element where all joints turn.
    #[must_use]
    pub fn unit(&self) -> Unit {
        // No order that a quantity may have leaves the range.
        let seconds = self.order.and_then(|order| i16::try_from(order).ok());
        seconds.map_or(self.entry().unit, |order| self.entry().unit.seconds(-order))
    }

    /// The unit as a list says it where all joints turn: of a twist that of both halves, nothing where parameters count.
    #[must_use]
    pub fn unit_text(&self) -> String {
        self.entry().shape.unit_text(self.unit())
    }

    /// The unit of each element for a robot, row-major: N where a sliding joint has a force, N m where one turns.
    #[must_use]
    pub fn units<T: Constant>(&self, model: &Model<T>) -> Vec<Unit> {
        self.entry().shape.units(self.unit(), model)
    }

    /// The unit of one element for a robot, its place row-major; `None` beyond the last.
    #[must_use]
    pub fn unit_of<T: Constant>(&self, model: &Model<T>, place: usize) -> Option<Unit> {
        self.units(model).get(place).copied()
    }

    /// The unit of all elements for a robot, if they have the same.
    #[must_use]
    pub fn common_unit<T: Constant>(&self, model: &Model<T>) -> Option<Unit> {
        let units = self.units(model);
        units.first().copied().filter(|first| units.iter().all(|unit| unit == first))
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
        self.in_context(model, state, workspace, out.len(), |context| self.kind.run(path, context, out))
    }

    /// Evaluates the fast formula at four states at once; `None` for a quantity that has no such form.
    ///
    /// # Errors
    /// As [`evaluate_into`](Self::evaluate_into).
    pub fn evaluate_four_into(
        &self,
        model: &Model<f64>,
        states: &State<Lanes<4>>,
        workspace: &mut Workspace<Lanes<4>>,
        out: &mut [Lanes<4>],
    ) -> Option<Result<(), QuantityError>> {
        let room = out.len();
        let run = |context: &mut Context<'_, Lanes<4>>| Ok(self.kind.run_four(context, out));
        self.in_context(model, states, workspace, room, run).unwrap_or_else(|error| Some(Err(error)))
    }

    /// Runs something on what a formula is given, once that is checked.
    fn in_context<S: Scalar, R>(
        &self,
        model: &Model<S::Constant>,
        state: &State<S>,
        workspace: &mut Workspace<S>,
        room: usize,
        run: impl FnOnce(&mut Context<'_, S>) -> Result<R, QuantityError>,
    ) -> Result<R, QuantityError> {
        let entry = self.entry();
        self.reads().inputs().try_for_each(|input| input.check(model, state))?;
        if entry.needs.contains(&Need::Mass) && model.total_mass().is_zero() {
            return Err(Massless { robot: model.name().to_owned() }.into());
        }
        let by_parameters = |axis: &Axis| matches!(axis, Axis::Parameters | Axis::BaseParameters);
        if let (true, Some((link, _))) = (entry.shape.0.iter().any(by_parameters), model.shafts().next()) {
            let joint = link.joint_name.clone();
            return Err(QuantityError::Shaft { name: self.name(model), joint, robot: model.name().to_owned() });
        }
        let expected = entry.shape.size(model);
        if room != expected {
            return Err(QuantityError::Room { name: self.name(model), expected, found: room });
        }
        let link = self.link.unwrap_or(0);
        if entry.per_link() && link >= model.links().len() {
            let (link, robot) = (format!("number {link}"), model.name().to_owned());
            return Err(QuantityError::UnknownLink { link, robot, suggestion: None });
        }
        let rest = std::mem::take(&mut workspace.zeros);
        let order = self.order.unwrap_or(0);
        let result = run(&mut Context { model, state, workspace, link, order, rest: &rest });
        workspace.zeros = rest;
        result
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
        if elements > MOST_ELEMENTS {
            return Err(QuantityError::TooLarge { name: self.name(model), elements });
        }
        let mut out = vec![0.0; elements];
        self.evaluate_into(path, model, state, workspace, &mut out)?;
        let odd = out.iter().position(|x| !x.is_finite());
        // The closed form sums M in another order, of which rounding may leave more than the bound.
        if self.inverts() && (odd.is_some() || path == Path::Closed) {
            check_regular(model, &state.q, workspace)?;
        }
        match odd {
            Some(index) => Err(QuantityError::NotFinite { name: self.name(model), index, value: out[index] }),
            None => Ok(out),
        }
    }

    /// That the robot has it in some position: M has no inverse in any if it has none in three that are not special. Programs need
    /// that, in which zero times what is no number is zero.
    ///
    /// # Errors
    /// The joint that M has no inverse for.
    pub fn check_somewhere(&self, model: &Model<f64>) -> Result<(), QuantityError> {
        if !self.inverts() {
            return Ok(());
        }
        let mut found = Ok(());
        for position in 0..3 {
            let number = |i: usize| 0.37 + (f64::from(position) + 1.3 * i as f64).sin();
            let mut q: Vec<f64> = (0..model.nq()).map(number).collect();
            normalize_quaternions(model, &mut q)?;
            found = check_regular(model, &q, &mut Workspace::new(model));
            if found.is_ok() {
                break;
            }
        }
        Ok(found?)
    }

    /// True if the mass matrix is inverted for it.
    #[must_use]
    pub fn inverts(&self) -> bool {
        self.entry().needs.contains(&Need::RegularMassMatrix)
    }
}

#[cfg(test)]
mod tests;
