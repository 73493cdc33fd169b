//! The paper's own method: Powell's hybrid method on equations whose zeros are known, made of slides and a criterion that is
//! nothing but its slopes.

use super::{SLIDE, TURN, along_x, arm, at, largest_difference, last, plain};
use jourdain::Model;
use jourdain::ik::criterion::{Criterion, Joints, Point};
use jourdain::ik::{Chain, Extra, IkError, Options, Solution, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::Vector;

/// Slopes as they are given; `None` where the criterion is not defined.
struct Slopes<F>(F);

impl<F: Fn(&[f64]) -> Option<Vec<f64>> + Send> Criterion for Slopes<F> {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        if (self.0)(at.q).is_some() { 0.0 } else { f64::INFINITY }
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        if let Some(slopes) = (self.0)(at.q) {
            out[..slopes.len()].copy_from_slice(&slopes);
        }
    }
}

fn slides(count: usize) -> Model {
    let mut links = vec![("[0, 0, 0]", SLIDE); count];
    links.push(("[0, 0, 0]", ""));
    arm(&links)
}

/// The zero of so many equations that the method finds: the last slide has no slope, so that all others' must vanish.
fn zero(start: &[f64], equations: impl Fn(&[f64]) -> Option<Vec<f64>> + Send) -> Solution {
    let n = start.len() + 1;
    let model = slides(n);
    let mut solver = Solver::new(&model, along_x(n), Box::new(Slopes(equations)), Options::default()).unwrap();
    let mut q = start.to_vec();
    q.push(0.5 - start.iter().sum::<f64>());
    solver.solve_chang(&at(0.5, 0.0, 0.0), Some(&q), Extra::Null).unwrap()
}

#[test]
fn equations_that_are_hard_for_newton_are_solved_in_as_many_evaluations_as_is_usual() {
    type Equations = fn(&[f64]) -> Option<Vec<f64>>;
    /// Name, start, equations, solution, evaluations.
    type Hard = (&'static str, &'static [f64], Equations, &'static [f64], usize);
    // Moré, Garbow and Hillstrom's first problems and their starts; then those where Newton's step leads away or out of
    // where they are defined. A tenth more evaluations than it takes are allowed for.
    let problems: [Hard; 10] = [
        ("Rosenbrock", &[-1.2, 1.0], |x| Some(vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]), &[1.0, 1.0], 42),
        (
            "Powell, badly scaled",
            &[0.0, 1.0],
            |x| Some(vec![1e4 * x[0] * x[1] - 1.0, (-x[0]).exp() + (-x[1]).exp() - 1.0001]),
            &[1.098_159_329_699_759e-5, 9.106_146_739_867_2],
            200,
        ),
        (
            "Freudenstein and Roth",
            &[6.0, 3.0],
            |x| {
                Some(vec![
                    -13.0 + x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1],
                    -29.0 + x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1],
                ])
            },
            &[5.0, 4.0],
            18,
        ),
        (
            "helical valley",
            &[-1.0, 0.0, 0.0],
            |x| {
                let turn = x[1].atan2(x[0]) / std::f64::consts::TAU;
                Some(vec![10.0 * (x[2] - 10.0 * turn), 10.0 * (x[0].hypot(x[1]) - 1.0), x[2]])
            },
            &[1.0, 0.0, 0.0],
            44,
        ),
        ("arc tangent", &[3.0], |x| Some(vec![x[0].atan()]), &[0.0], 16),
        ("far arc tangent", &[20.0, -15.0], |x| Some(vec![x[0].atan() + 0.1 * x[1], x[1].atan()]), &[0.0, 0.0], 70),
        ("arc tangent of a difference", &[3.25], |x| Some(vec![(x[0] - x[1]).atan()]), &[0.25], 16),
        ("far arc tangent of a difference", &[30.25], |x| Some(vec![(x[0] - x[1]).atan()]), &[0.25], 29),
        ("logarithm", &[5.0], |x| (x[0] > 0.0).then(|| vec![x[0].ln()]), &[1.0], 14),
        (
            "root",
            &[9.0, 0.3],
            |x| (x[0] > 0.0).then(|| vec![x[0].sqrt() - 0.1 + x[1], x[1].exp() - 1.0]),
            &[0.01, 0.0],
            27,
        ),
    ];
    for (name, start, equations, expected, most) in problems {
        let found = zero(start, equations);
        assert!(largest_difference(&found.q, expected) < 1e-8, "{name}: {:?}", found.q);
        assert!(found.report.iterations <= most, "{name}: {}", found.report.iterations);
    }
}

#[test]
fn slopes_are_taken_over_steps_that_fit_the_numbers() {
    // (x/size)² = 4 from x = size, whatever it is.
    for size in [1e-3, 1.0, 1e3, 1e6] {
        let found = zero(&[size], move |x| Some(vec![(x[0] / size).powi(2) - 4.0]));
        assert!((found.q[0] / size - 2.0).abs() < 1e-9, "{size}: {:?}", found.q);
        assert!(found.report.iterations <= 20, "{size}: {}", found.report.iterations);
    }
}

#[test]
fn linear_equations_take_one_step_after_their_differences() {
    for count in [2, 3, 5] {
        let model = slides(count);
        let springs: Vec<(f64, f64)> = (0..count).map(|i| (0.1 * i as f64, 1.0 + i as f64)).collect();
        let mut solver =
            Solver::new(&model, along_x(count), Box::new(Joints::springs(&springs)), Options::default()).unwrap();
        let found = solver.solve_chang(&at(1.7, 0.0, 0.0), Some(&vec![0.2; count]), Extra::Null).unwrap();
        assert_eq!(found.report.status, Status::Solved);
        // One at the start, one per joint, one step, and what rounding takes.
        assert!((count + 2..=count + 5).contains(&found.report.iterations), "{count}: {}", found.report.iterations);
    }
}

#[test]
fn an_arm_without_redundancy_has_only_the_equations_of_its_task() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let mut solver = plain(&model, Task::position_xy(2), Options::default());
    let target = kinematics::pose(&model, &[0.4, 0.9], 2);
    let found = solver.solve_chang(&target, Some(&[0.2, 0.6]), Extra::Null).unwrap();
    assert!(found.report.status == Status::Solved && largest_difference(&found.q, &[0.4, 0.9]) < 1e-9, "{found:?}");
    let refused = solver.solve_chang(&target, Some(&[0.2, 0.6]), Extra::ExtendedJacobian);
    assert!(matches!(refused, Err(IkError::Method(_))));
}

#[test]
fn zero_is_found_as_precisely_as_any_other_solution_and_from_as_near() {
    // Bent links, so that the arm is regular where all its angles are zero, which is its home.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0.3, 0]", TURN), ("[0.2, -0.4, 0]", TURN), ("[0.1, 0.3, 0]", "")]);
    let chain = Chain::new(&model, 3, Vector::zero());
    let home = [0.0; 3];
    let solver = |home: &[f64]| {
        let criterion = Box::new(Joints::home(&model, &chain, home, &[]));
        Solver::new(&model, Task::position_xy(3), criterion, Options::default()).unwrap()
    };
    let target = kinematics::pose(&model, &home, 3);
    for start in [[0.3, -0.2, 0.25], [-0.1, 0.15, 0.1], [0.02, 0.01, -0.03]] {
        for extra in [Extra::Null, Extra::ExtendedJacobian] {
            let found = solver(&home).solve_chang(&target, Some(&start), extra).unwrap();
            assert_eq!(found.report.status, Status::Solved, "{start:?}: {:?}", found.report);
            assert!(largest_difference(&found.q, &home) < 1e-9, "{:?}", found.q);
        }
    }
    // From next to zero: differences are as good there as anywhere.
    let away = [0.2, -0.1, 0.15];
    let target = kinematics::pose(&model, &away, 3);
    for start in [[0.0; 3], [1e-3, 1e-4, -1e-3], [1e-5, -1e-6, 1e-7]] {
        let found = solver(&away).solve_chang(&target, Some(&start), Extra::Null).unwrap();
        assert!(largest_difference(&found.q, &away) < 1e-9, "{:?}", found.q);
        assert!(found.report.iterations <= 16, "{start:?}: {}", found.report.iterations);
    }
}

/// All orders of some things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .iter()
            .flat_map(|order| {
                (0..count).filter(|i| !order.contains(i)).map(|i| order.iter().copied().chain([i]).collect())
            })
            .collect();
    }
    all
}

#[test]
fn slides_balance_in_whatever_order_they_are() {
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    const Y: [f64; 3] = [0.0, 1.0, 0.0];
    const Z: [f64; 3] = [0.0, 0.0, 1.0];
    // Two of them parallel, or one oblique: some choices of columns and pivots are singular.
    let rows: [(&[[f64; 3]], usize); 7] = [
        (&[X, X, Y], 2),
        (&[X, Y, Y], 2),
        (&[X, X, Y, Z], 3),
        (&[X, Y, Z, Z], 3),
        (&[X, Y, Z, [0.6, 0.48, 0.64]], 3),
        (&[X, Y, [0.0, 0.6, 0.8], [0.8, 0.0, 0.6]], 3),
        (&[X, [0.8, 0.6, 0.0], [0.0, 0.8, 0.6], Z], 3),
    ];
    for (axes, m) in rows {
        for order in orders(axes.len()) {
            let joint = |&i: &usize| {
                let [x, y, z] = axes[i];
                format!("type = \"prismatic\", axis = [{x}, {y}, {z}]")
            };
            let joints: Vec<String> = order.iter().map(joint).collect();
            let mut links: Vec<(&str, &str)> = joints.iter().map(|joint| ("[0, 0, 0]", joint.as_str())).collect();
            links.push(("[0, 0, 0]", ""));
            let model = arm(&links);
            let all = [(0.1, 1.0), (-0.2, 2.0), (0.3, 0.5), (0.05, 1.5)];
            let springs: Vec<(f64, f64)> = order.iter().map(|&i| all[i]).collect();
            let task = if m == 2 { Task::position_xy(last(&model)) } else { Task::position(last(&model)) };
            let mut solver =
                Solver::new(&model, task, Box::new(Joints::springs(&springs)), Options::default()).unwrap();
            let target = at(0.4, -0.3, 0.6);
            for extra in [Extra::Null, Extra::ExtendedJacobian] {
                let found = solver.solve_chang(&target, Some(&vec![0.05; order.len()]), extra).unwrap();
                assert_eq!(found.report.status, Status::Solved, "{axes:?} {order:?} {extra:?}");
                // The forces k (q − c) are those of one force at the tip: f·a for a slide along a.
                let forces: Vec<f64> = found.q.iter().zip(&springs).map(|(q, (c, k))| k * (q - c)).collect();
                let tip = kinematics::pose(&model, &found.q, last(&model)).translation;
                assert!((0..m).all(|i| (tip[i] - target.translation[i]).abs() < 1e-9), "{axes:?} {order:?} {extra:?}");
                // So they do no work on the motion that leaves the tip where it is.
                let null = null_motion(&order.iter().map(|&i| axes[i]).collect::<Vec<_>>(), m);
                let work: f64 = forces.iter().zip(&null).map(|(f, v)| f * v).sum();
                assert!(work.abs() < 1e-9, "{axes:?} {order:?} {extra:?}: {work}");
            }
        }
    }
}

/// Speeds of slides that leave the tip where it is, by Cramer's rule: minors of the axes with their signs.
fn null_motion(axes: &[[f64; 3]], m: usize) -> Vec<f64> {
    let determinant = |c: &[[f64; 3]]| {
        if m == 2 { c[0][0] * c[1][1] - c[0][1] * c[1][0] } else { Vector(c[0]).dot(Vector(c[1]).cross(Vector(c[2]))) }
    };
    (0..axes.len())
        .map(|skipped| {
            let others: Vec<[f64; 3]> =
                axes.iter().enumerate().filter(|(i, _)| *i != skipped).map(|(_, axis)| *axis).collect();
            if skipped % 2 == 0 { determinant(&others) } else { -determinant(&others) }
        })
        .collect()
}
