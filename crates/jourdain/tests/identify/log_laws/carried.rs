//! What a robot carries and what its drives give, beside fits of all rows at once: the prior of a body, its numbers, their deviations by
//! curvature and by leaving stretches out, and gains as regressions of currents.

use super::dense::{
    Known, Log, Prior, close, errors, felt, inverse, mean_square, moving, off_weights, record, stretch, times,
};
use super::estimates::{ALL, FRICTION, LINKS, file, links};
use crate::logs::with_friction;
use jourdain::dynamics::closed_form::parameters;
use jourdain::dynamics::recursive;
use jourdain::identify::{
    Accumulator, Coordinates, Drives, IdentifyError, Payload, Problem, Recorded, Rest, Sample, Scale, gains, payload,
};
use jourdain::model::description::InertiaDescription;
use jourdain::model::{Edit, Number};
use jourdain::{Model, formats};
use nalgebra::{DMatrix, DVector};

const MOTOR: &str = r#", "motor": {"inertia": 0.02, "ratio": 1, "viscous": 0.4, "coulomb": 0.5}"#;

/// A robot with a body at its last link.
fn loaded(model: &Model<f64>, mass: f64) -> Model<f64> {
    let link = if model.name() == "arm" { "lower" } else { "link2" }.to_owned();
    let tensor = [0.02, 0.001, -0.002, 0.03, 0.001, 0.025].map(|x| Number::from(0.5 * mass * x));
    let body = jourdain::model::Payload {
        mass: mass.into(),
        com: [0.15, -0.06, 0.1].map(Number::from),
        inertia: InertiaDescription::AboutCom(tensor),
    };
    let edit = Edit::Payload { link, payload: body };
    let description = model.description().clone().edit(&[edit]).unwrap().description;
    Model::from_description(&description).unwrap()
}

/// A body alike in all directions about a centre: a decimetre of deviation for a kilogram, and as the cube root of the mass.
fn cloud(mass: f64, center: [f64; 3]) -> [f64; 10] {
    let spread = (0.1 * mass.cbrt()).powi(2);
    let [x, y, z] = center;
    let about = |a: f64, b: f64| mass * (2.0 * spread + a * a + b * b);
    let [xy, xz, yz] = [x * y, x * z, y * z].map(|product| -mass * product);
    [mass, mass * x, mass * y, mass * z, about(y, z), xy, xz, about(x, z), yz, about(x, y)]
}

/// The rows of the logs of a payload over what is found: numbers of the robot, then the ten of the body.
struct Carried<'a> {
    problem: &'a Problem,
    /// Those with the body and those without.
    logs: Vec<(&'a Log, bool)>,
    link: usize,
    free: Vec<usize>,
    fixed: Vec<f64>,
    robot: Vec<Known>,
}

impl<'a> Carried<'a> {
    fn new(problem: &'a Problem, logs: Vec<(&'a Log, bool)>, found: &Payload) -> Self {
        let (robot, links) = (&found.robot, problem.model().links().len());
        let mut fixed = robot.standard.clone();
        robot.free.iter().for_each(|&k| fixed[k] = 0.0);
        let mut known = Vec::new();
        for &k in &robot.free {
            if k >= 10 * links {
                known.push(Known::Positive(robot.prior[k]));
            } else if k % 10 == 0 {
                known.push(Known::Body(std::array::from_fn(|i| robot.prior[k + i])));
            }
        }
        Self { problem, logs, link: found.link, free: robot.free.clone(), fixed, robot: known }
    }

    fn prior(&self, body: [f64; 10]) -> Prior {
        let known = self.robot.iter().cloned().chain([Known::Body(body)]).collect();
        Prior { known, limits: Vec::new() }
    }

    fn size(&self) -> usize {
        self.free.len() + 10
    }

    /// What is left of a joint's torques in a log.
    fn left(&self, (log, loaded): (&Log, bool), joint: usize, x: &DVector<f64>) -> Vec<f64> {
        let mut all = self.fixed.clone();
        self.free.iter().enumerate().for_each(|(k, &column)| all[column] = x[k]);
        if loaded {
            (0..10).for_each(|k| all[10 * self.link + k] += x[self.free.len() + k]);
        }
        log.left(joint, &all)
    }

    /// The squares of a joint in a log, over rows that are `kept`.
    fn squares(
        &self,
        (log, loaded): (&Log, bool),
        joint: usize,
        kept: impl Fn(f64) -> bool,
    ) -> (DMatrix<f64>, DVector<f64>) {
        let columns: Vec<usize> = self.free.iter().copied().chain(10 * self.link..10 * self.link + 10).collect();
        let (mut hessian, mut linear) = log.squares(joint, &columns, &self.fixed, kept);
        if !loaded {
            let robot = self.free.len();
            hessian.view_mut((robot, 0), (10, robot + 10)).fill(0.0);
            hessian.view_mut((0, robot), (robot + 10, 10)).fill(0.0);
            linear.rows_mut(robot, 10).fill(0.0);
        }
        (hessian, linear)
    }

    /// 1/(noise² κ) of a joint in a log.
    fn weight(&self, set: (&Log, bool), joint: usize, x: &DVector<f64>, noise: f64) -> f64 {
        let left = self.left(set, joint, x);
        1.0 / (noise.powi(2) * set.0.alike(joint, &felt(self.problem, joint), &left, noise))
    }

    fn total(&self, weights: &[Vec<f64>]) -> (DMatrix<f64>, DVector<f64>) {
        let mut total = (DMatrix::zeros(self.size(), self.size()), DVector::zeros(self.size()));
        for (set, weights) in self.logs.iter().zip(weights) {
            for (j, weight) in weights.iter().enumerate() {
                let (hessian, linear) = self.squares(*set, j, |_| true);
                total.0 += hessian * *weight;
                total.1 += linear * *weight;
            }
        }
        total
    }
}

/// That a payload is what it says: see the comments.
fn is_as_it_says(problem: &Problem, logs: Vec<(&Log, bool)>, found: &Payload, robot_mass: f64, gamma: f64, what: &str) {
    let carried = Carried::new(problem, logs, found);
    let (robot, degrees) = (carried.free.len(), problem.joints().len());
    // Before any data the robot is as its file says and carries nothing: what is left is noise.
    let usual = 0.05 * robot_mass;
    let before = carried.prior(cloud(usual, [0.0; 3]));
    let mut x = before.point();
    x.rows_mut(robot, 10).fill(0.0);
    let mut weights = Vec::new();
    for (at, set) in carried.logs.iter().enumerate() {
        let noise: Vec<f64> = (0..degrees).map(|j| mean_square(&carried.left(*set, j, &x)).sqrt()).collect();
        if at == 0 {
            (0..degrees).for_each(|j| close(&format!("{what}: without"), found.without[j], noise[j], 1e-6));
        }
        weights.push((0..degrees).map(|j| carried.weight(*set, j, &x, noise[j])).collect::<Vec<f64>>());
    }
    // A fit with a millionth of the prior tells mass and centre of the cloud that the body is compared with.
    let (hessian, linear) = carried.total(&weights);
    let (_, _, curvature) = before.at(&before.point(), 1e-6 * gamma).unwrap();
    let weak = inverse(&(hessian + curvature)) * linear;
    let mass = if weak[robot] > 0.1 * usual { weak[robot] } else { usual };
    let known = cloud(mass, [1, 2, 3].map(|k| weak[robot + k] / mass));
    for k in 0..10 {
        let off = (found.prior[k] - known[k]).abs();
        assert!(off < 1e-5 * known[k].abs().max(1e-2 * mass), "{what}: prior {k} {} {}", found.prior[k], known[k]);
    }
    // Nothing is better, by the noise that is told.
    let x = DVector::from_iterator(
        robot + 10,
        carried.free.iter().map(|&k| found.robot.standard[k]).chain(found.parameters),
    );
    let prior = carried.prior(found.prior);
    let fits = [&found.joints, &found.robot.joints];
    let weights: Vec<Vec<f64>> = carried
        .logs
        .iter()
        .zip(fits)
        .map(|(set, fits)| (0..degrees).map(|j| carried.weight(*set, j, &x, fits[j].noise)).collect())
        .collect();
    let mut weights = weights;
    let (gradient, hessian) = prior.slopes(&carried.total(&weights), &x, gamma);
    let slope = |(at, j): (usize, usize)| {
        let (own, linear) = carried.squares(carried.logs[at], j, |_| true);
        (own * &x - linear) * weights[at][j]
    };
    let places: Vec<(usize, usize)> = (0..weights.len()).flat_map(|at| (0..degrees).map(move |j| (at, j))).collect();
    let off = off_weights(&gradient, &hessian, &places.iter().copied().map(slope).collect::<Vec<_>>(), what);
    places.iter().zip(off).for_each(|((at, j), off)| weights[*at][*j] *= 1.0 + off);
    let total = carried.total(&weights);
    let decrement = prior.decrement(&total, &x, gamma);
    assert!(decrement < 1e-3 * gamma.max(1.0), "{what}: a step would gain {decrement}");
    // Deviations with the prior as wide as before the data.
    let (_, _, curvature) = prior.at(&prior.point(), gamma).unwrap();
    let hessian = &total.0 + &curvature;
    let all = inverse(&hessian);
    let own = all.view((robot, robot), (10, 10)).into_owned();
    let of_prior = &all * curvature;
    for k in 0..10 {
        let known = (1.0 - of_prior[(robot + k, robot + k)]).clamp(0.0, 1.0);
        assert!((found.resolution[k] - known).abs() < 5e-3, "{what}: {k} {} {known}", found.resolution[k]);
    }
    let count: usize = carried.logs.iter().map(|(log, _)| log.stretches().len()).sum();
    let mut scatter = [0.0; 10];
    if count >= 8 {
        for (set, weights) in carried.logs.iter().zip(&weights) {
            for b in set.0.stretches() {
                let (mut part, mut gradient) = (DMatrix::zeros(robot + 10, robot + 10), DVector::zeros(robot + 10));
                for (j, weight) in weights.iter().enumerate() {
                    let (own, linear) = carried.squares(*set, j, |t| stretch(t) == b);
                    gradient += (&own * &x - linear) * *weight;
                    part += own * *weight;
                }
                let moved = inverse(&(&hessian - part)) * gradient;
                scatter.iter_mut().enumerate().for_each(|(k, sum)| *sum += moved[robot + k].powi(2));
            }
        }
    }
    let share = (count as f64 - 1.0) / count as f64;
    let grown: Vec<f64> = (0..10).map(|k| (share * scatter[k] / own[(k, k)]).max(1.0).sqrt()).collect();
    for k in 0..10 {
        close(&format!("{what}: deviation {k}"), found.deviations[k], grown[k] * own[(k, k)].sqrt(), 3e-2);
    }
    let mass = found.parameters[0];
    for axis in 0..3 {
        let center = found.center()[axis];
        let covariance = |i: usize, j: usize| own[(i, j)] * grown[i] * grown[j];
        // Of (h − c m)/m with c as it is.
        let a = [-center / mass, 1.0 / mass];
        let at = [0, 1 + axis];
        let variance: f64 = (0..4).map(|k| a[k / 2] * a[k % 2] * covariance(at[k / 2], at[k % 2])).sum();
        close(&format!("{what}: centre {axis}"), found.center_deviations[axis], variance.sqrt(), 4e-2);
    }
    let values = problem.base().values(&found.robot.standard);
    for (&at, value) in problem.unknowns().iter().zip(&found.robot.values) {
        assert!((values[at] - value).abs() < 1e-9, "{what}: {} and {value}", values[at]);
    }
}

fn last(problem: &Problem) -> usize {
    problem.model().links().iter().position(|link| ["lower", "link2"].contains(&link.name.as_str())).unwrap()
}

#[test]
fn a_body_on_a_known_robot_is_the_fit_of_all_rows() {
    let problem = Problem::new(&links(""), FRICTION).unwrap();
    let robot = links(MOTOR);
    for (mass, seconds, sizes, like, gamma) in [
        (2.0, 14.0, [0.3, 0.2], 0.9, 1.0),
        (2.0, 16.0, [0.3, 0.2], 0.9, 1.0),
        (2.0, 30.0, [0.6, 0.1], 0.8, 0.5),
        (1.0, 12.0, [0.02, 0.02], 0.0, 300.0),
        // Less than the usual mass of 0.275 kg, and nothing at all.
        (0.1, 12.0, [0.01, 0.01], 0.0, 1.0),
        (1e-4, 12.0, [0.01, 0.01], 0.0, 1.0),
    ] {
        let log =
            record(&problem, &loaded(&robot, mass), &times(seconds, 0.05), moving(&robot), errors(&sizes, like, 4));
        let found =
            payload(last(&problem), Recorded { problem: &problem, factors: &log.factors }, None, gamma).unwrap();
        assert_eq!(found.samples, (20.0 * seconds) as u64);
        is_as_it_says(&problem, vec![(&log, true)], &found, 5.5, gamma, &format!("{mass} kg, {seconds} s, {gamma}"));
        if mass < 1e-3 {
            close("mass of the prior", found.prior[0], 0.275, 1e-12);
        }
    }
}

#[test]
fn a_body_beside_a_log_of_the_empty_robot_is_one_fit_of_both() {
    let problem = Problem::new(&links(""), FRICTION).unwrap();
    let robot = links(MOTOR);
    for seconds in [[6.0, 6.0], [6.0, 12.0], [20.0, 10.0]] {
        let of = |model: &Model<f64>, seconds: f64, seed: u64| {
            record(&problem, model, &times(seconds, 0.1), moving(&robot), errors(&[0.2, 0.1], 0.6, seed))
        };
        let (full, empty) = (of(&loaded(&robot, 1.5), seconds[0], 5), of(&robot, seconds[1], 6));
        let [a, b] = [&full, &empty].map(|log| Recorded { problem: &problem, factors: &log.factors });
        let found = payload(last(&problem), a, Some(b), 1.0).unwrap();
        is_as_it_says(&problem, vec![(&full, true), (&empty, false)], &found, 5.5, 1.0, &format!("{seconds:?}"));
    }
}

/// A file without masses says nothing of how heavy a body may be: as of a robot of ten kilograms.
#[test]
fn on_a_robot_without_masses_a_body_is_half_a_kilogram_before_the_data() {
    let mut description = links("").description().clone();
    for link in &mut description.links {
        link.mass = 0.0.into();
        link.inertia = InertiaDescription::AboutCom([0.0; 6].map(Number::from));
    }
    let massless = Model::from_description(&description).unwrap();
    let problem = Problem::new(&massless, FRICTION).unwrap();
    let log =
        record(&problem, &loaded(&massless, 1e-4), &times(10.0, 0.05), moving(&massless), errors(&[0.01; 2], 0.0, 4));
    let recorded = Recorded { problem: &problem, factors: &log.factors };
    let found = payload(last(&problem), recorded, None, 1.0).unwrap();
    is_as_it_says(&problem, vec![(&log, true)], &found, 10.0, 1.0, "no masses");
    close("mass of the prior", found.prior[0], 0.5, 1e-12);
    let refused = gains(Scale::Robot { mass: 3.0 }, recorded, None, 1.0).unwrap_err();
    assert_eq!(said(&refused), "the robot file has no masses to be scaled");
}

fn said(error: &IdentifyError) -> &str {
    let IdentifyError::Search { message } = error else { panic!("{error}") };
    message
}

#[test]
fn a_log_that_says_less_than_the_prior_is_refused() {
    let (problem, robot) = (Problem::new(&links(""), FRICTION).unwrap(), links(MOTOR));
    let log = record(&problem, &loaded(&robot, 0.1), &times(4.0, 0.2), moving(&robot), errors(&[1e4; 2], 0.0, 4));
    let refused = payload(last(&problem), Recorded { problem: &problem, factors: &log.factors }, None, 1e3);
    let Err(IdentifyError::TooLittleMotion { parameters, detail }) = refused else { panic!("{refused:?}") };
    assert_eq!(parameters, ["m", "mX", "mY", "mZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"]);
    assert_eq!(detail, "the log says less of what the link carries than the prior");
}

/// Torques over gains, with noise: currents.
fn currents<'a>(gains: [f64; 2], mut noise: impl FnMut(&mut [f64]) + 'a) -> impl FnMut(&mut [f64]) + 'a {
    move |tau| {
        tau.iter_mut().zip(gains).for_each(|(tau, gain)| *tau /= gain);
        noise(tau);
    }
}

/// With the links known a current is a regression on the torque of the links and on columns of friction, joint by joint.
#[test]
fn gains_by_known_links_are_regressions_of_currents() {
    let robot = links(MOTOR);
    let problem = Problem::new(&robot, ALL).unwrap();
    let written = parameters(problem.model());
    for (seconds, like, heavier) in [(14.0, 0.0, 1.0), (16.0, 0.9, 2.0), (30.0, 0.8, 0.7)] {
        let change = currents([8.0, 5.0], errors(&[0.01, 0.004], like, 7));
        let log = record(&problem, &robot, &times(seconds, 0.02), moving(&robot), change);
        let recorded = Recorded { problem: &problem, factors: &log.factors };
        let found = gains(Scale::Robot { mass: 5.5 * heavier }, recorded, None, 1.0).unwrap();
        assert_eq!((found.samples, found.payload.is_none(), found.gains.len()), ((50.0 * seconds) as u64, true, 2));
        assert!(found.steps < 12, "{} steps", found.steps);
        let inertial = 10 * problem.model().links().len();
        for j in 0..2 {
            let own = |k: &usize| log.joints[j].iter().any(|row| row.columns[*k] != 0.0);
            let is_friction = |k: &usize| problem.base().parameters()[*k].kind.is_friction();
            // Rotors are links: they are known too.
            let drives: Vec<usize> = (inertial..written.len()).filter(|k| is_friction(k) && own(k)).collect();
            let rows = &log.joints[j];
            let scale = |k: usize| if k < inertial { heavier } else { 1.0 };
            let links = (0..written.len()).filter(|k| !is_friction(k));
            let links: Vec<(usize, f64)> = links.map(|k| (k, scale(k) * written[k])).collect();
            let torque = |i: usize| links.iter().map(|&(k, x)| rows[i].columns[k] * x).sum::<f64>();
            let a = DMatrix::from_fn(rows.len(), 1 + drives.len(), |i, k| match k {
                0 => torque(i),
                k => rows[i].columns[drives[k - 1]],
            });
            let c = DVector::from_fn(rows.len(), |i, _| rows[i].tau);
            let square = a.transpose() * &a;
            let covariance = inverse(&square);
            let x = &covariance * (a.transpose() * &c);
            let left = &a * &x - &c;
            let noise = left.norm_squared() / rows.len() as f64;
            let mut variance = noise * covariance[(0, 0)];
            let stretches = log.stretches();
            if stretches.len() >= 8 {
                let mut sum = 0.0;
                for b in &stretches {
                    let inside: Vec<usize> = (0..rows.len()).filter(|&i| stretch(rows[i].t) == *b).collect();
                    let part = a.select_rows(&inside);
                    let gradient = part.transpose() * left.select_rows(&inside);
                    sum += (inverse(&(&square - part.transpose() * &part)) * gradient)[0].powi(2);
                }
                variance = variance.max((1.0 - 1.0 / stretches.len() as f64) * sum);
            }
            let gain = &found.gains[j];
            let what = format!("joint {j}, {seconds} s, {heavier}");
            close(&format!("{what}: gain"), gain.value, 1.0 / x[0], 2e-3);
            close(&format!("{what}: deviation"), gain.deviation, variance.sqrt() / x[0].powi(2), 2e-2);
            close(&format!("{what}: left"), found.left[j], (left.norm_squared() / c.norm_squared()).sqrt(), 1e-2);
        }
    }
}

/// A light load sets the scale as well as a heavy one, and exactly.
#[test]
fn a_load_of_known_mass_is_met_and_tells_the_gains_of_a_robot_that_is_wrong() {
    let robot = with_friction("planar2r");
    for (density, mass) in [(1.0, 2.0), (0.9, 0.3), (0.1, 2.0), (8.0, 2.0)] {
        let problem = Problem::new(&file(density), ALL).unwrap();
        let of = |model: &Model<f64>, seed: u64| {
            let change = currents([8.0, -5.0], errors(&[1e-5, 1e-5], 0.0, seed));
            record(&problem, model, &times(16.0, 0.05), moving(&robot), change)
        };
        let (full, empty) = (of(&loaded(&robot, mass), 1), of(&robot, 2));
        let [a, b] = [&full, &empty].map(|log| Recorded { problem: &problem, factors: &log.factors });
        let link = last(&problem);
        let what = format!("file {density}, {mass} kg");
        let found = gains(Scale::Payload { link, mass }, a, Some(b), 1.0).unwrap_or_else(|e| panic!("{what}: {e}"));
        close(&what, found.payload.unwrap()[0], mass, 1e-5);
        for (gain, known) in found.gains.iter().zip([8.0, -5.0]) {
            close(&what, gain.value, known, if mass > 1.0 { 5e-3 } else { 5e-2 });
        }
        // Where a gain would change its sign half of the way is gone.
        assert!(found.steps < if density < 0.2 { 40 } else { 15 }, "{what}: {} steps", found.steps);
        assert_eq!(found.samples, 640);
        for (mass, told) in [(0.0, "0"), (f64::INFINITY, "inf"), (f64::NAN, "NaN"), (-2.0, "-2")] {
            let refused = gains(Scale::Robot { mass }, a, None, 1.0).unwrap_err();
            assert_eq!(said(&refused), format!("a mass of {told} kg sets no scale"));
        }
        for weight in [0.0, f64::INFINITY, f64::NAN, -1.0] {
            let refused = gains(Scale::Payload { link, mass }, a, Some(b), weight).unwrap_err();
            assert_eq!(refused.kind(), "bad-weight", "{weight}");
        }
    }
}

/// A toy of some grams: its load is as exact in the share that counts.
#[test]
fn a_load_of_grams_tells_the_gains_of_a_toy() {
    let light = |model: &Model<f64>| {
        let edit = Edit::ScaleInertia { link: None, factor: 0.1.into() };
        let mut description = model.description().clone().edit(&[edit]).unwrap().description;
        for motor in description.links.iter_mut().filter_map(|link| link.motor.as_mut()) {
            (motor.viscous, motor.coulomb) = (0.04.into(), 0.05.into());
        }
        Model::from_description(&description).unwrap()
    };
    let (robot, mass) = (light(&with_friction("planar2r")), 0.05);
    let problem = Problem::new(&light(&file(1.0)), ALL).unwrap();
    let of = |model: &Model<f64>, seed: u64| {
        let change = currents([8.0, 5.0], errors(&[1e-6, 1e-6], 0.0, seed));
        record(&problem, model, &times(16.0, 0.05), moving(&robot), change)
    };
    let (full, empty) = (of(&loaded(&robot, mass), 1), of(&robot, 2));
    let [a, b] = [&full, &empty].map(|log| Recorded { problem: &problem, factors: &log.factors });
    let found = gains(Scale::Payload { link: last(&problem), mass }, a, Some(b), 1.0).unwrap();
    close("mass", found.payload.unwrap()[0], mass, 1e-5);
    for (gain, known) in found.gains.iter().zip([8.0, 5.0]) {
        close("gain", gain.value, known, 2e-3);
        assert!(gain.deviation < 2e-4 * known, "{} ± {}", gain.value, gain.deviation);
    }
}

/// Joints whose axes meet feel where a body is and not how heavy: its mass says nothing of their gains. A plate on the ground is felt by
/// no joint at all.
#[test]
fn what_the_joints_do_not_feel_sets_no_scale() {
    let (problem, robot) = (Problem::new(&links(""), ALL).unwrap(), links(MOTOR));
    let of = |model: &Model<f64>, seed: u64| {
        let change = currents([8.0, 5.0], errors(&[1e-2, 1e-2], 0.0, seed));
        record(&problem, model, &times(16.0, 0.05), moving(&robot), change)
    };
    let (full, empty) = (of(&loaded(&robot, 2.0), 1), of(&robot, 2));
    let [a, b] = [&full, &empty].map(|log| Recorded { problem: &problem, factors: &log.factors });
    let refused = gains(Scale::Payload { link: last(&problem), mass: 2.0 }, a, Some(b), 1.0).unwrap_err();
    assert_eq!(said(&refused), "the gains do not settle: the logs show too little, or a column is wrong");
    let plate = r#""link": [{"name": "plate", "mass": 3, "joint": {"type": "fixed"}},"#;
    let text = LINKS.replacen(r#""link": ["#, plate, 1).replacen(r#""upper","#, r#""upper", "parent": "plate","#, 1);
    let reading = formats::read_str(&text.replace("MOTOR", ""), formats::Format::Json);
    let model = Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)));
    let grounded = Problem::new(&model.unwrap(), ALL).unwrap();
    let log = record(&grounded, &robot, &times(16.0, 0.05), moving(&robot), currents([8.0, 5.0], |_| ()));
    let recorded = Recorded { problem: &grounded, factors: &log.factors };
    let link = grounded.model().links().iter().position(|link| link.name == "plate").unwrap();
    let refused = gains(Scale::Payload { link, mass: 1.0 }, recorded, None, 1.0).unwrap_err();
    assert_eq!(refused, IdentifyError::Unfelt { link: "plate".to_owned() });
}

/// An arm at rest whose second link hangs straight down with its load: no current of that joint, of which then none is left.
#[test]
fn of_a_joint_without_current_nothing_is_left() {
    let (robot, problem) = (with_friction("planar2r"), Problem::new(&file(1.0), ALL).unwrap());
    let noise = [1e-3, 1e-3];
    let of = |model: &Model<f64>, hangs: bool, seed: u64| {
        let mut run = moving(&robot);
        let motion = |t: f64| {
            let [mut q, mut qd, mut qdd] = run(t);
            if hangs {
                // The second link points down, so that its weight has no lever.
                (qd, qdd) = (vec![0.0; 2], vec![0.0; 2]);
                q[1] = -std::f64::consts::FRAC_PI_2 - q[0];
            }
            [q, qd, qdd]
        };
        let mut change = currents([8.0, 5.0], errors(&noise, 0.0, seed));
        record(&problem, model, &times(16.0, 0.05), motion, move |tau: &mut [f64]| {
            change(tau);
            tau[1] *= f64::from(!hangs);
        })
    };
    let body = jourdain::model::Payload::point(2.0.into(), [0.3, 0.0, 0.0].map(Number::from));
    let edit = Edit::Payload { link: "link2".to_owned(), payload: body };
    let heavy = robot.description().clone().edit(&[edit]).unwrap().description;
    let (full, empty) = (of(&Model::from_description(&heavy).unwrap(), true, 1), of(&robot, false, 2));
    let [a, b] = [&full, &empty].map(|log| Recorded { problem: &problem, factors: &log.factors });
    let found = gains(Scale::Payload { link: last(&problem), mass: 2.0 }, a, Some(b), 1.0).unwrap();
    assert_eq!(found.left[1], 0.0);
    close("gain", found.gains[0].value, 8.0, 0.05);
}

/// On an arm whose shoulder feels how heavy a body is: half of the usual mass is a mass, and the prior stands there.
#[test]
fn a_body_lighter_than_usual_is_compared_with_a_cloud_of_its_own_mass() {
    let (robot, problem) = (with_friction("planar2r"), Problem::new(&file(1.0), FRICTION).unwrap());
    let total: f64 = robot.description().links.iter().map(|link| link.mass.value).sum();
    let mass = 0.025 * total;
    let log = record(&problem, &loaded(&robot, mass), &times(12.0, 0.05), moving(&robot), errors(&[1e-3; 2], 0.0, 4));
    let recorded = Recorded { problem: &problem, factors: &log.factors };
    let found = payload(last(&problem), recorded, None, 1.0).unwrap();
    is_as_it_says(&problem, vec![(&log, true)], &found, total, 1.0, "light");
    close("mass of the prior", found.prior[0], mass, 0.1);
    close("mass", found.parameters[0], mass, 0.02);
}

/// Friction of a motor that turns with both joints is a torque of neither alone: it goes through the gains of both.
#[test]
fn friction_of_a_coupled_motor_goes_through_the_gains_of_its_joints() {
    let model = file(1.0);
    let coordinates = Coordinates::coupled(2, &[vec![1.0, 0.0], vec![0.6, 1.0]]).unwrap();
    assert_eq!((coordinates.count(), coordinates.joint_count()), (3, 2));
    let none = Drives { armature: false, viscous: false, coulomb: false };
    let all = Problem::new(&model, none).unwrap().with_terms(&coordinates, None);
    let keep: Vec<bool> = (0..all.count()).map(|k| k < all.unknowns().len() || all.names()[k] == "Fv1+2").collect();
    let problem = all.reduced(&keep, Rest::Zero);
    assert_eq!((problem.terms().len(), problem.known().len()), (1, 0));
    let (mut motion, mut noise, mut accumulator) =
        (moving(&model), errors(&[1e-3, 1e-3], 0.0, 3), Accumulator::new(&problem));
    let (mut squares, row) = ([0.0; 2], coordinates.row(2).to_vec());
    let sampled = times(20.0, 0.02);
    for &t in &sampled {
        let [q, qd, qdd] = motion(t);
        let mut tau = recursive::inverse_dynamics(&model, &q, &qd, &qdd, &[]);
        let braked = 20.0 * (row[0] * qd[0] + row[1] * qd[1]);
        (0..2).for_each(|j| tau[j] = (tau[j] + row[j] * braked) / [8.0, 5.0][j]);
        noise(&mut tau);
        (0..2).for_each(|j| squares[j] += tau[j] * tau[j]);
        accumulator.add(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
    }
    let factors = accumulator.finish();
    let mass: f64 = model.description().links.iter().map(|link| link.mass.value).sum();
    let found = gains(Scale::Robot { mass }, Recorded { problem: &problem, factors: &factors }, None, 1.0).unwrap();
    for (j, known) in [8.0, 5.0].into_iter().enumerate() {
        close("gain", found.gains[j].value, known, 2e-3);
        close("left", found.left[j], 1e-3 / (squares[j] / sampled.len() as f64).sqrt(), 0.1);
    }
}
