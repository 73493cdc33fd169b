//! Reports as people read them: numbers, tables, trees, diagnostics.

pub mod diagnostics;
mod fold;
pub mod harmless;
pub mod numbers;
pub mod style;
pub mod table;
pub mod tree;

use std::path::Path;

/// A line for every file that was written, what it is in a column of that width.
pub fn files<'p>(
    width: usize,
    files: impl IntoIterator<Item = (&'p str, Option<&'p Path>)>,
) -> impl Iterator<Item = String> {
    let written = files.into_iter().filter_map(|(what, path)| Some((what, path?)));
    written.map(move |(what, path)| format!("{what:<width$} {}", path.display()))
}
