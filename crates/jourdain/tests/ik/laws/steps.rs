//! Single steps of inverse kinematics by the book: a solver that may take k iterations shows where its k-th step leads, and
//! dense formulas on arms in a plane, on slides and for functions of one number say where that must be.

use super::certificates::{bases, dot, last};
use super::limits::{TURN, along_x, arm, at, at_x, balance, slides};
use crate::common::random_tree::Random;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Point};
use jourdain::ik::{Goal, Kind, Options, Solver, Status, Task};
use jourdain::spatial::{Pose, Vector};
use jourdain::{Model, kinematics, robots};

const LENGTHS: [f64; 4] = [0.6, 0.4, 0.3, 0.2];

/// An arm in a plane with so many joints.
pub fn planar(n: usize, joint: &str) -> Model {
    let origins: Vec<String> =
        (0..=n).map(|i| if i == 0 { "[0, 0, 0]".into() } else { format!("[{}, 0, 0]", LENGTHS[i - 1]) }).collect();
    let mut links: Vec<(&str, &str)> = origins.iter().map(|origin| (origin.as_str(), joint)).collect();
    links[n].1 = "";
    arm(&links)
}

/// What errors of position are divided by: the power of two next to half of the arm's length.
fn scale(n: usize) -> f64 {
    (0.5 * LENGTHS[..n].iter().sum::<f64>()).log2().round().exp2()
}

/// Where the tip of such an arm is, and its first and second derivatives.
struct Plane {
    tip: [f64; 2],
    rows: [Vec<f64>; 2],
    curvatures: [Vec<Vec<f64>>; 2],
}

impl Plane {
    fn of(q: &[f64]) -> Self {
        let n = q.len();
        let angles: Vec<f64> = (0..n).map(|i| q[..=i].iter().sum()).collect();
        let sum = |from: usize, f: &dyn Fn(f64) -> f64| (from..n).map(|i| LENGTHS[i] * f(angles[i])).sum::<f64>();
        let table = |f: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
            (0..n).map(|i| (0..n).map(|j| -sum(i.max(j), f)).collect()).collect()
        };
        Self {
            tip: [sum(0, &f64::cos), sum(0, &f64::sin)],
            rows: [(0..n).map(|i| -sum(i, &f64::sin)).collect(), (0..n).map(|i| sum(i, &f64::cos)).collect()],
            curvatures: [table(&f64::cos), table(&f64::sin)],
        }
    }
}

/// A x = b by elimination with pivots.
fn solved(mut a: Vec<Vec<f64>>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    a.iter_mut().zip(b).for_each(|(row, b)| row.push(*b));
    for k in 0..n {
        let best = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, best);
        let pivot: Vec<f64> = a[k].iter().map(|x| x / a[k][k]).collect();
        for (i, row) in a.iter_mut().enumerate() {
            let factor = row[k];
            if i == k {
                row.clone_from(&pivot);
            } else {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    a.iter().map(|row| row[n]).collect()
}

/// Jᵀ (J Jᵀ + μ)⁻¹ y.
fn damped(rows: &[Vec<f64>], damping: f64, y: &[f64]) -> Vec<f64> {
    let gram = |i: usize, j: usize| dot(&rows[i], &rows[j]) + if i == j { damping } else { 0.0 };
    let m = rows.len();
    let x = solved((0..m).map(|i| (0..m).map(|j| gram(i, j)).collect()).collect(), y);
    (0..rows[0].len()).map(|c| (0..m).map(|i| rows[i][c] * x[i]).sum()).collect()
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| x.abs().max(most))
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// Options for so many iterations from one start.
fn few(iterations: usize, goal: Goal) -> Options {
    Options { iterations, goal, starts: 1, ..Options::default() }
}

/// Where so many iterations lead to, and what is reported.
fn after<'m>(
    model: &'m Model,
    task: Task,
    criterion: impl Criterion + 'm,
    (iterations, goal): (usize, Goal),
    target: &Pose<f64>,
    q: &[f64],
) -> (Vec<f64>, jourdain::ik::Report) {
    let mut solver = Solver::new(model, task, Box::new(criterion), few(iterations, goal)).unwrap();
    let mut q = q.to_vec();
    let report = solver.solve_into(target, &mut q).unwrap();
    (q, report)
}

#[test]
fn a_step_to_the_pose_is_of_third_order() {
    let model = robots::load("iiwa14").unwrap();
    let q = [0.3, 0.8, -0.4, 1.1, 0.2, -0.9, 0.5];
    let direction = [0.7, -0.4, 1.0, 0.6, -0.8, 0.5, -0.9];
    for task in [Task::pose(last(&model)), Task::position(last(&model)), Task::rows(last(&model), [2.0; 6])] {
        let options = Options { iterations: 1, starts: 1, limits: false, ..Options::default() };
        let mut solver = Solver::new(&model, task, Box::new(Constant), options).unwrap();
        let target = kinematics::pose(&model, &q, last(&model));
        let mut missed = |by: f64| {
            let mut start: Vec<f64> = q.iter().zip(direction).map(|(q, d)| q + by * d).collect();
            solver.reach_into(&target, &mut start).unwrap().pose_error
        };
        for by in [0.04, 0.02, -0.02] {
            let (far, near) = (missed(by), missed(0.5 * by));
            assert!((6.5..9.5).contains(&(far / near)), "{task:?}: {far} {near} {}", far / near);
        }
    }
}

#[test]
fn a_step_to_the_pose_is_that_of_the_damped_normal_equations_bent_by_half_the_acceleration_where_that_is_small() {
    let mut random = Random::new(5);
    let mut bent = [0; 2];
    for case in 0..120 {
        let n = 3 + case % 2;
        let model = planar(n, TURN);
        let mut q = random.vector(n, 2.5);
        if case % 3 == 0 {
            // Nearly stretched, where the acceleration leads far.
            q[1..].iter_mut().for_each(|x| *x *= 0.02);
        }
        let plane = Plane::of(&q);
        let [dx, dy] = [random.range(-0.2, 0.2), random.range(-0.2, 0.2)];
        let unit = 1.0 / scale(n);
        let rows: Vec<Vec<f64>> = plane.rows.iter().map(|row| row.iter().map(|x| unit * x).collect()).collect();
        // The damping is a thousandth of the error's square.
        let (wanted, damping) = ([unit * dx, unit * dy], 1e-13 + 1e-3 * unit * unit * (dx * dx + dy * dy));
        let mut step = damped(&rows, damping, &wanted);
        let along = |table: &Vec<Vec<f64>>| (0..n).map(|i| step[i] * dot(&table[i], &step)).sum::<f64>();
        let acceleration: Vec<f64> = plane.curvatures.iter().map(|table| -0.5 * unit * along(table)).collect();
        let bend = damped(&rows, damping, &acceleration);
        let small = norm(&bend) <= 0.5 * norm(&step);
        bent[usize::from(small)] += 1;
        if small {
            step = sum(&step, &bend);
        }
        let most = largest(&step);
        if most > 1.2 {
            step.iter_mut().for_each(|x| *x *= 1.2 / most);
        }
        let options = few(1, Goal::Minimum);
        let mut solver = Solver::new(&model, Task::position_xy(n), Box::new(Constant), options).unwrap();
        let expected = sum(&q, &step);
        let mut found = q.clone();
        solver.reach_into(&at(plane.tip[0] + dx, plane.tip[1] + dy), &mut found).unwrap();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{case}: {found:?} {expected:?}");
    }
    assert!(bent.iter().all(|count| *count > 15), "{bent:?}");
}

#[test]
fn a_damped_step_falls_short_of_the_target_on_either_side() {
    let model = slides(&[[-5.0, 5.0]]);
    for x in [-0.8, -0.3, 0.3, 0.8] {
        let mut solver = Solver::new(&model, along_x(1), Box::new(Constant), few(1, Goal::Minimum)).unwrap();
        let mut q = [0.0];
        solver.reach_into(&at_x(x), &mut q).unwrap();
        assert!(q[0] / x < 1.0 && q[0] / x > 0.99, "{x}: {}", q[0]);
    }
}

#[test]
fn joints_at_their_limits_leave_the_step_to_the_others() {
    // All but the last are at a limit that the step would leave.
    for side in [1.0, -1.0] {
        for n in 2..5 {
            let mut ranges = vec![if side > 0.0 { [-1.0, 0.0] } else { [0.0, 1.0] }; n];
            ranges[n - 1] = [-1.0, 1.0];
            let model = slides(&ranges);
            let mut solver = Solver::new(&model, along_x(n), Box::new(Constant), few(1, Goal::Minimum)).unwrap();
            let mut q = vec![0.0; n];
            let report = solver.reach_into(&at_x(side * 0.5), &mut q).unwrap();
            assert!(report.pose_error < 1e-3, "{n} {side}: {q:?}");
            // From the other side of the limits all take part.
            let report = solver.reach_into(&at_x(side * 0.1), &mut q).unwrap();
            assert!(report.pose_error < 1e-2, "{n} {side}: {q:?}");
        }
    }
    // An arm in a plane: the joint at its limit stays there, the two others do it in a few steps.
    for side in [1.0, -1.0] {
        let range = if side > 0.0 { "[-3.0, 0.4]" } else { "[-0.4, 2.0]" };
        let limited = format!("{TURN}, limits = {range}");
        let model = arm(&[("[0, 0, 0]", &limited), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.3, 0, 0]", "")]);
        let at_limit = side * 0.4;
        let inner = [at_limit, side * 0.9, side * 0.5];
        let target = kinematics::pose(&model, &inner, 3);
        let mut q = [at_limit, side * 0.6, side * 0.8];
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(Constant), few(8, Goal::Minimum)).unwrap();
        let report = solver.reach_into(&target, &mut q).unwrap();
        assert_eq!(report.status, Status::Solved, "{side}: {report:?} {q:?}");
    }
}

#[test]
fn a_start_that_makes_no_progress_is_given_up_unless_it_is_the_only_one_and_has_no_limits() {
    let free = planar(2, TURN);
    let limited = planar(2, &format!("{TURN}, limits = [-3, 3]"));
    let iterations = |model: &Model, starts: usize, target: Pose<f64>| {
        let options = Options { starts, ..Options::default() };
        let mut solver = Solver::new(model, Task::position_xy(2), Box::new(Constant), options).unwrap();
        solver.reach_into(&target, &mut [0.4, 0.8]).unwrap().iterations
    };
    let far = at(0.9, 1.1);
    assert!(iterations(&free, 3, far) <= 40);
    assert!(iterations(&limited, 1, far) <= 40 && iterations(&limited, 3, far) <= 40);
    assert!(iterations(&free, 1, far) > 100);
    // Eight iterations without progress, no more; with progress it goes on.
    let model = slides(&[[-50.0, 50.0]]);
    for (starts, x) in [(1, 30.0), (3, -30.0)] {
        let options = Options { starts, ..Options::default() };
        let mut solver = Solver::new(&model, along_x(1), Box::new(Constant), options).unwrap();
        let report = solver.reach_into(&at_x(x), &mut [0.0]).unwrap();
        assert_eq!((report.status, report.starts), (Status::Solved, 1));
        // No step is longer than 1.2.
        assert!((25..40).contains(&report.iterations), "{}", report.iterations);
    }
}

#[test]
fn without_an_iteration_left_the_nearest_configuration_is_approached() {
    let mut random = Random::new(9);
    let model = planar(2, TURN);
    for case in 0..40 {
        let (radius, angle) = (random.range(1.1, 1.6), random.range(-3.0, 3.0));
        let q = [angle + random.range(-0.6, 0.6), random.range(-0.8, 0.8)];
        let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), few(0, Goal::Minimum)).unwrap();
        let found = solver.solve(&at(radius * angle.cos(), radius * angle.sin()), Some(&q)).unwrap();
        assert_eq!(found.report.status, Status::Unreachable);
        // Stretched towards the target.
        let missed = found.report.pose_error - (radius - 1.0);
        assert!((-1e-12..2e-2).contains(&missed), "{case}, {radius} m: {missed} {:?}", found.q);
        // What is within reach is reached.
        let inner = [q[0] + random.range(-0.5, 0.5), 0.9 + random.range(-0.5, 0.5)];
        let found = solver.solve(&kinematics::pose(&model, &inner, 2), Some(&[q[0], 0.9])).unwrap();
        assert_eq!(found.report.status, Status::Solved, "{case}: {:?}", found.report);
    }
}

/// H = Σ of a function of each joint number: ½ k (q − c)² + a cos(w q + b); or the negative of it.
#[derive(Clone, Debug)]
pub struct Sum {
    pub springs: Vec<[f64; 2]>,
    pub waves: Vec<[f64; 3]>,
    pub sign: f64,
}

impl Sum {
    fn random(n: usize, random: &mut Random) -> Self {
        // One joint may be much stiffer than the others: the rest is flat then.
        let stiff = if random.chance(0.3) { random.below(n) } else { n };
        let spring =
            |i: usize| if i == stiff { [0.0, 60.0] } else { [random.range(-2.0, 2.0), random.range(0.0, 1.5)] };
        let springs = (0..n).map(spring).collect();
        let size = random.range(0.0, 0.3);
        let wave =
            |random: &mut Random| [size * random.range(0.2, 1.0), random.range(2.0, 9.0), random.range(0.0, 6.0)];
        Self { springs, waves: (0..n).map(|_| wave(random)).collect(), sign: 1.0 }
    }

    /// Moves the springs so that little is missing at `q`: short steps, whatever the curvature. Without a pull of the task
    /// they are stiff, and what leads back to the pose has to climb.
    fn rest_near(&mut self, q: &[f64], random: &mut Random, pull: f64) {
        let rows = Plane::of(q).rows;
        let [_, null] = bases(&rows);
        let size = if pull > 0.0 { 0.06 } else { 0.8 };
        let (along, pulls) = (random.vector(null.len(), size), random.vector(2, pull));
        let slopes = self.slopes(q);
        for i in 0..q.len() {
            let of_task = pulls[0] * rows[0][i] + pulls[1] * rows[1][i];
            let wanted = of_task + null.iter().zip(&along).map(|(x, by)| by * x[i]).sum::<f64>();
            let k = if pull > 0.0 { self.springs[i][1].max(0.2) } else { random.range(2.0, 60.0) };
            let of_wave = slopes[i] - self.springs[i][1] * (q[i] - self.springs[i][0]);
            self.springs[i] = [q[i] - (wanted - of_wave) / k, k];
        }
    }

    fn of(&self, q: &[f64]) -> f64 {
        let one = |i: usize| {
            let ([c, k], [a, w, b]) = (self.springs[i], self.waves[i]);
            0.5 * k * (q[i] - c) * (q[i] - c) + a * (w * q[i] + b).cos()
        };
        self.sign * (0..q.len()).map(one).sum::<f64>()
    }

    fn slopes(&self, q: &[f64]) -> Vec<f64> {
        let one = |i: usize| {
            let ([c, k], [a, w, b]) = (self.springs[i], self.waves[i]);
            self.sign * (k * (q[i] - c) - a * w * (w * q[i] + b).sin())
        };
        (0..q.len()).map(one).collect()
    }

    fn curvatures(&self, q: &[f64]) -> Vec<f64> {
        let one = |i: usize| {
            let ([_, k], [a, w, b]) = (self.springs[i], self.waves[i]);
            self.sign * (k - a * w * w * (w * q[i] + b).cos())
        };
        (0..q.len()).map(one).collect()
    }
}

impl Criterion for Sum {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        self.of(at.q)
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&self.slopes(at.q));
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        out.fill(0.0);
        let n = at.q.len();
        self.curvatures(at.q).iter().enumerate().for_each(|(i, x)| out[i * n + i] = *x);
        true
    }
}

/// Null-space Lagrange–Newton by the book on an arm in a plane, dense.
struct Book<'a> {
    h: &'a Sum,
    target: [f64; 2],
    goal: Goal,
    weight: f64,
    trusting: bool,
    before: f64,
    /// What has been met: whole steps, whole by the line search, corrected, shortened, flat, refused, a weight that grew, a
    /// short step that is not convex.
    met: [usize; 8],
}

impl Book<'_> {
    /// e, scaled.
    fn errors(&self, q: &[f64]) -> Vec<f64> {
        let tip = Plane::of(q).tip;
        (0..2).map(|i| (tip[i] - self.target[i]) / scale(q.len())).collect()
    }

    /// The residual: what is left of pose and slope.
    fn residual(&self, q: &[f64]) -> f64 {
        let [_, null] = bases(&Plane::of(q).rows);
        let slopes = self.h.slopes(q);
        let along: Vec<f64> = null.iter().map(|n| dot(n, &slopes)).collect();
        (norm(&self.errors(q)) * scale(q.len())).max(norm(&along) / (1.0 + norm(&slopes)))
    }

    /// The next position, if there is one.
    fn step(&mut self, q: &[f64]) -> Option<Vec<f64>> {
        let n = q.len();
        let plane = Plane::of(q);
        let rows: Vec<Vec<f64>> = plane.rows.iter().map(|row| row.iter().map(|x| x / scale(n)).collect()).collect();
        let e = self.errors(q);
        let slopes = self.h.slopes(q);
        // λ = −(J Jᵀ)⁻¹ J ∂H
        let gram: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
        let lambda = solved(gram, &rows.iter().map(|row| -dot(row, &slopes)).collect::<Vec<_>>());
        let curvatures = self.h.curvatures(q);
        let w: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let bent = |j: usize| (0..2).map(|k| lambda[k] * plane.curvatures[k][i][j] / scale(n)).sum::<f64>();
                (0..n).map(|j| bent(j) + if i == j { curvatures[i] } else { 0.0 }).collect()
            })
            .collect();
        let residual = self.residual(q);
        if residual > 0.9 * self.before {
            self.trusting = false;
        }
        self.before = residual;
        let limited = |mut x: Vec<f64>| {
            let most = largest(&x);
            if most > 0.6 {
                x.iter_mut().for_each(|x| *x *= 0.6 / most);
            }
            x
        };
        let range = limited(damped(&rows, 0.0, &e.iter().map(|x| -x).collect::<Vec<_>>()));
        let [_, null] = bases(&rows);
        // Eigenvectors of Nᵀ W N, at most two.
        let image = |x: &[f64]| -> Vec<f64> { w.iter().map(|row| dot(row, x)).collect() };
        let turned: Vec<Vec<f64>> = if null.len() == 1 {
            null
        } else {
            let entry = |a: usize, b: usize| dot(&null[a], &image(&null[b]));
            let angle = 0.5 * (2.0 * entry(0, 1)).atan2(entry(0, 0) - entry(1, 1));
            let mix = |c: f64, s: f64| (0..n).map(|i| c * null[0][i] + s * null[1][i]).collect();
            vec![mix(angle.cos(), angle.sin()), mix(-angle.sin(), angle.cos())]
        };
        let values: Vec<f64> = turned.iter().map(|x| dot(x, &image(x))).collect();
        let steepest = largest(&values);
        let along: Vec<f64> = turned
            .iter()
            .zip(&values)
            .map(|(x, value)| {
                let flat = value.abs() < 0.03 * steepest;
                self.met[4] += usize::from(flat);
                let slope = dot(x, &slopes) + if flat { 0.0 } else { dot(x, &image(&range)) };
                let curvature = if self.goal == Goal::Stationary { *value } else { value.abs() };
                (-slope / curvature).clamp(-0.6, 0.6)
            })
            .collect();
        let mut across = vec![0.0; n];
        for (x, by) in turned.iter().zip(&along) {
            across.iter_mut().zip(x).for_each(|(sum, x)| *sum += by * x);
        }
        let step = sum(&range, &limited(across));
        let unused = |by: f64| by.abs() <= 1e-3 * largest(&along);
        let convex = values.iter().zip(&along).all(|(value, by)| *value > 0.0 || unused(*by));
        let short = largest(&step) < 0.1 && norm(&e) * scale(n) < 0.03;
        self.met[7] += usize::from(short && !convex && self.trusting);
        let near = short && convex;
        if self.goal == Goal::Stationary || (near && self.trusting) {
            self.met[0] += 1;
            return Some(sum(q, &step));
        }
        self.trusting = true;
        // The merit function H + ν |e|.
        let slope = dot(&slopes, &step);
        self.weight = self.weight.max(1.5 * norm(&lambda) + 1e-3);
        let promised: Vec<f64> = (0..2).map(|k| e[k] + dot(&rows[k], &step)).collect();
        let drop = norm(&e) - norm(&promised);
        if drop > 1e-14 && slope - self.weight * drop > -0.1 * self.weight * drop {
            self.met[6] += 1;
            self.weight = self.weight.max(1.2 * slope / drop);
        }
        let descent = (slope - self.weight * drop).min(0.0);
        let merit = |q: &[f64]| self.h.of(q) + self.weight * norm(&self.errors(q));
        for halvings in 0..30 {
            let length = 0.5_f64.powi(halvings);
            let enough = merit(q) + 1e-4 * length * descent + 1e-14;
            let trial: Vec<f64> = q.iter().zip(&step).map(|(q, d)| q + length * d).collect();
            if merit(&trial) <= enough {
                self.met[if halvings == 0 { 1 } else { 3 }] += 1;
                return Some(trial);
            }
            if halvings == 0 {
                let back = damped(&rows, 0.0, &self.errors(&trial).iter().map(|x| -x).collect::<Vec<_>>());
                let corrected = sum(&trial, &back);
                if norm(&back) <= 0.5 * norm(&step) && merit(&corrected) <= enough {
                    self.met[2] += 1;
                    return Some(corrected);
                }
            }
        }
        self.met[5] += 1;
        near.then(|| sum(q, &step))
    }
}

/// Compares the first steps of the solver with those of the book; returns what was met.
fn follow_the_book(seed: u64, cases: usize, goal: Goal) -> [usize; 8] {
    let mut random = Random::new(seed);
    let models = [planar(3, TURN), planar(4, TURN)];
    let mut met = [0; 8];
    for case in 0..cases {
        let n = 3 + case % 2;
        let mut h = Sum::random(n, &mut random);
        let q = random.vector(n, 2.5);
        match case % 6 {
            2 | 3 => h.rest_near(&q, &mut random, 0.6),
            4 | 5 => h.rest_near(&q, &mut random, 0.0),
            _ => {}
        }
        let tip = Plane::of(&q).tip;
        let off = if case % 3 == 0 { 0.0 } else { 0.034 };
        let target = [tip[0] + random.range(-off, off), tip[1] + random.range(-off, off)];
        let mut book = Book { h: &h.clone(), target, goal, weight: 0.0, trusting: true, before: f64::INFINITY, met };
        let mut expected = q.clone();
        for count in 1..5 {
            if book.residual(&expected) < 1e-6 {
                break;
            }
            let next = book.step(&expected);
            let refused = next.is_none();
            expected = next.unwrap_or(expected);
            // The largest of −H is the smallest of H, step by step.
            for (goal, sign) in [(goal, 1.0), (Goal::Maximum, -1.0)] {
                if goal == Goal::Maximum && book.goal == Goal::Stationary {
                    continue;
                }
                h.sign = sign;
                let task = Task::position_xy(n);
                let (found, _) = after(&models[n - 3], task, h.clone(), (count, goal), &at(target[0], target[1]), &q);
                let off = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(off < 1e-6, "seed {seed}, case {case}, {goal:?}, step {count}: {found:?} {expected:?}");
            }
            if refused {
                break;
            }
        }
        met = book.met;
    }
    met
}

#[test]
fn steps_to_a_minimum_are_those_of_the_book() {
    let met = follow_the_book(31, 240, Goal::Minimum);
    assert!(met[..5].iter().chain(&met[6..]).all(|count| *count > 10), "{met:?}");
}

#[test]
fn steps_to_stationary_points_are_whole() {
    let met = follow_the_book(32, 60, Goal::Stationary);
    assert!(met[0] > 100 && met[4] > 3, "{met:?}");
}

/// The same springs a factor stiffer.
fn springs(weights: &[f64], center: f64, factor: f64) -> Joints {
    Joints::springs(&weights.iter().map(|k| (center, factor * k)).collect::<Vec<_>>())
}

#[test]
fn a_criterion_times_a_number_has_the_same_steps() {
    let model = planar(4, TURN);
    let q = [0.3, 0.5, -0.7, 1.1];
    let tip = Plane::of(&q).tip;
    let target = at(tip[0] + 0.02, tip[1] - 0.01);
    for weights in [[1.0, 2.0, 1.5, 0.7], [1.0, 200.0, 1.5, 0.7]] {
        let step = |factor: f64| {
            after(&model, Task::position_xy(4), springs(&weights, 0.2, factor), (1, Goal::Stationary), &target, &q).0
        };
        let one = step(1.0);
        for factor in [1e-5, 1e-2, 1e4] {
            let other = step(factor);
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-9), "{factor}: {one:?} {other:?}");
        }
    }
}

#[test]
fn springs_of_two_rows_need_one_start_whatever_limits_are_met_on_the_way() {
    // Slides along x and y by turns: two balances, each of its own.
    let mut random = Random::new(22);
    for case in 0..120 {
        let n = 2 * (2 + random.below(3));
        let ranges: Vec<[f64; 2]> = (0..n).map(|_| [random.range(-0.6, -0.1), random.range(0.1, 0.6)]).collect();
        let stiff: Vec<(f64, f64)> = (0..n).map(|_| (random.range(-1.5, 1.5), random.range(0.3, 3.0))).collect();
        let joints: Vec<String> = ranges
            .iter()
            .enumerate()
            .map(|(i, [low, high])| {
                let axis = ["[1, 0, 0]", "[0, 1, 0]"][i % 2];
                format!("type = \"prismatic\", axis = {axis}, limits = [{low}, {high}]")
            })
            .collect();
        let mut links: Vec<(&str, &str)> = joints.iter().map(|joint| ("[0, 0, 0]", joint.as_str())).collect();
        links.push(("[0, 0, 0]", ""));
        let model = arm(&links);
        let own = |side: usize| -> (Vec<(f64, f64)>, Vec<[f64; 2]>) {
            (side..n).step_by(2).map(|i| (stiff[i], ranges[i])).unzip()
        };
        let mut expected = vec![0.0; n];
        let mut place = [0.0; 2];
        for side in 0..2 {
            let (springs, ranges) = own(side);
            place[side] = random.range(0.3, 0.9) * ranges.iter().map(|range| range[random.below(2)]).sum::<f64>();
            for (k, x) in balance(&springs, &ranges, place[side]).into_iter().enumerate() {
                expected[2 * k + side] = x;
            }
        }
        // From a limit, from both, from within.
        let start: Vec<f64> = (0..n)
            .map(|i| match random.below(3) {
                0 => ranges[i][random.below(2)],
                _ => random.range(ranges[i][0], ranges[i][1]),
            })
            .collect();
        for (goal, sign) in [(Goal::Minimum, 1.0), (Goal::Maximum, -1.0)] {
            let springs: Vec<(f64, f64)> = stiff.iter().map(|(c, k)| (*c, sign * k)).collect();
            let options = Options { goal, starts: 1, ..Options::default() };
            let criterion = Box::new(Joints::springs(&springs));
            let mut solver = Solver::new(&model, Task::position_xy(n), criterion, options).unwrap();
            let found = solver.solve(&at(place[0], place[1]), Some(&start)).unwrap();
            let what = format!("case {case}, {goal:?}: {:?} {expected:?} {:?}", found.q, found.report);
            assert!(found.report.status.is_success(), "{what}");
            assert!(found.q.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8), "{what}");
        }
    }
}

#[test]
fn a_step_that_meets_a_limit_keeps_the_pose() {
    let mut random = Random::new(23);
    let mut met = 0;
    for case in 0..60 {
        let ranges: Vec<[f64; 2]> = (0..4).map(|_| [random.range(-0.6, -0.1), random.range(0.1, 0.6)]).collect();
        let stiff: Vec<(f64, f64)> = (0..4).map(|_| (random.range(-1.5, 1.5), random.range(0.3, 3.0))).collect();
        let start: Vec<f64> = ranges.iter().map(|[low, high]| random.range(*low, *high)).collect();
        let model = slides(&ranges);
        let target = at_x(start.iter().sum());
        for count in 1..4 {
            let criterion = Joints::springs(&stiff);
            let (q, report) = after(&model, along_x(4), criterion, (count, Goal::Minimum), &target, &start);
            assert!(report.pose_error < 1e-12, "case {case}: {report:?} {q:?}");
            assert!(q.iter().zip(&ranges).all(|(x, [low, high])| x >= low && x <= high));
            met += usize::from(q.iter().zip(&ranges).any(|(x, range)| range.contains(x)));
        }
    }
    assert!(met > 40, "{met}");
}

#[test]
fn no_joint_moves_more_than_six_tenths_in_a_step() {
    // Along (1, −1, 0)/√2 and (1, 1, −2)/√6 as far as may be: together more than that, in their direction.
    let model = slides(&[[-50.0, 50.0]; 3]);
    for far in [20.0, -20.0] {
        let centers = Joints::springs(&[(far, 1.0), (-0.9 * far, 1.0), (0.3 * far, 1.0)]);
        let (q, _) = after(&model, along_x(3), centers, (1, Goal::Minimum), &at_x(0.0), &[0.0; 3]);
        assert!((largest(&q) - 0.6).abs() < 1e-12 && q.iter().sum::<f64>().abs() < 1e-12, "{q:?}");
        let first = dot(&q, &[0.5_f64.sqrt(), -0.5_f64.sqrt(), 0.0]);
        assert!(first * far > 0.0);
    }
    // What leads back to the pose is shortened as well: nearly stretched, a few centimetres are a long way.
    let arm = planar(3, TURN);
    let q = [0.4, 1e-4, -1e-4];
    let tip = Plane::of(&q).tip;
    let shorter = at(0.97 * tip[0], 0.97 * tip[1]);
    let still = Joints::springs(&[(q[0], 1.0), (q[1], 1.0), (q[2], 1.0)]);
    let (next, _) = after(&arm, Task::position_xy(3), still, (1, Goal::Stationary), &shorter, &q);
    let moved: Vec<f64> = next.iter().zip(q).map(|(a, b)| a - b).collect();
    assert!(largest(&moved) <= 1.2 + 1e-12 && largest(&moved) > 0.05, "{moved:?}");
}

/// A function of the first joint number: value, slope, curvature.
struct First(fn(f64) -> [f64; 3]);

impl Criterion for First {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        (self.0)(at.q[0])[0]
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        out[0] = (self.0)(at.q[0])[1];
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        out.fill(0.0);
        out[0] = (self.0)(at.q[0])[2];
        true
    }
}

/// x atan x − ½ log(1 + x²) of x = q/0.02: Newton's method leads away where |x| > 1.39.
fn arc(q: f64) -> [f64; 3] {
    const S: f64 = 0.02;
    let x = q / S;
    [S * S * (x * x.atan() - 0.5 * x.mul_add(x, 1.0).ln()), S * x.atan(), 1.0 / x.mul_add(x, 1.0)]
}

fn one_number(f: fn(f64) -> [f64; 3], start: f64, iterations: usize) -> (f64, jourdain::ik::Report) {
    let model = slides(&[[-50.0, 50.0]; 2]);
    let (q, report) = after(&model, along_x(2), First(f), (iterations, Goal::Minimum), &at_x(0.0), &[start, -start]);
    (q[0], report)
}

#[test]
fn whole_steps_that_go_round_in_circles_are_not_trusted_twice() {
    // atan(x) (1 + x²) = 2 x: the step leads to −x.
    let around = 1.391_745_200_270_735 * 0.02;
    let (once, _) = one_number(arc, around, 1);
    assert!((once + around).abs() < 1e-12, "{once}");
    for start in [around, -around, 1.5 * around, 1.2 * around] {
        let (q, report) = one_number(arc, start, 14);
        assert!(report.status == Status::Solved && q.abs() < 1e-9, "{start}: {q} {report:?}");
    }
}

/// A valley with steep walls: √(x² + 10⁻¹⁰).
fn valley(q: f64) -> [f64; 3] {
    let r = q.hypot(1e-5);
    [r, q / r, 1e-10 / (r * r * r)]
}

/// Two wells and a hill between them.
fn wells(q: f64) -> [f64; 3] {
    [(q * q - 0.3).powi(2), 4.0 * q * (q * q - 0.3), 12.0 * q * q - 1.2]
}

fn ripples(q: f64) -> [f64; 3] {
    [0.3 * q * q + 0.05 * (20.0 * q).sin(), 0.6 * q + (20.0 * q).cos(), 0.6 - 20.0 * (20.0 * q).sin()]
}

#[test]
fn no_step_but_a_short_one_where_the_criterion_is_convex_raises_it() {
    let mut random = Random::new(24);
    for f in [arc, valley, wells, ripples] {
        for _ in 0..25 {
            let start = random.range(-1.0, 1.0);
            let mut before = start;
            for count in 1..9 {
                let (next, _) = one_number(f, start, count);
                let [value, slope, curvature] = f(before);
                let trusted = curvature > 0.0 && (slope / curvature).abs() < 0.1;
                let rest = slope.abs() < 1e-7;
                assert!(rest || trusted || f(next)[0] < value, "{start} {before} {next}");
                before = next;
            }
        }
    }
}

#[test]
fn the_bottom_of_a_steep_valley_is_found() {
    for start in [0.01, -3e-4, 2e-4, 0.3, -1.0] {
        let (q, report) = one_number(valley, start, 60);
        assert!(report.status == Status::Solved && q.abs() < 1e-12, "{start}: {q} {report:?}");
    }
}

/// Defined on one side only.
struct Half;

impl Criterion for Half {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        if at.q[0] < 0.0 { f64::INFINITY } else { (at.q[0] - 0.3).powi(2) }
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        out[0] = 2.0 * (at.q[0] - 0.3);
    }
}

#[test]
fn where_a_criterion_is_not_defined_no_step_is_taken() {
    let model = slides(&[[-9.0, 9.0]; 2]);
    for iterations in [1, 10] {
        let mut solver = Solver::new(&model, along_x(2), Box::new(Half), few(iterations, Goal::Minimum)).unwrap();
        // What was known of another place does not count.
        solver.solve_into(&at_x(0.0), &mut [8.0, -8.0]).unwrap();
        let mut q = [-0.5, 0.5];
        let report = solver.solve_into(&at_x(0.0), &mut q).unwrap();
        assert!(q == [-0.5, 0.5] && report.criterion == f64::MAX && report.iterations == 0, "{q:?} {report:?}");
    }
    let (q, report) = after(&model, along_x(2), Half, (10, Goal::Minimum), &at_x(0.0), &[0.5, -0.5]);
    assert!(report.status == Status::Solved && (q[0] - 0.3).abs() < 1e-9);
}

/// A slope that leads out of where it is defined at once.
struct Edge;

impl Criterion for Edge {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        if at.q[0] > 0.25 { f64::INFINITY } else { -at.q[0] }
    }

    fn gradient(&mut self, _: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[-1.0, 0.0]);
    }

    fn hessian(&mut self, _: &Point<'_>, out: &mut [f64]) -> bool {
        out.copy_from_slice(&[1e-3, 0.0, 0.0, 0.0]);
        true
    }
}

#[test]
fn at_the_edge_of_where_a_criterion_is_defined_it_stays() {
    let model = slides(&[[-9.0, 9.0]; 2]);
    let (q, report) = after(&model, along_x(2), Edge, (10, Goal::Minimum), &at_x(0.0), &[0.25, -0.25]);
    assert!(
        q == [0.25, -0.25] && report.status == Status::NotStationary && report.criterion == -0.25,
        "{q:?} {report:?}"
    );
}

#[test]
fn limits_exactly_where_springs_balance_hold_or_do_not_but_are_no_failure() {
    let mut random = Random::new(25);
    let mut held = 0;
    for case in 0..150 {
        let stiff: Vec<(f64, f64)> = (0..3).map(|_| (random.range(-0.5, 0.5), random.range(0.3, 3.0))).collect();
        let x = random.range(-0.5, 0.5);
        // All pull alike where they balance: k (q − c) is the same force.
        let force = (x - stiff.iter().map(|(c, _)| c).sum::<f64>()) / stiff.iter().map(|(_, k)| 1.0 / k).sum::<f64>();
        let rest: Vec<f64> = stiff.iter().map(|(c, k)| c + force / k).collect();
        let mut ranges = [[-3.0, 3.0]; 3];
        let (i, side) = (random.below(3), random.below(2));
        ranges[i][side] = rest[i];
        let start: Vec<f64> = (0..3).map(|k| rest[k] + if k == i { [0.3, -0.3][side] } else { 0.1 }).collect();
        let model = slides(&ranges);
        let options = Options { starts: 1, ..Options::default() };
        let mut solver = Solver::new(&model, along_x(3), Box::new(Joints::springs(&stiff)), options).unwrap();
        let found = solver.solve(&at_x(x), Some(&start)).unwrap();
        assert!(found.report.status.is_success(), "case {case}: {:?}", found.report);
        assert!(found.q.iter().zip(&rest).all(|(a, b)| (a - b).abs() < 1e-8), "case {case}: {:?} {rest:?}", found.q);
        held += found.report.active;
    }
    assert!(held > 10 && held < 140, "{held}");
}

#[test]
fn what_counts_as_no_curvature_goes_by_the_others() {
    let model = slides(&[[-9.0, 9.0]; 2]);
    // On q₁ + q₂ = 0 springs k₁, k₂ curve by their mean.
    for (springs, kind) in [
        ([1e-5, 2e-5], Kind::Minimum),
        ([-1e-5, -2e-5], Kind::Maximum),
        ([1e3, -1e3 + 2e-6], Kind::Degenerate),
        ([1e3, -1e3 + 2e-3], Kind::Minimum),
        ([1e3, -1e3 - 2e-3], Kind::Maximum),
    ] {
        let criterion = Joints::springs(&springs.map(|k| (0.0, k)));
        let (_, report) = after(&model, along_x(2), criterion, (0, Goal::Stationary), &at_x(0.0), &[0.0; 2]);
        assert_eq!(report.kind, kind, "{springs:?}: {report:?}");
    }
}

#[test]
fn rows_that_depend_on_each_other_are_damped_as_much_as_it_takes() {
    // Six rows of an arm in an oblique plane, three of them independent, and so near that the error hardly damps.
    let joint = format!("{TURN}, axis = [0.48, 0.6, 0.64]");
    let model = arm(&[("[0, 0, 0]", &joint), ("[0.6, 0, 0]", &joint), ("[0.4, 0, 0]", &joint), ("[0.2, 0, 0]", "")]);
    let mut random = Random::new(26);
    for weight in [1e2, 1e3, 1e5, 1e7] {
        for case in 0..20 {
            let inner = random.vector(3, 1.5);
            let target = kinematics::pose(&model, &inner, 3);
            let mut solver =
                Solver::new(&model, Task::rows(3, [weight; 6]), Box::new(Constant), few(20, Goal::Minimum)).unwrap();
            let mut q: Vec<f64> = inner.iter().map(|x| x + random.range(-3e-8, 3e-8)).collect();
            let report = solver.reach_into(&target, &mut q).unwrap();
            assert_eq!(report.status, Status::Solved, "{weight}, case {case}: {report:?}");
        }
    }
}

#[test]
fn weights_whose_squares_are_no_numbers_end_in_a_status() {
    let model = planar(3, TURN);
    let options = Options { starts: 2, ..Options::default() };
    let task = Task::rows(3, [1e200, 1e200, 0.0, 0.0, 0.0, 0.0]);
    let mut solver = Solver::new(&model, task, Box::new(Constant), options).unwrap();
    let mut q = [0.3, 0.7, -0.2];
    let report = solver.reach_into(&at(0.5, 0.6), &mut q).unwrap();
    assert!(!report.status.is_reached() && q.iter().all(|x| x.is_finite()), "{report:?} {q:?}");
}

#[test]
fn vectors_of_the_tip_are_those_of_the_model() {
    // The formulas of this file are about the same arm.
    let q = [0.3, 0.5, -0.7, 1.1];
    let tip = kinematics::pose(&planar(4, TURN), &q, 4).translation;
    let plane = Plane::of(&q);
    assert!((tip - Vector([plane.tip[0], plane.tip[1], 0.0])).norm() < 1e-14);
}
