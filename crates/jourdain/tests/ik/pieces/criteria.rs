//! Criteria called one by one at a configuration: values, slopes and Hessians as their formulas and differences have them.

use super::{SLIDE, TURN, arm, at, last};
use jourdain::Model;
use jourdain::ik::criterion::{
    Constant, Criterion, Joints, Manipulability, Measure, Obstacle, Obstacles, Point, WeightedSum,
};
use jourdain::ik::{Chain, Options, Solver, Task};
use jourdain::spatial::Vector;

/// Hands over the point at which the solver asks for a Hessian.
struct Look<F>(F);

impl<F: FnMut(&Point<'_>) + Send> Criterion for Look<F> {
    fn value(&mut self, _: &Point<'_>) -> f64 {
        0.0
    }

    fn gradient(&mut self, _: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        (self.0)(at);
        out.fill(0.0);
        true
    }
}

/// What a criterion says at a configuration; its memory holds no numbers before.
#[derive(Debug)]
struct Said {
    value: f64,
    gradient: Vec<f64>,
    hessian: Option<Vec<f64>>,
}

fn ask(model: &Model, task: Task, q: &[f64], criterion: &mut (dyn Criterion + Send)) -> Said {
    let mut said = None;
    let look = Look(|at: &Point<'_>| {
        let n = at.variables().len();
        let (mut gradient, mut hessian) = (vec![f64::NAN; n], vec![f64::NAN; n * n]);
        let value = criterion.value(at);
        criterion.gradient(at, &mut gradient);
        let has = criterion.hessian(at, &mut hessian);
        said = Some(Said { value, gradient, hessian: has.then_some(hessian) });
    });
    let options = Options { iterations: 0, starts: 1, limits: false, ..Options::default() };
    let mut solver = Solver::new(model, task, Box::new(look), options).unwrap();
    solver.solve_into(&at(0.3, 0.2, 0.1), &mut q.to_vec()).unwrap();
    drop(solver);
    said.unwrap()
}

/// ∂²H by central differences of the gradient, over the joint numbers of the chain.
fn differences(model: &Model, task: Task, q: &[f64], criterion: &mut (dyn Criterion + Send)) -> Vec<f64> {
    let velocities: Vec<usize> =
        Chain::new(model, task.link, task.point).variables().iter().map(|variable| variable.velocity).collect();
    let (n, step) = (velocities.len(), 1e-5);
    let mut out = vec![0.0; n * n];
    for (j, &velocity) in velocities.iter().enumerate() {
        let [plus, minus] = [step, -step].map(|by| {
            let (mut moved, mut delta) = (q.to_vec(), vec![0.0; model.nv()]);
            delta[velocity] = by;
            model.retract(&mut moved, &delta);
            ask(model, task, &moved, criterion).gradient
        });
        (0..n).for_each(|i| out[i * n + j] = (plus[i] - minus[i]) / (2.0 * step));
    }
    out
}

/// An obstacle that the arms below pass at some distance.
fn ball() -> Obstacle {
    Obstacle { center: Vector([0.9, 0.8, 0.7]), radii: Vector([0.3, 0.2, 0.25]), exponent: 3.0 }
}

fn oblique(axis: &str) -> String {
    format!("{TURN}, axis = {axis}")
}

/// Joints in space, and the same with one that follows another or is a ball.
fn arms() -> Vec<(bool, Model, Vec<f64>)> {
    let [x, y, o] = ["[1, 0, 0]", "[0, 1, 0]", "[0.6, 0, 0.8]"].map(oblique);
    let follows = |axis: &str, leader: &str, multiplier: f64| {
        format!("{TURN}, axis = {axis}, mimic = {{ joint = \"{leader}\", multiplier = {multiplier}, offset = 0.3 }}")
    };
    let q = vec![0.4, -0.7, 0.9, 0.3];
    let plain = arm(&[
        ("[0, 0, 0.1]", TURN),
        ("[0.3, 0, 0.1]", &y),
        ("[0.4, 0.1, 0]", &o),
        ("[0.2, 0, 0.1]", &x),
        ("[0.2, 0.1, 0.05]", ""),
    ]);
    let equal = arm(&[
        ("[0, 0, 0.1]", TURN),
        ("[0.3, 0, 0.1]", &follows("[0, 1, 0]", "l0", 1.0)),
        ("[0.4, 0.1, 0]", &o),
        ("[0.2, 0, 0.1]", &y),
        ("[0.2, 0.1, 0.05]", &x),
        ("[0.1, 0, 0.1]", ""),
    ]);
    let ball = arm(&[("[0, 0, 0.1]", "type = \"spherical\""), ("[0.3, 0, 0.1]", &y), ("[0.4, 0.1, 0]", "")]);
    let mut turned: Vec<f64> = ball.neutral();
    ball.retract(&mut turned, &[0.3, -0.5, 0.4, 0.8]);
    vec![(true, plain, q.clone()), (false, equal, q), (false, ball, turned)]
}

#[test]
fn a_hessian_that_is_given_is_that_of_differences_and_plain_arms_have_one() {
    for (index, (simple, model, q)) in arms().into_iter().enumerate() {
        let task = Task::position(last(&model));
        let chain = Chain::new(&model, task.link, task.point);
        let criteria: Vec<(&str, Box<dyn Criterion + Send>)> = vec![
            ("log", Box::new(Manipulability::default())),
            ("volume", Box::new(Manipulability::new(Measure::NegativeVolume))),
            ("obstacles", Box::new(Obstacles::new(&chain, vec![ball()], 3))),
        ];
        for (name, mut criterion) in criteria {
            let expected = differences(&model, task, &q, criterion.as_mut());
            let found = ask(&model, task, &q, criterion.as_mut());
            assert!(!simple || found.hessian.is_some(), "arm {index}, {name}");
            let Some(hessian) = found.hessian else { continue };
            for (a, b) in hessian.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "arm {index}, {name}: {hessian:?} {expected:?}");
            }
        }
        assert!(Obstacles::new(&chain, vec![ball()], 3).is_periodic());
    }
}

#[test]
fn a_joint_that_follows_one_beside_the_chain_has_the_hessian_of_differences() {
    // The leader turns another branch; the follower is twice as fast the other way round.
    let text = format!(
        "name = \"arm\"\n[[link]]\nname = \"wheel\"\njoint = {{ {TURN} }}\n\
         [[link]]\nname = \"a\"\nparent = \"base\"\norigin = {{ xyz = [0, 0, 0.2] }}\n\
         joint = {{ {TURN}, mimic = {{ joint = \"wheel\", multiplier = -2.0, offset = 0.1 }} }}\n\
         [[link]]\nname = \"b\"\norigin = {{ xyz = [0.4, 0, 0.1] }}\njoint = {{ {TURN}, axis = [0, 1, 0] }}\n\
         [[link]]\nname = \"c\"\norigin = {{ xyz = [0.3, 0.1, 0] }}\njoint = {{ {TURN}, axis = [1, 0, 0] }}\n\
         [[link]]\nname = \"d\"\norigin = {{ xyz = [0.1, 0.2, 0] }}\n"
    );
    let reading = jourdain::formats::read_str(&text, jourdain::formats::Format::Toml);
    let model = Model::from_description(&reading.description.unwrap()).unwrap();
    let (task, q) = (Task::position(last(&model)), [0.35, -0.6, 0.8]);
    let chain = Chain::new(&model, task.link, task.point);
    assert_eq!(chain.variables().len(), 3);
    let criteria: [Box<dyn Criterion + Send>; 2] =
        [Box::new(Manipulability::default()), Box::new(Obstacles::new(&chain, vec![ball()], 2))];
    for (index, mut criterion) in criteria.into_iter().enumerate() {
        let expected = differences(&model, task, &q, criterion.as_mut());
        if let Some(hessian) = ask(&model, task, &q, criterion.as_mut()).hessian {
            let off = hessian.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{index}: {hessian:?} {expected:?}");
        }
    }
}

#[test]
fn no_criterion_is_zero_with_its_slopes_and_hessian() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let said = ask(&model, Task::position_xy(2), &[0.3, 0.8], &mut Constant);
    assert_eq!((said.value, said.gradient, said.hessian), (0.0, vec![0.0; 2], Some(vec![0.0; 4])));
    assert!(Constant.is_periodic() && Constant.is_constant() && Constant.domain(0).is_none());
}

/// A criterion of the simplest kind, x² of the first joint, that leaves its Hessian to differences.
struct Bare;

impl Criterion for Bare {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        at.q[0] * at.q[0]
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        out[0] = 2.0 * at.q[0];
    }
}

#[test]
fn a_weighted_sum_is_the_sum_of_its_terms() {
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    let (task, q) = (Task::position_xy(3), [0.3, 0.8, -0.5]);
    let springs = || Joints::springs(&[(0.1, 1.0), (0.2, 2.0), (0.3, 3.0)]);
    let sum = || WeightedSum::default().with(0.5, Box::new(springs())).with(3.0, Box::new(Manipulability::default()));
    let [a, b] = [ask(&model, task, &q, &mut springs()), ask(&model, task, &q, &mut Manipulability::default())];
    let weighted =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| 0.5 * a + 3.0 * b).collect::<Vec<f64>>() };
    // A term of none changes nothing, wherever it stands.
    for mut sum in [sum(), sum().with(7.0, Box::new(Constant))] {
        let said = ask(&model, task, &q, &mut sum);
        assert!((said.value - weighted(&[a.value], &[b.value])[0]).abs() < 1e-14);
        let pairs = [
            (said.gradient, weighted(&a.gradient, &b.gradient)),
            (said.hessian.unwrap(), weighted(a.hessian.as_ref().unwrap(), b.hessian.as_ref().unwrap())),
        ];
        for (found, expected) in pairs {
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?} {expected:?}");
        }
    }
    // One that has no Hessian leaves the sum without.
    for mut sum in [sum().with(1.0, Box::new(Bare)), WeightedSum::default().with(1.0, Box::new(Bare))] {
        assert!(ask(&model, task, &q, &mut sum).hessian.is_none());
    }
}

#[test]
fn a_link_of_no_length_adds_no_point_that_meets_obstacles() {
    let lone = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0.1]", ""), ("[0.3, 0.2, 0]", "")]);
    let double = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0.1]", ""), ("[0, 0, 0]", ""), ("[0.3, 0.2, 0]", "")]);
    // Back to where the first link begins: there and back are two links, not none.
    let back = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0.1]", ""), ("[-1.0, 0, -0.2]", ""), ("[0.3, 0.2, 0]", "")]);
    let value = |model: &Model| {
        let task = Task::position(last(model));
        let chain = Chain::new(model, task.link, task.point);
        ask(model, task, &[0.4], &mut Obstacles::new(&chain, vec![ball()], 2)).value
    };
    // 1/(C − 1) at points given in the frame of the joint.
    let expected = |points: &[[f64; 3]]| -> f64 {
        let (sin, cos) = 0.4_f64.sin_cos();
        let term = |p: &[f64; 3]| {
            let x = [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1], p[2]];
            let u = |k: usize| ((x[k] - ball().center[k]) / ball().radii[k]).abs().powi(3);
            1.0 / (u(0) + u(1) + u(2) - 1.0)
        };
        points.iter().map(term).sum()
    };
    let first = [[0.25, 0.0, 0.05], [0.5, 0.0, 0.1]];
    let straight = expected(&[first[0], first[1], [0.65, 0.1, 0.1], [0.8, 0.2, 0.1]]);
    assert!((value(&lone) - straight).abs() < 1e-12);
    assert!((value(&double) - straight).abs() < 1e-12);
    let there =
        expected(&[first[0], first[1], [0.0, 0.0, 0.0], [-0.5, 0.0, -0.1], [-0.35, 0.1, -0.1], [-0.2, 0.2, -0.1]]);
    assert!((value(&back) - there).abs() < 1e-12);
}

#[test]
fn barriers_are_infinite_beyond_their_walls_and_absent_where_there_is_no_room() {
    let model = arm(&[("[0, 0, 0]", SLIDE), ("[0, 0, 0]", SLIDE), ("[0, 0, 0]", "")]);
    let task = super::along_x(2);
    for (q, inside) in [
        ([0.0, 0.0], true),
        ([0.49, -0.49], true),
        ([0.51, 0.0], false),
        ([0.0, -0.51], false),
        ([0.6, 0.6], false),
        ([-3.0, 0.0], false),
    ] {
        let said = ask(&model, task, &q, &mut Joints::barrier_between(&[[-0.5, 0.5]; 2]));
        let expected: f64 = q.iter().map(|x| 0.25 / ((0.5 - x) * (0.5 + x))).sum();
        assert_eq!(said.value.is_finite(), inside, "{q:?}");
        assert!(said.value > 0.0 && (!inside || (said.value - expected).abs() < 1e-12), "{q:?}");
    }
    // A joint that its limits hold in one place has neither a middle to be drawn to nor walls to be kept from.
    let model = arm(&[
        ("[0, 0, 0]", &format!("{SLIDE}, limits = [0.25, 0.25]")),
        ("[0, 0, 0]", &format!("{SLIDE}, limits = [-1, 1]")),
        ("[0, 0, 0]", ""),
    ]);
    let chain = Chain::new(&model, 2, Vector::zero());
    let middle = ask(&model, task, &[0.25, 0.5], &mut Joints::mid_range(&chain));
    assert_eq!((middle.value, middle.gradient), (0.125, vec![0.0, 0.5]));
    let mut barrier = Joints::limit_barrier(&chain);
    assert!((barrier.domain(0), barrier.domain(1)) == (None, Some([-1.0, 1.0])));
    let walls = ask(&model, task, &[0.25, 0.5], &mut barrier);
    assert!((walls.value - 1.0 / 0.75).abs() < 1e-14 && walls.gradient[0] == 0.0);
}

#[test]
fn manipulability_is_lost_where_an_arm_is_stretched() {
    for (q, lost) in [([0.0, 0.0], true), ([0.0, 0.5], false), ([0.4, 0.5], false)] {
        let model = arm(&[("[0, 0, 0]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
        let task = Task { length: 1.0, ..Task::position_xy(2) };
        let log = ask(&model, task, &q, &mut Manipulability::default());
        let volume = ask(&model, task, &q, &mut Manipulability::new(Measure::NegativeVolume));
        // w = 0.6 · 0.4 · sin of the elbow.
        let w = 0.24 * f64::sin(q[1]);
        assert!((volume.value + w).abs() < 1e-15, "{q:?}");
        if lost {
            assert!(log.value == f64::INFINITY && volume.value == 0.0 && volume.gradient == [0.0; 2]);
        } else {
            assert!((log.value + w.ln()).abs() < 1e-13 && (volume.gradient[1] + 0.24 * q[1].cos()).abs() < 1e-13);
        }
    }
}
