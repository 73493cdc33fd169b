//! What a run is: a recipe, and the logs in their order.

use super::leaf::{OnError, SetAside, Shard};
use super::names::{Pattern, by_folder};
use super::recipe::Recipe;
use super::settings::Settings;
use super::store::Store;
use crate::host::Host;
use crate::problem::Problem;
use crate::read::{self, What};
use crate::resolve::Robot;
use serde::{Deserialize, Serialize};
use std::path::Path;

const LOGS: What = What { name: "the logs", option: "LOGS", hint: "" };
/// What names of logs end in: what is looked for in folders.
const ENDINGS: [&str; 3] = ["csv", "parquet", "mcap"];

/// What a run is asked for.
pub(super) struct Asked<'a> {
    pub robot: &'a Robot,
    /// Files and folders; what is in the store if there are none.
    pub logs: &'a [String],
    pub pattern: Option<&'a str>,
    pub settings: &'a Settings,
    pub store: Option<&'a Path>,
    pub from: Option<&'a str>,
    pub to: Option<&'a str>,
    pub on_error: OnError,
}

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
    pub(super) fn new(asked: &Asked<'_>, host: &dyn Host) -> Result<Self, Problem> {
        let recipe = Recipe::asked(asked.robot, asked.settings, host)?;
        let store = asked.store.map(|folder| Store::open(folder, &recipe, host)).transpose()?;
        let pattern = asked.pattern.map(Pattern::parse).transpose()?;
        let (mut shards, mut set_aside) = (Vec::new(), Vec::new());
        if let (true, Some(store)) = (asked.logs.is_empty(), &store) {
            shards = store.shards(host)?;
        }
        for file in files(asked.logs, host)? {
            let named = match &pattern {
                Some(pattern) => pattern.read(&file),
                None => Ok(by_folder(&file, &recipe.name)),
            };
            match named {
                Ok((robot, day)) => shards.push(Shard { file, robot, day, stamp: None, stored: false }),
                Err(problem) if asked.on_error == OnError::Raise => return Err(problem),
                Err(problem) => {
                    let shard = Shard { file, robot: String::new(), day: String::new(), stamp: None, stored: false };
                    set_aside.push(SetAside::new(&shard, &problem, 0));
                }
            }
        }
        let after = |day: &str| asked.from.is_none_or(|from| day >= from);
        let before = |day: &str| asked.to.is_none_or(|to| day <= to);
        shards.retain(|shard| after(&shard.day) && before(&shard.day));
        shards.sort_by(|a, b| (&a.robot, &a.day, &a.file).cmp(&(&b.robot, &b.day, &b.file)));
        if let Some(pair) = shards.windows(2).find(|pair| pair[0].file == pair[1].file) {
            let message = "the log is given twice";
            return Err(Problem::new("same-samples", message).file(&pair[0].file).hint("take every log once"));
        }
        if shards.is_empty() {
            return Err(
                Problem::usage("there are no logs").hint("name logs or folders of them, or a --store that has some")
            );
        }
        let store_path = store.as_ref().map(|store| store.folder().display().to_string());
        Ok(Self { recipe, shards, store: store_path, set_aside })
    }

    /// The part of the store that belongs to it.
    #[must_use]
    pub fn opened_store(&self) -> Option<Store> {
        self.store.as_ref().map(|folder| Store::at(Path::new(folder)))
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
            match path(shard).and_then(|path| self.recipe.chosen(&shard.file, &path, host)) {
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
