//! Joints that are products of exponentials, T = exp(X₁q₁) … exp(X_m q_m), and the rates of their subspace.
//!
//! Ξʲ = Ad(exp(−X_m q_m) … exp(−X_{j+1} q_{j+1})) X_j, so that ∂Ξʲ/∂q_h = −ad(Ξʰ) Ξʲ for h > j and zero otherwise; every
//! other rate follows by the product rule. With one factor Ξ is constant and all of them vanish. Trap: G (28)–(32) are
//! printed for a constant Ξ and lack these terms.

use super::Screw;
use crate::spatial::{Pose, Twist};
use jourdain_symbolic::Scalar;

pub(super) fn transform<S: Scalar>(screws: &[Screw<S::Constant>], q: &[S]) -> Pose<S> {
    match (screws, q) {
        ([], _) => Pose::identity(),
        ([screw], &[q]) => screw.exp(q),
        _ => screws.iter().zip(q).fold(Pose::identity(), |t, (screw, &q)| t * screw.exp(q)),
    }
}

pub(super) fn subspace<S: Scalar>(screws: &[Screw<S::Constant>], q: &[S], out: &mut [Twist<S>]) {
    let lift = |x: Twist<S::Constant>| Twist { linear: x.linear.lift(), angular: x.angular.lift() };
    let Some(last) = screws.len().checked_sub(1) else { return };
    let mut outboard = Pose::<S>::identity();
    for j in (0..screws.len()).rev() {
        out[j] = lift(screws[j].twist());
        if j < last {
            outboard = screws[j + 1].exp(q[j + 1]) * outboard;
            out[j] = outboard.adjoint_inverse(out[j]);
        }
    }
}

/// Ξ̇ʲ = −ad(Wʲ) Ξʲ with Wʲ = Σ_{h>j} Ξʰ q̇_h.
pub(super) fn subspace_dot<S: Scalar>(xi: &[Twist<S>], w: &[S], out: &mut [Twist<S>]) {
    let mut outboard = Twist::zero();
    for j in (0..xi.len()).rev() {
        out[j] = -outboard.cross(xi[j]);
        outboard += xi[j].times(w[j]);
    }
}

/// Ξ̈ʲ = −ad(Ẇʲ) Ξʲ − ad(Wʲ) Ξ̇ʲ.
pub(super) fn subspace_ddot<S: Scalar>(
    xi: &[Twist<S>],
    xi_dot: &[Twist<S>],
    w: &[S],
    w_dot: &[S],
    out: &mut [Twist<S>],
) {
    let (mut outboard, mut outboard_dot) = (Twist::zero(), Twist::zero());
    for j in (0..xi.len()).rev() {
        out[j] = -outboard_dot.cross(xi[j]) - outboard.cross(xi_dot[j]);
        outboard += xi[j].times(w[j]);
        outboard_dot += xi_dot[j].times(w[j]) + xi[j].times(w_dot[j]);
    }
}

pub(super) fn subspace_partial<S: Scalar>(xi: &[Twist<S>], j: usize, h: usize) -> Twist<S> {
    if h > j { -xi[h].cross(xi[j]) } else { Twist::zero() }
}

/// ∂Ξ̇ʲ/∂q_h = −ad(∂Wʲ/∂q_h) Ξʲ − ad(Wʲ) ∂Ξʲ/∂q_h.
pub(super) fn subspace_dot_partial<S: Scalar>(xi: &[Twist<S>], w: &[S], j: usize, h: usize) -> Twist<S> {
    let (mut outboard, mut outboard_partial) = (Twist::zero(), Twist::zero());
    for i in j + 1..xi.len() {
        outboard += xi[i].times(w[i]);
        outboard_partial += subspace_partial(xi, i, h).times(w[i]);
    }
    -outboard_partial.cross(xi[j]) - outboard.cross(subspace_partial(xi, j, h))
}
