//! The gravity torques of a tree robot, G (6c).
//!
//! g = Σₖ Jₖᵀ Λₖ γₖ,  γₖ = Ad⁻¹_{0,k} γ₀
//!
//! Trap: the linear part of γ₀ is **minus** the gravitational acceleration; it points up.

use super::outward::Outward;
use crate::Model;
use jourdain_symbolic::Scalar;

/// g at position `q`: the torques that hold the robot at rest.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (6c).
#[must_use]
pub fn gravity<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Vec<S> {
    Outward::at(model, q).gravity()
}

impl<S: Scalar> Outward<'_, S> {
    /// g. See [`gravity`].
    #[must_use]
    pub fn gravity(&self) -> Vec<S> {
        let mut g = vec![S::zero(); self.model.nv()];
        for (_, link) in self.massive() {
            let weight = link.inertia.apply(link.gravity);
            for &i in &link.support {
                g[i] += link.jacobian[i].dot(weight); // G (6c)
            }
        }
        g
    }
}
