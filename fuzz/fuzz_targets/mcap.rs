#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jourdain_fuzz::run("mcap", data));
