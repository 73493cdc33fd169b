//! Joining products with the sums they end in, and doubling by addition.

use super::{Instruction, Operand, Program};

/// a · b + c in one instruction where the product is not used otherwise.
pub(super) fn fuse(program: &mut Program) {
    let uses = program.uses();
    for place in program.prologue..program.instructions.len() {
        let product = |operand: Operand| match operand {
            Operand::Value(value) if uses[value as usize] == 1 && value as usize >= program.prologue => {
                match program.instructions[value as usize] {
                    Instruction::Mul(a, b) => Some((value, a, b)),
                    _ => None,
                }
            }
            _ => None,
        };
        let fused = match program.instructions[place] {
            Instruction::Add(p, q) => match (product(p), product(q)) {
                // The earlier product waits less for the later one than the other way round.
                (Some((first, a, b)), Some((second, ..))) if first > second => Some(Instruction::MulAdd(a, b, q)),
                (_, Some((_, a, b))) => Some(Instruction::MulAdd(a, b, p)),
                (Some((_, a, b)), None) => Some(Instruction::MulAdd(a, b, q)),
                (None, None) => None,
            },
            Instruction::Sub(p, q) => match (product(p), product(q)) {
                (Some((first, a, b)), Some((second, ..))) if first > second => Some(Instruction::MulSub(a, b, q)),
                (_, Some((_, a, b))) => Some(Instruction::NegMulAdd(a, b, p)),
                (Some((_, a, b)), None) => Some(Instruction::MulSub(a, b, q)),
                (None, None) => None,
            },
            _ => None,
        };
        if let Some(fused) = fused {
            program.instructions[place] = fused;
        }
    }
    program.drop_unused();
}

/// 2 x as x + x: an addition is never slower, and never rounds otherwise.
pub(super) fn double(program: &mut Program) {
    let is_two = |operand| matches!(operand, Operand::Constant(k) if program.constants[k as usize] == 2.0);
    for instruction in &mut program.instructions {
        if let Instruction::Mul(a, b) = *instruction {
            match () {
                () if is_two(a) => *instruction = Instruction::Add(b, b),
                () if is_two(b) => *instruction = Instruction::Add(a, a),
                () => {}
            }
        }
    }
}
