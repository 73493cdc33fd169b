use super::*;
use crate::expr::{Rules, scope};
use crate::random::{Formula, Random};
use crate::{Expr, Options, Scalar};

fn random_program(seed: u64, steps: usize, options: Options) -> Program {
    let mut random = Random::new(seed);
    let inputs = 1 + random.below(12);
    let formula = Formula::random(&mut random, inputs, steps);
    scope(Rules::default(), || {
        let (symbols, values) = formula.traced();
        // Sines only of inputs, as robots have them: others stay on the tape.
        let outputs: Vec<_> = (0..1 + random.below(9)).map(|_| values[random.below(values.len())]).collect();
        Program::with_options(&[("x", &symbols)], &[("y", &outputs)], options).unwrap()
    })
}

/// A program of arithmetic on inputs and their sines, with all operations, long enough to spill.
fn arithmetic_program(seed: u64, steps: usize, options: Options) -> Program {
    let mut random = Random::new(seed);
    scope(Rules::default(), || {
        let count = 1 + random.below(10);
        let symbols: Vec<Expr> = (0..count).map(|i| Expr::symbol(&format!("x{i}"))).collect();
        let mut values = symbols.clone();
        for &symbol in &symbols[..random.below(count + 1)] {
            let angle = symbol + Expr::from_f64(if random.below(2) == 0 { 0.0 } else { random.number() });
            let (sin, cos) = angle.sin_cos();
            values.extend([sin, cos]);
        }
        for _ in 0..steps {
            let recent = values.len().min(40);
            let pick = |random: &mut Random, values: &[Expr]| match random.below(4) {
                0 => values[random.below(values.len())],
                _ => values[values.len() - 1 - random.below(recent)],
            };
            let (a, b, c) = (pick(&mut random, &values), pick(&mut random, &values), pick(&mut random, &values));
            let k = Expr::from_f64(random.number());
            values.push(match random.below(10) {
                0 => a + b,
                1 => a - b,
                2 => a * b * Expr::from_f64(0.5),
                3 => -a,
                4 => a / (b * b + Expr::one()),
                5 => (a * a + Expr::one()).sqrt(),
                6 => a * k + b,
                7 => (a * b - c) * Expr::from_f64(0.25),
                8 => c - a * k,
                _ => k * a,
            });
        }
        let outputs: Vec<_> = (0..1 + random.below(30)).map(|_| values[random.below(values.len())]).collect();
        Program::with_options(&[("x", &symbols)], &[("y", &outputs)], options).unwrap()
    })
}

/// The states of a seed; if `special`, some of them with numbers that are none or huge.
fn states(seed: u64, count: usize, inputs: usize, special: bool) -> Vec<f64> {
    let mut random = Random::new(!seed);
    let mut states: Vec<f64> = (0..count * inputs).map(|_| random.number()).collect();
    if special && seed.is_multiple_of(5) && !states.is_empty() {
        let place = random.below(states.len());
        states[place] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300][random.below(5)];
    }
    states
}

fn same(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected
        || found.is_nan() && expected.is_nan()
        || (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

fn assert_same(program: &Program, seed: u64, exactly: bool) {
    let (compiled, tape) = (Compiled::new(program), Compiled::interpreted(program));
    let (mut scratch, mut tape_scratch) = (compiled.scratch(), tape.scratch());
    let (n, m) = (program.input_count(), program.output_count());
    // A huge angle sends the sines of its whole block to another algorithm, and blocks differ between back ends.
    let inputs = states(seed, 11, n, !exactly);
    let [mut batch, mut expected, mut single] = [(); 3].map(|()| vec![0.0; 11 * m]);
    tape.run_batch(&inputs, &mut tape_scratch, &mut expected);
    compiled.run_batch(&inputs, &mut scratch, &mut batch);
    for (inputs, out) in inputs.chunks(n).zip(single.chunks_mut(m)) {
        compiled.run(inputs, &mut scratch, out);
    }
    for (name, found) in [("four", &batch), ("one", &single)] {
        for (place, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
            let equal = if exactly { found.to_bits() == expected.to_bits() } else { same(found, expected, 1e-12) };
            let both_nan = found.is_nan() && expected.is_nan();
            assert!(equal || both_nan, "seed {seed}, {name}, number {place}: {found} instead of {expected}");
        }
    }
}

const PLAIN: Options = Options { factor: true, fuse: false };

#[test]
fn machine_code_agrees_with_the_tape_on_random_programs() {
    for seed in 0..600 {
        let steps = 1 + Random::new(seed).below(if seed % 50 == 0 { 3000 } else { 150 });
        assert_same(&arithmetic_program(seed, steps, Options::default()), seed, false);
        assert_same(&random_program(seed, steps % 80, Options::default()), seed, false);
    }
}

#[test]
fn without_fused_operations_machine_code_and_tape_are_equal_bit_by_bit() {
    for seed in 0..400 {
        let steps = 1 + Random::new(seed).below(300);
        assert_same(&arithmetic_program(seed, steps, PLAIN), seed, true);
    }
}

#[test]
fn robots_kinds_of_programs_run_as_machine_code_here() {
    let program = arithmetic_program(3, 100, Options::default());
    let here = cfg!(target_arch = "x86_64") && std::env::var_os("JOURDAIN_NO_JIT").is_none();
    #[cfg(target_arch = "x86_64")]
    let here = here && std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    assert_eq!(Compiled::new(&program).back_end() == BackEnd::MachineCode, here);
    assert_eq!(Compiled::interpreted(&program).back_end(), BackEnd::Tape);
}

#[test]
fn outputs_that_are_inputs_or_constants_are_copied() {
    let x = Expr::symbol("x");
    let (sin, cos) = x.sin_cos();
    let out = [x, Expr::from_f64(2.5), cos, x, sin, -x];
    let program = Program::new(&[("x", &[x])], &[("y", &out)]).unwrap();
    let compiled = Compiled::new(&program);
    let (mut scratch, mut found) = (compiled.scratch(), [0.0; 6]);
    compiled.run(&[0.5], &mut scratch, &mut found);
    assert_eq!(found, [0.5, 2.5, 0.5_f64.cos(), 0.5, 0.5_f64.sin(), -0.5]);
}

#[test]
fn an_empty_program_runs() {
    let program = Program::new(&[], &[]).unwrap();
    let compiled = Compiled::new(&program);
    compiled.run(&[], &mut compiled.scratch(), &mut []);
    compiled.run_batch(&[], &mut compiled.scratch(), &mut []);
}

#[test]
fn threads_compile_call_and_drop_at_once() {
    let programs: Vec<Program> = (0..8).map(|seed| arithmetic_program(seed, 200, Options::default())).collect();
    let shared = Compiled::new(&programs[0]);
    std::thread::scope(|scope| {
        for (seed, program) in programs.iter().enumerate() {
            let shared = &shared;
            scope.spawn(move || {
                for _ in 0..20 {
                    assert_same(program, seed as u64, false);
                    let mut out = vec![0.0; shared.output_count()];
                    shared.run(&states(1, 1, shared.input_count(), false), &mut shared.scratch(), &mut out);
                }
            });
        }
    });
}
