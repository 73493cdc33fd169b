//! Positions, velocities and energies over time.

use crate::host::Host;
use crate::labels::{self, Label};
use crate::plot::{self, Curve, Panel};
use crate::problem::Problem;
use jourdain::Model;
use jourdain::simulate::{Sample, Trajectory};
use std::path::Path;

pub(super) fn draw(path: &Path, model: &Model<f64>, motion: &Trajectory, host: &dyn Host) -> Result<(), Problem> {
    let (positions, velocities) = (labels::positions(model), labels::velocities(model));
    let times: Vec<f64> = motion.samples.iter().map(|sample| sample.t).collect();
    let curves = |labels: &[Label], values: fn(&Sample) -> &[f64]| {
        let curve = |(index, label): (usize, &Label)| Curve {
            name: label.name.clone(),
            values: motion.samples.iter().map(|sample| values(sample)[index]).collect(),
        };
        labels.iter().enumerate().map(curve).collect::<Vec<_>>()
    };
    let energy = |name: &str, value: fn(&Sample) -> f64| Curve {
        name: name.to_owned(),
        values: motion.samples.iter().map(value).collect(),
    };
    let mut energies = vec![
        energy("kinetic", |sample| sample.kinetic),
        energy("potential", |sample| sample.potential),
        energy("total", Sample::energy),
    ];
    if motion.samples.iter().any(|sample| sample.work != 0.0) {
        energies.push(energy("total less work", |sample| sample.energy() - sample.work));
    }
    let panels = [
        Panel {
            axis: format!("position [{}]", labels::units(&positions, "")),
            curves: curves(&positions, |sample| &sample.q),
        },
        Panel {
            axis: format!("velocity [{}]", labels::units(&velocities, "/s")),
            curves: curves(&velocities, |sample| &sample.qd),
        },
        Panel { axis: "energy [J]".to_owned(), curves: energies },
    ];
    plot::stacked(path, model.name(), "time [s]", &times, &panels, host)
}
