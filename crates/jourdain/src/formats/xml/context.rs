//! What every part of a reader of XML needs: the files, the texts, and where findings go.

use super::super::report::Report;
use super::{Files, Sources, Span};
use crate::model::{Diagnostic, Severity};

/// One reading of a robot with everything it includes: the texts, the files, and where findings go.
pub(in crate::formats) struct Context<'s, 't> {
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
