//! Paths of inverse kinematics: what is said of them, on points made by hand; what is followed, and what the
//! resolved-motion method does, on arms whose motion is known in closed form.

use jourdain::ik::criterion::{Constant, Joints};
use jourdain::ik::{
    Batch, Chain, Event, EventKind, Extra, IkError, Kind, Options, PathSolution, Report, ResolvedMotion, Solution,
    Solutions, Solver, Status, Task,
};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};
use jourdain::{Model, formats};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An arm of links, each given by its place on the one before and its joint.
fn arm(links: &[(&str, &str)]) -> Model {
    let mut text = String::from("name = \"arm\"\n");
    for (i, (origin, joint)) in links.iter().enumerate() {
        text += &format!("[[link]]\nname = \"l{i}\"\norigin = {{ xyz = {origin} }}\n");
        if !joint.is_empty() {
            text += &format!("joint = {{ {joint} }}\n");
        }
    }
    let reading = formats::read_str(&text, formats::Format::Toml);
    Model::from_description(&reading.description.expect("a robot")).unwrap()
}

const TURN: &str = "type = \"revolute\"";
const SLIDE: &str = "type = \"prismatic\", axis = [1, 0, 0]";

/// 0.6 and 0.4 m in a plane, and a hand of 0.2 m.
fn planar() -> Model {
    arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")])
}

/// Slides along x, one behind the other: the tip is where their sum is.
fn slides(count: usize) -> Model {
    let mut links = vec![("[0, 0, 0]", SLIDE); count];
    links.push(("[0, 0, 0]", ""));
    arm(&links)
}

fn at_x(x: f64) -> Pose<f64> {
    Pose::translation(Vector([x, 0.0, 0.0]))
}

fn along_x(link: usize) -> Task {
    Task::rows(link, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
}

const REPORT: Report = Report {
    status: Status::Solved,
    pose_error: 0.0,
    stationarity: 0.0,
    criterion: 0.0,
    kind: Kind::Minimum,
    smallest_eigenvalue: 2.0,
    largest_eigenvalue: 3.0,
    redundancy: 1,
    iterations: 1,
    starts: 1,
    chance: None,
    active: 0,
    regularity: 0.5,
};

fn point(q: f64, report: Report) -> Solution {
    Solution { q: vec![q, 0.0, 0.0], report, active: Vec::new() }
}

fn events(found: &PathSolution) -> Vec<(EventKind, usize, usize)> {
    found.events.iter().map(|&Event { kind, from, to }| (kind, from, to)).collect()
}

#[test]
fn events_are_told_in_their_order_with_their_first_and_last_points() {
    let missed = Report { status: Status::Unreachable, smallest_eigenvalue: -9.0, kind: Kind::Degenerate, ..REPORT };
    let lost = Report { status: Status::NotFound, ..missed };
    let singular = Report { regularity: 0.009, ..REPORT };
    let flat = Report { status: Status::RankDeficient, active: 1, kind: Kind::Saddle, ..REPORT };
    let held = Report { regularity: 0.009, active: 1, status: Status::LimitActive, smallest_eigenvalue: 0.5, ..REPORT };
    let regular = Report { regularity: 0.011, ..REPORT };
    let mut points: Vec<Solution> = [REPORT, missed, lost, REPORT, singular, flat, regular, held, held, missed, REPORT]
        .into_iter()
        .map(|report| point(0.0, report))
        .collect();
    points[7].active = vec![2];
    points[8].active = vec![1];
    points[9].active = vec![0];
    let targets = vec![Pose::identity(); points.len()];
    let found = PathSolution::from_motion(points, &targets);
    assert_eq!(
        events(&found),
        [
            (EventKind::Unreachable, 1, 2),
            (EventKind::Singular, 4, 5),
            (EventKind::LimitChange, 6, 7),
            (EventKind::LimitChange, 7, 8),
            (EventKind::Unreachable, 9, 9),
        ]
    );
    // Only points that reach their target count.
    assert_eq!((found.smallest_eigenvalue, found.kinds()), (0.5, vec![Kind::Minimum, Kind::Saddle]));
    assert!(!found.is_success() && found.jumps.is_empty());
    let names =
        [EventKind::Unreachable, EventKind::LimitChange, EventKind::Singular, EventKind::Jump].map(EventKind::name);
    assert_eq!(names, ["unreachable", "limit-change", "singular", "jump"]);
    let nowhere = PathSolution::from_motion(vec![point(0.0, missed)], &targets[..1]);
    assert_eq!((nowhere.smallest_eigenvalue, nowhere.kinds(), nowhere.closed), (0.0, vec![], false));
}

#[test]
fn a_path_is_closed_if_its_last_target_is_its_first_and_tells_how_far_the_joints_are_apart() {
    let points = || vec![point(0.1, REPORT), point(0.3, REPORT), point(0.25, REPORT)];
    let closed = |last: Pose<f64>| PathSolution::from_motion(points(), &[at_x(1.0), at_x(2.0), last]);
    let found = closed(at_x(1.0));
    assert!(found.closed && found.is_success());
    assert!((found.closure_error.unwrap() - 0.15).abs() < 1e-15);
    assert!(closed(at_x(1.0 + 1e-10)).closed);
    for open in [
        at_x(1.0 + 1e-8),
        Pose { rotation: Rotation::elementary(1, 1e-8), ..at_x(1.0) },
        Pose { rotation: Rotation::elementary(1, 1.0), ..at_x(1.0) },
        at_x(2.0),
    ] {
        assert_eq!((closed(open).closed, closed(open).closure_error), (false, None));
    }
    // One target is no way round.
    assert!(!PathSolution::from_motion(vec![point(0.1, REPORT)], &[at_x(1.0)]).closed);
}

#[test]
fn joints_jump_if_they_move_by_more_than_ten_steps_of_the_path() {
    // Half of 1.2 m, as a power of two: steps of the path count by half metres.
    let model = planar();
    let solver = Solver::new(&model, Task::position_xy(3), Box::new(Constant), Options::default()).unwrap();
    let jumps = |step: f64, to: Pose<f64>, status: Status| {
        let points = vec![point(0.5, REPORT), point(0.5 + step, Report { status, ..REPORT })];
        let found = PathSolution::from_points(points, &[Pose::identity(), to], &solver);
        assert_eq!(found.jumps.len(), events(&found).iter().filter(|event| event.0 == EventKind::Jump).count());
        assert_eq!(found.is_success(), found.jumps.is_empty() && status == Status::Solved);
        found.jumps
    };
    let turned = Pose { rotation: Rotation::elementary(1, 0.01), ..at_x(0.001) };
    for (to, allowed) in [(at_x(0.0), 0.02), (at_x(0.01), 0.22), (turned, 0.12), (at_x(-0.02), 0.42)] {
        for sign in [1.0, -1.0] {
            assert_eq!(jumps(sign * (allowed - 1e-6), to, Status::Solved), [0; 0]);
            assert_eq!(jumps(sign * (allowed + 1e-6), to, Status::Solved), [1]);
        }
        assert_eq!(jumps(allowed + 1.0, to, Status::NotFound), [0; 0]);
    }
    // Slides add half of their range: 0.5 · (0.4 + 2.5 + …) m is nearest to 2 m.
    let model =
        arm(&[("[0, 0, 0]", TURN), ("[0.4, 0, 0]", &format!("{SLIDE}, limits = [-1.5, 3.5]")), ("[0.6, 0, 0]", "")]);
    let solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), Options::default()).unwrap();
    let far = |step: f64| {
        let points = vec![point(0.0, REPORT), point(step, REPORT)];
        !PathSolution::from_points(points, &[at_x(0.0), at_x(0.1)], &solver).jumps.is_empty()
    };
    assert!(!far(0.519) && far(0.521));
}

#[test]
fn an_arm_of_one_joint_follows_its_circle_waits_at_its_limit_and_jumps_to_the_other() {
    let model = arm(&[("[0, 0, 0]", &format!("{TURN}, limits = [-2.9, 2.9]")), ("[0.5, 0, 0]", "")]);
    let mut solver = Solver::new(&model, Task::position_xy(1), Box::new(Constant), Options::default()).unwrap();
    let angles: Vec<f64> = (0..28).map(|i| 2.5 + 0.05 * f64::from(i)).collect();
    let targets: Vec<Pose<f64>> =
        angles.iter().map(|a| Pose::translation(Vector([0.5 * a.cos(), 0.5 * a.sin(), 0.0]))).collect();
    let found = solver.follow(&targets, Some(&[2.4])).unwrap();
    let tau = std::f64::consts::TAU;
    for (angle, point) in angles.iter().zip(&found.points) {
        let q = if *angle < 3.0 { *angle } else { angle - tau };
        let reached = q.abs() < 2.9 + 1e-9;
        assert_eq!(point.report.status.is_reached(), reached, "{angle}");
        if reached {
            assert!((point.q[0] - q).abs() < 1e-8, "{angle}: {}", point.q[0]);
        } else {
            // The end of the range that it was at.
            assert!((point.q[0] - 2.9).abs() < 1e-6 || (point.q[0] + 2.9).abs() < 1e-6, "{angle}: {}", point.q[0]);
            assert_eq!(point.report.status, Status::Unreachable);
        }
    }
    // 2.95 to 3.35 are beyond both limits.
    assert_eq!(found.jumps, [18]);
    assert!(events(&found).contains(&(EventKind::Unreachable, 9, 17)));
    assert!(events(&found).contains(&(EventKind::Jump, 17, 18)));
}

#[test]
fn following_tells_how_far_it_is_and_stops_when_asked() {
    let model = planar();
    let chain = Chain::new(&model, 3, Vector::zero());
    let criterion = Box::new(Joints::home(&model, &chain, &[0.4, 0.5, 0.6], &[]));
    let mut solver = Solver::new(&model, Task::position_xy(3), criterion, Options::default()).unwrap();
    let start = [0.4, 0.5, 0.6];
    let targets: Vec<Pose<f64>> = (0..5)
        .map(|i| {
            let tip = kinematics::pose(&model, &start, 3).translation;
            Pose::translation(tip + Vector([0.02, -0.01, 0.0]).times(f64::from(i)))
        })
        .collect();
    let mut told = Vec::new();
    let found = solver
        .follow_until(&targets, Some(&start), &mut |share| {
            told.push(share);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(told, [0.2, 0.4, 0.6, 0.8]);
    assert!(found.is_success() && !found.closed);
    // Each is the optimum that its target has alone, nearby.
    for (target, point) in targets.iter().zip(&found.points) {
        let alone = solver.solve(target, Some(&start)).unwrap();
        assert!(alone.q.iter().zip(&point.q).all(|(a, b)| (a - b).abs() < 1e-10));
        assert_eq!(point.report.starts, 1);
    }
    let stop = &mut |share: f64| if share > 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert_eq!(solver.follow_until(&targets, Some(&start), stop), Err(IkError::Stopped));
    assert_eq!(solver.follow(&[], None), Err(IkError::Target));
    let motion = ResolvedMotion::default();
    let mut told = Vec::new();
    let stopped = solver.resolved_motion_until(&targets, Some(&start), &motion, &mut |share| {
        told.push(share);
        if share > 0.3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((stopped, told), (Err(IkError::Stopped), vec![0.0, 0.2, 0.4]));
}

/// Two slides or two coaxial joints with springs: the sum is the task's, the difference decays by e^(−α k t).
#[test]
fn resolved_motion_is_the_exponential_that_it_integrates() {
    let coaxial = arm(&[("[0, 0, 0]", TURN), ("[0, 0, 0.1]", TURN), ("[0.3, 0, 0]", "")]);
    let (k, [a, b]) = (1.5, [0.4, -0.3]);
    for (turning, model) in [(false, slides(2)), (true, coaxial)] {
        let criterion = Box::new(Joints::springs(&[(a, k), (b, k)]));
        let rows = if turning { Task::rows(2, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) } else { along_x(2) };
        let task = Task { length: 0.25, ..rows };
        let mut solver = Solver::new(&model, task, criterion, Options::default()).unwrap();
        let motion = ResolvedMotion { speed: 0.2, step: 0.01, gain: 0.8 };
        let target = |x: f64| {
            // Rows that are not asked for are no way to go.
            let rotation = if turning { Rotation::elementary(2, x) } else { Rotation::elementary(0, 3.0 * x) };
            Pose { rotation, translation: if turning { Vector([0.0; 3]) } else { Vector([x, 9.0 * x, 0.0]) } }
        };
        let start = [0.5, 0.2];
        let found = solver.resolved_motion(&[target(1.0), target(0.4), target(0.4)], Some(&start), &motion).unwrap();
        let mut time = 0.0;
        let mut before = 0.7;
        for (point, x) in found.iter().zip([1.0_f64, 0.4, 0.4]) {
            time += (x - before).abs() * if turning { 0.25 } else { 1.0 } / 0.2;
            before = x;
            let apart = a - b + (start[0] - start[1] - (a - b)) * f64::exp(-0.8 * k * time);
            let expected = [0.5 * (x + apart), 0.5 * (x - apart)];
            assert!(point.q.iter().zip(expected).all(|(q, e)| (q - e).abs() < 1e-9), "{:?} {expected:?}", point.q);
            assert_eq!((point.report.status, point.report.kind), (Status::NotStationary, Kind::Minimum));
            assert!((point.report.smallest_eigenvalue - k).abs() < 1e-12 && point.report.redundancy == 1);
        }
        // Standing still it ends where the springs balance.
        let motion = ResolvedMotion { gain: 20.0, ..motion };
        let found = solver.solve_resolved_motion(&target(1.0), Some(&start), &motion).unwrap();
        assert_eq!(found.report.status, Status::Solved);
        assert!((found.q[0] - found.q[1] - (a - b)).abs() < 1e-9 && (found.q[0] + found.q[1] - 1.0).abs() < 1e-9);
        assert!(found.report.stationarity <= 1e-10 && found.report.iterations.is_multiple_of(10));
        assert!(found.report.iterations < 2000, "{}", found.report.iterations);
    }
}

#[test]
fn resolved_motion_refuses_what_is_no_motion() {
    let model = slides(2);
    let mut solver =
        Solver::new(&model, along_x(2), Box::new(Joints::springs(&[(0.0, 1.0); 2])), Options::default()).unwrap();
    let good = ResolvedMotion { speed: 0.1, step: 0.01, gain: 1.0 };
    for bad in [
        ResolvedMotion { speed: 0.0, ..good },
        ResolvedMotion { speed: f64::INFINITY, ..good },
        ResolvedMotion { step: -0.01, ..good },
        ResolvedMotion { step: 0.0, ..good },
        ResolvedMotion { step: f64::NAN, ..good },
        ResolvedMotion { gain: f64::NAN, ..good },
        // Ten million steps and more.
        ResolvedMotion { speed: 0.9e-6, step: 0.1, ..good },
    ] {
        let found = solver.resolved_motion(&[at_x(1.0)], Some(&[0.0; 2]), &bad);
        let reason = if bad.speed == 0.9e-6 { "more than ten million steps" } else { "must be positive" };
        assert!(matches!(&found, Err(IkError::Method(text)) if text.contains(reason)), "{bad:?}: {found:?}");
    }
    // Where there is no way there is no step.
    let still = ResolvedMotion { speed: 1e-9, ..good };
    assert_eq!(solver.resolved_motion(&[at_x(0.75)], Some(&[0.25, 0.5]), &still).unwrap()[0].q, [0.25, 0.5]);
    // A gain below zero climbs.
    let up = ResolvedMotion { gain: -1.0, ..good };
    let found = solver.resolved_motion(&[at_x(0.4)], Some(&[0.1, 0.2]), &up).unwrap();
    assert!((found[0].q[1] - found[0].q[0] - 0.1 * f64::exp(1.0)).abs() < 1e-9, "{:?}", found[0].q);
    // The paper's numbers.
    assert_eq!(ResolvedMotion::default(), ResolvedMotion { speed: 0.1, step: 0.01, gain: 100.0 });
}

#[test]
fn the_papers_method_balances_springs_and_refuses_what_it_is_not_for() {
    // q = c + λ/k with one λ for all, whatever their number.
    for count in [2, 3, 4] {
        let model = slides(count);
        let springs: Vec<(f64, f64)> = (0..count).map(|i| (0.1 * i as f64, 1.0 + i as f64)).collect();
        let centers: f64 = springs.iter().map(|(c, _)| c).sum();
        let softness: f64 = springs.iter().map(|(_, k)| 1.0 / k).sum();
        let multiplier = (1.7 - centers) / softness;
        let new = || {
            let criterion = Box::new(Joints::springs(&springs));
            Solver::new(&model, along_x(count), criterion, Options::default()).unwrap()
        };
        let start = vec![0.2; count];
        let found = new().solve_chang(&at_x(1.7), Some(&start), Extra::Null).unwrap();
        assert_eq!((found.report.status, found.report.kind), (Status::Solved, Kind::Minimum));
        for (x, (c, k)) in found.q.iter().zip(&springs) {
            assert!((x - c - multiplier / k).abs() < 1e-9, "{:?}", found.q);
        }
        let extended = new().solve_chang(&at_x(1.7), Some(&start), Extra::ExtendedJacobian);
        match (count, extended) {
            (2, Ok(extended)) => assert!(extended.q.iter().zip(&found.q).all(|(a, b)| (a - b).abs() < 1e-9)),
            (2, refused) => panic!("{refused:?}"),
            (_, refused) => assert!(matches!(refused, Err(IkError::Method(text)) if text.contains("n = m + 1"))),
        }
    }
    // Rows that depend on each other, and joints with quaternions.
    let model = slides(2);
    let task = Task::position_xy(2);
    let mut solver =
        Solver::new(&model, task, Box::new(Joints::springs(&[(0.0, 1.0); 2])), Options::default()).unwrap();
    let refused = solver.solve_chang(&at_x(1.0), None, Extra::Null);
    assert!(matches!(refused, Err(IkError::Method(text)) if text.contains("independent rows")));
    let ball = arm(&[("[0, 0, 0]", "type = \"spherical\""), ("[0.5, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let mut solver = Solver::new(&ball, Task::position(2), Box::new(Constant), Options::default()).unwrap();
    let refused = solver.solve_chang(&at_x(0.6), None, Extra::Null);
    assert!(matches!(refused, Err(IkError::Method(text)) if text.contains("quaternions")));
}

#[test]
fn a_small_batch_is_its_targets_one_by_one_and_counts_them() {
    let limited = format!("{TURN}, limits = [-0.5, 2.0]");
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", &limited), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    let chain = Chain::new(&model, 3, Vector::zero());
    let options = Options { chance: 0.2, starts: 40, ..Options::default() };
    let make = || {
        let criterion = Box::new(Joints::home(&model, &chain, &[0.3, -2.0, 0.5], &[]));
        Solver::new(&model, Task::position_xy(3), criterion, options)
    };
    let mut targets: Vec<Pose<f64>> =
        (0..6).map(|i| Pose::translation(Vector([0.4 + 0.1 * f64::from(i), 0.3, 0.0]))).collect();
    targets[4].translation[0] = 7.0;
    let (mut batch, mut found, mut alone) = (Batch::new(make).unwrap(), Solutions::default(), make().unwrap());
    let mut held = 0;
    for start in [None, Some(&[0.2, 0.4, 0.3][..])] {
        let done = AtomicUsize::new(0);
        let count = || {
            done.fetch_add(1, Ordering::Relaxed);
        };
        batch.solve_into(&targets, start, &mut found, count).unwrap();
        assert_eq!((done.into_inner(), found.reports().len()), (6, 6));
        for (index, target) in targets.iter().enumerate() {
            let expected = alone.solve(target, start).unwrap();
            assert_eq!(found.q(index), expected.q);
            assert_eq!(found.reports()[index], expected.report);
            assert_eq!(found.solution(index), expected, "target {index}");
            held += usize::from(expected.active == [1]);
        }
        assert_eq!(found.reports()[4].status, Status::Unreachable);
    }
    assert!(held > 0);
    // Fewer targets than before leave nothing of them.
    batch.solve_into(&targets[..2], None, &mut found, || ()).unwrap();
    assert_eq!(found.reports().len(), 2);
    // One that is none is refused before any is solved for.
    let done = AtomicUsize::new(0);
    targets[3].translation[1] = f64::NAN;
    let refused = batch.solve_into(&targets, None, &mut found, || {
        done.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!((refused, done.into_inner()), (Err(IkError::Target), 0));
    let refused = batch.solve_into(&targets[..2], Some(&[0.0; 2]), &mut found, || ());
    assert!(matches!(refused, Err(IkError::StartLength { found: 2, expected: 3, .. })));
}

#[test]
fn a_smooth_path_costs_a_few_iterations_a_point() {
    // Joint steps of a twentieth of a radian: the prediction is good to their square.
    let model = planar();
    let chain = Chain::new(&model, 3, Vector::zero());
    let criterion = Box::new(Joints::home(&model, &chain, &[0.4, 0.5, 0.6], &[]));
    let mut solver = Solver::new(&model, Task::position_xy(3), criterion, Options::default()).unwrap();
    let targets: Vec<Pose<f64>> = (0..20)
        .map(|i| {
            let angle = 0.05 * f64::from(i);
            Pose::translation(Vector([0.9 * angle.cos(), 0.9 * angle.sin(), 0.0]))
        })
        .collect();
    let found = solver.follow(&targets, Some(&[0.4, 0.5, 0.6])).unwrap();
    assert!(found.is_success());
    let most = found.points[1..].iter().map(|point| point.report.iterations).max();
    assert!(most <= Some(6), "{most:?}");
}

#[test]
fn what_is_missed_without_a_proof_is_not_called_unreachable() {
    // Three slides without limits in the plane x = z: no bound knows of the plane.
    let slide = |axis: &str| format!("type = \"prismatic\", axis = {axis}");
    let [a, b, c] = ["[1, 0, 1]", "[0, 1, 0]", "[1, 1, 1]"].map(slide);
    let model = arm(&[("[0, 0, 0]", &a), ("[0, 0, 0]", &b), ("[0, 0, 0]", &c), ("[0, 0, 0]", "")]);
    let options = Options { starts: 60, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position(3), Box::new(Constant), options).unwrap();
    let off = |by: f64| Pose::translation(Vector([0.3 + by, 0.2, 0.3 - by]));
    assert!(!solver.excludes(&off(0.1)).unwrap());
    let alone = solver.solve(&off(0.1), None).unwrap();
    let found = solver.follow(&[off(0.0), off(0.1)], None).unwrap();
    for missed in [&alone, &found.points[1]] {
        assert_eq!(missed.report.status, Status::NotFound);
        // Straight below the target.
        assert!((missed.report.pose_error - 0.1 * 2.0_f64.sqrt()).abs() < 1e-6, "{:?}", missed.report);
    }
    assert_eq!(events(&found), [(EventKind::Unreachable, 1, 1)]);
}

#[test]
fn both_forms_of_the_papers_equations_agree_on_oblique_slides() {
    // Minors of the Jacobian that need their rows exchanged, and that must not exchange them.
    for axes in [
        [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [5.0, 1.0, 1.0], [0.0, 1.0, 2.0]],
        [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [0.0, 5.0, 3.0], [0.0, 1.0, 2.0]],
    ] {
        let joint = |axis: &[f64; 3]| format!("type = \"prismatic\", axis = [{}, {}, {}]", axis[0], axis[1], axis[2]);
        let joints: Vec<String> = axes.iter().map(joint).collect();
        let mut links: Vec<(&str, &str)> = joints.iter().map(|joint| ("[0, 0, 0]", joint.as_str())).collect();
        links.push(("[0, 0, 0]", ""));
        let model = arm(&links);
        let springs = [(0.1, 1.0), (-0.2, 2.0), (0.3, 0.5), (0.0, 1.5)];
        let mut solver =
            Solver::new(&model, Task::position(4), Box::new(Joints::springs(&springs)), Options::default()).unwrap();
        let target = Pose::translation(Vector([0.4, -0.3, 0.6]));
        let newton = solver.solve(&target, Some(&[0.0; 4])).unwrap();
        for extra in [Extra::Null, Extra::ExtendedJacobian] {
            let found = solver.solve_chang(&target, Some(&[0.05, 0.1, 0.0, -0.1]), extra).unwrap();
            assert_eq!(found.report.status, Status::Solved, "{extra:?}");
            assert!(found.q.iter().zip(&newton.q).all(|(a, b)| (a - b).abs() < 1e-9), "{extra:?}: {:?}", found.q);
        }
    }
}

#[test]
fn resolved_motion_of_two_redundant_joints_decays_in_both() {
    let centers = [0.4, -0.3, 0.2];
    let model = slides(3);
    let criterion = Box::new(Joints::springs(&centers.map(|c| (c, 1.5))));
    let mut solver = Solver::new(&model, along_x(3), criterion, Options::default()).unwrap();
    let motion = ResolvedMotion { speed: 0.2, step: 0.01, gain: 0.8 };
    let start = [0.5, 0.2, -0.4];
    let found = solver.resolved_motion(&[at_x(0.9)], Some(&start), &motion).unwrap();
    // Every spring keeps its share of the sum, and what it is off by decays in 0.6 m at 0.2 m/s.
    let decay = f64::exp(-0.8 * 1.5 * 3.0);
    for i in 0..3 {
        let balance = |x: f64| centers[i] + (x - centers.iter().sum::<f64>()) / 3.0;
        let expected = balance(0.9) + (start[i] - balance(0.3)) * decay;
        assert!((found[0].q[i] - expected).abs() < 1e-9, "{i}: {:?} {expected}", found[0].q);
    }
    assert_eq!(found[0].report.redundancy, 2);
}

#[test]
fn what_integration_loses_of_the_pose_decides_whether_it_is_held() {
    let model = planar();
    let chain = Chain::new(&model, 3, Vector::zero());
    let criterion = Joints::home(&model, &chain, &[0.4, 0.5, 0.6], &[]);
    let mut seen = [0; 3];
    for step in [0.001, 0.01, 0.05, 0.2, 0.5, 1.0, 2.0] {
        let mut solver =
            Solver::new(&model, Task::position_xy(3), Box::new(criterion.clone()), Options::default()).unwrap();
        let motion = ResolvedMotion { speed: 0.1, step, gain: 0.5 };
        let target = Pose::translation(Vector([0.5, 0.6, 0.0]));
        let found = solver.resolved_motion(&[target], Some(&[0.2, 0.6, 0.9]), &motion).unwrap();
        let report = found[0].report;
        let missed = (kinematics::pose(&model, &found[0].q, 3).translation - target.translation).norm();
        assert!((missed - report.pose_error).abs() < 1e-14);
        // A micrometre is held; beyond, the pose is not found. Neither is an optimum.
        let held = missed <= 1e-6;
        let expected = if held { (Status::NotStationary, Kind::Minimum) } else { (Status::NotFound, Kind::Degenerate) };
        assert_eq!((report.status, report.kind), expected, "{step}: {missed}");
        seen[if missed <= 1e-10 { 0 } else { 1 + usize::from(!held) }] += 1;
    }
    assert!(seen[1] > 0 && seen[2] > 0, "{seen:?}");
}
