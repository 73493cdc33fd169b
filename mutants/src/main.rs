//! Mutation testing of the crate jourdain: `cargo run --manifest-path mutants/Cargo.toml -- spatial`.
//!
//! All mutants are in one build, each behind a switch that the environment turns; a test meets only mutants that it reaches.
//! `docs/mutants.md` says more.

mod build;
mod explained;
mod find;
mod judge;
mod operators;
mod report;
mod splice;
mod tree;
mod trial;

use judge::{Fate, Jury};
use report::{Known, Report};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
use trial::Stand;

/// Whatever ends a run.
type Failure = Box<dyn std::error::Error>;

/// What is judged unless told: the folders with formulas.
const FOLDERS: &str = "spatial dynamics parameters elastic flexible ik model/check identify";

const HELP: &str = "mutants [OPTIONS] [FOLDER…]   folders of crates/jourdain/src: those with formulas
  --list           only list the mutants
  --build          only build the tests
  --lib            only tests inside the library: a quick first look
  --only FILE      only tests of tests/FILE.rs, built by themselves; may be repeated
  --again          keep what was killed before, judge the rest anew
  --go-on          keep all that was judged before: for a run that was ended
  --tests WORD     only tests whose name (PROGRAM::TEST) has the word; may be repeated
  --budget SECONDS of work of tests for one mutant, as long as they take without (30); 2 at most if it has a reason
  --jobs NUMBER    processes at a time (as many as there are processors)
  --repository FOLDER  another one than that of this program
";

/// Seconds of tests for a mutant that is explained.
const WITH_REASON: f64 = 2.0;

struct Options {
    folders: Vec<String>,
    list: bool,
    build: bool,
    wanted: build::Wanted,
    again: bool,
    go_on: bool,
    tests: Vec<String>,
    budget: f64,
    jobs: usize,
    repository: PathBuf,
}

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        folders: Vec::new(),
        list: false,
        build: false,
        wanted: build::Wanted::All,
        again: false,
        go_on: false,
        tests: Vec::new(),
        budget: 30.0,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        repository: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
    };
    let mut only = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--list" => options.list = true,
            "--build" => options.build = true,
            "--lib" => options.wanted = build::Wanted::Inside,
            "--only" => only.push(value()?),
            "--again" => options.again = true,
            "--go-on" => options.go_on = true,
            "--tests" => options.tests.push(value()?),
            "--budget" => options.budget = value()?.parse()?,
            "--jobs" => options.jobs = value()?.parse()?,
            "--repository" => options.repository = value()?.into(),
            folder if !folder.starts_with('-') => options.folders.push(folder.trim_end_matches('/').into()),
            _ => return Err(HELP.into()),
        }
    }
    if !only.is_empty() {
        options.wanted = build::Wanted::Only(only);
    }
    if options.folders.is_empty() {
        options.folders = FOLDERS.split(' ').map(str::to_owned).collect();
    }
    Ok(options)
}

fn main() -> Result<(), Failure> {
    let options = options()?;
    let repository = &options.repository.canonicalize()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), PathBuf::from);
    let name = options.folders.join("+").replace('/', "-");
    let place = target.join("mutants").join(&name);
    let start = Instant::now();

    let mut tree = tree::Tree::new(repository, place.join("tree"), &options.folders)?;
    println!("{} mutants", tree.mutants.len());
    if options.list {
        for mutant in &tree.mutants {
            println!("{mutant}");
        }
        return Ok(());
    }
    let explained = explained::read(&repository.join("mutants/explained.toml"))?;

    let notes = place.join("known.json");
    let known = Known::read(&notes, &tree.mutants);
    let mut refused: HashSet<usize> = known.refused.clone();
    build::settle(&mut tree, &target.join("mutants/build"), &mut refused)?;
    report::write_notes(&notes, &tree.mutants, &refused, &known.fates)?;
    let programs = build::programs(&tree, &target.join("mutants/build"), &options.wanted)?;
    println!("{} programs after {:.0} s", programs.len(), start.elapsed().as_secs_f64());
    if options.build {
        return Ok(());
    }

    let stand = Stand { folder: tree.package(), notes: place.clone(), budget: options.budget };
    let mut wanted = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        for name in stand.names(program)? {
            let full = format!("{}::{name}", program.name);
            if options.tests.is_empty() || options.tests.iter().any(|word| full.contains(word)) {
                wanted.push((index, name));
            }
        }
    }
    let recorded = stand.record_all(options.jobs, &programs, &wanted)?;
    for ((program, name), test) in wanted.iter().zip(&recorded) {
        if test.is_none() {
            println!(
                "left out, as it fails without any mutant or takes longer than the budget: {}::{name}",
                programs[*program].name
            );
        }
    }
    let tests: Vec<trial::Test> = recorded.into_iter().flatten().collect();
    println!("{} tests recorded after {:.0} s", tests.len(), start.elapsed().as_secs_f64());

    let alive: Vec<usize> = (0..tree.mutants.len()).filter(|number| !refused.contains(number)).collect();
    let jury = Jury::new(&stand, &programs, &tests);
    // Noted as it goes on: a run takes hours, and `--again` takes up one that was ended.
    let done = Mutex::new(known.fates.clone());
    let fates = judge::spread(options.jobs, alive.len(), |i| {
        let number = alive[i];
        match known.fates.get(&number) {
            Some(fate @ Fate::Killed(_)) if options.again || options.go_on => return Ok(fate.clone()),
            Some(fate) if options.go_on => return Ok(fate.clone()),
            _ => {}
        }
        // Most that have a reason are reached by many tests, and all of them would be tried.
        let has_reason = explained.iter().any(|entry| entry.covers(&tree.mutants[number]));
        let budget = if has_reason { options.budget.min(WITH_REASON) } else { options.budget };
        let fate = jury.judge(number, budget)?;
        if !matches!(fate, Fate::Killed(_)) {
            println!("{fate:?}: {}", tree.mutants[number]);
        }
        let mut done = done.lock().map_err(|_| "a thread panicked")?;
        done.insert(number, fate.clone());
        if i.is_multiple_of(50) {
            println!("{i} of {} after {:.0} s", alive.len(), start.elapsed().as_secs_f64());
            report::write_notes(&notes, &tree.mutants, &refused, &done)?;
        }
        Ok(fate)
    })?;

    let report = Report::new(&tree.mutants, &alive, fates, &explained, start.elapsed().as_secs_f64());
    report::write_notes(&notes, &tree.mutants, &refused, &report.fates())?;
    report.write(&place, &options.folders)?;
    print!("{}", report.summary(&options.folders));
    report.verdict(&options.folders)
}
