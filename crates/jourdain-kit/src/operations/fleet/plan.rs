//! What a run is: a recipe, and the logs in their order.

use super::leaf::{OnError, Outcome, SetAside, Shard};
use super::logs::Logs;
use super::named::Named;
use super::names::{Pattern, by_folder};
use super::pool::on_threads;
use super::recipe::Recipe;
use super::settings::Settings;
use super::store::Store;
use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;

const LOGS: What = What { name: "the logs", option: "LOGS", hint: "" };
/// What names of logs end in: what is looked for in folders.
const ENDINGS: [&str; 3] = ["csv", "parquet", "mcap"];

/// A run: the same plan gives the same result to the last bit, on whatever engine.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Plan {
    /// What leaves need.
    pub recipe: Recipe,
    /// The logs: by robot, then by day, then by name.
    pub shards: Vec<Shard>,
    /// The part of the store that belongs to the recipe.
    pub store: Option<String>,
    /// Logs that were set aside before any was read.
    pub set_aside: Vec<SetAside>,
}

impl Plan {
    pub(super) fn new(asked: &Logs, settings: &Settings, host: &dyn Host) -> Result<Self, Problem> {
        let recipe = Recipe::asked(&asked.robot, settings, host)?;
        let store = asked.store.as_deref().map(|folder| Store::open(folder, &recipe, host)).transpose()?;
        let has_column = asked.column.is_some();
        let pattern = asked.pattern.as_deref().map(|pattern| Pattern::parse(pattern, has_column)).transpose()?;
        let (mut shards, mut set_aside) = (Vec::new(), Vec::new());
        if let (true, Some(store)) = (asked.logs.is_empty(), &store) {
            shards = store.shards(host)?;
        }
        for file in files(&asked.logs, host)? {
            let named = match &pattern {
                Some(pattern) => pattern.read(&file),
                None => Ok(by_folder(&file, &recipe.name)),
            };
            match named {
                Ok((_, day)) if has_column => {
                    shards.push(Shard { column: asked.column.clone(), ..Shard::new(file, String::new(), day) });
                }
                Ok((robot, day)) => shards.push(Shard::new(file, robot, day)),
                Err(problem) if asked.on_error == OnError::Raise => return Err(problem),
                Err(problem) => {
                    let shard = Shard::new(file, String::new(), String::new());
                    set_aside.push(SetAside::new(&shard, &problem, 0));
                }
            }
        }
        let after = |day: &str| asked.from.as_deref().is_none_or(|from| day >= from);
        let before = |day: &str| asked.to.as_deref().is_none_or(|to| day <= to);
        shards.retain(|shard| after(&shard.day) && before(&shard.day));
        if shards.is_empty() {
            return Err(
                Problem::usage("there are no logs").hint("name logs or folders of them, or a --store that has some")
            );
        }
        let store_path = store.as_ref().map(|store| store.folder().display().to_string());
        let mut plan = Self { recipe, shards, store: store_path, set_aside };
        plan.sort()?;
        Ok(plan)
    }

    /// Brings the logs into their order, and refuses what is there twice.
    fn sort(&mut self) -> Result<(), Problem> {
        self.shards.sort_by(|a, b| (&a.robot, &a.day, &a.file).cmp(&(&b.robot, &b.day, &b.file)));
        match self.shards.windows(2).find(|pair| pair[0].key() == pair[1].key()) {
            Some(pair) => {
                let message = "the log is given twice";
                Err(Problem::new("same-samples", message).file(&pair[0].file).hint("take every log once"))
            }
            None => Ok(()),
        }
    }

    /// The logs whose robots a column names, and that were not asked for them yet.
    pub fn unnamed(&self) -> impl Iterator<Item = &Shard> {
        self.shards.iter().filter(|shard| shard.is_unnamed())
    }

    /// Puts the rows of each robot in the place of every log whose column names robots; `found` has those of [`unnamed`](Self::unnamed).
    ///
    /// # Errors
    /// A log that is there twice, or no log that names a robot.
    pub fn split(&mut self, found: Vec<Named>) -> Result<(), Problem> {
        let (unnamed, mut shards): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.shards).into_iter().partition(Shard::is_unnamed);
        for (shard, named) in unnamed.into_iter().zip(found) {
            shards.extend(named.robots.into_iter().map(|robot| Shard { robot, ..shard.clone() }));
            self.set_aside.extend(named.set_aside);
        }
        self.shards = shards;
        match (self.shards.is_empty(), self.set_aside.first()) {
            (true, Some(fault)) => Err(Problem::new("no-logs", fault.reason.clone()).file(&fault.file)),
            (true, None) => Err(Problem::new("no-logs", "the logs have no rows")),
            (false, _) => self.sort(),
        }
    }

    /// The part of the store that belongs to it.
    #[must_use]
    pub fn opened_store(&self) -> Option<Store> {
        self.store.as_ref().map(|folder| Store::at(Path::new(folder)))
    }

    /// The plan of a run on this machine, with its robots found and its recipe chosen.
    pub(super) fn complete(mut self, on_error: OnError, threads: usize, host: &dyn Host) -> Result<Self, Problem> {
        let (store, unnamed): (_, Vec<Shard>) = (self.opened_store(), self.unnamed().cloned().collect());
        if !unnamed.is_empty() {
            let named = |shard: &Shard| shard.named(&shard.file, store.as_ref(), on_error, host);
            self.split(on_threads(threads, &unnamed, named).into_iter().collect::<Result<_, _>>()?)?;
        }
        self.choose(|shard| Ok(shard.file.clone()), host)?;
        Ok(self)
    }

    /// How many logs there are; one that is of several robots counts once.
    pub(super) fn logs(&self, outcomes: &[Outcome]) -> u64 {
        let files =
            outcomes.iter().map(|outcome| &outcome.shard.file).chain(self.set_aside.iter().map(|own| &own.file));
        files.collect::<HashSet<_>>().len() as u64
    }

    /// The recipe with everything chosen: as the store has it, else from the first log that can be read; `path` says where a log lies.
    ///
    /// # Errors
    /// No log can be read, or the store not be written.
    pub fn choose(
        &mut self,
        mut path: impl FnMut(&Shard) -> Result<String, Problem>,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let store = self.opened_store();
        if let Some(kept) = store.as_ref().and_then(|store| store.recipe(host)) {
            self.recipe = kept;
            return Ok(());
        }
        let mut first = None;
        for shard in &self.shards {
            match path(shard).and_then(|path| self.recipe.chosen(shard, &path, host)) {
                Ok(recipe) => {
                    self.recipe = recipe;
                    return store.map_or(Ok(()), |store| store.keep_recipe(&self.recipe, host));
                }
                Err(problem) if host.is_cancelled() => return Err(problem),
                Err(problem) => first = first.or(Some(problem)),
            }
        }
        Err(first.unwrap_or_else(|| Problem::usage("there are no logs")))
    }
}

/// The logs that files and folders stand for.
fn files(given: &[String], host: &dyn Host) -> Result<Vec<String>, Problem> {
    let mut files = Vec::new();
    for path in given {
        let on_disk = host.memory().is_none() && host.permitted(path, crate::host::Access::Read).is_ok();
        if on_disk && Path::new(path).is_dir() {
            let before = files.len();
            walk(Path::new(path), &mut files)?;
            if files.len() == before {
                let message = "the folder has no logs: no file ends in .csv, .parquet or .mcap";
                return Err(Problem::new("no-logs", message).file(path));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<String>) -> Result<(), Problem> {
    let cannot = |error: &std::io::Error| read::cannot_read(&folder.to_string_lossy(), LOGS, error);
    for entry in std::fs::read_dir(folder).map_err(|error| cannot(&error))? {
        let path = entry.map_err(|error| cannot(&error))?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
        {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
