//! The centre of mass of the whole robot and its Jacobian, G (7).
//!
//! J_CoM = (1/m) Pᵀ Λ J: P takes the columns of Ad⁻¹_{0,k} that multiply the linear part of γ₀, so that Pᵀ turns the linear
//! momentum of each link's unit motions into ground axes. Hence g = −m J_CoMᵀ · (gravitational acceleration).
//!
//! Trap: a robot without mass has no centre of mass; the functions then return `None`, not a quotient 0/0.

use super::outward::Outward;
use crate::spatial::Vector;
use crate::{Matrix, Model};
use jourdain_symbolic::{Constant, Scalar};

/// The centre of mass in ground coordinates; `None` if the total mass is zero.
///
/// # Panics
/// If `q` does not have the model's length.
#[must_use]
pub fn com<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Option<Vector<S>> {
    Outward::at(model, q).com()
}

/// The 3×n matrix from the velocity to that of the centre of mass, in ground axes; `None` if the total mass is zero.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (7).
#[must_use]
pub fn com_jacobian<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Option<Matrix<S>> {
    Outward::at(model, q).com_jacobian()
}

impl<S: Scalar> Outward<'_, S> {
    /// The centre of mass. See [`com`].
    #[must_use]
    pub fn com(&self) -> Option<Vector<S>> {
        let share = self.inverse_mass()?;
        let mut moment = Vector::zero();
        for (_, link) in self.massive() {
            let (t, inertia) = (&link.pose, link.inertia);
            moment += t.rotation.apply(inertia.first_moment) + t.translation.times(inertia.mass);
        }
        Some(moment.times(share))
    }

    /// The Jacobian of the centre of mass. See [`com_jacobian`].
    #[must_use]
    pub fn com_jacobian(&self) -> Option<Matrix<S>> {
        let share = self.inverse_mass()?;
        let mut jacobian = Matrix::zeros(3, self.model.nv());
        for (_, link) in self.massive() {
            for &j in &link.support {
                let momentum = link.pose.rotation.apply(link.inertia.apply(link.jacobian[j]).force).times(share);
                for i in 0..3 {
                    jacobian[(i, j)] += momentum[i]; // G (7)
                }
            }
        }
        Some(jacobian)
    }

    fn inverse_mass(&self) -> Option<S> {
        let mass = self.model.total_mass();
        (!mass.is_zero()).then(|| S::constant(S::Constant::one() / mass))
    }
}
