//! Inverse kinematics within limits on arms that are solved by hand: slides with springs, whose optimum is a
//! balance of forces, and arms in a plane; of what kind a point is, where angles are counted from, how starts are
//! reported.

use crate::common::random_tree::Random;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Manipulability, Obstacle, Point, WeightedSum};
use jourdain::ik::{Chain, Goal, IkError, Kind, Options, Orientation, Report, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};
use jourdain::{Model, formats};
use std::f64::consts::{PI, TAU};

/// An arm of links, each given by its place on the one before and its joint.
pub fn arm(links: &[(&str, &str)]) -> Model {
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

pub const TURN: &str = "type = \"revolute\"";

/// Slides along x, one behind the other, each within its range.
pub fn slides(ranges: &[[f64; 2]]) -> Model {
    let joint = |[low, high]: &[f64; 2]| format!("type = \"prismatic\", axis = [1, 0, 0], limits = [{low}, {high}]");
    let joints: Vec<String> = ranges.iter().map(joint).collect();
    let mut links: Vec<(&str, &str)> = joints.iter().map(|joint| ("[0, 0, 0]", joint.as_str())).collect();
    links.push(("[0, 0, 0]", ""));
    arm(&links)
}

pub fn along_x(link: usize) -> Task {
    Task::rows(link, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
}

pub fn at_x(x: f64) -> Pose<f64> {
    Pose::translation(Vector([x, 0.0, 0.0]))
}

pub fn at(x: f64, y: f64) -> Pose<f64> {
    Pose::translation(Vector([x, y, 0.0]))
}

/// Where springs on slides balance: all that are free pull alike, found by halving.
pub fn balance(springs: &[(f64, f64)], ranges: &[[f64; 2]], x: f64) -> Vec<f64> {
    let place = |force: f64| -> Vec<f64> {
        springs.iter().zip(ranges).map(|((c, k), [low, high])| (c + force / k).clamp(*low, *high)).collect()
    };
    let (mut less, mut more) = (-1e3, 1e3);
    for _ in 0..200 {
        let middle = 0.5 * (less + more);
        if place(middle).iter().sum::<f64>() < x { less = middle } else { more = middle }
    }
    place(0.5 * (less + more))
}

#[test]
fn springs_on_slides_balance_and_those_that_cannot_are_at_their_limits() {
    let mut random = Random::new(21);
    let mut held = [0; 4];
    for case in 0..40 {
        let n = 2 + random.below(4);
        let ranges: Vec<[f64; 2]> = (0..n).map(|_| [random.range(-0.6, -0.1), random.range(0.1, 0.6)]).collect();
        let springs: Vec<(f64, f64)> = (0..n).map(|_| (random.range(-1.0, 1.0), random.range(0.3, 3.0))).collect();
        let model = slides(&ranges);
        let x = random.range(0.6, 0.9) * ranges.iter().map(|range| range[random.below(2)]).sum::<f64>();
        let expected = balance(&springs, &ranges, x);
        // The same by the largest of the negative.
        for (goal, sign) in [(Goal::Minimum, 1.0), (Goal::Maximum, -1.0)] {
            let springs: Vec<(f64, f64)> = springs.iter().map(|(c, k)| (*c, sign * k)).collect();
            let options = Options { goal, chance: 0.2, ..Options::default() };
            let mut solver = Solver::new(&model, along_x(n), Box::new(Joints::springs(&springs)), options).unwrap();
            let start: Vec<f64> = ranges.iter().map(|[low, high]| random.range(*low, *high)).collect();
            for start in [Some(&start[..]), None] {
                let found = solver.solve(&at_x(x), start).unwrap();
                let what = format!("case {case}, {goal:?}: {:?} {expected:?} {:?}", found.q, found.report);
                assert!(found.report.status.is_success(), "{what}");
                assert!(found.q.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8), "{what}");
                let at_limit: Vec<usize> =
                    (0..n).filter(|&i| found.q[i] == ranges[i][0] || found.q[i] == ranges[i][1]).collect();
                assert_eq!(found.active, at_limit, "{what}");
                assert_eq!(found.report.active, at_limit.len());
                assert_eq!(found.report.status == Status::LimitActive, !at_limit.is_empty());
                assert_eq!(found.report.redundancy, (n - at_limit.len()).saturating_sub(1));
                held[at_limit.len().min(3)] += 1;
            }
        }
    }
    assert!(held.iter().all(|count| *count > 5), "{held:?}");
}

/// The certificate at a position, without a step.
fn certificate(springs: &[(f64, f64)], q: &[f64], goal: Goal) -> Report {
    let model = slides(&vec![[-5.0, 5.0]; q.len()]);
    let options = Options { iterations: 0, starts: 1, goal, ..Options::default() };
    let mut solver = Solver::new(&model, along_x(q.len()), Box::new(Joints::springs(springs)), options).unwrap();
    solver.solve_into(&at_x(q.iter().sum()), &mut q.to_vec()).unwrap()
}

#[test]
fn the_kind_of_a_point_is_that_of_its_springs() {
    // At rest all is stationary. On Σ q = 0 springs k₁, k₂ curve by their mean; three by the zeros of
    // 3 λ² − 2 (a + b + c) λ + (ab + bc + ca).
    for (springs, kind) in [
        (&[1.0, 2.0][..], Kind::Minimum),
        (&[-1.0, -2.0], Kind::Maximum),
        (&[-1.0, 2.0], Kind::Minimum),
        (&[1.0, -2.0], Kind::Maximum),
        (&[1.0, -1.0], Kind::Degenerate),
        (&[1.0, 2.0, 3.0], Kind::Minimum),
        (&[-1.0, -2.0, -3.0], Kind::Maximum),
        (&[1.0, -2.0, 3.0], Kind::Saddle),
        (&[1.0, -2.0, 2.0], Kind::Saddle),
        (&[1.0, 1.0, -0.5], Kind::Degenerate),
        (&[-1.0, -1.0, 0.5], Kind::Degenerate),
    ] {
        let pairs: Vec<(f64, f64)> = springs.iter().map(|k| (0.25, *k)).collect();
        let q = vec![0.25; springs.len()];
        let sum: f64 = springs.iter().sum();
        let [low, high] = match springs {
            [a, b, c] => {
                let root = (sum * sum - 3.0 * (a * b + b * c + c * a)).sqrt();
                [(sum - root) / 3.0, (sum + root) / 3.0]
            }
            _ => [0.5 * sum; 2],
        };
        for goal in [Goal::Minimum, Goal::Maximum, Goal::Stationary] {
            let found = certificate(&pairs, &q, goal);
            assert_eq!(found.kind, kind, "{springs:?}");
            assert!((found.smallest_eigenvalue - low).abs() < 1e-12, "{springs:?}: {found:?}");
            assert!((found.largest_eigenvalue - high).abs() < 1e-12, "{springs:?}: {found:?}");
            let wanted = match goal {
                Goal::Minimum => kind == Kind::Minimum,
                Goal::Maximum => kind == Kind::Maximum,
                Goal::Stationary => true,
            };
            let solved = wanted || kind == Kind::Degenerate;
            assert_eq!(found.status, if solved { Status::Solved } else { Status::WrongKind }, "{springs:?} {goal:?}");
        }
        // Out of balance it is not stationary: |Nᵀ ∂H| / (1 + |∂H|).
        let mut moved = q.clone();
        (moved[0], moved[1]) = (0.26, 0.24);
        let found = certificate(&pairs, &moved, Goal::Stationary);
        let (a, b) = (0.01 * springs[0], -0.01 * springs[1]);
        let n = springs.len() as f64;
        let slope = (a * a + b * b - (a + b) * (a + b) / n).sqrt();
        assert!((found.stationarity - slope / (1.0 + a.hypot(b))).abs() < 1e-12, "{springs:?}");
        assert_eq!(found.status, if slope > 1e-9 { Status::NotStationary } else { Status::Solved }, "{springs:?}");
    }
}

#[test]
fn a_stretched_arm_has_lost_its_rank_and_a_bent_one_says_how_near_it_is() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let springs = || Box::new(Joints::springs(&[(0.0, 1.0), (0.0, 1.0)]));
    let options = Options { iterations: 0, starts: 1, tolerance: 1e-6, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(2), springs(), options).unwrap();
    assert_eq!(solver.rank(), 2);
    let mut report = |q: [f64; 2]| solver.solve_into(&kinematics::pose(&model, &q, 2), &mut q.to_vec()).unwrap();
    let stretched = report([0.3, 0.0]);
    assert_eq!((stretched.status, stretched.kind), (Status::RankDeficient, Kind::Degenerate));
    assert!(stretched.regularity < 1e-12 && stretched.redundancy == 1);
    for q in [[0.3, 1.2], [-1.0, 0.1], [2.0, -2.5]] {
        // The two rows of J: the longer one, and what the other has across it.
        let [a, ab]: [f64; 2] = [q[0], q[0] + q[1]];
        let rows =
            [[-0.6 * a.sin() - 0.4 * ab.sin(), -0.4 * ab.sin()], [0.6 * a.cos() + 0.4 * ab.cos(), 0.4 * ab.cos()]];
        let area = (rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]).abs();
        let longest = rows.iter().map(|row| row[0] * row[0] + row[1] * row[1]).fold(0.0, f64::max);
        let found = report(q);
        assert!((found.regularity - area / longest).abs() < 1e-12, "{q:?}: {}", found.regularity);
        assert_eq!((found.status, found.redundancy, found.kind), (Status::Solved, 0, Kind::Minimum));
    }
    // An error of the pose is that of the rows asked for, m and rad.
    let tip = kinematics::pose(&model, &[0.3, 1.2], 2);
    let missed = |task: Task, target: Pose<f64>| {
        let options = Options { iterations: 0, starts: 1, ..Options::default() };
        let mut solver = Solver::new(&model, task, springs(), options).unwrap();
        solver.solve_into(&target, &mut [0.3, 1.2]).unwrap()
    };
    let moved = Pose { translation: tip.translation + Vector([0.003, -0.004, 0.012]), ..tip };
    let turned = Pose { rotation: Rotation::exp(Vector([0.02, -0.01, 0.02])) * tip.rotation, ..moved };
    for (task, target, expected) in [
        (Task::position_xy(2), turned, 0.005),
        (Task::position(2), turned, 0.013),
        (Task::rows(2, [0.0, 0.3, 0.0, 0.0, 0.0, 0.0]), turned, 0.004),
        (Task::pose(2), turned, 0.013_f64.hypot(0.03)),
        (Task::rows(2, [0.0, 0.0, 0.0, 0.0, 2.0, 0.0]), turned, 0.01),
        (Task::pointing(2, Vector([0.02, -0.01, 0.02])), turned, 0.0),
    ] {
        let target = if let Orientation::Axis { axis, .. } = task.orientation {
            // Turned about the axis that points nothing is missed; across it all.
            let about = tip.rotation.apply(axis);
            let across = about.cross(Vector::unit(0));
            let tilt = across.times(0.3 / across.norm());
            let tilted = Pose { rotation: Rotation::exp(tilt) * tip.rotation, ..tip };
            assert!((missed(task, tilted).pose_error - 0.3).abs() < 1e-12);
            Pose { rotation: Rotation::exp(about.times(0.5)) * tip.rotation, ..tip }
        } else {
            target
        };
        let found = missed(task, target);
        assert!((found.pose_error - expected).abs() < 1e-12, "{task:?}: {}", found.pose_error);
        assert_eq!(found.status == Status::NotFound, expected > 0.0, "{task:?}");
    }
}

#[test]
fn angles_are_counted_from_where_the_start_is_or_within_half_a_turn() {
    let ranges = |limits: &str| {
        let joint = format!("{TURN}{limits}");
        arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")])
    };
    let solve = |model: &Model, start: Option<&[f64]>, limits: bool| {
        let options = Options { limits, starts: 20, chance: 0.5, ..Options::default() };
        let mut solver = Solver::new(model, Task::position_xy(2), Box::new(Constant), options).unwrap();
        let q = solver.solve(&at(-0.5, -0.3), start).unwrap();
        assert!(q.report.status.is_success());
        q.q
    };
    let free = ranges("");
    let near = solve(&free, None, true);
    assert!(near.iter().all(|x| x.abs() <= PI));
    for turns in [-2.0, 1.0] {
        let start: Vec<f64> = near.iter().map(|x| x + turns * TAU + 0.05).collect();
        let found = solve(&free, Some(&start), true);
        assert!(found.iter().zip(&near).all(|(a, b)| (a - b - turns * TAU).abs() < 1e-8), "{found:?} {near:?}");
    }
    // Limits of a whole turn and more are kept by whole turns.
    for (limits, low, high) in [(", limits = [0, 7]", 0.0, 7.0), (", limits = [-7, -0.5]", -7.0, -0.5)] {
        let model = ranges(limits);
        for start in [[-9.0, 0.5], [0.1, 0.5], [9.0, 0.5], [20.0, -0.5]] {
            let found = solve(&model, Some(&start), true);
            assert!(found[0] >= low && found[0] <= high, "{start:?}: {found:?}");
            let turn = (found[0] - start[0]).abs();
            assert!(turn < 40.0);
        }
        // Without limits they stay where they are.
        let found = solve(&model, Some(&[20.0, 0.5]), false);
        assert!((found[0] - 20.0).abs() < PI + 0.5, "{found:?}");
    }
    // Less than a turn: the only position within.
    let model = ranges(", limits = [1, 6]");
    let found = solve(&model, None, true);
    assert!(found[0] >= 1.0 && found[0] <= 6.0);
}

#[test]
fn middles_of_ranges_are_where_it_starts_and_joints_off_the_chain_stay_there() {
    // Nothing to do: the target is where the middle of the ranges leads.
    for (limits, middle) in
        [("limits = [-0.4, 1.0]", 0.3), ("limits = [0.2, 0.6]", 0.4), ("limits = [-3.0, -2.0]", -2.5)]
    {
        let joint = format!("{TURN}, {limits}");
        let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", "")]);
        let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), Options::default()).unwrap();
        let found = solver.solve(&kinematics::pose(&model, &[middle; 2], 2), None).unwrap();
        assert!(found.q.iter().all(|x| (x - middle).abs() < 1e-15), "{:?}", found.q);
        assert_eq!((found.report.iterations, found.report.starts, found.report.chance), (0, 1, None));
        let mut q = [0.0; 2];
        let report = solver.best_into(&kinematics::pose(&model, &[middle; 2], 2), &mut q, false).unwrap();
        assert!(q == found.q[..] && report == found.report);
    }
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN)]);
    let mut solver = Solver::new(&model, Task::position_xy(1), Box::new(Constant), Options::default()).unwrap();
    assert_eq!(solver.chain().variables().len(), 2);
    let found = solver.solve(&kinematics::pose(&model, &[0.5, 0.0, 0.0], 1), Some(&[0.3, 0.7, -0.9])).unwrap();
    assert!((found.q[0] - 0.5).abs() < 1e-9 && found.q[1..] == [0.7, -0.9]);
}

#[test]
fn reaching_tells_its_starts_its_redundancy_and_the_smallest_error() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    let options = Options { starts: 30, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(Constant), options).unwrap();
    let mut q = [0.4, 0.5, 0.6];
    let here = kinematics::pose(&model, &q, 3);
    let report = solver.reach_into(&here, &mut q).unwrap();
    assert_eq!((report.status, report.starts, report.iterations, report.redundancy), (Status::Solved, 1, 0, 1));
    assert!(q == [0.4, 0.5, 0.6] && report.pose_error < 1e-15);
    let report = solver.reach_into(&at(0.3, 0.7), &mut q).unwrap();
    assert!(report.status == Status::Solved && report.iterations > 0 && report.pose_error <= 1e-10);
    assert!((kinematics::pose(&model, &q, 3).translation - Vector([0.3, 0.7, 0.0])).norm() < 1e-9);
    // 1.2 m of arm for 1.5 m: what is left in q has the error that is told.
    let report = solver.reach_into(&at(0.0, 1.5), &mut q).unwrap();
    assert_eq!((report.status, report.starts), (Status::Unreachable, 24));
    let missed = (kinematics::pose(&model, &q, 3).translation - Vector([0.0, 1.5, 0.0])).norm();
    assert!((missed - report.pose_error).abs() < 1e-12 && report.pose_error < 0.4, "{report:?}");
    assert_eq!(solver.reach_into(&at(f64::NAN, 1.5), &mut q), Err(IkError::Target));
}

#[test]
fn the_best_of_many_starts_says_what_chance_there_is_of_a_better_one() {
    // Two elbows, one of them nearer to home.
    let joint = format!("{TURN}, limits = [-3, 3]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", "")]);
    let home = Joints::springs(&[(0.0, 1.0), (1.5, 1.0)]);
    for (goal, elbow) in [(Goal::Minimum, 1.0), (Goal::Maximum, -1.0)] {
        let options = Options { goal, chance: 0.05, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(home.clone()), options).unwrap();
        let found = solver.solve(&at(0.5, 0.5), None).unwrap();
        let bend = ((0.5 - 0.52) / 0.48_f64).acos();
        assert!((found.q[1] - elbow * bend).abs() < 1e-9, "{:?}", found.q);
        // w/(N − w − 2) for w = 2 values is a twentieth first after N = 44 successes.
        assert!((found.report.chance.unwrap() - 0.05).abs() < 1e-12, "{:?}", found.report.chance);
        assert!((44..80).contains(&found.report.starts), "{}", found.report.starts);
    }
    // With as many starts as there may be, the chance is what it is.
    let options = Options { starts: 3, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(home), options).unwrap();
    let found = solver.solve(&at(0.5, 0.5), None).unwrap();
    assert_eq!((found.report.starts, found.report.chance), (3, Some(1.0)));
}

#[test]
fn barriers_are_infinite_at_their_walls_and_keep_the_arm_off_them() {
    let ranges = [[-0.5, 0.5]; 3];
    let model = slides(&ranges);
    let chain = Chain::new(&model, 3, Vector::zero());
    let mut solver =
        Solver::new(&model, along_x(3), Box::new(Joints::limit_barrier(&chain)), Options::default()).unwrap();
    for x in [1.0, -1.4, 1.499, 0.0] {
        for start in [[0.5, -0.5, 0.0], [-0.5, -0.5, -0.5], [9.0, 0.0, -9.0]] {
            let found = solver.solve(&at_x(x), Some(&start)).unwrap();
            assert_eq!((found.report.status, found.report.kind), (Status::Solved, Kind::Minimum), "{x} {start:?}");
            // Equal ranges share equally: 3 · 0.25 over (0.5 − x/3)(0.5 + x/3).
            assert!(found.q.iter().all(|q| (q - x / 3.0).abs() < 1e-7), "{:?}", found.q);
            let expected = 0.75 / ((0.5 - x / 3.0) * (0.5 + x / 3.0));
            assert!((found.report.criterion / expected - 1.0).abs() < 1e-9);
        }
    }
    // Of a sum, the narrower walls; a term with no weight is no reason to choose.
    let sum = WeightedSum::default()
        .with(1.0, Box::new(Joints::barrier_between(&[[-0.5, 0.2], [-0.4, 0.5], [-0.5, 0.5]])))
        .with(1.0, Box::new(Joints::barrier_between(&[[-0.5, 0.5], [-0.5, 0.3], [-0.1, 0.1]])));
    assert_eq!(sum.domain(0), Some([-0.5, 0.2]));
    assert_eq!(sum.domain(1), Some([-0.4, 0.3]));
    assert_eq!(sum.domain(2), Some([-0.1, 0.1]));
    assert!(!sum.is_constant() && !sum.is_periodic());
    assert_eq!(Joints::springs(&[(0.0, 1.0)]).domain(0), None);
    assert_eq!(Joints::barrier_between(&[[-0.5, 0.2]]).domain(1), None);
    let idle = WeightedSum::default().with(0.0, Box::new(Joints::springs(&[]))).with(2.0, Box::new(Constant));
    assert!(idle.is_constant() && !idle.is_periodic());
    let turning = WeightedSum::default().with(1.0, Box::new(Manipulability::default())).with(2.0, Box::new(Constant));
    assert!(turning.is_periodic() && !turning.is_constant());
    // Joints without limits have no barrier and no middle.
    let free = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let chain = Chain::new(&free, 2, Vector::zero());
    for criterion in [Joints::limit_barrier(&chain), Joints::mid_range(&chain)] {
        assert_eq!(criterion.domain(0), None);
        let mut solver = Solver::new(&free, Task::position_xy(2), Box::new(criterion), Options::default()).unwrap();
        let found = solver.solve(&at(0.5, 0.5), Some(&[0.3, 0.9])).unwrap();
        assert_eq!((found.report.criterion, found.report.status), (0.0, Status::Solved));
    }
}

/// A criterion that is not defined beyond a wall.
struct Half;

impl Criterion for Half {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        if at.q[0] < 0.0 { f64::INFINITY } else { at.q[0] * at.q[0] + at.tip().translation[0] }
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        assert!(at.q[0] >= -1e-4 && at.variables().len() == out.len());
        out.fill(1.0);
        out[0] += 2.0 * at.q[0];
    }
}

#[test]
fn where_a_criterion_is_not_defined_nothing_is_certified() {
    let model = slides(&[[-1.0, 1.0], [-1.0, 1.0]]);
    let options = Options { iterations: 0, starts: 1, ..Options::default() };
    let mut solver = Solver::new(&model, along_x(2), Box::new(Half), options).unwrap();
    let report = solver.solve_into(&at_x(0.0), &mut [-0.5, 0.5]).unwrap();
    assert_eq!((report.criterion, report.kind), (f64::MAX, Kind::Degenerate));
    assert!(!report.status.is_success());
    // Defaults of a criterion that says nothing: differences for a Hessian, no walls, no turns.
    assert!(!Half.is_constant() && !Half.is_periodic() && Half.domain(0).is_none());
    let report = solver.solve_into(&at_x(0.5), &mut [0.25, 0.25]).unwrap();
    // ∂² = diag(2, 0) along (1, −1)/√2.
    assert!((report.smallest_eigenvalue - 1.0).abs() < 1e-9, "{report:?}");
}

#[test]
fn tasks_and_obstacles_are_checked_number_by_number() {
    let good = Task::pose(2);
    let axis = |axis: Vector<f64>, weight: f64| Task { orientation: Orientation::Axis { axis, weight }, ..good };
    assert!(good.is_valid() && axis(Vector::unit(1), 0.5).is_valid());
    for bad in [
        Task { length: 0.0, ..good },
        Task { length: -1.0, ..good },
        Task { length: f64::INFINITY, ..good },
        Task { point: Vector([0.0, f64::NAN, 0.0]), ..good },
        Task { position: [1.0, -1.0, 1.0], ..good },
        Task { orientation: Orientation::Rows([1.0, 1.0, -1.0]), ..good },
        Task { orientation: Orientation::Rows([1.0, f64::INFINITY, 1.0]), ..good },
        axis(Vector([0.0, 0.6, 0.6]), 1.0),
        axis(Vector([0.0, 2.0, 0.0]), 1.0),
        axis(Vector::unit(0), 0.0),
        axis(Vector::unit(0), -1.0),
        axis(Vector::unit(0), f64::NAN),
        Task::rows(2, [0.0; 6]),
    ] {
        assert!(!bad.is_valid(), "{bad:?}");
    }
    let counts = [Task::pose(0), Task::position(0), Task::position_xy(0), Task::pointing(0, Vector([0.0, 0.0, 3.0]))];
    assert_eq!(counts.map(|task| task.row_count()), [6, 3, 2, 2]);
    assert_eq!(Task::rows(0, [0.0, 1.0, 0.0, 2.0, 0.0, 3.0]).row_count(), 3);
    let good = Obstacle { center: Vector([1.0, 2.0, 3.0]), radii: Vector([0.1, 0.2, 0.3]), exponent: 2.0 };
    assert!(good.is_valid());
    for bad in [
        Obstacle { center: Vector([1.0, f64::NAN, 3.0]), ..good },
        Obstacle { radii: Vector([0.1, 0.0, 0.3]), ..good },
        Obstacle { radii: Vector([0.1, -0.2, 0.3]), ..good },
        Obstacle { radii: Vector([f64::INFINITY, 0.2, 0.3]), ..good },
        Obstacle { exponent: 1.9, ..good },
        Obstacle { exponent: f64::INFINITY, ..good },
    ] {
        assert!(!bad.is_valid(), "{bad:?}");
    }
}

#[test]
fn problems_that_cannot_be_posed_are_refused_with_their_reason() {
    let model = arm(&[("[0, 0, 0.5]", ""), ("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let new = |task: Task, tolerance: f64| {
        let options = Options { tolerance, ..Options::default() };
        Solver::new(&model, task, Box::new(Constant), options).err()
    };
    assert_eq!(new(Task::pose(0), 1e-9), Some(IkError::Immobile("l0".to_owned())));
    assert_eq!(new(Task::pose(4), 1e-9), Some(IkError::Link(4)));
    assert_eq!(new(Task::pose(3), 1e-9), None);
    // 8 ε for each motion and the tip, by one and the arm's lengths: 0.5, 0.6 and 0.4 m.
    let least = 8.0 * f64::EPSILON * 3.0 * 2.5;
    match new(Task::pose(3), 1e-15) {
        Some(IkError::Tolerance { given, least: found }) => {
            assert!(given == 1e-15 && (found / least - 1.0).abs() < 1e-12, "{found} {least}");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(new(Task::pose(3), f64::NAN), Some(IkError::Tolerance { .. })));
    assert_eq!(new(Task::pose(3), least * 1.000_001), None);
    // Rotation matrices that are none.
    let mut solver = Solver::new(&model, Task::position(3), Box::new(Constant), Options::default()).unwrap();
    let stretched =
        |by: f64| Pose { rotation: Rotation([[1.0 + by, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), ..at(0.5, 0.5) };
    assert_eq!(solver.set_target(&stretched(1e-8)), Ok(()));
    assert_eq!(solver.set_target(&stretched(1e-5)), Err(IkError::Target));
    assert_eq!(solver.set_target(&at(1e99, 0.0)), Ok(()));
    assert_eq!(solver.set_target(&at(0.0, -1.1e100)), Err(IkError::Target));
    // Every reason has a word of its own.
    let kinds = [
        IkError::Task,
        IkError::Link(1),
        IkError::Tolerance { given: 0.0, least: 1.0 },
        IkError::Immobile(String::new()),
        IkError::Target,
        IkError::StartLength { robot: String::new(), found: 0, expected: 1 },
        IkError::Start,
        IkError::Dependent,
        IkError::Method(""),
        IkError::Stopped,
    ];
    let mut words: Vec<&str> = kinds.iter().map(IkError::kind).collect();
    words.sort_unstable();
    words.dedup();
    assert!(words.len() == kinds.len() && words.iter().all(|word| !word.is_empty()));
    // Without a criterion every configuration of a redundant arm is stationary.
    let mut solver =
        Solver::new(&model, Task::rows(3, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), Box::new(Constant), Options::default())
            .unwrap();
    assert!(matches!(solver.solve_all(&at(0.5, 0.0), None), Err(IkError::Method(_))));
}

#[test]
fn a_skeleton_is_the_origins_of_the_links_and_the_tip() {
    let model = arm(&[("[0, 0, 0.5]", ""), ("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let task = Task { point: Vector([0.1, 0.2, 0.0]), ..Task::position(3) };
    let solver = Solver::new(&model, task, Box::new(Constant), Options::default()).unwrap();
    let q = [0.3, 0.8];
    let drawn = solver.skeleton(&q);
    let mut expected: Vec<Vector<f64>> = (0..4).map(|link| kinematics::pose(&model, &q, link).translation).collect();
    expected.push(kinematics::pose(&model, &q, 3).apply(task.point));
    assert_eq!(drawn.len(), expected.len());
    assert!(drawn.iter().zip(&expected).all(|(a, b)| (*a - *b).norm() < 1e-14), "{drawn:?} {expected:?}");
    assert!((solver.tip(&q).translation - expected[4]).norm() < 1e-14);
    assert_eq!((solver.task(), solver.options().goal, solver.goal()), (&task, Goal::Minimum, Goal::Minimum));
}

#[test]
fn large_weights_of_dependent_rows_change_nothing_that_is_reached() {
    // A whole pose of an arm with parallel oblique axes: six rows, three of them independent.
    let joint = format!("{TURN}, axis = [0.48, 0.6, 0.64]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", &joint), ("[0.2, 0, 0]", "")]);
    let target = kinematics::pose(&model, &[0.4, 0.9, -0.5], 3);
    let options = Options { starts: 1, ..Options::default() };
    for weight in [1.0, 1e3, 1e5] {
        let mut solver = Solver::new(&model, Task::rows(3, [weight; 6]), Box::new(Constant), options).unwrap();
        let mut q = [0.3, 0.7, -0.2];
        let report = solver.reach_into(&target, &mut q).unwrap();
        assert_eq!((report.status, report.redundancy), (Status::Solved, 0), "{weight}");
        assert!(q.iter().zip([0.4, 0.9, -0.5]).all(|(a, b)| (a - b).abs() < 1e-8), "{weight}: {q:?}");
    }
}

#[test]
fn a_start_that_reaches_the_pose_is_better_than_one_that_does_not() {
    // Too few iterations for an optimum, enough for the pose from some starts.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    let chain = Chain::new(&model, 3, Vector::zero());
    let criterion = Box::new(Joints::home(&model, &chain, &[2.0, -2.0, 2.0], &[]));
    let options = Options { iterations: 4, starts: 8, tolerance: 1e-6, stationarity: 1e-14, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(3), criterion, options).unwrap();
    let found = solver.solve(&at(0.5, 0.6), Some(&[-2.5, 0.1, 0.1])).unwrap();
    assert_eq!((found.report.status, found.report.starts), (Status::NotStationary, 8), "{:?}", found.report);
    assert!(found.report.pose_error <= 1e-6);
}

#[test]
fn limits_a_whole_turn_further_have_the_same_stationary_points_a_whole_turn_further() {
    let found = [-TAU, 0.0, TAU].map(|turn| {
        let joint = format!("{TURN}, limits = [{}, {}]", -2.5 + turn, 2.0 + turn);
        let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
        let options = Options { starts: 100, ..Options::default() };
        let criterion = Box::new(Manipulability::default());
        let mut solver = Solver::new(&model, Task::position_xy(3), criterion, options).unwrap();
        let mut all = solver.solve_all(&at(0.4, 0.3), None).unwrap();
        all.iter_mut().for_each(|found| found.q[..2].iter_mut().for_each(|x| *x -= turn));
        all
    });
    assert!(found[1].len() > 3, "{}", found[1].len());
    for other in [&found[0], &found[2]] {
        assert_eq!(other.len(), found[1].len());
        for point in &found[1] {
            let same =
                |other: &&jourdain::ik::Solution| other.q.iter().zip(&point.q).all(|(a, b)| (a - b).abs() < 1e-6);
            assert_eq!(other.iter().find(same).map(|same| same.report.kind), Some(point.report.kind), "{point:?}");
        }
    }
}

#[test]
fn whole_turns_are_other_positions_where_the_criterion_knows_them() {
    // Both elbows, and every turn of both joints that is within the limits.
    let joint = format!("{TURN}, limits = [-6, 6]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", "")]);
    let (x, y) = (0.5, 0.5_f64);
    let bend = ((x * x + y * y - 0.52) / 0.48).acos();
    let mut expected = 0;
    for bend in [bend, -bend] {
        let first = y.atan2(x) - (0.4 * bend.sin()).atan2(0.6 + 0.4 * bend.cos());
        let turns = |x: f64| [-TAU, 0.0, TAU].iter().filter(|turn| (x + **turn).abs() <= 6.0).count();
        expected += turns(first) * turns(bend);
    }
    let springs = Box::new(Joints::springs(&[(0.3, 1.0), (0.2, 1.0)]));
    let mut solver = Solver::new(&model, Task::position_xy(2), springs, Options::default()).unwrap();
    let all = solver.solve_all(&at(x, y), None).unwrap();
    assert_eq!(all.len(), expected);
    // Best first, and the same count of starts for all.
    assert!(all.windows(2).all(|pair| pair[0].report.criterion <= pair[1].report.criterion));
    // Starts end long before they are used up.
    assert!(all.iter().all(|found| found.report.starts == all[0].report.starts));
    assert!((100..1000).contains(&all[0].report.starts), "{}", all[0].report.starts);
    // Without limits and where whole turns change nothing there are two.
    let options = Options { limits: false, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Manipulability::default()), options).unwrap();
    assert_eq!(solver.solve_all(&at(x, y), None).unwrap().len(), 2);
}
