//! The Coriolis matrix of a tree robot, G (6b), in either [`Factorization`].
//!
//! C = Σₖ Jₖᵀ [ Ψₖ Jₖ + Λₖ J̇ₖ ],  Ψₖ = Λₖ adₖ − adₖᵀ Λₖ
//!
//! The Christoffel matrix has the block Ψ = ½ [Λ ad − adᵀ Λ + (Λ v)×̄*] instead. Both keep Ṁ − 2C skew-symmetric and agree on
//! C q̇. Trap: a C that only satisfies C q̇ is not enough for passivity-based control.

use super::body_form::psi;
use super::outward::Outward;
use crate::dynamics::Factorization;
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// C at position `q` and velocity `w`. Friction is not part of it.
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (6b); equal to MK (54) for [`Factorization::Garofalo`].
#[must_use]
pub fn coriolis_matrix<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
) -> Matrix<S> {
    Outward::moving(model, q, w).coriolis_matrix(factorization)
}

impl<S: Scalar> Outward<'_, S> {
    /// C. See [`coriolis_matrix`].
    #[must_use]
    pub fn coriolis_matrix(&self, factorization: Factorization) -> Matrix<S> {
        let n = self.model.nv();
        let mut c = Matrix::zeros(n, n);
        for (_, link) in self.massive() {
            for &j in &link.support {
                let force = psi(factorization, link.inertia, link.twist, link.jacobian[j])
                    + link.inertia.apply(link.jacobian_dot[j]);
                for &i in &link.support {
                    c[(i, j)] += link.jacobian[i].dot(force); // G (6b)
                }
            }
        }
        c
    }
}
