//! Threads share the work of an identification and change nothing of it.

use crate::logs::{Derivatives, csv, with_friction};
use jourdain::identify::log::{self, Options};
use jourdain::identify::{Accumulator, Coordinates, Drives, Factors, IdentifyError, Problem, Sample, accumulate};
use jourdain::robots;

fn problem() -> Problem {
    let problem =
        Problem::new(&robots::load("planar2r").unwrap(), Drives { armature: true, ..Drives::default() }).unwrap();
    let load = problem.prior();
    problem.with_terms(&Coordinates::joints(2), Some(&load))
}

fn options() -> Options {
    Options { cutoff: Some(10.0), coordinates: Some(Coordinates::joints(2)), ..Options::default() }
}

fn on(threads: usize, text: &str) -> Result<Factors, IdentifyError> {
    let problem = problem();
    let read = |take: &mut dyn FnMut(&Sample<'_>)| log::read(text.as_bytes(), problem.model(), &options(), take);
    accumulate(&problem, threads, read).map(|(factors, _)| factors)
}

#[test]
fn any_number_of_threads_gives_the_bits_of_one_accumulator() {
    // Forty seconds at a rate at which a stretch of two is more than one batch.
    let text = csv(&with_friction("planar2r"), Derivatives::None, 60_000, 1500.0, [1e-6, 0.05], 3);
    let problem = problem();
    let mut accumulator = Accumulator::new(&problem);
    log::read(text.as_bytes(), problem.model(), &options(), |sample| accumulator.add(sample)).unwrap();
    let one = accumulator.finish();
    assert!(one.samples > 59_000 && one.blocks.len() > 10);
    for threads in [1, 2, 3, 7] {
        assert_eq!(on(threads, &text).unwrap().to_bytes(), one.to_bytes(), "{threads} threads");
    }
}

#[test]
fn a_log_that_breaks_off_ends_all_threads_with_its_error() {
    let mut text = csv(&with_friction("planar2r"), Derivatives::None, 40_000, 500.0, [1e-6, 0.05], 4);
    text.push_str("80,0,0,0,nan\n");
    for threads in [1, 4] {
        let error = on(threads, &text).unwrap_err();
        assert_eq!((error.kind(), error.place()), ("not-finite", Some((40_002, 5))), "{threads} threads");
    }
    assert_eq!(on(4, "t,q1,q2,tau1,tau2\n0,0,0,0,0\n").unwrap_err().kind(), "too-few-samples");
}
