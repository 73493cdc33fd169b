//! Springs and cylinders that hold joints beside their motors: what they add to torques, that files keep them, and that motions and estimates
//! take them as they are.

use crate::common::random_tree::{Random, random_state};
use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format, to_json, to_mjcf, to_sdf, to_toml, to_urdf};
use jourdain::identify::{Accumulator, Drives, Problem, Sample, solve};
use jourdain::model::Edit;
use jourdain::model::description::Description;
use jourdain::quantity::{Path, Quantity};
use jourdain::simulate::{Options, Rigid, Simulation, Start};
use jourdain::{Model, State, Workspace};
use std::ops::ControlFlow;

const FILE: &str = r#"
name = "balanced"
[[link]]
name = "shoulder"
mass = 20
com = [0.3, 0.02, 0.05]
inertia = [0.3, 0.01, 0.02, 1.1, -0.01, 1.2]
origin = { xyz = [0, 0, 0.4], rpy = [1.5707963267948966, 0, 0] }
joint = { type = "revolute", axis = [0, 0, 1] }
motor = { inertia = 1e-4, ratio = 100, viscous = 2 }
balance = { cylinder = { from = [-0.35, 0, 0.2], to = [0.25, 0.1, 0], force = -6000, length = 0.5, stiffness = 8000 } }
[[link]]
name = "elbow"
mass = 8
com = [0.2, 0.02, 0]
inertia = [0.05, 0.001, 0, 0.3, 0.001, 0.3]
origin = { xyz = [0.7, 0, 0] }
joint = { type = "revolute", axis = [0, 0, 1] }
balance = { formula = "35*cos(q) - 4*q" }
[[link]]
name = "slide"
mass = 2
com = [0, 0.01, 0.05]
inertia = [0.01, 0, 0, 0.01, 0, 0.005]
origin = { xyz = [0.3, 0, 0] }
joint = { type = "prismatic", axis = [1, 0, 0], limits = [-1, 1] }
balance = { table = [[-1, 90], [-0.4, 35], [0, 2], [0.5, -40], [1, -95]] }
[[link]]
name = "finger"
mass = 0.3
com = [0.03, 0, 0]
inertia = [1e-4, 0, 0, 2e-4, 0, 2e-4]
origin = { xyz = [0.1, 0, 0] }
joint = { type = "revolute", axis = [0, 1, 0], mimic = { joint = "elbow", multiplier = -0.5, offset = 0.1 } }
balance = { stiffness = 7, rest = 0.2 }
"#;

fn description(text: &str) -> Description {
    let reading = formats::read_str(text, Format::Toml);
    reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description()
}

fn model(text: &str) -> Model {
    Model::from_description(&description(text)).unwrap()
}

/// The same robot without what holds its joints.
fn bare() -> Model {
    let lines: Vec<&str> = FILE.lines().filter(|line| !line.starts_with("balance")).collect();
    model(&lines.join("\n"))
}

fn torque(model: &Model, state: &State) -> Vec<f64> {
    recursive::inverse_dynamics(model, &state.q, &state.qd, &state.qdd, &state.wrenches)
}

/// A spline through the table of the slide, by its own equations: cubic pieces with second derivatives that fit.
fn table_at(q: f64) -> f64 {
    let points = [[-1.0, 90.0], [-0.4, 35.0], [0.0, 2.0], [0.5, -40.0], [1.0, -95.0]];
    let n = points.len();
    let mut system = nalgebra::DMatrix::<f64>::identity(n, n);
    let mut right = nalgebra::DVector::<f64>::zeros(n);
    let width = |i: usize| points[i + 1][0] - points[i][0];
    for i in 1..n - 1 {
        system[(i, i - 1)] = width(i - 1);
        system[(i, i)] = 2.0 * (width(i - 1) + width(i));
        system[(i, i + 1)] = width(i);
        right[i] =
            6.0 * ((points[i + 1][1] - points[i][1]) / width(i) - (points[i][1] - points[i - 1][1]) / width(i - 1));
    }
    let second = system.lu().solve(&right).unwrap();
    let i = (0..n - 1).rev().find(|&i| q >= points[i][0]).unwrap_or(0);
    let (h, a, b) = (width(i), points[i + 1][0] - q, q - points[i][0]);
    second[i] * a.powi(3) / (6.0 * h)
        + second[i + 1] * b.powi(3) / (6.0 * h)
        + (points[i][1] / h - second[i] * h / 6.0) * a
        + (points[i + 1][1] / h - second[i + 1] * h / 6.0) * b
}

#[test]
fn motors_are_left_with_what_balances_do_not_give() {
    let (held, bare) = (model(FILE), bare());
    for seed in 0..20 {
        let mut state = random_state(&held, &mut Random::new(seed));
        state.q[2] = state.q[2].sin();
        let [a, b, c] = [state.q[0], state.q[1], state.q[2]];
        // The end on the shoulder in the frame of the ground: placed by a quarter turn about x, then turned about its z.
        let length = |a: f64| {
            let (x, y) = (0.25 * a.cos() - 0.1 * a.sin(), 0.25 * a.sin() + 0.1 * a.cos());
            let end = [x, 0.0, 0.4 + y];
            ((end[0] + 0.35).powi(2) + end[1].powi(2) + (end[2] - 0.2).powi(2)).sqrt()
        };
        let step = 1e-6;
        let lever = (length(a + step) - length(a - step)) / (2.0 * step);
        let finger = -0.5 * b + 0.1;
        let expected = [
            (-6000.0 - 8000.0 * (length(a) - 0.5)) * lever,
            35.0 * b.cos() - 4.0 * b - 0.5 * (-7.0 * (finger - 0.2)),
            table_at(c),
        ];
        let (with, without) = (torque(&held, &state), torque(&bare, &state));
        for j in 0..3 {
            let found = without[j] - with[j];
            let bound = 1e-6 * expected[j].abs().max(10.0);
            assert!((found - expected[j]).abs() < bound, "seed {seed}, {j}: {found} and {}", expected[j]);
        }
    }
}

/// A robot, and the state it has a little later or earlier.
fn moved(state: &State, step: f64) -> State {
    let ahead = |x: &[f64], rates: &[f64]| x.iter().zip(rates).map(|(x, rate)| x + step * rate).collect();
    State {
        q: ahead(&state.q, &state.qd),
        qd: ahead(&state.qd, &state.qdd),
        qdd: ahead(&state.qdd, &state.qddd),
        ..state.clone()
    }
}

#[test]
fn derivatives_know_the_slopes_of_balances() {
    let held = model(FILE);
    let step = 1e-5;
    for seed in 0..5 {
        let mut state = random_state(&held, &mut Random::new(seed));
        state.q[2] = state.q[2].sin();
        state.wrenches.clear();
        let between = |before: &State, after: &State| -> Vec<f64> {
            torque(&held, after).iter().zip(torque(&held, before)).map(|(b, a)| (b - a) / (2.0 * step)).collect()
        };
        for path in [Path::Fast, Path::Closed] {
            let evaluate = |name: &str| {
                let quantity = Quantity::parse(name, &held).unwrap();
                quantity.evaluate(path, &held, &state, &mut Workspace::new(&held)).unwrap()
            };
            let (slopes, rate) = (evaluate("inverse_dynamics_dq"), evaluate("inverse_dynamics_dot"));
            let expected = between(&moved(&state, -step), &moved(&state, step));
            crate::common::assert_close(&format!("rate, seed {seed}"), &rate, &expected, 1e-7);
            for j in 0..3 {
                let beside = |by: f64| {
                    let mut other = state.clone();
                    other.q[j] += by;
                    other
                };
                let column: Vec<f64> = (0..3).map(|i| slopes[3 * i + j]).collect();
                crate::common::assert_close(
                    &format!("slope {j}, seed {seed}"),
                    &column,
                    &between(&beside(-step), &beside(step)),
                    1e-7,
                );
            }
        }
    }
}

#[test]
fn gravity_matrices_and_regressors_are_those_of_the_links() {
    let (held, bare) = (model(FILE), bare());
    let state = random_state(&held, &mut Random::new(3));
    assert_eq!(recursive::gravity(&held, &state.q), recursive::gravity(&bare, &state.q));
    assert_eq!(recursive::mass_matrix(&held, &state.q), recursive::mass_matrix(&bare, &state.q));
    let regressor = |model: &Model| recursive::regressor(model, &state.q, &state.qd, &state.qdd);
    assert_eq!(regressor(&held), regressor(&bare));
}

#[test]
fn files_keep_balances_and_other_formats_say_that_they_cannot() {
    let robot = description(FILE).without_locations();
    for (text, format) in [(to_toml(&robot), Format::Toml), (to_json(&robot), Format::Json)] {
        let reading = formats::read_str(&text, format);
        assert_eq!(reading.description.unwrap().into_description().without_locations(), robot, "{text}");
    }
    for (format, written) in [("urdf", to_urdf(&robot)), ("mjcf", to_mjcf(&robot)), ("sdf", Ok(to_sdf(&robot)))] {
        let written = written.unwrap();
        assert!(written.lost.iter().any(|lost| lost.contains("`balance`")), "{format}: {:?}", written.lost);
    }
    let locked = robot.edit(&[Edit::Lock { joint: "elbow".to_owned(), position: Vec::new() }]).unwrap().description;
    let held: Vec<&str> =
        locked.links.iter().filter(|link| link.balance.is_some()).map(|link| link.name.as_str()).collect();
    assert!(held.contains(&"shoulder") && !held.contains(&"elbow"), "{held:?}");
    Model::from_description(&locked).unwrap();
}

#[test]
fn energy_is_kept_with_the_work_of_balances() {
    let model = model(FILE);
    let system = Rigid::new(&model);
    let mut simulation = Simulation::new(&system);
    simulation.start = Start::State { q: vec![0.3, -0.8, 0.1], qd: vec![0.2, 0.1, -0.3] };
    simulation.options = Options { duration: 2.0, step: 1e-4, every: 100, ..Options::default() };
    let motion = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(motion.energy_drift() < 1e-7, "{:e} J", motion.energy_drift());
    let last = motion.samples.last().unwrap();
    assert!((last.q[0] - 0.3).abs() > 0.05, "it moves: {:?}", last.q);
}

/// Samples of a motion that shows everything, with the torques of `model`.
fn take_motion(model: &Model, mut take: impl FnMut(&Sample<'_>)) {
    for k in 0..2000 {
        let t = 0.005 * f64::from(k);
        let wave = |j: usize, order: i32| {
            let waves = [(0.7, 1.1 + 0.3 * j as f64, 0.4 * j as f64), (0.4, 2.9 - 0.5 * j as f64, 1.0 + j as f64)];
            waves
                .iter()
                .map(|(a, w, p)| a * w.powi(order) * (w * t + p + std::f64::consts::FRAC_PI_2 * f64::from(order)).sin())
                .sum::<f64>()
        };
        let of = |order: i32| -> Vec<f64> { (0..3).map(|j| wave(j, order)).collect() };
        let (q, qd, qdd) = (of(0), of(1), of(2));
        let tau = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
        take(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
    }
}

#[test]
fn estimates_from_a_log_are_those_of_the_links_whatever_holds_the_joints() {
    let held = model(FILE);
    let problem = Problem::new(&held, Drives::default()).unwrap();
    let mut log = String::from("t,q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3,tau1,tau2,tau3\n");
    take_motion(&held, |sample| {
        let numbers = [&[sample.t], sample.q, sample.qd, sample.qdd, sample.tau].concat();
        let cells: Vec<String> = numbers.iter().map(|x| format!("{x:e}")).collect();
        log.push_str(&(cells.join(",") + "\n"));
    });
    let estimate = |problem: &Problem| {
        let mut accumulator = Accumulator::new(problem);
        let options = jourdain::identify::log::Options::default();
        jourdain::identify::log::read(log.as_bytes(), problem.model(), &options, |sample| accumulator.add(sample))
            .unwrap();
        let factors = accumulator.finish();
        (solve(problem, &factors).unwrap(), factors)
    };
    let (found, factors) = estimate(&problem);
    let prior = problem.prior();
    for (k, (estimate, prior)) in found.values.iter().zip(&prior).enumerate() {
        let bound = 1e-6 * prior.abs().max(1.0);
        assert!((estimate - prior).abs() < bound, "{}: {estimate} and {prior}", problem.names()[k]);
    }
    // Without them in the file, their torques are taken for weights, and nothing fits.
    let other = Problem::new(&bare(), Drives::default()).unwrap();
    let (wrong, others) = estimate(&other);
    let worst = wrong.values.iter().zip(other.prior()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst > 10.0, "{worst}");
    // And factors of the one are none of the other's.
    let mut sum = factors;
    let error = sum.merge(&others).unwrap_err();
    assert_eq!(error.kind(), "other-robot", "{error}");
}
