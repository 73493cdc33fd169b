//! Expanding a xacro file for its own sake: text in, text out.

use super::report::Report;
use super::xml::{self, Files, Sources};
use super::{Reading, decoded, finish, limits, xacro};
use crate::model::Diagnostic;
use std::path::Path;

/// What came of expanding a xacro file.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The expanded file; `None` if there is an error among the diagnostics.
    pub text: Option<String>,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that was expanded; empty if it could not be read.
    pub source: String,
}

/// Expands a xacro file: macros, properties, conditions and includes are worked out, comments dropped, and all the rest kept.
/// Whether the result is a robot is not asked. Arguments, packages and included files come from `files`.
#[must_use]
pub fn expand(bytes: &[u8], file: &Path, files: &dyn Files) -> Expansion {
    let text = match decoded(bytes) {
        Ok(text) => text,
        Err(reading) => {
            let Reading { diagnostics, source, .. } = *reading;
            return Expansion { text: None, diagnostics, source };
        }
    };
    let mut sources = Sources::new(text);
    let mut report = Report::default();
    let expanded = match xml::parse(sources.main(), 0, limits::MAX_DEPTH) {
        Ok(root) => xacro::expand(&root, file, &mut sources, files, &mut report),
        Err(diagnostic) => {
            report.push(*diagnostic);
            None
        }
    };
    let written = expanded.map(|root| xml::to_text(&root));
    Expansion { text: written, diagnostics: finish(report, &sources.included()), source: text.to_owned() }
}
