//! Which base register reaches which memory, from instruction to instruction.
//!
//! A base register reaches 256 bytes, a *window*, with displacements of one byte; what lies in no window takes four. Large
//! kernels are as fast as their code is short, so the registers follow the accesses: a window that is about to be used often
//! takes the register of the one whose next use is furthest away, as numbers do in [`allocate`](super::allocate).

use super::encode::{Base, Source, Width};
use super::layout::Block;

/// Bytes of a window.
const WINDOW: usize = 256;
/// The base stands in the middle of its window.
const MIDDLE: i32 = 128;
/// The registers, those first in which the caller passes frame, inputs and results; short encodings before long ones, and
/// last those that belong to the caller.
const BASES: [Base; 14] = [
    Base::Rdi,
    Base::Rsi,
    Base::Rdx,
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
/// The first register that belongs to the caller.
const SAVED: usize = 9;
const NEVER: u32 = u32::MAX;

/// Setting a base: to, from, bytes between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The access before which it happens.
    pub before: u32,
    pub to: Base,
    pub from: Base,
    pub distance: i32,
}

/// The address of every access, and when bases are set.
pub(super) struct Plan {
    pub addresses: Vec<Source>,
    pub settings: Vec<Setting>,
    /// Registers to save for the caller.
    pub saved: Vec<Base>,
}

/// A register and what it points to.
#[derive(Clone, Copy)]
struct Pointer {
    block: Block,
    window: usize,
    next_use: u32,
}

/// Plans the accesses, given in order by block and place.
pub(super) fn plan(accesses: &[(Block, u32)], width: Width) -> Plan {
    let window = |place: u32| place as usize * width.bytes() / WINDOW;
    let next = next_uses(accesses, window);
    let mut pointers: [Option<Pointer>; BASES.len()] = [None; BASES.len()];
    let mut plan = Plan { addresses: Vec::with_capacity(accesses.len()), settings: Vec::new(), saved: Vec::new() };
    for (slot, block) in [Block::Frame, Block::Inputs, Block::Results].into_iter().enumerate() {
        // The register of a block that is never used is free.
        if let Some(first) = accesses.iter().position(|access| access.0 == block) {
            let window = window(accesses[first].1);
            pointers[slot] = Some(Pointer { block, window, next_use: first as u32 });
            let (to, distance) = (BASES[slot], (window * WINDOW) as i32 + MIDDLE);
            plan.settings.push(Setting { before: 0, to, from: to, distance });
        }
    }
    for (index, &(block, place)) in accesses.iter().enumerate() {
        let window = window(place);
        let here = |pointer: &Option<Pointer>| pointer.is_some_and(|p| p.block == block && p.window == window);
        let near = pointers.iter().position(here).or_else(|| {
            let slot = better(&pointers, index, &next)?;
            let from = any_of(&pointers, block)?;
            let distance = (window as i32 - pointers[from]?.window as i32) * WINDOW as i32;
            plan.settings.push(Setting { before: index as u32, to: BASES[slot], from: BASES[from], distance });
            pointers[slot] = Some(Pointer { block, window, next_use: NEVER });
            if slot >= SAVED && !plan.saved.contains(&BASES[slot]) {
                plan.saved.push(BASES[slot]);
            }
            Some(slot)
        });
        let slot = near.or_else(|| any_of(&pointers, block)).unwrap_or(0);
        let base_window = pointers[slot].map_or(0, |pointer| pointer.window);
        if let (Some(_), Some(pointer)) = (near, &mut pointers[slot]) {
            pointer.next_use = next[index];
        }
        let displacement = (place as usize * width.bytes()) as i32 - (base_window * WINDOW) as i32 - MIDDLE;
        plan.addresses.push(Source::Memory(BASES[slot], displacement));
    }
    plan
}

/// The register to point elsewhere for this access, if that pays: three short addresses for one setting, before the window
/// that it leaves is wanted again. The last register of a block stays.
fn better(pointers: &[Option<Pointer>], index: usize, next: &[u32]) -> Option<usize> {
    let second = next[index];
    let third = next.get(second as usize).copied().filter(|&third| third != NEVER)?;
    if let Some(free) = pointers.iter().position(Option::is_none) {
        return Some(free);
    }
    let next_use = |slot: usize| pointers[slot].map_or(NEVER, |pointer| pointer.next_use);
    let block_of = |slot: usize| pointers[slot].map(|pointer| pointer.block);
    let only = |slot: usize| (0..pointers.len()).filter(|&other| block_of(other) == block_of(slot)).count() == 1;
    let furthest = (0..pointers.len()).filter(|&slot| !only(slot)).max_by_key(|&slot| next_use(slot))?;
    (next_use(furthest) > third).then_some(furthest)
}

fn any_of(pointers: &[Option<Pointer>], block: Block) -> Option<usize> {
    pointers.iter().position(|pointer| pointer.is_some_and(|pointer| pointer.block == block))
}

/// For each access the next one to the same window.
fn next_uses(accesses: &[(Block, u32)], window: impl Fn(u32) -> usize) -> Vec<u32> {
    let mut seen: [Vec<u32>; 3] = Default::default();
    let mut next = vec![NEVER; accesses.len()];
    for (index, &(block, place)) in accesses.iter().enumerate().rev() {
        let (seen, window) = (&mut seen[block as usize], window(place));
        if seen.len() <= window {
            seen.resize(window + 1, NEVER);
        }
        next[index] = core::mem::replace(&mut seen[window], index as u32);
    }
    next
}
