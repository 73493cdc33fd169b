//! The time derivative of a link's Jacobian.
//!
//! ḃ_c = −ad(v_L − Ad(T_lL)⁻¹ v_l) b_c + Ad(T_lL)⁻¹ Ξ̇_c: a body column changes only through the joints outboard of its
//! own, G (28) solved, and through its joint's moving subspace. The difference of twists is summed from the columns
//! between l and L and so has no cancellation. World axes turn with the link: d/dt (R_L b) = R_L (ω_L × b + ḃ).
//!
//! Trap: J̇ w is the acceleration of the frame at ẇ = 0 in world axes only. In link axes at the link origin it lacks
//! ω × v, as every body-fixed rate does.

use super::frame::{swept, turned};
use super::jacobian::{add_column, body_columns};
use super::{Axes, Frame, KinematicsScratch};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::spatial::Twist;
use jourdain_symbolic::Scalar;

/// The time derivative of the Jacobian in a frame at velocity `w`: 6 × nv, row by row, linear rows first.
///
/// # Reference
/// G (28), with Ξ̇ added.
///
/// # Panics
/// If there is no such link, `q` or `w` is too short, or `out` does not hold 6 nv scalars.
pub fn jacobian_dot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    frame: Frame<S::Constant>,
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) {
    let nv = model.nv();
    assert_eq!(out.len(), 6 * nv, "a Jacobian has 6 nv elements");
    let pose = body_columns(model, q, frame.link, scratch);
    let twist = body_column_rates(model, w, frame.link, scratch);
    out.fill(S::zero());
    for l in model.chain(frame.link) {
        for c in model.columns_of(l) {
            let b_dot = frame.at_point(scratch.column_rates[c]);
            let column = match frame.axes {
                Axes::Link => b_dot,
                Axes::World => {
                    let b = frame.at_point(scratch.columns[c]);
                    turned(&pose.rotation, swept(twist.angular, b) + b_dot)
                }
            };
            add_column(&model.columns()[c], column, nv, out);
        }
    }
}

/// The time derivative of the Jacobian, 6 × nv; see [`jacobian_dot_into`].
///
/// # Panics
/// If there is no such link, or `q` or `w` is too short.
#[must_use]
pub fn jacobian_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], frame: Frame<S::Constant>) -> Matrix<S> {
    let mut out = Matrix::zeros(6, model.nv());
    jacobian_dot_into(model, q, w, frame, &mut KinematicsScratch::new(model), out.as_mut_slice());
    out
}

/// Fills `scratch.column_rates` with ḃ_c on the chain of `link`, from `scratch.columns`, and returns the link's twist.
fn body_column_rates<S: Scalar>(
    model: &Model<S::Constant>,
    w: &[S],
    link: usize,
    scratch: &mut KinematicsScratch<S>,
) -> Twist<S> {
    // The twist of L against l, in L.
    let mut relative = Twist::zero();
    for l in model.chain(link) {
        let at = &model.links()[l];
        let (columns, rates) = (&scratch.columns[model.columns_of(l)], &mut scratch.column_rates[model.columns_of(l)]);
        let mut slot = [S::zero()];
        let w = at.velocity(w, &mut slot);
        // Ξ̇ is made of brackets of Ξ, and Ad of a bracket is the bracket of Ads.
        at.joint.subspace_dot_into(columns, w, rates);
        for (b_dot, b) in rates.iter_mut().zip(columns) {
            *b_dot -= relative.cross(*b);
        }
        for (b, &w) in columns.iter().zip(w) {
            relative += b.times(w);
        }
    }
    relative
}
