//! The corpus of the fuzzer is replayed: inputs that once reached something new, or broke something, break nothing.

#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use jourdain_kit::host::NoFiles;
use jourdain_kit::{operation, operations};
use serde_json::{Value, json};
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

#[test]
fn a_number_that_is_none_is_seen_in_a_report() {
    let request = json!({ "robot": "planar2r", "state": r#"{"q": [0, 1]}"#, "quantity": ["gravity"] });
    let mut report = operation::handle("eval", request, &NoFiles).unwrap().to_json().unwrap();
    assert_eq!(targets::numbers::faults("eval", &report), [""; 0]);
    *report.pointer_mut("/quantities/gravity/1").unwrap() = Value::Null;
    assert!(!targets::numbers::faults("eval", &report).is_empty(), "{report}");
}

/// A request that is refused shows little of its operation.
#[test]
fn every_operation_answers_a_request_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/fuzz/request");
    let requests: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    let answered: Vec<_> = requests.iter().filter_map(|bytes| targets::request(bytes, Plant::Nothing)).collect();
    for entry in operations::ALL.iter().filter(|entry| entry.name != "bench") {
        assert!(answered.contains(&entry.name), "`{}` answers no request of suite/fuzz/request", entry.name);
    }
}

/// Random numbers from a seed (xorshift), the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// What people and disks do to files, and numbers that make trouble.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const WORDS: [&[u8]; 16] = [
        b"0",
        b"-1",
        b"1e308",
        b"-1e308",
        b"5e-324",
        b"nan",
        b"inf",
        b"1e999",
        b"null",
        b"[",
        b"]",
        b"{",
        b"\"",
        b"\n",
        b"18446744073709551616",
        b"\xff\xfe",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let again = bytes[at..to].to_vec();
                drop(bytes.splice(at..at, again));
            }
            3 => bytes.truncate(at),
            _ => {
                // A number is replaced as a whole, so that what is left can still be read.
                let is_number = |byte: &u8| byte.is_ascii_digit() || b"+-.e".contains(byte);
                let from = bytes[..at].iter().rposition(|byte| !is_number(byte)).map_or(0, |before| before + 1);
                let to = bytes[at..].iter().position(|byte| !is_number(byte)).map_or(bytes.len(), |after| at + after);
                drop(bytes.splice(from..to, WORDS[random.below(WORDS.len())].iter().copied()));
            }
        }
    }
    bytes
}

/// A little of what `just fuzz` does, without its tools. `JOURDAIN_FUZZ_ROUNDS` takes more of it.
#[test]
fn inputs_that_differ_by_a_little_break_nothing() {
    let rounds = std::env::var("JOURDAIN_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(10_u64);
    let seed = std::env::var("JOURDAIN_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1_u64);
    let only = std::env::var("JOURDAIN_FUZZ_TARGET").ok();
    for target in ALL.iter().filter(|target| only.as_ref().is_none_or(|only| only == target.name)) {
        for file in inputs(target) {
            let bytes = fs::read(&file).unwrap();
            for round in 0..rounds {
                let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 32) ^ (round + 1));
                let changed = changed(&bytes, &mut random);
                let run = panic::catch_unwind(|| (target.run)(&changed, Plant::Nothing));
                let text = String::from_utf8_lossy(&changed);
                assert!(
                    run.is_ok(),
                    "{} fails, seed {seed}, round {round} of {}:\n{text}",
                    target.name,
                    file.display()
                );
            }
        }
    }
}

/// What cargo-fuzz builds runs every target by its name, and what is tested here is the same list.
#[test]
fn every_target_can_be_fuzzed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    assert!(manifest.matches("[[bin]]").count() == 1 && manifest.contains("fuzz_targets/any.rs"), "{manifest}");
    let program = fs::read_to_string(folder.join("fuzz_targets/any.rs")).unwrap();
    assert!(program.contains("jourdain_fuzz::begin()") && program.contains("jourdain_fuzz::run(data)"), "{program}");
    let campaign = fs::read_to_string(folder.join("campaign")).unwrap();
    let page = fs::read_to_string(folder.join("../docs/fuzzing.md")).unwrap();
    for target in ALL {
        assert!(page.contains(&format!("| `{}` |", target.name)), "docs/fuzzing.md says nothing of {}", target.name);
        assert!(campaign.contains(&format!("\"{}\":", target.name)), "fuzz/campaign gives {} no share", target.name);
    }
}
