//! Texts and expressions at their place in a file: what they see, and what they give.

use super::super::xml::Span;
use super::Expander;
use super::failure::{Failure, Outcome};
use super::python::{self, Arguments, Budget, Names, Service, Value};
use super::text::{self, Piece};
use std::rc::Rc;

impl Expander<'_, '_> {
    /// The value of a text: of its one expression, or the text with all expressions written out.
    pub(super) fn evaluate(&mut self, text: &str, scope: usize, span: Span) -> Outcome<Value> {
        if !text.contains('$') {
            return Ok(Value::text(text));
        }
        let part = |this: &Self, range: std::ops::Range<usize>| this.sources.part(span, text, range);
        let pieces = match text::pieces(text) {
            Ok(pieces) => pieces,
            Err((at, failure)) => return Err(failure.at(part(self, at..at + 2))),
        };
        self.budget.spend(pieces.len() + text.len() / 64)?;
        let mut out = String::new();
        for piece in &pieces {
            let value = match piece {
                Piece::Plain(range) => Value::text(&text[range.clone()]),
                Piece::Expression(range) => {
                    let result = self.expression(&text[range.clone()], scope, span);
                    result.map_err(|failure| failure.at(part(self, range.start - 2..range.end + 1)))?
                }
                Piece::Substitution(range) => {
                    let result = self.substitution(&text[range.clone()], scope, span);
                    result.map_err(|failure| failure.at(part(self, range.start - 2..range.end + 1)))?
                }
            };
            if pieces.len() == 1 {
                return Ok(value);
            }
            out += &value.to_text().map_err(|failure| failure.at(span))?;
            if out.len() > python::MAX_TEXT {
                return Err(Failure::limit("a text that is too long").at(span));
            }
        }
        Ok(Value::text(out))
    }

    /// As [`evaluate`](Self::evaluate), written out.
    pub(super) fn evaluate_text(&mut self, text: &str, scope: usize, span: Span) -> Outcome<String> {
        self.evaluate(text, scope, span)?.to_text().map_err(|failure| failure.at(span))
    }

    fn expression(&mut self, text: &str, scope: usize, span: Span) -> Outcome<Value> {
        let inner;
        let text = if text.contains('$') {
            inner = self.evaluate_text(text, scope, span)?;
            inner.as_str()
        } else {
            text
        };
        let parsed = match self.expressions.get(text) {
            Some(parsed) => Rc::clone(parsed),
            None => {
                self.budget.spend(text.len())?;
                let parsed = Rc::new(python::parse(text)?);
                self.expressions.insert(text.to_owned(), Rc::clone(&parsed));
                parsed
            }
        };
        python::evaluate(&parsed, &mut Sight { expander: self, scope, span })
    }
}

/// What an expression sees at its place.
struct Sight<'e, 's, 't> {
    expander: &'e mut Expander<'s, 't>,
    scope: usize,
    span: Span,
}

impl Names for Sight<'_, '_, '_> {
    fn get(&mut self, name: &str) -> Outcome<Option<Value>> {
        self.expander.property_value(name, self.scope)
    }

    fn member(&mut self, namespace: usize, name: &str) -> Outcome<Option<Value>> {
        self.expander.property_value(name, namespace)
    }

    fn known(&self) -> Vec<String> {
        self.expander.scopes.property_names(self.scope)
    }

    fn serve(&mut self, service: Service, arguments: Arguments) -> Outcome<Value> {
        match service {
            Service::Warning => {
                let words = arguments.values.iter().map(Value::to_text).collect::<Outcome<Vec<_>>>()?;
                self.expander.warn("xacro-message", words.join(" "), None, self.span);
                Ok(Value::text(""))
            }
            Service::Yaml => self.expander.load_yaml(&arguments.one_text()?),
            Service::FileName => Ok(Value::text(self.expander.full_path(&arguments.one_text()?).to_string_lossy())),
            Service::Argument => self.expander.argument(&arguments.one_text()?).map(Value::text),
        }
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.expander.budget
    }
}
