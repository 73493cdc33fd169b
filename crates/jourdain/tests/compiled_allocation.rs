//! Calls of a compiled model allocate nothing.

mod counting;

use counting::allocations;
use jourdain::bench::random_states;
use jourdain::quantity::Quantity;
use jourdain::robots;
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
