//! The factored form of larger expressions: what is used more than once gets a name, everything else is written in place.

use super::tree::{Role, Symbol, Tree};
use crate::expr::{Expr, Node, Number, reachable};
use std::collections::{HashMap, HashSet};

/// A named part: name = tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name.
    pub symbol: Symbol,
    /// What it stands for, in terms of symbols and earlier names.
    pub tree: Tree,
}

/// An intermediate term is also named when it is deeper than this, so that no line grows beyond reading.
const DEEPEST: usize = 12;

/// The named parts that the expressions need, in order, and the expressions in terms of them.
///
/// Sines and cosines of a single position are named s₁, c₁ after it by `sine`; other parts t₁, t₂, ….
#[must_use]
pub fn definitions(
    exprs: &[Expr],
    symbol: &dyn Fn(&str) -> Symbol,
    sine: &dyn Fn(&str, bool) -> Option<Symbol>,
) -> (Vec<Definition>, Vec<Tree>) {
    let nodes = reachable(exprs);
    let mut uses: HashMap<Expr, usize> = HashMap::new();
    for node in &nodes {
        node.node().operands().into_iter().flatten().for_each(|operand| *uses.entry(operand).or_default() += 1);
    }
    let roots: HashSet<Expr> = exprs.iter().copied().collect();
    let mut trees: HashMap<Expr, (Tree, usize)> = HashMap::new();
    let (mut list, mut terms) = (Vec::new(), 0);
    for expr in nodes {
        let x = |operand: &Expr| trees[operand].clone();
        let node = expr.node();
        let depth = 1 + node.operands().into_iter().flatten().map(|operand| trees[&operand].1).max().unwrap_or(0);
        let tree = match node {
            Node::Number(number) => Tree::Number(number),
            Node::Symbol(_) => Tree::Symbol(symbol(&expr.name().unwrap_or_default())),
            Node::Neg(a) => x(&a).0.negative(),
            Node::Add(a, b) => sum(x(&a).0, x(&b).0, false),
            Node::Sub(a, b) => sum(x(&a).0, x(&b).0, true),
            Node::Mul(a, b) if a == b => Tree::Power(Box::new(x(&a).0), 2),
            Node::Mul(a, b) => product(x(&a).0, x(&b).0),
            Node::Div(a, b) => Tree::Quotient(Box::new(x(&a).0), Box::new(x(&b).0)),
            Node::Sqrt(a) => Tree::Function("sqrt", Box::new(x(&a).0)),
            Node::Sin(a) => Tree::Function("sin", Box::new(x(&a).0)),
            Node::Cos(a) => Tree::Function("cos", Box::new(x(&a).0)),
        };
        let name = match node {
            Node::Sin(a) | Node::Cos(a) => a.name().and_then(|name| sine(&name, matches!(node, Node::Sin(_)))),
            Node::Number(_) | Node::Symbol(_) => None,
            // A sign, or a small multiple of something named, is not worth a name.
            Node::Neg(_) => None,
            _ if uses.get(&expr).copied().unwrap_or(0) > 1 || depth > DEEPEST && !roots.contains(&expr) => {
                terms += 1;
                let (text, latex) = (format!("t{terms}"), format!("t_{{{terms}}}"));
                Some(Symbol { text, latex, role: Role::Parameter })
            }
            _ => None,
        };
        let entry = match name {
            Some(symbol) => {
                list.push(Definition { symbol: symbol.clone(), tree });
                (Tree::Symbol(symbol), 1)
            }
            None => (tree, depth),
        };
        trees.insert(expr, entry);
    }
    (list, exprs.iter().map(|expr| trees[expr].0.clone()).collect())
}

fn sum(a: Tree, b: Tree, minus: bool) -> Tree {
    let mut terms = match a {
        Tree::Sum(terms) => terms,
        other => vec![other],
    };
    match (b, minus) {
        (Tree::Sum(more), false) => terms.extend(more),
        (Tree::Sum(more), true) => terms.extend(more.into_iter().map(Tree::negative)),
        (other, false) => terms.push(other),
        (other, true) => terms.push(other.negative()),
    }
    Tree::Sum(terms)
}

fn product(a: Tree, b: Tree) -> Tree {
    let factors = |tree| match tree {
        Tree::Product(factors) => factors,
        other => vec![other],
    };
    let mut all = [factors(a), factors(b)].concat();
    // Numbers in front.
    all.sort_by_key(|factor| !matches!(factor, Tree::Number(Number::Exact(_) | Number::Float(_))));
    Tree::Product(all)
}
