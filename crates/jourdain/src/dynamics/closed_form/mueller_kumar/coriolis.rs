//! The Coriolis matrix C̄ and its time derivatives, MK (20), (22), (31), (45), (54).
//!
//! C^{(r)} = Jᵀ C⁽ʳ⁾ J,  C⁽ʳ⁾ = Σ r!/(i! j! k!) N_iᵀ C^{(j)} N_k,  C = −M P − B
//!
//! with B = bᵀ M in (22) and B = bᵀ M − M b in (54), so that C⁽¹⁾ = Ċ + C N₁ + N₁ᵀ C and
//! C⁽²⁾ = C̈ + 2 Ċ N₁ + 2 N₁ᵀ Ċ + C N₂ + N₂ᵀ C + 2 N₁ᵀ C N₁. B is linear in V, hence B^{(j)} = B(V^{(j)}).
//!
//! Trap: MK (31)–(51) differentiate the C of (22), for which Ṁ ≠ C + Cᵀ. Both give the same C q̇, but only C̄ is handed out.

use super::block_matrix::BlockMatrix;
use super::system::{System, binomial};
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// Which B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// MK (22).
    Printed,
    /// MK (54).
    Skew,
}

/// C̈ at position `q`, velocity `w` and its derivatives, C in the default factorisation.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// MK (45), for the C̄ of (54).
#[must_use]
pub fn coriolis_matrix_ddot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    w_ddot: &[S],
) -> Matrix<S> {
    System::new(model, q, &[w, w_dot, w_ddot]).coriolis_matrix(2)
}

impl<S: Scalar> System<'_, S> {
    /// The time derivative of C̄ of the order `r`; C̄ itself for order 0. C̄ is the default factorisation.
    ///
    /// # Panics
    /// If fewer than `r` + 1 derivatives of the motion were given.
    ///
    /// # Reference
    /// MK (54), and (31), (45) for it.
    #[must_use]
    pub fn coriolis_matrix(&self, r: usize) -> Matrix<S> {
        self.project(&self.coriolis_rate(r, Choice::Skew))
    }

    /// The C of MK (22), for which Ṁ ≠ C + Cᵀ: held against stored values, and not for use.
    #[doc(hidden)]
    #[must_use]
    pub fn coriolis_matrix_22(&self, r: usize) -> Matrix<S> {
        self.project(&self.coriolis_rate(r, Choice::Printed))
    }

    /// C⁽ʳ⁾, MK (32), (46).
    pub(super) fn coriolis_rate(&self, r: usize, choice: Choice) -> BlockMatrix<S> {
        assert!(r < self.motion.len(), "derivatives of the motion for order {r}");
        let mut sum = BlockMatrix::zero(self.size());
        for j in 0..=r {
            let c = self.body_coriolis(j, choice);
            for i in 0..=r - j {
                let share = binomial(r, j) * binomial(r - j, i);
                sum = sum + (self.n[i].transpose() * &c * &self.n[r - j - i]).times(share);
            }
        }
        sum
    }

    /// C^{(j)} = −M P^{(j)} − B^{(j)}, MK (22), (33), (49), (54).
    fn body_coriolis(&self, j: usize, choice: Choice) -> BlockMatrix<S> {
        -(&self.inertia * &self.p[j]) - self.gyroscopic(j, choice)
    }

    /// B^{(j)}: bᵀ M, less M b for the choice that is skew.
    pub(super) fn gyroscopic(&self, j: usize, choice: Choice) -> BlockMatrix<S> {
        let b = &self.b[j];
        let printed = b.transpose() * &self.inertia;
        match choice {
            Choice::Printed => printed,
            Choice::Skew => printed - &self.inertia * b,
        }
    }
}
