//! Included files: the first of several places that has one, as a parsed text.

use super::super::native::shorten;
use super::{Context, Element, Files, parse, text_of};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The first of some files that is there, with its text; otherwise why there is none.
pub(in crate::formats) fn find(candidates: &[PathBuf], files: &dyn Files) -> Result<(PathBuf, String), String> {
    let read = |path: &PathBuf| match files.read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        other => Some((path.clone(), other)),
    };
    let name = candidates.first().map(|path| path.display().to_string()).unwrap_or_default();
    match candidates.iter().find_map(read) {
        None => Err(format!("there is no file `{}`", shorten(&name))),
        Some((path, read)) => match read.and_then(text_of) {
            Ok(text) => Ok((path, text)),
            Err(error) => Err(format!("cannot read `{}`: {error}", shorten(&name))),
        },
    }
}

impl Context<'_, '_> {
    /// Takes in the text of a file and gives its root element; what is wrong with the text is reported.
    pub fn parse(&mut self, path: &Path, text: String, deepest: usize) -> Option<Element> {
        let file = self.sources.add(path.display().to_string(), text);
        match parse(self.sources.get(file), file, deepest) {
            Ok(root) => Some(root),
            Err(diagnostic) => {
                self.report.push(*diagnostic);
                None
            }
        }
    }
}
