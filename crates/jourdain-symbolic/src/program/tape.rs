//! A program interpreted over blocks of states: one dispatch for many states, in plain portable code.
//!
//! Values live in rows of [`BLOCK`] numbers. Rows are used again as soon as nothing reads them, so that the work stays in
//! the nearest cache.

use super::{Instruction, Operand, Program};
use crate::sincos::sin_cos_slice;

/// States per block: below 64 dispatch dominates, above 256 the rows leave the nearest cache.
const BLOCK: usize = 128;

/// A program made ready for blocks of states. Shared freely between threads, each with its own [`TapeScratch`].
#[derive(Clone, Debug)]
pub struct Tape {
    steps: Vec<Step>,
    results: Vec<u32>,
    /// Rows of constants, then rows of inputs, then rows of values.
    constants: Vec<f64>,
    inputs: usize,
    rows: usize,
}

/// The rows that a [`Tape`] works in.
#[derive(Clone, Debug)]
pub struct TapeScratch(Vec<[f64; BLOCK]>);

#[derive(Clone, Copy, Debug)]
struct Step {
    operation: Operation,
    to: u32,
    from: [u32; 3],
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Sin,
    Cos,
    /// The sine, and the cosine to the row that the second operand names.
    SinCos,
    MulAdd,
    MulSub,
    NegMulAdd,
}

impl Tape {
    /// Gives every value a row.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let (constants, inputs) = (program.constants.clone(), program.input_count());
        let mut last = vec![0; program.instructions.len()];
        for (place, instruction) in program.instructions.iter().enumerate() {
            for operand in instruction.operands() {
                if let Operand::Value(value) = operand {
                    last[value as usize] = place;
                }
            }
        }
        for result in &program.results {
            if let Operand::Value(value) = *result {
                last[value as usize] = usize::MAX;
            }
        }
        let fixed = (constants.len() + inputs) as u32;
        let (mut rows, mut free, mut row_of) = (fixed, Vec::new(), Vec::with_capacity(last.len()));
        let row = |operand, row_of: &[u32]| match operand {
            Operand::Constant(place) => place,
            Operand::Input(place) => constants.len() as u32 + place,
            Operand::Value(place) => row_of[place as usize],
        };
        let mut steps = Vec::with_capacity(program.instructions.len());
        for (place, instruction) in program.instructions.iter().enumerate() {
            let mut from = [0; 3];
            for (slot, operand) in from.iter_mut().zip(instruction.operands()) {
                *slot = row(operand, &row_of);
            }
            // The row is taken before those of the operands are given back: it is never one of them.
            let to = free.pop().unwrap_or_else(|| {
                rows += 1;
                rows - 1
            });
            row_of.push(to);
            steps.push(Step { operation: operation(instruction), to, from });
            // A cosine after the sine of the same angle takes no second pass: the angle's row is not given back in between.
            if let [.., sine, cosine] = &mut steps[..]
                && matches!((sine.operation, cosine.operation), (Operation::Sin, Operation::Cos))
                && sine.from == cosine.from
            {
                (sine.operation, sine.from[1]) = (Operation::SinCos, cosine.to);
                steps.pop();
            }
            let mut given: Vec<u32> = instruction
                .operands()
                .filter_map(|operand| match operand {
                    Operand::Value(value) if last[value as usize] == place => Some(row_of[value as usize]),
                    _ => None,
                })
                .collect();
            given.sort_unstable();
            given.dedup();
            free.extend(given);
        }
        let results = program.results.iter().map(|&result| row(result, &row_of)).collect();
        Self { steps, results, constants, inputs, rows: rows as usize }
    }

    /// Room for one thread.
    #[must_use]
    pub fn scratch(&self) -> TapeScratch {
        let mut rows = vec![[0.0; BLOCK]; self.rows];
        for (row, &constant) in rows.iter_mut().zip(&self.constants) {
            *row = [constant; BLOCK];
        }
        TapeScratch(rows)
    }

    /// Computes the outputs of many states: `inputs` and `out` hold one state after the other. No allocation.
    ///
    /// # Panics
    /// If the lengths are not those of the same number of states, or the scratch is another tape's.
    pub fn run(&self, inputs: &[f64], scratch: &mut TapeScratch, out: &mut [f64]) {
        assert_eq!(scratch.0.len(), self.rows, "rows of the scratch");
        let states = inputs.len().checked_div(self.inputs).unwrap_or_else(|| out.len() / self.results.len().max(1));
        assert_eq!(inputs.len(), states * self.inputs, "numbers read");
        assert_eq!(out.len(), states * self.results.len(), "numbers written");
        let rows = &mut scratch.0;
        for start in (0..states).step_by(BLOCK) {
            let count = BLOCK.min(states - start);
            for (k, state) in inputs[start * self.inputs..].chunks_exact(self.inputs.max(1)).take(count).enumerate() {
                for (i, &x) in state.iter().enumerate() {
                    rows[self.constants.len() + i][k] = x;
                }
            }
            self.steps.iter().for_each(|step| step.execute(rows));
            for (k, state) in
                out[start * self.results.len()..].chunks_exact_mut(self.results.len().max(1)).take(count).enumerate()
            {
                for (out, &row) in state.iter_mut().zip(&self.results) {
                    *out = rows[row as usize][k];
                }
            }
        }
    }
}

fn operation(instruction: &Instruction) -> Operation {
    match instruction {
        Instruction::Neg(_) => Operation::Neg,
        Instruction::Add(..) => Operation::Add,
        Instruction::Sub(..) => Operation::Sub,
        Instruction::Mul(..) => Operation::Mul,
        Instruction::Div(..) => Operation::Div,
        Instruction::Sqrt(_) => Operation::Sqrt,
        Instruction::Sin(_) => Operation::Sin,
        Instruction::Cos(_) => Operation::Cos,
        Instruction::MulAdd(..) => Operation::MulAdd,
        Instruction::MulSub(..) => Operation::MulSub,
        Instruction::NegMulAdd(..) => Operation::NegMulAdd,
    }
}

impl Step {
    fn execute(&self, rows: &mut [[f64; BLOCK]]) {
        if let Operation::SinCos = self.operation {
            let angles = rows[self.from[0] as usize];
            if let Ok([sin, cos]) = rows.get_disjoint_mut([self.to as usize, self.from[1] as usize]) {
                sin_cos_slice(&angles, sin, cos);
            }
            return;
        }
        let (below, above) = rows.split_at_mut(self.to as usize);
        let Some((to, above)) = above.split_first_mut() else { return };
        let row = |place: usize| -> &[f64; BLOCK] {
            let (from, to) = (self.from[place] as usize, self.to as usize);
            if from < to { &below[from] } else { &above[from - to - 1] }
        };
        match self.operation {
            Operation::Neg => unary(to, row(0), |a| -a),
            Operation::Sqrt => unary(to, row(0), f64::sqrt),
            Operation::Add => binary(to, row(0), row(1), |a, b| a + b),
            Operation::Sub => binary(to, row(0), row(1), |a, b| a - b),
            Operation::Mul => binary(to, row(0), row(1), |a, b| a * b),
            Operation::Div => binary(to, row(0), row(1), |a, b| a / b),
            Operation::Sin => sin_cos_slice(row(0), to, &mut [0.0; BLOCK]),
            Operation::Cos => sin_cos_slice(row(0), &mut [0.0; BLOCK], to),
            Operation::SinCos => {}
            Operation::MulAdd => ternary(to, row(0), row(1), row(2), crate::scalar::fused),
            Operation::MulSub => ternary(to, row(0), row(1), row(2), |a, b, c| crate::scalar::fused(a, b, -c)),
            Operation::NegMulAdd => ternary(to, row(0), row(1), row(2), |a, b, c| crate::scalar::fused(-a, b, c)),
        }
    }
}

#[inline(always)]
fn unary(to: &mut [f64; BLOCK], a: &[f64; BLOCK], f: impl Fn(f64) -> f64) {
    for k in 0..BLOCK {
        to[k] = f(a[k]);
    }
}

#[inline(always)]
fn binary(to: &mut [f64; BLOCK], a: &[f64; BLOCK], b: &[f64; BLOCK], f: impl Fn(f64, f64) -> f64) {
    for k in 0..BLOCK {
        to[k] = f(a[k], b[k]);
    }
}

#[inline(always)]
fn ternary(
    to: &mut [f64; BLOCK],
    a: &[f64; BLOCK],
    b: &[f64; BLOCK],
    c: &[f64; BLOCK],
    f: impl Fn(f64, f64, f64) -> f64,
) {
    for k in 0..BLOCK {
        to[k] = f(a[k], b[k], c[k]);
    }
}
