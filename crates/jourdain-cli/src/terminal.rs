//! The terminal as the host of operations: notes and a progress bar on standard error, `-` as standard input.

use crate::deadline::Deadline;
use crate::output::Output;
use crate::progress::Progress;
use jourdain_kit::host::{Host, Note, Weight};
use jourdain_kit::problem::Problem;
use jourdain_kit::text::harmless;
use jourdain_kit::text::style::WARN;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whom operations talk to.
pub struct Terminal {
    output: Output,
    progress: Progress,
    deadline: Option<Deadline>,
    /// Rows on the terminal are progress enough.
    shows_rows: AtomicBool,
}

impl Terminal {
    /// Begins now, and ends at a deadline if there is one.
    pub fn new(output: Output, deadline: Option<Deadline>) -> Self {
        Self { output, progress: Progress::new(), deadline, shows_rows: AtomicBool::new(false) }
    }

    /// What is told of work that failed: if its time was over, that.
    pub fn explained(&self, problem: Problem) -> Problem {
        self.deadline.as_ref().filter(|deadline| deadline.is_over()).map_or(problem, Deadline::problem)
    }
}

impl Host for Terminal {
    fn is_cancelled(&self) -> bool {
        self.deadline.as_ref().is_some_and(Deadline::is_over)
    }

    fn progress(&self, share: f64) {
        self.deadline.iter().for_each(|deadline| deadline.progress(share));
        if !self.output.is_quiet() && !self.shows_rows.load(Ordering::Relaxed) {
            self.progress.set(share);
        }
    }

    fn note(&self, note: Note) {
        let word = match note.weight {
            Weight::Warning => "warning",
            Weight::Note => "note",
        };
        let text = harmless::message(&note.text);
        self.progress.suspend(|| self.output.note(&format!("{WARN}{word}{WARN:#}: {text}")));
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
