//! A host that keeps the warnings it passes on: a report that is data carries them.

use crate::host::{Access, Host, Loaded, Note, Weight};
use crate::resolve::Robot;
use jourdain::formats::table::Table;
use jourdain::simulate::{Law, System};
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

/// Passes everything on, and keeps warnings.
pub(crate) struct Listener<'h> {
    host: &'h dyn Host,
    warnings: Mutex<Vec<String>>,
}

impl<'h> Listener<'h> {
    pub fn new(host: &'h dyn Host) -> Self {
        Self { host, warnings: Mutex::default() }
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
        self.host.permitted(path, access)
    }
}
