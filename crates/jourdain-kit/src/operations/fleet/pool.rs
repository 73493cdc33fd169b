//! Work on logs, several at a time.

use rayon::prelude::*;

/// What comes of each item, in their order. Where there are no threads, this one does it.
pub(super) fn on_threads<I: Sync, T: Send>(threads: usize, items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().filter(|_| threads > 1) {
        Some(pool) => pool.install(|| items.par_iter().map(&work).collect()),
        None => items.iter().map(work).collect(),
    }
}
