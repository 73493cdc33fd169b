//! The estimate of a robot that can be is the least of what it says it is the least of: squares of all rows, by noise and by how many
//! samples count as one, and the divergence from the file, within limits.

use super::dense::{
    Known, Limit, Log, Prior, close, errors, felt, inverse, mean_square, moving, off_weights, record, stretch, times,
};
use crate::logs::with_friction;
use jourdain::dynamics::closed_form::parameters;
use jourdain::identify::{
    Bounds, Consistent, Drives, IdentifyError, LinkBounds, Problem, Rest, Term, choose_weight, consistent,
    consistent_within, refit_friction,
};
use jourdain::model::description::InertiaDescription;
use jourdain::model::{DriveTerm, Edit, ParameterKind};
use jourdain::{Model, formats, robots};
use nalgebra::{DMatrix, DVector};

/// The planar arm with its links so many times as heavy, and without friction.
pub fn file(density: f64) -> Model<f64> {
    let mut description = robots::load("planar2r").unwrap().description().clone();
    description.links.iter_mut().for_each(|link| link.mass = (density * link.mass.value).into());
    Model::from_description(&description).unwrap()
}

fn link(problem: &Problem, name: &str) -> usize {
    problem.model().links().iter().position(|link| link.name == name).unwrap()
}

fn column(problem: &Problem, name: &str) -> usize {
    let at = problem.base().parameters().iter().position(|p| p.text(problem.model()) == name);
    at.unwrap_or_else(|| panic!("no {name}"))
}

/// The dense problem of an estimate: prior and squares of its free numbers, and these numbers.
struct Dense {
    prior: Prior,
    squares: (DMatrix<f64>, DVector<f64>),
    x: DVector<f64>,
    /// What multiplies the squares of joints.
    weights: Vec<f64>,
    free: Vec<usize>,
    others: Vec<f64>,
}

impl Dense {
    /// Takes the weights by which the point is best, if they are near.
    fn reweigh(&mut self, log: &Log, gamma: f64, what: &str) {
        let (gradient, hessian) = self.prior.slopes(&self.squares, &self.x, gamma);
        let count = self.weights.len();
        let squares = |j: usize| log.squares(j, &self.free, &self.others, |_| true);
        let slope = |j: usize| {
            let (own, linear) = squares(j);
            (own * &self.x - linear) * self.weights[j]
        };
        let off = off_weights(&gradient, &hessian, &(0..count).map(slope).collect::<Vec<_>>(), what);
        for (j, off) in off.into_iter().enumerate() {
            let (own, linear) = log.squares(j, &self.free, &self.others, |_| true);
            self.squares.0 += own * (self.weights[j] * off);
            self.squares.1 += linear * (self.weights[j] * off);
            self.weights[j] *= 1.0 + off;
        }
    }
}

fn dense(problem: &Problem, log: &Log, found: &Consistent, limits: Vec<Limit>) -> Dense {
    let (parameters, links) = (problem.base().parameters().len(), problem.model().links().len());
    let terms = &found.values[problem.unknowns().len()..];
    let all: Vec<f64> = found.standard.iter().chain(terms).copied().collect();
    let free: Vec<usize> = found.free.iter().copied().chain(parameters..parameters + terms.len()).collect();
    let mut others = all.clone();
    free.iter().for_each(|&k| others[k] = 0.0);
    let mut known = Vec::new();
    for &k in &found.free {
        if k >= 10 * links {
            known.push(Known::Positive(found.prior[k]));
        } else if k % 10 == 0 {
            known.push(Known::Body(std::array::from_fn(|i| found.prior[k + i])));
        }
    }
    for (term, prior) in problem.terms().iter().zip(&found.term_priors) {
        assert_eq!((term.term, *prior), (Term::Offset, 0.0));
        known.push(Known::About(0.05 * log.torque(term.coordinate)));
    }
    let size = free.len();
    let (mut squares, mut weights) = ((DMatrix::zeros(size, size), DVector::zeros(size)), Vec::new());
    for (j, fit) in found.joints.iter().enumerate() {
        let left = log.left(j, &all);
        close("residual", fit.residual, mean_square(&left).sqrt(), 1e-6);
        close("torque", fit.torque, log.torque(j), 1e-9);
        let weight = 1.0 / (fit.noise.powi(2) * log.alike(j, &felt(problem, j), &left, fit.noise));
        let (hessian, linear) = log.squares(j, &free, &others, |_| true);
        squares.0 += hessian * weight;
        squares.1 += linear * weight;
        weights.push(weight);
    }
    let x = DVector::from_iterator(size, free.iter().map(|&k| all[k]));
    Dense { prior: Prior { known, limits }, squares, x, weights, free, others }
}

/// That nothing is better.
fn is_best(problem: &Problem, log: &Log, found: &Consistent, limits: Vec<Limit>, what: &str) -> Dense {
    let mut dense = dense(problem, log, found, limits);
    dense.reweigh(log, found.prior_weight, what);
    let decrement = dense.prior.decrement(&dense.squares, &dense.x, found.prior_weight);
    assert!(decrement < 2e-4 * found.prior_weight.max(1.0), "{what}: a step would gain {decrement}");
    dense
}

/// That nothing is better, and that deviations are what the curvature leaves open.
fn is_least(problem: &Problem, log: &Log, found: &Consistent, limits: Vec<Limit>, what: &str) {
    let dense = is_best(problem, log, found, limits, what);
    let (_, hessian) = dense.prior.slopes(&dense.squares, &dense.x, found.prior_weight);
    let covariance = inverse(&hessian);
    assert_eq!(found.deviations.len(), dense.x.len());
    for (k, deviation) in found.deviations.iter().enumerate() {
        close(&format!("{what}: deviation {k}"), *deviation, covariance[(k, k)].sqrt(), 5e-3);
    }
    // Unknowns of the problem and standard parameters say the same.
    let values = problem.base().values(&found.standard);
    for (&at, value) in problem.unknowns().iter().zip(&found.values) {
        assert!((values[at] - value).abs() < 1e-9, "{what}: {} and {value}", values[at]);
    }
    unconstrained(problem, log, found, &dense.weights, what);
}

/// What any numbers would leave: weighted least squares of the columns that are unknown.
fn unconstrained(problem: &Problem, log: &Log, found: &Consistent, weights: &[f64], what: &str) {
    let parameters = problem.base().parameters().len();
    let base = problem.unknowns().len();
    let of = |i: usize| if i < base { problem.column(i) } else { parameters + i - base };
    let columns: Vec<usize> = (0..problem.count()).map(of).collect();
    let mut others = vec![0.0; parameters + problem.terms().len()];
    problem.known().iter().for_each(|&(column, value)| others[column] = value);
    let (mut a, mut b) = (DMatrix::zeros(columns.len(), columns.len()), DVector::zeros(columns.len()));
    for (j, weight) in weights.iter().enumerate() {
        let (own, right) = log.squares(j, &columns, &others, |_| true);
        a += own * *weight;
        b += right * *weight;
    }
    let scale: Vec<f64> = a.diagonal().iter().map(|d| if *d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }).collect();
    let scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * scale[i] * scale[j]);
    let right = DVector::from_fn(b.len(), |i, _| b[i] * scale[i]);
    let x = scaled.pseudo_inverse(1e-13).unwrap() * right;
    columns.iter().enumerate().for_each(|(k, &column)| others[column] = x[k] * scale[k]);
    for (j, least) in found.unconstrained.iter().enumerate() {
        let torque = log.torque(j);
        let known = if torque > 0.0 { mean_square(&log.left(j, &others)).sqrt() / torque } else { 0.0 };
        close(&format!("{what}: unconstrained {j}"), *least, known, 1e-3);
    }
}

pub const FRICTION: Drives = Drives { armature: false, viscous: true, coulomb: true };
pub const ALL: Drives = Drives { armature: true, viscous: true, coulomb: true };

#[test]
fn an_estimate_is_the_least_of_squares_and_divergence_whatever_the_weight_and_the_file() {
    let model = with_friction("planar2r");
    for (density, drives, seconds, sizes, like) in [
        (1.0, FRICTION, 24.0, [0.3, 0.4], 0.9),
        (0.2, ALL, 24.0, [2.0, 0.02], 0.8),
        (6.0, FRICTION, 10.0, [0.1, 3.0], 0.0),
        (40.0, ALL, 16.0, [0.01, 0.03], 0.5),
    ] {
        let problem = Problem::new(&file(density), drives).unwrap();
        let log = record(&problem, &model, &times(seconds, 0.05), moving(&model), errors(&sizes, like, 3));
        for gamma in [1.0, 0.01, 40.0] {
            let found = consistent(&problem, &log.factors, gamma).unwrap();
            assert_eq!(found.prior_weight, gamma);
            is_least(&problem, &log, &found, Vec::new(), &format!("file {density}, weight {gamma}"));
        }
    }
}

/// The planar arm, one of its links without mass.
fn file_without(name: &str) -> Model<f64> {
    let mut description = file(1.0).description().clone();
    let link = description.links.iter_mut().find(|link| link.name == name).unwrap();
    (link.mass, link.com) = (0.0.into(), [0.0.into(); 3]);
    link.inertia = InertiaDescription::AboutCom([0.0.into(); 6]);
    Model::from_description(&description).unwrap()
}

/// A file that gives a link next to nothing is far from what the log says: the way there leads along the boundary of what can be.
#[test]
fn an_estimate_is_the_least_from_a_file_without_the_mass_of_a_link() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&file_without("link2"), FRICTION).unwrap();
    for noise in [0.3, 0.01, 1e-3] {
        let log = record(&problem, &model, &times(24.0, 0.05), moving(&model), errors(&[noise, noise], 0.9, 3));
        for gamma in [1.0, 0.01, 40.0] {
            let found = consistent(&problem, &log.factors, gamma).unwrap();
            is_best(&problem, &log, &found, Vec::new(), &format!("noise {noise}, weight {gamma}"));
        }
    }
    // Steps that are cut short at the boundary end where 0.19 of the first joint's torque is left.
    let problem = Problem::new(&file_without("link1"), FRICTION).unwrap();
    let log = record(&problem, &model, &times(16.0, 0.05), moving(&model), errors(&[1.0, 1.0], 0.0, 3));
    let left = consistent(&problem, &log.factors, 1.0).unwrap().joints[0].relative();
    assert!(left < 0.12, "{left}");
}

/// Two links of which a file may say all that it says.
pub const LINKS: &str = r#"{"name": "arm", "link": [
    {"name": "upper", "mass": 4, "com": [0.2, 0.03, -0.02], "inertia": [0.05, 0.004, -0.003, 0.09, 0.002, 0.08],
     "joint": {"name": "shoulder", "type": "revolute", "axis": [0, 1, 0]}MOTOR},
    {"name": "lower", "parent": "upper", "mass": 1.5, "com": [0.1, -0.02, 0.01], "inertia": [0.01, 0.001, 0, 0.02, 0.002, 0.015],
     "joint": {"name": "elbow", "type": "revolute", "axis": [0, 0, 1]}MOTOR}]}"#;

pub fn links(motor: &str) -> Model<f64> {
    let reading = formats::read_str(&LINKS.replace("MOTOR", motor), formats::Format::Json);
    Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))).unwrap()
}

#[test]
fn the_prior_is_the_file_and_of_friction_a_tenth_of_the_torque() {
    for motor in ["", r#", "motor": {"viscous": 0.3, "coulomb": 0.7}"#] {
        let (model, written) = (links(r#", "motor": {"viscous": 0.4, "coulomb": 0.5}"#), links(motor));
        let problem = Problem::new(&written, ALL).unwrap();
        let log = record(&problem, &model, &times(12.0, 0.05), moving(&model), errors(&[0.3, 0.2], 0.0, 5));
        let found = consistent(&problem, &log.factors, 1.0).unwrap();
        let written = parameters(problem.model());
        for (k, parameter) in problem.base().parameters().iter().enumerate() {
            let name = parameter.text(problem.model());
            let known = match parameter.kind {
                // What a term has of its joint's torque: a tenth, in the root mean square.
                ParameterKind::Drive(_) if found.free.contains(&k) && written[k] == 0.0 => {
                    let joint = parameter.column(problem.model()).dof;
                    let rows = log.joints[joint].iter().map(|row| row.columns[k]).collect::<Vec<_>>();
                    0.1 * log.torque(joint) / mean_square(&rows).sqrt()
                }
                ParameterKind::Drive(_) | ParameterKind::Inertial(_) => written[k],
            };
            let found = found.prior[k];
            assert!((found - known).abs() < 1e-9 * known.abs().max(1e-3), "{name}: {found} and {known}");
        }
        is_least(&problem, &log, &found, Vec::new(), "arm");
    }
}

/// Offsets are about zero, by a twentieth of their joint's torque.
#[test]
fn offsets_are_part_of_the_least_and_are_believed_to_be_small() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&file(1.0), FRICTION).unwrap().with_offsets();
    let change = |errors: &mut dyn FnMut(&mut [f64]), tau: &mut [f64]| {
        errors(tau);
        (tau[0], tau[1]) = (tau[0] + 4.0, tau[1] - 1.5);
    };
    let (sizes, step) = ([6.0, 5.0], 0.25);
    let mut noise = errors(&sizes, 0.0, 8);
    let log = record(&problem, &model, &times(10.0, step), moving(&model), |tau| change(&mut noise, tau));
    let found = consistent(&problem, &log.factors, 1.0).unwrap();
    is_least(&problem, &log, &found, Vec::new(), "offsets");
}

#[test]
fn friction_alone_is_fitted_with_links_and_rotors_held() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&file(1.1), ALL).unwrap();
    let log = record(&problem, &model, &times(20.0, 0.05), moving(&model), errors(&[0.3, 0.2], 0.3, 6));
    let first = consistent(&problem, &log.factors, 1.0).unwrap();
    let found = refit_friction(&problem, &log.factors, &first).unwrap();
    let kind = |k: &usize| problem.base().parameters()[*k].kind;
    let friction: Vec<usize> = (0..first.standard.len()).filter(|k| kind(k).is_friction()).collect();
    let asked = |k: &&usize| matches!(kind(k), ParameterKind::Drive(DriveTerm::Viscous | DriveTerm::Coulomb));
    assert_eq!(found.free, friction.iter().filter(asked).copied().collect::<Vec<_>>());
    for k in (0..first.standard.len()).filter(|k| !found.free.contains(k)) {
        assert_eq!(found.standard[k], first.standard[k]);
    }
    is_least(&problem, &log, &found, Vec::new(), "friction");
}

/// A rotor that is not asked for is as in the file, though it is part of what is found; an unknown that is left out is none.
#[test]
fn only_what_is_asked_for_is_free() {
    let mut description = file(1.0).description().clone();
    for link in description.links.iter_mut().filter(|link| link.name != "tool") {
        let mut motor = link.motor.unwrap_or_default();
        (motor.inertia, motor.ratio) = (0.01.into(), 2.0.into());
        link.motor = Some(motor);
    }
    let rotors = Model::from_description(&description).unwrap();
    let problem = Problem::new(&rotors, FRICTION).unwrap();
    let log = record(&problem, &rotors, &times(12.0, 0.05), moving(&rotors), errors(&[0.3, 0.2], 0.0, 5));
    let found = consistent(&problem, &log.factors, 1.0).unwrap();
    let kinds = |found: &Consistent, problem: &Problem| -> Vec<String> {
        let drives = found.free.iter().map(|&k| problem.base().parameters()[k]);
        let drives = drives.filter(|p| matches!(p.kind, ParameterKind::Drive(_)));
        drives.map(|p| p.text(problem.model())).collect()
    };
    assert_eq!(kinds(&found, &problem), ["Fv_link1", "Fv_link2", "Fc_link1", "Fc_link2"]);
    let written = parameters(problem.model());
    let armature = (0..written.len())
        .filter(|&k| problem.base().parameters()[k].kind == ParameterKind::Drive(DriveTerm::Armature));
    armature.for_each(|k| assert_eq!(found.standard[k], written[k]));
    let keep: Vec<bool> = problem.names().iter().map(|name| name != "Fv1").collect();
    assert!(keep.contains(&false), "{:?}", problem.names());
    let reduced = problem.reduced(&keep, Rest::Zero);
    let factors = log.factors.select(&problem, &reduced).unwrap();
    let found = consistent(&reduced, &factors, 1.0).unwrap();
    assert_eq!(kinds(&found, &reduced), ["Fv_link2", "Fc_link1", "Fc_link2"]);
}

/// A joint that stands still shows nothing of its friction, which stays where it was; one without torque has none to be compared with.
#[test]
fn joints_that_stand_still_or_have_no_torque_are_met_too() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&file(1.0), FRICTION).unwrap();
    let mut run = moving(&model);
    let still = |t: f64| {
        let [mut q, mut qd, mut qdd] = run(t);
        (q[1], qd[1], qdd[1]) = (0.7, 0.0, 0.0);
        [q, qd, qdd]
    };
    let log = record(&problem, &model, &times(12.0, 0.05), still, errors(&[0.3, 0.2], 0.0, 5));
    let found = consistent(&problem, &log.factors, 1.0).unwrap();
    is_least(&problem, &log, &found, Vec::new(), "standing");
    for name in ["Fv_link2", "Fc_link2"] {
        let k = column(&problem, name);
        close(name, found.standard[k], found.prior[k], 1e-9);
    }
    // Where nothing acts on a joint a share of its torque is no number to begin with, and one takes its place.
    let mut noise = errors(&[0.3, 0.0], 0.0, 5);
    let silent = |tau: &mut [f64]| {
        noise(tau);
        tau[1] = 0.0;
    };
    let log = record(&problem, &model, &times(12.0, 0.05), moving(&model), silent);
    let found = consistent(&problem, &log.factors, 1.0).unwrap();
    assert_eq!((found.unconstrained[1], found.joints[1].torque), (0.0, 0.0));
    assert_eq!([1.0; 2], ["Fv_link2", "Fc_link2"].map(|name| found.prior[column(&problem, name)]));
}

fn masses(problem: &Problem, found: &Consistent) -> [f64; 2] {
    ["link1", "link2"].map(|name| found.prior[10 * link(problem, name)])
}

fn arm_log(density: f64) -> (Problem, Log) {
    let model = with_friction("planar2r");
    let problem = Problem::new(&file(density), FRICTION).unwrap();
    let log = record(&problem, &model, &times(12.0, 0.05), moving(&model), errors(&[0.3, 0.2], 0.0, 5));
    (problem, log)
}

fn bounded(problem: &Problem, name: &str, mass: [f64; 2]) -> LinkBounds {
    LinkBounds { link: link(problem, name), mass: Some(mass), com: None }
}

/// How heavy links are before the data: within their ranges by a twentieth of these, and together what the robot weighs.
#[test]
fn masses_are_brought_into_their_ranges_and_share_what_is_missing_by_their_room() {
    let (problem, log) = arm_log(1.0);
    let prior = |total_mass: Option<f64>, links: Vec<LinkBounds>| {
        consistent_within(&problem, &log.factors, 1.0, &Bounds { total_mass, links })
            .map(|found| masses(&problem, &found))
            .map_err(|error| match error {
                IdentifyError::Bounds { message } => message,
                other => panic!("{other}"),
            })
    };
    let [m1, m2] = prior(None, Vec::new()).unwrap();
    let of = |name: &str, range: [f64; 2]| bounded(&problem, name, range);
    let near = |found: Result<[f64; 2], String>, known: [f64; 2]| {
        let found = found.unwrap();
        assert!(found.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} instead of {known:?}");
    };
    // Too light, too heavy, and right; a range from below zero is one from zero.
    near(prior(None, vec![of("link1", [3.0 * m1, 5.0 * m1])]), [3.1 * m1, m2]);
    near(prior(None, vec![of("link2", [0.1 * m2, 0.5 * m2])]), [m1, 0.48 * m2]);
    near(prior(None, vec![of("link2", [-m2, 0.5 * m2])]), [m1, 0.475 * m2]);
    near(prior(None, vec![of("link2", [0.5 * m2, 2.0 * m2])]), [m1, m2]);
    // Free links share in proportion to their mass, without an end.
    near(prior(Some(5.0 * (m1 + m2)), Vec::new()), [5.0 * m1, 5.0 * m2]);
    near(prior(Some(0.5 * (m1 + m2)), Vec::new()), [0.5 * m1, 0.5 * m2]);
    // What is bounded stays while a free one can take it all.
    near(prior(Some(4.0 * m1 + m2), vec![of("link2", [0.5 * m2, 2.0 * m2])]), [4.0 * m1, m2]);
    // With all of them bounded they share by what is left to the inner ends.
    let ranges = || vec![of("link1", [m1, 3.0 * m1]), of("link2", [0.5 * m2, 2.5 * m2])];
    let [begin1, begin2] = [1.1 * m1, m2];
    let room = [2.9 * m1 - begin1, 2.4 * m2 - begin2];
    let missing = 0.5 * (room[0] + room[1]);
    let total = begin1 + begin2 + missing;
    near(prior(Some(total), ranges()), [begin1 + 0.5 * room[0], begin2 + 0.5 * room[1]]);
    // Lighter: a bounded link to its inner end, a free one to a fiftieth of itself.
    let below = [m1 - 0.27 * m1, 0.98 * m2];
    let part = 0.4;
    near(
        prior(Some(m1 + m2 - part * (below[0] + below[1])), vec![of("link1", [0.2 * m1, 1.6 * m1])]),
        [m1 - part * below[0], m2 - part * below[1]],
    );
    let refused = |total: f64, links: Vec<LinkBounds>| prior(Some(total), links).unwrap_err();
    let cannot = |total: f64| format!("links within their limits cannot weigh {total} kg together");
    assert_eq!(refused(2.95 * m1 + 2.4 * m2, ranges()), cannot(2.95 * m1 + 2.4 * m2));
    assert_eq!(refused(0.01 * (m1 + m2), Vec::new()), cannot(0.01 * (m1 + m2)));
    assert!(prior(Some(0.021 * (m1 + m2)), Vec::new()).is_ok());
    for (total, told) in [(0.0, "0"), (-1.0, "-1"), (f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        assert_eq!(refused(total, Vec::new()), format!("{told} kg is no mass of a robot"));
    }
    let order = |links: Vec<LinkBounds>| prior(None, links).unwrap_err();
    let box_of = |x: [f64; 2]| {
        vec![LinkBounds {
            link: link(&problem, "link2"),
            mass: Some([0.1, 9.0]),
            com: Some([[0.0, 1.0], x, [0.0, 1.0]]),
        }]
    };
    let bad = [[2.0, 1.0], [1.0, 1.0], [0.5, f64::INFINITY], [f64::NEG_INFINITY, 1.0], [f64::NAN, 1.0]];
    for range in bad {
        assert_eq!(order(vec![of("link2", range)]), "those of link `link2` are not in order", "{range:?}");
        assert_eq!(order(box_of(range)), "those of link `link2` are not in order", "{range:?}");
    }
    assert_eq!(order(vec![of("link1", [-2.0, -1.0])]), "those of link `link1` are not in order");
    let apart = order(vec![of("link1", [0.5 * m1, m1]), of("link1", [1.5 * m1, 2.0 * m1])]);
    assert_eq!(apart, "no mass is within all that are given for link `link1`");
    // With one mass between them the prior is that, and there is no room beside it.
    let touching = order(vec![of("link1", [0.5, 1.0]), of("link1", [1.0, 2.0])]);
    assert_eq!(touching, "they leave no robot between them");
}

/// Of a robot whose links weigh grams the share that a link keeps is of its own mass too.
#[test]
fn light_links_share_what_is_missing_in_the_same_way() {
    let (problem, log) = arm_log(0.01);
    let free = consistent(&problem, &log.factors, 1.0).unwrap();
    let [m1, m2] = masses(&problem, &free);
    let links = vec![bounded(&problem, "link1", [0.2 * m1, 1.6 * m1])];
    let below = [m1 - 0.27 * m1, 0.98 * m2];
    let bounds = Bounds { total_mass: Some(m1 + m2 - 0.4 * (below[0] + below[1])), links };
    let found = consistent_within(&problem, &log.factors, 1.0, &bounds).unwrap();
    let [a, b] = masses(&problem, &found);
    close("first", a, m1 - 0.4 * below[0], 1e-9);
    close("second", b, m2 - 0.4 * below[1], 1e-9);
}

#[test]
fn limits_are_barriers_of_the_least_and_centres_begin_inside_their_boxes() {
    let (problem, log) = arm_log(1.0);
    let free = consistent(&problem, &log.factors, 1.0).unwrap();
    let own = masses(&problem, &free);
    let total = 1.2 * (own[0] + own[1]);
    let boxes = [[[0.1, 0.2], [-0.3, -0.1], [0.05, 0.3]], [[0.4, 0.5], [-0.2, 0.3], [-0.4, -0.2]]];
    let ranges = [[0.3 * own[0], 2.0 * own[0]], [0.5 * own[1], 3.0 * own[1]]];
    let links = ["link1", "link2"];
    let bounds =
        (0..2).map(|k| LinkBounds { link: link(&problem, links[k]), mass: Some(ranges[k]), com: Some(boxes[k]) });
    let bounds = Bounds { total_mass: Some(total), links: bounds.collect() };
    assert!(!bounds.is_empty() && Bounds::default().is_empty());
    assert!(!Bounds { total_mass: Some(1.0), links: Vec::new() }.is_empty());
    assert!(!Bounds { total_mass: None, ..bounds.clone() }.is_empty());
    for gamma in [1.0, 0.1] {
        let found = consistent_within(&problem, &log.factors, gamma, &bounds).unwrap();
        let mut limits = Vec::new();
        for (k, range) in ranges.iter().enumerate() {
            limits.extend([Limit(vec![(10 * k, 1.0)], -range[0]), Limit(vec![(10 * k, -1.0)], range[1])]);
        }
        limits.push(Limit(vec![(0, 1.0), (10, 1.0)], -0.99 * total));
        limits.push(Limit(vec![(0, -1.0), (10, -1.0)], 1.01 * total));
        for (k, own) in boxes.iter().enumerate() {
            for (axis, [least, most]) in own.iter().enumerate() {
                let (m, h) = (10 * k, 10 * k + 1 + axis);
                limits.push(Limit(vec![(h, 1.0), (m, -least)], 0.0));
                limits.push(Limit(vec![(h, -1.0), (m, *most)], 0.0));
            }
        }
        is_least(&problem, &log, &found, limits, &format!("limits, weight {gamma}"));
        for (k, own) in boxes.iter().enumerate() {
            let at = 10 * link(&problem, links[k]);
            let before: [f64; 10] = std::array::from_fn(|i| found.prior[at + i]);
            let written: [f64; 10] = std::array::from_fn(|i| free.prior[at + i]);
            let factor = before[0] / written[0];
            for (axis, [least, most]) in own.iter().enumerate() {
                let off = 0.05 * (most - least);
                let known = (written[1 + axis] / written[0]).clamp(least + off, most - off);
                assert!((before[1 + axis] / before[0] - known).abs() < 1e-9, "link {k}, axis {axis}");
            }
            // The body about its centre of mass is that of the file.
            let tensor = |pi: &[f64; 10]| {
                let [x, y, z] = [1, 2, 3].map(|i| pi[i] / pi[0]);
                let steiner = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y];
                std::array::from_fn::<f64, 6, _>(|i| pi[4 + i] - pi[0] * steiner[i])
            };
            for (a, b) in tensor(&before).into_iter().zip(tensor(&written)) {
                assert!((a - factor * b).abs() < 1e-9, "link {k}: {a} and {b}");
            }
        }
    }
}

/// A plate on the ground moves with nothing and is not to be found; of two links that are one body the one with the mass is.
#[test]
fn links_are_free_if_they_move_and_have_the_mass_of_their_body() {
    let text = r#"{"name": "cart", "link": [
        {"name": "plate", "mass": 3, "com": [0, 0, 0.1], "inertia": [0.1, 0, 0, 0.1, 0, 0.1], "joint": {"type": "fixed"}},
        {"name": "hub", "parent": "plate", "joint": {"name": "turn", "type": "revolute", "axis": [0, 1, 0]}},
        {"name": "arm", "parent": "hub", "mass": 1, "com": [0.2, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
         "joint": {"type": "fixed"}},
        {"name": "ghost", "parent": "arm", "joint": {"name": "wrist", "type": "revolute", "axis": [1, 0, 0]}}]}"#;
    let reading = formats::read_str(text, formats::Format::Json);
    let description = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let model = Model::from_description(&description).unwrap();
    let problem = Problem::new(&model, FRICTION).unwrap();
    let log = record(&problem, &model, &times(12.0, 0.05), moving(&model), errors(&[0.01, 0.01], 0.0, 5));
    let found = consistent(&problem, &log.factors, 1.0).unwrap();
    let links = problem.model().links();
    let bodies: Vec<&str> = found
        .free
        .iter()
        .filter(|k| *k % 10 == 0 && **k < 10 * links.len())
        .map(|k| links[k / 10].name.as_str())
        .collect();
    assert_eq!(bodies, ["arm", "ghost"]);
    // A body of which the file says nothing is small: a thousandth of the robot's mass, three centimetres wide.
    let ghost = 10 * link(&problem, "ghost");
    let known = [0.004, 0.0, 0.0, 0.0, 0.004 * 9e-4, 0.0, 0.0, 0.004 * 9e-4, 0.0, 0.004 * 9e-4];
    (0..10).for_each(|k| assert!((found.prior[ghost + k] - known[k]).abs() < 1e-12, "{k}"));
}

/// Stretches of about as many samples each, left out in turn and told by the others.
#[test]
fn errors_along_the_path_of_weights_are_those_of_refits_without_a_stretch() {
    const PATH: [f64; 9] = [100.0, 31.6, 10.0, 3.16, 1.0, 0.316, 0.1, 0.0316, 0.01];
    let model = with_friction("planar2r");
    let problem = Problem::new(&file(0.7), FRICTION).unwrap();
    // Twice as dense at first, in twenty stretches.
    let sampled: Vec<f64> = times(16.0, 0.1).into_iter().chain((80..200).map(|i| 0.2 * f64::from(i))).collect();
    let log = record(&problem, &model, &sampled, moving(&model), errors(&[3.0, 4.0], 0.4, 9));
    assert_eq!(log.factors.blocks.len(), 20);
    let fitted = consistent(&problem, &log.factors, 1.0).unwrap();
    let dense = dense(&problem, &log, &fitted, Vec::new());
    let total = sampled.len() as f64;
    let (mut fold, mut seen, mut folds) = (0, 0.0, Vec::new());
    for b in 0..20 {
        folds.push(fold);
        seen += sampled.iter().filter(|t| stretch(**t) == b).count() as f64;
        if seen >= total * f64::from(fold + 1) / 8.0 {
            fold += 1;
        }
    }
    let fold_of = |t: f64| folds[stretch(t) as usize];
    let mut left = vec![[0.0; 2]; PATH.len()];
    for fold in 0..8 {
        let mut squares = (DMatrix::zeros(dense.x.len(), dense.x.len()), DVector::zeros(dense.x.len()));
        for (j, weight) in dense.weights.iter().enumerate() {
            let (hessian, linear) = log.squares(j, &dense.free, &dense.others, |t| fold_of(t) != fold);
            squares.0 += hessian * *weight;
            squares.1 += linear * *weight;
        }
        let mut x = dense.prior.point();
        for (gamma, left) in PATH.into_iter().zip(&mut left) {
            x = dense.prior.minimum(&squares, &x, gamma);
            let mut all = dense.others.clone();
            dense.free.iter().enumerate().for_each(|(k, &column)| all[column] = x[k]);
            for (j, left) in left.iter_mut().enumerate() {
                let own = log.joints[j].iter().zip(log.left(j, &all)).filter(|(row, _)| fold_of(row.t) == fold);
                *left += own.map(|(_, left)| left * left).sum::<f64>();
            }
        }
    }
    let chosen = choose_weight(&problem, &log.factors, &Bounds::default()).unwrap();
    assert_eq!((chosen.folds, chosen.path.len()), (8, 9));
    for ((weight, error), (gamma, left)) in chosen.path.iter().zip(PATH.into_iter().zip(left)) {
        let mean = (0..2).map(|j| ((left[j] / total).sqrt() / log.torque(j)).ln()).sum::<f64>() / 2.0;
        assert_eq!(*weight, gamma);
        close(&format!("error with {gamma}"), *error, mean.exp(), 3e-3);
    }
    for (seconds, folds) in [(6.0, 0), (8.0, 4), (10.0, 5)] {
        let log = record(&problem, &model, &times(seconds, 0.1), moving(&model), errors(&[3.0, 4.0], 0.0, 9));
        assert_eq!(choose_weight(&problem, &log.factors, &Bounds::default()).unwrap().folds, folds);
    }
}

/// Drives that push instead of braking: friction ends near zero, on a way whose first steps are too long. The same log many times
/// is as heavy as the largest weights of the file.
#[test]
fn friction_that_would_be_negative_is_as_small_as_the_weight_says() {
    let model = links("");
    let problem = Problem::new(&links(r#", "motor": {"viscous": 10, "coulomb": 10}"#), FRICTION).unwrap();
    let speed = std::cell::Cell::new([0.0; 2]);
    let mut run = moving(&model);
    let motion = |t: f64| {
        let [q, qd, qdd] = run(t);
        speed.set([qd[0], qd[1]]);
        [q, qd, qdd]
    };
    let mut noise = errors(&[0.01, 0.01], 0.0, 5);
    let pushed = |tau: &mut [f64]| {
        noise(tau);
        (0..2).for_each(|j| tau[j] -= 1000.0 * speed.get()[j]);
    };
    let log = record(&problem, &model, &times(6.0, 0.1), motion, pushed);
    let viscous = ["Fv_upper", "Fv_lower"].map(|name| column(&problem, name));
    let mut factors = log.factors.clone();
    for doublings in 1..=32 {
        factors.merge(&factors.clone()).unwrap();
        let copies = 2.0_f64.powi(doublings);
        assert_eq!(factors.samples as f64, 60.0 * copies);
        for share in [0.3, 0.4, 0.52, 0.67, 0.9, 1.5].into_iter().filter(|_| [15, 32].contains(&doublings)) {
            let gamma = share * copies;
            let found = consistent(&problem, &factors, gamma).unwrap();
            let inside = |k: &usize| found.standard[*k] > 0.0 && found.standard[*k] < 10.0;
            assert!(viscous.iter().all(inside), "weight {gamma}");
            let mut dense = dense(&problem, &log, &found, Vec::new());
            dense.squares.0 *= copies;
            dense.squares.1 *= copies;
            let decrement = dense.prior.decrement(&dense.squares, &dense.x, gamma);
            // Half of the squared decrement is met to a millionth of the weight.
            assert!(decrement < 4e-6 * gamma, "weight {gamma}: a step would gain {decrement}");
        }
    }
}

/// In grams all masses are a thousand times as large, and so are torques: the robot is the same.
#[test]
fn in_other_units_of_mass_an_estimate_is_the_same() {
    let in_units = |unit: f64| {
        let motor = |share: f64| format!(r#", "motor": {{"viscous": {0}, "coulomb": {0}}}"#, share * unit);
        let scaled = |motor: &str, density: f64| {
            let edit = Edit::ScaleInertia { link: None, factor: (density * unit).into() };
            Model::from_description(&links(motor).description().clone().edit(&[edit]).unwrap().description).unwrap()
        };
        let (file, truth) = (scaled(&motor(6.0), 1.0), scaled(&motor(0.4), 0.1));
        let problem = Problem::new(&file, FRICTION).unwrap();
        let sizes = [0.02 * unit; 2];
        let log = record(&problem, &truth, &times(12.0, 0.05), moving(&truth), errors(&sizes, 0.0, 5));
        let bounds = |name: &str, most: f64| bounded(&problem, name, [0.02 * unit, most * unit]);
        let bounds = Bounds { total_mass: None, links: vec![bounds("upper", 8.0), bounds("lower", 4.0)] };
        [1.0, 0.05].map(|gamma| {
            let found = consistent_within(&problem, &log.factors, gamma, &bounds).unwrap();
            let limit =
                |k: usize, most: f64| [Limit(vec![(k, 1.0)], -0.02 * unit), Limit(vec![(k, -1.0)], most * unit)];
            let limits = limit(0, 8.0).into_iter().chain(limit(10, 4.0)).collect();
            is_best(&problem, &log, &found, limits, &format!("unit {unit}, weight {gamma}"));
            found
        })
    };
    let (kilograms, others) = (in_units(1.0), in_units(1e4));
    for (a, b) in kilograms.iter().zip(&others) {
        for (k, x) in a.standard.iter().enumerate() {
            assert!((b.standard[k] * 1e-4 - x).abs() < 1e-5 * x.abs().max(1e-3), "{k}: {x} {}", b.standard[k]);
        }
    }
}

/// Two arms on one ground, of which the second stands upright and shows nothing: it stays, and does not hold up the first.
#[test]
fn a_body_that_no_torque_shows_stays_where_it_is_within_its_limits() {
    let text = r#"{"name": "pair", "link": [
        {"name": "upper", "mass": 4, "com": [0.2, 0.03, -0.02], "inertia": [0.05, 0.004, -0.003, 0.09, 0.002, 0.08],
         "parent": "base", "joint": {"name": "swing", "type": "revolute", "axis": [0, 1, 0]}},
        {"name": "lower", "parent": "base", "mass": 1.5, "com": [0.1, -0.02, 0.01],
         "inertia": [0.01, 0.001, 0, 0.02, 0.002, 0.015], "joint": {"name": "turn", "type": "revolute", "axis": [0, 0, 1]}}]}"#;
    let reading = formats::read_str(text, formats::Format::Json);
    let description = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let model = Model::from_description(&description).unwrap();
    let problem = Problem::new(&model, FRICTION).unwrap();
    let mut run = moving(&model);
    let still = |t: f64| {
        let [mut q, mut qd, mut qdd] = run(t);
        (q[1], qd[1], qdd[1]) = (0.7, 0.0, 0.0);
        [q, qd, qdd]
    };
    let mut noise = errors(&[0.3, 0.1], 0.0, 5);
    let heavier = |tau: &mut [f64]| {
        tau[0] *= 1.7;
        noise(tau);
    };
    let log = record(&problem, &model, &times(12.0, 0.05), still, heavier);
    let com = Some([[0.0, 0.3], [-0.1, 0.1], [-0.1, 0.1]]);
    let limits = LinkBounds { com, ..bounded(&problem, "lower", [1.0, 2.5]) };
    let found =
        consistent_within(&problem, &log.factors, 1.0, &Bounds { total_mass: None, links: vec![limits] }).unwrap();
    is_best(&problem, &log, &found, Vec::new(), "two arms");
    let at = 10 * link(&problem, "lower");
    (at..at + 10).for_each(|k| assert!((found.standard[k] - found.prior[k]).abs() < 1e-9));
}
