//! Times as they are recorded: jitter, units since 1970, changing rates, gaps, and columns that are late.

use crate::logs::{Derivatives, Random, Run, heading, line, with_friction};
use jourdain::identify::log::{self, Clock, Late, Options, Summary};
use jourdain::identify::{Accumulator, Coordinates, Drives, Estimate, Problem, solve, study};
use jourdain::{Model, robots};

fn identify(problem: &Problem, text: &str, options: &Options) -> (Estimate, Summary) {
    let mut accumulator = Accumulator::new(problem);
    let summary = log::read(text.as_bytes(), problem.model(), options, |sample| accumulator.add(sample)).unwrap();
    (solve(problem, &accumulator.finish()).unwrap(), summary)
}

fn smooth_drives() -> Drives {
    Drives { armature: true, viscous: true, coulomb: false }
}

#[test]
fn a_log_whose_stamps_jitter_by_a_third_of_a_step_gives_estimates_to_a_thousandth() {
    let text = include_str!("../../../../suite/logs/planar2r_jittered.csv");
    let model = robots::load("planar2r").unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let coordinates = Coordinates::joints(2);
    let bare = Problem::new(&model, smooth_drives()).unwrap().with_terms(&coordinates, None);
    let found = study(&bare, &Options::default(), None, |options, take| {
        log::read(text.as_bytes(), bare.model(), options, take)
    });
    let cutoff = found.unwrap().cutoff;
    for cutoff in [None, cutoff] {
        let (estimate, summary) = identify(&problem, text, &Options { cutoff, ..Options::default() });
        assert_eq!((summary.gaps, summary.doubled), (0, 0));
        for ((value, exact), name) in estimate.values.iter().zip(problem.prior()).zip(problem.names()) {
            assert!((value - exact).abs() < 1e-3, "{name}: {value} and {exact} at {cutoff:?}");
        }
    }
}

/// A log at two rates with three seconds missing, its stamps in another unit since 1970.
fn changing(model: &Model<f64>, unit: Clock) -> String {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(31));
    let mut text = heading(model.nv(), Derivatives::None);
    let mut t = 0.0;
    while t < 40.0 {
        t += if t < 15.0 { 0.002 } else { 0.005 };
        if (22.0..25.0).contains(&t) {
            continue;
        }
        run.at(t);
        let mut row = String::new();
        line(&mut row, 0.0, &run, Derivatives::None, [1e-6, 0.05], &mut random);
        text.push_str(&format!("{}{}", (1.7e9 + t) / unit.seconds(), &row[1..]));
    }
    text
}

#[test]
fn units_since_1970_changing_rates_and_gaps_are_recognised_and_do_no_harm() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap();
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    for unit in Clock::ALL {
        let (estimate, summary) = identify(&problem, &changing(&model, unit), &Options::default());
        assert_eq!((summary.clock, summary.gaps), (unit, 1));
        assert!(summary.start.is_some_and(Clock::is_epoch), "{:?}", summary.start);
        // At the gap and at the ends no more is lost than a curve needs.
        let lost = summary.rows - summary.samples;
        assert!(lost <= 4 * summary.filtering.unwrap().dropped as u64 + 8, "{lost} of {}", summary.rows);
        for ((value, exact), name) in estimate.values.iter().zip(&exact).zip(problem.names()) {
            assert!((value - exact).abs() < 0.03 * exact.abs().max(0.1), "{unit:?}, {name}: {value} and {exact}");
        }
    }
}

/// A log whose first position comes 6 ms late, and whose second torque 15 ms.
fn with_late_columns(model: &Model<f64>) -> String {
    let mut run = Run::new(model, 0.8);
    let mut text = heading(model.nv(), Derivatives::None);
    for i in 0..8000 {
        let t = 0.004 * f64::from(i);
        run.at(t);
        let (q, tau) = (run.q.clone(), run.tau.clone());
        run.at(t - 0.006);
        let first = run.q[0];
        run.at(t - 0.015);
        let second = run.tau[1];
        text.push_str(&format!("{t},{first},{},{},{second}\n", q[1], tau[0]));
    }
    text
}

#[test]
fn what_columns_are_late_by_is_taken_back_and_late_torques_are_told() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap();
    let text = with_late_columns(&model);
    let late = Late { positions: vec![0.006, 0.0], torques: vec![0.0, 0.015] };
    let options = Options { late: late.clone(), cutoff: Some(8.0), ..Options::default() };
    let (with, _) = identify(&problem, &text, &options);
    let (without, _) = identify(&problem, &text, &Options { cutoff: Some(8.0), ..Options::default() });
    for (with, without) in with.joints.iter().zip(&without.joints) {
        assert!(with.residual < 0.3 * without.residual, "{} and {}", with.residual, without.residual);
    }
    // Parts of the log give what the whole gives.
    let mut samples = 0;
    for rows in [0..5000, 5000..8000] {
        let part = Options { rows: Some(rows), ..options.clone() };
        samples += log::read(text.as_bytes(), problem.model(), &part, |_| ()).unwrap().samples;
    }
    assert_eq!(samples, log::read(text.as_bytes(), problem.model(), &options, |_| ()).unwrap().samples);

    // Without friction, whose phase would be part of the time that is found.
    let model = robots::load("planar2r").unwrap();
    let text = with_late_columns(&model);
    let bare = Problem::new(&model, smooth_drives()).unwrap().with_terms(&Coordinates::joints(2), None);
    let known = Options { late: Late { positions: vec![0.006, 0.0], torques: Vec::new() }, ..options };
    let found = study(&bare, &known, None, |options, take| log::read(text.as_bytes(), bare.model(), options, take));
    let found = found.unwrap();
    let between = |late: f64| (late - 0.015).abs() < 0.003 || (late + 0.015).abs() < 0.003;
    assert!(found.late.iter().any(|own| between(own.late) && own.gain > 0.1), "{found:?}");
}
