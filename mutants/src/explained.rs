//! The list of survivors that no test can or should kill, with the reason of each.

use crate::Failure;
use crate::find::Mutant;
use serde::Deserialize;
use std::path::Path;

/// Why a mutant survives.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Module, type and function.
    pub function: String,
    /// What stands there and what the mutant has, `a → b`; `*` is everything in the function.
    pub change: String,
    /// Why no test sees it.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    reason: Vec<Reason>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    why: String,
    /// A line each, as in `survivors.txt` from the name of the function on.
    mutants: String,
}

impl Explanation {
    /// Whether this speaks of `mutant`.
    pub fn covers(&self, mutant: &Mutant) -> bool {
        self.function == mutant.function
            && (self.change == "*" || self.change == format!("{} → {}", mutant.original, mutant.mutated))
    }
}

/// Reads the list.
pub fn read(path: &Path) -> Result<Vec<Explanation>, Failure> {
    parse(&std::fs::read_to_string(path)?)
}

fn parse(text: &str) -> Result<Vec<Explanation>, Failure> {
    let list: List = toml::from_str(text)?;
    let mut explained = Vec::new();
    for Reason { why, mutants } in list.reason {
        for line in mutants.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (function, change) = line.split_once(": ").ok_or(format!("no function: {line}"))?;
            if why.trim().is_empty() {
                return Err(format!("no reason for {line}").into());
            }
            explained.push(Explanation { function: function.into(), change: change.into(), reason: why.clone() });
        }
    }
    Ok(explained)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::find::Mutant;

    #[test]
    fn a_line_speaks_of_its_mutants_alone() {
        let list = parse("[[reason]]\nwhy = 'so'\nmutants = '''\na::f: x < 1 → x <= 1\na::g: *\n'''").expect("a list");
        let mutant = |function: &str, mutated: &str| Mutant {
            number: 0,
            file: String::new(),
            line: 1,
            function: function.into(),
            original: "x < 1".into(),
            mutated: mutated.into(),
        };
        let covered = |mutant: &Mutant| list.iter().any(|entry| entry.covers(mutant));
        assert!(covered(&mutant("a::f", "x <= 1")) && covered(&mutant("a::g", "x > 1")));
        assert!(!covered(&mutant("a::f", "x > 1")) && !covered(&mutant("a::h", "x <= 1")));
        assert!(parse("[[reason]]\nwhy = ' '\nmutants = 'a::f: *'").is_err());
        assert!(parse("[[reason]]\nwhy = 'so'\nmutants = 'everything'").is_err());
    }
}
