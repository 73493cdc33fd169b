//! A progress bar that appears once something has taken a second.

use crate::output::Output;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Read;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Parts that a whole is told in.
const PARTS: f64 = 1000.0;

/// How far something is.
pub struct Progress {
    begun: Instant,
    shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Begins now; shown unless the caller wants quiet.
    pub fn new(output: &Output) -> Self {
        Self { begun: Instant::now(), shown: !output.is_quiet(), bar: OnceLock::new() }
    }

    /// Never shown.
    pub fn hidden() -> Self {
        Self { begun: Instant::now(), shown: false, bar: OnceLock::new() }
    }

    /// Takes the bar away, before something else is printed.
    pub fn clear(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// Tells the share that is done.
    pub fn set(&self, share: f64) {
        if self.shown && self.begun.elapsed() > Duration::from_secs(1) {
            self.bar.get_or_init(bar).set_position((PARTS * share) as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
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

/// A source whose progress is told, if its length is known.
pub struct Watched<'a, R> {
    source: R,
    read: u64,
    length: Option<u64>,
    progress: &'a Progress,
}

impl<'a, R> Watched<'a, R> {
    pub fn new(source: R, length: Option<u64>, progress: &'a Progress) -> Self {
        Self { source, read: 0, length, progress }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read += count as u64;
        if let Some(length) = self.length.filter(|length| *length > 0) {
            self.progress.set(self.read as f64 / length as f64);
        }
        Ok(count)
    }
}
