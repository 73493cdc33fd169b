//! The files a robot is spread over: where they are read, and the texts that places point into.

use super::super::limits::MAX_BYTES;
use super::super::source::Source;
use super::tree::Span;
use crate::model::IncludedFile;
use crate::model::description::Location;
use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::{Path, PathBuf};

/// Where a robot's other files are: includes and meshes.
pub trait Files {
    /// The bytes of a file, by its path relative to the robot's main file, or an absolute path.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read, or is larger than a robot's files may be.
    fn read(&self, path: &Path) -> Result<Vec<u8>>;
}

/// A text that came without a place: it has no other files.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> Result<Vec<u8>> {
        Err(Error::new(ErrorKind::NotFound, "the robot was given as a text, which has no folder to look in"))
    }
}

/// The folder of the main file.
pub struct Neighbours(pub PathBuf);

/// Largest included file or mesh, bytes.
const MAX_MESH_BYTES: u64 = 256 << 20;

impl Files for Neighbours {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.0.join(path))?.take(MAX_MESH_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_MESH_BYTES {
            return Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {} MiB", MAX_MESH_BYTES >> 20)));
        }
        Ok(bytes)
    }
}

/// The texts of one reading, by number.
pub(in crate::formats) struct Sources<'a> {
    files: Vec<(String, Source<'a>)>,
}

impl<'a> Sources<'a> {
    /// The main text alone.
    pub fn new(main: &'a str) -> Self {
        Self { files: vec![(String::new(), Source::new(main))] }
    }

    pub fn main(&self) -> &Source<'a> {
        &self.files[0].1
    }

    /// Takes in another file and gives its number.
    pub fn add(&mut self, name: String, text: String) -> u32 {
        self.files.push((name, Source::owned(text)));
        self.files.len() as u32 - 1
    }

    pub fn get(&self, file: u32) -> &Source<'a> {
        &self.files[file as usize].1
    }

    pub fn locate(&self, span: Span) -> Location {
        let place = self.get(span.file).locate(span.start as usize..span.end as usize);
        Location { file: span.file, ..place }
    }

    /// The files beside the main one, in the order of their numbers.
    pub fn included(self) -> Vec<IncludedFile> {
        let file = |(name, source): (String, Source<'_>)| IncludedFile { name, text: source.text.into() };
        self.files.into_iter().skip(1).map(file).collect()
    }
}

/// The text of an included file, or why it is none.
pub(in crate::formats) fn text_of(bytes: Vec<u8>) -> Result<String> {
    if bytes.len() > MAX_BYTES {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {} MiB", MAX_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "not UTF-8 text"))
}
