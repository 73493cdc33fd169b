//! That control steps, forward and inverse dynamics of elastic robots allocate nothing.

use jourdain::elastic::control::computed_torque::rigid_torque_into;
use jourdain::elastic::control::{ControlLaw as _, Controller, Kind, Measured};
use jourdain::elastic::forward::forward_dynamics_into;
use jourdain::elastic::inverse::{InverseScratch, MotorMotion, damped_inverse_dynamics_into, inverse_dynamics_into};
use jourdain::elastic::rates::Rates;
use jourdain::elastic::{ElasticModel, ElasticState, ForwardScratch, Wound};
use jourdain::formats::{self, Format};
use jourdain::prescribed::{Cosine, Curve, PrescribedLoad, PrescribedMotion, Reference};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Model, Workspace, robots};

#[test]
fn control_steps_and_inverse_dynamics_allocate_nothing() {
    let robot = ElasticModel::new(&robots::load("iiwa14_elastic").unwrap()).unwrap();
    let n = robot.model().nv();
    let values = |k: usize| (0..n).map(|i| (1.0 + (k * n + i) as f64).sin()).collect::<Vec<f64>>();
    let orders: [Vec<f64>; 5] = std::array::from_fn(values);
    let reference = orders.each_ref().map(Vec::as_slice);
    let (deflection, rate) = (vec![1e-3; n], vec![1e-2; n]);
    let measured = Measured { q: &orders[1], qd: &orders[2], deflection: &deflection, deflection_d: &rate };
    let mut torque = vec![0.0; n];
    for kind in [Kind::Linearising, Kind::Feedforward, Kind::ComputedTorque] {
        let mut law: Controller<'_, f64> = Controller::new(kind, &robot, &[[-12.0, 0.0]; 4], &orders[0]).unwrap();
        let count = crate::counting::allocations(|| law.torque_into(&reference, &measured, &[], &mut [], &mut torque));
        assert_eq!(count, 0, "{kind:?}");
        assert!(torque.iter().all(|u| u.is_finite() && *u != 0.0), "{kind:?}");
    }
    let (mut scratch, mut motor) = (InverseScratch::new(robot.model()), MotorMotion::zero(&robot));
    let count = crate::counting::allocations(|| {
        inverse_dynamics_into(&robot, reference[0], &reference[1..], &[], &mut scratch, &mut motor);
    });
    assert_eq!(count, 0);
}

#[test]
fn forward_dynamics_and_rates_allocate_nothing() {
    for name in ["iiwa14_elastic", "planar2r_elastic"] {
        let robot = ElasticModel::new(&robots::load(name).unwrap()).unwrap();
        let (n, springs) = (robot.model().nv(), robot.springs().len());
        let values =
            |k: usize, count: usize| (0..count).map(|i| (1.0 + (k * n + i) as f64).sin()).collect::<Vec<f64>>();
        let [q, qd, qdd, u] = [0, 1, 2, 3].map(|k| values(k, n));
        let [theta, theta_d] = [4, 5].map(|k| values(k, springs));
        let state = ElasticState { q: &q, qd: &qd, theta: &theta, theta_d: &theta_d };
        let loads = [LinkWrench::constant(0, Wrench::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))];
        let (mut forward, mut rates) = (ForwardScratch::new(&robot), Rates::new(&robot));
        let (mut inverse, mut motor) = (InverseScratch::new(robot.model()), MotorMotion::zero(&robot));
        let mut workspace = Workspace::new(robot.model());
        let (mut tau, mut out, mut rotors) = (u.clone(), vec![0.0; n], vec![0.0; springs]);
        let derivatives = [&qd[..], &qdd];
        let count = crate::counting::allocations(|| {
            robot.spring_torques_into(&state, &mut tau);
            forward_dynamics_into(&robot, &state, &u, &loads, &mut forward, &mut out, &mut rotors);
            rates.at_into(&robot, &state, &u, &loads, &mut out, &mut rotors);
            rigid_torque_into(&robot, &q, &qd, &qdd, &mut workspace, &mut out);
            damped_inverse_dynamics_into(&robot, &q, &derivatives, &theta, &loads, &mut inverse, &mut motor);
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn springs_along_a_motion_allocate_nothing_once_they_are_wound() {
    let text = include_str!("../../../../robots/planar2r_elastic.toml").replace("viscous = 0.5", "damping = 60.0");
    let description = formats::read_str(&text, Format::Toml).description.unwrap();
    let robot = ElasticModel::new(&Model::from_description(&description).unwrap()).unwrap();
    assert!(robot.is_damped());
    let wave = |i: usize| Curve::Cosines {
        offset: 0.3,
        terms: vec![Cosine { amplitude: 0.4, frequency: 6.0 + i as f64, phase: 0.1 }],
    };
    let push = std::array::from_fn(|i| Curve::Polynomial(vec![1.0, 2.0 * i as f64]));
    let loads = vec![PrescribedLoad { link: 1, components: push }];
    let motion = PrescribedMotion { joints: (0..2).map(wave).collect(), loads, start: 0.5, end: 20.5 };
    let mut wound = Wound::new(&robot, Reference::Motion(&motion), true);
    let (mut motor, mut deflection) = (MotorMotion::zero(&robot), vec![0.0; robot.springs().len()]);
    let mut follow = |from: u32, to: u32| {
        for k in from..to {
            wound.deflection_into(f64::from(k) * 1e-2, &mut deflection);
            wound.motors_into(f64::from(k) * 1e-2, &mut motor);
        }
    };
    follow(0, 2);
    assert_eq!(crate::counting::allocations(|| follow(2, 2000)), 0);
    assert!(motor.torque.iter().all(|u| u.is_finite()));
}
