//! What each link carries at its end: mass, inertia and first moment of all that lies beyond, DS (28), (29).
//!
//! The mass is a constant of the arm, the other two depend on the configuration. The paper takes a stretched outboard chain for J
//! and MD = 0, which is exact for two links at θ₂ = ±90°. At a stated configuration both are those of the straight links
//! there. Modes of any boundary remain a valid basis at every configuration; only how few of them suffice depends on it.

use super::description::{ArmDescription, LinkDescription};
use super::modes::Boundary;

/// The bodies at the ends of all links: those given, otherwise from what is outboard.
#[must_use]
pub fn boundaries(arm: &ArmDescription) -> Vec<Boundary> {
    let n = arm.links.len();
    let at_rest = vec![0.0; n];
    let stated = arm.boundary_configuration.as_deref();
    (0..n)
        .map(|i| {
            let outboard = outboard(arm, i, stated.unwrap_or(&at_rest));
            let default =
                Boundary { mass_distance: if stated.is_some() { outboard.mass_distance } else { 0.0 }, ..outboard };
            let given = arm.links[i].boundary;
            Boundary {
                mass: given.mass.unwrap_or(default.mass),
                inertia: given.inertia.unwrap_or(default.inertia),
                mass_distance: given.mass_distance.unwrap_or(default.mass_distance),
            }
        })
        .collect()
}

/// Mass, inertia about the end of link i and first moment along it, of all that lies beyond, with straight links at these
/// joint angles.
#[must_use]
pub fn outboard(arm: &ArmDescription, i: usize, angles: &[f64]) -> Boundary {
    let (mut x, mut y, mut angle) = (0.0, 0.0, 0.0_f64);
    let mut sum = Boundary::default();
    // A body at (x, y) + s (cos, sin): its mass, and its inertia about its own centre.
    let mut add = |mass: f64, inertia: f64, x: f64, y: f64| {
        sum.mass += mass;
        sum.inertia += inertia + mass * (x * x + y * y);
        sum.mass_distance += mass * x;
    };
    for (link, &joint) in arm.links.iter().zip(angles).skip(i + 1) {
        let LinkDescription { beam, hub_mass, hub_inertia, .. } = link;
        angle += joint;
        let (sin, cos) = angle.sin_cos();
        let (length, mass) = (beam.length, beam.mass());
        add(*hub_mass, *hub_inertia, x, y);
        let half = 0.5 * length;
        add(mass, mass * length * length / 12.0, x + half * cos, y + half * sin);
        x += length * cos;
        y += length * sin;
    }
    add(arm.payload.mass, arm.payload.inertia, x, y);
    sum
}
