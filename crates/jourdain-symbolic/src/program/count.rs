//! Operation counts: one for each operation that a call executes.

use super::{Instruction, Program};
use core::fmt;
use std::collections::HashSet;

/// How many operations of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Multiplications, also those joined with an addition.
    pub mul: usize,
    /// Additions, subtractions and changes of sign, also those joined with a multiplication.
    pub add: usize,
    /// Divisions.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Angles of which the sine, the cosine or both are taken.
    pub sincos: usize,
}

impl Program {
    /// What one call executes.
    #[must_use]
    pub fn operations(&self) -> Operations {
        let (mut count, mut angles) = (Operations::default(), HashSet::new());
        for instruction in &self.instructions {
            match instruction {
                Instruction::Neg(_) | Instruction::Add(..) | Instruction::Sub(..) => count.add += 1,
                Instruction::Mul(..) => count.mul += 1,
                Instruction::Div(..) => count.div += 1,
                Instruction::Sqrt(_) => count.sqrt += 1,
                Instruction::Sin(angle) | Instruction::Cos(angle) => count.sincos += usize::from(angles.insert(*angle)),
                Instruction::MulAdd(..) | Instruction::MulSub(..) | Instruction::NegMulAdd(..) => {
                    count.mul += 1;
                    count.add += 1;
                }
            }
        }
        count
    }
}

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} multiplications, {} additions", self.mul, self.add)?;
        for (number, one, several) in [
            (self.div, "division", "divisions"),
            (self.sqrt, "square root", "square roots"),
            (self.sincos, "sine and cosine", "sines and cosines"),
        ] {
            if number > 0 {
                write!(f, ", {number} {}", if number == 1 { one } else { several })?;
            }
        }
        Ok(())
    }
}
