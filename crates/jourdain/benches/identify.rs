//! Samples per second that an identification takes in: `cargo bench -p jourdain --bench identify`.
//!
//! `accumulate` is a sample's regressor and its share of the triangular factors; `read` is a line of a log with all
//! derivatives, from text to a sample; `solve` is everything after the last sample.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jourdain::dynamics::recursive;
use jourdain::identify::{Accumulator, Drives, Problem, Sample, log, solve};
use jourdain::robots;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

/// Samples of one iteration: many blocks, and few enough for a near cache.
const SAMPLES: usize = 4096;

struct Log {
    rows: Vec<[Vec<f64>; 4]>,
    text: String,
}

fn samples(problem: &Problem) -> Log {
    let (model, n) = (problem.model(), problem.model().nv());
    let mut text = String::from("t");
    for letters in ["q", "qd", "qdd", "tau"] {
        (1..=n).for_each(|j| write!(text, ",{letters}{j}").unwrap_or_default());
    }
    let row = |i: usize| {
        let t = 0.01 * i as f64;
        let wave = |r: u32| -> Vec<f64> {
            let term = |j: usize, w: f64| {
                w.powi(r as i32) * (w * t + j as f64 + f64::from(r) * std::f64::consts::FRAC_PI_2).sin()
            };
            (0..n).map(|j| term(j, 0.9 + 0.2 * j as f64) + 0.3 * term(j + 3, 2.1 + 0.3 * j as f64)).collect()
        };
        let (q, qd, qdd) = (wave(0), wave(1), wave(2));
        let tau = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
        [q, qd, qdd, tau]
    };
    let rows: Vec<[Vec<f64>; 4]> = (0..SAMPLES).map(row).collect();
    for (i, row) in rows.iter().enumerate() {
        write!(text, "\n{}", 0.01 * i as f64).unwrap_or_default();
        row.iter().flatten().for_each(|x| write!(text, ",{x:.6}").unwrap_or_default());
    }
    Log { rows, text }
}

fn identification(criterion: &mut Criterion) {
    for robot in ["planar2r", "puma560", "iiwa14"] {
        let Some(model) = robots::load(robot) else { continue };
        for (name, drives) in [
            ("inertia", Drives { armature: false, viscous: false, coulomb: false }),
            ("inertia_and_friction", Drives::default()),
        ] {
            let Ok(problem) = Problem::new(&model, drives) else { continue };
            let log = samples(&problem);
            let mut group = criterion.benchmark_group(format!("{robot}/{name}"));
            group.throughput(Throughput::Elements(SAMPLES as u64));
            let mut accumulator = Accumulator::new(&problem);
            group.bench_function("accumulate", |bencher| {
                bencher.iter(|| {
                    for [q, qd, qdd, tau] in &log.rows {
                        accumulator.add(black_box(&Sample { t: 0.0, q, qd, qdd, tau }));
                    }
                });
            });
            group.bench_function("read", |bencher| {
                let options = log::Options::default();
                bencher.iter(|| {
                    log::read(log.text.as_bytes(), problem.model(), &options, |sample| {
                        black_box(sample.q[0]);
                    })
                });
            });
            group.throughput(Throughput::Elements(1));
            let factors = accumulator.finish();
            group.bench_function("solve", |bencher| bencher.iter(|| black_box(solve(&problem, &factors)).is_ok()));
            group.finish();
        }
    }
}

fn configured() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
}

criterion_group! { name = benches; config = configured(); targets = identification }
criterion_main!(benches);
