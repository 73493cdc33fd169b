//! A robot as text, and what the text cannot say.

use std::fmt;

/// A robot in some format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the format cannot say, one sentence each; empty if reading the text gives the same robot.
    pub lost: Vec<String>,
}

/// Why a robot cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// What is in the way, with the name of the link or joint.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Unwritable {
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unwritable {}
