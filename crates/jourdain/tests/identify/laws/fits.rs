//! Estimates beside dense fits of their rows: what is essential, what a motion does not show, units and warnings.

use super::by_samples::{Rows, alike_by, close, least_squares, squares};
use crate::logs::{Random, Run, with_friction};
use jourdain::dynamics::recursive;
use jourdain::identify::{
    Accumulator, Drives, Estimate, Factors, IdentifyError, Individual, Member, Problem, Sample, Triangle, essential,
    pooled, shown, solve,
};
use jourdain::{Model, robots};
use nalgebra::DMatrix;

const RIGID: Drives = Drives { armature: false, viscous: false, coulomb: false };

fn arm() -> (Model<f64>, Problem) {
    (with_friction("planar2r"), Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap())
}

fn times(count: usize, step: f64) -> Vec<f64> {
    (0..count).map(|i| step * i as f64).collect()
}

/// Rows and factors of a motion, of which `change` may alter the state first and then the torques that a model has in it.
fn log(
    problem: &Problem,
    model: &Model<f64>,
    times: &[f64],
    mut state: impl FnMut(usize, &mut [Vec<f64>; 3]),
    mut torques: impl FnMut(usize, &mut [f64]),
) -> (Rows, Factors) {
    let (mut run, mut accumulator) = (Run::new(model, 0.8), Accumulator::new(problem));
    let mut joints = vec![Vec::new(); model.nv()];
    for (i, &t) in times.iter().enumerate() {
        run.at(t);
        let mut all = [run.q.clone(), run.qd.clone(), run.qdd.clone()];
        state(i, &mut all);
        let [q, qd, qdd] = &all;
        let mut tau = recursive::inverse_dynamics(model, q, qd, qdd, &[]);
        torques(i, &mut tau);
        let regressor = recursive::regressor(problem.model(), q, qd, qdd);
        for (j, rows) in joints.iter_mut().enumerate() {
            let known: f64 = problem.known().iter().map(|&(column, x)| regressor[(j, column)] * x).sum();
            let row = (0..problem.count()).map(|i| regressor[(j, problem.column(i))]).collect();
            rows.push((t, row, tau[j] - known));
        }
        accumulator.add(&Sample { t, q, qd, qdd, tau: &tau, z: &[] });
    }
    (Rows { unknowns: problem.count(), joints }, accumulator.finish())
}

fn as_it_is(_: usize, _: &mut [Vec<f64>; 3]) {}

/// White errors of these sizes.
fn errors(sizes: [f64; 2], seed: u64) -> impl FnMut(usize, &mut [f64]) {
    let mut random = Random(seed);
    move |_, tau| tau.iter_mut().zip(sizes).for_each(|(tau, size)| *tau += size * random.normal())
}

/// Leaves out the least known unknown and fits the others anew, until all can be told from zero.
fn told_by_refits(rows: &Rows, fit: &Estimate) -> Vec<usize> {
    let noise: Vec<f64> = fit.joints.iter().map(|joint| joint.noise).collect();
    let (a, b) = rows.weighted(&noise, |_| true);
    let (_, covariance) = least_squares(&a, &b);
    let widening: Vec<f64> = (0..a.ncols()).map(|k| (fit.deviations[k] / covariance[(k, k)].sqrt()).max(1.0)).collect();
    let mut kept: Vec<usize> = (0..a.ncols()).collect();
    while kept.len() > 1 {
        let (values, covariance) = least_squares(&a.select_columns(&kept), &b);
        let distance = |at: usize| values[at].abs() / (widening[kept[at]] * covariance[(at, at)].sqrt());
        let least = (0..kept.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap();
        if distance(least) >= 2.0 {
            break;
        }
        kept.remove(least);
    }
    kept
}

#[test]
fn essential_unknowns_are_those_that_refits_without_the_least_known_leave() {
    let (model, problem) = arm();
    let mut left = 0;
    for (size, seed) in [(3.0, 1), (10.0, 2), (10.0, 3), (30.0, 4), (30.0, 5), (100.0, 6)] {
        let (rows, factors) = log(&problem, &model, &times(120, 0.2), as_it_is, errors([size, 0.3 * size], seed));
        let kept = told_by_refits(&rows, &solve(&problem, &factors).unwrap());
        assert_eq!(essential(&problem, &factors).unwrap().kept, kept, "errors {size}, seed {seed}");
        left += problem.count() - kept.len();
    }
    assert!(left > 20, "{left}");
}

/// However small: noise is what the fit leaves over the rows less what the joint pays of the unknowns.
#[test]
fn weights_settle_whatever_the_size_of_the_errors() {
    let (model, problem) = arm();
    for size in [1e-5, 1e-3, 3.0] {
        let errors = |seed: u64| errors([size, 3.0 * size], seed);
        let (rows, factors) = log(&problem, &model, &times(30, 0.5), as_it_is, errors(2));
        let found = solve(&problem, &factors).unwrap();
        let noise: Vec<f64> = found.joints.iter().map(|joint| joint.noise).collect();
        let (a, b) = rows.weighted(&noise, |_| true);
        let (_, covariance) = least_squares(&a, &b);
        for (j, noise) in noise.iter().enumerate() {
            let left = squares(&rows.residuals(j, &found.values));
            let own = DMatrix::from_fn(30, rows.unknowns, |i, k| rows.joints[j][i].1[k]);
            let paid = (&own * &covariance * own.transpose()).trace() / (noise * noise);
            close("noise", *noise, (left / (30.0 - paid)).sqrt(), 1e-6);
        }
        // The same of two robots, which share the unknowns evenly among joints.
        let (more, other) = log(&problem, &model, &times(25, 0.6), as_it_is, errors(3));
        let members = [&factors, &other].map(|factors| Member::new(String::new(), &problem, factors));
        let found = pooled(&problem, &members, &Individual::none(&problem)).unwrap();
        let (mut a, mut b) = (DMatrix::zeros(0, rows.unknowns), Vec::new());
        for (rows, member) in [&rows, &more].into_iter().zip(&members) {
            let weights = found.joints[0].iter().zip(&member.alike).map(|(joint, alike)| joint.noise * alike.sqrt());
            let (own, right) = rows.weighted(&weights.collect::<Vec<_>>(), |_| true);
            let above = a.nrows();
            a = a.insert_rows(above, own.nrows(), 0.0);
            a.rows_mut(above, own.nrows()).copy_from(&own);
            b.extend(right.iter().copied());
        }
        let (values, covariance) = least_squares(&a, &b.into());
        for k in 0..rows.unknowns {
            let off = (found.values[0][k] - values[k]).abs() / covariance[(k, k)].sqrt();
            assert!(off < 1e-5, "errors {size}: {} is off by {off} deviations", problem.names()[k]);
        }
        for j in 0..2 {
            let left: f64 = [&rows, &more].iter().map(|rows| squares(&rows.residuals(j, &found.values[0]))).sum();
            let freedom = 55.0 - 0.5 * rows.unknowns as f64;
            close("noise of both", found.joints[0][j].noise, (left / freedom).sqrt(), 1e-6);
        }
    }
}

#[test]
fn an_exact_log_has_the_least_noise_and_one_without_torques_the_parameters_zero() {
    let (model, problem) = arm();
    let (rows, factors) = log(&problem, &model, &times(60, 0.3), as_it_is, |_, _| ());
    let found = solve(&problem, &factors).unwrap();
    let mean = |j: usize| rows.joints[j].iter().map(|(_, _, tau)| tau * tau / 60.0).sum::<f64>().sqrt();
    for joint in &found.joints {
        close("least noise", joint.noise, 1e-10 * mean(0).max(mean(1)), 1e-9);
    }
    assert!(mean(0) > 5.0, "{}", mean(0));
    let (_, factors) = log(&problem, &model, &times(60, 0.3), as_it_is, |_, tau| tau.fill(0.0));
    let found = solve(&problem, &factors).unwrap();
    assert!(found.values.iter().all(|value| value.abs() < 1e-12), "{:?}", found.values);
    assert!(found.joints.iter().all(|joint| joint.noise == 1.0 && joint.relative() == 0.0));
}

#[test]
fn as_many_samples_are_needed_as_the_widest_triangle_has_columns_and_one_more() {
    let (model, problem) = arm();
    let widest = (0..2).map(|j| problem.felt(j).len() + 1).max().unwrap();
    let of = |count: usize| log(&problem, &model, &times(count, 0.4), as_it_is, errors([0.1; 2], 4)).1;
    let few = |samples: usize, needed: usize| IdentifyError::TooFew { samples: samples as u64, needed: needed as u64 };
    for samples in [0, 1, widest] {
        assert_eq!(solve(&problem, &of(samples)).unwrap_err(), few(samples, widest + 1));
    }
    for samples in [widest + 1, widest + 2] {
        assert_eq!(solve(&problem, &of(samples)).unwrap().samples, samples as u64);
    }
    // Of a fleet all samples together, for all unknowns.
    let (none, needed) = (Individual::none(&problem), problem.count() + 1);
    let fleet = |counts: &[usize]| {
        let members: Vec<Member> = counts.iter().map(|&k| Member::new(String::new(), &problem, &of(k))).collect();
        pooled(&problem, &members, &none).map(|found| found.samples)
    };
    assert_eq!(fleet(&[]), Err(few(0, needed)));
    assert_eq!(fleet(&[5, needed - 6]), Err(few(needed - 1, needed)));
    for more in [0, 1] {
        assert!(!matches!(fleet(&[5, needed - 5 + more]), Err(IdentifyError::TooFew { .. })));
    }
}

/// At one speed, forth and back, viscous and Coulomb friction are the same: of both joints, of one, at a crawl.
#[test]
fn what_a_motion_cannot_tell_apart_is_named_and_one_of_each_is_shown() {
    let (model, problem) = arm();
    let sign = |i: usize| if i.is_multiple_of(3) { -1.0 } else { 1.0 };
    let known = |factors: &Factors| match solve(&problem, factors) {
        Err(IdentifyError::TooLittleMotion { parameters, detail }) => (parameters, detail),
        other => panic!("{other:?}"),
    };
    let both = |i: usize, [_, qd, _]: &mut [Vec<f64>; 3]| *qd = vec![0.7 * sign(i), 0.4 * sign(i / 2)];
    let (_, factors) = log(&problem, &model, &times(80, 0.3), both, errors([0.1; 2], 5));
    let (mut names, detail) = known(&factors);
    names.sort_unstable();
    assert_eq!(names, ["Fc1", "Fc2", "Fv1", "Fv2"]);
    assert_eq!(detail, "no joint stands still, but the motion is too uniform");
    let told = shown(&problem, &factors);
    for (name, told) in problem.names().iter().zip(&told).filter(|(name, _)| !name.starts_with('F')) {
        assert!(told, "{name}");
    }
    for joint in ["1", "2"] {
        let pair = problem.names().iter().zip(&told).filter(|(name, _)| name.starts_with('F') && name.ends_with(joint));
        assert_eq!(pair.filter(|(_, told)| **told).count(), 1, "joint {joint}: {told:?}");
    }
    let one = |i: usize, [_, qd, _]: &mut [Vec<f64>; 3]| qd[1] = 0.4 * sign(i);
    let (_, factors) = log(&problem, &model, &times(80, 0.3), one, errors([0.1; 2], 6));
    let (mut names, _) = known(&factors);
    names.sort_unstable();
    assert_eq!(names, ["Fc2", "Fv2"]);
    let crawling = |i: usize, [q, qd, _]: &mut [Vec<f64>; 3]| {
        (q[1], qd[1]) = (0.5 + 1e-3 * sign(i), 5e-3 * sign(i));
    };
    let (_, factors) = log(&problem, &model, &times(80, 0.3), crawling, errors([0.1; 2], 7));
    let (_, detail) = known(&factors);
    let joint = &problem.joints()[1];
    assert_eq!(detail, format!("joint `{joint}` moves by 2.00e-3 at no more than 5.00e-3 per second"));
    // A fleet has to show what it shares, and every robot what it has for itself.
    let (_, good) = log(&problem, &model, &times(80, 0.3), as_it_is, |_, _| ());
    let (_, exact) = log(&problem, &model, &times(80, 0.3), one, |_, _| ());
    let members =
        [("good", &good), ("still", &exact)].map(|(name, factors)| Member::new(name.to_owned(), &problem, factors));
    let none = Individual::none(&problem);
    assert!(pooled(&problem, &members, &none).is_ok());
    match pooled(&problem, &members, &none.clone().with_friction(&problem)) {
        Err(IdentifyError::TooLittleMotion { parameters, detail }) => {
            assert!(matches!(&parameters[..], [name] if name == "Fv2" || name == "Fc2"), "{parameters:?}");
            assert_eq!(detail, "robot `still` alone has to show them");
        }
        other => panic!("{other:?}"),
    }
    let (_, two) = log(&problem, &model, &times(2, 0.3), as_it_is, |_, _| ());
    let short = [members[0].clone(), Member::new("short".to_owned(), &problem, &two)];
    match pooled(&problem, &short, &none.clone().with_friction(&problem).with_payload(&problem, 1).unwrap()) {
        Err(IdentifyError::TooLittleMotion { parameters, detail }) => {
            // Four torques, two joints at two times, show four numbers of eight.
            assert_eq!(parameters.len(), 4, "{parameters:?}");
            assert_eq!(detail, "robot `short` alone has to show them");
        }
        other => panic!("{other:?}"),
    }
    match pooled(&problem, &members[1..], &none) {
        Err(IdentifyError::TooLittleMotion { parameters, .. }) => {
            assert_eq!(parameters.len(), 2, "{parameters:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// The warnings in words, from the numbers beside them.
#[test]
fn warnings_name_joints_that_are_not_explained_and_what_a_poor_motion_shows_least() {
    let (model, problem) = arm();
    let (_, factors) = log(&problem, &model, &times(200, 0.1), as_it_is, errors([0.1; 2], 9));
    let found = solve(&problem, &factors).unwrap();
    assert!(found.warnings.is_empty() && found.condition < 100.0, "{:?}", found.warnings);
    let (_, factors) = log(&problem, &model, &times(200, 0.1), as_it_is, errors([0.1, 6.0], 9));
    let found = solve(&problem, &factors).unwrap();
    let percent = 100.0 * found.joints[1].relative();
    assert!((55.0..95.0).contains(&percent) && found.joints[0].relative() < 0.1, "{percent}");
    let joint = &problem.joints()[1];
    assert_eq!(
        found.warnings,
        [format!(
            "the model leaves {percent:.0} % of the torque of joint `{joint}` unexplained: wrong column, sign or units?"
        )]
    );
    // Hardly any motion, and the second joint at one speed but for a hundredth.
    let little = |i: usize, state: &mut [Vec<f64>; 3]| {
        state[0].iter_mut().for_each(|q| *q = 0.3 + 0.05 * (*q - 0.3));
        state[1..].iter_mut().flatten().for_each(|x| *x *= 0.05);
        state[1][1] = if i.is_multiple_of(3) { 0.4 } else { -0.4 } * (1.0 + 0.1 * state[1][1]);
    };
    let (_, factors) = log(&problem, &model, &times(200, 0.1), little, errors([1.0, 0.5], 10));
    let found = solve(&problem, &factors).unwrap();
    let ratio = |k: &usize| found.deviations[*k] / found.values[*k].abs();
    let mut worst: Vec<usize> = (0..problem.count()).filter(|k| ratio(k) > 1.0).collect();
    worst.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    assert!(worst.len() > 3 && worst.len() < problem.count(), "{worst:?}");
    let names: Vec<&str> = worst.iter().take(8).map(|&k| problem.names()[k].as_str()).collect();
    let condition = found.condition;
    assert!(condition > 100.0);
    let expected = format!(
        "the motion shows the parameters poorly: condition number {condition:.0}; least known are {}",
        names.join(", ")
    );
    assert_eq!(found.warnings[0], expected);
}

/// Inertias are as often negative as positive, but not by many deviations.
#[test]
fn errors_alone_are_no_torques_of_the_wrong_sign() {
    let (model, problem) = arm();
    for seed in 1..=10 {
        let mut random = Random(seed);
        let (_, factors) = log(&problem, &model, &times(60, 0.3), as_it_is, |_, tau| {
            tau.iter_mut().for_each(|tau| *tau = random.normal());
        });
        assert!(solve(&problem, &factors).is_ok(), "seed {seed}");
    }
}

/// How many samples count as one depends neither on columns that are zero nor on units.
#[test]
fn samples_that_go_together_are_seen_in_columns_of_any_size() {
    let smooth = Problem::new(&robots::load("planar2r").unwrap(), Drives { coulomb: false, ..Drives::default() });
    let (model, all, smooth) = (with_friction("planar2r"), arm().1, smooth.unwrap());
    let lasting = |size: f64| {
        let (mut random, mut last) = (Random(3), [0.0; 2]);
        move |_: usize, tau: &mut [f64]| {
            for (tau, last) in tau.iter_mut().zip(&mut last) {
                *last = 0.9 * *last + size * random.normal();
                *tau += *last;
            }
        }
    };
    let check = |what: &str, problem: &Problem, (rows, factors): (Rows, Factors), joint: usize, columns: &[usize]| {
        let member = Member::new(String::new(), problem, &factors);
        let freedom = factors.samples as usize - problem.felt(joint).len();
        close(what, member.alike[joint], alike_by(&rows, joint, columns, freedom), 1e-6);
        assert!(member.alike[joint] > 1.5, "{what}: {}", member.alike[joint]);
    };
    let times = times(240, 0.1);
    let still = |_: usize, [_, qd, _]: &mut [Vec<f64>; 3]| qd[1] = 0.0;
    let inertial: Vec<usize> = all.felt(1).iter().copied().filter(|&k| !all.names()[k].starts_with('F')).collect();
    check("zero columns", &all, log(&all, &model, &times, still, lasting(0.4)), 1, &inertial);
    let slow = |_: usize, [_, qd, _]: &mut [Vec<f64>; 3]| qd[1] *= 1e-6;
    check("a small column", &smooth, log(&smooth, &model, &times, slow, lasting(0.4)), 1, smooth.felt(1));
    // Without weight and a thousand times slower all columns are a million times smaller.
    let mut description = robots::load("planar2r").unwrap().description().clone();
    description.gravity = [0.0; 3].map(Into::into);
    let floating = Model::from_description(&description).unwrap();
    let problem = Problem::new(&floating, RIGID).unwrap();
    for slow in [1.0, 1e-3] {
        let state = |_: usize, [_, qd, qdd]: &mut [Vec<f64>; 3]| {
            qd.iter_mut().for_each(|x| *x *= slow);
            qdd.iter_mut().for_each(|x| *x *= slow * slow);
        };
        let log = log(&problem, &floating, &times, state, lasting(0.4 * slow * slow));
        check("all columns small", &problem, log, 0, problem.felt(0));
    }
}

/// RᵀR is the sum of all rows' squares to rounding, however different their sizes: the sign of a reflection is the one that does not cancel.
#[test]
fn small_rows_below_large_ones_are_not_lost() {
    let mut random = Random(12);
    let mut packed = |scale: f64| -> Vec<f64> { (0..6).map(|_| scale * (0.5 + random.uniform())).collect() };
    for scales in [[1.0, 1e-5, 1e-7], [1.0, 1e-9, 1e-9], [1e-6, 1.0, 1e-8]] {
        // Large in the first column, and of size one in the others.
        let parts = scales.map(|scale| {
            let mut numbers = packed(1.0);
            numbers[0] *= scale;
            numbers[3] *= scale;
            numbers
        });
        let mut triangle = Triangle::new(3);
        let mut exact = DMatrix::<f64>::zeros(3, 3);
        for part in &parts {
            let own = Triangle::from_packed(3, part).unwrap();
            let r = DMatrix::from_fn(3, 3, |i, k| own.matrix()[(i, k)]);
            exact += r.transpose() * r;
            triangle.merge(&own);
            let r = DMatrix::from_fn(3, 3, |i, k| triangle.matrix()[(i, k)]);
            let found = r.transpose() * &r;
            for (i, k) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
                let size = (exact[(i, i)] * exact[(k, k)]).sqrt();
                assert!((found[(i, k)] - exact[(i, k)]).abs() < 1e-14 * size, "{scales:?}, {i} {k}: {found} {exact}");
            }
        }
    }
}

/// A robot whose second joint has other limits.
fn limited(position: [f64; 2], velocity: f64) -> (Model<f64>, Problem) {
    let mut description = with_friction("planar2r").description().clone();
    let joint = &mut description.links[1].joint;
    (joint.limits, joint.velocity) = (Some(position.map(Into::into)), Some(velocity.into()));
    let model = Model::from_description(&description).unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    (model, problem)
}

#[test]
fn positions_and_speeds_far_beyond_their_limits_are_in_other_units() {
    // What one sample of the second joint makes of it.
    let told = |(model, problem): (Model<f64>, Problem), q: f64, qd: f64| {
        let state = |i: usize, all: &mut [Vec<f64>; 3]| {
            // From 1 to 3, and once outside.
            (all[0][1], all[1][1]) = (2.0 + (i as f64 * std::f64::consts::FRAC_PI_2).sin(), 0.1 * all[1][1]);
            if i == 40 {
                (all[0][1], all[1][1]) = (q, qd);
            }
        };
        let (_, factors) = log(&problem, &model, &times(80, 0.3), state, errors([0.01; 2], 11));
        match solve(&problem, &factors) {
            Err(IdentifyError::Units { what, joint, evidence }) => {
                assert_eq!(joint, problem.joints()[1]);
                Some((what, evidence))
            }
            other => {
                assert!(other.is_ok(), "{other:?}");
                None
            }
        }
    };
    let position = |q: f64| told(limited([1.0, 3.0], 10.0), q, 0.1);
    let text = |text: &str| Some(("positions", text.to_owned()));
    assert_eq!((position(12.9), position(-8.9)), (None, None));
    let above = "they go from 1.000000 to 13.100000, 6 times the range of the joint, [1, 3]";
    let below = "they go from -9.100000 to 3.000000, 6 times the range of the joint, [1, 3]";
    assert_eq!((position(13.1), position(-9.1)), (text(above), text(below)));
    let speed = |qd: f64| told(limited([1.0, 3.0], 0.5), 2.0, qd);
    assert_eq!((speed(24.9), speed(-24.9)), (None, None));
    let fast = "they reach 25.400000, 51 times the limit of the joint, 0.5".to_owned();
    assert_eq!((speed(25.4), speed(-25.4)), (Some(("velocities", fast.clone())), Some(("velocities", fast))));
    // Limits that leave no range, and a speed of zero, are none.
    assert_eq!(told(limited([0.5, 0.5], 0.0), 2.0, 3.0), None);
}

/// Over the noise of joints fitted alone, squared: what each joint leaves when all are fitted with these weights.
fn misfits(rows: &Rows, problem: &Problem) -> Vec<f64> {
    let own = |j: usize| {
        let (felt, own) = (problem.felt(j), &rows.joints[j]);
        let a = DMatrix::from_fn(own.len(), felt.len(), |i, k| own[i].1[felt[k]]);
        let b = nalgebra::DVector::from_fn(own.len(), |i, _| own[i].2);
        let (x, _) = least_squares(&a, &b);
        ((a * x - b).norm_squared() / (own.len() - felt.len()) as f64).sqrt()
    };
    let noise: Vec<f64> = (0..rows.joints.len()).map(own).collect();
    let (a, b) = rows.weighted(&noise, |_| true);
    let (values, _) = least_squares(&a, &b);
    let left = |j: usize| squares(&rows.residuals(j, values.as_slice())) / (noise[j] * noise[j]);
    (0..noise.len()).map(left).collect()
}

#[test]
fn joints_that_do_not_agree_are_told_by_how_much_worse_they_are_met_together() {
    let (model, problem) = arm();
    let (mut below, mut above) = (0, [0; 2]);
    for (factor, sizes) in [
        (1.0, [0.1, 0.1]),
        (1.02, [0.1, 0.1]),
        (1.05, [0.1, 0.1]),
        (1.1, [0.1, 0.1]),
        (1.2, [0.1, 0.1]),
        (1.7, [0.1, 0.1]),
        (1.7, [0.1, 0.02]),
        (1.7, [0.02, 0.1]),
        (0.5, [0.03, 0.3]),
        (6.0, [0.1, 0.1]),
    ] {
        let mut errors = errors(sizes, 13);
        let (rows, factors) = log(&problem, &model, &times(120, 0.2), as_it_is, |i, tau| {
            errors(i, tau);
            tau[1] *= factor;
        });
        let found = solve(&problem, &factors).unwrap();
        let told = found.warnings.iter().find(|warning| warning.contains("do not agree"));
        let misfits = misfits(&rows, &problem);
        if misfits.iter().all(|misfit| *misfit < 25.0 * 120.0) {
            below += usize::from(misfits.iter().any(|misfit| *misfit > 4.0 * 120.0));
            assert!(told.is_none(), "{factor}: {told:?}");
            continue;
        }
        let worst = usize::from(misfits[1] > misfits[0]);
        above[worst] += 1;
        let times = (misfits[worst] / 120.0).sqrt();
        let joint = &problem.joints()[worst];
        let expected = format!(
            "the joints do not agree: joint `{joint}` is met {times:.0} times worse together with the others than alone; \
             gear ratios, torque constants or geometry may be wrong"
        );
        assert_eq!(told, Some(&expected), "{factor}");
    }
    assert!(below > 0 && above[0] > 0 && above[1] > 0, "{below} {above:?}");
}

/// Torques of one joint in other units, or with the other sign.
#[test]
fn a_factor_with_which_a_joint_agrees_again_is_told() {
    let (model, problem) = arm();
    for (factor, back) in [(1e3, "0.001 (milli"), (1e-3, "1000 (kilo"), (-1.0, "-1 (the other sign)")] {
        for joint in 0..2 {
            let mut errors = errors([0.02, 0.02], 14);
            let (_, factors) = log(&problem, &model, &times(120, 0.2), as_it_is, |i, tau| {
                errors(i, tau);
                tau[joint] *= factor;
            });
            match solve(&problem, &factors) {
                Err(IdentifyError::Units { what: "torques", joint: told, evidence }) => {
                    assert_eq!(told, problem.joints()[joint]);
                    assert!(evidence.contains(&format!("when multiplied by {back}")), "{evidence}");
                }
                other => panic!("{factor} at {joint}: {other:?}"),
            }
        }
    }
}
