//! Splines of degree 3 and 5 through points, at rest at both ends.
//!
//! On each interval the polynomial that has the values and the first derivatives at both ends (one of them for degree 3,
//! two for degree 5); the inner derivatives are such that the next ones are continuous too: order 2, or orders 3 and 4.
//! That is a block-tridiagonal system with blocks of 1 or 2, diagonally dominant, solved by elimination along the knots.
//! Beyond its ends the spline stands still.

use super::curve::polynomial;
use super::error::PrescribedError;
use nalgebra::{SMatrix, SVector};

/// The degree of a spline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Degree {
    /// Twice continuously differentiable, zero velocity at the ends.
    Cubic,
    /// Four times continuously differentiable, zero velocity and acceleration at the ends.
    Quintic,
}

/// A piecewise polynomial.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    knots: Vec<f64>,
    /// Coefficients of each interval in the time since its begin.
    pieces: Vec<Vec<f64>>,
}

impl Spline {
    /// The spline through values at increasing times.
    ///
    /// # Errors
    /// Fewer than two points, or times that do not increase.
    pub fn through(times: &[f64], values: &[f64], degree: Degree) -> Result<Self, PrescribedError> {
        check_times(times)?;
        if times.len() != values.len() {
            let message = format!("{} times cannot have {} values", times.len(), values.len());
            return Err(PrescribedError::Points(message));
        }
        let pieces = match degree {
            Degree::Cubic => pieces::<1>(times, values),
            Degree::Quintic => pieces::<2>(times, values),
        };
        Ok(Self { knots: times.to_vec(), pieces })
    }

    /// The derivative of order `r` at the time `t`.
    #[must_use]
    pub fn derivative(&self, r: usize, t: f64) -> f64 {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        if (t < first || t > last) && r > 0 {
            return 0.0;
        }
        let t = t.clamp(first, last);
        let piece = self.knots.partition_point(|knot| *knot <= t).clamp(1, self.pieces.len()) - 1;
        polynomial(&self.pieces[piece], r, t - self.knots[piece])
    }
}

/// That there are at least two times and that they increase.
pub(super) fn check_times(times: &[f64]) -> Result<(), PrescribedError> {
    if times.len() < 2 {
        return Err(PrescribedError::Points(format!("a trajectory needs at least two points, not {}", times.len())));
    }
    match times.windows(2).position(|pair| pair[1] <= pair[0]) {
        Some(i) => {
            let message = format!("times must increase, but {} s follows {} s", times[i + 1], times[i]);
            Err(PrescribedError::Points(message))
        }
        None => Ok(()),
    }
}

/// The polynomial of degree 2B + 1 with these values and B derivatives at both ends of an interval of length `h`.
fn hermite<const B: usize>(h: f64, ends: [f64; 2], slopes: [&SVector<f64, B>; 2]) -> Vec<f64> {
    let rise = ends[1] - ends[0];
    let (v0, v1) = (slopes[0][0], slopes[1][0]);
    if B == 1 {
        let second = (3.0 * rise / h - 2.0 * v0 - v1) / h;
        let third = (v0 + v1 - 2.0 * rise / h) / (h * h);
        return vec![ends[0], v0, second, third];
    }
    let (a0, a1) = (slopes[0][B - 1], slopes[1][B - 1]);
    let d = (rise - v0 * h - 0.5 * a0 * h * h) / (h * h * h);
    let e = (v1 - v0 - a0 * h) / (h * h);
    let f = (a1 - a0) / h;
    vec![
        ends[0],
        v0,
        0.5 * a0,
        10.0 * d - 4.0 * e + 0.5 * f,
        (-15.0 * d + 7.0 * e - f) / h,
        (6.0 * d - 3.0 * e + 0.5 * f) / (h * h),
    ]
}

/// The first B derivatives above those that the ends of an interval share: orders B + 1 … 2B at its begin or end.
fn next<const B: usize>(piece: &[f64], x: f64) -> SVector<f64, B> {
    SVector::from_fn(|i, _| polynomial(piece, B + 1 + i, x))
}

fn pieces<const B: usize>(times: &[f64], values: &[f64]) -> Vec<Vec<f64>> {
    let n = times.len();
    let zero = SVector::<f64, B>::zeros();
    let length = |i: usize| times[i + 1] - times[i];
    // `next` is linear in the slopes: its matrix by unit slopes, its constant part by none.
    let by = |h: f64, end: usize, at: f64| {
        SMatrix::<f64, B, B>::from_columns(&std::array::from_fn::<_, B, _>(|c| {
            let mut unit = zero;
            unit[c] = 1.0;
            let slopes = if end == 0 { [&unit, &zero] } else { [&zero, &unit] };
            next::<B>(&hermite(h, [0.0, 0.0], slopes), at)
        }))
    };
    let fixed = |i: usize, at: f64| next::<B>(&hermite(length(i), [values[i], values[i + 1]], [&zero, &zero]), at);
    // Elimination along the inner knots: s_i = c_i − U_i s_{i+1}.
    let mut eliminated: Vec<(SMatrix<f64, B, B>, SVector<f64, B>)> = vec![(SMatrix::zeros(), zero)];
    for i in 1..n - 1 {
        let (left, right) = (length(i - 1), length(i));
        let lower = by(left, 0, left);
        let diagonal = by(left, 1, left) - by(right, 0, 0.0);
        let upper = -by(right, 1, 0.0);
        let (u, c) = eliminated[i - 1];
        // Dominant on its diagonal whatever the lengths, so that it has an inverse.
        let inverse = (diagonal - lower * u).try_inverse().unwrap_or_else(SMatrix::zeros);
        let constant = fixed(i, 0.0) - fixed(i - 1, left);
        eliminated.push((inverse * upper, inverse * (constant - lower * c)));
    }
    let mut slopes = vec![zero; n];
    for i in (1..n - 1).rev() {
        slopes[i] = eliminated[i].1 - eliminated[i].0 * slopes[i + 1];
    }
    (0..n - 1).map(|i| hermite(length(i), [values[i], values[i + 1]], [&slopes[i], &slopes[i + 1]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_meet_their_points_rest_at_the_ends_and_are_as_smooth_as_promised() {
        let (times, values) = ([0.0, 0.4, 1.5, 1.7, 3.0, 4.0], [1.0, -0.5, 2.0, 2.5, 0.0, 0.3]);
        for (degree, smooth) in [(Degree::Cubic, 2), (Degree::Quintic, 4)] {
            let spline = Spline::through(&times, &values, degree).unwrap();
            for (t, value) in times.iter().zip(values) {
                assert!((spline.derivative(0, *t) - value).abs() < 1e-12);
            }
            for r in 1..=smooth / 2 {
                assert!(spline.derivative(r, 0.0).abs() < 1e-12 && spline.derivative(r, 4.0).abs() < 1e-11);
            }
            for i in 1..times.len() - 1 {
                for r in 0..=smooth {
                    let left = polynomial(&spline.pieces[i - 1], r, times[i] - times[i - 1]);
                    let right = polynomial(&spline.pieces[i], r, 0.0);
                    assert!((left - right).abs() <= 1e-9 * left.abs().max(1.0), "{degree:?}, order {r} at knot {i}");
                }
            }
        }
    }

    #[test]
    fn times_that_do_not_increase_are_refused() {
        assert!(Spline::through(&[0.0], &[1.0], Degree::Cubic).is_err());
        assert!(Spline::through(&[0.0, 0.0], &[1.0, 2.0], Degree::Quintic).is_err());
    }
}
