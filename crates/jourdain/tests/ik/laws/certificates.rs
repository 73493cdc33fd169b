//! The certificate of inverse kinematics against differences: value, slope and reduced Hessian of every criterion
//! on the configurations that fulfil a task, and the status that follows from them.

use crate::common::random_tree::Random;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Manipulability, Measure, Obstacle, Obstacles, WeightedSum};
use jourdain::ik::{Chain, Goal, Kind, Options, Orientation, Report, Solver, Status, Task};
use jourdain::kinematics::{self, Frame};
use jourdain::spatial::{Pose, Quaternion, Rotation, Vector};
use jourdain::{Model, formats, robots};

/// Every kind of joint on one arm: a ball, a slide, a screw, a universal joint, and one that follows another.
const MIXED: &str = r#"
name = "mixed"
[[link]]
name = "a"
origin = { xyz = [0.1, 0.05, 0.2] }
joint = { type = "revolute", axis = [0.6, 0, 0.8], limits = [-3, 3] }
[[link]]
name = "b"
origin = { xyz = [0.3, 0, 0.1] }
joint = { type = "spherical", point = [0, 0, 0.1] }
[[link]]
name = "c"
origin = { xyz = [0.3, 0, 0.1] }
joint = { type = "prismatic", axis = [1, 0, 0], limits = [-0.5, 0.7] }
[[link]]
name = "d"
origin = { xyz = [0.3, 0, 0] }
joint = { type = "revolute", axis = [0, 1, 0], mimic = { joint = "a", multiplier = -0.7, offset = 0.2 } }
[[link]]
name = "e"
origin = { xyz = [0.2, 0.1, 0] }
joint = { type = "helical", axis = [0, 0, 1], pitch = 0.1, limits = [-4, 4] }
[[link]]
name = "f"
origin = { xyz = [0.2, 0, 0.1] }
joint = { type = "universal" }
[[link]]
name = "tool"
origin = { xyz = [0.05, 0.1, 0.02] }
"#;

/// A body that floats, with an arm of two joints.
const FLOATING: &str = r#"
name = "floating"
[[link]]
name = "body"
joint = { type = "free" }
[[link]]
name = "upper"
origin = { xyz = [0.2, 0.1, 0.0] }
joint = { type = "revolute", axis = [1, 0, 0] }
[[link]]
name = "lower"
origin = { xyz = [0.0, 0.3, 0.1] }
joint = { type = "revolute", axis = [0, 1, 0] }
[[link]]
name = "tool"
origin = { xyz = [0.0, 0.04, -0.26] }
"#;

fn read(text: &str) -> Model {
    Model::from_description(&formats::read_str(text, formats::Format::Toml).description.unwrap()).unwrap()
}

pub fn last(model: &Model) -> usize {
    model.links().len() - 1
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A function along the joint numbers of a chain: as far as differences see it.
struct Around<'a> {
    model: &'a Model,
    velocities: Vec<usize>,
    q: &'a [f64],
}

impl Around<'_> {
    fn at(&self, delta: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.model.nv()];
        self.velocities.iter().zip(delta).for_each(|(&velocity, d)| all[velocity] = *d);
        let mut q = self.q.to_vec();
        self.model.retract(&mut q, &all);
        q
    }

    fn along(&self, direction: &[f64], by: f64) -> Vec<f64> {
        self.at(&direction.iter().map(|x| by * x).collect::<Vec<_>>())
    }

    fn unit(&self, i: usize) -> Vec<f64> {
        (0..self.velocities.len()).map(|k| f64::from(u8::from(k == i))).collect()
    }

    fn gradient(&self, f: &dyn Fn(&[f64]) -> f64) -> Vec<f64> {
        let step = 1e-3;
        let slope = |i: usize| {
            let at = |by: f64| f(&self.along(&self.unit(i), by));
            (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step)
        };
        (0..self.velocities.len()).map(slope).collect()
    }

    fn hessian(&self, f: &dyn Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
        let (n, step) = (self.velocities.len(), 2e-3);
        let second = |direction: &[f64]| {
            let at = |by: f64| f(&self.along(direction, by));
            let [near, far] = [1.0, 2.0].map(|k| at(k * step) + at(-k * step));
            (16.0 * near - far - 30.0 * at(0.0)) / (12.0 * step * step)
        };
        let own: Vec<f64> = (0..n).map(|i| second(&self.unit(i))).collect();
        let both = |i: usize, j: usize| {
            let sum: Vec<f64> = self.unit(i).iter().zip(self.unit(j)).map(|(a, b)| a + b).collect();
            if i == j { own[i] } else { 0.5 * (second(&sum) - own[i] - own[j]) }
        };
        (0..n).map(|i| (0..n).map(|j| both(i, j)).collect()).collect()
    }
}

/// The task's equations, unscaled.
fn errors(model: &Model, task: &Task, target: &Pose<f64>, q: &[f64]) -> Vec<f64> {
    let tip = kinematics::pose(model, q, task.link) * Pose::translation(task.point);
    let asked = (0..3).filter(|&i| task.position[i] != 0.0);
    let mut e: Vec<f64> = asked.map(|i| task.position[i] * (tip.translation - target.translation)[i]).collect();
    match task.orientation {
        Orientation::Free => {}
        Orientation::Rows(weights) => {
            let phi = (tip.rotation * target.rotation.transpose()).log();
            e.extend((0..3).filter(|&i| weights[i] != 0.0).map(|i| weights[i] * phi[i]));
        }
        Orientation::Axis { axis, .. } => {
            // The two other axes of a frame that has the target's axis.
            let (t, d) = (tip.rotation.apply(axis), target.rotation.apply(axis));
            let side = d.cross(if d[0].abs() < 0.7 { Vector::unit(0) } else { Vector::unit(1) });
            let side = side.times(1.0 / side.norm());
            e.extend([side.dot(t), d.cross(side).dot(t)]);
        }
    }
    e
}

/// An orthonormal basis of the span of rows, and of what is across to all of them.
pub fn bases(rows: &[Vec<f64>]) -> [Vec<Vec<f64>>; 2] {
    let n = rows[0].len();
    let unit = |i: usize| -> Vec<f64> { (0..n).map(|k| f64::from(u8::from(k == i))).collect() };
    let mut all: Vec<Vec<f64>> = Vec::new();
    let mut rank = 0;
    for (index, mut row) in rows.iter().cloned().chain((0..n).map(unit)).enumerate() {
        let before = dot(&row, &row).sqrt();
        for _ in 0..2 {
            for known in &all {
                let along = dot(&row, known);
                row.iter_mut().zip(known).for_each(|(x, u)| *x -= along * u);
            }
        }
        let length = dot(&row, &row).sqrt();
        if length > 1e-6 * before.max(1e-9) {
            all.push(row.iter().map(|x| x / length).collect());
            rank += usize::from(index < rows.len());
        }
    }
    let null = all.split_off(rank);
    [all, null]
}

/// True if a symmetric matrix has positive pivots only.
fn is_positive(mut a: Vec<Vec<f64>>) -> bool {
    for k in 0..a.len() {
        if a[k][k] <= 0.0 {
            return false;
        }
        let pivot = a[k].clone();
        for row in &mut a[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    true
}

/// What differences say of a criterion on a task's configurations.
struct Expected {
    criterion: f64,
    stationarity: f64,
    reduced: Vec<Vec<f64>>,
}

fn expected(model: &Model, task: &Task, target: &Pose<f64>, q: &[f64], h: &dyn Fn(&[f64]) -> f64) -> Expected {
    let chain = Chain::new(model, task.link, task.point);
    let velocities = chain.variables().iter().map(|variable| variable.velocity).collect();
    let around = Around { model, velocities, q };
    let rows: Vec<Vec<f64>> =
        (0..task.row_count()).map(|k| around.gradient(&|q| errors(model, task, target, q)[k])).collect();
    let [_, null] = bases(&rows);
    let gradient = around.gradient(h);
    let slopes: Vec<f64> = null.iter().map(|direction| dot(direction, &gradient)).collect();
    let stationarity = dot(&slopes, &slopes).sqrt() / (1.0 + dot(&gradient, &gradient).sqrt());
    // λ = −(J Jᵀ)⁻¹ J ∂H by elimination.
    let m = rows.len();
    let mut system: Vec<Vec<f64>> = (0..m)
        .map(|i| rows.iter().map(|row| dot(&rows[i], row)).chain([-dot(&rows[i], &gradient)]).collect())
        .collect();
    for k in 0..m {
        let pivot: Vec<f64> = system[k].iter().map(|x| x / system[k][k]).collect();
        for (i, row) in system.iter_mut().enumerate() {
            let factor = row[k];
            if i == k {
                row.clone_from(&pivot);
            } else {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    let lambda: Vec<f64> = system.iter().map(|row| row[m]).collect();
    let lagrangian = |q: &[f64]| h(q) + dot(&lambda, &errors(model, task, target, q));
    let hessian = around.hessian(&lagrangian);
    let image = |direction: &[f64]| -> Vec<f64> { hessian.iter().map(|row| dot(row, direction)).collect() };
    let reduced = null.iter().map(|a| null.iter().map(|b| dot(b, &image(a))).collect()).collect();
    Expected { criterion: h(q), stationarity, reduced }
}

impl Expected {
    fn check(&self, report: &Report, what: &str) {
        let close = |a: f64, b: f64, tolerance: f64| (a - b).abs() < tolerance * (1.0 + b.abs());
        assert!(close(report.criterion, self.criterion, 1e-10), "{what}: {} {}", report.criterion, self.criterion);
        assert!(
            (report.stationarity - self.stationarity).abs() < 1e-8,
            "{what}: {} {}",
            report.stationarity,
            self.stationarity
        );
        assert_eq!(report.redundancy, self.reduced.len(), "{what}");
        // No eigenvalue is below the smallest or above the largest, and both are ones.
        let shifted = |sign: f64, by: f64| -> Vec<Vec<f64>> {
            let entry = |i: usize, j: usize| sign * self.reduced[i][j] + if i == j { by } else { 0.0 };
            let n = self.reduced.len();
            (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
        };
        let size = self.reduced.iter().flatten().fold(1.0_f64, |most, x| most.max(x.abs()));
        let margin = 3e-6 * size;
        for (sign, value) in [(1.0, report.smallest_eigenvalue), (-1.0, -report.largest_eigenvalue)] {
            assert!(is_positive(shifted(sign, margin - value)), "{what}: {value} {:?}", self.reduced);
            assert!(!is_positive(shifted(sign, -margin - value)), "{what}: {value} {:?}", self.reduced);
        }
    }
}

/// The certificate at a position that fulfils the task, without a step.
fn report<'m>(
    model: &'m Model,
    task: Task,
    criterion: Box<dyn Criterion + 'm>,
    target: &Pose<f64>,
    q: &[f64],
    goal: Goal,
) -> Report {
    let options = Options { iterations: 0, starts: 1, limits: false, goal, ..Options::default() };
    let mut solver = Solver::new(model, task, criterion, options).unwrap();
    let mut kept = q.to_vec();
    let report = solver.solve_into(target, &mut kept).unwrap();
    assert_eq!(kept, q);
    report
}

/// Target poses that the position fulfils: its own, and others in the rows that are free.
fn targets(chain: &Chain, task: &Task, q: &[f64], random: &mut Random) -> Vec<Pose<f64>> {
    let own = chain.tip(q);
    let mut targets = vec![own];
    for turn in [0.3, 1.2, 2.6] {
        let mut other = own;
        for i in (0..3).filter(|&i| task.position[i] == 0.0) {
            other.translation[i] += random.range(-1.0, 1.0);
        }
        other.rotation = match task.orientation {
            Orientation::Free => Rotation::exp(Vector([turn, 0.1, -0.4])) * own.rotation,
            Orientation::Axis { axis, .. } => own.rotation * Rotation::exp(axis.times(turn)),
            Orientation::Rows(weights) => {
                let free = (0..3).map(|i| if weights[i] == 0.0 { 1.0 } else { 0.0 });
                let free = free.enumerate().fold(Vector::zero(), |sum, (i, x)| sum + Vector::unit(i).times(x));
                let length = free.norm().max(1.0);
                Rotation::exp(free.times(-turn / length)) * own.rotation
            }
        };
        targets.push(other);
    }
    targets
}

fn tasks(link: usize) -> Vec<Task> {
    let axis = Vector([0.0, 0.6, 0.8]);
    vec![
        Task::pose(link),
        Task { point: Vector([0.1, -0.05, 0.2]), ..Task::position(link) },
        Task { orientation: Orientation::Axis { axis, weight: 0.7 }, ..Task::position(link) },
        Task::pointing(link, Vector([0.3, -1.0, 0.5])),
        Task::rows(link, [1.0, 0.0, 2.0, 0.5, 0.0, 1.5]),
        Task::rows(link, [0.5, 1.0, 1.0, 0.0, 2.0, 0.0]),
    ]
}

fn random_position(model: &Model, random: &mut Random) -> Vec<f64> {
    let mut q: Vec<f64> = model.neutral();
    model.retract(&mut q, &random.vector(model.nv(), 1.0));
    for link in model.links() {
        if let (Some([low, high]), 1) = (link.limits.position, link.joint.nq()) {
            q[link.q] = 0.5 * (low + high) + 0.3 * (high - low) * random.range(-1.0, 1.0);
        }
    }
    q
}

fn arms() -> Vec<(&'static str, Model)> {
    vec![("iiwa14", robots::load("iiwa14").unwrap()), ("mixed", read(MIXED)), ("floating", read(FLOATING))]
}

/// A criterion as written here.
type Function<'a> = Box<dyn Fn(&[f64]) -> f64 + 'a>;

/// Makes a criterion of a chain, and the same function written here.
type Make<'a> = dyn Fn(&Chain) -> (Box<dyn Criterion>, Function<'static>) + 'a;

fn check(model: &Model, what: &str, task: Task, seed: u64, make: &Make<'_>) {
    let mut random = Random::new(seed);
    let q = random_position(model, &mut random);
    let chain = Chain::new(model, task.link, task.point);
    let (_, h) = make(&chain);
    for (case, target) in targets(&chain, &task, &q, &mut random).into_iter().enumerate() {
        let found = report(model, task, make(&chain).0, &target, &q, Goal::Stationary);
        assert_ne!(found.status, Status::NotFound, "{what}, target {case}: {found:?}");
        expected(model, &task, &target, &q, &h).check(&found, &format!("{what}, target {case}"));
    }
}

/// ½ Σ k |q − home|² by logarithms of rotation matrices.
fn distance_from(model: &Model, chain: &Chain, home: &[f64], weights: &[f64], q: &[f64]) -> f64 {
    let mut sum = 0.0;
    for variable in chain.variables() {
        if let Some(i) = variable.position {
            sum += 0.5 * weights[variable.velocity] * (q[i] - home[i]) * (q[i] - home[i]);
        }
    }
    let mut links: Vec<usize> =
        chain.variables().iter().filter(|variable| variable.position.is_none()).map(|variable| variable.link).collect();
    links.dedup();
    for link in links {
        let at = &model.links()[link];
        let free = at.joint.nq() == 7;
        let first = at.q + if free { 3 } else { 0 };
        let rotation = |q: &[f64]| Quaternion::new([q[first], q[first + 1], q[first + 2], q[first + 3]]).to_rotation();
        sum += 0.5 * weights[at.v] * (rotation(home).transpose() * rotation(q)).log().norm_squared();
        if free {
            let place = |q: &[f64]| Vector([q[at.q], q[at.q + 1], q[at.q + 2]]);
            sum += 0.5 * weights[at.v] * (place(q) - place(home)).norm_squared();
        }
    }
    sum
}

#[test]
fn distances_from_home_have_the_slopes_and_curvatures_of_differences_on_every_task_and_kind_of_joint() {
    for (name, model) in arms() {
        for (t, task) in tasks(last(&model)).into_iter().enumerate() {
            let mut random = Random::new(70 + t as u64);
            let mut home: Vec<f64> = model.neutral();
            model.retract(&mut home, &random.vector(model.nv(), 0.5));
            let weights: Vec<f64> = (0..model.nv()).map(|_| random.range(0.5, 2.0)).collect();
            check(&model, &format!("{name}, task {t}"), task, t as u64, &|chain| {
                let (model, chain, home, weights) = (model.clone(), chain.clone(), home.clone(), weights.clone());
                let criterion = Joints::home(&model, &chain, &home, &weights);
                (Box::new(criterion), Box::new(move |q| distance_from(&model, &chain, &home, &weights, q)))
            });
        }
    }
}

/// −½ log det(J Jᵀ) over the rows of the task, J from kinematics.
fn log_manipulability(model: &Model, chain: &Chain, task: &Task, target: &Pose<f64>, q: &[f64]) -> f64 {
    let jacobian = kinematics::jacobian(model, q, Frame::world_aligned(task.link).at(task.point));
    let mut directions: Vec<[f64; 6]> = Vec::new();
    let row = |i: usize, x: f64| std::array::from_fn(|k| if k == i { x } else { 0.0 });
    directions.extend((0..3).filter(|&i| task.position[i] != 0.0).map(|i| row(i, 1.0 / task.length)));
    match task.orientation {
        Orientation::Free => {}
        Orientation::Rows(weights) => {
            directions.extend((0..3).filter(|&i| weights[i] != 0.0).map(|i| row(3 + i, 1.0)));
        }
        Orientation::Axis { axis, .. } => {
            let d = target.rotation.apply(axis);
            let side = d.cross(if d[0].abs() < 0.7 { Vector::unit(0) } else { Vector::unit(1) });
            let side = side.times(1.0 / side.norm());
            let other = d.cross(side);
            directions.extend([side, other].map(|v| [0.0, 0.0, 0.0, v[0], v[1], v[2]]));
        }
    }
    let rows: Vec<Vec<f64>> = directions
        .iter()
        .map(|direction| {
            let column = |velocity: usize| (0..6).map(|k| direction[k] * jacobian[(k, velocity)]).sum::<f64>();
            chain.variables().iter().map(|variable| column(variable.velocity)).collect()
        })
        .collect();
    // The determinant of the Gram matrix is the product of what each row adds, squared.
    let mut known: Vec<Vec<f64>> = Vec::new();
    let mut log = 0.0;
    for mut row in rows {
        for _ in 0..2 {
            for unit in &known {
                let along = dot(&row, unit);
                row.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
            }
        }
        let length = dot(&row, &row).sqrt();
        log += length.ln();
        known.push(row.iter().map(|x| x / length).collect());
    }
    -log
}

#[test]
fn manipulability_is_the_determinant_of_the_jacobian_of_kinematics_and_its_certificate_that_of_differences() {
    for (name, model) in arms() {
        for (t, task) in tasks(last(&model)).into_iter().enumerate() {
            let task = Task { length: 0.8, ..task };
            for measure in [Measure::NegativeLogarithm, Measure::NegativeVolume] {
                let mut random = Random::new(30 + t as u64);
                let q = random_position(&model, &mut random);
                let chain = Chain::new(&model, task.link, task.point);
                for (case, target) in targets(&chain, &task, &q, &mut random).into_iter().enumerate().take(2) {
                    let h = |q: &[f64]| match measure {
                        Measure::NegativeLogarithm => log_manipulability(&model, &chain, &task, &target, q),
                        Measure::NegativeVolume => -(-log_manipulability(&model, &chain, &task, &target, q)).exp(),
                    };
                    let criterion = Box::new(Manipulability::new(measure));
                    let found = report(&model, task, criterion, &target, &q, Goal::Stationary);
                    let what = format!("{name}, task {t}, {measure:?}, target {case}");
                    expected(&model, &task, &target, &q, &h).check(&found, &what);
                }
            }
        }
    }
}

#[test]
fn sums_over_joints_are_their_formulas() {
    let model = robots::load("iiwa14").unwrap();
    let task = Task::position(last(&model));
    let own = [[-3.5, 2.0], [-2.0, 4.0], [-3.0, 3.1], [-2.5, 2.9], [-4.0, 3.0], [-3.0, 2.5], [-3.1, 3.4]];
    let springs: Vec<(f64, f64)> = (0..7).map(|i| (0.1 * f64::from(i) - 0.4, 0.5 + 0.3 * f64::from(i))).collect();
    let ranges: Vec<[f64; 2]> = model.links().iter().filter_map(|link| link.limits.position).collect();
    let barrier = |ranges: &[[f64; 2]], q: &[f64]| -> f64 {
        ranges.iter().zip(q).map(|([low, high], x)| (0.5 * (high - low)).powi(2) / ((high - x) * (x - low))).sum()
    };
    for seed in 0..3 {
        check(&model, "mid-range", task, seed, &|chain| {
            let ranges = ranges.clone();
            let h = move |q: &[f64]| -> f64 {
                let term = |([low, high], x): (&[f64; 2], &f64)| {
                    0.5 * ((x - 0.5 * (low + high)) / (0.5 * (high - low))).powi(2)
                };
                ranges.iter().zip(q).map(term).sum()
            };
            (Box::new(Joints::mid_range(chain)), Box::new(h))
        });
        check(&model, "limit barrier", task, seed, &|chain| {
            let ranges = ranges.clone();
            (Box::new(Joints::limit_barrier(chain)), Box::new(move |q| barrier(&ranges, q)))
        });
        check(&model, "own barrier", task, seed, &|_| {
            (Box::new(Joints::barrier_between(&own)), Box::new(move |q| barrier(&own, q)))
        });
        check(&model, "springs", task, seed, &|_| {
            let springs = springs.clone();
            let criterion = Box::new(Joints::springs(&springs));
            let h = move |q: &[f64]| -> f64 {
                springs.iter().zip(q).map(|((center, k), x)| 0.5 * k * (x - center).powi(2)).sum()
            };
            (criterion, Box::new(h))
        });
        check(&model, "a sum of two", task, seed, &|_| {
            let springs = springs.clone();
            let sum = WeightedSum::default().with(0.3, Box::new(Joints::barrier_between(&own)));
            let sum = sum.with(2.0, Box::new(Joints::springs(&springs)));
            let h = move |q: &[f64]| -> f64 {
                let second: f64 = springs.iter().zip(q).map(|((center, k), x)| k * (x - center).powi(2)).sum();
                0.3 * barrier(&own, q) + second
            };
            (Box::new(sum), Box::new(h))
        });
    }
}

/// Σ 1/(C − 1) over points between the origins of the links, each rigidly on the one before.
fn closeness(model: &Model, chain: &[usize], tip: Vector<f64>, obstacles: &[Obstacle], q: &[f64]) -> f64 {
    let (per_link, mut points) = (3, Vec::new());
    for pair in chain.windows(2) {
        let pose = kinematics::pose(model, q, pair[0]);
        let (from, to) = (pose.translation, pose.apply(model.links()[pair[1]].placement.translation));
        if (to - from).norm() < 1e-9 {
            continue;
        }
        points.extend((1..=per_link).map(|i| {
            let share = i as f64 / per_link as f64;
            from.times(1.0 - share) + to.times(share)
        }));
    }
    // A tip that is not the last origin is one more.
    if let (Some(&link), true) = (chain.last(), tip.norm() > 0.0) {
        points.push(kinematics::pose(model, q, link).apply(tip));
    }
    let c = |x: Vector<f64>, obstacle: &Obstacle| -> f64 {
        (0..3).map(|k| ((x[k] - obstacle.center[k]) / obstacle.radii[k]).abs().powf(obstacle.exponent)).sum()
    };
    points.iter().flat_map(|x| obstacles.iter().map(|obstacle| 1.0 / (c(*x, obstacle) - 1.0))).sum()
}

#[test]
fn obstacles_are_sums_over_points_of_the_arm() {
    let obstacles: Vec<Obstacle> = [2.0, 3.0, 4.0]
        .iter()
        .enumerate()
        .map(|(k, &exponent)| Obstacle {
            center: Vector([1.2, -1.1 + k as f64, 1.5]),
            radii: Vector([0.3, 0.5, 0.4]),
            exponent,
        })
        .collect();
    for (name, model) in arms() {
        let path: Vec<usize> = {
            let mut path: Vec<usize> = model.chain(last(&model)).collect();
            path.reverse();
            // What does not move meets nothing.
            path.into_iter().skip_while(|&l| model.links()[l].joint.nv() == 0).collect()
        };
        let beside = Task { point: Vector([0.1, -0.05, 0.2]), ..Task::position(last(&model)) };
        for (t, task) in [Task::pose(last(&model)), Task::position(last(&model)), beside].into_iter().enumerate() {
            check(&model, &format!("{name}, task {t}"), task, 5 + t as u64, &|chain| {
                let (model, path, obstacles) = (model.clone(), path.clone(), obstacles.clone());
                let criterion = Obstacles::new(chain, obstacles.clone(), 3);
                (Box::new(criterion), Box::new(move |q| closeness(&model, &path, task.point, &obstacles, q)))
            });
        }
    }
}

#[test]
fn without_a_criterion_every_configuration_of_the_pose_is_solved_and_degenerate() {
    let model = robots::load("iiwa14").unwrap();
    let q = [0.3, 0.8, -0.4, 1.1, 0.2, -0.9, 0.5];
    let task = Task::pose(last(&model));
    let target = kinematics::pose(&model, &q, last(&model));
    let found = report(&model, task, Box::new(Constant), &target, &q, Goal::Minimum);
    assert_eq!((found.status, found.kind, found.redundancy), (Status::Solved, Kind::Degenerate, 1));
    assert_eq!((found.criterion, found.stationarity), (0.0, 0.0));
    assert_eq!((found.smallest_eigenvalue, found.largest_eigenvalue), (0.0, 0.0));
}
