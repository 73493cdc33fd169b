//! Residues modulo the Mersenne prime 2⁶¹ − 1.
//!
//! A rank over this field is never larger than the rank over the rationals, and with random numbers in it smaller only by a
//! chance of about 10⁻¹⁶ per determinant: an exact rank at the price of machine arithmetic. Numbers too long for a
//! fraction are taken as the dyadic rational that the `f64` is.

use super::angle;
use crate::model::{Fraction, Number};
use crate::parameters::field::Field;

/// The modulus.
const P: u64 = (1 << 61) - 1;

/// A residue modulo 2⁶¹ − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prime(u64);

impl Prime {
    /// Any 64 bits as a residue.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits % P)
    }

    fn from_integer(value: i64) -> Self {
        Self(i128::from(value).rem_euclid(i128::from(P)) as u64)
    }

    fn from_fraction(fraction: Fraction) -> Self {
        Self::from_integer(fraction.numerator).mul(&Self::from_integer(fraction.denominator).inverse())
    }

    /// The power with a whole exponent, by squaring.
    #[must_use]
    pub fn power(&self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (*self, Self::one());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(&base);
            }
            base = base.mul(&base);
            exponent >>= 1;
        }
        result
    }
}

impl Field for Prime {
    const EXACT: bool = true;

    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1)
    }

    fn add(&self, other: &Self) -> Self {
        let sum = self.0 + other.0;
        Self(if sum >= P { sum - P } else { sum })
    }

    fn sub(&self, other: &Self) -> Self {
        Self(if self.0 >= other.0 { self.0 - other.0 } else { self.0 + P - other.0 })
    }

    fn mul(&self, other: &Self) -> Self {
        let product = u128::from(self.0) * u128::from(other.0);
        // 2⁶¹ ≡ 1: the high bits count as ones.
        let folded = (product as u64 & P) + (product >> 61) as u64;
        Self(if folded >= P { folded - P } else { folded })
    }

    fn inverse(&self) -> Self {
        self.power(P - 2)
    }

    fn size(&self) -> f64 {
        f64::from(u8::from(self.0 != 0))
    }

    fn is_negligible(&self, _: f64) -> bool {
        self.0 == 0
    }

    fn from_number(number: Number, _: f64) -> Self {
        match number.exact {
            Some(fraction) => Self::from_fraction(fraction),
            None => dyadic(number.value),
        }
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        angle::cos_sin(angle, |p, q| Self::from_integer(p).mul(&Self::from_integer(q).inverse()))
    }

    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        vector
    }
}

/// The residue of the dyadic rational that an `f64` is.
fn dyadic(value: f64) -> Prime {
    let (mantissa, exponent) = decode(value);
    let power = Prime(2).power(u64::from(exponent.unsigned_abs()));
    Prime::from_integer(mantissa).mul(&if exponent < 0 { power.inverse() } else { power })
}

/// Mantissa and binary exponent: value = mantissa · 2^exponent.
pub(super) fn decode(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    (if value.is_sign_negative() { -mantissa } else { mantissa }, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_and_differences_undo_products_and_sums() {
        let mut x = Prime::from_bits(0x9e37_79b9_7f4a_7c15);
        for i in 1..200 {
            let y = Prime::from_integer(-7 * i);
            assert_eq!(x.mul(&y).mul(&y.inverse()), x);
            assert_eq!(x.add(&y).sub(&y), x);
            x = x.mul(&x).add(&Prime::one());
        }
        assert_eq!(Prime(P - 1).mul(&Prime(P - 1)), Prime::one());
    }

    #[test]
    fn a_number_and_its_dyadic_value_agree_where_both_are_exact() {
        for value in [0.375, -1024.0, 3.0, -0.0, 1.5e-5_f64.powi(0), 2.0_f64.powi(-60)] {
            assert_eq!(Prime::from_number(Number::from(value), 1.0), dyadic(value), "{value}");
        }
        assert_eq!(Prime::from_number(Number::from(0.1), 1.0).mul(&Prime(10)), Prime::one());
    }
}
