//! Taking a common multiplicand out of a sum: x a ± x b = x (a ± b), one multiplication less where neither product is
//! used otherwise.

use super::{Instruction, Operand, Program};
use std::collections::HashMap;

/// A factored sum may make the next one possible; more rounds than this found nothing on any robot.
const ROUNDS: usize = 4;

pub(super) fn factor(program: &mut Program) {
    for _ in 0..ROUNDS {
        let before = program.instructions.len();
        round(program);
        program.drop_unused();
        if program.instructions.len() == before {
            break;
        }
    }
}

fn round(program: &mut Program) {
    let uses = program.uses();
    let mut renamed = Vec::with_capacity(program.instructions.len());
    let mut instructions: Vec<Instruction> = Vec::with_capacity(program.instructions.len());
    let mut known: HashMap<Instruction, Operand> = HashMap::new();
    let old = core::mem::take(&mut program.instructions);
    for (place, &instruction) in old.iter().enumerate() {
        if place == program.prologue {
            program.prologue = instructions.len();
        }
        let rename = |operand| match operand {
            Operand::Value(value) => renamed[value as usize],
            other => other,
        };
        let product = |operand| match operand {
            Operand::Value(value) if uses[value as usize] == 1 => match old[value as usize] {
                Instruction::Mul(a, b) => Some([a, b]),
                _ => None,
            },
            _ => None,
        };
        let mut push = |instruction| {
            *known.entry(instruction).or_insert_with(|| {
                instructions.push(instruction);
                Operand::Value(instructions.len() as u32 - 1)
            })
        };
        let factored = match instruction {
            Instruction::Add(p, q) | Instruction::Sub(p, q) if p != q => {
                product(p).zip(product(q)).and_then(|(p, q)| common(p, q))
            }
            _ => None,
        };
        let result = match factored {
            Some((x, a, b)) => {
                let (a, b) = (rename(a), rename(b));
                let sum = push(match instruction {
                    Instruction::Sub(..) => Instruction::Sub(a, b),
                    _ => Instruction::Add(a, b),
                });
                push(Instruction::Mul(rename(x), sum))
            }
            None => push(instruction.map(rename)),
        };
        renamed.push(result);
    }
    if program.prologue >= old.len() {
        program.prologue = instructions.len();
    }
    let rename = |operand: Operand| match operand {
        Operand::Value(value) => renamed[value as usize],
        other => other,
    };
    program.results.iter_mut().for_each(|result| *result = rename(*result));
    program.instructions = instructions;
}

/// The factor that two products share, and what is left of each.
fn common([a, b]: [Operand; 2], [c, d]: [Operand; 2]) -> Option<(Operand, Operand, Operand)> {
    match () {
        () if a == c => Some((a, b, d)),
        () if a == d => Some((a, b, c)),
        () if b == c => Some((b, a, d)),
        () if b == d => Some((b, a, c)),
        () => None,
    }
}
