//! Robots with elastic joints: the laws of the model, of the inverse, of the control laws and of the simulation.

// Measured values are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use crate::common::assert_close;
use crate::common::random_tree::Random;
use jourdain::dynamics::recursive;
use jourdain::elastic::control::computed_torque::rigid_torque_into;
use jourdain::elastic::control::grimm::Grimm;
use jourdain::elastic::control::{ControlLaw as _, Kind, Linearising, Measured, place};
use jourdain::elastic::forward::forward_dynamics;
use jourdain::elastic::inverse::{InverseScratch, MotorMotion, damped_inverse_dynamics_into, inverse_dynamics};
use jourdain::elastic::{ElasticError, ElasticModel, ElasticState, linearise};
use jourdain::formats::{self, Format};
use jourdain::prescribed::{Cosine, Curve, PrescribedMotion, Reference};
use jourdain::quantity::{Path, Quantity};
use jourdain::simulate::robustness::{Parameter, Spectrum, Spread, Study, least_sampling, perturbed};
use jourdain::simulate::{
    Elastic, Gains, Law, Method, Options, Simulation, SimulationError, Start, Trajectory, Wrappers,
};
use jourdain::{Model, State, Workspace, robots};
use jourdain_symbolic::{Dual, Jet};

/// A torso that turns rigidly with two arms: elastic, sliding, screwing and coupled joints, friction on both sides.
const BRANCHED: &str = r#"
name = "branched"
[[link]]
name = "torso"
mass = 8.0
com = [0.0, 0.02, 0.2]
inertia = [0.3, 0, 0, 0.3, 0, 0.1]
joint = { type = "continuous" }
motor = { inertia = 2e-4, ratio = 50.0, viscous = 0.4, shaft_viscous = 1e-5 }
[[link]]
name = "left"
mass = 2.0
com = [0.15, 0.01, 0.0]
inertia = [0.004, 0, 0, 0.02, 0, 0.02]
origin = { xyz = [0.0, 0.2, 0.5], rpy = [1.2, 0.1, 0.0] }
joint = { type = "continuous" }
motor = { inertia = 1e-4, ratio = 80.0, stiffness = 4000.0, viscous = 0.2, shaft_viscous = 2e-5, shaft_coulomb = 1e-3 }
[[link]]
name = "left_slide"
mass = 1.0
com = [0.05, 0.0, 0.02]
inertia = [0.003, 0, 0, 0.004, 0, 0.002]
origin = { xyz = [0.3, 0.0, 0.0], rpy = [0.0, 0.7, 0.2] }
joint = { type = "prismatic", axis = [1, 0, 0], limits = [-1, 1] }
motor = { inertia = 3e-5, ratio = 200.0, stiffness = 9000.0, viscous = 1.0 }
[[link]]
name = "right"
parent = "torso"
mass = 2.2
com = [0.12, 0.0, 0.03]
inertia = [0.004, 0, 0, 0.02, 0, 0.02]
origin = { xyz = [0.0, -0.2, 0.5], rpy = [-1.1, 0.0, 0.3] }
joint = { type = "continuous" }
motor = { inertia = 1e-4, ratio = -90.0, shaft_stiffness = 0.7, viscous = 0.3, coulomb = 0.1 }
[[link]]
name = "right_screw"
mass = 0.9
com = [0.02, 0.05, 0.04]
inertia = [0.003, 0, 0, 0.004, 0, 0.003]
origin = { xyz = [0.25, 0.0, 0.0], rpy = [0.4, 0.0, 0.0] }
joint = { type = "helical", axis = [0, 1, 0], pitch = 0.02, limits = [-9, 9] }
motor = { inertia = 1e-5, ratio = 60.0 }
[[link]]
name = "right_finger"
mass = 0.3
com = [0.03, 0.0, 0.0]
inertia = [0.0003, 0, 0, 0.0004, 0, 0.0003]
origin = { xyz = [0.1, 0.0, 0.0] }
joint = { type = "continuous", mimic = { joint = "right", multiplier = 0.5 } }
"#;

fn read(text: &str) -> Model {
    let reading = formats::read_str(text, Format::Toml);
    let description = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    Model::from_description(&description).unwrap()
}

fn elastic(name: &str) -> ElasticModel {
    ElasticModel::new(&robots::load(name).unwrap()).unwrap()
}

fn branched() -> ElasticModel {
    ElasticModel::new(&read(BRANCHED)).unwrap()
}

/// A motion that a joint of any kind can follow: two cosines per joint.
fn motion(model: &Model, duration: f64) -> PrescribedMotion {
    let joints = (0..model.nv())
        .map(|i| {
            let i = i as f64;
            let wave = |amplitude, frequency, phase| Cosine { amplitude, frequency, phase };
            Curve::Cosines {
                offset: 0.2 - 0.1 * i,
                terms: vec![wave(0.3, 2.0 + 0.3 * i, 0.4 * i), wave(-0.1, 3.1 - 0.2 * i, 1.0 + i)],
            }
        })
        .collect();
    PrescribedMotion { joints, loads: Vec::new(), start: 0.0, end: duration }.checked(model).unwrap()
}

fn orders<const K: usize>(motion: &PrescribedMotion, t: f64) -> [Vec<f64>; K] {
    std::array::from_fn(|r| motion.joints.iter().map(|curve| curve.derivative(r, t)).collect())
}

fn slices<const K: usize>(orders: &[Vec<f64>; K]) -> [&[f64]; K] {
    orders.each_ref().map(Vec::as_slice)
}

fn simulate(plant: &ElasticModel, law: Law, reference: Reference<'_>, start: Start, options: Options) -> Trajectory {
    let system = Elastic::new(plant);
    let mut simulation = Simulation::new(&system);
    (simulation.law, simulation.reference) = (law, Some(reference));
    (simulation.start, simulation.options) = (start, options);
    simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
}

/// Gains per unit of inertia of a double pole, times the inertia that each joint sees at rest at zero: those of the laws that act
/// on the motors.
fn motor_gains(robot: &ElasticModel, rate: f64) -> Gains {
    let n = robot.model().nv();
    let mass = recursive::mass_matrix(robot.model(), &vec![0.0; n]);
    let mut inertia: Vec<f64> = (0..n).map(|i| mass[(i, i)]).collect();
    robot.springs().iter().for_each(|spring| inertia[spring.dof] += spring.inertia);
    Gains {
        position: inertia.iter().map(|j| j * rate * rate).collect(),
        velocity: inertia.iter().map(|j| 2.0 * j * rate).collect(),
    }
}

/// The largest difference between the simulated error and the solution of (d/dt + p)⁴ e = 0 from e₀ at rest.
fn difference_from_linear_law(plant: &ElasticModel, offset: &[f64], pole: f64, step: f64) -> f64 {
    let motion = motion(plant.model(), 1.0);
    let law = Law::ExactLinearisation { poles: [[-pole, 0.0]; 4] };
    let options = Options { duration: 1.0, step, method: Method::Rk4, ..Options::default() };
    let start = Start::Reference { offset: offset.to_vec() };
    let simulated = simulate(plant, law, Reference::Motion(&motion), start, options);
    let mut worst = 0.0_f64;
    for sample in &simulated.samples {
        let x = pole * sample.t;
        let decay = (-x).exp() * (1.0 + x + x * x / 2.0 + x * x * x / 6.0);
        for (error, start) in sample.error().iter().zip(offset) {
            worst = worst.max((error - start * decay).abs());
        }
    }
    worst
}

/// The experiment of the 2R arm: poles at −12, off by (−0.2, 0.15) rad.
#[test]
fn the_closed_loop_follows_the_linear_law_to_the_fourth_power_of_the_step() {
    let arm = elastic("planar2r_elastic");
    let [coarse, middle, fine] =
        [2e-3, 1e-3, 5e-4].map(|step| difference_from_linear_law(&arm, &[-0.2, 0.15], 12.0, step));
    println!("2, 1, 0.5 ms: {coarse:.2e} {middle:.2e} {fine:.2e}");
    assert!(fine < 1e-11, "{fine:e}");
    for ratio in [coarse / middle, middle / fine] {
        assert!((13.0..19.0).contains(&ratio), "{coarse:e} {middle:e} {fine:e}");
    }
}

#[test]
fn rigid_joints_among_elastic_ones_follow_the_same_law_by_dynamic_feedback() {
    let robot = branched();
    assert_eq!((robot.rigid(), robot.springs().len()), (&[0, 4][..], 3));
    let offset = [0.1, -0.05, 0.02, 0.08, -0.1];
    let [coarse, fine] = [4e-4, 2e-4].map(|step| difference_from_linear_law(&robot, &offset, 10.0, step));
    assert!(fine < 1e-8 && (12.0..20.0).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

#[test]
fn the_fast_law_is_the_printed_one() {
    let mut random = Random::new(8);
    for name in ["planar2r_elastic", "iiwa14_elastic"] {
        let robot = elastic(name);
        let (n, springs) = (robot.model().nv(), robot.springs());
        let gains = place(&[[-9.0, 0.0], [-11.0, 0.0], [-8.0, 3.0], [-8.0, -3.0]]).unwrap();
        let mut law = Linearising::new(&robot, gains);
        for _ in 0..20 {
            let [q, qd, delta, delta_d] = [2.0, 1.5, 0.5, 4.0].map(|size| random.vector(n, size));
            let reference: [Vec<f64>; 5] = std::array::from_fn(|_| random.vector(n, 1.0));
            let grimm = Grimm::new(&robot, &q, &qd, &delta, &delta_d);
            let actual = [&q, &qd, &grimm.qdd, &grimm.qddd];
            let snap: Vec<f64> = (0..n)
                .map(|i| reference[4][i] + (0..4).map(|r| gains[r] * (reference[r][i] - actual[r][i])).sum::<f64>())
                .collect();
            let expected: Vec<f64> = grimm.torque(&snap).iter().zip(springs).map(|(u, s)| u * s.ratio).collect();
            let at_link = |x: &[f64]| x.iter().zip(springs).map(|(x, s)| x / s.ratio).collect::<Vec<f64>>();
            let (deflection, deflection_d) = (at_link(&delta), at_link(&delta_d));
            let measured = Measured { q: &q, qd: &qd, deflection: &deflection, deflection_d: &deflection_d };
            let mut torque = vec![0.0; n];
            law.torque_into(&slices(&reference), &measured, &[], &mut [], &mut torque);
            assert_close(&format!("{name}, acceleration"), law.acceleration_and_jerk()[0], &grimm.qdd, 1e-11);
            assert_close(&format!("{name}, jerk"), law.acceleration_and_jerk()[1], &grimm.qddd, 1e-10);
            assert_close(name, &torque, &expected, 1e-10);
        }
    }
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics_along_a_trajectory() {
    for robot in [elastic("planar2r_elastic"), elastic("iiwa14_elastic"), branched()] {
        let mut motion = motion(robot.model(), 2.0);
        // Bent: stretched out, the axes of the seven-joint arm coincide and its smallest inertia is that of one link. A last
        // digit of θ is ε K of torque, and ε K/inertia of acceleration.
        for curve in motion.joints.iter_mut().skip(1).step_by(2) {
            if let Curve::Cosines { offset, .. } = curve {
                *offset += 0.9;
            }
        }
        for t in motion.times(41) {
            let orders: [Vec<f64>; 5] = orders(&motion, t);
            let [q, derivatives @ ..] = slices(&orders);
            let motor = inverse_dynamics(&robot, q, &derivatives, &[]);
            let state = ElasticState { q, qd: &orders[1], theta: &motor.theta, theta_d: &motor.theta_d };
            let (qdd, theta_dd) = forward_dynamics(&robot, &state, &motor.torque, &[]);
            assert_close(robot.model().name(), &qdd, &orders[2], 1e-10);
            assert_close(robot.model().name(), &theta_dd, &motor.theta_dd, 1e-10);
        }
    }
}

/// θ along series in time: its rates are the θ̇ and θ̈ that inverse dynamics gives.
#[test]
fn motor_velocity_and_acceleration_are_the_rates_of_the_motor_position() {
    for robot in [elastic("iiwa14_elastic"), branched()] {
        let motion = motion(robot.model(), 2.0);
        for t in [0.0, 0.7, 1.9] {
            let orders: [Vec<f64>; 7] = orders(&motion, t);
            let jets = |r: usize| -> Vec<Jet<f64, 3>> {
                (0..robot.model().nv()).map(|i| Jet::from_derivatives([0, 1, 2].map(|k| orders[r + k][i]))).collect()
            };
            let series: [Vec<Jet<f64, 3>>; 5] = std::array::from_fn(jets);
            let [q, derivatives @ ..] = series.each_ref().map(Vec::as_slice);
            let moving = inverse_dynamics(&robot, q, &derivatives, &[]);
            let still = inverse_dynamics(&robot, &orders[0], &slices(&orders)[1..5], &[]);
            let rate = |r: usize| moving.theta.iter().map(|x| x.derivative(r)).collect::<Vec<_>>();
            assert_close("θ", &rate(0), &still.theta, 1e-12);
            assert_close("θ̇", &rate(1), &still.theta_d, 1e-11);
            assert_close("θ̈", &rate(2), &still.theta_dd, 1e-10);
        }
    }
}

#[test]
fn with_damping_the_inverse_has_the_deflection_as_its_state() {
    let text = BRANCHED.replace("stiffness = 4000.0", "stiffness = 4000.0, damping = 3.0");
    let robot = ElasticModel::new(&read(&text)).unwrap();
    assert!(robot.is_damped());
    let motion = motion(robot.model(), 2.0);
    let (mut scratch, mut motor) = (InverseScratch::new(robot.model()), MotorMotion::zero(&robot));
    for t in [0.1, 1.3] {
        let orders: [Vec<f64>; 5] = orders(&motion, t);
        let [q, derivatives @ ..] = slices(&orders);
        let deflection = [0.003, 0.0, 0.0];
        damped_inverse_dynamics_into(&robot, q, &derivatives, &deflection, &[], &mut scratch, &mut motor);
        let state = ElasticState { q, qd: &orders[1], theta: &motor.theta, theta_d: &motor.theta_d };
        let (qdd, theta_dd) = forward_dynamics(&robot, &state, &motor.torque, &[]);
        assert_close("q̈", &qdd, &orders[2], 1e-10);
        assert_close("θ̈", &theta_dd, &motor.theta_dd, 1e-10);
        assert!((motor.theta[0] - q[1] - deflection[0]).abs() < 1e-15);
    }
}

#[test]
fn the_torque_tends_to_rigid_computed_torque_as_one_over_the_stiffness() {
    let soft = elastic("iiwa14_elastic");
    let (n, model) = (soft.model().nv(), soft.model());
    let orders: [Vec<f64>; 5] = orders(&motion(model, 1.0), 0.6);
    let mut rigid = vec![0.0; n];
    rigid_torque_into(&soft, &orders[0], &orders[1], &orders[2], &mut Workspace::new(model), &mut rigid);
    let distance = |factor: f64| {
        let stiff = perturbed(&soft, &vec![1.0; model.links().len()], &vec![factor; n], 1.0, 0.0).unwrap();
        let torque = inverse_dynamics(&stiff, &orders[0], &slices(&orders)[1..], &[]).torque;
        torque.iter().zip(&rigid).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let factors = [1.0, 10.0, 100.0, 1e3, 1e4];
    for pair in factors.windows(2) {
        let slope = (distance(pair[1]) / distance(pair[0])).log10();
        assert!((slope + 1.0).abs() < 1e-3, "{pair:?}: slope {slope}");
    }
}

#[test]
fn energy_changes_by_the_work_of_torques_friction_and_damping() {
    let text = BRANCHED.replace("stiffness = 9000.0", "stiffness = 9000.0, damping = 2.0");
    let robot = ElasticModel::new(&read(&text)).unwrap();
    let motion = motion(robot.model(), 0.5);
    let drift = |law: &Law, step: f64| {
        let options = Options { duration: 0.5, step, method: Method::Rk4, ..Options::default() };
        let start = Start::Reference { offset: vec![0.1, -0.1, 0.05, 0.1, -0.2] };
        let simulated = simulate(&robot, law.clone(), Reference::Motion(&motion), start, options);
        let work = simulated.samples.iter().map(|sample| sample.work.abs()).fold(0.0, f64::max);
        assert!(work > 0.1, "{law:?}: work {work}");
        simulated.energy_drift()
    };
    for law in [
        Law::None,
        Law::FeedForward(motor_gains(&robot, 15.0)),
        Law::ComputedTorque(Gains::uniform(225.0, 30.0)),
        Law::ExactLinearisation { poles: [[-15.0, 0.0]; 4] },
    ] {
        let (coarse, fine) = (drift(&law, 2e-4), drift(&law, 1e-4));
        println!("{}: {coarse:.2e} {fine:.2e}", law.name());
        // Down to rounding the drift falls with the fourth power of the step.
        assert!(fine < 1e-6 && (coarse / fine > 10.0 || coarse < 1e-11), "{law:?}: {coarse:e} {fine:e}");
    }
}

#[test]
fn the_linearisation_is_the_derivative_of_forward_dynamics() {
    for robot in [elastic("iiwa14_elastic"), branched()] {
        let (n, m, p) = (robot.model().nv(), robot.springs().len(), robot.freedom());
        let posture: Vec<f64> = (0..n).map(|i| 0.3 + 0.2 * i as f64).collect();
        let linear = linearise(&robot, &posture).unwrap();
        let space = linear.state_space().unwrap();
        let still = vec![0.0; p];
        let x: Vec<f64> = [&posture[..], &linear.q[n..], &still].concat();
        let rate = |direction: usize| -> Vec<f64> {
            let seeded = |value: f64, j: usize| {
                if j == direction { Dual::variable(value) } else { Dual::fixed(value) }
            };
            let x: Vec<Dual<f64>> = x.iter().enumerate().map(|(j, &x)| seeded(x, j)).collect();
            let u: Vec<Dual<f64>> = linear.torque.iter().enumerate().map(|(j, &u)| seeded(u, 2 * p + j)).collect();
            let state = ElasticState { q: &x[..n], theta: &x[n..p], qd: &x[p..p + n], theta_d: &x[p + n..p + n + m] };
            let (qdd, theta_dd) = forward_dynamics(&robot, &state, &u, &[]);
            assert!(qdd.iter().chain(&theta_dd).all(|a| a.value.abs() < 1e-8), "the posture is in balance");
            qdd.iter().chain(&theta_dd).map(|a| a.derivative).collect()
        };
        for direction in 0..2 * p + n {
            let column: Vec<f64> =
                (0..p)
                    .map(|i| {
                        if direction < 2 * p {
                            space.a[(p + i, direction)]
                        } else {
                            space.b[(p + i, direction - 2 * p)]
                        }
                    })
                    .collect();
            assert_close("A, B", &column, &rate(direction), 1e-10);
        }
    }
}

/// |X_k| of a signal under a Hann window, by the fast Fourier transform.
fn spectrum(signal: &[f64]) -> Vec<f64> {
    fn transform(re: Vec<f64>, im: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
        let n = re.len();
        if n == 1 {
            return (re, im);
        }
        let half = |x: &[f64], odd: usize| x.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>();
        let (even_re, even_im) = transform(half(&re, 0), half(&im, 0));
        let (odd_re, odd_im) = transform(half(&re, 1), half(&im, 1));
        let (mut re, mut im) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..n / 2 {
            let (sin, cos) = (-std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
            let (x, y) = (cos * odd_re[k] - sin * odd_im[k], cos * odd_im[k] + sin * odd_re[k]);
            (re[k], im[k]) = (even_re[k] + x, even_im[k] + y);
            (re[k + n / 2], im[k + n / 2]) = (even_re[k] - x, even_im[k] - y);
        }
        (re, im)
    }
    let n = signal.len() as f64;
    let window = |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / n).cos();
    let windowed: Vec<f64> = signal.iter().enumerate().map(|(i, x)| x * window(i)).collect();
    let (re, im) = transform(windowed, vec![0.0; signal.len()]);
    re.iter().zip(&im).take(signal.len() / 2).map(|(x, y)| x.hypot(*y)).collect()
}

/// The frequency of the highest line, cycles per sample, between the lines by what a Hann window does to a sine.
fn peak(signal: &[f64]) -> f64 {
    let lines = spectrum(signal);
    let k = (1..lines.len() - 1).max_by(|&a, &b| lines[a].total_cmp(&lines[b])).unwrap();
    let (side, sign) = if lines[k + 1] > lines[k - 1] { (lines[k + 1], 1.0) } else { (lines[k - 1], -1.0) };
    let ratio = side / lines[k];
    (k as f64 + sign * (2.0 * ratio - 1.0) / (ratio + 1.0)) / signal.len() as f64
}

#[test]
fn frequencies_of_the_linearisation_are_those_of_the_simulated_response() {
    let arm = elastic("planar2r_elastic");
    let frictionless = perturbed(&arm, &[1.0; 3], &[1.0; 2], 0.0, 0.0).unwrap();
    // Hanging, so that gravity holds all modes.
    let posture = [-std::f64::consts::FRAC_PI_2, 0.2];
    let linear = linearise(&frictionless, &posture).unwrap();
    let (modes, fastest) = (linear.modes().unwrap(), linear.fastest().unwrap());
    assert!(modes.iter().all(|mode| mode.omega_squared > 0.0), "{modes:?}");
    for mode in &modes {
        let period = 1.0 / mode.frequency();
        let (periods, samples) = (60.3, 4096_u64);
        let sampling = periods * period / samples as f64;
        let every = (sampling * fastest / 0.15).ceil() as u64;
        let options = Options {
            duration: periods * period,
            step: sampling / every as f64,
            every,
            method: Method::Rk4,
            ..Options::default()
        };
        let size = 1e-6;
        let off = |at: &[f64], by: &[f64]| at.iter().zip(by).map(|(x, d)| x + size * d).collect::<Vec<_>>();
        let start = Start::State { q: off(&linear.q, &mode.shape), qd: Vec::new() };
        let held = Law::Constant(linear.torque.clone());
        let simulated = simulate(&frictionless, held, Reference::Rest(posture.to_vec()), start, options);
        let largest = if mode.shape[0].abs() > mode.shape[1].abs() { 0 } else { 1 };
        let signal: Vec<f64> = simulated
            .samples
            .iter()
            .take(samples as usize)
            .map(|sample| sample.q[largest] - posture[largest])
            .collect();
        let frequency = peak(&signal) / sampling;
        let error = frequency / mode.frequency() - 1.0;
        println!("{:.4} Hz: {error:.1e}", mode.frequency());
        assert!(error.abs() < 1e-3, "{} Hz, simulated {frequency} Hz", mode.frequency());
    }
}

#[test]
fn modes_are_orthonormal_in_the_mass_and_diagonalise_the_stiffness() {
    let robot = elastic("iiwa14_elastic");
    let (n, p) = (robot.model().nv(), robot.freedom());
    let linear = linearise(&robot, &[0.2, -0.4, 0.3, 1.1, 0.0, -0.8, 0.5]).unwrap();
    let mass = recursive::mass_matrix(robot.model(), &linear.q[..n]);
    let (modes, fastest, a_matrix) =
        (linear.modes().unwrap(), linear.fastest().unwrap(), linear.state_space().unwrap().a);
    for (a, x) in modes.iter().enumerate() {
        for (b, y) in modes.iter().enumerate() {
            let links: f64 = x.shape.iter().zip(mass.apply(&y.shape[..n])).map(|(x, y)| x * y).sum();
            let rotors = robot.springs().iter().zip(&x.shape[n..]).zip(&y.shape[n..]);
            let rotors: f64 = rotors.map(|((s, x), y)| s.inertia * x * y).sum();
            assert!((links + rotors - f64::from(a == b)).abs() < 1e-9, "{a} {b}");
        }
        // −𝓜⁻¹𝓚 p = −ω² p, the lower left block of A.
        let shape = &x.shape;
        for i in 0..p {
            let pulled: f64 = (0..p).map(|j| a_matrix[(p + i, j)] * shape[j]).sum();
            let scale = fastest.powi(2) * shape.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!((pulled + x.omega_squared * shape[i]).abs() < 1e-9 * scale, "mode {a}, row {i} of {n}");
        }
    }
}

#[test]
fn the_registry_gives_motor_position_and_torque() {
    let model = robots::load("iiwa14_elastic").unwrap();
    let robot = ElasticModel::new(&model).unwrap();
    let state: State = motion(&model, 1.0).state(&model, 0.4);
    let motor = inverse_dynamics(&robot, &state.q, &[&state.qd, &state.qdd, &state.qddd, &state.qdddd], &[]);
    for (name, expected) in [("elastic_motor_position", &motor.theta), ("elastic_motor_torque", &motor.torque)] {
        let quantity = Quantity::parse(name, &model).unwrap();
        for path in [Path::Fast, Path::Closed] {
            let found = quantity.evaluate(path, &model, &state, &mut Workspace::new(&model)).unwrap();
            assert_close(name, &found, expected, 1e-11);
        }
    }
}

#[test]
fn values_at_the_shaft_are_carried_to_the_joint() {
    let motor = |text: &str| {
        read(&format!(
        "name = \"r\"\n[[link]]\nname = \"a\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = {{ type = \"continuous\" }}\nmotor = {text}\n"
    )).links()[0].motor.unwrap()
    };
    let shaft = motor(
        "{ inertia = 1e-4, ratio = -50.0, shaft_stiffness = 2.0, shaft_damping = 0.01, shaft_viscous = 0.001, shaft_coulomb = 0.1 }",
    );
    let joint = motor("{ inertia = 1e-4, ratio = -50.0, stiffness = 5000.0, damping = 25.0 }");
    assert_eq!((shaft.stiffness, shaft.damping), (joint.stiffness, joint.damping));
    assert_eq!((shaft.rotor_viscous, shaft.rotor_coulomb, shaft.viscous), (2.5, 5.0, 0.0));
    let rigid = motor("{ inertia = 1e-4, ratio = 50.0, viscous = 1.0, shaft_viscous = 0.001, shaft_coulomb = 0.1 }");
    assert_eq!((rigid.viscous, rigid.coulomb, rigid.rotor_viscous), (3.5, 5.0, 0.0));
}

#[test]
fn robots_without_springs_or_with_quaternions_are_refused() {
    let refused = |name: &str| ElasticModel::new(&robots::load(name).unwrap()).unwrap_err();
    assert!(matches!(refused("iiwa14"), ElasticError::NoElasticJoint { .. }));
    assert!(matches!(refused("floating_humanoid25"), ElasticError::Quaternions { .. }));
}

#[test]
fn the_method_follows_the_stiffness_and_all_methods_agree() {
    let options = Options { duration: 0.2, step: 1e-3, ..Options::default() };
    let auto = Method::Auto { tolerance: 1e-9 };
    assert_eq!(auto.choose(150.0, &options), Method::Rk4);
    assert_eq!(auto.choose(1e5, &options), Method::adaptive(1e-9));
    assert_eq!(auto.choose(1e8, &options), Method::implicit(1e-9));

    let arm = elastic("planar2r_elastic");
    let follow = |factor: f64, method: Method| {
        let stiff = perturbed(&arm, &[1.0; 3], &[factor; 2], 1.0, 0.0).unwrap();
        let motion = motion(stiff.model(), 0.2);
        let law = Law::FeedForward(motor_gains(&stiff, 12.0));
        let start = Start::Reference { offset: vec![0.02, -0.01] };
        simulate(&stiff, law, Reference::Motion(&motion), start, Options { method, ..options })
    };
    let end = |method| follow(1.0, method).samples.last().unwrap().q[..2].to_vec();
    let fixed = end(Method::Rk4);
    assert_close("adaptive", &end(Method::adaptive(1e-10)), &fixed, 1e-6);
    assert_close("implicit", &end(Method::implicit(1e-7)), &fixed, 1e-4);

    // A thousand million times stiffer: explicit steps would be fractions of a microsecond.
    let stiff = follow(1e9, Method::Auto { tolerance: 1e-5 });
    assert_eq!(stiff.method, Method::implicit(1e-5));
    assert!(stiff.steps < 20_000, "{} steps", stiff.steps);
    assert!(stiff.largest_error(0.0) < 0.05, "{}", stiff.largest_error(0.0));
}

fn study<'m>(nominal: &'m ElasticModel, motion: &'m PrescribedMotion, pole: f64, spread: Spread) -> Study<'m> {
    Study {
        nominal,
        kind: Kind::Linearising,
        poles: [[-pole, 0.0]; 4],
        motion,
        offset: vec![-0.2, 0.15],
        spread,
        samples: 24,
        seed: 1,
        duration: 1.0,
        step: 1e-3,
        bound: 1.0,
        wrappers: Wrappers::default(),
    }
}

fn go_on() -> std::ops::ControlFlow<()> {
    std::ops::ControlFlow::Continue(())
}

#[test]
fn without_perturbation_every_robot_decays_as_its_poles_say() {
    let (arm, none) = (elastic("planar2r_elastic"), Spread { mass: 0.0, stiffness: 0.0, friction: 0.0, payload: 0.0 });
    let motion = motion(arm.model(), 1.0);
    let outcome = study(&arm, &motion, 12.0, none).sample(3).unwrap();
    assert!(outcome.stable && (outcome.largest - 0.2).abs() < 1e-9, "{outcome:?}");
    assert!((outcome.decay.unwrap() - 12.0).abs() < 0.1, "{outcome:?}");
}

#[test]
fn a_study_depends_on_its_seed_alone_and_larger_errors_do_more_harm() {
    let arm = elastic("planar2r_elastic");
    let motion = motion(arm.model(), 1.0);
    let spread = |size: f64| Spread { mass: size, stiffness: size, friction: size, payload: 5.0 * size };
    let worst = |size: f64| {
        let outcomes = study(&arm, &motion, 40.0, spread(size)).run(go_on).unwrap();
        let again = study(&arm, &motion, 40.0, spread(size)).sample(7).unwrap();
        assert_eq!(outcomes[7], again);
        outcomes.iter().map(|outcome| outcome.late).fold(0.0, f64::max)
    };
    let (small, large) = (worst(0.01), worst(0.1));
    println!("late error {small:.2e} at 1 %, {large:.2e} at 10 %");
    assert!(large > 3.0 * small, "{small} {large}");
    let mut bad = study(&arm, &motion, 40.0, spread(0.1));
    bad.spread.stiffness = 1.0;
    assert!(matches!(bad.run(go_on), Err(SimulationError::Elastic(ElasticError::Range { .. }))));
}

/// A model error of the share x leaves x ω² of the springs uncancelled, against which stands K₂ = 6 p².
#[test]
fn slow_poles_on_stiff_springs_tolerate_little_error_and_fast_ones_more() {
    let arm = elastic("planar2r_elastic");
    let motion = motion(arm.model(), 1.0);
    let spread = Spread { mass: 0.0, stiffness: 0.1, friction: 0.0, payload: 0.0 };
    let stable = |pole: f64| {
        let outcomes = study(&arm, &motion, pole, spread).run(go_on).unwrap();
        outcomes.iter().filter(|outcome| outcome.stable).count()
    };
    let (slow, fast) = (stable(8.0), stable(60.0));
    println!("stable of 24: {slow} with poles at 8, {fast} at 60");
    assert!(slow < 20 && fast == 24, "{slow} {fast}");
}

/// Poles at the fastest mode of the springs bear a wrong model, for both built-in robots; poles chosen without a look at it do not.
#[test]
fn poles_from_the_spectrum_survive_where_guessed_ones_do_not() {
    for name in ["planar2r_elastic", "iiwa14_elastic"] {
        let robot = elastic(name);
        let motion = motion(robot.model(), 1.0);
        let spectrum = Spectrum::along(&robot, &motion, 1.0).unwrap();
        assert!(0.0 < spectrum.slowest && spectrum.slowest < spectrum.fastest, "{spectrum:?}");
        let mut guessed = study(&robot, &motion, 12.0, Spread::default());
        (guessed.offset, guessed.duration, guessed.samples) = (vec![0.0; robot.model().nv()], 0.3, 12);
        let chosen = Study { poles: spectrum.poles(Kind::Linearising), ..guessed.clone() };
        let [bad, good] = [guessed, chosen].map(|study| study.stable_share(go_on).unwrap());
        println!("{name}: {spectrum:?}, stable {bad} with poles at 12, {good} from the spectrum");
        assert!(bad < 0.3 && good > 0.95, "{name}: {bad} {good}");
    }
}

/// The poles of a sampled loop against its simulation: just above the least frequency errors die out, just below they grow.
#[test]
fn the_least_sampling_frequency_is_where_the_sampled_loop_begins_to_die_out() {
    let arm = elastic("planar2r_elastic");
    let hold = PrescribedMotion {
        joints: vec![Curve::Polynomial(vec![-1.2]), Curve::Polynomial(vec![0.4])],
        loads: Vec::new(),
        start: 0.0,
        end: 3.0,
    };
    let none = Spread { mass: 0.0, stiffness: 0.0, friction: 0.0, payload: 0.0 };
    for kind in [Kind::Linearising, Kind::Feedforward] {
        let mut study = study(&arm, &hold, 40.0, none);
        (study.kind, study.offset, study.duration) = (kind, vec![1e-4, -1e-4], 3.0);
        let least = least_sampling(&study).unwrap();
        let mut late = |hertz: f64| {
            study.wrappers.frequency = Some(hertz);
            let outcome = study.sample(0).unwrap();
            (outcome.late, outcome.stable)
        };
        let (above, below) = (late(1.2 * least), late(0.8 * least));
        println!("{kind:?}: {least:.0} Hz, late error {above:?} above and {below:?} below");
        assert!(above.1 && !below.1 && above.0 < 1e-4 && below.0 > above.0, "{kind:?}: {above:?} {below:?}");
    }
}

#[test]
fn causes_name_the_parameter_that_does_the_harm() {
    let arm = elastic("planar2r_elastic");
    let motion = motion(arm.model(), 1.0);
    let spread = Spread { mass: 0.0, stiffness: 0.2, friction: 0.2, payload: 0.0 };
    let study = study(&arm, &motion, 25.0, spread);
    let outcomes = study.run(go_on).unwrap();
    let causes = study.causes(&outcomes).unwrap();
    let names: Vec<_> = causes.iter().map(|cause| (cause.parameter, cause.worst(), cause.correlation)).collect();
    println!("{names:?}");
    assert_eq!(causes.len(), 3);
    assert!(matches!(causes[0].parameter, Parameter::Stiffness(_)), "{names:?}");
    assert_eq!(causes[2].parameter, Parameter::Friction);
    assert!(causes.windows(2).all(|pair| pair[0].worst() <= pair[1].worst()));
}
