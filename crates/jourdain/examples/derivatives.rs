//! Derivatives of the torque: in time by formulas, and any other by running a formula on another kind of number.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::dynamics::recursive;
use jourdain::robots;
use jourdain_symbolic::Dual;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("iiwa14").ok_or("no such robot")?;
    let n = robot.nv();
    let wave = |phase: f64| -> Vec<f64> { (0..n).map(|i| (i as f64 + phase).sin()).collect() };
    let [q, qd, qdd, qddd, qdddd] = [0.1, 0.7, 1.3, 1.9, 2.5].map(wave);

    // τ, τ̇ and τ̈ of a motion with jerk and snap: what an elastic joint's motor needs.
    let [tau, rate, _] =
        recursive::inverse_dynamics_derivatives::<f64, 3>(&robot, &q, &[&qd, &qdd, &qddd, &qdddd], &[]);
    println!("τ {tau:.3?}\nτ̇ {rate:.3?}");

    // ∂τ/∂q and ∂τ/∂q̇ together.
    let (dq, dqd) = recursive::inverse_dynamics_partials(&robot, &q, &qd, &qdd, &[]);

    // The chain rule joins the two: τ̇ = ∂τ/∂q q̇ + ∂τ/∂q̇ q̈ + M q⃛.
    let mass = recursive::mass_matrix(&robot, &q);
    let terms = [dq.apply(&qd), dqd.apply(&qdd), mass.apply(&qddd)];
    for i in 0..n {
        let sum: f64 = terms.iter().map(|term| term[i]).sum();
        assert!((sum - rate[i]).abs() < 1e-11 * rate[i].abs().max(1.0));
    }

    // The same formula on dual numbers is the derivative along one direction.
    let moving: Vec<Dual<f64>> = q.iter().zip(&qd).map(|(&q, &qd)| Dual::new(q, qd)).collect();
    let [qd, qdd] = [&qd, &qdd].map(|w| w.iter().map(|&w| Dual::fixed(w)).collect::<Vec<Dual<f64>>>());
    for (along, expected) in recursive::inverse_dynamics(&robot, &moving, &qd, &qdd, &[]).iter().zip(&terms[0]) {
        assert!((along.derivative - expected).abs() < 1e-11 * expected.abs().max(1.0));
    }
    Ok(())
}
