//! Threads that share models, compiled functions and caches get what one thread gets, to the bit. ThreadSanitizer runs this too
//! (`just safety`): what happens to be right here, but is not ordered, it sees.

use jourdain::batch::{Batch, evaluate_batch};
use jourdain::bench::random_states;
use jourdain::derive::{DeriveOptions, derive};
use jourdain::ik::criterion::Constant;
use jourdain::ik::{self, Solutions, Solver, Task};
use jourdain::quantity::{Path, Quantity};
use jourdain::simulate::{Law, Options, Rigid, Simulation};
use jourdain::state::Inputs;
use jourdain::{Model, State, Workspace, kinematics, robots};
use std::sync::Barrier;

const THREADS: usize = 8;

/// The same work on all threads at once, begun together so that they meet in what they share.
fn together<R: Send>(work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let begin = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        let run = |thread: usize| {
            let (begin, work) = (&begin, &work);
            scope.spawn(move || {
                begin.wait();
                work(thread)
            })
        };
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn all_equal<R: PartialEq>(results: &[R]) -> bool {
    results.windows(2).all(|pair| pair[0] == pair[1])
}

fn quantity(model: &Model, name: &str) -> Quantity {
    Quantity::parse(name, model).unwrap()
}

#[test]
fn one_compiled_model_serves_all_threads() {
    let model = robots::load("iiwa14").unwrap();
    let compiled = model.compile(&[quantity(&model, "mass_matrix"), quantity(&model, "inverse_dynamics")]).unwrap();
    let states = random_states(&model, 600);
    let column = |of: fn(&State) -> &Vec<f64>| states.iter().flat_map(of).copied().collect::<Vec<f64>>();
    let (q, qd, qdd) = (column(|s| &s.q), column(|s| &s.qd), column(|s| &s.qdd));
    let inputs = Inputs { q: &q, qd: &qd, qdd: &qdd, ..Inputs::default() };
    let rows: Vec<f64> = states.iter().flat_map(|state| compiled.input(state).unwrap()).collect();
    let (n, m) = (compiled.input_count(), compiled.output_count());
    let mut expected = vec![0.0; states.len() * m];
    compiled.run_batch(&rows, &mut compiled.scratch(), &mut expected);
    // All ways at once, on memory that the runs leave for each other; each thread has another order of them.
    let found = together(|thread| {
        let mut ways = Vec::new();
        for round in 0..8 {
            let (way, mut out) = ((thread + round) % 4, vec![f64::NAN; states.len() * m]);
            match way {
                0 => compiled.run_columns(&inputs, &mut out).unwrap(),
                1 => compiled.run_parallel(&rows, &mut out),
                2 => compiled.run_batch(&rows, &mut compiled.scratch(), &mut out),
                _ => {
                    for (k, out) in out.chunks_exact_mut(m).enumerate() {
                        compiled.run_one(&one(&inputs, k, n / 3), out).unwrap();
                    }
                }
            }
            ways.push((way, bits(&out) == bits(&expected)));
        }
        ways
    });
    assert!(found.iter().flatten().all(|(_, same)| *same), "{found:?}");
}

/// One state of many by columns.
fn one<'a>(inputs: &Inputs<'a>, k: usize, n: usize) -> Inputs<'a> {
    let at = |column: &'a [f64]| &column[k * n..(k + 1) * n];
    Inputs { q: at(inputs.q), qd: at(inputs.qd), qdd: at(inputs.qdd), ..Inputs::default() }
}

#[test]
fn what_a_model_works_out_once_is_the_same_whoever_asks_first() {
    // Base columns, their labels and the nominal robot are found when they are first asked for.
    for name in ["puma560", "iiwa14_elastic", "floating_humanoid25"] {
        let alone = robots::load(name).unwrap();
        let state = &random_states(&alone, 1)[0];
        let evaluate = |model: &Model| {
            let mut workspace = Workspace::new(model);
            let evaluate = |name| quantity(model, name).evaluate(Path::Fast, model, state, &mut workspace).ok();
            ["base_regressor", "regressor", "inverse_dynamics"].map(evaluate).map(|found| found.map(|x| bits(&x)))
        };
        let expected = evaluate(&alone);
        for _ in 0..4 {
            let shared = robots::load(name).unwrap();
            let copies: Vec<Model> = (0..THREADS).map(|_| shared.clone()).collect();
            let found = together(|thread| evaluate(if thread % 2 == 0 { &shared } else { &copies[thread] }));
            assert!(found.iter().all(|found| *found == expected), "{name}");
        }
    }
}

#[test]
fn expressions_of_threads_do_not_meet() {
    // Every thread has a graph of its own; programs that come out of it are the same.
    let model = robots::load("puma560").unwrap();
    let names = ["mass_matrix", "gravity", "inverse_dynamics"];
    let found = together(|thread| {
        let mut programs: Vec<_> = (0..names.len())
            .map(|k| {
                let which = (thread + k) % names.len();
                let derived = derive(&model, &quantity(&model, names[which]), &DeriveOptions::default()).unwrap();
                (which, format!("{:?}", derived.program))
            })
            .collect();
        programs.sort();
        programs
    });
    assert!(all_equal(&found));
}

#[test]
fn compiling_and_dropping_on_all_threads_leaves_every_function_right() {
    // Pages are mapped, written, made executable and given back while others run theirs.
    let model = robots::load("scara").unwrap();
    let states = random_states(&model, 9);
    let found = together(|_| {
        let mut last = Vec::new();
        for _ in 0..6 {
            let compiled = model.compile(&[quantity(&model, "inverse_dynamics")]).unwrap();
            let rows: Vec<f64> = states.iter().flat_map(|state| compiled.input(state).unwrap()).collect();
            let mut out = vec![f64::NAN; states.len() * compiled.output_count()];
            compiled.run_batch(&rows, &mut compiled.scratch(), &mut out);
            last = bits(&out);
        }
        last
    });
    assert!(all_equal(&found));
}

#[test]
fn batches_side_by_side_share_the_pool_and_nothing_else() {
    let model = robots::load("panda").unwrap();
    let quantities = [quantity(&model, "inverse_dynamics"), quantity(&model, "mass_matrix")];
    let states = random_states(&model, 1500);
    let flat = |results: Vec<Vec<Vec<f64>>>| bits(&results.into_iter().flatten().flatten().collect::<Vec<_>>());
    let expected = flat(evaluate_batch(&quantities, Path::Fast, &model, &states, |_| ()).unwrap());
    let found = together(|_| {
        let (mut batch, mut all, mut out) = (Batch::new(&quantities, Path::Fast, &model), Vec::new(), Vec::new());
        batch.expect(states.len());
        for block in states.chunks(500) {
            batch.evaluate_into(block, &mut out, |_| ()).unwrap();
            all.extend_from_slice(&out);
        }
        bits(&all)
    });
    assert!(found.iter().all(|found| *found == expected));
}

#[test]
fn inverse_kinematics_of_threads_is_that_of_one() {
    let model = robots::load("panda").unwrap();
    let link = model.links().len() - 1;
    let pose = |i: usize| kinematics::pose(&model, &[0.3 + 0.01 * i as f64, 0.5, -0.2, -1.8, 0.4, 1.6, 0.2], link);
    let targets: Vec<_> = (0..40).map(pose).collect();
    let make = || Solver::new(&model, Task::pose(link), Box::new(Constant), ik::Options::default());
    let solve = || {
        let (mut batch, mut found) = (ik::Batch::new(make).unwrap(), Solutions::default());
        batch.solve_into(&targets, None, &mut found, || ()).unwrap();
        format!("{:?}", found.reports())
    };
    let expected = solve();
    assert!(together(|_| solve()).iter().all(|found| *found == expected));
}

#[test]
fn simulations_of_one_robot_on_all_threads_are_the_same() {
    let model = robots::load("planar2r").unwrap();
    let found = together(|_| {
        let system = Rigid::new(&model);
        let mut simulation = Simulation::new(&system);
        simulation.law = Law::default();
        simulation.options = Options { duration: 0.2, ..Options::default() };
        let motion = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        format!("{:?}", motion.samples)
    });
    assert!(all_equal(&found));
}
