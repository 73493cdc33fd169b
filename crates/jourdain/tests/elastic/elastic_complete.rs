//! Rotors that turn with the links that carry them: two witnesses, energy, small motions, and how much it matters.

// Measured values are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use crate::common::assert_close;
use crate::common::random_tree::Random;
use jourdain::dynamics::recursive;
use jourdain::elastic::forward::forward_dynamics;
use jourdain::elastic::{ElasticError, ElasticModel, ElasticState, linearise, linearise_moving};
use jourdain::formats::{self, Format};
use jourdain::kinematics;
use jourdain::prescribed::{Cosine, Curve, PrescribedLoad, PrescribedMotion, Reference};
use jourdain::simulate::{Elastic, Gains, Law, Method, Options, Simulation, Start, Wrappers};
use jourdain::spatial::Vector;
use jourdain::{Model, Workspace};
use jourdain_symbolic::{Dual, Scalar};

/// Three joints about three directions, the middle one rigid, low gears; the last rotor lies across its joint.
fn arm(ratios: [f64; 3], more: &str) -> String {
    let [a, b, c] = ratios;
    format!(
        r#"
name = "low_gears"
gravity = [0.0, 0.0, -9.81]
[[link]]
name = "column"
mass = 6.0
com = [0.01, 0.02, 0.2]
inertia = [0.2, 0, 0, 0.2, 0, 0.1]
joint = {{ type = "continuous" }}
motor = {{ inertia = 2e-3, ratio = {a}, stiffness = 700.0, viscous = 0.2{more} }}
[[link]]
name = "upper"
mass = 3.0
com = [0.2, 0.01, 0.03]
inertia = [0.02, 0, 0, 0.06, 0, 0.06]
origin = {{ xyz = [0.05, 0.1, 0.4], rpy = [1.2, 0.1, 0.3] }}
joint = {{ type = "continuous" }}
motor = {{ inertia = 3e-3, ratio = {b}, viscous = 0.1 }}
[[link]]
name = "fore"
mass = 2.0
com = [0.15, 0.02, 0.0]
inertia = [0.01, 0, 0, 0.03, 0, 0.03]
origin = {{ xyz = [0.4, 0.0, 0.1], rpy = [-0.7, 0.5, 0.2] }}
joint = {{ type = "continuous" }}
motor = {{ inertia = 1e-3, ratio = {c}, stiffness = 300.0, shaft_viscous = 1e-4, axis = [0, 2, 0] }}
"#
    )
}

fn read(text: &str) -> Model {
    let reading = formats::read_str(text, Format::Toml);
    let description = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    Model::from_description(&description).unwrap()
}

fn complete(text: &str) -> ElasticModel {
    ElasticModel::new(&read(text)).unwrap().with_complete_rotors()
}

const LOW: [f64; 3] = [4.0, -3.0, 1.5];

/// ½ Σ J ((a·ω + ratio θ̇)² − (a·ω)²) for the rotors, written down from the file alone, and ½ q̇ᵀ M q̇ of the links without rotors.
fn kinetic_energy<S: Scalar<Constant = f64>>(model: &Model, q: &[S], qd: &[S], theta_d: &[S]) -> S {
    let mut energy = recursive::kinetic_energy(model, q, qd, &mut Workspace::new(model));
    let twists = kinematics::twists(model, q, qd);
    for (k, link) in model.links().iter().enumerate() {
        let motor = link.motor.unwrap();
        let axis = link.placement.rotation.apply(if k == 2 { Vector::unit(1) } else { Vector::unit(2) });
        let turn = link.parent.map_or(S::zero(), |p| axis.lift::<S>().dot(twists[p].angular));
        let speed = [theta_d[0], qd[1], theta_d[1]][k].scale(motor.ratio);
        let half = |x: S| (x * x).scale(0.5 * motor.inertia);
        energy += half(turn + speed) - half(turn);
        if k == 1 {
            energy += -half(speed); // M has the rigid joint's own.
        }
    }
    energy
}

/// d/dt ∂T/∂v − ∂T/∂x by duals of duals.
fn lagrange(model: &Model, x: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    (0..5)
        .map(|i| {
            let one = |j: usize| if j == i { 1.0 } else { 0.0 };
            let along: Vec<Dual<Dual<f64>>> = (0..5).map(|j| Dual::new(Dual::fixed(x[j]), Dual::fixed(v[j]))).collect();
            let speeds: Vec<Dual<Dual<f64>>> =
                (0..5).map(|j| Dual::new(Dual::new(v[j], one(j)), Dual::fixed(a[j]))).collect();
            let momentum_rate = kinetic_energy(model, &along[..3], &speeds[..3], &speeds[3..]).derivative.derivative;
            let place: Vec<Dual<f64>> = (0..5).map(|j| Dual::new(x[j], one(j))).collect();
            let speeds: Vec<Dual<f64>> = v.iter().map(|&v| Dual::fixed(v)).collect();
            momentum_rate - kinetic_energy(model, &place[..3], &speeds[..3], &speeds[3..]).derivative
        })
        .collect()
}

#[test]
fn the_complete_model_is_lagrange_s_equation_of_its_energy() {
    let robot = complete(&arm(LOW, ""));
    let (model, mut random) = (robot.model(), Random::new(3));
    assert_eq!(robot.couplings().len(), 2, "the first rotor stands on the ground");
    for _ in 0..20 {
        let [x, v] = [1.5, 4.0].map(|size| random.vector(5, size));
        let u = random.vector(3, 20.0);
        let state = ElasticState { q: &x[..3], theta: &x[3..], qd: &v[..3], theta_d: &v[3..] };
        let (qdd, theta_dd) = forward_dynamics(&robot, &state, &u, &[]);
        let inertial = lagrange(model, &x, &v, &[&qdd[..], &theta_dd].concat());
        let gravity = recursive::gravity(model, &x[..3]);
        let springs = robot.springs();
        let pull: Vec<f64> = (0..2).map(|k| springs[k].stiffness * (x[3 + k] - x[springs[k].dof])).collect();
        let shaft = springs[1].viscous * v[4];
        let applied = [
            pull[0] - gravity[0] - 0.2 * v[0],
            u[1] - gravity[1] - 0.1 * v[1],
            pull[1] - gravity[2],
            u[0] - pull[0],
            u[2] - pull[1] - shaft,
        ];
        assert_close("d/dt ∂T/∂v − ∂T/∂x", &inertial, &applied, 1e-11);
    }
}

/// The same arm as a rigid tree: each rotor a link of its own on its carrier, the rigid joint's geared to it, and taken out of
/// the carrier, which held it at rest.
fn tree() -> Model {
    let mut text = format!("allow_unphysical = true\n{}", arm(LOW, ""));
    for line in ["motor = { inertia = 2e-3", "motor = { inertia = 3e-3", "motor = { inertia = 1e-3"] {
        let from = text.find(line).unwrap();
        let to = from + text[from..].find('\n').unwrap();
        text.replace_range(from..to, "");
    }
    for (name, parent, inertia, origin, axis, mimic) in [
        ("rotor1", "base", 2e-3, "", [0, 0, 1], String::new()),
        (
            "rotor2",
            "column",
            3e-3,
            "origin = { xyz = [0.05, 0.1, 0.4], rpy = [1.2, 0.1, 0.3] }",
            [0, 0, 1],
            format!(", mimic = {{ joint = \"upper\", multiplier = {:?} }}", LOW[1]),
        ),
        (
            "rotor3",
            "upper",
            1e-3,
            "origin = { xyz = [0.4, 0.0, 0.1], rpy = [-0.7, 0.5, 0.2] }",
            [0, 1, 0],
            String::new(),
        ),
    ] {
        let tensor = |j: f64| {
            let [yy, zz] = [axis[1], axis[2]].map(|a| j * f64::from(a));
            format!("inertia = [0.0, 0.0, 0.0, {yy:?}, 0.0, {zz:?}]")
        };
        text += &format!(
            "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\n{}\n{origin}\njoint = {{ type = \"continuous\", axis = {axis:?}{mimic} }}\n",
            tensor(inertia)
        );
        if parent != "base" {
            text += &format!(
                "[[link]]\nname = \"{name}_hole\"\nparent = \"{parent}\"\n{}\n{origin}\njoint = {{ type = \"fixed\" }}\n",
                tensor(-inertia)
            );
        }
    }
    read(&text)
}

#[test]
fn the_complete_model_is_a_rigid_tree_with_a_link_per_rotor() {
    let (robot, tree, mut random) = (complete(&arm(LOW, "")), tree(), Random::new(5));
    assert_eq!((tree.nv(), robot.freedom()), (5, 5));
    for _ in 0..20 {
        let [x, v] = [1.5, 4.0].map(|size| random.vector(5, size));
        let u = random.vector(3, 20.0);
        let state = ElasticState { q: &x[..3], theta: &x[3..], qd: &v[..3], theta_d: &v[3..] };
        let (qdd, theta_dd) = forward_dynamics(&robot, &state, &u, &[]);
        // Shaft angles, and torques at the shaft.
        let gear = [LOW[0], LOW[2]];
        let shaft = |x: &[f64]| [x[0], x[1], x[2], gear[0] * x[3], gear[1] * x[4]];
        let springs = robot.springs();
        let pull: Vec<f64> = (0..2).map(|k| springs[k].stiffness * (x[3 + k] - x[springs[k].dof])).collect();
        let tau = [
            pull[0] - 0.2 * v[0],
            u[1] - 0.1 * v[1],
            pull[1],
            (u[0] - pull[0]) / gear[0],
            (u[2] - pull[1] - springs[1].viscous * v[4]) / gear[1],
        ];
        let found = recursive::forward_dynamics(&tree, &shaft(&x), &shaft(&v), &tau, &[]);
        let expected = shaft(&[&qdd[..], &theta_dd].concat());
        assert_close("accelerations", &found, &expected, 1e-10);
    }
}

#[test]
fn small_motions_of_the_complete_model_are_the_derivative_of_its_dynamics() {
    let robot = complete(&arm(LOW, ", damping = 2.0"));
    let posture = [0.3, -0.8, 0.5];
    let linear = linearise(&robot, &posture).unwrap();
    let space = linear.state_space().unwrap();
    let x: Vec<f64> = [&linear.q[..], &[0.0; 5]].concat();
    for direction in 0..10 {
        let seeded = |(j, &x): (usize, &f64)| if j == direction { Dual::variable(x) } else { Dual::fixed(x) };
        let x: Vec<Dual<f64>> = x.iter().enumerate().map(seeded).collect();
        let u: Vec<Dual<f64>> = linear.torque.iter().map(|&u| Dual::fixed(u)).collect();
        let state = ElasticState { q: &x[..3], theta: &x[3..5], qd: &x[5..8], theta_d: &x[8..] };
        let (qdd, theta_dd) = forward_dynamics(&robot, &state, &u, &[]);
        let found: Vec<f64> = qdd.iter().chain(&theta_dd).map(|a| a.derivative).collect();
        let expected: Vec<f64> = (0..5).map(|i| space.a[(5 + i, direction)]).collect();
        assert_close("A", &expected, &found, 1e-10);
    }
    assert!(matches!(linearise_moving(&robot, &posture, &[1.0; 3]), Err(ElasticError::CompleteMoving { .. })));
}

#[test]
fn rotors_that_their_links_cannot_hold_are_refused() {
    let text = arm([4.0, -3.0, 1.5], "").replace("inertia = 1e-3", "inertia = 5.0");
    let robot = complete(&text);
    let system = Elastic::new(&robot);
    let simulation = Simulation::new(&system);
    let error = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.kind(), "rotors-too-heavy", "{error}");
}

fn waves(loads: Vec<PrescribedLoad>) -> PrescribedMotion {
    let wave = |i: usize| Curve::Cosines {
        offset: 0.2,
        terms: vec![Cosine { amplitude: 0.4, frequency: 3.0 + i as f64, phase: i as f64 }],
    };
    PrescribedMotion { joints: (0..3).map(wave).collect(), loads, start: 0.0, end: 0.5 }
}

/// Everything at once: complete rotors, damping, loads, saturation, sampling. The energy keeps its balance.
#[test]
fn features_combine_and_the_energy_stays_in_balance() {
    let text = arm(LOW, ", damping = 3.0").replace("\"continuous\" }", "\"continuous\", effort = 5.0 }");
    let push = std::array::from_fn(|i| Curve::Polynomial(vec![0.3 * i as f64, 2.0, -1.0]));
    let motion = waves(vec![PrescribedLoad { link: 2, components: push }]);
    for combination in 0..32_u32 {
        let on = |k: u32| combination >> k & 1 == 1;
        let undamped = text.replace(", damping = 3.0", "");
        let reduced = ElasticModel::new(&read(if on(1) { &text } else { &undamped })).unwrap();
        let robot = if on(0) { reduced.with_complete_rotors() } else { reduced };
        let bare = PrescribedMotion { loads: Vec::new(), ..motion.clone() };
        let system = Elastic::new(&robot);
        let mut simulation = Simulation::new(&system);
        simulation.law = Law::FeedForward(Gains::uniform(30.0, 0.5));
        simulation.reference = Some(Reference::Motion(if on(2) { &motion } else { &bare }));
        simulation.start = Start::Reference { offset: vec![0.1, -0.1, 0.2] };
        simulation.wrappers = Wrappers { saturate: on(3), frequency: on(4).then_some(500.0), ..Wrappers::default() };
        simulation.options = Options { duration: 0.1, method: Method::adaptive(1e-8), ..Options::default() };
        let run = simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        assert!(run.energy_drift() < 1e-6, "{combination:05b}: {:e}", run.energy_drift());
        let largest = run.samples.iter().flat_map(|s| s.tau.clone()).fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(run.overdriven().count() > 0, "{combination:05b}");
        assert_eq!(largest <= 5.0, on(3), "{combination:05b}: {largest}");
    }
}

/// How far the reduced model is from the complete one, as the gear ratio grows with the reflected inertia kept.
#[test]
fn the_coupling_falls_with_the_gear_ratio() {
    let distance = |ratio: f64| {
        let text =
            ["inertia = 2e-3", "inertia = 3e-3", "inertia = 1e-3"].iter().fold(arm([ratio; 3], ""), |text, motor| {
                let value: f64 = motor["inertia = ".len()..].parse().unwrap();
                text.replace(
                    &format!("motor = {{ {motor}"),
                    &format!("motor = {{ inertia = {:e}", 9.0 * value / ratio / ratio),
                )
            });
        let motion = waves(Vec::new());
        let end = |robot: &ElasticModel| {
            let system = Elastic::new(robot);
            let mut simulation = Simulation::new(&system);
            simulation.law = Law::FeedForward(Gains::uniform(100.0, 10.0));
            simulation.reference = Some(Reference::Motion(&motion));
            simulation.start = Start::Reference { offset: vec![0.0; 3] };
            simulation.options = Options { duration: 0.5, method: Method::adaptive(1e-10), ..Options::default() };
            simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap().largest_error(0.0)
        };
        let reduced = ElasticModel::new(&read(&text)).unwrap();
        [end(&reduced), end(&reduced.clone().with_complete_rotors())]
    };
    let found = [1.0, 3.0, 10.0, 30.0, 100.0].map(distance);
    for (ratio, [reduced, complete]) in [1, 3, 10, 30, 100].iter().zip(found) {
        println!("ratio {ratio}: reduced {reduced:.1e}, complete {complete:.1e} rad");
    }
    assert!(found.iter().all(|[reduced, _]| *reduced < 1e-6), "{found:?}");
    for pair in found[2..].windows(2) {
        let fall = pair[0][1] / pair[1][1];
        assert!((2.0..5.0).contains(&fall), "{found:?}");
    }
}
