//! Polynomials whose terms hold at most one sine or cosine: products of them become sums of angles.

use crate::expr::{Expr, Number, constant};
use crate::fraction::Fraction;
use crate::scalar::Scalar;
use std::collections::BTreeMap;

/// A whole combination of angles, Σ k·a, sorted by angle, none of them with k = 0.
pub type Angle = Vec<(Expr, i64)>;

/// A product of powers, and of one sine or cosine.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// Factors and their powers, sorted by factor, none to the power of zero.
    pub factors: Vec<(Expr, i32)>,
    /// True and the angle of a sine, false and that of a cosine. The first coefficient of the angle is positive.
    pub trigonometric: Option<(bool, Angle)>,
}

/// A sum of terms with coefficients that are not zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial(pub(super) BTreeMap<Term, Number>);

impl Polynomial {
    /// The terms and their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Term, Number)> {
        self.0.iter().map(|(term, &number)| (term, number))
    }

    /// How many terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True for zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum of the terms as an expression.
    #[must_use]
    pub fn to_expr(&self) -> Expr {
        let mut sum = Expr::zero();
        for (term, number) in self.terms() {
            let mut product = constant(number);
            for &(factor, power) in &term.factors {
                for _ in 0..power.unsigned_abs() {
                    product = if power > 0 { product * factor } else { product / factor };
                }
            }
            if let Some((sine, angle)) = &term.trigonometric {
                let angle = angle.iter().fold(Expr::zero(), |sum, &(a, k)| sum + Expr::from_f64(k as f64) * a);
                let (sin, cos) = angle.sin_cos();
                product = product * if *sine { sin } else { cos };
            }
            sum += product;
        }
        sum
    }

    pub(super) fn number(number: Number) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_term(Term::default(), number);
        polynomial
    }

    pub(super) fn factor(expr: Expr, power: i32) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_term(Term { factors: vec![(expr, power)], trigonometric: None }, Number::ONE);
        polynomial
    }

    /// A sine or cosine; multiples of 90° have been taken out of the angle by whoever built the expression.
    pub(super) fn trigonometric(sine: bool, angle: Angle) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_trigonometric(Term::default(), sine, angle, Number::ONE);
        polynomial
    }

    pub(super) fn add_term(&mut self, term: Term, number: Number) {
        let sum = self.0.get(&term).map_or(number, |old| old.add(number));
        if sum.is_zero() {
            self.0.remove(&term);
        } else {
            self.0.insert(term, sum);
        }
    }

    /// Adds number · term · sin or cos angle, the angle's first coefficient made positive.
    fn add_trigonometric(&mut self, mut term: Term, sine: bool, mut angle: Angle, mut number: Number) {
        match angle.first() {
            None if sine => return,
            None => {}
            Some(&(_, first)) => {
                if first < 0 {
                    angle.iter_mut().for_each(|(_, k)| *k = -*k);
                    if sine {
                        number = number.neg();
                    }
                }
                term.trigonometric = Some((sine, angle));
            }
        }
        self.add_term(term, number);
    }

    pub(super) fn added(mut self, other: &Self, negative: bool) -> Self {
        for (term, &number) in &other.0 {
            self.add_term(term.clone(), if negative { number.neg() } else { number });
        }
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (a, &k) in &self.0 {
            for (b, &l) in &other.0 {
                let number = k.mul(l);
                let factors = merge(&a.factors, &b.factors);
                let rest = Term { factors, trigonometric: None };
                match (&a.trigonometric, &b.trigonometric) {
                    (None, None) => product.add_term(rest, number),
                    (Some((sine, angle)), None) | (None, Some((sine, angle))) => {
                        product.add_term(Term { trigonometric: Some((*sine, angle.clone())), ..rest }, number);
                    }
                    (Some((s, x)), Some((t, y))) => {
                        // cos x cos y = ½ (cos(x−y) + cos(x+y)), sin x sin y = ½ (cos(x−y) − cos(x+y)),
                        // sin x cos y = ½ (sin(x+y) + sin(x−y)), cos x sin y = ½ (sin(x+y) − sin(x−y))
                        let half = number.mul(Number::Exact(Fraction { numerator: 1, denominator: 2 }));
                        let (plus, minus) = (combine(x, y, 1), combine(x, y, -1));
                        let sine = s != t;
                        let (of_plus, of_minus) = match (s, t) {
                            (false, false) | (true, false) => (half, half),
                            (true, true) => (half.neg(), half),
                            (false, true) => (half, half.neg()),
                        };
                        product.add_trigonometric(rest.clone(), sine, plus, of_plus);
                        product.add_trigonometric(rest, sine, minus, of_minus);
                    }
                }
            }
        }
        product
    }

    /// 1/self for a single term without sine or cosine.
    pub(super) fn reciprocal(&self) -> Option<Self> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (Some((term, &number)), None) if term.trigonometric.is_none() => {
                let factors = term.factors.iter().map(|&(factor, power)| (factor, -power)).collect();
                let mut polynomial = Self::default();
                polynomial.add_term(Term { factors, trigonometric: None }, Number::ONE.div(number));
                Some(polynomial)
            }
            _ => None,
        }
    }
}

/// The product of two lists of powers.
fn merge(a: &[(Expr, i32)], b: &[(Expr, i32)]) -> Vec<(Expr, i32)> {
    let mut powers: BTreeMap<Expr, i32> = a.iter().copied().collect();
    b.iter().for_each(|&(factor, power)| *powers.entry(factor).or_default() += power);
    powers.into_iter().filter(|&(_, power)| power != 0).collect()
}

/// a + sign · b
fn combine(a: &Angle, b: &Angle, sign: i64) -> Angle {
    let mut angles: BTreeMap<Expr, i64> = a.iter().copied().collect();
    b.iter().for_each(|&(angle, k)| *angles.entry(angle).or_default() += sign * k);
    angles.into_iter().filter(|&(_, k)| k != 0).collect()
}
