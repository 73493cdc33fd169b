//! The registry as a whole: its names, its errors, and that its formulas run on any scalar.

use super::{Input, Path, Quantity, QuantityError};
use crate::dynamics::closed_form;
use crate::formats;
use crate::model::Model;
use crate::robots;
use crate::spatial::Wrench;
use crate::state::{LinkWrench, State, StateError};
use crate::workspace::Workspace;
use jourdain_symbolic::{Dual, Scalar};

/// Every quantity of a robot, those of links for its last link.
fn all(model: &Model<f64>) -> Vec<Quantity> {
    Quantity::each(model.links().len() - 1)
}

/// A state with every input set, each number made from one between −1 and 1.
fn state<S: Scalar>(model: &Model<S::Constant>, number: impl Fn(f64) -> S) -> State<S> {
    let mut state = State::neutral(model);
    let mut counter = 0.0_f64;
    let mut next = || {
        counter += 1.0;
        number((1.7 * counter).sin())
    };
    state.derivatives = vec![vec![S::zero(); model.nv()]; 2];
    for input in Input::vectors().filter(|input| *input != Input::Position || model.nq() == model.nv()) {
        input.vector_mut(&mut state).into_iter().flatten().for_each(|x| *x = next());
    }
    state.derivatives.iter_mut().flatten().for_each(|x| *x = next());
    let wrench = Wrench::from_array(std::array::from_fn(|_| next()));
    state.wrenches.push(LinkWrench { link: model.links().len() - 1, wrench, dot: wrench, ddot: -wrench });
    state
}

#[test]
fn names_are_unique_and_read_back() {
    let model = robots::load("ur5").unwrap();
    for (index, quantity) in all(&model).iter().enumerate() {
        let name = quantity.name(&model);
        assert_eq!(Quantity::parse(&name, &model).as_ref(), Ok(quantity), "{name}");
        assert!(all(&model)[..index].iter().all(|other| other.name(&model) != name), "{name} stands twice");
        assert_eq!(
            quantity.entry().kind.entry().name,
            quantity.entry().name,
            "entries stand in the order of the kinds"
        );
    }
    for (short, name) in [
        ("M", "mass_matrix"),
        ("C", "coriolis_matrix"),
        ("g", "gravity"),
        ("tau", "inverse_dynamics"),
        ("Y", "regressor"),
    ] {
        assert_eq!(Quantity::parse(short, &model), Quantity::parse(name, &model));
    }
    for name in ["gravity_d2", "gravity_dN", "mass_matrix_d170", "inverse_dynamics_d99999999999999999999999"] {
        assert!(matches!(Quantity::parse(name, &model), Err(QuantityError::Order { .. })), "{name}");
    }
    for name in ["gravity_d03", "gravity_d", "gravity_d-3", "gravity_d3x"] {
        assert!(matches!(Quantity::parse(name, &model), Err(QuantityError::Unknown { .. })), "{name}");
    }
}

#[test]
fn both_paths_give_every_quantity_of_every_builtin_robot_the_same_numbers() {
    for robot in robots::ALL {
        let model = robots::load(robot.name).unwrap();
        let (state, mut workspace) = (state(&model, |x: f64| x), Workspace::new(&model));
        for quantity in all(&model) {
            let name = quantity.name(&model);
            let [fast, closed] = [Path::Fast, Path::Closed].map(|path| {
                quantity
                    .evaluate(path, &model, &state, &mut workspace)
                    .unwrap_or_else(|error| panic!("{name}: {error}"))
            });
            let scale = closed.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
            for (a, b) in fast.iter().zip(&closed) {
                assert!((a - b).abs() <= 1e-12 * scale, "{name} of {}: {a} and {b}", robot.name);
            }
        }
    }
}

#[test]
fn every_quantity_runs_on_duals() {
    let model = robots::load("panda").unwrap();
    let numbers = state(&model, |x: f64| x);
    let duals = lifted(&numbers);
    let (mut workspace, mut of_duals) = (Workspace::new(&model), Workspace::new(&model));
    for quantity in all(&model) {
        let name = quantity.name(&model);
        let expected = quantity.evaluate(Path::Fast, &model, &numbers, &mut workspace).unwrap();
        let mut found = vec![Dual::fixed(0.0); expected.len()];
        quantity.evaluate_into(Path::Fast, &model, &duals, &mut of_duals, &mut found).unwrap();
        let scale = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        for (expected, found) in expected.iter().zip(&found) {
            assert!((expected - found.value).abs() <= 1e-12 * scale, "{name}");
            assert!(found.derivative.abs() <= 1e-12 * scale, "{name} of constants is constant");
        }
    }
}

#[test]
fn a_quantity_reads_no_more_than_it_declares() {
    let model = robots::load("rx90").unwrap();
    let full = state(&model, |x: f64| x);
    for quantity in all(&model) {
        let mut bare = full.clone();
        let declared = |input| quantity.reads().contains(input);
        for input in Input::vectors().filter(|input| !declared(*input)) {
            input.vector_mut(&mut bare).into_iter().for_each(|vector| vector.fill(0.0));
        }
        if !declared(Input::Higher) {
            bare.derivatives.clear();
        }
        if !declared(Input::Wrenches) {
            bare.wrenches.clear();
        }
        let evaluate =
            |state: &State<f64>| quantity.evaluate(Path::Fast, &model, state, &mut Workspace::new(&model)).unwrap();
        assert_eq!(evaluate(&full), evaluate(&bare), "{}", quantity.name(&model));
    }
}

#[test]
fn what_does_not_fit_is_an_error_and_never_a_panic() {
    let model = robots::load("scara").unwrap();
    let good = state(&model, |x: f64| x);
    let mut workspace = Workspace::new(&model);
    let quantity = Quantity::parse("inverse_dynamics", &model).unwrap();
    let mut evaluate = |state: &State<f64>| quantity.evaluate(Path::Fast, &model, state, &mut workspace);
    let mut short = good.clone();
    short.qd.pop();
    assert!(matches!(evaluate(&short), Err(QuantityError::State(StateError::Length { name: "qd", found: 3, .. }))));
    let mut astray = good.clone();
    astray.wrenches[0].link = 99;
    assert!(matches!(evaluate(&astray), Err(QuantityError::State(StateError::NoSuchLink { link: 99, .. }))));
    let mut huge = good.clone();
    huge.qd.fill(1e300);
    assert!(matches!(evaluate(&huge), Err(QuantityError::NotFinite { .. })));
    let no_room = quantity.evaluate_into(Path::Fast, &model, &good, &mut Workspace::new(&model), &mut [0.0; 3]);
    assert!(matches!(no_room, Err(QuantityError::Room { expected: 4, found: 3, .. })));
    let pose = Quantity::of_link(Quantity::parse("pose:tool", &model).unwrap().entry().kind, 99).unwrap();
    assert!(pose.evaluate(Path::Fast, &model, &good, &mut Workspace::new(&model)).is_err());
}

#[test]
fn derivatives_of_the_motion_that_a_state_leaves_out_are_zero() {
    let model = robots::load("stanford").unwrap();
    let mut given = state(&model, |x: f64| x);
    let mut workspace = Workspace::new(&model);
    for name in ["inverse_dynamics_d3", "inverse_dynamics_d4"] {
        let quantity = Quantity::parse(name, &model).unwrap();
        for path in [Path::Fast, Path::Closed] {
            given.derivatives = vec![vec![0.0; model.nv()]; 2];
            let zeros = quantity.evaluate(path, &model, &given, &mut workspace).unwrap();
            given.derivatives.clear();
            assert_eq!(quantity.evaluate(path, &model, &given, &mut workspace).unwrap(), zeros, "{name}");
            given.derivatives.push(vec![0.0; 2]);
            let short = quantity.evaluate(path, &model, &given, &mut workspace);
            let expected =
                StateError::Length { name: "derivatives", robot: "stanford".to_owned(), found: 2, expected: 6 };
            assert_eq!(short, Err(QuantityError::State(expected)), "{name}");
        }
    }
}

#[test]
fn regressors_times_parameters_are_torque_momentum_and_energy() {
    // Two of the joints get drives, so that there are columns for armature and friction.
    let motor = "motor = { inertia = 1e-3, ratio = 50.0, viscous = 0.3, coulomb = 0.7 }\njoint = {";
    let text = robots::find("ur5").unwrap().text.replacen("joint = {", motor, 2);
    let description = formats::read_str(&text, formats::Format::Toml).description.unwrap();
    let model = Model::from_description(&description).unwrap();
    assert_eq!(model.links().iter().filter(|link| link.motor.is_some()).count(), 2);
    let mut state = state(&model, |x: f64| x);
    state.wrenches.clear();
    let mut workspace = Workspace::new(&model);
    let mut evaluate = |name: &str| {
        Quantity::parse(name, &model).unwrap().evaluate(Path::Fast, &model, &state, &mut workspace).unwrap()
    };
    let pi = closed_form::parameters(&model);
    let times_pi = |y: Vec<f64>| -> Vec<f64> {
        y.chunks(pi.len()).map(|row| row.iter().zip(&pi).map(|(y, p)| y * p).sum()).collect()
    };
    let momentum: Vec<f64> = evaluate("mass_matrix")
        .chunks(model.nv())
        .map(|row| row.iter().zip(&state.qd).map(|(m, w)| m * w).sum())
        .collect();
    let energy = vec![evaluate("kinetic_energy")[0] + evaluate("potential_energy")[0]];
    let facts =
        [("regressor", evaluate("inverse_dynamics")), ("momentum_regressor", momentum), ("energy_regressor", energy)];
    for (name, expected) in facts {
        for (a, b) in times_pi(evaluate(name)).iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{name}: {a} and {b}");
        }
    }
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics_and_its_partials_follow() {
    let model = robots::load("panda").unwrap();
    let mut state = state(&model, |x: f64| x);
    let mut workspace = Workspace::new(&model);
    let mut evaluate = |name: &str, state: &State<f64>| {
        Quantity::parse(name, &model).unwrap().evaluate(Path::Fast, &model, state, &mut workspace).unwrap()
    };
    state.tau = evaluate("inverse_dynamics", &state);
    for (a, b) in evaluate("forward_dynamics", &state).iter().zip(&state.qdd) {
        assert!((a - b).abs() <= 1e-10, "{a} and {b}");
    }
    let (by_q, by_qd) = (evaluate("forward_dynamics_dq", &state), evaluate("forward_dynamics_dqd", &state));
    let n = model.nv();
    let quantity = Quantity::parse("forward_dynamics", &model).unwrap();
    for h in 0..n {
        for (partials, is_velocity) in [(&by_q, false), (&by_qd, true)] {
            let mut moved = lifted(&state);
            let vector = if is_velocity { &mut moved.qd } else { &mut moved.q };
            vector[h].derivative = 1.0;
            let mut out = vec![Dual::<f64>::fixed(0.0); n];
            quantity.evaluate_into(Path::Fast, &model, &moved, &mut Workspace::new(&model), &mut out).unwrap();
            for i in 0..n {
                let (a, b) = (partials[i * n + h], out[i].derivative);
                assert!((a - b).abs() <= 1e-10 * b.abs().max(1e3), "element ({i}, {h}): {a} and {b}");
            }
        }
    }
}

/// The state as constants of a dual.
fn lifted(state: &State<f64>) -> State<Dual<f64>> {
    state.map(|x| Dual::fixed(*x))
}
