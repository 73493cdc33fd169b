//! `flexible animate`: the moving arm as a page or a picture that moves.

use super::ChangedArm;
use super::simulate::{Ran, Run, magnify};
use crate::clash::Outputs;
use crate::host::Host;
use crate::movie::{Showing, flexible};
use crate::operation::{self, Operation};
use crate::plot::look::Theme;
use crate::problem::Problem;
use crate::text::style::WARN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Animate the motion of a flexible arm
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The file name decides: .html is a page that plays it, .svg a picture that moves by itself, .gif and \
                      .png (APNG) are pictures for anything. Scenarios are those of `flexible simulate`, which animates as \
                      well with --animate."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// What it does
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: Run,

    /// The file to write
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.html|.svg|.gif|.png"))]
    pub out: PathBuf,

    /// Draw deflections so many times as large as they are
    #[serde(default = "magnify")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = magnify(), allow_negative_numbers = true))]
    pub magnify: f64,

    /// How it is shown
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub showing: Showing,
}

/// What was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Where.
    pub file: String,
    /// How many pictures it has.
    pub frames: usize,
    /// How long it takes, s.
    pub seconds: f64,
    /// What to know before the motion is believed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Operation for Request {
    const NAME: &'static str = "flexible animate";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("out", Some(&self.out))]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let options = self.showing.animate(&self.out);
        options.check()?;
        let Ran { built, motion, warnings, .. } = self.run.simulate(&self.arm, host, &|_, _| Ok(()))?;
        let (title, notes) = self.run.headings(&built, &motion);
        let timing = flexible::write(&built, &motion, title, notes, self.magnify, Theme::Light, &options, host)?;
        let (frames, seconds) = timing.map_or((0, 0.0), |timing| (timing.times.len(), timing.lasts()));
        Ok(Report { file: self.out.display().to_string(), frames, seconds, warnings })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let mut lines = vec![format!("{} pictures, {} s: {}", self.frames, self.seconds, self.file)];
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        lines.join("\n")
    }
}
