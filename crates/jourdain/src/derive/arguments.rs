//! The state as symbols: one vector of symbols per input that a quantity reads.

use crate::model::Model;
use crate::quantity::Reads;
use crate::spatial::Wrench;
use crate::state::{Input, LinkWrench, State};
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

/// A state of symbols `q[0]`, `qd[0]`, … and the vectors that a quantity reads, in the order of generated code.
///
/// `loaded` are the links that wrenches act on; there are six numbers for each (force, moment, in link axes at the link
/// origin), then as many for each rate that the quantity reads.
pub(super) fn symbols(model: &Model<Expr>, reads: Reads, loaded: &[usize]) -> (State<Expr>, Vec<(Input, Vec<Expr>)>) {
    let mut state = State::<Expr>::neutral(model);
    let mut arguments = Vec::new();
    for input in reads.inputs() {
        let length = reads.length(input, model, loaded.len());
        let vector: Vec<Expr> = (0..length).map(|i| Expr::symbol(&format!("{}[{i}]", input.key()))).collect();
        match input.vector_mut(&mut state) {
            Some(place) => place.clone_from(&vector),
            None if input == Input::Higher => {
                state.derivatives = vector.chunks(model.nv().max(1)).map(<[Expr]>::to_vec).collect();
            }
            None => state.wrenches = loads(&vector, loaded),
        }
        arguments.push((input, vector));
    }
    (state, arguments)
}

/// The wrenches on links from their numbers: all links, then all links again for each rate.
fn loads(numbers: &[Expr], loaded: &[usize]) -> Vec<LinkWrench<Expr>> {
    let wrench = |order: &[Expr], place: usize| Wrench::from_array(std::array::from_fn(|i| order[6 * place + i]));
    let load = |(place, &link): (usize, &usize)| {
        let orders: Vec<_> = numbers.chunks(6 * loaded.len()).map(|order| wrench(order, place)).collect();
        LinkWrench::with_rates(link, &orders)
    };
    loaded.iter().enumerate().map(load).collect()
}
