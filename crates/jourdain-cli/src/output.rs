//! The one place that prints. Results go to standard output, everything else to standard error; colours only where the
//! reader can see them.

use crate::arguments::Color;
use crate::failure::Failure;
use anstream::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, Write as _};

/// Headings.
pub const HEADING: Style = Style::new().bold();
/// What matters less.
pub const FAINT: Style = Style::new().dimmed();
/// Good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Bad news.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// News to think about.
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();

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
    pub fn text(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        write!(stdout, "{text}{end}").and_then(|()| stdout.flush()).map_err(|error| output_failure(&error))
    }

    /// The result, for programs.
    pub fn json(&self, value: &Value) -> Result<(), Failure> {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        serde_json::to_writer(&mut stdout, value)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(stdout))
            .and_then(|()| stdout.flush())
            .map_err(|error| output_failure(&error))
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

/// A closed pipe (`jourdain … | head`) ends the program without a word.
pub fn output_failure(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::silent()
    } else {
        Failure::new("cannot-write", format!("cannot write to standard output: {error}"))
    }
}
