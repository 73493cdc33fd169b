//! The program that `cargo fuzz` builds: one for all targets, so that instrumented crates are compiled and linked once.

#![no_main]

libfuzzer_sys::fuzz_target!(init: jourdain_fuzz::begin(), |data: &[u8]| jourdain_fuzz::run(data));
