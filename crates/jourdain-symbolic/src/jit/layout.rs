//! Where a kernel finds its numbers: three blocks of memory, and base registers that point into them.
//!
//! The *frame* holds, in order, sines, cosines, other values of the prologue, then spills, constants and the sign bit, those
//! that are read most first. *Inputs* and *results* are the caller's for one state; for four they follow the frame.
//!
//! A base register reaches 256 bytes, a *window*, with one-byte displacements. There are fewer registers than windows in a
//! large kernel, so they go to the windows with most accesses; what lies outside takes a displacement of four bytes.

use super::allocate::{Allocation, From, Memory, Step};
use super::encode::{Base, Source, Width};
use crate::program::{Instruction, Operand, Program};

/// Bytes that a base register reaches with one-byte displacements.
const WINDOW: usize = 256;
/// The base stands in the middle of its window.
const MIDDLE: i32 = 128;
/// Where the caller passes frame, inputs and results.
const ARRIVING: [Base; 3] = [Base::Rdi, Base::Rsi, Base::Rdx];
/// The other registers, in the order in which they are taken: short encodings first, those that must be saved last.
const OTHERS: [Base; 11] = [
    Base::Rax,
    Base::Rcx,
    Base::R8,
    Base::R9,
    Base::R10,
    Base::R11,
    Base::Rbx,
    Base::Rbp,
    Base::R13,
    Base::R14,
    Base::R15,
];
/// A window with fewer accesses does not pay for setting its base.
const FEWEST: u32 = 3;

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
        let mut accesses: Vec<(u32, u32)> = (0..(spills + constants) as u32).map(|item| (0, item)).collect();
        let mut count = |memory| match memory {
            Memory::Spill(place) => accesses[place as usize].0 += 1,
            Memory::Constant(place) => accesses[spills + place as usize].0 += 1,
            _ => {}
        };
        allocation.steps.iter().filter_map(Step::memory).for_each(&mut count);
        accesses.sort_by_key(|&(count, _)| core::cmp::Reverse(count));
        let mut places = vec![0; accesses.len()];
        // The sign bit takes two places, because one number is flipped sixteen bytes at a time. It stands where alignment
        // does not matter: every memory operand may be unaligned.
        let sign = prologue.length as u32;
        for (rank, (_, item)) in accesses.into_iter().enumerate() {
            places[item as usize] = sign + 2 + rank as u32;
        }
        let length = prologue.length + 2 + places.len();
        let constants = places.split_off(spills);
        Self { prologue: prologue.places.clone(), spills: places, constants, sign, length }
    }

    /// The block of a number, and its place in it.
    fn place(&self, memory: Memory) -> (usize, u32) {
        match memory {
            Memory::Input(place) => (1, place),
            Memory::Prologue(value) => (0, self.prologue[value as usize]),
            Memory::Spill(place) => (0, self.spills[place as usize]),
            Memory::Constant(place) => (0, self.constants[place as usize]),
            Memory::Sign => (0, self.sign),
        }
    }
}

impl Step {
    /// The number in memory that a step reads or writes, results aside.
    fn memory(&self) -> Option<Memory> {
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

/// The base registers of a kernel.
pub(super) struct Bases<'a> {
    frame: &'a Frame,
    bytes: usize,
    /// The base of each window of each block, where it has one.
    windows: [Vec<Option<Base>>; 3],
    /// A window of each block that has a base.
    any: [Option<(usize, Base)>; 3],
}

impl<'a> Bases<'a> {
    /// Chooses the windows. `targets` are the places in the block of results of each distinct result.
    pub(super) fn new(frame: &'a Frame, steps: &[Step], targets: &[Vec<u32>], width: Width) -> Self {
        let bytes = width.bytes();
        let mut counts: [Vec<u32>; 3] = Default::default();
        let mut count = |(block, place): (usize, u32)| {
            let window = place as usize * bytes / WINDOW;
            let counts = &mut counts[block];
            if counts.len() <= window {
                counts.resize(window + 1, 0);
            }
            counts[window] += 1;
        };
        for step in steps {
            if let Some(memory) = step.memory() {
                count(frame.place(memory));
            } else if let Step::Result(number, _) = step {
                targets[*number as usize].iter().for_each(|&place| count((2, place)));
            }
        }
        let mut this = Self { frame, bytes, windows: Default::default(), any: [None; 3] };
        let mut ranked = Vec::new();
        for (block, counts) in counts.iter().enumerate() {
            this.windows[block] = vec![None; counts.len()];
            // The best window of a block has the register that the block arrives in.
            let most = (0..counts.len()).max_by_key(|&window| counts[window]);
            if let Some(window) = most {
                this.windows[block][window] = Some(ARRIVING[block]);
                this.any[block] = Some((window, ARRIVING[block]));
            }
            let others = (0..counts.len()).filter(|&window| Some(window) != most && counts[window] >= FEWEST);
            ranked.extend(others.map(|window| (counts[window], block, window)));
        }
        ranked.sort_by_key(|&(count, ..)| core::cmp::Reverse(count));
        for (&base, (_, block, window)) in OTHERS.iter().zip(ranked) {
            this.windows[block][window] = Some(base);
        }
        this
    }

    /// The registers that belong to the caller.
    pub(super) fn saved(&self) -> impl DoubleEndedIterator<Item = Base> {
        let saved = |base: &Base| matches!(base, Base::Rbx | Base::Rbp | Base::R13 | Base::R14 | Base::R15);
        let taken: Vec<Base> = self.windows.iter().flatten().flatten().copied().filter(saved).collect();
        taken.into_iter()
    }

    /// How the bases are set: to, from, bytes between; those that others are set from come last.
    pub(super) fn settings(&self) -> Vec<(Base, Base, i32)> {
        let mut settings = Vec::new();
        for (block, windows) in self.windows.iter().enumerate() {
            for (window, base) in windows.iter().enumerate() {
                settings.extend(base.map(|base| (base, ARRIVING[block], (window * WINDOW) as i32 + MIDDLE)));
            }
        }
        settings.sort_by_key(|(to, from, _)| to == from);
        settings
    }

    /// The address of a number.
    pub(super) fn address(&self, memory: Memory) -> Source {
        let (block, place) = self.frame.place(memory);
        self.within(block, place)
    }

    /// The address of a result.
    pub(super) fn result(&self, place: u32) -> Source {
        self.within(2, place)
    }

    fn within(&self, block: usize, place: u32) -> Source {
        let offset = place as usize * self.bytes;
        let window = offset / WINDOW;
        let (window, base) = match self.windows[block].get(window) {
            Some(Some(base)) => (window, *base),
            _ => self.any[block].unwrap_or((0, ARRIVING[block])),
        };
        Source::Memory(base, offset as i32 - (window * WINDOW) as i32 - MIDDLE)
    }
}
