//! Robot files: URDF and the native form in TOML or JSON, with DH tables and screw lists; states in JSON and in [`table`]s.
//!
//! [`load`] reads, checks and sorts; whatever is wrong comes back as [`Diagnostic`]s with line and column, all of it in
//! one go. Reading never panics and is bounded in time and memory by [`limits`].

pub mod limits;
mod native;
mod report;
mod source;
pub mod suggest;
pub mod table;
mod urdf;

use crate::flexible::ArmDescription;
use crate::model::{Checked, Description, Diagnostic};
use native::Notation;
pub use native::{ArmState, GivenState, StateFile, StateLines, read_arm_states, read_scenario, read_states, to_toml};
use report::Report;
use source::Source;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The notations a robot may be given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The native form in TOML.
    Toml,
    /// The native form in JSON.
    Json,
    /// URDF.
    Urdf,
}

impl Format {
    /// The format that a file name ends in: `.urdf` and `.xml`, `.toml`, `.json`.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "urdf" | "xml" => Some(Self::Urdf),
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// What came of reading a robot.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The robot, checked, parents before children; `None` if there is an error among the diagnostics.
    pub description: Option<Checked>,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics point into; empty if it could not be read.
    pub source: String,
}

/// What came of reading a flexible arm.
#[derive(Clone, Debug)]
pub struct ArmReading {
    /// The arm; `None` if there is an error among the diagnostics.
    pub description: Option<ArmDescription>,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics point into; empty if it could not be read.
    pub source: String,
}

/// A robot that could not be loaded, with everything that was found and the text it was found in.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}: {}", first_error(.diagnostics))]
pub struct LoadError {
    /// The file as it was named.
    pub file: String,
    /// Its text; empty if it could not be read.
    pub source_text: String,
    /// All findings, at least one of them an error.
    pub diagnostics: Vec<Diagnostic>,
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let first = errors.next().map(ToString::to_string).unwrap_or_default();
    match errors.count() {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

/// Reads and checks a robot file; the warnings come with the robot.
///
/// # Errors
/// Everything found in the file, if any of it is an error.
pub fn load(path: impl AsRef<Path>) -> Result<(Checked, Vec<Diagnostic>), LoadError> {
    let path = path.as_ref();
    read_path(path).into_result(&path.display().to_string())
}

impl Reading {
    /// The robot with its warnings, or all findings under the name `file`.
    ///
    /// # Errors
    /// Everything found, if any of it is an error.
    pub fn into_result(self, file: &str) -> Result<(Checked, Vec<Diagnostic>), LoadError> {
        let Self { description, diagnostics, source } = self;
        match description {
            Some(description) => Ok((description, diagnostics)),
            None => Err(LoadError { file: file.to_owned(), source_text: source, diagnostics }),
        }
    }

    /// True if there is a robot.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.description.is_some()
    }

    fn failed(diagnostic: Diagnostic) -> Self {
        Self { description: None, diagnostics: vec![diagnostic], source: String::new() }
    }
}

/// Reads and checks a robot file whose format follows from its name.
#[must_use]
pub fn read_path(path: impl AsRef<Path>) -> Reading {
    let path = path.as_ref();
    let Some(format) = Format::from_path(path) else {
        let message = "the file name does not end in .urdf, .xml, .toml or .json".to_owned();
        return Reading::failed(Diagnostic::error("unknown-format", message).hint("rename the file"));
    };
    match read_bytes(path) {
        Ok(bytes) => read_slice(&bytes, format),
        Err(error) => Reading::failed(Diagnostic::error("cannot-read", format!("cannot read the file: {error}"))),
    }
}

/// At most one byte more than is allowed: devices and pipes have no size to ask for.
fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limits::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads and checks a robot from the bytes of a file.
#[must_use]
pub fn read_slice(bytes: &[u8], format: Format) -> Reading {
    if bytes.len() > limits::MAX_BYTES {
        return Reading::failed(too_large());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read_str(text, format),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
            let place = Source::new(&good).locate(good.len()..good.len());
            let diagnostic = Diagnostic::error("not-utf8", "the file is not UTF-8 text").at(place);
            Reading { source: good, ..Reading::failed(diagnostic.hint("save it as UTF-8")) }
        }
    }
}

/// Reads and checks a robot from a text.
#[must_use]
pub fn read_str(text: &str, format: Format) -> Reading {
    if text.len() > limits::MAX_BYTES {
        return Reading::failed(too_large());
    }
    let source = Source::new(text);
    let mut report = Report::default();
    let description = match format {
        Format::Toml => native::read(&source, Notation::Toml, &mut report),
        Format::Json => native::read(&source, Notation::Json, &mut report),
        Format::Urdf => urdf::read(&source, &mut report),
    };
    let description = description.and_then(|description| judge(description, &mut report));
    Reading { description, diagnostics: report.finish(), source: text.to_owned() }
}

/// Reads and checks a flexible arm from a text; URDF has no flexible links.
#[must_use]
pub fn read_arm_str(text: &str, format: Format) -> ArmReading {
    let failed =
        |found: Diagnostic| ArmReading { description: None, diagnostics: vec![found], source: text.to_owned() };
    let notation = match format {
        Format::Toml => Notation::Toml,
        Format::Json => Notation::Json,
        Format::Urdf => {
            return failed(Diagnostic::error("unknown-format", "a flexible arm is a TOML or JSON file, not a URDF"));
        }
    };
    if text.len() > limits::MAX_BYTES {
        return ArmReading { source: String::new(), ..failed(too_large()) };
    }
    let source = Source::new(text);
    let mut report = Report::default();
    let description = native::read_arm(&source, notation, &mut report);
    ArmReading { description, diagnostics: report.finish(), source: text.to_owned() }
}

fn too_large() -> Diagnostic {
    Diagnostic::error("file-too-large", format!("the file is larger than {} MiB", limits::MAX_BYTES >> 20))
        .hint("meshes belong in files of their own")
}

/// Runs the check; what the reader could not read is not judged twice.
fn judge(description: Description, report: &mut Report) -> Option<Checked> {
    report.concerning(None, None);
    let unread = report.has_errors();
    if unread && report.names_are_incomplete {
        return None;
    }
    let (checked, mut findings) = Checked::examine(description);
    if unread {
        let already_known = |name: &Option<String>| name.as_ref().is_some_and(|name| report.has_error_about(name));
        let echoes = |finding: &Diagnostic| finding.code == "no-links" || already_known(&finding.link);
        findings.retain(|finding| finding.is_error() && !echoes(finding));
    }
    findings.into_iter().for_each(|finding| report.push(finding));
    checked.filter(|_| !report.has_errors())
}
