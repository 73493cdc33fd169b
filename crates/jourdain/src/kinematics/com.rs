//! The centre of mass of the whole robot, its Jacobian and the Jacobian's rate, in world axes.
//!
//! With m_l and h_l the mass and first moment, in the frame of link l, of l and all it carries, column c on link l moves
//! the total first moment by R_l (m_l Ξ_c,linear + Ξ_c,angular × h_l): G (7), the sum over links done once, inwards. The
//! first moment of a subtree is taken about its own root link, so the distance to the world origin does not enter.
//!
//! A robot without mass has no centre of mass: that is the error [`Massless`], not a NaN.

use super::KinematicsScratch;
use super::forward::{poses_into, twists_into};
use crate::matrix::Matrix;
use crate::model::{Column, Model};
use crate::spatial::{Twist, Vector};
use jourdain_symbolic::{Constant, Scalar};

/// The robot has no mass, and so no centre of mass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the total mass of robot `{robot}` is zero, so it has no centre of mass")]
pub struct Massless {
    /// The robot's name.
    pub robot: String,
}

/// The centre of mass in the world, m.
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short.
pub fn com_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S; 3],
) -> Result<(), Massless> {
    let per_mass = reciprocal_mass(model)?;
    poses_into(model, q, &mut scratch.poses);
    let mut sum = Vector::zero();
    for (link, pose) in model.links().iter().zip(&scratch.poses) {
        if !link.inertia.mass.is_zero() || !link.inertia.first_moment.is_zero() {
            sum += pose.rotation.apply(link.inertia.first_moment.lift()) + scaled(pose.translation, link.inertia.mass);
        }
    }
    *out = scaled(sum, per_mass).0;
    Ok(())
}

/// The centre of mass in the world, m; see [`com_into`].
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short.
pub fn com<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Result<Vector<S>, Massless> {
    let mut out = [S::zero(); 3];
    com_into(model, q, &mut KinematicsScratch::new(model), &mut out)?;
    Ok(Vector(out))
}

/// The Jacobian of the centre of mass: 3 × nv, row by row, world axes; its velocity is J w.
///
/// # Reference
/// G (7).
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short, or `out` does not hold 3 nv scalars.
pub fn com_jacobian_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) -> Result<(), Massless> {
    let per_mass = reciprocal_mass(model)?;
    assert_eq!(out.len(), 3 * model.nv(), "a centre-of-mass Jacobian has 3 nv elements");
    subtree_moments(model, q, scratch);
    out.fill(S::zero());
    for (l, link) in model.links().iter().enumerate() {
        let xi = &mut scratch.columns[model.columns_of(l)];
        link.joint.subspace_into(link.position(q, &mut [S::zero()]), xi);
        for (xi, c) in xi.iter().zip(model.columns_of(l)) {
            let moved = moment_rate(*xi, scratch.masses[l], scratch.moments[l]);
            let column = scaled(scratch.poses[l].rotation.apply(moved), per_mass);
            add_column(&model.columns()[c], column, model.nv(), out);
        }
    }
    Ok(())
}

/// The Jacobian of the centre of mass, 3 × nv; see [`com_jacobian_into`].
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short.
pub fn com_jacobian<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Result<Matrix<S>, Massless> {
    let mut out = Matrix::zeros(3, model.nv());
    com_jacobian_into(model, q, &mut KinematicsScratch::new(model), out.as_mut_slice())?;
    Ok(out)
}

/// The time derivative of the Jacobian of the centre of mass at velocity `w`: 3 × nv, row by row, world axes.
///
/// # Reference
/// The time derivative of G (7).
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` or `w` is too short, or `out` does not hold 3 nv scalars.
pub fn com_jacobian_dot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) -> Result<(), Massless> {
    let per_mass = reciprocal_mass(model)?;
    assert_eq!(out.len(), 3 * model.nv(), "a centre-of-mass Jacobian has 3 nv elements");
    subtree_moments(model, q, scratch);
    let mut twists = std::mem::take(&mut scratch.twists);
    twists_into(model, q, w, scratch, &mut twists);
    scratch.twists = twists;
    subtree_moment_rates(model, w, scratch);
    out.fill(S::zero());
    for (l, link) in model.links().iter().enumerate() {
        let (xi, xi_dot) = (&scratch.columns[model.columns_of(l)], &mut scratch.column_rates[model.columns_of(l)]);
        link.joint.subspace_dot_into(xi, link.velocity(w, &mut [S::zero()]), xi_dot);
        let (mass, moment, moment_dot) = (scratch.masses[l], scratch.moments[l], scratch.moment_rates[l]);
        for ((xi, xi_dot), c) in xi.iter().zip(xi_dot.iter()).zip(model.columns_of(l)) {
            // d/dt of R_l (m Ξ_linear + Ξ_angular × h), without R_l.
            let turning = scratch.twists[l].angular.cross(moment_rate(*xi, mass, moment));
            let changing = moment_rate(*xi_dot, mass, moment) + xi.angular.cross(moment_dot);
            let column = scaled(scratch.poses[l].rotation.apply(turning + changing), per_mass);
            add_column(&model.columns()[c], column, model.nv(), out);
        }
    }
    Ok(())
}

/// The time derivative of the Jacobian of the centre of mass, 3 × nv; see [`com_jacobian_dot_into`].
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` or `w` is too short.
pub fn com_jacobian_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Result<Matrix<S>, Massless> {
    let mut out = Matrix::zeros(3, model.nv());
    com_jacobian_dot_into(model, q, w, &mut KinematicsScratch::new(model), out.as_mut_slice())?;
    Ok(out)
}

fn reciprocal_mass<T: Constant>(model: &Model<T>) -> Result<T, Massless> {
    let mass = model.total_mass();
    if mass.is_zero() { Err(Massless { robot: model.name().to_owned() }) } else { Ok(T::one() / mass) }
}

fn scaled<S: Scalar>(v: Vector<S>, factor: S::Constant) -> Vector<S> {
    v.map(|x| x.scale(factor))
}

/// How a twist of the frame moves the first moment h of mass m: m v + ω × h.
fn moment_rate<S: Scalar>(twist: Twist<S>, mass: S::Constant, moment: Vector<S>) -> Vector<S> {
    scaled(twist.linear, mass) + twist.angular.cross(moment)
}

/// Poses, and the mass and first moment of every link with all it carries, in its own frame.
fn subtree_moments<S: Scalar>(model: &Model<S::Constant>, q: &[S], scratch: &mut KinematicsScratch<S>) {
    let KinematicsScratch { transforms, poses, masses, moments, .. } = scratch;
    for (l, link) in model.links().iter().enumerate() {
        transforms[l] = link.transform(q);
        poses[l] = link.parent.map_or(transforms[l], |p| poses[p] * transforms[l]);
        masses[l] = link.inertia.mass;
        moments[l] = link.inertia.first_moment.lift();
    }
    for (l, link) in model.links().iter().enumerate().rev() {
        if let Some(p) = link.parent {
            let share = transforms[l].rotation.apply(moments[l]) + scaled(transforms[l].translation, masses[l]);
            masses[p] = masses[p] + masses[l];
            moments[p] += share;
        }
    }
}

/// The rates of the components of the first moments: ḣ_p = Σ R (ω × h + m v + ḣ), with (v, ω) the joint's own twist.
///
/// Reads the subspaces in `scratch.columns`.
fn subtree_moment_rates<S: Scalar>(model: &Model<S::Constant>, w: &[S], scratch: &mut KinematicsScratch<S>) {
    let KinematicsScratch { transforms, columns, masses, moments, moment_rates, .. } = scratch;
    moment_rates.fill(Vector::zero());
    for (l, link) in model.links().iter().enumerate().rev() {
        if let Some(p) = link.parent {
            let mut xi_w = Twist::zero();
            for (xi, &w) in columns[model.columns_of(l)].iter().zip(link.velocity(w, &mut [S::zero()])) {
                xi_w += xi.times(w);
            }
            let rate = moment_rate(xi_w, masses[l], moments[l]) + moment_rates[l];
            moment_rates[p] += transforms[l].rotation.apply(rate);
        }
    }
}

fn add_column<S: Scalar>(column: &Column<S::Constant>, value: Vector<S>, nv: usize, out: &mut [S]) {
    for (row, x) in value.0.into_iter().enumerate() {
        let element = &mut out[row * nv + column.dof];
        *element = match column.factor {
            Some(factor) => x.scale_add(factor, *element),
            None => *element + x,
        };
    }
}

/// The partial derivatives of the Jacobian of the centre of mass by the position: 3 × nv × nv, row by row, the last index being
/// the variable; the Jacobian run on dual numbers.
///
/// # Reference
/// The partials of G (7).
///
/// # Errors
/// A robot of total mass zero.
///
/// # Panics
/// If `q` is too short, or `out` does not hold 3 nv² scalars.
pub fn com_jacobian_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    out: &mut [S],
) -> Result<(), Massless> {
    reciprocal_mass(model)?;
    let mut scratch = KinematicsScratch::new(model);
    super::jacobian_second::partials_into(model, q, out, |position, dual| {
        // A robot with mass has it at every position.
        let _ = com_jacobian_into(model, position, &mut scratch, dual);
    });
    Ok(())
}
