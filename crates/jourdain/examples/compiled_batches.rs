//! A robot as machine code of its own: one state in a control loop, or many on all cores.

#![allow(clippy::print_stdout, reason = "a program prints")]

use jourdain::dynamics::recursive;
use jourdain::quantity::Quantity;
use jourdain::{State, robots};
use std::error::Error;

const STATES: usize = 1000;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let robot = robots::load("panda").ok_or("no such robot")?;
    let n = robot.nv();
    let quantities = [Quantity::parse("mass_matrix", &robot)?, Quantity::parse("inverse_dynamics", &robot)?];
    let compiled = robot.compile(&quantities)?;
    println!("{:?}, {:?}", compiled.back_end(), compiled.program().operations());

    // The inputs of a state one after the other, the states one after the other.
    let state = |k: usize| {
        let wave = |phase: f64| (0..n).map(|i| (0.01 * k as f64 + i as f64 + phase).sin()).collect();
        State { q: wave(0.0), qd: wave(1.0), qdd: wave(2.0), ..State::neutral(&robot) }
    };
    let states: Vec<State> = (0..STATES).map(state).collect();
    let inputs = states.iter().map(|state| compiled.input(state)).collect::<Result<Vec<_>, _>>()?.concat();
    let width = compiled.output_count();
    let mut out = vec![0.0; STATES * width];
    compiled.run_parallel(&inputs, &mut out);

    for (state, out) in states.iter().zip(out.chunks(width)) {
        let mass = recursive::mass_matrix(&robot, &state.q);
        let tau = recursive::inverse_dynamics(&robot, &state.q, &state.qd, &state.qdd, &[]);
        let expected = mass.as_slice().iter().chain(&tau);
        assert!(out.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11 * b.abs().max(1.0)));
    }

    // One state at a time, without allocation: a control loop.
    let (mut scratch, mut one) = (compiled.scratch(), vec![0.0; width]);
    compiled.run(&compiled.input(&states[7])?, &mut scratch, &mut one);
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12 * b.abs().max(1.0);
    assert!(one.iter().zip(&out[7 * width..]).all(close));
    println!("torques {:.3?} N m", &one[compiled.range(1)]);
    Ok(())
}
