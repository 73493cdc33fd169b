//! Plots as SVG: panels stacked over one axis, and lines in planes.

pub mod drawing;
#[cfg(feature = "pictures")]
mod font;
#[cfg(feature = "plot")]
mod plane;
#[cfg(feature = "pictures")]
pub mod png;
pub mod robot;
#[cfg(feature = "plot")]
mod stacked;
pub mod svg;
pub mod words;

use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::write;
use std::path::Path;

/// Curves that share an axis.
pub struct Panel {
    /// What stands beside the axis.
    pub axis: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One line of a panel.
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its values, one per place on the common axis.
    pub values: Vec<f64>,
}

/// A plane with lines.
pub struct Plane {
    /// What stands above it.
    pub title: String,
    /// What stands below the axis.
    pub x_axis: String,
    /// What stands beside the axis.
    pub y_axis: String,
    /// One unit is as long on both axes.
    pub equal: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line through points.
pub struct Line {
    /// What the legend calls it; lines without a name are left out there.
    pub name: Option<String>,
    /// What it goes through.
    pub points: Vec<(f64, f64)>,
    /// Index of the colour.
    pub color: usize,
    /// Pixels.
    pub width: u32,
    /// Marks the points.
    pub dots: bool,
}

impl Line {
    /// A named line without marks.
    pub fn curve(name: impl Into<String>, points: Vec<(f64, f64)>, color: usize) -> Self {
        Self { name: Some(name.into()), points, color, width: 2, dots: false }
    }
}

/// Draws panels over the values of `x`.
///
/// # Errors
/// The file cannot be written, or this build has no plots.
pub fn stacked(
    path: &Path,
    title: &str,
    x_axis: &str,
    x: &[f64],
    panels: &[Panel],
    host: &dyn Host,
) -> Result<(), Problem> {
    #[cfg(feature = "plot")]
    let svg = stacked::svg(title, x_axis, x, panels);
    #[cfg(not(feature = "plot"))]
    let svg = unsupported((title, x_axis, x, panels));
    put(path, svg, host)
}

/// Draws planes, two in a row.
///
/// # Errors
/// The file cannot be written, or this build has no plots.
pub fn planes(path: &Path, title: &str, planes: &[Plane], host: &dyn Host) -> Result<(), Problem> {
    #[cfg(feature = "plot")]
    let svg = plane::svg(title, planes);
    #[cfg(not(feature = "plot"))]
    let svg = unsupported((title, planes));
    put(path, svg, host)
}

#[cfg(not(feature = "plot"))]
fn unsupported<T>(_: T) -> Result<String, Box<dyn std::error::Error>> {
    Err("this build has no plots".into())
}

fn put(path: &Path, svg: Result<String, Box<dyn std::error::Error>>, host: &dyn Host) -> Result<(), Problem> {
    ending::PLOT.of(path)?;
    let svg = svg.map_err(|error| Problem::new("cannot-plot", format!("cannot draw the plot: {error}")))?;
    write::text(path, &svg, host)
}
