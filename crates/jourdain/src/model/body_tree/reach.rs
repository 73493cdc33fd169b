//! The smallest pivot of the mass matrix that is more than rounding.
//!
//! Whatever the position, the inertia that a rotation feels is at most its *reach inertia*: every mass outboard at the
//! distance that it would have with the arm stretched out, Σ m (Σ |shift|)², with its own moments. The elements of M, and
//! what is subtracted from them on the way to a pivot, are rounded to that size: a pivot D_k below a few units in the last place of it
//! says nothing. The measure goes with the robot's own masses and lengths, joint by joint, so that neither units nor a small
//! robot (10⁻⁹ kg) matter, and a regular M of condition 10¹² passes. It is not the diagonal of M: in a chain of n equal
//! links the pivot is 1/n³ of it, 10⁻¹² for 10 000, and well above rounding.
//!
//! Trap: how far sliding joints are drawn out is not known here and is left out, which makes the bound smaller, never larger.

use super::body::{BodyTree, Mechanism};
use crate::model::tree::Model;
use jourdain_symbolic::Constant;

/// Units in the last place of the reach inertia that count as rounding: M adds up a few dozen terms of that size.
const UNITS: f64 = 64.0;

/// What a body carries, itself included, as seen from its origin: Σ m, Σ m l and Σ m l² + moments, l the stretched distance.
#[derive(Clone, Copy, Default)]
struct Reach {
    mass: f64,
    moment: f64,
    inertia: f64,
}

impl Reach {
    /// The same from an origin farther in by `distance`.
    fn from(self, distance: f64) -> Self {
        Self {
            mass: self.mass,
            moment: self.moment + distance * self.mass,
            inertia: self.inertia + distance * (2.0 * self.moment + distance * self.mass),
        }
    }
}

/// The bounds per velocity; `None` if a constant is a symbol.
pub(super) fn least_pivots<T: Constant>(model: &Model<T>, tree: &BodyTree<T>) -> Option<Vec<T>> {
    let reach = reaches(tree)?;
    // Roots of inertias add up where one velocity moves several joints.
    let mut roots = vec![0.0; tree.columns];
    for (body, reach) in tree.bodies.iter().zip(&reach) {
        for (local, column) in body.columns().enumerate() {
            let inertia = match body.mechanism {
                Mechanism::Revolute | Mechanism::Spherical => reach.inertia,
                Mechanism::Prismatic => reach.mass,
                Mechanism::Helical { pitch } => {
                    let pitch = pitch.to_f64()?.abs();
                    reach.inertia + pitch * (2.0 * reach.moment + pitch * reach.mass)
                }
                Mechanism::Free if local < 3 => reach.mass,
                Mechanism::Free => reach.inertia,
            };
            roots[column] = inertia.sqrt();
        }
    }
    let mut sums = vec![0.0; tree.nv];
    for (root, column) in roots.iter().zip(model.columns()) {
        let factor = column.factor.map_or(Some(1.0), |factor| factor.to_f64())?;
        sums[column.dof] += root * factor.abs();
    }
    let mut inertias: Vec<f64> = sums.into_iter().map(|root| root * root).collect();
    for column in model.columns() {
        if let Some(motor) = &model.links()[column.link].motor {
            let factor = column.factor.map_or(Some(1.0), |factor| factor.to_f64())?;
            inertias[column.dof] += motor.armature().to_f64()?.abs() * factor * factor;
        }
    }
    for (_, shaft) in model.shafts() {
        for &(dof, factor) in &shaft.row {
            inertias[dof] += shaft.motor.armature().to_f64()?.abs() * factor.to_f64()?.powi(2);
        }
    }
    Some(inertias.into_iter().map(|inertia| T::from_f64(UNITS * f64::EPSILON * inertia)).collect())
}

fn reaches<T: Constant>(tree: &BodyTree<T>) -> Option<Vec<Reach>> {
    let norm = |vector: [T; 3]| -> Option<f64> {
        vector.iter().try_fold(0.0_f64, |length, x| Some(length.hypot(x.to_f64()?)))
    };
    let mut reach = vec![Reach::default(); tree.bodies.len()];
    for (b, body) in tree.bodies.iter().enumerate().rev() {
        let i = body.inertia.rotational;
        let own = Reach {
            mass: body.inertia.mass.to_f64()?.abs(),
            moment: norm(body.inertia.first_moment.0)?,
            inertia: i.xx.to_f64()?.abs() + i.yy.to_f64()?.abs() + i.zz.to_f64()?.abs(),
        };
        let all = &mut reach[b];
        (all.mass, all.moment, all.inertia) = (all.mass + own.mass, all.moment + own.moment, all.inertia + own.inertia);
        if let Some(parent) = body.parent {
            let seen = all.from(norm(body.shift.0)?);
            let carried = &mut reach[parent];
            (carried.mass, carried.moment, carried.inertia) =
                (carried.mass + seen.mass, carried.moment + seen.moment, carried.inertia + seen.inertia);
        }
    }
    Some(reach)
}
