//! Gravity and wrench torques with their time derivatives, MK (25), (27), (36), (37), (52), (53).
//!
//! g^{(r)} = Jᵀ M⁽ʳ⁾ U G,  Q_ext^{(r)} = Jᵀ Σ C(r,i) N_iᵀ W^{(r−i)}
//!
//! Trap: W of MK is what the body **exerts**. A wrench of a state is what is applied to the link, hence the minus sign here.
//! MK writes W_EE and W_ext for one thing.

use super::block_matrix::Stacked;
use super::system::{System, accumulate, binomial};
use crate::Model;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;
use std::array::from_fn;

/// g̈ at position `q`, velocity `w` and acceleration `w_dot`.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// MK (52).
#[must_use]
pub fn gravity_ddot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S]) -> Vec<S> {
    System::new(model, q, &[w, w_dot]).gravity(2)
}

/// The rate of the torques −Σ Jᵀ W of the wrenches applied to links.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// MK (37), with the opposite sign of the wrench.
#[must_use]
pub fn external_forces_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    System::new(model, q, &[w]).external_forces(wrenches, 1)
}

/// The second time derivative of the torques −Σ Jᵀ W of the wrenches applied to links.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// MK (53), with the opposite sign of the wrench.
#[must_use]
pub fn external_forces_ddot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    System::new(model, q, &[w, w_dot]).external_forces(wrenches, 2)
}

impl<S: Scalar> System<'_, S> {
    /// The time derivative of g of the order `r`.
    ///
    /// # Panics
    /// If fewer than `r` derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (25), (36), (52).
    #[must_use]
    pub fn gravity(&self, r: usize) -> Vec<S> {
        self.project_vector(&self.inertia_rate(r).apply(&self.weight)) // MK (25), (36), (52)
    }

    /// The time derivative of −Σ Jᵀ W of the order `r`. Derivatives of a wrench above the second are zero.
    ///
    /// # Panics
    /// If fewer than `r` derivatives of the motion were given or a wrench acts on a link that is not there.
    ///
    /// # Reference
    /// MK (27), (37), (53).
    #[must_use]
    pub fn external_forces(&self, wrenches: &[LinkWrench<S>], r: usize) -> Vec<S> {
        assert!(r <= self.motion.len(), "derivatives of the motion for order {r}");
        let mut f = vec![[S::zero(); 6]; self.size()];
        // W has no derivatives above the second.
        for i in r.saturating_sub(2)..=r {
            let term = self.n[i].apply_transposed(&self.exerted(wrenches, r - i));
            accumulate(&mut f, &term, binomial(r, i)); // MK (27), (37), (53)
        }
        self.project_vector(&f)
    }

    /// W^{(s)} of MK: minus the applied wrenches, stacked by body.
    pub(super) fn exerted(&self, wrenches: &[LinkWrench<S>], s: usize) -> Stacked<S> {
        let mut stacked = vec![[S::zero(); 6]; self.size()];
        for load in wrenches {
            let orders = [load.wrench, load.dot, load.ddot];
            let applied = orders.get(s).map_or([S::zero(); 6], |wrench| wrench.to_array());
            let place = &mut stacked[self.body_of[load.link]];
            *place = from_fn(|i| place[i] - applied[i]);
        }
        stacked
    }
}
