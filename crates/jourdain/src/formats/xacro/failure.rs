//! Why an expansion ends: the first thing that is wrong, with its place as soon as it is known.

use super::super::xml::Span;

/// What is wrong, and where.
#[derive(Debug)]
pub(super) struct Failure {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
    /// The innermost place that is known.
    pub span: Option<Span>,
}

pub(super) type Outcome<T> = Result<T, Box<Failure>>;

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, message: message.into(), hint: None, span: None })
    }

    /// Something that no expression may do.
    pub fn expression(message: impl Into<String>) -> Box<Self> {
        Self::new("xacro-expression", message)
    }

    /// Something that grew beyond its bound.
    pub fn limit(message: impl Into<String>) -> Box<Self> {
        Self::new("xacro-limit", message).hint("does a macro, an include or an expression repeat itself without end?")
    }

    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }

    /// Gives the place, unless a more exact one is known.
    pub fn at(mut self: Box<Self>, span: Span) -> Box<Self> {
        self.span = self.span.or(Some(span));
        self
    }
}
