//! Where a kernel finds its numbers: three blocks of memory, and base registers that point into them.
//!
//! The *frame* holds, in order, sines, cosines, other values of the prologue, the sign bit, then spills and constants,
//! in the order in which they are read for the last time. *Inputs* and *results* are the caller's for one state; for four they follow the frame.
//!
//! A base register reaches 256 bytes, a *window*, with one-byte displacements: see [`windows`](super::windows).

use super::allocate::{Allocation, From, Memory, Step};
use crate::program::{Instruction, Operand, Program};

/// The prologue's part of the frame.
#[derive(Clone, Debug)]
pub(super) struct Prologue {
    /// The angles of which sines and cosines are taken.
    pub angles: Vec<Operand>,
    /// The place of each value in the frame.
    pub places: Vec<u32>,
    /// Places taken.
    pub length: usize,
}

impl Prologue {
    /// `None` for a program that takes sines or cosines in its body.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let (first, rest) = program.instructions().split_at(program.prologue());
        if rest.iter().any(Instruction::is_trigonometric) {
            return None;
        }
        let mut angles: Vec<Operand> = Vec::new();
        let mut place = |angle: Operand| {
            // The cosine of an angle follows its sine, so that the last one is nearly always it.
            angles.iter().rposition(|known| *known == angle).unwrap_or_else(|| {
                angles.push(angle);
                angles.len() - 1
            })
        };
        let of_angle: Vec<usize> = first
            .iter()
            .map(|instruction| match instruction {
                Instruction::Sin(angle) | Instruction::Cos(angle) => place(*angle),
                _ => 0,
            })
            .collect();
        let mut length = 2 * angles.len();
        let places = first.iter().zip(of_angle).map(|(instruction, angle)| match instruction {
            Instruction::Sin(_) => angle as u32,
            Instruction::Cos(_) => (angles.len() + angle) as u32,
            _ => {
                length += 1;
                length as u32 - 1
            }
        });
        let places = places.collect();
        Some(Self { places, length, angles })
    }
}

/// The frame of a kernel: the same for one state and for four, in values.
pub(super) struct Frame {
    prologue: Vec<u32>,
    spills: Vec<u32>,
    pub constants: Vec<u32>,
    pub sign: u32,
    /// Values in all.
    pub length: usize,
}

impl Frame {
    pub(super) fn new(program: &Program, prologue: &Prologue, allocation: &Allocation) -> Self {
        let (spills, constants) = (allocation.spills, program.constants().len());
        // What is done with at about the same time stands together, so that one base register serves it.
        let mut last: Vec<(u32, u32)> = (0..(spills + constants) as u32).map(|item| (0, item)).collect();
        for (time, step) in allocation.steps.iter().enumerate() {
            match step.memory() {
                Some(Memory::Spill(place)) => last[place as usize].0 = time as u32,
                Some(Memory::Constant(place)) => last[spills + place as usize].0 = time as u32,
                _ => {}
            }
        }
        last.sort_unstable();
        let mut places = vec![0; last.len()];
        // The sign bit takes two places, because one number is flipped sixteen bytes at a time. It stands where alignment
        // does not matter: every memory operand may be unaligned.
        let sign = prologue.length as u32;
        for (rank, (_, item)) in last.into_iter().enumerate() {
            places[item as usize] = sign + 2 + rank as u32;
        }
        let length = prologue.length + 2 + places.len();
        let constants = places.split_off(spills);
        Self { prologue: prologue.places.clone(), spills: places, constants, sign, length }
    }

    /// Where a number stands.
    pub(super) fn place(&self, memory: Memory) -> (Block, u32) {
        match memory {
            Memory::Input(place) => (Block::Inputs, place),
            Memory::Prologue(value) => (Block::Frame, self.prologue[value as usize]),
            Memory::Spill(place) => (Block::Frame, self.spills[place as usize]),
            Memory::Constant(place) => (Block::Frame, self.constants[place as usize]),
            Memory::Sign => (Block::Frame, self.sign),
        }
    }
}

/// A block of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Frame,
    Inputs,
    Results,
}

impl Step {
    /// The number in memory that a step reads or writes, results aside.
    pub(super) fn memory(&self) -> Option<Memory> {
        match *self {
            Self::Binary(.., From::Memory(memory))
            | Self::Fused(.., From::Memory(memory))
            | Self::Sqrt(_, From::Memory(memory))
            | Self::Load(_, From::Memory(memory)) => Some(memory),
            Self::Negate(..) => Some(Memory::Sign),
            Self::Spill(place, _) => Some(Memory::Spill(place)),
            _ => None,
        }
    }
}
