//! The torques of a motion, G (5).
//!
//! τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction, put together from its matrices. Trap: motor inertia and friction of the robot file
//! are part of it; joints with a stiffness keep their rotor out of M.

use super::outward::Outward;
use crate::Model;
use crate::dynamics::{Factorization, drive};
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;

/// τ at position `q`, velocity `w` and acceleration `w_dot`, under the wrenches applied to links.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// G (4), (5).
#[must_use]
pub fn inverse_dynamics<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    Outward::moving(model, q, w).inverse_dynamics(w_dot, wrenches)
}

impl<S: Scalar> Outward<'_, S> {
    /// τ. See [`inverse_dynamics`].
    #[must_use]
    pub fn inverse_dynamics(&self, w_dot: &[S], wrenches: &[LinkWrench<S>]) -> Vec<S> {
        let terms = [
            self.mass_matrix().apply(w_dot),
            self.coriolis_matrix(Factorization::default()).apply(&self.velocity),
            self.gravity(),
            self.external_forces(wrenches),
        ];
        let mut tau = vec![S::zero(); self.model.nv()];
        for term in terms {
            tau.iter_mut().zip(term).for_each(|(sum, x)| *sum += x); // G (5)
        }
        drive::add_torques(self.model, &self.position, &self.velocity, &mut tau);
        tau
    }
}
