//! Compiled models against the library: every quantity of every built-in robot as machine code, for one state and for many,
//! is the tape's and that of the formula on numbers.

// Times and errors are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use crate::common::random_tree::{Random, random_state};
use jourdain::bench::random_states;
use jourdain::compile::CompiledModel;
use jourdain::derive::{DeriveError, DeriveOptions, Parameters};
use jourdain::quantity::{Input, Path, Quantity};
use jourdain::state::{Inputs, LinkWrench};
use jourdain::{Model, State, Workspace, robots};
use jourdain_symbolic::{BackEnd, Compiled};
use std::time::Instant;

/// One batch of four, and one that overlaps it.
const STATES: usize = 6;
/// Relative to the largest number of a quantity.
const TOLERANCE: f64 = 1e-12;

/// Every quantity of a robot; those of links for one in the middle and the last.
fn quantities(model: &Model) -> Vec<Quantity> {
    let links = model.links().len();
    let in_the_middle = Quantity::each(links / 2).into_iter().filter(|quantity| quantity.link().is_some());
    in_the_middle.chain(Quantity::each(links - 1)).collect()
}

/// The largest difference over the largest expected number; where all are zero, or rounding errors of torques and masses
/// that are not, over one.
fn error(found: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let difference = |(a, b): (&f64, &f64)| if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() };
    let difference = found.iter().zip(expected).map(difference).fold(0.0, f64::max);
    difference / if largest > 1e-9 { largest } else { 1.0 }
}

/// Compares a quantity and says how far off it is. `None` if the robot does not have it, compiled or not.
fn compare(model: &Model, quantity: &Quantity, states: &[State], options: &DeriveOptions) -> Option<f64> {
    let what = format!("{} of {}, {options:?}", quantity.name(model), model.name());
    let mut workspace = Workspace::new(model);
    let formula = |state| quantity.evaluate(Path::Fast, model, state, &mut workspace);
    let expected: Result<Vec<Vec<f64>>, _> = states.iter().map(formula).collect();
    let compiled = CompiledModel::new(model, &[*quantity], options);
    let (expected, compiled) = match (expected, compiled) {
        (Ok(expected), Ok(compiled)) => (expected, compiled),
        (_, Err(DeriveError::Regrouped(_))) => return None,
        (Err(known), Err(DeriveError::Quantity(found))) if known == found => return None,
        (Err(error), Ok(_)) => panic!("{what}: compiled, but the library says {error}"),
        (_, Err(error)) => panic!("{what}: {error}"),
    };
    let m = compiled.output_count();
    let inputs: Vec<f64> = states.iter().flat_map(|state| compiled.input(state).unwrap()).collect();
    let mut batch = vec![f64::NAN; states.len() * m];
    compiled.run_batch(&inputs, &mut compiled.scratch(), &mut batch);

    let tape = Compiled::interpreted(compiled.program());
    let mut on_tape = vec![f64::NAN; states.len() * m];
    tape.run_batch(&inputs, &mut tape.scratch(), &mut on_tape);

    let (mut single, mut updated) = (vec![f64::NAN; m], vec![f64::NAN; m]);
    let mut scratch = compiled.scratch();
    compiled.run(&compiled.input(&states[0]).unwrap(), &mut scratch, &mut updated);
    let mut worst = 0.0_f64;
    for (k, (state, expected)) in states.iter().zip(&expected).enumerate() {
        let inputs = compiled.input(state).unwrap();
        compiled.run(&inputs, &mut scratch, &mut single);
        compiled.update(&inputs, &mut scratch, &mut updated);
        let tape = &on_tape[k * m..(k + 1) * m];
        for (way, found) in [("one", &single[..]), ("update", &updated), ("batch", &batch[k * m..(k + 1) * m])] {
            let off = error(found, expected);
            assert!(off <= TOLERANCE, "{what}, {way}, state {k}: error {off:.2e}");
            // Where the tape rounds a product and a sum once, too, it does all that machine code does.
            let off = if cfg!(target_feature = "fma") { f64::from(found != tape) } else { error(found, tape) };
            assert!(off <= TOLERANCE, "{what}, {way} against the tape, state {k}: error {off:.2e}");
        }
        worst = worst.max(error(&single, expected)).max(error(tape, expected));
    }
    Some(worst)
}

/// Robots that between them have chains and trees, fixed and free bases, joints that turn and slide, rigid and elastic
/// drives, and few and many joints. The other built-in robots are more of the same.
const VARIETY: [&str; 14] = [
    "floating_humanoid25",
    "humanoid25",
    "iiwa14",
    "iiwa14_elastic",
    "kuka_lwr",
    "panda",
    "planar2r",
    "planar2r_elastic",
    "planar3r_chang",
    "puma560",
    "rx90",
    "scara",
    "stanford",
    "ur5",
];

/// Compares the quantities of each robot, all robots at once.
fn compare_all<'n>(names: impl Iterator<Item = &'n str>, wanted: impl Fn(&Quantity) -> bool + Sync) {
    let compare_robot = |name: &str| {
        let model = robots::load(name).unwrap();
        let states = random_states(&model, STATES);
        let quantities: Vec<_> = quantities(&model).into_iter().filter(&wanted).collect();
        let (begun, mut worst, mut count) = (Instant::now(), (0.0_f64, String::new()), 0);
        for quantity in &quantities {
            if let Some(off) = compare(&model, quantity, &states, &DeriveOptions::default()) {
                count += 1;
                if off >= worst.0 {
                    worst = (off, quantity.name(&model));
                }
            }
        }
        println!("{name}: {count} quantities, {:.1?}, error {:.1e} ({})", begun.elapsed(), worst.0, worst.1);
        assert_eq!(count, quantities.len(), "{name} lacks a quantity");
    };
    std::thread::scope(|scope| {
        for name in names {
            let compare_robot = &compare_robot;
            scope.spawn(move || compare_robot(name));
        }
    });
}

#[test]
fn every_quantity_is_the_same_compiled() {
    compare_all(VARIETY.into_iter(), |_| true);
}

#[test]
fn what_is_computed_most_is_the_same_compiled_for_every_built_in_robot() {
    let most =
        ["mass_matrix", "coriolis_matrix", "gravity", "inverse_dynamics", "inverse_dynamics_dq", "forward_dynamics"];
    compare_all(robots::ALL.iter().map(|robot| robot.name), |quantity| most.contains(&quantity.entry().name));
}

/// A state with a wrench on each of some links.
fn loaded_states(model: &Model, links: &[usize]) -> Vec<State> {
    let mut random = Random::new(11);
    (0..STATES)
        .map(|_| {
            let mut state = random_state(model, &mut random);
            let loads = links.iter().map(|&link| {
                loop {
                    // A random state has up to two wrenches on random links.
                    if let Some(load) = random_state(model, &mut random).wrenches.first() {
                        break LinkWrench { link, ..*load };
                    }
                }
            });
            state.wrenches = loads.collect();
            state.derivatives = vec![random.vector(model.nv(), 1.0), random.vector(model.nv(), 1.0)];
            state
        })
        .collect()
}

#[test]
fn quantities_under_wrenches_are_the_same_compiled() {
    for robot in ["planar2r", "scara", "iiwa14", "floating_humanoid25"] {
        let model = robots::load(robot).unwrap();
        let links = [model.links().len() / 2, model.links().len() - 1];
        let states = loaded_states(&model, &links);
        let options = DeriveOptions { loaded: links.to_vec(), ..DeriveOptions::default() };
        let mut count = 0;
        for quantity in quantities(&model) {
            if quantity.reads().contains(Input::Wrenches) {
                count += usize::from(compare(&model, &quantity, &states, &options).is_some());
            }
        }
        assert!(count >= 8, "{robot}: {count} quantities");
    }
}

#[test]
fn quantities_with_parameters_as_inputs_are_the_same_compiled() {
    for robot in ["planar2r", "scara", "puma560", "iiwa14"] {
        let model = robots::load(robot).unwrap();
        let states = random_states(&model, STATES);
        for parameters in [Parameters::Symbolic, Parameters::Base] {
            let options = DeriveOptions { parameters, ..DeriveOptions::default() };
            let mut count = 0;
            for quantity in quantities(&model) {
                // Base parameters say what the motion tells, and no more.
                let entry = quantity.entry();
                let told = ["mass_matrix", "gravity", "inverse_dynamics", "coriolis_christoffel", "forward_dynamics"];
                if parameters == Parameters::Symbolic || told.contains(&entry.name) {
                    count += usize::from(compare(&model, &quantity, &states, &options).is_some());
                }
            }
            assert!(count >= 5, "{robot}: {count} quantities");
        }
    }
}

#[test]
fn a_compiled_model_is_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<CompiledModel>();
    is_shared::<jourdain_symbolic::CompiledScratch>();
}

#[test]
fn threads_compile_call_and_drop_models_at_once() {
    const THREADS: usize = 8;
    let names = ["planar2r", "scara", "puma560", "stanford", "ur5", "panda", "iiwa14", "rx90"];
    let of = |model: &Model| {
        ["inverse_dynamics", "mass_matrix", "forward_dynamics"].map(|name| Quantity::parse(name, model).unwrap())
    };
    let expected = |model: &Model, state: &State| -> Vec<f64> {
        let mut workspace = Workspace::new(model);
        of(model).iter().flat_map(|q| q.evaluate(Path::Fast, model, state, &mut workspace).unwrap()).collect()
    };
    let shared_model = robots::load("iiwa14").unwrap();
    let shared = shared_model.compile(&of(&shared_model)).unwrap();
    std::thread::scope(|scope| {
        for (thread, name) in names.iter().enumerate() {
            let (shared, shared_model, of) = (&shared, &shared_model, &of);
            scope.spawn(move || {
                let own_model = robots::load(name).unwrap();
                let mut shared_scratch = shared.scratch();
                for round in 0..25 {
                    let own = own_model.compile(&of(&own_model)).unwrap();
                    let mut own_scratch = own.scratch();
                    let calls = [(&own, &own_model, &mut own_scratch), (shared, shared_model, &mut shared_scratch)];
                    for (compiled, model, scratch) in calls {
                        let states = &random_states(model, THREADS + STATES)[thread..thread + STATES];
                        let inputs: Vec<f64> = states.iter().flat_map(|state| compiled.input(state).unwrap()).collect();
                        let m = compiled.output_count();
                        let (mut out, mut single) = (vec![0.0; STATES * m], vec![0.0; m]);
                        compiled.run_batch(&inputs, scratch, &mut out);
                        for (state, out) in states.iter().zip(out.chunks(m)) {
                            compiled.run(&compiled.input(state).unwrap(), scratch, &mut single);
                            let expected = expected(model, state);
                            let off = error(out, &expected).max(error(&single, &expected));
                            assert!(off <= TOLERANCE, "{}, thread {thread}, round {round}: {off:.2e}", model.name());
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn models_run_as_machine_code_where_the_processor_can() {
    let model = robots::load("iiwa14").unwrap();
    let compiled = model.compile(&[Quantity::parse("inverse_dynamics", &model).unwrap()]).unwrap();
    let features = jourdain_symbolic::processor_features();
    let can = features.contains(&"avx2") && features.contains(&"fma") && !cfg!(miri);
    let may = std::env::var_os("JOURDAIN_NO_JIT").is_none_or(|value| value != "1");
    assert_eq!(compiled.back_end(), if can && may { BackEnd::MachineCode } else { BackEnd::Tape });
}

/// The state of a robot with springs under a load that changes quickly: what was left out of the compiled torque was the
/// second rate of the load.
#[test]
fn motor_torques_of_elastic_joints_know_the_rates_of_wrenches() {
    let model = robots::load("planar2r_elastic").unwrap();
    let text = include_str!("../../../../suite/states/elastic_wrench_rates.json");
    let state = jourdain::formats::read_states(text, &model).unwrap().states.remove(0).state;
    let quantity = Quantity::parse("elastic_motor_torque", &model).unwrap();
    let loaded = vec![state.wrenches[0].link];
    let off = compare(&model, &quantity, &[state], &DeriveOptions { loaded, ..DeriveOptions::default() });
    assert!(off.is_some());
}

#[test]
fn wrenches_are_taken_by_the_links_they_act_on() {
    let model = robots::load("planar2r").unwrap();
    let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
    let options = DeriveOptions { loaded: vec![0, 2], ..DeriveOptions::default() };
    let compiled = CompiledModel::new(&model, &[quantity], &options).unwrap();
    let mut state = loaded_states(&model, &[2, 0]).remove(0);
    let (mut out, mut scratch) = (vec![0.0; 2], compiled.scratch());
    compiled.run(&compiled.input(&state).unwrap(), &mut scratch, &mut out);
    let expected = quantity.evaluate(Path::Fast, &model, &state, &mut Workspace::new(&model)).unwrap();
    assert!(error(&out, &expected) <= TOLERANCE, "{out:?} and {expected:?}");
    state.wrenches[1].link = 1;
    assert!(compiled.input(&state).is_err(), "a link that was not compiled");
    let unloaded = model.compile(&[quantity]).unwrap();
    assert!(unloaded.input(&state).is_err(), "no link was compiled");
    let blind = model.compile(&[Quantity::parse("gravity", &model).unwrap()]).unwrap();
    assert!(blind.input(&state).is_ok(), "gravity does not feel wrenches");
}

#[test]
fn columns_are_checked() {
    let model = robots::load("planar2r").unwrap();
    let compiled = model.compile(&[Quantity::parse("inverse_dynamics", &model).unwrap()]).unwrap();
    let (q, mut out) = ([0.1; 600], [0.0; 600]);
    let mut run = |inputs: Inputs<'_>| compiled.run_columns(&inputs, &mut out).map_err(|error| error.to_string());
    assert!(run(Inputs { q: &q, ..Inputs::default() }).is_ok());
    assert!(run(Inputs { q: &q[..598], ..Inputs::default() }).is_err());
    assert!(run(Inputs { q: &q, qd: &q[..4], ..Inputs::default() }).is_err());
    assert!(run(Inputs::default()).is_err());
    let mut bad = q;
    bad[451] = f64::NAN;
    assert!(run(Inputs { q: &q, qd: &bad, ..Inputs::default() }).unwrap_err().contains("not a finite number"));
    assert!(compiled.run_columns(&Inputs { q: &q, ..Inputs::default() }, &mut out[..599]).is_err());
    let quantities = [Quantity::parse("inverse_dynamics", &model).unwrap()];
    let (mut batch, mut results) = (jourdain::batch::Batch::new(&quantities, Path::Fast, &model), Vec::new());
    let columns = Inputs { q: &q, qdd: &q, ..Inputs::default() };
    batch.evaluate_columns_into(&columns, 300, &mut results).unwrap();
    compiled.run_columns(&columns, &mut out).unwrap();
    assert!(error(&results, &out) <= TOLERANCE);
    assert!(batch.evaluate_columns_into(&columns, 299, &mut results).is_err());
}

#[test]
fn one_row_holds_for_all_states() {
    for robot in ["iiwa14", "floating_humanoid25"] {
        let model = robots::load(robot).unwrap();
        let quantities = ["inverse_dynamics", "mass_matrix"].map(|name| Quantity::parse(name, &model).unwrap());
        let compiled = model.compile(&quantities).unwrap();
        let (count, m, nv) = (600, compiled.output_count(), model.nv());
        let states = random_states(&model, count);
        let column = |of: fn(&State) -> &Vec<f64>| states.iter().flat_map(|s| of(s).clone()).collect::<Vec<f64>>();
        let (q, qdd) = (column(|s| &s.q), column(|s| &s.qdd));
        let velocity = &states[0].qd;
        let (mut one, mut many) = (vec![0.0; count * m], vec![0.0; count * m]);
        compiled.run_columns(&Inputs { q: &q, qd: velocity, qdd: &qdd, ..Inputs::default() }, &mut one).unwrap();
        let repeated = velocity.repeat(count);
        let inputs = Inputs { q: &q, qd: &repeated, qdd: &qdd, ..Inputs::default() };
        compiled.run_columns(&inputs, &mut many).unwrap();
        assert_eq!(one, many, "{robot}");

        // The formulas, and one position under many velocities.
        let mut batch = jourdain::batch::Batch::new(&quantities, Path::Fast, &model);
        let mut results = Vec::new();
        let inputs = Inputs { q: &states[0].q, qd: &repeated, qdd: &qdd, ..Inputs::default() };
        batch.evaluate_columns_into(&inputs, count, &mut results).unwrap();
        compiled.run_columns(&inputs, &mut many).unwrap();
        assert!(error(&results, &many) <= TOLERANCE, "{robot}");

        // Outputs of their own, one chunk and several.
        for count in [1, 5, 600] {
            let (mut torque, mut mass) = (vec![0.0; count * nv], vec![0.0; count * nv * nv]);
            let inputs =
                Inputs { q: &states[0].q, qd: &repeated[..count * nv], qdd: &qdd[..count * nv], ..Inputs::default() };
            compiled.run_columns_apart(&inputs, count, &mut [&mut torque, &mut mass]).unwrap();
            for (k, row) in many.chunks(m).take(count).enumerate() {
                assert_eq!(torque[k * nv..(k + 1) * nv], row[compiled.range(0)], "{robot}, {count} states");
                assert_eq!(mass[k * nv * nv..(k + 1) * nv * nv], row[compiled.range(1)], "{robot}, {count} states");
            }
            assert!(compiled.run_columns_apart(&inputs, count, &mut [&mut mass, &mut torque]).is_err());
        }
    }
}
