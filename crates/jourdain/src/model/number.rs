//! A number as a robot file gives it: its `f64` value and, where the text is a short decimal or a fraction, the exact
//! rational behind it.
//!
//! Exact analyses (base parameters, symbolic output) work with the rational; everything else with the value.

pub use jourdain_symbolic::Fraction;

/// A number with its exact rational value where the robot file allows one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value used by numeric formulas.
    pub value: f64,
    /// The exact rational, if the text had one that fits.
    pub exact: Option<Fraction>,
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self::integer(0);
    /// One.
    pub const ONE: Self = Self::integer(1);

    /// A small whole number.
    #[must_use]
    pub const fn integer(value: i32) -> Self {
        Self { value: value as f64, exact: Some(Fraction { numerator: value as i64, denominator: 1 }) }
    }

    /// Reads a decimal (`"0.4318"`, `"-1e-3"`) or a fraction of two whole numbers (`"2159/5000"`).
    ///
    /// `None` if the text is neither, or the value is not finite.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((numerator, denominator)) = text.split_once('/') {
            let exact = Fraction::new(numerator.trim().parse().ok()?, denominator.trim().parse().ok()?)?;
            return Some(Self { value: exact.to_f64(), exact: Some(exact) });
        }
        let value: f64 = text.parse().ok()?;
        value.is_finite().then(|| Self { value, exact: exact_decimal(text) })
    }
}

impl Default for Number {
    /// Zero.
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<f64> for Number {
    /// The shortest decimal that reads back as `value` is taken as what was meant.
    fn from(value: f64) -> Self {
        Self { value, exact: if value.is_finite() { exact_decimal(&format!("{value:e}")) } else { None } }
    }
}

/// The rational of a decimal text, if it fits.
fn exact_decimal(text: &str) -> Option<Fraction> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{decimals}").parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    let power = 10i128.checked_pow(exponent.unsigned_abs())?;
    if exponent >= 0 { Fraction::new(digits.checked_mul(power)?, 1) } else { Fraction::new(digits, power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_decimals_of_one_value_are_equal() {
        let fraction = Number::parse("2159/5000").unwrap();
        for text in ["0.4318", "4.318e-1", " 4318E-4 ", "+0.43180"] {
            assert_eq!(Number::parse(text).unwrap(), fraction, "{text}");
        }
        assert_eq!(Number::from(0.4318), fraction);
    }

    #[test]
    fn signs_stay_in_the_numerator() {
        assert_eq!(Fraction::new(3, -6), Some(Fraction { numerator: -1, denominator: 2 }));
        assert_eq!(Number::parse("-1e-3").unwrap().exact, Fraction::new(-1, 1000));
    }

    #[test]
    fn what_is_not_a_finite_number_is_refused() {
        for text in ["", "abc", "1/0", "1/2/3", "nan", "inf", "-infinity", "1e999", "1.5/2", "/", "1/"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_too_long_for_a_fraction_keep_their_value() {
        let number = Number::parse("3.14159265358979323846264338327950288").unwrap();
        assert_eq!(number, Number { value: std::f64::consts::PI, exact: None });
        assert_eq!(Number::parse("1e-300").unwrap().exact, None);
        assert_eq!(Number::parse("1e30000000000"), None);
    }
}
