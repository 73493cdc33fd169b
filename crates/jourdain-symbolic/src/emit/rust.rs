//! Rust without the standard library: one file, without dependencies and without `unsafe`.
//!
//! Sines and cosines are behind a trait of two functions, with an implementation of our own (`rust/support.rs`) as the
//! default, so that the plain functions work on any processor; the square root, which `core` does not have, is there if a
//! function needs it. The file can be the root of a crate or a module of one.

use super::body::{ANGLES, Body, COSINES, SCRATCH, SINES, Syntax};
use super::layout::{Layout, Lengths};
use super::writer::Writer;
use super::{File, Function, Module, number};
use crate::program::Instruction;

const LENGTHS: Lengths = Lengths { whole: 2200, part: 900 };

/// Angles go in fours, a vector register of them.
const WIDTH: usize = 4;

const SUPPORT: &str = include_str!("rust/support.rs");
const SQRT: &str = include_str!("rust/sqrt.rs");

struct Rust;

impl Syntax for Rust {
    fn element(&self, vector: &str, index: usize) -> String {
        format!("{vector}[{index}]")
    }

    fn define(&self, name: &str, expression: &str) -> String {
        format!("let {name} = {expression};")
    }

    fn assign(&self, place: &str, expression: &str) -> String {
        format!("{place} = {expression};")
    }

    fn call(&self, function: &str, argument: String) -> String {
        match function {
            "sqrt" => format!("sqrt({argument})"),
            _ => format!("Portable::{function}({argument})"),
        }
    }
}

pub(super) fn emit(module: &Module) -> Vec<File> {
    let mut writer = Writer::new();
    let mut lines = module.heading();
    lines.extend(
        [
            "",
            "No standard library, no allocation, no unsafe code. Arrays are row-major.",
            "Self-test: rustc --test, or cargo test where this is part of a crate.",
        ]
        .map(str::to_owned),
    );
    writer.lines("//! ", &lines);
    writer.line("\n#![allow(unused_attributes)] // as a module of a crate that has the standard library");
    writer.line("#![no_std]\n#![forbid(unsafe_code)]");
    writer.line("#![allow(dead_code, non_snake_case, clippy::all, clippy::pedantic)]\n");
    let bodies: Vec<(&Function, Body<'_, Rust>)> = module
        .functions
        .iter()
        .map(|function| (function, Body::new(function, Layout::new(&function.program, LENGTHS), Rust)))
        .collect();
    for (function, body) in &bodies {
        write_function(&mut writer, function, body);
    }
    let has = |test: fn(&Instruction) -> bool| {
        module.functions.iter().any(|function| function.program.instructions().iter().any(test))
    };
    if has(Instruction::is_trigonometric) {
        writer.line(SUPPORT);
    }
    if has(|instruction| matches!(instruction, Instruction::Sqrt(_))) {
        writer.line(SQRT);
    }
    write_tests(&mut writer, module);
    vec![File { name: format!("{}.rs", module.name), text: writer.text }]
}

/// The parameters of a function, one text each.
fn parameters(function: &Function) -> Vec<String> {
    let program = &function.program;
    let inputs = program.inputs().iter().map(|argument| format!("{}: &[f64; {}]", argument.name, argument.length));
    let outputs =
        program.outputs().iter().map(|argument| format!("{}: &mut [f64; {}]", argument.name, argument.length));
    inputs.chain(outputs).collect()
}

fn argument_names(function: &Function) -> Vec<&str> {
    let program = &function.program;
    program.inputs().iter().chain(program.outputs()).map(|argument| argument.name.as_str()).collect()
}

fn write_function(writer: &mut Writer, function: &Function, body: &Body<'_, Rust>) {
    let (program, name) = (&function.program, &function.name);
    let padded = body.layout.angles.len().next_multiple_of(WIDTH);
    let mut calls = Vec::new();
    if body.is_split() {
        for (k, part) in body.layout.parts.iter().enumerate() {
            let used = body.used(part);
            let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
            for (argument, _) in program.inputs().iter().zip(&used.inputs).filter(|(_, used)| **used) {
                parameters.push(format!("{}: &[f64; {}]", argument.name, argument.length));
                arguments.push(argument.name.clone());
            }
            if used.waves {
                for wave in [SINES, COSINES] {
                    parameters.push(format!("{wave}: &[f64; {padded}]"));
                    arguments.push(format!("&{wave}"));
                }
            }
            if used.scratch {
                parameters.push(format!("{SCRATCH}: &mut [f64; {}]", body.layout.scratch));
                arguments.push(format!("&mut {SCRATCH}"));
            }
            for (argument, _) in program.outputs().iter().zip(&used.outputs).filter(|(_, used)| **used) {
                parameters.push(format!("{}: &mut [f64; {}]", argument.name, argument.length));
                arguments.push(argument.name.clone());
            }
            writer.line(format!("#[inline(never)]\nfn {name}_part{}({}) {{", k + 1, parameters.join(", ")));
            writer.indented(|writer| {
                if used.waves {
                    writer.line(format!("let _ = ({SINES}, {COSINES});"));
                }
                body.part(writer, part);
            });
            writer.line("}\n");
            calls.push(format!("{name}_part{}({});", k + 1, arguments.join(", ")));
        }
    }
    writer.lines("/// ", &function.heading());
    let trigonometric = !body.layout.angles.is_empty();
    if trigonometric {
        writer.line(format!("pub fn {name}({}) {{", parameters(function).join(", ")));
        writer.line(format!("    {name}_with::<Portable>({});", argument_names(function).join(", ")));
        writer.line(format!("}}\n\n/// [`{name}`] with other sines and cosines."));
        writer.line(format!("pub fn {name}_with<T: Trigonometry>({}) {{", parameters(function).join(", ")));
    } else {
        writer.line(format!("pub fn {name}({}) {{", parameters(function).join(", ")));
    }
    writer.indented(|writer| {
        for argument in body.unread() {
            writer.line(format!("let _ = {};", argument.name));
        }
        if body.layout.scratch > 0 {
            writer.line(format!("let mut {SCRATCH} = [0.0; {}];", body.layout.scratch));
        }
        body.head(writer);
        if trigonometric {
            let mut angles = body.angles();
            angles.resize(padded, number(0.0));
            writer.line(format!("let (mut {SINES}, mut {COSINES}) = ([0.0; {padded}], [0.0; {padded}]);"));
            writer.line(format!("let {ANGLES} = [{}];", angles.join(", ")));
            writer.line(format!("T::sines(&{ANGLES}, &mut {SINES}, &mut {COSINES});"));
        }
        body.rest(writer, &calls, |name, run| format!("{name}[{}..{}].fill(0.0);", run.start, run.end));
    });
    writer.line("}\n");
}

/// How a test compares; not-a-number fails.
const CHECK: &str = "\
fn check(found: &[f64], expected: &[(usize, f64)], most: f64) {
    for &(place, value) in expected {
        let x = found[place];
        assert!((x - value).abs() <= most, \"[{}] = {:e}, expected {:e}\", place, x, value);
    }
}
";

fn write_tests(writer: &mut Writer, module: &Module) {
    writer.line("#[cfg(test)]\nmod tests {");
    writer.indented(|writer| {
        CHECK.lines().for_each(|line| writer.line(line));
        for function in &module.functions {
            let program = &function.program;
            writer.line("");
            writer.line("#[test]");
            writer.line(format!("fn {}_has_its_reference_values() {{", function.name));
            writer.indented(|writer| {
                for (argument, numbers) in function.case_inputs() {
                    writer.line(format!("let {} = [", argument.name));
                    writer.indented(|writer| writer.numbers(numbers, |x| number(*x)));
                    writer.line("];");
                }
                for argument in program.outputs() {
                    writer.line(format!("let mut {} = [f64::NAN; {}];", argument.name, argument.length));
                }
                let inputs = program.inputs().iter().map(|argument| format!("&{}", argument.name));
                let outputs = program.outputs().iter().map(|argument| format!("&mut {}", argument.name));
                let arguments: Vec<String> = inputs.chain(outputs).collect();
                writer.line(format!("super::{}({});", function.name, arguments.join(", ")));
                for (argument, samples) in program.outputs().iter().zip(function.samples()) {
                    writer.line(format!("let expected: [(usize, f64); {}] = [", samples.len()));
                    let pair = |(place, value): (usize, f64)| format!("({place}, {})", number(value));
                    writer.indented(|writer| writer.numbers(samples, pair));
                    writer.line("];");
                    writer.line(format!("check(&{}, &expected, {});", argument.name, number(function.tolerance())));
                }
            });
            writer.line("}");
        }
    });
    writer.line("}");
}

/// The code that is written into files, compiled here so that it can be tested.
#[cfg(test)]
#[allow(clippy::approx_constant)] // The crate `core` has another path in the first edition of Rust.
mod portable {
    use crate::random::repetitions;

    include!("rust/support.rs");
    include!("rust/sqrt.rs");

    /// One unit in the last place; at a zero of the function, what the tail leaves.
    fn agrees(found: f64, library: f64) -> bool {
        let unit = library.abs().next_up() - library.abs();
        (found - library).abs() <= unit.max(1e-20)
    }

    fn check(x: f64) {
        let (s, c) = (Portable::sin(x), Portable::cos(x));
        let (mut sines, mut cosines) = ([0.0; 2], [0.0; 2]);
        Portable::sines(&[0.5, x], &mut sines, &mut cosines);
        assert!([sines[1], cosines[1]].map(f64::to_bits) == [s, c].map(f64::to_bits), "among others, at {x:e}");
        assert!(agrees(s, x.sin()), "sin({x:e}) = {s:e}, not {:e}", x.sin());
        assert!(agrees(c, x.cos()), "cos({x:e}) = {c:e}, not {:e}", x.cos());
    }

    #[test]
    fn portable_sines_are_within_a_unit_in_the_last_place() {
        for i in 0..repetitions::<i32>(200_000) {
            check(f64::from(i) * 0.000_37 - 37.0);
            check(f64::from(i) * 0.71 - 71_000.0);
        }
    }

    #[test]
    fn portable_sines_of_huge_angles_are_within_a_unit_in_the_last_place() {
        let mut x = 1.000_001e5_f64;
        while x.is_finite() {
            check(x);
            check(-x);
            x *= if cfg!(miri) { 1e5 } else { 1.000_873 };
        }
        // The angle that comes nearest to a multiple of pi/2.
        check(6_381_956_970_095_103.0 * 2.0_f64.powi(797));
        check(f64::MAX);
        assert!(Portable::sin(f64::INFINITY).is_nan() && Portable::cos(f64::NAN).is_nan());
    }

    #[test]
    fn portable_square_roots_are_within_a_unit_in_the_last_place() {
        let mut x = 5e-324_f64;
        while x.is_finite() {
            let (found, library) = (sqrt(x), x.sqrt());
            assert!((found - library).abs() <= library.next_up() - library, "sqrt({x:e}) = {found:e}, not {library:e}");
            x *= if cfg!(miri) { 1e3 } else { 1.003_7 } + 5e-324 / x;
        }
        assert_eq!((sqrt(0.0), sqrt(f64::INFINITY)), (0.0, f64::INFINITY));
        assert!(sqrt(-1.0).is_nan() && sqrt(f64::NAN).is_nan());
    }
}
