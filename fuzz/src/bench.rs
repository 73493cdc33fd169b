//! The surroundings of an operation that is fuzzed, and what must hold of whatever it says.
//!
//! It has files in memory, little patience, and perhaps a bug. Operations make a problem of a panic inside them (`internal`), which is
//! a panic here again.

use super::numbers;
use jourdain::model::Model;
use jourdain_kit::files::Memory;
use jourdain_kit::host::{Access, Host, Loaded};
use jourdain_kit::operation::{self, AnyReport};
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::Robot;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// After so long an operation is told to end: work that goes on shows nothing new. Tests are slower, and several are at work.
const PATIENCE: Duration = Duration::from_millis(if cfg!(fuzzing) { 100 } else { 1000 });

/// After so much work it must have ended, also in a program that is watched and slow.
const LAST: Duration = Duration::from_secs(10);

/// Built-in robots that were loaded before.
static LOADED: Mutex<BTreeMap<String, Model<f64>>> = Mutex::new(BTreeMap::new());

/// Whether a bug is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// As it is.
    Nothing,
    /// With a bug.
    Bug,
}

/// Files in memory, patience, and perhaps a bug.
pub struct Bench {
    memory: Option<Memory>,
    watch: Watch,
    plant: Plant,
}

impl Bench {
    /// With these files and no others.
    pub fn new(files: &[(&str, &[u8])], plant: Plant) -> Self {
        let memory = Memory::default();
        files.iter().for_each(|(name, bytes)| memory.put(name, *bytes));
        Self { memory: Some(memory), watch: Watch::start(), plant }
    }

    /// With the files of this machine. Trap: for requests that are not what is fuzzed.
    pub fn on_disk(plant: Plant) -> Self {
        Self { memory: None, watch: Watch::start(), plant }
    }

    fn bug(&self) {
        assert!(self.plant == Plant::Nothing, "a planted bug");
    }

    /// Carries out a request; true unless it was refused.
    pub fn ask(&self, name: &str, request: Value) -> bool {
        let done = operation::handle(name, request, self).and_then(|report| looked_at(name, &report));
        self.watch.stop(name);
        if let Err(problem) = &done {
            drop((problem.text(), problem.to_json()));
            assert!(problem.kind() != "internal", "{name}: {problem}");
        }
        done.is_ok()
    }
}

/// Measures how long this program is at work, where the system tells: unlike time, that does not pass while others work.
pub struct Watch {
    begun: Instant,
    worked: Option<Duration>,
}

/// The unit in which the system counts, which is the same everywhere.
const TICK: Duration = Duration::from_millis(10);

/// What the system said last, and when. To ask it takes longer than most inputs do, and it counts in ticks anyway.
static LAST_SAID: Mutex<Option<(Instant, Option<Duration>)>> = Mutex::new(None);

impl Watch {
    pub fn start() -> Self {
        let begun = Instant::now();
        let mut said = LAST_SAID.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, worked) = *match &mut *said {
            Some(recent) if begun - recent.0 < TICK => recent,
            other => other.insert((begun, Self::worked())),
        };
        Self { begun, worked }
    }

    fn worked() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program comes first, in brackets, and may hold anything.
        let mut numbers = text.rsplit(')').next()?.split_ascii_whitespace().skip(11).map(str::parse::<u32>);
        Some(TICK * (numbers.next()?.ok()? + numbers.next()?.ok()?))
    }

    /// True if there has been more than so much work since.
    fn is_past(&self, most: Duration) -> bool {
        let worked = || Self::worked().zip(self.worked).map(|(now, before)| now.saturating_sub(before));
        self.begun.elapsed() > most && worked().is_none_or(|worked| worked > most)
    }

    /// That what was done since has not taken too long.
    ///
    /// # Panics
    /// It has.
    pub fn stop(&self, what: &str) {
        assert!(!self.is_past(LAST), "{what} took {:?}", self.begun.elapsed());
    }
}

/// That a report can be printed and sent, and that its numbers are numbers.
fn looked_at(name: &str, report: &AnyReport) -> Result<(), Problem> {
    drop(report.text(false));
    let document = report.to_json()?;
    let faults = numbers::faults(name, &document);
    assert!(faults.is_empty(), "{name}: not as its schema says: {faults:?}");
    let samples = report.samples();
    assert!(samples.is_none_or(numbers::all_finite), "{name}: a sample that is no number");
    Ok(())
}

impl Host for Bench {
    fn is_cancelled(&self) -> bool {
        self.watch.is_past(PATIENCE)
    }

    fn loaded(&self, robot: &Robot) -> Option<Loaded> {
        self.bug();
        // To read built-in robots again and again takes time and shows nothing.
        if *robot != Robot::of(&robot.robot) {
            return None;
        }
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let model = match loaded.get(&robot.robot) {
            Some(model) => model.clone(),
            None => loaded.entry(robot.robot.clone()).or_insert(jourdain::robots::load(&robot.robot)?).clone(),
        };
        Some(Loaded { model, edits: Vec::new(), notes: Vec::new() })
    }

    fn permitted<'p>(&self, path: &'p str, _: Access) -> io::Result<Cow<'p, str>> {
        self.bug();
        Ok(Cow::Borrowed(path))
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }
}
