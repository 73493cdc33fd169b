//! The terminal as the host of operations: notes and a progress bar on standard error, `-` as standard input.

use crate::output::Output;
use crate::progress::Progress;
use jourdain_kit::host::{Host, Note, Weight};
use jourdain_kit::text::style::WARN;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whom operations talk to.
pub struct Terminal {
    output: Output,
    progress: Progress,
    /// Rows on the terminal are progress enough.
    shows_rows: AtomicBool,
}

impl Terminal {
    /// Begins now.
    pub fn new(output: Output) -> Self {
        Self { output, progress: Progress::new(), shows_rows: AtomicBool::new(false) }
    }
}

impl Host for Terminal {
    fn progress(&self, share: f64) {
        if !self.output.is_quiet() && !self.shows_rows.load(Ordering::Relaxed) {
            self.progress.set(share);
        }
    }

    fn note(&self, note: Note) {
        let word = match note.weight {
            Weight::Warning => "warning",
            Weight::Note => "note",
        };
        self.progress.suspend(|| self.output.note(&format!("{WARN}{word}{WARN:#}: {}", note.text)));
    }

    fn standard_input(&self) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(io::stdin().lock()))
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn standard_output(&self) -> io::Result<Box<dyn Write + Send>> {
        if self.output.is_json() {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "with --json, rows of numbers cannot go to standard output",
            ));
        }
        self.shows_rows.store(io::stdout().is_terminal(), Ordering::Relaxed);
        Ok(Box::new(io::stdout()))
    }
}
