//! Rows to samples by way of smooth curves, window by window, in memory that does not grow with the log.
//!
//! A window is a fixed range of rows with margins on either side, beyond which a curve has forgotten everything; windows begin at multiples
//! of their length, so that a part of a log gives, sample by sample, what the whole gives. In a window the true times are found,
//! stretches between gaps get a curve each, and every row becomes a sample: the curve at its time, and its torque as measured.

use super::super::accumulate::Sample;
use super::super::hysteresis::{Coordinates, Hysteresis};
use super::late::{Late, torques_at};
use super::recording::{Numbers, Recording};
use super::spline::{Spline, memory};
use super::stamps::{self, Recorded, Tick};
use std::ops::Range;

/// Least rows of a window.
const WINDOW: u64 = 4096;
/// Least samples of a gap.
const GAP: f64 = 2.5;
/// Most seconds that are dropped at an end.
const MOST_DROPPED: f64 = 0.5;

/// How curves are laid through a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Cut-off, Hz.
    pub cutoff: f64,
    /// Samples per second.
    pub rate: f64,
    /// The clock of the device, where stamps lie.
    pub tick: Option<Tick>,
    /// Seconds of stamps per tick.
    pub stamp_per_tick: f64,
    /// Torques belong to the motion so many seconds later.
    pub delay: f64,
    /// Every so manieth row becomes a sample.
    pub decimate: u64,
    /// Seconds that columns are late by, at most.
    pub reach: f64,
}

impl Plan {
    /// Rows beyond a window that its samples still feel.
    fn margin(&self) -> u64 {
        ((memory(self.cutoff) + self.reach) * self.rate).ceil() as u64 + 8
    }

    /// Rows of a window.
    fn window(&self) -> u64 {
        WINDOW.max(4 * self.margin())
    }

    /// Seconds dropped at ends and around gaps: there a curve is known from one side only.
    pub fn edge(&self) -> f64 {
        (1.0 / self.cutoff).min(MOST_DROPPED)
    }

    /// The longest step, s, that is no gap.
    fn gap(&self) -> f64 {
        (1.0 / self.cutoff).max(GAP / self.rate)
    }
}

/// Makes samples of rows.
pub(super) struct Smoother {
    plan: Plan,
    /// The rows that count.
    rows: Range<u64>,
    recording: Recording,
    /// First row of the next window.
    window: u64,
    spline: Spline,
    times: Vec<f64>,
    /// The stamp of the last row that was dropped from memory, so that a stretch is known to go on.
    before: Option<f64>,
    state: [Vec<f64>; 3],
    late: Late,
    torques: Vec<f64>,
    hysteresis: Option<Hysteresis>,
    /// No rows are to come.
    ended: bool,
    pub samples: u64,
    /// Samples that were passed over by thinning.
    pub thinned: u64,
    pub gaps: u64,
    /// A curve had numbers beyond floating point.
    pub failed: bool,
}

impl Smoother {
    /// Rows are to come, into an empty recording, from [`first_row`](Self::first_row) on. With coordinates of drives their hysteresis is followed.
    pub fn new(
        plan: Plan,
        recording: Recording,
        rows: Range<u64>,
        coordinates: Option<Coordinates>,
        late: Late,
    ) -> Self {
        let (width, efforts) = (recording.width, recording.efforts);
        Self {
            plan,
            // Hysteresis depends on all of the motion before.
            window: if coordinates.is_some() { 0 } else { rows.start / plan.window() * plan.window() },
            hysteresis: coordinates.map(Hysteresis::new),
            rows,
            recording,
            spline: Spline::new(width),
            times: Vec::new(),
            before: None,
            state: std::array::from_fn(|_| vec![0.0; width]),
            torques: vec![0.0; efforts],
            late,
            ended: false,
            samples: 0,
            thinned: 0,
            gaps: 0,
            failed: false,
        }
    }

    /// The first row that is felt by those that count.
    pub fn first_row(&self) -> u64 {
        self.window.saturating_sub(self.plan.margin())
    }

    /// The last row that is felt by those that count.
    pub fn last_row(&self) -> u64 {
        let windows = self.rows.end.div_ceil(self.plan.window());
        windows.saturating_mul(self.plan.window()).saturating_add(self.plan.margin())
    }

    /// Takes in a row.
    pub fn push(&mut self, row: u64, t: f64, numbers: &Numbers, take: &mut impl FnMut(&Sample<'_>)) {
        while row >= self.window + self.plan.window() + self.plan.margin() {
            self.next_window(take);
        }
        self.recording.push(row, t, numbers);
    }

    /// Makes samples of the last rows; `ended` if the log ends there too.
    pub fn finish(&mut self, ended: bool, take: &mut impl FnMut(&Sample<'_>)) {
        self.ended = ended;
        while self.recording.rows.last().is_some_and(|last| *last >= self.window) {
            self.next_window(take);
        }
    }

    fn next_window(&mut self, take: &mut impl FnMut(&Sample<'_>)) {
        let (begin, end) = (self.window, self.window + self.plan.window());
        let most = self.recording.rows.partition_point(|row| *row < end + self.plan.margin());
        let last = self.ended && most == self.recording.len();
        self.find_times(most);
        let mut from = 0;
        while from < most {
            let goes_on = |at: &usize| self.times[*at] - self.times[at - 1] <= self.plan.gap();
            let to = from + 1 + (from + 1..most).take_while(goes_on).count();
            let open_begin = from == 0 && self.before.is_some_and(|t| self.times[0] - t <= self.plan.gap());
            let open_end = to == most && !last;
            let at_gap = self.recording.rows[from];
            if (begin..end).contains(&at_gap) && (from > 0 || self.before.is_some()) && !open_begin {
                self.gaps += u64::from(self.rows.contains(&at_gap));
            }
            self.stretch(from..to, open_begin, open_end, begin..end, take);
            from = to;
        }
        let keep = end.saturating_sub(self.plan.margin());
        let forgotten = self.recording.rows.partition_point(|row| *row < keep);
        if forgotten > 0 {
            self.before = Some(self.times.get(forgotten - 1).copied().unwrap_or(self.recording.times[forgotten - 1]));
            self.recording.forget(forgotten);
        }
        self.window = end;
    }

    /// The times at which the first rows in memory were taken.
    fn find_times(&mut self, count: usize) {
        let (stamps, n) = (&self.recording.times[..count], self.recording.width);
        self.times.clear();
        let Some(tick) = self.plan.tick.filter(|_| count > 1) else { return self.times.extend_from_slice(stamps) };
        let qd = (!self.recording.qd.is_empty()).then(|| &self.recording.qd[..count * n]);
        let recorded = Recorded { times: stamps, q: &self.recording.q[..count * n], qd, width: n };
        let steps = stamps::steps(&recorded);
        self.times.extend(stamps::on_lattice(stamps, &steps, tick, self.plan.stamp_per_tick));
    }

    /// A curve through rows without a gap, and samples of those that lie in the window.
    fn stretch(
        &mut self,
        range: Range<usize>,
        open_begin: bool,
        open_end: bool,
        window: Range<u64>,
        take: &mut impl FnMut(&Sample<'_>),
    ) {
        let Self { plan, rows, recording, spline, times, state, samples, thinned, hysteresis, late, torques, .. } =
            self;
        let edge = plan.edge();
        let first = times[range.start] + if open_begin { 0.0 } else { edge };
        let last = times[range.end - 1] - if open_end { 0.0 } else { edge };
        let inside = |at: usize| {
            let row = recording.rows[at];
            let inside = times[at] >= first && times[at] <= last && (at == 0 || times[at] > times[at - 1]);
            inside && window.contains(&row) && rows.contains(&row)
        };
        let wanted = |at: usize| inside(at) && recording.rows[at].is_multiple_of(plan.decimate);
        *thinned += range.clone().filter(|at| inside(*at) && !wanted(*at)).count() as u64;
        let follows = |at: usize| hysteresis.is_some() && window.contains(&recording.rows[at]);
        if !range.clone().any(|at| wanted(at) || follows(at)) {
            return;
        }
        let n = recording.width;
        if !spline.fit(&times[range.clone()], &recording.q[range.start * n..range.end * n], plan.cutoff, plan.rate) {
            self.failed = true;
            return;
        }
        for at in range.clone().filter(|at| window.contains(&recording.rows[*at])) {
            let [q, qd, qdd] = state;
            if hysteresis.is_some() || wanted(at) {
                let (t, orders) = (times[at] + plan.delay, [&mut q[..], &mut qd[..], &mut qdd[..]]);
                if late.positions.is_empty() {
                    spline.at(t, orders)
                } else {
                    spline.at_each(t, &late.positions, orders)
                }
            }
            if let Some(hysteresis) = hysteresis {
                hysteresis.advance(q);
            }
            let mut tau = recording.torques(at);
            if late.has_torques() && wanted(at) {
                // Wrenches are as they are.
                torques.copy_from_slice(tau);
                if !torques_at(times[at], &late.torques, times, &recording.tau, range.clone(), torques) {
                    continue;
                }
                tau = torques;
            }
            if wanted(at) {
                let z = hysteresis.as_ref().map_or(&[][..], Hysteresis::elements);
                take(&Sample { t: times[at], q, qd, qdd, tau, z });
                *samples += 1;
            }
        }
    }
}
