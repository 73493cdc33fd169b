//! A log as a stream of samples.

use super::super::accumulate::Sample;
use super::super::error::IdentifyError;
use super::super::hysteresis::{Coordinates, Hysteresis};
use super::super::identity::RowCounts;
use super::clock::Clock;
use super::columns::Columns;
use super::consistency::Consistency;
use super::late::Late;
use super::lines::Lines;
use super::loads::{Base, Loads};
use super::recording::{ALIKE, Doubled, Numbers, Recording};
use super::rows::{Rows, TableRows};
use super::smooth::{Plan, Smoother};
use super::spectrum::bandwidth;
use super::stamps::{self, Recorded, Tick};
use crate::formats::table::{Place, Table, first_lines};
use crate::model::Model;
use std::io::{BufRead, Cursor, Read as _};
use std::ops::{ControlFlow, Range};

/// Lines that the clock, the sampling rate and the spectrum are found from.
pub const PRELUDE: usize = 1 << 15;
/// The cut-off is this many times the highest frequency of the motion: its amplitude then changes by 6 in a hundred thousand.
const ABOVE_MOTION: f64 = 5.0;
/// The largest default cut-off over the sampling rate.
const HIGHEST: f64 = 0.2;
/// Quaternions may be off by this much; they are then normalised.
const UNIT: f64 = 1e-3;
/// No position, velocity, acceleration or torque is larger: beyond it, squares of squares leave the range of floating point.
const LARGEST: f64 = 1e15;

/// How a log is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Samples per second, if the log does not tell.
    pub rate: Option<f64>,
    /// Cut-off of the smoothing, Hz. Given, the motion is smoothed even if derivatives are in the log.
    pub cutoff: Option<f64>,
    /// Torques belong to the motion so many seconds later; counts where the motion is smoothed.
    pub delay: f64,
    /// What holds a free base, where the log has no torques of it; without it, nothing but the wrenches of the log, if there are any.
    pub base: Option<Base>,
    /// Columns that are late; the motion is then smoothed even if derivatives are in the log.
    pub late: Late,
    /// Takes every so manieth sample.
    pub decimate: Option<u64>,
    /// Follows the hysteresis of drives along these coordinates, from the first row of the log on.
    pub coordinates: Option<Coordinates>,
    /// Every row is a pose at rest: velocities and accelerations are zero, whatever the log has.
    pub at_rest: bool,
    /// The rows that count, from 0; rows around them are read for the curves' sake.
    pub rows: Option<Range<u64>>,
}

/// How the motion of a log was smoothed.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtering {
    /// Cut-off, Hz.
    pub cutoff: f64,
    /// The cut-off was found from the spectrum.
    pub from_spectrum: bool,
    /// Samples per second.
    pub rate: f64,
    /// The clock of the device, where the stamps are uneven and it could be found.
    pub tick: Option<Tick>,
    /// Every so manieth sample is used.
    pub decimate: u64,
    /// Samples dropped at either end.
    pub dropped: usize,
    /// What was found by differentiation.
    pub found: &'static str,
}

/// What came of reading a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Lines with numbers that were read.
    pub rows: u64,
    /// Samples that were taken.
    pub samples: u64,
    /// Rows that were the one before once more, and left out.
    pub doubled: u64,
    /// Samples that were passed over because only every so manieth is taken.
    pub thinned: u64,
    /// Gaps in time.
    pub gaps: u64,
    /// What the time stamps count.
    pub clock: Clock,
    /// The first stamp that was read, s, if there are stamps.
    pub start: Option<f64>,
    /// The smoothing, if there was one.
    pub filtering: Option<Filtering>,
}

impl Summary {
    /// Of no rows.
    fn new(clock: Clock) -> Self {
        Self { rows: 0, samples: 0, doubled: 0, thinned: 0, gaps: 0, clock, start: None, filtering: None }
    }

    /// What became of the rows.
    #[must_use]
    pub fn counts(&self) -> RowCounts {
        let Self { rows, samples, doubled, thinned, .. } = *self;
        RowCounts {
            read: rows,
            used: samples,
            doubled,
            thinned,
            edges: rows.saturating_sub(samples + doubled + thinned),
        }
    }
}

/// Reads a log and gives its samples, in order, to `take`.
///
/// # Errors
/// What is wrong with the log, with its line.
pub fn read<R: BufRead>(
    mut source: R,
    model: &Model<f64>,
    options: &Options,
    mut take: impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let prelude = first_lines(&mut source, PRELUDE)?;
    let found = look(&mut Lines::new(&prelude[..], model)?, model, options)?;
    let mut lines = Lines::new(Cursor::new(prelude).chain(source), model)?;
    samples(&mut lines, &found, model, options, &mut take)
}

/// Reads a log that is in memory and gives its samples, in order, to `take`; `progress` is told how far it is, from 0 to 1, and may
/// stop it.
///
/// # Errors
/// What is wrong with the log, with its row; `progress` having stopped it.
pub fn read_table(
    table: &Table,
    model: &Model<f64>,
    options: &Options,
    progress: impl FnMut(f64) -> ControlFlow<()>,
    mut take: impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let go_on = |_| ControlFlow::Continue(());
    let found = look(&mut TableRows::new(table, PRELUDE, model, go_on)?, model, options)?;
    let mut rows = TableRows::new(table, usize::MAX, model, progress)?;
    samples(&mut rows, &found, model, options, &mut take)
}

/// What the first rows tell of a log.
pub(super) struct Found {
    clock: Clock,
    /// How to smooth, if derivatives are missing or a cut-off is given.
    smoothing: Option<(Plan, Filtering)>,
}

pub(super) fn samples(
    rows: &mut impl Rows,
    found: &Found,
    model: &Model<f64>,
    options: &Options,
    take: &mut impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let mut loads = Loads::new(model, rows.columns(), options.base);
    let take = &mut |sample: &Sample<'_>| loads.take_in(sample, &mut *take);
    match &found.smoothing {
        None => direct(rows, found.clock, model, options, take),
        Some((plan, filtering)) => smoothed(rows, found.clock, *plan, filtering, model, options, take),
    }
}

/// Decides from the first rows what the stamps are, and whether and how to smooth.
pub(super) fn look(rows: &mut impl Rows, model: &Model<f64>, options: &Options) -> Result<Found, IdentifyError> {
    if options.at_rest {
        return Ok(Found { clock: Clock::Seconds, smoothing: None });
    }
    let columns = rows.columns().clone();
    let (has_qd, has_qdd) = (columns.qd.is_some(), columns.qdd.is_some());
    let quaternion = model.links().iter().find(|link| link.joint.nq() != link.joint.nv());
    let as_it_is = has_qd && has_qdd && options.cutoff.is_none() && options.late.is_empty();
    let missing = match (has_qd, has_qdd) {
        (false, false) => "velocities and accelerations",
        (false, true) => "velocities",
        (true, false) => "accelerations",
        (true, true) => "nothing",
    };
    match quaternion {
        Some(_) if as_it_is => return Ok(Found { clock: Clock::Seconds, smoothing: None }),
        Some(link) => return Err(IdentifyError::QuaternionDerivatives { joint: link.joint_name.clone() }),
        None => {}
    }
    let (mut recording, doubled) = first_rows(rows, &columns, model, options)?;
    let n = recording.width;
    let qd = (!recording.qd.is_empty()).then(|| recording.qd.clone());
    let recorded = Recorded { times: &recording.times, q: &recording.q, qd: qd.as_deref(), width: n };
    let clock = if columns.t.is_some() { Clock::of(&recorded) } else { Clock::Seconds };
    if as_it_is {
        return Ok(Found { clock, smoothing: None });
    }
    if columns.t.is_none() && options.rate.is_none() {
        return Err(IdentifyError::NoTime { missing });
    }
    let too_few = IdentifyError::TooFew { samples: recording.len() as u64, needed: 32 };
    if stamps::mean_rate(&recording.times).is_none() {
        return Err(out_of_order(&recording).unwrap_or(too_few));
    }
    recording.times.iter_mut().for_each(|t| *t *= clock.seconds());
    let rate = without_rounding(stamps::mean_rate(&recording.times).ok_or(too_few)?);
    let bad = |cutoff: f64| IdentifyError::Cutoff { cutoff, rate };
    if !(rate.is_finite() && rate > 0.0) {
        return Err(bad(options.cutoff.unwrap_or(0.0)));
    }
    let (tick, stamp_per_tick) = find_tick(&recording, qd.as_deref(), doubled);
    let cutoff = options.cutoff.unwrap_or_else(|| {
        let joint = |j: usize| recording.q.iter().skip(j).step_by(n).copied().collect::<Vec<f64>>();
        let highest = (0..n).filter_map(|j| bandwidth(&joint(j), rate)).fold(0.0_f64, f64::max);
        if highest > 0.0 { (ABOVE_MOTION * highest).min(HIGHEST * rate) } else { HIGHEST * rate }
    });
    if !(cutoff > 0.0 && cutoff < 0.5 * rate) {
        return Err(bad(cutoff));
    }
    let decimate = options.decimate.unwrap_or(1).max(1);
    let reach = options.late.reach();
    let plan = Plan { cutoff, rate, tick, stamp_per_tick, delay: options.delay, decimate, reach };
    let dropped = (plan.edge() * rate).ceil() as usize;
    let from_spectrum = options.cutoff.is_none();
    let filtering = Filtering { cutoff, from_spectrum, rate, tick, decimate, dropped, found: missing };
    Ok(Found { clock, smoothing: Some((plan, filtering)) })
}

/// The first rows in memory, and how many of them were doubled.
fn first_rows(
    rows: &mut impl Rows,
    columns: &Columns,
    model: &Model<f64>,
    options: &Options,
) -> Result<(Recording, u64), IdentifyError> {
    let mut recording = Recording::new(model.nv(), columns.efforts().count());
    let (mut numbers, mut doubles, mut doubled) = (Numbers::default(), Doubled::new(), 0);
    let mut index = 0;
    loop {
        match rows.next() {
            Ok(Some(row)) => {
                numbers.read(row, columns);
                if doubles.is_doubled(&numbers) {
                    doubled += 1;
                } else {
                    let t = columns.t.map_or(index as f64 / options.rate.unwrap_or(1.0), |t| row[t]);
                    recording.push(index, t, &numbers);
                }
                index += 1;
            }
            Ok(None) => return Ok((recording, doubled)),
            // A bad line is told when its turn comes, unless nothing can be said before it.
            Err(error) if recording.len() < 2 => return Err(error),
            Err(_) => return Ok((recording, doubled)),
        }
    }
}

/// The clock of the device where stamps are uneven, and the seconds of stamps per tick.
fn find_tick(recording: &Recording, qd: Option<&[f64]>, doubled: u64) -> (Option<Tick>, f64) {
    let rises = recording.times.windows(2).all(|pair| pair[0] < pair[1]);
    if !rises || (doubled == 0 && stamps::are_even(&recording.times)) {
        return (None, 0.0);
    }
    let recorded = Recorded { times: &recording.times, q: &recording.q, qd, width: recording.width };
    let steps = stamps::steps(&recorded);
    let tick = stamps::tick(&steps);
    (tick, tick.map_or(0.0, |tick| stamps::stamp_per_tick(&recording.times, &steps, tick)))
}

/// Ten digits of a rate: differences of decimal times have no more.
fn without_rounding(rate: f64) -> f64 {
    format!("{rate:.9e}").parse().unwrap_or(rate)
}

/// The first row whose stamp is not after that of the row before.
fn out_of_order(recording: &Recording) -> Option<IdentifyError> {
    let at = recording.times.windows(2).position(|pair| pair[1] <= pair[0])?;
    let place = Place::Row(recording.rows[at + 1] + 1);
    Some(IdentifyError::TimeOrder { place, before: recording.times[at], now: recording.times[at + 1] })
}

/// Checks the order of time.
fn check_time(before: &mut Option<f64>, t: Option<f64>, place: Place) -> Result<(), IdentifyError> {
    let Some(now) = t else { return Ok(()) };
    match before.replace(now) {
        Some(before) if now <= before => Err(IdentifyError::TimeOrder { place, before, now }),
        _ => Ok(()),
    }
}

/// Checks that numbers are no larger than anything on earth.
fn check_size(row: &[f64], columns: &Columns, place: Place) -> Result<(), IdentifyError> {
    let time = columns.t;
    match columns.used().find(|column| Some(*column) != time && row[*column].abs() > LARGEST) {
        Some(column) => Err(IdentifyError::TooLarge { place, column: column + 1, value: row[column] }),
        None => Ok(()),
    }
}

fn gather(to: &mut [f64], row: &[f64], columns: &[usize]) {
    for (to, column) in to.iter_mut().zip(columns) {
        *to = row[*column];
    }
}

/// Scales quaternions to unit length.
fn normalise(model: &Model<f64>, q: &mut [f64], place: Place) -> Result<(), IdentifyError> {
    for link in model.links().iter().filter(|link| link.joint.nq() != link.joint.nv()) {
        let part = &mut q[link.q + link.joint.nq() - 4..link.q + link.joint.nq()];
        let length = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() > UNIT {
            return Err(IdentifyError::Quaternion { place, joint: link.joint_name.clone(), length });
        }
        part.iter_mut().for_each(|x| *x /= length);
    }
    Ok(())
}

/// Every row is a sample.
fn direct(
    lines: &mut impl Rows,
    clock: Clock,
    model: &Model<f64>,
    options: &Options,
    mut take: impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let columns = lines.columns().clone();
    let (velocities, accelerations) = match (&columns.qd, &columns.qdd) {
        _ if options.at_rest => (&Vec::new(), &Vec::new()),
        (Some(velocities), Some(accelerations)) => (velocities, accelerations),
        (Some(_) | None, Some(_) | None) => return Err(IdentifyError::NoTime { missing: "derivatives" }),
    };
    let n = model.nv();
    let (mut q, mut qd, mut qdd, mut tau) = (vec![0.0; model.nq()], vec![0.0; n], vec![0.0; n], Vec::new());
    let mut summary = Summary::new(clock);
    let rows = options.rows.clone().unwrap_or(0..u64::MAX);
    let decimate = options.decimate.unwrap_or(1).max(1);
    let mut consistency = Consistency::new(n);
    let (mut index, mut before) = (0, None);
    let mut hysteresis = options.coordinates.clone().map(Hysteresis::new);
    while index < rows.end {
        if index < rows.start && hysteresis.is_none() {
            if !lines.skip()? {
                break;
            }
            index += 1;
            continue;
        }
        let place = lines.place();
        let Some(row) = lines.next()? else { break };
        check_size(row, &columns, place)?;
        let t = columns.t.map(|t| row[t] * clock.seconds());
        check_time(&mut before, t, place)?;
        summary.start = summary.start.or(t);
        gather(&mut q, row, &columns.q);
        gather(&mut qd, row, velocities);
        gather(&mut qdd, row, accelerations);
        tau.clear();
        tau.extend(columns.efforts().map(|column| column.map_or(0.0, |column| row[column])));
        normalise(model, &mut q, place)?;
        if let Some(t) = t.filter(|_| q.len() == n && !options.at_rest) {
            consistency.add(t, &q, &qd, Some(&qdd));
        }
        if let Some(hysteresis) = &mut hysteresis {
            hysteresis.advance(&q);
        }
        if index < rows.start {
            index += 1;
            continue;
        }
        summary.rows += 1;
        if index.is_multiple_of(decimate) {
            let t = t.unwrap_or_else(|| index as f64 / options.rate.unwrap_or(1.0));
            let z = hysteresis.as_ref().map_or(&[][..], Hysteresis::elements);
            take(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z });
            summary.samples += 1;
        } else {
            summary.thinned += 1;
        }
        index += 1;
    }
    consistency.check(model)?;
    Ok(summary)
}

impl Numbers {
    /// Those of a row.
    fn read(&mut self, row: &[f64], columns: &Columns) {
        let take = |to: &mut Vec<f64>, columns: &[usize]| {
            to.clear();
            to.extend(columns.iter().map(|column| row[*column]));
        };
        take(&mut self.q, &columns.q);
        take(&mut self.qd, columns.qd.as_deref().unwrap_or_default());
        self.tau.clear();
        self.tau.extend(columns.efforts().map(|column| column.map_or(0.0, |column| row[column])));
    }
}

/// Rows become samples on smooth curves.
fn smoothed(
    lines: &mut impl Rows,
    clock: Clock,
    plan: Plan,
    filtering: &Filtering,
    model: &Model<f64>,
    options: &Options,
    take: &mut impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let columns = lines.columns().clone();
    let counting = options.rows.clone().unwrap_or(0..u64::MAX);
    let recording = Recording::new(model.nv(), columns.efforts().count());
    let mut smoother =
        Smoother::new(plan, recording, counting.clone(), options.coordinates.clone(), options.late.clone());
    let (first, end) = (smoother.first_row(), smoother.last_row());
    // Whether a row is doubled is seen from those before it.
    let start = first.saturating_sub(ALIKE as u64 + 1);
    let (mut numbers, mut doubles, mut consistency) =
        (Numbers::default(), Doubled::new(), Consistency::new(model.nv()));
    let (mut index, mut rows, mut doubled, mut before, mut start_time) = (0, 0, 0, None, None);
    while index < end {
        if index < start {
            if !lines.skip()? {
                break;
            }
            index += 1;
            continue;
        }
        let place = lines.place();
        let Some(row) = lines.next()? else { break };
        check_size(row, &columns, place)?;
        numbers.read(row, &columns);
        let t = columns.t.map(|t| row[t] * clock.seconds());
        let counts = counting.contains(&index);
        rows += u64::from(counts);
        if doubles.is_doubled(&numbers) {
            doubled += u64::from(counts);
        } else {
            check_time(&mut before, t, place)?;
            start_time = start_time.or(t);
            if let (Some(t), false) = (t, numbers.qd.is_empty()) {
                consistency.add(t, &numbers.q, &numbers.qd, None);
            }
            if index >= first {
                smoother.push(index, t.unwrap_or(index as f64 / plan.rate), &numbers, take);
            }
        }
        index += 1;
    }
    smoother.finish(index < end, take);
    consistency.check(model)?;
    if smoother.failed {
        return Err(IdentifyError::Unsmooth);
    }
    let Smoother { samples, thinned, gaps, .. } = smoother;
    let (start, filtering) = (start_time, Some(filtering.clone()));
    Ok(Summary { rows, samples, doubled, thinned, gaps, clock, start, filtering })
}
