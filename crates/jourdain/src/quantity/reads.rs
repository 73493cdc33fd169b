//! What a quantity reads of a state, and how many orders of it.

use crate::model::Model;
use crate::state::{Course, Input, WRENCH_RATES};
use jourdain_symbolic::Constant;

/// The inputs of a quantity: the position with some of its derivatives, and what else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    /// The highest derivative of the position.
    motion: usize,
    /// The highest derivative of the reference motion; 0 for none.
    reference: usize,
    torque: bool,
    /// Rates of wrenches, if wrenches are read.
    wrenches: Option<usize>,
    /// True if there is nothing without wrenches.
    only_wrenches: bool,
}

impl Reads {
    /// The position and its derivatives up to an order.
    #[must_use]
    pub const fn motion(order: usize) -> Self {
        Self { motion: order, reference: 0, torque: false, wrenches: None, only_wrenches: false }
    }

    /// Also the derivatives of the reference motion from the first up to an order.
    #[must_use]
    pub const fn reference(self, order: usize) -> Self {
        Self { reference: order, ..self }
    }

    /// Also the joint torques.
    #[must_use]
    pub const fn torque(self) -> Self {
        Self { torque: true, ..self }
    }

    /// Also wrenches with that many rates.
    #[must_use]
    pub const fn wrenches(self, rates: usize) -> Self {
        Self { wrenches: Some(rates), ..self }
    }

    /// Also wrenches with that many rates, without which the quantity is zero.
    #[must_use]
    pub const fn only_wrenches(self, rates: usize) -> Self {
        Self { wrenches: Some(rates), only_wrenches: true, ..self }
    }

    /// What the time derivative of an order reads.
    #[must_use]
    pub(super) fn differentiated(self, order: usize) -> Self {
        let rates = |rates: usize| (rates + order).min(WRENCH_RATES);
        Self { motion: self.motion + order, wrenches: self.wrenches.map(rates), ..self }
    }

    /// True if the input is read.
    #[must_use]
    pub fn contains(&self, input: Input) -> bool {
        match input.course() {
            Course::Motion(order) => order <= self.motion,
            Course::Reference(order) => order <= self.reference,
            Course::Load if input == Input::Torque => self.torque,
            Course::Load => self.wrenches.is_some(),
        }
    }

    /// The inputs, in the order of arguments in generated code.
    pub fn inputs(self) -> impl Iterator<Item = Input> {
        Input::ALL.iter().copied().filter(move |input| self.contains(*input))
    }

    /// The highest derivative of the position that is read.
    #[must_use]
    pub fn highest_motion(&self) -> usize {
        self.motion
    }

    /// How many derivatives of the position are read that [`Input::Higher`] holds.
    #[must_use]
    pub fn higher(&self) -> usize {
        (self.motion + 1).saturating_sub(Input::FIRST_HIGHER)
    }

    /// How many rates of wrenches are read; `None` if no wrenches are.
    #[must_use]
    pub fn wrench_rates(&self) -> Option<usize> {
        self.wrenches
    }

    /// True if the quantity is zero without wrenches.
    #[must_use]
    pub fn is_nothing_without_wrenches(&self) -> bool {
        self.only_wrenches
    }

    /// How many numbers of an input are read, with wrenches on `loaded` links.
    #[must_use]
    pub fn length<T: Constant>(&self, input: Input, model: &Model<T>, loaded: usize) -> usize {
        match (input.length(model), self.contains(input)) {
            (_, false) => 0,
            (Some(length), _) => length,
            (None, _) if input == Input::Higher => self.higher() * model.nv(),
            (None, _) => 6 * loaded * (1 + self.wrenches.unwrap_or(0)),
        }
    }
}
