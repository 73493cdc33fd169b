//! Threads that share models, caches and logs get the bits of one thread.

#[path = "../logs/mod.rs"]
mod logs;

mod identify_threads;
mod models;
