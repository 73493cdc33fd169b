//! A progress bar that appears once something has taken a second.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Parts that a whole is told in.
const PARTS: f64 = 1000.0;

/// How far something is.
pub struct Progress {
    begun: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Begins now.
    pub fn new() -> Self {
        Self { begun: Instant::now(), bar: OnceLock::new() }
    }

    /// Tells the share that is done.
    pub fn set(&self, share: f64) {
        if self.begun.elapsed() > Duration::from_secs(1) {
            self.bar.get_or_init(bar).set_position((PARTS * share) as u64);
        }
    }

    /// Prints without the bar in the way.
    pub fn suspend(&self, print: impl FnOnce()) {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(PARTS as u64);
    // A template that does not parse would only cost the looks.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left") {
        bar.set_style(style);
    }
    bar
}
