//! Rational cosines and sines: ((1 − t²)/(1 + t²), 2t/(1 + t²)) with a rational t = tan(θ/2).
//!
//! Any angle is within 10⁻¹³ rad of one with rational cosine and sine, and both then satisfy c² + s² = 1 exactly, which is
//! all that an exact analysis asks of them. An angle that was meant to have them (arccos 3/5) is found again. The multiple
//! of 90° is taken out first, so that right angles are exact.

use crate::parameters::field::Field;
use std::f64::consts::FRAC_PI_2;

/// Largest error of t that is put up with.
const PRECISION: f64 = 1e-13;

/// Cosine and sine in an exact field, made from whole numbers.
pub(super) fn cos_sin<F: Field>(angle: f64, fraction: impl Fn(i64, i64) -> F) -> (F, F) {
    let quarters = (angle / FRAC_PI_2).round();
    let (numerator, denominator) = approximate((0.5 * (angle - quarters * FRAC_PI_2)).tan(), PRECISION);
    point(quarters, fraction(numerator, denominator))
}

/// The point at so many right angles and an angle with this tangent of its half.
fn point<F: Field>(quarters: f64, t: F) -> (F, F) {
    let square = t.mul(&t);
    let scale = F::one().add(&square).inverse();
    let (c, s) = (F::one().sub(&square).mul(&scale), t.add(&t).mul(&scale));
    match quarters.rem_euclid(4.0) as u8 {
        0 => (c, s),
        1 => (s.neg(), c),
        2 => (c.neg(), s.neg()),
        _ => (s, c.neg()),
    }
}

/// Denominators of fractions that somebody may have meant.
const SIMPLE: i64 = 1000;

/// Cosine and sine where the tangent of the half angle is a simple fraction but for rounding: arccos 3/5, arctan 2.
pub(super) fn rational<F: Field>(angle: f64, fraction: impl Fn(i64, i64) -> F) -> Option<(F, F)> {
    let quarters = (angle / FRAC_PI_2).round();
    let t = (0.5 * (angle - quarters * FRAC_PI_2)).tan();
    let (numerator, denominator) = approximate(t, 4.0 * f64::EPSILON);
    (denominator <= SIMPLE).then(|| point(quarters, fraction(numerator, denominator)))
}

/// The simplest fraction this near to `t`, by continued fractions; |t| at most 1.
fn approximate(t: f64, precision: f64) -> (i64, i64) {
    let ((mut p0, mut q0), (mut p1, mut q1)) = ((0_i64, 1_i64), (1_i64, 0_i64));
    let mut rest = t.abs();
    // The error shrinks at least by the golden ratio squared per step.
    for _ in 0..40 {
        let whole = rest.floor();
        let (p2, q2) = (whole as i64 * p1 + p0, whole as i64 * q1 + q0);
        ((p0, q0), (p1, q1)) = ((p1, q1), (p2, q2));
        let fraction = rest - whole;
        if (p1 as f64 / q1 as f64 - t.abs()).abs() <= precision || fraction == 0.0 {
            break;
        }
        rest = 1.0 / fraction;
    }
    (if t < 0.0 { -p1 } else { p1 }, q1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::exact::Rational;

    #[test]
    fn simple_tangents_are_found_and_others_met_to_1e_13() {
        assert_eq!(approximate(0.5, PRECISION), (1, 2));
        assert_eq!(approximate(-1.0 / 3.0, PRECISION), (-1, 3));
        assert_eq!(approximate(0.0, PRECISION), (0, 1));
        assert_eq!(approximate(1e-20, PRECISION), (0, 1));
        for t in [0.123_456_789_012_345, -0.999_999_9, 1e-9, 0.618_033_988_749_895, 0.25 * std::f64::consts::PI] {
            let (p, q) = approximate(t, PRECISION);
            assert!((p as f64 / q as f64 - t).abs() <= PRECISION && q < 10_000_000_000, "{t}: {p}/{q}");
        }
    }

    #[test]
    fn angles_meant_to_be_rational_are() {
        let fraction = |p, q| Rational::fraction(p, q);
        assert_eq!(Rational::cos_sin(0.6_f64.acos()), (fraction(3, 5), fraction(4, 5)));
        assert_eq!(Rational::cos_sin(-(0.8_f64.acos())), (fraction(4, 5), fraction(-3, 5)));
        for (quarters, expected) in [(0, (1, 0)), (1, (0, 1)), (2, (-1, 0)), (3, (0, -1)), (-1, (0, -1))] {
            let (c, s) = Rational::cos_sin(f64::from(quarters) * FRAC_PI_2);
            assert_eq!((c, s), (fraction(expected.0, 1), fraction(expected.1, 1)), "{quarters}");
        }
    }

    #[test]
    fn cosine_and_sine_are_a_point_of_the_circle_near_the_angle() {
        for i in 0..200 {
            let angle = f64::from(i) * 0.173 - 17.0;
            let (c, s) = Rational::cos_sin(angle);
            assert_eq!(c.mul(&c).add(&s.mul(&s)), Rational::one());
            assert!((c.to_f64() - angle.cos()).abs() < 1e-12 && (s.to_f64() - angle.sin()).abs() < 1e-12, "{angle}");
        }
    }
}
