//! A robot as machine code of its own: many states on all cores, or one in a control loop.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::dynamics::recursive;
use jourdain::quantity::Quantity;
use jourdain::state::Inputs;
use jourdain::{State, robots};
use std::error::Error;

const STATES: usize = 1000;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("panda").ok_or("no such robot")?;
    let n = robot.nv();
    let quantities = [Quantity::parse("mass_matrix", &robot)?, Quantity::parse("inverse_dynamics", &robot)?];
    let compiled = robot.compile(&quantities)?;
    println!("{:?}, {:?}", compiled.back_end(), compiled.program().operations());

    // Each input as its own array, row by row: what is left out is zero.
    let wave = |phase: f64| -> Vec<f64> {
        (0..STATES * n).map(|i| (0.01 * (i / n) as f64 + (i % n) as f64 + phase).sin()).collect()
    };
    let (q, qd, qdd) = (wave(0.0), wave(1.0), wave(2.0));
    let width = compiled.output_count();
    let mut out = vec![0.0; STATES * width];
    compiled.run_columns(&Inputs { q: &q, qd: &qd, qdd: &qdd, ..Inputs::default() }, &mut out)?;

    let row = |of: &[f64], k: usize| of[k * n..(k + 1) * n].to_vec();
    for (k, out) in out.chunks(width).enumerate() {
        let mass = recursive::mass_matrix(&robot, &row(&q, k));
        let tau = recursive::inverse_dynamics(&robot, &row(&q, k), &row(&qd, k), &row(&qdd, k), &[]);
        let expected = mass.as_slice().iter().chain(&tau);
        assert!(out.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11 * b.abs().max(1.0)));
    }

    // One state at a time, without allocation: a control loop.
    let state = State { q: row(&q, 7), qd: row(&qd, 7), qdd: row(&qdd, 7), ..State::neutral(&robot) };
    let input = compiled.input(&state)?;
    let (mut scratch, mut one) = (compiled.scratch(), vec![0.0; width]);
    compiled.run(&input, &mut scratch, &mut one);
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12 * b.abs().max(1.0);
    assert!(one.iter().zip(&out[7 * width..]).all(close));
    println!("torques {:.3?} N m", &one[compiled.range(1)]);
    Ok(())
}
