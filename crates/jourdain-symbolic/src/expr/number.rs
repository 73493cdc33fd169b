//! Numbers in expressions: exact where they can be, floating point otherwise.

use crate::fraction::Fraction;
use core::hash::{Hash, Hasher};

/// A constant of an expression. Equal numbers are one: what a short fraction can say is never a float.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// Exactly this.
    Exact(Fraction),
    /// A floating-point number, finite or not.
    Float(f64),
}

impl Number {
    pub(crate) const ZERO: Self = Self::Exact(Fraction::ZERO);
    pub(crate) const ONE: Self = Self::Exact(Fraction::ONE);

    /// The number that `value` is.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Fraction::from_f64(value).map_or(Self::Float(value), Self::Exact)
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(fraction) => fraction.to_f64(),
            Self::Float(value) => value,
        }
    }

    pub(crate) fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    pub(crate) fn is_one(self) -> bool {
        self == Self::ONE
    }

    pub(crate) fn is_negative(self) -> bool {
        match self {
            Self::Exact(fraction) => fraction.numerator < 0,
            Self::Float(value) => value < 0.0,
        }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        self.exactly(other, Fraction::checked_add).unwrap_or_else(|| Self::new(self.to_f64() + other.to_f64()))
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        self.exactly(other, Fraction::checked_mul).unwrap_or_else(|| Self::new(self.to_f64() * other.to_f64()))
    }

    pub(crate) fn div(self, other: Self) -> Self {
        self.exactly(other, Fraction::checked_div).unwrap_or_else(|| Self::new(self.to_f64() / other.to_f64()))
    }

    pub(crate) fn neg(self) -> Self {
        self.mul(Self::Exact(Fraction::integer(-1)))
    }

    /// The square root of a number that is not negative: exact for squares of fractions.
    pub(crate) fn sqrt(self) -> Self {
        let root = |n: i64| {
            let root = (n as f64).sqrt().round() as i64;
            (root.checked_mul(root) == Some(n)).then_some(root)
        };
        match self {
            Self::Exact(f) => match (root(f.numerator), root(f.denominator)) {
                (Some(numerator), Some(denominator)) => Self::Exact(Fraction { numerator, denominator }),
                _ => Self::new(f.to_f64().sqrt()),
            },
            Self::Float(value) => Self::new(value.sqrt()),
        }
    }

    fn exactly(self, other: Self, f: impl FnOnce(Fraction, Fraction) -> Option<Fraction>) -> Option<Self> {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => f(a, b).map(Self::Exact),
            _ => None,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Exact(fraction) => fraction.hash(state),
            Self::Float(value) => value.to_bits().hash(state),
        }
    }
}
