//! All that a leaf needs beside its log: the robot and how logs are read, the same for the whole run, wherever it runs.
//!
//! What one log would choose for itself, the cut-off, is chosen once: with the cut-off of the first log that can be read factors of all
//! logs are of one kind. The robot travels as text, so that workers need none of its files.

use super::leaf::Shard;
use super::settings::Settings;
use crate::host::{Host, NoFiles};
use crate::operations::identify::opened::{self, Opened};
use crate::operations::identify::{Choice, Outliers, Reading};
use crate::problem::Problem;
use crate::resolve::Robot;
use jourdain::Model;
use jourdain::formats;
use jourdain::identify::log::Options;
use jourdain::identify::{self, Hash};
use serde::{Deserialize, Serialize};

/// All that a leaf needs beside its log.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Recipe {
    /// The version of the program that made it: others may read logs in another way.
    pub program: String,
    /// The name of the model.
    pub name: String,
    /// The robot as text, edits included.
    pub robot: String,
    /// How logs are read; a cut-off that is missing means that they are taken as they are.
    pub settings: Settings,
    /// The log that the cut-off is from, unless it was given.
    pub chosen_from: Option<String>,
}

impl Recipe {
    /// Of a robot, with the settings as they were asked for.
    pub(super) fn asked(robot: &Robot, settings: &Settings, host: &dyn Host) -> Result<Self, Problem> {
        settings.check()?;
        let model = robot.load(host)?;
        let snapped = settings.snap.apply(model)?;
        settings.snap.note(&snapped, host);
        Ok(Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            name: snapped.name().to_owned(),
            robot: formats::to_toml(snapped.description()),
            settings: settings.clone(),
            chosen_from: None,
        })
    }

    /// A number that stands for it.
    pub(super) fn hash(&self) -> u64 {
        Hash::of(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// The same with the cut-off that a log asks for, if it was not given.
    pub(super) fn chosen(&self, shard: &Shard, path: &str, host: &dyn Host) -> Result<Self, Problem> {
        let file = &shard.file;
        let mut chosen = self.clone();
        if chosen.settings.cutoff.is_some() {
            return Ok(chosen);
        }
        let ready = Ready::new(self.clone())?;
        let mut opened = Opened::new(path, ready.problem.model(), &ready.reading(shard), host)?;
        let options = Options { rows: Some(0..1), ..ready.options.clone() };
        let summary = opened.beginning(ready.problem.model(), &options, &mut |_| ());
        let summary = summary.map_err(|error| opened::problem(error, file, host))?;
        chosen.settings.cutoff = summary.filtering.map(|filtering| filtering.cutoff);
        chosen.chosen_from = Some(file.to_owned());
        Ok(chosen)
    }
}

/// A recipe that was read.
#[derive(Debug)]
pub struct Ready {
    /// What it was made from.
    pub recipe: Recipe,
    pub(super) problem: identify::Problem,
    pub(super) options: Options,
    pub(super) reading: Reading,
}

impl Ready {
    /// Of a recipe.
    ///
    /// # Errors
    /// A robot or settings that cannot be; a recipe of another version of the program.
    pub fn new(recipe: Recipe) -> Result<Self, Problem> {
        if recipe.program != env!("CARGO_PKG_VERSION") {
            let message =
                format!("the run was planned by version {}, this is {}", recipe.program, env!("CARGO_PKG_VERSION"));
            return Err(Problem::new("other-version", message).hint("install the same version everywhere"));
        }
        let settings = &recipe.settings;
        let model = settings.snap.apply(Robot::of(&recipe.robot).load(&NoFiles)?)?;
        let problem = settings.drives.problem(&model)?;
        let problem = if settings.offset { problem.with_offsets() } else { problem };
        let options = Options {
            rate: settings.rate,
            cutoff: settings.cutoff,
            delay: settings.delay.unwrap_or(0.0),
            decimate: settings.decimate,
            base: Choice { outliers: Outliers::Keep, base: settings.base }.base(),
            late: settings.timing.late(&model)?,
            ..Options::default()
        };
        let reading = Reading { topic: settings.topic.clone(), threads: Some(1), part: None };
        Ok(Self { problem, options, reading, recipe })
    }

    /// The names of the unknowns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        self.problem.names()
    }

    /// How a log is read.
    pub(super) fn reading(&self, shard: &Shard) -> Reading {
        Reading { part: shard.part(), ..self.reading.clone() }
    }

    /// The robot that logs are read for.
    pub(super) fn model(&self) -> &Model<f64> {
        self.problem.model()
    }
}
