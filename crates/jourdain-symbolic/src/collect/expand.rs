//! Multiplying out, within a limit.

use super::polynomial::{Angle, Polynomial};
use crate::expr::{Expr, Node, Number, reachable};
use std::collections::HashMap;

/// The expanded form has more terms than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many were allowed.
    pub limit: usize,
}

impl core::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "multiplied out the expression has more than {} terms", self.limit)
    }
}

impl core::error::Error for TooLarge {}

impl Polynomial {
    /// Each expression multiplied out. Roots, and divisors of several terms, are factors of their own.
    ///
    /// # Errors
    /// More than `limit` terms on the way in any one part.
    pub fn expand(exprs: &[Expr], limit: usize) -> Result<Vec<Self>, TooLarge> {
        let mut expanded: HashMap<Expr, Polynomial> = HashMap::new();
        for expr in reachable(exprs) {
            let x = |operand: Expr| &expanded[&operand];
            let polynomial = match expr.node() {
                Node::Number(number) => Self::number(number),
                Node::Symbol(_) | Node::Sqrt(_) => Self::factor(expr, 1),
                Node::Neg(a) => Self::default().added(x(a), true),
                Node::Add(a, b) => x(a).clone().added(x(b), false),
                Node::Sub(a, b) => x(a).clone().added(x(b), true),
                Node::Mul(a, b) => {
                    // Two trigonometric terms give two; a product far beyond the limit is not even begun.
                    if x(a).len().saturating_mul(x(b).len()) > limit.saturating_mul(16) {
                        return Err(TooLarge { limit });
                    }
                    x(a).times(x(b))
                }
                Node::Div(a, b) => match x(b).reciprocal() {
                    Some(reciprocal) => x(a).times(&reciprocal),
                    None => x(a).times(&Self::factor(b, -1)),
                },
                Node::Sin(a) => angle(x(a)).map_or_else(|| Self::factor(expr, 1), |a| Self::trigonometric(true, a)),
                Node::Cos(a) => angle(x(a)).map_or_else(|| Self::factor(expr, 1), |a| Self::trigonometric(false, a)),
            };
            if polynomial.len() > limit {
                return Err(TooLarge { limit });
            }
            expanded.insert(expr, polynomial);
        }
        Ok(exprs.iter().map(|expr| expanded[expr].clone()).collect())
    }
}

/// The polynomial as a whole combination of symbols and one number, if it is one.
fn angle(polynomial: &Polynomial) -> Option<Angle> {
    let mut angle = Angle::new();
    for (term, number) in polynomial.terms() {
        if term.trigonometric.is_some() {
            return None;
        }
        match (term.factors.as_slice(), number) {
            ([], number) => angle.push((crate::expr::constant(number), 1)),
            (&[(factor, 1)], Number::Exact(k)) if k.denominator == 1 => angle.push((factor, k.numerator)),
            _ => return None,
        }
    }
    angle.sort_unstable();
    Some(angle)
}
