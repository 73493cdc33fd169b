//! Exact rational numbers that fit two 64-bit integers; what does not fit is refused, never rounded.

/// A rational `numerator / denominator` in lowest terms, denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// Numerator, with the sign.
    pub numerator: i64,
    /// Denominator, positive.
    pub denominator: i64,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self::integer(0);
    /// One.
    pub const ONE: Self = Self::integer(1);

    /// A whole number.
    #[must_use]
    pub const fn integer(value: i64) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// The fraction in lowest terms; `None` if the denominator is zero or something does not fit.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?.checked_mul(denominator.signum())?;
        Some(Self {
            numerator: i64::try_from(numerator / divisor).ok()?,
            denominator: i64::try_from(denominator / divisor).ok()?,
        })
    }

    /// The fraction that `value` is, if its binary expansion is short: whole numbers below 2⁵³, halves, quarters ….
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        const SHORT: f64 = (1_u64 << 20) as f64;
        if value.fract() == 0.0 && value.abs() < (1_u64 << 53) as f64 {
            return Some(Self::integer(value as i64));
        }
        let scaled = value * SHORT;
        // A power of two scales without rounding, so a whole result is the number itself.
        (scaled.fract() == 0.0 && scaled.abs() < (1_u64 << 53) as f64)
            .then(|| Self::new(scaled as i128, SHORT as i128))
            .flatten()
    }

    /// The nearest `f64` (correctly rounded when both parts are below 2⁵³).
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The sum, if it fits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let [a, b, c, d] = self.wide(other);
        Self::new((a * d).checked_add(c * b)?, b * d)
    }

    /// The product, if it fits.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let [a, b, c, d] = self.wide(other);
        Self::new(a * c, b * d)
    }

    /// The quotient, if it fits and the divisor is not zero.
    #[must_use]
    pub fn checked_div(self, other: Self) -> Option<Self> {
        let [a, b, c, d] = self.wide(other);
        Self::new(a * d, b * c)
    }

    fn wide(self, other: Self) -> [i128; 4] {
        [self.numerator, self.denominator, other.numerator, other.denominator].map(i128::from)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_binary_numbers_become_fractions_and_others_do_not() {
        assert_eq!(Fraction::from_f64(-2.5), Fraction::new(-5, 2));
        assert_eq!(Fraction::from_f64(0.0), Some(Fraction::ZERO));
        assert_eq!(Fraction::from_f64(9_007_199_254.0), Some(Fraction::integer(9_007_199_254)));
        for value in [0.1, 1e300, f64::NAN, f64::INFINITY, 2.0_f64.powi(-21)] {
            assert_eq!(Fraction::from_f64(value), None, "{value}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = Fraction::integer(i64::MAX);
        assert_eq!(large.checked_add(Fraction::ONE), None);
        assert_eq!(large.checked_mul(large), None);
        assert_eq!(large.checked_div(Fraction::ZERO), None);
        let least = Fraction::integer(i64::MIN);
        assert_eq!(least.checked_mul(Fraction::integer(-1)), None);
        assert_eq!(least.checked_add(least), None);
    }

    #[test]
    fn arithmetic_is_exact() {
        let (a, b) = (Fraction { numerator: 2159, denominator: 5000 }, Fraction { numerator: -1, denominator: 3 });
        assert_eq!(a.checked_add(b), Fraction::new(6477 - 5000, 15000));
        assert_eq!(a.checked_mul(b), Fraction::new(-2159, 15000));
        assert_eq!(a.checked_div(b), Fraction::new(-6477, 5000));
    }
}
