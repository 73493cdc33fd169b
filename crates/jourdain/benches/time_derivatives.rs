//! What time derivatives cost against the quantity alone, in one run: ratios that hold on any machine.
//!
//! All candidates take turns, round by round, and the fastest round of each counts: load from outside slows all alike and
//! drops out.

#![allow(missing_docs, clippy::print_stdout)]

use jourdain::dynamics::recursive::{self, JetScratch, RateScratch, TableScratch};
use jourdain::{Model, Workspace, robots};
use jourdain_symbolic::Jet;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 400;
const CALLS: u32 = 200;

/// The fastest round of each candidate, ns per call.
fn race(candidates: &mut [(&str, &mut dyn FnMut())]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; candidates.len()];
    for _ in 0..ROUNDS {
        for ((_, run), best) in candidates.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..CALLS {
                run();
            }
            *best = best.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
        }
    }
    best
}

fn report(robot: &str, candidates: &mut [(&str, &mut dyn FnMut())]) {
    let best = race(candidates);
    for ((name, _), ns) in candidates.iter().zip(&best) {
        println!("{robot:12} {name:32} {ns:9.1} ns {:6.2} x", ns / best[0]);
    }
}

fn torques(name: &str, model: &Model) {
    let n = model.nv();
    let q: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).sin()).collect();
    let orders: Vec<Vec<f64>> = (0..6).map(|k| (0..n).map(|i| (2.0 + (k * n + i) as f64).cos()).collect()).collect();
    let motion: Vec<&[f64]> = orders.iter().map(Vec::as_slice).collect();
    let (mut workspace, mut plain) = (Workspace::new(model), vec![0.0; n]);
    let (mut two, mut first) = (JetScratch::<f64, 2>::new(model), vec![Jet::fixed(0.0); n]);
    let (mut three, mut second) = (JetScratch::<f64, 3>::new(model), vec![Jet::fixed(0.0); n]);
    let (mut four, mut third) = (JetScratch::<f64, 4>::new(model), vec![Jet::fixed(0.0); n]);
    let (mut table_2, mut first_t) = (TableScratch::<f64, 2>::new(model), vec![Jet::fixed(0.0); n]);
    let (mut table_3, mut second_t) = (TableScratch::<f64, 3>::new(model), vec![Jet::fixed(0.0); n]);
    let mut sines = (vec![0.0; n], vec![0.0; n]);
    report(
        name,
        &mut [
            ("torque", &mut || {
                recursive::inverse_dynamics_into(
                    model,
                    black_box(&q),
                    motion[0],
                    motion[1],
                    &[],
                    &mut workspace,
                    &mut plain,
                );
                black_box(&plain);
            }),
            ("its sines and cosines", &mut || {
                <f64 as jourdain_symbolic::Scalar>::sin_cos_slice(black_box(&q), &mut sines.0, &mut sines.1);
                black_box(&sines);
            }),
            ("torque, 1 rate, series", &mut || {
                recursive::inverse_dynamics_series_into(model, black_box(&q), &motion, &[], &mut two, &mut first);
                black_box(&first);
            }),
            ("torque, 2 rates, series", &mut || {
                recursive::inverse_dynamics_series_into(model, black_box(&q), &motion, &[], &mut three, &mut second);
                black_box(&second);
            }),
            ("torque, 1 rate, tables", &mut || {
                recursive::inverse_dynamics_tables_into(model, black_box(&q), &motion, &[], &mut table_2, &mut first_t);
                black_box(&first_t);
            }),
            ("torque, 2 rates, tables", &mut || {
                recursive::inverse_dynamics_tables_into(
                    model,
                    black_box(&q),
                    &motion,
                    &[],
                    &mut table_3,
                    &mut second_t,
                );
                black_box(&second_t);
            }),
            ("torque, 3 rates, series", &mut || {
                recursive::inverse_dynamics_series_into(model, black_box(&q), &motion, &[], &mut four, &mut third);
                black_box(&third);
            }),
        ],
    );
}

fn matrices(name: &str, model: &Model) {
    let n = model.nv();
    let q: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).sin()).collect();
    let orders: Vec<Vec<f64>> = (0..2).map(|k| (0..n).map(|i| (2.0 + (k * n + i) as f64).cos()).collect()).collect();
    let motion: Vec<&[f64]> = orders.iter().map(Vec::as_slice).collect();
    let mut workspace = Workspace::new(model);
    let (mut m, mut c, mut g) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n]);
    let (mut rates, mut values) = (RateScratch::new(model), [m.clone(), c.clone(), g.clone()]);
    let mut dots = values.clone();
    let zero = Jet::<f64, 2>::fixed(0.0);
    let mut scratch = JetScratch::new(model);
    let (mut m_s, mut c_s, mut g_s) = (vec![zero; n * n], vec![zero; n * n], vec![zero; n]);
    report(
        name,
        &mut [
            ("M, C, g", &mut || {
                recursive::dynamic_matrices_into(
                    model,
                    black_box(&q),
                    motion[0],
                    &mut workspace,
                    &mut m,
                    &mut c,
                    &mut g,
                );
                black_box((&m, &c, &g));
            }),
            ("M, C, g, 1 rate, one series pass", &mut || {
                recursive::dynamic_matrices_series_into(
                    model,
                    black_box(&q),
                    &motion,
                    &mut scratch,
                    &mut m_s,
                    &mut c_s,
                    &mut g_s,
                );
                black_box((&m_s, &c_s, &g_s));
            }),
            ("M, C, g, 1 rate, one pass", &mut || {
                recursive::dynamic_matrices_rates_into(
                    model,
                    black_box(&q),
                    [motion[0], motion[1]],
                    &mut rates,
                    values.each_mut().map(Vec::as_mut_slice),
                    dots.each_mut().map(Vec::as_mut_slice),
                );
                black_box((&values, &dots));
            }),
        ],
    );
}

fn main() {
    for name in ["iiwa14", "humanoid25"] {
        if let Some(model) = robots::load(name) {
            torques(name, &model);
            matrices(name, &model);
        }
    }
}
