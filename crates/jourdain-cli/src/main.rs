//! The `jourdain` command.
fn main() {}
