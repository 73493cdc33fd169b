//! The compiled function of a batch, and how a state becomes its arguments.

use crate::compile::CompiledModel;
use crate::model::Model;
use crate::quantity::{Input, Quantity};
use crate::state::State;

/// Most links with wrenches that are compiled. Every state then pays for all of them, loaded or not.
const MOST_LOADED: usize = 4;

/// A compiled function.
#[derive(Debug)]
pub(super) struct Ready {
    function: CompiledModel,
    reads_wrenches: bool,
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
    quantities.iter().any(|quantity| quantity.reads().contains(Input::Wrenches))
}

impl Ready {
    /// Compiles the fast formulas; `None` if they cannot be, or are but a constant.
    pub fn new(model: &Model<f64>, quantities: &[Quantity], loaded: Vec<usize>) -> Option<Self> {
        let function = CompiledModel::loaded(model, quantities, loaded).ok()?;
        if function.input_count() == 0 {
            return None;
        }
        Some(Self { function, reads_wrenches: reads_wrenches(quantities) })
    }

    /// True if it is the function of these quantities with wrenches on these links.
    pub fn is_of(&self, quantities: &[Quantity], loaded: &[usize]) -> bool {
        self.function.quantities() == quantities && self.loaded() == loaded
    }

    pub fn function(&self) -> &CompiledModel {
        &self.function
    }

    /// The links that wrenches may act on.
    pub fn loaded(&self) -> &[usize] {
        self.function.layout().loaded()
    }

    /// True if no wrench acts on another link than the function knows.
    pub fn takes(&self, states: &[State<f64>]) -> bool {
        !self.reads_wrenches
            || states.iter().flat_map(|state| &state.wrenches).all(|load| self.loaded().contains(&load.link))
    }

    /// Copies what the function reads of a state; false if it does not fit the robot.
    pub fn gather(&self, state: &State<f64>, row: &mut [f64]) -> bool {
        let fits = self.function.input_into(state, row).is_ok();
        if !fits {
            row.fill(0.0);
        }
        fits
    }
}
