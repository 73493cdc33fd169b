//! The list of survivors that no test can or should kill, with the reason of each.

use crate::Failure;
use crate::find::Mutant;
use serde::Deserialize;
use std::path::Path;

/// Why some mutants survive.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// Module, type and function.
    pub function: String,
    /// What stands there; without it, everything in the function.
    pub original: Option<String>,
    /// What the mutant has; without it, all that take its place.
    pub mutated: Option<String>,
    /// Why no test sees it.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    mutant: Vec<Explanation>,
}

impl Explanation {
    /// Whether this speaks of `mutant`.
    pub fn covers(&self, mutant: &Mutant) -> bool {
        self.function == mutant.function
            && self.original.as_ref().is_none_or(|text| *text == mutant.original)
            && self.mutated.as_ref().is_none_or(|text| *text == mutant.mutated)
    }
}

/// Reads the list.
pub fn read(path: &Path) -> Result<Vec<Explanation>, Failure> {
    let list: List = toml::from_str(&std::fs::read_to_string(path)?)?;
    if let Some(empty) = list.mutant.iter().find(|entry| entry.reason.trim().is_empty()) {
        return Err(format!("no reason for {}", empty.function).into());
    }
    Ok(list.mutant)
}
