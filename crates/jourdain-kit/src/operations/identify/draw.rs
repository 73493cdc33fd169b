//! Measured and predicted torques, a panel per joint.

use super::report::torque_units;
use crate::host::Host;
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use jourdain::identify::{self, Drawn};
use std::path::Path;

/// Draws the torques along a log.
pub(super) fn torques(path: &Path, problem: &identify::Problem, drawn: &Drawn, host: &dyn Host) -> Result<(), Problem> {
    let panel = |(j, (joint, unit)): (usize, (&String, String))| Panel {
        axis: format!("{joint} [{unit}]"),
        curves: vec![
            Curve { name: "measured".to_owned(), values: drawn.measured[j].clone() },
            Curve { name: "predicted".to_owned(), values: drawn.predicted[j].clone() },
        ],
    };
    let panels: Vec<Panel> = problem.joints().iter().zip(torque_units(problem)).enumerate().map(panel).collect();
    let title = format!("{}: measured and predicted torques", problem.model().name());
    plot::stacked(path, &title, "time [s]", &drawn.t, &panels, host)
}
