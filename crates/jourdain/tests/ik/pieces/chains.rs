//! Chains: joints of several numbers, joints that follow others, axes in any direction, and the length that steps count by.

use super::{SLIDE, TURN, arm, at, last, plain};
use jourdain::Model;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Chain, Kind, Options, PathSolution, Report, Solution, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::Vector;

#[test]
fn joints_of_several_numbers_and_followers_are_where_kinematics_has_them() {
    let follower =
        format!("{TURN}, axis = [0, 0.6, 0.8], mimic = {{ joint = \"l0\", multiplier = -1.5, offset = 0.4 }}");
    let model = arm(&[
        ("[0.1, 0, 0.2]", TURN),
        ("[0.3, 0.1, 0]", "type = \"universal\""),
        ("[0, 0.2, 0.1]", "type = \"cylindrical\", axis = [0.48, 0.6, 0.64]"),
        ("[0.1, 0, 0.3]", "type = \"planar\", axis = [0, 1, 0]"),
        ("[0.2, 0, 0]", &follower),
        ("[0.1, 0.1, 0.1]", ""),
    ]);
    let link = last(&model);
    let chain = Chain::new(&model, link, Vector::zero());
    let positions: Vec<Option<usize>> = chain.variables().iter().map(|variable| variable.position).collect();
    assert_eq!(positions, (0..model.nq()).map(Some).collect::<Vec<_>>());
    let q: Vec<f64> = (0..model.nq()).map(|i| 0.4 * (1.0 + i as f64).sin()).collect();
    let (found, expected) = (chain.tip(&q), kinematics::pose(&model, &q, link));
    assert!((found.translation - expected.translation).norm() < 1e-14);
    assert!((found.rotation * expected.rotation.transpose()).log().norm() < 1e-14);
    // And what is reached is reached there.
    let mut start = q.clone();
    start.iter_mut().enumerate().for_each(|(i, x)| *x += 0.1 * (2.0 * i as f64).cos());
    let mut solver = plain(&model, Task::pose(link), Options::default());
    assert_eq!(solver.reach_into(&expected, &mut start).unwrap().status, Status::Solved);
    let reached = kinematics::pose(&model, &start, link);
    assert!((reached.translation - expected.translation).norm() < 1e-9);
    assert!((reached.rotation * expected.rotation.transpose()).log().norm() < 1e-9);
}

#[test]
fn an_angle_turns_unless_another_joint_follows_it() {
    let turns = |joints: &[&str]| -> Vec<bool> {
        let mut links: Vec<(&str, &str)> = joints.iter().map(|joint| ("[0.3, 0, 0]", *joint)).collect();
        links.push(("[0.3, 0, 0]", ""));
        let model = arm(&links);
        Chain::new(&model, last(&model), Vector::zero()).variables().iter().map(|variable| variable.turns).collect()
    };
    let half = format!("{TURN}, mimic = {{ joint = \"l0\", multiplier = 0.5 }}");
    assert_eq!(turns(&[TURN, TURN]), [true, true]);
    // After a turn of the leader the follower has made half of one.
    assert_eq!(turns(&[TURN, TURN, &half]), [false, true]);
    assert_eq!(turns(&[TURN, SLIDE, "type = \"helical\", pitch = 0.1"]), [true, false, false]);
}

/// How far joints may go for 0.1 m of the path before it is a jump: 0.02 + 10 · 0.1/scale.
fn scale(model: &Model) -> f64 {
    let solver = Solver::new(model, Task::position_xy(last(model)), Box::new(Constant), Options::default()).unwrap();
    let report = Report {
        status: Status::Solved,
        pose_error: 0.0,
        stationarity: 0.0,
        criterion: 0.0,
        kind: Kind::Minimum,
        smallest_eigenvalue: 0.0,
        largest_eigenvalue: 0.0,
        redundancy: 0,
        iterations: 0,
        starts: 1,
        chance: None,
        active: 0,
        regularity: 1.0,
    };
    let jumps = |step: f64| {
        let point = |x: f64| Solution { q: vec![x; model.nq()], report, active: Vec::new() };
        let found =
            PathSolution::from_points(vec![point(0.0), point(step)], &[at(0.0, 0.0, 0.0), at(0.1, 0.0, 0.0)], &solver);
        !found.jumps.is_empty()
    };
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if jumps(middle) { high = middle } else { low = middle }
    }
    1.0 / (0.5 * (low + high) - 0.02)
}

#[test]
fn an_arm_is_measured_by_half_its_length_as_a_power_of_two() {
    let slide = |low: f64, high: f64| format!("{SLIDE}, limits = [{low}, {high}]");
    let follower = |by: f64| format!("{SLIDE}, mimic = {{ joint = \"l1\", multiplier = {by} }}");
    let cases: Vec<(Vec<(&str, String)>, f64)> = vec![
        // (0.6 + 0.4)/2.
        (vec![("[9, 0, 0]", TURN.into()), ("[0.6, 0, 0]", TURN.into()), ("[0.4, 0, 0]", String::new())], 0.5),
        // (0.4 + 0.6 + 5/2)/2 = 1.75.
        (vec![("[0, 0, 0]", TURN.into()), ("[0.4, 0, 0]", slide(-1.5, 3.5)), ("[0.6, 0, 0]", String::new())], 2.0),
        // A range of 8 m about zero: (1 + 4)/2 = 2.5.
        (vec![("[0, 0, 0]", TURN.into()), ("[0.4, 0, 0]", slide(-4.0, 4.0)), ("[0.6, 0, 0]", String::new())], 2.0),
        // A follower slides seven times as far, (0.1 + 0.5 + 3.5)/2 = 2.05, or a tenth: (0.1 + 0.5 + 0.05)/2 = 0.325.
        (
            vec![
                ("[0, 0, 0]", TURN.into()),
                ("[0.1, 0, 0]", slide(-0.5, 0.5)),
                ("[0, 0, 0]", follower(-7.0)),
                ("[0, 0, 0]", String::new()),
            ],
            2.0,
        ),
        (
            vec![
                ("[0, 0, 0]", TURN.into()),
                ("[0.1, 0, 0]", slide(-0.5, 0.5)),
                ("[0, 0, 0]", follower(0.1)),
                ("[0, 0, 0]", String::new()),
            ],
            0.25,
        ),
        // Slides without limits count for nothing, and an arm without extent as half a metre.
        (vec![("[0, 0, 0]", TURN.into()), ("[0, 0, 0]", SLIDE.into()), ("[0, 0, 0]", String::new())], 0.5),
    ];
    for (links, expected) in cases {
        let links: Vec<(&str, &str)> = links.iter().map(|(origin, joint)| (*origin, joint.as_str())).collect();
        let found = scale(&arm(&links));
        assert!((found / expected - 1.0).abs() < 1e-6, "{links:?}: {found} {expected}");
    }
}
