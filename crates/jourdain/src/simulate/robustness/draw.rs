//! Robots around the nominal one.

use super::Spread;
use crate::elastic::{ElasticError, ElasticModel};
use crate::model::Link;
use crate::random::Random;
use crate::spatial::{Inertia, Symmetric};

/// How one robot differs from the nominal one.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Factor of each link's mass.
    pub masses: Vec<f64>,
    /// Factor of each spring's stiffness.
    pub stiffnesses: Vec<f64>,
    /// Factor of the friction.
    pub friction: f64,
    /// Payload, kg.
    pub payload: f64,
}

/// Numbers of their own for each sample.
fn numbers(seed: u64, index: usize) -> Random {
    let mut random = Random(seed ^ (index as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    random.bits();
    random
}

fn factor(random: &mut Random, spread: f64) -> f64 {
    1.0 + spread * (2.0 * random.fraction() - 1.0)
}

impl Draw {
    /// The nominal robot itself.
    #[must_use]
    pub fn nominal(nominal: &ElasticModel<f64>) -> Self {
        Self {
            masses: vec![1.0; nominal.model().links().len()],
            stiffnesses: vec![1.0; nominal.springs().len()],
            friction: 1.0,
            payload: 0.0,
        }
    }

    /// Robot number `index` of a seed. Spreads change the size of the differences, never their order.
    #[must_use]
    pub fn new(nominal: &ElasticModel<f64>, spread: &Spread, seed: u64, index: usize) -> Self {
        let mut random = numbers(seed, index);
        Self {
            masses: nominal.model().links().iter().map(|_| factor(&mut random, spread.mass)).collect(),
            stiffnesses: nominal.springs().iter().map(|_| factor(&mut random, spread.stiffness)).collect(),
            friction: factor(&mut random, spread.friction).max(0.0),
            payload: spread.payload * random.fraction(),
        }
    }

    /// That robot.
    ///
    /// # Errors
    /// Factors that leave no elastic robot.
    pub fn robot(&self, nominal: &ElasticModel<f64>) -> Result<ElasticModel<f64>, ElasticError> {
        perturbed(nominal, &self.masses, &self.stiffnesses, self.friction, self.payload)
    }
}

/// The nominal robot with factors on its links' masses, its springs and its friction, and a point mass at the origin of the
/// last link.
///
/// # Errors
/// Factors that leave no elastic robot.
pub fn perturbed(
    nominal: &ElasticModel<f64>,
    masses: &[f64],
    stiffnesses: &[f64],
    friction: f64,
    payload: f64,
) -> Result<ElasticModel<f64>, ElasticError> {
    let model = nominal.model();
    let mut links: Vec<Link<f64>> = model.links().to_vec();
    for (link, &factor) in links.iter_mut().zip(masses) {
        link.inertia = Inertia {
            mass: factor * link.inertia.mass,
            first_moment: link.inertia.first_moment.times(factor),
            rotational: Symmetric::from_array(link.inertia.rotational.to_array().map(|x| factor * x)),
        };
        if let Some(motor) = &mut link.motor {
            let always = [&mut motor.viscous, &mut motor.coulomb, &mut motor.rotor_viscous, &mut motor.rotor_coulomb];
            for x in always.into_iter().chain(&mut motor.root).chain(&mut motor.stribeck) {
                *x *= friction;
            }
        }
    }
    for (spring, factor) in nominal.springs().iter().zip(stiffnesses) {
        if let Some(motor) = &mut links[spring.link].motor {
            motor.stiffness = motor.stiffness.map(|stiffness| stiffness * factor);
        }
    }
    if let Some(last) = links.last_mut() {
        // At the origin a point mass adds neither first moment nor inertia.
        last.inertia.mass += payload;
    }
    ElasticModel::new(&model.rebuilt(model.gravity(), links))
}
