//! What a robot holds, from simulated logs: with the robot known, from two logs, and from poses at rest.

use crate::logs::{Derivatives, Random, Run, csv, with_friction};
use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format};
use jourdain::identify::log::{self, Options};
use jourdain::identify::{
    Accumulator, Coordinates, Drives, Factors, IdentifyError, PRIOR_WEIGHT, Payload, Problem, Recorded, Sample,
    payload, poses,
};
use jourdain::model::description::InertiaDescription;
use jourdain::model::{Description, Edit, Number};
use jourdain::{Model, robots};

/// A body that is no point: kg, m, kg m² about its centre.
const MASS: f64 = 2.8;
const CENTER: [f64; 3] = [0.03, -0.05, 0.12];
const TENSOR: [f64; 6] = [0.021, 0.002, -0.001, 0.017, 0.003, 0.009];

fn body() -> jourdain::model::Payload {
    let inertia = InertiaDescription::AboutCom(TENSOR.map(Number::from));
    jourdain::model::Payload { mass: MASS.into(), com: CENTER.map(Number::from), inertia }
}

/// Its ten parameters, by the theorem of Steiner.
fn exact() -> [f64; 10] {
    let [x, y, z] = CENTER;
    let [xx, xy, xz, yy, yz, zz] = TENSOR;
    [
        MASS,
        MASS * x,
        MASS * y,
        MASS * z,
        xx + MASS * (y * y + z * z),
        xy - MASS * x * y,
        xz - MASS * x * z,
        yy + MASS * (x * x + z * z),
        yz - MASS * y * z,
        zz + MASS * (x * x + y * y),
    ]
}

fn loaded(model: &Model<f64>, link: usize) -> Model<f64> {
    let edit = Edit::Payload { link: model.links()[link].name.clone(), payload: body() };
    let description: Description = model.description().clone().edit(&[edit]).unwrap().description;
    Model::from_description(&description).unwrap()
}

/// Factors of a motion of so many seconds, with noise in the torques.
fn factors(problem: &Problem, model: &Model<f64>, seconds: f64, noise: f64, seed: u64) -> Factors {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let mut accumulator = Accumulator::new(problem);
    for i in 0..(50.0 * seconds) as usize {
        let t = 0.02 * i as f64;
        run.at(t);
        let tau: Vec<f64> = run.tau.iter().map(|tau| tau + noise * random.normal()).collect();
        accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    accumulator.finish()
}

fn last(model: &Model<f64>) -> usize {
    model.links().len() - 1
}

fn z(found: &Payload) -> [f64; 10] {
    let exact = exact();
    std::array::from_fn(|k| (found.parameters[k] - exact[k]) / found.deviations[k])
}

#[test]
fn a_body_is_found_with_the_robot_known_and_from_two_logs() {
    let model = with_friction("puma560");
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let link = last(&model);
    let full = factors(&problem, &loaded(&model, link), 40.0, 0.05, 1);
    let empty = factors(&problem, &model, 40.0, 0.05, 2);
    let loaded = Recorded { problem: &problem, factors: &full };
    let known = payload(link, loaded, None, PRIOR_WEIGHT).unwrap();
    let both = payload(link, loaded, Some(Recorded { problem: &problem, factors: &empty }), PRIOR_WEIGHT).unwrap();
    for (name, found) in [("known", known), ("two logs", both)] {
        let z = z(&found);
        assert!(z.iter().all(|z| z.abs() < 4.0), "{name}: {z:?} of {:?} ± {:?}", found.parameters, found.deviations);
        assert!((found.parameters[0] - MASS).abs() < 0.02 * MASS, "{name}: {}", found.parameters[0]);
        assert!((0..10).all(|k| found.is_shown(k)), "{name}: {:?}", found.resolution);
        assert!(found.center().iter().zip(CENTER).all(|(a, b)| (a - b).abs() < 0.01), "{name}: {:?}", found.center());
        assert!(found.joints.iter().all(|fit| (fit.noise / 0.05 - 1.0).abs() < 0.1), "{name}: {:?}", found.joints);
        assert!(found.without[1] > 10.0 * found.joints[1].residual, "{name}: {:?}", found.without);
    }
}

/// From two logs the robot file may be wrong: with it taken as known, its errors are in the payload.
#[test]
fn two_logs_make_up_for_a_robot_file_that_is_wrong() {
    let model = with_friction("puma560");
    let link = last(&model);
    let mut wrong = model.description().clone();
    wrong = wrong.edit(&[Edit::ScaleInertia { link: None, factor: 1.2.into() }]).unwrap().description;
    let problem = Problem::new(&Model::from_description(&wrong).unwrap(), Drives::default()).unwrap();
    let full = factors(&problem, &loaded(&model, link), 40.0, 0.05, 3);
    let empty = factors(&problem, &model, 40.0, 0.05, 4);
    let recorded = Recorded { problem: &problem, factors: &full };
    let known = payload(link, recorded, None, PRIOR_WEIGHT).unwrap();
    let both = payload(link, recorded, Some(Recorded { problem: &problem, factors: &empty }), PRIOR_WEIGHT).unwrap();
    assert!((known.parameters[0] - MASS).abs() > 0.1 * MASS, "{}", known.parameters[0]);
    assert!((both.parameters[0] - MASS).abs() < 0.01 * MASS, "{}", both.parameters[0]);
    let z = z(&both);
    assert!(z.iter().all(|z| z.abs() < 4.0), "{z:?}");
}

#[test]
fn deviations_of_a_payload_hold() {
    const RUNS: u64 = 60;
    let model = with_friction("puma560");
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let link = last(&model);
    let truth = loaded(&model, link);
    let (mut inside, mut squares) = (0, 0.0);
    for seed in 0..RUNS {
        let factors = factors(&problem, &truth, 20.0, 0.3, 100 + seed);
        let found = payload(link, Recorded { problem: &problem, factors: &factors }, None, PRIOR_WEIGHT).unwrap();
        for z in z(&found) {
            inside += usize::from(z.abs() < 1.96);
            squares += z * z;
        }
    }
    let all = 10.0 * RUNS as f64;
    let (share, rms) = (inside as f64 / all, (squares / all).sqrt());
    assert!((0.90..=0.995).contains(&share), "{share} inside, rms {rms}");
}

/// At rest, with poses of the search: mass and centre, and nothing said of the tensor. The second witness is the planar arm, whose
/// torques at rest are those of weights at the ends of levers.
#[test]
fn poses_at_rest_show_mass_and_centre_alone() {
    let model = robots::load("puma560").unwrap();
    let link = last(&model);
    let truth = loaded(&model, link);
    let mut random = Random(7);
    let mut text = crate::logs::heading(model.nv(), Derivatives::None);
    let chosen = poses(&model, link, 12, 5).unwrap();
    let rest = vec![0.0; model.nv()];
    for (row, q) in chosen.poses.iter().enumerate() {
        let tau = recursive::inverse_dynamics(&truth, q, &rest, &rest, &[]);
        let numbers: Vec<f64> = q.iter().copied().chain(tau.iter().map(|tau| tau + 0.05 * random.normal())).collect();
        let cells: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        text += &format!("{row},{}\n", cells.join(","));
    }
    let none = Drives { armature: false, viscous: false, coulomb: false };
    let problem = Problem::new(&model, none).unwrap().with_offsets();
    let mut accumulator = Accumulator::new(&problem);
    let options = Options { at_rest: true, ..Options::default() };
    let summary = log::read(text.as_bytes(), &model, &options, |sample| accumulator.add(sample)).unwrap();
    assert_eq!(summary.samples, 12);
    let factors = accumulator.finish();
    let found = payload(link, Recorded { problem: &problem, factors: &factors }, None, PRIOR_WEIGHT).unwrap();
    let z = z(&found);
    assert!(z[..4].iter().all(|z| z.abs() < 4.0), "{z:?}");
    assert!((found.parameters[0] - MASS).abs() < 0.1, "{}", found.parameters[0]);
    assert!((0..10).all(|k| found.is_shown(k) == (k < 4)), "{:?}", found.resolution);
}

#[test]
fn a_mass_at_the_end_of_an_arm_in_a_plane_weighs_what_its_lever_says() {
    let model = robots::load("planar2r").unwrap();
    let problem = Problem::new(&model, Drives { armature: false, viscous: false, coulomb: false }).unwrap();
    let mut accumulator = Accumulator::new(&problem);
    let rest = [0.0; 2];
    // Link lengths by the positions of the second joint, from the file.
    let (mass, lever, length) = (1.3, 0.25, model.links()[1].placement.translation.0[0]);
    let gravity = model.gravity().0.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (i, q) in [[0.1, 0.3], [1.2, -0.7], [2.0, 1.4], [-0.6, 2.2], [0.5, -2.0]].iter().enumerate() {
        let mut tau = recursive::inverse_dynamics(&model, q, &rest, &rest, &[]);
        let elbow = mass * gravity * lever * (q[0] + q[1]).cos();
        tau[0] += mass * gravity * length * q[0].cos() + elbow;
        tau[1] += elbow;
        accumulator.add(&Sample { t: i as f64, q, qd: &rest, qdd: &rest, tau: &tau, z: &[] });
    }
    let factors = accumulator.finish();
    let found = payload(1, Recorded { problem: &problem, factors: &factors }, None, PRIOR_WEIGHT).unwrap();
    assert!((found.parameters[0] - mass).abs() < 1e-6, "{:?}", found.parameters);
    assert!((found.parameters[1] - mass * lever).abs() < 1e-6 && found.parameters[2].abs() < 1e-6);
    assert!(!found.is_shown(3), "{:?}", found.resolution);
}

#[test]
fn what_no_joint_feels_is_refused() {
    let text = "name = \"cart\"\n[[link]]\nname = \"plate\"\nparent = \"base\"\njoint = { type = \"fixed\" }\nmass = 3.0\n\
                [[link]]\nname = \"arm\"\nparent = \"plate\"\njoint = { type = \"revolute\", axis = [0, 1, 0] }\nmass = 1.0\n\
                com = [0.2, 0.0, 0.0]\ninertia = [0.01, 0, 0, 0.01, 0, 0.01]\n";
    let reading = formats::read_str(text, Format::Toml);
    let model = Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)));
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let factors = factors(&problem, &model, 10.0, 0.01, 1);
    let recorded = Recorded { problem: &problem, factors: &factors };
    let refused = payload(0, recorded, None, PRIOR_WEIGHT).unwrap_err();
    assert_eq!(refused, IdentifyError::Unfelt { link: "plate".to_owned() });
    assert_eq!(payload(1, recorded, None, 0.0).unwrap_err().kind(), "bad-weight");
}

/// With the model of the drives, read from text, beside the Coulomb friction that this robot has.
#[test]
fn a_body_is_found_beside_the_model_of_the_drives() {
    let model = with_friction("planar2r");
    let drives = Drives { armature: true, viscous: true, coulomb: true };
    let coordinates = Coordinates::joints(2);
    let problem = Problem::new(&model, drives).unwrap().with_terms(&coordinates, None);
    let text = csv(&loaded(&model, 1), Derivatives::All, 6000, 200.0, [0.0, 0.05], 11);
    let mut accumulator = Accumulator::new(&problem);
    let options = Options { coordinates: Some(coordinates), ..Options::default() };
    log::read(text.as_bytes(), &model, &options, |sample| accumulator.add(sample)).unwrap();
    let factors = accumulator.finish();
    let found = payload(1, Recorded { problem: &problem, factors: &factors }, None, PRIOR_WEIGHT).unwrap();
    let exact = exact();
    for k in [0, 1, 2, 9] {
        let off = (found.parameters[k] - exact[k]).abs();
        assert!(off < 0.03 * exact[0].min(1.0), "{k}: {} instead of {}", found.parameters[k], exact[k]);
    }
    assert!([0, 1, 2, 9].iter().all(|k| found.is_shown(*k)), "{:?}", found.resolution);
    assert!([3, 4, 5, 6, 7, 8].iter().all(|k| !found.is_shown(*k)), "{:?}", found.resolution);
}
