//! Polynomials in several variables with rational coefficients, in a canonical form: equal polynomials are equal values.

use crate::parameters::exact::Rational;
use crate::parameters::field::Field;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A variable of a polynomial, by number: a length of the robot.
pub type Variable = usize;

/// A product of powers, variables ascending, no power zero. The order is lexicographic: the first variable counts most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Monomial(Vec<(Variable, u32)>);

impl Monomial {
    fn times(&self, other: &Self) -> Self {
        let mut powers: BTreeMap<Variable, u32> = self.0.iter().copied().collect();
        for &(variable, power) in &other.0 {
            *powers.entry(variable).or_default() += power;
        }
        Self(powers.into_iter().collect())
    }

    /// `self / other`, if it is a monomial.
    fn over(&self, other: &Self) -> Option<Self> {
        let mut powers: BTreeMap<Variable, u32> = self.0.iter().copied().collect();
        for &(variable, power) in &other.0 {
            let left = powers.get(&variable).copied().unwrap_or(0).checked_sub(power)?;
            if left == 0 {
                powers.remove(&variable);
            } else {
                powers.insert(variable, left);
            }
        }
        Some(Self(powers.into_iter().collect()))
    }

    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, power)| power).sum()
    }

    pub fn powers(&self) -> &[(Variable, u32)] {
        &self.0
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.0.iter(), other.0.iter());
        loop {
            return match (a.next(), b.next()) {
                (None, None) => Ordering::Equal,
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (Some((x, p)), Some((y, q))) if x == y && p == q => continue,
                (Some((x, p)), Some((y, q))) if x == y => p.cmp(q),
                (Some((x, _)), Some((y, _))) => y.cmp(x),
            };
        }
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A polynomial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial {
    /// No coefficient is zero.
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    /// A number.
    #[must_use]
    pub fn constant(value: Rational) -> Self {
        let mut polynomial = Self::default();
        polynomial.accumulate(Monomial::default(), &value);
        polynomial
    }

    /// A variable.
    #[must_use]
    pub fn variable(variable: Variable) -> Self {
        let mut polynomial = Self::default();
        polynomial.accumulate(Monomial(vec![(variable, 1)]), &Rational::one());
        polynomial
    }

    /// The value, if it is a number.
    #[must_use]
    pub fn to_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::zero()),
            1 => self.terms.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }

    /// True if it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms, in the polynomial's own order.
    pub(super) fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> {
        self.terms.iter()
    }

    /// Number of terms.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn size(&self) -> usize {
        self.terms.keys().map(|monomial| 1 + monomial.degree() as usize).sum()
    }

    /// The sum with a multiple of another.
    #[must_use]
    pub fn plus(&self, factor: &Rational, other: &Self) -> Self {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            sum.accumulate(monomial.clone(), &coefficient.mul(factor));
        }
        sum
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                product.accumulate(a.times(b), &x.mul(y));
            }
        }
        product
    }

    /// The quotient, if the division leaves nothing.
    #[must_use]
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        let (lead, scale) = divisor.terms.last_key_value()?;
        let (mut rest, mut quotient) = (self.clone(), Self::default());
        while let Some((monomial, coefficient)) = rest.terms.last_key_value() {
            let mut term = Self::default();
            term.accumulate(monomial.over(lead)?, &coefficient.mul(&scale.inverse()));
            rest = rest.plus(&Rational::one().neg(), &term.times(divisor));
            quotient = quotient.plus(&Rational::one(), &term);
        }
        Some(quotient)
    }

    /// The coefficient of the leading term; zero for the zero polynomial.
    pub(super) fn leading(&self) -> Rational {
        self.terms.last_key_value().map_or_else(Rational::zero, |(_, coefficient)| coefficient.clone())
    }

    /// The value for values of the variables.
    pub fn evaluate(&self, value: &impl Fn(Variable) -> f64) -> f64 {
        let term = |(monomial, coefficient): (&Monomial, &Rational)| {
            let powers = monomial.0.iter().map(|&(variable, power)| value(variable).powi(power as i32));
            coefficient.to_f64() * powers.product::<f64>()
        };
        self.terms.iter().map(term).sum()
    }

    fn accumulate(&mut self, monomial: Monomial, coefficient: &Rational) {
        if coefficient.is_zero() {
            return;
        }
        let sum = self.terms.get(&monomial).map_or_else(|| coefficient.clone(), |old| old.add(coefficient));
        if sum.is_zero() {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Polynomial {
        Polynomial::variable(0)
    }

    fn y() -> Polynomial {
        Polynomial::variable(1)
    }

    #[test]
    fn products_divide_again_and_others_do_not() {
        let two = Rational::fraction(2, 1);
        let (sum, difference) = (x().plus(&two, &y()), x().plus(&two.neg(), &y()));
        let product = sum.times(&difference);
        assert_eq!(product.over(&sum), Some(difference));
        assert_eq!(product.plus(&two, &x()).over(&sum), None);
        assert_eq!(product.over(&Polynomial::default()), None);
        assert!(product.plus(&Rational::one().neg(), &sum.times(&x().plus(&two.neg(), &y()))).is_zero());
    }
}
