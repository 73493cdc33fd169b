//! The stages of the campaign, and how seeds are worked through: in blocks, each of which leaves a file when it is done, so that a
//! run that was stopped goes on where it was.

use crate::tally::Tally;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What works on one seed.
pub type Worker = Box<dyn FnMut(u64, &mut Tally)>;

/// What a worker may need.
pub struct Setup {
    /// The interpreter that has the peers.
    pub python: String,
    /// One seed alone, in full.
    pub is_single: bool,
}

pub struct Stage {
    pub name: &'static str,
    /// The title of its part of the page, and what is compared.
    pub title: &'static str,
    pub about: &'static str,
    /// Seeds of the whole campaign and of the slice that CI runs.
    pub full: u64,
    pub slice: u64,
    /// Seeds of a block.
    pub block: u64,
    pub worker: fn(&Setup) -> Result<Worker, String>,
}

/// Which seeds, and on how many threads.
pub struct Run<'a> {
    pub first: u64,
    pub count: u64,
    pub jobs: usize,
    /// Where blocks that are done are kept.
    pub folder: Option<&'a Path>,
}

impl Stage {
    fn file(&self, folder: &Path, [first, end]: [u64; 2]) -> PathBuf {
        folder.join(format!("{}-{first}-{end}.json", self.name))
    }

    /// All blocks of this stage in a folder, added up.
    pub fn kept(&self, folder: &Path) -> Tally {
        let mut total = Tally::default();
        let Ok(entries) = fs::read_dir(folder) else { return total };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('-')) && name.ends_with(".json") {
                let tally = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
                total.add(tally.unwrap_or_default());
            }
        }
        total
    }

    /// Works through the seeds; blocks that are kept are taken as they are.
    pub fn run(&self, setup: &Setup, run: &Run<'_>) -> Result<Tally, String> {
        let (next, total, start) = (AtomicU64::new(run.first), Mutex::new(Tally::default()), Instant::now());
        let end = run.first + run.count;
        let work = || -> Result<(), String> {
            let mut worker = None;
            loop {
                let first = next.fetch_add(self.block, Ordering::Relaxed);
                if first >= end {
                    return Ok(());
                }
                let span = [first, end.min(first + self.block)];
                let file = run.folder.map(|folder| self.file(folder, span));
                let kept = file.as_ref().and_then(|file| fs::read(file).ok());
                let tally = match kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
                    Some(tally) => tally,
                    None => {
                        let worker = match &mut worker {
                            Some(worker) => worker,
                            none => none.insert((self.worker)(setup)?),
                        };
                        let mut tally = Tally::default();
                        for seed in span[0]..span[1] {
                            let known = tally.failures.len();
                            tally.count("seeds", 1);
                            worker(seed, &mut tally);
                            for failure in &tally.failures[known..] {
                                println!("FAILS {} seed {}: {}", self.name, seed, failure.what);
                            }
                            if tally.failures.len() > known {
                                println!("  again: just campaign {} --first {seed} --count 1", self.name);
                            }
                        }
                        if let Some(file) = &file {
                            let bytes = serde_json::to_vec(&tally).map_err(|error| error.to_string())?;
                            fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
                        }
                        tally
                    }
                };
                let mut total = total.lock().map_err(|_| "a thread of the campaign has panicked")?;
                total.add(tally);
                let done = total.counts.get("seeds").copied().unwrap_or(0);
                let (failures, seconds) = (total.failures.len(), start.elapsed().as_secs_f64());
                println!("{}: {done} of {} seeds, {failures} failures, {seconds:.0} s", self.name, run.count);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..run.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), String>>| {
                thread.join().unwrap_or_else(|_| Err("a thread of the campaign has panicked".to_owned()))
            };
            threads.into_iter().map(join).collect::<Result<Vec<()>, String>>()
        })?;
        total.into_inner().map_err(|_| "a thread of the campaign has panicked".to_owned())
    }
}
