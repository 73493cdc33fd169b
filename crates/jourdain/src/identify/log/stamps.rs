//! When samples were really taken.
//!
//! A device samples on its own clock, every so many ticks; a time stamp says when the sample arrived. All joints share the time, so
//! the motion tells the steps: with velocities s = Δq·v̄/|v̄|², v̄ the mean of both ends; without them the stamps are moved until
//! the positions lie on a smooth curve. Where nearly all steps are whole multiples of one tick, the samples stand on that lattice, and
//! stamps serve only to lay it onto the clock.
//!
//! Traps. While nothing moves only the stamps tell, so the count may be wrong there; the median of what the lattice is
//! off afterwards brings it back. Noise of single positions is no tick: without a clear lattice the stamps stay as they are.

use super::spline::Spline;
use std::ops::Range;

/// Stamps whose steps differ by less than this share are even: there is nothing to find.
const EVEN: f64 = 0.02;
/// Seconds without a sample that are a pause, whatever the rate.
const PAUSE: f64 = 1.0;
/// Steps slower than this share of the median speed, squared, tell nothing.
const SLOW: f64 = 0.09;
/// The most ticks in a usual step.
const MOST_TICKS: usize = 20;
/// A step is a whole number of ticks if it is off by no more.
const NEAR: f64 = 0.1;
/// The share of steps that must be whole, and how far off they may be in the root mean square.
const WHOLE: (f64, f64) = (0.97, 0.06);
/// Steps that a tick must rest on.
const ENOUGH: usize = 100;
/// Samples that the median of a lost count spans at least.
const SPAN: usize = 101;
/// Cut-off, Hz, and rounds of the smoothing that finds steps without velocities.
const SMOOTH: (f64, usize) = (20.0, 4);

/// The clock of the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Seconds of the motion per tick.
    pub period: f64,
    /// How far steps are from whole ticks, root mean square, in ticks.
    pub off: f64,
}

/// Samples as they were recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded<'a> {
    /// Stamps, s, rising.
    pub times: &'a [f64],
    /// Positions of all joints, sample by sample.
    pub q: &'a [f64],
    /// Velocities likewise, if they were measured.
    pub qd: Option<&'a [f64]>,
    /// Number of joints.
    pub width: usize,
}

/// True if the stamps are as even as a clock makes them.
pub(super) fn are_even(times: &[f64]) -> bool {
    let steps = || times.windows(2).map(|pair| pair[1] - pair[0]);
    let Some(middle) = median(steps().collect()) else { return true };
    steps().all(|step| (step - middle).abs() <= EVEN * middle)
}

/// The steps that the motion tells, one less than there are samples; `None` where it is too slow to tell.
pub(super) fn steps(recorded: &Recorded<'_>) -> Vec<Option<f64>> {
    match recorded.qd {
        Some(qd) => by_velocities(recorded, qd),
        None => by_smoothness(recorded),
    }
}

fn by_velocities(recorded: &Recorded<'_>, qd: &[f64]) -> Vec<Option<f64>> {
    let n = recorded.width;
    let pairs = || recorded.q.windows(2 * n).step_by(n).zip(qd.windows(2 * n).step_by(n));
    let speed = |v: &[f64]| (0..n).map(|j| (0.5 * (v[j] + v[n + j])).powi(2)).sum::<f64>();
    let least = SLOW * median(pairs().map(|(_, v)| speed(v)).collect()).unwrap_or(0.0);
    let step = |(q, v): (&[f64], &[f64])| {
        let (way, square) = ((0..n).map(|j| (q[n + j] - q[j]) * 0.5 * (v[j] + v[n + j])).sum::<f64>(), speed(v));
        (square > least).then(|| way / square)
    };
    pairs().map(step).collect()
}

fn by_smoothness(recorded: &Recorded<'_>) -> Vec<Option<f64>> {
    let n = recorded.width;
    let none = || vec![None; recorded.times.len().saturating_sub(1)];
    let Some(rate) = mean_rate(recorded.times) else { return none() };
    // Pauses are closed: a curve through days without samples would have a knot for every moment of them.
    let most = PAUSE.max(5.0 / rate);
    let is_gap: Vec<bool> = recorded.times.windows(2).map(|pair| pair[1] - pair[0] > most).collect();
    let mut times = recorded.times.to_vec();
    for (i, pair) in recorded.times.windows(2).enumerate() {
        times[i + 1] = times[i] + (pair[1] - pair[0]).min(most);
    }
    let (mut spline, [mut s, mut rate_s, mut unused]) = (Spline::new(n), std::array::from_fn(|_| vec![0.0; n]));
    let mut speeds = vec![0.0; times.len()];
    for _ in 0..SMOOTH.1 {
        if !times.windows(2).all(|pair| pair[0] < pair[1]) && !sorted(&mut times) {
            return none();
        }
        if !spline.fit(&times, recorded.q, SMOOTH.0.min(0.2 * rate), rate) {
            return none();
        }
        for ((t, q), speed) in times.iter_mut().zip(recorded.q.chunks_exact(n)).zip(&mut speeds) {
            spline.at(*t, [&mut s, &mut rate_s, &mut unused]);
            *speed = rate_s.iter().map(|x| x * x).sum();
            if *speed > 0.0 {
                let ahead: f64 = (0..n).map(|j| (q[j] - s[j]) * rate_s[j]).sum();
                // No further than to the neighbours: beyond them the curve tells nothing of this sample.
                *t += (ahead / *speed).clamp(-1.0 / rate, 1.0 / rate);
            }
        }
    }
    let least = SLOW * median(speeds.clone()).unwrap_or(0.0);
    let step = |((t, v), gap): ((&[f64], &[f64]), bool)| (!gap && v[0].min(v[1]) > least).then(|| t[1] - t[0]);
    times.windows(2).zip(speeds.windows(2)).zip(is_gap).map(step).collect()
}

/// Moved stamps may pass each other: each is put behind the one before it. False if they have no length to stand on.
fn sorted(times: &mut [f64]) -> bool {
    let length = times.last().copied().unwrap_or(0.0) - times.first().copied().unwrap_or(0.0);
    let least = length * 1e-9;
    for i in 1..times.len() {
        times[i] = times[i].max(times[i - 1] + least);
    }
    length > 0.0
}

/// Samples in a second, gaps left out.
pub(super) fn mean_rate(times: &[f64]) -> Option<f64> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let most = 5.0 * median(steps.clone())?;
    let (count, sum) =
        steps.iter().filter(|step| **step <= most).fold((0.0, 0.0), |(count, sum), step| (count + 1.0, sum + step));
    (sum > 0.0).then(|| count / sum)
}

/// The tick of the device, if nearly all steps are whole multiples of one.
pub(super) fn tick(steps: &[Option<f64>]) -> Option<Tick> {
    let steps: Vec<f64> = steps.iter().copied().flatten().filter(|step| step.is_finite()).collect();
    if steps.len() < ENOUGH {
        return None;
    }
    let middle = median(steps.clone()).filter(|middle| *middle > 0.0)?;
    (1..=MOST_TICKS).find_map(|k| whole(&steps, middle / k as f64))
}

/// The tick nearest to `guess` if the steps are whole multiples of it.
fn whole(steps: &[f64], guess: f64) -> Option<Tick> {
    let mut period = guess;
    // Least squares s ≈ period · n on the multiples that the last guess gives.
    for _ in 0..3 {
        let (product, square) = steps.iter().fold((0.0, 0.0), |(product, square), step| {
            let n = (step / period).round();
            (product + n * step, square + n * n)
        });
        if square == 0.0 {
            return None;
        }
        period = product / square;
    }
    let off = |step: &f64| step / period - (step / period).round();
    let near: Vec<f64> = steps.iter().map(off).filter(|off| off.abs() <= NEAR).collect();
    let spread = (near.iter().map(|off| off * off).sum::<f64>() / near.len().max(1) as f64).sqrt();
    (near.len() as f64 >= WHOLE.0 * steps.len() as f64 && spread < WHOLE.1).then_some(Tick { period, off: spread })
}

/// The times of the samples on the lattice of ticks, in the clock of the stamps; equal times are samples that were sent twice.
pub(super) fn on_lattice(times: &[f64], steps: &[Option<f64>], tick: Tick, stamp_per_tick: f64) -> Vec<f64> {
    let mut count = 0.0;
    let mut counts = Vec::with_capacity(times.len());
    counts.push(count);
    for (pair, step) in times.windows(2).zip(steps) {
        let ticks = match step {
            Some(step) => step / tick.period,
            None => (pair[1] - pair[0]) / stamp_per_tick,
        };
        count += ticks.round().max(0.0);
        counts.push(count);
    }
    bring_back(&mut counts, times, &runs(steps), stamp_per_tick);
    for i in 1..counts.len() {
        counts[i] = counts[i].max(counts[i - 1]);
    }
    let (start, slope) = line(&counts, times, stamp_per_tick);
    counts.iter().map(|n| start + n * slope).collect()
}

/// The samples in runs whose steps the motion tells.
fn runs(steps: &[Option<f64>]) -> Vec<Range<usize>> {
    let (mut runs, mut begin) = (Vec::new(), 0);
    for end in 1..=steps.len() + 1 {
        if steps.get(end - 1).is_none_or(Option::is_none) {
            runs.push(begin..end);
            begin = end;
        }
    }
    runs
}

/// Adds the ticks that were lost between runs. Inside a run counts are right, so runs alone tell how fast the stamps rise, and each is
/// moved as a whole; a line through all samples would tilt to hide what was lost.
fn bring_back(counts: &mut [f64], times: &[f64], runs: &[Range<usize>], guess: f64) {
    let sums = runs.iter().map(|run| slope_sums(&counts[run.clone()], &times[run.clone()]));
    let (product, square) = sums.fold((0.0, 0.0), |(a, b), (product, square)| (a + product, b + square));
    let slope = if square > 0.0 && product > 0.0 { product / square } else { guess };
    let off: Vec<f64> = times.iter().zip(&*counts).map(|(t, n)| (t - times[0]) / slope - n).collect();
    let middle = |run: &Range<usize>| {
        let spare = SPAN.saturating_sub(run.len()) / 2;
        median(off[run.start.saturating_sub(spare)..(run.end + spare).min(off.len())].to_vec()).unwrap_or(0.0)
    };
    let Some(longest) = runs.iter().max_by_key(|run| run.len()) else { return };
    let reference = middle(longest);
    for run in runs {
        let lost = (middle(run) - reference).round();
        counts[run.clone()].iter_mut().for_each(|n| *n += lost);
    }
}

/// Σ (x − x̄)(y − ȳ) and Σ (x − x̄)².
fn slope_sums(x: &[f64], y: &[f64]) -> (f64, f64) {
    let count = x.len().max(1) as f64;
    let (x0, y0) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    x.iter().zip(y).fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - x0) * (y - y0), b + (x - x0).powi(2)))
}

/// The straight line through points, least squares: where it is at zero, and its slope; `guess` if they have none.
fn line(x: &[f64], y: &[f64], guess: f64) -> (f64, f64) {
    let (product, square) = slope_sums(x, y);
    let slope = if square > 0.0 && product > 0.0 { product / square } else { guess };
    let off: f64 = x.iter().zip(y).map(|(x, y)| y - slope * x).sum();
    (off / x.len().max(1) as f64, slope)
}

/// How much the stamps rise with each tick: the slope of the stamps over the ticks counted.
pub(super) fn stamp_per_tick(times: &[f64], steps: &[Option<f64>], tick: Tick) -> f64 {
    // Where the motion tells the steps, stamps and ticks are summed over the same samples.
    let (stamps, ticks) = times.windows(2).zip(steps).fold((0.0, 0.0), |(stamps, ticks), (pair, step)| match step {
        Some(step) => (stamps + pair[1] - pair[0], ticks + (step / tick.period).round()),
        None => (stamps, ticks),
    });
    if ticks > 0.0 { stamps / ticks } else { tick.period }
}

/// The middle of some numbers; `None` if there are none.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Two joints sampled every one to three milliseconds; stamps are late by up to two.
    fn recording(seed: u64) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let (mut random, mut ticks) = (Random(seed), 0.0_f64);
        let (mut exact, mut stamps, mut q, mut qd) = (vec![], vec![], vec![], vec![]);
        for _ in 0..3000 {
            ticks += 1.0 + (3.0 * random.fraction()).floor();
            let t = 1e-3 * ticks;
            exact.push(t);
            let late = stamps.last().map_or(0.0, |last: &f64| last + 1e-6);
            stamps.push((t + 2e-3 * random.fraction()).max(late));
            q.extend([(2.0 * t).sin(), 0.4 * (3.1 * t).cos()]);
            qd.extend([2.0 * (2.0 * t).cos(), -1.24 * (3.1 * t).sin()]);
        }
        (exact, stamps, q, qd)
    }

    #[test]
    fn the_tick_of_a_device_is_found_with_and_without_velocities() {
        let (exact, stamps, q, qd) = recording(3);
        for qd in [Some(&qd[..]), None] {
            let recorded = Recorded { times: &stamps, q: &q, qd, width: 2 };
            let steps = steps(&recorded);
            let tick = tick(&steps).expect("a lattice");
            assert!((tick.period - 1e-3).abs() < 2e-6, "{tick:?}");
            let per_tick = stamp_per_tick(&stamps, &steps, tick);
            let found = on_lattice(&stamps, &steps, tick, per_tick);
            // While nothing moves a stamp is all there is; elsewhere samples stand where they were taken.
            let moves = |i: &usize| i.checked_sub(1).is_some_and(|i| steps[i].is_some());
            let off: Vec<f64> = (0..exact.len()).filter(moves).map(|i| found[i] - exact[i]).collect();
            let late = median(off.clone()).unwrap();
            let right = off.iter().filter(|off| (*off - late).abs() < 1e-4).count();
            assert!(right as f64 > 0.95 * off.len() as f64, "{right} of {}, velocities: {}", off.len(), qd.is_some());
        }
    }

    #[test]
    fn a_pause_of_days_changes_no_step_but_its_own() {
        let (_, stamps, q, _) = recording(5);
        let whole = steps(&Recorded { times: &stamps, q: &q, qd: None, width: 2 });
        let mut paused = stamps.clone();
        paused[1500..].iter_mut().for_each(|t| *t += 1e6);
        let found = steps(&Recorded { times: &paused, q: &q, qd: None, width: 2 });
        assert_eq!((whole.len(), found.len(), found[1499]), (2999, 2999, None));
        // Beside the pause the curve has one side only.
        for i in (0..1400).chain(1600..2999) {
            let same = match (whole[i], found[i]) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                (a, b) => a.is_some() == b.is_some(),
            };
            assert!(same, "step {i}: {:?}, {:?}", whole[i], found[i]);
        }
    }

    #[test]
    fn steps_that_are_no_multiples_have_no_tick() {
        let mut random = Random(8);
        let steps: Vec<Option<f64>> = (0..1000).map(|_| Some(1e-2 * (1.0 + 0.3 * random.signed()))).collect();
        assert_eq!(tick(&steps), None);
    }

    #[test]
    fn even_stamps_are_even_and_jittered_ones_are_not() {
        let even: Vec<f64> = (0..100).map(|i| 0.01 * f64::from(i)).collect();
        let mut jittered = even.clone();
        jittered[50] += 0.003;
        assert!(are_even(&even) && !are_even(&jittered));
    }
}
