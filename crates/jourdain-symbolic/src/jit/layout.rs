//! Where a kernel finds its numbers: one block of memory, the *frame*, that base registers point into.
//!
//! In order: sines, cosines, other values of the prologue, inputs, spilled values, constants, the sign bit, and for four
//! states the results. A base register reaches 256 bytes with one-byte displacements, so several of them stand side by
//! side.

use super::encode::{Base, Source, Width};
use crate::program::{Instruction, Operand, Program};

/// The registers that point into the frame, in the order of their windows.
pub(super) const WINDOWS: [Base; 6] = [Base::Rdi, Base::Rax, Base::Rcx, Base::Rdx, Base::Rbx, Base::Rbp];
/// Bytes that a base register reaches with one-byte displacements.
pub(super) const WINDOW: i32 = 256;
/// The base stands in the middle of its window.
pub(super) const MIDDLE: i32 = 128;

/// The places of a program's numbers, in values from the start of the frame.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The angles of which sines and cosines are taken.
    pub angles: Vec<Operand>,
    /// The place of each value of the prologue.
    prologue: Vec<usize>,
    pub inputs: usize,
    pub spills: usize,
}

impl Layout {
    /// `None` for a program that takes sines or cosines in its body.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let (first, rest) = program.instructions().split_at(program.prologue());
        if rest.iter().any(Instruction::is_trigonometric) {
            return None;
        }
        let mut angles: Vec<Operand> = Vec::new();
        for instruction in first {
            if let Instruction::Sin(angle) | Instruction::Cos(angle) = *instruction
                && !angles.contains(&angle)
            {
                angles.push(angle);
            }
        }
        let mut other = 2 * angles.len();
        let place = |angle: &Operand| angles.iter().position(|known| known == angle).unwrap_or(0);
        let prologue = first
            .iter()
            .map(|instruction| match instruction {
                Instruction::Sin(angle) => place(angle),
                Instruction::Cos(angle) => angles.len() + place(angle),
                _ => {
                    other += 1;
                    other - 1
                }
            })
            .collect();
        Some(Self { prologue, inputs: other, spills: other + program.input_count(), angles })
    }

    pub(super) fn value(&self, value: usize) -> Option<usize> {
        self.prologue.get(value).copied()
    }
}

/// The address of a place: the window that reaches it, or the last one with a longer displacement.
pub(super) fn address(place: usize, width: Width) -> Source {
    let offset = (place * width.bytes()) as i32;
    let window = (offset / WINDOW).min(WINDOWS.len() as i32 - 1);
    Source::Memory(WINDOWS[window as usize], offset - window * WINDOW - MIDDLE)
}
