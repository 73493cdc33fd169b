//! Tests in processes of their own: which there are, how long each takes, and which mutants it reaches.

use crate::Failure;
use crate::build::Program;
use crate::judge;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// A test takes at most so much address space, KiB: mutants may ask for memory without end.
const MEMORY: &str = "6000000";

/// A test that does nothing for so long waits for what never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The unit in which Linux counts the work of a process.
const TICK: Duration = Duration::from_millis(10);

/// How long a process has been at work: unlike time, that does not pass while others work.
fn work_of(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its own work and that of its children, in the program and in the system.
    let numbers = text.rsplit(')').next()?.split_ascii_whitespace().skip(11).take(4).map(str::parse::<u32>);
    Some(TICK * numbers.sum::<Result<u32, _>>().ok()?)
}

/// One test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Test {
    /// Index of its program.
    pub program: usize,
    /// Its name there.
    pub name: String,
    /// Seconds of work it takes alone.
    pub seconds: f64,
    /// Numbers of mutants that it reaches.
    pub reached: HashSet<usize>,
}

/// How a process with tests ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All passed.
    Passed,
    /// These failed, as far as they told.
    Failed(Vec<String>),
    /// It had to be ended.
    Late,
}

/// Where tests run, and where they leave what they print.
pub struct Stand {
    /// Folder that cargo would run them in.
    pub folder: PathBuf,
    /// Files of this run.
    pub notes: PathBuf,
    /// Seconds of work for one mutant: a test that takes longer is of no use.
    pub budget: f64,
}

impl Stand {
    fn command(&self, program: &Program) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -v {MEMORY}; exec nice -n 19 \"$0\" \"$@\"")])
            .arg(&program.path)
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("INSTA_UPDATE", "no")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env_remove("MUTANT")
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Names of the tests of a program, ignored ones left out.
    pub fn names(&self, program: &Program) -> Result<Vec<String>, Failure> {
        let list = |words: &[&str]| -> Result<Vec<String>, Failure> {
            let output = self.command(program).args(["--list", "--format", "terse"]).args(words).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(String::from).collect())
        };
        let ignored: HashSet<String> = list(&["--ignored"])?.into_iter().collect();
        Ok(list(&[])?.into_iter().filter(|name| !ignored.contains(name)).collect())
    }

    /// Runs tests of a program in one process, with the mutant `lives` or as recorded.
    pub fn run(&self, program: &Program, names: &[&str], lives: &str, limit: Duration) -> Result<(End, f64), Failure> {
        let printed = self.notes.join(format!("printed-{:?}", std::thread::current().id()));
        let start = Instant::now();
        let mut child = self
            .command(program)
            .args(["--exact", "--test-threads", "1", "--color", "never"])
            .args(names)
            .env("MUTANT", lives)
            .env("MUTANT_REACHED", self.reached())
            .stdout(fs::File::create(&printed)?)
            .spawn()?;
        let (mut pause, mut worked, mut since) = (Duration::from_micros(500), Duration::ZERO, start);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            let before = worked;
            worked = work_of(child.id()).unwrap_or_else(|| start.elapsed());
            if worked > before {
                since = Instant::now();
            }
            if worked > limit || since.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                return Ok((End::Late, worked.as_secs_f64()));
            }
            std::thread::sleep(pause);
            pause = (pause * 5 / 4).min(Duration::from_millis(10));
        };
        // Even a test that does nothing has to be started.
        let seconds = worked.as_secs_f64() + 0.005;
        if status.success() {
            return Ok((End::Passed, seconds));
        }
        let text = String::from_utf8_lossy(&fs::read(&printed)?).into_owned();
        let failed =
            names.iter().filter(|name| text.contains(&format!("test {name} ... FAILED"))).map(ToString::to_string);
        Ok((End::Failed(failed.collect()), seconds))
    }

    fn reached(&self) -> PathBuf {
        self.notes.join(format!("reached-{:?}", std::thread::current().id()))
    }

    /// Runs tests alone, each given by its program and name, as [`Stand::record`] does. What was recorded of a program that has not changed is taken over.
    pub fn record_all(
        &self,
        jobs: usize,
        programs: &[Program],
        wanted: &[(usize, String)],
    ) -> Result<Vec<Option<Test>>, Failure> {
        let path = self.notes.join("recorded.json");
        let mut known: BTreeMap<String, Option<Test>> =
            fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let mut stamps = Vec::new();
        for program in programs {
            let about = fs::metadata(&program.path)?;
            let time = about.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
            stamps.push(format!("{} {} {time}", program.name, about.len()));
        }
        let key = |(program, name): &(usize, String)| format!("{} {name}", stamps[*program]);
        let recorded = judge::spread(jobs, wanted.len(), |i| match known.get(&key(&wanted[i])) {
            Some(test) => Ok(test.clone().map(|test| Test { program: wanted[i].0, ..test })),
            None => self.record(programs, wanted[i].0, &wanted[i].1),
        })?;
        known.retain(|key, _| stamps.iter().any(|stamp| key.starts_with(stamp)));
        known.extend(wanted.iter().map(key).zip(recorded.iter().cloned()));
        fs::write(path, serde_json::to_vec(&known)?)?;
        Ok(recorded)
    }

    /// Runs one test alone, and notes what it reaches. `None` for one that fails without any mutant, or takes too long.
    pub fn record(&self, programs: &[Program], program: usize, name: &str) -> Result<Option<Test>, Failure> {
        let path = self.reached();
        remove(&path)?;
        let (end, seconds) = self.run(&programs[program], &[name], "record", Duration::from_secs_f64(self.budget))?;
        if end != End::Passed {
            return Ok(None);
        }
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        let reached = text.lines().filter_map(|line| line.parse().ok()).collect();
        Ok(Some(Test { program, name: name.into(), seconds, reached }))
    }
}

fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
