//! What is wrong with a robot, said so that it can be put right: code, link or joint, place, rule and remedy.

use super::description::Location;
use std::fmt;
use std::sync::Arc;

/// How bad it is, from what may be meant to what no robot can be built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Doubtful, and perhaps meant.
    Warning,
    /// The robot has something that a tree of rigid links cannot carry; the rest is right without it.
    Lost,
    /// No robot can be like that, but the equations are the same: an error to the judge, a warning to everybody else.
    Unphysical,
    /// The robot does not load.
    Error,
}

/// A file that a robot's file includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedFile {
    /// Its path from the folder of the robot's file.
    pub name: String,
    /// What it holds.
    pub text: Arc<str>,
}

/// One finding about a robot description.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable code such as `inertia-indefinite`; `docs/diagnostics.md` lists them.
    pub code: &'static str,
    /// The link concerned.
    pub link: Option<String>,
    /// The joint concerned.
    pub joint: Option<String>,
    /// Where it stands in the source.
    pub location: Option<Location>,
    /// The file it stands in, if that is one which the robot's file includes.
    pub file: Option<IncludedFile>,
    /// What is wrong, with the value and the rule.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error without place or hint.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            link: None,
            joint: None,
            location: None,
            file: None,
            message: message.into(),
            hint: None,
        }
    }

    /// A warning without place or hint.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// What the robot has and a tree of rigid links cannot carry.
    #[must_use]
    pub fn lost(message: impl Into<String>) -> Self {
        Self { severity: Severity::Lost, ..Self::error("not-carried", message) }
    }

    /// Names the link.
    #[must_use]
    pub fn link(mut self, name: impl Into<String>) -> Self {
        self.link = Some(name.into());
        self
    }

    /// Names the joint.
    #[must_use]
    pub fn joint(mut self, name: impl Into<String>) -> Self {
        self.joint = Some(name.into());
        self
    }

    /// Gives the place.
    #[must_use]
    pub fn at(mut self, location: impl Into<Option<Location>>) -> Self {
        self.location = location.into();
        self
    }

    /// Gives the remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// True for what is wrong with the robot: what `jourdain check` calls an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::Unphysical
    }

    /// True for what leaves no robot to work with.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.is_error() { "error" } else { "warning" };
        write!(f, "{severity}[{}]", self.code)?;
        if let Some(place) = self.location {
            let file = self.file.as_ref().map(|file| format!("{}:", file.name)).unwrap_or_default();
            write!(f, " at {file}{}:{}", place.line, place.column)?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}
