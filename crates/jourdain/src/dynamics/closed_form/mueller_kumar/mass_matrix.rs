//! The mass matrix and its time derivatives, MK (20), (29), (30), (40).
//!
//! M^{(r)} = Jᵀ M⁽ʳ⁾ J,  M⁽ʳ⁾ = Σ C(r,i) N_iᵀ M N_{r−i}: M⁽¹⁾ = M N₁ + N₁ᵀ M,  M⁽²⁾ = M N₂ + N₂ᵀ M + 2 N₁ᵀ M N₁
//!
//! MK's expressions (42)–(44) for joints with one number are in `one_dof.rs`. The armature of rigid drives is constant: it is
//! in M and in no derivative of it.

use super::block_matrix::BlockMatrix;
use super::system::{System, binomial};
use crate::dynamics::drive;
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// M̈ at position `q`, velocity `w` and acceleration `w_dot`.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// MK (40).
#[must_use]
pub fn mass_matrix_ddot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S]) -> Matrix<S> {
    System::new(model, q, &[w, w_dot]).mass_matrix(2)
}

impl<S: Scalar> System<'_, S> {
    /// The time derivative of M of the order `r`; M itself, with the armature of rigid drives, for order 0.
    ///
    /// # Panics
    /// If fewer than `r` derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (20), (29), (40).
    #[must_use]
    pub fn mass_matrix(&self, r: usize) -> Matrix<S> {
        let mut m = self.project(&self.inertia_rate(r)); // MK (20), (29), (40)
        if r == 0 {
            for (i, j, armature) in drive::armatures(self.model) {
                m[(i, j)] += S::constant(armature);
            }
        }
        symmetric(&m)
    }

    /// M⁽ʳ⁾, MK (30), (40).
    pub(super) fn inertia_rate(&self, r: usize) -> BlockMatrix<S> {
        assert!(r <= self.motion.len(), "derivatives of the motion for order {r}");
        let term = |i: usize| (self.n[i].transpose() * &self.inertia * &self.n[r - i]).times(binomial(r, i));
        (0..=r).fold(BlockMatrix::zero(self.size()), |sum, i| sum + term(i))
    }
}

/// Symmetric to the last bit.
pub(super) fn symmetric<S: Scalar>(m: &Matrix<S>) -> Matrix<S> {
    Matrix::from_fn(m.rows(), m.columns(), |i, j| m[(i.min(j), i.max(j))])
}
