//! `convert`: a robot in another format.

use crate::clash::Outputs;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::resolve::Robot;
use crate::robot_file::{self, names};
use crate::write;
use jourdain::formats::{ScrewNotation, WriteOptions, Writer, suggest};
use jourdain::model::Description;
use jourdain::model::description::DhConvention;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Write a robot in another format
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "Formats: urdf, mjcf, sdf, toml and json (the native form), dh (a Denavit-Hartenberg table, as a native file), \
                      screws (a screw list with the matrices of Modern Robotics). What a format cannot say is listed."
    )
)]
pub struct Request {
    /// The robot
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub robot: Robot,

    /// Format [default: that of the ending of --out]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FORMAT", value_parser = clap::builder::PossibleValuesParser::new(names())))]
    pub to: Option<String>,

    /// Write to a file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub out: Option<PathBuf>,

    /// Convention of a Denavit-Hartenberg table [default: standard]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub dh: Option<Convention>,

    /// How far a Denavit-Hartenberg table may be from the robot, m and rad [default: 1e-9]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ERROR", allow_negative_numbers = true))]
    pub tolerance: Option<f64>,

    /// Link that a screw list leads to [default: the end of the longest chain]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINK"))]
    pub link: Option<String>,
}

/// Convention of a Denavit–Hartenberg table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Convention {
    /// Denavit and Hartenberg: the joint moves about or along the parent's z
    Standard,
    /// Craig: the joint moves about or along the link's own z
    Modified,
}

impl From<Convention> for DhConvention {
    fn from(convention: Convention) -> Self {
        match convention {
            Convention::Standard => Self::Standard,
            Convention::Modified => Self::Modified,
        }
    }
}

/// The robot in the other format.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The format.
    pub format: &'static str,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Without a file, the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the format cannot say, a sentence each.
    pub lost: Vec<String>,
    /// What is doubtful about the robot or the request; the host hears it first.
    pub warnings: Vec<String>,
}

/// What a file has of shapes that a description does not hold: those for collisions, and of those for the eye what could not be
/// read, or is hidden. The text of a file that includes others tells only of its own.
fn shapes_left_out(source: &str, robot: &Description, is_edited: bool) -> Vec<String> {
    let count = |tag: &str| source.matches(tag).count();
    let kept: usize = robot.links.iter().map(|link| link.shapes.len()).sum();
    let drawn = if source.contains("<mujoco") { count("<geom") } else { count("<visual") };
    let mut lost = Vec::new();
    if count("<collision") > 0 {
        lost.push("shapes for collisions, which are no part of a model".to_owned());
    }
    if drawn > kept && !is_edited {
        lost.push("shapes that are hidden, or of a kind that is not read".to_owned());
    }
    lost
}

impl Operation for Request {
    const NAME: &'static str = "convert";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", self.out.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let writer = self.writer(host)?;
        let options = self.options(writer)?;
        let reading = self.robot.read(host)?;
        let source = reading.source.clone();
        let robot = self.robot.accept(reading, host)?;
        let written = writer.write(&robot, &options).map_err(|error| self.robot.blame(error.into()))?;
        let mut lost = written.lost;
        lost.extend(shapes_left_out(&source, &robot, !self.robot.edits.is_empty()));
        let mut report = Report { format: writer.name, file: None, text: None, lost, warnings: Vec::new() };
        match &self.out {
            Some(path) => {
                write::text(path, &written.text, host)?;
                report.file = Some(path.display().to_string());
            }
            None => report.text = Some(written.text),
        }
        robot_file::sentences(writer, &report.lost).for_each(|sentence| host.remark(sentence));
        Ok(report)
    }
}

impl Request {
    /// The format that is asked for by name, or else by the ending of the file.
    fn writer(&self, host: &dyn Host) -> Result<&'static Writer, Problem> {
        let by_name = |name: &String| {
            Writer::find(name).ok_or_else(|| {
                let problem = Problem::usage(format!("there is no format `{name}` to write robots in"));
                problem.hint(suggest::hint(name, &names()))
            })
        };
        match (&self.to, &self.out) {
            (Some(name), Some(path)) => {
                let writer = by_name(name)?;
                if let Some(other) =
                    Writer::of_path(path).filter(|other| other.name != writer.name && !writer.endings.is_empty())
                {
                    host.warn(format!(
                        "{} will hold {}, though its name ends as those of {}",
                        path.display(),
                        writer.about,
                        other.about
                    ));
                }
                Ok(writer)
            }
            (Some(name), None) => by_name(name),
            (None, Some(path)) => robot_file::writer(path),
            (None, None) => Err(Problem::usage("which format?").hint(format!("--to {}", names().join("|")))),
        }
    }

    fn options(&self, writer: &Writer) -> Result<WriteOptions, Problem> {
        for (given, option, format) in [
            (self.dh.is_some(), "--dh", "dh"),
            (self.tolerance.is_some(), "--tolerance", "dh"),
            (self.link.is_some(), "--link", "screws"),
        ] {
            if given && writer.name != format {
                return Err(Problem::usage(format!("{option} belongs to --to {format}, not to {}", writer.name)));
            }
        }
        let default = WriteOptions::default();
        let tolerance = self.tolerance.unwrap_or(default.tolerance);
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(Problem::usage("--tolerance is a length in m and an angle in rad, above zero"));
        }
        let is_toml = self.out.as_deref().and_then(Writer::of_path).is_some_and(|writer| writer.name == "toml");
        Ok(WriteOptions {
            dh: self.dh.map_or(default.dh, DhConvention::from),
            tolerance,
            link: self.link.clone(),
            screws: if is_toml { ScrewNotation::Toml } else { ScrewNotation::Json },
        })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match (&self.text, &self.file) {
            (Some(text), _) => text.clone(),
            (None, file) => format!("{} written as {}", file.as_deref().unwrap_or_default(), self.format),
        }
    }
}
