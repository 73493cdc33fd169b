//! The torques of wrenches on the links.
//!
//! τ_ext = −Σₖ Jₖᵀ Wₖ. A wrench is what is **applied to** the link, in link axes at the link origin, so that the joints are
//! relieved of it: hence the sign. MK (27) has the wrench that the body exerts, of opposite sign.

use super::outward::Outward;
use crate::Model;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;

/// −Σ Jᵀ W at position `q`.
///
/// # Panics
/// If `q` does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// MK (27), with the opposite sign of the wrench.
#[must_use]
pub fn external_forces<S: Scalar>(model: &Model<S::Constant>, q: &[S], wrenches: &[LinkWrench<S>]) -> Vec<S> {
    Outward::at(model, q).external_forces(wrenches)
}

impl<S: Scalar> Outward<'_, S> {
    /// −Σ Jᵀ W. See [`external_forces`].
    #[must_use]
    pub fn external_forces(&self, wrenches: &[LinkWrench<S>]) -> Vec<S> {
        let mut tau = vec![S::zero(); self.model.nv()];
        for load in wrenches {
            let link = &self.links[load.link];
            for &i in &link.support {
                tau[i] -= link.jacobian[i].dot(load.wrench);
            }
        }
        tau
    }
}
