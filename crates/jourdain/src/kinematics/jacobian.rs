//! The Jacobian of a link: its twist per unit of each velocity.
//!
//! The body column of column c, on a link l between the ground and the link L, is b_c = Ad(T_lL)⁻¹ Ξ_c: G (27) solved.
//! It is carried outwards along the chain only, so neither the world origin nor other branches enter. In world axes
//! the column is turned by R_L and keeps its reference point. Coupled joints add their columns, times their factor, to
//! their leader's.
//!
//! Trap: "world" Jacobians of other libraries may be at the world origin. Here only the axes are the world's.

use super::frame::turned;
use super::{Axes, Frame, KinematicsScratch};
use crate::matrix::Matrix;
use crate::model::{Column, Model};
use crate::spatial::{Pose, Twist};
use jourdain_symbolic::Scalar;

/// The Jacobian in a frame: 6 × nv, row by row, linear rows first; the link's twist there is J w.
///
/// # Reference
/// G (27), with Ξ allowed to depend on q.
///
/// # Panics
/// If there is no such link, `q` is too short, or `out` does not hold 6 nv scalars.
pub fn jacobian_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    frame: Frame<S::Constant>,
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) {
    let nv = model.nv();
    assert_eq!(out.len(), 6 * nv, "a Jacobian has 6 nv elements");
    let pose = body_columns(model, q, frame.link, scratch);
    out.fill(S::zero());
    for l in model.chain(frame.link) {
        for c in model.columns_of(l) {
            let b = frame.at_point(scratch.columns[c]);
            let column = match frame.axes {
                Axes::Link => b,
                Axes::World => turned(&pose.rotation, b),
            };
            add_column(&model.columns()[c], column, nv, out);
        }
    }
}

/// The Jacobian in a frame, 6 × nv; see [`jacobian_into`].
///
/// # Panics
/// If there is no such link, or `q` is too short.
#[must_use]
pub fn jacobian<S: Scalar>(model: &Model<S::Constant>, q: &[S], frame: Frame<S::Constant>) -> Matrix<S> {
    let mut out = Matrix::zeros(6, model.nv());
    jacobian_into(model, q, frame, &mut KinematicsScratch::new(model), out.as_mut_slice());
    out
}

/// Fills `scratch.columns` with b_c for every column on the chain of `link`, and returns the link's pose in the world.
pub(super) fn body_columns<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    link: usize,
    scratch: &mut KinematicsScratch<S>,
) -> Pose<S> {
    // `T_lL`, once l is above L.
    let mut outboard: Option<Pose<S>> = None;
    for l in model.chain(link) {
        let at = &model.links()[l];
        let columns = &mut scratch.columns[model.columns_of(l)];
        at.joint.subspace_into(at.position(q, &mut [S::zero()]), columns);
        let transform = at.transform(q);
        outboard = Some(match outboard {
            None => transform,
            Some(pose) => {
                columns.iter_mut().for_each(|column| *column = pose.adjoint_inverse(*column));
                transform * pose
            }
        });
    }
    outboard.unwrap_or_else(Pose::identity)
}

/// Adds a column, times its factor, to its degree of freedom.
#[inline]
pub(super) fn add_column<S: Scalar>(column: &Column<S::Constant>, value: Twist<S>, nv: usize, out: &mut [S]) {
    for (row, x) in value.to_array().into_iter().enumerate() {
        let element = &mut out[row * nv + column.dof];
        *element = match column.factor {
            Some(factor) => x.scale_add(factor, *element),
            None => *element + x,
        };
    }
}
