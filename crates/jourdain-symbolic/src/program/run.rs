//! Running a program on one state, over any scalar of numbers.

use super::{Instruction, Operand, Program};
use crate::scalar::Scalar;

impl Instruction {
    /// What the operation gives, `x` being what each operand is.
    pub(crate) fn compute<S: Scalar>(&self, x: impl Fn(Operand) -> S) -> S {
        match *self {
            Self::Neg(a) => -x(a),
            Self::Add(a, b) => x(a) + x(b),
            Self::Sub(a, b) => x(a) - x(b),
            Self::Mul(a, b) => x(a) * x(b),
            Self::Div(a, b) => x(a) / x(b),
            Self::Sqrt(a) => x(a).sqrt(),
            Self::Sin(a) => x(a).sin_cos().0,
            Self::Cos(a) => x(a).sin_cos().1,
            Self::MulAdd(a, b, c) => x(a).mul_add(x(b), x(c)),
            Self::MulSub(a, b, c) => x(a).mul_add(x(b), -x(c)),
            Self::NegMulAdd(a, b, c) => (-x(a)).mul_add(x(b), x(c)),
        }
    }
}

impl Program {
    /// Computes the outputs from the inputs, both counted through all arguments.
    ///
    /// # Panics
    /// If `inputs` or `out` has another length than the program's.
    pub fn run<S: Scalar<Constant = f64>>(&self, inputs: &[S], out: &mut [S]) {
        assert_eq!(inputs.len(), self.input_count(), "numbers read");
        assert_eq!(out.len(), self.output_count(), "numbers written");
        let mut values: Vec<S> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let x = |operand| self.read(operand, inputs, &values);
            let value = instruction.compute(x);
            values.push(value);
        }
        for (out, &result) in out.iter_mut().zip(&self.results) {
            *out = self.read(result, inputs, &values);
        }
    }

    fn read<S: Scalar<Constant = f64>>(&self, operand: Operand, inputs: &[S], values: &[S]) -> S {
        match operand {
            Operand::Input(place) => inputs[place as usize],
            Operand::Constant(place) => S::from_f64(self.constants[place as usize]),
            Operand::Value(place) => values[place as usize],
        }
    }
}
