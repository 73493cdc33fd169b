//! What is known of the links before any data: the robot file, made into bodies that can be.
//!
//! A link is *free* if it has a mass in the file, or if it moves and nothing that is fixed to it has one: frames without mass stay without.
//! A file may leave inertias out or give impossible ones; the prior then has at least a thousandth of the robot's mass, and a radius of
//! gyration of three centimetres about every axis.

use super::pseudo::{parameters_of, pseudo_inertia};
use crate::model::Model;
use crate::spectral;
use nalgebra::{Matrix3, Matrix4, SymmetricEigen, U3, Vector3};

/// Least mass of a link over that of the robot.
const LEAST_MASS: f64 = 1e-3;
/// The mass of a robot whose file has none, kg.
const SOME_MASS: f64 = 1.0;
/// Least radius of gyration, m.
const LEAST_RADIUS: f64 = 0.03;

/// The links whose inertia is to be found, with their priors.
pub(super) fn free_links(model: &Model<f64>, standard: &[f64]) -> Vec<(usize, [f64; 10])> {
    let mass = |link: usize| standard[10 * link];
    let total = (0..model.links().len()).map(|link| mass(link).max(0.0)).sum::<f64>().max(SOME_MASS);
    // The link that a link is fixed to, if any moves.
    let body = |link: usize| model.chain(link).find(|&above| model.links()[above].joint.nv() > 0);
    let empty = |moving: usize| (0..model.links().len()).all(|link| body(link) != Some(moving) || mass(link) == 0.0);
    let is_free = |link: &usize| {
        let moves = model.links()[*link].joint.nv() > 0;
        body(*link).is_some() && (mass(*link) != 0.0 || (moves && empty(*link)))
    };
    let prior = |link: usize| (link, made_physical(&standard[10 * link..10 * link + 10], LEAST_MASS * total));
    (0..model.links().len()).filter(is_free).map(prior).collect()
}

/// The nearest body that can be: enough mass, and spread about the centre of mass in every direction.
fn made_physical(parameters: &[f64], least_mass: f64) -> [f64; 10] {
    let has_mass = parameters[0] > 0.0;
    let mass = parameters[0].max(least_mass);
    let com = if has_mass {
        Vector3::new(parameters[1], parameters[2], parameters[3]) / parameters[0]
    } else {
        Vector3::zeros()
    };
    let own = pseudo_inertia(parameters).fixed_view::<3, 3>(0, 0).into_owned();
    let spread = if has_mass { own - com * com.transpose() * parameters[0] } else { Matrix3::zeros() };
    // Two directions make the radius about the third axis.
    let least = 0.5 * mass * LEAST_RADIUS * LEAST_RADIUS;
    let widened = |eigen: SymmetricEigen<f64, U3>| {
        let values = eigen.eigenvalues.map(|value| if value > least { value } else { least });
        eigen.eigenvectors * Matrix3::from_diagonal(&values) * eigen.eigenvectors.transpose()
    };
    let spread = spectral::symmetric(spread).map_or_else(|| Matrix3::from_diagonal_element(least), widened);
    let mut p = Matrix4::zeros();
    p.fixed_view_mut::<3, 3>(0, 0).copy_from(&(spread + com * com.transpose() * mass));
    for axis in 0..3 {
        (p[(axis, 3)], p[(3, axis)]) = (mass * com[axis], mass * com[axis]);
    }
    p[(3, 3)] = mass;
    parameters_of(&p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::closed_form::parameters;
    use crate::robots;

    #[test]
    fn a_body_that_can_be_is_its_own_prior() {
        let model = robots::load("puma560").unwrap();
        let standard = parameters(&model);
        for (link, prior) in free_links(&model, &standard) {
            let p = pseudo_inertia(&prior);
            assert!(p.cholesky().is_some(), "link {link}");
            if prior[0] > 1.0 {
                // The mass and its centre are kept whatever the tensor is.
                (0..4).for_each(|k| assert!((prior[k] - standard[10 * link + k]).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn no_body_at_all_becomes_a_small_ball() {
        let prior = made_physical(&[0.0; 10], 0.02);
        assert!(pseudo_inertia(&prior).cholesky().is_some());
        assert_eq!(prior[0], 0.02);
        assert!((prior[4] - 0.02 * LEAST_RADIUS * LEAST_RADIUS).abs() < 1e-15 && (prior[4] - prior[9]).abs() < 1e-15);
    }
}
