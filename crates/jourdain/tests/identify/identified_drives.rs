//! A robot that is identified with its drives and written to a file predicts what the estimate does.

use crate::logs::{Random, Run};
use jourdain::dynamics::memory::Memory;
use jourdain::formats::{self, Format, to_toml};
use jourdain::identify::{
    Accumulator, Comparison, Coordinates, Drives, Hysteresis, LENGTHS, PRIOR_WEIGHT, Problem, Sample, consistent,
    robot_with_drives,
};
use jourdain::model::description::{MotorDescription, ShaftDescription};
use jourdain::model::{Element, Number};
use jourdain::{Model, Workspace, robots};

const SAMPLES: usize = 3000;
const STEP: f64 = 5e-3;
const SMOOTH: Drives = Drives { armature: true, viscous: true, coulomb: false };
const ALL: Drives = Drives { armature: true, viscous: true, coulomb: true };

/// A built-in robot with every term of a drive at its joints.
fn with_drives(name: &str, shaft: bool) -> Model<f64> {
    let mut description = robots::load(name).unwrap().description().clone();
    for (k, link) in description.links.iter_mut().enumerate().filter(|(_, link)| link.joint.kind.nq() == 1) {
        let k = k as f64;
        let mut motor = link.motor.unwrap_or_default();
        (motor.viscous, motor.coulomb) = (Number::from(0.4 + 0.1 * k), Number::from(1.3));
        motor.inertia = Number::from(0.1);
        (motor.root, motor.stribeck) = (Some(Number::from(0.5)), Some(Number::from(0.3)));
        (motor.offset, motor.load) = (Some(Number::from(0.2 - 0.1 * k)), Number::from(0.06));
        let strengths = [0.4, 0.5 + 0.1 * k, 0.3].into_iter().zip(LENGTHS);
        let elements: Vec<Element> = strengths.map(|(strength, length)| Element { length, strength }).collect();
        motor.hysteresis = jourdain::model::Hysteresis::new(&elements).unwrap();
        link.motor = Some(motor);
    }
    if shaft {
        let moving: Vec<usize> =
            (0..description.links.len()).filter(|&k| description.links[k].joint.kind.nq() == 1).collect();
        let [.., other, own] = moving[..] else { panic!("{name} has two joints") };
        let with = vec![(description.links[other].joint.name.clone(), Number::from(0.5))];
        let elements = [Element { length: LENGTHS[1], strength: 0.6 }];
        let motor = MotorDescription {
            inertia: Number::from(0.2),
            viscous: Number::from(0.3),
            hysteresis: jourdain::model::Hysteresis::new(&elements).unwrap(),
            ..MotorDescription::default()
        };
        description.links[own].shaft = Some(Box::new(ShaftDescription { with, motor }));
    }
    Model::from_description(&description).unwrap()
}

/// The torques of a robot along the motion of a run, friction as it goes.
fn along(model: &Model<f64>, run: &mut Run) -> Vec<Vec<f64>> {
    let (mut memory, mut workspace) = (Memory::new(model).unwrap(), Workspace::new(model));
    let torques = |i: usize| {
        run.at(STEP * i as f64);
        let mut tau = vec![0.0; model.nv()];
        memory.inverse_dynamics_into(model, [&run.q, &run.qd, &run.qdd], &[], &mut workspace, &mut tau);
        tau
    };
    (0..SAMPLES).map(torques).collect()
}

fn the_written_robot_predicts_as_its_estimate_does(name: &str, shaft: bool) {
    const SEED: u64 = 11;
    let (truth, before) = (with_drives(name, shaft), robots::load(name).unwrap());
    let mut run = Run::new(&before, 0.8);
    let mut random = Random(SEED);
    let measured: Vec<Vec<f64>> = along(&truth, &mut run)
        .into_iter()
        .map(|tau| tau.iter().map(|tau| tau + 0.02 * random.normal()).collect())
        .collect();

    let coordinates = Coordinates::of_robot(&truth);
    assert_eq!(coordinates.count(), before.nv() + usize::from(shaft));
    let load = Problem::new(&truth, SMOOTH).unwrap().prior();
    let full = Problem::new(&before, SMOOTH).unwrap().with_terms(&coordinates, Some(&load));
    let wide = Problem::new(&before, ALL).unwrap();
    let load: Vec<f64> = load.into_iter().chain(std::iter::repeat(0.0)).take(wide.unknowns().len()).collect();
    let wide = wide.with_terms(&coordinates, Some(&load));
    let mut each = |take: &mut dyn FnMut(&Sample<'_>)| {
        let mut hysteresis = Hysteresis::new(coordinates.clone());
        for (i, tau) in measured.iter().enumerate() {
            let t = STEP * i as f64;
            run.at(t);
            hysteresis.advance(&run.q);
            take(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau, z: hysteresis.elements() });
        }
    };
    let mut accumulator = Accumulator::new(&wide);
    each(&mut |sample| accumulator.add(sample));
    let factors = accumulator.finish();
    let estimate = consistent(&full, &factors.select(&wide, &full).unwrap(), PRIOR_WEIGHT).unwrap();
    for fit in &estimate.joints {
        assert!(fit.residual < 0.025, "{name}: {} left, noise 0.02", fit.residual);
    }

    let robot = robot_with_drives(&full, &estimate, &wide, &factors).unwrap();
    let written = formats::read_str(&to_toml(&robot), Format::Toml);
    let written = written.description.unwrap_or_else(|| panic!("{name}: {:?}", written.diagnostics));
    let written = Model::from_description(&written).unwrap();
    let loaded = full.clone().with_load_of(&estimate.standard);
    let mut comparison = Comparison::new(&loaded, &estimate.values);
    each(&mut |sample| comparison.add(sample));
    let predicted = &comparison.drawn().predicted;
    for (i, tau) in along(&written, &mut run).iter().enumerate() {
        for (j, tau) in tau.iter().enumerate() {
            let (found, expected) = (tau, predicted[j][i]);
            let bound = 1e-9 * expected.abs().max(1.0);
            assert!((found - expected).abs() < bound, "{name}, sample {i}, joint {j}: {found} and {expected}");
        }
    }
    // What stands for hysteresis at a single state is about as strong, load included.
    for link in written.links().iter().filter(|link| link.joint.nv() == 1) {
        let motor = link.motor.unwrap();
        let strength: f64 = motor.hysteresis.elements().iter().map(|element| element.strength).sum();
        assert!(motor.coulomb > 0.7 * strength, "{name}: {} and {strength}", motor.coulomb);
    }
    // Identified once more, what the file has of the drives is no more than where it begins.
    let again = Problem::new(&written, SMOOTH).unwrap().with_terms(&coordinates, Some(&load));
    assert_eq!(again.names(), full.names());
    assert!(again.known().is_empty());
}

#[test]
fn a_planar_arm_predicts_as_its_estimate_does() {
    the_written_robot_predicts_as_its_estimate_does("planar2r", false);
}

#[test]
fn an_arm_whose_last_motor_turns_with_two_joints_predicts_as_its_estimate_does() {
    the_written_robot_predicts_as_its_estimate_does("planar2r", true);
}

#[test]
fn an_arm_in_space_predicts_as_its_estimate_does() {
    the_written_robot_predicts_as_its_estimate_does("ur5", false);
}
