//! Paths whose configurations are known: an elbow that keeps its side however far apart the targets are, whole turns, limits
//! that are met on the way, and where an arm goes on that could not follow.

use super::{SLIDE, TURN, along_x, arm, at, largest_difference, plain};
use jourdain::Model;
use jourdain::ik::criterion::{Criterion, Joints, Manipulability, Point};
use jourdain::ik::{Chain, EventKind, Options, PathSolution, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};
use std::f64::consts::{PI, TAU};

/// 0.6 and 0.4 m in a plane.
fn elbow() -> Model {
    arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")])
}

/// Points on a line that stays between the hole and the end of the arm's reach, some way apart.
fn lines() -> Vec<[Vector<f64>; 2]> {
    let mut random = super::Random::new(5);
    let mut lines = Vec::new();
    while lines.len() < 40 {
        let [a, b] = [0, 1].map(|_| {
            let (angle, radius) = (random.range(-3.0, 3.0), random.range(0.35, 0.9));
            Vector([radius * f64::cos(angle), radius * f64::sin(angle), 0.0])
        });
        let inside = (0..=50).all(|i| {
            let radius = (a + (b - a).times(f64::from(i) / 50.0)).norm();
            (0.3..0.93).contains(&radius)
        });
        if inside && (a - b).norm() > 0.7 {
            lines.push([a, b]);
        }
    }
    // Past the shoulder, as far round as the ring allows: the short way round would be another one.
    for angle in [0.0, 1.1, 2.3, -2.0, -0.7_f64] {
        let place = |by: f64| Vector([0.9 * (angle + by).cos(), 0.9 * (angle + by).sin(), 0.0]);
        lines.extend([[place(-1.21), place(1.21)], [place(1.21), place(-1.21)]]);
    }
    lines
}

/// Both angles at a place, with the elbow on a side, the first nearest to a given one.
fn angles(place: Vector<f64>, side: f64, near: f64) -> [f64; 2] {
    let bend = side * ((place.norm_squared() - 0.52) / 0.48).clamp(-1.0, 1.0).acos();
    let first = place[1].atan2(place[0]) - (0.4 * bend.sin()).atan2(0.6 + 0.4 * bend.cos());
    [first + TAU * ((near - first) / TAU).round(), bend]
}

#[test]
fn an_elbow_keeps_its_side_however_far_apart_the_targets_are() {
    let model = elbow();
    let mut solver = plain(&model, Task::position_xy(2), Options::default());
    let mut effort = 0;
    for [a, b] in lines() {
        for side in [1.0, -1.0] {
            // The angles along the line, in steps that are small.
            let mut expected = angles(a, side, 0.0);
            let start = expected;
            for i in 1..=200 {
                expected = angles(a + (b - a).times(f64::from(i) / 200.0), side, expected[0]);
            }
            let found = solver.follow(&[Pose::translation(a), Pose::translation(b)], Some(&start)).unwrap();
            assert!(found.is_success(), "{a:?} {b:?} {side}: {:?}", found.events);
            assert!(largest_difference(&found.points[1].q, &expected) < 1e-8, "{a:?} {b:?}: {:?}", found.points[1].q);
            effort += found.points[1].report.iterations;
        }
    }
    // A few parts with a few iterations each, those that led too far included.
    assert!(effort <= 100 * 88, "{effort}");
}

#[test]
fn the_optimum_of_a_redundant_arm_is_the_same_in_one_step_as_in_many() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.25, 0, 0]", "")]);
    let criterion = || Box::new(Manipulability::default());
    let mut solver = Solver::new(&model, Task::position_xy(3), criterion(), Options::default()).unwrap();
    let mut followed = 0;
    for ([a, b], side) in lines().into_iter().zip([1.0, -1.0].into_iter().cycle()) {
        let fine: Vec<Pose<f64>> =
            (0..=25).map(|i| Pose::translation(a + (b - a).times(f64::from(i) / 25.0))).collect();
        let [first, bend] = angles(a, side, 0.0);
        let many = solver.follow(&fine, Some(&[first, bend, 0.6 * side])).unwrap();
        if !many.is_success() {
            continue;
        }
        followed += 1;
        let one = solver.follow(&[fine[0], fine[25]], Some(&many.points[0].q)).unwrap();
        assert!(one.is_success(), "{a:?} {b:?}: {:?}", one.events);
        let (one, many) = (&one.points[1].q, &many.points[25].q);
        assert!(largest_difference(one, many) < 1e-7, "{a:?} {b:?}: {one:?} {many:?}");
    }
    assert!(followed > 30, "{followed}");
}

#[test]
fn a_hand_turns_the_short_way_however_far() {
    // Three coaxial joints share a turn about z equally, in one step or many.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0, 0, 0.1]", TURN), ("[0, 0, 0.1]", TURN), ("[0.2, 0, 0]", "")]);
    let criterion = Box::new(Joints::springs(&[(0.0, 1.0); 3]));
    let task = Task::rows(3, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let mut solver = Solver::new(&model, task, criterion, Options::default()).unwrap();
    let turned = |angle: f64| Pose { rotation: Rotation::elementary(2, angle), ..Pose::identity() };
    for total in [0.5, 3.0, -2.9, 6.0, 11.0] {
        let count = (f64::abs(total) / 3.05).ceil();
        let targets: Vec<Pose<f64>> = (0..=count as usize).map(|i| turned(total * i as f64 / count)).collect();
        let found = solver.follow(&targets, Some(&[0.0; 3])).unwrap();
        assert!(found.is_success(), "{total}: {:?}", found.events);
        let end = &found.points[targets.len() - 1].q;
        assert!(end.iter().all(|x| (x - total / 3.0).abs() < 1e-8), "{total}: {end:?}");
    }
}

fn slide([low, high]: [f64; 2]) -> String {
    format!("{SLIDE}, limits = [{low}, {high}]")
}

#[test]
fn springs_hand_over_to_each_other_where_limits_are_met_in_steps_of_any_length() {
    let (ranges, springs) = ([[-0.2, 0.3], [-0.5, 0.5], [-1.0, 2.0]], [(0.0, 1.0), (0.1, 2.0), (-0.1, 4.0)]);
    let [a, b, c] = ranges.map(slide);
    let model = arm(&[("[0, 0, 0]", &a), ("[0, 0, 0]", &b), ("[0, 0, 0]", &c), ("[0, 0, 0]", "")]);
    // The force that all springs within their range have, by halving.
    let balance = |x: f64| -> Vec<f64> {
        let at = |force: f64| -> Vec<f64> {
            springs.iter().zip(ranges).map(|((c, k), [low, high])| (c + force / k).clamp(low, high)).collect()
        };
        let (mut low, mut high) = (-100.0, 100.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if at(middle).iter().sum::<f64>() < x { low = middle } else { high = middle }
        }
        at(0.5 * (low + high))
    };
    for step in [0.01, 0.1, 0.35, 1.3] {
        let criterion = Box::new(Joints::springs(&springs));
        let mut solver = Solver::new(&model, along_x(3), criterion, Options::default()).unwrap();
        let count = (3.8 / step) as usize;
        let xs: Vec<f64> = (0..=count).map(|i| -1.3017 + step * i as f64).collect();
        let targets: Vec<Pose<f64>> = xs.iter().map(|&x| at(x, 0.0, 0.0)).collect();
        let found = solver.follow(&targets, Some(&balance(xs[0]))).unwrap();
        assert!(found.is_success(), "{step}: {:?}", found.events);
        let mut changes = Vec::new();
        for (k, (x, point)) in xs.iter().zip(&found.points).enumerate() {
            let expected = balance(*x);
            assert!(largest_difference(&point.q, &expected) < 1e-7, "{step}, {x}: {:?} {expected:?}", point.q);
            let held: Vec<usize> =
                (0..3).filter(|&i| ranges[i].iter().any(|end| (expected[i] - end).abs() < 1e-12)).collect();
            assert_eq!(point.active, held, "{step}, {x}");
            if k > 0 && point.active != found.points[k - 1].active {
                changes.push((k - 1, k));
            }
        }
        let told: Vec<(usize, usize)> = found
            .events
            .iter()
            .filter(|event| event.kind == EventKind::LimitChange)
            .map(|event| (event.from, event.to))
            .collect();
        assert_eq!(told, changes, "{step}");
    }
}

#[test]
fn a_folded_arm_goes_straight_through_its_shoulder() {
    // Two halves of a metre: along x through the shoulder the first joint is minus half of the second.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0]", TURN), ("[0.5, 0, 0]", "")]);
    let chain = Chain::new(&model, 2, Vector::zero());
    for half in [0.3, 0.05] {
        let criterion = Box::new(Joints::home(&model, &chain, &[-0.5 * PI, PI], &[]));
        let mut solver = Solver::new(&model, Task::position_xy(2), criterion, Options::default()).unwrap();
        let count = 6;
        let xs: Vec<f64> = (0..=2 * count).map(|i| half * (1.0 - f64::from(i) / f64::from(count))).collect();
        let targets: Vec<Pose<f64>> = xs.iter().map(|&x| at(x, 0.0, 0.0)).collect();
        let bend = |x: f64| 2.0 * x.acos();
        let found = solver.follow(&targets, Some(&[-0.5 * bend(half), bend(half)])).unwrap();
        assert!(found.jumps.is_empty(), "{half}: {:?}", found.events);
        for (x, point) in xs.iter().zip(&found.points) {
            assert!(point.report.status.is_reached(), "{half}, {x}");
            let expected = [-0.5 * bend(*x), bend(*x)];
            assert!(largest_difference(&point.q, &expected) < 1e-4, "{half}, {x}: {:?} {expected:?}", point.q);
        }
    }
}

fn unreached(found: &PathSolution) -> Vec<usize> {
    (0..found.points.len()).filter(|&k| !found.points[k].report.status.is_reached()).collect()
}

#[test]
fn an_arm_waits_at_the_end_of_its_reach_and_bends_again() {
    // Out of the ring and back, at some angle.
    let model = elbow();
    for (side, inwards) in [(1.0, false), (-1.0, false), (1.0, true), (-1.0, true)] {
        let radius = |k: usize| {
            let out = (k as f64 / 10.0 * PI).sin();
            if inwards { 0.4 - 0.3 * out } else { 0.9 + 0.3 * out }
        };
        let targets: Vec<Pose<f64>> = (0..=10)
            .map(|k| {
                let angle = 0.4 + 0.02 * k as f64;
                at(radius(k) * angle.cos(), radius(k) * angle.sin(), 0.0)
            })
            .collect();
        let mut solver = plain(&model, Task::position_xy(2), Options::default());
        let start = angles(targets[0].translation, side, 0.4);
        let found = solver.follow(&targets, Some(&start)).unwrap();
        let outside: Vec<usize> = (0..=10).filter(|&k| !(0.2..=1.0).contains(&radius(k))).collect();
        assert_eq!(unreached(&found), outside);
        for (k, point) in found.points.iter().enumerate() {
            if outside.contains(&k) {
                assert_eq!(point.report.status, Status::Unreachable, "{k}");
                // As near as it gets.
                let missed = if inwards { 0.2 - radius(k) } else { radius(k) - 1.0 };
                assert!((point.report.pose_error - missed).abs() < 1e-4, "{k}: {} {missed}", point.report.pose_error);
            } else {
                // Stretched or folded it has no side: it comes back on either.
                let side = if k > 5 { point.q[1].sin().signum() } else { side };
                let expected = angles(targets[k].translation, side, 0.4);
                let off = point.q.iter().zip(expected).map(|(q, e)| ((q - e) - TAU * ((q - e) / TAU).round()).abs());
                assert!(off.fold(0.0, f64::max) < 1e-8, "{side} {inwards} {k}: {:?} {expected:?}", point.q);
            }
        }
        let tip = kinematics::pose(&model, &found.points[10].q, 2).translation;
        assert!((tip - targets[10].translation).norm() < 1e-9);
    }
}

#[test]
fn a_path_close_by_the_shoulder_is_followed_through_its_fast_turn() {
    // Two halves of a metre: the bend is 2 acos r, the first joint the direction less half of it.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0]", TURN), ("[0.5, 0, 0]", "")]);
    let chain = Chain::new(&model, 2, Vector::zero());
    let (xs, y) = ([0.07, 0.05, 0.03, 0.01, -0.01, -0.03, -0.05, -0.07_f64], 0.01);
    let targets = xs.map(|x| at(x, y, 0.0));
    let expected = |x: f64| {
        let bend = 2.0 * x.hypot(y).acos();
        [y.atan2(x) - 0.5 * bend, bend]
    };
    // Where nothing can be certified it is crept along, with the same result.
    for stationarity in [1e-10, -1.0] {
        let criterion = Box::new(Joints::home(&model, &chain, &[-1.0, 3.0], &[]));
        let options = Options { stationarity, iterations: 12, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(2), criterion, options).unwrap();
        let found = solver.follow(&targets, Some(&expected(xs[0]))).unwrap();
        assert!(found.jumps.is_empty(), "{stationarity}: {:?}", found.events);
        for (x, point) in xs.iter().zip(&found.points) {
            assert!(point.report.status.is_reached(), "{stationarity}, {x}: {:?}", point.report);
            let off = largest_difference(&point.q, &expected(*x));
            assert!(off < 1e-7, "{stationarity}, {x}: {:?} {:?}", point.q, expected(*x));
        }
    }
}

#[test]
fn an_elbow_that_cannot_go_on_on_one_side_jumps_to_the_other() {
    // On a circle of 0.8 m the first joint is the angle less 0.505 rad with the elbow up, more with the elbow down.
    let first = format!("{TURN}, limits = [-1, 1]");
    let model = arm(&[("[0, 0, 0]", &first), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let chain = Chain::new(&model, 2, Vector::zero());
    let places: Vec<Vector<f64>> = (0..12)
        .map(|k| {
            let angle = -0.06 * f64::from(k);
            Vector([0.8 * angle.cos(), 0.8 * angle.sin(), 0.0])
        })
        .collect();
    let targets: Vec<Pose<f64>> = places.iter().map(|place| Pose::translation(*place)).collect();
    let last_up = (0..12).filter(|&k| angles(places[k], 1.0, 0.0)[0] >= -1.0).count() - 1;
    for stationarity in [1e-10, -1.0] {
        let criterion = Box::new(Joints::home(&model, &chain, &[0.0, 1.0], &[]));
        let options = Options { stationarity, iterations: 30, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(2), criterion, options).unwrap();
        let found = solver.follow(&targets, Some(&angles(places[0], 1.0, 0.0))).unwrap();
        assert_eq!(found.jumps, [last_up + 1], "{stationarity}: {:?}", found.events);
        for (k, point) in found.points.iter().enumerate() {
            let expected = angles(places[k], if k <= last_up { 1.0 } else { -1.0 }, 0.0);
            assert!(largest_difference(&point.q, &expected) < 1e-7, "{stationarity}, {k}: {:?} {expected:?}", point.q);
        }
    }
}

/// (u² − 1)²/4 + s u of the sum s of two slides and their difference u in units of a width: where s is held, slopes of
/// (u³ − u + s)/width.
struct Wells(f64);

impl Criterion for Wells {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        let (u, s) = ((at.q[0] - at.q[1]) / self.0, at.q[0] + at.q[1]);
        0.25 * (u * u - 1.0).powi(2) + s * u
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        let (u, s) = ((at.q[0] - at.q[1]) / self.0, at.q[0] + at.q[1]);
        let slope = (u * u * u - u + s) / self.0;
        out.copy_from_slice(&[slope + u, -slope + u]);
    }
}

#[test]
fn where_a_well_ends_the_arm_jumps_to_the_other_and_says_so() {
    // The well at u = 1 ends where u³ − u has its minimum, at s = 2/√27 = 0.385; the other one goes on.
    let model = arm(&[("[0, 0, 0]", SLIDE), ("[0, 0, 0]", SLIDE), ("[0, 0, 0]", "")]);
    for (width, step) in [(1.0, 0.02), (0.5, 0.01)] {
        let xs: Vec<f64> = (0..45).map(|k| 0.1 + step * f64::from(k)).collect();
        let targets: Vec<Pose<f64>> = xs.iter().map(|&x| at(x, 0.0, 0.0)).collect();
        let end = 2.0 / 27.0_f64.sqrt();
        let first = xs.iter().position(|x| *x > end).unwrap();
        let options = Options { iterations: 60, ..Options::default() };
        let mut solver = Solver::new(&model, along_x(2), Box::new(Wells(width)), options).unwrap();
        let found = solver.follow(&targets, Some(&[0.05 + 0.5 * width, 0.05 - 0.5 * width])).unwrap();
        assert_eq!(found.jumps, [first], "{width}: {:?}", found.events);
        for (k, (x, point)) in xs.iter().zip(&found.points).enumerate() {
            let u = (point.q[0] - point.q[1]) / width;
            assert!(point.report.status.is_success() && (u * u * u - u + x).abs() < 1e-8, "{width}, {k}: {u}");
            // Above the minimum between the wells, or in the other one.
            assert!(if k < first { u > 3.0_f64.sqrt().recip() } else { u < -1.0 }, "{width}, {k}: {u}");
        }
    }
}
