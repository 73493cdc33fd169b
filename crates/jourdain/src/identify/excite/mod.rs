//! Exciting motions: periodic motions inside the limits of a robot along which all base parameters act clearly and apart.
//!
//! Each joint moves along a Fourier series, q(t) = c + Σ_l a_l sin(l ω t) + b_l cos(l ω t), that starts and ends at rest. How well
//! a motion shows the parameters is told by the stacked regressor, its rows in units of the joints' torque limits, under a
//! [`Criterion`]. The search runs from several random series, or from a given one, and keeps what is better; equal
//! seeds give equal motions on any number of cores.
//!
//! Positions, velocities, accelerations and jerks are within their limits at all times, which a [`Grid`] proves, and so are the distances
//! of a [`Clearance`]. Torques are those of the robot file, checked at many times.
//!
//! Trap: a robot file that is wrong by a third gives torques that are wrong by a third. That is what the share of the effort limits is for.

mod capsule;
mod clearance;
mod criterion;
mod grid;
mod guard;
mod information;
mod limits;
mod search;
mod series;
mod spline;

pub use capsule::Capsule;
pub use clearance::{Clearance, Near, Surroundings};
pub use criterion::{BLIND, Criterion};
pub use grid::{Extent, Grid};
pub use guard::{Breach, Reached};
pub use information::Quality;
pub use limits::{Bounds, bounds, efforts};
pub use series::{Series, Shape};
pub use spline::{Degree, Spline};

use super::error::IdentifyError;
use super::problem::Problem;
use crate::prescribed::{Curve, PrescribedMotion};
use rayon::prelude::*;
use search::{Failed, Outcome, Search};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to look for a motion.
#[derive(Clone, Debug)]
pub struct Options {
    /// Harmonics of each series, at least two.
    pub harmonics: usize,
    /// Period, s.
    pub period: f64,
    /// Highest acceleration, rad/s² or m/s²: one for all joints, one for each, or none.
    pub acceleration: Vec<f64>,
    /// Highest jerk, rad/s³ or m/s³: likewise.
    pub jerk: Vec<f64>,
    /// Share of the limits of motion that is used.
    pub share: f64,
    /// Share of the effort limits that the torques of the robot file may reach; they do not count if it is absent.
    pub effort_share: Option<f64>,
    /// What is made small.
    pub criterion: Criterion,
    /// What to keep clear of.
    pub clearance: Option<Clearance>,
    /// A motion to start from, one series per degree of freedom.
    pub from: Option<Vec<Series>>,
    /// Starts of the search.
    pub starts: usize,
    /// Steps from each start.
    pub steps: usize,
    /// Where random numbers begin.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            harmonics: 5,
            period: 10.0,
            acceleration: Vec::new(),
            jerk: Vec::new(),
            share: 0.95,
            effort_share: Some(0.8),
            criterion: Criterion::default(),
            clearance: None,
            from: None,
            starts: 8,
            steps: 400,
            seed: 1,
        }
    }
}

/// A motion that excites.
#[derive(Clone, Debug)]
pub struct Excitation {
    /// Period, s.
    pub period: f64,
    /// One series per joint.
    pub series: Vec<Series>,
    /// How far each goes at most.
    pub extents: Vec<Extent>,
    /// How well it shows the parameters.
    pub quality: Quality,
    /// Torques and distances that it reaches.
    pub reached: Reached,
    /// Median condition number of random series in the same limits.
    pub random: f64,
    /// Median criterion of random series in the same limits.
    pub random_criterion: f64,
    /// Criterion of the motion that was given, fitted into the limits.
    pub given_criterion: Option<f64>,
    /// Limits that the robot file does not give, and what was taken.
    pub notices: Vec<String>,
}

/// Looks for a motion; `progress` is told the share that is done, and may stop the search.
///
/// # Errors
/// Joints with quaternions, options that make no sense, no motion that keeps to torques and distances, or `progress` having stopped it.
pub fn excite(
    problem: &Problem,
    options: &Options,
    progress: impl Fn(f64) -> ControlFlow<()> + Sync,
) -> Result<Excitation, IdentifyError> {
    check(problem, options)?;
    let (bounds, mut notices) = bounds(problem.written(), options)?;
    notices.extend(options.clearance.iter().flat_map(Clearance::notices).cloned());
    let starts = options.starts.max(1);
    let total = (starts * (options.steps + 1)) as f64;
    let done = AtomicU64::new(0);
    let tick = || progress(done.fetch_add(1, Ordering::Relaxed) as f64 / total);
    let grid = Grid::new(options.harmonics, options.period);
    let search = Search { problem, bounds: &bounds, options, grid: &grid };
    let found: Vec<Result<Outcome, Failed>> =
        (0..starts).into_par_iter().map(|start| search.run(start as u64, &tick)).collect();
    let (mut outcomes, mut breach) = (Vec::new(), None);
    for outcome in found {
        match outcome {
            Ok(outcome) => outcomes.push(outcome),
            Err(Failed::Ran(found)) => breach = Some(found),
            Err(Failed::Stopped) => {
                return Err(IdentifyError::Search { message: "the search was stopped, as asked".to_owned() });
            }
        }
    }
    let median = |of: fn(&Outcome) -> f64| {
        let mut numbers: Vec<f64> = outcomes.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied().unwrap_or(BLIND)
    };
    let (random_criterion, random) = (median(|outcome| outcome.random[0]), median(|outcome| outcome.random[1]));
    let Some(best) = outcomes.into_iter().min_by(|a, b| a.least.total_cmp(&b.least)) else {
        let found = breach.map(|breach| breach.text(problem.written())).unwrap_or_default();
        return Err(IdentifyError::NoMotion { found });
    };
    let Outcome { series, reached, given, .. } = best;
    let quality = Quality::of(problem, &series, &options.criterion, options.period, samples(options));
    Ok(Excitation {
        period: options.period,
        extents: series.iter().map(|series| grid.extent(series)).collect(),
        series,
        quality,
        reached,
        random,
        random_criterion,
        given_criterion: given,
        notices,
    })
}

/// Options that make sense.
fn check(problem: &Problem, options: &Options) -> Result<(), IdentifyError> {
    let wrong = |message: String| Err(IdentifyError::Search { message });
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let numbers = [options.period, options.share].into_iter().chain(options.effort_share);
    if !numbers.chain(options.acceleration.iter().chain(&options.jerk).copied()).all(positive) {
        return wrong("period, shares, acceleration and jerk of an exciting motion must be above zero".to_owned());
    }
    if !problem.terms().is_empty() {
        return wrong(
            "an exciting motion is for base parameters, not for the terms of a model of the drives".to_owned(),
        );
    }
    if let Criterion::Deviation(unknowns) = &options.criterion
        && let Some(beyond) = unknowns.iter().find(|k| **k >= problem.count())
    {
        return wrong(format!("there is no unknown {beyond}: there are {}", problem.count()));
    }
    match options.from.as_ref().map(Vec::len) {
        Some(count) if count != problem.model().nv() => {
            wrong(format!("the motion to start from has {count} joints, the robot {}", problem.model().nv()))
        }
        _ => Ok(()),
    }
}

/// Samples over a period: sixteen on the shortest wave, a multiple of four.
fn samples(options: &Options) -> usize {
    16 * options.harmonics.max(4)
}

impl Excitation {
    /// Position, velocity, acceleration and jerk at a time.
    #[must_use]
    pub fn at(&self, t: f64) -> [Vec<f64>; 4] {
        std::array::from_fn(|r| self.series.iter().map(|series| series.derivative(r, t, self.period)).collect())
    }

    /// The motion as a function of time.
    #[must_use]
    pub fn motion(&self) -> PrescribedMotion {
        let joints = self.series.iter().map(|series| series.curve(self.period)).collect();
        PrescribedMotion { joints, loads: Vec::new(), start: 0.0, end: self.period }
    }

    /// The motion as a trajectory file.
    #[must_use]
    pub fn trajectory(&self) -> Value {
        let joint = |curve: &Curve| match curve {
            Curve::Cosines { offset, terms } => {
                let cosine = |term: &crate::prescribed::Cosine| json!({ "amplitude": term.amplitude, "frequency": term.frequency, "phase": term.phase });
                json!({ "cosines": terms.iter().map(cosine).collect::<Vec<_>>(), "offset": offset })
            }
            _ => Value::Null,
        };
        json!({ "duration": self.period, "joints": self.motion().joints.iter().map(joint).collect::<Vec<_>>() })
    }
}
