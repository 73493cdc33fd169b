//! Identification on simulated logs: statistics, shards, filters, robot files, and what it says to bad logs.

use crate::logs::{Derivatives, Random, Run, csv, heading, line, with_friction, without_limits};
use jourdain::dynamics::recursive;
use jourdain::formats::table::{Table, count_rows};
use jourdain::formats::{self, Format};
use jourdain::identify::excite::{self, excite};
use jourdain::identify::log::{self, Clock, Options, Summary};
use jourdain::identify::{
    Accumulator, Comparison, Drives, Estimate, Factors, IdentifyError, PRIOR_WEIGHT, Problem, Sample, consistent,
    consistent_robot, estimated_model, estimated_robot, solve,
};
use jourdain::model::check::check;
use jourdain::{Model, robots};
use std::ops::ControlFlow;

fn accumulate(problem: &Problem, text: &str, options: &Options) -> Result<(Factors, Summary), IdentifyError> {
    let mut accumulator = Accumulator::new(problem);
    let summary = log::read(text.as_bytes(), problem.model(), options, |sample| accumulator.add(sample))?;
    Ok((accumulator.finish(), summary))
}

fn identify(problem: &Problem, text: &str, options: &Options) -> Result<Estimate, IdentifyError> {
    solve(problem, &accumulate(problem, text, options)?.0)
}

/// The values that the unknowns have on the robot that the log is of.
fn exact(problem: &Problem, model: &Model<f64>) -> Vec<f64> {
    let truth = Problem::new(model, Drives::default()).unwrap();
    assert_eq!(truth.names(), problem.names());
    truth.prior()
}

fn problem(name: &str) -> Problem {
    Problem::new(&robots::load(name).unwrap(), Drives::default()).unwrap()
}

#[test]
fn estimates_lie_within_three_standard_deviations_in_ninety_nine_percent_of_two_hundred_runs() {
    const RUNS: u64 = 200;
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let (exact, noise) = (exact(&problem, &model), [0.4, 0.05]);
    let (mut inside, mut all, mut squares) = (0, 0, 0.0);
    for seed in 0..RUNS {
        let (mut run, mut random) = (Run::new(&model, 0.8), Random(seed));
        let mut accumulator = Accumulator::new(&problem);
        for i in 0..300 {
            run.at(0.1 * f64::from(i));
            let tau: Vec<f64> = run.tau.iter().zip(noise).map(|(tau, noise)| tau + noise * random.normal()).collect();
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
        }
        let estimate = solve(&problem, &accumulator.finish()).unwrap();
        for ((value, deviation), exact) in estimate.values.iter().zip(&estimate.deviations).zip(&exact) {
            let distance = (value - exact).abs() / deviation;
            inside += usize::from(distance <= 3.0);
            all += 1;
            squares += distance * distance;
        }
        for (fit, noise) in estimate.joints.iter().zip(noise) {
            assert!((fit.noise / noise - 1.0).abs() < 0.2, "seed {seed}: noise {} instead of {noise}", fit.noise);
        }
    }
    let (share, spread) = (inside as f64 / all as f64, (squares / all as f64).sqrt());
    assert!(share >= 0.99, "{share} of all estimates are within three standard deviations");
    assert!((0.9..1.1).contains(&spread), "deviations are {spread} of what they say: too small or too large");
}

#[test]
fn exact_logs_give_exact_parameters_on_arms_and_a_tree() {
    for (name, drives) in [
        ("puma560", Drives::default()),
        ("stanford", Drives::default()),
        ("scara", Drives { armature: true, ..Drives::default() }),
        ("humanoid25", Drives::default()),
    ] {
        let model = with_friction(name);
        let problem = Problem::new(&without_limits(name), drives).unwrap();
        let truth = Problem::new(&model, drives).unwrap().prior();
        let (mut run, mut accumulator) = (Run::new(&model, 0.8), Accumulator::new(&problem));
        for i in 0..2003 {
            run.at(0.037 * f64::from(i));
            accumulator.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
        }
        let estimate = solve(&problem, &accumulator.finish()).unwrap();
        let scale = truth.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        for ((value, exact), label) in estimate.values.iter().zip(&truth).zip(problem.names()) {
            assert!((value - exact).abs() < 1e-8 * scale, "{name} {label}: {value} and {exact}");
        }
    }
}

#[test]
fn shards_of_a_log_merge_to_the_whole_with_and_without_filter() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    for derivatives in [Derivatives::All, Derivatives::Velocities, Derivatives::None] {
        let rows = 5_432;
        let text = csv(&model, derivatives, rows, 200.0, [1e-5, 0.05], 7);
        assert_eq!(count_rows(text.as_bytes()).unwrap(), rows as u64);
        let (whole, summary) = accumulate(&problem, &text, &Options::default()).unwrap();
        let mut merged = Factors::new(&problem);
        let parts = 3;
        for part in 0..parts {
            let rows = rows as u64 * part / parts..rows as u64 * (part + 1) / parts;
            let options = Options { rows: Some(rows), ..Options::default() };
            let (factors, _) = accumulate(&problem, &text, &options).unwrap();
            // By way of a file, as shards travel.
            merged.merge(&Factors::from_json(&factors.to_json()).unwrap()).unwrap();
        }
        assert_eq!((merged.samples, whole.samples), (summary.samples, summary.samples));
        let (a, b) = (solve(&problem, &whole).unwrap(), solve(&problem, &merged).unwrap());
        for (k, name) in problem.names().iter().enumerate() {
            let tolerance = 1e-12 * a.values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            assert!((a.values[k] - b.values[k]).abs() <= tolerance, "{name}: {} and {}", a.values[k], b.values[k]);
            assert!((a.deviations[k] / b.deviations[k] - 1.0).abs() < 1e-10, "{name}");
        }
        assert!((a.condition / b.condition - 1.0).abs() < 1e-10);
    }
}

#[test]
fn factors_of_another_problem_do_not_merge() {
    let mut one = Factors::new(&problem("planar2r"));
    assert_eq!(one.merge(&Factors::new(&problem("scara"))).unwrap_err().kind(), "other-robot");
    assert_eq!(Factors::from_json("{}").unwrap_err().kind(), "bad-factors");
    let damaged = one.to_json().replacen("[0.0,", "[", 1);
    assert_eq!(Factors::from_json(&damaged).unwrap_err().kind(), "bad-factors");
}

#[test]
fn missing_derivatives_are_found_by_a_filter_that_leaves_the_motion_alone() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let exact = exact(&problem, &model);
    for (derivatives, noise) in [(Derivatives::None, 1e-5), (Derivatives::Velocities, 1e-5), (Derivatives::None, 1e-4)]
    {
        let text = csv(&model, derivatives, 20_000, 500.0, [noise, 0.05], 3);
        let (factors, summary) = accumulate(&problem, &text, &Options::default()).unwrap();
        let filtering = summary.filtering.unwrap();
        // The fastest wave of the motion has 0.42 Hz.
        assert!((1.5..8.0).contains(&filtering.cutoff) && filtering.from_spectrum, "{filtering:?}");
        assert!((filtering.rate - 500.0).abs() < 1e-6);
        let estimate = solve(&problem, &factors).unwrap();
        for ((value, exact), name) in estimate.values.iter().zip(&exact).zip(problem.names()) {
            assert!((value - exact).abs() < 0.03 * exact.abs().max(0.1), "{name}: {value} and {exact}");
        }
    }
}

#[test]
fn a_stated_cut_off_and_gaps_are_kept_to() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let text = csv(&model, Derivatives::None, 6000, 100.0, [0.0, 0.01], 3);
    // Two seconds are lost in the middle.
    let lines: Vec<&str> = text.lines().collect();
    let torn = [&lines[..3000], &lines[3200..]].concat().join("\n");
    let options = Options { cutoff: Some(8.0), decimate: Some(3), ..Options::default() };
    let (factors, summary) = accumulate(&problem, &torn, &options).unwrap();
    let filtering = summary.filtering.unwrap();
    assert_eq!((filtering.cutoff, filtering.decimate, filtering.from_spectrum), (8.0, 3, false));
    assert_eq!((summary.rows, summary.gaps), (5800, 1));
    let dropped = 4 * filtering.dropped as u64;
    assert!((summary.samples as i64 - (5800 - dropped as i64) / 3).abs() <= 2, "{}", summary.samples);
    let (estimate, exact) = (solve(&problem, &factors).unwrap(), exact(&problem, &model));
    for (value, exact) in estimate.values.iter().zip(&exact) {
        assert!((value - exact).abs() < 0.03 * exact.abs().max(0.1), "{value} and {exact}");
    }
}

#[test]
fn an_estimated_robot_written_and_read_back_has_the_torques_of_the_estimate() {
    for (name, drives) in [
        ("planar2r", Drives::default()),
        ("puma560", Drives { armature: true, ..Drives::default() }),
        ("stanford", Drives::default()),
        ("scara", Drives::default()),
    ] {
        let model = with_friction(name);
        let problem = Problem::new(&robots::load(name).unwrap(), drives).unwrap();
        let mut random = Random(17);
        // Values that are not the robot's own.
        let values: Vec<f64> = Problem::new(&model, drives)
            .unwrap()
            .prior()
            .iter()
            .map(|x| x * (1.0 + 0.2 * random.normal()) + 0.01 * random.normal())
            .collect();
        let text = formats::to_toml(&estimated_robot(&problem, &values).unwrap());
        let (description, _) = formats::read_str(&text, Format::Toml).into_result(name).unwrap();
        let read = Model::from_description(&description).unwrap();
        let mut run = Run::new(&model, 0.8);
        for i in 0..20 {
            run.at(0.7 * f64::from(i));
            let mut compared = Comparison::new(&problem, &values);
            let tau = recursive::inverse_dynamics(&read, &run.q, &run.qd, &run.qdd, &[]);
            compared.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
            for error in compared.errors() {
                assert!(error.largest < 1e-9 * error.torque.max(1.0), "{name}: {error:?}");
            }
        }
        let direct = estimated_model(&problem, &values).unwrap();
        assert_eq!(direct.nv(), read.nv());
    }
}

#[test]
fn known_friction_and_rotors_are_taken_off_the_torques() {
    let model = with_friction("planar2r");
    let drives = Drives { armature: false, viscous: false, coulomb: false };
    let problem = Problem::new(&model, drives).unwrap();
    let estimate =
        identify(&problem, &csv(&model, Derivatives::All, 400, 20.0, [0.0; 2], 1), &Options::default()).unwrap();
    for (value, exact) in estimate.values.iter().zip(problem.prior()) {
        assert!((value - exact).abs() < 1e-10, "{value} and {exact}");
    }
}

#[test]
fn validation_sees_what_the_estimate_does_not_explain() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let estimate =
        identify(&problem, &csv(&model, Derivatives::All, 3000, 50.0, [0.0, 0.2], 1), &Options::default()).unwrap();
    let mut compared = Comparison::new(&problem, &estimate.values);
    let other = csv(&model, Derivatives::All, 20_000, 31.0, [0.0, 0.2], 2);
    log::read(other.as_bytes(), &model, &Options::default(), |sample| compared.add(sample)).unwrap();
    assert_eq!(compared.samples(), 20_000);
    for error in compared.errors() {
        assert!((error.error - 0.2).abs() < 0.02 && error.relative() < 0.2, "{error:?}");
    }
    let drawn = compared.drawn();
    assert!(drawn.t.len() <= 4096 && drawn.t.len() > 1000 && drawn.measured[1].len() == drawn.t.len());
    assert!(drawn.t.windows(2).all(|pair| pair[0] < pair[1]));
}

/// A log with the ills of real ones: stamps late by up to 30 % of a step, lines sent twice, lines lost; the unit of time is 1/`per`.
fn ill(model: &Model<f64>, derivatives: Derivatives, rows: usize, per: f64, seed: u64) -> String {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let (mut text, mut late) = (heading(model.nv(), derivatives), 0.0_f64);
    for i in 0..rows {
        if random.uniform() < 0.03 {
            continue;
        }
        run.at(0.005 * i as f64);
        let mut row = String::new();
        line(&mut row, 0.0, &run, derivatives, [1e-6, 0.05], &mut random);
        for _ in 0..if random.uniform() < 0.05 { 2 } else { 1 } {
            late = (0.005 * (i as f64 + 0.3 * random.uniform())).max(late + 1e-4);
            text.push_str(&format!("{}{}", per * late, &row[1..]));
        }
    }
    text
}

#[test]
fn late_stamps_lines_sent_twice_and_lost_lines_do_not_spoil_the_estimate() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let exact = exact(&problem, &model);
    for (derivatives, per) in [(Derivatives::None, 1.0), (Derivatives::Velocities, 1.0), (Derivatives::Velocities, 1e3)]
    {
        let text = ill(&model, derivatives, 12_000, per, 21);
        let (factors, summary) = accumulate(&problem, &text, &Options::default()).unwrap();
        assert!(summary.doubled > 300, "{}", summary.doubled);
        assert_eq!(summary.clock, if per == 1.0 { Clock::Seconds } else { Clock::Milliseconds });
        let tick = summary.filtering.unwrap().tick.expect("a lattice");
        assert!((tick.period - 0.005).abs() < 1e-5, "{tick:?}");
        let estimate = solve(&problem, &factors).unwrap();
        for ((value, exact), name) in estimate.values.iter().zip(&exact).zip(problem.names()) {
            assert!((value - exact).abs() < 0.03 * exact.abs().max(0.1), "{name}: {value} and {exact}");
        }
    }
}

#[test]
fn a_delay_of_the_torques_is_taken_back() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let text = csv(&model, Derivatives::None, 6000, 200.0, [0.0; 2], 3);
    // Torques four samples late: each line has those that belong to the motion 20 ms before.
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let late: Vec<String> = std::iter::once(lines[0].join(","))
        .chain((5..lines.len()).map(|i| [&lines[i][..3], &lines[i - 4][3..]].concat().join(",")))
        .collect();
    let error = |delay: f64| {
        let options = Options { delay, ..Options::default() };
        let estimate = identify(&problem, &late.join("\n"), &options).unwrap();
        estimate.joints[0].relative()
    };
    assert!(error(-0.02) < 0.2 * error(0.0), "{} and {}", error(-0.02), error(0.0));
}

/// Samples along the motion of a model, with torques that are off by what `noise` says.
fn noisy(problem: &Problem, model: &Model<f64>, samples: u32, mut noise: impl FnMut(usize) -> f64) -> Factors {
    let (mut run, mut accumulator) = (Run::new(model, 0.8), Accumulator::new(problem));
    for i in 0..samples {
        let t = 0.02 * f64::from(i);
        run.at(t);
        let tau: Vec<f64> = run.tau.iter().enumerate().map(|(j, tau)| tau + noise(j)).collect();
        accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    accumulator.finish()
}

#[test]
fn a_consistent_estimate_can_be_where_least_squares_cannot_and_fits_about_as_well() {
    for (name, strength) in [("planar2r", 3.0), ("puma560", 1.0), ("scara", 1.0)] {
        let model = with_friction(name);
        let problem = Problem::new(&without_limits(name), Drives::default()).unwrap();
        let mut random = Random(5);
        let factors = noisy(&problem, &model, 600, |_| strength * random.normal());
        let estimate = solve(&problem, &factors).unwrap();
        let found = consistent(&problem, &factors, PRIOR_WEIGHT).unwrap();
        for (own, least) in found.joints.iter().zip(&estimate.joints) {
            assert!(own.residual < 1.15 * least.residual, "{name}: {} and {}", own.residual, least.residual);
        }
        let robot = consistent_robot(&problem, &found);
        let errors: Vec<_> = check(&robot).into_iter().filter(jourdain::model::Diagnostic::is_error).collect();
        assert!(errors.is_empty() && !robot.allow_unphysical, "{name}: {errors:?}");
        // The file has the torques of the estimate.
        let (read, mut run) = (Model::from_description(&robot).unwrap(), Run::new(&model, 0.8));
        for i in 0..5 {
            run.at(0.7 * f64::from(i));
            let mut compared = Comparison::new(&problem, &found.values);
            let tau = recursive::inverse_dynamics(&read, &run.q, &run.qd, &run.qdd, &[]);
            compared.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
            assert!(compared.errors().iter().all(|error| error.largest < 1e-8 * error.torque.max(1.0)), "{name}");
        }
    }
}

#[test]
fn much_good_data_leave_nothing_of_the_prior_but_what_they_do_not_show() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let mut random = Random(8);
    let factors = noisy(&problem, &model, 3000, |_| 1e-3 * random.normal());
    let found = consistent(&problem, &factors, PRIOR_WEIGHT).unwrap();
    for ((value, exact), name) in found.values.iter().zip(exact(&problem, &model)).zip(problem.names()) {
        assert!((value - exact).abs() < 1e-3 * exact.abs().max(0.1), "{name}: {value} and {exact}");
    }
    // Heights of centres of mass do not act on an arm that moves in a plane.
    let height = problem.base().parameters().iter().position(|p| p.text(problem.model()) == "mZ_link2").unwrap();
    assert!((found.standard[height] - found.prior[height]).abs() < 1e-6);
    assert_eq!(consistent(&problem, &factors, 0.0).unwrap_err().kind(), "bad-weight");
}

#[test]
fn deviations_hold_where_errors_of_neighbouring_samples_go_together() {
    const RUNS: u64 = 60;
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let exact = exact(&problem, &model);
    let (mut inside, mut all) = (0, 0);
    for seed in 0..RUNS {
        let (mut random, mut state) = (Random(seed), [0.0; 2]);
        // Errors that last for a fifth of a second.
        let factors = noisy(&problem, &model, 2000, |j| {
            state[j] = 0.9 * state[j] + 0.1 * random.normal();
            state[j]
        });
        let estimate = solve(&problem, &factors).unwrap();
        for ((value, deviation), exact) in estimate.values.iter().zip(&estimate.deviations).zip(&exact) {
            inside += usize::from((value - exact).abs() <= 1.96 * deviation);
            all += 1;
        }
    }
    let share = inside as f64 / all as f64;
    assert!((0.90..0.99).contains(&share), "{share} of the intervals of 95 % contain the truth");
}

#[test]
fn an_offset_may_be_asked_for_alone() {
    let model = with_friction("planar2r");
    let problem = problem("planar2r").with_offsets();
    assert_eq!(problem.names()[problem.count() - 2..], ["Fo1", "Fo2"]);
    let factors = noisy(&problem, &model, 800, |j| [0.7, -0.2][j]);
    let estimate = solve(&problem, &factors).unwrap();
    assert!((estimate.values[problem.count() - 2] - 0.7).abs() < 1e-6);
    assert!((estimate.values[problem.count() - 1] + 0.2).abs() < 1e-6);
}

/// Replaces the cell of a column in all lines, or in one.
fn edited(text: &str, column: &str, line: Option<usize>, edit: impl Fn(f64) -> String) -> String {
    let heading: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = heading.iter().position(|name| *name == column).unwrap();
    let edit = |(number, row): (usize, &str)| {
        if number == 0 || line.is_some_and(|line| line != number + 1) {
            return row.to_owned();
        }
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        cells[at] = edit(cells[at].parse().unwrap());
        cells.join(",")
    };
    text.lines().enumerate().map(edit).collect::<Vec<_>>().join("\n")
}

#[test]
fn bad_logs_are_told_what_is_wrong_with_them_and_where() {
    let model = with_friction("planar2r");
    let problem = problem("planar2r");
    let good = csv(&model, Derivatives::All, 2000, 50.0, [0.0, 0.02], 5);
    let bare = csv(&model, Derivatives::None, 2000, 50.0, [0.0, 0.02], 5);
    let thousand = |x: f64| (1e3 * x).to_string();
    let thousandth = |x: f64| (1e-3 * x).to_string();
    let degrees = |x: f64| x.to_degrees().to_string();
    let table: Vec<(&str, String, &str, &[&str])> = vec![
        ("no torque", good.replacen("tau2", "torque_2", 1), "missing-column", &["`tau2`"]),
        ("velocities of one joint", good.replacen("qd1", "speed", 1), "missing-column", &["`qd1`"]),
        (
            "a word",
            edited(&good, "q2", Some(17), |_| "oops".into()),
            "not-a-number",
            &["line 17", "column 3", "`q2`", "`oops`"],
        ),
        ("NaN", edited(&good, "tau1", Some(40), |_| "NaN".into()), "not-finite", &["line 40", "`tau1`", "NaN"]),
        ("an empty cell", edited(&good, "tau1", Some(4), |_| String::new()), "not-a-number", &["line 4"]),
        ("a short line", good.clone() + "1,2,3\n", "wrong-cells", &["line 2002", "3 cells"]),
        ("time goes back", edited(&good, "t", Some(100), |_| "0.5".into()), "unsorted-time", &["line 100"]),
        ("time goes back in a bare log", edited(&bare, "t", Some(90), |_| "-1".into()), "unsorted-time", &["line 90"]),
        ("torques in N mm", edited(&good, "tau2", None, thousand), "wrong-units", &["torques", "`link2`", "0.001"]),
        ("torques in kN m", edited(&good, "tau1", None, thousandth), "wrong-units", &["torques", "`link1`", "1000"]),
        (
            "torques with the other sign",
            edited(&good, "tau2", None, |x| (-x).to_string()),
            "wrong-units",
            &["`link2`", "sign"],
        ),
        ("positions in mrad", edited(&bare, "q2", None, thousand), "wrong-units", &["positions", "`link2`"]),
        ("positions in degrees", edited(&bare, "q1", None, degrees), "wrong-units", &["positions", "`link1`"]),
        ("velocities in mrad/s", edited(&good, "qd2", None, thousand), "wrong-units", &["velocities", "`link2`"]),
        (
            "a joint at rest",
            {
                let still = edited(&good, "qd2", None, |_| "0".into());
                edited(&edited(&still, "qdd2", None, |_| "0".into()), "q2", None, |_| "0.3".into())
            },
            "too-little-motion",
            &["Fv2", "`link2` moves"],
        ),
        ("hardly a line", good.lines().take(4).collect::<Vec<_>>().join("\n"), "too-few-samples", &["3 samples"]),
        ("nothing", String::new(), "too-few-samples", &[]),
        (
            "no heading",
            good.lines().skip(1).collect::<Vec<_>>().join("\n"),
            "no-heading",
            &["q[link1] … q[link2]", "tau[link2]"],
        ),
        ("a huge position", edited(&bare, "q2", Some(50), |_| "1e160".into()), "too-large", &["line 50", "1e160"]),
        ("a huge torque", edited(&good, "tau1", Some(50), |_| "-1e308".into()), "too-large", &["line 50", "column 8"]),
        ("no time", bare.replacen('t', "x", 1), "no-time", &["velocities and accelerations"]),
    ];
    for (what, text, kind, words) in table {
        let error = identify(&problem, &text, &Options::default()).expect_err(what);
        assert_eq!(error.kind(), kind, "{what}: {error}");
        for word in words {
            assert!(error.to_string().contains(word), "{what}: {error} does not say {word}");
        }
    }
    identify(&problem, &good, &Options::default()).unwrap();
    identify(&problem, &bare, &Options::default()).unwrap();
    let cutoff = Options { cutoff: Some(30.0), ..Options::default() };
    assert_eq!(identify(&problem, &bare, &cutoff).unwrap_err().kind(), "bad-cutoff");
}

#[test]
fn semicolons_comments_quotes_and_a_byte_order_mark_are_read() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let plain = csv(&model, Derivatives::All, 500, 20.0, [0.0, 0.02], 5);
    let dressed = format!("\u{feff}\"t\";{}", plain.replace(',', ";").split_once(';').unwrap().1).replace('\n', "\r\n");
    let dressed = dressed.replacen("\r\n", "\r\n# a remark\r\n\r\n", 1);
    let [a, b] = [&plain, &dressed].map(|text| identify(&problem, text, &Options::default()).unwrap().values);
    assert_eq!(a, b);
}

#[test]
fn an_exciting_motion_is_inside_limits_and_better_than_random_ones() {
    let model = robots::load("scara").unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let options = excite::Options { starts: 3, steps: 80, acceleration: vec![6.0], ..excite::Options::default() };
    let found = excite(&problem, &options, |_| ControlFlow::Continue(())).unwrap();
    assert!(found.quality.condition < 0.8 * found.random, "{} and {}", found.quality.condition, found.random);
    let again = excite(&problem, &options, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(found.trajectory(), again.trajectory(), "a seed gives one motion");
    for i in 0..=2000 {
        let [q, qd, qdd, _] = found.at(found.period * f64::from(i) / 2000.0);
        for link in model.links().iter().filter(|link| link.joint.nv() == 1) {
            let [low, high] = link.limits.position.unwrap();
            assert!(q[link.v] >= low && q[link.v] <= high);
            assert!(qd[link.v].abs() <= link.limits.velocity.unwrap() && qdd[link.v].abs() <= 6.0);
        }
    }
    // The file is one that trajectories are read from.
    let motion = jourdain::prescribed::PrescribedMotion::from_json(&found.trajectory().to_string(), &model).unwrap();
    let state = motion.state(&model, 3.3);
    for (a, b) in state.q.iter().zip(&found.at(3.3)[0]) {
        assert!((a - b).abs() < 1e-12);
    }
}

/// A robot of the suite with a viscous and a Coulomb coefficient of its own at each joint.
fn arm_and_arm_2() -> Model<f64> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/robots/arm_and_arm_2.toml");
    let reading = formats::read_str(&std::fs::read_to_string(path).unwrap(), Format::Toml);
    let mut description = reading.description.unwrap().into_description();
    for (link, (viscous, coulomb)) in description.links.iter_mut().zip([(0.3, 0.5), (0.4, 0.7)]) {
        let motor = link.motor.get_or_insert_default();
        (motor.viscous, motor.coulomb) = (viscous.into(), coulomb.into());
    }
    Model::from_description(&description).unwrap()
}

#[test]
fn a_link_called_like_a_number_of_another_keeps_its_own_friction() {
    let model = arm_and_arm_2();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let friction: Vec<_> = problem.names().iter().filter(|name| name.starts_with('F')).collect();
    assert_eq!(friction, ["Fv1", "Fv2", "Fc1", "Fc2"]);
    let text = csv(&model, Derivatives::All, 400, 20.0, [0.0, 0.0], 1);
    let (factors, _) = accumulate(&problem, &text, &Options::default()).unwrap();
    // Through a file, as parts of a log are.
    let factors = Factors::from_json(&factors.to_json()).unwrap();
    let estimate = solve(&problem, &factors).unwrap();
    let robot = estimated_robot(&problem, &estimate.values).unwrap();
    let written: Vec<_> = robot.links[..2].iter().map(|link| link.motor.unwrap()).collect();
    for (motor, (viscous, coulomb)) in written.iter().zip([(0.3, 0.5), (0.4, 0.7)]) {
        assert!((motor.viscous.value - viscous).abs() < 1e-9, "{} for {viscous}", motor.viscous.value);
        assert!((motor.coulomb.value - coulomb).abs() < 1e-9, "{} for {coulomb}", motor.coulomb.value);
    }
}

/// The table of a CSV text.
fn in_memory(text: &str) -> Table {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut columns: Vec<(String, Vec<f64>)> = heading.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    for line in lines {
        columns.iter_mut().zip(line.split(',')).for_each(|((_, column), cell)| column.push(cell.parse().unwrap()));
    }
    Table::new(columns).unwrap()
}

#[test]
fn a_log_in_memory_gives_what_its_text_gives() {
    let (model, problem) = (with_friction("planar2r"), problem("planar2r"));
    let cut = Options { cutoff: Some(8.0), decimate: Some(3), ..Options::default() };
    let part = Options { rows: Some(1000..2000), ..Options::default() };
    for derivatives in [Derivatives::All, Derivatives::Velocities, Derivatives::None] {
        let text = csv(&model, derivatives, 4_000, 200.0, [1e-5, 0.05], 7);
        for options in [&Options::default(), &cut, &part] {
            let (expected, summary) = accumulate(&problem, &text, options).unwrap();
            let mut accumulator = Accumulator::new(&problem);
            let go_on = |_| ControlFlow::Continue(());
            let take = |sample: &Sample<'_>| accumulator.add(sample);
            assert_eq!(log::read_table(&in_memory(&text), &model, options, go_on, take).unwrap(), summary);
            assert_eq!(accumulator.finish().to_json(), expected.to_json());
        }
    }
}

#[test]
fn a_log_in_memory_is_told_its_row_and_can_be_stopped() {
    let model = with_friction("planar2r");
    let good = csv(&model, Derivatives::All, 5000, 50.0, [0.0, 0.02], 5);
    let read = |text: &str, mut left: usize| {
        let progress = |_| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        log::read_table(&in_memory(text), &model, &Options::default(), progress, |_| ()).unwrap_err()
    };
    let error = read(&edited(&good, "tau1", Some(41), |_| "NaN".into()), usize::MAX);
    assert_eq!(error.to_string(), "row 40, column 8 (`tau1`): `NaN` is not a finite number");
    assert_eq!((error.kind(), error.place()), ("not-finite", Some((40, 8))));
    let error = read(&edited(&good, "t", Some(101), |_| "0.5".into()), usize::MAX);
    assert!(error.kind() == "unsorted-time" && error.to_string().starts_with("row 100: "), "{error}");
    assert!(read(&good, 3).to_string().contains("stopped"));
}
