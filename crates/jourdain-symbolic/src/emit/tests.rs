//! What generated files contain, whatever the names.

use super::*;
use crate::{Expr, Scalar as _};

/// Two functions with hostile texts: x sin y + y and a constant, and a long one that is cut into parts.
fn module() -> Module {
    let (x, y) = (Expr::symbol("x[0]"), Expr::symbol("x[1]"));
    let (sin, cos) = y.sin_cos();
    let short = Program::new(&[("x", &[x, y])], &[("out", &[x * sin + y, Expr::from_f64(2.0), Expr::zero()])]);
    let mut long = x;
    for k in 0..4000 {
        long = long * sin + cos.scale(Expr::from_f64(f64::from(k)));
    }
    let long = Program::new(&[("x", &[x, y])], &[("out", &[long, sin])]);
    let hostile = "*/ \"\"\" \n \\ %{ ??/ λ";
    let function = |name: &str, program: Program, lengths: Vec<usize>| {
        let inputs = vec![0.25, 0.5];
        let mut outputs = vec![0.0; program.output_count()];
        program.run(&inputs, &mut outputs);
        Function {
            name: name.to_owned(),
            about: hostile.to_owned(),
            program,
            inputs: vec![hostile.to_owned()],
            outputs: vec![Output { about: hostile.to_owned(), lengths }],
            case: Case { inputs, outputs },
        }
    };
    Module {
        name: "robot".to_owned(),
        version: "0".to_owned(),
        notes: vec![hostile.to_owned()],
        functions: vec![function("short", short.unwrap(), vec![3]), function("long", long.unwrap(), vec![2])],
    }
}

const ALL: [Target; 4] = [Target::C, Target::Rust, Target::Python, Target::Matlab];

#[test]
fn every_file_says_that_it_is_generated_and_is_plain_ascii() {
    for file in ALL.iter().flat_map(|target| target.emit(&module())) {
        assert!(file.text.contains(MARK), "{}", file.name);
        assert!(file.text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{}", file.name);
        assert!(file.text.lines().all(|line| line == line.trim_end()), "{}", file.name);
        for hostile in ["*/ _", "%{", "??/"] {
            assert!(!file.text.contains(hostile), "{}: {hostile}", file.name);
        }
    }
}

#[test]
fn output_depends_on_the_module_alone() {
    for target in ALL {
        assert_eq!(target.emit(&module()), target.emit(&module()));
    }
}

#[test]
fn long_functions_are_cut_and_every_value_arrives() {
    let module = module();
    let program = &module.functions[1].program;
    let lengths = layout::Lengths { whole: 100, part: 50 };
    let layout = layout::Layout::new(program, lengths);
    assert!(layout.parts.len() > 40);
    assert!(layout.scratch > 0 && layout.scratch < 4, "{}", layout.scratch);
    assert!(layout.parts.windows(2).all(|pair| pair[0].end == pair[1].start));
}
