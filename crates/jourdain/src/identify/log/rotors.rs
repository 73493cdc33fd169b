//! Logs of elastic robots: positions of motors, `theta`, beside those of links.
//!
//! Which joints have a spring is told by the columns: those with a `theta` of their own. Motors are on the link side, shaft angle over gear
//! ratio. Both positions go through the same smooth curves, so that their difference, which is what a spring feels, is smoothed
//! as they are.
//!
//! Such a log is kept in memory, because it is read with several cut-offs.

use super::super::accumulate::Sample;
use super::super::error::IdentifyError;
use super::clock::Clock;
use super::late::Late;
use super::recording::{Doubled, Numbers, Recording};
use super::smooth::{Plan, Smoother};
use super::stamps::{self, Recorded};
use crate::formats::table::{
    self, POSITIONS, Place, RowParser, TORQUES, Table, TableError, Vector, Vocabulary, time_column,
};
use crate::model::{CoordinateKind, Model};
use std::io::BufRead;

/// The positions of motors.
const ROTORS: Vector = Vector { what: "positions of motors", letters: "theta", kind: CoordinateKind::Velocity };
/// No number is larger.
const LARGEST: f64 = 1e15;
/// Fewest rows that curves are laid through.
const LEAST_ROWS: u64 = 32;

/// A log with positions of motors and links.
#[derive(Clone, Debug)]
pub struct RotorLog {
    joints: usize,
    /// The degrees of freedom whose motors have positions of their own.
    pub elastic: Vec<usize>,
    /// Links first, then motors.
    recording: Recording,
    plan: Plan,
    /// What the time stamps count.
    pub clock: Clock,
    /// Lines with numbers.
    pub rows: u64,
    /// Lines that were the one before once more, and left out.
    pub doubled: u64,
}

/// Where links and motors are at one time.
#[derive(Clone, Copy, Debug)]
pub struct RotorSample<'a> {
    /// Time, s.
    pub t: f64,
    /// Position, velocity and acceleration of the links.
    pub links: [&'a [f64]; 3],
    /// The same of the motors that have their own, in the order of [`RotorLog::elastic`].
    pub rotors: [&'a [f64]; 3],
    /// Torques of the motors, link side.
    pub tau: &'a [f64],
}

/// Reads a log from a text; `rate` is in samples per second, for logs without time.
///
/// # Errors
/// What is wrong with the log, with its line.
pub fn read_rotors<R: BufRead>(source: R, model: &Model<f64>, rate: Option<f64>) -> Result<RotorLog, IdentifyError> {
    let mut lines = table::Lines::new(source);
    let mut parser = RowParser::new(&mut lines).map_err(|error| match error {
        TableError::Empty => IdentifyError::TooFew { samples: 0, needed: LEAST_ROWS },
        error => error.into(),
    })?;
    let columns = Columns::new(parser.headings(), model, rate)?;
    parser.want(columns.used());
    let (mut text, mut values) = (Vec::new(), vec![0.0; parser.headings().len()]);
    let mut reading = Reading::new(columns);
    while lines.next_into(&mut text)? {
        parser.parse(&text, lines.line(), &mut values)?;
        reading.push(Place::Line(lines.line()), &values)?;
    }
    reading.finish(model)
}

/// Reads a log from a table in memory.
///
/// # Errors
/// What is wrong with the log, with its row.
pub fn read_rotors_table(table: &Table, model: &Model<f64>, rate: Option<f64>) -> Result<RotorLog, IdentifyError> {
    let columns = Columns::new(table.headings(), model, rate)?;
    let used: Vec<usize> = columns.used().collect();
    let mut values = vec![0.0; table.headings().len()];
    let mut reading = Reading::new(columns);
    for row in 0..table.rows() {
        for &column in &used {
            values[column] = table.number(column, row)?;
        }
        reading.push(Place::Row(row as u64 + 1), &values)?;
    }
    reading.finish(model)
}

struct Columns {
    t: Option<usize>,
    q: Vec<usize>,
    theta: Vec<usize>,
    tau: Vec<usize>,
    elastic: Vec<usize>,
    rate: f64,
}

impl Columns {
    fn new(headings: &[String], model: &Model<f64>, rate: Option<f64>) -> Result<Self, IdentifyError> {
        if let Some(link) = model.links().iter().find(|link| link.joint.nq() != link.joint.nv()) {
            return Err(IdentifyError::QuaternionDerivatives { joint: link.joint_name.clone() });
        }
        let vocabulary = Vocabulary::new(model, &[POSITIONS, TORQUES, ROTORS]);
        let places = vocabulary.find(headings)?;
        let [q, tau] = [POSITIONS, TORQUES].map(|vector| vocabulary.required(vector.letters, &places, headings));
        let found = vocabulary.partial(ROTORS.letters, &places);
        let elastic: Vec<usize> = (0..found.len()).filter(|&k| found[k].is_some()).collect();
        if elastic.is_empty() {
            // Says which column is missing, and what it may be called.
            vocabulary.required(ROTORS.letters, &places, headings)?;
        }
        let t = time_column(headings)?;
        if t.is_none() && rate.is_none() {
            return Err(IdentifyError::NoTime { missing: "velocities and accelerations" });
        }
        let theta = found.iter().copied().flatten().collect();
        Ok(Self { t, q: q?, theta, tau: tau?, elastic, rate: rate.unwrap_or(1.0) })
    }

    fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.t.iter().chain(&self.q).chain(&self.theta).chain(&self.tau).copied()
    }
}

struct Reading {
    columns: Columns,
    recording: Recording,
    numbers: Numbers,
    doubles: Doubled,
    rows: u64,
    doubled: u64,
}

impl Reading {
    fn new(columns: Columns) -> Self {
        let width = columns.q.len() + columns.theta.len();
        Self {
            columns,
            recording: Recording::new(width, width),
            numbers: Numbers::default(),
            doubles: Doubled::new(),
            rows: 0,
            doubled: 0,
        }
    }

    fn push(&mut self, place: Place, row: &[f64]) -> Result<(), IdentifyError> {
        let Self { columns, numbers, .. } = self;
        let data = columns.q.iter().chain(&columns.theta).chain(&columns.tau);
        if let Some(&column) = data.clone().find(|column| row[**column].abs() > LARGEST) {
            return Err(IdentifyError::TooLarge { place, column: column + 1, value: row[column] });
        }
        numbers.q.clear();
        numbers.q.extend(columns.q.iter().chain(&columns.theta).map(|column| row[*column]));
        numbers.tau.clear();
        numbers.tau.extend(columns.tau.iter().map(|column| row[*column]));
        // A recording has as many torques as positions.
        numbers.tau.resize(numbers.q.len(), 0.0);
        if self.doubles.is_doubled(numbers) {
            self.doubled += 1;
        } else {
            let now = columns.t.map_or(self.rows as f64 / columns.rate, |t| row[t]);
            if let Some(&before) = self.recording.times.last().filter(|before| **before >= now) {
                return Err(IdentifyError::TimeOrder { place, before, now });
            }
            self.recording.push(self.rows, now, numbers);
        }
        self.rows += 1;
        Ok(())
    }

    fn finish(self, model: &Model<f64>) -> Result<RotorLog, IdentifyError> {
        let Self { columns, mut recording, rows, doubled, .. } = self;
        let width = recording.width;
        let clock = match columns.t {
            Some(_) => Clock::of(&Recorded { times: &recording.times, q: &recording.q, qd: None, width }),
            None => Clock::Seconds,
        };
        recording.times.iter_mut().for_each(|t| *t *= clock.seconds());
        let too_few = IdentifyError::TooFew { samples: recording.len() as u64, needed: LEAST_ROWS };
        if (recording.len() as u64) < LEAST_ROWS {
            return Err(too_few);
        }
        let rate = stamps::mean_rate(&recording.times).filter(|rate| rate.is_finite() && *rate > 0.0).ok_or(too_few)?;
        let mut plan =
            Plan { cutoff: 0.1 * rate, rate, tick: None, stamp_per_tick: 0.0, delay: 0.0, decimate: 1, reach: 0.0 };
        if doubled > 0 || !stamps::are_even(&recording.times) {
            let steps = stamps::steps(&Recorded { times: &recording.times, q: &recording.q, qd: None, width });
            plan.tick = stamps::tick(&steps);
            let per_tick = plan.tick.map(|tick| stamps::stamp_per_tick(&recording.times, &steps, tick));
            plan.stamp_per_tick = per_tick.unwrap_or(0.0);
        }
        Ok(RotorLog { joints: model.nv(), elastic: columns.elastic, recording, plan, clock, rows, doubled })
    }
}

impl RotorLog {
    /// Samples per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.plan.rate
    }

    /// Gives samples on curves with a cut-off, Hz, to `take`: every `decimate`th; torques belong to the motion `delay` seconds later.
    ///
    /// # Errors
    /// A cut-off beyond what the rate allows, or numbers that no curve goes through.
    pub fn samples(
        &self,
        cutoff: f64,
        delay: f64,
        decimate: u64,
        mut take: impl FnMut(&RotorSample<'_>),
    ) -> Result<u64, IdentifyError> {
        let rate = self.plan.rate;
        if !(cutoff > 0.0 && cutoff < 0.5 * rate) {
            return Err(IdentifyError::Cutoff { cutoff, rate });
        }
        let plan = Plan { cutoff, delay, decimate: decimate.max(1), ..self.plan };
        let (width, n) = (self.recording.width, self.joints);
        let mut smoother = Smoother::new(plan, Recording::new(width, width), 0..u64::MAX, None, Late::default());
        let mut each = |sample: &Sample<'_>| {
            let parts = [sample.q, sample.qd, sample.qdd].map(|part| part.split_at(n));
            take(&RotorSample {
                t: sample.t,
                links: parts.map(|(links, _)| links),
                rotors: parts.map(|(_, rotors)| rotors),
                tau: &sample.tau[..n],
            });
        };
        for (at, numbers) in self.recording.q.chunks_exact(width).enumerate() {
            let numbers = Numbers { q: numbers.to_vec(), qd: Vec::new(), tau: self.recording.torques(at).to_vec() };
            smoother.push(self.recording.rows[at], self.recording.times[at], &numbers, &mut each);
        }
        smoother.finish(true, &mut each);
        if smoother.failed { Err(IdentifyError::Unsmooth) } else { Ok(smoother.samples) }
    }
}
