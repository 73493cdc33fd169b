//! Plots: figures of panels over one axis, drawn once and written as SVG, PDF or PNG.
//!
//! | module | what is in it |
//! |---|---|
//! | [`drawing`] | marks on a page, before any file format |
//! | [`figure`] | what a plot shows, before any place on a page |
//! | [`joints`] | numbers of joints as panels: colours, units, limits, angles |
//! | [`look`] | widths, words, colours |
//! | [`robot`] | robots drawn to scale |
//! | [`svg`], [`png`], [`pdf`] | files |

mod arrange;
pub mod bode;
pub mod drawing;
pub mod figure;
#[cfg(feature = "pictures")]
mod font;
pub mod joints;
pub mod labels;
pub mod look;
mod panel;
#[cfg(feature = "pictures")]
pub mod pdf;
#[cfg(feature = "pictures")]
pub mod png;
#[cfg(test)]
mod random;
pub mod robot;
#[cfg(feature = "pictures")]
mod subset;
pub mod svg;
pub mod thin;
pub mod ticks;
pub mod words;

use crate::ending;
use crate::host::Host;
use crate::problem::Problem;
use crate::write;
use drawing::Drawing;
use figure::Figure;
use look::{Size, Style};
use std::path::Path;

/// Draws a figure into a file, of the kind that its name says.
///
/// # Errors
/// The name ends in something else, or the file cannot be written.
pub fn write(path: &Path, figure: &Figure, style: Style, host: &dyn Host) -> Result<(), Problem> {
    put(path, &figure.drawing(style), style.plot_size, host)
}

/// Writes a picture into a file, of the kind that its name says.
///
/// # Errors
/// The name ends in something else, or the file cannot be written.
pub fn put(path: &Path, drawing: &Drawing, size: Size, host: &dyn Host) -> Result<(), Problem> {
    let ending = ending::PLOT.of(path)?;
    write::bytes(path, &encoded(ending, drawing, size)?, host)
}

/// A picture as the contents of a file with this ending.
///
/// # Errors
/// This build has no pictures of that kind.
#[cfg_attr(not(feature = "pictures"), allow(unused_variables))]
pub fn encoded(ending: &str, drawing: &Drawing, size: Size) -> Result<Vec<u8>, Problem> {
    match ending {
        "svg" => Ok(svg::text(drawing).into_bytes()),
        #[cfg(feature = "pictures")]
        "pdf" => pdf::bytes(drawing),
        #[cfg(feature = "pictures")]
        "png" => png::bytes(&png::raster(drawing, size.resolution())?, size.resolution()),
        other => Err(ending::unknown(
            Path::new(&format!(".{other}")),
            ending::PLOT.what,
            ending::PLOT.endings.iter().copied(),
        )),
    }
}
