//! Manipulability: √det J Jᵀ of the six rows of a link's Jacobian.
//!
//! With six velocities on the way to the link it is |det J|, expanded by minors of three rows; with fewer it is zero; with more
//! the product of the lengths of the rows, each less its part along the rows before it (Gram–Schmidt). The determinant of J Jᵀ
//! itself would lose half of the digits near a singularity. A row of length zero divides zero by a number too small to matter.
//!
//! Trap: it mixes metres and radians, so that its value depends on the unit of length.

use super::{Frame, KinematicsScratch, jacobian_into};
use crate::model::Model;
use jourdain_symbolic::Scalar;
use std::array::from_fn;

/// Far below the square of any length, and not zero.
const TINY: f64 = 1e-300;

/// √det J Jᵀ of a link's Jacobian in world axes at the link origin; m³ for turning joints.
///
/// # Reference
/// Ch (29), for all six rows.
///
/// # Panics
/// If there is no such link, or `q` is too short.
#[must_use]
pub fn manipulability<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    link: usize,
    scratch: &mut KinematicsScratch<S>,
) -> S {
    let nv = model.nv();
    let mut moving: Vec<usize> =
        model.chain(link).flat_map(|l| model.columns_of(l)).map(|c| model.columns()[c].dof).collect();
    moving.sort_unstable();
    moving.dedup();
    if moving.len() < 6 {
        return S::zero();
    }
    let mut jacobian = vec![S::zero(); 6 * nv];
    jacobian_into(model, q, Frame::world_aligned(link), scratch, &mut jacobian);
    if let Ok(six) = <[usize; 6]>::try_from(moving.as_slice()) {
        let determinant = determinant(&from_fn(|i| from_fn(|j| jacobian[i * nv + six[j]])));
        return (determinant * determinant).sqrt();
    }
    let mut rows: [Vec<S>; 6] = from_fn(|i| moving.iter().map(|&j| jacobian[i * nv + j]).collect());
    let dot = |a: &[S], b: &[S]| a.iter().zip(b).fold(S::zero(), |sum, (a, b)| a.mul_add(*b, sum));
    let (mut product, mut lengths) = (S::one(), [S::zero(); 6]);
    for i in 0..6 {
        let (before, row) = rows.split_at_mut(i);
        for (other, &length) in before.iter().zip(&lengths) {
            let share = dot(other, &row[0]) / (length + S::from_f64(TINY));
            row[0].iter_mut().zip(other).for_each(|(x, y)| *x -= share * *y);
        }
        lengths[i] = dot(&row[0], &row[0]);
        product = product * lengths[i];
    }
    product.sqrt()
}

/// The determinant of a 6×6 matrix: Laplace's expansion, minors of the upper three rows times those of the lower.
fn determinant<S: Scalar>(m: &[[S; 6]; 6]) -> S {
    let mut sum = S::zero();
    for a in 0..4 {
        for b in a + 1..5 {
            for c in b + 1..6 {
                let rest: Vec<usize> = (0..6).filter(|k| ![a, b, c].contains(k)).collect();
                let term = minor(m, 0, [a, b, c]) * minor(m, 3, [rest[0], rest[1], rest[2]]);
                // The sign of the permutation (a, b, c, rest).
                sum = if (a + b + c) % 2 == 1 { sum + term } else { sum - term };
            }
        }
    }
    sum
}

/// The determinant of three rows from `first` on in three columns.
fn minor<S: Scalar>(m: &[[S; 6]; 6], first: usize, [a, b, c]: [usize; 3]) -> S {
    let [x, y, z] = [&m[first], &m[first + 1], &m[first + 2]];
    let two = |i: usize, j: usize| y[i] * z[j] - y[j] * z[i];
    x[a] * two(b, c) - x[b] * two(a, c) + x[c] * two(a, b)
}
