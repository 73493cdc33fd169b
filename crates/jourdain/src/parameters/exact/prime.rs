//! Residues modulo primes 2⁶¹ − c with p ≡ 1 (mod 24).
//!
//! A rank over such a field is never larger than the rank over the rationals, and with random numbers in it smaller only by a
//! chance of about 10⁻¹⁶ per determinant: an exact rank at the price of machine arithmetic. i, √2 and √3 are in the field, so
//! every multiple of 15° is, and its circle is that of complex numbers e^{iθ}; see `circle`. Numbers too long for a fraction
//! are taken as the dyadic rational that the `f64` is.

use super::{circle, root};
use crate::model::{Fraction, Number};
use crate::parameters::field::Field;

/// A residue modulo 2⁶¹ − `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue<const C: u64>(u64);

/// The field that decides.
pub type Prime = Residue<49663>;

/// The field of the witness.
pub type OtherPrime = Residue<53431>;

impl<const C: u64> Residue<C> {
    /// The modulus.
    pub const P: u64 = (1 << 61) - C;

    /// A number below the modulus.
    pub(super) const fn small(value: u64) -> Self {
        Self(value)
    }

    pub(super) const fn is_one(&self) -> bool {
        self.0 == 1
    }

    /// Any 64 bits as a residue.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits % Self::P)
    }

    /// The residue itself, below the modulus.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.0
    }

    /// A whole number.
    #[must_use]
    pub fn from_integer(value: i128) -> Self {
        Self(value.rem_euclid(i128::from(Self::P)) as u64)
    }

    fn from_fraction(fraction: Fraction) -> Self {
        let numerator = Self::from_integer(fraction.numerator.into());
        if fraction.denominator == 1 {
            return numerator;
        }
        numerator.mul(&Self::from_integer(fraction.denominator.into()).inverse())
    }

    /// The power with a whole exponent, by squaring.
    #[must_use]
    pub const fn power(&self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (self.0, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = Self::product(result, base);
            }
            base = Self::product(base, base);
            exponent >>= 1;
        }
        Self(result)
    }

    /// The power with an exponent of either sign and any size.
    #[must_use]
    pub fn signed_power(&self, exponent: i128) -> Self {
        self.power(exponent.rem_euclid(i128::from(Self::P - 1)) as u64)
    }

    /// 2⁶¹ ≡ c: the high bits count c times, and what that carries over once more.
    const fn product(a: u64, b: u64) -> u64 {
        const LOW: u64 = (1 << 61) - 1;
        let product = a as u128 * b as u128;
        let folded = (product as u64 & LOW) as u128 + (product >> 61) * C as u128;
        let folded = (folded as u64 & LOW) + (folded >> 61) as u64 * C;
        if folded >= Self::P { folded - Self::P } else { folded }
    }
}

impl<const C: u64> Field for Residue<C> {
    const EXACT: bool = true;

    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1)
    }

    fn add(&self, other: &Self) -> Self {
        let sum = self.0 + other.0;
        Self(if sum >= Self::P { sum - Self::P } else { sum })
    }

    fn sub(&self, other: &Self) -> Self {
        Self(if self.0 >= other.0 { self.0 - other.0 } else { self.0 + Self::P - other.0 })
    }

    fn mul(&self, other: &Self) -> Self {
        Self(Self::product(self.0, other.0))
    }

    fn inverse(&self) -> Self {
        self.power(Self::P - 2)
    }

    fn size(&self) -> f64 {
        f64::from(u8::from(self.0 != 0))
    }

    fn is_negligible(&self, _: f64) -> bool {
        self.0 == 0
    }

    fn from_number(number: Number, unit: f64) -> Self {
        let value = match number.exact {
            Some(fraction) => Self::from_fraction(fraction),
            None => dyadic(number.value),
        };
        if unit == 1.0 { value } else { value.mul(&dyadic::<C>(unit).inverse()) }
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        circle::cos_sin(circle::constant(angle))
    }

    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        vector
    }

    fn unit_direction(axis: [Number; 3]) -> [Self; 3] {
        root::unit_direction(axis)
    }
}

/// The residue of the dyadic rational that an `f64` is.
pub(super) fn dyadic<const C: u64>(value: f64) -> Residue<C> {
    let (mantissa, exponent) = decode(value);
    let power = Residue::<C>(2).power(u64::from(exponent.unsigned_abs()));
    Residue::from_integer(mantissa.into()).mul(&if exponent < 0 { power.inverse() } else { power })
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
        assert_eq!(Residue::<49663>(Prime::P - 1).mul(&Residue(Prime::P - 1)), Prime::one());
    }

    #[test]
    fn products_are_those_of_long_integers() {
        let mut x = 0x0123_4567_89ab_cdef_u64 % OtherPrime::P;
        for _ in 0..1000 {
            let y = x.rotate_left(13) % OtherPrime::P;
            let exact = (u128::from(x) * u128::from(y) % u128::from(OtherPrime::P)) as u64;
            assert_eq!(OtherPrime::product(x, y), exact);
            x = exact ^ 0x5555;
            x %= OtherPrime::P;
        }
    }

    #[test]
    fn a_number_and_its_dyadic_value_agree_where_both_are_exact() {
        for value in [0.375, -1024.0, 3.0, -0.0, 1.5e-5_f64.powi(0), 2.0_f64.powi(-60)] {
            assert_eq!(Prime::from_number(Number::from(value), 1.0), dyadic(value), "{value}");
        }
        assert_eq!(Prime::from_number(Number::from(0.1), 1.0).mul(&Residue(10)), Prime::one());
        let scaled = Prime::from_number(Number::from(0.1), 0.5);
        assert_eq!(scaled.mul(&Residue(5)), Prime::one());
    }
}
