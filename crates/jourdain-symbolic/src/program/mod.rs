//! Programs: straight-line code in static single assignment, made from expressions.
//!
//! A [`Program`] holds what one call executes: constants folded, equal subexpressions computed once, nothing that no
//! output needs. Instructions stand in the order in which the formula computed them, sines and cosines first; see
//! [`schedule`](mod@self) for what is moved. It is interpreted (generic over the scalar, or over blocks of states by a
//! [`Tape`]), or emitted as source code.
//!
//! ```
//! use jourdain_symbolic::{Expr, Program, Scalar};
//!
//! let (x, y) = (Expr::symbol("x"), Expr::symbol("y"));
//! let (sin, cos) = x.sin_cos();
//! let program = Program::new(&[("x", &[x]), ("y", &[y])], &[("out", &[y * sin + y * cos, cos])])?;
//! assert_eq!(program.operations().mul, 1); // y (sin x + cos x)
//! let mut out = [0.0; 2];
//! program.run(&[0.0, 2.0], &mut out);
//! assert_eq!(out, [2.0, 1.0]);
//! # Ok::<(), jourdain_symbolic::UnknownSymbol>(())
//! ```

mod count;
mod factor;
mod fuse;
mod lower;
mod run;
mod schedule;
mod tape;

pub use count::Operations;
pub use tape::{Tape, TapeScratch};

use crate::expr::Expr;

/// A value that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A number of the inputs, counted through all arguments.
    Input(u32),
    /// A constant.
    Constant(u32),
    /// The result of an instruction.
    Value(u32),
}

/// One operation; its result is the value with the instruction's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// −a
    Neg(Operand),
    /// a + b
    Add(Operand, Operand),
    /// a − b
    Sub(Operand, Operand),
    /// a · b
    Mul(Operand, Operand),
    /// a / b
    Div(Operand, Operand),
    /// √a
    Sqrt(Operand),
    /// sin a; the cosine of the same angle, if it is needed, is the next instruction.
    Sin(Operand),
    /// cos a
    Cos(Operand),
    /// a · b + c
    MulAdd(Operand, Operand, Operand),
    /// a · b − c
    MulSub(Operand, Operand, Operand),
    /// c − a · b
    NegMulAdd(Operand, Operand, Operand),
}

impl Instruction {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let operands = match *self {
            Self::Neg(a) | Self::Sqrt(a) | Self::Sin(a) | Self::Cos(a) => [Some(a), None, None],
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) => [Some(a), Some(b), None],
            Self::MulAdd(a, b, c) | Self::MulSub(a, b, c) | Self::NegMulAdd(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The same operation on other operands.
    #[must_use]
    pub fn map(self, mut f: impl FnMut(Operand) -> Operand) -> Self {
        match self {
            Self::Neg(a) => Self::Neg(f(a)),
            Self::Sqrt(a) => Self::Sqrt(f(a)),
            Self::Sin(a) => Self::Sin(f(a)),
            Self::Cos(a) => Self::Cos(f(a)),
            Self::Add(a, b) => Self::Add(f(a), f(b)),
            Self::Sub(a, b) => Self::Sub(f(a), f(b)),
            Self::Mul(a, b) => Self::Mul(f(a), f(b)),
            Self::Div(a, b) => Self::Div(f(a), f(b)),
            Self::MulAdd(a, b, c) => Self::MulAdd(f(a), f(b), f(c)),
            Self::MulSub(a, b, c) => Self::MulSub(f(a), f(b), f(c)),
            Self::NegMulAdd(a, b, c) => Self::NegMulAdd(f(a), f(b), f(c)),
        }
    }

    /// True for a sine or a cosine.
    #[must_use]
    pub fn is_trigonometric(&self) -> bool {
        matches!(self, Self::Sin(_) | Self::Cos(_))
    }
}

/// A named vector that a program reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// How many numbers.
    pub length: usize,
}

/// How a program is made from expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Take common multiplicands out of sums: x a + x b = x (a + b) where neither product is used otherwise.
    pub factor: bool,
    /// Join a product and a sum where one instruction can do both.
    pub fuse: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { factor: true, fuse: true }
    }
}

/// An output needs a symbol that no input gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSymbol(pub String);

impl core::fmt::Display for UnknownSymbol {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the program needs `{}`, which none of its inputs gives", self.0)
    }
}

impl core::error::Error for UnknownSymbol {}

/// Straight-line code from input vectors to output vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    inputs: Vec<Argument>,
    outputs: Vec<Argument>,
    constants: Vec<f64>,
    instructions: Vec<Instruction>,
    results: Vec<Operand>,
    prologue: usize,
}

impl Program {
    /// The program of the outputs over the inputs, whose elements are symbols.
    ///
    /// # Errors
    /// A symbol that an output needs and no input gives.
    pub fn new(inputs: &[(&str, &[Expr])], outputs: &[(&str, &[Expr])]) -> Result<Self, UnknownSymbol> {
        Self::with_options(inputs, outputs, Options::default())
    }

    /// As [`new`](Self::new), with a choice of what is done.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_options(
        inputs: &[(&str, &[Expr])],
        outputs: &[(&str, &[Expr])],
        options: Options,
    ) -> Result<Self, UnknownSymbol> {
        let mut program = lower::lower(inputs, outputs)?;
        if options.factor {
            factor::factor(&mut program);
        }
        if options.fuse {
            fuse::fuse(&mut program);
        }
        fuse::double(&mut program);
        schedule::schedule(&mut program);
        Ok(program)
    }

    /// The vectors it reads.
    #[must_use]
    pub fn inputs(&self) -> &[Argument] {
        &self.inputs
    }

    /// The vectors it writes.
    #[must_use]
    pub fn outputs(&self) -> &[Argument] {
        &self.outputs
    }

    /// The constants.
    #[must_use]
    pub fn constants(&self) -> &[f64] {
        &self.constants
    }

    /// The instructions in the order of execution.
    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// What each number of the outputs is, counted through all of them.
    #[must_use]
    pub fn results(&self) -> &[Operand] {
        &self.results
    }

    /// How many instructions at the start take sines and cosines of the inputs; straight-line arithmetic follows.
    #[must_use]
    pub fn prologue(&self) -> usize {
        self.prologue
    }

    /// How many numbers it reads.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.inputs.iter().map(|argument| argument.length).sum()
    }

    /// How many numbers it writes.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.results.len()
    }

    /// How often each value is read, by instructions and as a result.
    #[must_use]
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.instructions.len()];
        let read = self.instructions.iter().flat_map(Instruction::operands).chain(self.results.iter().copied());
        for operand in read {
            if let Operand::Value(value) = operand {
                uses[value as usize] += 1;
            }
        }
        uses
    }

    /// The most values that wait to be read at one time: what registers and spills have to hold. Sines and cosines that are
    /// taken first are in memory and do not count.
    #[must_use]
    pub fn most_live(&self) -> usize {
        let mut last = vec![0; self.instructions.len()];
        for (place, instruction) in self.instructions.iter().enumerate() {
            for operand in instruction.operands() {
                if let Operand::Value(value) = operand {
                    last[value as usize] = place;
                }
            }
        }
        let (mut ends, mut live, mut most) = (vec![0_usize; self.instructions.len()], 0_usize, 0);
        for (place, &last) in last.iter().enumerate().skip(self.prologue) {
            live -= ends[place];
            if last > place {
                live += 1;
                ends[last] += 1;
            }
            most = most.max(live);
        }
        most
    }

    /// Rebuilds the instructions from those that a result needs, in the order given by `order`.
    fn reorder(&mut self, order: &[usize]) {
        let mut needed = vec![false; self.instructions.len()];
        let mark = |needed: &mut Vec<bool>, operand| {
            if let Operand::Value(value) = operand {
                needed[value as usize] = true;
            }
        };
        self.results.iter().for_each(|&result| mark(&mut needed, result));
        for &place in order.iter().rev() {
            if needed[place] {
                self.instructions[place].operands().for_each(|operand| mark(&mut needed, operand));
            }
        }
        let mut number = vec![0_u32; self.instructions.len()];
        let mut instructions = Vec::with_capacity(self.instructions.len());
        let prologue = order[..self.prologue].iter().filter(|&&place| needed[place]).count();
        for &place in order.iter().filter(|&&place| needed[place]) {
            number[place] = instructions.len() as u32;
            instructions.push(self.instructions[place].map(|operand| renumbered(operand, &number)));
        }
        self.results.iter_mut().for_each(|result| *result = renumbered(*result, &number));
        self.instructions = instructions;
        self.prologue = prologue;
    }

    /// Removes what no result needs.
    fn drop_unused(&mut self) {
        let order: Vec<usize> = (0..self.instructions.len()).collect();
        self.reorder(&order);
    }
}

fn renumbered(operand: Operand, number: &[u32]) -> Operand {
    match operand {
        Operand::Value(value) => Operand::Value(number[value as usize]),
        other => other,
    }
}

#[cfg(test)]
mod tests;
