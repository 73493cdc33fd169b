//! Numbers that a robot can be lowered to, and a rank be decided over: `f64` with a stated tolerance, rationals and residues
//! exactly.
//!
//! The analysis of base parameters needs sums, products and the question whether something is zero. That question is what
//! sets the fields apart: an exact field answers it, `f64` answers it relative to the size of what was added up. Exact
//! fields need exact lengths and angles, so every field says how it takes a number of a robot file and an angle.

use super::number::Number;
use crate::spatial::exact_sin_cos;
use std::fmt::Debug;

/// A field, exact or not.
pub trait Field: Clone + Debug + PartialEq {
    /// True if [`is_negligible`](Self::is_negligible) is exact.
    const EXACT: bool;

    /// Zero.
    #[must_use]
    fn zero() -> Self;

    /// One.
    #[must_use]
    fn one() -> Self;

    /// The sum.
    #[must_use]
    fn add(&self, other: &Self) -> Self;

    /// The difference.
    #[must_use]
    fn sub(&self, other: &Self) -> Self;

    /// The product.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;

    /// The reciprocal; of zero, zero.
    #[must_use]
    fn inverse(&self) -> Self;

    /// How good a pivot the element is: its magnitude, or for an exact field whether it is not zero.
    #[must_use]
    fn size(&self) -> f64;

    /// True if the element is zero, given the size of what was added up to get it.
    #[must_use]
    fn is_negligible(&self, scale: f64) -> bool;

    /// True if dividing by the element is better avoided, because it is not larger than `size`. Never for an exact field.
    #[must_use]
    fn is_weak(&self, _size: f64) -> bool {
        false
    }

    /// A number of a robot file, divided by `unit`.
    #[must_use]
    fn from_number(number: Number, unit: f64) -> Self;

    /// Cosine and sine of an angle, rad; multiples of 90° are exact in every field.
    #[must_use]
    fn cos_sin(angle: f64) -> (Self, Self);

    /// The vector scaled to unit length where the field can; exact fields leave it as it is.
    #[must_use]
    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N];

    /// An axis of a robot file with unit length, or as near to it as the field comes: for joints that turn together.
    #[must_use]
    fn unit_direction(axis: [Number; 3]) -> [Self; 3] {
        Self::direction(axis.map(|x| Self::from_number(x, 1.0)))
    }

    /// The opposite.
    #[must_use]
    fn neg(&self) -> Self {
        Self::zero().sub(self)
    }

    /// A small whole number.
    #[must_use]
    fn integer(value: i32) -> Self {
        Self::from_number(Number::integer(value), 1.0)
    }

    /// Exactly zero: a term that may be left out.
    #[must_use]
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

/// Relative size below which a sum counts as zero in `f64`.
///
/// Lengths are measured in the largest length of the robot, so a link of 10⁻⁴ of it still counts: squares of lengths stand
/// in the sums.
pub const TOLERANCE: f64 = 1e-9;

impl Field for f64 {
    const EXACT: bool = false;

    fn zero() -> Self {
        0.0
    }

    fn one() -> Self {
        1.0
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn sub(&self, other: &Self) -> Self {
        self - other
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn inverse(&self) -> Self {
        if *self == 0.0 { 0.0 } else { 1.0 / self }
    }

    fn size(&self) -> f64 {
        self.abs()
    }

    fn is_negligible(&self, scale: f64) -> bool {
        self.abs() <= TOLERANCE * scale
    }

    fn is_weak(&self, size: f64) -> bool {
        self.abs() <= size
    }

    fn from_number(number: Number, unit: f64) -> Self {
        number.value / unit
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        let (sin, cos) = exact_sin_cos(angle);
        (cos, sin)
    }

    /// Trap: the square of a length of 10²⁰⁰ is no number, and that of 10⁻²⁰⁰ is zero.
    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        let square = vector.iter().map(|x| x * x).sum::<f64>();
        if square == 1.0 {
            return vector;
        }
        if (1e-200..1e200).contains(&square) {
            return vector.map(|x| x / square.sqrt());
        }
        let largest = largest(&vector);
        if largest > 0.0 && largest.is_finite() { Self::direction(vector.map(|x| x / largest)) } else { vector }
    }
}

/// a · b, term by term.
pub(crate) fn dot<F: Field>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).fold(F::zero(), |sum, (a, b)| if a.is_zero() || b.is_zero() { sum } else { sum.add(&a.mul(b)) })
}

/// a × b.
pub(crate) fn cross<F: Field>(a: &[F], b: &[F]) -> [F; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].mul(&b[k]).sub(&a[k].mul(&b[j]))
    })
}

/// The size of the largest element.
pub(crate) fn largest<F: Field>(vector: &[F]) -> f64 {
    vector.iter().fold(0.0, |largest, x| x.size().max(largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_unit_length_whatever_length_they_are_given_with() {
        for length in [1.0, 3.0, 1e-9, 1e150, 1e200, 1e308, 1e-200, 1e-308] {
            let unit = f64::direction([0.6 * length, 0.0, -0.8 * length]);
            assert!((unit[0] - 0.6).abs() < 1e-15 && unit[1] == 0.0 && (unit[2] + 0.8).abs() < 1e-15, "{unit:?}");
        }
        assert_eq!(f64::direction([0.0; 3]), [0.0; 3]);
    }
}
