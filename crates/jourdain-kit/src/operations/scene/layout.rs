//! What a drawing is laid out by: limbs, size, and whether all motion is in one plane.

use jourdain::model::{Model, Motion, Screw};
use jourdain::spatial::{Pose, Vector};

/// Directions whose cross or dot product is below this count as parallel or perpendicular.
const STRAIGHT: f64 = 1e-6;

/// The links by limb. Where several branches that move begin, each begins a limb; what does not move stays with what it is on.
pub(crate) fn limbs(model: &Model<f64>) -> Vec<Vec<String>> {
    let links = model.links();
    let mut moves: Vec<bool> = links.iter().map(|link| link.joint.nv() > 0).collect();
    for (index, link) in links.iter().enumerate().rev() {
        if let Some(parent) = link.parent.filter(|_| moves[index]) {
            moves[parent] = true;
        }
    }
    let branches = |parent: Option<usize>| {
        links.iter().enumerate().filter(|(index, link)| link.parent == parent && moves[*index]).count()
    };
    let forks: Vec<bool> = (0..links.len()).map(|index| branches(Some(index)) > 1).collect();
    let ground_forks = branches(None) > 1;
    let mut limbs: Vec<Vec<String>> = Vec::new();
    let mut limb_of = Vec::with_capacity(links.len());
    let mut on_ground = None;
    for (index, link) in links.iter().enumerate() {
        let before = link.parent.map_or(on_ground, |parent| Some(limb_of[parent]));
        let at_fork = link.parent.map_or(ground_forks, |parent| forks[parent]);
        let limb = match before {
            Some(limb) if !(at_fork && moves[index]) => limb,
            Some(_) | None => {
                limbs.push(Vec::new());
                limbs.len() - 1
            }
        };
        if link.parent.is_none() && !at_fork {
            on_ground = Some(limb);
        }
        limbs[limb].push(link.name.clone());
        limb_of.push(limb);
    }
    limbs
}

/// The diagonal of the box around origins, axes and centres of mass; 1 m for a robot that is a point.
pub(crate) fn size(model: &Model<f64>, poses: &[Pose<f64>]) -> f64 {
    let mut points = vec![Vector::zero()];
    for (link, pose) in model.links().iter().zip(poses) {
        points.push(pose.translation);
        match &link.joint.motion {
            Motion::Product(screws) => points.extend(screws.iter().filter_map(|screw| match *screw {
                Screw::Rotation { point, .. } => Some(pose.apply(point)),
                Screw::Translation { .. } => None,
            })),
            Motion::Spherical { center } => points.push(pose.apply(*center)),
            Motion::Free => {}
        }
        if link.inertia.mass > 0.0 {
            points.push(pose.apply(link.inertia.about_com().0));
        }
    }
    let extent = |axis: usize| {
        let values = || points.iter().map(|point| point.0[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let diagonal = Vector([extent(0), extent(1), extent(2)]).norm();
    if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 }
}

/// The direction that no link ever moves along or turns out of; none if there is no such one, or many.
pub(crate) fn normal(model: &Model<f64>, poses: &[Pose<f64>]) -> Option<Vector<f64>> {
    let (mut turns, mut slides) = (Vec::new(), Vec::new());
    for (link, pose) in model.links().iter().zip(poses) {
        match &link.joint.motion {
            Motion::Product(screws) => {
                for screw in screws {
                    match *screw {
                        Screw::Rotation { axis, pitch: 0.0, .. } => turns.push(pose.rotation.apply(axis)),
                        Screw::Rotation { .. } => return None,
                        Screw::Translation { axis } => slides.push(pose.rotation.apply(axis)),
                    }
                }
            }
            Motion::Spherical { .. } | Motion::Free => return None,
        }
    }
    let across = || {
        let first = slides.first()?;
        let normal = slides.iter().map(|other| first.cross(*other)).find(|normal| normal.norm() > STRAIGHT)?;
        Some(normal.times(1.0 / normal.norm()))
    };
    let normal = turns.first().copied().or_else(across)?;
    let fits = turns.iter().all(|axis| axis.cross(normal).norm() < STRAIGHT)
        && slides.iter().all(|axis| axis.dot(normal).abs() < STRAIGHT);
    fits.then_some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain::{kinematics, robots};

    fn laid_out(name: &str) -> (Model<f64>, Vec<Pose<f64>>) {
        let model = robots::load(name).unwrap();
        let poses = kinematics::poses(&model, &model.neutral::<f64>());
        (model, poses)
    }

    #[test]
    fn a_planar_arm_has_a_normal_and_a_spatial_one_has_none() {
        let (model, poses) = laid_out("planar2r");
        assert_eq!(normal(&model, &poses).map(|normal| normal.0), Some([0.0, 0.0, 1.0]));
        assert!((size(&model, &poses) - 0.9).abs() < 1e-12);
        let (model, poses) = laid_out("iiwa14");
        assert_eq!(normal(&model, &poses), None);
        let size = size(&model, &poses);
        assert!((0.9..1.6).contains(&size), "{size}");
    }

    #[test]
    fn a_chain_is_one_limb_and_a_humanoid_has_a_trunk_and_four() {
        let (model, _) = laid_out("iiwa14");
        let all: Vec<String> = model.links().iter().map(|link| link.name.clone()).collect();
        assert_eq!(limbs(&model), [all]);
        let (model, _) = laid_out("humanoid25");
        let limbs = limbs(&model);
        assert_eq!(limbs.iter().map(Vec::len).sum::<usize>(), model.links().len());
        assert!(limbs.len() >= 5, "{limbs:?}");
    }
}
