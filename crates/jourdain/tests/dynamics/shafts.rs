//! Motors that turn with several joints: in the dynamics, in files, in edits.

use crate::common::random_tree::{Random, random_state};
use jourdain::dynamics::memory::Memory;
use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format, to_json, to_mjcf, to_sdf, to_toml, to_urdf};
use jourdain::model::description::Description;
use jourdain::model::{Edit, Number};
use jourdain::quantity::{Path, Quantity, QuantityError};
use jourdain::{Model, State, Workspace};

/// An arm of three links whose last motor turns along q₃ + q₂ − q₁/2.
const ARM: &str = r#"
name = "wrist"
[[link]]
name = "a"
mass = 3
com = [0.1, 0, 0.2]
inertia = [0.05, 0, 0, 0.06, 0, 0.04]
joint = { type = "continuous", axis = [0, 0, 1] }
motor = { inertia = 1e-3, ratio = 20, viscous = 0.5 }
[[link]]
name = "b"
mass = 2
com = [0.2, 0.05, 0]
inertia = [0.02, 0, 0, 0.03, 0, 0.03]
origin = { xyz = [0, 0, 0.4], rpy = [1.3, 0, 0] }
joint = { type = "continuous", axis = [0, 0, 1] }
[[link]]
name = "c"
mass = 1
com = [0, 0, 0.1]
inertia = [0.01, 0, 0, 0.01, 0, 0.004]
origin = { xyz = [0.4, 0, 0], rpy = [0, 1.2, 0] }
joint = { type = "continuous", axis = [0, 0, 1] }
motor = { coulomb = 0.2 }
SHAFT
"#;
const SHAFT: &str = "shaft = { with = { b = 1, a = -0.5 }, inertia = 4e-4, ratio = 30, viscous = 0.7, coulomb = 0.9, root = 0.4, stribeck = 0.3 }";
const ROW: [f64; 3] = [-0.5, 1.0, 1.0];

fn description(text: &str) -> Description {
    let reading = formats::read_str(text, Format::Toml);
    reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description().without_locations()
}

fn model(shaft: &str) -> Model {
    Model::from_description(&description(&ARM.replace("SHAFT", shaft))).unwrap()
}

fn evaluate(name: &str, path: Path, model: &Model, state: &State) -> Vec<f64> {
    Quantity::parse(name, model).unwrap().evaluate(path, model, state, &mut Workspace::new(model)).unwrap()
}

#[test]
fn a_shaft_adds_its_rotor_and_friction_along_its_row() {
    let (with, without) = (model(SHAFT), model(""));
    let rotor = 4e-4 * 900.0;
    for seed in 0..10 {
        let state = random_state(&with, &mut Random::new(seed));
        let along = |w: &[f64]| ROW.iter().zip(w).map(|(c, w)| c * w).sum::<f64>();
        let (x, a) = (along(&state.qd), along(&state.qdd));
        let sign = x / (x * x + 1e-4).sqrt();
        let force = rotor * a
            + 0.7 * x
            + 0.9 * sign
            + 0.4 * x / (x * x + 1e-4).powf(0.25)
            + 0.3 * sign / (1.0 + (x / 0.1).powi(2));
        for path in [Path::Fast, Path::Closed] {
            let [found, bare] = [&with, &without].map(|model| evaluate("inverse_dynamics", path, model, &state));
            let [mass, bare_mass] = [&with, &without].map(|model| evaluate("mass_matrix", path, model, &state));
            let [energy, bare_energy] = [&with, &without].map(|model| evaluate("kinetic_energy", path, model, &state));
            for i in 0..3 {
                assert!((found[i] - bare[i] - ROW[i] * force).abs() < 1e-10, "seed {seed}, {path:?}, torque {i}");
                for j in 0..3 {
                    let own = mass[3 * i + j] - bare_mass[3 * i + j];
                    assert!((own - rotor * ROW[i] * ROW[j]).abs() < 1e-12, "seed {seed}, {path:?}, M {i} {j}");
                }
            }
            assert!((energy[0] - bare_energy[0] - 0.5 * rotor * x * x).abs() < 1e-11, "seed {seed}, {path:?}");
        }
    }
}

#[test]
fn partials_are_differences_and_forward_dynamics_undo_inverse_ones() {
    let model = model(SHAFT);
    for seed in 0..10 {
        let mut state = random_state(&model, &mut Random::new(seed));
        let torque = |state: &State| evaluate("inverse_dynamics", Path::Fast, &model, state);
        for path in [Path::Fast, Path::Closed] {
            let slopes = evaluate("inverse_dynamics_dqd", path, &model, &state);
            for j in 0..3 {
                let at = |step: f64| {
                    let mut moved = state.clone();
                    moved.qd[j] += step;
                    torque(&moved)
                };
                let (up, down) = (at(1e-6), at(-1e-6));
                for i in 0..3 {
                    let expected = (up[i] - down[i]) / 2e-6;
                    let found = slopes[3 * i + j];
                    assert!(
                        (found - expected).abs() < 1e-5 * expected.abs().max(1.0),
                        "seed {seed}: {found}, {expected}"
                    );
                }
            }
        }
        state.tau = torque(&state);
        for path in [Path::Fast, Path::Closed] {
            for (found, expected) in evaluate("forward_dynamics", path, &model, &state).iter().zip(&state.qdd) {
                assert!((found - expected).abs() < 1e-9, "seed {seed}: {found} and {expected}");
            }
        }
    }
}

#[test]
fn a_long_chain_with_a_shaft_moves_as_its_mass_matrix_says() {
    let link = |k: usize| {
        let more = if k == 39 { "shaft = { with = { l20 = 2 }, inertia = 0.3, viscous = 0.2 }\n" } else { "" };
        format!(
            "[[link]]\nname = \"l{k}\"\nmass = 1\ncom = [0.1, 0, 0]\ninertia = [0.01, 0, 0, 0.01, 0, 0.01]\n\
             origin = {{ xyz = [0.2, 0, 0], rpy = [0.3, 0.1, 0] }}\njoint = {{ type = \"continuous\" }}\n{more}"
        )
    };
    let text = format!("name = \"chain\"\n{}", (0..40).map(link).collect::<String>());
    let model = Model::from_description(&description(&text)).unwrap();
    let mut state = random_state(&model, &mut Random::new(3));
    state.qd.iter_mut().for_each(|w| *w *= 0.1);
    state.tau = evaluate("inverse_dynamics", Path::Fast, &model, &state);
    let mut found = vec![0.0; 40];
    let mut workspace = Workspace::new(&model);
    let State { q, qd, tau, wrenches, .. } = &state;
    recursive::articulated_body_into(&model, q, qd, tau, wrenches, &mut workspace, &mut found);
    for (found, expected) in found.iter().zip(&state.qdd) {
        assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
    }
}

#[test]
fn hysteresis_of_a_shaft_is_along_its_coordinate() {
    let model = model("shaft = { with = { b = 1, a = -0.5 }, coulomb = 1, hysteresis = [[1e-3, 1.5]] }");
    let mut memory = Memory::new(&model).unwrap();
    let mut workspace = Workspace::new(&model);
    let rest = [0.0; 3];
    let mut torques = |q: [f64; 3]| {
        let mut tau = vec![0.0; 3];
        memory.inverse_dynamics_into(&model, [&q, &rest, &rest], &[], &mut workspace, &mut tau);
        let gravity = recursive::inverse_dynamics(&model, &q, &rest, &rest, &[]);
        tau.iter().zip(gravity).map(|(tau, gravity)| tau - gravity).collect::<Vec<f64>>()
    };
    assert_eq!(torques([0.0; 3]), [0.0; 3]);
    // Joints that move against each other leave the shaft where it is.
    assert!(torques([0.2, 0.3, -0.2]).iter().all(|torque| torque.abs() < 1e-12));
    let z = 1.0 - (-2.0_f64).exp();
    for (found, row) in torques([0.2, 0.302, -0.2]).iter().zip(ROW) {
        assert!((found - 1.5 * z * row).abs() < 1e-12, "{found}");
    }
}

#[test]
fn a_coupling_matrix_is_another_notation_for_shafts() {
    let motor = SHAFT
        .replace("shaft = { with = { b = 1, a = -0.5 }, ", "motor = { ")
        .replace("\nmotor = { coulomb = 0.2 }", "");
    let text = ARM.replace("motor = { coulomb = 0.2 }\nSHAFT", &motor);
    // Velocities of motors (1, 2, 3) to joints: x₃ = q₃ + q₂ − q₁/2, so q₃ = x₃ − q₂ + q₁/2; the last gear is in the matrix, to no effect.
    let coupled =
        text.replace("name = \"wrist\"", "name = \"wrist\"\ncoupling = [[1, 0, 0], [0, 1, 0], [0.5, -1, 0.05]]");
    let by_matrix = description(&coupled);
    let shaft = by_matrix.links[2].shaft.as_ref().unwrap();
    assert_eq!(shaft.with, [("a".to_owned(), Number::from(-0.5)), ("b".to_owned(), Number::from(1.0))]);
    assert_eq!(by_matrix.links[2].motor, None);
    let by_key = description(&ARM.replace("motor = { coulomb = 0.2 }\nSHAFT", SHAFT));
    assert_eq!(shaft.motor, by_key.links[2].shaft.as_ref().unwrap().motor);
    for matrix in
        ["[[1, 0], [0, 1]]", "[[1, 0, 0], [0, 1, 0], [0, 1, 0]]", "[[0, 1, 0], [1, 0, 0], [0, 0, 1]]", "[1, 2]"]
    {
        let wrong = text.replace("name = \"wrist\"", &format!("name = \"wrist\"\ncoupling = {matrix}"));
        let reading = formats::read_str(&wrong, Format::Toml);
        let code = if matrix == "[1, 2]" { "wrong-type" } else { "coupling" };
        assert_eq!(reading.diagnostics.iter().map(|finding| finding.code).collect::<Vec<_>>(), [code], "{matrix}");
    }
}

#[test]
fn native_files_keep_shafts_and_others_list_them_as_lost() {
    let robot = description(&ARM.replace("SHAFT", SHAFT));
    for (text, format) in [(to_toml(&robot), Format::Toml), (to_json(&robot), Format::Json)] {
        let again = formats::read_str(&text, format).description.unwrap().into_description().without_locations();
        assert_eq!(again, robot);
    }
    for lost in [to_urdf(&robot).unwrap().lost, to_mjcf(&robot).unwrap().lost, to_sdf(&robot).lost] {
        assert!(lost.iter().any(|sentence| sentence.contains("(`shaft`)")), "{lost:#?}");
    }
}

#[test]
fn edits_leave_shafts_that_turn_with_what_is_left() {
    let robot = description(&ARM.replace("SHAFT", SHAFT));
    let lock = |joint: &str| Edit::Lock { joint: joint.to_owned(), position: vec![Number::from(0.3)] };
    let locked = robot.clone().edit(&[lock("b")]).unwrap();
    assert_eq!(locked.description.links[2].shaft.as_ref().unwrap().with, [("a".to_owned(), Number::from(-0.5))]);
    let (full, less) = (model(SHAFT), Model::from_description(&locked.description).unwrap());
    let state = |model: &Model, rates: [f64; 3]| {
        let pick = |x: [f64; 3]| if model.nv() == 3 { x.to_vec() } else { vec![x[0], x[2]] };
        State { q: pick([0.4, 0.3, -0.6]), qd: pick(rates), qdd: pick([0.5, 0.0, 1.5]), ..State::neutral(model) }
    };
    let rates = [0.7, 0.0, -0.2];
    let all = evaluate("inverse_dynamics", Path::Fast, &full, &state(&full, rates));
    let left = evaluate("inverse_dynamics", Path::Fast, &less, &state(&less, rates));
    assert!((all[0] - left[0]).abs() < 1e-10 && (all[2] - left[1]).abs() < 1e-10, "{all:?} and {left:?}");
    let gone = robot.clone().edit(&[lock("c")]).unwrap();
    assert!(gone.description.links[2].shaft.is_none() && gone.warnings.len() == 1, "{:?}", gone.warnings);
    let smooth = robot.edit(&[Edit::NoFriction]).unwrap();
    assert!(!smooth.description.links[2].shaft.as_ref().unwrap().motor.rubs());
}

#[test]
fn what_has_no_columns_for_shafts_is_refused_by_name() {
    let model = model(SHAFT);
    let state = State::neutral(&model);
    for name in ["regressor", "base_regressor", "slotine_li_regressor", "energy_regressor", "momentum_regressor"] {
        let quantity = Quantity::parse(name, &model).unwrap();
        let error = quantity.evaluate(Path::Fast, &model, &state, &mut Workspace::new(&model)).unwrap_err();
        assert!(matches!(&error, QuantityError::Shaft { joint, .. } if joint == "c"), "{name}: {error}");
    }
}

#[test]
fn impossible_shafts_are_refused_with_their_reason() {
    for (shaft, reason) in [
        ("shaft = { with = { d = 1 } }", "which is no joint"),
        ("shaft = { with = { c = 1 } }", "twice"),
        ("shaft = { with = { b = 0 } }", "turns 0 times"),
        ("shaft = { with = { b = 1 }, stiffness = 10, inertia = 1 }", "has `stiffness`"),
        ("shaft = { with = { b = 1 }, load = 0.1 }", "has `load`"),
        ("shaft = { with = { b = 1 }, viscous = -1 }", "is negative"),
        ("shaft = { viscous = 1 }", "has no `with`"),
        (
            "shaft = { with = { e = 1 } }\n[[link]]\nname = \"e\"\nparent = \"a\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = { type = \"continuous\" }",
            "another branch",
        ),
        (
            "shaft = { with = { b = 1 } }\n[[link]]\nname = \"e\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = { type = \"continuous\" }\nmotor = { inertia = 1, stiffness = 5 }",
            "with a spring at `e`",
        ),
    ] {
        let reading = formats::read_str(&ARM.replace("SHAFT", shaft), Format::Toml);
        let said: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        assert!(said.len() == 1 && said[0].contains(reason), "{shaft}: {said:?}");
    }
}
