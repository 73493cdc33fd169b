//! From steps to machine code, for one state or for four.

use super::allocate::{From, Memory, Step};
use super::encode::{Assembler, Source, Width};
use super::layout::{Bases, Frame};

/// The function of frame, inputs and results. `targets` are the places of each distinct result in the block of results.
pub(super) fn assemble(steps: &[Step], frame: &Frame, targets: &[Vec<u32>], width: Width) -> Vec<u8> {
    let bases = Bases::new(frame, steps, targets, width);
    let mut out = Assembler::new(width, 8 * steps.len());
    bases.saved().for_each(|base| out.push(base));
    for (to, from, distance) in bases.settings() {
        out.address(to, from, distance);
    }
    let source = |from| match from {
        From::Register(register) => Source::Register(register),
        From::Memory(memory) => bases.address(memory),
    };
    for step in steps {
        match *step {
            Step::Binary(operation, to, a, b) => out.binary(operation, to, a, source(b)),
            Step::Fused(operation, form, to, second, third) => out.fused(operation, form, to, second, source(third)),
            Step::Negate(to, a) => out.xor(to, a, bases.address(Memory::Sign)),
            Step::Sqrt(to, a) => out.sqrt(to, source(a)),
            Step::Load(to, from) => out.load(to, source(from)),
            Step::Spill(place, from) => out.store(bases.address(Memory::Spill(place)), from),
            Step::Result(number, from) => {
                for &place in &targets[number as usize] {
                    out.store(bases.result(place), from);
                }
            }
        }
    }
    bases.saved().rev().for_each(|base| out.pop(base));
    out.ret();
    out.finish()
}
