//! The compiled function of a batch, and how a state becomes its arguments.

use crate::compile::CompiledModel;
use crate::derive::DeriveOptions;
use crate::model::Model;
use crate::quantity::{Input, Quantity};
use crate::state::State;

/// Most links with wrenches that are compiled. Every state then pays for all of them, loaded or not.
const MOST_LOADED: usize = 4;

/// A compiled function.
#[derive(Debug)]
pub(super) struct Ready {
    function: CompiledModel,
    /// What it reads and how many numbers of it.
    reads: Vec<(Input, usize)>,
    reads_wrenches: bool,
    /// The links that wrenches may act on.
    loaded: Vec<usize>,
    nv: usize,
}

/// The links that wrenches of the states act on, with those known before; `None` if they are too many or not the robot's.
pub(super) fn loaded(
    mut loaded: Vec<usize>,
    quantities: &[Quantity],
    model: &Model<f64>,
    states: &[State<f64>],
) -> Option<Vec<usize>> {
    if reads_wrenches(quantities) {
        for load in states.iter().flat_map(|state| &state.wrenches) {
            if !loaded.contains(&load.link) {
                loaded.push(load.link);
            }
            if loaded.len() > MOST_LOADED || load.link >= model.links().len() {
                return None;
            }
        }
    }
    Some(loaded)
}

fn reads_wrenches(quantities: &[Quantity]) -> bool {
    quantities.iter().any(|quantity| quantity.entry().inputs.contains(&Input::Wrenches))
}

impl Ready {
    /// Compiles the fast formulas; `None` if they cannot be, or are but a constant.
    pub fn new(model: &Model<f64>, quantities: &[Quantity], loaded: Vec<usize>) -> Option<Self> {
        let options = DeriveOptions { loaded, ..DeriveOptions::default() };
        let function = CompiledModel::new(model, quantities, &options).ok()?;
        if function.input_count() == 0 {
            return None;
        }
        let inputs = function.program().inputs().iter();
        let reads = inputs.filter_map(|input| Some((Input::from_key(&input.name)?, input.length))).collect();
        let reads_wrenches = reads_wrenches(quantities);
        Some(Self { function, reads, reads_wrenches, loaded: options.loaded, nv: model.nv() })
    }

    pub fn function(&self) -> &CompiledModel {
        &self.function
    }

    /// The links that wrenches may act on.
    pub fn loaded(&self) -> &[usize] {
        &self.loaded
    }

    /// True if no wrench acts on another link than the function knows.
    pub fn takes(&self, states: &[State<f64>]) -> bool {
        !self.reads_wrenches
            || states.iter().flat_map(|state| &state.wrenches).all(|load| self.loaded.contains(&load.link))
    }

    /// Copies what the function reads of a state; false if a length is not the robot's.
    pub fn gather(&self, state: &State<f64>, row: &mut [f64]) -> bool {
        let mut rest = row;
        let mut fits = true;
        for (input, length) in &self.reads {
            let (to, after) = rest.split_at_mut(*length);
            rest = after;
            let from = match input {
                Input::Position => &state.q,
                Input::Velocity => &state.qd,
                Input::Acceleration => &state.qdd,
                Input::Jerk => &state.qddd,
                Input::Snap => &state.qdddd,
                Input::ReferenceVelocity => &state.qd_r,
                Input::ReferenceAcceleration => &state.qdd_r,
                Input::Torque => &state.tau,
                Input::Higher => {
                    fits &= state.derivatives.iter().all(|derivative| derivative.len() == self.nv);
                    to.fill(0.0);
                    to.iter_mut().zip(state.derivatives.iter().flatten()).for_each(|(to, from)| *to = *from);
                    continue;
                }
                Input::Wrenches => {
                    self.gather_wrenches(state, to);
                    continue;
                }
            };
            if from.len() == to.len() {
                to.copy_from_slice(from);
            } else {
                to.fill(0.0);
                fits = false;
            }
        }
        fits
    }

    /// The sum of the wrenches on each link, then their rates as far as they are read.
    fn gather_wrenches(&self, state: &State<f64>, to: &mut [f64]) {
        to.fill(0.0);
        for load in &state.wrenches {
            let place = self.loaded.iter().position(|link| *link == load.link).unwrap_or(0);
            for (order, wrench) in to.chunks_mut(6 * self.loaded.len()).zip([load.wrench, load.dot, load.ddot]) {
                order[6 * place..].iter_mut().zip(wrench.to_array()).for_each(|(to, from)| *to += from);
            }
        }
    }
}
