//! Files that robots are written to: the ending of the name decides the format.

use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::write;
use jourdain::formats::{Unwritable, WRITERS, WriteOptions, Writer};
use jourdain::model::Description;
use std::path::Path;

/// The names of all formats.
#[must_use]
pub fn names() -> Vec<&'static str> {
    WRITERS.iter().map(|writer| writer.name).collect()
}

/// The format that a file name ends in.
///
/// # Errors
/// It ends in none; all endings are named.
pub fn writer(path: &Path) -> Result<&'static Writer, Problem> {
    let endings = || WRITERS.iter().flat_map(|writer| writer.endings).copied();
    Writer::of_path(path).ok_or_else(|| ending::unknown(path, "a robot", endings()))
}

/// Writes a robot to a file. What the format cannot say is warned of.
///
/// # Errors
/// A robot that cannot be written in the format, or a file that cannot be written.
pub fn put(path: &Path, writer: &Writer, robot: &Description, host: &dyn Host) -> Result<(), Problem> {
    let file = path.display().to_string();
    let written = writer.write(robot, &WriteOptions::default()).map_err(|error| Problem::from(error).file(&file))?;
    sentences(writer, &written.lost).for_each(|sentence| host.warn(sentence));
    write::text(path, &written.text, host)
}

/// Writes a robot to a file of a format that holds less of its drives: `simple` is the robot as the format holds it, and what it cannot say
/// of `robot` is warned of.
///
/// # Errors
/// As [`put`].
pub fn put_simple(
    path: &Path,
    writer: &Writer,
    [simple, robot]: [&Description; 2],
    host: &dyn Host,
) -> Result<(), Problem> {
    let file = path.display().to_string();
    let write = |robot: &Description| {
        writer.write(robot, &WriteOptions::default()).map_err(|error| Problem::from(error).file(&file))
    };
    sentences(writer, &write(robot)?.lost).for_each(|sentence| host.warn(sentence));
    write::text(path, &write(simple)?.text, host)
}

/// What a format cannot say, with its name.
pub fn sentences<'w>(writer: &'w Writer, lost: &'w [String]) -> impl Iterator<Item = String> + 'w {
    lost.iter().map(|sentence| format!("lost in {}: {sentence}", writer.name))
}

impl From<Unwritable> for Problem {
    fn from(error: Unwritable) -> Self {
        Self::new("cannot-convert", error.message).hint(error.hint)
    }
}
