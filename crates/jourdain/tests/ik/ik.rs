//! Inverse kinematics: published and stored cases, certificates by independent means, success on random poses, and what
//! happens where there is no answer.

use crate::common::planar_arm::brute_force_extrema;
use crate::common::random_tree::{Random, Shape, random_description};
use jourdain::ik::criterion::{
    Constant, Criterion, Joints, Manipulability, Measure, Obstacle, Obstacles, Point, WeightedSum,
};
use jourdain::ik::{
    Batch, Chain, EventKind, Extra, Goal, IkError, Kind, Options, Orientation, ResolvedMotion, Solutions, Solver,
    Status, Task,
};
use jourdain::kinematics::{self, Frame};
use jourdain::spatial::{Pose, Rotation, Vector};
use jourdain::{Model, formats, robots};
use serde_json::Value;

const CORNERS: [[f64; 2]; 4] = [[446.004, 91.514], [446.004, -8.4866], [546.004, -8.4866], [546.004, 91.514]];

fn suite() -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/redundant_ik.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn chang() -> Model {
    robots::load("planar3r_chang").unwrap()
}

fn paper_start() -> [f64; 3] {
    [-40.5006_f64, 141.6408, 78.4169].map(f64::to_radians)
}

fn plane(x: f64, y: f64) -> Pose<f64> {
    Pose::translation(Vector([x / 1000.0, y / 1000.0, 0.0]))
}

fn last(model: &Model) -> usize {
    model.links().len() - 1
}

fn manipulability_solver(model: &Model) -> Solver<'_> {
    let task = Task::position_xy(last(model));
    Solver::new(model, task, Box::new(Manipulability::default()), Options::default()).unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn changs_vertices_come_out_in_eight_iterations_to_1e_10_and_to_the_printed_digits() {
    let (suite, model) = (suite(), chang());
    let mut solver = manipulability_solver(&model);
    for vertex in suite["chang_1987"]["vertices_best_fit_command"].as_array().unwrap() {
        let target = plane(number(&vertex["x_mm"]), number(&vertex["y_mm"]));
        let found = solver.solve(&target, Some(&paper_start())).unwrap();
        assert_eq!((found.report.status, found.report.kind), (Status::Solved, Kind::Minimum));
        assert!(found.report.iterations <= 8 && found.report.starts == 1);
        assert!(largest_difference(&found.q, &numbers(&vertex["theta_rad"])) < 1e-10);
        let degrees: Vec<f64> = found.q.iter().map(|x| x.to_degrees()).collect();
        // One unit of the last printed place.
        assert!(largest_difference(&degrees, &numbers(&vertex["printed_theta_deg"])) < 1e-4);
    }
}

#[test]
fn the_points_of_the_square_path_are_followed_to_1e_10() {
    let (suite, model) = (suite(), chang());
    let mut solver = manipulability_solver(&model);
    let mut count = 0;
    for points in suite["chang_1987"]["square_path_24_points"].as_object().unwrap().values() {
        let points = points.as_array().unwrap();
        let targets: Vec<_> = points.iter().map(|p| plane(number(&p["x_mm"]), number(&p["y_mm"]))).collect();
        let path = solver.follow(&targets, Some(&paper_start())).unwrap();
        assert!(path.is_success());
        for (found, expected) in path.points.iter().zip(points) {
            assert!(largest_difference(&found.q, &numbers(&expected["theta_rad"])) < 1e-10);
            count += 1;
        }
        // And each from the paper's start alone.
        for (target, expected) in targets.iter().zip(points) {
            let found = solver.solve(target, Some(&paper_start())).unwrap();
            assert!(largest_difference(&found.q, &numbers(&expected["theta_rad"])) < 1e-10);
        }
    }
    assert_eq!(count, 24);
}

fn square() -> Vec<Pose<f64>> {
    let mut path = Vec::new();
    for side in 0..4 {
        let (a, b) = (CORNERS[side], CORNERS[(side + 1) % 4]);
        for i in 0..100 {
            let share = f64::from(i) / 100.0;
            path.push(plane(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share));
        }
    }
    path.push(path[0]);
    path
}

#[test]
fn both_directions_of_the_square_close_to_1e_12_and_meet_in_the_same_configurations() {
    let model = chang();
    let mut solver = manipulability_solver(&model);
    let there = square();
    let back: Vec<_> = there.iter().rev().copied().collect();
    let [a, b] = [&there, &back].map(|path| solver.follow(path, Some(&paper_start())).unwrap());
    for path in [&a, &b] {
        assert!(path.is_success() && path.closed && path.closure_error.unwrap() < 1e-12);
        assert!(path.smallest_eigenvalue > 0.3);
    }
    for (a, b) in a.points.iter().zip(b.points.iter().rev()) {
        assert!(largest_difference(&a.q, &b.q) < 1e-12);
    }
}

#[test]
fn all_eight_stationary_points_are_found_and_classified() {
    let (suite, model) = (suite(), chang());
    let mut solver = manipulability_solver(&model);
    let found = solver.solve_all(&plane(446.004, 91.514), None).unwrap();
    let expected = suite["chang_1987"]["all_stationary_points_at_446p004_91p514"].as_array().unwrap();
    assert_eq!((found.len(), expected.len()), (8, 8));
    for point in expected {
        let theta = numbers(&point["theta_rad"]);
        let near = found.iter().find(|found| largest_difference(&found.q, &theta) < 1e-10).unwrap();
        // The determinant is largest where −log w is smallest.
        let kind = if point["kind"] == "max" { Kind::Minimum } else { Kind::Maximum };
        assert_eq!(near.report.kind, kind);
        // w² = det(J Jᵀ), lengths in half metres here and in 0.6 m there.
        let determinant = (-2.0 * near.report.criterion).exp() * (0.5_f64 / 0.6).powi(4);
        assert!((determinant / number(&point["H_norm"]) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_papers_equations_have_the_same_solutions() {
    let model = chang();
    let mut solver = manipulability_solver(&model);
    for [x, y] in CORNERS {
        let target = plane(x, y);
        let newton = solver.solve(&target, Some(&paper_start())).unwrap();
        for extra in [Extra::Null, Extra::ExtendedJacobian] {
            let found = solver.solve_chang(&target, Some(&paper_start()), extra).unwrap();
            assert_eq!(found.report.status, Status::Solved);
            assert!(largest_difference(&found.q, &newton.q) < 1e-11);
            // Evaluations of the equations: the paper says 10 to 20.
            assert!((10..=25).contains(&found.report.iterations), "{}", found.report.iterations);
        }
    }
    // A maximum of −log w is a solution of the paper's equations, and called what it is.
    let top = [0.06, 2.36, 3.0];
    let found = solver.solve_chang(&plane(446.004, 91.514), Some(&top), Extra::Null).unwrap();
    assert_eq!((found.report.status, found.report.kind), (Status::WrongKind, Kind::Maximum));
}

fn volume_solver(model: &Model) -> Solver<'_> {
    let task = Task { length: 1.0, ..Task::position_xy(last(model)) };
    let criterion = Box::new(Manipulability::new(Measure::NegativeVolume));
    Solver::new(model, task, criterion, Options::default()).unwrap()
}

#[test]
fn resolved_motion_lags_as_published() {
    let (suite, model) = (suite(), chang());
    let (mut solver, mut optimum) = (volume_solver(&model), manipulability_solver(&model));
    // The paper's tips are off the command by a start-up error that its integration keeps; the lag is taken there.
    let corner = |k: usize| plane(CORNERS[k % 4][0] - 0.26, CORNERS[k % 4][1] + 1.67);
    let corners: Vec<_> = (0..9).map(corner).collect();
    let points = solver.resolved_motion(&corners, Some(&paper_start()), &ResolvedMotion::default()).unwrap();
    let lags = &suite["chang_1987"]["rm_steady_state_lag"];
    let tolerance = number(&lags["tolerance_deg"]);
    for (k, leg) in ["leg_down_446", "leg_right", "leg_up_546", "leg_left"].into_iter().enumerate() {
        let point = &points[5 + k];
        assert!(point.report.pose_error < 1e-6);
        let best = optimum.solve(&corners[5 + k], Some(&point.q)).unwrap();
        let lag: Vec<f64> = point.q.iter().zip(&best.q).map(|(a, b)| (a - b).to_degrees()).collect();
        assert!(largest_difference(&lag, &numbers(&lags["lag_deg_ccw_after_each_leg"][leg])) < tolerance, "{lag:?}");
    }
    // Standing still it comes to the same optimum, Appendix II of the paper.
    let still = solver.solve_resolved_motion(&plane(446.004, 91.514), Some(&paper_start()), &ResolvedMotion::default());
    let best = optimum.solve(&plane(446.004, 91.514), Some(&paper_start())).unwrap();
    assert!(largest_difference(&still.unwrap().q, &best.q) < 1e-6);
}

fn case_robot(name: &str) -> Model {
    match name {
        "panda" => robots::load("panda").unwrap(),
        _ => {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/robots/iiwa14_dh.toml");
            Model::from_description(&formats::read_path(std::path::Path::new(path)).description.unwrap()).unwrap()
        }
    }
}

fn case_criterion(case: &Value) -> Box<dyn Criterion> {
    let list = |key: &str| case["params"][key].as_array().map(|list| list.iter().map(number).collect::<Vec<f64>>());
    let pairs = || list("center_or_lo").unwrap().into_iter().zip(list("weight_or_hi").unwrap());
    match case["criterion"].as_str().unwrap() {
        "neg_log_manip" => Box::new(Manipulability::default()),
        "midrange_quadratic" => Box::new(Joints::springs(&pairs().collect::<Vec<_>>())),
        _ => Box::new(Joints::barrier_between(&pairs().map(|(a, b)| [a, b]).collect::<Vec<_>>())),
    }
}

#[test]
fn seven_joint_cases_are_not_worse_than_the_best_known() {
    for case in suite()["seven_dof"].as_array().unwrap() {
        let model = case_robot(case["robot"].as_str().unwrap());
        let rows: Vec<Vec<f64>> = case["target_pose"].as_array().unwrap().iter().map(numbers).collect();
        let target = Pose {
            rotation: Rotation(std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j]))),
            translation: Vector(std::array::from_fn(|i| rows[i][3])),
        };
        let options = Options { limits: false, ..Options::default() };
        let mut solver = Solver::new(&model, Task::pose(last(&model)), case_criterion(case), options).unwrap();
        let found = solver.solve(&target, None).unwrap();
        let best = number(&case["best_minima"][0]["H"]);
        assert!(found.report.criterion <= best + 1e-10, "{}: {} {best}", case["id"], found.report.criterion);
        assert!(found.report.pose_error <= 1e-10 && found.report.stationarity <= 1e-10);
        // Every stored minimum is one here, and stays where it is.
        for minimum in case["best_minima"].as_array().unwrap() {
            let q = numbers(&minimum["q_rad"]);
            let kept = solver.solve(&target, Some(&q)).unwrap();
            assert_eq!(kept.report.kind, Kind::Minimum);
            assert!(largest_difference(&kept.q, &q) < 1e-9, "{}", case["id"]);
            assert!((kept.report.criterion - number(&minimum["H"])).abs() < 1e-11);
        }
    }
}

/// Random reachable poses with random starts, both within the limits.
fn random_poses(model: &Model, count: usize, seed: u64) -> Vec<(Pose<f64>, Vec<f64>)> {
    let mut random = Random::new(seed);
    let limits: Vec<[f64; 2]> = model.links().iter().filter_map(|link| link.limits.position).collect();
    assert_eq!(limits.len(), model.nq());
    let mut position = || -> Vec<f64> { limits.iter().map(|[a, b]| random.range(*a, *b)).collect() };
    (0..count).map(|_| (kinematics::pose(model, &position(), last(model)), position())).collect()
}

fn within_limits(model: &Model, q: &[f64]) -> bool {
    let limits = model.links().iter().filter_map(|link| Some((link.q, link.limits.position?)));
    limits.into_iter().all(|(i, [low, high])| q[i] >= low && q[i] <= high)
}

#[test]
fn a_thousand_random_poses_are_all_reached_within_limits() {
    for name in ["panda", "iiwa14", "ur5"] {
        let model = robots::load(name).unwrap();
        let options = Options { tolerance: 1e-9, ..Options::default() };
        let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(Constant), options).unwrap();
        for (target, start) in random_poses(&model, 1000, 42) {
            let mut q = start.clone();
            let report = solver.reach_into(&target, &mut q).unwrap();
            assert!(report.status.is_success() && within_limits(&model, &q), "{name} from {start:?}");
            let reached = kinematics::pose(&model, &q, last(&model));
            assert!((reached.translation - target.translation).norm() < 1e-8, "{name}");
            assert!((reached.rotation * target.rotation.transpose()).log().norm() < 1e-8, "{name}");
        }
    }
}

#[test]
fn one_start_reaches_99_of_100_poses_without_limits() {
    for name in ["panda", "iiwa14"] {
        let model = robots::load(name).unwrap();
        let options = Options { limits: false, starts: 1, tolerance: 1e-9, ..Options::default() };
        let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(Constant), options).unwrap();
        let mut reached = 0;
        for (target, mut q) in random_poses(&model, 1000, 43) {
            reached += usize::from(solver.reach_into(&target, &mut q).unwrap().status.is_success());
        }
        assert!(reached >= 990, "{name}: {reached}");
    }
}

/// |∂H − Jᵀλ| by means that share nothing with the solver: J from kinematics, ∂H by differences of a formula written here.
fn projected_gradient(model: &Model, q: &[f64], held: &[usize], h: impl Fn(&[f64]) -> f64) -> f64 {
    let n = model.nv();
    let jacobian = kinematics::jacobian(model, q, Frame::world_aligned(last(model)));
    let mut gradient: Vec<f64> = (0..n)
        .map(|i| {
            let moved = |d: f64| {
                let mut q = q.to_vec();
                q[i] += d;
                h(&q)
            };
            let d = 1e-4;
            (8.0 * (moved(d) - moved(-d)) - (moved(2.0 * d) - moved(-2.0 * d))) / (12.0 * d)
        })
        .collect();
    let mut rows: Vec<Vec<f64>> = (0..6).map(|i| (0..n).map(|j| jacobian[(i, j)]).collect()).collect();
    for row in rows.iter_mut().chain([&mut gradient]) {
        held.iter().for_each(|&i| row[i] = 0.0);
    }
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    // Gram–Schmidt, twice.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut row in rows {
        for _ in 0..2 {
            for unit in &basis {
                let along = dot(&row, unit);
                row.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
            }
        }
        let length = dot(&row, &row).sqrt();
        if length > 1e-9 {
            basis.push(row.iter().map(|x| x / length).collect());
        }
    }
    for _ in 0..2 {
        for unit in &basis {
            let along = dot(&gradient, unit);
            gradient.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
        }
    }
    dot(&gradient, &gradient).sqrt()
}

/// −½ log det(J Jᵀ), J from kinematics, positions in half metres.
fn log_manipulability(model: &Model, q: &[f64]) -> f64 {
    let jacobian = kinematics::jacobian(model, q, Frame::world_aligned(last(model)));
    let n = model.nv();
    let element = |i: usize, j: usize| jacobian[(i, j)] * if i < 3 { 2.0 } else { 1.0 };
    let mut g: Vec<Vec<f64>> =
        (0..6).map(|i| (0..6).map(|k| (0..n).map(|j| element(i, j) * element(k, j)).sum()).collect()).collect();
    let mut log = 0.0;
    for k in 0..6 {
        log += g[k][k].ln();
        for i in k + 1..6 {
            let factor = g[i][k] / g[k][k];
            for j in k..6 {
                let x = g[k][j];
                g[i][j] -= factor * x;
            }
        }
    }
    -0.5 * log
}

#[test]
fn criteria_within_limits_are_certified_for_999_of_1000_poses() {
    for name in ["panda", "iiwa14"] {
        let model = robots::load(name).unwrap();
        let chain = Chain::new(&model, last(&model), Vector::zero());
        let criteria: [(&str, Box<dyn Criterion>); 3] = [
            ("manipulability", Box::new(Manipulability::default())),
            ("mid-range", Box::new(Joints::mid_range(&chain))),
            ("limit-barrier", Box::new(Joints::limit_barrier(&chain))),
        ];
        for (what, criterion) in criteria {
            let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, Options::default()).unwrap();
            let (mut certified, mut checked) = (0, 0);
            let poses = random_poses(&model, 1000, 44);
            for (target, start) in &poses {
                let found = solver.solve(target, Some(start)).unwrap();
                let report = &found.report;
                let good = report.status.is_success() && report.pose_error <= 1e-9 && report.stationarity <= 1e-9;
                certified += usize::from(good && within_limits(&model, &found.q));
                if what == "manipulability" && good && checked < 50 {
                    // Away from singularities, where differences are worth something.
                    let h = log_manipulability(&model, &found.q);
                    assert!((h - report.criterion).abs() < 1e-9);
                    if h < 4.0 {
                        let residual =
                            projected_gradient(&model, &found.q, &found.active, |q| log_manipulability(&model, q));
                        assert!(residual < 1e-6, "{name}: {residual}");
                        checked += 1;
                    }
                }
            }
            assert!(certified >= 999, "{name}, {what}: {certified}");
            assert!(what != "manipulability" || checked == 50);
        }
    }
}

#[test]
fn convergence_is_of_order_two() {
    let model = robots::load("panda").unwrap();
    let mut orders = Vec::new();
    for (index, (target, start)) in random_poses(&model, 40, 45).iter().enumerate() {
        let solver = |iterations: usize| {
            let options = Options { iterations, limits: false, ..Options::default() };
            Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), options).unwrap()
        };
        let exact = solver(150).solve(target, Some(start)).unwrap();
        if !exact.report.status.is_success() || exact.report.smallest_eigenvalue < 0.05 {
            continue;
        }
        let mut random = Random::new(index as u64);
        let begin: Vec<f64> = exact.q.iter().map(|x| x + random.range(-0.01, 0.01)).collect();
        let error = |iterations: usize| {
            let mut q = begin.clone();
            solver(iterations).solve_into(target, &mut q).unwrap();
            largest_difference(&q, &exact.q)
        };
        let errors: Vec<f64> = (0..5).map(error).collect();
        for window in errors.windows(3) {
            // Between the region of convergence and rounding.
            if window[0] < 2e-2 && window[2] > 1e-13 && window[1] < 0.3 * window[0] {
                orders.push((window[2] / window[1]).ln() / (window[1] / window[0]).ln());
            }
        }
    }
    orders.sort_by(f64::total_cmp);
    assert!(orders.len() >= 10, "{orders:?}");
    assert!(orders[orders.len() / 2] >= 1.9, "{orders:?}");
}

/// Three joints that turn by 0.1 rad.
fn stiff_arm() -> Model {
    let link = |name: &str| {
        format!(
            "[[link]]\nname = \"{name}\"\norigin = {{ xyz = [0.5, 0, 0] }}\n\
             joint = {{ type = \"revolute\", limits = [-0.05, 0.05] }}\n"
        )
    };
    let tool = "[[link]]\nname = \"tool\"\norigin = { xyz = [0.5, 0, 0] }\n";
    let text = format!("name = \"stiff\"\n{}{}{}{tool}", link("a"), link("b"), link("c"));
    let reading = formats::read_str(&text, formats::Format::Toml);
    Model::from_description(&reading.description.expect("a robot")).unwrap()
}

#[test]
fn what_cannot_be_reached_is_said_so() {
    let model = robots::load("panda").unwrap();
    let solve = |target: &Pose<f64>, task: Task, limits: bool| {
        let options = Options { limits, starts: 20, ..Options::default() };
        let mut solver = Solver::new(&model, task, Box::new(Manipulability::default()), options).unwrap();
        solver.solve(target, None).unwrap()
    };
    let far = Pose::translation(Vector([3.0, 0.0, 0.5]));
    let found = solve(&far, Task::pose(last(&model)), true);
    assert_eq!(found.report.status, Status::Unreachable);
    assert!(found.report.pose_error > 1.0 && found.q.iter().all(|x| x.is_finite()));
    // An arm that can hardly bend: reachable, but not within its limits.
    let stiff = stiff_arm();
    let target = kinematics::pose(&stiff, &[0.5, 0.8, -0.4], last(&stiff));
    for limits in [true, false] {
        let options = Options { limits, ..Options::default() };
        let task = Task::position_xy(last(&stiff));
        let mut solver = Solver::new(&stiff, task, Box::new(Manipulability::default()), options).unwrap();
        let found = solver.solve(&target, None).unwrap();
        assert_eq!(found.report.status, if limits { Status::Unreachable } else { Status::Solved });
        assert_eq!(within_limits(&stiff, &found.q), limits);
    }
    let mut q = [0.3, 0.2, 0.1, -0.03, 0.2, 1.5, 0.1];
    // Beyond the finite numbers there is no target.
    let mut solver =
        Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), Options::default()).unwrap();
    assert_eq!(solver.solve(&Pose::translation(Vector([0.0, -1e160, 0.0])), None), Err(IkError::Target));
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(solver.solve(&Pose::translation(Vector([bad, 0.0, 0.0])), None), Err(IkError::Target));
        let rotation = Rotation([[bad, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(solver.solve(&Pose { rotation, translation: Vector::zero() }, None), Err(IkError::Target));
        q[2] = bad;
        assert_eq!(solver.solve(&far, Some(&q)), Err(IkError::Start));
    }
    assert!(matches!(solver.solve(&far, Some(&[0.0; 3])), Err(IkError::StartLength { .. })));
}

#[test]
fn singular_starts_and_singular_targets_end_in_finite_numbers_and_a_status() {
    let model = chang();
    let mut solver = manipulability_solver(&model);
    // Stretched and folded starts.
    for start in [[0.0, 0.0, 0.0], [0.0, std::f64::consts::PI, 0.0], [1.0, 0.0, std::f64::consts::PI]] {
        for target in [plane(446.004, 91.514), plane(0.0, 900.0), plane(0.0, -700.0)] {
            let found = solver.solve(&target, Some(&start)).unwrap();
            assert_eq!(found.report.status, Status::Solved, "{start:?}");
        }
    }
    // At the end of its reach the arm is straight and its Jacobian without full rank.
    let found = solver.solve(&plane(1650.0, 0.0), Some(&[1.0, 0.2, 0.2])).unwrap();
    assert!(
        matches!(found.report.status, Status::RankDeficient | Status::NotStationary | Status::Unreachable),
        "{found:?}"
    );
    assert!(found.report.pose_error < 1e-3 && found.report.pose_error.is_finite());
    let beyond = solver.solve(&plane(1700.0, 0.0), None).unwrap();
    assert_eq!(beyond.report.status, Status::Unreachable);
    assert!((beyond.report.pose_error - 0.05).abs() < 0.01);
}

#[test]
fn an_active_limit_is_told_with_its_joint_and_pushes_the_right_way() {
    let model = robots::load("panda").unwrap();
    let chain = Chain::new(&model, last(&model), Vector::zero());
    let home = [2.0, 1.0, 0.0, -1.0, 2.5, 1.0, 2.0];
    let criterion = Box::new(Joints::home(&model, &chain, &home, &[]));
    let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, Options::default()).unwrap();
    let mut active = 0;
    for (target, start) in random_poses(&model, 60, 46) {
        let found = solver.solve(&target, Some(&start)).unwrap();
        assert!(found.report.status.is_success());
        assert_eq!(found.report.status == Status::LimitActive, !found.active.is_empty());
        for &joint in &found.active {
            active += 1;
            let [low, high] = model.links()[joint].limits.position.unwrap();
            let x = found.q[joint];
            assert!(x == low || x == high, "joint {joint} at {x}");
        }
        let residual = projected_gradient(&model, &found.q, &found.active, |q| {
            q.iter().zip(home).map(|(x, c)| 0.5 * (x - c) * (x - c)).sum()
        });
        assert!(residual < 1e-8, "{residual}");
    }
    assert!(active > 0);
}

#[test]
fn the_same_input_gives_the_same_output_bit_for_bit() {
    let model = robots::load("iiwa14").unwrap();
    let run = || {
        let mut solver =
            Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), Options::default())
                .unwrap();
        let poses = random_poses(&model, 5, 47);
        poses.iter().map(|(target, _)| solver.solve(target, None).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// Arms and trees with prismatic, helical, universal, coupled, spherical and free joints.
#[test]
fn random_trees_reach_what_they_can_reach_and_the_criterion_falls() {
    let mut solved = 0;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let shape = Shape {
            links: 5 + random.below(6),
            free_base: random.chance(0.2),
            chain: random.chance(0.6),
            special_links: random.chance(0.4),
            mimic: random.chance(0.4),
            motors: false,
        };
        let model = Model::from_description(&random_description(shape, &mut random)).unwrap();
        let link = last(&model);
        let chain = Chain::new(&model, link, Vector::zero());
        if chain.variables().len() < 4 {
            continue;
        }
        let mut aim: Vec<f64> = model.neutral();
        model.retract(&mut aim, &random.vector(model.nv(), 1.0));
        let target = kinematics::pose(&model, &aim, link);
        let mut home: Vec<f64> = model.neutral();
        model.retract(&mut home, &random.vector(model.nv(), 0.3));
        let criterion = Box::new(Joints::home(&model, &chain, &home, &[]));
        let options = Options { starts: 30, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position(link), criterion, options).unwrap();
        let found = solver.solve(&target, None).unwrap();
        assert!(found.q.iter().all(|x| x.is_finite()));
        assert_ne!(found.report.status, Status::Unreachable, "seed {seed}");
        let reached = kinematics::pose(&model, &found.q, link);
        assert!((reached.translation - target.translation).norm() < 1e-9, "seed {seed}");
        if found.report.status.is_success() {
            solved += 1;
            // Not worse than the configuration that the target was made of.
            let distance = |q: &[f64]| -> f64 {
                let plain = chain.variables().iter().filter_map(|variable| variable.position);
                plain.map(|i| 0.5 * (q[i] - home[i]).powi(2)).sum()
            };
            let quaternions = chain.variables().iter().any(|variable| variable.position.is_none());
            assert!(quaternions || distance(&found.q) <= distance(&aim) + 1e-9, "seed {seed}");
        }
    }
    assert!(solved >= 30, "{solved}");
}

#[test]
fn any_rows_and_pointing_axes_are_tasks() {
    let model = robots::load("iiwa14").unwrap();
    let link = last(&model);
    let mut random = Random::new(5);
    let axis = Vector([0.0, 0.6, 0.8]);
    let pointing = Task { orientation: Orientation::Axis { axis, weight: 1.0 }, ..Task::position(link) };
    let tasks = [
        Task::position(link),
        pointing,
        Task::pointing(link, axis),
        Task::rows(link, [1.0, 0.0, 2.0, 0.0, 0.5, 0.0]),
        Task::rows(link, [0.0, 0.0, 1.0, 1.0, 1.0, 0.0]),
        Task { point: Vector([0.0, 0.1, 0.2]), ..Task::pose(link) },
    ];
    for (index, task) in tasks.iter().enumerate() {
        for case in 0..10 {
            let aim = random.vector(7, 1.2);
            let chain = Chain::new(&model, link, task.point);
            let target = chain.tip(&aim);
            let mut solver = Solver::new(
                &model,
                *task,
                Box::new(Manipulability::default()),
                Options { starts: 20, ..Options::default() },
            )
            .unwrap();
            let found = solver.solve(&target, None).unwrap();
            assert!(found.report.status.is_success(), "task {index}, case {case}: {:?}", found.report);
            let tip = chain.tip(&found.q);
            let free = found.report.active;
            assert_eq!(found.report.redundancy + free, 7 - task.row_count());
            if let Orientation::Axis { axis, .. } = task.orientation {
                assert!((tip.rotation.apply(axis) - target.rotation.apply(axis)).norm() < 1e-9);
            }
            for i in (0..3).filter(|&i| task.position[i] != 0.0) {
                assert!((tip.translation[i] - target.translation[i]).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn an_arm_without_redundancy_is_the_same_problem() {
    let model = robots::load("ur5").unwrap();
    let mut solver =
        Solver::new(&model, Task::pose(last(&model)), Box::new(Constant), Options { starts: 60, ..Options::default() })
            .unwrap();
    let q = [0.4, -1.1, 1.3, -0.5, 0.9, 0.2];
    let target = kinematics::pose(&model, &q, last(&model));
    let found = solver.solve(&target, None).unwrap();
    assert_eq!((found.report.status, found.report.kind, found.report.redundancy), (Status::Solved, Kind::Minimum, 0));
    // Eight ways to reach a pose at most; these are all different and all reach it.
    let all = solver.solve_all(&target, None).unwrap();
    assert!((2..=8).contains(&all.len()), "{}", all.len());
    assert!(all.iter().any(|found| largest_difference(&found.q, &q) < 1e-8));
}

/// A criterion of the user's: no Hessian.
struct Quartic;

impl Criterion for Quartic {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        at.q.iter().map(|x| x.powi(4) / 4.0).sum()
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.iter_mut().zip(at.q).for_each(|(out, x)| *out = x.powi(3));
    }
}

#[test]
fn users_criteria_and_weighted_sums_are_minimised() {
    let model = robots::load("iiwa14").unwrap();
    let target = kinematics::pose(&model, &[0.3, 0.8, -0.4, 1.1, 0.2, -0.9, 0.5], last(&model));
    let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(Quartic), Options::default()).unwrap();
    let found = solver.solve(&target, None).unwrap();
    assert_eq!((found.report.status, found.report.kind), (Status::Solved, Kind::Minimum));
    let residual = projected_gradient(&model, &found.q, &[], |q| q.iter().map(|x| x.powi(4) / 4.0).sum());
    assert!(residual < 1e-8, "{residual}");
    let sum = WeightedSum::default().with(1.0, Box::new(Manipulability::default())).with(0.5, Box::new(Quartic));
    let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(sum), Options::default()).unwrap();
    let found = solver.solve(&target, None).unwrap();
    assert!(found.report.status.is_success());
}

#[test]
fn obstacles_are_kept_away_from() {
    let model = chang();
    let link = last(&model);
    let chain = Chain::new(&model, link, Vector::zero());
    let obstacle = Obstacle { center: Vector([0.25, 0.75, 0.0]), radii: Vector([0.15, 0.15, 0.15]), exponent: 4.0 };
    let options = Options::default();
    let solve = |criterion: Box<dyn Criterion>, goal: Goal| {
        let mut solver = Solver::new(&model, Task::position_xy(link), criterion, Options { goal, ..options }).unwrap();
        solver.solve(&plane(700.0, 500.0), None).unwrap()
    };
    let clearance = |q: &[f64]| {
        let mut least = f64::INFINITY;
        for (name, length) in [("link1", 0.6), ("link2", 0.85), ("link3", 0.2)] {
            let pose = kinematics::pose(&model, q, model.link_index(name).unwrap());
            for i in 0..=20 {
                let p = pose.apply(Vector([0.0, length * f64::from(i) / 20.0, 0.0]));
                let c: f64 = (0..2).map(|k| ((p[k] - obstacle.center[k]) / 0.15_f64).powi(4)).sum();
                least = least.min(c);
            }
        }
        least
    };
    let away = solve(Box::new(Obstacles::new(&chain, vec![obstacle], 8)), Goal::Minimum);
    assert!(away.report.status.is_success());
    assert!(clearance(&away.q) > 1.0, "{}", clearance(&away.q));
}

#[test]
fn a_path_that_leaves_the_workspace_says_so_and_stays_near() {
    let model = chang();
    let mut solver = manipulability_solver(&model);
    let path: Vec<_> = (0..=10).map(|i| plane(900.0 + 100.0 * f64::from(i), 100.0)).collect();
    let found = solver.follow(&path, Some(&[0.5, 1.2, 1.0])).unwrap();
    assert!(!found.is_success() && found.jumps.is_empty() && !found.closed && found.closure_error.is_none());
    for (point, x) in found.points.iter().zip(0..) {
        assert_eq!(point.report.status.is_success(), 900 + 100 * x < 1646, "{x}");
    }
    assert_eq!(
        found.events.last().map(|event| (event.kind, event.from, event.to)),
        Some((EventKind::Unreachable, 8, 10))
    );
    assert_eq!(found.points[10].report.status, Status::Unreachable);
    // Straight towards the target: 1650 mm of arm, 1900 and 100 mm to go.
    assert!((found.points[10].report.pose_error - (1.9_f64.hypot(0.1) - 1.65)).abs() < 1e-6);
}

fn corner(file: &str) -> Vec<Pose<f64>> {
    let path = format!("{}/../../suite/corners/{file}", env!("CARGO_MANIFEST_DIR"));
    let value: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let pose = |rows: &Value| Pose {
        rotation: Rotation(std::array::from_fn(|i| std::array::from_fn(|j| number(&rows[i][j])))),
        translation: Vector(std::array::from_fn(|i| number(&rows[i][3]))),
    };
    value.as_array().unwrap().iter().map(pose).collect()
}

fn steps(points: &[jourdain::ik::Solution]) -> f64 {
    points.windows(2).map(|pair| largest_difference(&pair[0].q, &pair[1].q)).fold(0.0, f64::max)
}

fn path_events(found: &jourdain::ik::PathSolution, kind: EventKind) -> Vec<(usize, usize)> {
    found.events.iter().filter(|event| event.kind == kind).map(|event| (event.from, event.to)).collect()
}

#[test]
fn an_arm_waits_where_a_path_leaves_its_workspace_and_goes_on_when_it_comes_back() {
    let model = robots::load("iiwa14").unwrap();
    let targets = corner("iiwa14_path_leaves_workspace.json");
    let mut solver =
        Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), Options::default()).unwrap();
    let found = solver.follow(&targets, None).unwrap();
    assert_eq!(path_events(&found, EventKind::Unreachable), [(88, 126)], "{:?}", found.events);
    assert_eq!(path_events(&found, EventKind::Jump), []);
    assert!(steps(&found.points) < 0.6, "{}", steps(&found.points));
}

#[test]
fn a_continuous_path_through_a_singularity_is_no_jump() {
    let model = robots::load("ur5").unwrap();
    let targets = corner("ur5_path_singular.json");
    let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(Constant), Options::default()).unwrap();
    let found = solver.follow(&targets, Some(&[0.2, -1.0, 1.4, 0.3, 0.5, 0.1])).unwrap();
    assert!(found.is_success(), "{:?}", found.events);
    assert!(steps(&found.points) < 0.05, "{}", steps(&found.points));
    assert!(
        path_events(&found, EventKind::Singular).iter().any(|&(from, to)| from <= 51 && to >= 50),
        "{:?}",
        found.events
    );
}

#[test]
fn a_change_of_active_limits_is_told_and_is_no_jump() {
    let model = robots::load("iiwa14").unwrap();
    let chain = Chain::new(&model, last(&model), Vector::zero());
    let mut changes = 0;
    for seed in 0..12 {
        let mut random = Random::new(900 + seed);
        // A home beyond the limits of some joints pulls the arm to them.
        let home: Vec<f64> = (0..7).map(|_| random.range(-4.0, 4.0)).collect();
        let criterion = Box::new(Joints::home(&model, &chain, &home, &[]));
        let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, Options::default()).unwrap();
        let middle = [0.3, 0.7, -0.2, -1.2, 0.4, 0.8, 0.1];
        let first = kinematics::pose(&model, &middle, last(&model));
        let targets: Vec<Pose<f64>> = (0..120)
            .map(|i| {
                let angle = std::f64::consts::TAU * f64::from(i) / 119.0;
                let shift = Vector([0.12 * (angle.cos() - 1.0), 0.12 * angle.sin(), 0.05 * angle.sin()]);
                Pose { translation: first.translation + shift, ..first }
            })
            .collect();
        let found = solver.follow(&targets, None).unwrap();
        changes += path_events(&found, EventKind::LimitChange).len();
        for (k, pair) in found.points.windows(2).enumerate() {
            let jumped = found.jumps.contains(&(k + 1));
            let step = largest_difference(&pair[0].q, &pair[1].q);
            // Path steps of 7 mm, 0.014 of half the arm's length.
            assert!(!jumped || step > 0.15, "seed {seed}, point {}: {step}", k + 1);
        }
    }
    assert!(changes >= 5, "{changes}");
}

/// A body that floats, with a leg of three joints.
const FLOATING_LEG: &str = r#"
name = "floating_leg"
[[link]]
name = "body"
joint = { type = "free" }
[[link]]
name = "hip"
origin = { xyz = [0.2, 0.1, 0.0] }
joint = { type = "revolute", axis = [1, 0, 0], limits = [-10, 10] }
[[link]]
name = "thigh"
origin = { xyz = [0.0, 0.02, 0.0] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-10, 10] }
[[link]]
name = "shank"
origin = { xyz = [0.0, 0.04, -0.16] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-10, 10] }
[[link]]
name = "foot"
origin = { xyz = [0.0, 0.01, -0.16] }
"#;

#[test]
fn the_leg_of_a_floating_robot_is_placed_with_the_best_manipulability() {
    let description = formats::read_str(FLOATING_LEG, formats::Format::Toml).description.unwrap();
    let model = Model::from_description(&description).unwrap();
    for target in [[0.2, 0.15, -0.25], [-1.3, 0.4, 0.6], [30.0, 0.0, 2.0]] {
        let target = Pose::translation(Vector(target));
        for task in [Task::position(last(&model)), Task::pose(last(&model))] {
            let options = Options { starts: 20, ..Options::default() };
            let mut solver = Solver::new(&model, task, Box::new(Manipulability::default()), options).unwrap();
            let found = solver.solve(&target, None).unwrap();
            assert!(found.report.status.is_success(), "{:?}", found.report);
            let reached = kinematics::pose(&model, &found.q, last(&model));
            assert!((reached.translation - target.translation).norm() < 1e-9);
        }
    }
}

#[test]
fn the_task_s_length_does_not_change_what_is_reached() {
    let model = robots::load("puma560").unwrap();
    for (target, start) in random_poses(&model, 20, 49) {
        let reached = [1e-3, 0.5, 100.0].map(|length| {
            let task = Task { length, ..Task::pose(last(&model)) };
            let mut solver = Solver::new(&model, task, Box::new(Constant), Options::default()).unwrap();
            solver.solve(&target, Some(&start)).unwrap()
        });
        assert!(reached[0].report.status.is_success());
        assert!(reached[0] == reached[1] && reached[1] == reached[2]);
    }
}

#[test]
fn every_component_of_the_self_motion_is_covered() {
    let model = chang();
    let options = Options { limits: false, ..Options::default() };
    let mut random = Random::new(77);
    for case in 0..12 {
        let (radius, angle) = (random.range(0.08, 1.6), random.range(-3.0, 3.0));
        let (x, y) = (radius * f64::cos(angle), radius * f64::sin(angle));
        let mut expected = brute_force_extrema([0.6, 0.85, 0.2], x, y, 40_000);
        let task = Task::position_xy(last(&model));
        let mut solver = Solver::new(&model, task, Box::new(Manipulability::default()), options).unwrap();
        let found = solver.solve_all(&Pose::translation(Vector([x, y, 0.0])), None).unwrap();
        let mut values: Vec<f64> = found.iter().map(|found| found.report.criterion).collect();
        expected.sort_by(f64::total_cmp);
        values.sort_by(f64::total_cmp);
        assert_eq!(values.len(), expected.len(), "case {case} at {x}, {y}: {values:?} {expected:?}");
        for (a, b) in values.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "case {case}: {values:?} {expected:?}");
        }
    }
}

#[test]
fn all_stationary_points_hold_every_optimum_that_starts_find() {
    for (name, limits) in [("panda", true), ("iiwa14", true), ("iiwa14", false)] {
        let model = robots::load(name).unwrap();
        let chain = Chain::new(&model, last(&model), Vector::zero());
        for (case, (target, _)) in random_poses(&model, 3, 50).into_iter().enumerate() {
            let criterion: Box<dyn Criterion> = if case == 0 && limits {
                Box::new(Joints::mid_range(&chain))
            } else {
                Box::new(Manipulability::default())
            };
            let options = Options { limits, starts: 1, ..Options::default() };
            let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, options).unwrap();
            let mut random = Random::new(51);
            let mut values: Vec<f64> = Vec::new();
            for _ in 0..300 {
                let ranges = model.links().iter().filter_map(|link| link.limits.position);
                let start: Vec<f64> = ranges.map(|[a, b]| random.range(a, b)).collect();
                let found = solver.solve(&target, Some(&start)).unwrap();
                if found.report.status.is_success() && within_limits(&model, &found.q) {
                    values.push(found.report.criterion);
                }
            }
            let criterion: Box<dyn Criterion> = if case == 0 && limits {
                Box::new(Joints::mid_range(&chain))
            } else {
                Box::new(Manipulability::default())
            };
            let options = Options { limits, ..Options::default() };
            let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, options).unwrap();
            let all = solver.solve_all(&target, None).unwrap();
            for value in values {
                let known = all.iter().any(|found| (found.report.criterion - value).abs() < 1e-7 * (1.0 + value.abs()));
                assert!(known, "{name}, limits {limits}, case {case}: {value}");
            }
        }
    }
}

#[test]
fn the_best_optimum_is_found_and_its_chance_told() {
    for name in ["panda", "iiwa14"] {
        let model = robots::load(name).unwrap();
        for (target, _) in random_poses(&model, 2, 52) {
            let solve = |chance: f64, seed: u64| {
                let options = Options { chance, seed, starts: 20_000, ..Options::default() };
                let criterion = Box::new(Manipulability::default());
                let mut solver = Solver::new(&model, Task::pose(last(&model)), criterion, options).unwrap();
                solver.solve(&target, None).unwrap().report
            };
            let (found, thorough) = (solve(0.01, 1), solve(0.003, 2));
            assert!(found.chance.unwrap() <= 0.01 && found.starts < thorough.starts);
            assert!(found.criterion <= thorough.criterion + 1e-9, "{name}: {} {}", found.criterion, thorough.criterion);
        }
    }
}

#[test]
fn a_rotating_path_of_a_seven_joint_arm_closes() {
    let model = robots::load("iiwa14").unwrap();
    let mut solver =
        Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), Options::default()).unwrap();
    let q = [0.3, 0.9, 0.2, 1.3, -0.3, 0.8, 0.1];
    let first = kinematics::pose(&model, &q, last(&model));
    let mut path: Vec<Pose<f64>> = (0..60)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / 60.0;
            let turn = Rotation::exp(Vector([0.2 * angle.sin(), 0.0, 0.1 * (1.0 - angle.cos())]));
            let shift = Vector([0.05 * (angle.cos() - 1.0), 0.05 * angle.sin(), 0.03 * angle.sin()]);
            Pose { rotation: turn * first.rotation, translation: first.translation + shift }
        })
        .collect();
    path.push(path[0]);
    let found = solver.follow(&path, Some(&q)).unwrap();
    assert!(found.is_success(), "{:?}", found.jumps);
    assert!(found.closure_error.unwrap() < 1e-11, "{:?}", found.closure_error);
}

#[test]
fn tasks_that_are_none_are_refused() {
    let model = chang();
    let new = |task: Task| Solver::new(&model, task, Box::new(Constant), Options::default()).err();
    assert_eq!(new(Task::rows(3, [0.0; 6])), Some(IkError::Task));
    assert_eq!(new(Task::rows(3, [f64::NAN, 1.0, 0.0, 0.0, 0.0, 0.0])), Some(IkError::Task));
    assert_eq!(new(Task::pose(9)), Some(IkError::Link(9)));
    // A pose in the plane: six rows, three of them dependent. Nothing is lost.
    let mut solver = Solver::new(&model, Task::pose(3), Box::new(Constant), Options::default()).unwrap();
    assert_eq!(solver.rank(), 3);
    let target = kinematics::pose(&model, &[0.3, 0.5, 0.7], 3);
    assert_eq!(solver.solve(&target, None).unwrap().report.status, Status::Solved);
    let tilted = Pose { rotation: Rotation::elementary(0, 0.5), translation: target.translation };
    assert_eq!(solver.solve(&tilted, None).unwrap().report.status, Status::Unreachable);
    // A tolerance that rounding makes impossible.
    let options = Options { tolerance: 1e-16, ..Options::default() };
    let refused = Solver::new(&model, Task::pose(3), Box::new(Constant), options).err();
    assert!(matches!(refused, Some(IkError::Tolerance { least, .. }) if least > 1e-15 && least < 1e-13), "{refused:?}");
}

fn excluded(model: &Model, task: Task, target: &Pose<f64>, limits: bool) -> bool {
    let options = Options { limits, ..Options::default() };
    Solver::new(model, task, Box::new(Constant), options).unwrap().excludes(target).unwrap()
}

#[test]
fn what_a_configuration_reaches_is_never_called_unreachable() {
    let mut judged = 0;
    for seed in 0..400 {
        let mut random = Random::new(1000 + seed);
        let shape = Shape {
            links: 1 + random.below(8),
            free_base: random.chance(0.1),
            chain: random.chance(0.7),
            special_links: random.chance(0.4),
            mimic: random.chance(0.3),
            motors: false,
        };
        let mut description = random_description(shape, &mut random);
        let aim: Vec<f64> = {
            let model = Model::from_description(&description).unwrap();
            let mut q: Vec<f64> = model.neutral();
            model.retract(&mut q, &random.vector(model.nv(), 2.0));
            q
        };
        // Limits right at the configuration, on one side or the other.
        {
            let model = Model::from_description(&description).unwrap();
            for at in model.links() {
                let Some(link) = description.links.iter_mut().find(|link| link.name == at.name) else { continue };
                if at.joint.nq() == 1 && at.mimic.is_none() && random.chance(0.6) {
                    let (x, width) = (aim[at.q], random.range(0.0, 1.5));
                    let limits = if random.chance(0.5) { [x, x + width] } else { [x - width, x] };
                    link.joint.limits = Some(limits.map(Into::into));
                }
            }
        }
        let Ok(model) = Model::from_description(&description) else { continue };
        let link = last(&model);
        if Chain::new(&model, link, Vector::zero()).variables().is_empty() {
            continue;
        }
        let target = kinematics::pose(&model, &aim, link);
        let axis = Vector([0.0, 0.6, 0.8]);
        let tasks = [
            Task::pose(link),
            Task::position(link),
            Task::position_xy(link),
            Task::pointing(link, axis),
            Task { orientation: Orientation::Axis { axis, weight: 1.0 }, ..Task::position(link) },
            Task::rows(link, [1.0, 0.0, 2.0, 0.0, 0.5, 0.0]),
        ];
        for (index, task) in tasks.into_iter().enumerate() {
            for limits in [true, false] {
                assert!(!excluded(&model, task, &target, limits), "seed {seed}, task {index}, limits {limits}");
                judged += 1;
            }
        }
    }
    assert!(judged > 1500, "{judged}");
}

#[test]
fn bounds_exclude_what_is_too_far_too_near_tilted_or_beyond_limits() {
    let unreachable = |model: &Model, task: Task, target: Pose<f64>, limits: bool| {
        assert!(excluded(model, task, &target, limits), "{} {target:?}", model.name());
    };
    // Chang's arm, 600, 850 and 200 mm: an annulus from 50 to 1650 mm.
    let model = chang();
    for (x, far) in [(1651.0, true), (1649.0, false)] {
        assert_eq!(excluded(&model, Task::position_xy(3), &plane(x, 0.0), false), far);
    }
    for (x, near) in [(49.0, true), (51.0, false)] {
        assert_eq!(excluded(&model, Task::position_xy(3), &plane(0.0, x), false), near);
    }
    unreachable(&model, Task::position(3), Pose::translation(Vector([0.5, 0.5, 0.001])), false);
    // iiwa14 with a given hand: the wrist is within 820 mm of the shoulder.
    let model = robots::load("iiwa14").unwrap();
    let link = last(&model);
    let straight = kinematics::pose(&model, &[0.3, 1.1, 0.0, 0.0, 0.4, 0.9, 0.2], link);
    let shoulder = kinematics::pose(&model, &[0.0; 7], model.link_index("link2").unwrap()).translation;
    let bent = kinematics::pose(&model, &[0.3, 1.1, 0.0, 0.0, 0.4, 0.0, 0.2], link).translation - shoulder;
    let outwards = bent.times(1.0 / bent.norm());
    for (shift, far) in [(0.002, true), (-0.002, false)] {
        let target = Pose { translation: straight.translation + outwards.times(shift), ..straight };
        assert_eq!(excluded(&model, Task::pose(link), &target, false), far, "{shift}");
    }
    // Its elbow folds to 120 degrees: 820 mm become 410 at least.
    let folded = Pose { translation: shoulder + Vector([0.2, 0.0, 0.0]), ..straight };
    let tool = kinematics::pose(&model, &[0.0; 7], link).translation[2] - shoulder[2] - 0.82;
    let folded = Pose { translation: folded.translation + folded.rotation.column(2).times(tool), ..folded };
    unreachable(&model, Task::pose(link), folded, true);
    // scara: the hand stays upright, and its height has a range.
    let model = robots::load("scara").unwrap();
    let link = last(&model);
    let pose = kinematics::pose(&model, &model.neutral::<f64>(), link);
    unreachable(
        &model,
        Task::pose(link),
        Pose { rotation: Rotation::elementary(0, 1e-6) * pose.rotation, ..pose },
        true,
    );
    let high = Pose { translation: pose.translation + Vector([0.0, 0.0, 5.0]), ..pose };
    unreachable(&model, Task::position(link), high, true);
    // A base that floats goes anywhere.
    let model = robots::load("floating_humanoid25").unwrap();
    let far = Pose::translation(Vector([40.0, -300.0, 7.0]));
    assert!(!excluded(&model, Task::pose(last(&model)), &far, true));
    let mut solver = Solver::new(&model, Task::pose(last(&model)), Box::new(Constant), Options::default()).unwrap();
    assert_eq!(solver.solve(&far, None).unwrap().report.status, Status::Solved);
}

#[test]
fn a_batch_gives_what_each_target_gives_alone() {
    let model = robots::load("iiwa14").unwrap();
    let options = Options { chance: 0.1, ..Options::default() };
    let make = || Solver::new(&model, Task::pose(last(&model)), Box::new(Manipulability::default()), options);
    let mut targets: Vec<Pose<f64>> = random_poses(&model, 20, 48).into_iter().map(|(target, _)| target).collect();
    targets[7].translation[0] += 2.0;
    let (mut batch, mut found, mut alone) = (Batch::new(make).unwrap(), Solutions::default(), make().unwrap());
    for start in [None, Some([0.1, 0.4, 0.2, -0.9, 0.3, 0.7, 0.1])] {
        let start = start.as_ref().map(|start| &start[..]);
        batch.solve_into(&targets, start, &mut found, || ()).unwrap();
        for (index, target) in targets.iter().enumerate() {
            assert_eq!(found.solution(index), alone.solve(target, start).unwrap(), "target {index}");
        }
        assert_eq!(found.reports()[7].status, Status::Unreachable);
    }
    targets[3].translation[1] = f64::NAN;
    assert_eq!(batch.solve_into(&targets, None, &mut found, || ()), Err(IkError::Target));
}
