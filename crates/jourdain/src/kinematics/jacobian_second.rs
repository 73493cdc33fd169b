//! Second derivatives of a link's Jacobian: J̈, and ∂J̇/∂q.
//!
//! Both are J̇ run on dual numbers: along the motion for J̈ (q moves with w, w with ẇ), along T·exp(ε ê_h) at constant w for
//! the partial by number h.

use super::{Frame, KinematicsScratch, jacobian_dot_into, tangent};
use crate::model::Model;
use jourdain_symbolic::{Dual, Scalar};

/// J̈ in a frame: 6 × nv, row by row, linear rows first.
///
/// # Reference
/// The rate of G (28).
///
/// # Panics
/// If there is no such link, a vector is too short, or `out` does not hold 6 nv scalars.
pub fn jacobian_ddot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    frame: Frame<S::Constant>,
    out: &mut [S],
) {
    let position = tangent::along(model, q, w);
    let velocity: Vec<Dual<S>> = w.iter().zip(w_dot).map(|(&w, &rate)| Dual::new(w, rate)).collect();
    let mut dual = vec![Dual::fixed(S::zero()); out.len()];
    jacobian_dot_into(model, &position, &velocity, frame, &mut KinematicsScratch::new(model), &mut dual);
    out.iter_mut().zip(dual).for_each(|(out, dual)| *out = dual.derivative);
}

/// ∂J̇/∂q in a frame at constant velocity: 6 × nv × nv, row by row, the last index being the variable.
///
/// # Reference
/// G (32), solved, with the terms of a moving Ξ.
///
/// # Panics
/// If there is no such link, a vector is too short, or `out` does not hold 6 nv² scalars.
pub fn jacobian_dot_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    frame: Frame<S::Constant>,
    out: &mut [S],
) {
    let velocity: Vec<Dual<S>> = w.iter().map(|&w| Dual::fixed(w)).collect();
    let mut scratch = KinematicsScratch::new(model);
    partials_into(model, q, out, |position, dual| {
        jacobian_dot_into(model, position, &velocity, frame, &mut scratch, dual);
    });
}

/// The partial derivatives of `fill` by the position, the variable being the last index of `out`.
pub(super) fn partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    out: &mut [S],
    mut fill: impl FnMut(&[Dual<S>], &mut [Dual<S>]),
) {
    let nv = model.nv();
    let mut dual = vec![Dual::fixed(S::zero()); out.len() / nv.max(1)];
    let (mut position, mut direction) = (vec![Dual::fixed(S::zero()); model.nq()], vec![S::zero(); nv]);
    for h in 0..nv {
        direction[h] = S::one();
        tangent::along_into(model, q, &direction, &mut position);
        direction[h] = S::zero();
        fill(&position, &mut dual);
        dual.iter().enumerate().for_each(|(i, dual)| out[i * nv + h] = dual.derivative);
    }
}
