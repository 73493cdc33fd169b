//! Samples of an exciting motion: a table that robots follow and logs begin with, and a plot.

use crate::host::Host;
use crate::plot::figure::{Axis, Block, Figure};
use crate::plot::joints::{self, Palette, Quantity, Series, block};
use crate::plot::ticks;
use crate::problem::Problem;
use crate::sheet::{Layout, Sheet};
use crate::states::Times;
use jourdain::dynamics::recursive::inverse_dynamics_into;
use jourdain::formats::table::headings;
use jourdain::identify::excite::{Excitation, efforts};
use jourdain::model::Coordinate;
use jourdain::{Model, Workspace};
use std::path::Path;
use std::sync::Arc;

/// Most lines of samples.
pub(super) const MOST_ROWS: f64 = 1e7;

/// Lines that are made at once.
const BLOCK: u64 = 4096;

/// Points of a plot.
const POINTS: u32 = 800;

/// Writes positions, velocities, accelerations and jerks of one period, both ends included.
pub(super) fn write(
    path: &Path,
    model: &Model<f64>,
    found: &Excitation,
    rate: f64,
    host: &dyn Host,
) -> Result<(), Problem> {
    let velocities = model.velocities();
    let columns = ["q", "qd", "qdd", "qddd"].into_iter().flat_map(|letters| headings(letters, &velocities));
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

/// Positions, velocities, accelerations and torques of one period.
pub(super) fn figure(model: &Model<f64>, found: &Excitation) -> Figure {
    let velocities = model.velocities();
    let palette = Palette::of(model);
    let x: Arc<[f64]> = (0..=POINTS).map(|i| found.period * f64::from(i) / f64::from(POINTS)).collect();
    let motion: Vec<[Vec<f64>; 4]> = x.iter().map(|t| found.at(*t)).collect();
    let parts = [
        ("Position", "q", Quantity::Position),
        ("Velocity", "q\u{307}", Quantity::Velocity),
        ("Acceleration", "q\u{308}", Quantity::Other),
    ];
    let mut blocks: Vec<Block> = (parts.into_iter().zip(0_i16..))
        .map(|((what, letter, quantity), order)| {
            let one = |(j, coordinate): (usize, &Coordinate)| {
                let (joint, part) = (&coordinate.joint, coordinate.part.to_string());
                let of = palette.series(letter, joint, &part, coordinate.rate(order).to_string(), quantity);
                Series {
                    values: motion.iter().map(|state| state[usize::from(order.unsigned_abs())][j]).collect(),
                    ..of
                }
            };
            let series: Vec<Series> = velocities.iter().enumerate().map(one).collect();
            block(what, &x, &series)
        })
        .collect();
    blocks.push(torques(model, &palette, &x, &motion));
    let finding = format!("condition number {}", ticks::number(found.quality.condition, 3));
    let title = format!("{} · exciting motion", model.name());
    Figure {
        description: format!("{title}, one period of {} s. The {finding}.", joints::seconds(found.period)),
        title,
        notes: vec![finding, format!("period {} s", joints::seconds(found.period)), "jourdain excite".to_owned()],
        x: Axis::time(),
        legend: joints::limit_roles(&blocks),
        blocks,
    }
}

/// Torques by the model of the robot file, with the effort limits.
fn torques(model: &Model<f64>, palette: &Palette, x: &Arc<[f64]>, motion: &[[Vec<f64>; 4]]) -> Block {
    let (mut workspace, mut torque) = (Workspace::new(model), vec![0.0; model.nv()]);
    let mut values = vec![Vec::with_capacity(motion.len()); model.nv()];
    for [q, qd, qdd, _] in motion {
        inverse_dynamics_into(model, q, qd, qdd, &[], &mut workspace, &mut torque);
        values.iter_mut().zip(&torque).for_each(|(values, torque)| values.push(*torque));
    }
    let one = |((coordinate, values), effort): ((&Coordinate, Vec<f64>), f64)| {
        let (joint, part) = (&coordinate.joint, coordinate.part.to_string());
        let of = palette.series("τ", joint, &part, coordinate.effort().to_string(), Quantity::Other);
        Series { values, limits: effort.is_finite().then_some([-effort, effort]), ..of }
    };
    let series: Vec<Series> = model.velocities().iter().zip(values).zip(efforts(model)).map(one).collect();
    block("Torque", x, &series)
}
