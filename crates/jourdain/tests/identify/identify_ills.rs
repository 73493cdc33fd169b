//! Simulated logs with the ills of real ones: estimates are right within deviations that are true, or the log is refused for the right reason.
//!
//! Every log comes from a seed, which failures print.

use crate::logs::{Random, Run, with_friction};
use jourdain::identify::log::{self, Clock, Options};
use jourdain::identify::{
    Accumulator, Choice, Coordinates, Drives, Estimate, Factors, IdentifyError, Problem, Rest, Sample, Screen,
    essential, shown, solve, study,
};
use jourdain::{Model, robots};
use std::f64::consts::PI;
use std::fmt::Write as _;

const RATE: f64 = 100.0;
/// Standard deviations of the torques of the two joints.
const NOISE: [f64; 2] = [0.4, 0.12];

/// What is wrong with a log.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ill {
    /// Samples are taken up to 30 % of a step early or late, and stamped so.
    Jitter,
    /// Single lines are lost, and a second in the middle.
    DropOuts,
    /// Encoders of 16 bits.
    Quantised,
    /// Torques are off by a constant.
    Offset,
    /// One torque in a hundred is far off.
    Scattered,
    /// Bursts of twenty torques are far off.
    Bursts,
    /// The second motor turns with both joints, and its friction acts on both.
    Coupled,
    /// Errors last for a twentieth of a second.
    Slow,
}

const ILLS: [Ill; 8] =
    [Ill::Jitter, Ill::DropOuts, Ill::Quantised, Ill::Offset, Ill::Scattered, Ill::Bursts, Ill::Coupled, Ill::Slow];

/// Viscous friction of the coupled motor, and the offsets.
const COUPLED: f64 = 0.8;
const OFFSETS: [f64; 2] = [0.9, -0.3];

/// A log of positions and torques, as CSV.
fn log_of(model: &Model<f64>, ill: Option<Ill>, rows: usize, seed: u64) -> String {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let (mut text, mut slow) = ("t,q1,q2,tau1,tau2\n".to_owned(), [0.0; 2]);
    // Every log begins somewhere else, so that motions differ too.
    let begin = 50.0 * random.uniform();
    let burst = if rows < 2000 { 1000 } else { 2000 };
    for i in 0..rows {
        let early = if ill == Some(Ill::Jitter) { 0.3 * (2.0 * random.uniform() - 1.0) } else { 0.0 };
        let t = (i as f64 + early) / RATE;
        run.at(begin + t);
        let noise = [random.normal(), random.normal()];
        let (lost, fault) = (random.uniform(), random.uniform());
        let mut tau = [0, 1].map(|j| {
            slow[j] = 0.8 * slow[j] + 0.6 * noise[j];
            run.tau[j] + NOISE[j] * if ill == Some(Ill::Slow) { slow[j] } else { noise[j] }
        });
        let mut q = [run.q[0], run.q[1]];
        match ill {
            Some(Ill::DropOuts) if lost < 0.03 || (i > rows / 2 && i < rows / 2 + RATE as usize) => continue,
            Some(Ill::Quantised) => q = q.map(|q| (q * 65536.0 / (2.0 * PI)).round() * 2.0 * PI / 65536.0),
            Some(Ill::Offset) => (0..2).for_each(|j| tau[j] += OFFSETS[j]),
            Some(Ill::Scattered) if fault < 0.01 => (0..2).for_each(|j| tau[j] += 60.0 * (fault * 100.0 - 0.3)),
            Some(Ill::Bursts) if i % burst > burst - 20 => (0..2).for_each(|j| tau[j] += [50.0, -30.0][j]),
            Some(Ill::Coupled) => tau.iter_mut().for_each(|tau| *tau += COUPLED * (run.qd[0] + run.qd[1])),
            _ => {}
        }
        writeln!(text, "{t},{},{},{},{}", q[0], q[1], tau[0], tau[1]).unwrap();
    }
    text
}

/// The unknowns that a log with an ill has, and their values.
fn unknowns(model: &Model<f64>, ill: Option<Ill>) -> (Problem, Vec<f64>) {
    let plain = Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap();
    let mut exact = Problem::new(model, Drives::default()).unwrap().prior();
    match ill {
        Some(Ill::Offset) => {
            exact.extend(OFFSETS);
            (plain.with_offsets(), exact)
        }
        Some(Ill::Coupled) => {
            exact.push(COUPLED);
            let coupling = Coordinates::coupled(2, &[vec![1.0, 0.0], vec![-1.0, 1.0]]).unwrap();
            let all = plain.clone().with_terms(&coupling, None);
            let keep: Vec<bool> =
                all.names().iter().map(|name| plain.names().contains(name) || name == "Fv1+2").collect();
            (all.reduced(&keep, Rest::Zero), exact)
        }
        _ => (plain, exact),
    }
}

/// The factors of a log, and a choice of its samples.
fn gather(problem: &Problem, text: &str, options: &Options) -> Result<(Factors, Choice), IdentifyError> {
    let (mut accumulator, mut choice) = (Accumulator::new(problem), Choice::default());
    log::read(text.as_bytes(), problem.model(), options, |sample| {
        accumulator.add(sample);
        choice.add(sample);
    })?;
    Ok((accumulator.finish(), choice))
}

/// The samples of a log in memory.
struct Samples(Vec<[Vec<f64>; 5]>);

impl Samples {
    fn read(problem: &Problem, text: &str, options: &Options) -> Result<Self, IdentifyError> {
        let mut samples = Vec::new();
        log::read(text.as_bytes(), problem.model(), options, |sample| {
            samples.push([&[sample.t][..], sample.q, sample.qd, sample.qdd, sample.tau].map(<[f64]>::to_vec));
        })?;
        Ok(Self(samples))
    }

    fn each(&self, mut take: impl FnMut(&Sample<'_>)) {
        for [t, q, qd, qdd, tau] in &self.0 {
            take(&Sample { t: t[0], q, qd, qdd, tau, z: &[] });
        }
    }
}

/// The estimate of three passes, of which the last two leave outliers out, and how many they are.
fn estimate(problem: &Problem, text: &str, options: &Options) -> Result<(Estimate, u64), IdentifyError> {
    let (samples, mut choice) = (Samples::read(problem, text, options)?, Choice::default());
    let mut accumulator = Accumulator::new(problem);
    samples.each(|sample| {
        accumulator.add(sample);
        choice.add(sample);
    });
    let (mut estimate, mut left_out) = (solve(problem, &accumulator.finish())?, 0);
    for _ in 0..2 {
        let (mut screen, mut accumulator) =
            (Screen::new(&[(problem, &estimate.values)], &choice), Accumulator::new(problem));
        samples.each(|sample| screen.pass(sample, |sample| accumulator.add(sample)));
        left_out = screen.left_out().iter().sum();
        let better = solve(problem, &accumulator.finish())?;
        estimate = better;
    }
    Ok((estimate, left_out))
}

#[allow(clippy::print_stdout)]
fn coverage(runs: u64) {
    let model = with_friction("planar2r");
    let options = Options { cutoff: Some(8.0), ..Options::default() };
    let (mut inside, mut all) = (0, 0);
    for (ill, first) in ILLS.into_iter().zip((0..).step_by(1000)) {
        let (problem, exact) = unknowns(&model, Some(ill));
        let (mut own, mut count, mut squares) = (0, 0, 0.0);
        for seed in first..first + runs / ILLS.len() as u64 {
            let text = log_of(&model, Some(ill), 1900, seed);
            let (found, left_out) =
                estimate(&problem, &text, &options).unwrap_or_else(|error| panic!("{ill:?}, seed {seed}: {error}"));
            let faults = matches!(ill, Ill::Scattered | Ill::Bursts);
            assert!(if faults { left_out > 10 } else { left_out < 5 }, "{ill:?}, seed {seed}: {left_out} outliers");
            for ((value, deviation), exact) in found.values.iter().zip(&found.deviations).zip(&exact) {
                let z = (value - exact) / deviation;
                own += u32::from(z.abs() <= 1.96);
                squares += z * z;
                count += 1;
            }
        }
        let (share, spread) = (f64::from(own) / f64::from(count), (squares / f64::from(count)).sqrt());
        println!("{ill:?}: {:.1} % of the intervals of 95 % contain the truth, rms of z {spread:.2}", 100.0 * share);
        assert!((0.88..=0.995).contains(&share), "{ill:?}, seeds from {first}: {share}");
        (inside, all) = (inside + own, all + count);
    }
    let share = f64::from(inside) / f64::from(all);
    assert!((0.90..=0.99).contains(&share), "{share} of the intervals of 95 % contain the truth");
}

#[test]
fn intervals_contain_the_truth_as_often_as_they_say_whatever_the_log_suffers_from() {
    coverage(304);
}

/// `just intervals`.
#[test]
#[ignore = "takes minutes"]
fn intervals_contain_the_truth_in_many_more_runs() {
    coverage(4000);
}

#[test]
fn outliers_move_parameters_by_less_than_a_deviation_and_clean_logs_lose_nothing() {
    let model = with_friction("planar2r");
    let (problem, _) = unknowns(&model, None);
    let options = Options { cutoff: Some(8.0), ..Options::default() };
    for seed in [3, 4, 5] {
        let (clean, none) = estimate(&problem, &log_of(&model, None, 6000, seed), &options).unwrap();
        assert_eq!(none, 0, "seed {seed}");
        for ill in [Ill::Scattered, Ill::Bursts] {
            let text = log_of(&model, Some(ill), 6000, seed);
            let rms = |values: &[f64]| {
                let z =
                    values.iter().zip(&clean.values).zip(&clean.deviations).map(|((a, b), d)| ((a - b) / d).powi(2));
                (z.sum::<f64>() / values.len() as f64).sqrt()
            };
            let kept = solve(&problem, &gather(&problem, &text, &options).unwrap().0).unwrap();
            let (dropped, left_out) = estimate(&problem, &text, &options).unwrap();
            let (before, after) = (rms(&kept.values), rms(&dropped.values));
            assert!(before > 1.5 && after < 1.0, "{ill:?}, seed {seed}: {before} and {after} deviations");
            assert!((60..200).contains(&left_out), "{ill:?}, seed {seed}: {left_out} left out");
        }
    }
}

#[test]
fn where_outliers_are_is_told() {
    let model = with_friction("planar2r");
    let (problem, exact) = unknowns(&model, None);
    let text = log_of(&model, Some(Ill::Bursts), 4000, 9);
    let options = Options { cutoff: Some(8.0), ..Options::default() };
    let (_, choice) = gather(&problem, &text, &options).unwrap();
    let mut screen = Screen::new(&[(&problem, &exact)], &choice);
    let mut without = 0;
    log::read(text.as_bytes(), &model, &options, |sample| {
        screen.pass(sample, |sample| without += sample.tau.iter().filter(|tau| tau.is_nan()).count());
    })
    .unwrap();
    assert!(
        screen.doubtful().is_empty()
            && screen.limits().iter().zip(NOISE).all(|(limit, noise)| (4.5..5.5).contains(&(limit / noise)))
    );
    // The second burst is at the end, where samples are dropped.
    let places: Vec<_> = screen.stretches().iter().map(|own| (own.joint, own.from, own.to, own.count)).collect();
    assert_eq!(places[..2], [(0, 19.81, 19.99, 19), (1, 19.81, 19.99, 19)]);
    assert_eq!(without as u64, screen.left_out().iter().sum::<u64>());
}

#[test]
fn a_delay_is_found_and_estimates_are_right_with_it() {
    // Without Coulomb friction, whose phase would be part of the delay.
    let mut description = with_friction("planar2r").description().clone();
    description.links.iter_mut().filter_map(|link| link.motor.as_mut()).for_each(|motor| motor.coulomb = 0.0.into());
    let model = Model::from_description(&description).unwrap();
    let (problem, exact) = unknowns(&model, None);
    for (seed, steps) in [(1, -1_i64), (2, 2), (3, 0)] {
        // Torques of so many steps later, in the line of the motion.
        let text = log_of(&model, None, 6000, seed);
        let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let shifted = (10..lines.len() as i64 - 10).map(|i| {
            let (motion, torque) = (&lines[i as usize][..3], &lines[(i + steps) as usize][3..]);
            [motion, torque].concat().join(",")
        });
        let text = format!("t,q1,q2,tau1,tau2\n{}\n", shifted.collect::<Vec<_>>().join("\n"));
        let to_study = Problem::new(problem.model(), Drives { armature: true, viscous: true, coulomb: false }).unwrap();
        let to_study = to_study.with_terms(&Coordinates::joints(2), None);
        let found = study(&to_study, &Options::default(), None, |options, take| {
            log::read(text.as_bytes(), problem.model(), options, take)
        })
        .unwrap();
        let late = steps as f64 / RATE;
        assert!((found.delay - late).abs() < 0.002, "seed {seed}: {} for {late}", found.delay);
        let options = Options { cutoff: found.cutoff, delay: found.delay, ..Options::default() };
        let (found, _) = estimate(&problem, &text, &options).unwrap();
        for (k, (exact, name)) in exact.iter().zip(problem.names()).enumerate() {
            let (value, deviation) = (found.values[k], found.deviations[k]);
            // Four deviations, and what a millisecond or two that are left of the delay do.
            let most = 4.0 * deviation + 0.02 * exact.abs();
            assert!((value - exact).abs() < most, "seed {seed}, {name}: {value} ± {deviation} and {exact}");
        }
    }
}

/// Multiplies the columns of a log.
fn scaled(text: &str, factors: [f64; 5]) -> String {
    let mut lines = text.lines();
    let mut scaled = lines.next().unwrap().to_owned() + "\n";
    for line in lines {
        let cells =
            line.split(',').zip(factors).map(|(cell, factor)| (cell.parse::<f64>().unwrap() * factor).to_string());
        scaled += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    scaled
}

#[test]
fn wrong_signs_and_units_are_told_as_what_they_are() {
    let model = with_friction("planar2r");
    let (problem, _) = unknowns(&model, None);
    let text = log_of(&model, None, 4000, 17);
    let options = Options { cutoff: Some(8.0), ..Options::default() };
    let fails = |factors: [f64; 5], kind: &str, words: &[&str]| {
        let error = estimate(&problem, &scaled(&text, factors), &options).expect_err(kind);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
        assert!(error.hint().is_some(), "{error}");
    };
    fails([1.0, 1.0, 1.0, -1.0, -1.0], "wrong-sign", &["all joints", "negative inertia"]);
    fails([1.0, 1.0, 1.0, -1.0, 1.0], "wrong-units", &["`link1`", "sign"]);
    fails([1.0, 1.0, 1.0, 1.0, -1.0], "wrong-units", &["`link2`", "sign"]);
    fails([1.0, 1.0, 1.0, 1e3, 1e3], "wrong-units", &["torques of all joints", "times what the robot file makes"]);
    fails([1.0, 1.0, 1.0, 1e-3, 1e-3], "wrong-units", &["torques of all joints"]);
    fails([1.0, 1.0, 1.0, 1.0, 1e3], "wrong-units", &["torques", "`link2`", "0.001"]);
    fails([1.0, 1e3, 1.0, 1.0, 1.0], "wrong-units", &["positions", "`link1`"]);
    // Stamps in hundredths of a second cannot be told from seconds by themselves, but inertias cannot be ten thousand times as large.
    let slow = Options { cutoff: Some(0.04), ..Options::default() };
    let error = estimate(&problem, &scaled(&text, [200.0, 1.0, 1.0, 1.0, 1.0]), &slow);
    let clock = |found: &Result<(Estimate, u64), IdentifyError>| matches!(found, Err(IdentifyError::WrongClock { .. }));
    if !clock(&error) {
        // The stamps were taken for a smaller unit, which makes times too short instead.
        assert!(error.is_err(), "times of another unit pass for seconds");
    }
    for (factor, unit) in [(1e3, Clock::Milliseconds), (1e6, Clock::Microseconds), (1e9, Clock::Nanoseconds)] {
        let (mut found, text) = (None, scaled(&text, [factor, 1.0, 1.0, 1.0, 1.0]));
        let summary = log::read(text.as_bytes(), problem.model(), &options, |_| ()).unwrap();
        found.get_or_insert(summary.clock);
        assert_eq!(found, Some(unit));
    }
}

/// One joint alone: nothing contradicts its sign but its inertia.
#[test]
fn a_single_joint_of_the_wrong_sign_is_told() {
    let reading = jourdain::formats::read_str(
        r#"{"name": "wheel", "gravity": [0, 0, -9.81], "link": [{"name": "disc", "mass": 2, "inertia": [0.1, 0, 0, 0.1, 0, 0.2],
            "joint": {"type": "revolute", "axis": [0, 0, 1]}}]}"#,
        jourdain::formats::Format::Json,
    );
    let model =
        Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))).unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    for (sign, expected) in [(1.0, None), (-1.0, Some("wrong-sign"))] {
        let (mut run, mut random, mut accumulator) = (Run::new(&model, 0.8), Random(6), Accumulator::new(&problem));
        for i in 0..1000 {
            let t = 0.02 * f64::from(i);
            run.at(t);
            let friction = 0.1 * run.qd[0] + 0.2 * run.qd[0] / run.qd[0].hypot(0.01);
            let tau = [sign * (run.tau[0] + friction + 0.02 * random.normal())];
            accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
        }
        let found = solve(&problem, &accumulator.finish());
        assert_eq!(found.as_ref().err().map(IdentifyError::kind), expected);
    }
}

/// Samples of a robot along its motion, with noise on the torques.
fn samples(
    problem: &Problem,
    model: &Model<f64>,
    count: u32,
    noise: f64,
    seed: u64,
    edit: impl Fn(&mut [f64]),
) -> Factors {
    let (mut run, mut random, mut accumulator) = (Run::new(model, 0.8), Random(seed), Accumulator::new(problem));
    for i in 0..count {
        let t = 0.02 * f64::from(i);
        run.at(t);
        let mut tau: Vec<f64> = run.tau.iter().map(|tau| tau + noise * random.normal()).collect();
        edit(&mut tau);
        accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    accumulator.finish()
}

#[test]
fn a_joint_without_torques_takes_only_its_own_parameters_with_it() {
    let (model, free) = (with_friction("puma560"), crate::logs::without_limits("puma560"));
    let problem = Problem::new(&free, Drives::default()).unwrap();
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    for silent in [0, 2, 5] {
        let factors = samples(&problem, &model, 3000, 0.0, 1, |tau| tau[silent] = f64::NAN);
        assert_eq!(factors.unmeasured(), [silent]);
        assert!(solve(&problem, &factors).is_err(), "joint {silent}: its friction cannot be had");
        let shown = shown(&problem, &factors);
        let reduced = problem.reduced(&shown, Rest::AsWritten);
        let own = |letters: &str| format!("{letters}{}", silent + 1);
        assert!(![own("Fv"), own("Fc")].iter().any(|name| reduced.names().contains(name)), "{:?}", reduced.names());
        assert!(reduced.count() + 6 >= problem.count(), "joint {silent}: {} of {}", reduced.count(), problem.count());
        let estimate = solve(&reduced, &factors.select(&problem, &reduced).unwrap()).unwrap();
        let expected = exact.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(exact, _)| exact);
        for ((value, exact), name) in estimate.values.iter().zip(expected).zip(reduced.names()) {
            assert!((value - exact).abs() < 1e-5 * exact.abs().max(1.0), "joint {silent}, {name}: {value} and {exact}");
        }
    }
}

#[test]
fn rows_that_are_left_out_count_for_nothing() {
    let (model, problem) = (with_friction("planar2r"), unknowns(&with_friction("planar2r"), None).0);
    let (mut run, mut with, mut without) =
        (Run::new(&model, 0.8), Accumulator::new(&problem), Accumulator::new(&problem));
    let mut random = Random(2);
    for i in 0..1003 {
        let t = 0.02 * f64::from(i);
        run.at(t);
        let tau: Vec<f64> = run.tau.iter().map(|tau| tau + 0.1 * random.normal()).collect();
        let sample = Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] };
        if i % 7 == 3 {
            with.add(&Sample { tau: &[f64::NAN, f64::NAN], ..sample });
        } else {
            with.add(&sample);
            without.add(&sample);
        }
    }
    let (with, without) = (with.finish(), without.finish());
    assert_eq!((with.rows(0), with.samples), (without.rows(0), 1003));
    let [a, b] = [&with, &without].map(|factors| solve(&problem, factors).unwrap());
    for ((a, b), (c, d)) in a.values.iter().zip(&b.values).zip(a.deviations.iter().zip(&b.deviations)) {
        assert!((a - b).abs() < 1e-10 && (c / d - 1.0).abs() < 1e-9, "{a} and {b}, {c} and {d}");
    }
    let read = Factors::from_json(&with.to_json()).unwrap();
    assert_eq!((read.rows(0), read.rows(1), read.samples), (with.rows(0), with.rows(1), 1003));
}

#[test]
fn essential_parameters_are_those_that_are_not_zero() {
    // The second link of this arm has its centre of mass on its axis: two first moments are zero.
    let (model, problem) = (with_friction("planar2r"), unknowns(&with_friction("planar2r"), None).0);
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    let mut kept = 0;
    for seed in 0..20 {
        let factors = samples(&problem, &model, 2000, 0.3, seed, |_| ());
        let found = essential(&problem, &factors).unwrap();
        let whole = solve(&problem, &factors).unwrap();
        for (k, (name, exact)) in problem.names().iter().zip(&exact).enumerate() {
            assert!(exact.abs() < 0.1 || found.kept.contains(&k), "seed {seed}: {name} is {exact}");
            kept += usize::from(exact.abs() < 1e-9 && found.kept.contains(&k));
        }
        for (own, whole) in found.joints.iter().zip(&whole.joints) {
            assert!(own.residual < 1.01 * whole.residual, "seed {seed}: {} and {}", own.residual, whole.residual);
        }
        let others = found.kept.iter().zip(&found.values).zip(&found.deviations);
        for ((&k, value), deviation) in others {
            assert!((value - exact[k]).abs() < 5.0 * deviation, "seed {seed}: {}", problem.names()[k]);
        }
    }
    // Twice twenty zeros, five in a hundred of which seem to be none.
    assert!(kept < 8, "{kept} of 40 parameters that are zero");
}

/// A free body with an arm, along a motion with all derivatives in the log. What moves the base so is a wrench on the hand, which the log
/// has, or something that it does not have.
fn floating_log(model: &Model<f64>, seed: u64, with_wrench: bool) -> String {
    use jourdain::dynamics::recursive::{external_forces_into, inverse_dynamics};
    use jourdain::spatial::{Vector, Wrench};
    use jourdain::state::LinkWrench;
    let (n, mut random) = (model.nv(), Random(seed));
    let head = |letters: &str, count: usize| (1..=count).map(|k| format!(",{letters}{k}")).collect::<String>();
    let mut text = format!("t{}{}{}", head("q", model.nq()), head("qd", n), head("qdd", n));
    (7..=n).for_each(|k| write!(text, ",tau{k}").unwrap());
    let link = model.links().len() - 1;
    if with_wrench {
        for part in ["fx", "fy", "fz", "mx", "my", "mz"] {
            write!(text, ",wrench:{}[{part}]", model.links()[link].name).unwrap();
        }
    }
    text.push('\n');
    let mut workspace = jourdain::Workspace::new(model);
    for i in 0..1500 {
        let mut vector = |count: usize| (0..count).map(|_| random.normal()).collect::<Vec<f64>>();
        let (mut q, qd, qdd) = (vector(model.nq()), vector(n), vector(n));
        let length = q[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[3..7].iter_mut().for_each(|x| *x /= length);
        let rigid = inverse_dynamics(model, &q, &qd, &qdd, &[]);
        // What holds a unit of each part of a wrench.
        let mut held = nalgebra::DMatrix::zeros(n, 6);
        for part in 0..6 {
            let zero = || Wrench { force: Vector::zero(), moment: Vector::zero() };
            let mut unit = zero();
            if part < 3 {
                unit.force[part] = 1.0
            } else {
                unit.moment[part - 3] = 1.0
            }
            let wrench = [LinkWrench { link, wrench: unit, dot: zero(), ddot: zero() }];
            let mut own = vec![0.0; n];
            external_forces_into(model, &q, &wrench, &mut workspace, &mut own);
            own.iter().enumerate().for_each(|(j, x)| held[(j, part)] = *x);
        }
        // The one that gives the base its motion: its six torques are zero.
        let wanted = -nalgebra::DVector::from_column_slice(&rigid[..6]);
        let wrench = held.rows(0, 6).clone_owned().lu().solve(&wanted).unwrap();
        let tau = if with_wrench {
            nalgebra::DVector::from_column_slice(&rigid) + held * &wrench
        } else {
            nalgebra::DVector::from_column_slice(&rigid)
        };
        write!(text, "{}", 0.01 * f64::from(i)).unwrap();
        let cells = q.iter().chain(&qd).chain(&qdd).chain(tau.iter().skip(6));
        cells.for_each(|x| write!(text, ",{x}").unwrap());
        if with_wrench {
            wrench.iter().for_each(|x| write!(text, ",{x}").unwrap());
        }
        text.push('\n');
    }
    text
}

/// A body that floats, with two links.
fn floating() -> Model<f64> {
    let reading = jourdain::formats::read_str(
        r#"{"name": "bird", "link": [
            {"name": "body", "mass": 3, "com": [0.01, 0.02, -0.03], "inertia": [0.05, 0, 0.002, 0.06, 0, 0.07], "joint": {"type": "free"}},
            {"name": "upper", "parent": "body", "mass": 1.2, "com": [0.1, 0, 0.01], "inertia": [0.002, 0, 0, 0.01, 0, 0.01],
             "joint": {"type": "revolute", "axis": [0, 0, 1], "point": [0.1, 0, 0.05]}},
            {"name": "hand", "parent": "upper", "mass": 0.7, "com": [0.08, 0.01, 0], "inertia": [0.001, 0, 0, 0.004, 0, 0.004],
             "joint": {"type": "revolute", "axis": [0, 1, 0], "point": [0.25, 0, 0]}}]}"#,
        jourdain::formats::Format::Json,
    );
    Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))).unwrap()
}

#[test]
fn a_floating_robot_is_identified_from_its_joints_alone_or_with_the_wrenches_on_it() {
    let model = floating();
    let problem = Problem::new(&model, Drives { armature: false, viscous: false, coulomb: false }).unwrap();
    let exact = problem.prior();
    let text = floating_log(&model, 4, false);
    // Something that was not measured moves the base: the equations of the joints are left.
    let (factors, _) = gather(&problem, &text, &Options::default()).unwrap();
    assert_eq!(factors.unmeasured(), [0, 1, 2, 3, 4, 5]);
    let shown = shown(&problem, &factors);
    let reduced = problem.reduced(&shown, Rest::AsWritten);
    assert!(reduced.count() < problem.count() && reduced.count() > 10, "{}", reduced.count());
    let estimate = solve(&reduced, &factors.select(&problem, &reduced).unwrap()).unwrap();
    let expected = exact.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(exact, _)| exact);
    for ((value, exact), name) in estimate.values.iter().zip(expected).zip(reduced.names()) {
        assert!((value - exact).abs() < 1e-8, "{name}: {value} and {exact}");
    }
}

#[test]
fn wrenches_in_the_log_are_taken_off_and_free_the_base() {
    let model = floating();
    let problem = Problem::new(&model, Drives { armature: false, viscous: false, coulomb: false }).unwrap();
    let text = floating_log(&model, 4, true);
    let (factors, _) = gather(&problem, &text, &Options::default()).unwrap();
    assert_eq!(factors.unmeasured(), [0; 0]);
    let estimate = solve(&problem, &factors).unwrap();
    for ((value, exact), name) in estimate.values.iter().zip(problem.prior()).zip(problem.names()) {
        assert!((value - exact).abs() < 1e-8, "{name}: {value} and {exact}");
    }
    // Said to be held, the base has no torques again.
    let held = Options { base: Some(log::Base::Held), ..Options::default() };
    assert_eq!(gather(&problem, &text, &held).unwrap().0.unmeasured().len(), 6);
    let free = Options { base: Some(log::Base::Free), ..Options::default() };
    assert!(gather(&problem, &floating_log(&model, 4, false), &free).unwrap().0.unmeasured().is_empty());
    for (from, to, kind) in [
        ("wrench:hand[fx]", "wrench:foot[fx]", "unknown-column"),
        ("wrench:hand[fy]", "note", "missing-column"),
        ("wrench:hand[mz]", "fx_hand", "duplicate-column"),
    ] {
        let error = gather(&problem, &text.replacen(from, to, 1), &Options::default()).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
}
