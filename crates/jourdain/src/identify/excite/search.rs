//! The search: from several starts, an evolution strategy with one parent and one child that never leaves the limits.
//!
//! Joint limits hold by construction, as every series is fitted into them. Torques and distances are watched: a start is moved and shrunk
//! until it keeps to them, and a child that does not is thrown away.

use super::grid::Grid;
use super::guard::{Breach, Guard, Reached};
use super::information::Judge;
use super::limits::Bounds;
use super::series::{Series, Shape};
use super::{Options, samples};
use crate::identify::Problem;
use crate::random::Random;
use std::ops::ControlFlow;

/// Postures that a start may be moved to before it is given up.
const POSTURES: usize = 400;
/// By how much a motion that is only right at the times of the search is made smaller until it is right at all times.
const SHRINKING: [f64; 12] = [1.0, 0.99, 0.98, 0.96, 0.93, 0.9, 0.85, 0.8, 0.7, 0.6, 0.45, 0.3];

/// What a search goes by.
pub(super) struct Search<'a> {
    pub problem: &'a Problem,
    pub bounds: &'a [Bounds],
    pub options: &'a Options,
    pub grid: &'a Grid,
}

/// What came of one start.
pub(super) struct Outcome {
    /// The criterion, and the condition number, of the random motion.
    pub random: [f64; 2],
    /// The criterion of the motion that was given.
    pub given: Option<f64>,
    /// The criterion of the best motion, at the times of the search.
    pub least: f64,
    /// The best motion, right at all times.
    pub series: Vec<Series>,
    /// What it reaches.
    pub reached: Reached,
}

/// Why there is none.
pub(super) enum Failed {
    Stopped,
    Ran(Breach),
}

/// Series in memory with all that judges them.
struct Bench<'a> {
    search: &'a Search<'a>,
    judge: Judge<'a>,
    guard: Guard<'a>,
    count: usize,
}

impl Bench<'_> {
    fn fit(&self, shapes: &[Shape]) -> Vec<Series> {
        let Search { bounds, options, grid, .. } = self.search;
        shapes.iter().zip(*bounds).map(|(shape, bounds)| shape.fit(bounds, options.share, grid)).collect()
    }

    fn breach(&mut self, shapes: &[Shape]) -> Option<Breach> {
        let series = self.fit(shapes);
        self.guard.breach(&series, self.search.options.period, self.count)
    }

    fn value(&mut self, shapes: &[Shape]) -> f64 {
        let (series, options) = (self.fit(shapes), self.search.options);
        self.judge.value(&options.criterion, &series, options.period, self.count)
    }

    /// The motion itself if it keeps to everything, else smaller, else somewhere else and as large as it can be there.
    fn settled(&mut self, shapes: Vec<Shape>, random: &mut Random) -> Result<Vec<Shape>, Breach> {
        let Some(mut breach) = self.breach(&shapes) else { return Ok(shapes) };
        let smaller =
            |shapes: &[Shape], factor: f64| shapes.iter().map(|shape| shape.shrunk(factor)).collect::<Vec<_>>();
        let mut moved = shapes;
        for posture in 0..POSTURES {
            if posture > 0 {
                moved = moved.iter().map(|shape| shape.at(random.signed())).collect();
            }
            if let Some(found) = self.breach(&smaller(&moved, 1e-3)) {
                breach = found;
                continue;
            }
            let mut factor = 1.0;
            while factor > 0.02 {
                let candidate = smaller(&moved, factor);
                match self.breach(&candidate) {
                    None => return Ok(candidate),
                    Some(found) => breach = found,
                }
                factor *= 0.7;
            }
        }
        Err(breach)
    }
}

impl Search<'_> {
    /// From one start; `tick` is called after every step and may stop it.
    pub fn run(&self, start: u64, tick: &impl Fn() -> ControlFlow<()>) -> Result<Outcome, Failed> {
        let options = self.options;
        let mut random = Random(options.seed.wrapping_mul(0x9e37_79b9).wrapping_add(start));
        let written = self.problem.written();
        let mut bench = Bench {
            search: self,
            judge: Judge::new(self.problem),
            guard: Guard::new(written, options.effort_share, options.clearance.as_ref()),
            count: samples(options),
        };
        let sizes = bench.guard.watches();
        let first = self.bounds.iter().map(|_| Shape::random(options.harmonics, &mut random)).collect();
        let mut best = bench.settled(first, &mut random).map_err(Failed::Ran)?;
        let mut least = bench.value(&best);
        let at_random = [least, bench.judge.information().condition()];
        let mut given = None;
        if let Some(from) = &options.from {
            let shape = |(series, bounds)| Shape::of(series, options.harmonics, bounds, options.share, self.grid);
            let shapes = from.iter().zip(self.bounds).map(shape).collect();
            best = bench.settled(shapes, &mut random).map_err(Failed::Ran)?;
            least = bench.value(&best);
            given = Some(least);
        }
        if tick().is_break() {
            return Err(Failed::Stopped);
        }
        let mut step = 0.5;
        for _ in 0..options.steps {
            // All joints at once early on, then one joint at a time too.
            let only = (random.signed() > 0.0).then(|| (random.bits() % best.len() as u64) as usize);
            let child: Vec<Shape> = (best.iter().enumerate())
                .map(|(j, shape)| {
                    let changes = only.is_none_or(|only| only == j);
                    if changes { shape.mutated(step, sizes, &mut random) } else { shape.clone() }
                })
                .collect();
            let reached = if bench.breach(&child).is_none() { bench.value(&child) } else { f64::INFINITY };
            if reached < least {
                (best, least) = (child, reached);
                step = (step * 1.5).min(1.0);
            } else {
                // One success in five keeps the step.
                step = (step * 0.9).max(0.01);
            }
            if tick().is_break() {
                return Err(Failed::Stopped);
            }
        }
        let (series, reached) = self.finish(&mut bench, &best).map_err(Failed::Ran)?;
        Ok(Outcome { random: at_random, given, least, series, reached })
    }

    /// The motion, so much smaller that it is right at all times.
    fn finish(&self, bench: &mut Bench<'_>, best: &[Shape]) -> Result<(Vec<Series>, Reached), Breach> {
        let mut last = None;
        for factor in SHRINKING {
            let series = bench.fit(&best.iter().map(|shape| shape.shrunk(factor)).collect::<Vec<_>>());
            let speeds: Vec<f64> = series.iter().map(|series| self.grid.extent(series).speed).collect();
            match bench.guard.verify(&series, &speeds, self.options.period, bench.count) {
                Ok(reached) => return Ok((series, reached)),
                Err(breach) => last = Some(breach),
            }
        }
        match last {
            Some(breach) => Err(breach),
            None => Ok((bench.fit(best), Reached::default())),
        }
    }
}
