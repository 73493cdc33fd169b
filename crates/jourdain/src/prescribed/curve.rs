//! A number as a function of time, with all its derivatives.

use super::smoothing::Smoothed;
use super::spline::Spline;

/// One cosine of a sum.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cosine {
    /// Amplitude.
    pub amplitude: f64,
    /// Angular frequency, rad/s.
    pub frequency: f64,
    /// Angle at time zero, rad.
    #[serde(default)]
    pub phase: f64,
}

/// A number as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// offset + Σ A cos(ω t + φ).
    Cosines {
        /// Constant part.
        offset: f64,
        /// The cosines.
        terms: Vec<Cosine>,
    },
    /// Σ c_k tᵏ.
    Polynomial(Vec<f64>),
    /// A spline.
    Spline(Spline),
    /// Smoothed samples.
    Smoothed(Smoothed),
}

impl Curve {
    /// The derivative of order `r` at the time `t`; the value for order 0.
    #[must_use]
    pub fn derivative(&self, r: usize, t: f64) -> f64 {
        match self {
            Self::Cosines { offset, terms } => {
                let constant = if r == 0 { *offset } else { 0.0 };
                terms.iter().fold(constant, |sum, term| sum + term.derivative(r, t))
            }
            Self::Polynomial(coefficients) => polynomial(coefficients, r, t),
            Self::Spline(spline) => spline.derivative(r, t),
            Self::Smoothed(samples) => samples.derivative(r, t),
        }
    }
}

impl Cosine {
    fn derivative(&self, r: usize, t: f64) -> f64 {
        let (sin, cos) = (self.frequency * t + self.phase).sin_cos();
        let wave = [cos, -sin, -cos, sin][r % 4];
        // A derivative has as many factors ω as its order, which is small.
        self.amplitude * self.frequency.powi(r as i32) * wave
    }
}

/// The derivative of order `r` of Σ c_k xᵏ.
pub(super) fn polynomial(coefficients: &[f64], r: usize, x: f64) -> f64 {
    let falling = |k: usize| (0..r).fold(1.0, |product, i| product * (k - i) as f64);
    (r..coefficients.len()).rev().fold(0.0, |sum, k| sum * x + falling(k) * coefficients[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_cosines_and_polynomials_are_those_of_the_formulas() {
        let curve = Curve::Cosines { offset: 3.0, terms: vec![Cosine { amplitude: 2.0, frequency: 1.5, phase: 0.3 }] };
        let x = 1.5_f64 * 0.7 + 0.3;
        assert!((curve.derivative(0, 0.7) - (3.0 + 2.0 * x.cos())).abs() < 1e-15);
        assert!((curve.derivative(3, 0.7) - 2.0 * 1.5_f64.powi(3) * x.sin()).abs() < 1e-14);
        let curve = Curve::Polynomial(vec![1.0, -2.0, 0.5, 4.0]);
        assert_eq!([0, 1, 2, 3, 4].map(|r| curve.derivative(r, 2.0)), [31.0, 48.0, 49.0, 24.0, 0.0]);
    }
}
