//! The case that generated code tests itself with: a state without symmetry, and the numbers of the closed form there.

use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::spatial::Wrench;
use crate::state::{Input, LinkWrench, State};
use crate::workspace::Workspace;

/// The state of the reference values, with a wrench on each of some links and as many derivatives above the fourth. No number in it is special: they are multiples
/// of the golden ratio, modulo 2, around 0, to three digits.
#[must_use]
pub fn reference_state(model: &Model, loaded: &[usize], higher: usize) -> State {
    let mut count = 0;
    let mut next = || {
        count += 1;
        ((f64::from(count) * 1.618_033_988_749_895 % 2.0 - 1.0) * 1000.0).round() / 1000.0
    };
    let mut state = State::neutral(model);
    state.derivatives = vec![vec![0.0; model.nv()]; higher];
    for &input in Input::ALL {
        match input.vector_mut(&mut state) {
            Some(vector) => vector.fill_with(&mut next),
            None if input == Input::Higher => state.derivatives.iter_mut().for_each(|row| row.fill_with(&mut next)),
            None => {}
        }
    }
    let mut wrench = || Wrench::from_array(std::array::from_fn(|_| next()));
    state.wrenches =
        loaded.iter().map(|&link| LinkWrench { link, wrench: wrench(), dot: wrench(), ddot: wrench() }).collect();
    // Unit quaternions; a robot whose numbers cannot be scaled has none, and nothing else is changed.
    let neutral: Vec<f64> = model.neutral();
    if crate::state::normalize_quaternions(model, &mut state.q).is_err() {
        state.q = neutral;
    }
    state
}

/// The numbers of a quantity by the closed form, which shares no formula with the program.
pub(super) fn output(model: &Model, quantity: &Quantity, state: &State) -> Result<Vec<f64>, QuantityError> {
    quantity.evaluate(Path::Closed, model, state, &mut Workspace::new(model))
}
