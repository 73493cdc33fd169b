//! Springs beside dense least squares of the samples that they are found from.

use super::robot;
use crate::logs::Random;
use jourdain::Model;
use jourdain::dynamics::recursive;
use jourdain::formats::table::Table;
use jourdain::identify::log::{RotorLog, read_rotors_table};
use jourdain::identify::{FoundSpring, IdentifyError, Measured, SideFit, Springs, springs, sprung_robot};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// K, D, B, Fv, Fc, c of a joint.
type Numbers = [f64; 6];

/// Three joints, the first two with motors; what is said of them, and a scale of masses.
fn arm(motors: [&str; 3], scale: f64) -> Model<f64> {
    let [a, b, c] = motors;
    let [heavy, middle, light] = [4.0, 2.0, 1.0].map(|x| x * scale);
    let [large, small] = [0.05, 0.02].map(|x| x * scale);
    robot(&format!(
        r#"
name = "arm"
gravity = [0, -9.81, 0]
[[link]]
name = "a"
parent = "base"
mass = {heavy}
com = [0.2, 0.01, 0]
inertia = [{large}, 0, 0, {large}, 0, {large}]
joint = {{ type = "continuous", axis = [0, 0, 1] }}
{a}
[[link]]
name = "flange"
parent = "a"
mass = {light}
origin = {{ xyz = [0.4, 0, 0] }}
joint = {{ type = "fixed" }}
[[link]]
name = "b"
parent = "flange"
mass = {middle}
com = [0.1, 0, 0.02]
inertia = [{large}, 0, 0, {small}, 0, {small}]
joint = {{ type = "continuous", axis = [0, 0, 1] }}
{b}
[[link]]
name = "c"
parent = "b"
mass = {light}
com = [0.15, 0.02, 0]
inertia = [{small}, 0, 0, {small}, 0, {small}]
origin = {{ xyz = [0.3, 0, 0], rpy = [0.6, 0, 0] }}
joint = {{ type = "continuous", axis = [0, 0, 1] }}
{c}
"#
    ))
}

const RIGID: &str = "motor = { inertia = 2e-4, ratio = 40.0, viscous = 3.0, coulomb = 2.0 }";
const SOFT: &str = "motor = { inertia = 1e-4, ratio = 60.0, stiffness = 500.0, rotor_viscous = 0.2 }";

fn position(j: usize, t: f64) -> f64 {
    let wave = |(frequency, amplitude): (f64, f64)| {
        amplitude * (2.0 * PI * frequency * (1.0 + 0.17 * j as f64) * t + 1.3 * j as f64).sin()
    };
    0.3 + [(0.31, 0.4), (0.83, 0.15), (1.7, 0.03)].into_iter().map(wave).sum::<f64>()
}

/// Value and two derivatives, by differences.
fn derivatives(f: impl Fn(f64) -> f64, t: f64) -> [f64; 3] {
    let h = 1e-3;
    let (before, here, after) = (f(t - h), f(t), f(t + h));
    [here, (after - before) / (2.0 * h), (after - 2.0 * here + before) / (h * h)]
}

/// Torques of the rigid links, without motors of those that are elastic.
fn bare(model: &Model<f64>, elastic: &[usize]) -> Model<f64> {
    let mut description = model.description().clone();
    for (link, described) in model.links().iter().zip(&mut description.links) {
        if link.joint.nv() == 1 && elastic.contains(&link.v) {
            described.motor = None;
        }
    }
    Model::from_description(&description).unwrap()
}

/// What a log is like.
#[derive(Clone)]
struct Course {
    rows: usize,
    rate: f64,
    /// The elastic joints, with their numbers.
    numbers: Vec<(usize, Numbers)>,
    /// Of positions, and of torques over a typical one: that of each row, and what lasts.
    position_noise: f64,
    torque_noise: [f64; 2],
    /// Torques of such a size.
    scale: f64,
}

/// A log: motors stand where the springs need them, torques are those of the equation of the motor.
fn log(model: &Model<f64>, course: &Course, seed: u64) -> RotorLog {
    let elastic: Vec<usize> = course.numbers.iter().map(|(dof, _)| *dof).collect();
    let (links, n, mut random) = (bare(model, &elastic), model.nv(), Random(seed));
    let torque = |t: f64| {
        let each = (0..n).map(|j| derivatives(|t| position(j, t), t)).collect::<Vec<_>>();
        let [q, qd, qdd] = [0, 1, 2].map(|order| each.iter().map(|x| x[order]).collect::<Vec<f64>>());
        recursive::inverse_dynamics(&links, &q, &qd, &qdd, &[])
    };
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 1 + 2 * n + elastic.len()];
    let mut lasting = vec![0.0; n];
    for i in 0..course.rows {
        let t = i as f64 / course.rate;
        columns[0].push(t);
        for j in 0..n {
            columns[1 + j].push(position(j, t) + course.position_noise * random.normal());
        }
        let h = 1e-3;
        let torques = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|steps| torque(t + steps * h));
        for j in 0..n {
            columns[1 + n + j].push(torques[2][j]);
        }
        for (k, (dof, [stiffness, damping, inertia, viscous, coulomb, constant])) in course.numbers.iter().enumerate() {
            // τ = Kδ + Dδ̇ for δ, by a series in D/K.
            let lag = damping / stiffness;
            let bent = |at: usize| {
                let [before, here, after] = [at - 1, at, at + 1].map(|at| torques[at][*dof]);
                let (rate, bend) = ((after - before) / (2.0 * h), (after - 2.0 * here + before) / (h * h));
                (here - lag * rate + lag * lag * bend) / stiffness + 0.002
            };
            let spring = [1, 2, 3].map(bent);
            let rate = (spring[2] - spring[0]) / (2.0 * h);
            let [_, speed, acceleration] = derivatives(|t| position(*dof, t), t);
            let (speed, acceleration) =
                (speed + rate, acceleration + (spring[2] - 2.0 * spring[1] + spring[0]) / (h * h));
            let theta = position(*dof, t) + spring[1] + course.position_noise * random.normal();
            lasting[*dof] = 0.97 * lasting[*dof] + course.torque_noise[1] * random.normal();
            let error = course.scale * (course.torque_noise[0] * random.normal() + lasting[*dof]);
            let sign = speed / (speed * speed + 1e-4).sqrt();
            let own = stiffness * spring[1] + damping * rate + inertia * acceleration;
            columns[1 + n + dof][i] = own + viscous * speed + coulomb * sign + constant + error;
            columns[1 + 2 * n + k].push(theta);
        }
    }
    let headings = ["t".to_owned()].into_iter();
    let headings = headings.chain((1..=n).map(|j| format!("q{j}"))).chain((1..=n).map(|j| format!("tau{j}")));
    let headings = headings.chain(elastic.iter().map(|dof| format!("theta{}", dof + 1)));
    let log = read_rotors_table(&Table::new(headings.zip(columns).collect()).unwrap(), model, None).unwrap();
    assert_eq!(log.elastic, elastic);
    log
}

/// Rows of both equations of a joint: eight numbers each, those of K, D, B, Fv, Fc, c, c′ and the torque.
struct Rows {
    times: Vec<f64>,
    motor: Vec<[f64; 8]>,
    link: Vec<[f64; 8]>,
}

fn rows(model: &Model<f64>, log: &RotorLog, [cutoff, delay]: [f64; 2], decimate: u64) -> Vec<Rows> {
    let links = bare(model, &log.elastic);
    let mut all: Vec<Rows> =
        log.elastic.iter().map(|_| Rows { times: Vec::new(), motor: Vec::new(), link: Vec::new() }).collect();
    log.samples(cutoff, delay, decimate, |sample| {
        let [q, qd, qdd] = sample.links;
        let torque = recursive::inverse_dynamics(&links, q, qd, qdd, &[]);
        for (k, (rows, &dof)) in all.iter_mut().zip(&log.elastic).enumerate() {
            let [theta, w, a] = sample.rotors.map(|rotors| rotors[k]);
            let (bent, rate) = (theta - q[dof], w - qd[dof]);
            let sign = w / (w * w + 1e-4).sqrt();
            rows.times.push(sample.t);
            rows.motor.push([bent, rate, a, w, sign, 1.0, 0.0, sample.tau[dof]]);
            rows.link.push([bent, rate, 0.0, 0.0, 0.0, 0.0, 1.0, torque[dof]]);
        }
    })
    .unwrap();
    all
}

/// Least squares of some columns with the diagonal of (AᵀA)⁻¹, columns first made of unit length.
fn fit(rows: &[(&[f64; 8], f64)], free: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let p = free.len();
    let length = |k: usize| rows.iter().map(|(row, noise)| (row[k] / noise).powi(2)).sum::<f64>().sqrt();
    let lengths: Vec<f64> = free.iter().map(|&k| length(k)).collect();
    let number = |(row, noise): &(&[f64; 8], f64), at: usize| row[free[at]] / noise / lengths[at];
    let (mut square, mut values) = (DMatrix::zeros(p, p), vec![0.0; p]);
    for row in rows {
        let x = DVector::from_fn(p, |at, _| number(row, at));
        square += &x * x.transpose();
    }
    let inverse = square.try_inverse().unwrap();
    // A second time with what is left: the square has lost digits.
    for _ in 0..3 {
        let mut right = DVector::zeros(p);
        for row in rows {
            let x = DVector::from_fn(p, |at, _| number(row, at));
            let met: f64 = (0..p).map(|at| x[at] * values[at]).sum();
            right += x * (row.0[7] / row.1 - met);
        }
        (&inverse * right).iter().zip(&mut values).for_each(|(more, value)| *value += more);
    }
    let values = values.iter().zip(&lengths).map(|(value, length)| value / length).collect();
    (values, (0..p).map(|at| inverse[(at, at)].sqrt() / lengths[at]).collect())
}

#[track_caller]
fn close(what: &str, found: f64, known: f64, tolerance: f64) {
    assert!((found - known).abs() <= tolerance * known.abs() + 1e-300, "{what}: {found} instead of {known}");
}

fn mean_square(x: impl Iterator<Item = f64> + Clone) -> f64 {
    x.clone().map(|x| x * x).sum::<f64>() / x.count() as f64
}

fn measured(spring: &FoundSpring) -> [Measured; 5] {
    [spring.stiffness, spring.damping, spring.inertia, spring.viscous, spring.coulomb]
}

/// That a spring is the fit of these rows, each equation over what it leaves; and which of its numbers are free.
fn is_the_fit_of(rows: &Rows, spring: &FoundSpring, name: &str) -> Vec<usize> {
    let found = measured(spring);
    let free: Vec<usize> = (0..7).filter(|&k| found.get(k).is_none_or(|x| *x != Measured::default())).collect();
    let noise = [spring.motor.residual, spring.link.residual];
    let weighted = |keep: &dyn Fn(f64) -> bool| -> Vec<(&[f64; 8], f64)> {
        let motor = rows.times.iter().zip(&rows.motor).filter(|(t, _)| keep(**t)).map(|(_, row)| (row, noise[0]));
        let link = rows.times.iter().zip(&rows.link).filter(|(t, _)| keep(**t)).map(|(_, row)| (row, noise[1]));
        motor.chain(link).collect()
    };
    let all = weighted(&|_| true);
    let (values, mut deviations) = fit(&all, &free);
    // Stretches of two seconds, left out one by one; fewer than eight tell nothing.
    let stretch = |t: f64| (t / 2.0).floor() as i64;
    let stretches: BTreeSet<i64> = rows.times.iter().map(|t| stretch(*t)).collect();
    if stretches.len() >= 8 {
        let mut sums = vec![0.0; free.len()];
        for left_out in &stretches {
            let (without, _) = fit(&weighted(&|t| stretch(t) != *left_out), &free);
            sums.iter_mut().zip(without.iter().zip(&values)).for_each(|(sum, (a, b))| *sum += (a - b).powi(2));
        }
        let count = stretches.len() as f64;
        for (deviation, sum) in deviations.iter_mut().zip(sums) {
            *deviation = deviation.max(((count - 1.0) / count * sum).sqrt());
        }
    }
    for ((&k, value), deviation) in free.iter().zip(&values).zip(&deviations) {
        if let Some(found) = found.get(k) {
            let off = (found.value - value).abs();
            assert!(off < 1e-5 * deviation, "{name}, {k}: {} instead of {value} ± {deviation}", found.value);
            close(&format!("{name}, deviation of {k}"), found.deviation, *deviation, 1e-5);
        }
    }
    let mut x = [0.0; 7];
    free.iter().zip(&values).for_each(|(&k, value)| x[k] = *value);
    let left = |row: &[f64; 8]| row[7] - (0..7).map(|k| row[k] * x[k]).sum::<f64>();
    let sides = [(&rows.motor, spring.motor, "motor"), (&rows.link, spring.link, "link")];
    for (rows, side, what) in sides {
        let (residual, torque) =
            (mean_square(rows.iter().map(left)).sqrt(), mean_square(rows.iter().map(|row| row[7])));
        close(&format!("{name}, residual of the {what}"), side.residual, residual, 1e-6);
        close(&format!("{name}, torque of the {what}"), side.torque, torque.sqrt(), 1e-9);
        close("relative", side.relative(), residual / torque.sqrt(), 1e-6);
    }
    // What is zero could only be negative: more of it does not help.
    for k in (1..5).filter(|k| !free.contains(k)) {
        let slope: f64 = all.iter().map(|(row, noise)| row[k] / noise * left(row) / noise).sum();
        assert!(slope <= 0.0, "{name}: {k} would be positive, {slope}");
    }
    let alone = |rows: &[[f64; 8]], free: &[usize]| {
        let rows: Vec<_> = rows.iter().map(|row| (row, 1.0)).collect();
        fit(&rows, free).0[0]
    };
    close("by the motor", spring.by_motor.unwrap(), alone(&rows.motor, &[0, 1, 2, 3, 4, 5]), 1e-6);
    close("by the link", spring.by_link.unwrap(), alone(&rows.link, &[0, 1, 6]), 1e-6);
    let mean = rows.link.iter().map(|row| row[0]).sum::<f64>() / rows.link.len() as f64;
    close("deflection", spring.deflection, mean_square(rows.link.iter().map(|row| row[0] - mean)).sqrt(), 1e-6);
    free
}

/// That all springs of a log are fits, and which numbers of each are free.
fn are_fits(model: &Model<f64>, log: &RotorLog, at: [f64; 2], decimate: u64, name: &str) -> (Springs, Vec<Vec<usize>>) {
    let found = springs(model, log, Some(at[0]), at[1], decimate).unwrap();
    let all = rows(model, log, at, decimate);
    assert_eq!((found.cutoff, found.chosen, found.limited), (at[0], false, false));
    assert_eq!((found.samples, found.springs.len()), (all[0].times.len() as u64, log.elastic.len()));
    assert!(found.springs.iter().map(|spring| spring.dof).eq(log.elastic.iter().copied()));
    let free = found.springs.iter().zip(&all).map(|(spring, rows)| is_the_fit_of(rows, spring, name)).collect();
    (found, free)
}

const USUAL: Numbers = [600.0, 2.0, 0.4, 1.5, 0.8, 0.3];

fn course(rows: usize, rate: f64, elastic: &[usize]) -> Course {
    Course {
        rows,
        rate,
        numbers: elastic.iter().map(|dof| (*dof, USUAL)).collect(),
        position_noise: 2e-6,
        torque_noise: [0.05, 0.01],
        scale: 1.0,
    }
}

#[test]
fn springs_are_weighted_fits_of_both_equations_of_a_joint() {
    // Springs of the file, motors that it has as rigid, and no motor at all.
    let model = arm([RIGID, SOFT, ""], 1.0);
    let (found, _) = are_fits(&model, &log(&model, &course(900, 50.0, &[0, 1, 2]), 3), [10.0, 0.0], 1, "three");
    for spring in &found.springs {
        close("stiffness", spring.stiffness.value, USUAL[0], 0.1);
        assert!(spring.motor.residual > 0.01 && spring.link.residual > 1e-4, "{spring:?}");
    }
    // Every third row of joints that are not the first ones, with torques that are late.
    let log_of_two = log(&model, &course(900, 50.0, &[1, 2]), 4);
    are_fits(&model, &log_of_two, [8.0, 0.004], 3, "two");
    are_fits(&arm([SOFT, RIGID, RIGID], 1.0), &log(&model, &course(400, 50.0, &[2]), 5), [8.0, 0.0], 1, "one");
}

/// Eight stretches of two seconds tell deviations, seven do not. Errors that last make them larger than single samples tell.
#[test]
fn stretches_of_time_tell_deviations_if_there_are_eight() {
    let model = arm([RIGID, "", ""], 1.0);
    let lasting = Course { torque_noise: [0.02, 0.2], ..course(1000, 50.0, &[0]) };
    let mut wide = Vec::new();
    // The ends lose a tenth of a second each.
    for rows in [705, 804, 900] {
        let course = Course { rows, ..lasting.clone() };
        let (found, _) = are_fits(&model, &log(&model, &course, 6), [10.0, 0.0], 1, &format!("{rows} rows"));
        wide.push(found.springs[0].viscous.deviation);
    }
    assert!(wide[1] > 1.5 * wide[0] && wide[2] > 1.5 * wide[0], "{wide:?}");
}

/// A robot of micrograms is like one of kilograms.
#[test]
fn springs_of_tiny_and_of_huge_robots_are_fits_as_well() {
    for scale in [1e-6, 1e5] {
        let model = arm(["", "", ""], scale);
        let numbers = USUAL.map(|x| x * scale);
        let course = Course { numbers: vec![(0, numbers), (2, numbers)], scale, ..course(450, 50.0, &[]) };
        let (found, _) = are_fits(&model, &log(&model, &course, 7), [10.0, 0.0], 1, &format!("scale {scale}"));
        close("stiffness", found.springs[0].stiffness.value, 600.0 * scale, 0.1);
    }
}

#[test]
fn what_comes_out_negative_is_zero_and_the_rest_is_fitted_again() {
    let model = arm([RIGID, "", ""], 1.0);
    let [stiffness, damping, inertia, viscous, coulomb, constant] = USUAL;
    let cases = [
        [stiffness, -6.0, inertia, viscous, coulomb, constant],
        [stiffness, damping, -0.6, viscous, coulomb, constant],
        [stiffness, damping, inertia, -3.0, coulomb, constant],
        [stiffness, damping, inertia, viscous, -2.0, constant],
        [stiffness, -6.0, inertia, viscous, -2.0, constant],
        [stiffness, damping, -0.6, -3.0, coulomb, -constant],
        [stiffness, -6.0, -0.6, viscous, coulomb, constant],
        [stiffness, -6.0, -0.6, -2.0, -1.0, constant],
        [stiffness, damping, inertia, 0.0, 0.0, constant],
        [stiffness, 0.0, inertia, 0.3, -0.3, constant],
        [stiffness, 0.0, inertia, -0.3, 0.3, constant],
        [stiffness, 0.0, 0.0, 0.0, 0.0, constant],
    ];
    for (at, numbers) in cases.into_iter().enumerate() {
        let course = Course { numbers: vec![(0, numbers)], ..course(450, 50.0, &[]) };
        let log = log(&model, &course, 8 + at as u64);
        let (_, free) = are_fits(&model, &log, [10.0, 0.0], 1, &format!("case {at}"));
        for k in (1..5).filter(|&k| numbers[k] <= -0.6) {
            assert!(!free[0].contains(&k) || at > 3, "case {at}: {k} is free");
        }
        assert!(free[0].contains(&0) && free[0].contains(&5) && free[0].contains(&6));
    }
}

fn unshown(joint: &str) -> IdentifyError {
    IdentifyError::TooLittleMotion {
        parameters: ["stiffness", "damping", "rotor inertia"].map(|what| format!("{what} of `{joint}`")).to_vec(),
        detail: "motor and link move alike, or not enough".to_owned(),
    }
}

#[test]
fn springs_that_push_the_wrong_way_or_motors_that_rest_are_not_shown() {
    let model = arm(["", "", ""], 1.0);
    // Motors on the other side of their links, by both equations.
    let good = log(&model, &course(450, 50.0, &[1]), 9);
    let name = model.velocities()[1].to_string();
    assert!(springs(&model, &good, Some(10.0), 0.0, 1).is_ok());
    let table = |theta: &dyn Fn(f64) -> f64, torque: &dyn Fn(f64) -> f64| {
        let times: Vec<f64> = (0..450).map(|i| f64::from(i) / 50.0).collect();
        let mut columns = vec![("t".to_owned(), times.clone())];
        for j in 0..3 {
            let q = times.iter().map(|t| position(j, *t)).collect();
            columns.push((format!("q{}", j + 1), q));
            columns.push((format!("tau{}", j + 1), times.iter().map(|t| torque(*t)).collect()));
        }
        columns.push(("theta2".to_owned(), times.iter().map(|t| theta(*t)).collect()));
        read_rotors_table(&Table::new(columns).unwrap(), &model, None).unwrap()
    };
    let bend = |t: f64| 0.01 * (3.0 * t).sin() + 0.004 * (7.1 * t).cos();
    let against = table(&|t| position(1, t) + bend(t), &|t| -500.0 * bend(t));
    assert_eq!(springs(&model, &against, Some(10.0), 0.0, 1).unwrap_err(), unshown(&name));
    let along = table(&|t| position(1, t) + bend(t), &|t| 500.0 * bend(t));
    assert!(springs(&model, &along, Some(10.0), 0.0, 1).is_ok());
    // A motor that rests has no speed.
    let resting = table(&|_| 0.0, &|t| bend(t));
    assert_eq!(springs(&model, &resting, Some(10.0), 0.0, 1).unwrap_err(), unshown(&name));
    // One that follows its link is no spring.
    let following = table(&|t| position(1, t), &|t| bend(t));
    assert_eq!(springs(&model, &following, Some(10.0), 0.0, 1).unwrap_err(), unshown(&name));
}

/// Seven unknowns, and one sample more.
#[test]
fn springs_need_eight_samples() {
    let model = arm(["", "", ""], 1.0);
    let log = log(&model, &Course { torque_noise: [1e-4, 0.0], ..course(200, 100.0, &[0]) }, 10);
    // Rows 10 to 189 are samples: multiples of 25 among them are seven, of 22 eight.
    let few = springs(&model, &log, Some(10.0), 0.0, 25).unwrap_err();
    assert_eq!(few, IdentifyError::TooFew { samples: 7, needed: 8 });
    for (decimate, samples) in [(22, 8), (20, 9)] {
        assert_eq!(springs(&model, &log, Some(10.0), 0.0, decimate).unwrap().samples, samples);
    }
}

/// The mean over joints of the logarithm of what the equation of the motor leaves.
fn criterion(model: &Model<f64>, log: &RotorLog, cutoff: f64) -> f64 {
    let all = rows(model, log, [cutoff, 0.0], 1);
    let left = |rows: &Rows| {
        let free = [0, 1, 2, 3, 4, 5];
        let weighted: Vec<_> = rows.motor.iter().map(|row| (row, 1.0)).collect();
        let (x, _) = fit(&weighted, &free);
        let residual = |row: &[f64; 8]| row[7] - free.iter().map(|&k| row[k] * x[k]).sum::<f64>();
        0.5 * mean_square(rows.motor.iter().map(residual)).ln()
    };
    all.iter().map(left).sum::<f64>() / all.len() as f64
}

#[test]
fn the_cut_off_is_the_one_with_which_motors_are_met_best() {
    let model = arm([RIGID, "", ""], 1.0);
    let mut chosen = Vec::new();
    // Noise of positions asks for a low one, motion for a high one.
    for (noise, torque_noise, seed) in [(0.0, 0.0, 1), (3e-4, 0.02, 2), (1e-4, 0.3, 3), (2e-5, 1.0, 4)] {
        let course = Course {
            position_noise: noise,
            torque_noise: [torque_noise, 0.0],
            ..course(600, 100.0, if seed == 2 { &[0, 2] } else { &[0] })
        };
        let log = log(&model, &course, seed);
        // Up to 0.35 of the rate.
        let tried = [2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 35.0];
        let values = tried.map(|cutoff| criterion(&model, &log, cutoff));
        let best = (0..7).min_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap();
        let found = springs(&model, &log, None, 0.0, 1).unwrap();
        assert_eq!(found.cutoff, tried[best], "{values:?}");
        assert_eq!((found.chosen, found.limited), (true, best == 6));
        assert_eq!(found.springs, springs(&model, &log, Some(tried[best]), 0.0, 1).unwrap().springs);
        chosen.push(found.cutoff);
    }
    assert!(chosen[0] > 12.0 && chosen[1] < 20.0 && chosen[3] > 2.0, "{chosen:?}");
    // Where the rate allows none of them it is 0.35 of the rate.
    let slow = Course { rate: 4.0, rows: 400, ..course(0, 1.0, &[0]) };
    let found = springs(&model, &log(&model, &slow, 5), None, 0.0, 1).unwrap();
    close("cut-off", found.cutoff, 1.4, 1e-9);
    assert!(found.limited && found.chosen);
}

#[test]
fn no_torque_is_met_without_anything_left() {
    assert_eq!(SideFit { torque: 0.0, residual: 0.0 }.relative(), 0.0);
    assert_eq!(SideFit { torque: 4.0, residual: 1.0 }.relative(), 0.25);
    assert_eq!(SideFit { torque: 0.5, residual: 0.25 }.relative(), 0.5);
}

fn told(dof: usize, first: f64) -> FoundSpring {
    let [stiffness, damping, inertia, viscous, coulomb] =
        [0.0, 1.0, 2.0, 3.0, 4.0].map(|more| Measured { value: first + more, deviation: 0.1 });
    let side = SideFit::default();
    FoundSpring {
        dof,
        stiffness,
        by_motor: None,
        by_link: None,
        damping,
        inertia,
        viscous,
        coulomb,
        deflection: 0.0,
        motor: side,
        link: side,
    }
}

#[test]
fn a_robot_with_springs_has_them_at_their_joints_with_rotors_on_the_side_of_the_motor() {
    let model = arm([RIGID, RIGID, ""], 1.0);
    let springs = vec![told(1, 10.0), told(2, 100.0)];
    let found = Springs { springs, cutoff: 10.0, chosen: false, limited: false, samples: 9 };
    let description = sprung_robot(&model, &found);
    let before = model.description().clone().without_locations();
    for (link, (now, before)) in model.links().iter().zip(description.links.iter().zip(&before.links)) {
        let expected = match link.name.as_str() {
            "b" => Some((10.0, 40.0)),
            // Without a motor in the file there is no gear.
            "c" => Some((100.0, 1.0)),
            _ => None,
        };
        let Some((first, ratio)) = expected else {
            assert_eq!(now.motor, before.motor, "{}", link.name);
            continue;
        };
        let motor = now.motor.unwrap();
        assert_eq!((motor.stiffness.unwrap().value, motor.damping.value), (first, first + 1.0));
        close("rotor", motor.inertia.value, (first + 2.0) / (ratio * ratio), 1e-12);
        assert_eq!((motor.rotor_viscous.value, motor.rotor_coulomb.value), (first + 3.0, first + 4.0));
        // What the file said of a rigid joint is the rotor's now.
        assert_eq!((motor.viscous.value, motor.coulomb.value, motor.ratio.value), (0.0, 0.0, ratio));
    }
    assert!(Model::from_description(&description).is_ok());
}

/// Joints of two numbers, and one that follows another.
#[test]
fn joints_of_several_numbers_have_no_spring_and_followers_are_passed_over() {
    let text = |joint: &str| {
        let body =
            "mass = 1.0\ncom = [0.1, 0.02, 0]\ninertia = [0.01, 0, 0, 0.01, 0, 0.01]\norigin = { xyz = [0.2, 0, 0] }";
        let one = "type = \"continuous\", axis = [0, 0, 1]";
        format!(
            "name = \"arm\"\ngravity = [0, -9.81, 0]\n[[link]]\nname = \"a\"\nparent = \"base\"\n{body}\njoint = {{ name = \"first\", {one} }}\n\
             [[link]]\nname = \"b\"\nparent = \"a\"\n{body}\njoint = {{ name = \"second\", {joint} }}\n\
             [[link]]\nname = \"c\"\nparent = \"b\"\n{body}\njoint = {{ name = \"third\", {one} }}\n"
        )
    };
    let several = "type = \"composite\", sequence = [{ type = \"revolute\", axis = [0, 0, 1] }, { type = \"revolute\", axis = [0, 1, 0] }]";
    let model = robot(&text(several));
    assert_eq!(model.nv(), 4);
    for dof in 0..4 {
        let found = springs(&model, &log(&model, &course(100, 50.0, &[dof]), 11), Some(10.0), 0.0, 1);
        if dof == 1 || dof == 2 {
            let message = "joint `second` has several degrees of freedom and cannot have a spring".to_owned();
            assert_eq!(found.unwrap_err(), IdentifyError::Robot { message });
        } else {
            assert_eq!(found.unwrap().springs.len(), 1);
        }
    }
    // The follower stands where the third joint has its number.
    let follower = "type = \"continuous\", axis = [0, 0, 1], mimic = { joint = \"first\", multiplier = -0.5 }";
    let model = robot(&text(follower));
    assert_eq!((model.nv(), model.links()[1].v, model.links()[2].v), (2, 1, 1));
    let log = log(&model, &course(450, 50.0, &[1]), 12);
    let (found, _) = are_fits(&model, &log, [10.0, 0.0], 1, "beside a follower");
    let description = sprung_robot(&model, &found);
    let stiffness = |link: usize| description.links[link].motor.and_then(|motor| motor.stiffness).map(|it| it.value);
    assert_eq!([0, 1, 2].map(stiffness), [None, None, Some(found.springs[0].stiffness.value)]);
}

/// Damping and friction of the rotor are both negative, friction by more deviations: it goes first. Without it damping is
/// positive, as it takes up part of it.
#[test]
fn what_is_most_negative_in_deviations_goes_first() {
    let model = arm([RIGID, "", ""], 1.0);
    // A robot file that is wrong, so that motors tell more than links.
    let mut wrong = model.description().clone();
    wrong.links[3].com[1] = 0.3.into();
    let wrong = Model::from_description(&wrong).unwrap();
    for (damping, viscous) in [(-0.5, -1.0), (-1.0, -1.0), (-0.5, -3.0), (-1.0, -3.0), (-2.0, -3.0)] {
        let numbers = [USUAL[0], damping, USUAL[2], viscous, USUAL[4], USUAL[5]];
        let course = Course { numbers: vec![(0, numbers)], ..course(450, 50.0, &[]) };
        let name = format!("damping {damping}, friction {viscous}");
        let (found, free) = are_fits(&wrong, &log(&model, &course, 40), [10.0, 0.0], 1, &name);
        assert_eq!((free[0].contains(&1), free[0].contains(&3)), (true, false), "{name}");
        assert!(found.springs[0].damping.value > 0.0);
    }
}
