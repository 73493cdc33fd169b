//! The compiler: which mutants it refuses, and the programs with all others.

use crate::Failure;
use crate::tree::{CRATE, Tree};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// After so many rounds the rest is a mistake of this tool.
const ROUNDS: usize = 25;

/// What the compiler says. It fails where cargo did without an error of the compiler in the sources: a crate that cannot be built is no mutant's fault.
fn cargo(tree: &Tree, target: &Path, words: &[&str]) -> Result<Vec<Value>, Failure> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(words)
        .args(["--package", CRATE, "--message-format=json", "--quiet", "--offline"])
        .current_dir(&tree.root)
        .env("CARGO_TARGET_DIR", target)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !output.status.success() && !messages.iter().any(|line| line["message"]["level"] == "error") {
        return Err(format!("cargo {} failed, see above", words.join(" ")).into());
    }
    Ok(messages)
}

/// Writes the sources again and again without the mutants that do not compile, until all others do.
pub fn settle(tree: &mut Tree, target: &Path, refused: &mut HashSet<usize>) -> Result<(), Failure> {
    for round in 1..=ROUNDS {
        tree.write(refused)?;
        let messages = cargo(tree, target, &["check", "--lib"])?;
        let before = refused.len();
        let mut errors = 0;
        let mut unknown = None;
        for message in messages.iter().map(|line| &line["message"]).filter(|message| message["level"] == "error") {
            errors += 1;
            let found = blame(tree, message);
            if found.is_empty() && message["spans"].as_array().is_some_and(|spans| !spans.is_empty()) {
                unknown = Some(message["rendered"].to_string());
            }
            refused.extend(found);
        }
        println!("round {round}: {errors} errors, {} mutants refused by the compiler", refused.len());
        if errors == 0 {
            return Ok(());
        }
        if refused.len() == before {
            return Err(format!("an error that is no mutant's: {}", unknown.unwrap_or_default()).into());
        }
    }
    Err("mutants that do not compile without end".into())
}

/// Mutants that an error speaks of: in whose own code it points, else those of the smallest switch around it.
fn blame(tree: &Tree, message: &Value) -> Vec<usize> {
    let mut found = Vec::new();
    let mut around: Option<(usize, &[usize])> = None;
    for span in message["spans"].as_array().into_iter().flatten() {
        let (Some(name), Some(start), Some(end)) =
            (span["file_name"].as_str(), span["byte_start"].as_u64(), span["byte_end"].as_u64())
        else {
            continue;
        };
        let Some(spliced) = tree.spliced.get(&tree.root.join(name)) else { continue };
        let (start, end) = (start as usize, end as usize);
        found.extend(
            spliced.own.iter().filter(|(own, _)| own.start <= start && end <= own.end).map(|(_, number)| *number),
        );
        if span["is_primary"] == true {
            let size = |range: &std::ops::Range<usize>| range.end - range.start;
            let inside = spliced
                .whole
                .iter()
                .filter(|(whole, numbers)| whole.start <= start && end <= whole.end && !numbers.is_empty());
            if let Some((whole, numbers)) = inside.min_by_key(|(whole, _)| size(whole))
                && around.is_none_or(|(least, _)| size(whole) < least)
            {
                around = Some((size(whole), numbers));
            }
        }
    }
    if found.is_empty()
        && let Some((_, numbers)) = around
    {
        found.extend(numbers);
    }
    found
}

/// A program with tests.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name: `lib`, or that of the file in `tests/`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Which tests are built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those inside the library.
    Inside,
    /// Those inside the library and in `tests/`.
    All,
    /// Those of these files in `tests/`.
    Only(Vec<String>),
}

/// Builds tests.
pub fn programs(tree: &Tree, target: &Path, wanted: &Wanted) -> Result<Vec<Program>, Failure> {
    let mut words = vec!["test", "--no-run"];
    if !matches!(wanted, Wanted::Only(_)) {
        words.push("--lib");
    }
    let names: &[String] = match wanted {
        Wanted::Inside => &[],
        Wanted::All => &tree.programs,
        Wanted::Only(names) => names,
    };
    words.extend(names.iter().flat_map(|name| ["--test", name]));
    let messages = cargo(tree, target, &words)?;
    if let Some(error) = messages.iter().map(|line| &line["message"]).find(|message| message["level"] == "error") {
        return Err(error["rendered"].to_string().into());
    }
    let mut programs = Vec::new();
    for line in messages.iter().filter(|line| line["profile"]["test"] == true) {
        if let Some(path) = line["executable"].as_str() {
            let library = line["target"]["kind"][0] == "lib";
            let name = if library { "lib" } else { line["target"]["name"].as_str().unwrap_or_default() };
            programs.push(Program { name: name.into(), path: path.into() });
        }
    }
    if programs.is_empty() {
        return Err("the tests were not built".into());
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}
