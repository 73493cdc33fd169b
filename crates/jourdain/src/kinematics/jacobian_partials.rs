//! The partial derivatives of a link's Jacobian with respect to the position.
//!
//! ∂b_c/∂q_h is −ad(b_h) b_c if h's link is strictly outboard of c's, Ad(T_lL)⁻¹ ∂Ξ_c/∂q_h within one joint, and zero if h
//! is inboard: G (31) solved. World axes turn with every h on the chain and add b_h's ω × b_c.
//!
//! On spherical and free joints the derivative is along T·exp(ε ê_h). Such derivatives do not commute: Σ_h ∂J/∂q_h w_h
//! is J̇, but ∂J_c/∂q_h and ∂J_h/∂q_c differ by a bracket.

use super::frame::{swept, turned};
use super::jacobian::body_columns;
use super::{Axes, Frame, KinematicsScratch};
use crate::model::{Column, Model};
use crate::spatial::Twist;
use jourdain_symbolic::Scalar;

/// ∂J/∂q in a frame: 6 × nv × nv, row by row, the last index being the variable.
///
/// # Reference
/// G (30), (31), with ∂Ξ/∂q added.
///
/// # Panics
/// If there is no such link, `q` is too short, or `out` does not hold 6 nv² scalars.
pub fn jacobian_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    frame: Frame<S::Constant>,
    scratch: &mut KinematicsScratch<S>,
    out: &mut [S],
) {
    let nv = model.nv();
    assert_eq!(out.len(), 6 * nv * nv, "the partials of a Jacobian have 6 nv² elements");
    let pose = body_columns(model, q, frame.link, scratch);
    out.fill(S::zero());
    for l_c in model.chain(frame.link) {
        for c in model.columns_of(l_c) {
            let b_c = scratch.columns[c];
            for l_h in model.chain(frame.link) {
                for h in model.columns_of(l_h) {
                    let b_h = scratch.columns[h];
                    // Links on one chain are numbered outwards.
                    let body = if l_h > l_c {
                        Some(-b_h.cross(b_c))
                    } else if l_h == l_c {
                        let (first, joint) = (model.links()[l_c].column, &model.links()[l_c].joint);
                        // ∂Ξ/∂q is a bracket of Ξ, and Ad of a bracket is the bracket of Ads.
                        let xi = &scratch.columns[model.columns_of(l_c)];
                        joint.has_moving_subspace().then(|| joint.subspace_partial(xi, c - first, h - first))
                    } else {
                        None
                    };
                    let partial = match (frame.axes, body) {
                        (Axes::Link, None) => continue,
                        (Axes::Link, Some(partial)) => frame.at_point(partial),
                        (Axes::World, partial) => {
                            let mut sum = swept(b_h.angular, frame.at_point(b_c));
                            if let Some(partial) = partial {
                                sum += frame.at_point(partial);
                            }
                            turned(&pose.rotation, sum)
                        }
                    };
                    add_partial(&model.columns()[c], &model.columns()[h], partial, nv, out);
                }
            }
        }
    }
}

/// ∂J/∂q in a frame, 6 × nv × nv; see [`jacobian_partials_into`].
///
/// # Panics
/// If there is no such link, or `q` is too short.
#[must_use]
pub fn jacobian_partials<S: Scalar>(model: &Model<S::Constant>, q: &[S], frame: Frame<S::Constant>) -> Vec<S> {
    let mut out = vec![S::zero(); 6 * model.nv() * model.nv()];
    jacobian_partials_into(model, q, frame, &mut KinematicsScratch::new(model), &mut out);
    out
}

/// Adds the derivative of column `c` by column `h`, times both factors, to their degrees of freedom.
fn add_partial<S: Scalar>(c: &Column<S::Constant>, h: &Column<S::Constant>, value: Twist<S>, nv: usize, out: &mut [S]) {
    let factor = match (c.factor, h.factor) {
        (Some(a), Some(b)) => Some(a * b),
        (a, b) => a.or(b),
    };
    for (row, x) in value.to_array().into_iter().enumerate() {
        let element = &mut out[(row * nv + c.dof) * nv + h.dof];
        *element = match factor {
            Some(factor) => x.scale_add(factor, *element),
            None => *element + x,
        };
    }
}
