//! Loads a robot and computes the torques of a motion; then the motion from the torques.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::dynamics::recursive;
use jourdain::{Model, Workspace};
use std::error::Error;

const ARM: &str = r#"
name = "arm"

[[link]]
name = "upper"
mass = 3.0
com = [0.2, 0.0, 0.0]
inertia = [0.01, 0, 0, 0.05, 0, 0.05]
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2.5, 2.5] }

[[link]]
name = "forearm"
origin = { xyz = [0.4, 0, 0] }
mass = 2.0
com = [0.15, 0.0, 0.0]
inertia = [0.005, 0, 0, 0.02, 0, 0.02]
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2.5, 2.5] }
motor = { inertia = 1e-4, ratio = 80, viscous = 0.3 }
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A file would be `Model::load("arm.urdf")?`, a built-in robot `robots::load("iiwa14")`.
    let arm: Model = ARM.parse()?;
    let n = arm.nv();
    assert_eq!((n, arm.link_index("forearm")), (2, Some(1)));

    // All memory that a control loop needs, allocated once.
    let mut workspace = Workspace::<f64>::new(&arm);
    let (q, qd, qdd) = ([0.3, -0.8], [1.0, 0.5], [0.2, -0.4]);
    let mut tau = [0.0; 2];
    recursive::inverse_dynamics_into(&arm, &q, &qd, &qdd, &[], &mut workspace, &mut tau);
    println!("torques {tau:.4?} N m");

    let mut found = [0.0; 2];
    recursive::forward_dynamics_into(&arm, &q, &qd, &tau, &[], &mut workspace, &mut found);
    assert!(found.iter().zip(qdd).all(|(found, given)| (found - given).abs() < 1e-12));

    // A mistake is told with its place and a remedy.
    let error = ARM.replace("axis = [0, 1, 0]", "axis = [0, 0, 0]").parse::<Model>().unwrap_err();
    println!("{error}");
    assert!(error.to_string().contains("zero-axis") && error.diagnostics[0].location.is_some());
    Ok(())
}
