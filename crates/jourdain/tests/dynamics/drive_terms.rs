//! Drives with friction of every kind: what the terms are, that files keep them, and friction that remembers the motion.

use crate::common::random_tree::{Random, random_state};
use jourdain::dynamics::memory::Memory;
use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format, to_json, to_mjcf, to_sdf, to_toml, to_urdf};
use jourdain::model::Edit;
use jourdain::model::description::Description;
use jourdain::parameters::{BaseParameters, exact_rank};
use jourdain::quantity::{Path, Quantity};
use jourdain::simulate::{Options, Rigid, Simulation, Start};
use jourdain::{Model, State, Workspace};
use std::ops::ControlFlow;

const FILE: &str = include_str!("../../../../suite/robots/drives.toml");

fn description(text: &str) -> Description {
    let reading = formats::read_str(text, Format::Toml);
    reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description()
}

fn model(text: &str) -> Model {
    Model::from_description(&description(text)).unwrap()
}

fn without_friction(model: &Model) -> Model {
    let edited = model.description().clone().edit(&[Edit::NoFriction]).unwrap();
    Model::from_description(&edited.description).unwrap()
}

fn torque(model: &Model, state: &State) -> Vec<f64> {
    recursive::inverse_dynamics(model, &state.q, &state.qd, &state.qdd, &state.wrenches)
}

#[test]
fn torques_are_those_of_the_links_plus_the_formulas_of_the_terms() {
    let model = model(FILE);
    let frictionless = without_friction(&model);
    for seed in 0..20 {
        let state = random_state(&model, &mut Random::new(seed));
        let [full, bare] = [&model, &frictionless].map(|model| torque(model, &state));
        let sign = |x: f64| x / (x * x + 1e-4).sqrt();
        let root = |x: f64| x / (x * x + 1e-4).powf(0.25);
        let falling = |x: f64, v: f64| sign(x) / (1.0 + (x / v).powi(2));
        let [a, b, c] = [state.qd[0], state.qd[1], state.qd[2]];
        let finger = -0.5 * b;
        let expected = [
            2.0 * a + 3.0 * sign(a) + 1.5 * root(a) + 1.2 * falling(a, 0.05),
            1.1 * b + 2.0 * sign(b) + 0.6 * root(b) + 0.5 * falling(b, 0.1)
                - 0.5 * (0.1 * finger + 0.2 * sign(finger) + 0.1 * root(finger)),
            20.0 * c + 10.0 * sign(c) + 4.0 * falling(c, 0.02),
        ];
        for (j, expected) in expected.into_iter().enumerate() {
            let found = full[j] - bare[j];
            assert!((found - expected).abs() < 1e-11 * full[j].abs().max(1.0), "seed {seed}, {j}: {found}, {expected}");
        }
    }
    // Offsets are no friction: they stay, the finger's times its multiplier.
    let rest = State::neutral(&model);
    let mut still = model.description().clone();
    still.gravity = [jourdain::model::Number::ZERO; 3];
    let still = Model::from_description(&still).unwrap();
    let found = torque(&still, &rest);
    for (found, expected) in found.iter().zip([-0.4, 0.3 - 0.5 * 0.05, 0.0]) {
        assert!((found - expected).abs() < 1e-14, "{found} and {expected}");
    }
}

#[test]
fn partials_by_velocity_are_differences_and_forward_dynamics_undo_inverse_ones() {
    let model = model(FILE);
    let mut workspace = Workspace::new(&model);
    for seed in 0..10 {
        let mut state = random_state(&model, &mut Random::new(seed));
        let slopes = Quantity::parse("inverse_dynamics_dqd", &model).unwrap();
        let slopes = slopes.evaluate(Path::Fast, &model, &state, &mut workspace).unwrap();
        for j in 0..model.nv() {
            let at = |step: f64| {
                let mut moved = state.clone();
                moved.qd[j] += step;
                torque(&model, &moved)
            };
            let (up, down) = (at(1e-6), at(-1e-6));
            for i in 0..model.nv() {
                let (found, expected) = (slopes[i * model.nv() + j], (up[i] - down[i]) / 2e-6);
                assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "seed {seed}: {found}, {expected}");
            }
        }
        state.tau = torque(&model, &state);
        for path in [Path::Fast, Path::Closed] {
            let forward = Quantity::parse("forward_dynamics", &model).unwrap();
            let found = forward.evaluate(path, &model, &state, &mut workspace).unwrap();
            for (found, expected) in found.iter().zip(&state.qdd) {
                assert!((found - expected).abs() < 1e-9, "seed {seed}: {found} and {expected}");
            }
        }
    }
}

#[test]
fn regressors_have_a_column_for_every_term_that_a_file_has_and_base_parameters_are_as_many_as_their_rank() {
    // Offset and rotor of a joint that slides along gravity go with its mass; here no such joint has either.
    let model = model(FILE);
    let names: Vec<String> = model.standard_parameters().iter().map(|parameter| parameter.text(&model)).collect();
    for name in ["Fr_shoulder", "Fs_slide", "Fo_finger"] {
        assert!(names.iter().any(|own| own == name), "{name} is not among {names:?}");
    }
    assert!(!names.iter().any(|own| own == "Fr_slide" || own == "Fs_finger"));
    let base = BaseParameters::new(&model);
    assert_eq!(exact_rank(&model, 5), Some(base.kept().len()));
    let standard = jourdain::dynamics::closed_form::parameters(&model);
    let values = base.values(&standard);
    for seed in 0..5 {
        let mut state = random_state(&model, &mut Random::new(seed));
        state.wrenches.clear();
        let y = jourdain::dynamics::closed_form::regressor(&model, &state.q, &state.qd, &state.qdd);
        let tau = torque(&model, &state);
        for (row, tau) in tau.iter().enumerate() {
            let by_all: f64 = standard.iter().enumerate().map(|(column, x)| y[(row, column)] * x).sum();
            let by_base: f64 = base.kept().iter().zip(&values).map(|(&column, x)| y[(row, column)] * x).sum();
            for found in [by_all, by_base] {
                assert!((found - tau).abs() < 1e-9 * tau.abs().max(1.0), "seed {seed}: {found} and {tau}");
            }
        }
    }
}

#[test]
fn native_files_keep_all_terms_and_others_list_them_as_lost() {
    let robot = description(FILE).without_locations();
    for (text, format) in [(to_toml(&robot), Format::Toml), (to_json(&robot), Format::Json)] {
        let again = formats::read_str(&text, format).description.unwrap().into_description().without_locations();
        assert_eq!(again, robot);
    }
    let losses = [to_urdf(&robot).unwrap().lost, to_mjcf(&robot).unwrap().lost, to_sdf(&robot).lost];
    for lost in losses {
        for what in ["(`root`)", "(`stribeck`)", "torque offset", "hysteresis", "(`load`)"] {
            assert!(lost.iter().any(|sentence| sentence.contains(what)), "{what} is not in {lost:#?}");
        }
    }
}

#[test]
fn impossible_drives_are_refused_with_their_reason() {
    let joint = "name = \"r\"\n[[link]]\nname = \"arm\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = { type = \"TYPE\" }\nmotor = { MOTOR }\n";
    for (kind, motor, code) in [
        ("continuous", "stribeck = 1, stribeck_speed = 0", "stribeck-speed"),
        ("continuous", "root = -1", "motor-negative"),
        ("continuous", "hysteresis = [[0, 1]]", "hysteresis"),
        ("continuous", "hysteresis = [[1e-3, -1]]", "motor-negative"),
        ("continuous", "load = 0.1", "hysteresis"),
        ("continuous", "hysteresis = [[1e-3, 1], [1e-3, 1], [1e-3, 1], [1e-3, 1], [1e-3, 1]]", "hysteresis"),
        ("continuous", "inertia = 1, stiffness = 10, hysteresis = [[1e-3, 1]]", "hysteresis"),
        ("spherical", "hysteresis = [[1e-3, 1]]", "hysteresis"),
    ] {
        let reading = formats::read_str(&joint.replace("TYPE", kind).replace("MOTOR", motor), Format::Toml);
        let codes: Vec<&str> = reading.diagnostics.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [code], "{motor}");
    }
}

/// z of one element by its differential equation dz/dx = (s − z)/δ, in small steps.
fn followed(z: f64, from: f64, to: f64, length: f64) -> f64 {
    let steps = 20_000;
    let step = (to - from) / f64::from(steps);
    (0..steps).fold(z, |z, _| {
        let slope = |z: f64| step.abs() / length * (step.signum() - z);
        let middle = z + 0.5 * slope(z);
        z + slope(middle)
    })
}

#[test]
fn friction_along_a_motion_follows_the_equation_of_its_elements() {
    let model = model(FILE);
    let mut memory = Memory::new(&model).unwrap();
    let mut workspace = Workspace::new(&model);
    let mut z = [0.0; 3];
    let mut q = State::neutral(&model).q;
    let mut first = true;
    for target in [0.3, 0.301, 0.3002, 0.3002, 0.2] {
        let from = std::mem::replace(&mut q[0], target);
        if !first {
            for (z, length) in z.iter_mut().zip([3e-5, 3e-4, 3e-3]) {
                *z = followed(*z, from, target, length);
            }
        }
        first = false;
        let (qd, qdd) = ([0.02, 0.0, 0.0], [0.5, -0.3, 0.1]);
        let (mut found, mut links) = (vec![0.0; 3], vec![0.0; 3]);
        memory.inverse_dynamics_into(&model, [&q, &qd, &qdd], &[], &mut workspace, &mut found);
        recursive::link_torques_into(&model, &q, &qd, &qdd, &[], &mut workspace, &mut links);
        let c = qd[0];
        let friction = 2.0 * c
            + 1.5 * c / (c * c + 1e-4_f64).powf(0.25)
            + z[0]
            + 1.5 * z[1]
            + 0.7 * z[2]
            + 1.2 * z[1] / (1.0 + (c / 0.05_f64).powi(2))
            + 0.05 * z[1] * links[0].abs()
            - 0.4;
        let expected = links[0] + friction + 1e-4 * 1e4 * qdd[0];
        assert!((found[0] - expected).abs() < 1e-5, "at {target}: {} and {expected}", found[0]);
    }
}

#[test]
fn forward_dynamics_along_a_motion_undo_inverse_ones_whatever_the_load() {
    let model = model(FILE);
    let mut workspace = Workspace::new(&model);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut memory = Memory::new(&model).unwrap();
        let mut q = State::neutral(&model).q;
        memory.advance(&model, &q);
        for _ in 0..5 {
            q.iter_mut().zip(random.vector(3, 1e-3)).for_each(|(q, step)| *q += step);
            memory.advance(&model, &q);
        }
        let state = State { q: q.clone(), ..random_state(&model, &mut random) };
        let mut tau = vec![0.0; 3];
        let motion: [&[f64]; 3] = [&q, &state.qd, &state.qdd];
        memory.inverse_dynamics_into(&model, motion, &state.wrenches, &mut workspace, &mut tau);
        let mut scratch = vec![0.0; 12];
        memory.take_from(&model, [&q, &state.qd], &state.wrenches, &mut workspace, &mut scratch, &mut tau);
        let mut found = vec![0.0; 3];
        recursive::forward_dynamics_into(&model, &q, &state.qd, &tau, &state.wrenches, &mut workspace, &mut found);
        for (found, expected) in found.iter().zip(&state.qdd) {
            assert!((found - expected).abs() < 1e-8, "seed {seed}: {found} and {expected}");
        }
    }
}

#[test]
fn friction_by_load_settles_whatever_the_size_of_the_torques() {
    // A robot of a gram that bends by micrometres has torques of a millionth.
    let text = "name = \"light\"\n[[link]]\nname = \"arm\"\nmass = 1e-6\ncom = [0.3, 0, 0]\ninertia = [1e-8, 0, 0, 1e-8, 0, 1e-8]\n\
                joint = { type = \"revolute\", axis = [0, 1, 0] }\nmotor = { load = 0.3, hysteresis = [[0.02, 1e-7]] }\n";
    let [light, bare] = [text.to_owned(), text.replace("load = 0.3, ", "")].map(|text| model(&text));
    let [mut memory, unloaded] = [&light, &bare].map(|model| Memory::new(model).unwrap());
    assert!(memory.is_loaded() && !unloaded.is_loaded());
    let mut workspace = Workspace::new(&light);
    memory.advance(&light, &[0.1]);
    memory.advance(&light, &[0.3]);
    let (mut tau, mut scratch, mut found) = ([0.0], [0.0; 4], [0.0]);
    memory.inverse_dynamics_into(&light, [&[0.3], &[0.7], &[1.1]], &[], &mut workspace, &mut tau);
    memory.take_from(&light, [&[0.3], &[0.7]], &[], &mut workspace, &mut scratch, &mut tau);
    recursive::forward_dynamics_into(&light, &[0.3], &[0.7], &tau, &[], &mut workspace, &mut found);
    assert!((found[0] - 1.1).abs() < 1e-8, "{}", found[0]);
}

/// One joint about a vertical axis, 2 kg m², with one element.
const WHEEL: &str = "name = \"wheel\"\n[[link]]\nname = \"disc\"\nmass = 1\ninertia = [2, 0, 0, 2, 0, 2]\njoint = { type = \"revolute\" }\n\
     motor = { viscous = 0.1, coulomb = 1, hysteresis = [[0.02, 1.5]] }\n";

#[test]
fn a_simulated_motion_is_that_of_its_differential_equations() {
    let model = model(WHEEL);
    let system = Rigid::new(&model);
    let mut simulation = Simulation::new(&system);
    simulation.start = Start::State { q: vec![0.0], qd: vec![0.6] };
    simulation.options = Options { duration: 2.0, ..Options::default() };
    let motion = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(motion.energy_drift() < 1e-4, "{}", motion.energy_drift());
    // z as a state beside q and its rate, in steps of 1e-6 s.
    let (mut q, mut w, mut z) = (0.0_f64, 0.6_f64, 0.0_f64);
    let h = 1e-6;
    for sample in &motion.samples {
        let expected = (q, w);
        assert!((sample.q[0] - expected.0).abs() < 2e-4, "at {}: {} and {}", sample.t, sample.q[0], expected.0);
        assert!((sample.qd[0] - expected.1).abs() < 2e-3, "at {}: {} and {}", sample.t, sample.qd[0], expected.1);
        for _ in 0..1000 {
            let rate = |q_w_z: [f64; 3]| {
                let [_, w, z] = q_w_z;
                [w, -(0.1 * w + 1.5 * z) / 2.0, (w - w.abs() * z) / 0.02]
            };
            let a = rate([q, w, z]);
            let b = rate([q + 0.5 * h * a[0], w + 0.5 * h * a[1], z + 0.5 * h * a[2]]);
            (q, w, z) = (q + h * b[0], w + h * b[1], z + h * b[2]);
        }
    }
}

#[test]
fn a_torque_below_friction_bends_a_drive_and_does_not_turn_it() {
    let model = model(&WHEEL.replace("viscous = 0.1", "viscous = 10"));
    let system = Rigid::new(&model);
    let mut simulation = Simulation::new(&system);
    simulation.law = jourdain::simulate::Law::Constant(vec![0.3]);
    simulation.options = Options { duration: 20.0, every: 100, ..Options::default() };
    let motion = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap();
    // It comes to rest a little behind where 1.5 (1 − e^{−x/0.02}) = 0.3, at 0.0045; by smooth Coulomb friction alone it would creep on, to 0.06.
    let last = motion.samples.last().unwrap();
    assert!(last.q[0] > 0.004 && last.q[0] < 0.006, "{}", last.q[0]);
    assert!(last.qd[0].abs() < 1e-6, "{}", last.qd[0]);
}
