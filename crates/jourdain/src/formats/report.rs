//! Where readers put what they find: diagnostics that name the link and joint at hand, a bounded number of them.

use super::limits::MAX_PROBLEMS;
use crate::model::description::Location;
use crate::model::{Diagnostic, Severity};
use std::path::Path;

/// What a link without a name is called in messages, so that its other errors can be told.
pub(super) const NAMELESS: &str = "(no name)";

/// Collects the diagnostics of one reading.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    fatal: bool,
    errors: usize,
    lost: usize,
    warnings: usize,
    link: Option<String>,
    joint: Option<String>,
    file: Option<String>,
    /// Set when a link could not be read well enough to know its name: then what refers to links cannot be judged.
    pub names_are_incomplete: bool,
}

impl Report {
    /// The report of reading a file.
    pub fn of(file: &Path) -> Self {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy());
        let name = stem.as_deref().map(|stem| stem.strip_suffix(".urdf").unwrap_or(stem));
        Self { file: name.filter(|name| !name.is_empty()).map(str::to_owned), ..Self::default() }
    }

    /// What a robot is called that has no name of its own, which is told.
    pub fn name_the_robot(&mut self, place: Location) -> String {
        let (name, reason) = match self.file.clone() {
            Some(name) => (name, ", as its file"),
            None => ("robot".to_owned(), ""),
        };
        let message = format!("the robot has no name and is called `{name}`{reason}");
        self.push(Diagnostic::warning("missing-name", message).at(place).hint("give it one: `name`"));
        name
    }

    /// Names the link and joint that the following diagnostics are about.
    pub fn concerning(&mut self, link: Option<&str>, joint: Option<&str>) {
        self.link = link.map(str::to_owned);
        self.joint = joint.map(str::to_owned);
    }

    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error | Severity::Unphysical => &mut self.errors,
            Severity::Lost => &mut self.lost,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        let has_room = *count <= MAX_PROBLEMS;
        let is_first_fatal = diagnostic.is_fatal() && !self.fatal;
        self.fatal |= is_first_fatal;
        if is_first_fatal && !has_room {
            // Why there is no robot is told, whatever else is wrong with it.
            let last = self.diagnostics.iter().rposition(Diagnostic::is_error);
            drop(last.map(|last| self.diagnostics.remove(last)));
        }
        if has_room || is_first_fatal {
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
        let nameless = |name: &mut String| name == NAMELESS;
        for diagnostic in &mut self.diagnostics {
            drop((diagnostic.link.take_if(nameless), diagnostic.joint.take_if(nameless)));
        }
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.location.map(|place| (place.start, place.end)));
        let worst = if self.fatal { Severity::Error } else { Severity::Unphysical };
        for (count, severity, what) in [
            (self.errors, worst, "errors"),
            (self.lost, Severity::Lost, "parts that cannot be carried"),
            (self.warnings, Severity::Warning, "warnings"),
        ] {
            if count > MAX_PROBLEMS {
                let message = format!("{count} {what} in all, of which {MAX_PROBLEMS} are listed");
                self.diagnostics.push(Diagnostic { severity, ..Diagnostic::error("too-many-problems", message) });
            }
        }
        self.diagnostics
    }
}
