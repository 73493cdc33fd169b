//! Rationals of any length: nothing overflows and nothing is rounded.

use super::angle;
use super::prime::decode;
use crate::model::Number;
use crate::parameters::field::Field;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::fmt;

/// A rational number of any length.
#[derive(Clone, PartialEq, Eq)]
pub struct Rational(BigRational);

impl Rational {
    /// The fraction `numerator / denominator`; zero for a zero denominator.
    #[must_use]
    pub fn fraction(numerator: i64, denominator: i64) -> Self {
        if denominator == 0 {
            return Self::zero();
        }
        Self(BigRational::new(BigInt::from(numerator), BigInt::from(denominator)))
    }

    /// True if it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        *self.0.numer() < BigInt::ZERO
    }

    /// True if it is better written as a decimal.
    fn is_long(&self) -> bool {
        *self.0.denom() > BigInt::from(1000)
    }

    /// As text: a whole number, a short fraction, or twelve digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        if self.is_long() { crate::parameters::relation::rounded(self.to_f64()) } else { self.to_string() }
    }

    /// As LaTeX: a whole number, a short fraction, or twelve digits.
    #[must_use]
    pub fn to_latex(&self) -> String {
        if self.is_long() || self.0.is_integer() {
            return self.to_text();
        }
        let (sign, numerator) = match self.is_negative() {
            true => ("-", -self.0.numer()),
            false => ("", self.0.numer().clone()),
        };
        format!("{sign}\\tfrac{{{numerator}}}{{{}}}", self.0.denom())
    }

    /// The nearest `f64`, by way of numerator and denominator.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        use num_traits::ToPrimitive as _;
        self.0.to_f64().unwrap_or(0.0)
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Rational {
    /// A whole number or a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Field for Rational {
    const EXACT: bool = true;

    fn zero() -> Self {
        Self(BigRational::from_integer(BigInt::ZERO))
    }

    fn one() -> Self {
        Self(BigRational::from_integer(BigInt::from(1)))
    }

    fn add(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    fn sub(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    fn mul(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    fn inverse(&self) -> Self {
        if self.is_zero() { Self::zero() } else { Self(self.0.recip()) }
    }

    fn size(&self) -> f64 {
        f64::from(u8::from(!self.is_zero()))
    }

    fn is_negligible(&self, _: f64) -> bool {
        self.is_zero()
    }

    fn is_zero(&self) -> bool {
        *self.0.numer() == BigInt::ZERO
    }

    fn from_number(number: Number, _: f64) -> Self {
        match number.exact {
            Some(fraction) => Self::fraction(fraction.numerator, fraction.denominator),
            None => dyadic(number.value),
        }
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        angle::cos_sin(angle, Self::fraction)
    }

    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        vector
    }
}

fn dyadic(value: f64) -> Rational {
    let (mantissa, exponent) = decode(value);
    let power = BigInt::from(2).pow(exponent.unsigned_abs());
    let mantissa = BigInt::from(mantissa);
    Rational(if exponent < 0 { BigRational::new(mantissa, power) } else { BigRational::from_integer(mantissa * power) })
}
