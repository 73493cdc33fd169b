//! Reading flexible arms: files, texts, and what came of them.
//!
//! They stand on [`flexible`](crate::flexible), which the readers of robots do not.

use super::native::{self, Notation, Stated};
use super::report::Report;
use super::source::Source;
use super::{Format, LoadError, cannot_read, limits, read_bytes, too_large};
use crate::flexible::{ArmDescription, BuiltArm};
use crate::model::Diagnostic;
use std::path::Path;
use std::str::FromStr;

/// What came of reading a flexible arm.
#[derive(Clone, Debug)]
pub struct ArmReading {
    /// The arm; `None` if there is an error among the diagnostics.
    pub description: Option<ArmDescription>,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics point into; empty if it could not be read.
    pub source: String,
    /// What the file says of itself; all false if there is an error.
    pub stated: Stated,
}

impl ArmReading {
    fn failed(found: Diagnostic, source: &str) -> Self {
        Self { description: None, diagnostics: vec![found], source: source.to_owned(), stated: Stated::default() }
    }

    /// The arm with its modes computed, or all findings under the name `file`.
    ///
    /// # Errors
    /// Everything found, if any of it is an error; numbers that no arm has.
    pub fn build(self, file: &str) -> Result<BuiltArm, LoadError> {
        let Self { description, mut diagnostics, source, .. } = self;
        let built = description.map(|description| description.build());
        match built {
            Some(Ok(built)) => return Ok(built),
            Some(Err(error)) => diagnostics.push(Diagnostic::error("arm-not-possible", error.to_string())),
            None => {}
        }
        Err(LoadError { file: file.to_owned(), source_text: source, diagnostics })
    }
}

/// Reads and checks a flexible arm from the bytes of a file, whose content decides whether it is TOML or JSON.
#[must_use]
pub fn read_arm(bytes: &[u8]) -> ArmReading {
    if bytes.len() > limits::MAX_BYTES {
        return ArmReading::failed(too_large(), "");
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read_arm_str(text, Format::of_text(text).unwrap_or(Format::Toml)),
        Err(_) => {
            let found = Diagnostic::error("not-utf8", "the file is not UTF-8 text").hint("save it as UTF-8");
            ArmReading::failed(found, "")
        }
    }
}

/// Reads and checks a flexible arm from a text; robots in XML have no flexible links.
#[must_use]
pub fn read_arm_str(text: &str, format: Format) -> ArmReading {
    let notation = match format {
        Format::Toml => Notation::Toml,
        Format::Json => Notation::Json,
        Format::Urdf | Format::Mjcf | Format::Sdf => {
            let found = Diagnostic::error("unknown-format", "a flexible arm is a TOML or JSON file, not XML");
            return ArmReading::failed(found, text);
        }
    };
    if text.len() > limits::MAX_BYTES {
        return ArmReading::failed(too_large(), "");
    }
    let source = Source::new(text);
    let mut report = Report::default();
    let (description, stated) = native::read_arm(&source, notation, &mut report).unzip();
    let stated = stated.unwrap_or_default();
    ArmReading { description, diagnostics: report.finish(), source: text.to_owned(), stated }
}

impl BuiltArm {
    /// Loads a file of a flexible arm, in TOML or JSON, and computes its modes. Built-in arms are loaded by
    /// [`arms::load`](crate::arms::load).
    ///
    /// # Errors
    /// Everything found in the file, with line, column and remedy, if any of it is an error; numbers that no arm has.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let reading = match read_bytes(path) {
            Ok(bytes) => read_arm(&bytes),
            Err(error) => ArmReading::failed(cannot_read(&error), ""),
        };
        reading.build(&path.display().to_string())
    }
}

impl FromStr for BuiltArm {
    type Err = LoadError;

    /// The arm of a text in TOML or JSON; the content decides which.
    ///
    /// ```
    /// use jourdain::flexible::BuiltArm;
    ///
    /// let text = "name = \"beam\"\n[[link]]\nlength = 0.5\ndensity = 0.2\nrigidity = 1.0\nmodes = 2\nhub = { inertia = 0.1 }";
    /// let beam: BuiltArm = text.parse()?;
    /// assert_eq!(beam.arm.size(), 3); // the joint and two deflections
    /// assert!(text.replace("0.5", "-0.5").parse::<BuiltArm>().is_err());
    /// # Ok::<(), jourdain::formats::LoadError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, LoadError> {
        read_arm(text.as_bytes()).build("text")
    }
}
