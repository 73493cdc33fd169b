//! The torque is linear in masses and inertias; only some combinations of them matter.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::dynamics::{closed_form, recursive};
use jourdain::parameters::{BaseParameters, base_labels, base_regressor_at};
use jourdain::{Workspace, robots};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("puma560").ok_or("no such robot")?;
    let n = robot.nv();
    let wave = |phase: f64| -> Vec<f64> { (0..n).map(|i| (2.0 * i as f64 + phase).cos()).collect() };
    let [q, qd, qdd] = [0.3, 1.1, 2.0].map(wave);
    let tau = recursive::inverse_dynamics(&robot, &q, &qd, &qdd, &[]);

    // Y π = τ: a column for every parameter of every link and drive.
    let regressor = recursive::regressor(&robot, &q, &qd, &qdd);
    let parameters = closed_form::parameters(&robot);
    println!("{} standard parameters", regressor.columns());

    // Of these, the base parameters are the fewest that give the same torques.
    let base = BaseParameters::new(&robot);
    let values = base.values(&parameters);
    for (label, value) in base_labels(&robot).iter().zip(&values).take(5) {
        println!("{label} = {value:.5}");
    }
    let minimal = base_regressor_at(&robot, &q, &qd, &qdd, &mut Workspace::new(&robot));
    assert_eq!((minimal.rows(), minimal.columns()), (n, base.count()));
    assert!(base.count() < regressor.columns());

    let (full, few) = (regressor.apply(&parameters), minimal.apply(&values));
    for i in 0..n {
        assert!((full[i] - tau[i]).abs() < 1e-10 && (few[i] - tau[i]).abs() < 1e-10);
    }

    // What the motion does not show may be anything: torques stay the same.
    let hidden = base.null_space();
    let changed: Vec<f64> = (0..parameters.len()).map(|i| parameters[i] + hidden[(0, i)]).collect();
    assert!(regressor.apply(&changed).iter().zip(&tau).all(|(a, b)| (a - b).abs() < 1e-10));
    Ok(())
}
