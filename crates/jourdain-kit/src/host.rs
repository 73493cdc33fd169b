//! What is outside an operation: who is told how far it is, what it may read and write, whether it is to go on.

use crate::files::Memory;
use crate::resolve::Robot;
use jourdain::batch::Kept;
use jourdain::formats::table::Table;
use jourdain::model::Model;
use jourdain::simulate::{Law, System};
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Something worth knowing that is not the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub weight: Weight,
    /// One line of text.
    pub text: String,
    /// What it sums up, a line each, where it does.
    pub details: Vec<String>,
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The result may not mean what the caller thinks.
    Warning,
    /// Good to know.
    Note,
}

/// A robot that was read before.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The robot.
    pub model: Model<f64>,
    /// What was edited.
    pub edits: Vec<String>,
    /// What was noted when it was read: it is so still.
    pub notes: Vec<Note>,
}

/// The surroundings of an operation. All methods may be called from any thread.
pub trait Host: Sync {
    /// How far the work is, from 0 to 1.
    fn progress(&self, _share: f64) {}

    /// True if the caller no longer wants the result: the operation ends with a problem of the kind `cancelled`.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Takes a note.
    fn note(&self, _note: Note) {}

    /// The robot of a request, if the host has it already: then it is neither read nor judged again.
    fn loaded(&self, _robot: &Robot) -> Option<Loaded> {
        None
    }

    /// Functions that were compiled for the robot of a request before, if the host keeps them.
    fn compiled(&self, _robot: &Robot) -> Kept {
        Kept::default()
    }

    /// The law that drives a system, if the host brings one: a function of the caller's, which no request can name.
    fn law(&self, _system: &dyn System) -> Option<Law> {
        None
    }

    /// The table in memory that a request has this name for, where a file of samples, states or targets could stand.
    fn table(&self, _name: &str) -> Option<&Table> {
        None
    }

    /// Standard input, which `-` stands for.
    ///
    /// # Errors
    /// There is none.
    fn standard_input(&self) -> io::Result<Box<dyn Read>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "there is no standard input here"))
    }

    /// Standard output, for results that are written while they are made.
    ///
    /// # Errors
    /// There is none.
    fn standard_output(&self) -> io::Result<Box<dyn Write + Send>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "there is no standard output here"))
    }

    /// The path that may be opened for one that was asked for.
    ///
    /// # Errors
    /// It is not to be touched, and why.
    fn permitted<'p>(&self, path: &'p str, _access: Access) -> io::Result<Cow<'p, str>> {
        Ok(Cow::Borrowed(path))
    }

    /// The files of a host that keeps them in memory; those of the machine are then out of reach, whatever is permitted.
    fn memory(&self) -> Option<&Memory> {
        None
    }

    /// A variable of the environment, which robot files may ask for; by default there is none.
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To be read.
    Read,
    /// To be written.
    Write,
}

/// A host that lets operations read and write files, and hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Host for Files {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// A host for requests that come from elsewhere: no files, no streams. Robots are built in or given as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Host for NoFiles {
    fn permitted<'p>(&self, _: &'p str, _: Access) -> io::Result<Cow<'p, str>> {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "files are out of reach here"))
    }
}

impl dyn Host + '_ {
    /// Tells how far the work is, from 0 to 1, and hears whether it is to go on.
    pub fn goes_on(&self, share: f64) -> ControlFlow<()> {
        self.progress(share);
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes a warning.
    pub fn warn(&self, text: impl Into<String>) {
        self.warn_of(text, Vec::new());
    }

    /// Takes a warning that sums up others.
    pub fn warn_of(&self, text: impl Into<String>, details: Vec<String>) {
        self.note(Note { weight: Weight::Warning, text: text.into(), details });
    }

    /// Takes a remark.
    pub fn remark(&self, text: impl Into<String>) {
        self.note(Note { weight: Weight::Note, text: text.into(), details: Vec::new() });
    }
}
