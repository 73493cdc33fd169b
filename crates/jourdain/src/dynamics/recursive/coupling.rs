//! Coupled (mimic) joints: velocities spread to columns before an algorithm, its results gathered after it.
//!
//! With P the constant matrix that maps velocities to columns, a vector of torques becomes Pᵀ τ and a matrix PᵀMP. Without
//! coupled joints P is the identity and nothing is copied.

use crate::model::body_tree::BodyTree;
use jourdain_symbolic::Scalar;

/// The column velocities: `w` itself, or P w kept in `buffer`.
#[inline]
pub(super) fn spread<'a, S: Scalar>(tree: &BodyTree<S::Constant>, w: &'a [S], buffer: &'a mut [S]) -> &'a [S] {
    match &tree.coupling {
        None => w,
        Some(coupling) => {
            for (column, &(dof, factor)) in buffer.iter_mut().zip(coupling) {
                *column = w[dof].scale(factor);
            }
            buffer
        }
    }
}

/// out = Pᵀ x for a vector over columns.
pub(super) fn gather_vector<S: Scalar>(coupling: &[(usize, S::Constant)], columns: &[S], out: &mut [S]) {
    out.fill(S::zero());
    for (&x, &(dof, factor)) in columns.iter().zip(coupling) {
        out[dof] += x.scale(factor);
    }
}

/// out = Pᵀ X P for a square matrix over columns, row-major.
pub(super) fn gather_matrix<S: Scalar>(coupling: &[(usize, S::Constant)], columns: &[S], nv: usize, out: &mut [S]) {
    let n = coupling.len();
    out.fill(S::zero());
    for (i, &(row, left)) in coupling.iter().enumerate() {
        for (j, &(column, right)) in coupling.iter().enumerate() {
            out[row * nv + column] += columns[i * n + j].scale(left * right);
        }
    }
}
