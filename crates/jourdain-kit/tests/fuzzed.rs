//! The corpus of the fuzzer is replayed: inputs that once reached something new, or broke something, break nothing.

#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use targets::{ALL, Plant, Target};

/// Largest input, bytes: the corpus is for reading through.
const LARGEST: u64 = 32 << 10;

fn inputs(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/fuzz").join(target.name);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn inputs_that_were_found_by_fuzzing_break_nothing() {
    for target in ALL {
        for file in inputs(&target) {
            let bytes = fs::read(&file).unwrap();
            assert!(bytes.len() as u64 <= LARGEST, "{} is large", file.display());
            let run = panic::catch_unwind(|| (target.run)(&bytes, Plant::Nothing));
            assert!(run.is_ok(), "{} fails on {}", target.name, file.display());
        }
    }
}

#[test]
fn every_target_sees_a_planted_bug() {
    for target in ALL {
        let files = inputs(&target);
        let sees = |file: &PathBuf| {
            let bytes = fs::read(file).unwrap();
            panic::catch_unwind(|| (target.run)(&bytes, Plant::Bug)).is_err()
        };
        assert!(files.iter().any(sees), "{}: no input of {} lets it see a planted bug", target.name, files.len());
    }
}

/// What cargo-fuzz builds, and what is tested here, is the same list.
#[test]
fn every_target_can_be_fuzzed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for target in ALL {
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{} has no program", target.name);
        let program = fs::read_to_string(folder.join("fuzz_targets").join(format!("{}.rs", target.name))).unwrap();
        assert!(program.contains(&format!("run(\"{}\"", target.name)), "{}", target.name);
    }
    assert_eq!(manifest.matches("[[bin]]").count(), ALL.len());
}
