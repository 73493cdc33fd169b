//! Several quantities at many states, on all cores: one workspace per thread, results in the order of the states.

use super::{Path, Quantity, QuantityError};
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use rayon::prelude::*;

/// The numbers of each quantity at each state: `result[state][quantity]`, row-major. `done` is called once per state, from
/// any thread.
///
/// # Errors
/// The index of a state and what is wrong there; the first of them in order.
pub fn evaluate_batch(
    quantities: &[Quantity],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    done: impl Fn() + Sync,
) -> Result<Vec<Vec<Vec<f64>>>, (usize, QuantityError)> {
    let evaluate = |workspace: &mut Workspace<f64>, state: &State<f64>| {
        let values: Result<Vec<_>, _> =
            quantities.iter().map(|quantity| quantity.evaluate(path, model, state, workspace)).collect();
        done();
        values
    };
    let results: Vec<_> = states.par_iter().map_init(|| Workspace::new(model), evaluate).collect();
    results.into_iter().enumerate().map(|(index, result)| result.map_err(|error| (index, error))).collect()
}
