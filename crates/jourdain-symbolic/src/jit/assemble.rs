//! From steps to machine code, for one state or for four.

use super::allocate::{From, Step};
use super::encode::{Assembler, Source, Width};
use super::layout::{Block, Frame};
use super::windows::plan;

/// The function of frame, inputs and results. `targets` are the places of each distinct result in the block of results.
pub(super) fn assemble(steps: &[Step], frame: &Frame, targets: &[Vec<u32>], width: Width) -> Vec<u8> {
    let mut accesses = Vec::with_capacity(steps.len());
    for step in steps {
        if let Step::Result(number, _) = step {
            accesses.extend(targets[*number as usize].iter().map(|&place| (Block::Results, place)));
        } else {
            accesses.extend(step.memory().map(|memory| frame.place(memory)));
        }
    }
    let plan = plan(&accesses, width);
    let mut out = Assembler::new(width, 8 * steps.len());
    plan.saved.iter().for_each(|&base| out.push(base));
    let (mut settings, mut addresses) = (plan.settings.iter().peekable(), plan.addresses.iter().enumerate());
    // The address of the next access, after the settings that it waits for.
    let mut next = |out: &mut Assembler| {
        let (index, address) = addresses.next().map_or((0, Source::Register(0)), |(index, address)| (index, *address));
        while let Some(setting) = settings.next_if(|setting| setting.before as usize <= index) {
            out.address(setting.to, setting.from, setting.distance);
        }
        address
    };
    for step in steps {
        let mut source = |out: &mut Assembler, from| match from {
            From::Register(register) => Source::Register(register),
            From::Memory(_) => next(out),
        };
        match *step {
            Step::Binary(operation, to, a, b) => {
                let b = source(&mut out, b);
                out.binary(operation, to, a, b);
            }
            Step::Fused(operation, form, to, second, third) => {
                let third = source(&mut out, third);
                out.fused(operation, form, to, second, third);
            }
            Step::Negate(to, a) => {
                let sign = next(&mut out);
                out.xor(to, a, sign);
            }
            Step::Sqrt(to, a) => {
                let a = source(&mut out, a);
                out.sqrt(to, a);
            }
            Step::Load(to, from) => {
                let from = source(&mut out, from);
                out.load(to, from);
            }
            Step::Spill(_, from) => {
                let to = next(&mut out);
                out.store(to, from);
            }
            Step::Result(number, from) => {
                for _ in &targets[number as usize] {
                    let to = next(&mut out);
                    out.store(to, from);
                }
            }
        }
    }
    plan.saved.iter().rev().for_each(|&base| out.pop(base));
    out.ret();
    out.finish()
}
