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
//! compiled.run(&compiled.input(&State::neutral(&model))?, &mut scratch, &mut out);
//! let gravity = &out[compiled.range(1)];
//! assert_eq!(gravity.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::derive::{Derivation, DeriveError, DeriveOptions, Layout, derive_loaded, derive_together};
use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::state::{Inputs, State, StateError};
use crate::workspace::Workspace;
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
    model: Model,
    quantities: Vec<Quantity>,
    /// Memory that runs have left for the next.
    spare: Mutex<Vec<Desk>>,
}

/// What a run needs: scratch, and room for what it reads of its states and for results that are yet to be told apart.
#[derive(Debug)]
struct Desk {
    scratch: CompiledScratch,
    rows: Vec<f64>,
    results: Vec<f64>,
}

impl Model<f64> {
    /// Compiles quantities into one function, which computes what they share once. States have no wrenches, unless a
    /// quantity is nothing without them: then wrenches on all links are taken.
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
        Self::from_derivation(model, quantities, |named| derive_together(model, named, options))
    }

    /// As [`new`](Self::new) by the fast formulas, with wrenches on these links and no others.
    pub(crate) fn loaded(model: &Model, quantities: &[Quantity], loaded: Vec<usize>) -> Result<Self, DeriveError> {
        Self::from_derivation(model, quantities, |named| derive_loaded(model, named, &DeriveOptions::default(), loaded))
    }

    fn from_derivation(
        model: &Model,
        quantities: &[Quantity],
        derive: impl FnOnce(&[(&str, Quantity)]) -> Result<Derivation, DeriveError>,
    ) -> Result<Self, DeriveError> {
        let names: Vec<String> = quantities.iter().map(Quantity::base_name).collect();
        let named: Vec<(&str, Quantity)> = names.iter().map(String::as_str).zip(quantities.iter().copied()).collect();
        let derivation = derive(&named)?;
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
        let compiled = Compiled::new(&derivation.program);
        let (model, quantities) = (model.clone(), quantities.to_vec());
        Ok(Self { derivation, compiled, ranges, model, quantities, spare: Mutex::default() })
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

    /// The quantities, in the order of the output.
    #[must_use]
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
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
    ///
    /// # Errors
    /// A vector that does not have the robot's length, and a wrench on a link that was not compiled.
    pub fn input(&self, state: &State) -> Result<Vec<f64>, StateError> {
        self.derivation.read(state)
    }

    /// As [`input`](Self::input), to [`input_count`](Self::input_count) numbers. No allocation.
    ///
    /// # Errors
    /// As [`input`](Self::input).
    ///
    /// # Panics
    /// If the row does not have that length.
    pub fn input_into(&self, state: &State, row: &mut [f64]) -> Result<(), StateError> {
        self.derivation.read_into(state, row)
    }

    /// How a state becomes the input.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.derivation.layout
    }

    /// Memory for one thread.
    #[must_use]
    pub fn scratch(&self) -> CompiledScratch {
        self.compiled.scratch()
    }

    /// One state. No allocation. Where the mass matrix is singular, what needs its inverse comes out as NaN, here and in all
    /// runs; [`check_regular`](crate::dynamics::recursive::check_regular) names the joint.
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

    /// Many states on all cores, given column by column: each input row by row, state after state, or one row for all states,
    /// and what is left out zero. A state has as many wrenches as every other, and `derivatives` of each stand one after the
    /// other. How many states there are, the length of `out` says.
    ///
    /// ```
    /// use jourdain::quantity::Quantity;
    /// use jourdain::robots;
    /// use jourdain::state::Inputs;
    ///
    /// let model = robots::load("planar2r").ok_or("no such robot")?;
    /// let compiled = model.compile(&[Quantity::parse("inverse_dynamics", &model)?])?;
    /// let (q, qd) = (vec![0.3; 2 * 1000], vec![1.0; 2 * 1000]);
    /// let mut tau = vec![0.0; 2 * 1000];
    /// compiled.run_columns(&Inputs { q: &q, qd: &qd, ..Inputs::default() }, &mut tau)?;
    /// assert_eq!(tau[0], tau[1998]);
    /// assert!(compiled.run_columns(&Inputs { q: &q[1..], ..Inputs::default() }, &mut tau).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Lengths that are not those of the same number of states, a number that is not finite, a quaternion of length zero, a
    /// wrench on a link that was not compiled, and a result that is not finite, with the joint where the mass matrix is singular.
    pub fn run_columns(&self, inputs: &Inputs<'_>, out: &mut [f64]) -> Result<(), QuantityError> {
        let (m, layout) = (self.output_count(), self.layout());
        let count = out.len() / m.max(1);
        if m == 0 || !out.len().is_multiple_of(m) {
            return Err(layout.wrong_output(out.len(), m).into());
        }
        layout.check_rows(inputs, count)?;
        // The other cores would be asked, and waited for, longer than this takes.
        if count <= CHUNK {
            return self.at_desk(|desk| self.run_chunk(desk, inputs, 0, count, out));
        }
        out.par_chunks_mut(m * CHUNK)
            .enumerate()
            .try_for_each(|(k, out)| self.at_desk(|desk| self.run_chunk(desk, inputs, k * CHUNK, count, out)))
    }

    /// As [`run_columns`](Self::run_columns) for `count` states, each quantity into an output of its own, in their order.
    ///
    /// # Errors
    /// As [`run_columns`](Self::run_columns), and outputs that are not those of the quantities at as many states.
    pub fn run_columns_apart(
        &self,
        inputs: &Inputs<'_>,
        count: usize,
        outs: &mut [&mut [f64]],
    ) -> Result<(), QuantityError> {
        let (m, layout) = (self.output_count(), self.layout());
        let found: usize = outs.iter().map(|out| out.len()).sum();
        let fits = |(out, range): (&&mut [f64], &Range<usize>)| out.len() == count * range.len();
        if outs.len() != self.ranges.len() || !outs.iter().zip(&self.ranges).all(fits) {
            return Err(layout.wrong_output(found, count * m).into());
        }
        layout.check_rows(inputs, count)?;
        let run = |first: usize, outs: &mut [&mut [f64]]| {
            self.at_desk(|desk| {
                let mut results = std::mem::take(&mut desk.results);
                results.resize(m * CHUNK.min(count - first), 0.0);
                let done = self.run_chunk(desk, inputs, first, count, &mut results);
                for (out, range) in outs.iter_mut().zip(&self.ranges) {
                    let rows = out.chunks_exact_mut(range.len().max(1)).zip(results.chunks_exact(m.max(1)));
                    rows.for_each(|(to, from)| to.copy_from_slice(&from[range.clone()]));
                }
                desk.results = results;
                done
            })
        };
        if count <= CHUNK {
            return if count == 0 { Ok(()) } else { run(0, outs) };
        }
        let mut rest: Vec<_> = outs
            .iter_mut()
            .zip(&self.ranges)
            .map(|(out, range)| out.chunks_mut((range.len() * CHUNK).max(1)))
            .collect();
        let chunks: Vec<Vec<&mut [f64]>> = (0..count.div_ceil(CHUNK))
            .map(|_| rest.iter_mut().map(|chunks| chunks.next().unwrap_or_default()).collect())
            .collect();
        chunks.into_par_iter().enumerate().try_for_each(|(k, mut outs)| run(k * CHUNK, &mut outs))
    }

    /// One state, given by its named inputs, on this thread: what is left out is zero. No allocation after the first.
    ///
    /// # Errors
    /// As [`run_columns`](Self::run_columns).
    pub fn run_one(&self, inputs: &Inputs<'_>, out: &mut [f64]) -> Result<(), QuantityError> {
        if out.len() != self.output_count() {
            return Err(self.layout().wrong_output(out.len(), self.output_count()).into());
        }
        self.layout().check_rows(inputs, 1)?;
        self.at_desk(|desk| self.run_chunk(desk, inputs, 0, 1, out))
    }

    /// The states from `first` on, of `count`, that the output has room for.
    fn run_chunk(
        &self,
        Desk { scratch, rows, .. }: &mut Desk,
        inputs: &Inputs<'_>,
        first: usize,
        count: usize,
        out: &mut [f64],
    ) -> Result<(), QuantityError> {
        let (n, m) = (self.input_count(), self.output_count().max(1));
        let states = out.len() / m;
        let filled = rows.len();
        if filled != n * states {
            rows.resize(n * states, 0.0);
        }
        // Parameters are the same for every state: rows that were there have them.
        rows.chunks_exact_mut(n.max(1)).skip(filled / n.max(1)).for_each(|row| self.derivation.read_parameters(row));
        self.layout().gather_rows(inputs, first, count, n, rows)?;
        match states {
            1 => self.run(rows, scratch, out),
            _ => self.run_batch(rows, scratch, out),
        }
        // All of them without a way out in between, which is quicker, before a closer look.
        if out.iter().fold(true, |finite, x| finite & x.is_finite()) {
            return Ok(());
        }
        let odd = |(_, row): &(usize, &mut [f64])| row.iter().any(|x| !x.is_finite());
        out.chunks_exact_mut(m)
            .enumerate()
            .filter(odd)
            .try_for_each(|(k, row)| self.evaluate_again(&inputs.state(&self.model, first + k, count)?, row))
    }

    /// The formulas have the last word about a number that is not finite: an error is theirs.
    fn evaluate_again(&self, state: &State, row: &mut [f64]) -> Result<(), QuantityError> {
        let mut workspace = Workspace::new(&self.model);
        self.quantities.iter().zip(&self.ranges).try_for_each(|(quantity, range)| {
            let numbers = quantity.evaluate(Path::Fast, &self.model, state, &mut workspace)?;
            row[range.clone()].copy_from_slice(&numbers);
            Ok(())
        })
    }

    /// Runs with memory that other runs have left, or new one.
    fn at_desk<R>(&self, run: impl FnOnce(&mut Desk) -> R) -> R {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut desk = spare.unwrap_or_else(|| Desk { scratch: self.scratch(), rows: Vec::new(), results: Vec::new() });
        let result = run(&mut desk);
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(desk);
        }
        result
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
            self.at_desk(|desk| self.run_batch(inputs, &mut desk.scratch, out));
        });
    }
}
