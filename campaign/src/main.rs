//! The differential campaign: random robots, flexible arms, targets and structures, each computed here and by witnesses that share
//! as little as possible with what is tested. `just campaign` runs it; docs/campaign.md is what it found.
//!
//! Everything follows from seeds, so that a failure is repeated by its stage and seed.

mod peer;
mod robots;
mod stage;
mod tally;

// The generators and comparisons that the tests of the library use.
#[path = "../../crates/jourdain/tests/common/mod.rs"]
mod common;

use stage::{Run, Setup, Stage};
use std::path::PathBuf;
use std::process::ExitCode;

const STAGES: &[Stage] = &[Stage {
    name: "robots",
    title: "Robots",
    about: "",
    full: 100_000,
    slice: 400,
    block: 200,
    worker: robots::worker,
}];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let stage = &STAGES[0];
    let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
    let (first, count) = (number(), number());
    let setup = Setup { python: std::env::var("JOURDAIN_PYTHON").unwrap_or("python3".into()), needs_peers: true };
    let _folder: Option<PathBuf> = None;
    let run = Run { first, count, jobs: 1, folder: None };
    let tally = stage.run(&setup, &run).unwrap();
    println!("{}", serde_json::to_string_pretty(&tally).unwrap());
    ExitCode::SUCCESS
}
