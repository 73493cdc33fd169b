//! A robot as text, and what the text cannot say.

/// A robot in some format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the format cannot say, one sentence each; empty if reading the text gives the same robot.
    pub lost: Vec<String>,
}
