//! When two descriptions are one robot, and the robots that the tests are about.

use crate::common::random_tree::{Random, random_state, random_tree};
use crate::common::{assert_close, error};
use jourdain::formats::{self, Format};
use jourdain::model::description::{Description, LinkDescription};
use jourdain::model::{Model, Motion, Screw};
use jourdain::quantity::{Path, Quantity};
use jourdain::spatial::{Pose, Vector};
use jourdain::{State, Workspace, robots};
use std::path::PathBuf;

/// The robot of a text.
pub fn read(text: &str, format: Format) -> Result<Description, String> {
    let reading = formats::read_str(text, format);
    let found = format!("{:?}\n{text}", reading.diagnostics);
    reading.description.map(|robot| robot.into_description().without_locations()).ok_or(found)
}

/// The built-in robots and the good files of the suite.
pub fn robots_of_files() -> Vec<(String, Description)> {
    let mut all: Vec<(String, Description)> = Vec::new();
    for robot in robots::ALL {
        all.push((robot.name.to_owned(), robot.read().description.unwrap().into_description().without_locations()));
    }
    for folder in ["good", "robots", "equivalent"] {
        let folder = PathBuf::from(format!("{}/../../suite/{folder}", env!("CARGO_MANIFEST_DIR")));
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            if let Ok((robot, _)) = formats::load(&file) {
                all.push((file.display().to_string(), robot.into_description().without_locations()));
            }
        }
    }
    assert!(all.len() > 24);
    all
}

/// The robot of a seed with its links depth first, as other formats order them.
pub fn random_robot(seed: u64, most: usize) -> Description {
    let mut robot = random_tree(seed, most).description().clone().without_locations();
    depth_first(&mut robot);
    robot
}

pub fn depth_first(robot: &mut Description) {
    let mut order: Vec<LinkDescription> = Vec::new();
    let mut stack = vec!["base".to_owned()];
    while let Some(name) = stack.pop() {
        order.extend(robot.links.iter().find(|link| link.name == name).cloned());
        stack.extend(robot.links.iter().rev().filter(|link| link.parent == name).map(|link| link.name.clone()));
    }
    robot.links = order;
}

pub fn evaluate(name: &str, model: &Model, state: &State) -> Vec<f64> {
    Quantity::parse(name, model).unwrap().evaluate(Path::Fast, model, state, &mut Workspace::new(model)).unwrap()
}

/// The same mass matrix and torques at a random state.
#[track_caller]
pub fn assert_same_dynamics(what: &str, expected: &Description, found: &Description, seed: u64, tolerance: f64) {
    let (a, b) = (Model::from_description(expected).unwrap(), Model::from_description(found).unwrap());
    assert_eq!((a.nq(), a.nv()), (b.nq(), b.nv()), "{what}: numbers of q and of the velocity");
    let mut state = random_state(&a, &mut Random::new(!seed));
    state.wrenches.clear();
    for quantity in ["mass_matrix", "inverse_dynamics", "gravity"] {
        let (a, b) = (evaluate(quantity, &a, &state), evaluate(quantity, &b, &state));
        assert_close(&format!("{what}: {quantity}"), &b, &a, tolerance);
    }
}

/// What distinguishes two descriptions beyond the form that their numbers are given in; `None` if nothing does.
pub fn difference(a: &Description, b: &Description) -> Option<String> {
    let differs = |what: &str, same: bool| (!same).then(|| what.to_owned());
    let names = |robot: &Description| robot.links.iter().map(|link| link.name.clone()).collect::<Vec<_>>();
    let values = |numbers: &[jourdain::model::Number]| numbers.iter().map(|x| x.value).collect::<Vec<_>>();
    differs("name", a.name == b.name)
        .or_else(|| differs("gravity", values(&a.gravity) == values(&b.gravity)))
        .or_else(|| differs("allow_unphysical", a.allow_unphysical == b.allow_unphysical))
        .or_else(|| differs("states", a.states == b.states))
        .or_else(|| differs("links", names(a) == names(b)))
        .or_else(|| {
            let models = [a, b].map(|robot| Model::from_description(robot).unwrap());
            (0..a.links.len()).find_map(|link| link_difference([a, b], [&models[0], &models[1]], link))
        })
}

fn link_difference(robots: [&Description; 2], models: [&Model; 2], number: usize) -> Option<String> {
    let ([x, y], [a, b]) = (robots.map(|robot| &robot.links[number]), models.map(|model| &model.links()[number]));
    let value = |x: Option<jourdain::model::Number>| x.map(|x| x.value);
    let limits = |link: &LinkDescription| link.joint.limits.map(|limits| limits.map(|x| x.value));
    let motor = |link: &LinkDescription| {
        let motor = link.motor.filter(|motor| !motor.is_idle())?;
        let axis = motor.axis.map(|axis| axis.map(|x| x.value));
        let terms = [motor.inertia, motor.ratio, motor.damping, motor.viscous, motor.coulomb];
        let rotor = [motor.rotor_viscous.value, motor.rotor_coulomb.value];
        Some((terms.map(|x| x.value), rotor, value(motor.stiffness), axis))
    };
    let mimic =
        |model: &Model| model.links()[number].mimic.as_ref().map(|mimic| (mimic.v, mimic.multiplier, mimic.offset));
    let checks = [
        ("parent", x.parent == y.parent),
        ("joint name", x.joint.name == y.joint.name),
        ("placement", is_near(&a.placement, &b.placement)),
        ("motion", is_near_motion(&a.joint.motion, &b.joint.motion)),
        ("inertia", error(&b.inertia.to_parameters(), &a.inertia.to_parameters()) < 1e-14),
        ("limits", limits(x) == limits(y)),
        ("velocity", value(x.joint.velocity) == value(y.joint.velocity)),
        ("effort", value(x.joint.effort) == value(y.joint.effort)),
        ("mimic", mimic(models[0]) == mimic(models[1])),
        ("motor", motor(x) == motor(y)),
    ];
    checks.iter().find(|(_, same)| !same).map(|(what, _)| format!("{what} of {}", x.name))
}

fn is_near(a: &Pose<f64>, b: &Pose<f64>) -> bool {
    error(b.to_matrix().as_flattened(), a.to_matrix().as_flattened()) < 2e-15
}

fn is_near_motion(a: &Motion<f64>, b: &Motion<f64>) -> bool {
    let near = |a: Vector<f64>, b: Vector<f64>| error(&b.0, &a.0) < 2e-15;
    match (a, b) {
        (Motion::Free, Motion::Free) => true,
        (Motion::Spherical { center: a }, Motion::Spherical { center: b }) => near(*a, *b),
        (Motion::Product(a), Motion::Product(b)) => {
            let same = |(a, b): (&Screw<f64>, &Screw<f64>)| {
                let (a, b) = (a.twist(), b.twist());
                near(a.linear, b.linear) && near(a.angular, b.angular)
            };
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        _ => false,
    }
}
