//! `flexible animate`: the moving arm as an animated SVG, or a page around it.

use super::ChangedArm;
use super::simulate::{Ran, Run};
use crate::ending::ANIMATION;
use crate::host::Host;
use crate::operation::{self, Operation};
use crate::problem::Problem;
use crate::text::style::WARN;
use crate::write;
use jourdain::flexible::centrelines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Pieces that a link is drawn with.
const PIECES: usize = 12;
const WIDTH: f64 = 720.0;
/// Most pictures: more only makes the file larger.
const MOST_FRAMES: usize = 2000;

/// Animate the motion of a flexible arm as SVG or HTML
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "The file name decides: .svg is a picture that moves by itself, .html a page with a button to hold \
                      it. Scenarios are those of `flexible simulate`."
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
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE.svg|FILE.html"))]
    pub out: PathBuf,

    /// Pictures per second of simulated time
    #[serde(default = "rate")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = rate()))]
    pub rate: u32,

    /// Seconds of the animation per second of simulated time
    #[serde(default = "slow")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = slow(), allow_negative_numbers = true))]
    pub slow: f64,
}

fn rate() -> u32 {
    50
}

fn slow() -> f64 {
    1.0
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

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        let ending = ANIMATION.of(&self.out)?;
        if !(self.slow > 0.0 && self.slow.is_finite()) || self.rate == 0 {
            return Err(Problem::new("bad-option", "--slow and --rate must be positive"));
        }
        let Ran { built, scenario, motion, warnings } = self.run.simulate(&self.arm, host, &|_, _| Ok(()))?;
        // A picture whenever its time has come.
        let gap = (1.0 / f64::from(self.rate)).max(scenario.duration / MOST_FRAMES as f64);
        let mut frames: Vec<Vec<Vec<[f64; 2]>>> = Vec::new();
        let mut due = 0.0;
        for sample in &motion.samples {
            if sample.t >= due - 1e-9 {
                frames.push(centrelines(&built, &sample.q, PIECES));
                due += gap * ((sample.t - due) / gap).floor().max(0.0) + gap;
            }
        }
        let seconds = scenario.duration * self.slow;
        let svg = picture(built.arm.name(), &frames, seconds);
        let text = if ending == "svg" { svg } else { page(built.arm.name(), &svg) };
        write::text(&self.out, &text, host)?;
        Ok(Report { file: self.out.display().to_string(), frames: frames.len(), seconds, warnings })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        let mut lines = vec![format!("{} pictures, {} s: {}", self.frames, self.seconds, self.file)];
        lines.extend(self.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
        lines.join("\n")
    }
}

/// Text inside XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One path per link whose shape is animated, a mark at the tip and its trace.
fn picture(name: &str, frames: &[Vec<Vec<[f64; 2]>>], seconds: f64) -> String {
    let points = || frames.iter().flatten().flatten();
    let bound = |axis: usize, sign: f64| points().map(|p| sign * p[axis]).fold(0.0_f64, f64::max);
    let (left, right, down, up) = (bound(0, -1.0), bound(0, 1.0), bound(1, -1.0), bound(1, 1.0));
    let span = (left + right).max(down + up).max(1e-9);
    let (margin, scale) = (0.08 * span, WIDTH / (1.16 * span));
    let height = ((down + up + 2.0 * margin) * scale).max(120.0);
    let width = ((left + right + 2.0 * margin) * scale).max(120.0);
    let place = |p: &[f64; 2]| [(p[0] + left + margin) * scale, height - (p[1] + down + margin) * scale];
    let line = |points: &[[f64; 2]]| {
        let mut text = String::new();
        for (k, p) in points.iter().enumerate() {
            let [x, y] = place(p);
            // Writing to a string does not fail.
            let _ = write!(text, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
        }
        text
    };
    let animation = |attribute: &str, values: Vec<String>| {
        format!(
            "<animate attributeName=\"{attribute}\" dur=\"{seconds}s\" repeatCount=\"indefinite\" values=\"{}\"/>",
            values.join(";")
        )
    };
    let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escape(name)
    );
    let tips: Vec<[f64; 2]> = frames.iter().filter_map(|links| links.last()?.last().copied()).collect();
    let _ = writeln!(svg, "<path d=\"{}\" fill=\"none\" stroke=\"#bbbbbb\"/>", line(&tips));
    let links = frames.first().map_or(0, Vec::len);
    for i in 0..links {
        let values: Vec<String> = frames.iter().map(|frame| line(&frame[i])).collect();
        let colour = colours[i % colours.len()];
        let first = values.first().cloned().unwrap_or_default();
        let _ = writeln!(
            svg,
            "<path d=\"{first}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"4\" stroke-linecap=\"round\">{}</path>",
            animation("d", values)
        );
    }
    for i in 0..=links {
        let at = |frame: &Vec<Vec<[f64; 2]>>| {
            let point = if i < links { frame[i].first() } else { frame.last().and_then(|line| line.last()) };
            point.map_or([0.0; 2], place)
        };
        let marks: Vec<[f64; 2]> = frames.iter().map(at).collect();
        let [xs, ys] = [0, 1].map(|axis| marks.iter().map(|mark| format!("{:.1}", mark[axis])).collect::<Vec<_>>());
        let _ = writeln!(
            svg,
            "<circle r=\"6\" cx=\"{}\" cy=\"{}\" fill=\"#333333\">{}{}</circle>",
            xs.first().cloned().unwrap_or_default(),
            ys.first().cloned().unwrap_or_default(),
            animation("cx", xs),
            animation("cy", ys)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn page(name: &str, svg: &str) -> String {
    let name = escape(name);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{name}</title>\n\
         <style>body {{ font-family: sans-serif; margin: 2em }} svg {{ border: 1px solid #ddd }}</style></head>\n\
         <body>\n<h1>{name}</h1>\n{svg}<p><button>hold</button></p>\n<script>\n\
         const picture = document.querySelector(\"svg\"), button = document.querySelector(\"button\");\n\
         button.onclick = () => {{\n  if (picture.animationsPaused()) {{ picture.unpauseAnimations(); button.textContent = \
         \"hold\"; }}\n  else {{ picture.pauseAnimations(); button.textContent = \"go on\"; }}\n}};\n</script>\n</body>\n\
         </html>\n"
    )
}
