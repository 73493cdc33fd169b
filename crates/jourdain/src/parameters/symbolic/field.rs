//! Fractions of polynomials: the field that a symbolic analysis runs over.
//!
//! Pivots are numbers wherever there is one, so denominators are rare: an oblique slide between the first two rotations has
//! one. A denominator that divides its numerator is divided out; no greatest common divisor is sought beyond that.

use super::polynomial::Polynomial;
use crate::model::Number;
use crate::parameters::exact::Rational;
use crate::parameters::field::Field;

/// A fraction of two polynomials.
#[derive(Clone, Debug)]
pub struct Formula {
    numerator: Polynomial,
    /// Leading coefficient 1.
    denominator: Polynomial,
}

impl Formula {
    /// A polynomial.
    #[must_use]
    pub fn polynomial(numerator: Polynomial) -> Self {
        Self { numerator, denominator: Polynomial::constant(Rational::one()) }
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
        Self { numerator: scaled(&numerator), denominator: scaled(&denominator) }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
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
        self.add(&Self { numerator: opposite, denominator: other.denominator.clone() })
    }

    fn mul(&self, other: &Self) -> Self {
        let numerator = self.numerator.times(&other.numerator);
        match (self.denominator.to_constant(), other.denominator.to_constant()) {
            (Some(_), Some(_)) => Self::polynomial(numerator),
            _ => Self::fraction(numerator, self.denominator.times(&other.denominator)),
        }
    }

    fn inverse(&self) -> Self {
        if self.is_zero() { Self::zero() } else { Self::fraction(self.denominator.clone(), self.numerator.clone()) }
    }

    /// Numbers are the best pivots, then short polynomials, then fractions.
    fn size(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
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
        self.numerator.is_zero()
    }

    fn from_number(number: Number, unit: f64) -> Self {
        Self::polynomial(Polynomial::constant(Rational::from_number(number, unit)))
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        let (cos, sin) = Rational::cos_sin(angle);
        (Self::polynomial(Polynomial::constant(cos)), Self::polynomial(Polynomial::constant(sin)))
    }

    fn direction(vector: [Self; 3]) -> [Self; 3] {
        vector
    }
}
