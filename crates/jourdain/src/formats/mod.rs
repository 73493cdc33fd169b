//! Robot files: URDF, xacro, MJCF, SDF, and the native form in TOML or JSON, with DH tables and screw lists; states in JSON and in
//! [`table`]s.
//!
//! [`Model::load`] and `Model::from_str` are what most need. [`load`] reads, checks and sorts; whatever is wrong comes back as
//! [`Diagnostic`]s with line and column, all of it in one go. Reading never panics and is bounded in time and memory by [`limits`].

mod arm;
mod dh;
mod expansion;
pub mod limits;
mod mesh;
mod mjcf;
mod native;
mod plain;
mod primitive;
mod reframe;
mod report;
mod screws;
mod sdf;
mod source;
pub mod suggest;
pub mod table;
mod urdf;
mod writer;
mod written;
mod xacro;
mod xml;

use crate::model::{Checked, Description, Diagnostic, IncludedFile, Model, Severity, check};
pub use arm::{ArmReading, read_arm, read_arm_str};
pub use dh::{DhError, to_dh};
pub use expansion::{Expansion, expand};
pub use mjcf::to_mjcf;
use native::Notation;
pub use native::{
    ArmState, GivenState, StateFile, StateItems, StateLines, Stated, known_states, read_arm_states, read_motors,
    read_payload, read_scenario, read_states, to_json, to_toml,
};
use report::Report;
pub use screws::{ScrewNotation, to_screws};
pub use sdf::to_sdf;
use source::Source;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::str::FromStr;
pub use urdf::to_urdf;
pub use writer::{WRITERS, WriteOptions, Writer};
pub use written::{Unwritable, Written};
use xml::Sources;
pub use xml::{Files, Neighbours, NoFiles};

/// The vertices of a mesh in STL, OBJ or MSH, by the ending of its name, m.
///
/// # Errors
/// What is wrong with it.
pub fn mesh_points(name: &str, bytes: &[u8]) -> Result<Vec<crate::spatial::Vector<f64>>, String> {
    mesh::read(name, bytes).map(|mesh| mesh.vertices)
}

/// The notations a robot may be given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The native form in TOML.
    Toml,
    /// The native form in JSON.
    Json,
    /// URDF.
    Urdf,
    /// MJCF, the files of MuJoCo.
    Mjcf,
    /// SDF, the files of Gazebo and Drake.
    Sdf,
}

impl Format {
    /// The format that a file name ends in: `.urdf`, `.xacro` and `.xml`, `.sdf` and `.world`, `.toml`, `.json`.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "urdf" | "xacro" | "xml" => Some(Self::Urdf),
            "sdf" | "world" => Some(Self::Sdf),
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The format that a text is in: XML is MJCF, SDF or URDF by its root, a brace opens JSON, a key or a heading TOML.
    /// `None` of an empty text, and of one that is none of them.
    ///
    /// ```
    /// use jourdain::formats::Format;
    /// assert_eq!(Format::of_text("<?xml version=\"1.0\"?><robot name=\"arm\"/>"), Some(Format::Urdf));
    /// assert_eq!(Format::of_text("<sdf version=\"1.9\"/>"), Some(Format::Sdf));
    /// assert_eq!(Format::of_text("{ \"name\": \"arm\" }"), Some(Format::Json));
    /// assert_eq!(Format::of_text("# an arm\nname = \"arm\""), Some(Format::Toml));
    /// assert_eq!(Format::of_text("ISO-10303-21;"), None);
    /// ```
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            return Some(match root_tag(text) {
                Some("sdf") => Self::Sdf,
                Some(tag) if tag.starts_with("mujoco") => Self::Mjcf,
                Some(_) | None => Self::Urdf,
            });
        }
        if ["{", "//", "/*"].iter().any(|opening| text.starts_with(opening)) {
            return Some(Self::Json);
        }
        let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let is_key = |key: &str| key.chars().all(|c| c.is_alphanumeric() || "_-.\"'".contains(c));
        let heading = line.split('#').next().unwrap_or_default().trim();
        let is_heading = heading
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|inside| is_key(inside.trim_matches(['[', ']']).trim()));
        let has_key = line.split_once('=').is_some_and(|(key, _)| is_key(key.trim()));
        (is_heading || has_key).then_some(Self::Toml)
    }
}

/// The name of the first element of an XML text, behind declarations and comments.
fn root_tag(mut text: &str) -> Option<&str> {
    loop {
        text = &text[text.find('<')?..];
        let end = match text {
            _ if text.starts_with("<!--") => "-->",
            _ if text.starts_with("<?") => "?>",
            _ if text.starts_with("<!") => ">",
            _ => return text[1..].split(|c: char| c.is_whitespace() || c == '>' || c == '/').next(),
        };
        text = &text[text.find(end)? + end.len()..];
    }
}

/// What came of reading a robot.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The robot, checked, parents before children; `None` if a [fatal](Diagnostic::is_fatal) one is among the diagnostics.
    pub description: Option<Checked>,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics point into; empty if it could not be read.
    pub source: String,
    read: Read,
}

/// What a reader found, before the robot was judged.
#[derive(Clone, Debug, Default)]
struct Read {
    report: Report,
    included: Vec<IncludedFile>,
}

impl Read {
    /// Judges the robot, if there is one.
    fn judge(mut self, description: Option<Description>, source: String) -> Reading {
        let read = self.clone();
        let description = description.and_then(|description| judge(description, &mut self.report));
        Reading { description, diagnostics: finish(self.report, &self.included), source, read }
    }
}

/// A robot that could not be loaded, with everything that was found and the text it was found in.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}: {}", first_error(.diagnostics))]
pub struct LoadError {
    /// The file as it was named.
    pub file: String,
    /// Its text; empty if it could not be read.
    pub source_text: String,
    /// All findings, at least one of them [fatal](Diagnostic::is_fatal).
    pub diagnostics: Vec<Diagnostic>,
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_fatal());
    let first = errors.next().map(ToString::to_string).unwrap_or_default();
    match errors.count() {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

/// Reads and checks a robot file; what was found comes with the robot.
///
/// Only what leaves no robot is an error here: syntax, structure, numbers that are not finite. A robot that could not be built,
/// with a negative mass say, comes with a finding of severity [`Unphysical`](crate::model::Severity::Unphysical), and one
/// that has more than a tree of rigid links with [`Lost`](crate::model::Severity::Lost) ones: whoever needs a body that
/// can be looks at [`Diagnostic::is_error`].
///
/// # Errors
/// Everything found in the file, if it leaves no robot.
pub fn load(path: impl AsRef<Path>) -> Result<(Checked, Vec<Diagnostic>), LoadError> {
    let path = path.as_ref();
    read_path(path).into_result(&path.display().to_string())
}

impl Reading {
    /// The robot with what was found, or all findings under the name `file`.
    ///
    /// # Errors
    /// Everything found, if it leaves no robot.
    pub fn into_result(self, file: &str) -> Result<(Checked, Vec<Diagnostic>), LoadError> {
        let Self { description, diagnostics, source, .. } = self;
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

    /// The same reading with another robot in place of the one that was read: what the text says of itself stays, the robot is
    /// judged anew.
    #[must_use]
    pub fn with(self, description: Description) -> Self {
        self.read.judge(Some(description), self.source)
    }

    fn failed(diagnostic: Diagnostic) -> Self {
        Self { description: None, diagnostics: vec![diagnostic], source: String::new(), read: Read::default() }
    }
}

/// Reads and checks a robot file. Its content decides what it is, and its name where the content does not.
#[must_use]
pub fn read_path(path: impl AsRef<Path>) -> Reading {
    let path = path.as_ref();
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let file = Path::new(path.file_name().unwrap_or_default());
    match read_bytes(path) {
        Ok(bytes) => read_from(&bytes, Format::from_path(path), file, &Neighbours(folder)),
        Err(error) => Reading::failed(cannot_read(&error)),
    }
}

/// Reads and checks a robot from the bytes of a file, whose content decides what it is.
#[must_use]
pub fn read(bytes: &[u8]) -> Reading {
    read_named(bytes, None)
}

/// As [`read`], with the format that a name stands for where the content does not decide.
#[must_use]
pub fn read_named(bytes: &[u8], named: Option<Format>) -> Reading {
    read_from(bytes, named, Path::new(""), &NoFiles)
}

/// As [`read_named`], with the file's own name and the place of the files it includes and takes meshes from.
#[must_use]
pub fn read_from(bytes: &[u8], named: Option<Format>, file: &Path, files: &dyn Files) -> Reading {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFFED)]);
    match Format::of_text(&start).or(named) {
        Some(format) => slice(bytes, format, file, files),
        None if bytes.len() > limits::MAX_BYTES => Reading::failed(too_large()),
        None => Reading::failed(unknown_format()),
    }
}

/// As much of a text as is looked at to see what it is, bytes.
const SNIFFED: usize = 1 << 16;

fn unknown_format() -> Diagnostic {
    Diagnostic::error("unknown-format", "this is neither URDF, xacro, MJCF, SDF nor a robot in TOML or JSON")
        .hint("a URDF file has <robot>, a native one begins with name = \"…\" or {")
}

fn cannot_read(error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("cannot-read", format!("cannot read the file: {error}"))
}

impl Model<f64> {
    /// Loads a robot file: URDF, xacro, MJCF, SDF, or the native form in TOML or JSON; the content decides which. What is found
    /// and leaves a robot, warnings and bodies that cannot be, is let pass: [`formats::load`](load) gives it. Built-in robots are
    /// loaded by [`robots::load`](crate::robots::load).
    ///
    /// ```no_run
    /// let arm = jourdain::Model::load("arm.urdf")?;
    /// println!("{} degrees of freedom", arm.nv());
    /// # Ok::<(), jourdain::formats::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// Everything found in the file, with line, column and remedy, if it leaves no robot.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        load(path).map(|(robot, _)| Self::from(robot))
    }
}

impl FromStr for Model<f64> {
    type Err = LoadError;

    /// The robot of a text: URDF, MJCF, SDF, or the native form in TOML or JSON; the content decides which.
    ///
    /// ```
    /// let text = "name = \"pendulum\"\n[[link]]\nname = \"rod\"\nmass = 1.0\ncom = [0.0, 0.0, -0.5]\n\
    ///             joint = { type = \"continuous\", axis = [0, 1, 0] }";
    /// let pendulum: jourdain::Model = text.parse()?;
    /// assert_eq!(pendulum.nv(), 1);
    ///
    /// let error = text.replace("mass", "mas").parse::<jourdain::Model>().unwrap_err();
    /// assert!(error.to_string().contains("at 4:1"), "{error}");
    /// # Ok::<(), jourdain::formats::LoadError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, LoadError> {
        read(text.as_bytes()).into_result("text").map(|(robot, _)| Self::from(robot))
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
    slice(bytes, format, Path::new(""), &NoFiles)
}

fn slice(bytes: &[u8], format: Format, file: &Path, files: &dyn Files) -> Reading {
    match decoded(bytes) {
        Ok(text) => text_of_robot(text, format, file, files),
        Err(reading) => *reading,
    }
}

/// The text of a file, or a reading that says why it is none.
fn decoded(bytes: &[u8]) -> Result<&str, Box<Reading>> {
    if bytes.len() > limits::MAX_BYTES {
        return Err(Box::new(Reading::failed(too_large())));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        let place = Source::new(&good).locate(good.len()..good.len());
        let diagnostic = Diagnostic::error("not-utf8", "the file is not UTF-8 text").at(place);
        Box::new(Reading { source: good, ..Reading::failed(diagnostic.hint("save it as UTF-8")) })
    })
}

/// The findings, each with the file it is about.
fn finish(report: Report, included: &[IncludedFile]) -> Vec<Diagnostic> {
    let mut diagnostics = report.finish();
    for finding in &mut diagnostics {
        let number = finding.location.map_or(0, |place| place.file as usize);
        finding.file = number.checked_sub(1).and_then(|number| included.get(number)).cloned();
    }
    diagnostics
}

/// Reads and checks a robot from a text.
#[must_use]
pub fn read_str(text: &str, format: Format) -> Reading {
    text_of_robot(text, format, Path::new(""), &NoFiles)
}

fn text_of_robot(text: &str, format: Format, file: &Path, files: &dyn Files) -> Reading {
    if text.len() > limits::MAX_BYTES {
        return Reading::failed(too_large());
    }
    let mut sources = Sources::new(text);
    let mut report = Report::of(file);
    let description = match format {
        Format::Toml => native::read(sources.main(), Notation::Toml, &mut report),
        Format::Json => native::read(sources.main(), Notation::Json, &mut report),
        Format::Urdf | Format::Mjcf | Format::Sdf => read_xml(format, file, &mut sources, files, &mut report),
    };
    Read { report, included: sources.included() }.judge(description, text.to_owned())
}

fn read_xml(
    format: Format,
    file: &Path,
    sources: &mut Sources<'_>,
    files: &dyn Files,
    report: &mut Report,
) -> Option<Description> {
    let deepest = if format == Format::Mjcf { mjcf::MAX_DEPTH } else { limits::MAX_DEPTH };
    let root = match xml::parse(sources.main(), 0, deepest) {
        Ok(root) => root,
        Err(diagnostic) => {
            report.push(*diagnostic);
            return None;
        }
    };
    let is_xacro = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xacro")) || xacro::is_used(&root);
    let root = if is_xacro { xacro::expand(&root, file, sources, files, report)? } else { root };
    match format {
        Format::Mjcf => mjcf::read(root, file, sources, files, report),
        Format::Sdf => sdf::read(&root, file, sources, files, report),
        Format::Urdf | Format::Toml | Format::Json => urdf::read(root, sources, report),
    }
}

fn too_large() -> Diagnostic {
    Diagnostic::error("file-too-large", format!("the file is larger than {} MiB", limits::MAX_BYTES >> 20))
        .hint("meshes belong in files of their own")
}

/// Runs the check; what the reader could not read is not judged twice.
fn judge(description: Description, report: &mut Report) -> Option<Checked> {
    report.concerning(None, None);
    let unread = report.is_fatal();
    let (checked, mut findings) = if report.names_are_incomplete {
        (None, check::check_links(&description))
    } else {
        Checked::examine(description)
    };
    if unread {
        let already_known = |name: &Option<String>| name.as_ref().is_some_and(|name| report.has_error_about(name));
        // Masses and moments are read as zero where they cannot be read, which breaks no rule.
        let echoes = |finding: &Diagnostic| {
            finding.code == "no-links" || finding.severity != Severity::Unphysical && already_known(&finding.link)
        };
        findings.retain(|finding| finding.is_error() && !echoes(finding));
    }
    findings.into_iter().for_each(|finding| report.push(finding));
    checked.filter(|_| !report.is_fatal())
}
