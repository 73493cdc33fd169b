//! Expressions as trees.

use super::value::Value;
use std::rc::Rc;

/// An expression.
pub(in super::super) enum Expression {
    Literal(Value),
    Name(String),
    List(Vec<Expression>),
    Tuple(Vec<Expression>),
    /// `-x`, `not x` …
    Prefix(&'static str, Box<Expression>),
    /// `a + b - c`: signs of one level, from left to right.
    Chain(Box<Expression>, Vec<(&'static str, Expression)>),
    /// `a < b <= c`.
    Comparison(Box<Expression>, Vec<(&'static str, Expression)>),
    /// `a and b and c`, ends at the first that is false.
    All(Vec<Expression>),
    /// `a or b or c`, ends at the first that is true.
    Any(Vec<Expression>),
    /// `yes if test else no`.
    Choice {
        test: Box<Expression>,
        yes: Box<Expression>,
        no: Box<Expression>,
    },
    Attribute(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    Slice(Box<Expression>, [Option<Box<Expression>>; 3]),
    Call(Box<Expression>, Vec<Argument>),
    /// `[element for … in … if …]`.
    Comprehension(Box<Expression>, Vec<Clause>),
    Lambda(Vec<String>, Rc<Expression>),
}

/// An argument of a call.
pub(in super::super) struct Argument {
    pub(super) name: Option<String>,
    /// `*list`.
    pub(super) is_spread: bool,
    pub(super) value: Expression,
}

/// `for names in items if condition …`.
pub(in super::super) struct Clause {
    pub(super) names: Vec<String>,
    pub(super) items: Expression,
    pub(super) conditions: Vec<Expression>,
}
