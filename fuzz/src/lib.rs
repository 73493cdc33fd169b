//! What `cargo fuzz` runs; the targets themselves are run by the tests of `jourdain-kit` as well, on stable Rust.
//!
//! `JOURDAIN_FUZZ_TARGET` names the target; with `JOURDAIN_FUZZ_PLANT` there is a bug in its way.

pub mod targets;

use jourdain_kit::panics;
use std::process;
use std::sync::OnceLock;
use targets::{ALL, Plant, Target};

/// What this run of the program is about.
static CHOSEN: OnceLock<(Target, Plant)> = OnceLock::new();

/// Chooses the target.
///
/// Trap: libFuzzer's own hook ends the program at every panic, also at one that is caught: the crate for Parquet panics on files
/// that contradict themselves, which is a refusal here and no finding. Panics that nobody catches end in [`run`].
pub fn begin() {
    let name = std::env::var("JOURDAIN_FUZZ_TARGET").unwrap_or_default();
    let Some(target) = ALL.iter().find(|target| target.name == name) else {
        let names: Vec<_> = ALL.iter().map(|target| target.name).collect();
        eprintln!("JOURDAIN_FUZZ_TARGET is `{name}`, which is none of {}", names.join(" "));
        process::exit(2);
    };
    let plant = if std::env::var_os("JOURDAIN_FUZZ_PLANT").is_some() { Plant::Bug } else { Plant::Nothing };
    CHOSEN.get_or_init(|| (*target, plant));
    panics::listen();
}

/// Runs the target that was chosen; a panic is a finding, and ends the program.
pub fn run(data: &[u8]) {
    let Some((target, plant)) = CHOSEN.get() else { process::abort() };
    if let Err(said) = panics::caught(|| (target.run)(data, *plant)) {
        eprintln!("{} fails: {said}", target.name);
        process::abort();
    }
}
