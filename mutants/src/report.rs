//! What a run found: counts, survivors as text and JSON, and what the next run may take over.

use crate::Failure;
use crate::explained::Explanation;
use crate::find::Mutant;
use crate::judge::Fate;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// Names that mutants keep while the code around them changes.
fn keys(mutants: &[Mutant]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    mutants
        .iter()
        .map(|mutant| {
            let key = format!("{}: {} → {}", mutant.function, mutant.original, mutant.mutated);
            let count = seen.entry(key.clone()).or_default();
            *count += 1;
            if *count > 1 { format!("{key} #{count}") } else { key }
        })
        .collect()
}

/// What an earlier run found, by number of this run.
pub struct Known {
    /// Mutants that do not compile.
    pub refused: HashSet<usize>,
    /// What became of the others.
    pub fates: HashMap<usize, Fate>,
}

impl Known {
    /// Reads the notes of an earlier run, if there was one.
    pub fn read(path: &Path, mutants: &[Mutant]) -> Self {
        let notes: HashMap<String, Value> =
            std::fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let (mut refused, mut fates) = (HashSet::new(), HashMap::new());
        for (number, key) in keys(mutants).iter().enumerate() {
            match notes.get(key) {
                Some(Value::Null) => {
                    refused.insert(number);
                }
                Some(fate) => {
                    if let Ok(fate) = serde_json::from_value(fate.clone()) {
                        fates.insert(number, fate);
                    }
                }
                None => {}
            }
        }
        Self { refused, fates }
    }
}

/// Notes which mutants do not compile, and what became of the others.
pub fn write_notes(
    path: &Path,
    mutants: &[Mutant],
    refused: &HashSet<usize>,
    fates: &HashMap<usize, Fate>,
) -> Result<(), Failure> {
    let mut notes = BTreeMap::new();
    for (number, key) in keys(mutants).into_iter().enumerate() {
        if refused.contains(&number) {
            notes.insert(key, Value::Null);
        } else if let Some(fate) = fates.get(&number) {
            notes.insert(key, serde_json::to_value(fate)?);
        }
    }
    Ok(std::fs::write(path, serde_json::to_string_pretty(&notes)?)?)
}

struct Row<'a> {
    mutant: &'a Mutant,
    fate: Fate,
    reason: Option<&'a str>,
}

/// What became of all mutants.
pub struct Report<'a> {
    rows: Vec<Row<'a>>,
    explained: &'a [Explanation],
    refused: usize,
    seconds: f64,
}

impl<'a> Report<'a> {
    /// Fates of the mutants `alive`, those that compile.
    pub fn new(
        mutants: &'a [Mutant],
        alive: &[usize],
        fates: Vec<Fate>,
        explained: &'a [Explanation],
        seconds: f64,
    ) -> Self {
        let rows = alive
            .iter()
            .zip(fates)
            .map(|(&number, fate)| {
                let mutant = &mutants[number];
                let entry = explained.iter().find(|entry| entry.covers(mutant));
                let reason = entry.filter(|_| !matches!(fate, Fate::Killed(_))).map(|entry| entry.reason.as_str());
                Row { mutant, fate, reason }
            })
            .collect();
        Self { rows, explained, refused: mutants.len() - alive.len(), seconds }
    }

    fn open(&self) -> impl Iterator<Item = &Row<'a>> {
        self.rows.iter().filter(|row| row.reason.is_none() && !matches!(row.fate, Fate::Killed(_)))
    }

    /// What became of each mutant.
    pub fn fates(&self) -> HashMap<usize, Fate> {
        self.rows.iter().map(|row| (row.mutant.number, row.fate.clone())).collect()
    }

    /// Counts, by folder and in all.
    pub fn summary(&self, folders: &[String]) -> String {
        let mut text = format!(
            "{:16} {:>8} {:>8} {:>10} {:>9} {:>12}\n",
            "folder", "mutants", "killed", "explained", "survived", "not reached"
        );
        let all = String::new();
        for folder in folders.iter().chain([&all]) {
            let count = |wanted: &dyn Fn(&Row<'a>) -> bool| {
                self.rows.iter().filter(|row| row.mutant.file.starts_with(folder.as_str()) && wanted(row)).count()
            };
            writeln!(
                text,
                "{:16} {:>8} {:>8} {:>10} {:>9} {:>12}",
                if folder.is_empty() { "all" } else { folder.as_str() },
                count(&|_| true),
                count(&|row| matches!(row.fate, Fate::Killed(_))),
                count(&|row| row.reason.is_some()),
                count(&|row| row.reason.is_none() && row.fate == Fate::Survived),
                count(&|row| row.reason.is_none() && row.fate == Fate::NotReached),
            )
            .expect("a text takes everything");
        }
        text + &format!("{} more do not compile; {:.0} s\n", self.refused, self.seconds)
    }

    /// Writes `survivors.txt` and `mutants.json` into `place`.
    pub fn write(&self, place: &Path, folders: &[String]) -> Result<(), Failure> {
        let mut text = self.summary(folders);
        for row in self.open() {
            writeln!(text, "{}: {}", if row.fate == Fate::Survived { "survived" } else { "not reached" }, row.mutant)?;
        }
        std::fs::write(place.join("survivors.txt"), text)?;
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let Mutant { file, line, function, original, mutated, .. } = row.mutant;
                json!({ "file": file, "line": line, "function": function, "original": original, "mutated": mutated,
                        "fate": row.fate, "reason": row.reason })
            })
            .collect();
        Ok(std::fs::write(place.join("mutants.json"), serde_json::to_string_pretty(&rows)?)?)
    }

    /// Fails where a survivor has no reason, or a reason no survivor.
    pub fn verdict(&self, folders: &[String]) -> Result<(), Failure> {
        for entry in self.explained {
            let here = |folder: &String| {
                let module = folder.replace('/', "::");
                entry.function.strip_prefix(&module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            let survives = |row: &Row<'a>| entry.covers(row.mutant) && !matches!(row.fate, Fate::Killed(_));
            if folders.iter().any(here) && !self.rows.iter().any(survives) {
                return Err(
                    format!("explained, but nothing like it survives: {}: {}", entry.function, entry.change).into()
                );
            }
        }
        match self.open().count() {
            0 => Ok(()),
            count => Err(format!("{count} mutants survive without a reason").into()),
        }
    }
}
