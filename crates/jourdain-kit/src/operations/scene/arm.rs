//! A flexible arm as it is drawn: straight, its joints at zero, in the plane of x and y.
//!
//! What bends is in the operations of flexible arms. A hub is at the joint that drives its link, and turns with it.

use super::{BeamScene, JointScene, Kind, LinkScene, MotionScene, Report};
use crate::operations::info::CoordinateReport;
use jourdain::flexible::ArmDescription;
use jourdain::model::description::GROUND;
use jourdain::spatial::{Pose, Vector};
use std::collections::BTreeMap;

/// The direction that all joints turn about.
const NORMAL: [f64; 3] = [0.0, 0.0, 1.0];

/// The scene of an arm.
pub(super) fn scene(arm: &ArmDescription) -> Report {
    let mut names: Vec<String> = (1..=arm.links.len()).map(angle).collect();
    for (link, given) in arm.links.iter().enumerate() {
        names.extend((1..=given.modes).map(|mode| format!("delta{}{mode}", link + 1)));
    }
    let coordinate = |name: &String| CoordinateReport { joint: name.clone(), part: String::new() };
    let coordinates: Vec<CoordinateReport> = names.iter().map(coordinate).collect();
    let links: Vec<LinkScene> = (0..arm.links.len()).map(|index| link(arm, index)).collect();
    Report {
        name: arm.name.clone(),
        kind: Kind::Arm,
        gravity: [arm.gravity[0], arm.gravity[1], 0.0],
        velocities: coordinates.clone(),
        neutral: vec![0.0; coordinates.len()],
        coordinates,
        states: BTreeMap::new(),
        findings: Vec::new(),
        limbs: vec![links.iter().map(|link| link.name.clone()).collect()],
        size: arm.links.iter().map(|link| link.beam.length).sum(),
        planar: true,
        normal: Some(NORMAL),
        edits: Vec::new(),
        links,
    }
}

/// The name of the angle of a joint, counted from one.
fn angle(number: usize) -> String {
    format!("theta{number}")
}

fn link(arm: &ArmDescription, index: usize) -> LinkScene {
    let given = &arm.links[index];
    let (beam, length) = (given.beam.mass(), given.beam.length);
    let mass = beam + given.hub_mass;
    let com = if mass > 0.0 { beam * length / 2.0 / mass } else { 0.0 };
    // A rod about its middle, then both to the common centre.
    let rod = beam * length * length / 12.0;
    let across = rod + beam * (length / 2.0 - com).powi(2) + given.hub_mass * com * com;
    let before = index.checked_sub(1).map_or(0.0, |index| arm.links[index].beam.length);
    let origin = Pose { translation: Vector([before, 0.0, 0.0]), ..Pose::identity() };
    let motion = MotionScene { slides: false, axis: NORMAL, point: [0.0; 3], pitch: 0.0 };
    LinkScene {
        name: format!("link{}", index + 1),
        parent: if index == 0 { GROUND.to_owned() } else { format!("link{index}") },
        joint: JointScene {
            name: angle(index + 1),
            kind: "revolute",
            axis: Some(NORMAL),
            point: Some([0.0; 3]),
            motions: vec![motion],
            origin: origin.to_matrix(),
            coordinate: Some(index),
            nq: 1,
            column: Some(index),
            nv: 1,
            lower: None,
            upper: None,
            velocity: None,
            effort: None,
            mimic: None,
        },
        mass,
        com: [com, 0.0, 0.0],
        inertia: [[0.0, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across + given.hub_inertia]],
        shapes: Vec::new(),
        beam: Some(BeamScene { length, modes: given.modes }),
    }
}
