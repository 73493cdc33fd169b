//! Robots with elastic joints at one instant: energies and what changes them, the torques that a law starts with, and the poles
//! that it places.

use crate::common::assert_close;
use jourdain::elastic::control::{ControlLaw as _, Linearising, Measured, place};
use jourdain::elastic::energy::{kinetic_energy, potential_energy, power};
use jourdain::elastic::forward::forward_dynamics;
use jourdain::elastic::inverse::inverse_dynamics;
use jourdain::elastic::rates::Rates;
use jourdain::elastic::{ClosedLoop, ElasticModel, ElasticState};
use jourdain::formats::{self, Format};
use jourdain::spatial::{Vector, Wrench};
use jourdain::state::LinkWrench;
use jourdain::{Model, Workspace, kinematics, robots};
use jourdain_symbolic::{Dual, Jet};

/// Two elastic joints and a rigid one between them, with friction, damping, and a finger that follows the last, motor and all.
const ARM: &str = r#"
name = "arm"
[[link]]
name = "a"
mass = 3.0
com = [0.1, 0.02, 0.2]
inertia = [0.3, 0, 0, 0.3, 0, 0.1]
joint = { type = "continuous" }
motor = { inertia = 2e-3, ratio = 20.0, stiffness = 400.0, damping = 3.0, viscous = 0.4, shaft_viscous = 1e-3, shaft_coulomb = 2e-3 }
[[link]]
name = "b"
mass = 2.0
com = [0.15, 0.01, 0.0]
inertia = [0.04, 0, 0, 0.02, 0, 0.03]
origin = { xyz = [0.0, 0.2, 0.5], rpy = [1.2, 0.1, 0.0] }
joint = { type = "continuous" }
motor = { inertia = 1e-3, ratio = -15.0, viscous = 0.2, coulomb = 0.3 }
[[link]]
name = "c"
mass = 1.0
com = [0.05, 0.0, 0.02]
inertia = [0.03, 0, 0, 0.04, 0, 0.02]
origin = { xyz = [0.3, 0.0, 0.0], rpy = [0.0, 0.7, 0.2] }
joint = { type = "continuous", axis = [0, 1, 0] }
motor = { inertia = 3e-4, ratio = 30.0, stiffness = 900.0, shaft_viscous = 5e-4 }
[[link]]
name = "finger"
mass = 0.3
com = [0.03, 0.0, 0.0]
inertia = [0.003, 0, 0, 0.004, 0, 0.003]
origin = { xyz = [0.1, 0.0, 0.0] }
joint = { type = "continuous", mimic = { joint = "b", multiplier = -0.5 } }
motor = { inertia = 2e-4, ratio = 8.0 }
"#;

fn arm() -> ElasticModel {
    let reading = formats::read_str(ARM, Format::Toml);
    ElasticModel::new(&Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))).unwrap()
}

const Q: [f64; 3] = [0.3, -0.8, 1.1];
const QD: [f64; 3] = [1.2, -0.7, 0.4];
const THETA: [f64; 2] = [0.34, 1.02];
const THETA_D: [f64; 2] = [0.9, 1.3];
const TORQUE: [f64; 3] = [4.0, -7.0, 2.5];

fn state() -> ElasticState<'static, f64> {
    ElasticState { q: &Q, qd: &QD, theta: &THETA, theta_d: &THETA_D }
}

/// d(T + V)/dt along the accelerations of forward dynamics is the power of torques, friction, damping and loads.
#[test]
fn energy_changes_by_the_power_of_what_acts() {
    for robot in [arm(), arm().with_complete_rotors()] {
        let wrench = Wrench { force: Vector([3.0, -2.0, 5.0]), moment: Vector([0.4, 0.3, -0.6]) };
        for loads in [vec![], vec![LinkWrench::constant(2, wrench)]] {
            let (qdd, theta_dd) = forward_dynamics(&robot, &state(), &TORQUE, &loads);
            let series = |orders: [&[f64]; 3]| -> Vec<Jet<f64, 2>> {
                (0..orders[0].len()).map(|i| Jet::from_derivatives([orders[0][i], orders[1][i]])).collect()
            };
            let (q, qd) = (series([&Q, &QD, &[]]), series([&QD, &qdd, &[]]));
            let (theta, theta_d) = (series([&THETA, &THETA_D, &[]]), series([&THETA_D, &theta_dd, &[]]));
            let moving = ElasticState { q: &q, qd: &qd, theta: &theta, theta_d: &theta_d };
            let workspace = &mut Workspace::new(robot.model());
            let energy = kinetic_energy(&robot, &moving, workspace) + potential_energy(&robot, &moving, workspace);
            let mut found = power(&robot, &state(), &TORQUE, &mut [0.0; 3]);
            let twists = kinematics::twists(robot.model(), &Q, &QD);
            found += loads.iter().map(|load| twists[load.link].dot(load.wrench)).sum::<f64>();
            assert!((energy.derivative(1) - found).abs() < 1e-9, "{} {found}", energy.derivative(1));
            // What integrations ask for is the same.
            let (mut links, mut rotors) = ([0.0; 3], [0.0; 2]);
            let told = Rates::new(&robot).at_into(&robot, &state(), &TORQUE, &loads, &mut links, &mut rotors);
            assert!((told - found).abs() < 1e-12, "{told} {found}");
            assert_close("q̈", &links, &qdd, 1e-13);
            assert_close("θ̈", &rotors, &theta_dd, 1e-13);
        }
    }
}

/// ½ B θ̇² of rotors and ½ K δ² of springs, beside the energies of the links.
#[test]
fn rotors_and_springs_have_energies_of_their_own() {
    let robot = arm();
    let workspace = &mut Workspace::new(robot.model());
    let still = ElasticState { theta: &[Q[0], Q[2]], theta_d: &[0.0; 2], qd: &[0.0; 3], ..state() };
    let spinning = ElasticState { theta_d: &THETA_D, ..still };
    let wound = ElasticState { theta: &THETA, ..still };
    assert_eq!(kinetic_energy(&robot, &still, workspace), 0.0);
    let expected = 0.5 * (2e-3 * 400.0 * THETA_D[0].powi(2) + 3e-4 * 900.0 * THETA_D[1].powi(2));
    assert!((kinetic_energy(&robot, &spinning, workspace) - expected).abs() < 1e-14);
    let [more, less] = [wound, still].map(|state| potential_energy(&robot, &state, workspace));
    let expected = 0.5 * (400.0 * (THETA[0] - Q[0]).powi(2) + 900.0 * (THETA[1] - Q[2]).powi(2));
    assert!((more - less - expected).abs() < 1e-12);
}

/// p = J · ratio, and for a joint that follows another times how fast it follows.
#[test]
fn rotors_on_links_have_the_momentum_of_their_shafts() {
    let robot = arm().with_complete_rotors();
    let found: Vec<_> = robot.couplings().iter().map(|it| (it.carrier, it.coordinate, it.momentum)).collect();
    // The rotor of the first joint stands on the ground; springs count behind the three joints.
    let expected = [(0, 1, 1e-3 * -15.0), (1, 4, 3e-4 * 30.0), (2, 1, 2e-4 * 8.0 * -0.5)];
    assert_eq!(found.len(), 3);
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() < 1e-17, "{found:?} {expected:?}");
    }
}

/// On its reference a law that starts with what it is given needs the torques of inverse dynamics, and goes on from there.
#[test]
fn a_law_that_starts_on_its_reference_gives_the_torques_of_inverse_dynamics() {
    let robot = ElasticModel::with_damping(&arm(), 0.0).unwrap();
    let wave = |r: usize| -> Vec<f64> { (0..3).map(|i| (0.4 + 1.3 * i as f64 + 0.9 * r as f64).sin()).collect() };
    let orders: [Vec<f64>; 6] = std::array::from_fn(wave);
    let series = |r: usize| -> Vec<Jet<f64, 2>> {
        (0..3).map(|i| Jet::from_derivatives([orders[r][i], orders[r + 1][i]])).collect()
    };
    let moving: [Vec<Jet<f64, 2>>; 5] = std::array::from_fn(series);
    let [q, derivatives @ ..] = moving.each_ref().map(Vec::as_slice);
    let motor = inverse_dynamics(&robot, q, &derivatives, &[]);
    let value = |x: &[Jet<f64, 2>]| x.iter().map(|x| x.derivative(0)).collect::<Vec<f64>>();
    let (theta, theta_d) = (value(&motor.theta), value(&motor.theta_d));
    let off = |rotors: &[f64], links: &[f64]| [rotors[0] - links[0], rotors[1] - links[2]];
    let (deflection, deflection_d) = (off(&theta, &orders[0]), off(&theta_d, &orders[1]));

    let gains = place(&[[-9.0, 0.0], [-11.0, 0.0], [-8.0, 3.0], [-8.0, -3.0]]).unwrap();
    let mut law = Linearising::new(&robot, gains);
    assert_eq!(law.memory(), 2);
    let (mut memory, mut rate, mut torque) = ([0.0; 2], [0.0; 2], [0.0; 3]);
    law.start_into(&orders[0], [&orders[1], &orders[2], &orders[3]], &mut memory);
    assert_close("τ and its rate", &memory, &[motor.torque[1].derivative(0), motor.torque[1].derivative(1)], 1e-11);
    let measured = Measured { q: &orders[0], qd: &orders[1], deflection: &deflection, deflection_d: &deflection_d };
    let reference: [&[f64]; 5] = std::array::from_fn(|r| orders[r].as_slice());
    law.torque_into(&reference, &measured, &memory, &mut rate, &mut torque);
    assert_close("torque", &torque, &value(&motor.torque), 1e-8);
    assert_close("acceleration", law.acceleration_and_jerk()[0], &orders[2], 1e-9);
    assert_close("jerk", law.acceleration_and_jerk()[1], &orders[3], 1e-8);
    assert_eq!(rate[0], memory[1]);
}

/// How far the decay of the loop under exact linearisation is from the slowest pole that was placed, continuous and sampled.
fn off_the_slowest_pole(robot: &ElasticModel, posture: &[f64], slowest: f64) -> impl Fn(Option<f64>) -> f64 {
    let gains = place(&[[-slowest, 0.0], [-12.0, 0.0], [-19.0, 0.0], [-30.0, 0.0]]).unwrap();
    let closed = ClosedLoop::at_rest(robot, &mut Linearising::<Dual<f64>>::new(robot, gains), posture).unwrap();
    move |period| closed.decay(period).unwrap() - slowest
}

/// What sampling changes falls with the period, and too long a period is unstable; rigid joints have their part in the law's memory.
#[test]
fn the_loop_decays_as_its_slowest_pole_was_placed() {
    let planar = ElasticModel::new(&robots::load("planar2r_elastic").unwrap()).unwrap();
    let rigid = ElasticModel::with_damping(&arm(), 0.0).unwrap();
    for slowest in [3.0, 4.0] {
        for off in [off_the_slowest_pole(&planar, &[0.3, 0.4], slowest), off_the_slowest_pole(&rigid, &Q, slowest)] {
            assert!(off(None).abs() < 1e-6, "{}", off(None));
            let (coarse, fine) = (off(Some(4e-5)), off(Some(2e-5)));
            assert!(fine.abs() < 0.02 * slowest && (1.7..2.3).contains(&(coarse / fine)), "{coarse} {fine}");
            assert!(off(Some(0.05)) < -slowest);
        }
    }
}
