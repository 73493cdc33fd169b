//! Robots with elastic joints where the answer is known by hand: control laws at one instant, damped springs along polynomials, and
//! what is refused.

use jourdain::dynamics::recursive;
use jourdain::elastic::control::computed_torque::rigid_torque_into;
use jourdain::elastic::control::{
    ComputedTorque, Constant, ControlLaw, Controller, Feedforward, Kind, Linearising, Measured, MotorPd, place,
};
use jourdain::elastic::energy::kinetic_energy;
use jourdain::elastic::forward::forward_dynamics;
use jourdain::elastic::inverse::inverse_dynamics;
use jourdain::elastic::rotors::check;
use jourdain::elastic::{ElasticError, ElasticModel, ElasticState, MotorMotion, Wound, linearise_moving};
use jourdain::formats::{self, Format};
use jourdain::prescribed::{Curve, PrescribedLoad, PrescribedMotion, Reference};
use jourdain::quantity::{Path, Quantity};
use jourdain::state::State;
use jourdain::{Model, Workspace};

fn read(text: &str) -> Model {
    let reading = formats::read_str(text, Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

/// One link per joint, each on the one before; `motors` are what is said of them.
fn arm(motors: [&str; 3]) -> ElasticModel {
    let [a, b, c] = motors;
    ElasticModel::new(&read(&format!(
        r#"
name = "arm"
[[link]]
name = "a"
mass = 3.0
com = [0.1, 0.02, 0.2]
inertia = [0.3, 0, 0, 0.3, 0, 0.1]
joint = {{ type = "continuous", axis = [0, 1, 0] }}
motor = {a}
[[link]]
name = "b"
mass = 2.0
com = [0.15, 0.01, 0.0]
inertia = [0.04, 0, 0, 0.02, 0, 0.03]
origin = {{ xyz = [0.0, 0.2, 0.5], rpy = [1.2, 0.1, 0.0] }}
joint = {{ type = "continuous" }}
motor = {b}
[[link]]
name = "c"
mass = 1.0
com = [0.05, 0.0, 0.02]
inertia = [0.03, 0, 0, 0.04, 0, 0.02]
origin = {{ xyz = [0.3, 0.0, 0.0], rpy = [0.0, 0.7, 0.2] }}
joint = {{ type = "continuous", axis = [0, 1, 0] }}
motor = {c}
"#
    )))
    .unwrap()
}

const SOFT: &str =
    "{ inertia = 2e-3, ratio = 20.0, stiffness = 400.0, viscous = 0.4, shaft_viscous = 1e-3, shaft_coulomb = 2e-3 }";
const STIFF: &str = "{ inertia = 3e-4, ratio = 30.0, stiffness = 900.0, shaft_viscous = 5e-4 }";
const RIGID: &str = "{ inertia = 1e-3, ratio = -15.0, viscous = 0.2 }";

/// Elastic, rigid, elastic.
fn mixed() -> ElasticModel {
    arm([SOFT, RIGID, STIFF])
}

/// Numbers without a pattern, of size one or so.
fn wave<const N: usize>(phase: f64) -> [f64; N] {
    std::array::from_fn(|i| (phase + 1.7 * i as f64).sin())
}

fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance * size, "{what}: {found} for {expected}");
    }
}

/// A reference that does not rest, and a robot that is not on it.
struct Instant {
    reference: [[f64; 3]; 5],
    q: [f64; 3],
    qd: [f64; 3],
    deflection: [f64; 2],
    deflection_d: [f64; 2],
}

impl Instant {
    fn new() -> Self {
        Self {
            reference: std::array::from_fn(|r| wave(0.4 + 0.9 * r as f64)),
            q: wave(0.9),
            qd: wave(2.3),
            deflection: [0.03, -0.05],
            deflection_d: [0.4, 0.7],
        }
    }

    fn torque(&self, law: &mut impl ControlLaw<f64>, memory: &[f64], rate: &mut [f64]) -> [f64; 3] {
        let reference = self.reference.each_ref().map(<[f64; 3]>::as_slice);
        let measured =
            Measured { q: &self.q, qd: &self.qd, deflection: &self.deflection, deflection_d: &self.deflection_d };
        let mut torque = [f64::NAN; 3];
        law.torque_into(&reference, &measured, memory, rate, &mut torque);
        torque
    }

    /// Where the motors are: with the link where the joint is rigid.
    fn motors(&self, robot: &ElasticModel) -> ([f64; 3], [f64; 3]) {
        let (mut theta, mut speed) = (self.q, self.qd);
        for (k, spring) in robot.springs().iter().enumerate() {
            theta[spring.dof] += self.deflection[k];
            speed[spring.dof] += self.deflection_d[k];
        }
        (theta, speed)
    }
}

/// u = g(q_d) + K_P (q_d + K⁻¹ g(q_d) − θ) + K_D (q̇_d − θ̇), or the same without g.
#[test]
fn a_pd_loop_on_the_motors_gives_the_torques_of_its_errors() {
    let (robot, instant) = (mixed(), Instant::new());
    let gains = [[300.0, 20.0], [150.0, 12.0], [80.0, 5.0]];
    let (theta, speed) = instant.motors(&robot);
    let (weight, stiffness) = (recursive::gravity(robot.model(), &instant.reference[0]), [400.0, f64::INFINITY, 900.0]);
    for with_gravity in [false, true] {
        let mut law = MotorPd::new(&robot, gains.to_vec(), with_gravity);
        let expected: [f64; 3] = std::array::from_fn(|i| {
            let weight = if with_gravity { weight[i] } else { 0.0 };
            let error = instant.reference[0][i] + weight / stiffness[i] - theta[i];
            weight + gains[i][0] * error + gains[i][1] * (instant.reference[1][i] - speed[i])
        });
        close("torque", &instant.torque(&mut law, &[], &mut []), &expected, 1e-13);
        assert_eq!(law.memory(), 0);
    }
}

/// c/√(c² + ε²) is one for every speed that is not slow: friction of the rotor is Fv θ̇ ± Fc.
fn rotor_friction(robot: &ElasticModel, k: usize, speed: f64) -> f64 {
    let spring = &robot.springs()[k];
    spring.viscous * speed + spring.coulomb * speed / speed.hypot(1e-2)
}

/// (M + B)(q̈_d + K₁ ė + K₀ e) + C q̇ + g + friction at the motors' positions.
#[test]
fn computed_torque_takes_the_motors_for_the_links() {
    let (robot, instant) = (mixed(), Instant::new());
    let gains = [[300.0, 20.0], [150.0, 12.0], [80.0, 5.0]];
    let (theta, speed) = instant.motors(&robot);
    let acceleration: [f64; 3] = std::array::from_fn(|i| {
        let [position, velocity, second, ..] = instant.reference.map(|order| order[i]);
        second + gains[i][1] * (velocity - speed[i]) + gains[i][0] * (position - theta[i])
    });
    let mut expected = recursive::inverse_dynamics(robot.model(), &theta, &speed, &acceleration, &[]);
    for (k, (i, inertia)) in [(0, 2e-3 * 400.0), (2, 3e-4 * 900.0)].into_iter().enumerate() {
        expected[i] += inertia * acceleration[i] + rotor_friction(&robot, k, speed[i]);
    }
    // 1e-3 · 20² and 5e-4 · 30²: the shaft's friction at the joint.
    assert!((robot.springs()[0].viscous - 0.4).abs() < 1e-15 && (robot.springs()[1].viscous - 0.45).abs() < 1e-15);
    let mut law = ComputedTorque::per_joint(&robot, gains.to_vec());
    close("torque", &instant.torque(&mut law, &[], &mut []), &expected, 1e-13);
    let mut rigid = vec![0.0; 3];
    let workspace = &mut Workspace::new(robot.model());
    rigid_torque_into(&robot, &theta, &speed, &acceleration, workspace, &mut rigid);
    close("rigid torque", &rigid, &expected, 1e-13);
}

/// What a PD loop adds to the feed-forward is J_i (K₀ e + K₁ ė) of the motors, with J_i = M_ii + B_i at the posture.
#[test]
fn feed_forward_adds_the_errors_times_the_inertia_of_every_joint_alone() {
    let (robot, instant) = (mixed(), Instant::new());
    let (posture, gains) = ([0.3, -0.8, 1.1], [70.0, 9.0]);
    let (theta, speed) = instant.motors(&robot);
    let [q, derivatives @ ..] = instant.reference.each_ref().map(<[f64; 3]>::as_slice);
    let desired = inverse_dynamics(&robot, q, &derivatives, &[]);
    let mass = recursive::mass_matrix(robot.model(), &posture);
    let wanted = [
        (desired.theta[0], desired.theta_d[0], 2e-3 * 400.0),
        (q[1], derivatives[0][1], 0.0),
        (desired.theta[1], desired.theta_d[1], 3e-4 * 900.0),
    ];
    let expected: [f64; 3] = std::array::from_fn(|i| {
        let (position, velocity, rotor) = wanted[i];
        let inertia = mass[(i, i)] + rotor;
        desired.torque[i] + inertia * (gains[0] * (position - theta[i]) + gains[1] * (velocity - speed[i]))
    });
    let mut law = Feedforward::new(&robot, gains, &posture);
    close("torque", &instant.torque(&mut law, &[], &mut []), &expected, 1e-12);
}

/// A law by its name is the law itself, with its memory and what it starts with.
#[test]
fn a_law_by_name_is_the_law_itself() {
    let (robot, instant, posture) = (mixed(), Instant::new(), [0.3, -0.8, 1.1]);
    let poles = [[-9.0, 0.0], [-11.0, 0.0], [-8.0, 3.0], [-8.0, -3.0]];
    let [q, qd, qdd, qddd, _] = instant.reference.each_ref().map(<[f64; 3]>::as_slice);
    let mut law = Linearising::new(&robot, place(&poles).unwrap());
    let mut named = Controller::new(Kind::Linearising, &robot, &poles, &posture).unwrap();
    assert_eq!((law.memory(), named.memory()), (2, 2));
    let mut memories = [[f64::NAN; 2]; 2];
    law.start_into(q, [qd, qdd, qddd], &mut memories[0]);
    named.start_into(q, [qd, qdd, qddd], &mut memories[1]);
    assert_eq!(memories[0], memories[1]);
    let mut rates = [[f64::NAN; 2]; 2];
    let torques = [
        instant.torque(&mut law, &memories[0], &mut rates[0]),
        instant.torque(&mut named, &memories[1], &mut rates[1]),
    ];
    assert_eq!((torques[0], rates[0]), (torques[1], rates[1]));

    let gains = place(&[poles[0], poles[1]]).unwrap();
    let mut named = Controller::new(Kind::ComputedTorque, &robot, &poles, &posture).unwrap();
    let mut law = ComputedTorque::new(&robot, gains);
    assert_eq!(instant.torque(&mut named, &[], &mut []), instant.torque(&mut law, &[], &mut []));
    assert_eq!(named.memory(), 0);
    let mut none = Controller::new(Kind::None, &robot, &poles, &posture).unwrap();
    assert_eq!(instant.torque(&mut none, &[], &mut []), [0.0; 3]);
    assert_eq!(instant.torque(&mut Constant(vec![3.0, -2.0, 7.0]), &[], &mut []), [3.0, -2.0, 7.0]);
}

/// On its reference a law needs the torques of inverse dynamics, with as many rigid joints as there may be.
#[test]
fn two_rigid_joints_have_their_torques_and_rates_in_the_memory_of_the_law() {
    let robot = arm([RIGID, SOFT, "{ inertia = 2e-4, ratio = 9.0, viscous = 0.1 }"]);
    let orders: [[f64; 3]; 6] = std::array::from_fn(|r| wave(0.4 + 0.9 * r as f64));
    let motor = |t: f64| {
        // The motion a little later, by its Taylor series.
        let later: [[f64; 3]; 5] = std::array::from_fn(|r| {
            std::array::from_fn(|i| {
                let mut factor = 1.0;
                (r..6).fold(0.0, |sum, k| {
                    let term = sum + factor * orders[k][i];
                    factor *= t / (k - r + 1) as f64;
                    term
                })
            })
        });
        let [q, derivatives @ ..] = later.each_ref().map(<[f64; 3]>::as_slice);
        inverse_dynamics(&robot, q, &derivatives, &[])
    };
    let (now, step) = (motor(0.0), 1e-4);
    let rate: Vec<f64> =
        motor(step).torque.iter().zip(motor(-step).torque).map(|(a, b)| (a - b) / (2.0 * step)).collect();
    let gains = place(&[[-9.0, 0.0], [-11.0, 0.0], [-8.0, 3.0], [-8.0, -3.0]]).unwrap();
    let mut law = Linearising::new(&robot, gains);
    assert_eq!(law.memory(), 4);
    let mut memory = [f64::NAN; 4];
    law.start_into(&orders[0], [&orders[1], &orders[2], &orders[3]], &mut memory);
    close("torques", &memory[..2], &[now.torque[0], now.torque[2]], 1e-11);
    close("rates", &memory[2..], &[rate[0], rate[2]], 1e-6);
    let (deflection, deflection_d) = ([now.theta[0] - orders[0][1]], [now.theta_d[0] - orders[1][1]]);
    let measured = Measured { q: &orders[0], qd: &orders[1], deflection: &deflection, deflection_d: &deflection_d };
    let reference: [&[f64]; 5] = std::array::from_fn(|r| orders[r].as_slice());
    let (mut memory_rate, mut torque) = ([f64::NAN; 4], [f64::NAN; 3]);
    law.torque_into(&reference, &measured, &memory, &mut memory_rate, &mut torque);
    close("torque", &torque, &now.torque, 1e-8);
    close("acceleration", law.acceleration_and_jerk()[0], &orders[2], 1e-9);
    close("jerk", law.acceleration_and_jerk()[1], &orders[3], 1e-8);
    assert_eq!(memory_rate[..2], memory[2..]);
    let second: Vec<f64> =
        [0, 2].map(|i| (motor(step).torque[i] - 2.0 * now.torque[i] + motor(-step).torque[i]) / (step * step)).to_vec();
    close("second rates", &memory_rate[2..], &second, 1e-4);
}

/// The registry's torque of the motors has the friction of the rotors at the speed of the rotors.
#[test]
fn the_registry_knows_the_friction_of_rotors() {
    let robot = mixed();
    let mut state = State::neutral(robot.model());
    let orders: [[f64; 3]; 5] = std::array::from_fn(|r| wave(0.4 + 0.9 * r as f64));
    let fields = [&mut state.q, &mut state.qd, &mut state.qdd, &mut state.qddd, &mut state.qdddd];
    fields.into_iter().zip(&orders).for_each(|(field, order)| *field = order.to_vec());
    let [q, derivatives @ ..] = orders.each_ref().map(<[f64; 3]>::as_slice);
    let motor = inverse_dynamics(&robot, q, &derivatives, &[]);
    for (k, (i, inertia)) in [(0, 2e-3 * 400.0), (2, 3e-4 * 900.0)].into_iter().enumerate() {
        let tau = recursive::inverse_dynamics(robot.model(), q, &orders[1], &orders[2], &[])[i];
        let expected = inertia * motor.theta_dd[k] + tau + rotor_friction(&robot, k, motor.theta_d[k]);
        assert!((motor.torque[i] - expected).abs() < 1e-12 * expected.abs(), "{} {expected}", motor.torque[i]);
    }
    let quantity = Quantity::parse("elastic_motor_torque", robot.model()).unwrap();
    for path in [Path::Fast, Path::Closed] {
        let found = quantity.evaluate(path, robot.model(), &state, &mut Workspace::new(robot.model())).unwrap();
        close("registry", &found, &motor.torque, 1e-11);
    }
}

/// What holds a steady motion: the torque of the links and the friction of the rotors. Outputs are the joints.
#[test]
fn a_steady_motion_is_held_against_the_friction_of_the_rotors() {
    let robot = mixed();
    let (q, qd) = ([0.3, -0.8, 1.1], [1.2, -0.7, 0.4]);
    let linear = linearise_moving(&robot, &q, &qd).unwrap();
    let mut expected = recursive::inverse_dynamics(robot.model(), &q, &qd, &[0.0; 3], &[]);
    for (k, i) in [(0, 0), (1, 2)] {
        expected[i] += rotor_friction(&robot, k, qd[i]);
    }
    close("torque", &linear.torque, &expected, 1e-13);
    for (i, j) in (0..3).flat_map(|i| (0..5).map(move |j| (i, j))) {
        assert_eq!(linear.output[(i, j)], f64::from(u8::from(i == j)));
    }
    assert_eq!(robot.all_positions(&q, &[5.0, 6.0]), [5.0, q[1], 6.0]);
}

#[test]
fn springs_are_damped_if_one_is_and_dampings_must_be_numbers_from_zero() {
    let robot = mixed();
    assert!(!robot.is_damped() && robot.with_damping(0.5).unwrap().is_damped());
    assert!(arm([SOFT, RIGID, "{ inertia = 1e-3, stiffness = 9.0, damping = 1.0 }"]).is_damped());
    for damping in [-1.0, f64::INFINITY, f64::NAN, f64::NEG_INFINITY] {
        let error = robot.with_damping(damping).unwrap_err();
        assert_eq!(error.kind(), "bad-option");
        assert!(!error.is_breakdown());
    }
    let broken = ElasticError::Eigenvalues { robot: "arm".to_owned() };
    assert!(broken.is_breakdown());
}

/// A model whose numbers were changed after its file was checked.
#[test]
fn springs_and_rotors_that_are_not_positive_are_refused() {
    let model = mixed().model().clone();
    for (given, what) in [(900.0, "stiffness"), (3e-4, "motor inertia")] {
        for value in [0.0, -1.0, f64::NAN] {
            let changed = model.map(&mut |x: f64| if x == given { value } else { x });
            let Err(ElasticError::NotPositive { joint, what: found, value: told }) = ElasticModel::new(&changed) else {
                panic!("{what} of {value}")
            };
            assert_eq!((joint.as_str(), found), ("c", what));
            assert_eq!(told.is_nan(), value.is_nan());
        }
    }
}

#[test]
fn poles_must_be_finite_and_come_in_pairs_to_rounding() {
    for pole in [[f64::NEG_INFINITY, 0.0], [-1.0, f64::INFINITY], [-1.0, f64::NAN]] {
        assert!(place(&[pole]).is_err(), "{pole:?}");
    }
    assert!(place(&[[-1.0, 1.0], [-1.0, -0.9]]).is_err());
    assert!(place(&[[-1.0, 1.0], [-1.0, -1.0 + 1e-6]]).is_err());
    assert!(place(&[[-1e-5, 1e-5], [-1e-5, -0.9e-5]]).is_err());
    // Pairs that do not stand beside one another leave rounding: of any size if the poles are fast, and none that counts.
    let (a, b, c, d) = (1.1e5, 3.3e4, 2.3e5, 7.7e4);
    let found = place(&[[-a, b], [-c, d], [-a, -b], [-c, -d]]).unwrap();
    let (p, q) = (a * a + b * b, c * c + d * d);
    close("gains", &found, &[p * q, 2.0 * (a * q + c * p), p + q + 4.0 * a * c, 2.0 * (a + c)], 1e-14);
}

/// A rotor on a link that turns under it: ½ J ((a·ω + v)² − (a·ω)²), where the first joint is rigid and the second elastic.
#[test]
fn the_first_spring_may_sit_on_a_link_that_turns() {
    // Both axes along z: turning the first joint turns the second rotor about its own axis.
    let text = |inertia: f64| {
        format!(
            r#"
name = "pair"
[[link]]
name = "a"
mass = 1.0
inertia = [0.3, 0, 0, 0.3, 0, 0.1]
joint = {{ type = "continuous" }}
[[link]]
name = "b"
mass = 1.0
inertia = [0.2, 0, 0, 0.2, 0, 0.05]
joint = {{ type = "continuous" }}
motor = {{ inertia = {inertia}, ratio = 3.0, stiffness = 50.0 }}"#
        )
    };
    let robot = ElasticModel::new(&read(&text(1e-2))).unwrap().with_complete_rotors();
    let (q, qd, theta, theta_d) = ([0.2, 0.4], [1.5, -0.6], [0.7], [2.1]);
    let state = ElasticState { q: &q, qd: &qd, theta: &theta, theta_d: &theta_d };
    let found = kinetic_energy(&robot, &state, &mut Workspace::new(robot.model()));
    let rotor = 1e-2 * (0.5 * (3.0 * 2.1_f64).powi(2) + 3.0 * 2.1 * 1.5);
    let expected = 0.5 * 0.1 * 1.5_f64.powi(2) + 0.5 * 0.05 * (1.5_f64 - 0.6).powi(2) + rotor;
    assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    // (q̈₁, q̈₂, θ̈) by Cramer's rule out of [0.15, 0.05, p; 0.05, 0.05, 0; p, 0, B] and the torques (0, K δ, −K δ).
    let (p, b, pull) = (0.03, 0.09, 50.0 * 0.3);
    let (links, rotors) = forward_dynamics(&robot, &state, &[0.0; 2], &[]);
    let rows = [[0.15, 0.05, p, 0.0], [0.05, 0.05, 0.0, pull], [p, 0.0, b, -pull]];
    for [x, y, z, right] in rows {
        let left = x * links[0] + y * links[1] + z * rotors[0];
        assert!((left - right).abs() < 1e-12, "{left} {right}");
    }
}

/// A rod along the first axis: it hardly turns about it, and the second joint feels it in full; the joints do not feel one another.
#[test]
fn links_that_hold_their_rotors_pass_the_check_and_others_do_not() {
    let robot = |inertia: f64| {
        let text = format!(
            r#"
name = "rod"
[[link]]
name = "a"
mass = 1.0
inertia = [0.02, 0, 0, 0.02, 0, 0.02]
joint = {{ type = "continuous" }}
[[link]]
name = "b"
mass = 1.0
inertia = [0.5, 0, 0, 0.5, 0, 0.001]
joint = {{ type = "continuous", axis = [1, 0, 0] }}
motor = {{ inertia = {inertia}, ratio = 1.0, stiffness = 50.0, axis = [0, 0, 1] }}"#
        );
        ElasticModel::new(&read(&text)).unwrap().with_complete_rotors()
    };
    assert_eq!(check(&robot(1e-3), &[0.0; 2]), Ok(()));
    // p² = J² against M_11 B = 0.021 J: a rotor of 0.03 kg m² is more than its link has about that axis.
    let refused = check(&robot(0.03), &[0.0; 2]);
    assert_eq!(refused.unwrap_err().kind(), "rotors-too-heavy");
    assert_eq!(check(&robot(0.02), &[0.0; 2]), Ok(()));
}

/// Three arms on the ground, without weight: τ = I q̈ − load, whatever the others do. The first spring is not damped.
fn arms(dampings: [f64; 3]) -> ElasticModel {
    let link = |i: usize| {
        format!(
            r#"
[[link]]
name = "{i}"
parent = "base"
mass = 1.0
inertia = [1, 0, 0, 1, 0, {}]
joint = {{ type = "continuous" }}
motor = {{ inertia = 1e-2, ratio = 2.0, stiffness = {STIFFNESS:?}, damping = {:?}, shaft_viscous = 0.05 }}
"#,
            INERTIAS[i], dampings[i]
        )
    };
    let links: String = (0..3).map(link).collect();
    ElasticModel::new(&read(&format!("name = \"arms\"\ngravity = [0, 0, 0]\n{links}"))).unwrap()
}

const INERTIAS: [f64; 3] = [0.5, 0.8, 1.3];
const STIFFNESS: f64 = 200.0;

/// The derivative of order `r` of Σ c_k tᵏ.
fn polynomial(c: &[f64], r: usize, t: f64) -> f64 {
    let falling = |k: usize| (0..r).map(|i| (k - i) as f64).product::<f64>();
    (r..c.len()).map(|k| falling(k) * c[k] * t.powi((k - r) as i32)).sum()
}

/// Polynomials of degree seven: τ has degree five, for which the intervals are exact; the last arm is pushed as well.
fn motion(scale: f64) -> PrescribedMotion {
    let curve = |i: usize| {
        let c = (0..8).map(|k| wave::<8>(0.3 + i as f64)[k] / scale.powi(k as i32)).collect();
        Curve::Polynomial(c)
    };
    let mut components: [Curve; 6] = std::array::from_fn(|_| Curve::Polynomial(vec![0.0]));
    components[5] = Curve::Polynomial(vec![3.0, -8.0 / scale, 5.0 / (scale * scale)]);
    let loads = vec![PrescribedLoad { link: 2, components }];
    PrescribedMotion { joints: (0..3).map(curve).collect(), loads, start: 0.0, end: 100.0 }
}

/// The torque of an arm, any derivative of it.
fn torque(motion: &PrescribedMotion, i: usize, r: usize, t: f64, with_loads: bool) -> f64 {
    let of = |curve: &Curve, r: usize| match curve {
        Curve::Polynomial(c) => polynomial(c, r, t),
        _ => panic!("a polynomial"),
    };
    let push = if with_loads && i == 2 { of(&motion.loads[0].components[5], r) } else { 0.0 };
    INERTIAS[i] * of(&motion.joints[i], r + 2) - push
}

/// δ and its first two derivatives: K δ + D δ̇ = τ is solved by K⁻¹ Σ (−D/K)ʲ τ⁽ʲ⁾ and what of the start is left over, e^{−K t/D}.
fn wound(motion: &PrescribedMotion, i: usize, damping: f64, t: f64, with_loads: bool) -> [f64; 3] {
    let rate = STIFFNESS / damping;
    let slow = |r: usize, t: f64| {
        (0..6).map(|j| (-1.0 / rate).powi(j as i32) * torque(motion, i, r + j, t, with_loads)).sum::<f64>() / STIFFNESS
    };
    let start = torque(motion, i, 0, 0.0, with_loads) / STIFFNESS - slow(0, 0.0);
    [0, 1, 2].map(|r| slow(r, t) + start * (-rate).powi(r as i32) * (-rate * t).exp())
}

#[test]
fn damped_springs_are_wound_as_the_differential_equation_for_polynomials_says() {
    let motion = motion(0.05);
    for damping in [0.02, 0.06, 0.1, 4.0, 20.0] {
        let dampings = [0.0, damping, 1.5 * damping];
        let robot = arms(dampings);
        for with_loads in [false, true] {
            let mut found = Wound::new(&robot, Reference::Motion(&motion), with_loads);
            assert!((found.memory() - 1.5 * damping / STIFFNESS).abs() < 1e-15);
            let mut motors = MotorMotion::zero(&robot);
            for t in [0.0, 0.0003, 0.0017, 0.04, 0.0613, 0.0118] {
                let mut deflection = [7.0; 3];
                found.deflection_into(t, &mut deflection);
                assert_eq!(deflection[0], 7.0, "springs without damping are left");
                found.motors_into(t, &mut motors);
                for i in [1, 2] {
                    let expected = wound(&motion, i, dampings[i], t, with_loads);
                    let what = format!("spring {i}, damping {damping}, t = {t}, loads {with_loads}");
                    let size = (0..=10).map(|k| wound(&motion, i, dampings[i], 0.1 * f64::from(k) * t, with_loads));
                    let size = size.fold(1e-3, |size: f64, x| size.max(x[0].abs()));
                    let near = |found: f64, expected: f64, size: f64| {
                        assert!((found - expected).abs() <= 1e-8 * size, "{what}: {found} for {expected}, {size}");
                    };
                    near(deflection[i], expected[0], size);
                    let order = |r: usize| match &motion.joints[i] {
                        Curve::Polynomial(c) => polynomial(c, r, t),
                        _ => panic!("a polynomial"),
                    };
                    let rate = STIFFNESS / dampings[i];
                    near(motors.theta[i], order(0) + expected[0], size.max(order(0).abs()));
                    let speed = order(1) + expected[1];
                    near(motors.theta_d[i], speed, (rate * size).max(order(1).abs()));
                    let acceleration = order(2) + expected[2];
                    let largest = (rate * rate * size).max(order(2).abs());
                    near(motors.theta_dd[i], acceleration, largest);
                    // B = 1e-2 · 2², and 0.05 · 2² of friction.
                    let tau = torque(&motion, i, 0, t, with_loads);
                    near(motors.torque[i], 0.04 * acceleration + 0.2 * speed + tau, largest.max(tau.abs()));
                }
            }
        }
    }
}

/// The feed-forward of a law that is told its reference is what the motors need along it.
#[test]
fn feed_forward_along_a_reference_is_what_the_motors_need() {
    let (robot, motion) = (arms([0.0, 3.0, 5.0]), motion(0.05));
    let reference = Reference::Motion(&motion);
    let poles = [[-9.0, 0.0]; 4];
    let named = |law| Controller::Feedforward(Box::new(law));
    let mut law = named(Feedforward::per_joint(&robot, vec![[0.0; 2]; 3]).along(&reference));
    assert_eq!(law.memory(), 0);
    let mut motors = MotorMotion::zero(&robot);
    let mut found = Wound::new(&robot, reference.clone(), false);
    for t in [0.0, 0.0125, 0.05] {
        let orders: [Vec<f64>; 5] = reference.orders(t);
        let reference = orders.each_ref().map(Vec::as_slice);
        let zero = [0.0; 3];
        let measured = Measured { q: &zero, qd: &zero, deflection: &zero, deflection_d: &zero };
        let mut torque = [f64::NAN; 3];
        law.advance_to(t);
        law.torque_into(&reference, &measured, &[], &mut [], &mut torque);
        found.motors_into(t, &mut motors);
        close("torque", &torque, &motors.torque, 1e-12);
    }
    assert_eq!(Controller::<f64>::new(Kind::Feedforward, &robot, &poles, &[0.0; 3]).unwrap().memory(), 0);
}

/// Springs without damping have no history, and a robot at rest none either.
#[test]
fn without_damping_or_motion_there_is_no_history() {
    let (stiff, motion) = (arms([0.0; 3]), motion(0.05));
    let mut wound = Wound::new(&stiff, Reference::Motion(&motion), true);
    assert_eq!(wound.memory(), 0.0);
    let mut deflection = [7.0; 3];
    wound.deflection_into(0.03, &mut deflection);
    assert_eq!(deflection, [7.0; 3]);
    let robot = arms([0.0, 3.0, 5.0]);
    let mut wound = Wound::new(&robot, Reference::Rest(vec![0.4; 3]), true);
    wound.deflection_into(1e9, &mut deflection);
    assert_eq!(deflection, [7.0, 0.0, 0.0]);
}

/// Old intervals are dropped on the way; what is asked for afterwards, or long before, is as it should be.
#[test]
fn long_motions_are_followed_to_their_end_and_back() {
    let (robot, motion) = (arms([0.0, 900.0, 400.0]), motion(20.0));
    for times in [[16.9, 9.1, 0.002], [16.5, 0.002, 0.2]] {
        let mut found = Wound::new(&robot, Reference::Motion(&motion), false);
        for t in times {
            let mut deflection = [0.0; 3];
            found.deflection_into(t, &mut deflection);
            for (i, damping) in [(1, 900.0), (2, 400.0)] {
                let [expected, ..] = wound(&motion, i, damping, t, false);
                let error = (deflection[i] - expected).abs();
                assert!(error < 1e-9 * expected.abs().max(1e-4), "{t}: {} {expected}", deflection[i]);
            }
        }
    }
}
