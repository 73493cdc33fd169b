//! Exciting motions: periodic motions inside the limits of the joints along which all base parameters act clearly and apart.
//!
//! Each joint moves along a Fourier series, q(t) = c + Σ_l a_l sin(l ω t) + b_l cos(l ω t), that starts and ends at rest. How well
//! a motion shows the parameters is told by the condition number of the stacked regressor, its rows in units of the joints'
//! torque limits and its columns of unit length; it is what noise in the torques is amplified by, at worst. The search runs
//! from several random series and keeps what is better (an evolution strategy with one parent and one child); equal
//! seeds give equal motions on any number of cores.
//!
//! Trap: limits hold for the joints, not for the tool: nothing here knows of tables or of the robot's own links.

mod condition;
mod series;

pub use condition::Quality;
pub use series::{Bounds, Series, Shape};

use super::error::IdentifyError;
use super::problem::Problem;
use crate::model::{Model, Motion, Screw};
use crate::prescribed::{Curve, PrescribedMotion};
use crate::random::Random;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a joint without limits gets: half range, speed.
const DEFAULT_TURN: (f64, f64) = (PI, 1.0);
const DEFAULT_SLIDE: (f64, f64) = (0.25, 0.25);

/// How to look for a motion.
#[derive(Clone, Debug)]
pub struct Options {
    /// Harmonics of each series, at least two.
    pub harmonics: usize,
    /// Period, s.
    pub period: f64,
    /// Highest acceleration of all joints, rad/s² or m/s²; none if absent.
    pub acceleration: Option<f64>,
    /// Share of the limits that is used.
    pub share: f64,
    /// Random series to start from.
    pub starts: usize,
    /// Steps from each start.
    pub steps: usize,
    /// Where random numbers begin.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { harmonics: 5, period: 10.0, acceleration: None, share: 0.95, starts: 8, steps: 400, seed: 1 }
    }
}

/// A motion that excites.
#[derive(Clone, Debug)]
pub struct Excitation {
    /// Period, s.
    pub period: f64,
    /// One series per joint.
    pub series: Vec<Series>,
    /// How well it shows the parameters.
    pub quality: Quality,
    /// Median condition number of random series in the same limits.
    pub random: f64,
    /// Limits that the robot file does not give, and what was taken.
    pub notices: Vec<String>,
}

/// The limits of the joints, and what had to be made up.
///
/// # Errors
/// A joint whose position is no list of plain numbers.
pub fn bounds(model: &Model<f64>, options: &Options) -> Result<(Vec<Bounds>, Vec<String>), IdentifyError> {
    let (mut bounds, mut notices) = (Vec::new(), Vec::new());
    for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nv() > 0) {
        let Motion::Product(screws) = &link.joint.motion else {
            return Err(IdentifyError::QuaternionSeries { joint: link.joint_name.clone() });
        };
        for screw in screws {
            let slides = matches!(screw, Screw::Translation { .. });
            let (half, speed) = if slides { DEFAULT_SLIDE } else { DEFAULT_TURN };
            let unit = if slides { "m" } else { "rad" };
            let [low, high] = link.limits.position.filter(|[low, high]| low < high).unwrap_or_else(|| {
                notices
                    .push(format!("joint `{}` has no position limits: ±{half:.4} {unit} are taken", link.joint_name));
                [-half, half]
            });
            let velocity = link.limits.velocity.filter(|most| *most > 0.0).unwrap_or_else(|| {
                notices.push(format!("joint `{}` has no velocity limit: {speed} {unit}/s is taken", link.joint_name));
                speed
            });
            let acceleration = options.acceleration.unwrap_or(f64::INFINITY);
            bounds.push(Bounds { low, high, velocity, acceleration });
        }
    }
    Ok((bounds, notices))
}

/// Looks for a motion; `progress` is told the share that is done, and may stop the search.
///
/// # Errors
/// Joints with quaternions, options that make no sense, or `progress` having stopped it.
pub fn excite(
    problem: &Problem,
    options: &Options,
    progress: impl Fn(f64) -> ControlFlow<()> + Sync,
) -> Result<Excitation, IdentifyError> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    if !(positive(options.period) && positive(options.share) && options.acceleration.is_none_or(positive)) {
        let message = "period, share and acceleration of an exciting motion must be above zero".to_owned();
        return Err(IdentifyError::Search { message });
    }
    let (bounds, notices) = bounds(problem.model(), options)?;
    let starts = options.starts.max(1);
    let total = (starts * (options.steps + 1)) as f64;
    let done = AtomicU64::new(0);
    let tick = || progress(done.fetch_add(1, Ordering::Relaxed) as f64 / total);
    let search = |start: usize| search(problem, &bounds, options, start as u64, &tick);
    let found: Option<Vec<(f64, f64, Vec<Shape>)>> = (0..starts).into_par_iter().map(search).collect();
    let mut found =
        found.ok_or_else(|| IdentifyError::Search { message: "the search was stopped, as asked".to_owned() })?;
    let mut random: Vec<f64> = found.iter().map(|(random, ..)| *random).collect();
    random.sort_by(f64::total_cmp);
    let best = (0..starts).fold(0, |best, k| if found[k].1 < found[best].1 { k } else { best });
    let shapes = found.swap_remove(best).2;
    // Between the samples of the search a motion may go a little further: the last fit is on a fine grid.
    let fine = 64 * options.harmonics.max(2) * 4;
    let series: Vec<Series> = shapes
        .iter()
        .zip(&bounds)
        .map(|(shape, bounds)| shape.fit(bounds, options.period, options.share, fine))
        .collect();
    let quality = Quality::of(problem, &series, options.period, samples(options));
    Ok(Excitation { period: options.period, series, quality, random: random[random.len() / 2], notices })
}

/// Samples over a period: sixteen on the shortest wave, a multiple of four.
fn samples(options: &Options) -> usize {
    16 * options.harmonics.max(4)
}

/// The condition number of the start, and the best one reached with its shapes; `None` if it was stopped.
fn search(
    problem: &Problem,
    bounds: &[Bounds],
    options: &Options,
    start: u64,
    tick: &impl Fn() -> ControlFlow<()>,
) -> Option<(f64, f64, Vec<Shape>)> {
    let mut random = Random(options.seed.wrapping_mul(0x9e37_79b9).wrapping_add(start));
    let count = samples(options);
    let mut judge = condition::Judge::new(problem);
    let mut condition = |shapes: &[Shape]| {
        let series: Vec<Series> = shapes
            .iter()
            .zip(bounds)
            .map(|(shape, bounds)| shape.fit(bounds, options.period, options.share, count))
            .collect();
        judge.condition(&series, options.period, count)
    };
    let mut best: Vec<Shape> = bounds.iter().map(|_| Shape::random(options.harmonics, &mut random)).collect();
    let first = condition(&best);
    if tick().is_break() {
        return None;
    }
    let (mut least, mut step) = (first, 0.5);
    for _ in 0..options.steps {
        // All joints at once early on, then one joint at a time too.
        let only = (random.signed() > 0.0).then(|| (random.bits() % best.len() as u64) as usize);
        let child: Vec<Shape> = best
            .iter()
            .enumerate()
            .map(
                |(j, shape)| {
                    if only.is_none_or(|only| only == j) { shape.mutated(step, &mut random) } else { shape.clone() }
                },
            )
            .collect();
        let reached = condition(&child);
        if reached < least {
            (best, least) = (child, reached);
            step = (step * 1.5).min(1.0);
        } else {
            // One success in five keeps the step.
            step = (step * 0.9).max(0.01);
        }
        if tick().is_break() {
            return None;
        }
    }
    Some((first, least, best))
}

impl Excitation {
    /// Position, velocity and acceleration at a time.
    #[must_use]
    pub fn at(&self, t: f64) -> [Vec<f64>; 3] {
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
