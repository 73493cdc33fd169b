//! Random programs for the tests of machine code: 1 to 5000 operations, and all that a kernel treats apart.
//!
//! Values stay between −1 and 1, and no operation magnifies errors by much, so that back ends that round otherwise agree to
//! 1e-12 however long the program is.

use crate::expr::{Rules, scope};
use crate::random::Random;
use crate::{Expr, Options, Program, Scalar};

/// The most operations that are asked for.
const LARGEST: f64 = 5000.0;

/// The program of a seed. Sizes are spread evenly over the decades. Unless operations are fused, some programs divide by and
/// take roots of anything.
pub(super) fn random_program(seed: u64, options: Options) -> Program {
    let mut random = Random::new(seed);
    let size = LARGEST.powf(unit(&mut random)) as usize;
    sized_program(&mut random, size, options)
}

/// A program of about so many operations.
pub(super) fn sized_program(random: &mut Random, size: usize, options: Options) -> Program {
    scope(Rules::default(), || {
        let inputs = if random.below(16) == 0 { 0 } else { 1 + random.below(24) };
        let symbols: Vec<Expr> = (0..inputs).map(|i| Expr::symbol(&format!("x{i}"))).collect();
        let mut maker = Maker::new(random, &symbols, size, options);
        maker.take_sines(&symbols);
        maker.compute(size);
        let outputs = maker.outputs(&symbols);
        Program::with_options(&[("x", &symbols)], &[("y", &outputs)], options).unwrap()
    })
}

/// Between 0 and 1.
fn unit(random: &mut Random) -> f64 {
    (random.number() + 2.0) / 4.0
}

struct Maker<'a> {
    random: &'a mut Random,
    values: Vec<Expr>,
    /// Values that nothing reads yet.
    loose: Vec<Expr>,
    /// How many values may wait to be read: many make many spills.
    width: usize,
    /// Every constant is another one.
    many_constants: bool,
    /// Divisors and radicands may be anything.
    wild: bool,
    /// Sines of what is computed from sines.
    late_sines: bool,
}

impl<'a> Maker<'a> {
    fn new(random: &'a mut Random, symbols: &[Expr], size: usize, options: Options) -> Self {
        let width = [4, 20, 60, size][random.below(4)].max(4);
        let many_constants = random.below(4) == 0;
        let wild = !options.fuse && random.below(4) == 0;
        let late_sines = random.below(30) == 0;
        let values = if symbols.is_empty() { vec![Expr::from_f64(0.75)] } else { symbols.to_vec() };
        Self { random, loose: values.clone(), values, width, many_constants, wild, late_sines }
    }

    /// Sines, cosines or both: of neighbouring inputs, of any inputs in any order, or of what is computed from inputs.
    fn take_sines(&mut self, symbols: &[Expr]) {
        if symbols.is_empty() || self.random.below(6) == 0 {
            return;
        }
        let first = self.random.below(symbols.len());
        let count = 1 + self.random.below(symbols.len() - first);
        let kind = self.random.below(3);
        for angle in first..first + count {
            let (x, y) = (symbols[angle], symbols[self.random.below(symbols.len())]);
            let angle = match kind {
                0 => x,
                1 => y,
                _ => self.angle(x, y),
            };
            let (sin, cos) = angle.sin_cos();
            let pair = [sin, cos];
            let taken = [&pair[..], &pair, &pair[..1], &pair[1..]][self.random.below(4)];
            self.values.extend(taken);
            self.loose.extend(taken);
        }
    }

    /// Something computed without sines.
    fn angle(&mut self, x: Expr, y: Expr) -> Expr {
        let k = Expr::from_f64(20.0 * self.random.number());
        match self.random.below(10) {
            0 => x,
            1 => x + y,
            2 => x - y,
            3 => x * k,
            4 => x * y,
            5 => x / (y * y + Expr::one()),
            6 => (x * x + k * k).sqrt(),
            7 => x + k,
            8 => k - x * y,
            _ => Expr::from_f64(2.0) * x + y * k,
        }
    }

    /// About as many operations: first ever more values wait to be read, then ever fewer.
    fn compute(&mut self, size: usize) {
        let steps = size.div_ceil(3);
        for step in 0..steps {
            let growing = step < steps / 2 && self.loose.len() < self.width;
            // Values in a chain cannot be computed later than in its order, so that they do wait.
            let a = if growing { self.values[self.values.len() - 1] } else { self.operand(true) };
            let b = self.operand(false);
            let mut value = self.operation(a, b);
            if step > steps / 2 && self.loose.len() > 4 {
                value = (value + self.operand(true)) * Expr::from_f64(0.5);
            }
            self.values.push(value);
            self.loose.push(value);
        }
    }

    /// A value; one that waits, from the start or the end of the queue, if it is to be `consumed`.
    fn operand(&mut self, consumed: bool) -> Expr {
        if consumed && !self.loose.is_empty() {
            let place = if self.random.below(2) == 0 { 0 } else { self.loose.len() - 1 };
            return self.loose.remove(place);
        }
        let recent = if self.random.below(4) == 0 { self.values.len() } else { self.values.len().min(20) };
        self.values[self.values.len() - 1 - self.random.below(recent)]
    }

    /// Between −1 and 1.
    fn factor(&mut self) -> f64 {
        if self.many_constants {
            self.random.number() / 2.0
        } else {
            [0.5, -0.25, 0.875, -0.7, 1e-3][self.random.below(5)]
        }
    }

    fn operation(&mut self, a: Expr, b: Expr) -> Expr {
        let number = Expr::from_f64;
        let c = self.operand(false);
        let factor = self.factor();
        let (half, k, rest) = (number(0.5), number(factor), number(1.0 - factor.abs()));
        match self.random.below(20) {
            0 => (a + b) * half,
            1 => (a - b) * half,
            2 => a * b,
            3 => -a,
            4 => a / (b * b + number(1.5)),
            5 => ((a * a + Expr::one()) * half).sqrt(),
            6 => a * k + b * rest,
            7 => a * k - b * rest,
            8 => (a * b - c) * half,
            9 => (c - a * b) * half,
            10 => (a * b + c) * half,
            11 => k * a,
            12 => k * a + rest,
            13 => rest - k * a,
            14 => (number(2.0) * a + b) * number(0.25),
            // The same register several times.
            15 => (a * a + a) * half,
            16 => (a * a - a) * half,
            17 => (b - a * a) * half,
            18 if self.wild => [a / b, a.sqrt(), Expr::one() / a, k / b][self.random.below(4)],
            18 => a * c,
            _ if self.late_sines => a.sin_cos().0,
            _ => (a * c + b * rest) * half,
        }
    }

    /// Everything that waits, brought down to any number of outputs, with inputs, constants, outputs that were there before
    /// and runs of one constant in between.
    fn outputs(&mut self, symbols: &[Expr]) -> Vec<Expr> {
        let count = match self.random.below(4) {
            0 => self.random.below(4),
            1 => 1 + self.random.below(40),
            2 => 1 + self.random.below(12),
            _ => 1 + self.random.below(200),
        };
        while self.loose.len() > count.max(1) {
            let (a, b) = (self.operand(true), self.operand(true));
            self.loose.push((a + b) * Expr::from_f64(0.5));
        }
        let (mixed, sparse) = (self.random.below(2) == 0, self.random.below(3) == 0);
        let mut outputs: Vec<Expr> = Vec::new();
        for place in 0..count {
            if sparse && self.random.below(3) == 0 {
                let constant = Expr::from_f64([0.0, 0.0, 0.0, 1.0, -2.5][self.random.below(5)]);
                let length = self.random.below(30);
                outputs.extend(std::iter::repeat_n(constant, length));
            }
            outputs.push(match self.random.below(12) {
                0 if mixed && !symbols.is_empty() => symbols[self.random.below(symbols.len())],
                1 if mixed => Expr::from_f64(self.factor()),
                2 if mixed && !outputs.is_empty() => outputs[self.random.below(outputs.len())],
                3 if mixed => self.values[self.random.below(self.values.len())],
                4 if mixed => -self.values[self.random.below(self.values.len())],
                _ => self.loose[place % self.loose.len()],
            });
        }
        outputs
    }
}
