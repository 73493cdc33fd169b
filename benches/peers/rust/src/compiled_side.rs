//! jourdain's compiled models: machine code for one state per call, and for batches.
//!
//! Outputs are filled once, and then only what varies is written, as Pinocchio does: the zeros of its matrices are set when
//! its data is made.

use crate::rows::Row;
use crate::timing::{COUNT, Measured};
use jourdain::Model;
use jourdain::compile::CompiledModel;
use jourdain::derive::DeriveOptions;
use jourdain::quantity::Quantity;
use jourdain::state::State;
use jourdain_symbolic::CompiledScratch;
use std::error::Error;
use std::hint::black_box;

/// The quantities of a row as one function, with what it reads of every state.
pub struct CompiledRow<'a> {
    compiled: CompiledModel,
    inputs: Vec<f64>,
    model: &'a Model,
    states: &'a [State],
    row: &'static Row,
    quantities: Vec<Quantity>,
}

impl<'a> CompiledRow<'a> {
    /// # Errors
    /// A quantity that the robot does not have.
    pub fn new(row: &'static Row, model: &'a Model, states: &'a [State]) -> Result<Self, Box<dyn Error>> {
        let quantities = row.compiled.iter().map(|name| Quantity::parse(name, model)).collect::<Result<Vec<_>, _>>()?;
        let compiled = CompiledModel::new(model, &quantities, &DeriveOptions::default())?;
        let inputs = states.iter().flat_map(|state| compiled.input(state)).collect();
        Ok(Self { compiled, inputs, model, states, row, quantities })
    }

    /// The smallest time from the model to something callable, ms.
    pub fn compile_ms(&self, rounds: usize) -> f64 {
        let once = || {
            let start = std::time::Instant::now();
            black_box(CompiledModel::new(self.model, &self.quantities, &DeriveOptions::default()).is_ok());
            start.elapsed().as_secs_f64() * 1e3
        };
        (0..rounds).map(|_| once()).fold(f64::INFINITY, f64::min)
    }

    /// One state per call, into an output that another state has filled.
    pub fn one(&self) -> One<'_> {
        let (mut scratch, mut out) = (self.compiled.scratch(), vec![0.0; self.compiled.output_count()]);
        self.compiled.run(&self.inputs[..self.compiled.input_count()], &mut scratch, &mut out);
        One { row: self, scratch, out }
    }

    /// All states in one call, into outputs that other states have filled.
    pub fn batch(&self) -> Batch<'_> {
        let (mut scratch, mut out) = (self.compiled.scratch(), vec![0.0; COUNT * self.compiled.output_count()]);
        let mut inputs = self.inputs.clone();
        inputs.rotate_left(self.compiled.input_count());
        self.compiled.run_batch(&inputs, &mut scratch, &mut out);
        Batch { row: self, scratch, out }
    }

    /// What a comparison reads: matrices of Coriolis forces times the velocity, regressors times the parameters.
    fn read(&self, index: usize, out: &[f64]) -> Vec<f64> {
        let n = self.model.nv();
        let product = |matrix: &[f64], vector: &[f64]| -> Vec<f64> {
            matrix.chunks(vector.len()).map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
        };
        let velocity = &self.states[index].qd;
        match self.row.name {
            "coriolis_matrix" | "coriolis_matrix_christoffel" => product(out, velocity),
            "dynamic_matrices" => {
                [&out[..n * n], &product(&out[n * n..2 * n * n], velocity), &out[2 * n * n..]].concat()
            }
            "regressor" => {
                product(out, &self.model.links().iter().flat_map(|l| l.inertia.to_parameters()).collect::<Vec<_>>())
            }
            _ => out.to_vec(),
        }
    }
}

pub struct One<'a> {
    row: &'a CompiledRow<'a>,
    scratch: CompiledScratch,
    out: Vec<f64>,
}

impl Measured for One<'_> {
    fn run(&mut self, count: usize) {
        let compiled = &self.row.compiled;
        for state in self.row.inputs.chunks_exact(compiled.input_count()).take(count) {
            compiled.update(black_box(state), &mut self.scratch, &mut self.out);
            black_box(&self.out);
        }
    }

    fn calls(&self) -> usize {
        COUNT
    }

    fn check(&mut self, index: usize) -> Vec<f64> {
        let compiled = &self.row.compiled;
        let n = compiled.input_count();
        compiled.update(&self.row.inputs[index * n..][..n], &mut self.scratch, &mut self.out);
        self.row.read(index, &self.out)
    }
}

pub struct Batch<'a> {
    row: &'a CompiledRow<'a>,
    scratch: CompiledScratch,
    out: Vec<f64>,
}

impl Measured for Batch<'_> {
    fn run(&mut self, count: usize) {
        let compiled = &self.row.compiled;
        let inputs = &self.row.inputs[..count * compiled.input_count()];
        compiled.update_batch(black_box(inputs), &mut self.scratch, &mut self.out[..count * compiled.output_count()]);
        black_box(&self.out);
    }

    fn calls(&self) -> usize {
        COUNT
    }

    fn check(&mut self, index: usize) -> Vec<f64> {
        self.run(COUNT);
        let m = self.row.compiled.output_count();
        self.row.read(index, &self.out[index * m..][..m])
    }
}
