mod programs;

use super::*;
use crate::random::{Formula, Random};
use crate::{Expr, Instruction, Lanes, Options, Scalar};
use programs::{random_program, sized_program};

/// Without fused operations every back end rounds alike.
const PLAIN: Options = Options { factor: true, fuse: false };
/// Whether the tape, too, rounds a product and a sum once: then it gives the bits of machine code in any case.
const TAPE_FUSES: bool = cfg!(target_feature = "fma");
/// The most states of a batch: two fours and three that overlap.
const STATES: usize = 11;
/// What is in memory that has not been written.
const UNTOUCHED: f64 = 1.234_567_890_123e77;
/// Numbers around an output that nobody may write.
const MARGIN: usize = 8;

/// How many random programs: `JOURDAIN_TEST_PROGRAMS`, or `usual`.
fn program_count(usual: u64) -> u64 {
    let asked = std::env::var("JOURDAIN_TEST_PROGRAMS").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(usual)
}

/// The states of a seed, numbers between −1 and 1. If `special`, a quarter of the seeds has some that are none, infinite,
/// zeros with a sign, or huge.
fn states(seed: u64, inputs: usize, special: bool) -> Vec<f64> {
    let mut random = Random::new(!seed);
    let mut states: Vec<f64> = (0..STATES * inputs).map(|_| random.number() / 2.0).collect();
    if special && random.below(4) == 0 && !states.is_empty() {
        let odd = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            0.0,
            1e300,
            -1e300,
            f64::MAX,
            5e-324,
            1e5,
            100_000.1,
            -3e9,
        ];
        for _ in 0..1 + random.below(4) {
            let place = random.below(states.len());
            states[place] = odd[random.below(odd.len())];
        }
    }
    states
}

/// Equal bits, or both no number.
fn identical(found: f64, expected: f64) -> bool {
    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
}

fn close(found: f64, expected: f64) -> bool {
    identical(found, expected) || (found - expected).abs() <= 1e-12 * expected.abs().max(1.0)
}

/// Runs work that fills an output of so many numbers, and sees that nothing beside the output is written.
fn guarded(length: usize, what: &str, work: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut memory = vec![UNTOUCHED; length + 2 * MARGIN];
    work(&mut memory[MARGIN..MARGIN + length]);
    let mut around = memory[..MARGIN].iter().chain(&memory[MARGIN + length..]);
    assert!(around.all(|x| x.to_bits() == UNTOUCHED.to_bits()), "{what}: written outside the output");
    memory[MARGIN..MARGIN + length].to_vec()
}

/// That every way of running a program gives the numbers of the tape, and the tape those of the interpreter.
fn assert_same(program: &Program, seed: u64, options: Options) {
    let (n, m) = (program.input_count(), program.output_count());
    let exactly = !options.fuse || TAPE_FUSES;
    let equal = if exactly { identical } else { close };
    // Rounded otherwise, huge numbers may overflow otherwise.
    let inputs = states(seed, n, exactly);
    let state = |k: usize| &inputs[k * n..(k + 1) * n];
    let what = |way: &str| format!("seed {seed}, {options:?}, {} operations, {way}", program.instructions().len());
    let agree = |found: &[f64], expected: &[f64], way: &str| {
        for (place, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            assert!(equal(found, expected), "{}, number {place}: {found:e} instead of {expected:e}", what(way));
        }
    };

    let (compiled, tape) = (Compiled::new(program), Compiled::interpreted(program));
    let (mut scratch, mut tape_scratch) = (compiled.scratch(), tape.scratch());
    let mut expected = vec![0.0; STATES * m];
    tape.run_batch(&inputs, &mut tape_scratch, &mut expected);
    assert_interpreted(program, &inputs, &expected, options, &what("interpreter"));

    // Every number of states for small programs, some for large ones; then others into the same output.
    let all = program.instructions().len() < 200;
    for count in (1..=STATES).filter(|&count| all || count == STATES || count as u64 == 1 + seed % STATES as u64) {
        let last = STATES - count;
        let mut first = Vec::new();
        let second = guarded(count * m, &what("batch"), |out| {
            compiled.run_batch(&inputs[..count * n], &mut scratch, out);
            first = out.to_vec();
            compiled.update_batch(&inputs[last * n..], &mut scratch, out);
        });
        agree(&first, &expected[..count * m], &format!("run_batch of {count}"));
        agree(&second, &expected[last * m..], &format!("update_batch of {count}"));
    }
    let mut single = Vec::new();
    guarded(m, &what("one"), |out| {
        compiled.run(state(0), &mut scratch, out);
        single.extend_from_slice(out);
        for k in 1..STATES {
            compiled.update(state(k), &mut scratch, out);
            single.extend_from_slice(out);
        }
    });
    agree(&single, &expected, "run and update");
    let again = guarded(m, &what("again"), |out| compiled.run(state(STATES - 1), &mut scratch, out));
    agree(&again, &expected[(STATES - 1) * m..], "run");
}

/// That the interpreter gives the numbers of the tape: all bits with the same sines, 1e-12 with those of the standard
/// library.
fn assert_interpreted(program: &Program, inputs: &[f64], expected: &[f64], options: Options, what: &str) {
    let (n, m) = (program.input_count(), program.output_count());
    let (mut lanes, mut numbers) = (vec![Lanes([0.0; STATES]); m], vec![0.0; m]);
    let columns: Vec<Lanes<STATES>> =
        (0..n).map(|i| Lanes(core::array::from_fn(|state| inputs[state * n + i]))).collect();
    program.run(&columns, &mut lanes);
    for state in 0..STATES {
        let (inputs, expected) = (&inputs[state * n..(state + 1) * n], &expected[state * m..(state + 1) * m]);
        for (place, &expected) in expected.iter().enumerate() {
            let found = lanes[place].0[state];
            assert!(identical(found, expected), "{what} of lanes, number {place}: {found:e} instead of {expected:e}");
        }
        program.run(inputs, &mut numbers);
        // Unless operations are fused, divisors are anything; there, and where huge numbers cancel, the last bit of a sine
        // may become the first of a result.
        let ordinary = options.fuse && inputs.iter().all(|x| x.abs() <= 1.0);
        for (place, (&found, &expected)) in numbers.iter().zip(expected).enumerate().filter(|_| ordinary) {
            assert!(close(found, expected), "{what}, number {place}: {found:e} instead of {expected:e}");
        }
    }
}

fn assert_programs(seeds: core::ops::Range<u64>) {
    for seed in seeds {
        for options in [Options::default(), PLAIN] {
            assert_same(&random_program(seed, options), seed, options);
        }
    }
}

#[test]
fn machine_code_tape_and_interpreter_agree_on_random_programs() {
    assert_programs(0..program_count(2000));
}

/// `cargo test --release -p jourdain-symbolic --lib jit -- --ignored`
#[test]
#[ignore = "takes half a minute optimised"]
fn machine_code_tape_and_interpreter_agree_on_ten_thousand_random_programs() {
    assert_programs(0..program_count(10_000));
}

#[test]
fn programs_with_sines_of_sines_run_on_the_tape_and_agree() {
    for seed in 0..program_count(300) {
        let mut random = Random::new(seed);
        let (inputs, steps) = (1 + random.below(12), 1 + random.below(80));
        let formula = Formula::random(&mut random, inputs, steps);
        let program = crate::expr::scope(crate::expr::Rules::default(), || {
            let (symbols, values) = formula.traced();
            let outputs: Vec<_> = (0..1 + random.below(9)).map(|_| values[random.below(values.len())]).collect();
            Program::with_options(&[("x", &symbols)], &[("y", &outputs)], PLAIN).unwrap()
        });
        let late = program.instructions()[program.prologue()..].iter().any(Instruction::is_trigonometric);
        assert_eq!(Compiled::new(&program).back_end() == BackEnd::Tape, late || !machine_code_here(), "seed {seed}");
        assert_same(&program, seed, PLAIN);
    }
}

/// Whether this machine runs machine code.
fn machine_code_here() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    return std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::env::var_os("JOURDAIN_NO_JIT").is_none_or(|value| value != "1");
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    false
}

#[test]
fn robots_kinds_of_programs_run_as_machine_code_here() {
    let x = [Expr::symbol("x"), Expr::symbol("y")];
    let program = Program::new(&[("x", &x)], &[("z", &[x[0].sin_cos().0 * x[1]])]).unwrap();
    assert_eq!(Compiled::new(&program).back_end() == BackEnd::MachineCode, machine_code_here());
    assert_eq!(Compiled::interpreted(&program).back_end(), BackEnd::Tape);
}

#[test]
fn an_angle_that_is_no_number_or_huge_does_not_touch_its_neighbours() {
    let x: Vec<Expr> = (0..6).map(|i| Expr::symbol(&format!("x{i}"))).collect();
    let pairs: Vec<(Expr, Expr)> = x.iter().map(|x| x.sin_cos()).collect();
    // A row of each angle's own: its sine, its cosine, and both in arithmetic.
    let out: Vec<Expr> = pairs.iter().flat_map(|&(sin, cos)| [sin, cos, sin * cos + cos]).collect();
    for options in [Options::default(), PLAIN] {
        let program = Program::with_options(&[("x", &x)], &[("y", &out)], options).unwrap();
        for compiled in [Compiled::new(&program), Compiled::interpreted(&program)] {
            let mut scratch = compiled.scratch();
            let mut run = |inputs: &[f64]| {
                let [mut batch, mut single] = [(); 2].map(|()| vec![0.0; STATES * out.len()]);
                compiled.run_batch(inputs, &mut scratch, &mut batch);
                for (inputs, out) in inputs.chunks(x.len()).zip(single.chunks_mut(out.len())) {
                    compiled.run(inputs, &mut scratch, out);
                }
                [batch, single]
            };
            let usual = states(3, x.len(), false);
            let expected = run(&usual);
            for place in 0..usual.len() {
                for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -100_000.1] {
                    let mut inputs = usual.clone();
                    inputs[place] = odd;
                    for (found, expected) in run(&inputs).iter().zip(&expected) {
                        for (k, (&found, &expected)) in found.iter().zip(expected).enumerate() {
                            let own = k / 3 == place;
                            assert!(
                                own || found.to_bits() == expected.to_bits(),
                                "{odd} at {place} changes number {k}"
                            );
                            assert!(!own || found.is_nan() == (odd.sin().is_nan()), "{odd} at {place}: {found}");
                        }
                    }
                }
            }
        }
    }
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
    let make = |seed| sized_program(&mut Random::new(seed), 200, Options::default());
    let programs: Vec<Program> = (0..8).map(make).collect();
    let shared = Compiled::new(&programs[0]);
    let inputs = states(1, shared.input_count(), false);
    let mut expected = vec![0.0; STATES * shared.output_count()];
    shared.run_batch(&inputs, &mut shared.scratch(), &mut expected);
    std::thread::scope(|scope| {
        for (seed, program) in programs.iter().enumerate() {
            let (shared, inputs, expected) = (&shared, &inputs, &expected);
            scope.spawn(move || {
                for _ in 0..program_count(20).min(20) {
                    assert_same(program, seed as u64, Options::default());
                    let mut out = vec![0.0; expected.len()];
                    shared.run_batch(inputs, &mut shared.scratch(), &mut out);
                    assert_eq!(out, *expected);
                }
            });
        }
    });
}

#[test]
fn a_compiled_program_is_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Compiled>();
    is_shared::<CompiledScratch>();
}

/// What the random programs of some seeds have in them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn random_programs_reach_everything_that_a_kernel_treats_apart() {
    use crate::Operand;
    use std::collections::BTreeMap;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let seeds = 600;
    for seed in 0..seeds {
        let options = if seed % 2 == 0 { Options::default() } else { PLAIN };
        let program = random_program(seed, options);
        let mut see = |what: String, yes: bool| *seen.entry(what).or_default() += usize::from(yes);
        let size = program.instructions().len();
        assert!(size < 7000, "seed {seed}: {size} operations");
        for (name, range) in [("tens", 1..100), ("hundreds", 100..1000), ("thousands", 1000..7000)] {
            see(format!("{name} of operations"), range.contains(&size));
        }
        for (place, instruction) in program.instructions().iter().enumerate() {
            let name = format!("{instruction:?}");
            let part = if place < program.prologue() { "prologue" } else { "body" };
            see(format!("{} in the {part}", name.split('(').next().unwrap_or_default()), true);
        }
        let results = results::Results::new(&program);
        let spills = allocate::allocate(&program, &results.distinct).spills;
        see("more than 14 windows of spills".into(), spills > 14 * 32);
        see("more than 500 spills".into(), spills > 500);
        see("more than 500 constants".into(), program.constants().len() > 500);
        let of = |wanted: fn(&Operand) -> bool| program.results().iter().filter(|result| wanted(result)).count();
        see("results that are inputs".into(), of(|result| matches!(result, Operand::Input(_))) > 0);
        see("results that are constants".into(), of(|result| matches!(result, Operand::Constant(_))) > 8);
        see("results more than once".into(), results.targets.iter().any(|targets| targets.len() > 1));
        see("results in long runs".into(), results.targets.iter().flatten().count() < program.output_count());
        see(format!("{} outputs", program.output_count().min(4)), true);
        see("no inputs".into(), program.input_count() == 0);
        let angles = layout::Prologue::new(&program).map(|prologue| prologue.angles);
        see("sines in the body".into(), angles.is_none());
        let angles = angles.unwrap_or_default();
        let apart = |pair: &[Operand]| match (pair[0], pair[1]) {
            (Operand::Input(a), Operand::Input(b)) => a + 1 != b,
            _ => false,
        };
        see("neighbouring angles".into(), angles.len() > 4 && angles.is_sorted() && !angles.windows(2).any(apart));
        see("angles apart".into(), angles.windows(2).any(apart));
        see("computed angles".into(), angles.iter().any(|angle| matches!(angle, Operand::Value(_))));
        see("no angles".into(), angles.is_empty());
    }
    let body = ["Neg", "Add", "Sub", "Mul", "Div", "Sqrt", "Sin", "MulAdd", "MulSub", "NegMulAdd"];
    // A sine is odd, which takes negations out of it.
    let prologue = ["Add", "Sub", "Mul", "Div", "Sqrt", "Sin", "Cos"];
    let in_body = body.iter().map(|name| format!("{name} in the body"));
    for name in in_body.chain(prologue.iter().map(|name| format!("{name} in the prologue"))) {
        seen.entry(name).or_default();
    }
    let rare: Vec<_> = seen.iter().filter(|(_, count)| **count < 5).collect();
    assert!(rare.is_empty(), "of {seeds} programs hardly any have {rare:?}; all: {seen:#?}");
}

/// Two programs of one shape with other constants: the scratch of one would give the other wrong numbers.
#[test]
#[should_panic(expected = "the scratch is another program's")]
fn the_scratch_of_another_program_is_refused() {
    let compiled = [2.5, 3.5].map(|factor| {
        let x = Expr::symbol("x");
        Compiled::new(&Program::new(&[("x", &[x])], &[("y", &[x * Expr::from_f64(factor)])]).unwrap())
    });
    compiled[0].run(&[1.0], &mut compiled[1].scratch(), &mut [0.0]);
}
