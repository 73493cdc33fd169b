//! Calls of a compiled model allocate nothing, and batches nothing per state.

use crate::counting::allocations;
use jourdain::batch::Batch;
use jourdain::bench::random_states;
use jourdain::quantity::{Path, Quantity};
use jourdain::state::Inputs;
use jourdain::{State, robots};
use jourdain_symbolic::Compiled;

const STATES: usize = 7;

#[test]
fn the_counter_sees_a_compilation() {
    let model = robots::load("planar2r").unwrap();
    let quantity = Quantity::parse("gravity", &model).unwrap();
    assert!(allocations(|| drop(model.compile(&[quantity]).unwrap())) > 0);
}

#[test]
fn calls_allocate_nothing() {
    for robot in ["planar2r", "iiwa14", "floating_humanoid25"] {
        let model = robots::load(robot).unwrap();
        let names = ["mass_matrix", "inverse_dynamics", "forward_dynamics", "pose:LAST"];
        let last = &model.links()[model.links().len() - 1].name;
        let of = |name: &str| Quantity::parse(&name.replace("LAST", last), &model).unwrap();
        let compiled = model.compile(&names.map(of)).unwrap();
        let tape = Compiled::interpreted(compiled.program());
        let mut states: Vec<f64> =
            random_states(&model, STATES).iter().flat_map(|s| compiled.input(s).unwrap()).collect();
        let (n, m) = (compiled.input_count(), compiled.output_count());
        let (mut scratch, mut tape_scratch) = (compiled.scratch(), tape.scratch());
        let (mut one, mut many) = (vec![0.0; m], vec![0.0; STATES * m]);
        // Also with an angle that takes the slow way.
        for angle in [states[0], 1e9, f64::NAN] {
            states[0] = angle;
            let count = allocations(|| {
                compiled.run(&states[..n], &mut scratch, &mut one);
                compiled.update(&states[n..2 * n], &mut scratch, &mut one);
                compiled.run_batch(&states, &mut scratch, &mut many);
                compiled.update_batch(&states, &mut scratch, &mut many);
                tape.run(&states[..n], &mut tape_scratch, &mut one);
                tape.update(&states[n..2 * n], &mut tape_scratch, &mut one);
                tape.run_batch(&states, &mut tape_scratch, &mut many);
                tape.update_batch(&states, &mut tape_scratch, &mut many);
            });
            assert_eq!(count, 0, "{robot}, first angle {angle}");
        }
    }
}

/// Allocations are counted by thread: one does all the work here.
fn alone(work: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work);
}

#[test]
fn states_by_columns_allocate_nothing_after_the_first() {
    alone(|| {
        let model = robots::load("iiwa14").unwrap();
        let names = ["mass_matrix", "inverse_dynamics"];
        let compiled = model.compile(&names.map(|name| Quantity::parse(name, &model).unwrap())).unwrap();
        let (n, m, parts) = (model.nv(), compiled.output_count(), [0, 1].map(|k| compiled.range(k).len()));
        let states = random_states(&model, STATES);
        let column = |of: fn(&State) -> &Vec<f64>| states.iter().flat_map(of).copied().collect::<Vec<f64>>();
        let (q, qd, qdd) = (column(|s| &s.q), column(|s| &s.qd), column(|s| &s.qdd));
        let of = |count: usize| Inputs {
            q: &q[..count * n],
            qd: &qd[..count * n],
            qdd: &qdd[..count * n],
            ..Inputs::default()
        };
        let (mut row, mut one, mut many) = (vec![0.0; compiled.input_count()], vec![0.0; m], vec![0.0; STATES * m]);
        let (mut a, mut b) = (vec![0.0; STATES * parts[0]], vec![0.0; STATES * parts[1]]);
        let mut all = || {
            compiled.input_into(&states[0], &mut row).unwrap();
            compiled.run_columns(&of(STATES), &mut many).unwrap();
            compiled.run_columns_apart(&of(STATES), STATES, &mut [&mut a, &mut b]).unwrap();
            compiled.run_one(&of(1), &mut one).unwrap();
        };
        // Memory is left by the first run, and for as many states as it had.
        all();
        assert_eq!(allocations(all), 0);
        assert_eq!((&one[..], &a[..parts[0]]), (&many[..m], &many[..parts[0]]));
    });
}

#[test]
fn states_on_all_cores_allocate_by_the_block_not_by_the_state() {
    alone(|| {
        let model = robots::load("iiwa14").unwrap();
        let quantities = [Quantity::parse("inverse_dynamics", &model).unwrap()];
        let compiled = model.compile(&quantities).unwrap();
        let states = random_states(&model, 4096);
        let rows: Vec<f64> = states.iter().flat_map(|state| compiled.input(state).unwrap()).collect();
        let (n, m) = (compiled.input_count(), compiled.output_count());
        let mut out = vec![0.0; states.len() * m];
        let mut parallel = |count: usize| {
            compiled.run_parallel(&rows[..count * n], &mut out[..count * m]);
        };
        parallel(4096);
        let [few, many] = [1024, 4096].map(|count| allocations(|| parallel(count)));
        assert!(many <= few + 12, "{few} allocations for 1024 states, {many} for 4096");

        let mut batch = Batch::new(&quantities, Path::Fast, &model);
        batch.expect(usize::MAX);
        let mut found = Vec::new();
        let mut evaluate = |count: usize| batch.evaluate_into(&states[..count], &mut found, |_| ()).unwrap();
        evaluate(4096);
        let [few, many] = [1024, 4096].map(|count| allocations(|| evaluate(count)));
        assert!(many <= few + 400, "{few} allocations for 1024 states, {many} for 4096");
        assert!(batch.is_compiled());
    });
}
