//! From a program to machine code: registers by furthest next use, memory operands where an instruction takes them.
//!
//! Straight-line code has a near-optimal simple allocator: when a register is needed, the value whose next use is furthest
//! away gives up its own (Belady). What is in memory anyway — inputs, constants, sines, values spilled before — is dropped
//! without a store. The order of the program is kept.

use super::encode::{Assembler, Base, Binary, Form, Fused, Register, Source, Width};
use super::layout::{Layout, MIDDLE, WINDOW, WINDOWS, address};
use crate::program::{Instruction, Operand, Program};

const REGISTERS: usize = 16;
const NEVER: u32 = u32::MAX;

/// Machine code and the frame that it works in.
pub(super) struct Code {
    pub bytes: Vec<u8>,
    /// Where constants begin, in values.
    pub constants: usize,
    /// Where results begin, for four states.
    pub results: usize,
    /// Length of the frame in values.
    pub length: usize,
}

/// The machine code of the body of a program.
pub(super) fn generate(program: &Program, layout: &Layout, width: Width) -> Code {
    // Spills come before constants in the frame, so their number has to be known first; it does not depend on the places.
    let spills = Allocator::new(program, layout, width, 0).run().1;
    let (bytes, _, constants, results) = {
        let allocator = Allocator::new(program, layout, width, spills);
        let (constants, results) = (allocator.constants, allocator.results);
        let (bytes, spills) = allocator.run();
        (bytes, spills, constants, results)
    };
    let length = results + if width == Width::Four { program.output_count() } else { 0 };
    Code { bytes, constants, results, length }
}

struct Allocator<'a> {
    program: &'a Program,
    layout: &'a Layout,
    width: Width,
    out: Assembler,
    /// What each register holds, by entity: inputs, then constants, then values.
    holds: [Option<usize>; REGISTERS],
    register: Vec<Option<Register>>,
    /// The place in the frame of each entity that has one.
    memory: Vec<Option<usize>>,
    /// The instructions that read each entity, one list after the other, and how far they have been done.
    readers: Vec<u32>,
    next: Vec<usize>,
    end: Vec<usize>,
    /// Registers that the current instruction needs.
    locked: u32,
    free_spills: Vec<usize>,
    /// Spills that the current instruction may still read; free after it.
    ending_spills: Vec<usize>,
    spills: usize,
    constants: usize,
    results: usize,
}

impl<'a> Allocator<'a> {
    fn new(program: &'a Program, layout: &'a Layout, width: Width, spills: usize) -> Self {
        let (inputs, constants) = (program.input_count(), program.constants().len());
        let entities = inputs + constants + program.instructions().len();
        let first_constant = layout.spills + spills;
        let memory = (0..entities)
            .map(|entity| match entity {
                _ if entity < inputs => Some(layout.inputs + entity),
                _ if entity < inputs + constants => Some(first_constant + entity - inputs),
                _ => layout.value(entity - inputs - constants),
            })
            .collect();
        // The sign bit takes two places, because one number is flipped sixteen bytes at a time.
        let results = first_constant + constants + 2;
        let mut this = Self {
            program,
            layout,
            width,
            out: Assembler::new(width),
            holds: [None; REGISTERS],
            register: vec![None; entities],
            memory,
            readers: Vec::new(),
            next: Vec::new(),
            end: Vec::new(),
            locked: 0,
            free_spills: Vec::new(),
            ending_spills: Vec::new(),
            spills: 0,
            constants: first_constant,
            results,
        };
        this.find_readers(entities);
        this
    }

    fn entity(&self, operand: Operand) -> usize {
        let (inputs, constants) = (self.program.input_count(), self.program.constants().len());
        match operand {
            Operand::Input(place) => place as usize,
            Operand::Constant(place) => inputs + place as usize,
            Operand::Value(place) => inputs + constants + place as usize,
        }
    }

    fn find_readers(&mut self, entities: usize) {
        let body = || self.program.instructions().iter().enumerate().skip(self.program.prologue());
        let mut counts = vec![0_usize; entities];
        for (_, instruction) in body() {
            instruction.operands().for_each(|operand| counts[self.entity(operand)] += 1);
        }
        let mut start = 0;
        for count in counts {
            self.next.push(start);
            start += count;
            self.end.push(start);
        }
        let (mut readers, mut fill) = (vec![0; start], self.next.clone());
        for (place, instruction) in body() {
            for operand in instruction.operands() {
                let entity = self.entity(operand);
                readers[fill[entity]] = place as u32;
                fill[entity] += 1;
            }
        }
        self.readers = readers;
    }

    fn next_use(&self, entity: usize) -> u32 {
        if self.next[entity] < self.end[entity] { self.readers[self.next[entity]] } else { NEVER }
    }

    fn run(mut self) -> (Vec<u8>, usize) {
        let windows = self.windows();
        self.prepare(windows);
        // Where each value goes among the results.
        let mut stores: Vec<Vec<usize>> = vec![Vec::new(); self.register.len()];
        for (place, &result) in self.program.results().iter().enumerate() {
            stores[self.entity(result)].push(place);
        }
        for place in self.program.prologue()..self.program.instructions().len() {
            let instruction = self.program.instructions()[place];
            instruction.operands().for_each(|operand| {
                let entity = self.entity(operand);
                self.next[entity] += 1;
            });
            self.locked = 0;
            self.free_spills.append(&mut self.ending_spills);
            let to = self.execute(instruction);
            let value = self.entity(Operand::Value(place as u32));
            for &result in &stores[value] {
                self.store_result(result, to);
            }
            self.put(value, to);
            self.release(value);
        }
        for entity in 0..stores.len() {
            let computed = entity >= self.entity(Operand::Value(self.program.prologue() as u32));
            for &result in stores[entity].iter().filter(|_| !computed) {
                let from = self.memory[entity].unwrap_or(0);
                self.out.load(0, address(from, self.width));
                self.store_result(result, 0);
            }
        }
        for &window in WINDOWS[..windows].iter().rev().filter(|window| saved(**window)) {
            self.out.pop(window);
        }
        self.out.ret();
        (self.out.finish(), self.spills)
    }

    /// How many base registers the frame takes.
    fn windows(&self) -> usize {
        let bytes = self.results * self.width.bytes();
        bytes.div_ceil(WINDOW as usize).clamp(1, WINDOWS.len())
    }

    /// The frame comes in `rdi`, the results go to `rsi`.
    fn prepare(&mut self, windows: usize) {
        WINDOWS[..windows].iter().filter(|window| saved(**window)).for_each(|&window| self.out.push(window));
        for (place, &window) in WINDOWS[..windows].iter().enumerate().rev() {
            self.out.address(window, Base::Rdi, place as i32 * WINDOW + MIDDLE);
        }
        self.out.address(Base::Rsi, Base::Rsi, MIDDLE);
    }

    fn store_result(&mut self, result: usize, from: Register) {
        self.out.store(Base::Rsi, (result * self.width.bytes()) as i32 - MIDDLE, from);
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
                let sign = address(self.constants + self.program.constants().len(), self.width);
                self.out.xor(to, from, sign);
                to
            }
            // The layout is refused for a program with sines or cosines in its body.
            Instruction::Sqrt(a) | Instruction::Sin(a) | Instruction::Cos(a) => {
                let a = self.entity(a);
                let from = self.source(a);
                let to = self.destination(&[a]);
                self.out.sqrt(to, from);
                to
            }
        }
    }

    fn binary(&mut self, operation: Binary, a: Operand, b: Operand, commutes: bool) -> Register {
        let (mut a, mut b) = (self.entity(a), self.entity(b));
        if commutes && self.register[a].is_none() {
            // The one that is in a register first; of two in memory the one that is needed again sooner.
            if self.register[b].is_some() || self.next_use(b) < self.next_use(a) {
                (a, b) = (b, a);
            }
        }
        self.lock(b);
        let first = self.loaded(a);
        let second = self.source(b);
        let to = self.destination(&[a, b]);
        self.out.binary(operation, to, first, second);
        to
    }

    fn fused(&mut self, operation: Fused, a: Operand, b: Operand, c: Operand) -> Register {
        let (mut a, mut b, c) = (self.entity(a), self.entity(b), self.entity(c));
        [a, b, c].into_iter().for_each(|entity| self.lock(entity));
        let dies = |this: &Self, entity: usize| this.register[entity].is_some() && this.next_use(entity) == NEVER;
        if !dies(self, c) && !dies(self, a) && dies(self, b) {
            (a, b) = (b, a);
        }
        if !dies(self, c) && dies(self, a) {
            // The destination is a: a = a · b ± c or a = b · a ± c, with one operand at most in memory.
            let (form, second, third) = match (self.register[b], self.register[c]) {
                (_, Some(c)) => (Form::Form132, c, self.source(b)),
                (Some(b), None) => (Form::Form213, b, self.source(c)),
                (None, None) if self.next_use(c) < self.next_use(b) => (Form::Form132, self.loaded(c), self.source(b)),
                (None, None) => (Form::Form213, self.loaded(b), self.source(c)),
            };
            let to = self.loaded(a);
            self.out.fused(operation, form, to, second, third);
            self.release(b);
            self.release(c);
            self.forget(a);
            return to;
        }
        // The destination is c, or a copy of it: c ± a · b.
        if self.register[a].is_none() && (self.register[b].is_some() || self.next_use(b) < self.next_use(a)) {
            (a, b) = (b, a);
        }
        let second = self.loaded(a);
        let third = self.source(b);
        let to = if dies(self, c) {
            self.loaded(c)
        } else {
            let from = self.source(c);
            let to = self.allocate();
            self.out.load(to, from);
            to
        };
        self.locked |= 1 << to;
        self.out.fused(operation, Form::Form231, to, second, third);
        self.release(a);
        self.release(b);
        if self.register[c] == Some(to) {
            self.forget(c);
        } else {
            self.release(c);
        }
        to
    }

    fn lock(&mut self, entity: usize) {
        if let Some(register) = self.register[entity] {
            self.locked |= 1 << register;
        }
    }

    /// The register of an entity, which is loaded if it is not in one.
    fn loaded(&mut self, entity: usize) -> Register {
        let register = match self.register[entity] {
            Some(register) => register,
            None => {
                let from = self.source(entity);
                let register = self.allocate();
                self.out.load(register, from);
                self.put(entity, register);
                register
            }
        };
        self.locked |= 1 << register;
        register
    }

    fn source(&mut self, entity: usize) -> Source {
        match (self.register[entity], self.memory[entity]) {
            (Some(register), _) => {
                self.locked |= 1 << register;
                Source::Register(register)
            }
            (None, place) => address(place.unwrap_or(0), self.width),
        }
    }

    fn put(&mut self, entity: usize, register: Register) {
        self.holds[register as usize] = Some(entity);
        self.register[entity] = Some(register);
    }

    /// Gives back the register and the spill of an entity that is not read any more.
    fn release(&mut self, entity: usize) {
        if self.next_use(entity) == NEVER {
            self.forget(entity);
        }
    }

    fn forget(&mut self, entity: usize) {
        if let Some(register) = self.register[entity].take() {
            self.holds[register as usize] = None;
        }
        let spills = self.layout.spills..self.constants.max(self.layout.spills + self.spills);
        if let Some(place) = self.memory[entity].filter(|place| spills.contains(place) && self.is_computed(entity)) {
            self.ending_spills.push(place);
            self.memory[entity] = None;
        }
    }

    fn is_computed(&self, entity: usize) -> bool {
        entity >= self.program.input_count() + self.program.constants().len() + self.program.prologue()
    }

    /// A register for the result: one of an operand that is not read any more, or another.
    fn destination(&mut self, operands: &[usize]) -> Register {
        operands.iter().for_each(|&operand| self.release(operand));
        let freed = (0..REGISTERS).find(|&r| self.holds[r].is_none() && self.locked & (1 << r) != 0);
        match freed {
            Some(register) => register as Register,
            None => self.allocate(),
        }
    }

    /// A free register, or that of the entity whose next use is furthest away.
    fn allocate(&mut self) -> Register {
        let open = |r: &usize| self.locked & (1 << r) == 0;
        if let Some(register) = (0..REGISTERS).filter(open).find(|&r| self.holds[r].is_none()) {
            self.locked |= 1 << register;
            return register as Register;
        }
        let key = |&r: &usize| {
            let entity = self.holds[r].unwrap_or(0);
            // Of two equally far away, the one that needs no store.
            (self.next_use(entity), self.memory[entity].is_some())
        };
        let register = (0..REGISTERS).filter(open).max_by_key(key).unwrap_or(0);
        if let Some(entity) = self.holds[register].take() {
            self.register[entity] = None;
            if self.memory[entity].is_none() {
                let place = self.free_spills.pop().unwrap_or_else(|| {
                    self.spills += 1;
                    self.layout.spills + self.spills - 1
                });
                if let Source::Memory(base, displacement) = address(place, self.width) {
                    self.out.store(base, displacement, register as Register);
                }
                self.memory[entity] = Some(place);
            }
        }
        self.locked |= 1 << register;
        register as Register
    }
}

/// True for a register that belongs to the caller.
fn saved(window: Base) -> bool {
    matches!(window, Base::Rbx | Base::Rbp)
}
