//! Where readers put what they find: diagnostics that name the link and joint at hand, a bounded number of them.

use super::limits::MAX_PROBLEMS;
use crate::model::{Diagnostic, Severity};

/// Collects the diagnostics of one reading.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    fatal: bool,
    errors: usize,
    warnings: usize,
    link: Option<String>,
    joint: Option<String>,
    /// Set when a link could not be read well enough to know its name: then what refers to links cannot be judged.
    pub names_are_incomplete: bool,
}

impl Report {
    /// Names the link and joint that the following diagnostics are about.
    pub fn concerning(&mut self, link: Option<&str>, joint: Option<&str>) {
        self.link = link.map(str::to_owned);
        self.joint = joint.map(str::to_owned);
    }

    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        let count = if diagnostic.is_error() { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        self.fatal |= diagnostic.is_fatal();
        if *count <= MAX_PROBLEMS {
            diagnostic.link = diagnostic.link.or_else(|| self.link.clone());
            diagnostic.joint = diagnostic.joint.or_else(|| self.joint.clone());
            self.diagnostics.push(diagnostic);
        }
    }

    /// True when more errors would no longer be listed.
    pub fn is_full(&self) -> bool {
        self.errors >= MAX_PROBLEMS
    }

    /// True if what was found leaves no robot.
    pub fn is_fatal(&self) -> bool {
        self.fatal
    }

    /// True if an error about this link has been reported.
    pub fn has_error_about(&self, link: &str) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.is_error() && diagnostic.link.as_deref() == Some(link))
    }

    /// All diagnostics in the order of the text, those without a place first.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.location.map(|place| (place.start, place.end)));
        for (count, severity, what) in
            [(self.errors, Severity::Error, "errors"), (self.warnings, Severity::Warning, "warnings")]
        {
            if count > MAX_PROBLEMS {
                let message = format!("{count} {what} in all, of which {MAX_PROBLEMS} are listed");
                self.diagnostics.push(Diagnostic { severity, ..Diagnostic::error("too-many-problems", message) });
            }
        }
        self.diagnostics
    }
}
