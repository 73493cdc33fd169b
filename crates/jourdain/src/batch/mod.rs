//! Quantities at many states, on all cores: as machine code where that pays, otherwise by the formulas.
//!
//! ```
//! use jourdain::batch::Batch;
//! use jourdain::quantity::{Path, Quantity};
//! use jourdain::{State, robots};
//!
//! let model = robots::load("iiwa14").ok_or("no such robot")?;
//! let torque = [Quantity::parse("inverse_dynamics", &model)?];
//! let (mut batch, mut out) = (Batch::new(&torque, Path::Fast, &model), Vec::new());
//! let states = vec![State::neutral(&model); batch.block_length()];
//! batch.evaluate_into(&states, &mut out, |_| ()).map_err(|(_, error)| error)?;
//! assert_eq!(out.len(), 7 * states.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The two agree to rounding. Wherever machine code gives a number that is not finite, the formulas have the last word, so
//! that an error is theirs.

mod kept;
mod ready;

pub use kept::Kept;

use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::state::{Inputs, State};
use crate::workspace::Workspace;
use rayon::prelude::*;
use ready::Ready;
use std::ops::Range;
use std::sync::Arc;

/// States from which on a function is compiled. Compiling runs the formulas once on symbols and then works on every operation,
/// so that its cost goes with theirs: measured on iiwa14 and humanoid25 it takes as long as the formulas take on numbers for 850
/// (mass matrix) to 2300 states (partials of inverse dynamics).
const WORTH_COMPILING: usize = 2048;

/// Most numbers of a result that are compiled: memory and time go with them, and beyond it a state costs what storing its
/// result costs, either way.
pub const MOST_OUTPUTS: usize = 1 << 14;

/// Most states of a block.
const MOST_STATES: usize = 4096;

/// Numbers that a block holds, states and results together: 8 MiB.
const BLOCK_NUMBERS: usize = 1 << 20;

/// Most states that one thread takes at a time.
const CHUNK: usize = 256;

/// Quantities of a robot, to be evaluated at one block of states after the other.
#[derive(Debug)]
pub struct Batch<'a> {
    model: &'a Model<f64>,
    quantities: &'a [Quantity],
    path: Path,
    ranges: Vec<Range<usize>>,
    expected: usize,
    finished: usize,
    function: Function,
    kept: Kept,
}

/// The compiled form.
#[derive(Debug)]
enum Function {
    /// None so far: too few states.
    Pending,
    /// There is none.
    Absent,
    /// Machine code.
    Ready(Arc<Ready>),
}

impl<'a> Batch<'a> {
    /// Of these quantities, by one of their formulas. Only the fast one is ever compiled: the other is there to be checked
    /// against.
    #[must_use]
    pub fn new(quantities: &'a [Quantity], path: Path, model: &'a Model<f64>) -> Self {
        let mut end = 0_usize;
        let sizes = quantities.iter().map(|quantity| quantity.entry().shape.size(model));
        let ranges: Vec<_> = sizes
            .map(|size| {
                let start = end;
                end = end.saturating_add(size);
                start..end
            })
            .collect();
        let function =
            if path == Path::Fast && (1..=MOST_OUTPUTS).contains(&end) { Function::Pending } else { Function::Absent };
        Self { model, quantities, path, ranges, expected: 0, finished: 0, function, kept: Kept::default() }
    }

    /// The same with functions that were compiled before; `kept` is of the same robot.
    #[must_use]
    pub fn keeping(self, kept: &Kept) -> Self {
        Self { kept: kept.clone(), ..self }
    }

    /// Numbers of a result: the quantities one after the other, row-major.
    #[must_use]
    pub fn width(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// Where a quantity stands in a result.
    ///
    /// # Panics
    /// If there are not as many quantities.
    #[must_use]
    pub fn range(&self, quantity: usize) -> Range<usize> {
        self.ranges[quantity].clone()
    }

    /// How many states are best given at once: enough for all cores, in bounded memory.
    #[must_use]
    pub fn block_length(&self) -> usize {
        let state = self.model.nq() + 8 * self.model.nv();
        (BLOCK_NUMBERS / self.width().saturating_add(state).max(1)).clamp(1, MOST_STATES)
    }

    /// Says how many states there will be in all, if that is known: a function is then compiled at once or never.
    pub fn expect(&mut self, states: usize) {
        self.expected = states;
    }

    /// True if the states of the last block ran as machine code.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        matches!(self.function, Function::Ready(_))
    }

    /// The results at the next states, one after the other in `out`, which is cleared before. `done` is told how many
    /// states more are finished, from any thread.
    ///
    /// # Errors
    /// The index of a state among these and what is wrong there; the first of them in order.
    pub fn evaluate_into(
        &mut self,
        states: &[State<f64>],
        out: &mut Vec<f64>,
        done: impl Fn(usize) + Sync,
    ) -> Result<(), (usize, QuantityError)> {
        self.finished += states.len();
        out.clear();
        self.prepare(states);
        let room = self.width().saturating_mul(states.len());
        match &self.function {
            Function::Ready(ready) if ready.takes(states) => {
                out.resize(room, 0.0);
                self.run_compiled(ready, states, out, &done)
            }
            _ => self.run_formulas(states, out, &done),
        }
    }

    /// The results at `count` states given column by column, as [`CompiledModel::run_columns`] takes them; one after the other
    /// in `out`, which is cleared before.
    ///
    /// # Errors
    /// The index of a state and what is wrong there.
    ///
    /// [`CompiledModel::run_columns`]: crate::compile::CompiledModel::run_columns
    pub fn evaluate_columns_into(
        &mut self,
        inputs: &Inputs<'_>,
        count: usize,
        out: &mut Vec<f64>,
    ) -> Result<(), (usize, QuantityError)> {
        out.clear();
        let (block, mut results) = (self.block_length(), Vec::new());
        for start in (0..count).step_by(block) {
            let states: Result<Vec<State<f64>>, _> = (start..count.min(start + block))
                .into_par_iter()
                .map(|index| inputs.state(self.model, index, count).map_err(|error| (index, error.into())))
                .collect();
            self.evaluate_into(&states?, &mut results, |_| ()).map_err(|(index, error)| (start + index, error))?;
            out.extend_from_slice(&results);
        }
        Ok(())
    }

    /// Compiles if it pays now, and again if wrenches act on further links.
    fn prepare(&mut self, states: &[State<f64>]) {
        let known = match &self.function {
            Function::Absent => return,
            Function::Pending if self.finished.max(self.expected) < WORTH_COMPILING => return,
            Function::Pending => Vec::new(),
            Function::Ready(ready) if ready.takes(states) => return,
            Function::Ready(ready) => ready.loaded().to_vec(),
        };
        // Wrenches on too many links are left to the formulas; the next block may have fewer.
        let Some(loaded) = ready::loaded(known, self.quantities, self.model, states) else { return };
        self.function = match self.kept.ready(self.model, self.quantities, loaded) {
            Some(ready) => Function::Ready(ready),
            None => Function::Absent,
        };
    }

    fn run_compiled(
        &self,
        ready: &Ready,
        states: &[State<f64>],
        out: &mut [f64],
        done: &(impl Fn(usize) + Sync),
    ) -> Result<(), (usize, QuantityError)> {
        let (n, m) = (ready.function().input_count(), self.width());
        // A multiple of four, because four states run at once.
        let chunk = states.len().div_ceil(8 * rayon::current_num_threads()).next_multiple_of(4).clamp(4, CHUNK);
        let start = || (ready.function().scratch(), vec![0.0; n * chunk]);
        let odd: Vec<Vec<usize>> = states
            .par_chunks(chunk)
            .zip(out.par_chunks_mut(m * chunk))
            .enumerate()
            .map_init(start, |(scratch, inputs), (index, (states, out))| {
                let inputs = &mut inputs[..n * states.len()];
                let fits: Vec<bool> =
                    states.iter().zip(inputs.chunks_mut(n)).map(|(state, row)| ready.gather(state, row)).collect();
                ready.function().run_batch(inputs, scratch, out);
                done(states.len());
                let finite = out.chunks(m).map(|row| row.iter().all(|x| x.is_finite()));
                let odd = fits.iter().zip(finite).enumerate().filter(|(_, (fits, finite))| !(**fits && *finite));
                odd.map(|(k, _)| index * chunk + k).collect()
            })
            .collect();
        let mut workspace = None;
        for index in odd.into_iter().flatten() {
            let workspace = workspace.get_or_insert_with(|| Workspace::new(self.model));
            let row = &mut out[index * m..(index + 1) * m];
            self.run_one(&states[index], workspace, row).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    fn run_formulas(
        &self,
        states: &[State<f64>],
        out: &mut Vec<f64>,
        done: &(impl Fn(usize) + Sync),
    ) -> Result<(), (usize, QuantityError)> {
        let width = self.width();
        let evaluate = |workspace: &mut Workspace<f64>, state: &State<f64>| {
            let values: Result<Vec<_>, _> = self
                .quantities
                .iter()
                .map(|quantity| quantity.evaluate(self.path, self.model, state, workspace))
                .collect();
            done(1);
            values
        };
        let results: Vec<_> = match states {
            // One state needs no other thread, and gets none where the system has none left.
            [one] => vec![evaluate(&mut Workspace::new(self.model), one)],
            _ => states.par_iter().map_init(|| Workspace::new(self.model), evaluate).collect(),
        };
        for (index, result) in results.into_iter().enumerate() {
            result.map_err(|error| (index, error))?.iter().for_each(|values| out.extend_from_slice(values));
        }
        debug_assert_eq!(out.len(), width * states.len());
        Ok(())
    }

    fn run_one(
        &self,
        state: &State<f64>,
        workspace: &mut Workspace<f64>,
        out: &mut [f64],
    ) -> Result<(), QuantityError> {
        for (quantity, range) in self.quantities.iter().zip(&self.ranges) {
            out[range.clone()].copy_from_slice(&quantity.evaluate(self.path, self.model, state, workspace)?);
        }
        Ok(())
    }
}

/// The numbers of each quantity at each state: `result[state][quantity]`, row-major. `done` is told how many states more
/// are finished, from any thread.
///
/// # Errors
/// The index of a state and what is wrong there; the first of them in order.
pub fn evaluate_batch(
    quantities: &[Quantity],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    done: impl Fn(usize) + Sync,
) -> Result<Vec<Vec<Vec<f64>>>, (usize, QuantityError)> {
    let mut batch = Batch::new(quantities, path, model);
    batch.expect(states.len());
    let (length, width) = (batch.block_length(), batch.width());
    let (mut results, mut out) = (Vec::with_capacity(states.len()), Vec::new());
    for block in states.chunks(length) {
        batch.evaluate_into(block, &mut out, &done).map_err(|(index, error)| (results.len() + index, error))?;
        let row = |k: usize| batch.ranges.iter().map(|range| out[k * width..][range.clone()].to_vec()).collect();
        results.extend((0..block.len()).map(row));
    }
    Ok(results)
}

#[cfg(test)]
mod tests;
