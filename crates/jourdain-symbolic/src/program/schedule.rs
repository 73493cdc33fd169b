//! The order of instructions. That in which the formula computed them is kept: it holds far fewer values at a time than
//! going depth first from the outputs. An instruction is only moved down to its first use, and only if what it reads waits
//! there anyway, so that no value waits longer and one waits less. Sines, cosines and inputs are in memory and always wait.
//!
//! In a large program one operand may have to wait longer: no more values wait then, and what computes the operand may
//! follow. Large programs are as fast as their code is short, small ones as their longest chain is, which only gets longer
//! by moving down; divisions and roots, which take long, never move on these terms.

use super::{Instruction, Operand, Program};

/// Instructions of a large program.
const LARGE: usize = 1000;

pub(super) fn schedule(program: &mut Program) {
    let count = program.instructions.len();
    // Where each instruction goes (before the instruction of that number, or its own), its first and its last reader.
    let mut goes: Vec<usize> = (0..count).collect();
    let mut first_reader: Vec<Option<usize>> = vec![None; count];
    let mut last_read = vec![0; count];
    let mut is_result = vec![false; count];
    for result in &program.results {
        if let Operand::Value(value) = *result {
            is_result[value as usize] = true;
        }
    }
    for place in (program.prologue..count).rev() {
        let values = || {
            program.instructions[place].operands().filter_map(|operand| match operand {
                Operand::Value(value) if value as usize >= program.prologue => Some(value as usize),
                _ => None,
            })
        };
        let slow = matches!(program.instructions[place], Instruction::Div(..) | Instruction::Sqrt(_));
        let waiting_longer = |target: usize| {
            let mut waiting = values().filter(|&value| last_read[value] < target);
            // The same operand twice is one.
            waiting.next().map_or(0, |first| 1 + usize::from(waiting.any(|other| other != first)))
        };
        let target = first_reader[place]
            .filter(|&reader| !is_result[place] && reader > place)
            .map(|reader| goes[reader])
            .filter(|&target| waiting_longer(target) <= usize::from(count > LARGE && !slow));
        if let Some(target) = target {
            goes[place] = target;
        }
        for value in values() {
            last_read[value] = last_read[value].max(goes[place]);
            first_reader[value] = Some(match first_reader[value] {
                Some(reader) if goes[reader] <= goes[place] => reader,
                _ => place,
            });
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    // Those that go to the same place keep their order, and stand before the one whose place it is.
    order.sort_by_key(|&place| (goes[place], place));
    program.reorder(&order);
}
