//! Seven joints for six numbers: the pose leaves a choice, which a criterion makes, with a certificate.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::ik::criterion::{Joints, Manipulability};
use jourdain::ik::{Chain, Kind, Options, Solver, Task};
use jourdain::robots;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("iiwa14").ok_or("no such robot")?;
    let tool = robot.link_index("tool").ok_or("no such link")?;
    let options = Options { starts: 8, ..Options::default() };

    let task = Task::pose(tool);
    let chain = Chain::new(&robot, tool, task.point);
    let mut middle = Solver::new(&robot, task, Box::new(Joints::mid_range(&chain)), options)?;
    let target = middle.tip(&[0.4, 0.6, -0.3, -1.2, 0.5, 0.9, 0.1]);
    let solution = middle.solve(&target, None)?;
    println!("joints as near to the middle of their ranges as the pose allows: {:.4?}", solution.q);

    // The report says how far the pose is off, how stationary the criterion is, and that it is a minimum.
    let report = &solution.report;
    assert!(report.status.is_success() && report.pose_error < 1e-9 && report.stationarity < 1e-9);
    assert_eq!(report.kind, Kind::Minimum);
    let reached = middle.tip(&solution.q);
    assert!((reached.translation - target.translation).norm() < 1e-9);

    // Another criterion, another arm posture; the tool stays where it is.
    let mut dexterous = Solver::new(&robot, task, Box::new(Manipulability::default()), options)?;
    let other = dexterous.solve(&target, Some(&solution.q))?;
    println!("as far from singular as the pose allows: {:.4?}", other.q);
    assert!(other.report.status.is_success());
    assert!((dexterous.tip(&other.q).translation - target.translation).norm() < 1e-9);
    assert!(other.q.iter().zip(&solution.q).any(|(a, b)| (a - b).abs() > 1e-3));
    Ok(())
}
