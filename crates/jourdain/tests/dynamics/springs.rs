//! Springs of elastic joints from simulated logs with positions of motors and links.

use crate::logs::Random;
use jourdain::elastic::forward::forward_dynamics_into;
use jourdain::elastic::inverse::inverse_dynamics_into;
use jourdain::elastic::{ElasticModel, ElasticState, ForwardScratch, InverseScratch, MotorMotion};
use jourdain::identify::log::{RotorLog, read_rotors};
use jourdain::identify::{FoundSpring, IdentifyError, springs, sprung_robot};
use jourdain::{Model, robots};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// q and its derivatives to the fourth at a time.
fn motion(n: usize, t: f64) -> [Vec<f64>; 5] {
    std::array::from_fn(|order| {
        let joint = |j: usize| {
            let waves = [(0.23, 0.5), (0.71, 0.25), (1.9, 0.06)];
            let wave = |(frequency, amplitude): (f64, f64)| {
                let w = 2.0 * PI * frequency * (1.0 + 0.11 * j as f64);
                // Each derivative turns the phase by a quarter.
                amplitude * w.powi(order as i32) * (w * t + j as f64 + 0.5 * PI * order as f64).sin()
            };
            waves.into_iter().map(wave).sum::<f64>() + if order == 0 { 0.2 } else { 0.0 }
        };
        (0..n).map(joint).collect()
    })
}

/// The motors of a robot along that motion, by its inverse dynamics; noise of positions and torques.
fn log(model: &Model<f64>, seconds: f64, rate: f64, noise: [f64; 2], seed: u64) -> String {
    let elastic = ElasticModel::new(model).unwrap();
    let (n, mut random) = (model.nv(), Random(seed));
    let (mut scratch, mut motor) = (InverseScratch::new(model), MotorMotion::zero(&elastic));
    let mut text = "t".to_owned();
    for letters in ["q", "theta", "tau"] {
        (1..=n).for_each(|j| write!(text, ",{letters}{j}").unwrap());
    }
    text.push('\n');
    for i in 0..(seconds * rate) as usize {
        let t = i as f64 / rate;
        let [q, v, a, j, s] = motion(n, t);
        inverse_dynamics_into(&elastic, &q, &[&v, &a, &j, &s], &[], &mut scratch, &mut motor);
        write!(text, "{t}").unwrap();
        for (values, noise) in [(&q, noise[0]), (&motor.theta, noise[0]), (&motor.torque, noise[1])] {
            values.iter().for_each(|x| write!(text, ",{}", x + noise * random.normal()).unwrap());
        }
        text.push('\n');
    }
    text
}

fn read(text: &str, model: &Model<f64>) -> RotorLog {
    read_rotors(text.as_bytes(), model, None).unwrap()
}

/// K, D, B, rotor friction of a robot file.
fn exact(model: &Model<f64>) -> Vec<[f64; 5]> {
    let elastic = ElasticModel::new(model).unwrap();
    let of = |spring: &jourdain::elastic::Spring<f64>| {
        [spring.stiffness, spring.damping, spring.inertia, spring.viscous, spring.coulomb]
    };
    elastic.springs().iter().map(of).collect()
}

fn found(spring: &FoundSpring) -> [(f64, f64); 5] {
    [spring.stiffness, spring.damping, spring.inertia, spring.viscous, spring.coulomb].map(|x| (x.value, x.deviation))
}

fn with_rotor_friction(name: &str) -> Model<f64> {
    let mut description = robots::load(name).unwrap().description().clone();
    for motor in description.links.iter_mut().filter_map(|link| link.motor.as_mut()) {
        (motor.rotor_viscous, motor.rotor_coulomb) = (0.8.into(), 0.5.into());
    }
    Model::from_description(&description).unwrap()
}

#[test]
fn springs_and_rotors_of_built_in_robots_are_found() {
    for name in ["planar2r_elastic", "iiwa14_elastic"] {
        let model = with_rotor_friction(name);
        let text = log(&model, 30.0, 500.0, [1e-6, 0.02], 3);
        let result = springs(&model, &read(&text, &model), None, 0.0, 2).unwrap();
        for (k, (spring, exact)) in result.springs.iter().zip(exact(&model)).enumerate() {
            for (which, ((value, deviation), exact)) in found(spring).into_iter().zip(exact).enumerate() {
                // Damping is not there, and may be put to zero; three in a thousand may be off by more.
                let off = (value - exact).abs();
                let scale = [0.02 * exact, 0.02 * spring.stiffness.value / 50.0, 0.1 * exact, 0.05, 0.05][which];
                assert!(
                    off < 4.0 * deviation + 1e-9 || off < scale,
                    "{name} {k} {which}: {value} ± {deviation}, {exact}"
                );
                assert!(off < 3.0 * scale, "{name} {k} {which}: {value} ± {deviation}, {exact}");
            }
            assert!(spring.motor.relative() < 0.2 && spring.deflection > 1e-5, "{name}: {spring:?}");
        }
    }
}

/// The second witness goes forwards: a pendulum on a damped spring, driven by a torque, integrated in small steps by its own equations.
#[test]
fn a_pendulum_on_a_damped_spring_is_found_from_its_own_equations() {
    let text = "name = \"pendulum\"\n[[link]]\nname = \"arm\"\nparent = \"base\"\nmass = 2.0\ncom = [0.3, 0.0, 0.0]\n\
                inertia = [0.001, 0, 0, 0.02, 0, 0.02]\njoint = { type = \"revolute\", axis = [0, 1, 0] }\n\
                motor = { inertia = 1e-4, ratio = 50.0 }\n";
    let reading = jourdain::formats::read_str(text, jourdain::formats::Format::Toml);
    let model = Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)));
    let (inertia, weight) = (0.02 + 2.0 * 0.09, 2.0 * 0.3 * 9.80665);
    let (k, d, b, friction) = (800.0, 3.0, 0.4, 0.7);
    let rates = |[q, theta, v, w]: [f64; 4], u: f64| {
        let spring = k * (theta - q) + d * (w - v);
        // About y a positive angle lowers the arm along x.
        [v, w, (spring + weight * q.cos()) / inertia, (u - spring - friction * w) / b]
    };
    let torque = |t: f64| -weight + 2.0 * (3.0 * t).sin() + 1.5 * (11.0 * t + 0.4).sin() + 0.8 * (23.0 * t).sin();
    let (mut x, h) = ([0.0, -0.007, 0.0, 0.0], 1e-4);
    let mut log = "t,q1,theta1,tau1\n".to_owned();
    for i in 0..300_000 {
        let t = f64::from(i) * h;
        if i % 20 == 0 {
            writeln!(log, "{t},{},{},{}", x[0], x[1], torque(t)).unwrap();
        }
        let add = |x: [f64; 4], r: [f64; 4], s: f64| std::array::from_fn(|at| x[at] + s * r[at]);
        let a = rates(x, torque(t));
        let c = rates(add(x, a, 0.5 * h), torque(t + 0.5 * h));
        let e = rates(add(x, c, 0.5 * h), torque(t + 0.5 * h));
        let g = rates(add(x, e, h), torque(t + h));
        x = std::array::from_fn(|at| x[at] + h / 6.0 * (a[at] + 2.0 * c[at] + 2.0 * e[at] + g[at]));
    }
    let result = springs(&model, &read(&log, &model), None, 0.0, 1).unwrap();
    let spring = result.springs[0];
    for (what, found, exact) in [
        ("K", spring.stiffness.value, k),
        ("D", spring.damping.value, d),
        ("B", spring.inertia.value, b),
        ("Fv", spring.viscous.value, friction),
    ] {
        assert!((found / exact - 1.0).abs() < 0.02, "{what}: {found} instead of {exact} at {} Hz", result.cutoff);
    }
    for alone in [spring.by_motor, spring.by_link] {
        assert!((alone.unwrap() / k - 1.0).abs() < 0.03, "{alone:?}");
    }
    // The robot file has a rigid joint; what is written has the spring.
    let written = Model::from_description(&sprung_robot(&model, &result)).unwrap();
    let elastic = ElasticModel::new(&written).unwrap();
    let own = elastic.springs()[0];
    assert!((own.inertia / spring.inertia.value - 1.0).abs() < 1e-12 && own.stiffness == spring.stiffness.value);
    let (mut qdd, mut theta_dd) = ([0.0], [0.0]);
    let state = ElasticState { q: &[0.4], qd: &[0.2], theta: &[0.41], theta_d: &[0.1] };
    forward_dynamics_into(&elastic, &state, &[1.0], &[], &mut ForwardScratch::new(&elastic), &mut qdd, &mut theta_dd);
    let exact = rates([0.4, 0.41, 0.2, 0.1], 1.0);
    assert!((qdd[0] - exact[2]).abs() < 0.03 * exact[2].abs(), "{qdd:?} and {exact:?}");
    assert!((theta_dd[0] - exact[3]).abs() < 0.03 * exact[3].abs(), "{theta_dd:?} and {exact:?}");
}

#[test]
fn logs_that_show_no_spring_are_refused() {
    let model = robots::load("planar2r_elastic").unwrap();
    let refuse = |text: &str| read_rotors(text.as_bytes(), &model, None).unwrap_err();
    assert_eq!(refuse("t,q1,q2,tau1,tau2\n0,0,0,0,0\n").kind(), "missing-column");
    assert_eq!(refuse("q1,q2,theta1,tau1,tau2\n0,0,0,0,0\n").kind(), "no-time");
    assert_eq!(refuse("t,q1,q2,theta1,tau1,tau2\n0,0,0,0,0,0\n").kind(), "too-few-samples");
    assert_eq!(refuse("t,q1,q2,theta1,tau1,tau2\n0,0,0,1e16,0,0\n").kind(), "too-large");
    assert_eq!(refuse("t,q1,q2,theta1,tau1,tau2\n1,0,0,0,0,0\n0,0.1,0,0,0,0\n").kind(), "unsorted-time");
    // Motors that stand where their links do.
    let mut text = "t,q1,q2,theta1,tau1,tau2\n".to_owned();
    for i in 0..2000 {
        let t = 0.01 * f64::from(i);
        let [q, ..] = motion(2, t);
        writeln!(text, "{t},{},{},{},{},{}", q[0], q[1], q[0], t.sin(), 0.0).unwrap();
    }
    let log = read(&text, &model);
    assert_eq!(log.elastic, [0]);
    assert!(matches!(springs(&model, &log, None, 0.0, 1), Err(IdentifyError::TooLittleMotion { .. })));
    assert_eq!(springs(&model, &log, Some(80.0), 0.0, 1).unwrap_err().kind(), "bad-cutoff");
}
