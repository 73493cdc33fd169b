//! How expressions and generated functions are written, and what is said of those that cannot be.

use jourdain_symbolic::collect::{Notation, Polynomial, Role, Symbol, Term, Tree, collect, definitions};
use jourdain_symbolic::emit::{Case, Function, Module, Output, Target};
use jourdain_symbolic::{Compiled, Expr, Program, Scalar, expr};

fn symbol(name: &str) -> Symbol {
    let role = match name {
        "m" => Role::Linear,
        "q" => Role::Position,
        _ => Role::Parameter,
    };
    Symbol { text: name.to_owned(), latex: name.to_uppercase(), role }
}

fn x(name: &str) -> Expr {
    Expr::symbol(name)
}

/// √(a² + b)
fn root() -> Expr {
    (x("a") * x("a") + x("b")).sqrt()
}

/// Terms stand in the order in which their symbols are first asked for.
fn ordered() {
    let _ = ["m", "a", "b", "q"].map(x);
}

fn both(tree: &Tree) -> [String; 2] {
    [Notation::Text, Notation::Latex].map(|notation| tree.written(notation))
}

#[test]
fn quotients_and_roots_keep_their_meaning_in_text_and_latex() {
    ordered();
    for (expr, text, latex) in [
        (x("m") / x("a"), "m/a", r"\frac{M}{A}"),
        (x("m") / (x("a") + x("b")), "m/(a + b)", r"\frac{M}{A + B}"),
        ((x("a") + x("b")) / (x("m") * x("b")), "(a + b)/(m*b)", r"\frac{A + B}{M \, B}"),
        ((x("m") / x("a")) / x("b"), "m/a/b", r"\frac{\frac{M}{A}}{B}"),
        (x("m") / root(), "m/sqrt(b + a^2)", r"\frac{M}{\sqrt{B + A^{2}}}"),
        (-(x("a") + x("b")), "-(a + b)", r"-\left(A + B\right)"),
        (x("m") * root().sin_cos().0, "m*sin(sqrt(b + a^2))", r"M \, \sin\left(\sqrt{B + A^{2}}\right)"),
    ] {
        let (named, trees) = definitions(&[expr], &symbol, &|_, _| None);
        assert_eq!((named.len(), both(&trees[0])), (0, [text, latex].map(str::to_owned)));
    }
    assert_eq!([Tree::product(Vec::new()), Tree::sum(Vec::new())].map(|tree| tree.written(Notation::Text)), ["1", "0"]);
}

#[test]
fn what_cannot_be_multiplied_out_is_a_factor() {
    ordered();
    let expanded = |expr: Expr| Polynomial::expand(&[expr], 100).unwrap().remove(0);
    for (expr, text, latex) in [
        (x("m") / (x("a") + x("b")), "m*(a + b)^-1", r"M \, \left(A + B\right)^{-1}"),
        ((x("a") + x("b")) / (x("m") * x("b")), "m^-1 + m^-1*a*b^-1", r"M^{-1} + M^{-1} \, A \, B^{-1}"),
        (x("m") * root(), "m*sqrt(a^2 + b)", r"M \, \sqrt{A^{2} + B}"),
        (x("m") * root().sin_cos().0, "m*sin(sqrt(a^2 + b))", r"M \, \sin\left(\sqrt{A^{2} + B}\right)"),
    ] {
        assert_eq!(both(&collect(&expanded(expr), &symbol)), [text, latex].map(str::to_owned));
    }
    // A cosine of a sine is no cosine of an angle.
    let nested = x("q").sin_cos().0.sin_cos().1;
    let (factors, trigonometric) = (vec![(nested, 1)], None);
    assert_eq!(expanded(nested).terms().map(|(term, _)| term).collect::<Vec<_>>(), [&Term { factors, trigonometric }]);
    assert!(expanded(x("a") - x("a")).is_empty() && !expanded(x("a")).is_empty());
}

/// sin(2 a + b) cos(a) is ½ sin(3 a + b) + ½ sin(a + b).
#[test]
fn a_polynomial_is_an_expression_again() {
    let (a, b) = (x("a"), x("b"));
    let product = (a + a + b).sin_cos().0 * a.sin_cos().1;
    let sum = Polynomial::expand(&[product], 100).unwrap().remove(0);
    assert_eq!(sum.len(), 2);
    let at = |name: &str| Some(if name == "a" { 0.3_f64 } else { -1.7 });
    let value = expr::evaluate(&[sum.to_expr()], at).unwrap()[0];
    assert!((value - (2.0 * 0.3 - 1.7_f64).sin() * 0.3_f64.cos()).abs() < 1e-15, "{value}");
}

#[test]
fn what_is_too_large_or_unknown_is_said() {
    let sum = x("a") + x("b") + x("m");
    for limit in [0, 3, 5] {
        let refused = Polynomial::expand(&[sum * sum], limit).unwrap_err();
        assert_eq!(refused.to_string(), format!("multiplied out the expression has more than {limit} terms"));
    }
    // Six terms; a product of 2¹⁶ terms is not begun for a limit of a thousand.
    assert_eq!(Polynomial::expand(&[sum * sum], 6).unwrap()[0].len(), 6);
    let many = |letter: char| (0..256).map(|i| x(&format!("{letter}{i}"))).fold(Expr::zero(), |sum, x| sum + x);
    assert_eq!(Polynomial::expand(&[many('k') * many('l')], 1000).unwrap_err().limit, 1000);
    let unknown = Program::new(&[("x", &[x("a")])], &[("out", &[x("a") + x("b")])]).unwrap_err();
    assert_eq!(unknown.to_string(), "the program needs `b`, which none of its inputs gives");
}

/// cos(sin(√x)): a function that has to wait for another one.
fn module(names: &[&str]) -> Module {
    let nested = x("a").sqrt().sin_cos().0.sin_cos().1;
    let program = Program::new(&[("x", &[x("a")])], &[("out", &[nested])]).unwrap();
    let function = |name: &&str| Function {
        name: (*name).to_owned(),
        about: "nested".to_owned(),
        program: program.clone(),
        inputs: vec!["a number".to_owned()],
        outputs: vec![Output { about: "another".to_owned(), lengths: Vec::new() }],
        case: Case { inputs: vec![4.0], outputs: vec![2.0_f64.sin().cos()] },
    };
    let (name, version) = ("robot".to_owned(), "1".to_owned());
    Module { name, version, notes: Vec::new(), functions: names.iter().map(function).collect() }
}

#[test]
fn functions_of_functions_are_called_by_the_name_that_they_have_in_each_language() {
    let made = module(&["nested"]);
    for (target, file, line) in [
        (Target::C, "robot.c", "out[0] = cos(s[0]);"),
        (Target::Rust, "robot.rs", "out[0] = Portable::cos(s[0]);"),
        (Target::Python, "robot.py", "out[..., 0] = _np.cos(s[0])"),
        (Target::Matlab, "robot_nested.m", "out = cos(s(1));"),
    ] {
        let files = target.emit(&made);
        let text = &files.iter().find(|made| made.name == file).unwrap().text;
        assert!(text.contains(line), "{target:?}: {text}");
    }
    let compiled = Compiled::new(&made.functions[0].program);
    let mut out = [0.0];
    compiled.run(&[4.0], &mut compiled.scratch(), &mut out);
    assert!((out[0] - 2.0_f64.sin().cos()).abs() < 1e-15, "{out:?}");
}

/// MATLAB cuts longer names and would take one function for the other.
#[test]
fn long_names_stay_apart_in_matlab() {
    let long = "f".repeat(60);
    let made = module(&[&format!("{long}a"), &format!("{long}b"), "short"]);
    let names: Vec<String> =
        made.functions.iter().map(|function| Target::Matlab.function_name(&made, function)).collect();
    let cut = |number: usize| format!("robot_{}_{number}", "f".repeat(55));
    assert_eq!(names, [cut(1), cut(2), "robot_short".to_owned()]);
    assert!(Target::Matlab.emit(&made).iter().any(|file| file.name == format!("{}.m", cut(2))));
}

#[test]
fn comments_end_where_their_line_ends() {
    let hostile = "a */ b\nc";
    for (target, line) in [
        (Target::C, "/* a _/ b_c */"),
        (Target::Rust, "// a _/ b_c"),
        (Target::Python, "# a _/ b_c"),
        (Target::Matlab, "% a _/ b_c"),
    ] {
        assert_eq!(target.comment(hostile), line);
    }
    let long = Target::Python.comment(&"word ".repeat(1000));
    assert!(long.len() == 2005 && long.ends_with("..."), "{}", long.len());
}

#[test]
fn a_program_without_inputs_has_one_state_in_python() {
    let mut made = module(&["constant"]);
    let function = &mut made.functions[0];
    function.program = Program::new(&[], &[("out", &[Expr::from_f64(0.5)])]).unwrap();
    (function.inputs, function.case) = (Vec::new(), Case { inputs: Vec::new(), outputs: vec![0.5] });
    let text = Target::Python.emit(&made).remove(0).text;
    assert!(text.contains("def constant():\n") && text.contains("    shape = ()\n"), "{text}");
}
