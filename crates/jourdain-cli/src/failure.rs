//! Why the program stops: one kind, one message, where known a place and a remedy; told as text or as JSON.

use crate::output::{BAD, FAINT, Output};
use crate::report;
use jourdain::model::Diagnostic;
use jourdain::quantity::QuantityError;
use serde_json::json;

/// An error that ends the program.
#[derive(Debug)]
pub struct Failure {
    kind: &'static str,
    message: String,
    hint: Option<String>,
    file: Option<String>,
    /// Line and column, from 1, of a file too large to show.
    place: Option<Box<(u64, usize)>>,
    findings: Option<Box<Findings>>,
    exit: u8,
}

/// What is wrong in a text that was read.
#[derive(Debug)]
struct Findings {
    /// What the text is called in reports.
    title: String,
    source: String,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// Bad input.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, file: None, place: None, findings: None, exit: 2 }
    }

    /// Bad usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message)
    }

    /// The reader of our output has gone: nothing to tell.
    pub fn silent() -> Self {
        Self { exit: 0, ..Self::new("", "") }
    }

    /// What a reader found in a text; `file` is `None` if the text stood on the command line, as `title` says.
    pub fn findings(file: Option<&str>, title: &str, source: String, diagnostics: Vec<Diagnostic>) -> Self {
        let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let (kind, message) = first.map_or(("bad-input", String::new()), |first| (first.code, first.message.clone()));
        Self {
            hint: first.and_then(|first| first.hint.clone()),
            file: file.map(str::to_owned),
            findings: Some(Box::new(Findings { title: title.to_owned(), source, diagnostics })),
            ..Self::new(kind, message)
        }
    }

    /// Gives the remedy.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A problem that could not be solved, rather than bad input.
    pub fn unsolved(mut self) -> Self {
        self.exit = 1;
        self
    }

    /// Names the file.
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Names the place in the file, which the message tells as well.
    pub fn at(mut self, line: u64, column: usize) -> Self {
        self.place = Some(Box::new((line, column)));
        self
    }

    /// Tells the user and returns the exit code.
    pub fn tell(&self, output: &Output) -> u8 {
        if self.kind.is_empty() {
            return self.exit;
        }
        if output.is_json() {
            let found = self.first_error().and_then(|first| first.location);
            let place = self.place.as_deref().copied().or_else(|| found.map(|found| (found.line as u64, found.column)));
            let error = json!({ "error": {
                "kind": self.kind,
                "message": self.message,
                "file": self.file,
                "line": place.map(|(line, _)| line),
                "column": place.map(|(_, column)| column),
                "hint": self.hint,
            }});
            if output.json(&error).is_err() {
                output.complain(&format!("error: {}\n", self.message));
            }
        } else if let Some(findings) = &self.findings {
            let errors: Vec<_> = findings.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
            output.complain(&report::render(&findings.title, &findings.source, &errors));
        } else {
            let file = self.file.as_ref().map_or(String::new(), |file| format!("{file}: "));
            output.complain(&format!("{BAD}error{BAD:#}: {file}{}\n", self.message));
            if let Some(hint) = &self.hint {
                output.complain(&format!("{FAINT}hint:{FAINT:#} {hint}\n"));
            }
        }
        self.exit
    }

    fn first_error(&self) -> Option<&Diagnostic> {
        self.findings.as_ref()?.diagnostics.iter().find(|diagnostic| diagnostic.is_error())
    }
}

impl From<QuantityError> for Failure {
    fn from(error: QuantityError) -> Self {
        Self { hint: error.hint(), ..Self::new(error.kind(), error.to_string()) }
    }
}
