//! Samples made smooth: the straight lines between them, averaged with a Gaussian of standard deviation σ.
//!
//! The lines are p_0 + m_0 (t − t_0) + Σ Δm_k ramp(t − t_k), and a ramp averaged is σ φ(x/σ) + x Φ(x/σ), with φ and Φ the
//! density and the distribution of the normal law. So all derivatives are exact: those of order 2 and above are Σ Δm_k times
//! derivatives of φ, Hermite polynomials. Noise of single samples is damped over about 2σ; what is faster than σ is lost.
//!
//! Beyond the samples the outer lines go on.

use super::error::PrescribedError;
use super::spline::check_times;
use std::f64::consts::PI;

/// Samples with a smoothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    /// Time, value and slope of the first line.
    first: [f64; 3],
    /// Times at which the slope changes, and by how much.
    bends: Vec<(f64, f64)>,
    sigma: f64,
}

impl Smoothed {
    /// Samples at increasing times, averaged over the standard deviation `sigma`, s.
    ///
    /// # Errors
    /// Fewer than two samples, times that do not increase, or a `sigma` that is not positive.
    pub fn through(times: &[f64], values: &[f64], sigma: f64) -> Result<Self, PrescribedError> {
        check_times(times)?;
        if times.len() != values.len() {
            let message = format!("{} times cannot have {} values", times.len(), values.len());
            return Err(PrescribedError::Points(message));
        }
        if !(sigma > 0.0 && sigma.is_finite()) {
            return Err(PrescribedError::Points(format!("the smoothing must be a positive time, not {sigma} s")));
        }
        let slope = |i: usize| (values[i + 1] - values[i]) / (times[i + 1] - times[i]);
        let bends = (1..times.len() - 1).map(|k| (times[k], slope(k) - slope(k - 1))).collect();
        Ok(Self { first: [times[0], values[0], slope(0)], bends, sigma })
    }

    /// The derivative of order `r` at the time `t`.
    #[must_use]
    pub fn derivative(&self, r: usize, t: f64) -> f64 {
        let [start, value, slope] = self.first;
        let line = match r {
            0 => value + slope * (t - start),
            1 => slope,
            _ => 0.0,
        };
        self.bends.iter().fold(line, |sum, (at, change)| sum + change * self.ramp(r, t - at))
    }

    /// The derivative of order `r` of a ramp, averaged.
    fn ramp(&self, r: usize, x: f64) -> f64 {
        let z = x / self.sigma;
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        match r {
            0 => self.sigma * density + x * distribution(z),
            1 => distribution(z),
            _ => {
                // φ^{(n)}(z) = (−1)ⁿ He_n(z) φ(z), n = r − 2, and a factor 1/σ for each order.
                let n = r - 2;
                let (mut previous, mut hermite) = (0.0, 1.0);
                for k in 0..n {
                    (previous, hermite) = (hermite, z * hermite - k as f64 * previous);
                }
                let sign = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
                sign * hermite * density / self.sigma.powi(r as i32 - 1)
            }
        }
    }
}

/// The distribution of the normal law, by its series near zero and a continued fraction of its tail.
fn distribution(z: f64) -> f64 {
    let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
    if z.abs() < 4.0 {
        let (mut term, mut sum, mut k) = (z, z, 1.0);
        while term.abs() > 1e-18 * sum.abs() {
            k += 2.0;
            term *= z * z / k;
            sum += term;
        }
        return 0.5 + density * sum;
    }
    let fraction = (1..=60).rev().fold(z.abs(), |rest, k| z.abs() + f64::from(k) / rest);
    let tail = density / fraction;
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        for (z, value) in [(0.0, 0.5), (1.0, 0.8413447460685429), (-2.0, 0.0227501319481792), (5.0, 0.9999997133484281)]
        {
            assert!((distribution(z) - value).abs() < 1e-15, "{z}: {}", distribution(z));
        }
        assert!((distribution(4.0 - 1e-12) - distribution(4.0 + 1e-12)).abs() < 1e-15);
    }

    #[test]
    fn each_derivative_is_the_slope_of_the_one_before() {
        let times: Vec<f64> = (0..40).map(|i| 0.05 * f64::from(i)).collect();
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
        let curve = Smoothed::through(&times, &values, 0.1).unwrap();
        let h = 1e-5;
        for r in 0..6 {
            for t in [0.3, 0.77, 1.2] {
                let slope = (curve.derivative(r, t + h) - curve.derivative(r, t - h)) / (2.0 * h);
                let exact = curve.derivative(r + 1, t);
                let scale = 1.0 + 3.0_f64.powi(r as i32 + 3) + curve.derivative(r, t).abs();
                assert!((slope - exact).abs() <= 1e-5 * scale, "order {r} at {t}: {slope} and {exact}");
            }
        }
    }

    #[test]
    fn straight_samples_stay_straight_and_a_wave_loses_little() {
        let times: Vec<f64> = (0..400).map(|i| 0.01 * f64::from(i)).collect();
        let line = Smoothed::through(&times, &times.iter().map(|t| 2.0 - 3.0 * t).collect::<Vec<_>>(), 0.05).unwrap();
        assert!((line.derivative(0, 1.23) - (2.0 - 3.0 * 1.23)).abs() < 1e-12);
        assert!((line.derivative(1, 1.23) + 3.0).abs() < 1e-12);
        let values: Vec<f64> = times.iter().map(|t| (2.0 * t).cos()).collect();
        let wave = Smoothed::through(&times, &values, 0.02).unwrap();
        // A Gaussian takes exp(−σ²ω²/2) of a wave.
        let expected = (-0.5 * 0.04_f64 * 0.04).exp() * (2.0_f64 * 2.0).cos();
        assert!((wave.derivative(0, 2.0) - expected).abs() < 1e-4);
    }
}
