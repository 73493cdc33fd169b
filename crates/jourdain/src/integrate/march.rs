//! The one loop: smooth pieces, steps, samples, limits, progress.
//!
//! A piece begins by telling the motion, which then selects the part of a table, or takes the sample of a sampled law. Samples
//! of the motion at the end of a piece are taken after the next has begun: what acts there is what acts from then on. The
//! methods that choose their steps are read at the sample times between them.
//!
//! Trap: limits are looked at where steps end; what leaves its range and returns within one step is not seen.

use super::equations::Equations;
use super::error::IntegrationError;
use super::schedule::Schedule;
use super::stepper::Stepper;
use std::ops::ControlFlow;

/// A number of the state that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which, as the motion counts them.
    pub place: usize,
    /// The end of the range that it is beyond.
    pub limit: f64,
    /// Where it is.
    pub position: f64,
}

/// A motion that can be marched through.
pub trait Marching: Equations<f64> {
    /// What can go wrong.
    type Error: From<IntegrationError>;

    /// A smooth piece of time begins, at the state `y`.
    fn begin(&mut self, from: f64, to: f64, y: &[f64]);

    /// Takes a sample; what acts is what acts from `t` on.
    ///
    /// # Errors
    /// Numbers that are not finite.
    fn record(&mut self, t: f64, y: &[f64]) -> Result<(), Self::Error>;

    /// The number that is farthest out of its range, if one is; that ends the march.
    fn beyond(&self, y: &[f64]) -> Option<Crossing>;

    /// Why the integration broke down, at the last time `t` and state `y` that were in order.
    fn explain(&self, error: IntegrationError, t: f64, y: &[f64]) -> Self::Error;

    /// A step has ended at the state `y`, and all samples within it are taken: what remembers the motion moves on.
    fn accept(&mut self, _y: &[f64]) {}

    /// Told the time reached after every step; may stop the march.
    fn reached(&mut self, t: f64) -> ControlFlow<()>;
}

/// When to step and to look.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'t> {
    /// Steps and pieces.
    pub schedule: Schedule<'t>,
    /// Every how many steps of the schedule a sample is taken; start and end always are.
    pub every: u64,
    /// Most steps that the method may take.
    pub most_steps: u64,
}

/// How a march ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marched {
    /// Steps taken; those tried and given up are not counted.
    pub steps: u64,
    /// When and where it left its range, if it did.
    pub stopped: Option<(f64, Crossing)>,
}

/// Takes `y` from time zero to the end of the schedule, or to a limit.
///
/// # Errors
/// What the method or the motion reports, with the time reached.
pub fn march<M: Marching>(
    motion: &mut M,
    stepper: &mut dyn Stepper,
    plan: &Plan<'_>,
    y: &mut [f64],
) -> Result<Marched, M::Error> {
    let Plan { schedule, every, most_steps } = plan;
    let count = schedule.step_count();
    let following = |sample: u64| if sample == count { u64::MAX } else { sample.saturating_add(*every).min(count) };
    let time_of = |sample: u64| if sample > count { f64::INFINITY } else { schedule.step_end(sample) };
    let mut between = y.to_vec();
    let (mut t, mut steps, mut sample) = (0.0, 0, 0);
    loop {
        let to = schedule.piece_end(t);
        if to <= t && t < schedule.duration {
            // Pieces that rounding leaves no length would follow each other for ever.
            return Err(IntegrationError::StepTooSmall { t }.into());
        }
        motion.begin(t, to, y);
        if time_of(sample) <= t {
            motion.record(t, y)?;
            sample = following(sample);
        }
        if t >= schedule.duration {
            return Ok(Marched { steps, stopped: None });
        }
        stepper.start(motion, t, to, y).map_err(|error| motion.explain(error, t, y))?;
        while stepper.time() < to {
            let from = stepper.time();
            if steps == *most_steps {
                return Err(IntegrationError::TooManySteps { steps, t: from }.into());
            }
            stepper.step(motion).map_err(|error| motion.explain(error, from, y))?;
            steps += 1;
            let reached = stepper.time();
            y.copy_from_slice(stepper.values());
            motion.project(y);
            if y.iter().any(|x| !x.is_finite()) {
                return Err(motion.explain(IntegrationError::NotFinite { t: from }, from, &stepper.span().before));
            }
            let hit = motion.beyond(y).map(|found| {
                let inside = last_time_inside(from, reached, |middle| {
                    stepper.values_at_into(motion, middle, &mut between);
                    motion.project(&mut between);
                    motion.beyond(&between).is_none()
                });
                (inside, found)
            });
            let last = hit.map_or(reached, |(inside, _)| inside);
            while time_of(sample) <= last && (time_of(sample) < to || hit.is_some()) {
                read(motion, stepper, time_of(sample), &mut between)?;
                sample = following(sample);
            }
            if let Some((inside, _)) = hit {
                read(motion, stepper, inside, &mut between)?;
                return Ok(Marched { steps, stopped: hit });
            }
            motion.accept(y);
            if motion.reached(reached).is_break() {
                return Err(IntegrationError::Cancelled { t: reached }.into());
            }
        }
        t = to;
    }
}

/// A sample within the last step.
fn read<M: Marching>(motion: &mut M, stepper: &mut dyn Stepper, t: f64, y: &mut [f64]) -> Result<(), M::Error> {
    stepper.values_at_into(motion, t, y);
    motion.project(y);
    motion.record(t, y)
}

/// The last time in [`from`, `to`] at which all is in its range, to rounding, by halving; it is at `from` and not at `to`.
fn last_time_inside(from: f64, to: f64, mut is_inside: impl FnMut(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (from, to);
    loop {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside || outside - inside <= 1e-13 * (to - from) {
            return inside;
        }
        if is_inside(middle) { inside = middle } else { outside = middle }
    }
}
