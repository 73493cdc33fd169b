//! Partial derivatives of the torques by the state, contracted from G (24).
//!
//! ∂τ/∂q_h = (∂M/∂q_h) q̈ + (∂C/∂q_h) q̇ + ∂g/∂q_h − Σ (∂J/∂q_h)ᵀ W,  ∂τ/∂q̇_h = C ê_h + (∂C/∂q̇_h) q̇ + ∂friction/∂q̇_h
//!
//! The wrenches are held constant in link axes. Traps: ∂τ/∂q̇ is not C alone; a load that keeps its direction in space
//! changes in link axes and has a further term that is not here.

use super::outward::Outward;
use super::outward_partials::LinkPartials;
use crate::dynamics::{Factorization, balance, drive};
use crate::state::LinkWrench;
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// ∂τ/∂q at position `q`, velocity `w` and acceleration `w_dot`, wrenches constant in link axes.
///
/// # Panics
/// If a vector does not have the model's length or a wrench acts on a link that is not there.
///
/// # Reference
/// G (24a), (24b), (24d).
#[must_use]
pub fn inverse_dynamics_dq<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
) -> Matrix<S> {
    let outward = Outward::moving(model, q, w);
    outward.inverse_dynamics_dq(&outward.partials(), w_dot, wrenches)
}

/// ∂τ/∂q̇ at position `q` and velocity `w`, friction included.
///
/// # Panics
/// If `q` or `w` does not have the model's length.
///
/// # Reference
/// G (24c).
#[must_use]
pub fn inverse_dynamics_dqd<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Matrix<S> {
    let outward = Outward::moving(model, q, w);
    outward.inverse_dynamics_dqd(&outward.partials())
}

impl<S: Scalar> Outward<'_, S> {
    /// ∂τ/∂q from the partials of this pass. See [`inverse_dynamics_dq`].
    #[must_use]
    pub fn inverse_dynamics_dq(
        &self,
        partials: &[LinkPartials<S>],
        w_dot: &[S],
        wrenches: &[LinkWrench<S>],
    ) -> Matrix<S> {
        let mut sum = self
            .mass_matrix_dq(partials)
            .times(w_dot)
            .plus(&self.coriolis_matrix_dq(partials, Factorization::default()).times(&self.velocity))
            .plus(&self.gravity_dq(partials));
        for load in wrenches {
            let link = &self.links[load.link];
            for &h in &link.support {
                for &i in &link.support {
                    sum[(i, h)] -= partials[load.link].jacobian[h][i].dot(load.wrench);
                }
            }
        }
        balance::for_each_slope(self.model, &self.position, |i, slope| sum[(i, i)] += slope);
        sum
    }

    /// ∂τ/∂q̇ from the partials of this pass. See [`inverse_dynamics_dqd`].
    #[must_use]
    pub fn inverse_dynamics_dqd(&self, partials: &[LinkPartials<S>]) -> Matrix<S> {
        let choice = Factorization::default();
        let mut sum =
            self.coriolis_matrix(choice).plus(&self.coriolis_matrix_dqd(partials, choice).times(&self.velocity));
        drive::for_each_friction_slope(self.model, &self.velocity, |i, j, slope| sum[(i, j)] += slope);
        sum
    }
}
