//! What `cargo fuzz` runs; the targets themselves are run by the tests of `jourdain-kit` as well, on stable Rust.

pub mod targets;
