//! A polynomial collected for reading: by motion (the highest derivatives first), in each of these by sines and cosines,
//! in each of these by what masses and inertias share.

use super::polynomial::{Polynomial, Term};
use super::tree::{Role, Symbol, Tree};
use crate::expr::{Expr, Node, Number};
use std::cmp::Reverse;
use std::collections::BTreeMap;

type Powers = Vec<(Expr, i32)>;

/// The derivatives in a product, highest first, and the product itself: what groups are ordered by.
type MotionKey = (Reverse<Vec<usize>>, Powers);

/// The polynomial as it would be printed in a book; `symbol` says how each symbol is written.
#[must_use]
pub fn collect(polynomial: &Polynomial, symbol: &dyn Fn(&str) -> Symbol) -> Tree {
    let writer = Writer { symbol };
    let mut groups: BTreeMap<MotionKey, Vec<(&Term, Number)>> = BTreeMap::new();
    for (term, number) in polynomial.terms() {
        let motion = writer.part(&term.factors, |role| matches!(role, Role::Motion { .. }));
        let mut orders: Vec<usize> = motion
            .iter()
            .flat_map(|&(factor, power)| {
                let order = match writer.role(factor) {
                    Role::Motion { order } => order,
                    _ => 0,
                };
                std::iter::repeat_n(order, power.unsigned_abs() as usize)
            })
            .collect();
        orders.sort_unstable_by_key(|&order| Reverse(order));
        groups.entry((Reverse(orders), motion)).or_default().push((term, number));
    }
    Tree::sum_flat(groups.into_iter().map(|((_, motion), terms)| writer.motion_group(&motion, &terms)).collect())
}

struct Writer<'a> {
    symbol: &'a dyn Fn(&str) -> Symbol,
}

impl Writer<'_> {
    fn role(&self, factor: Expr) -> Role {
        factor.name().map_or(Role::Parameter, |name| (self.symbol)(&name).role)
    }

    fn part(&self, factors: &[(Expr, i32)], keep: impl Fn(Role) -> bool) -> Powers {
        factors.iter().copied().filter(|&(factor, _)| keep(self.role(factor))).collect()
    }

    /// (Σ …) · motion
    fn motion_group(&self, motion: &Powers, terms: &[(&Term, Number)]) -> Tree {
        let mut by_angle: BTreeMap<_, Vec<(Powers, Number)>> = BTreeMap::new();
        for (term, number) in terms {
            let parameters = self.part(&term.factors, |role| !matches!(role, Role::Motion { .. }));
            by_angle.entry(&term.trigonometric).or_default().push((parameters, *number));
        }
        let mut sum = Vec::new();
        for (trigonometric, coefficients) in by_angle {
            let tail: Vec<Tree> = trigonometric.iter().map(|(sine, angle)| self.sine(*sine, angle)).collect();
            let collected = self.coefficient(coefficients);
            if tail.is_empty() {
                sum.extend(collected.into_iter().map(|(negative, factors)| signed(negative, factors)));
                continue;
            }
            match <[_; 1]>::try_from(collected) {
                Ok([(negative, factors)]) => sum.push(signed(negative, [factors, tail].concat())),
                Err(several) => {
                    let several = several.into_iter().map(|(negative, factors)| signed(negative, factors)).collect();
                    sum.push(Tree::product([vec![Tree::Sum(several)], tail].concat()));
                }
            }
        }
        if motion.is_empty() {
            return Tree::sum(sum);
        }
        let tail = self.powers(motion);
        match <[_; 1]>::try_from(sum) {
            Ok([Tree::Negative(only)]) => Tree::negative(Tree::product([vec![*only], tail].concat()).flattened()),
            Ok([only]) => Tree::product([vec![only], tail].concat()).flattened(),
            Err(sum) => Tree::product([vec![Tree::Sum(sum)], tail].concat()),
        }
    }

    /// A coefficient as signed products: terms that differ in a mass or an inertia alone are one product.
    fn coefficient(&self, terms: Vec<(Powers, Number)>) -> Vec<(bool, Vec<Tree>)> {
        let mut by_rest: Vec<(Powers, Vec<(Powers, Number)>)> = Vec::new();
        for (factors, number) in terms {
            let linear = self.part(&factors, |role| role == Role::Linear);
            let rest = self.part(&factors, |role| role != Role::Linear);
            match by_rest.iter_mut().find(|(known, _)| *known == rest) {
                Some((_, list)) => list.push((linear, number)),
                None => by_rest.push((rest, vec![(linear, number)])),
            }
        }
        let mut products = Vec::new();
        for (rest, list) in by_rest {
            if let [(linear, number)] = list.as_slice() {
                let negative = number.is_negative();
                let size = if negative { number.neg() } else { *number };
                let mut factors = Vec::new();
                if !size.is_one() || linear.is_empty() && rest.is_empty() {
                    factors.push(Tree::Number(size));
                }
                factors.extend(self.powers(linear));
                factors.extend(self.powers(&rest));
                products.push((negative, factors));
                continue;
            }
            // The number that all share goes in front: 2 (m1 + m2), −(m1 + m2).
            let first = list[0].1;
            let shared = if list.iter().all(|(_, number)| *number == first) { first } else { Number::ONE };
            let negative = shared.is_negative();
            let size = if negative { shared.neg() } else { shared };
            let sum = list.iter().map(|(linear, number)| {
                let number = number.div(shared);
                let mut factors = self.powers(linear);
                let size = if number.is_negative() { number.neg() } else { number };
                if !size.is_one() || factors.is_empty() {
                    factors.insert(0, Tree::Number(size));
                }
                signed(number.is_negative(), factors)
            });
            let sum = Tree::Sum(sum.collect());
            if rest.is_empty() && size.is_one() && !negative {
                if let Tree::Sum(terms) = sum {
                    products.extend(terms.into_iter().map(|term| match term {
                        Tree::Negative(inner) => (true, vec![*inner]),
                        other => (false, vec![other]),
                    }));
                }
                continue;
            }
            let mut factors = if size.is_one() { Vec::new() } else { vec![Tree::Number(size)] };
            factors.push(sum);
            factors.extend(self.powers(&rest));
            products.push((negative, factors));
        }
        products
    }

    fn powers(&self, powers: &Powers) -> Vec<Tree> {
        // The highest derivative last, as books write ω q̇ q̈.
        let mut powers = powers.clone();
        powers.sort_by_key(|&(factor, _)| (self.role(factor), factor));
        powers
            .iter()
            .map(|&(factor, power)| {
                let base = self.atom(factor);
                if power == 1 { base } else { Tree::Power(Box::new(base), power) }
            })
            .collect()
    }

    fn sine(&self, sine: bool, angle: &[(Expr, i64)]) -> Tree {
        let mut terms: Vec<(Expr, i64)> = angle.to_vec();
        // Symbols before numbers, and a positive one first.
        terms.sort_by_key(|&(angle, k)| (angle.number().is_some(), k < 0, angle));
        let sum = terms.into_iter().map(|(angle, k)| {
            let size = k.unsigned_abs();
            let mut factors = vec![self.atom(angle)];
            if size != 1 {
                factors.insert(0, Tree::Number(Number::new(size as f64)));
            }
            signed(k < 0, factors)
        });
        Tree::Function(if sine { "sin" } else { "cos" }, Box::new(Tree::sum(sum.collect())))
    }

    /// A factor: a symbol, or a root, a divisor or a sine that could not be multiplied out.
    fn atom(&self, factor: Expr) -> Tree {
        match factor.node() {
            Node::Symbol(_) => Tree::Symbol((self.symbol)(&factor.name().unwrap_or_default())),
            Node::Number(number) => Tree::Number(number),
            Node::Sqrt(a) => Tree::Function("sqrt", Box::new(self.nested(a))),
            Node::Sin(a) => Tree::Function("sin", Box::new(self.nested(a))),
            Node::Cos(a) => Tree::Function("cos", Box::new(self.nested(a))),
            _ => self.nested(factor),
        }
    }

    fn nested(&self, expr: Expr) -> Tree {
        match Polynomial::expand(&[expr], usize::MAX).as_deref() {
            Ok([polynomial]) => collect(polynomial, self.symbol),
            _ => Tree::Number(Number::ZERO),
        }
    }
}

fn signed(negative: bool, factors: Vec<Tree>) -> Tree {
    let product = Tree::product(factors);
    if negative { product.negative() } else { product }
}

impl Tree {
    /// A sum whose terms that are sums themselves are written in line.
    fn sum_flat(terms: Vec<Self>) -> Self {
        Self::sum(
            terms
                .into_iter()
                .flat_map(|term| match term {
                    Self::Sum(inner) => inner,
                    other => vec![other],
                })
                .collect(),
        )
    }

    /// A product whose factors that are products themselves are written in line.
    fn flattened(self) -> Self {
        match self {
            Self::Product(factors) => Self::Product(
                factors
                    .into_iter()
                    .flat_map(|factor| match factor {
                        Self::Product(inner) => inner,
                        other => vec![other],
                    })
                    .collect(),
            ),
            other => other,
        }
    }
}
