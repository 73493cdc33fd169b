//! The case that generated code tests itself with: a state without symmetry, and the numbers of the closed form there.

use crate::model::Model;
use crate::quantity::{Input, Path, Quantity, QuantityError};
use crate::spatial::Wrench;
use crate::state::{LinkWrench, State};
use crate::workspace::Workspace;
use jourdain_symbolic::{Argument, Program};

/// The state of the reference values, with a wrench on each of some links. No number in it is special: they are multiples
/// of the golden ratio, modulo 2, around 0, to three digits.
#[must_use]
pub fn reference_state(model: &Model, loaded: &[usize]) -> State {
    let mut count = 0;
    let mut next = || {
        count += 1;
        ((f64::from(count) * 1.618_033_988_749_895 % 2.0 - 1.0) * 1000.0).round() / 1000.0
    };
    let mut vector = |n: usize| (0..n).map(|_| next()).collect::<Vec<f64>>();
    let n = model.nv();
    let mut state = State {
        q: vector(model.nq()),
        qd: vector(n),
        qdd: vector(n),
        qddd: vector(n),
        qdddd: vector(n),
        derivatives: vec![vector(n), vector(n)],
        qd_r: vector(n),
        qdd_r: vector(n),
        tau: vector(n),
        wrenches: Vec::new(),
    };
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

/// The numbers that a derived program reads of a state, in the order of its inputs; wrenches in the order of the loaded
/// links.
#[must_use]
pub fn program_inputs(program: &Program, state: &State) -> Vec<f64> {
    program.inputs().iter().flat_map(|argument| input(argument, state)).collect()
}

fn input(argument: &Argument, state: &State) -> Vec<f64> {
    let order = |k: usize| {
        state.wrenches.iter().flat_map(move |load| match k {
            0 => load.wrench.to_array(),
            1 => load.dot.to_array(),
            _ => load.ddot.to_array(),
        })
    };
    let is = |input: Input| argument.name == input.key();
    let mut numbers = match () {
        () if is(Input::Position) => state.q.clone(),
        () if is(Input::Velocity) => state.qd.clone(),
        () if is(Input::Acceleration) => state.qdd.clone(),
        () if is(Input::Jerk) => state.qddd.clone(),
        () if is(Input::Snap) => state.qdddd.clone(),
        () if is(Input::Higher) => state.derivatives.concat(),
        () if is(Input::ReferenceVelocity) => state.qd_r.clone(),
        () if is(Input::ReferenceAcceleration) => state.qdd_r.clone(),
        () if is(Input::Torque) => state.tau.clone(),
        () => (0..3).flat_map(order).collect(),
    };
    numbers.resize(argument.length, 0.0);
    numbers
}

/// The numbers of a quantity by the closed form, which shares no formula with the program.
pub(super) fn output(model: &Model, quantity: &Quantity, state: &State) -> Result<Vec<f64>, QuantityError> {
    quantity.evaluate(Path::Closed, model, state, &mut Workspace::new(model))
}
