//! Times jourdain's generated Rust. Prints lines "name nanoseconds", the minimum over all batches.

mod iiwa14;

use std::hint::black_box;
use std::time::Instant;

const STATES: usize = 64;
const N: usize = 7;

fn least(mut call: impl FnMut(usize)) -> f64 {
    const PASSES: usize = 8;
    let mut best = f64::INFINITY;
    for _ in 0..2000 {
        let start = Instant::now();
        for _ in 0..PASSES {
            (0..STATES).for_each(&mut call);
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / (PASSES * STATES) as f64);
    }
    best
}

fn main() {
    let mut seed = 42_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let x: Vec<Vec<[f64; N]>> = (0..5).map(|_| (0..STATES).map(|_| std::array::from_fn(|_| next())).collect()).collect();
    let (mut tau, mut dot, mut ddot) = ([0.0; N], [0.0; N], [0.0; N]);
    let id = least(|k| iiwa14::inverse_dynamics(&x[0][k], &x[1][k], &x[2][k], black_box(&mut tau)));
    let rates = least(|k| {
        let tau = black_box(&mut tau);
        iiwa14::rates(&x[0][k], &x[1][k], &x[2][k], &x[3][k], &x[4][k], tau, &mut dot, &mut ddot);
        black_box((&mut dot, &mut ddot));
    });
    println!("jourdain_rust id {id:.1}\njourdain_rust rates {rates:.1}");
}
