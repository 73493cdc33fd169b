//! Values first, then times, the libraries taking turns.

use crate::compiled_side::CompiledRow;
use crate::dynibo_side::Dynibo;
use crate::jourdain_side::{pack, quantity};
use crate::peer::{Program, Remote};
use crate::robot::Robot;
use crate::rows::{ROWS, Row};
use crate::timing::{COUNT, Candidate, Local};
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

/// What is timed, in the order of the turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Library {
    Pinocchio,
    Casadi,
    Dynibo,
    /// jourdain on the model read at run time, and with four states at once.
    Jourdain,
    Lanes,
    /// jourdain's machine code, one state per call and many.
    Compiled,
    Batch,
}

/// The times of one row, ns per state.
pub struct Times {
    pub row: &'static Row,
    times: Vec<(Library, f64)>,
    /// From the model to machine code, ms.
    pub compile_ms: f64,
}

impl Times {
    /// ns per state, if the library has the quantity.
    pub fn of(&self, library: Library) -> Option<f64> {
        self.times.iter().find(|(one, _)| *one == library).map(|(_, ns)| *ns)
    }

    /// How many times as fast as a peer.
    pub fn ratio(&self, peer: Library, ours: Library) -> Option<f64> {
        Some(self.of(peer)? / self.of(ours)?)
    }
}

/// The times of one robot.
pub struct Comparison {
    pub robot: String,
    pub nv: usize,
    pub times: Vec<Times>,
    /// Peers that are missing, and why.
    pub missing: Vec<(&'static str, String)>,
    /// Largest difference of values found.
    pub difference: f64,
}

/// A row with all who can compute it.
struct Race<'a> {
    row: &'static Row,
    candidates: Vec<(Library, Box<dyn Candidate + 'a>)>,
    compiled: &'a CompiledRow<'a>,
}

/// # Errors
/// Values that differ, or a peer that fails.
pub fn compare(robot: &Robot, only: &str, effort: Effort, directory: &Path) -> Result<Comparison, Box<dyn Error>> {
    let four = pack(&robot.states);
    let mut missing = Vec::new();
    let pinocchio = Program::pinocchio(robot, directory).start(robot)?;
    let casadi = Program::casadi(robot, directory).map_err(|error| missing.push(("CasADi", error.to_string()))).ok();
    let casadi = casadi.map(|program| program.start(robot).map(|peer| (program, peer))).transpose()?;
    let dynibo = Dynibo::new(&robot.tree, &robot.states, directory)
        .map_err(|error| missing.push(("dynibo", error.to_string())))
        .ok();
    let rows = || ROWS.iter().filter(|row| row.name.contains(only));
    let compiled: Vec<CompiledRow<'_>> =
        rows().map(|row| CompiledRow::new(row, &robot.model, &robot.states)).collect::<Result<_, _>>()?;

    let mut races = Vec::new();
    for (row, compiled) in rows().zip(&compiled) {
        let mut candidates: Vec<(Library, Box<dyn Candidate + '_>)> = Vec::new();
        if let Some(name) = row.pinocchio {
            candidates.push((Library::Pinocchio, Box::new(Remote { peer: &pinocchio, name, parts: row.parts })));
        }
        if let Some((_, peer)) = casadi.as_ref().filter(|(program, _)| program.has_code_of(row)) {
            candidates.push((Library::Casadi, Box::new(Remote { peer, name: row.name, parts: row.parts })));
        }
        if let Some(quantity) = dynibo.as_ref().and_then(|dynibo| dynibo.quantity(row.name)) {
            candidates.push((Library::Dynibo, Box::new(Local(quantity))));
        }
        let one = quantity(row.name, &robot.model, &robot.states, &robot.states).ok_or(row.name)?;
        let lanes = quantity(row.name, &robot.model, &four, &robot.states).ok_or(row.name)?;
        candidates.push((Library::Jourdain, Box::new(Local(one))));
        candidates.push((Library::Lanes, Box::new(Local(lanes))));
        candidates.push((Library::Compiled, Box::new(Local(Box::new(compiled.one())))));
        candidates.push((Library::Batch, Box::new(Local(Box::new(compiled.batch())))));
        races.push(Race { row, candidates, compiled });
    }

    let mut difference = 0.0_f64;
    for race in &mut races {
        difference = difference.max(race.largest_difference().map_err(|error| format!("{}: {error}", robot.name))?);
    }
    let mut times: Vec<Times> = Vec::new();
    for round in 0..effort.rounds {
        for (index, race) in races.iter_mut().enumerate() {
            let measured = race.times(effort.batches)?;
            if round == 0 {
                times.push(measured);
            } else {
                times[index].keep_smaller(&measured);
            }
        }
    }
    Ok(Comparison { robot: robot.name.clone(), nv: robot.model.nv(), times, missing, difference })
}

impl Race<'_> {
    /// Of all who can compute it from the first.
    fn largest_difference(&mut self) -> Result<f64, Box<dyn Error>> {
        let mut largest = 0.0_f64;
        for index in 0..COUNT {
            let mut expected: Option<(Library, Vec<f64>)> = None;
            for (library, candidate) in &mut self.candidates {
                let values = candidate.values(index)?;
                let Some((first, expected)) = &expected else {
                    expected = Some((*library, values));
                    continue;
                };
                let apart = difference(&values, expected);
                if apart.is_nan() || apart > TOLERANCE {
                    let name = self.row.name;
                    return Err(format!("{name} of {library:?} and {first:?} differ by {apart:.1e}").into());
                }
                largest = largest.max(apart);
            }
        }
        Ok(largest)
    }

    /// One turn of each.
    fn times(&mut self, batches: usize) -> Result<Times, Box<dyn Error>> {
        let time = |(library, candidate): &mut (Library, Box<dyn Candidate + '_>)| -> Result<_, Box<dyn Error>> {
            Ok((*library, candidate.time(batches, BATCH)?))
        };
        let times = self.candidates.iter_mut().map(time).collect::<Result<_, _>>()?;
        Ok(Times { row: self.row, times, compile_ms: self.compiled.compile_ms(3) })
    }
}

impl Times {
    fn keep_smaller(&mut self, other: &Self) {
        for ((_, best), (_, measured)) in self.times.iter_mut().zip(&other.times) {
            *best = best.min(*measured);
        }
        self.compile_ms = self.compile_ms.min(other.compile_ms);
    }
}

fn difference(found: &[f64], expected: &[f64]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    apart.fold(0.0_f64, |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) }) / scale
}
