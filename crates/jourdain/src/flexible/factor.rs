//! Solving with B: Cholesky, which also finds where the first-order model ends.
//!
//! B to first order in the deflections is a mass matrix only near δ = 0: it loses definiteness at deflections that the arm
//! could well reach. Every solution therefore goes through the factor, and a failure names the deflection that is furthest
//! out of its range.

use super::arm::{FlexibleArm, Kinematics};
use super::terms::{self, Scratch, Terms};
use crate::matrix::Matrix;
use crate::spectral;
use nalgebra::DMatrix;
use std::fmt;

/// How much a pivot may shrink against its diagonal before it is rounding.
pub(super) const SMALLEST: f64 = 1e-13;

/// L with B = L Lᵀ, in the lower triangle of `b`; false if B is not positive definite.
pub(super) fn factor(b: &mut [f64], size: usize) -> bool {
    let b = &mut b[..size * size];
    for j in 0..size {
        let (row_j, below) = b[j * size..].split_at_mut(size);
        let diagonal = row_j[j];
        let mut pivot = diagonal;
        for &x in &row_j[..j] {
            pivot -= x * x;
        }
        // Written so that a pivot that is not a number fails.
        if !(pivot > SMALLEST * diagonal.abs() && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        let inverse = 1.0 / root;
        row_j[j] = root;
        for row in below.chunks_exact_mut(size) {
            let mut sum = row[j];
            for (x, y) in row[..j].iter().zip(&row_j[..j]) {
                sum -= x * y;
            }
            row[j] = sum * inverse;
        }
    }
    true
}

/// Solves L Lᵀ x = x in place.
pub(super) fn solve(l: &[f64], size: usize, x: &mut [f64]) {
    let x = &mut x[..size];
    for i in 0..size {
        let row = &l[i * size..i * size + i];
        let sum = row.iter().zip(&x[..i]).fold(x[i], |sum, (l, x)| sum - l * x);
        x[i] = sum / l[i * size + i];
    }
    for i in (0..size).rev() {
        let value = x[i] / l[i * size + i];
        x[i] = value;
        for (x, l) in x[..i].iter_mut().zip(&l[i * size..i * size + i]) {
            *x -= l * value;
        }
    }
}

/// Memory for accelerations.
#[derive(Clone, Debug)]
pub struct Workspace {
    scratch: Scratch<f64>,
    /// The terms at the last state; B holds its Cholesky factor below the diagonal and on it.
    terms: Terms<f64>,
}

impl Workspace {
    /// For one arm.
    #[must_use]
    pub fn new(arm: &FlexibleArm<f64>) -> Self {
        Self { scratch: Scratch::new(arm), terms: Terms::new(arm.size()) }
    }

    /// The terms at a state.
    pub fn terms(&mut self, arm: &FlexibleArm<f64>, q: &[f64], qd: &[f64]) -> &Terms<f64> {
        terms::terms_into(arm, q, qd, &mut self.scratch, &mut self.terms);
        &self.terms
    }

    /// g at the last state.
    #[must_use]
    pub fn gravity(&self) -> &[f64] {
        &self.terms.gravity
    }
}

/// q̈ = B⁻¹ (Q u − h − g − K q − D q̇); allocates nothing. False if B is not positive definite; [`Indefinite::at`] says why.
///
/// # Panics
/// If a slice does not have the arm's size, or `torque` not one number per joint.
///
/// # Reference
/// DS (25).
#[must_use]
pub fn accelerations_into(
    arm: &FlexibleArm<f64>,
    q: &[f64],
    qd: &[f64],
    torque: &[f64],
    workspace: &mut Workspace,
    qdd: &mut [f64],
) -> bool {
    let size = arm.size();
    assert_eq!((qdd.len(), torque.len()), (size, arm.joints()), "coordinates and joints of the arm");
    let Workspace { scratch, terms } = workspace;
    terms::terms_into(arm, q, qd, scratch, terms);
    for ((qdd, h), g) in qdd.iter_mut().zip(&terms.velocity).zip(&terms.gravity) {
        *qdd = h + g;
    }
    terms::add_stiffness(arm, q, qdd);
    terms::add_damping(arm, qd, qdd);
    qdd.iter_mut().for_each(|x| *x = -*x);
    qdd.iter_mut().zip(torque).for_each(|(x, torque)| *x += torque);
    let b = terms.inertia.as_mut_slice();
    if !factor(b, size) {
        return false;
    }
    solve(b, size, qdd);
    true
}

/// The deflections at which B stays positive definite, one deflection at a time with all others zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Validity {
    /// The coordinate's name.
    pub name: String,
    /// Its place in q.
    pub place: usize,
    /// The deflection at hand.
    pub value: f64,
    /// The lowest and highest deflection, infinite where there is no bound.
    pub range: [f64; 2],
}

impl Validity {
    /// The deflection over the end of its range: one or more is beyond it.
    #[must_use]
    pub fn share(&self) -> f64 {
        let end = if self.value < 0.0 { self.range[0] } else { self.range[1] };
        if end == 0.0 { f64::INFINITY } else { self.value / end }
    }
}

/// The range of validity of each deflection at the joint angles of `q`. Unbounded in the untruncated kinematics.
///
/// B is linear in a single deflection, B₀ + δ S, and definite as long as 1 + δ λ > 0 for all eigenvalues λ of S over B₀.
///
/// # Panics
/// If `q` does not have the arm's size.
#[must_use]
pub fn validity(arm: &FlexibleArm<f64>, q: &[f64]) -> Vec<Validity> {
    let (n, size) = (arm.joints(), arm.size());
    let names = arm.coordinate_names();
    let inertia = |deflection: Option<usize>| {
        let mut at = q.to_vec();
        at[n..].fill(0.0);
        if let Some(k) = deflection {
            at[k] = 1.0;
        }
        terms::terms(arm, &at, &vec![0.0; size]).inertia
    };
    let straight = inertia(None);
    let mut l = straight.clone();
    let bounded = arm.kinematics() == Kinematics::Paper && factor(l.as_mut_slice(), size);
    let whiten = |s: &Matrix<f64>| {
        let l = DMatrix::from_fn(size, size, |i, j| if j <= i { l[(i, j)] } else { 0.0 });
        let half = l.solve_lower_triangular(&s.to_nalgebra())?;
        l.solve_lower_triangular(&half.transpose())
    };
    let range = |k: usize| {
        let bent = inertia(Some(k));
        let slope = Matrix::from_fn(size, size, |i, j| bent[(i, j)] - straight[(i, j)]);
        let eigenvalues =
            whiten(&slope).and_then(|m| spectral::symmetric((&m + m.transpose()) * 0.5)).map(|it| it.eigenvalues);
        let (low, high) = eigenvalues.map_or((0.0, 0.0), |v| (v.min(), v.max()));
        // Rounding of a zero S is no bound.
        let end = |lambda: f64| if lambda.abs() < 1e-12 { f64::INFINITY } else { -1.0 / lambda };
        [
            if high > 0.0 { -end(high).abs() } else { f64::NEG_INFINITY },
            if low < 0.0 { end(low) } else { f64::INFINITY },
        ]
    };
    (n..size)
        .map(|k| Validity {
            name: names[k].clone(),
            place: k,
            value: q[k],
            range: if bounded { range(k) } else { [f64::NEG_INFINITY, f64::INFINITY] },
        })
        .collect()
}

/// The smallest eigenvalue of B.
#[must_use]
pub fn smallest_eigenvalue(inertia: &Matrix<f64>) -> f64 {
    spectral::symmetric(inertia.to_nalgebra()).map_or(f64::NEG_INFINITY, |eigen| eigen.eigenvalues.min())
}

/// Where B is not positive definite, and which deflection is to blame.
#[derive(Clone, Debug, PartialEq)]
pub struct Indefinite {
    /// When, s; `None` outside a simulation.
    pub t: Option<f64>,
    /// The deflection furthest out of its range; `None` for an arm without any.
    pub deflection: Option<Validity>,
    /// The smallest eigenvalue of B.
    pub smallest: f64,
}

impl Indefinite {
    /// The diagnosis at a position where B could not be factored.
    ///
    /// # Panics
    /// If `q` does not have the arm's size.
    #[must_use]
    pub fn at(arm: &FlexibleArm<f64>, q: &[f64], t: Option<f64>) -> Self {
        let finite: Vec<f64> = q.iter().map(|&x| if x.is_finite() { x } else { 0.0 }).collect();
        let worst =
            |a: &Validity, b: &Validity| a.share().total_cmp(&b.share()).then(a.value.abs().total_cmp(&b.value.abs()));
        let smallest = smallest_eigenvalue(&terms::terms(arm, &finite, &vec![0.0; arm.size()]).inertia);
        Self { t, deflection: validity(arm, &finite).into_iter().max_by(worst), smallest }
    }
}

impl fmt::Display for Indefinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.smallest > 0.0 { "all but loses definiteness" } else { "is not positive definite" };
        write!(f, "the inertia matrix {verb}")?;
        if let Some(t) = self.t {
            write!(f, " at t = {t} s")?;
        }
        if self.smallest.is_finite() {
            write!(f, " (smallest eigenvalue {:.3e})", self.smallest)?;
        }
        let Some(deflection) = &self.deflection else { return Ok(()) };
        if deflection.value.abs() < 1e4 {
            write!(f, ": {} = {:.4}", deflection.name, deflection.value)?;
        } else {
            write!(f, ": {} = {:.3e}", deflection.name, deflection.value)?;
        }
        match deflection.range {
            [low, high] if low.is_finite() && high.is_finite() => {
                write!(f, ", while by itself it may lie between {low:.4} and {high:.4}")
            }
            [low, _] if low.is_finite() => write!(f, ", while by itself it may go down to {low:.4}"),
            [_, high] if high.is_finite() => write!(f, ", while by itself it may go up to {high:.4}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Indefinite {}

/// A symmetric positive definite block to be solved with again and again.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    size: usize,
    numbers: Vec<f64>,
}

impl Block {
    /// All zero.
    pub fn new(size: usize) -> Self {
        Self { size, numbers: vec![0.0; size * size] }
    }

    /// Sets an entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.numbers[row * self.size + column] = value;
    }

    /// Factors it in place; false if it is not positive definite.
    pub fn factor(&mut self) -> bool {
        factor(&mut self.numbers, self.size)
    }

    /// Solves with the factor, in place.
    pub fn solve(&self, x: &mut [f64]) {
        solve(&self.numbers, self.size, x);
    }
}
