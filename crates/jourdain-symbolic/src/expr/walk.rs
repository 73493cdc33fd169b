//! Going through what an expression is made of: reachable nodes, evaluation, substitution.

use super::graph::{self, Node};
use super::{Expr, Number};
use crate::scalar::Scalar;
use std::collections::HashMap;

/// The nodes that the expressions need, operands first, in the order of making.
#[must_use]
pub fn reachable(roots: &[Expr]) -> Vec<Expr> {
    graph::with(|graph| {
        let Some(highest) = roots.iter().max() else { return Vec::new() };
        let mut needed = vec![false; highest.place() + 1];
        roots.iter().for_each(|root| needed[root.place()] = true);
        for place in (0..needed.len()).rev() {
            if needed[place] {
                let node = graph.node(Expr(place as u32));
                node.operands().into_iter().flatten().for_each(|operand| needed[operand.place()] = true);
            }
        }
        (0..needed.len()).filter(|&place| needed[place]).map(|place| Expr(place as u32)).collect()
    })
}

/// The value of each expression over any scalar; `value` gives those of symbols by name.
///
/// # Errors
/// The name of a symbol that has no value.
pub fn evaluate<S: Scalar<Constant = f64>>(
    exprs: &[Expr],
    mut value: impl FnMut(&str) -> Option<S>,
) -> Result<Vec<S>, String> {
    fold(exprs, |node, name, x: &dyn Fn(Expr) -> S| {
        Ok(match node {
            Node::Number(number) => S::from_f64(number.to_f64()),
            Node::Symbol(_) => value(name).ok_or_else(|| name.to_owned())?,
            Node::Neg(a) => -x(a),
            Node::Add(a, b) => x(a) + x(b),
            Node::Sub(a, b) => x(a) - x(b),
            Node::Mul(a, b) => x(a) * x(b),
            Node::Div(a, b) => x(a) / x(b),
            Node::Sqrt(a) => x(a).sqrt(),
            Node::Sin(a) => x(a).sin_cos().0,
            Node::Cos(a) => x(a).sin_cos().1,
        })
    })
}

/// The expressions with symbols replaced, simplified anew; symbols without a replacement stay.
#[must_use]
pub fn substitute(exprs: &[Expr], mut replacement: impl FnMut(&str) -> Option<Expr>) -> Vec<Expr> {
    let replaced: Result<_, ()> = fold(exprs, |node, name, x: &dyn Fn(Expr) -> Expr| {
        Ok(match node {
            Node::Number(number) => constant(number),
            Node::Symbol(_) => replacement(name).unwrap_or_else(|| Expr::symbol(name)),
            Node::Neg(a) => -x(a),
            Node::Add(a, b) => x(a) + x(b),
            Node::Sub(a, b) => x(a) - x(b),
            Node::Mul(a, b) => x(a) * x(b),
            Node::Div(a, b) => x(a) / x(b),
            Node::Sqrt(a) => x(a).sqrt(),
            Node::Sin(a) => x(a).sin_cos().0,
            Node::Cos(a) => x(a).sin_cos().1,
        })
    });
    replaced.unwrap_or_default()
}

pub(crate) fn constant(number: Number) -> Expr {
    graph::with(|graph| graph.constant(number))
}

/// Computes a value for each node that the expressions need, operands first, and gives those of the expressions.
pub(crate) fn fold<V: Copy, E>(
    exprs: &[Expr],
    mut step: impl FnMut(Node, &str, &dyn Fn(Expr) -> V) -> Result<V, E>,
) -> Result<Vec<V>, E> {
    let mut values: HashMap<Expr, V> = HashMap::new();
    for expr in reachable(exprs) {
        let name = expr.name().unwrap_or_default();
        let value = step(expr.node(), &name, &|operand| values[&operand])?;
        values.insert(expr, value);
    }
    Ok(exprs.iter().map(|expr| values[expr]).collect())
}
