//! Fractions of polynomials: the field that a symbolic analysis runs over.
//!
//! Pivots are numbers wherever there is one, so denominators are rare: an oblique slide between the first two rotations has
//! one. A denominator that divides its numerator is divided out; no greatest common divisor is sought beyond that. A formula of
//! more than [`MOST_TERMS`] terms is nothing that anybody wants to read: it is given up and spoils all it enters.

use super::polynomial::Polynomial;
use crate::model::Number;
use crate::parameters::exact::Rational;
use crate::parameters::field::Field;

/// Most terms of a numerator or denominator.
pub const MOST_TERMS: usize = 300;

/// A fraction of two polynomials.
#[derive(Clone, Debug)]
pub struct Formula {
    numerator: Polynomial,
    /// Leading coefficient 1.
    denominator: Polynomial,
    /// It had too many terms: nothing else about it is right.
    given_up: bool,
}

impl Formula {
    /// A polynomial.
    #[must_use]
    pub fn polynomial(numerator: Polynomial) -> Self {
        Self { numerator, denominator: Polynomial::constant(Rational::one()), given_up: false }.checked()
    }

    /// A formula that has grown too long.
    fn given_up() -> Self {
        let one = || Polynomial::constant(Rational::one());
        Self { numerator: one(), denominator: one(), given_up: true }
    }

    fn checked(self) -> Self {
        if self.numerator.len().max(self.denominator.len()) > MOST_TERMS { Self::given_up() } else { self }
    }

    /// True if it has grown too long.
    #[must_use]
    pub fn is_given_up(&self) -> bool {
        self.given_up
    }

    /// Numerator and denominator.
    #[must_use]
    pub fn parts(&self) -> (&Polynomial, &Polynomial) {
        (&self.numerator, &self.denominator)
    }

    /// The polynomial, if the denominator is one.
    #[must_use]
    pub fn to_polynomial(&self) -> Option<&Polynomial> {
        (self.denominator.to_constant()? == Rational::one()).then_some(&self.numerator)
    }

    /// The value, if it is a number.
    #[must_use]
    pub fn to_constant(&self) -> Option<Rational> {
        self.to_polynomial()?.to_constant()
    }

    /// The value for values of the variables.
    pub fn evaluate(&self, value: &impl Fn(super::Variable) -> f64) -> f64 {
        self.numerator.evaluate(value) / self.denominator.evaluate(value)
    }

    fn fraction(numerator: Polynomial, denominator: Polynomial) -> Self {
        if numerator.is_zero() {
            return Self::zero();
        }
        if let Some(quotient) = numerator.over(&denominator) {
            return Self::polynomial(quotient);
        }
        let scale = denominator.leading().inverse();
        let scaled = |p: &Polynomial| Polynomial::default().plus(&scale, p);
        Self { numerator: scaled(&numerator), denominator: scaled(&denominator), given_up: false }.checked()
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        if self.given_up || other.given_up {
            return self.given_up == other.given_up;
        }
        if self.denominator == other.denominator {
            return self.numerator == other.numerator;
        }
        self.numerator.times(&other.denominator) == other.numerator.times(&self.denominator)
    }
}

impl Field for Formula {
    const EXACT: bool = true;

    fn zero() -> Self {
        Self::polynomial(Polynomial::default())
    }

    fn one() -> Self {
        Self::polynomial(Polynomial::constant(Rational::one()))
    }

    fn add(&self, other: &Self) -> Self {
        if self.given_up || other.given_up {
            return Self::given_up();
        }
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        if self.denominator == other.denominator {
            let numerator = self.numerator.plus(&Rational::one(), &other.numerator);
            return match self.denominator.to_constant() {
                Some(_) => Self::polynomial(numerator),
                None => Self::fraction(numerator, self.denominator.clone()),
            };
        }
        let crossed = self.numerator.times(&other.denominator);
        let numerator = crossed.plus(&Rational::one(), &other.numerator.times(&self.denominator));
        Self::fraction(numerator, self.denominator.times(&other.denominator))
    }

    fn sub(&self, other: &Self) -> Self {
        let opposite = Polynomial::default().plus(&Rational::one().neg(), &other.numerator);
        self.add(&Self { numerator: opposite, ..other.clone() })
    }

    fn mul(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        if self.given_up || other.given_up {
            return Self::given_up();
        }
        let numerator = self.numerator.times(&other.numerator);
        match (self.denominator.to_constant(), other.denominator.to_constant()) {
            (Some(_), Some(_)) => Self::polynomial(numerator),
            _ => Self::fraction(numerator, self.denominator.times(&other.denominator)),
        }
    }

    fn inverse(&self) -> Self {
        if self.is_zero() || self.given_up {
            return self.clone();
        }
        Self::fraction(self.denominator.clone(), self.numerator.clone())
    }

    /// Numbers are the best pivots, then short polynomials, then fractions.
    fn size(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        if self.given_up {
            return f64::MIN_POSITIVE;
        }
        match self.denominator.to_constant() {
            Some(_) => 1.0 / self.numerator.size() as f64,
            None => 0.5 / (self.numerator.size() + self.denominator.size()) as f64,
        }
    }

    fn is_negligible(&self, _: f64) -> bool {
        self.is_zero()
    }

    fn is_zero(&self) -> bool {
        !self.given_up && self.numerator.is_zero()
    }

    fn from_number(number: Number, unit: f64) -> Self {
        Self::polynomial(Polynomial::constant(Rational::from_number(number, unit)))
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        let (cos, sin) = Rational::cos_sin(angle);
        (Self::polynomial(Polynomial::constant(cos)), Self::polynomial(Polynomial::constant(sin)))
    }

    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands for a formula that was given up is a one, but not the number.
    #[test]
    fn a_formula_that_was_given_up_is_no_other() {
        assert_ne!(Formula::given_up(), Formula::one());
        assert_ne!(Formula::one(), Formula::given_up());
        assert_eq!(Formula::given_up(), Formula::given_up());
    }
}
