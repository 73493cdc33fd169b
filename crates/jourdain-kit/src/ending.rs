//! What the names of files may end in: a file is what its name says, or it is not written.
//!
//! A name without an ending, such as that of a device, takes what is usual. Operations ask before they work, so that nobody
//! waits for a result that is then refused.

use crate::problem::Problem;
use std::path::Path;

/// A kind of file with the endings of its names.
pub struct Ending {
    /// What is in it, with an article.
    pub what: &'static str,
    /// The endings, in small letters, the usual one first.
    pub endings: &'static [&'static str],
}

/// Rows of numbers.
pub const TABLE: Ending = Ending { what: "a table", endings: &["csv", "parquet"] };
/// A plot.
#[cfg(feature = "pictures")]
pub const PLOT: Ending = Ending { what: "a plot", endings: &["svg", "pdf", "png"] };
/// A plot, in a build without fonts and pixels.
#[cfg(not(feature = "pictures"))]
pub const PLOT: Ending = Ending { what: "a plot of this build", endings: &["svg"] };
/// A motion as a function of time.
pub const MOTION: Ending = Ending { what: "a motion", endings: &["json"] };
/// What `identify` keeps of its data.
pub const FACTORS: Ending = Ending { what: "factors", endings: &["jdf", "json"] };
/// A report as people read it: words, or a page.
pub const REPORT: Ending = Ending { what: "a report", endings: &["txt", "md", "html", "htm"] };
/// What a xacro file expands to.
pub const EXPANDED: Ending = Ending { what: "an expanded file", endings: &["urdf", "xml", "sdf", "world"] };
/// A moving picture.
pub const ANIMATION: Ending = Ending { what: "an animation", endings: &["html", "htm", "svg", "gif", "png", "apng"] };

/// Endings of generated files, which a folder does not have.
const SOURCES: &[&str] = &["rs", "c", "h", "py", "m", "tex", "txt"];

impl Ending {
    /// The ending of a name, in small letters; the usual one of a name without.
    ///
    /// # Errors
    /// It is not among those of this kind.
    pub fn of(&self, path: &Path) -> Result<&'static str, Problem> {
        let Some(given) = path.extension() else { return Ok(self.endings[0]) };
        let found = self.endings.iter().find(|ending| given.eq_ignore_ascii_case(ending));
        found.copied().ok_or_else(|| unknown(path, self.what, self.endings.iter().copied()))
    }
}

/// Checks the names of files that may be asked for.
///
/// # Errors
/// One of them ends in something else.
pub fn check<'p>(files: impl IntoIterator<Item = (&'p Ending, Option<&'p Path>)>) -> Result<(), Problem> {
    files.into_iter().try_for_each(|(kind, path)| path.map_or(Ok(()), |path| kind.of(path).map(drop)))
}

/// Checks the name of a folder for generated files.
///
/// # Errors
/// It is that of a file.
pub fn check_folder(path: Option<&Path>) -> Result<(), Problem> {
    let is_source =
        |path: &&Path| path.extension().is_some_and(|given| SOURCES.iter().any(|it| given.eq_ignore_ascii_case(it)));
    match path.filter(is_source).filter(|path| !path.is_dir()) {
        Some(path) => {
            let message = format!("`{}` is the name of a file, and --out is a folder for several", path.display());
            Err(Problem::usage(message).hint("name a folder; the files in it have names of their own"))
        }
        None => Ok(()),
    }
}

/// What is wrong with a name that ends in nothing known.
pub fn unknown(path: &Path, what: &str, endings: impl IntoIterator<Item = &'static str>) -> Problem {
    let endings: Vec<String> = endings.into_iter().map(|ending| format!(".{ending}")).collect();
    let message = format!("`{}` is no name for {what}", path.display());
    Problem::usage(message).hint(format!("let it end in {}", endings.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_decide_in_any_case_and_others_are_refused_with_a_list() {
        assert_eq!(TABLE.of(Path::new("a.CSV")).unwrap(), "csv");
        assert_eq!(TABLE.of(Path::new("/dev/stdout")).unwrap(), "csv");
        let problem = TABLE.of(Path::new("a.xlsx")).unwrap_err().to_json();
        assert_eq!(problem["error"]["kind"], "usage");
        assert_eq!(problem["error"]["hint"], "let it end in .csv, .parquet");
        assert!(check([(&PLOT, Some(Path::new("a.jpg"))), (&TABLE, None)]).is_err());
        assert!(check_folder(Some(Path::new("code/arm.h"))).is_err() && check_folder(Some(Path::new("code"))).is_ok());
    }
}
