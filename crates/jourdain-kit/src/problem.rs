//! Why an operation stops: one kind, one message, where known a place and a remedy.

use crate::text::style::{BAD, FAINT};
use crate::text::{diagnostics, harmless};
use jourdain::model::Diagnostic;
use jourdain::quantity::QuantityError;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// The one error of all operations.
#[derive(Debug)]
pub struct Problem {
    kind: &'static str,
    message: String,
    hint: Option<String>,
    file: Option<String>,
    /// Line and column, from 1, of a file too large to show.
    place: Option<Box<(u64, usize)>>,
    findings: Option<Box<Findings>>,
    reached: Option<Box<Value>>,
    class: Class,
}

/// What a caller does about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Bad usage or bad input: exit code 2.
    Input,
    /// Good input, but a problem that could not be solved: exit code 1.
    Unsolved,
    /// The reader of the result has gone: nothing to tell, exit code 0.
    Gone,
}

/// What is wrong in a text that was read.
#[derive(Debug)]
struct Findings {
    /// What the text is called in reports.
    title: String,
    source: String,
    diagnostics: Vec<Diagnostic>,
}

/// The longest message, in letters: some quote what was given, which may be a table of a million numbers.
const LONGEST: usize = 1000;

/// A message whose middle is left out if it is too long to be read.
fn shortened(message: String) -> String {
    let count = message.chars().count();
    if count <= LONGEST {
        return message;
    }
    let head: String = message.chars().take(LONGEST / 2).collect();
    let tail: String = message.chars().skip(count - LONGEST / 4).collect();
    format!("{head} … {tail}")
}

impl Problem {
    /// Bad input.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: shortened(message.into()),
            hint: None,
            file: None,
            place: None,
            findings: None,
            reached: None,
            class: Class::Input,
        }
    }

    /// Bad usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message)
    }

    /// The reader of our output has gone: nothing to tell.
    #[must_use]
    pub fn gone() -> Self {
        Self { class: Class::Gone, ..Self::new("", "") }
    }

    /// The caller no longer wants the result.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new("cancelled", "stopped before the end, as asked").unsolved()
    }

    /// What a reader found in a text; `file` is `None` if the text stood in the request, as `title` says.
    #[must_use]
    pub fn findings(file: Option<&str>, title: &str, source: String, diagnostics: Vec<Diagnostic>) -> Self {
        let first = cause(&diagnostics);
        let (kind, message) = first.map_or(("bad-input", String::new()), |first| (first.code, first.message.clone()));
        Self {
            hint: first.and_then(|first| first.hint.clone()),
            file: file.map(str::to_owned),
            findings: Some(Box::new(Findings { title: title.to_owned(), source, diagnostics })),
            ..Self::new(kind, message)
        }
    }

    /// Gives the remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Gives the remedy, if there is one.
    #[must_use]
    pub fn hints(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// A problem that could not be solved, rather than bad input.
    #[must_use]
    pub fn unsolved(mut self) -> Self {
        self.class = Class::Unsolved;
        self
    }

    /// Names the file.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Names the place in the file, which the message tells as well.
    #[must_use]
    pub fn at(mut self, line: u64, column: usize) -> Self {
        self.place = Some(Box::new((line, column)));
        self
    }

    /// Keeps what was reached before the problem.
    #[must_use]
    pub fn reached(mut self, so_far: &impl Serialize) -> Self {
        self.reached = serde_json::to_value(so_far).ok().map(Box::new);
        self
    }

    /// A stable word for the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What a caller does about it.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// The exit code of a command that ends with it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.class {
            Class::Input => 2,
            Class::Unsolved => 1,
            Class::Gone => 0,
        }
    }

    /// Line and column, from 1.
    #[must_use]
    pub fn place(&self) -> Option<(u64, usize)> {
        let found = || {
            let findings = self.findings.as_ref()?;
            let place = cause(&findings.diagnostics)?.location?;
            Some((place.line as u64, place.column))
        };
        self.place.as_deref().copied().or_else(found)
    }

    /// What was reached before the problem, if anything was kept; the message tells it in words.
    #[must_use]
    pub fn so_far(&self) -> Option<&Value> {
        self.reached.as_deref()
    }

    /// As the one JSON document of a failed command. Its keys are fixed: other programs rely on them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let place = self.place();
        json!({ "error": {
            "kind": self.kind,
            "message": self.message,
            "file": self.file,
            "line": place.map(|(line, _)| line),
            "column": place.map(|(_, column)| column),
            "hint": self.hint,
        }})
    }

    /// As people read it, with the offending lines where they can be shown.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(findings) = &self.findings {
            let errors: Vec<_> = findings.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
            return diagnostics::render(&findings.title, &findings.source, &errors);
        }
        let file = self.file.as_ref().map_or(String::new(), |file| format!("{file}: "));
        let message = harmless::message(&format!("{file}{}", self.message));
        let mut text = format!("{BAD}error{BAD:#}: {message}\n");
        if let Some(hint) = &self.hint {
            text.push_str(&format!("{FAINT}hint:{FAINT:#} {}\n", harmless::message(hint)));
        }
        text
    }
}

/// The first finding that leaves no robot.
fn cause(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics.iter().find(|found| found.is_fatal())
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl From<QuantityError> for Problem {
    fn from(error: QuantityError) -> Self {
        Self { hint: error.hint(), ..Self::new(error.kind(), error.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_quotes_too_much_keeps_its_ends() {
        let quoted = Problem::usage(format!("`{}` is no number", "é".repeat(100_000))).to_string();
        assert!(quoted.starts_with("`éé") && quoted.ends_with("` is no number"), "{quoted}");
        assert!(quoted.chars().count() < LONGEST);
        assert_eq!(Problem::usage("short").to_string(), "short");
    }
}
