//! A description that has been checked, and need not be checked again.

use super::build::BuildError;
use super::check;
use super::description::Description;
use super::diagnostic::Diagnostic;
use super::harmless;
use super::lowered::{self, Lowered};
use std::ops::Deref;

/// A description that a model can be built from, its links parents first: what readers give.
///
/// Its masses and inertias may be such as no body has: [`check`](super::check::check) lists that.
///
/// It can be read like a [`Description`], but not changed: [`into_description`](Self::into_description) gives one that
/// can, and that is to be checked anew.
#[derive(Clone, Debug)]
pub struct Checked {
    description: Description,
    lowered: Lowered<f64>,
}

impl Checked {
    /// Checks a description; warnings and what no body can be are let pass, [`check`](super::check::check) lists them.
    ///
    /// # Errors
    /// Everything the check finds, if it leaves no robot.
    pub fn new(description: Description) -> Result<Self, BuildError> {
        let (checked, findings) = Self::examine(description);
        checked.ok_or(BuildError(findings))
    }

    /// The same with whatever was found; `None` if it leaves no robot.
    pub(crate) fn examine(mut description: Description) -> (Option<Self>, Vec<Diagnostic>) {
        let mut findings = harmless::names(&mut description);
        let (found, lowered) = check::examine(&description);
        findings.extend(found);
        (lowered.map(|lowered| Self::from_parts(description, lowered)), findings)
    }

    fn from_parts(mut description: Description, lowered: Lowered<f64>) -> Self {
        lowered::sort(&mut description, &lowered.order);
        Self { description, lowered }
    }

    pub(super) fn into_parts(self) -> (Description, Lowered<f64>) {
        (self.description, self.lowered)
    }

    /// The description, to be changed.
    #[must_use]
    pub fn into_description(self) -> Description {
        self.description
    }
}

impl Deref for Checked {
    type Target = Description;

    fn deref(&self) -> &Description {
        &self.description
    }
}

impl PartialEq for Checked {
    fn eq(&self, other: &Self) -> bool {
        self.description == other.description
    }
}
