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

impl Run {
    fn is_zero(&self) -> bool {
        self.value.to_bits() == 0
    }
}

/// Four neighbouring results and where they stand for four states side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four {
    pub start: u32,
    pub sources: [u32; 4],
}

/// The results of a program.
#[derive(Debug)]
pub(super) struct Results {
    /// The numbers that a kernel writes, no two of them the same.
    pub distinct: Vec<Operand>,
    /// For each of them its places among the results.
    pub targets: Vec<Vec<u32>>,
    runs: Vec<Run>,
    /// So much is zero that one sweep over all results is faster than many over parts.
    sweep: bool,
}

impl Results {
    pub(super) fn new(program: &Program) -> Self {
        let results = program.results();
        let constant = |place: usize| match results[place] {
            Operand::Constant(number) => Some(program.constants()[number as usize].to_bits()),
            _ => None,
        };
        let mut this = Self { distinct: Vec::new(), targets: Vec::new(), runs: Vec::new(), sweep: false };
        let mut numbers = Numbers::new(program);
        let mut start = 0;
        while start < results.len() {
            let same = |place: &usize| constant(*place) == constant(start);
            let length = if constant(start).is_some() { (start..results.len()).take_while(same).count() } else { 1 };
            if length >= SHORTEST {
                let value = constant(start).map_or(0.0, f64::from_bits);
                this.runs.push(Run { start, length, value });
            } else {
                for (place, &result) in results.iter().enumerate().skip(start).take(length) {
                    let number = numbers.of(result, &mut this.distinct);
                    this.targets.resize(this.distinct.len(), Vec::new());
                    this.targets[number as usize].push(place as u32);
                }
            }
            start += length;
        }
        let zeros: usize = this.runs.iter().filter(|run| run.is_zero()).map(|run| run.length).sum();
        this.sweep = this.runs.len() > 1 && 2 * zeros > results.len();
        this
    }

    /// All results that are not in long runs, in blocks of four that may overlap and reach into a run; `quad` tells where a
    /// number stands for four states. Empty for fewer than four results.
    pub(super) fn fours(&self, results: &[Operand], quad: impl Fn(Operand) -> u32) -> Vec<Four> {
        let mut fours = Vec::new();
        let mut runs = self.runs.iter().peekable();
        let mut place = 0;
        while place < results.len() && results.len() >= 4 {
            if let Some(run) = runs.next_if(|run| place >= run.start) {
                place = place.max(run.start + run.length);
                continue;
            }
            let start = place.min(results.len() - 4);
            let sources = core::array::from_fn(|k| quad(results[start + k]));
            fours.push(Four { start: start as u32, sources });
            place = start + 4;
        }
        fours
    }

    /// Writes the long runs of constants to the results of one state or of several, one after the other. What is not
    /// constant may be overwritten.
    #[inline]
    pub(super) fn fill(&self, out: &mut [f64], length: usize) {
        if self.runs.is_empty() {
            return;
        }
        if self.sweep {
            out.fill(0.0);
        }
        for out in out.chunks_exact_mut(length) {
            for run in self.runs.iter().filter(|run| !(self.sweep && run.is_zero())) {
                out[run.start..run.start + run.length].fill(run.value);
            }
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
