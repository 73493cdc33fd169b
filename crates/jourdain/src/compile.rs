//! Models compiled to functions: quantities of one robot as machine code of our own, or on the tape where there is none.
//!
//! ```
//! use jourdain::quantity::Quantity;
//! use jourdain::{State, robots};
//!
//! let model = robots::load("iiwa14").ok_or("no such robot")?;
//! let quantities = ["mass_matrix", "gravity"].map(|name| Quantity::parse(name, &model));
//! let compiled = model.compile(&quantities.into_iter().collect::<Result<Vec<_>, _>>()?)?;
//! let (mut scratch, mut out) = (compiled.scratch(), vec![0.0; compiled.output_count()]);
//! compiled.run(&compiled.input(&State::neutral(&model)), &mut scratch, &mut out);
//! let gravity = &out[compiled.range(1)];
//! assert_eq!(gravity.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::derive::{Derivation, DeriveError, DeriveOptions, derive_together};
use crate::model::Model;
use crate::quantity::Quantity;
use crate::state::State;
use jourdain_symbolic::{BackEnd, Compiled, CompiledScratch, Program};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// States that one thread takes at a time: enough to pay for the hand-over.
const CHUNK: usize = 256;

/// Quantities of one robot as one function. Shared freely between threads, each with its own scratch.
#[derive(Debug)]
pub struct CompiledModel {
    derivation: Derivation,
    compiled: Compiled,
    ranges: Vec<Range<usize>>,
    /// Scratch that threads of parallel runs have left for the next part.
    spare: Mutex<Vec<CompiledScratch>>,
}

impl Model<f64> {
    /// Compiles quantities into one function, which computes what they share once. States have no wrenches.
    ///
    /// # Errors
    /// A quantity that the robot does not have.
    pub fn compile(&self, quantities: &[Quantity]) -> Result<CompiledModel, DeriveError> {
        CompiledModel::new(self, quantities, &DeriveOptions::default())
    }
}

impl CompiledModel {
    /// As [`Model::compile`], with a choice of formula, parameters and loaded links.
    ///
    /// # Errors
    /// A quantity that the robot does not have.
    pub fn new(model: &Model, quantities: &[Quantity], options: &DeriveOptions) -> Result<Self, DeriveError> {
        let named: Vec<(&str, Quantity)> =
            quantities.iter().map(|quantity| (quantity.entry().name, *quantity)).collect();
        let derivation = derive_together(model, &named, options)?;
        let mut start = 0;
        let ranges = derivation
            .program
            .outputs()
            .iter()
            .map(|output| {
                start += output.length;
                start - output.length..start
            })
            .collect();
        Ok(Self { compiled: Compiled::new(&derivation.program), derivation, ranges, spare: Mutex::default() })
    }

    /// The program behind it.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.derivation.program
    }

    /// What runs it.
    #[must_use]
    pub fn back_end(&self) -> BackEnd {
        self.compiled.back_end()
    }

    /// Bytes of machine code, for one state and for four.
    #[must_use]
    pub fn code_size(&self) -> [usize; 2] {
        self.compiled.code_size()
    }

    /// Numbers read per state: the vectors that the quantities read, in the order q, qd, qdd, ….
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.compiled.input_count()
    }

    /// Numbers written per state: the quantities one after the other, row-major.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.compiled.output_count()
    }

    /// Where a quantity stands in the output.
    ///
    /// # Panics
    /// If there are not as many quantities.
    #[must_use]
    pub fn range(&self, quantity: usize) -> Range<usize> {
        self.ranges[quantity].clone()
    }

    /// What is read of a state.
    #[must_use]
    pub fn input(&self, state: &State) -> Vec<f64> {
        self.derivation.read(state)
    }

    /// Memory for one thread.
    #[must_use]
    pub fn scratch(&self) -> CompiledScratch {
        self.compiled.scratch()
    }

    /// One state. No allocation.
    ///
    /// # Panics
    /// If a length is not the model's, or the scratch is another model's.
    #[inline]
    pub fn run(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.compiled.run(inputs, scratch, out);
    }

    /// As [`run`](Self::run), into an output that a run of this model has filled before: zeros and other numbers that are the
    /// same for every state are left as they are.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    #[inline]
    pub fn update(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.compiled.update(inputs, scratch, out);
    }

    /// Many states on one thread, one after the other in `inputs` and `out`. No allocation.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_batch(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.compiled.run_batch(inputs, scratch, out);
    }

    /// As [`run_batch`](Self::run_batch), into an output that a run over as many states has filled before.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn update_batch(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.compiled.update_batch(inputs, scratch, out);
    }

    /// Many states on all cores, one after the other in `inputs` and `out`. Threads share scratch from call to call: after the
    /// first none is allocated.
    ///
    /// # Panics
    /// If the lengths are not those of the same number of states.
    pub fn run_parallel(&self, inputs: &[f64], out: &mut [f64]) {
        let (n, m) = (self.input_count(), self.output_count());
        if n == 0 || m == 0 {
            return self.run_batch(inputs, &mut self.scratch(), out);
        }
        assert_eq!(inputs.len() / n * m, out.len(), "numbers written");
        assert_eq!(inputs.len() % n, 0, "numbers read");
        inputs.par_chunks(n * CHUNK).zip(out.par_chunks_mut(m * CHUNK)).for_each(|(inputs, out)| {
            let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
            let mut scratch = spare.unwrap_or_else(|| self.scratch());
            self.run_batch(inputs, &mut scratch, out);
            if let Ok(mut spare) = self.spare.lock() {
                spare.push(scratch);
            }
        });
    }
}
