//! C99: a header and a source file that needs `math.h` and no more.
//!
//! The sines and cosines are our own (`c/sines.c`), because a call of the library's for each angle takes as long as the
//! rest of a small model together; the library's take over for angles past 10⁵. Outputs are `restrict`: without that, every
//! store would make the compiler read the inputs again.

use super::body::{ANGLES, Body, COSINES, SCRATCH, SINES, Syntax};
use super::layout::{Layout, Lengths};
use super::writer::Writer;
use super::{File, Function, Module, Target, number};

const LENGTHS: Lengths = Lengths { whole: 2200, part: 400 };

/// Angles go in fours, a vector register of them.
const WIDTH: usize = 4;

const SINES_SOURCE: &str = include_str!("c/sines.c");

struct C;

impl Syntax for C {
    fn element(&self, vector: &str, index: usize) -> String {
        format!("{vector}[{index}]")
    }

    fn define(&self, name: &str, expression: &str) -> String {
        format!("const double {name} = {expression};")
    }

    fn assign(&self, place: &str, expression: &str) -> String {
        format!("{place} = {expression};")
    }

    fn call(&self, function: &str, argument: String) -> String {
        format!("{function}({argument})")
    }
}

pub(super) fn emit(module: &Module) -> Vec<File> {
    let name = &module.name;
    vec![
        File { name: format!("{name}.h"), text: header(module) },
        File { name: format!("{name}.c"), text: source(module) },
    ]
}

fn block_comment(writer: &mut Writer, lines: &[String]) {
    let mark = |k: usize| if k == 0 { "/* " } else { " * " };
    for (k, line) in lines.iter().enumerate() {
        let end = if k + 1 == lines.len() { " */" } else { "" };
        writer.line(format!("{}{line}{end}", mark(k)).trim_end());
    }
}

/// `void NAME_QUANTITY(const double *q, double *out)`, in the definition with `restrict`.
fn prototype(module: &Module, function: &Function, qualifier: &str) -> String {
    let program = &function.program;
    let inputs = program.inputs().iter().map(|argument| format!("const double *{}", argument.name));
    let outputs = program.outputs().iter().map(|argument| format!("double *{qualifier}{}", argument.name));
    let arguments: Vec<String> = inputs.chain(outputs).collect();
    format!("void {}({})", Target::C.function_name(module, function), arguments.join(", "))
}

fn header(module: &Module) -> String {
    let mut writer = Writer::new();
    let guard = format!("JOURDAIN_{}_H", module.name.to_ascii_uppercase());
    let mut lines = module.heading();
    lines.extend(
        [
            "",
            "C99, no allocation, no state: every function may be called from any thread.",
            "Vectors and arrays are row-major; outputs must not overlap inputs.",
            "For speed: -O3 -march=native -ffp-contract=fast, but not -ffast-math.",
            "Self-test: compile the source file alone with -DJOURDAIN_SELFTEST, link with -lm and run.",
        ]
        .map(str::to_owned),
    );
    block_comment(&mut writer, &lines);
    writer.line(format!("#ifndef {guard}\n#define {guard}\n"));
    writer.line("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for function in &module.functions {
        block_comment(&mut writer, &function.heading());
        writer.line(format!("{};\n", prototype(module, function, "")));
    }
    writer.line("#ifdef __cplusplus\n}\n#endif\n");
    writer.line("#endif");
    writer.text
}

fn source(module: &Module) -> String {
    let mut writer = Writer::new();
    block_comment(&mut writer, &module.heading());
    writer.line(format!("#include \"{}.h\"\n\n#include <math.h>\n", module.name));
    let bodies: Vec<(&Function, Body<'_, C>)> = module
        .functions
        .iter()
        .map(|function| (function, Body::new(function, Layout::new(&function.program, LENGTHS), C)))
        .collect();
    if bodies.iter().any(|(_, body)| body.is_split()) {
        writer.line("/* Parts of long functions stay apart: compiling them as one takes far longer. */");
        writer.line("#if defined(__GNUC__)\n#define JOURDAIN_PART static __attribute__((noinline)) void");
        writer.line("#else\n#define JOURDAIN_PART static void\n#endif\n");
    }
    if bodies.iter().any(|(_, body)| !body.layout.angles.is_empty()) {
        writer.line(SINES_SOURCE);
    }
    for (function, body) in &bodies {
        write_function(&mut writer, module, function, body);
    }
    write_self_test(&mut writer, module);
    writer.text
}

fn write_function(writer: &mut Writer, module: &Module, function: &Function, body: &Body<'_, C>) {
    let full = Target::C.function_name(module, function);
    let program = &function.program;
    let mut calls = Vec::new();
    if body.is_split() {
        for (k, part) in body.layout.parts.iter().enumerate() {
            let used = body.used(part);
            let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
            let mut pass = |kind: &str, name: &str| {
                parameters.push(format!("{kind}{name}"));
                arguments.push(name.to_owned());
            };
            for (argument, _) in program.inputs().iter().zip(&used.inputs).filter(|(_, used)| **used) {
                pass("const double *", &argument.name);
            }
            if used.waves {
                pass("const double *restrict ", SINES);
                pass("const double *restrict ", COSINES);
            }
            if used.scratch {
                pass("double *restrict ", SCRATCH);
            }
            for (argument, _) in program.outputs().iter().zip(&used.outputs).filter(|(_, used)| **used) {
                pass("double *restrict ", &argument.name);
            }
            // Two sines may be in use without the cosines: naming both keeps the calls alike.
            let silence = if used.waves { format!("    (void){SINES}, (void){COSINES};\n") } else { String::new() };
            writer.line(format!("JOURDAIN_PART {full}_part{}({})\n{{", k + 1, parameters.join(", ")));
            writer.text.push_str(&silence);
            writer.indented(|writer| body.part(writer, part));
            writer.line("}\n");
            calls.push(format!("{full}_part{}({});", k + 1, arguments.join(", ")));
        }
    }
    writer.line(format!("{}\n{{", prototype(module, function, "restrict ")));
    writer.indented(|writer| {
        for argument in body.unread() {
            writer.line(format!("(void){};", argument.name));
        }
        if body.layout.scratch > 0 {
            writer.line(format!("double {SCRATCH}[{}];", body.layout.scratch));
        }
        body.head(writer);
        if !body.layout.angles.is_empty() {
            let mut angles = body.angles();
            let length = angles.len().next_multiple_of(WIDTH);
            angles.resize(length, number(0.0));
            writer.line(format!("double {SINES}[{length}], {COSINES}[{length}];"));
            writer.line(format!("const double {ANGLES}[{length}] = {{{}}};", angles.join(", ")));
            writer.line(format!("sines({length}, {ANGLES}, {SINES}, {COSINES});"));
        }
        body.rest(writer, &calls, |name, run| {
            format!("for (int i = {}; i < {}; ++i) {name}[i] = 0.0;", run.start, run.end)
        });
    });
    writer.line("}\n");
}

fn write_self_test(writer: &mut Writer, module: &Module) {
    writer.line("#ifdef JOURDAIN_SELFTEST\n#include <stdio.h>\n");
    writer.line(CHECK);
    for function in &module.functions {
        write_case(writer, module, function);
    }
    writer.line("int main(void)\n{");
    writer.indented(|writer| {
        writer.line("int failed = 0;");
        for function in &module.functions {
            writer.line(format!("failed += test_{}();", function.name));
        }
        writer.line(format!("if (failed == 0) printf(\"{}: ok\\n\");", module.name));
        writer.line("return failed != 0;");
    });
    writer.line("}\n#endif");
}

/// How the self-test compares; not-a-number fails.
const CHECK: &str = "\
static int check(const char *name, int n, const int *places, const double *expected, const double *found, double most)
{
    int failed = 0;
    for (int i = 0; i < n; ++i) {
        const double x = found[places[i]];
        if (!(fabs(x - expected[i]) <= most)) {
            printf(\"%s[%d] = %.17g, expected %.17g\\n\", name, places[i], x, expected[i]);
            ++failed;
        }
    }
    return failed;
}
";

fn write_case(writer: &mut Writer, module: &Module, function: &Function) {
    let program = &function.program;
    writer.line(format!("static int test_{}(void)\n{{", function.name));
    writer.indented(|writer| {
        for (argument, numbers) in function.case_inputs() {
            writer.line(format!("static const double {}[{}] = {{", argument.name, argument.length));
            writer.indented(|writer| writer.numbers(numbers, |x| number(*x)));
            writer.line("};");
        }
        for argument in program.outputs() {
            writer.line(format!("static double {}[{}];", argument.name, argument.length.max(1)));
        }
        let samples = function.samples();
        for (argument, samples) in program.outputs().iter().zip(&samples).filter(|(_, samples)| !samples.is_empty()) {
            let (name, count) = (&argument.name, samples.len());
            writer.line(format!("static const int {name}_places[{count}] = {{"));
            writer.indented(|writer| writer.numbers(samples, |(place, _)| place.to_string()));
            writer.line("};");
            writer.line(format!("static const double {name}_expected[{count}] = {{"));
            writer.indented(|writer| writer.numbers(samples, |(_, value)| number(*value)));
            writer.line("};");
        }
        let names = program.inputs().iter().chain(program.outputs()).map(|argument| argument.name.as_str());
        let names: Vec<&str> = names.collect();
        writer.line(format!("{}({});", Target::C.function_name(module, function), names.join(", ")));
        let mut checks = Vec::new();
        for (argument, samples) in program.outputs().iter().zip(&samples).filter(|(_, samples)| !samples.is_empty()) {
            let (name, count, most) = (&argument.name, samples.len(), number(function.tolerance()));
            let label = if program.outputs().len() == 1 { &function.name } else { name };
            checks.push(format!("check(\"{label}\", {count}, {name}_places, {name}_expected, {name}, {most})"));
        }
        let sum = if checks.is_empty() { "0".to_owned() } else { checks.join(" + ") };
        writer.line(format!("return {sum};"));
    });
    writer.line("}\n");
}
