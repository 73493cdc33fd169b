//! Momentum of the whole robot about its centre of mass, world axes, linear part first: h = A w, its matrix and the matrix's
//! rate.
//!
//! A column of A is the momentum of all that the column carries under its unit motion: with the inertia Λᶜ of a link and all
//! it carries, Λᶜ Ξ in the link's frame, turned into world axes and moved to the centre of mass. The linear rows are the total
//! mass times the Jacobian of the centre of mass.
//!
//! Traps. Rotors of drives are not links: their spin is in the mass matrix and not here. The rate is that of world components,
//! so that ḣ = A ẇ + Ȧ w is the force and moment that act on the robot from outside.

use super::com::Massless;
use super::{KinematicsScratch, com_into, tangent};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::spatial::{Inertia, Vector, Wrench};
use jourdain_symbolic::Scalar;

/// The centroidal momentum matrix A: 6 × nv, row by row, linear rows first; kg m and kg m² per unit of a turning joint.
///
/// # Reference
/// Σ of the momenta in G (6a), about the point of G (7).
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short, or `out` does not hold 6 nv scalars.
pub fn centroidal_matrix_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) -> Result<(), Massless> {
    let mut com = [S::zero(); 3];
    com_into(model, q, scratch, &mut com)?;
    let mut composite: Vec<Inertia<S>> = model.links().iter().map(|link| link.inertia.lift()).collect();
    for (l, link) in model.links().iter().enumerate().rev() {
        if let Some(parent) = link.parent {
            let share = composite[l].transformed(&link.transform(q));
            composite[parent] += share;
        }
    }
    let nv = model.nv();
    out.fill(S::zero());
    for (l, link) in model.links().iter().enumerate() {
        let xi = &mut scratch.columns[model.columns_of(l)];
        link.joint.subspace_into(link.position(q, &mut [S::zero()]), xi);
        let pose = &scratch.poses[l];
        for (xi, c) in xi.iter().zip(model.columns_of(l)) {
            let momentum = composite[l].apply(*xi);
            let linear = pose.rotation.apply(momentum.force);
            let arm = pose.translation - Vector(com);
            let about_com = Wrench { force: linear, moment: pose.rotation.apply(momentum.moment) + arm.cross(linear) };
            let column = &model.columns()[c];
            for (row, x) in about_com.to_array().into_iter().enumerate() {
                let element = &mut out[row * nv + column.dof];
                *element = match column.factor {
                    Some(factor) => x.scale_add(factor, *element),
                    None => *element + x,
                };
            }
        }
    }
    Ok(())
}

/// The time derivative of A at velocity `w`: 6 × nv, row by row; A run on dual numbers that move with the robot.
///
/// # Reference
/// The rate of [`centroidal_matrix_into`].
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` or `w` is too short.
pub fn centroidal_matrix_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Result<Matrix<S>, Massless> {
    let mut dual = Matrix::zeros(6, model.nv());
    let position = tangent::along(model, q, w);
    centroidal_matrix_into(model, &position, &mut KinematicsScratch::new(model), dual.as_mut_slice())?;
    Ok(Matrix::from_fn(6, model.nv(), |i, j| dual[(i, j)].derivative))
}

/// The momentum h of the robot about its centre of mass: linear kg m/s, angular kg m²/s, world axes.
///
/// # Reference
/// The sum of Λ v over all links with v of G (26), about the point of G (7).
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` or `w` is too short.
pub fn centroidal_momentum<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    scratch: &mut KinematicsScratch<S>,
) -> Result<[S; 6], Massless> {
    let mut com = [S::zero(); 3];
    let mut twists = std::mem::take(&mut scratch.twists);
    super::twists_into(model, q, w, scratch, &mut twists);
    com_into(model, q, scratch, &mut com)?;
    let mut sum = Wrench::zero();
    for ((link, twist), pose) in model.links().iter().zip(&twists).zip(&scratch.poses) {
        if link.inertia.is_zero() {
            continue;
        }
        let momentum = link.inertia.lift().apply(*twist);
        let linear = pose.rotation.apply(momentum.force);
        let arm = pose.translation - Vector(com);
        sum += Wrench { force: linear, moment: pose.rotation.apply(momentum.moment) + arm.cross(linear) };
    }
    scratch.twists = twists;
    Ok(sum.to_array())
}
