//! What a sample costs an identification: `cargo bench -p jourdain --bench identify`.
//!
//! Candidates take turns, round by round, and the fastest round of each counts: load from outside drops out. Times are per sample or
//! line, beside that of inverse dynamics. `one by one` is the same work with one reflection after the other in registers that every
//! processor has, as it was done at first; `standard library` splits a line and parses its cells. With a number as argument as
//! many samples are taken in on one thread and on all, which shows what threads are good for.

#![allow(missing_docs, clippy::print_stdout)]

use jourdain::dynamics::recursive::{self, parameter_count, regressor_into};
use jourdain::identify::log::{self, Options};
use jourdain::identify::{Accumulator, Coordinates, Drives, Problem, Sample, accumulate, solve};
use jourdain::{Model, Workspace, robots};
use jourdain_symbolic::{Lanes, Scalar as _};
use std::cell::Cell;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

/// Samples of one call: whole blocks of 128, which fill one stretch of two seconds. Trap: samples are only gathered until their stretch is
/// over, so every call begins a new one; the fastest of calls that end none would be one that does no work.
const SAMPLES: usize = 15 * 128;
const STRETCH: f64 = 2.0;
const ROUNDS: usize = 100;

/// A motion with torques, and the same as text without derivatives and with all.
struct Log {
    rows: Vec<[Vec<f64>; 5]>,
    positions: String,
    all: String,
    /// When the next call begins, s.
    start: Cell<f64>,
}

impl Log {
    fn new(model: &Model<f64>, elements: usize) -> Self {
        let n = model.nv();
        let heading = |letters: &[&str]| {
            let cells = letters.iter().flat_map(|letters| (1..=n).map(move |j| format!(",{letters}{j}")));
            format!("t{}", cells.collect::<String>())
        };
        let (mut positions, mut all) = (heading(&["q", "tau"]), heading(&["q", "qd", "qdd", "tau"]));
        let row = |i: usize| {
            let t = 1e-3 * i as f64;
            let wave = |r: i32| -> Vec<f64> {
                let term = |j: usize, w: f64| {
                    w.powi(r) * (w * t + j as f64 + f64::from(r) * std::f64::consts::FRAC_PI_2).sin()
                };
                (0..n).map(|j| term(j, 0.9 + 0.2 * j as f64) + 0.3 * term(j + 3, 2.1 + 0.3 * j as f64)).collect()
            };
            let (q, qd, qdd) = (wave(0), wave(1), wave(2));
            let tau = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
            let z = (0..elements).map(|k| (t + k as f64).sin()).collect();
            [q, qd, qdd, tau, z]
        };
        let rows: Vec<[Vec<f64>; 5]> = (0..SAMPLES).map(row).collect();
        for (i, [q, qd, qdd, tau, _]) in rows.iter().enumerate() {
            for (text, vectors) in [(&mut positions, vec![q, tau]), (&mut all, vec![q, qd, qdd, tau])] {
                write!(text, "\n{:.3}", 1e-3 * i as f64).unwrap_or_default();
                vectors.into_iter().flatten().for_each(|x| write!(text, ",{x:.6}").unwrap_or_default());
            }
        }
        Self { rows, positions, all, start: Cell::new(0.0) }
    }

    fn give(&self, mut take: impl FnMut(&Sample<'_>)) {
        let start = self.start.replace(self.start.get() + STRETCH);
        for (i, [q, qd, qdd, tau, z]) in self.rows.iter().enumerate() {
            take(black_box(&Sample { t: start + 1e-3 * i as f64, q, qd, qdd, tau, z }));
        }
    }
}

/// One reflection after the other: what the triangles of identification are compared with.
struct OneByOne<'a> {
    problem: &'a Problem,
    workspace: Workspace<Lanes<4>>,
    regressor: Vec<Lanes<4>>,
    triangles: Vec<Vec<f64>>,
    blocks: Vec<Vec<Lanes<4>>>,
}

impl<'a> OneByOne<'a> {
    const QUADS: usize = 32;

    fn new(problem: &'a Problem) -> Self {
        let (model, n) = (problem.model(), problem.model().nv());
        let widths = || (0..n).map(|j| problem.felt(j).len() + 1);
        Self {
            problem,
            workspace: Workspace::new(model),
            regressor: vec![Lanes::splat(0.0); n * parameter_count(model)],
            triangles: widths().map(|width| vec![0.0; width * width]).collect(),
            blocks: widths().map(|width| vec![Lanes::splat(0.0); width * Self::QUADS]).collect(),
        }
    }

    fn run(&mut self, log: &Log) {
        let (problem, model) = (self.problem, self.problem.model());
        let width = parameter_count(model);
        for rows in log.rows.chunks_exact(4 * Self::QUADS) {
            for (at, four) in rows.chunks_exact(4).enumerate() {
                let [q, qd, qdd, tau] = std::array::from_fn(|k| {
                    let lanes = |i: usize| Lanes(std::array::from_fn(|lane| four[lane][k][i]));
                    (0..four[0][k].len()).map(lanes).collect::<Vec<_>>()
                });
                regressor_into(model, &q, &qd, &qdd, &mut self.workspace, &mut self.regressor);
                for (j, block) in self.blocks.iter_mut().enumerate() {
                    let columns = problem.felt(j).iter().map(|&i| self.regressor[j * width + problem.column(i)]);
                    let to = block.iter_mut().skip(at).step_by(Self::QUADS);
                    to.zip(columns.chain([tau[j]])).for_each(|(to, value)| *to = value);
                }
            }
            for (triangle, block) in self.triangles.iter_mut().zip(&mut self.blocks) {
                reflect(triangle, block, Self::QUADS);
            }
        }
    }
}

fn reflect(r: &mut [f64], block: &mut [Lanes<4>], quads: usize) {
    let sum = |x: Lanes<4>| (x.0[0] + x.0[1]) + (x.0[2] + x.0[3]);
    let width = block.len() / quads;
    for k in 0..width {
        let (head, tail) = block.split_at_mut((k + 1) * quads);
        let x = &head[k * quads..];
        let below = sum(x.iter().fold(Lanes::splat(0.0), |sum, x| x.mul_add(*x, sum)));
        let row = &mut r[k * width + k..(k + 1) * width];
        let length = (row[0] * row[0] + below).sqrt();
        let v = if row[0] < 0.0 { row[0] - length } else { row[0] + length };
        row[0] -= v;
        let beta = 2.0 / (v * v + below);
        for (tops, columns) in row[1..].chunks_mut(4).zip(tail.chunks_mut(4 * quads)) {
            let mut sums = [Lanes::splat(0.0); 4];
            for (i, x) in x.iter().enumerate() {
                for (sum, y) in sums.iter_mut().zip(columns.chunks_exact(quads)) {
                    *sum = y[i].mul_add(*x, *sum);
                }
            }
            let mut factors = [Lanes::splat(0.0); 4];
            for ((factor, top), lanes) in factors.iter_mut().zip(tops).zip(sums) {
                let f = beta * (v * *top + sum(lanes));
                *top -= f * v;
                *factor = Lanes::splat(-f);
            }
            for (i, x) in x.iter().enumerate() {
                for (factor, y) in factors.iter().zip(columns.chunks_exact_mut(quads)) {
                    y[i] = factor.mul_add(*x, y[i]);
                }
            }
        }
    }
}

fn report(robot: &str, candidates: &mut [(&str, &mut dyn FnMut())]) {
    let mut best = vec![f64::INFINITY; candidates.len()];
    // The first call only gathers.
    candidates.iter_mut().for_each(|(_, run)| run());
    for _ in 0..ROUNDS {
        for ((_, run), best) in candidates.iter_mut().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = best.min(start.elapsed().as_nanos() as f64 / SAMPLES as f64);
        }
    }
    for ((name, _), ns) in candidates.iter().zip(&best) {
        println!("{robot:10} {name:44} {ns:9.1} ns {:7.2} x", ns / best[0]);
    }
}

fn costs(robot: &str) {
    let Some(model) = robots::load(robot) else { return };
    let coordinates = Coordinates::joints(model.nv());
    let Ok(problem) = Problem::new(&model, Drives::default()) else { return };
    let with_terms = Problem::new(&model, Drives { armature: true, viscous: true, coulomb: true });
    let Ok(with_terms) = with_terms.map(|problem| {
        let load = vec![1.0; problem.unknowns().len()];
        problem.with_terms(&coordinates, Some(&load))
    }) else {
        return;
    };
    let log = Log::new(problem.model(), 3 * coordinates.count());
    let n = model.nv();
    let (mut workspace, mut tau) = (Workspace::new(&model), vec![0.0; n]);
    let mut before = OneByOne::new(&problem);
    let (mut base, mut terms) = (Accumulator::new(&problem), Accumulator::new(&with_terms));
    let smooth = Options { cutoff: Some(20.0), coordinates: Some(coordinates.clone()), ..Options::default() };
    let read = |text: &str, options: &Options| {
        let take = |sample: &Sample<'_>| {
            black_box(sample.q[0]);
        };
        black_box(log::read(text.as_bytes(), &model, options, take)).is_ok()
    };
    report(
        robot,
        &mut [
            ("inverse dynamics", &mut || {
                for [q, qd, qdd, ..] in &log.rows {
                    recursive::inverse_dynamics_into(&model, q, qd, qdd, &[], &mut workspace, &mut tau);
                    black_box(tau[0]);
                }
            }),
            ("sample, one by one", &mut || before.run(&log)),
            ("sample", &mut || log.give(|sample| base.add(sample))),
            ("sample, with the model of the drives", &mut || log.give(|sample| terms.add(sample))),
            ("line of all derivatives, standard library", &mut || {
                let cells = log.all.lines().skip(1).flat_map(|line| line.split(','));
                black_box(cells.filter_map(|cell| cell.parse::<f64>().ok()).sum::<f64>());
            }),
            ("line of all derivatives", &mut || assert!(read(&log.all, &Options::default()))),
            ("line of positions, smooth, with hysteresis", &mut || assert!(read(&log.positions, &smooth))),
        ],
    );
    let factors = base.finish();
    let start = Instant::now();
    drop(black_box(solve(&problem, &factors)));
    println!("{robot:10} {:44} {:9.1} µs", "solution", start.elapsed().as_nanos() as f64 / 1e3);
}

/// Samples per second on one thread and on all.
fn scaling(robot: &str, samples: usize) {
    let Some(model) = robots::load(robot) else { return };
    let Ok(problem) = Problem::new(&model, Drives::default()) else { return };
    let log = Log::new(problem.model(), 0);
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut first = None;
    for threads in [1, all] {
        log.start.set(0.0);
        let start = Instant::now();
        let result = accumulate(&problem, threads, |take| {
            (0..samples.div_ceil(SAMPLES)).for_each(|_| log.give(&mut *take));
            Ok::<_, Infallible>(())
        });
        let seconds = start.elapsed().as_secs_f64();
        let Ok((factors, ())) = result;
        let same = *first.get_or_insert_with(|| factors.clone()) == factors;
        let rate = factors.samples as f64 / seconds / 1e6;
        println!("{robot:10} {threads} threads: {rate:.3} million samples per second; the same bits: {same}");
    }
}

fn main() {
    let samples = std::env::args().skip(1).find_map(|argument| argument.parse::<usize>().ok());
    match samples {
        Some(samples) => scaling("iiwa14", samples),
        None => ["planar2r", "puma560", "iiwa14"].into_iter().for_each(costs),
    }
}
