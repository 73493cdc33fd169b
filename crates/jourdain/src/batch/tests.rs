//! Batches against the formulas, state by state.

use super::{Batch, WORTH_COMPILING, evaluate_batch};
use crate::formats::{self, Format};
use crate::model::Model;
use crate::quantity::{Input, Path, Quantity, QuantityError};
use crate::random::Random;
use crate::robots;
use crate::spatial::Wrench;
use crate::state::{LinkWrench, State};
use crate::workspace::Workspace;

/// Two arms on a trunk, one joint coupled to another, with rotors and friction.
const COUPLED: &str = r#"
name = "coupled"
[[link]]
name = "trunk"
mass = 4.0
com = [0.1, 0.0, 0.2]
inertia = [0.03, 0, 0, 0.02, 0, 0.03]
joint = { type = "revolute", axis = [0, 0, 1] }
motor = { inertia = 1e-4, ratio = 80.0, viscous = 0.2, coulomb = 0.3 }
[[link]]
name = "left"
parent = "trunk"
mass = 2.0
com = [0.2, 0.01, 0.0]
inertia = [0.01, 0, 0, 0.02, 0, 0.02]
origin = { xyz = [0.3, 0.2, 0.1], rpy = [0.4, -0.2, 0.1] }
joint = { type = "revolute", axis = [0, 1, 0] }
[[link]]
name = "right"
parent = "trunk"
mass = 1.5
com = [0.2, -0.01, 0.0]
inertia = [0.01, 0, 0, 0.01, 0, 0.02]
origin = { xyz = [0.3, -0.2, 0.1] }
joint = { type = "revolute", axis = [0, 1, 0], mimic = { joint = "left", multiplier = -1.5, offset = 0.2 } }
motor = { inertia = 2e-4, ratio = 50.0, viscous = 0.1 }
[[link]]
name = "wrist"
parent = "left"
mass = 0.7
com = [0.0, 0.0, 0.1]
inertia = [0.003, 0, 0, 0.002, 0, 0.003]
origin = { xyz = [0.3, 0, 0] }
joint = { type = "spherical" }
"#;

fn coupled() -> Model<f64> {
    Model::from_description(&formats::read_str(COUPLED, Format::Toml).description.unwrap()).unwrap()
}

fn parse(names: &[&str], model: &Model<f64>) -> Vec<Quantity> {
    names.iter().map(|name| Quantity::parse(name, model).unwrap()).collect()
}

fn random_state(random: &mut Random, model: &Model<f64>) -> State<f64> {
    let mut state = State::neutral(model);
    let n = model.nv();
    state.q = random.vector(model.nq());
    state.derivatives = vec![random.vector(n), random.vector(n)];
    for input in Input::vectors().filter(|input| *input != Input::Position) {
        input.vector_mut(&mut state).into_iter().for_each(|vector| *vector = random.vector(n));
    }
    state.checked(model).unwrap()
}

fn load(random: &mut Random, link: usize) -> LinkWrench<f64> {
    let mut wrench = || Wrench::from_array(random.array());
    LinkWrench { link, wrench: wrench(), dot: wrench(), ddot: wrench() }
}

/// Evaluates as if there were many states; says whether machine code ran.
fn evaluate(quantities: &[Quantity], model: &Model<f64>, states: &[State<f64>]) -> (Vec<f64>, bool) {
    let (mut batch, mut out) = (Batch::new(quantities, Path::Fast, model), Vec::new());
    batch.expect(WORTH_COMPILING);
    batch.evaluate_into(states, &mut out, |_| ()).unwrap();
    (out, batch.is_compiled())
}

/// That every quantity agrees with its formula, next to its largest number.
fn assert_agree(quantities: &[Quantity], model: &Model<f64>, states: &[State<f64>], out: &[f64], context: &str) {
    let (mut workspace, mut rest) = (Workspace::new(model), out);
    for (index, state) in states.iter().enumerate() {
        for quantity in quantities {
            let expected = quantity.evaluate(Path::Fast, model, state, &mut workspace).unwrap();
            let (values, after) = rest.split_at(expected.len());
            rest = after;
            let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            for (a, b) in values.iter().zip(&expected) {
                let name = quantity.name(model);
                assert!((a - b).abs() <= 1e-12 * largest, "{context}, {name} at state {index}: {a} and {b}");
            }
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn no_states_give_no_numbers() {
    let model = robots::load("planar2r").unwrap();
    assert!(evaluate(&parse(&["gravity"], &model), &model, &[]).0.is_empty());
}

#[test]
fn a_batch_equals_its_states_one_by_one_and_names_the_first_bad_one() {
    let model = robots::load("stanford").unwrap();
    let quantities = parse(&["com", "inverse_dynamics"], &model);
    for count in [40, WORTH_COMPILING + 7] {
        let mut random = Random(11);
        let mut states: Vec<_> = (0..count).map(|_| random_state(&mut random, &model)).collect();
        let finished = std::sync::atomic::AtomicUsize::new(0);
        let tick = |more| {
            finished.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
        };
        let batch = evaluate_batch(&quantities, Path::Fast, &model, &states, tick).unwrap();
        assert_eq!(finished.into_inner(), count);
        let out: Vec<f64> = batch.into_iter().flatten().flatten().collect();
        assert_agree(&quantities, &model, &states, &out, "stanford");
        states[17].qd.fill(1e300);
        states[30].qd.fill(1e300);
        assert_eq!(evaluate_batch(&quantities, Path::Fast, &model, &states, |_| ()).unwrap_err().0, 17);
    }
}

#[test]
fn machine_code_agrees_with_the_formulas() {
    let seed = 20_240_611;
    let names = ["mass_matrix", "coriolis_matrix", "gravity_dq", "forward_dynamics", "inverse_dynamics_d4", "com"];
    let more = ["slotine_li_regressor", "kinetic_energy", "elastic_motor_torque", "mass_matrix_inverse"];
    let load = |name: &str| robots::load(name).unwrap();
    for model in [load("iiwa14"), load("iiwa14_elastic"), load("scara"), load("floating_humanoid25"), coupled()] {
        let last = model.links().last().unwrap().name.clone();
        let of_link = [format!("pose:{last}"), format!("jacobian_dot:{last}")];
        let mut quantities = parse(&names, &model);
        quantities.extend(parse(&of_link.each_ref().map(String::as_str), &model));
        if model.nv() < 10 {
            quantities.extend(parse(&more, &model));
        }
        let mut random = Random(seed);
        let states: Vec<_> = (0..37).map(|_| random_state(&mut random, &model)).collect();
        let (out, compiled) = evaluate(&quantities, &model, &states);
        assert!(compiled, "{}", model.name());
        assert_agree(&quantities, &model, &states, &out, &format!("{}, seed {seed}", model.name()));
    }
}

#[test]
fn wrenches_on_a_few_links_are_compiled_and_on_many_are_not() {
    let (seed, model) = (7, robots::load("ur5").unwrap());
    let quantities = parse(&["external_forces_ddot", "inverse_dynamics", "gravity", "inverse_dynamics_dot"], &model);
    let mut random = Random(seed);
    let mut states: Vec<_> = (0..20).map(|_| random_state(&mut random, &model)).collect();
    let mut batch = Batch::new(&quantities, Path::Fast, &model);
    batch.expect(WORTH_COMPILING);
    let mut out = Vec::new();
    let mut check = |states: &[State<f64>], loaded: Option<&[usize]>| {
        batch.evaluate_into(states, &mut out, |_| ()).unwrap();
        assert_agree(&quantities, &model, states, &out, &format!("seed {seed}"));
        if let (Some(loaded), super::Function::Ready(ready)) = (loaded, &batch.function) {
            assert_eq!(ready.loaded(), loaded);
            assert!(ready.takes(states));
        } else if let super::Function::Ready(ready) = &batch.function {
            assert!(loaded.is_none() && !ready.takes(states));
        }
    };
    check(&states, Some(&[]));
    states[3].wrenches = vec![load(&mut random, 5), load(&mut random, 2), load(&mut random, 5)];
    check(&states, Some(&[5, 2]));
    states[4].wrenches = vec![load(&mut random, 6)];
    check(&states, Some(&[5, 2, 6]));
    states[5].wrenches = vec![load(&mut random, 0), load(&mut random, 1)];
    check(&states, None);
    states[5].wrenches.clear();
    check(&states, Some(&[5, 2, 6]));
}

#[test]
fn errors_are_those_of_the_formulas() {
    let seed = 3;
    let fail = |model: &Model<f64>, names: &[&str], spoil: &dyn Fn(&mut State<f64>)| {
        let quantities = parse(names, model);
        let mut random = Random(seed);
        let mut states: Vec<_> = (0..30).map(|_| random_state(&mut random, model)).collect();
        spoil(&mut states[21]);
        spoil(&mut states[23]);
        let mut workspace = Workspace::new(model);
        let expected: QuantityError = quantities
            .iter()
            .find_map(|quantity| quantity.evaluate(Path::Fast, model, &states[21], &mut workspace).err())
            .unwrap();
        let (mut batch, mut out) = (Batch::new(&quantities, Path::Fast, model), Vec::new());
        batch.expect(WORTH_COMPILING);
        let (index, error) = batch.evaluate_into(&states, &mut out, |_| ()).unwrap_err();
        // Compared as text: NaN is not equal to itself.
        assert_eq!(
            (index, error.to_string(), error.kind()),
            (21, expected.to_string(), expected.kind()),
            "seed {seed}"
        );
    };
    let model = coupled();
    let names = ["gravity", "inverse_dynamics", "inverse_dynamics_d3"];
    fail(&model, &names, &|state| state.qd.fill(1e300));
    fail(&model, &names, &|state| state.qdd[1] = f64::NAN);
    fail(&model, &names, &|state| state.qd.truncate(2));
    fail(&model, &names, &|state| state.derivatives[1].truncate(2));
    let stray = |state: &mut State<f64>| state.wrenches.push(LinkWrench::constant(99, Wrench::from_array([1.0; 6])));
    fail(&model, &names, &stray);
}

#[test]
fn what_has_no_function_is_left_to_the_formulas() {
    let text = r#"{"name": "bare", "link": [{"name": "a", "joint": {"type": "revolute"}}]}"#;
    let bare = Model::from_description(&formats::read_str(text, Format::Json).description.unwrap()).unwrap();
    let quantities = parse(&["com"], &bare);
    let states = vec![State::neutral(&bare); WORTH_COMPILING];
    let (index, error) = evaluate_batch(&quantities, Path::Fast, &bare, &states, |_| ()).unwrap_err();
    assert_eq!((index, error.kind()), (0, "massless"));
    let model = robots::load("planar2r").unwrap();
    let quantities = parse(&["gravity"], &model);
    let mut closed = Batch::new(&quantities, Path::Closed, &model);
    closed.expect(WORTH_COMPILING);
    closed.evaluate_into(&[State::neutral(&model)], &mut Vec::new(), |_| ()).unwrap();
    assert!(!closed.is_compiled());
}
