//! Estimates that no robot gives: torques of made-up base parameters along motions that show them.

use super::robot;
use crate::logs::Random;
use jourdain::Model;
use jourdain::dynamics::recursive;
use jourdain::identify::{Accumulator, Drives, Estimate, Factors, IdentifyError, Problem, Sample, solve};

const NO_FRICTION: Drives = Drives { armature: false, viscous: false, coulomb: false };

/// Two joints about z, half a metre apart, with gravity along −y; the centre of mass of the second link is `com` from its joint.
fn arm(com: f64, motor: &str) -> Model<f64> {
    robot(&format!(
        "name = \"arm\"\ngravity = [0, -9.81, 0]\n\
         [[link]]\nname = \"one\"\nparent = \"base\"\nmass = 4.0\ncom = [0.25, 0, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.25]\n\
         joint = {{ name = \"shoulder\", type = \"continuous\", axis = [0, 0, 1] }}\n\
         [[link]]\nname = \"two\"\nparent = \"one\"\nmass = 2.0\ncom = [{com}, 0, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.5]\n\
         origin = {{ xyz = [0.5, 0, 0] }}\njoint = {{ name = \"elbow\", type = \"continuous\", axis = [0, 0, 1] }}\n{motor}"
    ))
}

/// Where joints are, and how fast things change.
struct Course {
    /// Middle and half the range of each position.
    places: [[f64; 2]; 2],
    acceleration: f64,
    noise: f64,
    /// Torques that are measured.
    measured: [bool; 2],
}

const WIDE: Course =
    Course { places: [[0.2, 1.0], [0.5, 1.5]], acceleration: 3.0, noise: 1e-5, measured: [true, true] };

/// Samples with the torques of such values of the unknowns, and those of what is known, times a factor.
fn factors(problem: &Problem, values: &[f64], factor: f64, course: &Course, seed: u64) -> Factors {
    let (mut random, mut accumulator) = (Random(seed), Accumulator::new(problem));
    for i in 0..300 {
        let mut draw = |middle: f64, half: f64| middle + half * (2.0 * random.uniform() - 1.0);
        let q = course.places.map(|[middle, half]| draw(middle, half));
        let (qd, qdd) = ([draw(0.0, 1.0), draw(0.0, 1.0)], [0; 2].map(|_| draw(0.0, course.acceleration)));
        let regressor = recursive::regressor(problem.model(), &q, &qd, &qdd);
        let torque = |j: usize| {
            let unknown: f64 = (0..problem.count()).map(|k| regressor[(j, problem.column(k))] * values[k]).sum();
            unknown + problem.known().iter().map(|&(column, x)| regressor[(j, column)] * x).sum::<f64>()
        };
        let mut tau = [0, 1].map(|j| factor * torque(j));
        for (tau, measured) in tau.iter_mut().zip(course.measured) {
            *tau += course.noise * random.normal();
            if !measured {
                *tau = f64::NAN;
            }
        }
        accumulator.add(&Sample { t: 0.05 * f64::from(i), q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
    }
    accumulator.finish()
}

/// Values by their names; the others are those of the robot file.
fn values(problem: &Problem, changed: &[(&str, f64)]) -> Vec<f64> {
    let mut values = problem.prior();
    for (name, value) in changed {
        let at = problem.names().iter().position(|own| own == name);
        values[at.unwrap_or_else(|| panic!("no {name} in {:?}", problem.names()))] = *value;
    }
    values
}

fn estimate(
    problem: &Problem,
    changed: &[(&str, f64)],
    factor: f64,
    course: &Course,
) -> Result<Estimate, IdentifyError> {
    solve(problem, &factors(problem, &values(problem, changed), factor, course, 7))
}

#[track_caller]
fn is_clock(found: Result<Estimate, IdentifyError>, known: f64) {
    match found {
        Err(IdentifyError::WrongClock { ratio }) => assert!((ratio / known - 1.0).abs() < 1e-3, "{ratio}, not {known}"),
        other => panic!("{other:?} instead of {known}"),
    }
}

/// With the second centre of mass on its axis inertias are the same everywhere: M₁₁ = ZZR1 + ZZ2, M₂₂ = ZZ2 + rotor.
#[test]
fn inertias_that_are_all_far_from_the_file_tell_a_wrong_clock_by_their_mean() {
    let model = arm(0.0, "motor = { inertia = 1.5e-4, ratio = 100.0 }");
    let problem = Problem::new(&model, NO_FRICTION).unwrap();
    assert_eq!(problem.known().len(), 1);
    // ZZR1 = 0.25 + 4·0.25² + 2·0.5².
    let (first, second) = (1.0_f64 + 0.5, 0.5_f64 + 1.5);
    assert_eq!(problem.prior()[problem.names().iter().position(|name| name == "ZZR1").unwrap()], 1.0);
    // So slow that the weight is most of the torque, which is the same.
    let slow = Course { acceleration: 1e-5, noise: 1e-8, ..WIDE };
    let (zz1, zz2) = (3e6_f64, 4e4_f64);
    let ratio = ((zz1 + zz2) / first * (zz2 + 1.5) / second).sqrt();
    is_clock(estimate(&problem, &[("ZZR1", zz1), ("ZZ2", zz2)], 1.0, &slow), ratio);
    let ratio = ((zz1 + 0.2) / first * (0.2 + 1.5) / second).sqrt();
    assert!(ratio < 1e4);
    assert!(estimate(&problem, &[("ZZR1", zz1), ("ZZ2", 0.2)], 1.0, &slow).is_ok());
    // Far too small, and far below one: 2e-6 over 1.5 and 1e-6 over 2.
    let fast = Course { acceleration: 1e3, noise: 1e-6, ..WIDE };
    let small = [("ZZR1", 1.5 + 1e-6), ("ZZ2", -1.5 + 1e-6)];
    is_clock(estimate(&problem, &small, 1.0, &fast), (2e-6 / first * 1e-6 / second).sqrt());
}

#[test]
fn inertias_that_the_motion_hardly_shows_tell_nothing_of_the_clock() {
    let problem = Problem::new(&arm(0.0, ""), NO_FRICTION).unwrap();
    // Deviations of ten thousand and more; one inertia may come out far above, one far below zero.
    let blurred = Course { acceleration: 1e-7, noise: 0.2, ..WIDE };
    for seed in 0..6 {
        let found = solve(&problem, &factors(&problem, &problem.prior(), 1.0, &blurred, seed));
        let found = found.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let at = problem.names().iter().position(|name| name == "ZZR1").unwrap();
        assert!(found.deviations[at] > 1e4, "{:?}", found.deviations);
    }
}

#[test]
fn torques_that_are_all_far_from_the_file_are_in_other_units() {
    for com in [0.0, 0.3] {
        let problem = Problem::new(&arm(com, ""), NO_FRICTION).unwrap();
        for factor in [1e3, 1e-3, 400.0] {
            let found = estimate(&problem, &[], factor, &Course { noise: 1e-8, ..WIDE });
            match found {
                Err(IdentifyError::WrongScale { ratio }) => assert!((ratio / factor - 1.0).abs() < 1e-4, "{ratio}"),
                other => panic!("{other:?} of {factor}"),
            }
        }
        for factor in [250.0, 1.0 / 250.0] {
            assert!(estimate(&problem, &[], factor, &Course { noise: 1e-8, ..WIDE }).is_ok(), "{factor}");
        }
    }
}

/// A file without a second link says nothing of how far its inertia is off.
#[test]
fn a_file_without_inertia_is_no_measure() {
    let text = "name = \"arm\"\ngravity = [0, -9.81, 0]\n\
         [[link]]\nname = \"one\"\nparent = \"base\"\nmass = 0.0\n\
         joint = { name = \"shoulder\", type = \"continuous\", axis = [0, 0, 1] }\n\
         [[link]]\nname = \"two\"\nparent = \"one\"\nmass = 0.0\norigin = { xyz = [0.5, 0, 0] }\n\
         joint = { name = \"elbow\", type = \"continuous\", axis = [0, 0, 1] }\n";
    let problem = Problem::new(&robot(text), NO_FRICTION).unwrap();
    assert!(problem.prior().iter().all(|x| *x == 0.0));
    let there = [("ZZR1", 1.0), ("ZZ2", 0.5), ("mXR1", 2.0)];
    let found = estimate(&problem, &there, 1.0, &WIDE).unwrap();
    found.values.iter().zip(values(&problem, &there)).for_each(|(a, b)| assert!((a - b).abs() < 1e-3));
}

/// M₁₁ = ZZR1 + ZZ2 + 2·0.5·(mX2 cos q₂ − mY2 sin q₂), here size·(cos half − cos(q₂ − middle)), is negative within `half` of the
/// middle alone.
fn negative_about(middle: f64, half: f64, size: f64) -> Vec<(&'static str, f64)> {
    let whole = size * half.cos();
    vec![("ZZR1", whole - 0.5), ("ZZ2", 0.5), ("mX2", -size * middle.cos()), ("mY2", size * middle.sin())]
}

fn wrong_sign(all: bool, joints: &[&str]) -> IdentifyError {
    IdentifyError::WrongSign { all, joints: joints.iter().map(|joint| (*joint).to_owned()).collect() }
}

#[test]
fn an_inertia_below_zero_all_over_the_motion_and_nowhere_else_is_a_wrong_sign() {
    let problem = Problem::new(&arm(0.3, ""), NO_FRICTION).unwrap();
    for (middle, half) in [(1.3, 0.3), (-1.3, 0.3), (2.0, 0.8), (0.1, 0.4)] {
        let course = Course { places: [[0.2, 1.0], [middle, half]], ..WIDE };
        let all_over = negative_about(middle, half + 0.02, 3.0);
        assert_eq!(estimate(&problem, &all_over, 1.0, &course).unwrap_err(), wrong_sign(false, &["shoulder"]));
        // In the lower, the upper or the middle part alone it is none.
        for (shift, wide) in [(-1.0, 0.9), (1.0, 0.9), (0.0, 0.5)] {
            let part = negative_about(middle + shift * half, half * wide, 3.0);
            assert!(estimate(&problem, &part, 1.0, &course).is_ok(), "{middle} {shift}");
        }
    }
    // Torques with the other sign are those of a robot below zero; what was not measured says nothing.
    let turned = |measured: [bool; 2]| estimate(&problem, &[], -1.0, &Course { measured, ..WIDE }).unwrap_err();
    assert_eq!(turned([true, true]), wrong_sign(true, &["shoulder", "elbow"]));
    assert_eq!(turned([true, false]), wrong_sign(true, &["shoulder"]));
}

/// With the other sign a drive would push where it brakes.
#[test]
fn a_joint_that_brakes_has_the_right_sign_but_is_warned_of() {
    let problem = Problem::new(&arm(0.3, ""), Drives::default()).unwrap();
    let course = Course { places: [[0.2, 1.0], [1.3, 0.3]], noise: 1e-4, ..WIDE };
    let with = |friction: [(&'static str, f64); 2]| [negative_about(1.3, 0.32, 3.0), friction.to_vec()].concat();
    let (first, second) =
        (|value: f64| [("Fv1", value), ("Fc1", value)], |value: f64| [("Fv2", value), ("Fc2", value)]);
    let braking = estimate(&problem, &with(first(0.3)), 1.0, &course).unwrap();
    let warning = "joint `shoulder` comes out with a negative inertia: its torques may be late, its sign or a coupling of its motor wrong";
    assert!(braking.warnings.iter().any(|own| own == warning), "{:?}", braking.warnings);
    // Friction of another joint, none, or such as pushes are no sign of it.
    for friction in [second(0.3), first(0.0), first(-0.3)] {
        let error = estimate(&problem, &with(friction), 1.0, &course).unwrap_err();
        assert_eq!(error, wrong_sign(false, &["shoulder"]));
    }
    // The same with much noise.
    let noisy = Course { noise: 0.2, places: [[0.2, 1.0], [1.3, 0.3]], acceleration: 100.0, ..WIDE };
    let found = estimate(&problem, &with(first(3.5)), 1.0, &noisy).unwrap();
    assert!(found.warnings.iter().any(|own| own == warning), "{:?}", found.warnings);
}
