//! Springs between motors and links: what the motors must do so that the links follow a motion exactly.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::elastic::{ElasticModel, ElasticState, forward, inverse};
use jourdain::robots;
use std::error::Error;

/// A sine with its first four derivatives, for every joint.
fn motion(n: usize, time: f64) -> [Vec<f64>; 5] {
    let at = |order: i32, i: usize| {
        let (rate, phase) = (2.0 + i as f64, f64::from(order) * std::f64::consts::FRAC_PI_2);
        0.3 * rate.powi(order) * (rate * time + phase).sin()
    };
    std::array::from_fn(|order| (0..n).map(|i| at(order as i32, i)).collect())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("iiwa14_elastic").ok_or("no such robot")?;
    let elastic = ElasticModel::new(&robot)?;
    let [q, qd, qdd, qddd, qdddd] = motion(robot.nv(), 0.4);

    // The links' motion up to the snap gives motor positions, speeds and torques, by one pass.
    let motors = inverse::inverse_dynamics(&elastic, &q, &[&qd, &qdd, &qddd, &qdddd], &[]);
    println!("motor torques {:.3?} N m", motors.torque);
    let twist = motors.theta.iter().zip(elastic.springs()).map(|(theta, spring)| theta - q[spring.dof]);
    println!("springs twist by {:.5?} rad", twist.collect::<Vec<_>>());

    // Driven so, links and rotors accelerate as they should.
    let state = ElasticState { q: &q, qd: &qd, theta: &motors.theta, theta_d: &motors.theta_d };
    let (links, rotors) = forward::forward_dynamics(&elastic, &state, &motors.torque, &[]);
    let close = |found: &[f64], wanted: &[f64]| {
        let largest = wanted.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6 * largest)
    };
    assert!(close(&links, &qdd), "{links:?} instead of {qdd:?}");
    assert!(close(&rotors, &motors.theta_dd), "{rotors:?} instead of {:?}", motors.theta_dd);

    // The rotors have inertia of their own: the torques are not those of rigid joints.
    let rigid = jourdain::dynamics::recursive::inverse_dynamics(&robot, &q, &qd, &qdd, &[]);
    assert!(rigid.iter().zip(&motors.torque).any(|(a, b)| (a - b).abs() > 1e-3));
    Ok(())
}
