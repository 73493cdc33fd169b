//! A log as a stream of samples.

use super::super::accumulate::Sample;
use super::super::error::IdentifyError;
use super::columns::Columns;
use super::filter::{LowPass, Window, ZeroPhase};
use super::lines::Lines;
use super::rows::{Rows, TableRows};
use super::spectrum::bandwidth;
use crate::formats::table::{Place, Table, first_lines};
use crate::model::Model;
use std::io::{BufRead, Cursor, Read as _};
use std::ops::{ControlFlow, Range};

/// Lines that the sampling rate and the spectrum are found from.
const PRELUDE: usize = 1 << 15;
/// The cut-off is this many times the highest frequency of the motion: its amplitude then changes by 3 in a million.
const ABOVE_MOTION: f64 = 5.0;
/// The largest default cut-off over the sampling rate.
const HIGHEST: f64 = 0.2;
/// A step of time longer than this many samples is a gap: the filter starts anew behind it.
const GAP: f64 = 1.5;
/// Quaternions may be off by this much; they are then normalised.
const UNIT: f64 = 1e-3;

/// How a log is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Samples per second, if the log does not tell.
    pub rate: Option<f64>,
    /// Cut-off of the filter, Hz. Given, the motion is filtered even if derivatives are in the log.
    pub cutoff: Option<f64>,
    /// Takes every so manieth sample.
    pub decimate: Option<u64>,
    /// The rows that count, from 0; rows around them are read for the filter's sake.
    pub rows: Option<Range<u64>>,
}

/// How a log was filtered.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtering {
    /// Cut-off, Hz.
    pub cutoff: f64,
    /// The cut-off was found from the spectrum.
    pub from_spectrum: bool,
    /// Samples per second.
    pub rate: f64,
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
    /// Gaps in time.
    pub gaps: u64,
    /// The filter, if there was one.
    pub filtering: Option<Filtering>,
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
    let filtering = plan(&mut Lines::new(&prelude[..], model)?, model, options)?;
    let mut lines = Lines::new(Cursor::new(prelude).chain(source), model)?;
    samples(&mut lines, filtering, model, options, &mut take)
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
    let filtering = plan(&mut TableRows::new(table, PRELUDE, model, go_on)?, model, options)?;
    let mut rows = TableRows::new(table, usize::MAX, model, progress)?;
    samples(&mut rows, filtering, model, options, &mut take)
}

fn samples(
    rows: &mut impl Rows,
    filtering: Option<(LowPass, Filtering)>,
    model: &Model<f64>,
    options: &Options,
    take: &mut impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    match filtering {
        None => direct(rows, model, options, take),
        Some((filter, filtering)) => {
            let mut reader = Filtered::new(rows.columns(), filter, filtering, model, options);
            reader.run(rows, take)
        }
    }
}

/// Decides from the first rows whether and how to filter.
fn plan(
    rows: &mut impl Rows,
    model: &Model<f64>,
    options: &Options,
) -> Result<Option<(LowPass, Filtering)>, IdentifyError> {
    let (has_qd, has_qdd) = (rows.columns().qd.is_some(), rows.columns().qdd.is_some());
    if has_qd && has_qdd && options.cutoff.is_none() {
        return Ok(None);
    }
    let found = match (has_qd, has_qdd) {
        (false, false) => "velocities and accelerations",
        (false, true) => "velocities",
        (true, false) => "accelerations",
        (true, true) => "nothing",
    };
    if let Some(link) = model.links().iter().find(|link| link.joint.nq() != link.joint.nv()) {
        return Err(IdentifyError::QuaternionDerivatives { joint: link.joint_name.clone() });
    }
    let (mut times, mut positions) = (Vec::new(), vec![Vec::new(); model.nq()]);
    let (t, q) = (rows.columns().t, rows.columns().q.clone());
    loop {
        match rows.next() {
            Ok(Some(row)) => {
                times.extend(t.map(|t| row[t]));
                for (position, column) in positions.iter_mut().zip(&q) {
                    position.push(row[*column]);
                }
            }
            Ok(None) => break,
            // A bad line is told when its turn comes, unless nothing can be said before it.
            Err(error) if positions.first().is_none_or(|position| position.len() < 2) => return Err(error),
            Err(_) => break,
        }
    }
    let rate = match (options.rate, t) {
        (Some(rate), _) => rate,
        (None, Some(_)) => {
            let mut steps: Vec<f64> =
                times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
            steps.sort_by(f64::total_cmp);
            let step = steps.get(steps.len() / 2).copied();
            without_rounding(1.0 / step.ok_or(IdentifyError::TooFew { samples: times.len() as u64, needed: 32 })?)
        }
        (None, None) => return Err(IdentifyError::NoTime { missing: found }),
    };
    let bad = |cutoff: f64| IdentifyError::Cutoff { cutoff, rate };
    if !(rate.is_finite() && rate > 0.0) {
        return Err(bad(options.cutoff.unwrap_or(0.0)));
    }
    let cutoff = options.cutoff.unwrap_or_else(|| {
        let highest = positions.iter().filter_map(|position| bandwidth(position, rate)).fold(0.0_f64, f64::max);
        if highest > 0.0 { (ABOVE_MOTION * highest).min(HIGHEST * rate) } else { HIGHEST * rate }
    });
    let filter = LowPass::new(cutoff, rate).ok_or_else(|| bad(cutoff))?;
    let decimate = options.decimate.unwrap_or(1).max(1);
    let dropped = ZeroPhase::new(filter, 1, 1).settle();
    let filtering = Filtering { cutoff, from_spectrum: options.cutoff.is_none(), rate, decimate, dropped, found };
    Ok(Some((filter, filtering)))
}

/// Ten digits of a rate: differences of decimal times have no more.
fn without_rounding(rate: f64) -> f64 {
    format!("{rate:.9e}").parse().unwrap_or(rate)
}

/// Checks the order of time; true if there is a gap.
fn check_time(
    before: &mut Option<f64>,
    t: Option<f64>,
    place: Place,
    step: Option<f64>,
) -> Result<bool, IdentifyError> {
    let Some(now) = t else { return Ok(false) };
    let gap = match before.replace(now) {
        Some(before) if now <= before => return Err(IdentifyError::TimeOrder { place, before, now }),
        Some(before) => step.is_some_and(|step| now - before > GAP * step),
        None => false,
    };
    Ok(gap)
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
    model: &Model<f64>,
    options: &Options,
    mut take: impl FnMut(&Sample<'_>),
) -> Result<Summary, IdentifyError> {
    let columns = lines.columns().clone();
    let (Some(velocities), Some(accelerations)) = (&columns.qd, &columns.qdd) else {
        return Err(IdentifyError::NoTime { missing: "derivatives" });
    };
    let n = model.nv();
    let (mut q, mut qd, mut qdd, mut tau) = (vec![0.0; model.nq()], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut summary = Summary { rows: 0, samples: 0, gaps: 0, filtering: None };
    let rows = options.rows.clone().unwrap_or(0..u64::MAX);
    let decimate = options.decimate.unwrap_or(1).max(1);
    let mut consistency = Consistency::new(n);
    let (mut index, mut before) = (0, None);
    while index < rows.end {
        if index < rows.start {
            if !lines.skip()? {
                break;
            }
            index += 1;
            continue;
        }
        let place = lines.place();
        let Some(row) = lines.next()? else { break };
        let t = columns.t.map(|t| row[t]);
        check_time(&mut before, t, place, None)?;
        gather(&mut q, row, &columns.q);
        gather(&mut qd, row, velocities);
        gather(&mut qdd, row, accelerations);
        gather(&mut tau, row, &columns.tau);
        normalise(model, &mut q, place)?;
        if let Some(t) = t.filter(|_| q.len() == n) {
            consistency.add(t, &q, &qd, &qdd);
        }
        summary.rows += 1;
        if index.is_multiple_of(decimate) {
            let t = t.unwrap_or_else(|| index as f64 / options.rate.unwrap_or(1.0));
            take(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau });
            summary.samples += 1;
        }
        index += 1;
    }
    consistency.check(model)?;
    Ok(summary)
}

/// Whether velocities in a log are the rates of its positions, and accelerations those of its velocities, up to units.
struct Consistency {
    before: Option<(f64, Vec<f64>, Vec<f64>)>,
    /// Per joint and order: Σ rate · mean, Σ mean², Σ rate².
    sums: Vec<[[f64; 3]; 2]>,
}

impl Consistency {
    fn new(n: usize) -> Self {
        Self { before: None, sums: vec![[[0.0; 3]; 2]; n] }
    }

    fn add(&mut self, t: f64, q: &[f64], qd: &[f64], qdd: &[f64]) {
        // A trapezium knows the change of a position from the velocities at both ends.
        if let Some((t0, q0, qd0)) = &mut self.before {
            let h = t - *t0;
            for (j, sums) in self.sums.iter_mut().enumerate() {
                let pairs = [((q[j] - q0[j]) / h, 0.5 * (qd[j] + qd0[j])), ((qd[j] - qd0[j]) / h, qdd[j])];
                for (sums, (rate, mean)) in sums.iter_mut().zip(pairs) {
                    sums[0] += rate * mean;
                    sums[1] += mean * mean;
                    sums[2] += rate * rate;
                }
            }
            *t0 = t;
            q0.copy_from_slice(q);
            qd0.copy_from_slice(qd);
        } else {
            self.before = Some((t, q.to_vec(), qd.to_vec()));
        }
    }

    fn check(&self, model: &Model<f64>) -> Result<(), IdentifyError> {
        const FAR: f64 = 10.0;
        for (sums, coordinate) in self.sums.iter().zip(model.velocities()) {
            for ([product, mean, rate], (what, of)) in
                sums.iter().zip([("velocities", "positions"), ("accelerations", "velocities")])
            {
                // Only where the two go together is their ratio a matter of units.
                let together = product.abs() > 0.9 * (mean * rate).sqrt();
                let ratio = product / mean;
                if together && *mean > 0.0 && (ratio.abs() > FAR || ratio.abs() < 1.0 / FAR) {
                    let evidence = format!("the rates of the {of} are {ratio:.4e} times the {what}");
                    // Who is wrong cannot be known; the limits of the joint tell of positions.
                    let joint = coordinate.to_string();
                    return Err(IdentifyError::Units { what, joint, evidence });
                }
            }
        }
        Ok(())
    }
}

/// Lines that pass a filter.
struct Filtered<'a> {
    columns: Columns,
    zero_phase: ZeroPhase,
    filtering: Filtering,
    rows: Range<u64>,
    model: &'a Model<f64>,
    row: Vec<f64>,
    /// Index of the first row of the segment, and its time.
    begin: (u64, f64),
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    tau: Vec<f64>,
    samples: u64,
}

impl<'a> Filtered<'a> {
    fn new(columns: &Columns, filter: LowPass, filtering: Filtering, model: &'a Model<f64>, options: &Options) -> Self {
        let n = model.nv();
        let derivatives = [&columns.qd, &columns.qdd].into_iter().flatten().count();
        let channels = (2 + derivatives) * n;
        Self {
            columns: columns.clone(),
            zero_phase: ZeroPhase::new(filter, channels, channels - n),
            filtering,
            rows: options.rows.clone().unwrap_or(0..u64::MAX),
            model,
            row: vec![0.0; channels],
            begin: (0, 0.0),
            q: vec![0.0; n],
            qd: vec![0.0; n],
            qdd: vec![0.0; n],
            tau: vec![0.0; n],
            samples: 0,
        }
    }

    fn run(&mut self, lines: &mut impl Rows, take: &mut impl FnMut(&Sample<'_>)) -> Result<Summary, IdentifyError> {
        let (n, step) = (self.model.nv(), 1.0 / self.filtering.rate);
        let margin = self.zero_phase.margin();
        let (start, end) = (self.rows.start.saturating_sub(margin), self.rows.end.saturating_add(margin));
        let (mut index, mut rows, mut gaps, mut before) = (0, 0, 0, None);
        while index < end {
            if index < start {
                if !lines.skip()? {
                    break;
                }
                index += 1;
                continue;
            }
            let place = lines.place();
            let Some(values) = lines.next()? else { break };
            let t = self.columns.t.map(|t| values[t]);
            if check_time(&mut before, t, place, Some(step))? {
                gaps += 1;
                self.push(None, take);
                self.begin = (index, t.unwrap_or(0.0));
            }
            if index == start {
                self.begin = (index, t.unwrap_or(index as f64 * step));
            }
            let groups =
                [Some(&self.columns.q), self.columns.qd.as_ref(), self.columns.qdd.as_ref(), Some(&self.columns.tau)];
            for (to, columns) in self.row.chunks_exact_mut(n).zip(groups.into_iter().flatten()) {
                gather(to, values, columns);
            }
            let row = std::mem::take(&mut self.row);
            self.push(Some(&row), take);
            self.row = row;
            rows += u64::from(self.rows.contains(&index));
            index += 1;
        }
        self.push(None, take);
        Ok(Summary { rows, samples: self.samples, gaps, filtering: Some(self.filtering.clone()) })
    }

    /// Takes in a row, or ends the segment.
    fn push(&mut self, row: Option<&[f64]>, take: &mut impl FnMut(&Sample<'_>)) {
        let Self { zero_phase, columns, filtering, rows, begin, q, qd, qdd, tau, samples, .. } = self;
        let mut emitter = Emitter { columns, filtering, rows, begin: *begin, q, qd, qdd, tau, samples };
        match row {
            Some(row) => zero_phase.push(row, |window| emitter.emit(window, take)),
            None => zero_phase.finish(|window| emitter.emit(window, take)),
        }
    }
}

/// Makes samples of filtered rows.
struct Emitter<'a> {
    columns: &'a Columns,
    filtering: &'a Filtering,
    rows: &'a Range<u64>,
    begin: (u64, f64),
    q: &'a mut [f64],
    qd: &'a mut [f64],
    qdd: &'a mut [f64],
    tau: &'a mut [f64],
    samples: &'a mut u64,
}

impl Emitter<'_> {
    fn emit(&mut self, window: &Window<'_>, take: &mut impl FnMut(&Sample<'_>)) {
        let (first, begin) = self.begin;
        let index = first + window.index;
        if !self.rows.contains(&index) || !index.is_multiple_of(self.filtering.decimate) {
            return;
        }
        let (n, rate) = (self.q.len(), self.filtering.rate);
        let (has_qd, has_qdd) = (self.columns.qd.is_some(), self.columns.qdd.is_some());
        let own = usize::from(has_qd) * n;
        let torques = own + n + usize::from(has_qdd) * n;
        for j in 0..n {
            self.q[j] = window.value(j);
            self.qd[j] = if has_qd { window.value(n + j) } else { window.slope(j) * rate };
            self.qdd[j] = match (has_qdd, has_qd) {
                (true, _) => window.value(own + n + j),
                (false, true) => window.slope(n + j) * rate,
                (false, false) => window.curvature(j) * rate * rate,
            };
            self.tau[j] = window.value(torques + j);
        }
        let t = begin + window.index as f64 / rate;
        take(&Sample { t, q: self.q, qd: self.qd, qdd: self.qdd, tau: self.tau });
        *self.samples += 1;
    }
}
