//! Where factors are kept from run to run: each log is read once.
//!
//! ```text
//! STORE/3f09…/recipe.json           the robot and how logs are read, as the first run chose it
//! STORE/3f09…/factors/8c1e….jdf     factors, under the hash of the log's content
//! STORE/3f09…/shards/27d0….json     a log by its name: robot, day, stamp, content
//! STORE/3f09…/robots/91b4….json     the robots of a log whose column names them
//! ```
//!
//! The first number stands for the robot and the settings that were asked for: runs that ask for the same share what they have read. Every file
//! is complete or not there; a damaged one counts as not there and is made again. Factors come before the note that they are there.
//!
//! Trap: a log whose length and time of writing are unchanged counts as unchanged.

use super::leaf::Shard;
use super::recipe::Recipe;
use crate::host::Host;
use crate::mixed::Robots;
use crate::problem::Problem;
use crate::read::{self, What};
use crate::write;
use jourdain::identify::{Factors, Hash};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const WHAT: What = What { name: "the store", option: "--store", hint: "" };

/// What is kept from run to run.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What is known of a log.
#[derive(Deserialize, Serialize)]
struct Note {
    shard: Shard,
    stamp: Option<String>,
    /// The hash of its content, in hexadecimal digits.
    content: String,
}

/// Whose a log is.
#[derive(Deserialize, Serialize)]
struct Mixed {
    key: String,
    stamp: Option<String>,
    robots: Robots,
}

impl Store {
    /// The part of a store that belongs to what was asked for.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn open(folder: &Path, asked: &Recipe, host: &dyn Host) -> Result<Self, Problem> {
        if host.memory().is_some() {
            return Err(Problem::usage("there is no disk here for a store"));
        }
        let store = Self::at(&folder.join(format!("{:016x}", asked.hash())));
        for part in ["factors", "shards", "robots"] {
            write::folder(&store.folder.join(part), host).map_err(|problem| store.refuses(&problem))?;
        }
        Ok(store)
    }

    /// The part of a store that lies in this folder.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Where it lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The recipe that its factors were made by, if there are any.
    pub(super) fn recipe(&self, host: &dyn Host) -> Option<Recipe> {
        serde_json::from_slice(&self.bytes("recipe.json", host)?).ok()
    }

    /// Keeps the recipe for the runs to come.
    pub(super) fn keep_recipe(&self, recipe: &Recipe, host: &dyn Host) -> Result<(), Problem> {
        self.write("recipe.json", serde_json::to_string_pretty(recipe).unwrap_or_default().as_bytes(), host)
    }

    /// The factors of a log, if they are there, whole, and the log is as it was.
    pub(super) fn get(&self, shard: &Shard, stamp: Option<&str>, host: &dyn Host) -> Option<Factors> {
        let note: Note = serde_json::from_slice(&self.bytes(&note_name(shard), host)?).ok()?;
        let same = shard.stored || (stamp.is_some() && note.stamp.as_deref() == stamp);
        if !same || note.shard.key() != shard.key() {
            return None;
        }
        let factors = Factors::from_bytes(&self.bytes(&factors_name(&note.content), host)?).ok()?;
        let content = factors.identity.logs.first().map(|part| format!("{:016x}", part.hash));
        (content.as_deref() == Some(note.content.as_str())).then_some(factors)
    }

    /// Keeps the factors of a log.
    pub(super) fn put(
        &self,
        shard: &Shard,
        stamp: Option<&str>,
        factors: &Factors,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let content = factors.identity.logs.first().map_or(0, |part| part.hash);
        let content = format!("{content:016x}");
        self.write(&factors_name(&content), &factors.to_bytes(), host)?;
        let shard = Shard { stamp: None, stored: false, ..shard.clone() };
        let note = Note { stamp: stamp.map(str::to_owned), content, shard };
        self.write(&note_name(&note.shard), serde_json::to_string(&note).unwrap_or_default().as_bytes(), host)
    }

    /// All logs that it knows, to be taken as they are stored.
    pub(super) fn shards(&self, host: &dyn Host) -> Result<Vec<Shard>, Problem> {
        let folder = self.folder.join("shards");
        let cannot = |error: &dyn std::fmt::Display| read::cannot_read(&folder.to_string_lossy(), WHAT, error);
        let mut notes = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(|error| cannot(&error))? {
            let name = entry.map_err(|error| cannot(&error))?.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || !name.ends_with(".json") {
                continue;
            }
            let note = self.bytes(&format!("shards/{name}"), host);
            match note.and_then(|bytes| serde_json::from_slice::<Note>(&bytes).ok()) {
                Some(note) => notes.push(note),
                None => host.warn(format!("{}/{name} is damaged: run once more with its log", folder.display())),
            }
        }
        // A log that runs have met under several names, a relative and an absolute one say, is one.
        notes.sort_by_key(|note| note.shard.key());
        let mut met = HashSet::new();
        notes.retain(|note| met.insert(note.content.clone()));
        Ok(notes.into_iter().map(|note| Shard { stored: true, ..note.shard }).collect())
    }

    /// The robots of a log, if they are known and it is as it was.
    pub(super) fn robots(&self, shard: &Shard, stamp: Option<&str>, host: &dyn Host) -> Option<Robots> {
        let kept: Mixed = serde_json::from_slice(&self.bytes(&robots_name(shard), host)?).ok()?;
        (stamp.is_some() && kept.stamp.as_deref() == stamp && kept.key == shard.key()).then_some(kept.robots)
    }

    /// Keeps the robots of a log.
    pub(super) fn keep_robots(
        &self,
        shard: &Shard,
        stamp: Option<&str>,
        robots: &Robots,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let kept = Mixed { key: shard.key(), stamp: stamp.map(str::to_owned), robots: robots.clone() };
        self.write(&robots_name(shard), serde_json::to_string(&kept).unwrap_or_default().as_bytes(), host)
    }

    fn bytes(&self, name: &str, host: &dyn Host) -> Option<Vec<u8>> {
        read::bytes(&self.folder.join(name).to_string_lossy(), WHAT, host).ok()
    }

    fn write(&self, name: &str, bytes: &[u8], host: &dyn Host) -> Result<(), Problem> {
        write::bytes(&self.folder.join(name), bytes, host).map_err(|problem| self.refuses(&problem))
    }

    /// That nothing can be kept.
    fn refuses(&self, problem: &Problem) -> Problem {
        let message = problem.to_json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        Problem::new("cannot-store", format!("the store cannot keep factors: {message}"))
            .file(self.folder.display().to_string())
            .hint("make room there, or name another --store; what is complete in it is used by the next run")
    }
}

fn factors_name(content: &str) -> String {
    format!("factors/{content}.jdf")
}

fn note_name(shard: &Shard) -> String {
    format!("shards/{:016x}.json", Hash::of(shard.key().as_bytes()))
}

fn robots_name(shard: &Shard) -> String {
    format!("robots/{:016x}.json", Hash::of(shard.key().as_bytes()))
}
