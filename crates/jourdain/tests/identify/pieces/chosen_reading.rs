//! What a study chooses, of logs that are met as well as a formula of cut-off and delay says.
//!
//! The torques of a joint are those of the robot and e^f times an error that is the same in all readings. So the logarithm of
//! what is left of them is f and a constant, and all that is chosen can be told from f.

use crate::logs::{Random, Run, with_friction};
use jourdain::identify::log::{Clock, Filtering, Options, Summary};
use jourdain::identify::{Accumulator, Drives, IdentifyError, PRIOR_WEIGHT, Problem, Sample, Study, consistent, study};

/// The step of delays that are tried, s.
const STEP: f64 = 5e-3;

fn arm() -> Problem {
    Problem::new(&with_friction("planar2r"), Drives::default()).unwrap()
}

fn summary(rate: Option<f64>) -> Summary {
    let filtering = rate.map(|rate| Filtering {
        cutoff: 5.0,
        from_spectrum: true,
        rate,
        tick: None,
        decimate: 1,
        dropped: 0,
        found: "velocities",
    });
    let clock = Clock::Seconds;
    Summary { rows: 60, samples: 60, doubled: 0, thinned: 0, gaps: 0, clock, start: Some(0.0), filtering }
}

/// Gives samples of an arm with errors of such sizes.
fn give(problem: &Problem, count: usize, sizes: [f64; 2], take: &mut dyn FnMut(&Sample<'_>)) {
    let (mut run, mut random) = (Run::new(problem.model(), 0.8), Random(5));
    for i in 0..count {
        let t = 0.31 * i as f64;
        run.at(t);
        run.tau.iter_mut().zip(sizes).for_each(|(tau, size)| *tau += 0.2 * size * random.normal());
        take(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
    }
}

/// A study of a log at a rate, where f is given by cut-off and delay; and all cut-offs and delays that were tried.
fn studied(
    rate: f64,
    options: &Options,
    delay: Option<f64>,
    f: impl Fn(f64, f64) -> [f64; 2],
) -> (Study, Vec<(f64, f64)>) {
    let (problem, mut tried) = (arm(), Vec::new());
    let found = study(&problem, options, delay, |options, take| {
        if options.rows.is_none() {
            let (cutoff, delay) = (options.cutoff.unwrap(), options.delay);
            tried.push((cutoff, delay));
            give(&problem, 60, f(cutoff, delay).map(f64::exp), take);
        }
        Ok(summary(Some(rate)))
    })
    .unwrap();
    assert!(tried.iter().all(|(cutoff, delay)| cutoff.is_finite() && delay.is_finite()), "{tried:?}");
    (found, tried)
}

fn cutoffs(tried: &[(f64, f64)]) -> Vec<f64> {
    tried.iter().map(|(cutoff, _)| *cutoff).collect()
}

#[track_caller]
fn close(found: f64, known: f64) {
    assert!((found - known).abs() < 1e-9, "{found} instead of {known}");
}

/// A parabola over delays, in steps.
fn bowl(depth: f64, delay: f64, least: f64) -> f64 {
    depth * ((delay - least) / STEP).powi(2)
}

#[test]
fn the_highest_cut_off_as_good_as_the_best_is_taken() {
    // Both joints count alike: what one gains by going from 5 to 12 Hz the other loses.
    let table = |cutoff: f64| match cutoff {
        2.0 => [1.0, 1.0],
        3.0 => [0.4, 0.6],
        5.0 => [0.3, -0.3],
        8.0 => [-0.392, 0.408],
        12.0 => [-0.488, 0.512],
        20.0 => [0.0, 0.2],
        _ => [0.5, 0.5],
    };
    let tried = [2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 35.0];
    let (found, seen) = studied(100.0, &Options::default(), Some(2e-3), |cutoff, _| table(cutoff));
    assert_eq!((found.cutoff, found.chosen, found.limited, found.delay), (Some(8.0), true, false, 2e-3));
    assert_eq!((found.delay_gain, found.late.len()), (0.0, 0));
    // Up to 0.35 of the rate, and the delay that was asked for.
    assert_eq!(seen, tried.map(|cutoff| (cutoff, 2e-3)));
    // What rises to the end is limited by the rate; 7 Hz are 0.35 of 20.
    let (found, seen) = studied(20.0, &Options::default(), Some(0.0), |cutoff, _| [-cutoff; 2]);
    assert_eq!((found.cutoff, found.limited, cutoffs(&seen)), (Some(5.0), true, vec![2.0, 3.0, 5.0]));
    // Where the rate allows none of them it is 0.35 of the rate.
    let (found, seen) = studied(4.0, &Options::default(), Some(0.0), |_, _| [0.0; 2]);
    assert_eq!((found.limited, seen.len()), (true, 1));
    close(found.cutoff.unwrap(), 1.4);
    // One that is given is no choice, and nothing limits it.
    let given = Options { cutoff: Some(4.0), ..Options::default() };
    let (found, seen) = studied(20.0, &given, Some(0.0), |_, _| [0.0; 2]);
    assert_eq!((found.cutoff, found.chosen, found.limited), (Some(4.0), false, false));
    assert_eq!(seen, [(4.0, 0.0)]);
}

#[test]
fn the_delay_is_the_vertex_of_a_parabola_and_the_cut_off_is_looked_for_again() {
    // Without delay 12 Hz are best. With it 35 are, two further on, and their vertex lies elsewhere; 60 would be better still but
    // are not looked at.
    let f = |cutoff: f64, delay: f64| {
        let near = (delay - 7e-3).abs() < 4e-3;
        let value = match cutoff {
            12.0 => bowl(0.2, delay, 7e-3),
            35.0 if near => bowl(0.3, delay, 8e-3) - 0.5,
            60.0 if near => -2.0,
            _ => 1.0,
        };
        [value + 0.1, value - 0.1]
    };
    let (found, _) = studied(1000.0, &Options::default(), None, f);
    assert_eq!((found.cutoff, found.limited, found.late.len()), (Some(35.0), false, 0));
    close(found.delay, 8e-3);
    // From 0.2·1.4² to −0.5.
    close(found.delay_gain, 1.0 - (-0.5_f64 - 0.2 * 1.96).exp());
    // The cut-off before the best is looked at as well.
    let f = |cutoff: f64, delay: f64| {
        let better = if cutoff == 8.0 && delay < -5e-3 { -0.3 } else { 0.0 };
        let worse = if cutoff == 12.0 || cutoff == 8.0 { 0.0 } else { 1.0 };
        [bowl(0.1, delay, -6e-3) + better + worse; 2]
    };
    let (found, _) = studied(1000.0, &Options::default(), None, f);
    assert_eq!(found.cutoff, Some(8.0));
    close(found.delay, -6e-3);
    close(found.delay_gain, 1.0 - (-0.3_f64 - 0.1 * 1.44).exp());
}

#[test]
fn a_delay_beyond_all_that_are_tried_is_followed_to_their_end() {
    let given = Options { cutoff: Some(4.0), ..Options::default() };
    // Four steps to either side, then half a step.
    for (least, end) in [(-60e-3, -22.5e-3), (60e-3, 22.5e-3)] {
        let (found, tried) = studied(100.0, &given, None, |_, delay| [bowl(0.01, delay, least); 2]);
        close(found.delay, end);
        let to_end = |delay: f64| ((delay - least) / STEP).powi(2);
        close(found.delay_gain, 1.0 - (0.01 * (to_end(end) - to_end(0.0))).exp());
        let grid: Vec<f64> = tried[1..10].iter().map(|(_, delay)| *delay).collect();
        grid.iter().zip(-4..=4).for_each(|(delay, i)| close(*delay, STEP * f64::from(i)));
    }
    // Where what is left bends down, the least of the grid but for its ends is tried, and half a step from it.
    let down = |_: f64, delay: f64| [-bowl(0.1, delay, -1e-3); 2];
    let (found, _) = studied(100.0, &given, None, down);
    close(found.delay, 15e-3);
    // A second parabola that leads to a worse delay is not followed: through 0.05, 0 and 0.02 it has its vertex 3/14 on.
    let dent = |_: f64, delay: f64| [if (delay - 9.5e-3).abs() < 1e-6 { 0.02 } else { bowl(0.2, delay, 7e-3) }; 2];
    let (found, tried) = studied(100.0, &given, None, dent);
    close(tried.last().unwrap().1, 7e-3 + 0.5 * STEP * 3.0 / 14.0);
    close(found.delay, 7e-3);
}

#[test]
fn a_delay_that_lowers_residuals_by_little_is_not_believed() {
    let given = Options { cutoff: Some(4.0), ..Options::default() };
    // In the mean over both joints: 1.4² · 0.002 / 2 and / 4.
    for (depth, believed) in [(2.2e-3, true), (1.8e-3, false)] {
        let f = |_: f64, delay: f64| [bowl(depth, delay, 7e-3), 0.0];
        let (found, _) = studied(100.0, &given, None, f);
        let gain = 0.5 * depth * 1.96;
        assert_eq!(gain > 2e-3, believed);
        close(found.delay, if believed { 7e-3 } else { 0.0 });
        close(found.delay_gain, if believed { 1.0 - (-gain).exp() } else { 0.0 });
    }
    // The same at all delays: none.
    let (found, _) = studied(100.0, &given, None, |_, _| [0.3; 2]);
    assert_eq!((found.delay, found.delay_gain, found.late.len()), (0.0, 0.0, 0));
}

#[test]
fn a_joint_is_late_if_its_own_delay_is_far_and_lowers_its_residual() {
    let given = Options { cutoff: Some(4.0), ..Options::default() };
    for (depth, own, told) in [(0.2, [4e-3, 12e-3], true), (0.03, [4e-3, 12e-3], false), (1.0, [6e-3, 10e-3], false)] {
        let (found, _) = studied(100.0, &given, None, |_, delay| own.map(|own| bowl(depth, delay, own)));
        close(found.delay, 8e-3);
        let off = (8e-3 - own[0]) / STEP;
        let gain = 1.0 - (-depth * off * off).exp();
        // More than three milliseconds, and three in a hundred.
        assert_eq!(told, off * STEP > 3e-3 && gain > 0.03);
        assert_eq!(found.late.len(), if told { 2 } else { 0 }, "{:?}", found.late);
        for (late, (joint, own)) in found.late.iter().zip(own.iter().enumerate()) {
            assert_eq!(late.joint, joint);
            close(late.late, 8e-3 - own);
            close(late.gain, gain);
        }
    }
    // The second joint is the better one at its own delay, the first stays where both are.
    let f = |_: f64, delay: f64| [bowl(0.9, delay, 1e-3), bowl(0.1, delay, 11e-3)];
    let (found, _) = studied(100.0, &given, None, f);
    close(found.delay, 2e-3);
    assert_eq!(found.late.iter().map(|late| late.joint).collect::<Vec<_>>(), [1]);
    close(found.late[0].late, -9e-3);
    close(found.late[0].gain, 1.0 - (-0.1_f64 * 1.8 * 1.8).exp());
}

/// Joint one of the arm feels six base parameters and two of friction.
#[test]
fn the_load_of_the_drives_needs_two_samples_more_than_a_joint_feels() {
    let problem = arm();
    let most = problem.felt(0).len();
    assert_eq!((most, problem.felt(1).len()), (8, 5));
    let of = |count: usize| {
        study(&problem, &Options::default(), None, |_, take| {
            give(&problem, count, [1.0; 2], take);
            Ok(summary(None))
        })
    };
    for count in [0, 1, 9] {
        let few = IdentifyError::TooFew { samples: count as u64, needed: 10 };
        assert_eq!(of(count).unwrap_err(), few);
    }
    for count in [10, 11, 40] {
        let mut accumulator = Accumulator::new(&problem);
        give(&problem, count, [1.0; 2], &mut |sample| accumulator.add(sample));
        let expected = consistent(&problem, &accumulator.finish(), PRIOR_WEIGHT).unwrap();
        assert_eq!(of(count).unwrap().load, expected.values[..problem.unknowns().len()]);
    }
}
