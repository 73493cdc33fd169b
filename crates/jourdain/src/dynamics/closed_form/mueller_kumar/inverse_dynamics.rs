//! The torques of a motion and their time derivatives, MK (1), (28), (38).
//!
//! Q^{(r)} = Σ C(r,i) (M^{(i)} q^{(r−i+2)} + C^{(i)} q^{(r−i+1)}) + g^{(r)} + Q_ext^{(r)}
//!
//! so that Q̇ = M q⃛ + (Ṁ + C) q̈ + Ċ q̇ + … and Q̈ = M q⁗ + (2 Ṁ + C) q⃛ + (M̈ + 2 Ċ) q̈ + C̈ q̇ + …, with the C of (22) as MK has
//! it. Friction is not in MK: it is a function of the velocity alone, differentiated by its Taylor series.

use super::coriolis::Choice;
use super::system::{System, binomial};
use crate::Model;
use crate::dynamics::drive;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;
use std::array::from_fn;

/// τ̇ at position `q` under the motion `w`, `w_dot`, `w_ddot` and the wrenches applied to links.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// MK (28).
#[must_use]
pub fn inverse_dynamics_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    [w, w_dot, w_ddot]: [&[S]; 3],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    let [_, tau_dot] = System::new(model, q, &[w, w_dot, w_ddot]).inverse_dynamics(wrenches);
    tau_dot
}

/// τ̈ at position `q` under the motion `w`, `w_dot`, `w_ddot`, `w_dddot` and the wrenches applied to links.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// MK (38).
#[must_use]
pub fn inverse_dynamics_ddot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    [w, w_dot, w_ddot, w_dddot]: [&[S]; 4],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    let [_, _, tau_ddot] = System::new(model, q, &[w, w_dot, w_ddot, w_dddot]).inverse_dynamics(wrenches);
    tau_ddot
}

impl<S: Scalar> System<'_, S> {
    /// τ, τ̇, …, τ^{(K−1)}, motor inertia, friction and wrenches included. Derivatives of a wrench above the second are zero.
    ///
    /// # Panics
    /// If fewer than K + 1 derivatives of the motion were given or a wrench acts on a link that is not there.
    ///
    /// # Reference
    /// MK (1), (28), (38).
    #[must_use]
    pub fn inverse_dynamics<const K: usize>(&self, wrenches: &[LinkWrench<S>]) -> [Vec<S>; K] {
        let mut orders = self.torques(wrenches, K);
        from_fn(|r| std::mem::take(&mut orders[r]))
    }

    /// The time derivative of τ of the order `r`; see [`inverse_dynamics`](Self::inverse_dynamics).
    ///
    /// # Panics
    /// If fewer than `r` + 2 derivatives of the motion were given or a wrench acts on a link that is not there.
    #[must_use]
    pub fn inverse_dynamics_derivative(&self, wrenches: &[LinkWrench<S>], r: usize) -> Vec<S> {
        self.torques(wrenches, r + 1).swap_remove(r)
    }

    /// τ, τ̇, … in as many orders.
    fn torques(&self, wrenches: &[LinkWrench<S>], orders: usize) -> Vec<Vec<S>> {
        assert!(orders < self.motion.len(), "derivatives of the motion for {orders} orders");
        let m: Vec<_> = (0..orders).map(|i| self.mass_matrix(i)).collect();
        let c: Vec<_> = (0..orders).map(|i| self.project(&self.coriolis_rate(i, Choice::Printed))).collect();
        let motion: Vec<&[S]> = self.motion.iter().map(Vec::as_slice).collect();
        let torque = |r: usize| {
            let mut tau = vec![S::zero(); self.model.nv()];
            drive::add_torque_derivative(self.model, &self.position, &motion, r, &mut tau);
            let mut add = |term: Vec<S>, factor: f64| {
                let factor = S::Constant::from_f64(factor);
                tau.iter_mut().zip(term).for_each(|(sum, x)| *sum = x.scale_add(factor, *sum));
            };
            for i in 0..=r {
                add(m[i].apply(&self.motion[r - i + 1]), binomial(r, i)); // MK (28), (38)
                add(c[i].apply(&self.motion[r - i]), binomial(r, i)); // MK (28), (38)
            }
            add(self.gravity(r), 1.0);
            add(self.external_forces(wrenches, r), 1.0);
            tau
        };
        (0..orders).map(torque).collect()
    }
}
