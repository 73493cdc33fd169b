//! The differential campaign: random robots, flexible arms, targets and structures, each computed here and by witnesses that share
//! as little as possible with what is tested. `just campaign` runs it; docs/campaign.md is what it found.
//!
//! Everything follows from seeds, so that a failure is repeated by its stage and seed.

mod arms;
mod chain;
mod code;
mod page;
mod peer;
mod robots;
mod stage;
mod structures;
mod tally;
mod targets;

// What the tests of the library use as well: generators, comparisons, other witnesses.
#[path = "../../crates/jourdain/tests/common/beam.rs"]
mod beam;
#[path = "../../crates/jourdain/tests/common/mod.rs"]
mod common;
#[path = "../../crates/jourdain/tests/generated/mod.rs"]
#[allow(dead_code)]
mod generated;

use stage::{Run, Setup, Stage};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const STAGES: &[Stage] = &[
    Stage {
        name: "robots",
        title: "Robots",
        about: "Random robots of 1 to 8 links, every 64th of up to 20, at random states under up to two wrenches. Closed forms are those \
                of the papers. Every fifth robot at least has all quantities compared, and three that the seed draws run as machine code and on \
                the tape; the others have those that a peer computes too. Pinocchio is given the robot joint by \
                joint, every fourth robot as URDF too; MuJoCo every second one as MJCF.",
        full: 100_000,
        slice: 3_000,
        block: 1_000,
        worker: robots::worker,
    },
    Stage {
        name: "code",
        title: "Generated code",
        about: "Random robots of 1 to 3 links: all quantities as C, compiled by gcc with every warning an error.",
        full: 100,
        slice: 2,
        block: 1,
        worker: code::worker,
    },
    Stage {
        name: "arms",
        title: "Flexible arms",
        about: "Chains of one to three flexible links at rest with locked joints, and one link that spins or hangs, six modes per link, \
                against beams of finite elements: squares of the two lowest frequencies. Modes are cut off, so that squares of chains \
                lie above those of the elements, and the difference is theirs.",
        full: 400,
        slice: 20,
        block: 20,
        worker: arms::worker,
    },
    Stage {
        name: "targets",
        title: "Inverse kinematics",
        about: "Planar arms of three joints and random lengths reach for random points: all extrema of the manipulability over the \
                self-motion, against a walk along it in 40 000 steps.",
        full: 2_000,
        slice: 40,
        block: 4,
        worker: targets::worker,
    },
    Stage {
        name: "structures",
        title: "Base parameters",
        about: "The number of base parameters of random structures against the rank of the regressor in exact numbers, and against the \
                regrouping modulo a prime: the errors are differences of counts.",
        full: 4_000,
        slice: 400,
        block: 40,
        worker: structures::worker,
    },
];

const USAGE: &str = "jourdain-campaign all [STAGE]… | slice | report | show SEED | STAGE --first SEED --count N
  --jobs N       threads, each with its own peers (1)
  --folder DIR   where finished blocks are kept, and found again (target/campaign)
  --page FILE    where the page is written (docs/campaign.md)
  --python EXE   an interpreter with pin and mujoco (JOURDAIN_PYTHON, python3)
stages: robots code arms targets structures";

/// The words of the command line.
struct Words {
    plain: Vec<String>,
    first: u64,
    count: u64,
    jobs: usize,
    folder: PathBuf,
    page: PathBuf,
    python: String,
}

fn words() -> Result<Words, String> {
    let python = std::env::var("JOURDAIN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut words = Words {
        plain: Vec::new(),
        first: 0,
        count: 1,
        jobs: 1,
        folder: "target/campaign".into(),
        page: "docs/campaign.md".into(),
        python,
    };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        if !word.starts_with("--") {
            words.plain.push(word);
            continue;
        }
        let value = given.next().ok_or_else(|| format!("{word} needs a value\n{USAGE}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number, not {value}"));
        match word.as_str() {
            "--first" => words.first = number()?,
            "--count" => words.count = number()?,
            "--jobs" => words.jobs = number()? as usize,
            "--folder" => words.folder = value.into(),
            "--page" => words.page = value.into(),
            "--python" => words.python = value,
            _ => return Err(format!("there is no {word}\n{USAGE}")),
        }
    }
    Ok(words)
}

fn find(name: &str) -> Result<&'static Stage, String> {
    STAGES.iter().find(|stage| stage.name == name).ok_or_else(|| format!("there is no stage {name}\n{USAGE}"))
}

/// The page from what is kept.
fn report(words: &Words) -> Result<bool, String> {
    let kept: Vec<(&Stage, tally::Tally)> = STAGES.iter().map(|stage| (stage, stage.kept(&words.folder))).collect();
    std::fs::write(&words.page, page::page(&kept)).map_err(|error| format!("{}: {error}", words.page.display()))?;
    println!("{} is written", words.page.display());
    Ok(kept.iter().all(|(_, tally)| tally.failures.is_empty()))
}

fn run(stage: &Stage, words: &Words, [first, count]: [u64; 2], folder: Option<&Path>) -> Result<bool, String> {
    let setup = Setup { python: words.python.clone(), is_single: count == 1 };
    let tally = stage.run(&setup, &Run { first, count, jobs: words.jobs, folder })?;
    if count == 1 {
        for (witness, quantities) in &tally.worst {
            quantities.iter().for_each(|(name, worst)| println!("{witness:24} {name:28} {:.2e}", worst.error));
        }
    }
    Ok(tally.failures.is_empty())
}

fn campaign() -> Result<bool, String> {
    let words = words()?;
    let asked: Vec<&str> = words.plain.iter().map(String::as_str).collect();
    match asked[..] {
        ["all", ref names @ ..] => {
            std::fs::create_dir_all(&words.folder).map_err(|error| error.to_string())?;
            for stage in STAGES.iter().filter(|stage| names.is_empty() || names.contains(&stage.name)) {
                run(stage, &words, [0, stage.full], Some(&words.folder))?;
            }
            report(&words)
        }
        ["slice"] => STAGES.iter().try_fold(true, |good, stage| {
            // The last seeds of the whole campaign's range, which the tests of the library do not draw.
            run(stage, &words, [stage.full - stage.slice, stage.slice], None).map(|this| good && this)
        }),
        ["report"] => report(&words),
        ["show", seed] => {
            let sample = robots::Sample::new(seed.parse().map_err(|_| format!("{seed} is no seed"))?)?;
            println!("{}\n{}", jourdain::formats::to_json(&sample.description), sample.state_json());
            Ok(true)
        }
        [name] => run(find(name)?, &words, [words.first, words.count], None),
        _ => Err(USAGE.to_owned()),
    }
}

fn main() -> ExitCode {
    match campaign() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("something is apart: the lines above that say FAILS, and the failures of the page");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}
