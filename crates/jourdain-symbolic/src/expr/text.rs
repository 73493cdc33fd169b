//! An expression as it stands, in one line. For reading, [`collect`](crate::collect) orders it first.

use super::graph::Node;
use super::{Expr, Number};
use core::fmt;

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Whole,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(fraction) if fraction.denominator == 1 => write!(f, "{}", fraction.numerator),
            Self::Exact(fraction) => write!(f, "{}/{}", fraction.numerator, fraction.denominator),
            Self::Float(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Display for Expr {
    /// In full, without shared parts: meant for small expressions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(*self, Strength::Sum, f)
    }
}

fn write(expr: Expr, around: Strength, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let node = expr.node();
    let strength = match node {
        Node::Neg(_) | Node::Add(..) | Node::Sub(..) => Strength::Sum,
        Node::Number(number) if number.is_negative() => Strength::Sum,
        Node::Mul(..) | Node::Div(..) => Strength::Product,
        Node::Number(Number::Exact(fraction)) if fraction.denominator != 1 => Strength::Product,
        _ => Strength::Whole,
    };
    let parenthesised = strength < around;
    if parenthesised {
        f.write_str("(")?;
    }
    match node {
        Node::Number(number) => write!(f, "{number}")?,
        Node::Symbol(_) => f.write_str(&expr.name().unwrap_or_default())?,
        Node::Neg(a) => {
            f.write_str("-")?;
            write(a, Strength::Product, f)?;
        }
        Node::Add(a, b) => infix(a, " + ", b, [Strength::Sum, Strength::Sum], f)?,
        Node::Sub(a, b) => infix(a, " - ", b, [Strength::Sum, Strength::Product], f)?,
        Node::Mul(a, b) if a == b => {
            write(a, Strength::Whole, f)?;
            f.write_str("^2")?;
        }
        Node::Mul(a, b) => infix(a, "*", b, [Strength::Product, Strength::Product], f)?,
        Node::Div(a, b) => infix(a, "/", b, [Strength::Product, Strength::Whole], f)?,
        Node::Sqrt(a) => function("sqrt", a, f)?,
        Node::Sin(a) => function("sin", a, f)?,
        Node::Cos(a) => function("cos", a, f)?,
    }
    if parenthesised {
        f.write_str(")")?;
    }
    Ok(())
}

fn infix(a: Expr, operator: &str, b: Expr, around: [Strength; 2], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write(a, around[0], f)?;
    f.write_str(operator)?;
    write(b, around[1], f)
}

fn function(name: &str, a: Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{name}(")?;
    write(a, Strength::Sum, f)?;
    f.write_str(")")
}
