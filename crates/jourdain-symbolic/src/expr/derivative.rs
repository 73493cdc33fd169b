//! Partial derivatives of expressions.

use super::graph::Node;
use super::{Expr, walk};
use crate::scalar::Scalar;
use std::collections::HashMap;

impl Expr {
    /// ∂/∂symbol, every other symbol held.
    #[must_use]
    pub fn derivative(self, symbol: Expr) -> Self {
        let mut by: HashMap<Expr, Expr> = HashMap::new();
        for expr in walk::reachable(&[self]) {
            let d = |x: Expr| by[&x];
            let derivative = match expr.node() {
                _ if expr == symbol => Expr::one(),
                Node::Number(_) | Node::Symbol(_) => Expr::zero(),
                Node::Neg(a) => -d(a),
                Node::Add(a, b) => d(a) + d(b),
                Node::Sub(a, b) => d(a) - d(b),
                Node::Mul(a, b) => d(a) * b + a * d(b),
                // d(a/b) = (da − (a/b) db)/b, which reuses the quotient.
                Node::Div(a, b) => (d(a) - expr * d(b)) / b,
                Node::Sqrt(a) => d(a) / (expr + expr),
                Node::Sin(a) => d(a) * a.sin_cos().1,
                Node::Cos(a) => -(d(a) * a.sin_cos().0),
            };
            by.insert(expr, derivative);
        }
        by[&self]
    }
}
