//! A host that keeps the warnings it passes on, because a report that is data carries them, and lets no input be replaced.

use crate::clash::{Clashes, Outputs};
use crate::files::Memory;
use crate::host::{Access, Host, Loaded, Note, Weight};
use crate::problem::Problem;
use crate::resolve::Robot;
use jourdain::batch::Kept;
use jourdain::formats::table::Table;
use jourdain::simulate::{Law, System};
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

/// Passes everything on, and keeps warnings.
pub(crate) struct Listener<'h> {
    host: &'h dyn Host,
    warnings: Mutex<Vec<String>>,
    clashes: Clashes,
}

impl<'h> Listener<'h> {
    /// For an operation with these outputs.
    ///
    /// # Errors
    /// Two of them are one file.
    pub fn new(host: &'h dyn Host, outputs: &Outputs<'_>) -> Result<Self, Problem> {
        Ok(Self { host, warnings: Mutex::default(), clashes: Clashes::new(outputs, host)? })
    }

    /// What is wrong if an output was to be read as well.
    pub fn clash(&self) -> Option<Problem> {
        self.clashes.problem()
    }

    /// The warnings so far: where one sums up others, those.
    pub fn into_warnings(self) -> Vec<String> {
        self.warnings.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Listener<'_> {
    fn progress(&self, share: f64) {
        self.host.progress(share);
    }

    fn is_cancelled(&self) -> bool {
        self.host.is_cancelled()
    }

    fn note(&self, note: Note) {
        if note.weight == Weight::Warning {
            let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
            if note.details.is_empty() {
                warnings.push(note.text.clone());
            } else {
                warnings.extend(note.details.iter().cloned());
            }
        }
        self.host.note(note);
    }

    fn standard_input(&self) -> io::Result<Box<dyn Read>> {
        self.host.standard_input()
    }

    fn standard_output(&self) -> io::Result<Box<dyn Write + Send>> {
        self.host.standard_output()
    }

    fn loaded(&self, robot: &Robot) -> Option<Loaded> {
        self.host.loaded(robot)
    }

    fn compiled(&self, robot: &Robot) -> Kept {
        self.host.compiled(robot)
    }

    fn law(&self, system: &dyn System) -> Option<Law> {
        self.host.law(system)
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.host.table(name)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.host.variable(name)
    }

    fn permitted<'p>(&self, path: &'p str, access: Access) -> io::Result<Cow<'p, str>> {
        let refused = match access {
            Access::Read => !self.clashes.may_read(path, self.host),
            Access::Write => self.clashes.is_found(),
        };
        if refused {
            return Err(io::Error::other("a file that is read would be replaced"));
        }
        self.host.permitted(path, access)
    }

    fn memory(&self) -> Option<&Memory> {
        self.host.memory()
    }
}
