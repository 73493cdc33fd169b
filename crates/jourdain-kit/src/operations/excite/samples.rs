//! Samples of an exciting motion: a table that robots follow and logs begin with, and a plot.

use crate::host::Host;
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use crate::sheet::{Layout, Sheet};
use crate::states::Times;
use jourdain::Model;
use jourdain::formats::table::headings;
use jourdain::identify::excite::Excitation;
use jourdain::model::units;
use std::path::Path;

/// Most lines of samples.
pub(super) const MOST_ROWS: f64 = 1e7;

/// Lines that are made at once.
const BLOCK: u64 = 4096;

/// Points of a plot.
const POINTS: u32 = 800;

/// Writes positions, velocities and accelerations of one period, both ends included.
pub(super) fn write(
    path: &Path,
    model: &Model<f64>,
    found: &Excitation,
    rate: f64,
    host: &dyn Host,
) -> Result<(), Problem> {
    let velocities = model.velocities();
    let columns = ["q", "qd", "qdd"].into_iter().flat_map(|letters| headings(letters, &velocities));
    let layout = Layout::timed(columns.collect());
    let mut sheet = Sheet::by_name(&layout, Some(path), host)?;
    let last = (found.period * rate).round() as u64;
    for first in (0..=last).step_by(BLOCK as usize) {
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        let times: Vec<f64> = (first..=last.min(first + BLOCK - 1)).map(|i| i as f64 / rate).collect();
        let values: Vec<f64> = times.iter().flat_map(|t| found.at(*t)).flatten().collect();
        sheet.write(times.len(), &Times::Doubles(times), &values)?;
    }
    sheet.finish()
}

/// Draws positions, velocities and accelerations of one period.
pub(super) fn draw(path: &Path, model: &Model<f64>, found: &Excitation, host: &dyn Host) -> Result<(), Problem> {
    let velocities = model.velocities();
    let times: Vec<f64> = (0..=POINTS).map(|i| found.period * f64::from(i) / f64::from(POINTS)).collect();
    let motion: Vec<[Vec<f64>; 3]> = times.iter().map(|t| found.at(*t)).collect();
    let panel = |(what, order): (&str, i16)| Panel {
        axis: format!("{what} [{}]", units(&velocities, order)),
        curves: velocities
            .iter()
            .enumerate()
            .map(|(j, coordinate)| Curve {
                name: coordinate.to_string(),
                values: motion.iter().map(|state| state[usize::from(order.unsigned_abs())][j]).collect(),
            })
            .collect(),
    };
    let panels = [("position", 0), ("velocity", 1), ("acceleration", 2)].map(panel);
    let title = format!("{}: exciting motion, condition number {:.1}", model.name(), found.quality.condition);
    plot::stacked(path, &title, "time [s]", &times, &panels, host)
}
