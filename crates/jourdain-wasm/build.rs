//! Readers of nested files and formulas recurse as deep here as they may on a machine, whose stacks are larger than the usual
//! megabyte of a module.

/// Bytes.
const STACK: u32 = 8 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
