//! What identification tells beside its numbers, worked out a second way: errors of a comparison, faults, files,
//! reduced problems, poses, payloads and gains.

use crate::logs::{Derivatives, Random, Run, csv, with_friction, without_limits};
use jourdain::dynamics::recursive;
use jourdain::formats::table::Place;
use jourdain::identify::excite::Capsule;
use jourdain::identify::log::{self, Options};
use jourdain::identify::{
    Accumulator, Bounds, Choice, Comparison, Coordinates, Drives, Factors, Gains, IdentifyError, Individual,
    LinkBounds, PRIOR_WEIGHT, Problem, Recorded, Rest, STANDING, Sample, Scale, Screen, choose_weight, consistent,
    consistent_within, gains, payload, poses, solve, study,
};
use jourdain::model::{Edit, Inertial, Payload};
use jourdain::spatial::Vector;
use jourdain::{Model, robots};
use nalgebra::DMatrix;

fn arm() -> (Model<f64>, Problem) {
    (with_friction("planar2r"), Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap())
}

/// Factors of a motion whose samples `change` may alter: state, torques.
fn factors(
    problem: &Problem,
    model: &Model<f64>,
    times: &[f64],
    mut change: impl FnMut(&mut [Vec<f64>; 4]),
) -> Factors {
    let (mut run, mut accumulator) = (Run::new(model, 0.8), Accumulator::new(problem));
    for &t in times {
        run.at(t);
        let mut state = [run.q.clone(), run.qd.clone(), run.qdd.clone(), run.tau.clone()];
        change(&mut state);
        let [q, qd, qdd, tau] = &state;
        accumulator.add(&Sample { t, q, qd, qdd, tau, z: &[] });
    }
    accumulator.finish()
}

fn times(count: u32, step: f64) -> Vec<f64> {
    (0..count).map(|i| step * f64::from(i)).collect()
}

#[test]
fn a_comparison_has_the_sums_of_its_samples_moving_and_standing_apart() {
    let (_, problem) = arm();
    let values = vec![0.0; problem.count()];
    let mut compared = Comparison::new(&problem, &values);
    // With values of zero the error is the torque less what is predicted: nothing.
    let (q, rest) = ([0.1, 0.2], [0.0; 2]);
    for (speed, tau) in [(0.5, [3.0, 0.0]), (STANDING, [4.0, 0.0]), (-0.5, [-1.0, f64::NAN]), (0.0, [2.0, 0.0])] {
        compared.add(&Sample { t: 0.0, q: &q, qd: &[speed, 1.0], qdd: &rest, tau: &tau, z: &[] });
    }
    assert_eq!(compared.samples(), 4);
    let errors = compared.errors();
    let [first, second] = errors[..] else { panic!("two joints") };
    assert!((first.torque - 7.5_f64.sqrt()).abs() < 1e-14 && (first.error - 7.5_f64.sqrt()).abs() < 1e-14);
    assert_eq!((first.largest, first.moves, first.moving, first.standing), (4.0, 0.5, Some(1.0), Some(1.0)));
    assert_eq!(first.relative(), 1.0);
    // No torque, and never at rest.
    assert_eq!((second.torque, second.moves, second.moving, second.standing), (0.0, 1.0, Some(0.0), None));
    assert_eq!(second.relative(), 0.0);
}

#[test]
fn what_is_drawn_of_a_long_log_is_even_and_begins_with_its_first_sample() {
    let (_, problem) = arm();
    let values = vec![0.0; problem.count()];
    let mut compared = Comparison::new(&problem, &values);
    let (q, rest) = ([0.1, 0.2], [0.0; 2]);
    for i in 0..10_000 {
        let t = f64::from(i);
        let tau = [t + 0.5, f64::NAN];
        compared.add(&Sample { t, q: &q, qd: &rest, qdd: &rest, tau: &tau, z: &[] });
    }
    let drawn = compared.drawn();
    assert!(drawn.t.len() > 1000 && drawn.t.len() < 4096, "{}", drawn.t.len());
    let step = drawn.t[1] - drawn.t[0];
    assert!(drawn.t.iter().zip(0..).all(|(t, i)| *t == step * f64::from(i)), "{step}");
    assert!(drawn.t.last().is_some_and(|last| last + step >= 10_000.0), "{:?}", drawn.t.last());
    assert!(drawn.measured[0].iter().zip(&drawn.t).all(|(tau, t)| *tau == t + 0.5));
    assert_eq!((drawn.measured[0].len(), drawn.predicted[0].len()), (drawn.t.len(), drawn.t.len()));
    assert!(drawn.measured[1].is_empty() && drawn.predicted[1].is_empty());
}

#[test]
fn a_second_reading_is_needless_only_where_no_torque_is_a_fault() {
    let (model, problem) = arm();
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    let needless = |faults: usize, rows: u32| {
        let (mut run, mut random, mut choice) = (Run::new(&model, 0.8), Random(4), Choice::default());
        for i in 0..rows {
            run.at(0.02 * f64::from(i));
            let mut tau: Vec<f64> = run.tau.iter().map(|tau| tau + 0.1 * (2.0 * random.uniform() - 1.0)).collect();
            if (i as usize) < faults {
                tau[0] += 10.0;
            }
            choice.add(&Sample { t: f64::from(i), q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
        }
        let screen = Screen::new(&[(&problem, &exact)], &choice);
        (screen.is_needless(), screen.doubtful().to_vec())
    };
    assert_eq!(needless(0, 500), (true, vec![]));
    assert_eq!(needless(3, 500), (false, vec![]));
    // So many that it is the model which does not fit: all of them are kept.
    assert_eq!(needless(100, 500), (true, vec![0]));
    // Not all samples are kept of a long log, so it has to be read again.
    assert_eq!(needless(0, 5000), (false, vec![]));
}

#[test]
fn bytes_that_are_no_factors_are_told_from_those_of_another_form() {
    let (model, problem) = arm();
    let bytes = factors(&problem, &model, &times(50, 0.1), |_| ()).to_bytes();
    let message = |bytes: &[u8]| Factors::from_bytes(bytes).unwrap_err().to_string();
    let with = |mark: &[u8; 8]| [mark, &bytes[8..]].concat();
    assert!(message(&with(b"JDNFACT9")).contains("the form `JDNFACT9`"));
    assert!(message(&with(b"SOMEWHAT")).contains("does not begin as one"));
    assert!(message(b"JDN").contains("does not begin as one"));
    assert!(message(&bytes[..8]).contains("not complete"));
}

/// The values of the file, taken off the torques, or nothing at all.
#[test]
fn what_a_problem_leaves_out_is_as_written_or_zero() {
    let model = with_friction("planar2r");
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let times = times(400, 0.05);
    let whole = factors(&problem, &model, &times, |_| ());
    let prior = problem.prior();
    for left in 0..problem.count() {
        let keep: Vec<bool> = (0..problem.count()).map(|k| k != left).collect();
        for rest in [Rest::AsWritten, Rest::Zero] {
            let reduced = problem.reduced(&keep, rest);
            assert_eq!(reduced.count(), problem.count() - 1);
            // Read anew, or made of the factors of all: the same.
            let selected = whole.select(&problem, &reduced).unwrap();
            let anew = factors(&reduced, &model, &times, |_| ());
            for (a, b) in selected.triangles.iter().zip(&anew.triangles) {
                let x: Vec<f64> = (0..a.width()).map(|k| 0.3 - 0.2 * k as f64).collect();
                assert!((a.square(&x) / b.square(&x) - 1.0).abs() < 1e-9, "{}", problem.names()[left]);
            }
            if rest == Rest::AsWritten {
                let values: Vec<f64> = (0..prior.len()).filter(|k| *k != left).map(|k| prior[k]).collect();
                let mut compared = Comparison::new(&reduced, &values);
                let mut run = Run::new(&model, 0.8);
                run.at(0.7);
                compared.add(&Sample { t: 0.0, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &run.tau, z: &[] });
                assert!(compared.errors().iter().all(|error| error.largest < 1e-9), "{}", problem.names()[left]);
            }
        }
    }
}

#[test]
fn a_joint_of_six_in_other_units_and_a_clock_of_other_units_are_told() {
    let model = with_friction("puma560");
    let problem = Problem::new(&without_limits("puma560"), Drives::default()).unwrap();
    let mut random = Random(2);
    let milli = factors(&problem, &model, &times(600, 0.05), |[.., tau]| {
        tau.iter_mut().for_each(|tau| *tau += 0.01 * random.normal());
        tau[1] *= 1e3;
    });
    let error = solve(&problem, &milli).unwrap_err();
    let joint = &problem.joints()[1];
    assert!(matches!(&error, IdentifyError::Units { what: "torques", joint: told, .. } if told == joint), "{error}");
    // Times two hundred too long: inertias come out with the square of it.
    let (model, problem) = arm();
    let (factor, mut random) = (200.0, Random(3));
    let slow = factors(&problem, &model, &times(1000, 0.05), |[_, qd, qdd, tau]| {
        tau.iter_mut().for_each(|tau| *tau += 1e-4 * random.normal());
        qd.iter_mut().for_each(|x| *x /= factor);
        qdd.iter_mut().for_each(|x| *x /= factor * factor);
    });
    match solve(&problem, &slow) {
        Err(IdentifyError::WrongClock { ratio }) => {
            assert!((0.5..2.0).contains(&(ratio / (factor * factor))), "{ratio}");
        }
        other => panic!("{other:?}"),
    }
}

/// Information by the regressor of each pose, with an offset at every joint.
#[test]
fn deviations_of_poses_are_those_of_a_fit_with_offsets_within_the_limits() {
    let mut description = robots::load("puma560").unwrap().description().clone();
    let limits = [[-1.0, 3.0], [0.5, 1.5], [-2.0, 0.0], [-1.0, 1.0], [0.2, 0.9], [-3.0, -1.0]];
    let moving = description.links.iter_mut().filter(|link| link.joint.limits.is_some());
    for (link, range) in moving.zip(limits) {
        link.joint.limits = Some(range.map(Into::into));
    }
    let model = Model::from_description(&description).unwrap();
    let link = model.links().len() - 1;
    let found = poses(&model, link, 6, 3).unwrap();
    for (at, link) in model.links().iter().enumerate().filter(|(_, link)| link.joint.nv() > 0) {
        let Some([low, high]) = link.limits.position else { continue };
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        for q in &found.poses {
            assert!((q[link.q] - middle).abs() <= 0.95 * half + 1e-12, "link {at}: {} in {low}..{high}", q[link.q]);
        }
    }
    let (n, shown) = (model.nv(), found.shown.len());
    assert_eq!(found.shown, [Inertial::M, Inertial::MX, Inertial::MY, Inertial::MZ]);
    let mut a = DMatrix::<f64>::zeros(n * found.poses.len(), shown + n);
    for (k, q) in found.poses.iter().enumerate() {
        let y = recursive::regressor(&model, q, &vec![0.0; n], &vec![0.0; n]);
        for j in 0..n {
            (0..shown).for_each(|c| a[(n * k + j, c)] = y[(j, 10 * link + c)] / found.noise[j]);
            a[(n * k + j, shown + j)] = 1.0 / found.noise[j];
        }
    }
    let covariance = (a.transpose() * &a).try_inverse().unwrap();
    for (k, deviation) in found.deviations.iter().enumerate() {
        assert!((deviation / covariance[(k, k)].sqrt() - 1.0).abs() < 1e-6, "{k}: {deviation}");
    }
}

#[test]
fn the_centre_of_a_payload_is_known_as_well_as_mass_and_moment_allow() {
    let model = with_friction("planar2r");
    let place = [0.3, -0.2, 0.1];
    let edit = Edit::Payload { link: "link2".to_owned(), payload: Payload::point(2.5.into(), place.map(Into::into)) };
    let description = model.description().clone().edit(&[edit]).unwrap().description;
    let loaded = Model::from_description(&description).unwrap();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let link = model.links().iter().position(|link| link.name == "link2").unwrap();
    for (count, step) in [(7, 0.9), (9, 0.9), (12, 0.9), (1000, 0.05)] {
        let mut random = Random(6);
        let log = factors(&problem, &loaded, &times(count, step), |[.., tau]| {
            tau.iter_mut().for_each(|tau| *tau += 0.1 * random.normal());
        });
        let found = payload(link, Recorded { problem: &problem, factors: &log }, None, PRIOR_WEIGHT).unwrap();
        let mass = found.parameters[0];
        for (axis, deviation) in found.center_deviations.into_iter().enumerate() {
            // c = h/m moves by (δh − c δm)/m, whatever δh and δm have in common.
            let (moment, along) = (found.deviations[1 + axis], found.center()[axis].abs() * found.deviations[0]);
            let (least, most) = ((moment - along).abs() / mass, (moment + along) / mass);
            assert!((0.999 * least..1.001 * most).contains(&deviation), "{axis}: {deviation}, {least} to {most}");
        }
        // Unknowns take at most half of the samples, however few there are.
        for joint in found.joints.iter().filter(|joint| joint.relative() > 1e-6) {
            assert!(joint.noise >= 0.999 * joint.residual && joint.noise < 1.415 * joint.residual, "{joint:?}");
        }
        assert_eq!(found.samples, u64::from(count));
    }
}

/// Gains of a planar arm by a load, with a robot file that weighs too much by a factor.
fn gains_with(file: f64) -> (Gains, [f64; 2]) {
    const GAINS: [f64; 2] = [8.0, -3.0];
    const NOISE: f64 = 0.01;
    let model = with_friction("planar2r");
    let load = Payload::point(2.0.into(), [0.3, 0.1, 0.0].map(Into::into));
    let edit = Edit::Payload { link: "link2".to_owned(), payload: load };
    let heavier = Edit::ScaleInertia { link: None, factor: file.into() };
    let loaded = Model::from_description(&model.description().clone().edit(&[edit]).unwrap().description).unwrap();
    let written = Model::from_description(&model.description().clone().edit(&[heavier]).unwrap().description).unwrap();
    let problem = Problem::new(&written, Drives { armature: false, ..Drives::default() }).unwrap();
    let mut squares = [0.0; 2];
    let mut currents = |model: &Model<f64>, seed: u64| {
        let mut random = Random(seed);
        squares = [0.0; 2];
        factors(&problem, model, &times(1500, 0.02), |[.., tau]| {
            for ((tau, gain), square) in tau.iter_mut().zip(GAINS).zip(&mut squares) {
                *tau = *tau / gain + NOISE * random.normal();
                *square += *tau * *tau / 1500.0;
            }
        })
    };
    let (empty, full) = (currents(&model, 2), currents(&loaded, 1));
    let [full, empty] = [&full, &empty].map(|factors| Recorded { problem: &problem, factors });
    let link = model.links().iter().position(|link| link.name == "link2").unwrap();
    let found = gains(Scale::Payload { link, mass: 2.0 }, full, Some(empty), PRIOR_WEIGHT).unwrap();
    for (gain, exact) in found.gains.iter().zip(GAINS) {
        assert!((gain.value - exact).abs() < 5.0 * gain.deviation, "{} ± {}", gain.value, gain.deviation);
    }
    (found, squares.map(|square| NOISE / square.sqrt()))
}

#[test]
fn neither_gains_nor_their_deviations_depend_on_what_the_file_weighs() {
    let (once, noise) = gains_with(1.0);
    let (thrice, _) = gains_with(3.0);
    for (j, (a, b)) in once.gains.iter().zip(&thrice.gains).enumerate() {
        assert!((a.value / b.value - 1.0).abs() < 0.05, "joint {j}: {} and {}", a.value, b.value);
        assert!((a.deviation / b.deviation - 1.0).abs() < 0.3, "joint {j}: {} and {}", a.deviation, b.deviation);
    }
    // What is left of the currents is their noise.
    for found in [&once, &thrice] {
        for (left, noise) in found.left.iter().zip(noise) {
            assert!((left / noise - 1.0).abs() < 0.1, "{left} and {noise}");
        }
        assert_eq!(found.samples, 3000);
    }
}

#[test]
fn a_current_that_is_always_zero_has_no_gain() {
    let (model, problem) = arm();
    let log = factors(&problem, &model, &times(300, 0.05), |[.., tau]| tau[1] = 0.0);
    let error = gains(Scale::Robot { mass: 10.0 }, Recorded { problem: &problem, factors: &log }, None, PRIOR_WEIGHT);
    assert!(error.unwrap_err().to_string().contains("nothing to do with the torque"));
}

/// The file of planar2r with these links without a body, and what is found from a log of the robot as it is.
fn found_without_masses(names: &[&str]) -> (Model<f64>, jourdain::identify::Consistent) {
    let model = with_friction("planar2r");
    let mut description = robots::load("planar2r").unwrap().description().clone();
    for link in description.links.iter_mut().filter(|link| names.contains(&link.name.as_str())) {
        link.mass = 0.0.into();
        link.inertia = jourdain::model::description::InertiaDescription::AboutCom([0.0; 6].map(Into::into));
    }
    let file = Model::from_description(&description).unwrap();
    let problem = Problem::new(&file, Drives::default()).unwrap();
    let log = factors(&problem, &model, &times(500, 0.05), |_| ());
    let found = consistent(&problem, &log, PRIOR_WEIGHT).unwrap();
    (file, found)
}

#[test]
fn a_link_without_mass_begins_with_a_thousandth_of_the_robot() {
    let (file, found) = found_without_masses(&["link2"]);
    let link = file.links().iter().position(|link| link.name == "link2").unwrap();
    let total: f64 = file.links().iter().map(|link| link.inertia.mass).sum();
    assert!(total > 1.5 && (found.prior[10 * link] / total - 1e-3).abs() < 1e-12, "{}", found.prior[10 * link]);
}

#[test]
fn a_log_is_cut_into_eight_however_its_samples_are_spread() {
    let (model, problem) = arm();
    for late in [false, true] {
        // Most samples are in the last of eight stretches, or in the first.
        let place = |i: u32| if late { 14.0 + 0.002 * f64::from(i) } else { 0.002 * f64::from(i) };
        let even = (0..70).map(|i| 0.2 * f64::from(i) + if late { 0.0 } else { 2.0 });
        let mut all: Vec<f64> = even.chain((0..900).map(place)).collect();
        all.sort_by(f64::total_cmp);
        let mut random = Random(9);
        let log = factors(&problem, &model, &all, |[.., tau]| tau.iter_mut().for_each(|tau| *tau += random.normal()));
        assert_eq!(log.blocks.len(), 8);
        assert_eq!(choose_weight(&problem, &log, &Bounds::default()).unwrap().folds, 8);
    }
}

#[test]
fn offsets_of_their_own_are_those_of_the_problem() {
    let (_, problem) = arm();
    let problem = problem.with_offsets();
    let differs = Individual::none(&problem).with_offsets(&problem).differs();
    let base = problem.unknowns().len();
    assert!(differs.iter().enumerate().all(|(k, differs)| *differs == (k >= base)), "{differs:?}");
    let friction = Individual::none(&problem).with_friction(&problem).differs();
    for (name, differs) in problem.names().iter().zip(friction) {
        assert_eq!(differs, name.starts_with("Fv") || name.starts_with("Fc") || name.starts_with("Fs"), "{name}");
    }
}

#[test]
fn a_study_thins_what_was_asked_to_be_thinned_and_tells_the_load_of_the_drives() {
    let (model, problem) = arm();
    let text = csv(&model, Derivatives::None, 3000, 1000.0, [0.0, 0.01], 3);
    let options = Options { cutoff: Some(20.0), decimate: Some(2), ..Options::default() };
    let mut asked = Vec::new();
    let found = study(&problem, &options, Some(0.0), |options, take| {
        asked.push((options.decimate, options.rows.clone()));
        log::read(text.as_bytes(), problem.model(), options, take)
    })
    .unwrap();
    // Samples five milliseconds apart are enough to judge by: one in five, of one in two.
    assert!(asked.iter().filter(|(_, rows)| rows.is_none()).all(|(decimate, _)| *decimate == Some(10)), "{asked:?}");
    assert!(found.cutoff == Some(20.0) && !found.chosen && found.delay == 0.0);
    assert_eq!(found.load.len(), problem.unknowns().len());
    // With all derivatives in the log nothing is chosen, and the load is that of the consistent fit.
    let text = csv(&model, Derivatives::All, 600, 20.0, [0.0, 0.01], 3);
    let found = study(&problem, &Options::default(), None, |options, take| {
        log::read(text.as_bytes(), problem.model(), options, take)
    })
    .unwrap();
    assert_eq!((found.cutoff, found.delay, found.late.len()), (None, 0.0, 0));
    let exact = Problem::new(&model, Drives::default()).unwrap().prior();
    for ((found, exact), name) in found.load.iter().zip(exact).zip(problem.names()) {
        assert!((found - exact).abs() < 0.02 * exact.abs().max(0.5), "{name}: {found} and {exact}");
    }
}

#[test]
fn times_that_go_back_are_told_to_be_sorted() {
    let (model, problem) = arm();
    let text = csv(&model, Derivatives::All, 40, 20.0, [0.0; 2], 1);
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(10, 30);
    let error = log::read(lines.join("\n").as_bytes(), problem.model(), &Options::default(), |_| ()).unwrap_err();
    assert!(matches!(error, IdentifyError::TimeOrder { .. }), "{error}");
    assert!(error.hint().unwrap().contains("sort them by time"));
    // Nor is a clock that stands still, or runs backwards all the time, a log that is too short, whether or not it is to be smoothed.
    for (derivatives, second) in [(Derivatives::All, Place::Line(3)), (Derivatives::None, Place::Row(2))] {
        let text = csv(&model, derivatives, 40, 20.0, [0.0; 2], 1);
        let lines: Vec<&str> = text.lines().collect();
        let rest = |line: &str| line.split_once(',').unwrap().1.to_owned();
        for step in [0, -1] {
            let rows = lines[1..].iter().enumerate().map(|(i, line)| format!("{},{}", step * i as i32, rest(line)));
            let all: Vec<String> = std::iter::once(lines[0].to_owned()).chain(rows).collect();
            let error = log::read(all.join("\n").as_bytes(), problem.model(), &Options::default(), |_| ()).unwrap_err();
            let IdentifyError::TimeOrder { place, before, now } = error else { panic!("{step}: {error}") };
            assert_eq!((place, before, now), (second, 0.0, f64::from(step)), "{step}");
        }
    }
}

/// Two points far out count for more than many that are near: a capsule is slim by its extent, not by
/// where most points are.
#[test]
fn a_capsule_lies_along_the_largest_extent_of_its_points() {
    for axis in 0..3 {
        let at = |axis: usize, x: f64| Vector(std::array::from_fn(|k| if k == axis { x } else { 0.0 }));
        let near = (0..100).map(|k| at((axis + 1) % 3, if k % 2 == 0 { 1.0 } else { -1.0 }));
        let points: Vec<Vector<f64>> = near.chain([at(axis, 5.0), at(axis, -5.0)]).collect();
        let capsule = Capsule::around_points(&points).unwrap();
        assert!((capsule.radius - 1.0).abs() < 1e-9, "axis {axis}: {}", capsule.radius);
    }
}

/// What is given is the inverse of a matrix with zeros, which only rounding fills.
#[test]
fn coordinates_of_coupled_motors_have_no_dust() {
    let mut random = Random(8);
    for _ in 0..20 {
        let [a, b, c] = std::array::from_fn(|_| 0.1 + 0.5 * random.uniform());
        let rows = [[1.0, a, 0.0, 0.0], [0.0, 1.0, b, 0.0], [c, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let given = DMatrix::from_fn(4, 4, |i, j| rows[i][j]).try_inverse().unwrap();
        let matrix: Vec<Vec<f64>> = given.row_iter().map(|row| row.iter().copied().collect()).collect();
        let coordinates = Coordinates::coupled(4, &matrix).unwrap();
        // The four joints, and three motors that turn with two of them each.
        assert_eq!(coordinates.count(), 7);
        for (k, row) in rows.iter().take(3).enumerate() {
            for (found, expected) in coordinates.row(4 + k).iter().zip(row) {
                assert!(
                    (found - expected).abs() < 1e-13 && (*found == 0.0) == (*expected == 0.0),
                    "{found} {expected}"
                );
            }
        }
    }
}

#[test]
fn limits_that_touch_in_one_mass_leave_no_robot() {
    let (model, problem) = arm();
    let log = factors(&problem, &model, &times(200, 0.05), |_| ());
    let link = problem.model().links().iter().position(|link| link.name == "link2").unwrap();
    let mass = |range: [f64; 2]| LinkBounds { link, mass: Some(range), com: None };
    let within = |links: Vec<LinkBounds>| {
        consistent_within(&problem, &log, PRIOR_WEIGHT, &Bounds { total_mass: None, links })
            .map_err(|error| error.kind())
    };
    assert_eq!(within(vec![mass([0.5, 1.0]), mass([1.0, 2.0])]).unwrap_err(), "bad-bounds");
    assert_eq!(within(vec![mass([0.5, 0.9]), mass([1.0, 2.0])]).unwrap_err(), "bad-bounds");
    assert!(within(vec![mass([0.5, 1.1]), mass([1.0, 2.0])]).is_ok());
}
