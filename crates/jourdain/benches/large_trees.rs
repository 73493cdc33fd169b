//! Forward dynamics of large trees: `cargo bench -p jourdain --bench large_trees`.
//!
//! For every tree the factor of the mass matrix and articulated bodies, beside each other in one run: the ratio decides where
//! the library changes from one to the other (`BodyTree::is_large`). Then what it does by itself, per joint, which is to stay
//! the same however many there are.

#![allow(clippy::print_stdout, reason = "a bench prints its times")]

use jourdain::bench::random_states;
use jourdain::dynamics::recursive as fast;
use jourdain::{Model, State, Workspace};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

/// `arms` chains of `joints` joints each on one trunk of `trunk` joints; axes in turn.
fn tree(trunk: usize, arms: usize, joints: usize) -> Model {
    let mut text = "name = \"tree\"\n".to_owned();
    let mut link = |name: &str, parent: &str, turn: usize| {
        let axis = ["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"][turn % 3];
        write!(
            text,
            "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\nmass = 1.0\ncom = [0.05, 0.01, 0.02]\n\
             inertia = [0.01, 0, 0, 0.01, 0, 0.01]\norigin = {{ xyz = [0.1, 0, 0.02] }}\n\
             joint = {{ type = \"continuous\", axis = {axis} }}\n"
        )
        .expect("a string takes text");
    };
    for i in 0..trunk {
        link(&format!("t{i}"), &i.checked_sub(1).map_or("base".to_owned(), |i| format!("t{i}")), i);
    }
    let root = trunk.checked_sub(1).map_or("base".to_owned(), |i| format!("t{i}"));
    for arm in 0..arms {
        for i in 0..joints {
            link(&format!("a{arm}_{i}"), &i.checked_sub(1).map_or(root.clone(), |i| format!("a{arm}_{i}")), i);
        }
    }
    text.parse().expect("a robot file")
}

/// Nanoseconds of a call: the least of several runs over all states.
fn time(states: &[State], mut call: impl FnMut(&State)) -> f64 {
    let start = Instant::now();
    states.iter().for_each(&mut call);
    let repetitions = (0.02 / start.elapsed().as_secs_f64()).ceil().clamp(1.0, 1e5) as usize;
    let run = |call: &mut dyn FnMut(&State)| {
        let start = Instant::now();
        for _ in 0..repetitions {
            states.iter().for_each(&mut *call);
        }
        start.elapsed().as_secs_f64() * 1e9 / (repetitions * states.len()) as f64
    };
    (0..5).map(|_| run(&mut call)).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("trunk arms joints   velocities      factor  articulated  ratio      chosen  ns/joint");
    let chains = [4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 60, 100, 400].map(|n| (0, 1, n));
    let trees = [(3, 2, 7), (3, 4, 8), (6, 4, 12), (6, 4, 20), (1, 20, 5), (1, 100, 12), (20, 2, 20)];
    let huge = [(0, 1, 1000), (0, 1, 10_000), (10, 100, 100)];
    for (trunk, arms, joints) in chains.into_iter().chain(trees).chain(huge) {
        let model = &tree(trunk, arms, joints);
        let n = model.nv();
        let states = &random_states(model, if n > 500 { 2 } else { 16 })[..];
        let (ws, out) = (&mut Workspace::new(model), &mut vec![0.0; n]);
        let factor = if n > 1000 {
            f64::NAN
        } else {
            time(states, |s| {
                fast::forward_dynamics_by_factor_into(model, &s.q, &s.qd, &s.tau, &[], ws, out);
                black_box(&out);
            })
        };
        let articulated = time(states, |s| {
            fast::articulated_body_into(model, &s.q, &s.qd, &s.tau, &[], ws, out);
            black_box(&out);
        });
        let chosen = time(states, |s| {
            fast::forward_dynamics_into(model, &s.q, &s.qd, &s.tau, &[], ws, out);
            black_box(&out);
        });
        println!(
            "{trunk:>5} {arms:>4} {joints:>6}   {n:>10}  {factor:>9.0} ns  {articulated:>8.0} ns  {:>5.2}  {chosen:>7.0} ns  {:>8.0}",
            factor / articulated,
            chosen / n as f64
        );
    }
}
