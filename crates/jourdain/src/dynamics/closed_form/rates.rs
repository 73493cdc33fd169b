//! Time derivatives of the dynamic matrices, G (25), and the second rate of the Jacobians, G (29).
//!
//! J̈ₖ = Ad⁻¹ J̈_p − ad(ξ) Ad⁻¹ J̇_p − ad(ξ̇) Ad⁻¹ J_p − ad(ξ) (J̇ₖ − Ξ̇) + Ξ̈,  v̇ₖ = Jₖ q̈ + J̇ₖ q̇
//!
//! Ṁ = Σ J̇ᵀ Λ J + Jᵀ Λ J̇,  Ċ = Σ J̇ᵀ (Ψ J + Λ J̇) + Jᵀ Λ J̈ + Jᵀ [Ψ(v̇) J + Ψ(v) J̇],  ġ = Σ (J̇ᵀ Λ − Jᵀ Λ ad) γ
//!
//! Ψ is linear in the twist, so Ψ̇ = Ψ(v̇) for both factorisations. Traps: the stored text of G has lost its dots ((25b)
//! needs J̈ and ad(v̇)), and (29) is printed for a constant Ξ. Ṁ = C + Cᵀ would be cheaper; here it is computed on its own
//! so that the law can be tested.

use super::body_form::psi;
use super::outward::Outward;
use crate::dynamics::Factorization;
use crate::spatial::Twist;
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// The second rate of one link's motion.
#[derive(Clone, Debug)]
pub struct LinkRates<S> {
    /// J̈, one twist per velocity.
    pub jacobian_ddot: Vec<Twist<S>>,
    /// v̇: the rate of the twist, gravity not included.
    pub acceleration: Twist<S>,
}

/// Ṁ at position `q` and velocity `w`.
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (25a).
#[must_use]
pub fn mass_matrix_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Matrix<S> {
    Outward::moving(model, q, w).mass_matrix_dot()
}

/// Ċ at position `q`, velocity `w` and acceleration `w_dot`.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// G (25b).
#[must_use]
pub fn coriolis_matrix_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    factorization: Factorization,
) -> Matrix<S> {
    Outward::moving(model, q, w).coriolis_matrix_dot(w_dot, factorization)
}

/// ġ at position `q` and velocity `w`.
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (25c).
#[must_use]
pub fn gravity_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<S> {
    Outward::moving(model, q, w).gravity_dot()
}

impl<S: Scalar> Outward<'_, S> {
    /// J̈ and v̇ of every link for the acceleration `w_dot`.
    ///
    /// # Reference
    /// G (29).
    #[must_use]
    pub fn rates(&self, w_dot: &[S]) -> Vec<LinkRates<S>> {
        let mut rates: Vec<LinkRates<S>> = Vec::with_capacity(self.links.len());
        for k in 0..self.links.len() {
            let parent = self.links[k].parent.map(|p| rates[p].jacobian_ddot.as_slice());
            let link = self.link_rates(k, parent, w_dot);
            rates.push(link);
        }
        rates
    }

    fn link_rates(&self, k: usize, parent_ddot: Option<&[Twist<S>]>, w_dot: &[S]) -> LinkRates<S> {
        let (link, joint) = (&self.links[k], &self.model.links()[k].joint);
        let own = |v: &[S]| link.own.iter().map(|&dof| v[dof]).collect::<Vec<S>>();
        let (w, w_dot_own) = (own(&self.velocity), own(w_dot));
        let mut subspace_ddot = vec![Twist::zero(); link.own.len()];
        joint.subspace_ddot_into(&link.subspace, &link.subspace_dot, &w, &w_dot_own, &mut subspace_ddot);
        let mut joint_acceleration = Twist::zero(); // ξ̇ = Ξ q̈ + Ξ̇ q̇
        for c in 0..link.own.len() {
            joint_acceleration += link.subspace[c].times(w_dot_own[c]) + link.subspace_dot[c].times(w[c]);
        }

        let mut jacobian_ddot = vec![Twist::zero(); self.model.nv()];
        if let (Some(p), Some(parent_ddot)) = (link.parent.map(|p| &self.links[p]), parent_ddot) {
            let (t, xi, xi_dot) = (&link.transform, link.joint_twist, joint_acceleration);
            for &j in &p.support {
                let inherited = t.adjoint_inverse(p.jacobian[j]);
                let inherited_dot = t.adjoint_inverse(p.jacobian_dot[j]);
                // J̇ₖ − Ξ̇ is what (28) takes from the parent.
                let carried_dot = inherited_dot - xi.cross(inherited);
                jacobian_ddot[j] = t.adjoint_inverse(parent_ddot[j])
                    - xi.cross(inherited_dot)
                    - xi_dot.cross(inherited)
                    - xi.cross(carried_dot); // G (29)
            }
        }
        for (c, &j) in link.own.iter().enumerate() {
            jacobian_ddot[j] += subspace_ddot[c]; // G (29) for a moving Ξ
        }
        let acceleration = link.contract(&link.jacobian, w_dot) + link.contract(&link.jacobian_dot, &self.velocity);
        LinkRates { jacobian_ddot, acceleration }
    }

    /// Ṁ. See [`mass_matrix_dot`].
    #[must_use]
    pub fn mass_matrix_dot(&self) -> Matrix<S> {
        let n = self.model.nv();
        let mut half = Matrix::zeros(n, n);
        for (_, link) in self.massive() {
            for &j in &link.support {
                let rate = link.inertia.apply(link.jacobian_dot[j]);
                for &i in &link.support {
                    half[(i, j)] += link.jacobian[i].dot(rate);
                }
            }
        }
        half.plus(&half.transpose()) // G (25a)
    }

    /// Ċ. See [`coriolis_matrix_dot`].
    #[must_use]
    pub fn coriolis_matrix_dot(&self, w_dot: &[S], factorization: Factorization) -> Matrix<S> {
        let n = self.model.nv();
        let rates = self.rates(w_dot);
        let mut c_dot = Matrix::zeros(n, n);
        for (k, link) in self.massive() {
            let (rate, inertia) = (&rates[k], link.inertia);
            let psi = |v, u| psi(factorization, inertia, v, u);
            for &j in &link.support {
                let (jac, jac_dot, jac_ddot) = (link.jacobian[j], link.jacobian_dot[j], rate.jacobian_ddot[j]);
                let force = psi(link.twist, jac) + inertia.apply(jac_dot);
                let force_dot = psi(rate.acceleration, jac) + psi(link.twist, jac_dot) + inertia.apply(jac_ddot);
                for &i in &link.support {
                    c_dot[(i, j)] += link.jacobian_dot[i].dot(force) + link.jacobian[i].dot(force_dot); // G (25b)
                }
            }
        }
        c_dot
    }

    /// ġ. See [`gravity_dot`].
    #[must_use]
    pub fn gravity_dot(&self) -> Vec<S> {
        let mut g_dot = vec![S::zero(); self.model.nv()];
        for (_, link) in self.massive() {
            let weight = link.inertia.apply(link.gravity);
            let weight_dot = link.inertia.apply(link.twist.cross(link.gravity));
            for &i in &link.support {
                g_dot[i] += link.jacobian_dot[i].dot(weight) - link.jacobian[i].dot(weight_dot); // G (25c)
            }
        }
        g_dot
    }
}
