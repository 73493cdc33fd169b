//! Python: one module that needs NumPy.
//!
//! A function takes one state, or arrays of states along leading axes that broadcast against each other. One state is
//! computed in Python's own floats, which are faster than arrays of one number.

use super::body::{Body, COSINES, SINES, Syntax};
use super::layout::{Layout, Lengths};
use super::writer::Writer;
use super::{File, Function, Module, number};

/// The interpreter compiles in linear time.
const LENGTHS: Lengths = Lengths { whole: usize::MAX, part: usize::MAX };

struct Python;

impl Syntax for Python {
    fn element(&self, vector: &str, index: usize) -> String {
        format!("{vector}[{index}]")
    }

    fn define(&self, name: &str, expression: &str) -> String {
        format!("{name} = {expression}")
    }

    fn assign(&self, place: &str, expression: &str) -> String {
        format!("{place} = {expression}")
    }

    fn call(&self, function: &str, argument: String) -> String {
        format!("_np.{function}({argument})")
    }

    fn output(&self, function: &Function, output: usize, index: usize) -> String {
        format!("{}[..., {index}]", function.program.outputs()[output].name)
    }
}

/// What all functions share. Names that start with an underscore stay out of `import *`.
const SUPPORT: &str = "\
import math as _math

import numpy as _np


def _numbers(name, values, length):
    \"\"\"The numbers of a vector: floats for one state, arrays for many.\"\"\"
    values = _np.asarray(values, dtype=float)
    if values.shape[-1:] != (length,):
        raise ValueError(f\"{name} needs {length} numbers along its last axis, not shape {values.shape}\")
    if values.ndim == 1:
        return values.tolist(), ()
    return list(_np.moveaxis(values, -1, 0)), values.shape[:-1]


def _sines(angles):
    sines = [_math.sin(x) if isinstance(x, float) else _np.sin(x) for x in angles]
    cosines = [_math.cos(x) if isinstance(x, float) else _np.cos(x) for x in angles]
    return sines, cosines

";

/// How the self-test compares; not-a-number fails.
const CHECK: &str = "\
def _check(name, found, expected, most):
    found = _np.asarray(found).reshape(-1)
    for place, value in expected:
        if not abs(found[place] - value) <= most:
            raise AssertionError(f\"{name}[{place}] = {found[place]!r}, expected {value!r}\")

";

pub(super) fn emit(module: &Module) -> Vec<File> {
    let mut writer = Writer::new();
    writer.line("\"\"\"");
    writer.text.truncate(writer.text.len() - 1);
    let mut lines = module.heading();
    lines.extend(
        [
            "",
            "Vectors may have leading axes for many states, which broadcast against each other; so have the results then.",
            "Self-test: run this file.",
        ]
        .map(str::to_owned),
    );
    writer.lines("", &lines);
    writer.line("\"\"\"\n");
    let names: Vec<String> = module.functions.iter().map(|function| format!("\"{}\"", function.name)).collect();
    writer.line(SUPPORT);
    writer.line("__all__ = [");
    writer.indented(|writer| writer.numbers(&names, |name| (*name).clone()));
    writer.line("]\n\n");
    for function in &module.functions {
        write_function(&mut writer, function);
    }
    writer.line(CHECK);
    writer.line(
        "\ndef self_test():\n    \"\"\"Raises an AssertionError if a function has not its reference values.\"\"\"",
    );
    writer.indented(|writer| {
        for function in &module.functions {
            write_case(writer, function);
        }
    });
    writer.line("\n\nif __name__ == \"__main__\":\n    self_test()");
    writer.line(format!("    print(\"{}: ok\")", module.name));
    vec![File { name: format!("{}.py", module.name), text: writer.text }]
}

fn write_function(writer: &mut Writer, function: &Function) {
    let program = &function.program;
    let body = Body::new(function, Layout::new(program, LENGTHS), Python);
    let names: Vec<&str> = program.inputs().iter().map(|argument| argument.name.as_str()).collect();
    writer.line(format!("def {}({}):", function.name, names.join(", ")));
    writer.indented(|writer| {
        let heading = function.heading();
        writer.line(format!("\"\"\"{}\n", heading[0]));
        writer.lines("", &heading[1..]);
        writer.line("\"\"\"");
        let mut shapes = Vec::new();
        for argument in program.inputs() {
            let (name, length) = (&argument.name, argument.length);
            writer.line(format!("{name}, {name}_shape = _numbers(\"{name}\", {name}, {length})"));
            shapes.push(format!("{name}_shape"));
        }
        writer.line(match shapes.len() {
            0 => "shape = ()".to_owned(),
            _ => format!("shape = _np.broadcast_shapes({})", shapes.join(", ")),
        });
        for argument in program.outputs() {
            writer.line(format!("{} = _np.zeros(shape + ({},))", argument.name, argument.length));
        }
        body.head(writer);
        if !body.layout.angles.is_empty() {
            writer.line(format!("{SINES}, {COSINES} = _sines([{}])", body.angles().join(", ")));
        }
        body.plain(writer);
        body.layout.parts.iter().for_each(|part| body.part(writer, part));
        let results: Vec<String> = program
            .outputs()
            .iter()
            .zip(&function.outputs)
            .map(|(argument, output)| match output.lengths.as_slice() {
                [] => format!("{}[..., 0]", argument.name),
                [_] => argument.name.clone(),
                lengths => {
                    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
                    format!("{}.reshape(shape + ({}))", argument.name, lengths.join(", "))
                }
            })
            .collect();
        writer.line(format!("return {}", results.join(", ")));
    });
    writer.line("\n");
}

fn write_case(writer: &mut Writer, function: &Function) {
    let program = &function.program;
    let mut arguments = Vec::new();
    for (argument, numbers) in function.case_inputs() {
        writer.line(format!("{} = [", argument.name));
        writer.indented(|writer| writer.numbers(numbers, |x| number(*x)));
        writer.line("]");
        arguments.push(argument.name.as_str());
    }
    let call = format!("{}({})", function.name, arguments.join(", "));
    let results: Vec<String> = (0..program.outputs().len()).map(|k| format!("found{k}")).collect();
    writer.line(format!("{} = {call}", results.join(", ")));
    for ((result, argument), samples) in results.iter().zip(program.outputs()).zip(function.samples()) {
        let label = if results.len() == 1 { &function.name } else { &argument.name };
        writer.line("expected = [");
        let pair = |(place, value): (usize, f64)| format!("({place}, {})", number(value));
        writer.indented(|writer| writer.numbers(samples, pair));
        writer.line("]");
        writer.line(format!("_check(\"{label}\", {result}, expected, {})", number(function.tolerance())));
    }
}
