//! MATLAB and Octave: a file per function, and one that tests them all.
//!
//! Results have the shape of the quantity: out(i, j, h) is the element of row i and column j, not of a row-major vector.

use super::body::{Body, COSINES, SINES, Syntax};
use super::layout::{Layout, Lengths};
use super::writer::Writer;
use super::{File, Function, Module, number};

/// The interpreter compiles in linear time.
const LENGTHS: Lengths = Lengths { whole: usize::MAX, part: usize::MAX };

/// Most characters of a name.
const LONGEST: usize = 63;

struct Matlab;

impl Syntax for Matlab {
    fn element(&self, vector: &str, index: usize) -> String {
        format!("{vector}({})", index + 1)
    }

    fn define(&self, name: &str, expression: &str) -> String {
        format!("{name} = {expression};")
    }

    fn assign(&self, place: &str, expression: &str) -> String {
        format!("{place} = {expression};")
    }

    fn call(&self, function: &str, argument: String) -> String {
        // The root of a negative number is an error here, as it is no number elsewhere, and never complex.
        let function = if function == "sqrt" { "realsqrt" } else { function };
        format!("{function}({argument})")
    }

    fn output(&self, function: &Function, output: usize, index: usize) -> String {
        element(&function.program.outputs()[output].name, &function.outputs[output].lengths, index)
    }
}

/// An element of an array by its indices, from 1.
fn element(name: &str, lengths: &[usize], index: usize) -> String {
    let mut rest = index;
    let mut indices: Vec<String> = Vec::new();
    for &length in lengths.iter().rev() {
        indices.push((rest % length.max(1) + 1).to_string());
        rest /= length.max(1);
    }
    indices.reverse();
    match indices.len() {
        0 => name.to_owned(),
        _ => format!("{name}({})", indices.join(", ")),
    }
}

/// `NAME_QUANTITY`, cut to what MATLAB reads; different for different functions of the module.
pub(super) fn function_name(module: &Module, function: &Function) -> String {
    let full = |function: &Function| format!("{}_{}", module.name, function.name);
    let name = full(function);
    if name.len() <= LONGEST {
        return name;
    }
    // A number in place of the end, which tells apart those that are cut.
    let number = module.functions.iter().take_while(|other| other.name != function.name).count() + 1;
    let end = format!("_{number}");
    format!("{}{end}", &name[..LONGEST - end.len()])
}

pub(super) fn emit(module: &Module) -> Vec<File> {
    let mut files: Vec<File> = module
        .functions
        .iter()
        .map(|function| {
            let name = function_name(module, function);
            File { name: format!("{name}.m"), text: function_file(module, function, &name) }
        })
        .collect();
    files.push(File { name: format!("{}_selftest.m", module.name), text: self_test(module) });
    files
}

fn function_file(module: &Module, function: &Function, name: &str) -> String {
    let program = &function.program;
    let body = Body::new(function, Layout::new(program, LENGTHS), Matlab);
    let mut writer = Writer::new();
    let outputs: Vec<&str> = program.outputs().iter().map(|argument| argument.name.as_str()).collect();
    let outputs = if outputs.len() == 1 { outputs[0].to_owned() } else { format!("[{}]", outputs.join(", ")) };
    let inputs: Vec<&str> = program.inputs().iter().map(|argument| argument.name.as_str()).collect();
    writer.line(format!("function {outputs} = {name}({})", inputs.join(", ")));
    writer.lines("% ", &function.heading());
    writer.line("%");
    writer.lines("% ", &module.heading());
    writer.line("");
    for (argument, output) in program.outputs().iter().zip(&function.outputs) {
        let lengths: Vec<String> = output.lengths.iter().map(usize::to_string).collect();
        writer.line(match output.lengths.len() {
            0 => format!("{} = 0;", argument.name),
            1 => format!("{} = zeros({}, 1);", argument.name, lengths[0]),
            _ => format!("{} = zeros({});", argument.name, lengths.join(", ")),
        });
    }
    body.head(&mut writer);
    if !body.layout.angles.is_empty() {
        let angles = body.angles().join("; ");
        writer.line(format!("{SINES} = sin([{angles}]);\n{COSINES} = cos([{angles}]);"));
    }
    body.plain(&mut writer);
    body.layout.parts.iter().for_each(|part| body.part(&mut writer, part));
    writer.line("end");
    writer.text
}

fn self_test(module: &Module) -> String {
    let mut writer = Writer::new();
    writer.line(format!("function {}_selftest()", module.name));
    writer.line("% An error if a function has not its reference values.\n%");
    writer.lines("% ", &module.heading());
    writer.line("");
    for function in &module.functions {
        write_case(&mut writer, module, function);
    }
    writer.line(format!("disp('{}: ok');\nend\n", module.name));
    writer.line(CHECK);
    writer.text
}

/// How the self-test compares, row-major; not-a-number fails.
const CHECK: &str = "\
function check(name, found, places, expected, most)
found = permute(found, ndims(found):-1:1);
found = found(:);
bad = find(~(abs(found(places) - expected) <= most));
if ~isempty(bad)
    error('%s: number %d is %.17g, expected %.17g', name, places(bad(1)), found(places(bad(1))), expected(bad(1)));
end
end";

fn write_case(writer: &mut Writer, module: &Module, function: &Function) {
    let program = &function.program;
    for (argument, numbers) in function.case_inputs() {
        write_column(writer, &argument.name, numbers.iter().map(|x| number(*x)));
    }
    let inputs: Vec<&str> = program.inputs().iter().map(|argument| argument.name.as_str()).collect();
    let results: Vec<String> = (1..=program.outputs().len()).map(|k| format!("found{k}")).collect();
    let name = function_name(module, function);
    writer.line(format!("[{}] = {name}({});", results.join(", "), inputs.join(", ")));
    for ((result, argument), samples) in results.iter().zip(program.outputs()).zip(function.samples()) {
        if samples.is_empty() {
            continue;
        }
        let label = if results.len() == 1 { &function.name } else { &argument.name };
        write_column(writer, "places", samples.iter().map(|(place, _)| (place + 1).to_string()));
        write_column(writer, "expected", samples.iter().map(|(_, value)| number(*value)));
        writer.line(format!("check('{label}', {result}, places, expected, {});", number(function.tolerance())));
    }
}

/// A column vector, one number per line to stay clear of the rules for spaces in brackets.
fn write_column(writer: &mut Writer, name: &str, numbers: impl Iterator<Item = String>) {
    writer.line(format!("{name} = ["));
    for number in numbers {
        writer.line(format!("    {number}"));
    }
    writer.line("];");
}
