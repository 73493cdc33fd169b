//! The symbolic scalar: an [`Expr`] is a number into a hash-consed graph, so that a formula run on it leaves behind the
//! formula itself.
//!
//! ```
//! use jourdain_symbolic::{Expr, Scalar};
//!
//! let (x, l) = (Expr::symbol("x"), Expr::symbol("l"));
//! let (sin, cos) = x.sin_cos();
//! assert_eq!(l * sin * sin + l * cos * cos, l);
//! assert_eq!((l * sin).derivative(x), l * cos);
//! assert_eq!((l * sin / l).to_string(), "sin(x)");
//! ```

mod derivative;
mod graph;
mod number;
mod simplify;
mod text;
mod walk;

pub(crate) use graph::with_nodes;
pub use graph::{Node, Rules, scope};
pub use number::Number;
pub(crate) use walk::constant;
pub use walk::{evaluate, reachable, substitute};

use crate::fraction::Fraction;
use crate::scalar::{Ahead, Constant, Scalar};
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// An expression of numbers, symbols, + − · / √ sin cos.
///
/// It belongs to the graph of the thread, or of the [`scope`], that it was made in. Equal expressions made of the same
/// operations are equal handles; handles are ordered by when they were made, operands first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

impl Expr {
    /// The variable or parameter of that name.
    #[must_use]
    pub fn symbol(name: &str) -> Self {
        graph::with(|graph| graph.symbol(name))
    }

    /// An exact constant.
    #[must_use]
    pub fn exact(value: Fraction) -> Self {
        graph::with(|graph| graph.constant(Number::Exact(value)))
    }

    /// The operation that makes it.
    #[must_use]
    pub fn node(self) -> Node {
        graph::with(|graph| graph.node(self))
    }

    /// The name, if it is a symbol.
    #[must_use]
    pub fn name(self) -> Option<String> {
        graph::with(|graph| match graph.node(self) {
            Node::Symbol(place) => Some(graph.name(place).to_owned()),
            _ => None,
        })
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(self) -> Option<Number> {
        graph::with(|graph| graph.number(self))
    }

    /// The place among all nodes of the graph, operands before what is made of them.
    #[must_use]
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

macro_rules! operator {
    ($trait:ident $method:ident) => {
        impl $trait for Expr {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                graph::with(|graph| graph.$method(self, other))
            }
        }
    };
}

operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);
operator!(Div div);

impl Neg for Expr {
    type Output = Self;

    fn neg(self) -> Self {
        graph::with(|graph| graph.neg(self))
    }
}

impl AddAssign for Expr {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Expr {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Expr {
    type Constant = Self;

    fn from_f64(value: f64) -> Self {
        graph::with(|graph| graph.constant(Number::new(value)))
    }

    fn constant(value: Self) -> Self {
        value
    }

    fn scale(self, factor: Self) -> Self {
        self * factor
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    fn scale_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    fn sin_cos(self) -> (Self, Self) {
        graph::with(|graph| (graph.sin(self), graph.cos(self)))
    }

    /// The sine of the sum, for reading; a graph whose rules say so takes it apart.
    fn sin_cos_ahead(self, _: (Self, Self), ahead: &Ahead<Self>) -> (Self, Self) {
        (self + ahead.angle).sin_cos()
    }

    fn sqrt(self) -> Self {
        graph::with(|graph| graph.sqrt(self))
    }

    /// For reading, and where the bound is a symbol, just the inverse.
    fn inverse_above(self, least: Self) -> Self {
        if least.number().is_none() || !graph::with(|graph| graph.rules.for_numbers) {
            return Self::one() / self;
        }
        let margin = ((self - least) * (self + least)).sqrt();
        Self::one() / (self + margin * Self::from_f64(1e-300))
    }
}

impl Constant for Expr {
    fn is_zero(&self) -> bool {
        self.number().is_some_and(Number::is_zero)
    }

    fn to_f64(&self) -> Option<f64> {
        self.number().map(Number::to_f64)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

#[cfg(test)]
mod tests;
