//! The checks a robot description has to pass.
use super::{Description, Diagnostic};
/// All findings about a description.
#[must_use]
pub fn check(_description: &Description) -> Vec<Diagnostic> {
    Vec::new()
}
