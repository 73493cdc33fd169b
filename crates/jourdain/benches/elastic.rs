//! What elastic joints cost: inverse dynamics against that of the rigid robot, a control step, closed-loop runs.
//!
//! Candidates take turns, round by round, and the fastest round of each counts: load from outside drops out. With an argument
//! that is a number the robustness study runs so many robots.

#![allow(missing_docs, clippy::print_stdout)]

use jourdain::dynamics::recursive;
use jourdain::elastic::ElasticModel;
use jourdain::elastic::control::{ControlLaw as _, Controller, Kind, Measured};
use jourdain::elastic::inverse::{InverseScratch, MotorMotion, inverse_dynamics_into};
use jourdain::prescribed::{Cosine, Curve, PrescribedMotion};
use jourdain::simulate::Wrappers;
use jourdain::simulate::robustness::{Spread, Study};
use jourdain::{Workspace, robots};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 400;
const CALLS: u32 = 200;

fn report(robot: &str, candidates: &mut [(&str, &mut dyn FnMut())]) {
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
    for ((name, _), ns) in candidates.iter().zip(&best) {
        println!("{robot:18} {name:28} {ns:9.1} ns {:6.2} x", ns / best[0]);
    }
}

fn steps(name: &str) {
    let Some(model) = robots::load(name) else { return };
    let Ok(robot) = ElasticModel::new(&model) else { return };
    let n = model.nv();
    let values = |k: usize| (0..n).map(|i| (1.0 + (k * n + i) as f64).sin()).collect::<Vec<f64>>();
    let orders: [Vec<f64>; 5] = std::array::from_fn(values);
    let reference = orders.each_ref().map(Vec::as_slice);
    let (deflection, rate) = (vec![1e-3; n], vec![1e-2; n]);
    let measured = Measured { q: &orders[1], qd: &orders[2], deflection: &deflection, deflection_d: &rate };
    let law = |kind| Controller::<f64>::new(kind, &robot, &[[-12.0, 0.0]; 4], &orders[0]);
    let [Ok(mut exact), Ok(mut forward), Ok(mut rigid)] =
        [Kind::Linearising, Kind::Feedforward, Kind::ComputedTorque].map(law)
    else {
        return;
    };
    let (mut workspace, mut plain) = (Workspace::new(&model), vec![0.0; n]);
    let (mut scratch, mut motor) = (InverseScratch::new(&model), MotorMotion::zero(&robot));
    let mut torque = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let [a, b, c] = &mut torque;
    report(
        name,
        &mut [
            ("inverse dynamics", &mut || {
                let (q, w, w_dot) = (black_box(reference[0]), reference[1], reference[2]);
                recursive::inverse_dynamics_into(&model, q, w, w_dot, &[], &mut workspace, &mut plain);
                black_box(&plain);
            }),
            ("elastic inverse dynamics", &mut || {
                let q = black_box(reference[0]);
                inverse_dynamics_into(&robot, q, &reference[1..], &[], &mut scratch, &mut motor);
                black_box(&motor);
            }),
            ("exact linearisation", &mut || {
                exact.torque_into(black_box(&reference), &measured, &[], &mut [], a);
                black_box(&a);
            }),
            ("feed-forward", &mut || {
                forward.torque_into(black_box(&reference), &measured, &[], &mut [], b);
                black_box(&b);
            }),
            ("computed torque", &mut || {
                rigid.torque_into(black_box(&reference), &measured, &[], &mut [], c);
                black_box(&c);
            }),
        ],
    );
}

fn study(samples: usize) {
    let Some(model) = robots::load("planar2r_elastic") else { return };
    let Ok(nominal) = ElasticModel::new(&model) else { return };
    let wave = |i: usize| Curve::Cosines {
        offset: 0.0,
        terms: vec![Cosine { amplitude: 0.4, frequency: 2.0, phase: i as f64 }],
    };
    let motion = PrescribedMotion { joints: (0..2).map(wave).collect(), loads: Vec::new(), start: 0.0, end: 2.0 };
    let study = Study {
        nominal: &nominal,
        kind: Kind::Linearising,
        poles: [[-12.0, 0.0]; 4],
        motion: &motion,
        offset: vec![-0.2, 0.15],
        spread: Spread::default(),
        samples,
        seed: 1,
        duration: 2.0,
        step: 1e-3,
        bound: 1.0,
        wrappers: Wrappers::default(),
    };
    let start = Instant::now();
    let stable = study
        .run(|| std::ops::ControlFlow::Continue(()))
        .map_or(0, |outcomes| outcomes.iter().filter(|outcome| outcome.stable).count());
    let seconds = start.elapsed().as_secs_f64();
    println!("{samples} runs of 2 s: {seconds:.2} s, {stable} stable");
}

fn main() {
    let samples = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    steps("iiwa14_elastic");
    steps("planar2r_elastic");
    study(samples.unwrap_or(500));
}
