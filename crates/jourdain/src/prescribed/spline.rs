//! Splines of degree 3, 5, 7 and 9 through points, at rest at both ends.
//!
//! On each interval the polynomial of degree 2B + 1 that has the values and the first B derivatives at both ends; the inner
//! derivatives are such that the next B, orders B + 1 … 2B, are continuous too. Of all curves through the points with these
//! ends it has the least ∫ (derivative of order B + 1)², so that the block-tridiagonal system of its slopes is positive
//! definite but for the signs of its rows and is solved by elimination along the knots. Beyond its ends the spline stands
//! still.
//!
//! Trap: the higher the degree, the wider the range of powers of time in that system. It is set up in units of the mean
//! interval.

use super::curve::polynomial;
use super::error::PrescribedError;
use nalgebra::{DMatrix, DVector, SMatrix, SVector};

/// The degree of a spline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Degree {
    /// Twice continuously differentiable, zero velocity at the ends.
    Cubic,
    /// Four times continuously differentiable, zero velocity and acceleration at the ends.
    Quintic,
    /// Six times continuously differentiable, zero velocity, acceleration and jerk at the ends.
    #[serde(alias = "order7")]
    Septic,
    /// Eight times continuously differentiable, zero velocity to snap at the ends: motors of elastic joints rest there too.
    #[serde(alias = "order9")]
    Nonic,
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
            Degree::Septic => pieces::<3>(times, values),
            Degree::Nonic => pieces::<4>(times, values),
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

/// The powers above B of a polynomial of degree 2B + 1 on the interval [0, 1] whose derivatives of orders 0 … B vanish at 0, by
/// those at 1: x^(B+1) Σ_k d_k/k! (x − 1)^k Σ_i C(B + i, i) (1 − x)^i, i ≤ B − k. Whole numbers but for the factorials.
fn upper_powers<const B: usize>() -> DMatrix<f64> {
    let binomial = |n: usize, k: usize| (0..k).fold(1.0, |c, i| c * (n as f64 - i as f64) / (i + 1) as f64);
    let sign = |power: usize| if power.is_multiple_of(2) { 1.0 } else { -1.0 };
    DMatrix::from_fn(B + 1, B + 1, |j, k| {
        let terms = (0..=B - k).filter(|i| k + i >= j);
        let sum: f64 = terms.map(|i| sign(i) * binomial(B + i, i) * binomial(k + i, j) * sign(k + i - j)).sum();
        sum / (1..=k).fold(1.0, |product, i| product * i as f64)
    })
}

/// The polynomial of degree 2B + 1 with these values and B derivatives at both ends of an interval of length `h`.
fn hermite<const B: usize>(upper: &DMatrix<f64>, h: f64, ends: [f64; 2], slopes: [&SVector<f64, B>; 2]) -> Vec<f64> {
    // In units of the interval: derivatives of order k times hᵏ.
    let order = |end: usize, k: usize| if k == 0 { ends[end] } else { slopes[end][k - 1] * h.powi(k as i32) };
    let mut piece: Vec<f64> = (0..=B).map(|k| order(0, k) / (1..=k).fold(1.0, |x, i| x * i as f64)).collect();
    let missing = DVector::from_fn(B + 1, |k, _| {
        // Differences of the values, not the values, so that a far origin costs no digits.
        if k == 0 {
            ends[1] - ends[0] - piece[1..].iter().sum::<f64>()
        } else {
            order(1, k) - polynomial(&piece, k, 1.0)
        }
    });
    piece.extend((upper * missing).iter());
    piece.iter().enumerate().map(|(k, c)| c / h.powi(k as i32)).collect()
}

/// The first B derivatives above those that the ends of an interval share: orders B + 1 … 2B at its begin or end.
fn next<const B: usize>(piece: &[f64], x: f64) -> SVector<f64, B> {
    SVector::from_fn(|i, _| polynomial(piece, B + 1 + i, x))
}

fn pieces<const B: usize>(times: &[f64], values: &[f64]) -> Vec<Vec<f64>> {
    let n = times.len();
    let (zero, upper) = (SVector::<f64, B>::zeros(), upper_powers::<B>());
    let hermite = |h: f64, ends: [f64; 2], slopes: [&SVector<f64, B>; 2]| hermite(&upper, h, ends, slopes);
    let unit = (times[n - 1] - times[0]) / (n - 1) as f64;
    let length = |i: usize| (times[i + 1] - times[i]) / unit;
    // `next` is linear in the slopes: its matrix by unit slopes, its constant part by none.
    let by = |h: f64, end: usize, at: f64| {
        SMatrix::<f64, B, B>::from_columns(&std::array::from_fn::<_, B, _>(|c| {
            let mut slope = zero;
            slope[c] = 1.0;
            let slopes = if end == 0 { [&slope, &zero] } else { [&zero, &slope] };
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
        // Definite but for the signs of its rows, whatever the lengths, so that it has an inverse.
        let inverse = (diagonal - lower * u).try_inverse().unwrap_or_else(SMatrix::zeros);
        let constant = fixed(i, 0.0) - fixed(i - 1, left);
        eliminated.push((inverse * upper, inverse * (constant - lower * c)));
    }
    let mut slopes = vec![zero; n];
    for i in (1..n - 1).rev() {
        slopes[i] = eliminated[i].1 - eliminated[i].0 * slopes[i + 1];
    }
    let in_seconds = |(k, c): (usize, f64)| c / unit.powi(k as i32);
    (0..n - 1)
        .map(|i| hermite(length(i), [values[i], values[i + 1]], [&slopes[i], &slopes[i + 1]]))
        .map(|piece| piece.into_iter().enumerate().map(in_seconds).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rounding may leave of a derivative whose large terms cancel.
    fn rounding(piece: &[f64], order: usize, x: f64) -> f64 {
        let sizes: Vec<f64> = piece.iter().map(|c| c.abs()).collect();
        1e-13 * (1.0 + polynomial(&sizes, order, x))
    }

    #[test]
    fn splines_meet_their_points_rest_at_the_ends_and_are_as_smooth_as_promised() {
        let (times, values) = ([0.0, 0.4, 1.5, 1.7, 3.0, 4.0], [1.0, -0.5, 2.0, 2.5, 0.0, 0.3]);
        for (degree, smooth) in [(Degree::Cubic, 2), (Degree::Quintic, 4), (Degree::Septic, 6), (Degree::Nonic, 8)] {
            let spline = Spline::through(&times, &values, degree).unwrap();
            for (i, (t, value)) in times.iter().zip(values).enumerate() {
                let x = if i == 0 { 0.0 } else { t - times[i - 1] };
                let bound = rounding(&spline.pieces[i.saturating_sub(1)], 0, x);
                assert!((spline.derivative(0, *t) - value).abs() < bound, "{degree:?} at knot {i}");
            }
            for r in 1..=smooth / 2 {
                let ends = [0.0, 4.0].map(|t| spline.derivative(r, t).abs());
                let bounds = [rounding(&spline.pieces[0], r, 0.0), rounding(&spline.pieces[4], r, 1.0)];
                assert!(ends[0] < bounds[0] && ends[1] < bounds[1], "{degree:?}, order {r}: {ends:?}");
            }
            for i in 1..times.len() - 1 {
                for r in 0..=smooth {
                    let left = polynomial(&spline.pieces[i - 1], r, times[i] - times[i - 1]);
                    let right = polynomial(&spline.pieces[i], r, 0.0);
                    // Derivatives of a curve that turns within 0.1 s grow tenfold with each order.
                    let scale = left.abs().max(10.0_f64.powi(r as i32 - 2)).max(1.0);
                    // Of the system for degree 9 such uneven intervals leave six digits.
                    let bound = if degree == Degree::Nonic { 1e-6 } else { 1e-9 };
                    assert!((left - right).abs() <= bound * scale, "{degree:?}, order {r} at knot {i}: {left} {right}");
                }
            }
        }
    }

    /// One interval: 10 x³ − …, 35 x⁴ − …, 126 x⁵ − …, the polynomials of every textbook.
    #[test]
    fn between_two_points_a_spline_is_the_polynomial_of_the_textbook() {
        for (degree, expected) in [
            (Degree::Quintic, &[10.0, -15.0, 6.0][..]),
            (Degree::Septic, &[35.0, -84.0, 70.0, -20.0]),
            (Degree::Nonic, &[126.0, -420.0, 540.0, -315.0, 70.0]),
        ] {
            let spline = Spline::through(&[1.0, 3.0], &[5.0, 6.0], degree).unwrap();
            let low = expected.len();
            for (k, c) in spline.pieces[0].iter().enumerate().skip(1) {
                let found = c * 2.0_f64.powi(k as i32);
                let right = if k < low { 0.0 } else { expected[k - low] };
                assert!((found - right).abs() < 1e-10, "{degree:?}, power {k}: {found} for {right}");
            }
        }
    }

    /// Points a millisecond apart: what the powers of such a time would do to the system.
    #[test]
    fn short_and_uneven_intervals_keep_their_accuracy() {
        for scale in [1e-3, 1.0, 1e3] {
            let times: Vec<f64> = (0..40).map(|i| scale * (i as f64 + 0.3 * (i as f64).sin())).collect();
            let values: Vec<f64> = times.iter().map(|t| (0.4 * t / scale).cos()).collect();
            // What SciPy's make_interp_spline has in the middle; that the ends are at rest is felt over more than ten knots.
            for (degree, expected) in
                [(Degree::Quintic, 1.386e-7), (Degree::Septic, -1.324e-7), (Degree::Nonic, -2.492e-6)]
            {
                let spline = Spline::through(&times, &values, degree).unwrap();
                let t = 0.5 * (times[20] + times[21]);
                let error = spline.derivative(0, t) - (0.4 * t / scale).cos();
                assert!((error - expected).abs() < 1e-3 * expected.abs(), "{degree:?}, scale {scale}: {error:e}");
            }
        }
    }

    #[test]
    fn times_that_do_not_increase_are_refused() {
        assert!(Spline::through(&[0.0], &[1.0], Degree::Cubic).is_err());
        assert!(Spline::through(&[0.0, 0.0], &[1.0, 2.0], Degree::Quintic).is_err());
    }
}
