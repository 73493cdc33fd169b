//! What a kernel writes and what is known before: equal results are computed once, and long runs of one constant, most of
//! a sparse matrix, are filled in without the kernel.

use crate::program::{Operand, Program};

/// Shorter runs of a constant are left to the kernel.
const SHORTEST: usize = 8;

/// A constant in neighbouring results.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    start: usize,
    length: usize,
    value: f64,
}

/// The results of a program.
#[derive(Debug)]
pub(super) struct Results {
    /// The numbers that a kernel writes, no two of them the same.
    pub distinct: Vec<Operand>,
    runs: Vec<Run>,
    /// Between the runs: where each part begins among the results, and which part of `sources` it is.
    parts: Vec<(usize, core::ops::Range<usize>)>,
    sources: Vec<u32>,
}

impl Results {
    pub(super) fn new(program: &Program) -> Self {
        let results = program.results();
        let constant = |place: usize| match results[place] {
            Operand::Constant(number) => Some(program.constants()[number as usize].to_bits()),
            _ => None,
        };
        let mut this = Self { distinct: Vec::new(), runs: Vec::new(), parts: Vec::new(), sources: Vec::new() };
        let mut numbers = Numbers::new(program);
        let mut start = 0;
        while start < results.len() {
            let same = |place: &usize| constant(*place) == constant(start);
            let length = if constant(start).is_some() { (start..results.len()).take_while(same).count() } else { 1 };
            if length >= SHORTEST {
                let value = constant(start).map_or(0.0, f64::from_bits);
                this.runs.push(Run { start, length, value });
            } else {
                let first = this.sources.len();
                this.sources.extend(results[start..start + length].iter().map(|&x| numbers.of(x, &mut this.distinct)));
                match this.parts.last_mut() {
                    Some((begin, range)) if *begin + range.len() == start => range.end = this.sources.len(),
                    _ => this.parts.push((start, first..this.sources.len())),
                }
            }
            start += length;
        }
        this
    }

    /// Where each distinct number goes among the results of one state.
    pub(super) fn targets(&self) -> Vec<Vec<u32>> {
        let mut targets = vec![Vec::new(); self.distinct.len()];
        for (start, sources) in self.copied() {
            for (k, &source) in sources.iter().enumerate() {
                targets[source as usize].push((start + k) as u32);
            }
        }
        targets
    }

    /// The results that are no long runs: the first of each part, and the distinct numbers that it holds.
    pub(super) fn copied(&self) -> impl Iterator<Item = (usize, &[u32])> {
        self.parts.iter().map(|(start, range)| (*start, &self.sources[range.clone()]))
    }

    /// Writes the long runs of constants of one state.
    #[inline]
    pub(super) fn fill(&self, out: &mut [f64]) {
        for run in &self.runs {
            out[run.start..run.start + run.length].fill(run.value);
        }
    }
}

/// The number of each operand among the distinct ones.
struct Numbers {
    inputs: Vec<Option<u32>>,
    constants: Vec<Option<u32>>,
    values: Vec<Option<u32>>,
}

impl Numbers {
    fn new(program: &Program) -> Self {
        Self {
            inputs: vec![None; program.input_count()],
            constants: vec![None; program.constants().len()],
            values: vec![None; program.instructions().len()],
        }
    }

    fn of(&mut self, operand: Operand, distinct: &mut Vec<Operand>) -> u32 {
        let number = match operand {
            Operand::Input(place) => &mut self.inputs[place as usize],
            Operand::Constant(place) => &mut self.constants[place as usize],
            Operand::Value(place) => &mut self.values[place as usize],
        };
        *number.get_or_insert_with(|| {
            distinct.push(operand);
            distinct.len() as u32 - 1
        })
    }
}
