//! Time derivatives of M, C and g: Ṁ = C + Cᵀ; Ċ and ġ by one pass with duals that move with the state.
//!
//! # Reference
//! G (25), Remark 5.

use super::matrices::{coriolis_matrix_into, gravity_into};
use super::tensors::DualScratch;
use crate::dynamics::Factorization;
use crate::kinematics::tangent;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::workspace::Workspace;
use jourdain_symbolic::{Dual, Scalar};

/// Ṁ, `nv` × `nv`.
///
/// # Reference
/// G (25a), as C + Cᵀ with the Christoffel C, which is the cheaper of the two.
pub fn mass_matrix_dot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let n = model.nv();
    coriolis_matrix_into(model, q, w, Factorization::Christoffel, workspace, out);
    for i in 0..n {
        for j in 0..=i {
            let sum = out[i * n + j] + out[j * n + i];
            out[i * n + j] = sum;
            out[j * n + i] = sum;
        }
    }
}

/// Ċ, `nv` × `nv`.
///
/// # Reference
/// G (25b).
pub fn coriolis_matrix_dot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    factorization: Factorization,
    scratch: &mut DualScratch<S>,
    out: &mut [S],
) {
    let DualScratch { workspace, position, velocity, matrix, .. } = scratch;
    tangent::along_into(model, q, w, position);
    for (dual, (&w, &w_dot)) in velocity.iter_mut().zip(w.iter().zip(w_dot)) {
        *dual = Dual::new(w, w_dot);
    }
    coriolis_matrix_into(model, position, velocity, factorization, workspace, matrix);
    out.iter_mut().zip(matrix).for_each(|(out, dual)| *out = dual.derivative);
}

/// ġ, `nv` numbers.
///
/// # Reference
/// G (25c).
pub fn gravity_dot_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    scratch: &mut DualScratch<S>,
    out: &mut [S],
) {
    let DualScratch { workspace, position, vector, .. } = scratch;
    tangent::along_into(model, q, w, position);
    gravity_into(model, position, workspace, vector);
    out.iter_mut().zip(vector).for_each(|(out, dual)| *out = dual.derivative);
}

/// Ṁ; see [`mass_matrix_dot_into`].
#[must_use]
pub fn mass_matrix_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Matrix<S> {
    let mut out = Matrix::zeros(model.nv(), model.nv());
    mass_matrix_dot_into(model, q, w, &mut Workspace::new(model), out.as_mut_slice());
    out
}

/// Ċ; see [`coriolis_matrix_dot_into`].
#[must_use]
pub fn coriolis_matrix_dot<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    factorization: Factorization,
) -> Matrix<S> {
    let mut out = Matrix::zeros(model.nv(), model.nv());
    coriolis_matrix_dot_into(model, q, w, w_dot, factorization, &mut DualScratch::new(model), out.as_mut_slice());
    out
}

/// ġ; see [`gravity_dot_into`].
#[must_use]
pub fn gravity_dot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Vec<S> {
    let mut out = vec![S::zero(); model.nv()];
    gravity_dot_into(model, q, w, &mut DualScratch::new(model), &mut out);
    out
}
