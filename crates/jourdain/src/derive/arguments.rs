//! The state as symbols: one vector of symbols per input that a quantity reads.

use crate::model::Model;
use crate::quantity::{Entry, Input, Kind};
use crate::spatial::Wrench;
use crate::state::{LinkWrench, State};
use jourdain_symbolic::Expr;

/// Adds what one quantity reads, in the order of generated code; of two vectors of one name the shorter is the start of
/// the longer.
pub(super) fn merge(arguments: &mut Vec<(Input, Vec<Expr>)>, read: Vec<(Input, Vec<Expr>)>) {
    for (input, vector) in read {
        match arguments.iter_mut().find(|(known, _)| *known == input) {
            Some((_, known)) if known.len() >= vector.len() => {}
            Some((_, known)) => *known = vector,
            None => arguments.push((input, vector)),
        }
    }
    arguments.sort_by_key(|(input, _)| *input);
}

/// The numbers of a state that an argument holds, with all the rates of wrenches that there are.
pub(super) fn numbers(input: Input, state: &State) -> Vec<f64> {
    match input {
        Input::Position => state.q.clone(),
        Input::Velocity => state.qd.clone(),
        Input::Acceleration => state.qdd.clone(),
        Input::Jerk => state.qddd.clone(),
        Input::Snap => state.qdddd.clone(),
        Input::Higher => state.derivatives.concat(),
        Input::ReferenceVelocity => state.qd_r.clone(),
        Input::ReferenceAcceleration => state.qdd_r.clone(),
        Input::Torque => state.tau.clone(),
        Input::Wrenches => {
            let order = |order: usize| {
                state.wrenches.iter().flat_map(move |load| [load.wrench, load.dot, load.ddot][order].to_array())
            };
            (0..3).flat_map(order).collect()
        }
    }
}

/// A state of symbols `q[0]`, `qd[0]`, … and the vectors that the quantity reads, in the order of generated code.
///
/// `loaded` are the links that wrenches act on; there are six numbers for each (force, moment, in link axes at the link
/// origin), then as many for each rate that the quantity reads.
pub(super) fn symbols(model: &Model<Expr>, entry: &Entry, loaded: &[usize]) -> (State<Expr>, Vec<(Input, Vec<Expr>)>) {
    let mut state = State::<Expr>::neutral(model);
    let mut arguments = Vec::new();
    for input in Input::ALL.into_iter().filter(|input| entry.inputs.contains(input)) {
        let length = match input {
            Input::Position => model.nq(),
            Input::Higher => model.nv() * higher(entry.kind),
            Input::Wrenches => 6 * loaded.len() * (1 + wrench_rates(entry.kind)),
            _ => model.nv(),
        };
        let vector: Vec<Expr> = (0..length).map(|i| Expr::symbol(&format!("{}[{i}]", input.key()))).collect();
        match input {
            Input::Position => state.q.clone_from(&vector),
            Input::Velocity => state.qd.clone_from(&vector),
            Input::Acceleration => state.qdd.clone_from(&vector),
            Input::Jerk => state.qddd.clone_from(&vector),
            Input::Snap => state.qdddd.clone_from(&vector),
            Input::Higher => state.derivatives = vector.chunks(model.nv().max(1)).map(<[Expr]>::to_vec).collect(),
            Input::ReferenceVelocity => state.qd_r.clone_from(&vector),
            Input::ReferenceAcceleration => state.qdd_r.clone_from(&vector),
            Input::Torque => state.tau.clone_from(&vector),
            Input::Wrenches => {
                let wrench = |order: usize, place: usize| match vector.get(6 * (order * loaded.len() + place)..) {
                    Some(&[a, b, c, d, e, f, ..]) => Wrench::from_array([a, b, c, d, e, f]),
                    _ => Wrench::zero(),
                };
                state.wrenches = loaded
                    .iter()
                    .enumerate()
                    .map(|(place, &link)| LinkWrench {
                        link,
                        wrench: wrench(0, place),
                        dot: wrench(1, place),
                        ddot: wrench(2, place),
                    })
                    .collect();
            }
        }
        if !vector.is_empty() {
            arguments.push((input, vector));
        }
    }
    (state, arguments)
}

/// How many derivatives of the position above the fourth a quantity reads.
fn higher(kind: Kind) -> usize {
    match kind {
        Kind::InverseDynamicsD3 => 1,
        Kind::InverseDynamicsD4 => 2,
        _ => 0,
    }
}

/// How many rates of wrenches a quantity reads.
fn wrench_rates(kind: Kind) -> usize {
    match kind {
        Kind::InverseDynamicsDot | Kind::ExternalForcesDot => 1,
        Kind::InverseDynamicsDdot | Kind::ExternalForcesDdot | Kind::InverseDynamicsD3 | Kind::InverseDynamicsD4 => 2,
        _ => 0,
    }
}
