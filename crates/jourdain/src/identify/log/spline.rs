//! A smooth curve through samples at any times: a penalised spline.
//!
//! Of all splines s of degree five with evenly spaced knots it is the one with the least Σ (x_i − s(t_i))² + λ ∫ s‴², with
//! λ = ρ/(2π f_c)⁶ and ρ samples per second. On even samples that is a filter without delay, of amplitude 1/(1 + (f/f_c)⁶): a
//! Butterworth filter of order three run both ways. On uneven ones, across gaps and at ends it is still right, which no filter is.
//! Derivatives are those of the spline.
//!
//! Traps. At its ends, and at those of a gap that is longer than 1/f_c, a curve is known from one side only: accelerations there
//! are poor. Times count from the first sample of the curve, so that a large clock costs no digits.

use super::banded::Banded;
use std::f64::consts::PI;

/// Coefficients that are felt at one time.
const ORDER: usize = 6;
/// Knots per period of the cut-off.
const KNOTS: f64 = 8.0;
/// What a sample from afar still counts for, as a power of e: the slowest root of 1 + (f/f_c)⁶ falls with half the rate 2π f_c.
const FORGOTTEN: f64 = 32.0;

/// After how many seconds a curve with this cut-off, Hz, has forgotten a sample to rounding.
pub(super) fn memory(cutoff: f64) -> f64 {
    FORGOTTEN / (PI * cutoff)
}

/// The basis of degree five on one interval between knots and its first three derivatives by u, at u from 0 to 1.
fn basis(u: f64) -> [[f64; ORDER]; 4] {
    let mut degrees = [[0.0; ORDER]; ORDER];
    degrees[0][0] = 1.0;
    for d in 1..ORDER {
        for j in 0..=d {
            let before = if j > 0 { degrees[d - 1][j - 1] } else { 0.0 };
            let own = if j < d { degrees[d - 1][j] } else { 0.0 };
            degrees[d][j] = ((u - j as f64 + d as f64) * before + (j as f64 + 1.0 - u) * own) / d as f64;
        }
    }
    // A derivative is the difference of neighbours of one degree less, so that of order r is a difference of order r.
    let mut result = [degrees[5], degrees[4], degrees[3], degrees[2]];
    for (r, values) in result.iter_mut().enumerate() {
        for _ in 0..r {
            for j in (0..ORDER).rev() {
                values[j] = if j > 0 { values[j - 1] } else { 0.0 } - values[j];
            }
        }
    }
    result
}

/// ∫ N‴_a N‴_b du over one interval, by three Gauss points: exact, as the integrand is of degree four.
fn roughness() -> [[f64; ORDER]; ORDER] {
    let far = 0.6_f64.sqrt() / 2.0;
    let mut sum = [[0.0; ORDER]; ORDER];
    for (u, weight) in [(0.5 - far, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + far, 5.0 / 18.0)] {
        let third = basis(u)[3];
        for (a, row) in sum.iter_mut().enumerate() {
            row.iter_mut().zip(third).for_each(|(to, b)| *to += weight * third[a] * b);
        }
    }
    sum
}

/// Several curves over the same times.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    /// Number of curves.
    width: usize,
    roughness: [[f64; ORDER]; ORDER],
    matrix: Banded,
    /// Per coefficient, those of all curves.
    coefficients: Vec<f64>,
    start: f64,
    /// Between knots, s.
    spacing: f64,
    intervals: usize,
}

impl Spline {
    /// So many curves, without samples.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            roughness: roughness(),
            matrix: Banded::default(),
            coefficients: Vec::new(),
            start: 0.0,
            spacing: 1.0,
            intervals: 1,
        }
    }

    /// Fits the curves to samples at rising `times`; `values` holds, per sample, those of all curves. `rate` is how many samples
    /// there are in a second. False if numbers are too large to be fitted.
    pub fn fit(&mut self, times: &[f64], values: &[f64], cutoff: f64, rate: f64) -> bool {
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return false };
        self.start = *first;
        self.spacing = (1.0 / (KNOTS * cutoff)).max(1.0 / rate);
        self.intervals = (((last - first) / self.spacing).floor() as usize) + 1;
        let size = self.intervals + ORDER - 1;
        self.matrix.clear(size);
        self.coefficients.clear();
        self.coefficients.resize(size * self.width, 0.0);
        // A parabola costs no roughness: without a trace of another penalty two samples would not determine the curve.
        let penalty = rate / (2.0 * PI * cutoff).powi(6) / self.spacing.powi(5);
        let trace = 1e-10 * self.spacing * rate;
        for k in 0..self.intervals {
            for a in 0..ORDER {
                (0..=a).for_each(|b| self.matrix.add(k + a, a - b, penalty * self.roughness[a][b]));
            }
        }
        (0..size).for_each(|k| self.matrix.add(k, 0, trace));
        // The trace pulls towards a constant, the mean of all samples, not towards zero.
        for (t, sample) in times.iter().zip(values.chunks_exact(self.width)) {
            let (k, u) = self.place(*t);
            let [weights, ..] = basis(u);
            for a in 0..ORDER {
                (0..=a).for_each(|b| self.matrix.add(k + a, a - b, weights[a] * weights[b]));
                let to = &mut self.coefficients[(k + a) * self.width..][..self.width];
                to.iter_mut().zip(sample).for_each(|(to, x)| *to += weights[a] * x);
            }
        }
        let count = times.len() as f64;
        for curve in 0..self.width {
            let mean = values.iter().skip(curve).step_by(self.width).sum::<f64>() / count;
            self.coefficients.iter_mut().skip(curve).step_by(self.width).for_each(|to| *to += trace * mean);
        }
        if !self.matrix.factor() {
            return false;
        }
        self.matrix.solve(&mut self.coefficients, self.width);
        self.coefficients.iter().all(|x| x.is_finite())
    }

    /// The values and the first two derivatives of all curves at a time.
    pub fn at(&self, t: f64, orders: [&mut [f64]; 3]) {
        let (k, u) = self.place(t);
        let basis = basis(u);
        let mut scale = 1.0;
        for (to, weights) in orders.into_iter().zip(basis) {
            to.fill(0.0);
            for (a, weight) in weights.iter().enumerate() {
                let from = &self.coefficients[(k + a) * self.width..][..self.width];
                to.iter_mut().zip(from).for_each(|(to, c)| *to += weight * scale * c);
            }
            scale /= self.spacing;
        }
    }

    /// The same with each curve at a time of its own: `t` and what `later` has for it.
    pub fn at_each(&self, t: f64, later: &[f64], mut orders: [&mut [f64]; 3]) {
        for (curve, later) in later.iter().enumerate().take(self.width) {
            let (k, u) = self.place(t + later);
            let mut scale = 1.0;
            for (to, weights) in orders.iter_mut().zip(basis(u)) {
                let coefficient = |a: usize| self.coefficients[(k + a) * self.width + curve];
                to[curve] = weights.iter().enumerate().map(|(a, weight)| weight * scale * coefficient(a)).sum();
                scale /= self.spacing;
            }
        }
    }

    /// The interval of a time, and where in it. Beyond the ends the outer polynomials go on.
    fn place(&self, t: f64) -> (usize, f64) {
        let x = (t - self.start) / self.spacing;
        let k = (x.floor().max(0.0) as usize).min(self.intervals - 1);
        (k, x - k as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn at(spline: &Spline, t: f64) -> [f64; 3] {
        let [mut q, mut w, mut a] = [[0.0; 1]; 3];
        spline.at(t, [&mut q, &mut w, &mut a]);
        [q[0], w[0], a[0]]
    }

    #[test]
    fn the_basis_is_a_partition_of_one_and_each_derivative_is_the_slope_of_the_one_before() {
        let h = 1e-5;
        for u in [0.0, 0.2, 0.77, 1.0] {
            let [values, ..] = basis(u);
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            let (low, high, exact) = (basis(u - h), basis(u + h), basis(u));
            for r in 0..3 {
                for j in 0..ORDER {
                    let slope = (high[r][j] - low[r][j]) / (2.0 * h);
                    assert!((slope - exact[r + 1][j]).abs() < 1e-8, "order {r}, {j} at {u}");
                }
            }
        }
    }

    /// The published values of a quintic at a knot: 1, 26, 66, 26, 1 over 120.
    #[test]
    fn the_basis_has_its_tabulated_values_at_a_knot() {
        let [values, ..] = basis(0.0);
        for (value, exact) in values.iter().zip([1.0, 26.0, 66.0, 26.0, 1.0, 0.0]) {
            assert!((120.0 * value - exact).abs() < 1e-13);
        }
    }

    #[test]
    fn parabolas_are_kept_whatever_the_times_are() {
        let mut random = Random(2);
        let mut t = 1e6;
        let times: Vec<f64> = (0..300)
            .map(|_| {
                t += 0.01 * (1.0 + 0.9 * random.signed());
                t
            })
            .collect();
        let exact = |t: f64| 0.3 - 1.2 * (t - 1e6) + 0.7 * (t - 1e6).powi(2);
        let values: Vec<f64> = times.iter().map(|t| exact(*t)).collect();
        let mut spline = Spline::new(1);
        assert!(spline.fit(&times, &values, 5.0, 100.0));
        for t in [times[0], times[100], times[299]] {
            let [q, w, a] = at(&spline, t);
            assert!((q - exact(t)).abs() < 1e-6, "{q} and {}", exact(t));
            assert!((w - (1.4 * (t - 1e6) - 1.2)).abs() < 1e-5, "{w}");
            assert!((a - 1.4).abs() < 1e-4, "{a}");
        }
    }

    #[test]
    fn a_wave_keeps_the_share_that_a_butterworth_filter_run_both_ways_leaves() {
        let (rate, cutoff) = (500.0, 10.0);
        let times: Vec<f64> = (0..5000).map(|i| f64::from(i) / rate).collect();
        for frequency in [1.0, 5.0, 10.0, 20.0] {
            let w = 2.0 * PI * frequency;
            let values: Vec<f64> = times.iter().map(|t| (w * t).sin()).collect();
            let mut spline = Spline::new(1);
            assert!(spline.fit(&times, &values, cutoff, rate));
            let share = 1.0 / (1.0 + (frequency / cutoff).powi(6));
            for t in [4.9, 5.013, 5.2] {
                let [q, qd, qdd] = at(&spline, t);
                let (sin, cos) = (w * t).sin_cos();
                assert!((q - share * sin).abs() < 2e-3, "{frequency} Hz: {q} and {}", share * sin);
                assert!((qd - share * w * cos).abs() < 4e-3 * w, "{frequency} Hz");
                assert!((qdd + share * w * w * sin).abs() < 1e-2 * w * w, "{frequency} Hz");
            }
        }
    }

    #[test]
    fn curves_at_times_of_their_own_are_what_they_are_at_those() {
        let times: Vec<f64> = (0..200).map(|i| 0.01 * f64::from(i)).collect();
        let values: Vec<f64> = times.iter().flat_map(|t| [(3.0 * t).sin(), (2.0 * t).cos()]).collect();
        let mut spline = Spline::new(2);
        assert!(spline.fit(&times, &values, 8.0, 100.0));
        let [mut own, mut first, mut second] = [[[0.0; 2]; 3]; 3];
        let split = |[a, b, c]: &mut [[f64; 2]; 3], f: &mut dyn FnMut([&mut [f64]; 3])| f([a, b, c]);
        split(&mut own, &mut |orders| spline.at_each(0.9, &[0.02, -0.013], orders));
        split(&mut first, &mut |orders| spline.at(0.92, orders));
        split(&mut second, &mut |orders| spline.at(0.887, orders));
        for order in 0..3 {
            assert!(
                (own[order][0] - first[order][0]).abs() < 1e-10 && (own[order][1] - second[order][1]).abs() < 1e-10
            );
        }
    }

    #[test]
    fn samples_beyond_the_memory_do_not_count() {
        let (rate, cutoff) = (200.0, 8.0);
        let times: Vec<f64> = (0..2000).map(|i| f64::from(i) / rate).collect();
        let mut random = Random(7);
        let mut values = random.vector(2000);
        let mut spline = Spline::new(1);
        assert!(spline.fit(&times, &values, cutoff, rate));
        let before = at(&spline, 5.0);
        let far = times.iter().position(|t| *t > 5.0 + memory(cutoff)).unwrap();
        values[far..].iter_mut().for_each(|x| *x += 1.0);
        assert!(spline.fit(&times, &values, cutoff, rate));
        for (a, b) in before.iter().zip(at(&spline, 5.0)) {
            assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{a} and {b}");
        }
    }
}
