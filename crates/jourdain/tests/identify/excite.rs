//! Exciting motions keep to every limit: witnesses that know nothing of how the motion was made.

use jourdain::dynamics::recursive;
use jourdain::formats::{Format, read_str};
use jourdain::identify::excite::{
    Clearance, Criterion, Degree, Excitation, Options, Series, Spline, Surroundings, bounds, excite,
};
use jourdain::identify::{Drives, IdentifyError, Problem};
use jourdain::spatial::Vector;
use jourdain::{Model, kinematics, robots};
use std::ops::ControlFlow;

fn run(model: &Model<f64>, options: &Options) -> Result<Excitation, IdentifyError> {
    let problem = Problem::new(model, Drives::default()).unwrap();
    excite(&problem, options, |_| ControlFlow::Continue(()))
}

fn quick() -> Options {
    Options { starts: 2, steps: 60, ..Options::default() }
}

fn clear(model: &Model<f64>, around: &Surroundings) -> Option<Clearance> {
    let (bounds, _) = bounds(model, &Options::default()).unwrap();
    Some(Clearance::new(model, &bounds, around, |_| None))
}

/// Limits of all orders, derivatives being differences of positions, and torques by the equations of motion, at times of no grid.
#[test]
fn differences_of_positions_keep_to_velocity_acceleration_jerk_and_effort() {
    let model = robots::load("ur5").unwrap();
    let jerk = vec![30.0, 30.0, 30.0, 60.0, 60.0, 60.0];
    let options = Options { acceleration: vec![4.0], jerk: jerk.clone(), effort_share: Some(0.5), ..quick() };
    let found = run(&model, &options).unwrap();
    let (n, h) = (5003, found.period / 5003.0);
    let position = |i: i32| found.at(h * f64::from(i))[0].clone();
    let mut torques = [0.0_f64; 6];
    for i in 0..n {
        let around: Vec<Vec<f64>> = (-2..=2).map(|k| position(i + k)).collect();
        let difference = |weights: [f64; 5], order: i32| -> Vec<f64> {
            (0..6).map(|j| (0..5).map(|k| weights[k] * around[k][j]).sum::<f64>() / h.powi(order)).collect()
        };
        let qd = difference([0.0, -0.5, 0.0, 0.5, 0.0], 1);
        let qdd = difference([0.0, 1.0, -2.0, 1.0, 0.0], 2);
        let qddd = difference([-0.5, 1.0, 0.0, -1.0, 0.5], 3);
        let tau = recursive::inverse_dynamics(&model, &around[2], &qd, &qdd, &[]);
        for (j, link) in model.links().iter().filter(|link| link.joint.nv() == 1).enumerate() {
            let [low, high] = link.limits.position.unwrap();
            assert!(around[2][j] >= low && around[2][j] <= high);
            assert!(qd[j].abs() <= link.limits.velocity.unwrap() && qdd[j].abs() <= 4.0 && qddd[j].abs() <= jerk[j]);
            assert!(tau[j].abs() <= 0.502 * link.limits.effort.unwrap(), "{j}: {}", tau[j]);
            torques[j] = torques[j].max(tau[j].abs());
        }
    }
    for (seen, told) in torques.iter().zip(&found.reached.torques) {
        assert!((seen / told - 1.0).abs() < 0.01, "{seen} and {told}");
    }
    for t in [0.0, found.period] {
        let [_, qd, qdd, _] = found.at(t);
        assert!(qd.iter().chain(&qdd).all(|x| x.abs() < 1e-9), "at rest");
    }
}

/// The heights of the tips of a planar arm, by trigonometry.
#[test]
fn a_planar_arm_keeps_its_tips_above_the_ground() {
    let model = robots::load("planar2r").unwrap();
    let (radius, ground, margin) = (0.05, -0.45, 0.02);
    let around = Surroundings { ground: Some(ground), margin, radius: Some(radius), ..Surroundings::default() };
    let free = run(&model, &quick()).unwrap();
    let kept = run(&model, &Options { clearance: clear(&model, &around), ..quick() }).unwrap();
    let lowest = |found: &Excitation| {
        (0..20_000)
            .map(|i| {
                let q = found.at(found.period * f64::from(i) / 20_000.0)[0].clone();
                let first = 0.5 * q[0].sin();
                first.min(first + 0.4 * (q[0] + q[1]).sin()) - radius
            })
            .fold(f64::INFINITY, f64::min)
    };
    assert!(lowest(&free) < ground, "without a ground the arm goes through it: {}", lowest(&free));
    assert!(lowest(&kept) >= ground + margin, "{}", lowest(&kept));
    let told = kept.reached.nearest.unwrap().distance;
    assert!((lowest(&kept) - ground - told).abs() < 2e-3, "{} and {told}", lowest(&kept) - ground);
}

const SHAPES: &str = r#"
name = "boxes"
[[link]]
name = "turn"
parent = "base"
mass = 4.0
com = [0.0, 0.0, 0.2]
inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]
joint = { type = "revolute", axis = [0, 0, 1], limits = [-3.0, 3.0], velocity = 2.0, effort = 100.0 }
shape = [{ type = "cylinder", size = [0.08, 0.4], origin = { xyz = [0.0, 0.0, 0.2] } }]
[[link]]
name = "upper"
parent = "turn"
mass = 3.0
com = [0.25, 0.0, 0.0]
inertia = [0.02, 0.1, 0.1, 0.0, 0.0, 0.0]
origin = { xyz = [0.0, 0.0, 0.4] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2.8, 2.8], velocity = 2.0, effort = 100.0 }
shape = [{ type = "box", size = [0.5, 0.08, 0.08], origin = { xyz = [0.25, 0.0, 0.0] } }]
[[link]]
name = "fore"
parent = "upper"
mass = 2.0
com = [0.2, 0.0, 0.0]
inertia = [0.01, 0.05, 0.05, 0.0, 0.0, 0.0]
origin = { xyz = [0.5, 0.0, 0.0] }
joint = { type = "revolute", axis = [0, 1, 0], limits = [-2.8, 2.8], velocity = 2.0, effort = 50.0 }
shape = [{ type = "capsule", size = [0.05, 0.4], origin = { xyz = [0.2, 0.0, 0.0], rpy = [0.0, 1.5707963267948966, 0.0] } }]
"#;

fn boxes() -> Model<f64> {
    let reading = read_str(SHAPES, Format::Toml);
    assert!(reading.description.is_some(), "{:?}", reading.diagnostics);
    Model::from(reading.description.unwrap())
}

/// The forearm is all points within 5 cm of its axis, the column is a cylinder: both are sampled, at many times.
#[test]
fn links_with_shapes_keep_clear_of_each_other_and_of_the_ground() {
    let model = boxes();
    let margin = 0.03;
    let around = Surroundings { ground: Some(0.0), between_links: true, margin, ..Surroundings::default() };
    let nearest = |found: &Excitation| {
        let (mut column, mut floor) = (f64::INFINITY, f64::INFINITY);
        for i in 0..4000 {
            let q = found.at(found.period * f64::from(i) / 4000.0)[0].clone();
            let poses = kinematics::poses(&model, &q);
            for k in 0..=40 {
                let p = poses[2].apply(Vector([0.01 * f64::from(k), 0.0, 0.0]));
                floor = floor.min(p[2] - 0.05);
                // From a point to a cylinder of 8 cm between the floor and 40 cm.
                let (across, above) = ((p[0].hypot(p[1]) - 0.08).max(0.0), (p[2] - 0.4).max(0.0).max(-p[2]));
                column = column.min(across.hypot(above) - 0.05);
            }
        }
        [column, floor]
    };
    let free = nearest(&run(&model, &quick()).unwrap());
    assert!(free.iter().any(|distance| *distance < 0.0), "without shapes it runs into itself or the ground: {free:?}");
    let options = Options { clearance: clear(&model, &around), steps: 150, ..quick() };
    let kept = run(&model, &options).unwrap();
    assert!(nearest(&kept).iter().all(|distance| *distance >= margin), "{:?}", nearest(&kept));
    assert!(kept.quality.condition < kept.random && kept.quality.condition < 100.0, "{}", kept.quality.condition);
    let told = kept.notices.iter().find(|notice| notice.contains("touch")).map(String::as_str);
    assert_eq!(told, Some("these touch in every posture and may: turn and the ground"));
}

#[test]
fn a_criterion_is_best_by_its_own_measure() {
    let model = robots::load("scara").unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let one = vec![problem.names().iter().position(|name| name.starts_with("Fc")).unwrap()];
    let of = |criterion: Criterion| run(&model, &Options { criterion, steps: 150, ..quick() }).unwrap().quality;
    let condition = of(Criterion::Condition);
    let volume = of(Criterion::Determinant);
    let deviation = of(Criterion::Deviation(one.clone()));
    assert!(condition.condition <= volume.condition.min(deviation.condition));
    assert!(deviation.deviations[one[0]] <= condition.deviations[one[0]].min(volume.deviations[one[0]]));
    assert!((deviation.criterion - deviation.deviations[one[0]]).abs() < 1e-9 * deviation.criterion);
}

#[test]
fn a_motion_that_is_given_is_where_the_search_begins() {
    let model = robots::load("scara").unwrap();
    let first = run(&model, &quick()).unwrap();
    // Through samples of positions, as files have them.
    let rows: Vec<Vec<f64>> = (0..200).map(|i| first.at(first.period * f64::from(i) / 200.0)[0].clone()).collect();
    let from: Vec<Series> =
        (0..4).map(|j| Series::through(&rows.iter().map(|row| row[j]).collect::<Vec<_>>(), 5)).collect();
    let same = run(&model, &Options { from: Some(from.clone()), steps: 0, ..quick() }).unwrap();
    assert!((same.quality.condition / first.quality.condition - 1.0).abs() < 1e-6);
    assert!((same.given_criterion.unwrap() / first.quality.condition - 1.0).abs() < 1e-6);
    let better = run(&model, &Options { from: Some(from), steps: 100, seed: 9, ..quick() }).unwrap();
    assert!(better.quality.condition < first.quality.condition);
    let wrong = run(&model, &Options { from: Some(Vec::new()), ..quick() }).unwrap_err();
    assert_eq!(wrong.kind(), "bad-search");
}

#[test]
fn a_robot_that_cannot_hold_itself_or_stands_in_the_way_has_no_motion() {
    let model = robots::load("planar2r").unwrap();
    let weak = run(&model, &Options { effort_share: Some(1e-3), ..quick() }).unwrap_err();
    assert_eq!((weak.kind(), weak.is_unsolved()), ("no-motion", true));
    assert!(weak.to_string().contains("would need"), "{weak}");
    // A vertical plane of motion has no height of half a metre everywhere.
    let around = Surroundings { ground: Some(0.6), radius: Some(0.02), ..Surroundings::default() };
    let buried = run(&model, &Options { clearance: clear(&model, &around), ..quick() }).unwrap_err();
    assert!(buried.kind() == "no-motion" && buried.to_string().contains("ground"), "{buried}");
    let several = run(&model, &Options { jerk: vec![1.0; 3], ..quick() }).unwrap_err();
    assert_eq!(several.kind(), "bad-search");
}

/// Splines against Hermite's formula in Bernstein form, at times between the knots.
#[test]
fn splines_through_knots_stay_with_the_motion_and_within_what_is_told() {
    let model = robots::load("ur5").unwrap();
    let found = run(&model, &Options { acceleration: vec![5.0], ..quick() }).unwrap();
    for (degree, close) in [(Degree::Cubic, 2e-4), (Degree::Quintic, 1e-6)] {
        let spline = Spline::new(&found, 20.0, degree);
        assert_eq!((spline.times.len(), spline.times[200]), (201, found.period));
        assert!(spline.deviation < close, "{degree:?}: {}", spline.deviation);
        let h = spline.times[1];
        let mut farthest = 0.0_f64;
        for (pair, t) in spline.knots.windows(2).zip(&spline.times) {
            for j in 0..6 {
                let [[p, v, a], [p1, v1, a1]] = [0, 1].map(|end| [0, 1, 2].map(|r| pair[end][r][j]));
                let points = match degree {
                    Degree::Cubic => vec![p, p + h * v / 3.0, p1 - h * v1 / 3.0, p1],
                    Degree::Quintic => vec![
                        p,
                        p + h * v / 5.0,
                        p + 2.0 * h * v / 5.0 + h * h * a / 20.0,
                        p1 - 2.0 * h * v1 / 5.0 + h * h * a1 / 20.0,
                        p1 - h * v1 / 5.0,
                        p1,
                    ],
                };
                for i in 1..10 {
                    let s = f64::from(i) / 10.0;
                    let mut level = points.clone();
                    while level.len() > 1 {
                        level = level.windows(2).map(|pair| (1.0 - s) * pair[0] + s * pair[1]).collect();
                    }
                    let [low, high] = spline.extents[j].position;
                    assert!(level[0] >= low - 1e-6 && level[0] <= high + 1e-6);
                    farthest = farthest.max((level[0] - found.at(t + s * h)[0][j]).abs());
                }
            }
        }
        assert!(farthest <= spline.deviation * 1.0001 && farthest > 0.8 * spline.deviation);
        for (extent, exact) in spline.extents.iter().zip(&found.extents) {
            assert!(extent.speed <= exact.speed * 1.01 && extent.acceleration <= exact.acceleration * 1.02);
        }
    }
}
