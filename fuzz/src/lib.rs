//! What `cargo fuzz` runs; the targets themselves are run by the tests of `jourdain-kit` as well, on stable Rust.

pub mod targets;

use targets::{ALL, Plant};

/// Runs the target of that name, with a bug if `JOURDAIN_FUZZ_PLANT` is set.
///
/// # Panics
/// If there is no such target, or a bug.
pub fn run(name: &str, data: &[u8]) {
    let plant = if std::env::var_os("JOURDAIN_FUZZ_PLANT").is_some() { Plant::Bug } else { Plant::Nothing };
    let target = ALL.iter().find(|target| target.name == name).expect("a target of that name");
    (target.run)(data, plant);
}
