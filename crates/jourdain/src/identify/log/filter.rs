//! Zero-phase low-pass and derivatives of what it leaves.
//!
//! A Butterworth filter of order 4 runs forwards and then backwards, so that nothing is delayed: amplitude 1/(1 + (f/f_c)⁸),
//! one half at the cut-off. The backward run starts some way ahead of the samples that are wanted, where what it started
//! from has died away below rounding; so a log is filtered in blocks of constant size and the result is that of the whole.
//!
//! Derivatives are central differences over seven samples, exact for polynomials of degree six: their error at frequency f is
//! (2π f h)⁶/140 for the first and /560 for the second, small next to what the filter does.

use std::f64::consts::PI;

/// Damping of the slowest pole pair, sin(π/8), as a rate per radian of cut-off.
const SLOWEST: f64 = 0.382_683_432_365_089_8;

/// A biquad in transposed direct form: y = b₀x + s₁, s₁ = b₁x − a₁y + s₂, s₂ = b₂x − a₂y.
#[derive(Clone, Copy, Debug)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
}

impl Biquad {
    #[inline(always)]
    fn step(&self, x: f64, state: &mut [f64; 2]) -> f64 {
        let y = self.b[0] * x + state[0];
        state[0] = self.b[1] * x - self.a[0] * y + state[1];
        state[1] = self.b[2] * x - self.a[1] * y;
        y
    }

    /// The state after a long time at `x`.
    fn settled(&self, x: f64) -> [f64; 2] {
        [(1.0 - self.b[0]) * x, (self.b[2] - self.a[1]) * x]
    }
}

/// The low-pass.
#[derive(Clone, Copy, Debug)]
pub struct LowPass {
    sections: [Biquad; 2],
    /// Cut-off over sampling rate.
    ratio: f64,
}

/// The state of one channel.
type State = [[f64; 2]; 2];

impl LowPass {
    /// With a cut-off between zero and half the sampling rate, both in Hz.
    #[must_use]
    pub fn new(cutoff: f64, rate: f64) -> Option<Self> {
        let ratio = cutoff / rate;
        if !(ratio > 0.0 && ratio < 0.5) {
            return None;
        }
        // Bilinear transform, warped so that the cut-off stays where it is.
        let w = (PI * ratio).tan();
        let section = |angle: f64| {
            let damping = 2.0 * angle.cos();
            let norm = 1.0 / (1.0 + damping * w + w * w);
            let b = w * w * norm;
            Biquad { b: [b, 2.0 * b, b], a: [2.0 * (w * w - 1.0) * norm, (1.0 - damping * w + w * w) * norm] }
        };
        Some(Self { sections: [section(PI / 8.0), section(3.0 * PI / 8.0)], ratio })
    }

    /// Samples after which what the filter started from has fallen to `share`.
    #[must_use]
    pub fn memory(&self, share: f64) -> usize {
        (-share.ln() / (2.0 * PI * SLOWEST * self.ratio)).ceil() as usize + 4
    }

    fn settled(&self, x: f64) -> State {
        [self.sections[0].settled(x), self.sections[1].settled(x)]
    }

    #[inline(always)]
    fn step(&self, x: f64, [first, second]: &mut State) -> f64 {
        self.sections[1].step(self.sections[0].step(x, first), second)
    }
}

/// What is left of what a filter run started from.
const FORGOTTEN: f64 = 1e-14;
/// At the ends of a log samples are dropped until the unknown past or future counts no more than this.
const END_EFFECT: f64 = 1e-4;
/// Samples on each side that a derivative takes.
const REACH: usize = 3;

/// Filters channels of evenly spaced samples, in blocks; further channels pass as they are, in step.
#[derive(Debug)]
pub(super) struct ZeroPhase {
    filter: LowPass,
    channels: usize,
    filtered: usize,
    overlap: usize,
    settle: usize,
    block: usize,
    forward: Vec<State>,
    backward: Vec<State>,
    /// Forward-filtered rows, from `REACH` before the first that is still wanted.
    rows: Vec<f64>,
    smooth: Vec<f64>,
    /// Index of the first of `rows` since the segment began.
    first: u64,
    /// Index that the next sample of the segment has.
    next: u64,
}

/// A filtered sample with its neighbours: the middle of seven rows.
pub(super) struct Window<'a> {
    rows: &'a [f64],
    channels: usize,
    /// Index since the segment began.
    pub index: u64,
}

impl Window<'_> {
    fn at(&self, channel: usize, offset: usize) -> f64 {
        self.rows[offset * self.channels + channel]
    }

    pub fn value(&self, channel: usize) -> f64 {
        self.at(channel, REACH)
    }

    /// First derivative, per sample.
    pub fn slope(&self, channel: usize) -> f64 {
        let odd = |k: usize| self.at(channel, REACH + k) - self.at(channel, REACH - k);
        (45.0 * odd(1) - 9.0 * odd(2) + odd(3)) / 60.0
    }

    /// Second derivative, per sample squared.
    pub fn curvature(&self, channel: usize) -> f64 {
        let middle = self.value(channel);
        let even = |k: usize| (self.at(channel, REACH + k) - middle) + (self.at(channel, REACH - k) - middle);
        (270.0 * even(1) - 27.0 * even(2) + 2.0 * even(3)) / 180.0
    }
}

impl ZeroPhase {
    /// The first `filtered` of all channels are filtered.
    pub fn new(filter: LowPass, channels: usize, filtered: usize) -> Self {
        let overlap = filter.memory(FORGOTTEN);
        Self {
            filter,
            channels,
            filtered: filtered.min(channels),
            overlap,
            settle: filter.memory(END_EFFECT).max(REACH),
            block: (2 * overlap).max(2048),
            forward: Vec::new(),
            backward: Vec::new(),
            rows: Vec::new(),
            smooth: Vec::new(),
            first: 0,
            next: 0,
        }
    }

    /// Rows before and after a range of rows that the filtered range depends on.
    pub fn margin(&self) -> u64 {
        (2 * self.overlap + self.settle + REACH) as u64
    }

    /// Rows dropped at either end of a segment.
    pub fn settle(&self) -> usize {
        self.settle
    }

    /// Takes in a row; `emit` gets what has become certain.
    pub fn push(&mut self, row: &[f64], emit: impl FnMut(&Window<'_>)) {
        if self.next == 0 {
            self.forward.clear();
            self.forward.extend(row[..self.filtered].iter().map(|x| self.filter.settled(*x)));
        }
        for (x, state) in row.iter().zip(&mut self.forward) {
            self.rows.push(self.filter.step(*x, state));
        }
        self.rows.extend_from_slice(&row[self.filtered..]);
        self.next += 1;
        if self.rows.len() >= (self.block + self.overlap + 2 * REACH) * self.channels {
            self.run(self.overlap + REACH, emit);
        }
    }

    /// Ends a segment: what is left is filtered, but for its last samples.
    pub fn finish(&mut self, emit: impl FnMut(&Window<'_>)) {
        self.run(self.settle, emit);
        self.rows.clear();
        (self.first, self.next) = (0, 0);
    }

    /// Runs backwards over the rows and emits all but the last `keep`, which stay with the rows before that they need.
    fn run(&mut self, keep: usize, mut emit: impl FnMut(&Window<'_>)) {
        let (c, filter) = (self.channels, self.filter);
        let count = self.rows.len() / c.max(1);
        if count <= keep + REACH {
            return;
        }
        self.smooth.clear();
        self.smooth.extend_from_slice(&self.rows);
        self.backward.clear();
        self.backward.extend(self.smooth[(count - 1) * c..][..self.filtered].iter().map(|x| filter.settled(*x)));
        for row in self.smooth.chunks_exact_mut(c).rev() {
            for (x, state) in row.iter_mut().zip(&mut self.backward) {
                *x = filter.step(*x, state);
            }
        }
        // The first rows are neighbours of what was emitted before; of a segment's begin they are its unsettled part.
        let begin = REACH.max(self.settle.saturating_sub(self.first as usize));
        for i in begin..count - keep.max(REACH) {
            let rows = &self.smooth[(i - REACH) * c..(i + REACH + 1) * c];
            emit(&Window { rows, channels: c, index: self.first + i as u64 });
        }
        let gone = count - keep - REACH;
        self.rows.drain(..gone * c);
        self.first += gone as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out for a function of the index.
    fn filtered(filter: LowPass, count: usize, f: impl Fn(f64) -> f64) -> Vec<(u64, [f64; 3])> {
        let (mut zero_phase, mut out) = (ZeroPhase::new(filter, 1, 1), Vec::new());
        let mut emit = |window: &Window<'_>| {
            out.push((window.index, [window.value(0), window.slope(0), window.curvature(0)]));
        };
        for i in 0..count {
            zero_phase.push(&[f(i as f64)], &mut emit);
        }
        zero_phase.finish(&mut emit);
        out
    }

    #[test]
    fn slow_waves_pass_with_their_derivatives_and_without_delay() {
        let filter = LowPass::new(20.0, 1000.0).unwrap();
        let w = 2.0 * PI * 2.0 / 1000.0;
        let gain = 1.0 / (1.0 + ((w / 2.0).tan() / (PI * 0.02).tan()).powi(8));
        let found = filtered(filter, 9000, |i| (w * i).sin());
        assert!(found.len() > 8000);
        for window in found.windows(2) {
            assert_eq!(window[1].0, window[0].0 + 1, "every sample comes once");
        }
        let margin = filter.memory(1e-12) as u64;
        for (i, [x, dx, ddx]) in found.into_iter().filter(|(i, _)| (margin..9000 - margin).contains(i)) {
            let (sin, cos) = (w * i as f64).sin_cos();
            assert!((x - gain * sin).abs() < 1e-10 && (dx - gain * w * cos).abs() < 1e-11, "{i}: {x} {dx}");
            assert!((ddx + gain * w * w * sin).abs() < 1e-11 * w);
        }
    }

    #[test]
    fn fast_waves_are_stopped() {
        let filter = LowPass::new(20.0, 1000.0).unwrap();
        let w = 2.0 * PI * 100.0 / 1000.0;
        assert!(filtered(filter, 4000, |i| (w * i).sin()).iter().all(|(_, [x, ..])| x.abs() < 1e-4));
    }

    #[test]
    fn blocks_give_what_one_run_gives() {
        let filter = LowPass::new(5.0, 100.0).unwrap();
        let f = |i: f64| (0.05 * i).sin() + 0.3 * (0.11 * i * i.sqrt()).cos();
        let blocks = filtered(filter, 7000, f);
        let mut whole = ZeroPhase::new(filter, 1, 1);
        whole.block = 1 << 30;
        let mut at = 0;
        let mut check = |window: &Window<'_>| {
            let (index, [x, dx, ddx]) = blocks[at];
            assert_eq!(index, window.index);
            assert!((x - window.value(0)).abs() < 1e-12 && (dx - window.slope(0)).abs() < 1e-12);
            assert!((ddx - window.curvature(0)).abs() < 1e-12);
            at += 1;
        };
        for i in 0..7000 {
            whole.push(&[f(f64::from(i))], &mut check);
        }
        whole.finish(&mut check);
        assert_eq!(at, blocks.len());
    }

    #[test]
    fn cut_offs_beyond_half_the_rate_are_refused() {
        assert!(LowPass::new(50.0, 100.0).is_none() && LowPass::new(0.0, 100.0).is_none());
        assert!(LowPass::new(f64::NAN, 100.0).is_none());
    }
}
