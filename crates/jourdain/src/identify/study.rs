//! What has to be chosen before a log is read: how smooth the motion is, how late the torques are, by what the drives are loaded.
//!
//! The cut-off is the one with which every joint, fitted alone to its raw torques, is met best: too low a one misses motion, too high
//! a one puts noise into the regressor, and the number of unknowns is the same for all, so that the residual is a fair judge. Of several that are
//! as good the highest is taken. The delay is chosen likewise. It is an equivalent one: phase of friction that the terms do not have is part of it. The load of the
//! drives is the torque of the rigid body by a consistent fit without it.

use super::accumulate::{Accumulator, Sample};
use super::consistent::{PRIOR_WEIGHT, consistent};
use super::error::IdentifyError;
use super::factors::Factors;
use super::log::{Filtering, Options, Summary};
use super::problem::Problem;
use super::solve;

/// Cut-offs, Hz.
pub(super) const CUTOFFS: [f64; 12] = [2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 35.0, 60.0, 100.0, 150.0, 200.0, 300.0];
/// The highest cut-off over the sampling rate.
pub(super) const HIGHEST: f64 = 0.35;
/// Seconds between samples that are judged by.
const APART: f64 = 5e-3;
/// Delays that are tried, s: so many steps to either side.
const DELAY: (f64, i32) = (5e-3, 4);
/// How far above the least the mean logarithm of the residuals may be: of cut-offs as good as that the highest is taken, as other motions may be
/// faster than this one.
const AS_GOOD: f64 = 0.01;
/// A delay of one joint is told if it differs by more than so many seconds from the common one and lowers its residual by more than this share.
const OWN: (f64, f64) = (3e-3, 0.03);
/// How much a delay must lower the mean logarithm of the residuals to be believed.
const BELIEVED: f64 = 0.002;

/// What the beginning of a log tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Cut-off, Hz; `None` if the log is not smoothed.
    pub cutoff: Option<f64>,
    /// The cut-off is one of several that were tried.
    pub chosen: bool,
    /// The cut-off is the highest that the sampling rate allows.
    pub limited: bool,
    /// Torques belong to the motion so many seconds later; they are late if it is negative.
    pub delay: f64,
    /// By how much the delay lowers the residuals, as a share.
    pub delay_gain: f64,
    /// Joints whose torques have a delay of their own beside the common one.
    pub late: Vec<LateJoint>,
    /// Values of the base unknowns that tell the load of the drives.
    pub load: Vec<f64>,
}

/// A joint whose torques come at another time than those of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct LateJoint {
    /// Its number.
    pub joint: usize,
    /// By how many seconds its torques are later than the others.
    pub late: f64,
    /// By how much its residual is lower so, as a share.
    pub gain: f64,
}

/// Studies a log for a problem with terms of the drives. `read` reads its beginning with given options, as often as it is called. A
/// cut-off or a delay that `options` or `delay` give are kept.
///
/// # Errors
/// What is wrong with the log.
pub fn study(
    problem: &Problem,
    options: &Options,
    delay: Option<f64>,
    mut read: impl FnMut(&Options, &mut dyn FnMut(&Sample<'_>)) -> Result<Summary, IdentifyError>,
) -> Result<Study, IdentifyError> {
    let first = Options { coordinates: Some(problem.coordinates().clone()), rows: None, ..options.clone() };
    // How a log is to be read shows before its samples are.
    let filtering = read(&Options { rows: Some(0..1), ..first.clone() }, &mut |_| ())?.filtering;
    let mut factors = |options: &Options| -> Result<Factors, IdentifyError> {
        let mut accumulator = Accumulator::new(problem);
        read(options, &mut |sample| accumulator.add(sample))?;
        Ok(accumulator.finish())
    };
    let Some(Filtering { rate, .. }) = filtering else {
        let load = load(problem, &factors(&first)?)?;
        let (delay, delay_gain) = (delay.unwrap_or(0.0), 0.0);
        return Ok(Study { cutoff: None, chosen: false, limited: false, delay, delay_gain, late: Vec::new(), load });
    };
    let thin = ((APART * rate) as u64).max(1) * options.decimate.unwrap_or(1).max(1);
    let thinned = Options { decimate: Some(thin), ..first };
    let mut judge = |at: Point| -> Result<Judged, IdentifyError> {
        let factors = factors(&Options { cutoff: Some(at.cutoff), delay: at.delay, ..thinned.clone() })?;
        let left = own_residuals(&factors);
        Ok(Judged { at, criterion: mean(&left), left, factors })
    };
    let highest = HIGHEST * rate;
    let candidates: Vec<f64> = match options.cutoff {
        Some(cutoff) => vec![cutoff],
        None => CUTOFFS.into_iter().filter(|cutoff| *cutoff <= highest).collect(),
    };
    let candidates = if candidates.is_empty() { vec![highest] } else { candidates };
    let start = delay.unwrap_or(0.0);
    let mut best = best_cutoff(&candidates, start, &mut judge)?;
    let (mut delay_gain, mut own) = (0.0, Vec::new());
    if delay.is_none() {
        let without = best.criterion;
        let (step, count) = DELAY;
        let grid = delays(best.at.cutoff, 0.0, step, count, &mut judge)?;
        own = (0..problem.joints().len()).map(|j| vertex(&grid, step, |judged| judged.left[j])).collect();
        let mut late = judge(Point { delay: vertex(&grid, step, |judged| judged.criterion).0, ..best.at })?;
        if without - late.criterion > BELIEVED {
            // With the delay another cut-off may be better, and with that another delay.
            let at = candidates.iter().position(|cutoff| *cutoff == late.at.cutoff).unwrap_or(0);
            let around = at.saturating_sub(1)..(at + 3).min(candidates.len());
            late = best_cutoff(&candidates[around], late.at.delay, &mut judge)?;
            let grid = delays(late.at.cutoff, late.at.delay, 0.5 * step, 1, &mut judge)?;
            let (delay, _) = vertex(&grid, 0.5 * step, |judged| judged.criterion);
            let refined = judge(Point { delay, ..late.at })?;
            late = if refined.criterion < late.criterion { refined } else { late };
            delay_gain = 1.0 - (late.criterion - without).exp();
            best = late;
        }
    }
    let late = own.into_iter().enumerate().map(|(joint, (delay, left))| LateJoint {
        joint,
        late: best.at.delay - delay,
        gain: 1.0 - (left - best.left[joint]).exp(),
    });
    let late = late.filter(|own| own.late.abs() > OWN.0 && own.gain > OWN.1).collect();
    Ok(Study {
        cutoff: Some(best.at.cutoff),
        chosen: options.cutoff.is_none(),
        limited: options.cutoff.is_none() && candidates.last() == Some(&best.at.cutoff),
        delay: best.at.delay,
        delay_gain,
        late,
        load: load(problem, &best.factors)?,
    })
}

/// A way to read a log.
#[derive(Clone, Copy, Debug)]
struct Point {
    cutoff: f64,
    delay: f64,
}

/// What comes of it.
struct Judged {
    at: Point,
    /// Per joint, the logarithm of what is left of its torques.
    left: Vec<f64>,
    /// Their mean.
    criterion: f64,
    factors: Factors,
}

/// The highest of the cut-offs that are as good as the best.
fn best_cutoff(
    candidates: &[f64],
    delay: f64,
    judge: &mut impl FnMut(Point) -> Result<Judged, IdentifyError>,
) -> Result<Judged, IdentifyError> {
    let (&first, others) = candidates.split_first().ok_or(IdentifyError::BeyondRange)?;
    let mut best = judge(Point { cutoff: first, delay })?;
    let mut least = best.criterion;
    for &cutoff in others {
        let next = judge(Point { cutoff, delay })?;
        least = least.min(next.criterion);
        // One that was as good as the best before a better one came is never higher than that.
        if next.criterion <= least + AS_GOOD {
            best = next;
        }
    }
    Ok(best)
}

/// Delays on a grid of so many steps to either side.
fn delays(
    cutoff: f64,
    middle: f64,
    step: f64,
    count: i32,
    judge: &mut impl FnMut(Point) -> Result<Judged, IdentifyError>,
) -> Result<Vec<Judged>, IdentifyError> {
    (-count..=count).map(|i| judge(Point { cutoff, delay: middle + step * f64::from(i) })).collect()
}

/// The vertex of the parabola through the least inner value of a grid and its neighbours: the delay, and the value there.
fn vertex(grid: &[Judged], step: f64, value: impl Fn(&Judged) -> f64) -> (f64, f64) {
    let values: Vec<f64> = grid.iter().map(value).collect();
    let inner = 1..grid.len().saturating_sub(1).max(2);
    let at = inner.min_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(1);
    let (before, here, after) = (values[at - 1], values[at], values[at + 1]);
    let curvature = before - 2.0 * here + after;
    let shift = if curvature > 0.0 { (0.5 * (before - after) / curvature).clamp(-1.0, 1.0) } else { 0.0 };
    (grid[at].at.delay + step * shift, here + 0.5 * shift * (after - before) + 0.5 * shift * shift * curvature)
}

/// Values of the base unknowns that tell the load of the drives.
fn load(problem: &Problem, factors: &Factors) -> Result<Vec<f64>, IdentifyError> {
    if factors.samples < needed(problem) {
        return Err(IdentifyError::TooFew { samples: factors.samples, needed: needed(problem) });
    }
    Ok(consistent(problem, factors, PRIOR_WEIGHT)?.values[..problem.unknowns().len()].to_vec())
}

/// Samples that a fit of one joint needs.
fn needed(problem: &Problem) -> u64 {
    (0..problem.joints().len()).map(|j| problem.felt(j).len() as u64 + 2).max().unwrap_or(0)
}

/// The logarithms of what joints leave unexplained when they are fitted alone.
fn own_residuals(factors: &Factors) -> Vec<f64> {
    let floor = solve::floor(&solve::torques(factors));
    solve::own_noise(factors, floor).iter().map(|noise| noise.ln()).collect()
}

fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    if mean.is_finite() { mean } else { f64::INFINITY }
}
