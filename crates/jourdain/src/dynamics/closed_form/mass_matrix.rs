//! The mass matrix of a tree robot, G (6a).
//!
//! M = Σₖ Jₖᵀ Λₖ Jₖ, and the armature of rigid drives on its diagonal.
//!
//! Symmetric to the last bit: one triangle is summed and mirrored. Trap: positive definite only if every motion moves
//! mass; a massless last link makes it singular.

use super::outward::Outward;
use crate::dynamics::drive;
use crate::{Matrix, Model};
use jourdain_symbolic::Scalar;

/// M at position `q`, with the armature of rigid drives.
///
/// # Panics
/// If `q` does not have the model's length.
///
/// # Reference
/// G (6a).
#[must_use]
pub fn mass_matrix<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    Outward::at(model, q).mass_matrix()
}

impl<S: Scalar> Outward<'_, S> {
    /// M. See [`mass_matrix`].
    #[must_use]
    pub fn mass_matrix(&self) -> Matrix<S> {
        let n = self.model.nv();
        let mut m = Matrix::zeros(n, n);
        for (_, link) in self.massive() {
            for (a, &j) in link.support.iter().enumerate() {
                let momentum = link.inertia.apply(link.jacobian[j]);
                for &i in &link.support[..=a] {
                    m[(i, j)] += link.jacobian[i].dot(momentum); // G (6a)
                }
            }
        }
        for (i, j, armature) in drive::armatures(self.model) {
            m[(i, j)] += S::constant(armature);
        }
        Matrix::from_fn(n, n, |i, j| if i <= j { m[(i, j)] } else { m[(j, i)] })
    }
}
