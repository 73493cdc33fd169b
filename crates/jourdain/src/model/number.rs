//! A number as a robot file gives it: its `f64` value and, where the text is a short decimal or a fraction, the exact
//! rational behind it.
//!
//! Exact analyses (base parameters, symbolic output) work with the rational; everything else with the value. A multiple of π
//! is its nearest `f64`: that is enough, because exact analyses know multiples of 15° by it.

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

    /// Reads a decimal (`"0.4318"`, `"-1e-3"`), a fraction of two whole numbers (`"2159/5000"`) or a multiple of π
    /// (`"pi/2"`, `"-3*pi/4"`).
    ///
    /// `None` if the text is none of them, or the value is not finite.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.contains("pi") || text.contains('π') {
            return multiple_of_pi(text).map(Self::from);
        }
        if let Some((numerator, denominator)) = text.split_once('/') {
            let exact = Fraction::new(numerator.trim().parse().ok()?, denominator.trim().parse().ok()?)?;
            return Some(Self { value: exact.to_f64(), exact: Some(exact) });
        }
        let value: f64 = text.parse().ok()?;
        value.is_finite().then(|| Self { value, exact: exact_decimal(text) })
    }

    /// The product, exact where both are and it fits.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let exact = self.exact.zip(other.exact).and_then(|(a, b)| a.checked_mul(b));
        Self { value: exact.map_or(self.value * other.value, Fraction::to_f64), exact }
    }

    /// The sum, exact where both are and it fits.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let exact = self.exact.zip(other.exact).and_then(|(a, b)| a.checked_add(b));
        Self { value: exact.map_or(self.value + other.value, Fraction::to_f64), exact }
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

/// The value of products and quotients of decimals with one π: `2*pi`, `-pi/2`, `3 * pi / 4`.
fn multiple_of_pi(text: &str) -> Option<f64> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mut above, mut below, mut turns, mut divides) = (1.0, 1.0, 0, false);
    loop {
        let end = rest.find(['*', '/']).unwrap_or(rest.len());
        let factor = rest[..end].trim();
        match (factor, divides) {
            ("pi" | "π", false) => turns += 1,
            _ if factor.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
                let value: f64 = factor.parse().ok()?;
                *(if divides { &mut below } else { &mut above }) *= value;
            }
            _ => return None,
        }
        let Some(operator) = rest[end..].chars().next() else { break };
        divides = operator == '/';
        rest = &rest[end + 1..];
    }
    let value = sign * above * std::f64::consts::PI / below;
    (turns == 1 && value.is_finite()).then_some(value)
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
        for text in ["pie", "2pi", "1/pi", "pi*pi", "pi/0", "pi/", "*pi", "pi/-2", "pi//2", "--pi", "pi pi", "pi*nan"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn multiples_of_pi_are_the_nearest_numbers() {
        use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        for (text, expected) in [
            ("pi", PI),
            ("pi/2", FRAC_PI_2),
            (" -pi / 2 ", -FRAC_PI_2),
            ("+pi/4", FRAC_PI_4),
            ("3*pi/4", 3.0 * FRAC_PI_4),
            ("pi*3/4", 3.0 * FRAC_PI_4),
            ("2*pi", 2.0 * PI),
            ("-0.5*pi", -FRAC_PI_2),
            ("π/12", PI / 12.0),
        ] {
            assert_eq!(Number::parse(text), Some(Number::from(expected)), "{text}");
        }
    }

    #[test]
    fn sums_and_products_of_decimals_are_decimals() {
        let [tenth, third] = ["0.1", "0.3"].map(|text| Number::parse(text).unwrap());
        assert_eq!(tenth.plus(tenth).plus(tenth), third);
        assert_eq!(tenth.times(Number::parse("1.1").unwrap()), Number::parse("0.11").unwrap());
    }

    #[test]
    fn values_too_long_for_a_fraction_keep_their_value() {
        let number = Number::parse("3.14159265358979323846264338327950288").unwrap();
        assert_eq!(number, Number { value: std::f64::consts::PI, exact: None });
        assert_eq!(Number::parse("1e-300").unwrap().exact, None);
        assert_eq!(Number::parse("1e30000000000"), None);
    }
}
