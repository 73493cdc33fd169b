//! Files that would be lost: an output that is an input as well, or two outputs of one name.
//!
//! An operation [says](crate::operation::Operation::outputs) what it is going to write. Two that are one file are refused before
//! work starts, and one that the operation reads is refused when it is opened, which is before work starts too. Files are compared
//! with links followed; devices and pipes are written as they are and never clash.

use crate::files;
use crate::host::{Access, Host};
use crate::problem::Problem;
use crate::write::meant;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The outputs of an operation, each with the option that names it; `None` if it is not asked for.
pub type Outputs<'r> = Vec<(&'static str, Option<&'r Path>)>;

/// The files that an operation is going to write.
pub(crate) struct Clashes {
    outputs: Vec<(&'static str, PathBuf)>,
    found: Mutex<Option<String>>,
}

impl Clashes {
    /// Of all outputs.
    ///
    /// # Errors
    /// Two are one file.
    pub fn new(outputs: &Outputs<'_>, host: &dyn Host) -> Result<Self, Problem> {
        let mut own: Vec<(&'static str, PathBuf)> = Vec::new();
        for (option, path) in outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
            let Some(file) = file(&path.to_string_lossy(), Access::Write, host) else { continue };
            if let Some((other, _)) = own.iter().find(|(_, known)| *known == file) {
                let message = format!("--{other} and --{option} are the same file, {}", path.display());
                return Err(Problem::usage(message).hint("give each its own name"));
            }
            own.push((option, file));
        }
        Ok(Self { outputs: own, found: Mutex::default() })
    }

    /// Keeps in mind that a file is read; false if it is going to be written.
    pub fn may_read(&self, path: &str, host: &dyn Host) -> bool {
        if self.outputs.is_empty() {
            return true;
        }
        let Some(file) = file(path, Access::Read, host) else { return true };
        let clash = self.outputs.iter().find(|(_, output)| *output == file);
        if let Some((option, _)) = clash {
            let message = format!("--{option} would replace {path}, which is read");
            self.found.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
        }
        clash.is_none()
    }

    /// True if a file that is read would be replaced: then nothing is written.
    pub fn is_found(&self) -> bool {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// What was found.
    pub fn problem(&self) -> Option<Problem> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).take();
        found.map(|message| Problem::usage(message).hint("write to another name"))
    }
}

/// The file that a path means; `None` for what is no file, and for what may not be touched: opening it tells why.
fn file(path: &str, access: Access, host: &dyn Host) -> Option<PathBuf> {
    let path = host.permitted(path, access).ok()?;
    if host.memory().is_some() {
        return Some(PathBuf::from(files::plain(Path::new(&*path))));
    }
    let path = meant(Path::new(&*path));
    fs::metadata(&path).map_or(true, |old| old.is_file()).then_some(path)
}
