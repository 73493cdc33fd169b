//! A motion over time: positions, velocities, errors, torques, energies, as far as there are any.

use crate::host::Host;
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use jourdain::simulate::{Column, Sample, Trajectory};
use std::path::Path;

/// Draws a motion as SVG.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, title: &str, motion: &Trajectory, host: &dyn Host) -> Result<(), Problem> {
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let layout = &motion.layout;
    let mut panels = vec![
        panel("position", &layout.positions, motion, |sample| sample.q.clone()),
        panel("velocity", &layout.velocities, motion, |sample| sample.qd.clone()),
    ];
    if motion.samples.iter().any(|sample| !sample.reference.is_empty()) {
        panels.push(panel("error", &layout.positions, motion, Sample::error));
    }
    if motion.samples.iter().flat_map(|sample| &sample.tau).any(|tau| *tau != 0.0) {
        panels.push(panel("torque", &layout.inputs, motion, |sample| sample.tau.clone()));
    }
    if let Some(first) = motion.memory.first() {
        panels.push(panel(first.symbol, &motion.memory, motion, |sample| sample.memory.clone()));
    }
    panels.push(energies(motion));
    plot::stacked(path, title, "time [s]", &times, &panels, host)
}

fn panel(what: &str, columns: &[Column], motion: &Trajectory, values: impl Fn(&Sample) -> Vec<f64>) -> Panel {
    let rows: Vec<Vec<f64>> = motion.samples.iter().map(values).collect();
    let count = rows.iter().map(Vec::len).min().unwrap_or(0);
    let curve = |(index, column): (usize, &Column)| Curve {
        name: column.place(),
        values: rows.iter().map(|row| row[index]).collect(),
    };
    let units = units(columns.iter().take(count));
    let axis = if units.is_empty() { what.to_owned() } else { format!("{what} [{units}]") };
    Panel { axis, curves: columns.iter().take(count).enumerate().map(curve).collect() }
}

/// The units that occur: `rad`, `m, rad`, ….
fn units<'c>(columns: impl Iterator<Item = &'c Column>) -> String {
    let mut units: Vec<String> = Vec::new();
    for unit in columns.map(Column::unit_text) {
        if !unit.is_empty() && !units.contains(&unit) {
            units.push(unit);
        }
    }
    units.join(", ")
}

fn energies(motion: &Trajectory) -> Panel {
    let energy = |name: &str, value: fn(&Sample) -> f64| Curve {
        name: name.to_owned(),
        values: motion.samples.iter().map(value).collect(),
    };
    let mut curves = vec![
        energy("kinetic", |sample| sample.kinetic),
        energy("potential", |sample| sample.potential),
        energy("total", Sample::energy),
    ];
    if motion.samples.iter().any(|sample| sample.work != 0.0) {
        curves.push(energy("total less work", |sample| sample.energy() - sample.work));
    }
    Panel { axis: "energy [J]".to_owned(), curves }
}
