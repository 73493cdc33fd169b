//! `flexible modes`: frequencies, shapes and integrals of the links' modes.

use super::{ChangedArm, scaled};
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::movie::{Animate, flexible};
use crate::operation::{self, Operation};
use crate::plot;
use crate::plot::figure::{Axis, Block, Curve, Figure, Panel};
use crate::plot::joints::MOST_CURVES;
use crate::plot::look::{Hue, Style};
use crate::plot::ticks;
use crate::problem::Problem;
use crate::read;
use crate::text::numbers;
use crate::text::style::{FAINT, HEADING};
use jourdain::flexible::modes::Mode;
use jourdain::flexible::{ArmDescription, BuiltArm, boundary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Modes of each link: frequencies, shapes at the end, integrals
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "A mode belongs to a clamped beam that carries what is outboard at its end. Shapes are scaled so \
                      that the kinetic energy of beam and body is that of the beam's mass, and bend upwards at the clamp."
    )
)]
pub struct Request {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: ChangedArm,

    /// Add constants, nodes, cross moments and boundaries to the JSON document
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub details: bool,

    /// Frequencies at these multiples of the payload instead
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "X,…",
            value_delimiter = ',',
            conflicts_with = "configurations",
            allow_negative_numbers = true
        )
    )]
    pub payload_scales: Option<Vec<f64>>,

    /// Frequencies with the bodies at the links' ends taken at these joint angles instead
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JSON", allow_hyphen_values = true))]
    pub configurations: Option<String>,

    /// Draw the mode shapes
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.svg|pdf|png"))]
    pub plot: Option<PathBuf>,

    /// How the plot looks
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub style: Style,

    /// A moving picture
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub animation: Animate,
}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// The modes.
    Modes(Box<Modes>),
    /// Frequencies of several arms.
    Table(Table),
}

/// The modes of all links.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Modes {
    /// From the base outwards.
    pub links: Vec<LinkModes>,
    #[serde(skip)]
    built: BuiltArm,
}

/// The modes of a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkModes {
    /// By ascending frequency.
    pub modes: Vec<ModeReport>,
    /// With `details`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<LinkDetails>,
}

/// More of a link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkDetails {
    /// How long it is, m.
    pub length: f64,
    /// What the modes carry.
    pub boundary: Boundary,
    /// Cross moments of the modes, kg.
    pub z: Vec<Vec<f64>>,
    /// What is outboard of the link with all joints straight.
    pub outboard_stretched: Boundary,
}

/// A body at the end of a link.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Boundary {
    /// kg
    pub mass: f64,
    /// About the end, kg m².
    pub inertia: f64,
    /// Along the link, kg m.
    pub mass_distance: f64,
}

impl From<jourdain::flexible::modes::Boundary> for Boundary {
    fn from(body: jourdain::flexible::modes::Boundary) -> Self {
        Self { mass: body.mass, inertia: body.inertia, mass_distance: body.mass_distance }
    }
}

/// A mode.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModeReport {
    /// 1/m
    pub beta: f64,
    /// rad/s
    pub omega: f64,
    /// Hz
    pub frequency_hz: f64,
    /// The shape at the end.
    pub phi_e: f64,
    /// Its slope there, 1/m.
    pub dphi_e: f64,
    /// ∫ φ dm, kg
    pub v: f64,
    /// ∫ φ x dm, kg m
    pub w: f64,
    /// With `details`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<ModeDetails>,
}

/// More of a mode.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModeDetails {
    /// Of the sine and its hyperbolic counterpart.
    #[serde(rename = "C1")]
    pub c1: f64,
    /// Of the cosine and its hyperbolic counterpart.
    #[serde(rename = "C2")]
    pub c2: f64,
    /// Stiffness, N/m.
    pub k: f64,
    /// Where the shape crosses zero, m from the clamp.
    pub nodes: Vec<f64>,
}

impl ModeReport {
    fn of(mode: &Mode, details: bool) -> Self {
        let [c1, c2] = mode.constants();
        Self {
            beta: mode.beta,
            omega: mode.omega,
            frequency_hz: mode.frequency(),
            phi_e: mode.tip,
            dphi_e: mode.tip_slope,
            v: mode.v,
            w: mode.w,
            details: details.then(|| ModeDetails { c1, c2, k: mode.stiffness, nodes: mode.nodes() }),
        }
    }
}

/// Frequencies of several arms.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Table {
    /// An arm each.
    pub table: Vec<Row>,
    #[serde(skip)]
    heading: Vec<String>,
}

/// The frequencies of one arm.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// What its payload was multiplied by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_scale: Option<f64>,
    /// The joint angles that its boundaries were taken at, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Vec<f64>>,
    /// Link by link, Hz.
    pub frequencies_hz: Vec<Vec<f64>>,
}

impl Operation for Request {
    const NAME: &'static str = "flexible modes";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("plot", self.plot.as_deref()), ("animate", self.animation.animate.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::PLOT, self.plot.as_deref())])?;
        self.animation.check()?;
        let (description, _) = self.arm.describe(host)?;
        if let Some(rows) = self.variants(&description)? {
            return self.table(rows).map(Report::Table);
        }
        let built = self.arm.assemble(&description)?;
        if let Some(path) = &self.plot {
            plot::write(path, &figure(&built), self.style, host)?;
        }
        flexible::write_modes(&built, self.style.theme, &self.animation, host)?;
        let links = (0..built.modes.len()).map(|link| self.link(&description, &built, link)).collect();
        Ok(Report::Modes(Box::new(Modes { links, built })))
    }
}

impl Request {
    fn link(&self, description: &ArmDescription, built: &BuiltArm, link: usize) -> LinkModes {
        let modes = &built.modes[link];
        let details = || LinkDetails {
            length: built.arm.links()[link].length,
            boundary: built.boundaries[link].into(),
            z: built.arm.links()[link].z.chunks(modes.len().max(1)).map(<[f64]>::to_vec).collect(),
            outboard_stretched: boundary::outboard(description, link, &vec![0.0; built.arm.joints()]).into(),
        };
        LinkModes {
            modes: modes.iter().map(|mode| ModeReport::of(mode, self.details)).collect(),
            details: self.details.then(details),
        }
    }

    /// The arms of a table of frequencies, each with its row, which waits for them.
    fn variants(&self, description: &ArmDescription) -> Result<Option<Vec<(Row, ArmDescription)>>, Problem> {
        let row = |payload_scale, configuration| Row { payload_scale, configuration, frequencies_hz: Vec::new() };
        if let Some(scales) = &self.payload_scales {
            let variant = |&scale: &f64| (row(Some(scale), None), scaled(description, scale));
            return Ok(Some(scales.iter().map(variant).collect()));
        }
        let Some(text) = &self.configurations else { return Ok(None) };
        let variant = |angles: Vec<f64>| {
            let stated = ArmDescription { boundary_configuration: Some(angles.clone()), ..description.clone() };
            (row(None, Some(angles)), stated)
        };
        Ok(Some(read::lists(text, "--configurations")?.into_iter().map(variant).collect()))
    }

    fn table(&self, variants: Vec<(Row, ArmDescription)>) -> Result<Table, Problem> {
        let what = if self.payload_scales.is_some() { "payload scale" } else { "configuration" };
        let (mut table, mut heading) = (Vec::with_capacity(variants.len()), Vec::new());
        for (mut row, description) in variants {
            let built = self.arm.assemble(&description)?;
            row.frequencies_hz = built.modes.iter().map(|link| link.iter().map(Mode::frequency).collect()).collect();
            table.push(row);
            if heading.is_empty() {
                let names = built.arm.coordinate_names().into_iter().skip(built.arm.joints());
                let names = names.map(|name| format!("{} [Hz]", name.replace("delta", "f")));
                heading = std::iter::once(what.to_owned()).chain(names).collect();
            }
        }
        Ok(Table { table, heading })
    }
}

impl operation::Report for Report {
    fn text(&self) -> String {
        match self {
            Self::Modes(modes) => to_text(&modes.built),
            Self::Table(table) => table.to_text(),
        }
    }
}

impl Table {
    fn to_text(&self) -> String {
        let mut lines = vec![self.heading.clone()];
        for row in &self.table {
            let name = match (&row.payload_scale, &row.configuration) {
                (Some(scale), _) => format!("{scale:?}"),
                (None, angles) => format!("{:?}", angles.as_deref().unwrap_or_default()).replace(' ', ""),
            };
            let hertz = row.frequencies_hz.iter().flatten().map(|hertz| format!("{hertz:.6}"));
            lines.push(std::iter::once(name).chain(hertz).collect());
        }
        numbers::align_right(&lines).join("\n")
    }
}

fn to_text(built: &BuiltArm) -> String {
    let mut lines = vec![format!("{HEADING}{}{HEADING:#}", built.arm.name())];
    for (i, (modes, at)) in built.modes.iter().zip(&built.boundaries).enumerate() {
        lines.push(format!(
            "\nlink {} {FAINT}carries {} kg, {} kg m² about its end, {} kg m along it{FAINT:#}",
            i + 1,
            numbers::short(at.mass),
            numbers::short(at.inertia),
            numbers::short(at.mass_distance)
        ));
        if modes.is_empty() {
            lines.push("  rigid".to_owned());
            continue;
        }
        let mut rows = vec![
            ["mode", "f [Hz]", "ω [rad/s]", "β [1/m]", "φ_e", "φ'_e [1/m]", "v [kg]", "w [kg m]", "nodes x/ℓ"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (j, mode) in modes.iter().enumerate() {
            let length = built.arm.links()[i].length;
            let nodes: Vec<String> = mode.nodes().iter().map(|x| format!("{:.3}", x / length)).collect();
            let mut row = vec![(j + 1).to_string()];
            let cells = [mode.frequency(), mode.omega, mode.beta, mode.tip, mode.tip_slope, mode.v, mode.w];
            row.extend(cells.map(|x| format!("{x:.6}")));
            row.push(if nodes.is_empty() { "–".to_owned() } else { nodes.join(" ") });
            rows.push(row);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// As Figs. 2–4: the shapes of each link over the place on it.
fn figure(built: &BuiltArm) -> Figure {
    let x: Arc<[f64]> = (0..=200).map(|k| f64::from(k) / 200.0).collect();
    let mut cells = Vec::new();
    for (i, modes) in built.modes.iter().enumerate() {
        let length = built.arm.links()[i].length;
        for (part, modes) in modes.chunks(MOST_CURVES).enumerate() {
            let curve = |(j, mode): (usize, &Mode)| {
                let values = x.iter().map(|x| mode.at(x * length) * length).collect();
                let frequency = ticks::number(mode.frequency(), 3);
                let label = format!("φ_{{{}{}}} {frequency} Hz", i + 1, part * MOST_CURVES + j + 1);
                Curve::new(&x, values, Hue::Limb(i, j)).labelled(label)
            };
            cells.push(vec![Panel {
                name: format!("Link {}", i + 1),
                unit: "m".to_owned(),
                note: "shape times length, φ ℓ".to_owned(),
                hue: Hue::Joint(i),
                curves: modes.iter().enumerate().map(curve).collect(),
                ..Panel::default()
            }]);
        }
    }
    let lowest = built.modes.iter().flatten().map(Mode::frequency).fold(f64::INFINITY, f64::min);
    let finding =
        if lowest.is_finite() { format!("lowest frequency {} Hz", ticks::number(lowest, 3)) } else { String::new() };
    let title = format!("{} · shapes of the modes", built.arm.name());
    Figure {
        description: format!("{title}. {finding}"),
        title,
        notes: vec![finding, "each link by itself".to_owned(), "jourdain flexible modes".to_owned()],
        x: Axis { name: "place on the link, x/ℓ".to_owned(), ..Axis::default() },
        legend: Vec::new(),
        blocks: vec![Block { cells, wide: true }],
    }
}
