//! Values first, then times, the libraries taking turns.

use crate::compiled_side::CompiledRow;
use crate::dynibo_side::Dynibo;
use crate::jourdain_side::{pack, quantity};
use crate::pinocchio_side::Pinocchio;
use crate::robot::Robot;
use crate::rows::{ROWS, Row};
use crate::timing::{COUNT, Measured as _};
use std::error::Error;
use std::path::Path;

/// Largest difference of two libraries over max(1, largest value).
const TOLERANCE: f64 = 1e-10;
/// Shortest batch, µs.
const BATCH: f64 = 20.0;

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Turns that each library has.
    pub rounds: usize,
    /// Batches in a turn.
    pub batches: usize,
}

/// The times of one row, ns per state.
pub struct Times {
    pub row: &'static Row,
    pub pinocchio: f64,
    pub dynibo: Option<f64>,
    pub jourdain: f64,
    pub lanes: f64,
    /// Machine code, one state per call and many; ms to make it.
    pub compiled: f64,
    pub batch: f64,
    pub compile_ms: f64,
}

/// The times of one robot.
pub struct Comparison {
    pub robot: String,
    pub nv: usize,
    pub times: Vec<Times>,
    /// Why dynibo is missing.
    pub no_dynibo: Option<String>,
    /// Largest difference of values found.
    pub difference: f64,
}

/// # Errors
/// Values that differ, or a peer that fails.
pub fn compare(robot: &Robot, only: &str, effort: Effort, directory: &Path) -> Result<Comparison, Box<dyn Error>> {
    let four = pack(&robot.states);
    let mut pinocchio = Pinocchio::start(directory, &robot.model_file, &robot.state_file, &robot.tree)?;
    let (dynibo, no_dynibo) = match Dynibo::new(&robot.tree, &robot.states, directory) {
        Ok(dynibo) => (Some(dynibo), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let asked = || ROWS.iter().filter(|row| row.name.contains(only));
    let compiled: Vec<CompiledRow<'_>> = asked()
        .map(|row| CompiledRow::new(row.name, row.compiled, &robot.model, &robot.states))
        .collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    for (row, compiled) in asked().zip(&compiled) {
        let one = quantity(row.name, &robot.model, &robot.states, &robot.states).ok_or(row.name)?;
        let lanes = quantity(row.name, &robot.model, &four, &robot.states).ok_or(row.name)?;
        let dynibo = dynibo.as_ref().and_then(|dynibo| dynibo.quantity(row.name));
        rows.push((row, one, lanes, dynibo, compiled, compiled.one(), compiled.batch()));
    }
    let mut largest = 0.0_f64;
    for (row, one, lanes, dynibo, _, compiled, batch) in &mut rows {
        for index in 0..COUNT {
            let expected = pinocchio.check(row.peer, index, row.parts)?;
            let mut found = vec![
                ("jourdain", one.check(index)),
                ("jourdain with Lanes<4>", lanes.check(index)),
                ("jourdain compiled", compiled.check(index)),
                ("jourdain compiled, in batches,", batch.check(index)),
            ];
            found.extend(dynibo.as_mut().map(|dynibo| ("dynibo", dynibo.check(index))));
            for (library, values) in found {
                let difference = difference(&values, &expected);
                if !(difference <= TOLERANCE) {
                    let (name, robot) = (row.name, &robot.name);
                    return Err(format!("{robot}: {name} of {library} and Pinocchio differ by {difference:.1e}").into());
                }
                largest = largest.max(difference);
            }
        }
    }
    let mut times: Vec<Times> = Vec::new();
    for round in 0..effort.rounds {
        for (index, (row, one, lanes, dynibo, source, compiled, batch)) in rows.iter_mut().enumerate() {
            let measured = Times {
                row,
                pinocchio: pinocchio.fastest(row.peer, effort.batches, BATCH)?,
                dynibo: dynibo.as_mut().map(|dynibo| dynibo.fastest(effort.batches, BATCH)),
                jourdain: one.fastest(effort.batches, BATCH),
                lanes: lanes.fastest(effort.batches, BATCH) / 4.0,
                compiled: compiled.fastest(effort.batches, BATCH),
                batch: batch.fastest(effort.batches, BATCH),
                compile_ms: source.compile_ms(3),
            };
            if round == 0 {
                times.push(measured);
            } else {
                let best = &mut times[index];
                best.pinocchio = best.pinocchio.min(measured.pinocchio);
                best.dynibo = best.dynibo.zip(measured.dynibo).map(|(a, b)| a.min(b));
                best.jourdain = best.jourdain.min(measured.jourdain);
                best.lanes = best.lanes.min(measured.lanes);
                best.compiled = best.compiled.min(measured.compiled);
                best.batch = best.batch.min(measured.batch);
                best.compile_ms = best.compile_ms.min(measured.compile_ms);
            }
        }
    }
    let (robot, nv) = (robot.name.clone(), robot.model.nv());
    Ok(Comparison { robot, nv, times, no_dynibo, difference: largest })
}

fn difference(found: &[f64], expected: &[f64]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    apart.fold(0.0_f64, |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) }) / scale
}
