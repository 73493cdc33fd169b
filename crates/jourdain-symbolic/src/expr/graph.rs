//! The hash-consed graph: equal expressions are one node, and nodes stand in the order they were made, operands first.
//!
//! Each thread has a graph of its own. [`scope`] gives a computation a fresh one and frees it afterwards.

use super::Expr;
use super::number::Number;
use crate::mixer::FastMap;
use core::cell::RefCell;
use std::collections::HashMap;

/// One operation on expressions that stand before it in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Number(Number),
    /// A variable or a parameter, by its place in the list of names.
    Symbol(u32),
    /// −a
    Neg(Expr),
    /// a + b
    Add(Expr, Expr),
    /// a − b
    Sub(Expr, Expr),
    /// a · b; a number stands first.
    Mul(Expr, Expr),
    /// a / b
    Div(Expr, Expr),
    /// √a
    Sqrt(Expr),
    /// sin a
    Sin(Expr),
    /// cos a
    Cos(Expr),
}

impl Node {
    /// The operands; `None` in the places that the operation does not have.
    #[must_use]
    pub fn operands(&self) -> [Option<Expr>; 2] {
        match *self {
            Self::Number(_) | Self::Symbol(_) => [None, None],
            Self::Neg(a) | Self::Sqrt(a) | Self::Sin(a) | Self::Cos(a) => [Some(a), None],
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) => [Some(a), Some(b)],
        }
    }
}

/// The nodes of one thread.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    index: FastMap<Node, Expr>,
    names: Vec<String>,
    symbols: HashMap<String, Expr>,
    /// True for a sine, a cosine and every product of which one is a factor.
    trigonometric: Vec<bool>,
    pub(super) rules: Rules,
}

/// Which of the optional simplifications are made while an expression is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// cos a cos b − sin a sin b becomes cos(a + b), and so on: shorter to read for parallel axes; a program then takes
    /// one more sine and cosine.
    pub angle_sums: bool,
    /// The expression is to be computed with and not to be read: sin(x + k) with a constant k becomes
    /// cos k sin x + sin k cos x, right for a large x, where the sum rounds; and inverses are guarded against small pivots.
    pub for_numbers: bool,
}

impl Graph {
    /// Forgets everything but the memory.
    fn clear(&mut self) {
        self.nodes.clear();
        self.index.clear();
        self.names.clear();
        self.symbols.clear();
        self.trigonometric.clear();
    }

    /// All nodes, by place.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.0 as usize]
    }

    /// The node if it is there.
    pub(super) fn find(&self, node: Node) -> Option<Expr> {
        self.index.get(&node).copied()
    }

    pub(super) fn intern(&mut self, node: Node) -> Expr {
        let (nodes, trigonometric) = (&mut self.nodes, &mut self.trigonometric);
        *self.index.entry(node).or_insert_with(|| {
            let expr = Expr(u32::try_from(nodes.len()).expect("a graph has fewer than 2³² nodes"));
            nodes.push(node);
            trigonometric.push(match node {
                Node::Sin(_) | Node::Cos(_) => true,
                Node::Mul(a, b) => trigonometric[a.0 as usize] || trigonometric[b.0 as usize],
                _ => false,
            });
            expr
        })
    }

    pub(super) fn is_trigonometric(&self, expr: Expr) -> bool {
        self.trigonometric[expr.0 as usize]
    }

    pub(super) fn number(&self, expr: Expr) -> Option<Number> {
        match self.node(expr) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn constant(&mut self, number: Number) -> Expr {
        self.intern(Node::Number(number))
    }

    pub(super) fn symbol(&mut self, name: &str) -> Expr {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let place = u32::try_from(self.names.len()).expect("a graph has fewer than 2³² names");
        self.names.push(name.to_owned());
        let symbol = self.intern(Node::Symbol(place));
        self.symbols.insert(name.to_owned(), symbol);
        symbol
    }

    pub(super) fn name(&self, symbol: u32) -> &str {
        &self.names[symbol as usize]
    }
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
    /// The memory of a scope that has ended, for the next one.
    static SPARE: RefCell<Option<Graph>> = const { RefCell::new(None) };
}

/// A larger graph is not kept.
const MOST_KEPT: usize = 1 << 16;

pub(super) fn with<R>(f: impl FnOnce(&mut Graph) -> R) -> R {
    GRAPH.with_borrow_mut(f)
}

/// Reads all nodes of the current graph, by place.
pub(crate) fn with_nodes<R>(f: impl FnOnce(&[Node]) -> R) -> R {
    with(|graph| f(graph.nodes()))
}

/// Runs `f` on an empty graph with these rules and empties it afterwards; the graph there was before comes back.
///
/// An [`Expr`] made inside means nothing outside and the other way round: let programs, strings and numbers out.
pub fn scope<R>(rules: Rules, f: impl FnOnce() -> R) -> R {
    /// Puts the outer graph back, after a panic too.
    struct Restore(Option<Graph>);
    impl Drop for Restore {
        fn drop(&mut self) {
            if let Some(outer) = self.0.take() {
                let mut inner = with(|graph| core::mem::replace(graph, outer));
                if inner.nodes.len() <= MOST_KEPT {
                    inner.clear();
                    SPARE.set(Some(inner));
                }
            }
        }
    }
    let inner = Graph { rules, ..SPARE.take().unwrap_or_default() };
    let outer = with(|graph| core::mem::replace(graph, inner));
    let _restore = Restore(Some(outer));
    f()
}
