//! Compiling and running generated code. All languages get the same numbers on standard input (function by function, for
//! each function state by state) and print the results in the same order.

// Says what is skipped.
#![allow(clippy::print_stderr)]

use crate::common::assert_close;
use jourdain::derive::Package;
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use jourdain_symbolic::emit::{Function, Module, Target};
use std::io::Write as _;
use std::path::{Path as FilePath, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

// Not every test runs every language.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Rust,
    Python,
    Octave,
}

/// True if the language can be run here; says so if not.
pub fn compiler(language: Language) -> bool {
    let found = match language {
        Language::C => run("gcc", &["--version"], ""),
        Language::Rust => run("rustc", &["--version"], ""),
        Language::Python => run(&python(), &["-c", "import numpy"], ""),
        Language::Octave => run("octave-cli", &["--version"], ""),
    };
    if found.is_none() {
        assert!(std::env::var_os("JOURDAIN_REQUIRE_TARGETS").is_none(), "{language:?} cannot be run here");
        eprintln!("{language:?} cannot be run here: its generated code is not tested");
    }
    found.is_some()
}

fn python() -> String {
    std::env::var("JOURDAIN_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Standard output of a program that succeeds.
pub fn run(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?;
    if !output.status.success() {
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        eprintln!("{program} {arguments:?}: {}\n{:.4000}\n{:.4000}", output.status, out, err);
        return None;
    }
    String::from_utf8(output.stdout).ok()
}

/// A package to be run in a language.
pub struct Job<'a> {
    pub language: Language,
    pub model: &'a Model,
    pub package: &'a Package,
    pub quantities: &'a [Quantity],
    pub states: &'a [State],
}

impl Job<'_> {
    /// Everything: compiled, self-tested, compared.
    pub fn check(&self) {
        for (quantity, found, expected) in self.run() {
            let largest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let what = format!("{:?}: {} of {}", self.language, quantity.name(self.model), self.package.module.name);
            assert_close(&what, &found, &expected, 1e-12 * largest.clamp(1e-3, 1.0));
        }
    }

    /// Compiled, self-tested and run: what each quantity is at each state, and what it should be.
    pub fn run(&self) -> Vec<(Quantity, Vec<f64>, Vec<f64>)> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // Programs that are no tests have no folder of Cargo's.
        let temporary = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let name = format!("generated-{}/{:?}{number}", std::process::id(), self.language);
        let folder = temporary.join(name);
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        let target = match self.language {
            Language::C => Target::C,
            Language::Rust => Target::Rust,
            Language::Python => Target::Python,
            Language::Octave => Target::Matlab,
        };
        let module = &self.package.module;
        for file in target.emit(module) {
            std::fs::write(folder.join(&file.name), &file.text).unwrap();
        }
        let found = match self.language {
            Language::C => c(&folder, module, self.states.len(), &self.input()),
            Language::Rust => rust(&folder, module, self.states.len(), &self.input()),
            Language::Python => interpreted(&folder, module, self.states.len(), &self.input(), true),
            Language::Octave => interpreted(&folder, module, self.states.len(), &self.input(), false),
        };
        let found = found.unwrap_or_else(|| panic!("{:?} of {}", self.language, module.name));
        let mut found = found.split_whitespace().map(|word| word.parse::<f64>().unwrap());
        let (mut workspace, mut all) = (Workspace::new(self.model), Vec::new());
        for place in 0..module.functions.len() {
            for state in self.states {
                let here = self.quantities.iter().zip(&self.package.functions).filter(|(_, k)| **k == place);
                for (quantity, _) in here {
                    let expected = quantity.evaluate(Path::Fast, self.model, state, &mut workspace).unwrap();
                    let found: Vec<f64> = found.by_ref().take(expected.len()).collect();
                    all.push((*quantity, found, expected));
                }
            }
        }
        assert_eq!(found.next(), None);
        drop(std::fs::remove_dir_all(&folder));
        all
    }

    fn input(&self) -> String {
        let mut text = String::new();
        for derivation in &self.package.derivations {
            for state in self.states {
                for x in derivation.read(state).unwrap() {
                    text.push_str(&format!("{x:?}\n"));
                }
            }
        }
        text
    }
}

fn path(folder: &FilePath, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn names(function: &Function) -> impl Iterator<Item = (&str, usize, bool)> {
    let inputs = function.program.inputs().iter().map(|argument| (argument.name.as_str(), argument.length, true));
    let outputs = function.program.outputs().iter().map(|argument| (argument.name.as_str(), argument.length, false));
    inputs.chain(outputs)
}

fn c(folder: &FilePath, module: &Module, states: usize, input: &str) -> Option<String> {
    let mut text = format!("#include \"{}.h\"\n#include <stdio.h>\nint self_test(void);\n", module.name);
    text.push_str("static void get(double *x, int n) { while (n-- > 0) if (scanf(\"%lf\", x++) != 1) return; }\n");
    text.push_str("static void put(const double *x, int n) { while (n-- > 0) printf(\"%.17g\\n\", *x++); }\n");
    text.push_str("int main(void)\n{\n    if (self_test() != 0) return 1;\n    puts(\"--\");\n");
    for function in &module.functions {
        text.push_str(&format!("    for (int k = 0; k < {states}; ++k) {{\n"));
        for (name, length, _) in names(function) {
            text.push_str(&format!("        static double {name}[{length}];\n"));
        }
        for (name, length, _) in names(function).filter(|(_, _, input)| *input) {
            text.push_str(&format!("        get({name}, {length});\n"));
        }
        let arguments: Vec<&str> = names(function).map(|(name, ..)| name).collect();
        let called = Target::C.function_name(module, function);
        text.push_str(&format!("        {called}({});\n", arguments.join(", ")));
        for (name, length, _) in names(function).filter(|(_, _, input)| !*input) {
            text.push_str(&format!("        put({name}, {length});\n"));
        }
        text.push_str("    }\n");
    }
    text.push_str("    return 0;\n}\n");
    std::fs::write(folder.join("harness_.c"), text).ok()?;
    let (source, object) = (path(folder, &format!("{}.c", module.name)), path(folder, "model_.o"));
    // Where it optimises, gcc takes minutes for what is large.
    let optimise = if std::fs::metadata(&source).ok()?.len() < 1 << 18 { "-O1" } else { "-O0" };
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", optimise, "-c"];
    let test = ["-DJOURDAIN_SELFTEST", "-Dmain=self_test", &source, "-o", &object];
    run("gcc", &[&strict[..], &test].concat(), "")?;
    let (harness, program) = (path(folder, "harness_.c"), path(folder, "harness_"));
    run("gcc", &["-std=c99", "-Wall", "-Werror", &harness, &object, "-o", &program, "-lm"], "")?;
    run(&program, &[], input)?.split_once("--\n").map(|(_, numbers)| numbers.to_owned())
}

fn rust(folder: &FilePath, module: &Module, states: usize, input: &str) -> Option<String> {
    let source = path(folder, &format!("{}.rs", module.name));
    let common = ["-D", "warnings", "-C", "debuginfo=0"];
    // As the root of a crate of any edition.
    let metadata = path(folder, "library.rmeta");
    run(
        "rustc",
        &[&common[..], &["--crate-type", "lib", "--emit", "metadata", &source, "-o", &metadata]].concat(),
        "",
    )?;
    // As a module of a program, with its own tests.
    let numbers = path(folder, "numbers_.txt");
    let mut text =
        format!("#[path = \"{}.rs\"]\nmod model;\nuse std::io::Read;\n#[test]\nfn numbers() {{\n", module.name);
    text.push_str("    let mut text = String::new();\n    std::io::stdin().read_to_string(&mut text).unwrap();\n");
    text.push_str("    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap());\n");
    text.push_str("    let mut lines = String::new();\n");
    for function in &module.functions {
        text.push_str(&format!("    for _ in 0..{states} {{\n"));
        for (name, length, input) in names(function) {
            text.push_str(&match input {
                true => {
                    format!("        let {name}: [f64; {length}] = std::array::from_fn(|_| numbers.next().unwrap());\n")
                }
                false => format!("        let mut {name} = [f64::NAN; {length}];\n"),
            });
        }
        let arguments: Vec<String> =
            names(function).map(|(name, _, input)| format!("{}{name}", if input { "&" } else { "&mut " })).collect();
        text.push_str(&format!("        model::{}({});\n", function.name, arguments.join(", ")));
        for (name, ..) in names(function).filter(|(_, _, input)| !*input) {
            text.push_str(&format!("        {name}.iter().for_each(|x| lines += &format!(\"{{x:e}}\\n\"));\n"));
        }
        text.push_str("    }\n");
    }
    text.push_str(&format!("    std::fs::write({numbers:?}, lines).unwrap();\n}}\n"));
    let (harness, program) = (path(folder, "harness_.rs"), path(folder, "harness_"));
    std::fs::write(&harness, text).ok()?;
    run("rustc", &[&common[..], &["--test", "--edition", "2021", &harness, "-o", &program]].concat(), "")?;
    let passed = run(&program, &["--test-threads", "1"], input)?;
    assert!(!passed.contains("running 1 test\n"), "the code has no test of its own: {passed}");
    std::fs::read_to_string(numbers).ok()
}

/// Python, all states in one call; or Octave.
fn interpreted(folder: &FilePath, module: &Module, states: usize, input: &str, python_: bool) -> Option<String> {
    std::fs::write(folder.join("numbers_.txt"), input).ok()?;
    let numbers = path(folder, "numbers_.txt");
    let mut text = if python_ {
        format!(
            "import sys\nsys.path.insert(0, {:?})\nimport numpy as np\nimport {name} as model\nmodel.self_test()\n\
             numbers = np.loadtxt({numbers:?}, ndmin=1)\nplace = 0\n",
            folder.display().to_string(),
            name = module.name
        )
    } else {
        format!(
            "addpath('{}');\nevalc('{}_selftest');\nnumbers = load('-ascii', '{numbers}');\nplace = 0;\n",
            folder.display(),
            module.name
        )
    };
    for function in &module.functions {
        let length: usize = function.program.input_count();
        let (mut offset, mut inputs) = (0, Vec::new());
        for argument in function.program.inputs() {
            let (start, end) = (offset, offset + argument.length);
            inputs.push(match python_ {
                true => format!("given[:, {start}:{end}]"),
                false => format!("numbers(place + {} : place + {end})", start + 1),
            });
            offset = end;
        }
        let outputs: Vec<String> = (0..function.program.outputs().len()).map(|k| format!("out{k}")).collect();
        let (called, inputs) = (Target::Matlab.function_name(module, function), inputs.join(", "));
        if python_ {
            let shown: Vec<String> = outputs.iter().map(|out| format!("np.reshape({out}, ({states}, -1))")).collect();
            text.push_str(&format!(
                "given = numbers[place:place + {total}].reshape({states}, {length})\nplace += {total}\n\
                 {} = model.{}({inputs})\nprint(*np.hstack([{}]).ravel().tolist(), sep='\\n')\n",
                outputs.join(", "),
                function.name,
                shown.join(", "),
                total = states * length
            ));
        } else {
            text.push_str(&format!("for k = 1:{states}\n  [{}] = {called}({inputs});\n", outputs.join(", ")));
            for out in &outputs {
                text.push_str(&format!("  printf('%.17g\\n', permute({out}, ndims({out}):-1:1));\n"));
            }
            text.push_str(&format!("  place = place + {length};\nend\n"));
        }
    }
    let script = path(folder, if python_ { "harness_.py" } else { "harness_.m" });
    std::fs::write(&script, text).ok()?;
    if python_ {
        run(&python(), &["-W", "error", &script], "")
    } else {
        run("octave-cli", &["--no-init-file", "--quiet", &script], "")
    }
}
