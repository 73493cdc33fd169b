//! The 6×6 block Ψ of one link, whose choice is the choice of the Coriolis matrix.
//!
//! Λ v̇ + Ψ v = f, G (3). Ψ is linear in the link's twist v, so that its rate is Ψ(v̇) and its partials are Ψ(∂v/∂q_h)
//! and Ψ(Jʰ), G (19), (20): one function serves (6b), (24b), (24c) and (25b), for both factorisations.

use crate::dynamics::Factorization;
use crate::spatial::{Inertia, Twist, Wrench};
use jourdain_symbolic::Scalar;

/// Ψ(v) u.
pub(super) fn psi<S: Scalar>(choice: Factorization, inertia: Inertia<S>, v: Twist<S>, u: Twist<S>) -> Wrench<S> {
    let skew = inertia.apply(v.cross(u)) + v.cross_dual(inertia.apply(u)); // (Λ ad − adᵀ Λ) u, G (3)
    match choice {
        Factorization::Garofalo => skew,
        Factorization::Christoffel => (skew + inertia.apply(v).bar_cross(u)).times(S::from_f64(0.5)),
    }
}
