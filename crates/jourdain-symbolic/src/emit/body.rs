//! The straight-line part of a function, in the syntax of any language.

use super::layout::{Home, Layout};
use super::writer::{Writer, expression};
use super::{Function, number};
use crate::program::{Argument, Operand};
use core::ops::Range;

/// What differs between languages in straight-line code.
pub(super) trait Syntax {
    /// An element of a vector, counted from 0.
    fn element(&self, vector: &str, index: usize) -> String;

    /// The definition of a value that never changes.
    fn define(&self, name: &str, expression: &str) -> String;

    /// The assignment to a place.
    fn assign(&self, place: &str, expression: &str) -> String;

    /// A call of `sqrt`, `sin` or `cos`.
    fn call(&self, function: &str, argument: String) -> String;

    /// An element of an output, row-major.
    fn output(&self, function: &Function, output: usize, index: usize) -> String {
        self.element(&function.program.outputs()[output].name, index)
    }
}

/// What a part of a function touches.
#[derive(Clone, Debug)]
pub(super) struct Used {
    /// Per input.
    pub inputs: Vec<bool>,
    /// Sines and cosines.
    pub waves: bool,
    /// The scratch array.
    pub scratch: bool,
    /// Per output.
    pub outputs: Vec<bool>,
}

/// A function with its layout and a language.
pub(super) struct Body<'a, S> {
    function: &'a Function,
    pub(super) layout: Layout,
    syntax: S,
    inputs: Vec<(usize, usize)>,
    pub(super) outputs: Vec<(usize, usize)>,
    uses: Vec<u32>,
}

/// Names of the arrays in generated code.
pub(super) const SINES: &str = "s";
pub(super) const COSINES: &str = "c";
pub(super) const ANGLES: &str = "a";
pub(super) const SCRATCH: &str = "w";

impl<'a, S: Syntax> Body<'a, S> {
    pub(super) fn new(function: &'a Function, layout: Layout, syntax: S) -> Self {
        let (inputs, outputs) = (function.input_places(), function.output_places());
        Self { uses: function.program.uses(), function, layout, syntax, inputs, outputs }
    }

    /// True if the function is cut into several.
    pub(super) fn is_split(&self) -> bool {
        self.layout.parts.len() > 1
    }

    /// A value as an operand of an instruction in a part; `None` is the calling function.
    fn operand(&self, operand: Operand, part: Option<&Range<usize>>) -> String {
        match operand {
            Operand::Input(place) => {
                let (argument, index) = self.inputs[place as usize];
                self.syntax.element(&self.function.program.inputs()[argument].name, index)
            }
            Operand::Constant(place) => number(self.function.program.constants()[place as usize]),
            Operand::Value(value) => match (self.layout.homes[value as usize], self.layout.slots[value as usize]) {
                (Home::Sine(angle), _) => self.syntax.element(SINES, angle),
                (Home::Cosine(angle), _) => self.syntax.element(COSINES, angle),
                (Home::Local, Some(slot)) if part.is_some_and(|part| !part.contains(&(value as usize))) => {
                    self.syntax.element(SCRATCH, slot)
                }
                (Home::Local, _) => local(value as usize),
            },
        }
    }

    fn store_name(&self, result: usize) -> String {
        let (output, index) = self.outputs[result];
        self.syntax.output(self.function, output, index)
    }

    fn instruction(&self, writer: &mut Writer, place: usize, part: Option<&Range<usize>>) {
        let instruction = &self.function.program.instructions()[place];
        let text = expression(instruction, |operand| self.operand(operand, part), |f, x| self.syntax.call(f, x));
        let (stores, slot) = (&self.layout.stores[place], self.layout.slots[place]);
        match stores.as_slice() {
            [result] if self.uses[place] == 1 => writer.line(self.syntax.assign(&self.store_name(*result), &text)),
            _ => {
                let name = local(place);
                writer.line(self.syntax.define(&name, &text));
                if let Some(slot) = slot {
                    writer.line(self.syntax.assign(&self.syntax.element(SCRATCH, slot), &name));
                }
                for &result in stores {
                    writer.line(self.syntax.assign(&self.store_name(result), &name));
                }
            }
        }
    }

    /// What the angles are made of.
    pub(super) fn head(&self, writer: &mut Writer) {
        for &place in &self.layout.head {
            self.instruction(writer, place, None);
        }
    }

    /// The angles.
    pub(super) fn angles(&self) -> Vec<String> {
        self.layout.angles.iter().map(|&angle| self.operand(angle, None)).collect()
    }

    /// Results that no part computes and that are not zero.
    pub(super) fn plain(&self, writer: &mut Writer) {
        for &result in &self.layout.plain {
            let value = self.operand(self.function.program.results()[result], None);
            writer.line(self.syntax.assign(&self.store_name(result), &value));
        }
    }

    /// Zeros of the outputs in runs: output, first and last place.
    fn zeros(&self) -> Vec<(usize, Range<usize>)> {
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for result in self.layout.zeros.iter().cloned().flatten() {
            let (output, index) = self.outputs[result];
            match runs.last_mut() {
                Some((last, run)) if *last == output && run.end == index => run.end += 1,
                _ => runs.push((output, index..index + 1)),
            }
        }
        runs
    }

    /// What follows the sines: zeros and other results that need no arithmetic, then the instructions, or the calls of the
    /// functions that they are in. `clear` sets a run of numbers to zero.
    pub(super) fn rest(&self, writer: &mut Writer, calls: &[String], clear: impl Fn(&str, Range<usize>) -> String) {
        for (output, run) in self.zeros() {
            let name = &self.function.program.outputs()[output].name;
            if run.len() > 3 {
                writer.line(clear(name, run));
            } else {
                run.for_each(|index| writer.line(self.syntax.assign(&self.syntax.element(name, index), &number(0.0))));
            }
        }
        self.plain(writer);
        match calls {
            [] => self.layout.parts.iter().for_each(|part| self.part(writer, part)),
            calls => calls.iter().for_each(|call| writer.line(call)),
        }
    }

    /// The instructions of a part.
    pub(super) fn part(&self, writer: &mut Writer, part: &Range<usize>) {
        for place in part.clone() {
            self.instruction(writer, place, Some(part));
        }
    }

    /// What a part touches.
    pub(super) fn used(&self, part: &Range<usize>) -> Used {
        let program = &self.function.program;
        let mut used = Used {
            inputs: vec![false; program.inputs().len()],
            waves: false,
            scratch: false,
            outputs: vec![false; program.outputs().len()],
        };
        for place in part.clone() {
            for operand in program.instructions()[place].operands() {
                match operand {
                    Operand::Input(input) => used.inputs[self.inputs[input as usize].0] = true,
                    Operand::Constant(_) => {}
                    Operand::Value(value) if self.layout.homes[value as usize] != Home::Local => used.waves = true,
                    Operand::Value(value) => used.scratch |= !part.contains(&(value as usize)),
                }
            }
            used.scratch |= self.layout.slots[place].is_some();
            for &result in &self.layout.stores[place] {
                used.outputs[self.outputs[result].0] = true;
            }
        }
        used
    }

    /// Inputs that no instruction reads and that no result is.
    pub(super) fn unread(&self) -> Vec<&'a Argument> {
        let program = &self.function.program;
        let mut read = vec![false; program.inputs().len()];
        let operands = program.instructions().iter().flat_map(|instruction| instruction.operands());
        for operand in operands.chain(program.results().iter().copied()) {
            if let Operand::Input(input) = operand {
                read[self.inputs[input as usize].0] = true;
            }
        }
        program.inputs().iter().zip(read).filter(|(_, read)| !read).map(|(argument, _)| argument).collect()
    }
}

fn local(place: usize) -> String {
    format!("v{place}")
}
