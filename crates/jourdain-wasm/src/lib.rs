//! jourdain as a WebAssembly module: what a page in a browser calls.
//!
//! [`Engine`] is all of it, in safe code that runs on any machine: the operations of the kit on files in memory, and robots whose
//! quantities follow a position. `exports.rs` has its plain C interface, which no glue code has to be generated for; the module
//! imports nothing. `tests/module.mjs` shows how a script calls it.
//!
//! A panic ends the instance: whoever holds it starts another.

#![deny(unsafe_code)]

mod engine;
#[cfg(target_family = "wasm")]
#[allow(unsafe_code)]
mod exports;
mod plan;

pub use engine::Engine;
pub use plan::Plan;
