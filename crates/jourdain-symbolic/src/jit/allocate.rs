//! Registers for a program: by furthest next use, with memory operands where an instruction takes them.
//!
//! Straight-line code has a near-optimal simple allocator: when a register is needed, the value whose next use is furthest
//! away gives up its own (Belady). What is in memory anyway — inputs, constants, sines, values spilled before — is dropped
//! without a store. The order of the program is kept.
//!
//! The outcome is a list of [`Step`]s that does not depend on how many states an instruction works on, nor on where the
//! numbers stand in memory: [`layout`](super::layout) decides that by how often each is read, and
//! [`assemble`](super::assemble) writes the code.

use super::encode::{Binary, Form, Fused, Register};
use crate::program::{Instruction, Operand, Program};

const REGISTERS: usize = 16;
const NEVER: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

/// A number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    Input(u32),
    /// A value of the prologue, by its number.
    Prologue(u32),
    Spill(u32),
    Constant(u32),
    /// −0, whose only bit is the sign.
    Sign,
}

/// The last operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Register(Register),
    Memory(Memory),
}

/// A machine instruction before it has addresses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// to = a ∘ from
    Binary(Binary, Register, Register, From),
    /// The destination is the first operand of the form.
    Fused(Fused, Form, Register, Register, From),
    /// to = −a
    Negate(Register, Register),
    Sqrt(Register, From),
    Load(Register, From),
    /// Keeps a register in a spill.
    Spill(u32, Register),
    /// Writes a distinct result, by its number.
    Result(u32, Register),
}

/// What becomes of a program.
pub(super) struct Allocation {
    pub steps: Vec<Step>,
    /// The steps before those that copy results which nothing computes.
    pub computing: usize,
    pub spills: usize,
}

/// The steps of the body of a program. `distinct` are the numbers that the steps write as results, in the order of their
/// numbers; no two are the same.
pub(super) fn allocate(program: &Program, distinct: &[Operand]) -> Allocation {
    let mut allocator = Allocator::new(program);
    allocator.run(distinct);
    let computing = allocator.steps.len();
    allocator.copy(distinct);
    Allocation { steps: allocator.steps, computing, spills: allocator.spills as usize }
}

struct Allocator<'a> {
    program: &'a Program,
    steps: Vec<Step>,
    /// What each register holds, by entity: inputs, then constants, then values.
    holds: [u32; REGISTERS],
    /// The register of each entity.
    register: Vec<Register>,
    /// The spill of each value of the body that has one.
    spill: Vec<u32>,
    /// The instructions that read each entity, one list after the other, and how far they have been done.
    readers: Vec<u32>,
    next: Vec<u32>,
    end: Vec<u32>,
    /// Registers that the current instruction needs.
    locked: u32,
    free_spills: Vec<u32>,
    /// Spills that the current instruction may still read; free after it.
    ending_spills: Vec<u32>,
    spills: u32,
    constants: usize,
    values: usize,
}

/// No register.
const NOWHERE: Register = Register::MAX;

impl<'a> Allocator<'a> {
    fn new(program: &'a Program) -> Self {
        let constants = program.input_count();
        let values = constants + program.constants().len();
        let entities = values + program.instructions().len();
        let mut this = Self {
            program,
            steps: Vec::with_capacity(2 * program.instructions().len()),
            holds: [NONE; REGISTERS],
            register: vec![NOWHERE; entities],
            spill: vec![NONE; entities],
            readers: Vec::new(),
            next: Vec::new(),
            end: Vec::new(),
            locked: 0,
            free_spills: Vec::new(),
            ending_spills: Vec::new(),
            spills: 0,
            constants,
            values,
        };
        this.find_readers(entities);
        this
    }

    fn entity(&self, operand: Operand) -> usize {
        match operand {
            Operand::Input(place) => place as usize,
            Operand::Constant(place) => self.constants + place as usize,
            Operand::Value(place) => self.values + place as usize,
        }
    }

    fn find_readers(&mut self, entities: usize) {
        let body = || self.program.instructions().iter().enumerate().skip(self.program.prologue());
        let mut counts = vec![0_u32; entities + 1];
        for (_, instruction) in body() {
            instruction.operands().for_each(|operand| counts[self.entity(operand) + 1] += 1);
        }
        // Running sums: where the list of each entity begins.
        for entity in 0..entities {
            counts[entity + 1] += counts[entity];
        }
        let (mut readers, mut fill) = (vec![0; counts[entities] as usize], counts.clone());
        for (place, instruction) in body() {
            for operand in instruction.operands() {
                let entity = self.entity(operand);
                readers[fill[entity] as usize] = place as u32;
                fill[entity] += 1;
            }
        }
        self.readers = readers;
        self.end = counts[1..].to_vec();
        self.next = counts;
    }

    fn next_use(&self, entity: usize) -> u32 {
        if self.next[entity] < self.end[entity] { self.readers[self.next[entity] as usize] } else { NEVER }
    }

    fn run(&mut self, distinct: &[Operand]) {
        let first = self.program.prologue();
        let mut result = vec![NONE; self.register.len()];
        for (number, &operand) in distinct.iter().enumerate() {
            result[self.entity(operand)] = number as u32;
        }
        for (place, &instruction) in self.program.instructions().iter().enumerate().skip(first) {
            for operand in instruction.operands() {
                let entity = self.entity(operand);
                self.next[entity] += 1;
            }
            self.locked = 0;
            self.free_spills.append(&mut self.ending_spills);
            let to = self.execute(instruction);
            let value = self.values + place;
            if result[value] != NONE {
                self.steps.push(Step::Result(result[value], to));
            }
            self.put(value, to);
            self.release(value);
        }
    }

    /// Results that no instruction of the body computes.
    fn copy(&mut self, distinct: &[Operand]) {
        for (number, &operand) in distinct.iter().enumerate() {
            let entity = self.entity(operand);
            if !self.is_computed(entity) {
                let from = From::Memory(self.memory(entity));
                self.steps.extend([Step::Load(0, from), Step::Result(number as u32, 0)]);
            }
        }
    }

    /// The register of what an instruction computes.
    fn execute(&mut self, instruction: Instruction) -> Register {
        match instruction {
            Instruction::Add(a, b) => self.binary(Binary::Add, a, b, true),
            Instruction::Mul(a, b) => self.binary(Binary::Mul, a, b, true),
            Instruction::Sub(a, b) => self.binary(Binary::Sub, a, b, false),
            Instruction::Div(a, b) => self.binary(Binary::Div, a, b, false),
            Instruction::MulAdd(a, b, c) => self.fused(Fused::MulAdd, a, b, c),
            Instruction::MulSub(a, b, c) => self.fused(Fused::MulSub, a, b, c),
            Instruction::NegMulAdd(a, b, c) => self.fused(Fused::NegMulAdd, a, b, c),
            Instruction::Neg(a) => {
                let a = self.entity(a);
                let from = self.loaded(a);
                let to = self.destination(&[a]);
                self.steps.push(Step::Negate(to, from));
                to
            }
            // The layout is refused for a program with sines or cosines in its body.
            Instruction::Sqrt(a) | Instruction::Sin(a) | Instruction::Cos(a) => {
                let a = self.entity(a);
                let from = self.source(a);
                let to = self.destination(&[a]);
                self.steps.push(Step::Sqrt(to, from));
                to
            }
        }
    }

    fn binary(&mut self, operation: Binary, a: Operand, b: Operand, commutes: bool) -> Register {
        let (mut a, mut b) = (self.entity(a), self.entity(b));
        if commutes && !self.is_loaded(a) {
            // The one that is in a register first; of two in memory the one that is needed again sooner.
            if self.is_loaded(b) || self.next_use(b) < self.next_use(a) {
                (a, b) = (b, a);
            }
        }
        self.lock(b);
        let first = self.loaded(a);
        let second = self.source(b);
        let to = self.destination(&[a, b]);
        self.steps.push(Step::Binary(operation, to, first, second));
        to
    }

    fn fused(&mut self, operation: Fused, a: Operand, b: Operand, c: Operand) -> Register {
        let (mut a, mut b, c) = (self.entity(a), self.entity(b), self.entity(c));
        [a, b, c].into_iter().for_each(|entity| self.lock(entity));
        let dies = |this: &Self, entity: usize| this.is_loaded(entity) && this.next_use(entity) == NEVER;
        if !dies(self, c) && !dies(self, a) && dies(self, b) {
            (a, b) = (b, a);
        }
        if !dies(self, c) && dies(self, a) {
            // The destination is a: a = a · b ± c or a = b · a ± c, with one operand at most in memory.
            let (form, second, third) = match (self.is_loaded(b), self.is_loaded(c)) {
                (_, true) => (Form::Form132, self.register[c], self.source(b)),
                (true, false) => (Form::Form213, self.register[b], self.source(c)),
                (false, false) if self.next_use(c) < self.next_use(b) => {
                    (Form::Form132, self.loaded(c), self.source(b))
                }
                (false, false) => (Form::Form213, self.loaded(b), self.source(c)),
            };
            let to = self.loaded(a);
            self.steps.push(Step::Fused(operation, form, to, second, third));
            self.release(b);
            self.release(c);
            self.forget(a);
            return to;
        }
        // The destination is c, or a copy of it: c ± a · b.
        if !self.is_loaded(a) && (self.is_loaded(b) || self.next_use(b) < self.next_use(a)) {
            (a, b) = (b, a);
        }
        let second = self.loaded(a);
        let third = self.source(b);
        let to = if dies(self, c) {
            self.loaded(c)
        } else {
            let from = self.source(c);
            let to = self.free_register();
            self.steps.push(Step::Load(to, from));
            to
        };
        self.locked |= 1 << to;
        self.steps.push(Step::Fused(operation, Form::Form231, to, second, third));
        self.release(a);
        self.release(b);
        if self.register[c] == to {
            self.forget(c);
        } else {
            self.release(c);
        }
        to
    }

    fn is_loaded(&self, entity: usize) -> bool {
        self.register[entity] != NOWHERE
    }

    fn lock(&mut self, entity: usize) {
        if self.is_loaded(entity) {
            self.locked |= 1 << self.register[entity];
        }
    }

    /// The register of an entity, which is loaded if it is not in one.
    fn loaded(&mut self, entity: usize) -> Register {
        if !self.is_loaded(entity) {
            let from = self.source(entity);
            let register = self.free_register();
            self.steps.push(Step::Load(register, from));
            self.put(entity, register);
        }
        self.lock(entity);
        self.register[entity]
    }

    fn source(&mut self, entity: usize) -> From {
        if self.is_loaded(entity) {
            self.lock(entity);
            From::Register(self.register[entity])
        } else {
            From::Memory(self.memory(entity))
        }
    }

    /// Where an entity that is in no register stands.
    fn memory(&self, entity: usize) -> Memory {
        if entity < self.constants {
            Memory::Input(entity as u32)
        } else if entity < self.values {
            Memory::Constant((entity - self.constants) as u32)
        } else if entity < self.values + self.program.prologue() {
            Memory::Prologue((entity - self.values) as u32)
        } else {
            Memory::Spill(self.spill[entity])
        }
    }

    fn is_computed(&self, entity: usize) -> bool {
        entity >= self.values + self.program.prologue()
    }

    fn put(&mut self, entity: usize, register: Register) {
        self.holds[register as usize] = entity as u32;
        self.register[entity] = register;
    }

    /// Gives back the register and the spill of an entity that is not read any more.
    fn release(&mut self, entity: usize) {
        if self.next_use(entity) == NEVER {
            self.forget(entity);
        }
    }

    fn forget(&mut self, entity: usize) {
        if self.is_loaded(entity) {
            self.holds[self.register[entity] as usize] = NONE;
            self.register[entity] = NOWHERE;
        }
        if self.spill[entity] != NONE {
            self.ending_spills.push(self.spill[entity]);
            self.spill[entity] = NONE;
        }
    }

    /// A register for the result: one of an operand that is not read any more, or another.
    fn destination(&mut self, operands: &[usize]) -> Register {
        operands.iter().for_each(|&operand| self.release(operand));
        let freed = (0..REGISTERS).find(|&r| self.holds[r] == NONE && self.locked & (1 << r) != 0);
        match freed {
            Some(register) => register as Register,
            None => self.free_register(),
        }
    }

    /// A free register, or that of the entity whose next use is furthest away.
    fn free_register(&mut self) -> Register {
        let open = |r: &usize| self.locked & (1 << r) == 0;
        if let Some(register) = (0..REGISTERS).filter(open).find(|&r| self.holds[r] == NONE) {
            self.locked |= 1 << register;
            return register as Register;
        }
        let key = |&r: &usize| {
            let entity = self.holds[r] as usize;
            // Of two equally far away, the one that needs no store.
            (self.next_use(entity), !self.is_computed(entity) || self.spill[entity] != NONE)
        };
        let register = (0..REGISTERS).filter(open).max_by_key(key).unwrap_or(0);
        let entity = self.holds[register] as usize;
        self.holds[register] = NONE;
        self.register[entity] = NOWHERE;
        if self.is_computed(entity) && self.spill[entity] == NONE {
            let place = self.free_spills.pop().unwrap_or_else(|| {
                self.spills += 1;
                self.spills - 1
            });
            self.steps.push(Step::Spill(place, register as Register));
            self.spill[entity] = place;
        }
        self.locked |= 1 << register;
        register as Register
    }
}
