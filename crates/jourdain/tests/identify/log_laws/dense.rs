//! Fits of all rows of a log at once, with what bodies can be, beside which estimates from factors are held.

use crate::logs::{Random, Run};
use jourdain::Model;
use jourdain::dynamics::recursive;
use jourdain::identify::{Accumulator, Factors, Problem, Sample, Term};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix4};
use std::collections::BTreeSet;

/// One equation of a joint: all standard parameters and then the terms of the drives times these numbers make its torque.
#[derive(Clone)]
pub struct Row {
    pub t: f64,
    pub columns: Vec<f64>,
    pub tau: f64,
}

/// A log as equations, and as factors.
#[derive(Clone)]
pub struct Log {
    pub joints: Vec<Vec<Row>>,
    pub factors: Factors,
}

/// The motion of a model at a time: positions, velocities, accelerations.
pub fn moving(model: &Model<f64>) -> impl FnMut(f64) -> [Vec<f64>; 3] {
    let mut run = Run::new(model, 0.8);
    move |t| {
        run.at(t);
        [run.q.clone(), run.qd.clone(), run.qdd.clone()]
    }
}

/// Errors of joints: of these sizes, of each of which the next has this much.
pub fn errors<'a>(sizes: &'a [f64], like: f64, seed: u64) -> impl FnMut(&mut [f64]) + 'a {
    let (mut random, mut state) = (Random(seed), vec![0.0; sizes.len()]);
    move |tau| {
        for (j, size) in sizes.iter().enumerate() {
            state[j] = like * state[j] + size * random.normal();
            tau[j] += state[j];
        }
    }
}

pub fn times(seconds: f64, step: f64) -> Vec<f64> {
    (0..(seconds / step).round() as u32).map(|i| step * f64::from(i)).collect()
}

/// A log of a model; `change` does to the torques of a sample what a test wants.
pub fn record(
    problem: &Problem,
    model: &Model<f64>,
    times: &[f64],
    mut motion: impl FnMut(f64) -> [Vec<f64>; 3],
    mut change: impl FnMut(&mut [f64]),
) -> Log {
    let degrees = problem.joints().len();
    let (mut accumulator, mut joints) = (Accumulator::new(problem), vec![Vec::new(); degrees]);
    for &t in times {
        let [q, qd, qdd] = motion(t);
        let mut tau = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
        change(&mut tau);
        let regressor = recursive::regressor(problem.model(), &q, &qd, &qdd);
        for (j, rows) in joints.iter_mut().enumerate() {
            let standard = (0..problem.base().parameters().len()).map(|k| regressor[(j, k)]);
            let term = |term: &jourdain::identify::DriveColumn| {
                assert_eq!(term.term, Term::Offset);
                f64::from(term.coordinate == j)
            };
            let columns = standard.chain(problem.terms().iter().map(term)).collect();
            rows.push(Row { t, columns, tau: tau[j] });
        }
        accumulator.add(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
    }
    Log { joints, factors: accumulator.finish() }
}

/// The stretch of two seconds of a time.
pub fn stretch(t: f64) -> i64 {
    (t / 2.0).floor() as i64
}

impl Log {
    /// What of a joint's torques is left by parameters and terms.
    pub fn left(&self, joint: usize, all: &[f64]) -> Vec<f64> {
        let left = |row: &Row| row.columns.iter().zip(all).map(|(a, x)| a * x).sum::<f64>() - row.tau;
        self.joints[joint].iter().map(left).collect()
    }

    pub fn torque(&self, joint: usize) -> f64 {
        mean_square(&self.joints[joint].iter().map(|row| row.tau).collect::<Vec<_>>()).sqrt()
    }

    pub fn stretches(&self) -> Vec<i64> {
        let all: BTreeSet<i64> = self.joints[0].iter().map(|row| stretch(row.t)).collect();
        all.into_iter().collect()
    }

    /// κ: how many samples of a joint count as one, with these columns and what is left.
    pub fn alike(&self, joint: usize, columns: &[usize], left: &[f64], noise: f64) -> f64 {
        let (rows, stretches) = (&self.joints[joint], self.stretches());
        let count = stretches.len() as f64;
        if stretches.len() < 8 {
            return 1.0;
        }
        let a = DMatrix::from_fn(rows.len(), columns.len(), |i, k| rows[i].columns[columns[k]]);
        let lengths: Vec<f64> = a.column_iter().map(|column| column.norm().max(1e-300)).collect();
        let unit = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / lengths[k]);
        let inverse = (unit.transpose() * &unit).pseudo_inverse(1e-12).unwrap();
        let gradient = |b: &i64| {
            let inside = (0..rows.len()).filter(|&i| stretch(rows[i].t) == *b);
            inside.fold(DVector::zeros(columns.len()), |sum, i| sum + unit.row(i).transpose() * left[i])
        };
        let gradients: Vec<DVector<f64>> = stretches.iter().map(gradient).collect();
        let mean = gradients.iter().fold(DVector::zeros(columns.len()), |sum, g| sum + g) / count;
        let scatter: f64 = gradients.iter().map(|g| g - &mean).map(|g| g.dot(&(&inverse * &g))).sum();
        (count / (count - 1.0) * scatter / (noise * noise * columns.len() as f64)).max(1.0)
    }

    /// Σ aᵀa and Σ aᵀb of a joint over rows that are `kept`, a being the free columns and b what the others leave of the torque.
    pub fn squares(
        &self,
        joint: usize,
        free: &[usize],
        others: &[f64],
        kept: impl Fn(f64) -> bool,
    ) -> (DMatrix<f64>, DVector<f64>) {
        let rows: Vec<&Row> = self.joints[joint].iter().filter(|row| kept(row.t)).collect();
        let a = DMatrix::from_fn(rows.len(), free.len(), |i, k| rows[i].columns[free[k]]);
        let b = DVector::from_fn(rows.len(), |i, _| {
            rows[i].tau - rows[i].columns.iter().zip(others).map(|(a, x)| a * x).sum::<f64>()
        });
        (a.transpose() * &a, a.transpose() * b)
    }
}

pub fn mean_square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64
}

/// The columns of the unknowns of a problem that a joint feels, among those of rows.
pub fn felt(problem: &Problem, joint: usize) -> Vec<usize> {
    let (base, all) = (problem.unknowns().len(), problem.base().parameters().len());
    problem.felt(joint).iter().map(|&i| if i < base { problem.column(i) } else { all + i - base }).collect()
}

/// ∫ (r; 1)(r; 1)ᵀ dm of a body.
pub fn pseudo_inertia(pi: &[f64]) -> Matrix4<f64> {
    let tensor = Matrix3::new(pi[4], pi[5], pi[6], pi[5], pi[7], pi[8], pi[6], pi[8], pi[9]);
    let spread = Matrix3::identity() * (0.5 * tensor.trace()) - tensor;
    let mut p = Matrix4::zeros();
    p.fixed_view_mut::<3, 3>(0, 0).copy_from(&spread);
    for axis in 0..3 {
        (p[(axis, 3)], p[(3, axis)]) = (pi[1 + axis], pi[1 + axis]);
    }
    p[(3, 3)] = pi[0];
    p
}

/// What is known before the data: ten numbers of a body, a positive number, or one about zero with this deviation.
#[derive(Clone, Debug)]
pub enum Known {
    Body([f64; 10]),
    Positive(f64),
    About(f64),
}

/// A limit: Σ c x + d stays positive.
#[derive(Clone, Debug)]
pub struct Limit(pub Vec<(usize, f64)>, pub f64);

impl Limit {
    fn at(&self, x: &DVector<f64>) -> f64 {
        self.1 + self.0.iter().map(|&(k, c)| c * x[k]).sum::<f64>()
    }
}

/// The penalty of unknowns.
#[derive(Clone, Debug, Default)]
pub struct Prior {
    pub known: Vec<Known>,
    pub limits: Vec<Limit>,
}

impl Prior {
    pub fn point(&self) -> DVector<f64> {
        let of = |known: &Known| match known {
            Known::Body(body) => body.to_vec(),
            Known::Positive(x) => vec![*x],
            Known::About(_) => vec![0.0],
        };
        DVector::from_vec(self.known.iter().flat_map(of).collect())
    }

    /// Value, gradient and Hessian of γ times the divergence, and of the squares of numbers about zero.
    pub fn at(&self, x: &DVector<f64>, gamma: f64) -> Option<(f64, DVector<f64>, DMatrix<f64>)> {
        let n = x.len();
        let (mut value, mut gradient, mut hessian) = (0.0, DVector::zeros(n), DMatrix::zeros(n, n));
        let mut at = 0;
        for known in &self.known {
            match known {
                Known::Body(prior) => {
                    let p = pseudo_inertia(&x.as_slice()[at..at + 10]);
                    let factor = p.cholesky()?;
                    let (inverse, before) = (factor.inverse(), pseudo_inertia(prior).cholesky()?.inverse());
                    value += gamma * ((before * p).trace() - factor.determinant().ln());
                    let unit = |a: usize| pseudo_inertia(&std::array::from_fn::<f64, 10, _>(|k| f64::from(k == a)));
                    let turned: [Matrix4<f64>; 10] = std::array::from_fn(|a| inverse * unit(a));
                    for a in 0..10 {
                        gradient[at + a] += gamma * ((before * unit(a)).trace() - turned[a].trace());
                        (0..10).for_each(|b| hessian[(at + a, at + b)] += gamma * (turned[a] * turned[b]).trace());
                    }
                    at += 10;
                }
                Known::Positive(prior) => {
                    let own = x[at];
                    if own <= 0.0 {
                        return None;
                    }
                    value += gamma * (own / prior - own.ln());
                    gradient[at] += gamma * (1.0 / prior - 1.0 / own);
                    hessian[(at, at)] += gamma / own.powi(2);
                    at += 1;
                }
                Known::About(deviation) => {
                    value += 0.5 * (x[at] / deviation).powi(2);
                    gradient[at] += x[at] / deviation.powi(2);
                    hessian[(at, at)] += deviation.powi(-2);
                    at += 1;
                }
            }
        }
        let prior = self.point();
        for limit in &self.limits {
            let (own, before) = (limit.at(x), limit.at(&prior));
            if own <= 0.0 {
                return None;
            }
            value += gamma * (own / before - own.ln());
            for &(a, c) in &limit.0 {
                gradient[a] += gamma * c * (1.0 / before - 1.0 / own);
                limit.0.iter().for_each(|&(b, d)| hessian[(a, b)] += gamma * c * d / own.powi(2));
            }
        }
        Some((value, gradient, hessian))
    }

    /// Gradient and Hessian of ½ xᵀHx − cᵀx and the penalty, over and at a point.
    pub fn slopes(
        &self,
        squares: &(DMatrix<f64>, DVector<f64>),
        x: &DVector<f64>,
        gamma: f64,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let (_, gradient, hessian) = self.at(x, gamma).expect("a point that can be");
        (&squares.0 * x - &squares.1 + gradient, &squares.0 + hessian)
    }

    /// How far a point is from the least of ½ xᵀHx − cᵀx and penalty: the squared Newton decrement, in units of log-likelihood.
    pub fn decrement(&self, squares: &(DMatrix<f64>, DVector<f64>), x: &DVector<f64>, gamma: f64) -> f64 {
        let (gradient, hessian) = self.slopes(squares, x, gamma);
        let inverse = inverse(&hessian);
        gradient.dot(&(inverse * &gradient))
    }

    /// The least of ½ xᵀHx − cᵀx and penalty from a point on, by damped Newton steps.
    pub fn minimum(&self, squares: &(DMatrix<f64>, DVector<f64>), from: &DVector<f64>, gamma: f64) -> DVector<f64> {
        let value = |x: &DVector<f64>| {
            self.at(x, gamma).map(|(value, ..)| 0.5 * x.dot(&(&squares.0 * x)) - squares.1.dot(x) + value)
        };
        let mut x = from.clone();
        for _ in 0..100 {
            let (gradient, hessian) = self.slopes(squares, &x, gamma);
            let step = -(inverse(&hessian) * &gradient);
            let decrement = -gradient.dot(&step);
            if decrement < 1e-9 {
                break;
            }
            let (now, mut length) = (value(&x).expect("a point that can be"), 1.0);
            while length > 1e-9
                && value(&(&x + &step * length)).is_none_or(|then| then > now - 1e-4 * length * decrement)
            {
                length *= 0.5;
            }
            x += step * length;
        }
        x
    }
}

/// The weights of joints settle in a few rounds, of which the last leaves them a little off where the prior has its say: by which shares
/// they have to be changed for a point to be best. `slopes` are gradients of the weighted squares of joints.
pub fn off_weights(gradient: &DVector<f64>, hessian: &DMatrix<f64>, slopes: &[DVector<f64>], what: &str) -> Vec<f64> {
    let slopes = DMatrix::from_columns(slopes);
    // With a trace that keeps those as they are which make no difference.
    let turned = slopes.transpose() * inverse(hessian);
    let square = &turned * &slopes + DMatrix::identity(slopes.ncols(), slopes.ncols()) * 1e-3;
    let off = -(square.lu().solve(&(turned * gradient)).unwrap());
    assert!(off.amax() < 0.4, "{what}: weights of joints are off by shares of {off}");
    off.as_slice().to_vec()
}

/// Of a positive definite matrix, with rows and columns of about one.
pub fn inverse(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let scale: Vec<f64> = matrix.diagonal().iter().map(|d| 1.0 / d.sqrt()).collect();
    let scaled = |m: &DMatrix<f64>| DMatrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)] * scale[i] * scale[j]);
    scaled(&scaled(matrix).cholesky().expect("positive definite").inverse())
}

pub fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let size = expected.abs().max(1e-12);
    assert!((found - expected).abs() <= tolerance * size, "{what}: {found} instead of {expected}");
}
