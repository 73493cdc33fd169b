//! Forward dynamics by the mass matrix: q̈ = M⁻¹ (τ − h), M⁻¹ itself, and the partial derivatives of q̈.
//!
//! M is factored along the tree, so branches do not fill in. On the robots of the benches this is faster than the
//! articulated-body algorithm, which [`articulated`](super::articulated) has for large trees and as a second witness.
//!
//! ∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇, the derivatives of inverse dynamics at the resulting q̈.

use super::factor;
use super::matrices::mass_matrix_into;
use super::newton_euler::inverse_dynamics_into;
use super::partials::inverse_dynamics_partials_into;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// q̈ for given torques, `nv` numbers. Friction and armature of the model are included.
///
/// A singular M (a massless tip without armature) gives numbers that are not finite; the registry turns them into an
/// error.
pub fn forward_dynamics_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let mut mass = std::mem::take(&mut workspace.mass);
    mass_matrix_into(model, q, workspace, &mut mass);
    factor::factor(model.body_tree(), &mut mass);
    bias_into(model, q, w, wrenches, workspace, out);
    for (out, &tau) in out.iter_mut().zip(tau) {
        *out = tau - *out;
    }
    factor::solve(model.body_tree(), &mass, out);
    workspace.mass = mass;
}

/// h = C q̇ + g − Σ Jᵀ·wrench + friction: inverse dynamics without acceleration.
fn bias_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let rest = std::mem::take(&mut workspace.rest);
    inverse_dynamics_into(model, q, w, &rest, wrenches, workspace, out);
    workspace.rest = rest;
}

/// x ← M⁻¹ x with the factor that the last forward dynamics left in the workspace.
pub(crate) fn solve_with_last_factor<S: Scalar>(model: &Model<S::Constant>, workspace: &Workspace<S>, x: &mut [S]) {
    factor::solve(model.body_tree(), &workspace.mass, x);
}

/// M⁻¹, `nv` × `nv`.
pub fn mass_matrix_inverse_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let n = model.nv();
    let mut mass = std::mem::take(&mut workspace.mass);
    mass_matrix_into(model, q, workspace, &mut mass);
    factor::factor(model.body_tree(), &mut mass);
    out.fill(S::zero());
    (0..n).for_each(|i| out[i * n + i] = S::one());
    factor::solve_matrix(model.body_tree(), &mass, out, n);
    workspace.mass = mass;
    // Rounding leaves the two triangles a last digit apart; results are symmetric to the bit.
    for i in 0..n {
        for j in 0..i {
            out[i * n + j] = out[j * n + i];
        }
    }
}

/// ∂M⁻¹/∂q = −M⁻¹ ∂M/∂q M⁻¹, `nv` × `nv` × `nv`, the last index being the variable.
pub fn mass_matrix_inverse_dq_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let n = model.nv();
    super::mass_matrix_dq_into(model, q, workspace, out);
    let mut mass = std::mem::take(&mut workspace.mass);
    mass_matrix_into(model, q, workspace, &mut mass);
    factor::factor(model.body_tree(), &mut mass);
    out.iter_mut().for_each(|x| *x = -*x);
    // M⁻¹ over the first index, then over the second.
    factor::solve_matrix(model.body_tree(), &mass, out, n * n);
    for rows in out.chunks_mut((n * n).max(1)) {
        factor::solve_matrix(model.body_tree(), &mass, rows, n);
    }
    workspace.mass = mass;
}

/// ∂q̈/∂q and ∂q̈/∂q̇, each `nv` × `nv`.
pub fn forward_dynamics_partials_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    dq: &mut [S],
    dqd: &mut [S],
) {
    let n = model.nv();
    let mut w_dot = std::mem::take(&mut workspace.resulting);
    forward_dynamics_into(model, q, w, tau, wrenches, workspace, &mut w_dot);
    inverse_dynamics_partials_into(model, q, w, &w_dot, wrenches, workspace, dq, dqd);
    for matrix in [dq, dqd] {
        matrix.iter_mut().for_each(|x| *x = -*x);
        // The factor of this state's M is still in place.
        factor::solve_matrix(model.body_tree(), &workspace.mass, matrix, n);
    }
    workspace.resulting = w_dot;
}

/// q̈ for given torques; see [`forward_dynamics_into`].
#[must_use]
pub fn forward_dynamics<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    let mut out = vec![S::zero(); model.nv()];
    forward_dynamics_into(model, q, w, tau, wrenches, &mut Workspace::new(model), &mut out);
    out
}

/// M⁻¹; see [`mass_matrix_inverse_into`].
#[must_use]
pub fn mass_matrix_inverse<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Matrix<S> {
    let mut out = Matrix::zeros(model.nv(), model.nv());
    mass_matrix_inverse_into(model, q, &mut Workspace::new(model), out.as_mut_slice());
    out
}

/// ∂q̈/∂q and ∂q̈/∂q̇; see [`forward_dynamics_partials_into`].
#[must_use]
pub fn forward_dynamics_partials<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
) -> (Matrix<S>, Matrix<S>) {
    let mut dq = Matrix::zeros(model.nv(), model.nv());
    let mut dqd = dq.clone();
    let workspace = &mut Workspace::new(model);
    forward_dynamics_partials_into(model, q, w, tau, wrenches, workspace, dq.as_mut_slice(), dqd.as_mut_slice());
    (dq, dqd)
}
