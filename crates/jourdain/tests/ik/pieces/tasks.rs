//! Tasks and their rows: directions along the coordinates and straight away, rows that say nothing, weights of any size, and
//! what the solver counts and keeps.

use super::{SLIDE, TURN, along_x, arm, at, largest_difference, plain};
use jourdain::Model;
use jourdain::ik::criterion::{Criterion, Joints, Manipulability, Point};
use jourdain::ik::{Chain, Kind, Options, ResolvedMotion, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};
use std::f64::consts::{PI, TAU};

fn about(axis: &str) -> String {
    format!("{TURN}, axis = {axis}")
}

/// Turns about z, y and z, as a wrist does.
fn wrist() -> Model {
    arm(&[("[0, 0, 0.2]", TURN), ("[0, 0, 0.1]", &about("[0, 1, 0]")), ("[0, 0, 0.1]", TURN), ("[0.1, 0, 0]", "")])
}

/// A rotation that takes one direction to another.
fn turning(from: Vector<f64>, to: Vector<f64>) -> Rotation<f64> {
    let axis = from.cross(to);
    let angle = axis.norm().atan2(from.dot(to));
    if axis.norm() > 1e-12 {
        return Rotation::exp(axis.times(angle / axis.norm()));
    }
    let across = from.cross(Vector([0.36, 0.48, 0.8]));
    Rotation::exp(across.times(angle / across.norm()))
}

#[test]
fn a_hand_points_along_every_coordinate_and_from_straight_away() {
    let model = wrist();
    let axis = Vector([0.6, 0.0, 0.8]);
    let q = [0.3, 0.7, -0.4];
    let mut solver = plain(&model, Task::pointing(3, axis), Options::default());
    let pointing = |q: &[f64]| kinematics::pose(&model, q, 3).rotation.apply(axis);
    let mut directions: Vec<Vector<f64>> = (0..3).flat_map(|i| [Vector::unit(i), -Vector::unit(i)]).collect();
    directions.push(-pointing(&q));
    directions.push(Vector([0.0, 0.6, -0.8]));
    for direction in directions {
        let target = Pose { rotation: turning(axis, direction), ..Pose::identity() };
        assert!((target.rotation.apply(axis) - direction).norm() < 1e-12);
        let mut found = q;
        let report = solver.reach_into(&target, &mut found).unwrap();
        assert_eq!(report.status, Status::Solved, "{direction:?}: {report:?}");
        assert!((pointing(&found) - direction).norm() < 1e-9, "{direction:?}");
    }
    // From straight away without a second start: neither row knows a direction there, and one is taken.
    let target = Pose { rotation: turning(axis, -pointing(&q)), ..Pose::identity() };
    let mut found = q;
    let once = Options { starts: 1, ..Options::default() };
    let report = plain(&model, Task::pointing(3, axis), once).reach_into(&target, &mut found).unwrap();
    assert_eq!(report.status, Status::Solved, "{report:?}");
    // An axis of the hand along that of the world, to the last digit.
    for axis in (0..3).map(Vector::unit) {
        let mut found = q;
        let report =
            plain(&model, Task::pointing(3, axis), Options::default()).reach_into(&Pose::identity(), &mut found);
        assert_eq!(report.unwrap().status, Status::Solved, "{axis:?}");
        assert!((kinematics::pose(&model, &found, 3).rotation.apply(axis) - axis).norm() < 1e-9, "{axis:?}");
    }
}

#[test]
fn rows_that_say_nothing_and_weights_of_any_size_leave_the_rank_as_it_is() {
    // A plane across x, y or z: one row of the position is zero everywhere.
    for (axis, origin) in [("[1, 0, 0]", "[0, 0.5, 0]"), ("[0, 1, 0]", "[0.5, 0, 0]"), ("[0, 0, 1]", "[0.5, 0, 0]")] {
        let joint = about(axis);
        let model = arm(&[("[0, 0, 0]", &joint), (origin, &joint), (origin, "")]);
        let mut solver = plain(&model, Task::position(2), Options::default());
        assert_eq!(solver.rank(), 2, "{axis}");
        let target = kinematics::pose(&model, &[0.4, 0.9], 2);
        assert_eq!(solver.solve(&target, Some(&[0.3, 0.7])).unwrap().report.status, Status::Solved);
    }
    // Parallel oblique axes: a whole pose of three rows.
    let joint = about("[0.48, 0.6, 0.64]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", &joint), ("[0.2, 0, 0]", "")]);
    let springs = Joints::springs(&[(0.0, 1.0); 3]);
    for weight in [1e-7, 1e-3, 1.0, 1e3, 1e7] {
        let task = Task::rows(3, [weight; 6]);
        let mut solver = Solver::new(&model, task, Box::new(springs.clone()), Options::default()).unwrap();
        assert_eq!(solver.rank(), 3, "{weight}");
        let target = kinematics::pose(&model, &[0.4, 0.9, -0.5], 3);
        let found = solver.solve(&target, Some(&[0.3, 0.7, -0.2])).unwrap();
        assert_eq!((found.report.status, found.report.redundancy), (Status::Solved, 0), "{weight}");
    }
}

/// ½ qᵀ A q, with A as it is given.
struct Quadratic([[f64; 3]; 3]);

impl Criterion for Quadratic {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        0.5 * (0..3).map(|i| at.q[i] * Vector(self.0[i]).dot(Vector([at.q[0], at.q[1], at.q[2]]))).sum::<f64>()
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        (0..3).for_each(|i| out[i] = Vector(self.0[i]).dot(Vector([at.q[0], at.q[1], at.q[2]])));
    }

    fn hessian(&mut self, _: &Point<'_>, out: &mut [f64]) -> bool {
        (0..3).for_each(|i| out[3 * i..3 * i + 3].copy_from_slice(&self.0[i]));
        true
    }
}

#[test]
fn the_eigenvalues_of_a_saddle_are_those_it_is_made_of() {
    let model = arm(&[("[0, 0, 0]", SLIDE), ("[0, 0, 0]", SLIDE), ("[0, 0, 0]", SLIDE), ("[0, 0, 0]", "")]);
    // An orthonormal pair across (1, 1, 1), turned in its plane by steps of a twelfth of a turn.
    let root = 3.0_f64.sqrt();
    let w = 1.0 / (1.0 + root);
    let first = Vector([-1.0 / root, 1.0 - w / root, -w / root]);
    let second = Vector([-1.0 / root, -w / root, 1.0 - w / root]);
    for step in 0..12 {
        let (sin, cos) = (f64::from(step) * PI / 12.0).sin_cos();
        let (a, b) = (first.times(cos) + second.times(sin), second.times(cos) - first.times(sin));
        for (low, high) in [(-1.0, 1.0), (0.5, 3.0), (-2.0, -1.0)] {
            // low u uᵀ + high v vᵀ with u, v = (a ∓ b)/√2.
            let [u, v] = [(a - b).times(0.5_f64.sqrt()), (a + b).times(0.5_f64.sqrt())];
            let matrix = std::array::from_fn(|i| std::array::from_fn(|j| low * u[i] * u[j] + high * v[i] * v[j]));
            let options = Options { iterations: 0, starts: 1, ..Options::default() };
            let mut solver = Solver::new(&model, along_x(3), Box::new(Quadratic(matrix)), options).unwrap();
            let report = solver.solve_into(&at(0.0, 0.0, 0.0), &mut [0.0; 3]).unwrap();
            let kind = match (low > 0.0, high > 0.0) {
                (true, _) => Kind::Minimum,
                (false, true) => Kind::Saddle,
                _ => Kind::Maximum,
            };
            assert_eq!((report.kind, report.redundancy), (kind, 2), "{step}");
            assert!((report.smallest_eigenvalue - low).abs() < 1e-12, "{step}: {report:?}");
            assert!((report.largest_eigenvalue - high).abs() < 1e-12, "{step}: {report:?}");
        }
    }
}

#[test]
fn starts_for_all_solutions_end_when_another_is_unlikely() {
    // One solution w = 1 in N starts: 2/(N (N − 1)) is 1e-4 first at N = 142; w = 2: 6/(N (N − 1)) at N = 246.
    let one = arm(&[("[0, 0, 0]", &format!("{SLIDE}, limits = [-1, 1]")), ("[0, 0, 0]", "")]);
    let two = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let options = Options { chance: 1e-4, ..Options::default() };
    let springs = || Box::new(Joints::springs(&[(0.3, 1.0)]));
    let mut solver = Solver::new(&one, along_x(1), springs(), options).unwrap();
    let found = solver.solve_all(&at(0.5, 0.0, 0.0), None).unwrap();
    assert_eq!((found.len(), found[0].report.starts), (1, 142));
    let mut solver = plain(&two, Task::position_xy(2), options);
    let found = solver.solve_all(&at(0.5, 0.5, 0.0), None).unwrap();
    assert_eq!(found.len(), 2);
    assert!((246..260).contains(&found[0].report.starts), "{}", found[0].report.starts);
    // A hundred at least.
    let mut solver = Solver::new(&one, along_x(1), springs(), Options { chance: 0.5, ..options }).unwrap();
    assert_eq!(solver.solve_all(&at(0.5, 0.0, 0.0), None).unwrap()[0].report.starts, 100);
}

#[test]
fn optima_are_told_apart_by_digits_not_by_units() {
    // Two elbows and a home nearer to one of them; stiff or soft, there are two values to be found.
    let joint = format!("{TURN}, limits = [-3, 3]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", "")]);
    let chain = Chain::new(&model, 2, Vector::zero());
    for stiffness in [1.0, 1e4, 1e9] {
        let home = Box::new(Joints::home(&model, &chain, &[0.2, 0.7], &[stiffness; 2]));
        let options = Options { chance: 0.05, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(2), home, options).unwrap();
        let found = solver.solve(&at(0.5, 0.5, 0.0), None).unwrap();
        // w/(N − w − 2) of w = 2 values is a twentieth first after N = 44 successes.
        assert!((found.report.chance.unwrap() - 0.05).abs() < 1e-12, "{stiffness}: {:?}", found.report);
        assert!((44..100).contains(&found.report.starts), "{stiffness}: {}", found.report.starts);
    }
}

#[test]
fn angles_are_turned_into_limits_of_a_turn_or_more_from_however_far() {
    for [low, high] in [[0.0, TAU], [-PI, PI], [1.0, 1.0 + TAU], [-4.0, 3.5], [-9.0, -2.0]] {
        let limited = format!("{TURN}, limits = [{low}, {high}]");
        let model = arm(&[("[0, 0, 0]", &limited), ("[0.6, 0, 0]", &limited), ("[0.4, 0, 0]", "")]);
        let mut solver = plain(&model, Task::position_xy(2), Options::default());
        for angles in [[0.4, 0.9], [-2.5, -1.2], [3.0, 2.0]] {
            let target = kinematics::pose(&model, &angles, 2);
            for turns in [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0] {
                let start = angles.map(|x| x + 0.1 + TAU * turns);
                let found = solver.solve(&target, Some(&start)).unwrap();
                assert!(found.report.status.is_success());
                assert!(found.q.iter().all(|x| (low..=high).contains(x)), "{low} {high} {turns}: {:?}", found.q);
                let off = found.q.iter().zip(angles).map(|(x, a)| ((x - a) / TAU).round().mul_add(-TAU, x - a));
                assert!(off.fold(0.0_f64, |most, x| most.max(x.abs())) < 1e-8, "{low} {high} {turns}: {:?}", found.q);
            }
        }
    }
    // Without limits: within half a turn where no start says how often.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    let criterion = Box::new(Manipulability::default());
    let options = Options { chance: 0.5, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(3), criterion, options).unwrap();
    for angle in [-3.1, -1.5, 0.2, 1.7, 3.1_f64] {
        let target = at(0.7 * angle.cos(), 0.7 * angle.sin(), 0.0);
        for found in solver.solve_all(&target, Some(&[9.0, -8.0, 20.0])).unwrap() {
            assert!(found.q.iter().all(|x| x.abs() <= PI + 1e-12), "{angle}: {:?}", found.q);
        }
        let best = solver.solve(&target, None).unwrap();
        assert!(best.q.iter().all(|x| x.abs() <= PI + 1e-12), "{angle}: {:?}", best.q);
    }
}

#[test]
fn a_barrier_is_left_a_billionth_of_its_range() {
    // A millimetre of range a hundred metres away, or the kilometre around: a hundred millionth of it from either wall.
    for [low, high] in [[100.0, 100.001], [-100.001, -100.0], [-500.0, 500.0], [-0.5, 0.5]] {
        let model = arm(&[("[0, 0, 0]", SLIDE), ("[0, 0, 0]", "")]);
        let range: f64 = high - low;
        let options = Options { tolerance: 1e-9_f64.min(1e-10 * range).max(2e-12), ..Options::default() };
        let mut solver =
            Solver::new(&model, along_x(1), Box::new(Joints::barrier_between(&[[low, high]])), options).unwrap();
        for x in [low + 1e-8 * range, high - 1e-8 * range] {
            let found = solver.solve(&at(x, 0.0, 0.0), Some(&[0.5 * (low + high)])).unwrap();
            assert_eq!(found.report.status, Status::Solved, "{low} {high} {x}: {:?}", found.report);
            assert!(low < found.q[0] && found.q[0] < high && (found.q[0] - x).abs() <= options.tolerance);
        }
    }
}

#[test]
fn resolved_motion_of_a_hand_that_points_follows_the_arc() {
    let model = wrist();
    let axis = Vector([1.0, 0.0, 0.0]);
    let criterion = Box::new(Joints::springs(&[(0.0, 1.0), (0.5, 1.0), (0.0, 1.0)]));
    let mut solver = Solver::new(&model, Task::pointing(3, axis), criterion, Options::default()).unwrap();
    let start = [0.3, 0.9, -0.4];
    let from = kinematics::pose(&model, &start, 3);
    for turn in [Vector([0.2, -0.5, 0.9]), Vector([-0.8, 0.3, 0.4])] {
        let target = Pose { rotation: Rotation::exp(turn) * from.rotation, ..from };
        // The rows stay during a step: what is missed falls with it.
        for (step, most) in [(0.1, 8e-3), (0.025, 2e-3), (0.005, 4e-4)] {
            let motion = ResolvedMotion { speed: 0.1, step, gain: 0.2 };
            let found = solver.resolved_motion(&[target], Some(&start), &motion).unwrap();
            let direction = kinematics::pose(&model, &found[0].q, 3).rotation.apply(axis);
            let missed = (direction - target.rotation.apply(axis)).norm();
            assert!(missed < most, "{turn:?}, {step}: {missed}");
            assert!(largest_difference(&found[0].q, &start) > 0.1);
        }
    }
}
