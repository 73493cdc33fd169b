//! How a program is laid out as functions: angles, parts, and the values that go from one part to another.
//!
//! Sines and cosines become two arrays that are filled before anything else. The rest is one part if it is short;
//! otherwise it is cut where few values are waiting, and those that a later part reads go through a scratch array, whose
//! places are used again as soon as nobody reads them. Results are written in the part that computes them.

use crate::program::{Instruction, Operand, Program};
use core::ops::Range;
use std::collections::HashMap;

/// How long parts are, in instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// The longest program that stays in one part.
    pub whole: usize,
    /// The usual length of a part of a longer one.
    pub part: usize,
}

/// Where each value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// The sine of the angle with that number.
    Sine(usize),
    /// Its cosine.
    Cosine(usize),
    /// A variable of the part that computes it.
    Local,
}

/// A program laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// What sines and cosines are taken of.
    pub angles: Vec<Operand>,
    /// Where each value is found.
    pub homes: Vec<Home>,
    /// Instructions before the sines and cosines, that is, what the angles are made of.
    pub head: Vec<usize>,
    /// The rest: which instructions go into which part.
    pub parts: Vec<Range<usize>>,
    /// Per value its place in the scratch array, if a later part reads it.
    pub slots: Vec<Option<usize>>,
    /// The length of the scratch array.
    pub scratch: usize,
    /// Per value the results that it is.
    pub stores: Vec<Vec<usize>>,
    /// Results that no part computes: constants other than zero, inputs, sines, and what the head computes.
    pub plain: Vec<usize>,
    /// Results that are zero, in runs.
    pub zeros: Vec<Range<usize>>,
}

impl Layout {
    pub(super) fn new(program: &Program, lengths: Lengths) -> Self {
        let instructions = program.instructions();
        let prologue = program.prologue();
        let mut angles: Vec<Operand> = Vec::new();
        let mut numbers: HashMap<Operand, usize> = HashMap::new();
        let mut homes = vec![Home::Local; instructions.len()];
        let mut head = Vec::new();
        for (place, instruction) in instructions[..prologue].iter().enumerate() {
            let mut number = |angle: Operand| {
                *numbers.entry(angle).or_insert_with(|| {
                    angles.push(angle);
                    angles.len() - 1
                })
            };
            match *instruction {
                Instruction::Sin(angle) => homes[place] = Home::Sine(number(angle)),
                Instruction::Cos(angle) => homes[place] = Home::Cosine(number(angle)),
                _ => head.push(place),
            }
        }
        let mut stores = vec![Vec::new(); instructions.len()];
        let (mut plain, mut zeros): (Vec<usize>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for (place, &result) in program.results().iter().enumerate() {
            match result {
                Operand::Value(value) if value as usize >= prologue => stores[value as usize].push(place),
                Operand::Constant(k) if program.constants()[k as usize] == 0.0 => match zeros.last_mut() {
                    Some(run) if run.end == place => run.end += 1,
                    _ => zeros.push(place..place + 1),
                },
                _ => plain.push(place),
            }
        }
        let parts = cut(program, lengths);
        let (slots, scratch) = connect(program, &homes, &parts);
        Self { angles, homes, head, parts, slots, scratch, stores, plain, zeros }
    }
}

/// Cuts the instructions after the prologue where few values wait.
fn cut(program: &Program, lengths: Lengths) -> Vec<Range<usize>> {
    let (start, end) = (program.prologue(), program.instructions().len());
    if end - start <= lengths.whole {
        return std::iter::once(start..end).collect();
    }
    let last = last_reads(program);
    let mut waiting = vec![0_i64; end + 1];
    for value in start..end {
        // Waits at every cut after the instruction that makes it, up to the one before its last reader.
        if last[value] > value {
            waiting[value + 1] += 1;
            waiting[last[value] + 1] -= 1;
        }
    }
    for place in 1..=end {
        waiting[place] += waiting[place - 1];
    }
    let count = (end - start).div_ceil(lengths.part);
    let mut cuts = vec![start];
    for k in 1..count {
        let middle = start + (end - start) * k / count;
        let slack = lengths.part / 5;
        let best = (middle - slack..middle + slack).min_by_key(|&place| waiting[place]).unwrap_or(middle);
        cuts.push(best);
    }
    cuts.push(end);
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// The last instruction that reads each value, or the value itself.
fn last_reads(program: &Program) -> Vec<usize> {
    let mut last: Vec<usize> = (0..program.instructions().len()).collect();
    for (place, instruction) in program.instructions().iter().enumerate() {
        for operand in instruction.operands() {
            if let Operand::Value(value) = operand {
                last[value as usize] = place;
            }
        }
    }
    last
}

/// The places in the scratch array of the values that one part makes and a later one reads, and its length.
fn connect(program: &Program, homes: &[Home], parts: &[Range<usize>]) -> (Vec<Option<usize>>, usize) {
    let instructions = program.instructions();
    let mut slots = vec![None; instructions.len()];
    if parts.len() == 1 {
        return (slots, 0);
    }
    // Part 0 is the calling function, to which the head belongs.
    let mut owner = vec![0; instructions.len()];
    for (k, range) in parts.iter().enumerate() {
        owner[range.clone()].fill(k + 1);
    }
    let mut last_part = vec![0; instructions.len()];
    for place in program.prologue()..instructions.len() {
        for operand in instructions[place].operands() {
            if let Operand::Value(value) = operand
                && homes[value as usize] == Home::Local
                && owner[value as usize] != owner[place]
            {
                last_part[value as usize] = owner[place];
            }
        }
    }
    let (mut free, mut scratch): (Vec<usize>, usize) = (Vec::new(), 0);
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); parts.len() + 1];
    let head = 0..program.prologue();
    for (k, range) in std::iter::once(&head).chain(parts).enumerate() {
        for value in range.clone().filter(|&value| last_part[value] > 0) {
            let slot = free.pop().unwrap_or_else(|| {
                scratch += 1;
                scratch - 1
            });
            slots[value] = Some(slot);
            ends[last_part[value]].push(slot);
        }
        // A place is free once the last part that reads it is done.
        free.append(&mut ends[k]);
        free.sort_unstable_by(|a, b| b.cmp(a));
    }
    (slots, scratch)
}
