//! What every part of the reader needs: the files, the texts, and where findings go.

use super::super::report::Report;
use super::super::xml::{Attribute, Element, Files, Sources, Span};
use crate::model::{Diagnostic, Severity};

/// One reading of a model with everything it includes.
pub(super) struct Context<'s, 't> {
    pub sources: &'s mut Sources<'t>,
    pub report: &'s mut Report,
    pub files: &'s dyn Files,
    /// Set while what is read does not matter to how anything moves: what is wrong with it is a warning then.
    pub is_idle: bool,
}

impl Context<'_, '_> {
    pub fn push(&mut self, span: Span, mut diagnostic: Diagnostic) {
        let place = self.sources.locate(span);
        if self.is_idle {
            diagnostic.severity = diagnostic.severity.min(Severity::Warning);
        }
        self.report.push(diagnostic.at(place));
    }

    pub fn error(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        self.push(span, Diagnostic::error(code, message));
    }

    pub fn error_with_hint(&mut self, span: Span, code: &'static str, message: String, hint: impl Into<String>) {
        self.push(span, Diagnostic::error(code, message).hint(hint));
    }

    /// Names what a file has and a rigid tree cannot carry, with the consequence.
    pub fn lost(&mut self, span: Span, message: impl Into<String>) {
        self.push(span, Diagnostic::lost(message));
    }
}

/// An element together with the attributes that its class gives it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub element: &'a Element,
    pub defaults: &'a [Attribute],
}

impl<'a> View<'a> {
    /// An element that has no defaults.
    pub fn plain(element: &'a Element) -> Self {
        Self { element, defaults: &[] }
    }

    /// The element's own attribute. An empty one counts as missing.
    pub fn own(&self, name: &str) -> Option<&'a Attribute> {
        self.element.attribute(name).filter(|attribute| !attribute.value.trim().is_empty())
    }

    /// The element's own attribute, or else that of its class.
    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.own(name).or_else(|| self.defaults.iter().find(|attribute| attribute.name == name))
    }

    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }
}
