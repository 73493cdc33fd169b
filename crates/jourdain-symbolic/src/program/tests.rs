use super::*;
use crate::expr::{Rules, scope};
use crate::random::{Formula, Random, assert_close, repetitions};
use crate::{Dual, Scalar};

fn program(formula: &Formula, outputs: &[usize], options: Options) -> Program {
    scope(Rules::default(), || {
        let (symbols, values) = formula.traced();
        let chosen: Vec<_> = outputs.iter().map(|&place| values[place]).collect();
        Program::with_options(&[("x", &symbols)], &[("y", &chosen)], options).unwrap()
    })
}

const PLAIN: Options = Options { factor: false, fuse: false };

#[test]
fn every_pass_keeps_the_value_and_adds_nothing() {
    for seed in 0..repetitions(300) {
        let mut random = Random::new(seed);
        let steps = 1 + random.below(200);
        let formula = Formula::random(&mut random, 5, steps);
        let outputs: Vec<usize> = (0..4).map(|_| random.below(5 + steps)).collect();
        let at: Vec<f64> = (0..5).map(|_| random.number()).collect();
        let expected = formula.run(&at);
        let plain = program(&formula, &outputs, PLAIN).operations();
        for (factor, fuse) in [(false, false), (true, false), (false, true), (true, true)] {
            let program = program(&formula, &outputs, Options { factor, fuse });
            let mut out = vec![0.0; outputs.len()];
            program.run(&at, &mut out);
            for (out, &place) in out.iter().zip(&outputs) {
                assert_close(*out, expected[place], 1e-11, &format!("seed {seed}, factor {factor}, fuse {fuse}"));
            }
            let o = program.operations();
            assert!(o.mul + o.add <= plain.mul + plain.add, "seed {seed}: {o} instead of {plain}");
            assert_eq!((o.div, o.sqrt, o.sincos), (plain.div, plain.sqrt, plain.sincos), "seed {seed}");
        }
    }
}

#[test]
fn the_tape_agrees_with_the_interpreter_on_any_number_of_states() {
    // A block of states is many to Miri.
    let (steps, counts): (usize, &[usize]) =
        if cfg!(miri) { (8, &[0, 1, 129]) } else { (80, &[0, 1, 127, 128, 129, 300]) };
    for seed in 0..repetitions(60) {
        let mut random = Random::new(seed);
        let formula = Formula::random(&mut random, 3, steps);
        let program = program(&formula, &[steps, steps + 1, steps + 2, 0], Options::default());
        let tape = Tape::new(&program);
        let mut scratch = tape.scratch();
        for &states in counts {
            let inputs: Vec<f64> = (0..3 * states).map(|_| random.number()).collect();
            let mut out = vec![0.0; 4 * states];
            tape.run(&inputs, &mut scratch, &mut out);
            for (inputs, out) in inputs.chunks(3).zip(out.chunks(4)) {
                let mut expected = [0.0; 4];
                program.run(inputs, &mut expected);
                for (out, expected) in out.iter().zip(expected) {
                    assert_close(*out, expected, 1e-12, &format!("seed {seed}, {states} states"));
                }
            }
        }
    }
}

#[test]
fn a_program_runs_on_duals() {
    let formula = Formula::random(&mut Random::new(1), 2, 30);
    let program = program(&formula, &[31], Options::default());
    let inputs = [Dual::variable(0.3), Dual::from_f64(-0.7)];
    let mut out = [Dual::from_f64(0.0)];
    program.run(&inputs, &mut out);
    assert_close(out[0].derivative, formula.run(&inputs)[31].derivative, 1e-12, "derivative");
}

#[test]
fn sines_and_cosines_come_first_and_in_pairs() {
    let [x, y] = ["x", "y"].map(Expr::symbol);
    let (s, c) = x.sin_cos();
    let product = s * y;
    let (t, d) = (x + y).sin_cos();
    let program = Program::new(&[("x", &[x]), ("y", &[y])], &[("out", &[product * t, c * d])]).unwrap();
    let first = &program.instructions()[..program.prologue()];
    assert!(matches!(
        first,
        [Instruction::Add(..), Instruction::Sin(a), Instruction::Cos(b), Instruction::Sin(u), Instruction::Cos(v)]
            if a == b && u == v
    ));
    assert!(program.instructions()[program.prologue()..].iter().all(|i| !i.is_trigonometric()));
    assert_eq!(program.operations().sincos, 2);
}

#[test]
fn a_sine_of_a_sine_stays_where_it_is_needed() {
    let x = Expr::symbol("x");
    let program = Program::new(&[("x", &[x])], &[("out", &[x.sin_cos().0.sin_cos().0])]).unwrap();
    assert_eq!((program.prologue(), program.instructions().len()), (1, 2));
    let mut out = [0.0];
    program.run(&[0.8], &mut out);
    assert_eq!(out[0], 0.8_f64.sin().sin());
}

#[test]
fn a_missing_input_is_named() {
    let result = Program::new(&[], &[("out", &[Expr::symbol("mass")])]);
    assert_eq!(result, Err(UnknownSymbol("mass".to_owned())));
}

#[test]
fn common_multiplicands_leave_a_sum() {
    let [x, a, b] = ["x", "a", "b"].map(Expr::symbol);
    let program = Program::new(&[("x", &[x]), ("a", &[a]), ("b", &[b])], &[("out", &[x * a - b * x])]).unwrap();
    assert_eq!((program.operations().mul, program.operations().add), (1, 1));
    // A product that is needed anyway stays.
    let both = Program::new(&[("x", &[x]), ("a", &[a]), ("b", &[b])], &[("out", &[x * a - b * x, x * a])]).unwrap();
    assert_eq!((both.operations().mul, both.operations().add), (2, 1));
}

#[test]
fn moving_instructions_never_makes_more_values_wait() {
    for seed in 0..repetitions(100) {
        let mut random = Random::new(seed);
        let formula = Formula::random(&mut random, 4, 150);
        let outputs: Vec<usize> = (0..6).map(|_| random.below(154)).collect();
        let scheduled = program(&formula, &outputs, PLAIN);
        let unscheduled = scope(Rules::default(), || {
            let (symbols, values) = formula.traced();
            let chosen: Vec<_> = outputs.iter().map(|&place| values[place]).collect();
            lower::lower(&[("x", &symbols)], &[("y", &chosen)]).unwrap()
        });
        assert!(scheduled.most_live() <= unscheduled.most_live(), "seed {seed}");
    }
}

#[test]
fn sums_of_products_keep_their_value_and_lose_multiplications() {
    let mut saved = 0;
    for seed in 0..repetitions(300) {
        let mut random = Random::new(seed);
        let names: Vec<String> = (0..4).map(|i| format!("x{i}")).collect();
        let at: Vec<f64> = (0..4).map(|_| random.number()).collect();
        let (mut expected, [plain, factored]) = (
            0.0,
            [false, true].map(|factor| {
                let mut random = Random::new(seed + 1);
                scope(Rules::default(), || {
                    let symbols: Vec<Expr> = names.iter().map(|name| Expr::symbol(name)).collect();
                    let mut sum = Expr::zero();
                    for _ in 0..2 + random.below(6) {
                        let term = symbols[random.below(4)] * symbols[random.below(4)];
                        sum = match random.below(3) {
                            0 => sum - term,
                            1 => term - sum,
                            _ => sum + term,
                        };
                    }
                    Program::with_options(&[("x", &symbols)], &[("y", &[sum])], Options { factor, fuse: false })
                        .unwrap()
                })
            }),
        );
        for (place, program) in [&plain, &factored].into_iter().enumerate() {
            let mut out = [0.0];
            program.run(&at, &mut out);
            if place == 0 {
                expected = out[0];
            }
            assert_close(out[0], expected, 1e-13, &format!("seed {seed}"));
        }
        assert!(factored.operations().mul <= plain.operations().mul, "seed {seed}");
        assert!(factored.operations().add <= plain.operations().add, "seed {seed}");
        saved += plain.operations().mul - factored.operations().mul;
    }
    assert!(saved > 100 || cfg!(miri), "only {saved} multiplications saved");
}
