//! The files a robot is spread over: where they are read, and the texts that places point into.

use super::super::limits::MAX_BYTES;
use super::super::source::Source;
use super::tree::Span;
use crate::model::IncludedFile;
use crate::model::description::Location;
use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// What surrounds a robot's file: its other files (includes, meshes, packages), the environment, and what the caller sets.
/// Paths are relative to the folder of the main file, or absolute. Whatever is not there is nothing by default.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read, or is larger than a robot's files may be.
    fn read(&self, path: &Path) -> Result<Vec<u8>>;

    /// The names in a folder, in any order.
    ///
    /// # Errors
    /// If there is no such folder, or it cannot be looked into.
    fn list(&self, _folder: &Path) -> Result<Vec<String>> {
        Err(Error::new(ErrorKind::Unsupported, "folders are out of reach here"))
    }

    /// True if there is such a folder.
    fn is_folder(&self, _path: &Path) -> bool {
        false
    }

    /// A variable of the environment.
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }

    /// The folder of the main file, as it was named: relative to the working folder, or absolute.
    fn folder(&self) -> Option<PathBuf> {
        None
    }

    /// The folder that the caller works in, absolute.
    fn working_folder(&self) -> Option<PathBuf> {
        None
    }

    /// Arguments of a xacro file, by name.
    fn arguments(&self) -> &[(String, String)] {
        &[]
    }

    /// Folders of ROS packages, by name.
    fn packages(&self) -> &[(String, PathBuf)] {
        &[]
    }
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
/// Most names of a folder that are looked at.
const MAX_LISTED: usize = 100_000;

impl Files for Neighbours {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let (file, mut bytes) = (File::open(self.0.join(path))?, Vec::new());
        // There may be no end to a device or a pipe.
        let most = if file.metadata()?.is_file() { MAX_MESH_BYTES } else { MAX_BYTES as u64 };
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {} MiB", most >> 20)));
        }
        Ok(bytes)
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>> {
        let entries = std::fs::read_dir(self.0.join(folder))?.take(MAX_LISTED);
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.0.join(path).is_dir()
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.0.clone())
    }

    fn working_folder(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
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

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// The path of a file, empty for the main one.
    pub fn name(&self, file: u32) -> &str {
        &self.files[file as usize].0
    }

    /// A place in words: line and column, and the file if it is not the main one.
    pub fn describe(&self, span: Span) -> String {
        let place = self.locate(span);
        let name = self.name(span.file);
        let colon = if name.is_empty() { "" } else { ":" };
        format!("{name}{colon}{}:{}", place.line, place.column)
    }

    /// The place of a part of a text that stands at `span`, or all of it where escapes make the two differ.
    pub fn part(&self, span: Span, text: &str, part: Range<usize>) -> Span {
        let written = self.get(span.file).text.get(span.start as usize..span.end as usize);
        if written != Some(text) {
            return span;
        }
        let start = span.start + part.start.min(text.len()) as u32;
        Span { start, end: span.start + part.end.min(text.len()) as u32, ..span }
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

/// A path without `.` and without `..` where it can be had without looking at the disk.
pub(in crate::formats) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
