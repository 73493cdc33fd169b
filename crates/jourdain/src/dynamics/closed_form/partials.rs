//! Partial derivatives of the dynamic matrices by the state, G (24).
//!
//! ∂M/∂q_h = Σ (∂J/∂q_h)ᵀ Λ J + Jᵀ Λ ∂J/∂q_h
//!
//! ∂C/∂q_h = Σ (∂J/∂q_h)ᵀ (Ψ J + Λ J̇) + Jᵀ [Λ ∂J̇/∂q_h + Ψ(∂v/∂q_h) J + Ψ(v) ∂J/∂q_h],  ∂v/∂q_h = (∂J/∂q_h) q̇
//!
//! ∂C/∂q̇_h = Σ Jᵀ [Ψ(Jʰ) J + Λ ∂J/∂q_h],  ∂g/∂q_h = Σ ((∂J/∂q_h)ᵀ Λ − Jᵀ Λ ad(Jʰ)) γ
//!
//! All tensors have the variable as their last index. For spherical and free joints it is the derivative along
//! T·exp(ε ê_h), not by a number of the quaternion; the velocity is held. Trap: such derivatives do not commute, so that
//! ∂M/∂q alone does not give the Coriolis terms there; see [`christoffel_symbols`].

use super::body_form::psi;
use super::outward::Outward;
use super::outward_partials::LinkPartials;
use crate::dynamics::{Factorization, Tensor};
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// ∂M/∂q at position `q`.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (24a).
#[must_use]
pub fn mass_matrix_dq<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Tensor<S> {
    let outward = Outward::at(model, q);
    outward.mass_matrix_dq(&outward.partials())
}

/// ∂C/∂q at position `q` and velocity `w`.
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (24b).
#[must_use]
pub fn coriolis_matrix_dq<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    factorization: Factorization,
) -> Tensor<S> {
    let outward = Outward::moving(model, q, w);
    outward.coriolis_matrix_dq(&outward.partials(), factorization)
}

/// ∂C/∂q̇ at position `q`; C is linear in the velocity, so it does not depend on it.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (24c).
#[must_use]
pub fn coriolis_matrix_dqd<S: Scalar>(model: &Model<S::Constant>, q: &[S], factorization: Factorization) -> Tensor<S> {
    let outward = Outward::at(model, q);
    outward.coriolis_matrix_dqd(&outward.partials(), factorization)
}

/// Γ at position `q`: the Christoffel matrix is C_ij = Σ_h Γ_ijh q̇_h.
///
/// Where all velocities are rates of coordinates these are the Christoffel symbols of the first kind,
/// ½ (∂M_ij/∂q_h + ∂M_ih/∂q_j − ∂M_jh/∂q_i), symmetric in j and h. With spherical or free joints they are the coefficients
/// of the connection in the body velocities, ∂C_ij/∂q̇_h: the brackets of the velocity fields are in them, and they are
/// not symmetric.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (24c) with the Christoffel block Ψ.
#[must_use]
pub fn christoffel_symbols<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Tensor<S> {
    coriolis_matrix_dqd(model, q, Factorization::Christoffel)
}

/// ∂g/∂q at position `q`.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (24d).
#[must_use]
pub fn gravity_dq<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    let outward = Outward::at(model, q);
    outward.gravity_dq(&outward.partials())
}

impl<S: Scalar> Outward<'_, S> {
    /// ∂M/∂q from the partials of this pass. See [`mass_matrix_dq`].
    #[must_use]
    pub fn mass_matrix_dq(&self, partials: &[LinkPartials<S>]) -> Tensor<S> {
        let n = self.model.nv();
        let mut dm = Tensor::zeros(n, n, n);
        for (k, link) in self.massive() {
            let momenta: Vec<_> = link.jacobian.iter().map(|&jac| link.inertia.apply(jac)).collect();
            for &h in &link.support {
                let partial = &partials[k].jacobian[h];
                for &j in &link.support {
                    for &i in &link.support {
                        dm[(i, j, h)] += partial[i].dot(momenta[j]) + partial[j].dot(momenta[i]); // G (24a)
                    }
                }
            }
        }
        dm
    }

    /// ∂C/∂q from the partials of this pass. See [`coriolis_matrix_dq`].
    #[must_use]
    pub fn coriolis_matrix_dq(&self, partials: &[LinkPartials<S>], factorization: Factorization) -> Tensor<S> {
        let n = self.model.nv();
        let mut dc = Tensor::zeros(n, n, n);
        for (k, link) in self.massive() {
            let (partial, inertia, v) = (&partials[k], link.inertia, link.twist);
            let psi = |v, u| psi(factorization, inertia, v, u);
            for &h in &link.support {
                let (jac_h, jac_dot_h) = (&partial.jacobian[h], &partial.jacobian_dot[h]);
                let v_h = link.contract(jac_h, &self.velocity); // ∂v/∂q_h, G (20)
                for &j in &link.support {
                    let jac = link.jacobian[j];
                    let force = psi(v, jac) + inertia.apply(link.jacobian_dot[j]);
                    let force_h = inertia.apply(jac_dot_h[j]) + psi(v_h, jac) + psi(v, jac_h[j]);
                    for &i in &link.support {
                        dc[(i, j, h)] += jac_h[i].dot(force) + link.jacobian[i].dot(force_h); // G (24b)
                    }
                }
            }
        }
        dc
    }

    /// ∂C/∂q̇ from the partials of this pass. See [`coriolis_matrix_dqd`].
    #[must_use]
    pub fn coriolis_matrix_dqd(&self, partials: &[LinkPartials<S>], factorization: Factorization) -> Tensor<S> {
        let n = self.model.nv();
        let mut dc = Tensor::zeros(n, n, n);
        for (k, link) in self.massive() {
            for &h in &link.support {
                for &j in &link.support {
                    let force = psi(factorization, link.inertia, link.jacobian[h], link.jacobian[j]) // G (19)
                        + link.inertia.apply(partials[k].jacobian[h][j]); // G (30)
                    for &i in &link.support {
                        dc[(i, j, h)] += link.jacobian[i].dot(force); // G (24c)
                    }
                }
            }
        }
        dc
    }

    /// ∂g/∂q from the partials of this pass. See [`gravity_dq`].
    #[must_use]
    pub fn gravity_dq(&self, partials: &[LinkPartials<S>]) -> Matrix<S> {
        let n = self.model.nv();
        let mut dg = Matrix::zeros(n, n);
        for (k, link) in self.massive() {
            let weight = link.inertia.apply(link.gravity);
            for &h in &link.support {
                let weight_h = link.inertia.apply(link.jacobian[h].cross(link.gravity)); // −Λ ∂γ/∂q_h, G (18)
                for &i in &link.support {
                    dg[(i, h)] += partials[k].jacobian[h][i].dot(weight) - link.jacobian[i].dot(weight_h); // G (24d)
                }
            }
        }
        dg
    }
}
