//! The one place that prints. Results go to standard output, everything else to standard error; colours only where the
//! reader can see them.

use crate::arguments::Color;
use anstream::ColorChoice;
use jourdain_kit::operation::AnyReport;
use jourdain_kit::problem::{Class, Problem};
use jourdain_kit::write::output_problem;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, Write as _};

/// How to talk to the caller.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    json: bool,
    quiet: bool,
}

impl Output {
    /// As the options say.
    pub fn new(json: bool, quiet: bool, color: Color) -> Self {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
        .write_global();
        Self { json, quiet }
    }

    /// For arguments that could not be parsed: what they seem to ask for.
    pub fn guess(arguments: &[OsString]) -> Self {
        let options: Vec<_> = arguments.iter().take_while(|argument| *argument != "--").collect();
        let has = |name: &str| options.iter().any(|option| *option == name);
        let color = |name: &str| {
            has(&format!("--color={name}")) || options.windows(2).any(|pair| pair[0] == "--color" && pair[1] == name)
        };
        let color = match (color("never"), color("always")) {
            (true, _) => Color::Never,
            (_, true) => Color::Always,
            _ => Color::Auto,
        };
        Self::new(has("--json"), has("--quiet") || has("-q"), color)
    }

    /// True if the result is to be JSON.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// True if only results and errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The result, for people.
    pub fn text(&self, text: &str) -> Result<(), Problem> {
        let mut stdout = anstream::stdout().lock();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        write!(stdout, "{text}{end}").and_then(|()| stdout.flush()).map_err(|error| output_problem(&error))
    }

    /// The result, for programs.
    pub fn json(&self, value: &Value) -> Result<(), Problem> {
        self.document(|stdout| serde_json::to_writer(stdout, value).map_err(io::Error::from))
    }

    /// What came of an operation.
    pub fn report(&self, report: &AnyReport) -> Result<(), Problem> {
        if !report.is_to_print() {
            Ok(())
        } else if self.json {
            self.document(|stdout| report.write_json(stdout))
        } else {
            self.text(&report.text(self.quiet))
        }
    }

    fn document(&self, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), Problem> {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        write(&mut stdout)
            .and_then(|()| writeln!(stdout))
            .and_then(|()| stdout.flush())
            .map_err(|error| output_problem(&error))
    }

    /// Tells why the command stops, and returns the exit code.
    pub fn tell(&self, problem: &Problem) -> u8 {
        if problem.class() != Class::Gone {
            let told = if self.json { self.json(&problem.to_json()) } else { Err(Problem::gone()) };
            if told.is_err() {
                self.complain(&problem.text());
            }
        }
        problem.exit_code()
    }

    /// Something worth knowing that is not the result.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.complain(&format!("{text}\n"));
        }
    }

    /// An error. Nobody can be told if that fails, so the failure is dropped.
    pub fn complain(&self, text: &str) {
        let mut stderr = anstream::stderr().lock();
        drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
    }
}
