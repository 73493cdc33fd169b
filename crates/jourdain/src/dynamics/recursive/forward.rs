//! Forward dynamics by the mass matrix: q̈ = M⁻¹ (τ − h), M⁻¹ itself, and the partial derivatives of q̈.
//!
//! M is factored along the tree, so branches do not fill in: up to a few dozen joints the fastest way. The factor grows with the
//! square of the depth and loses digits with it (10⁻⁹ at 400 joints in a row); large trees go by
//! [articulated bodies](super::articulated), which do neither.
//!
//! ∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇, the derivatives of inverse dynamics at the resulting q̈.

use super::articulated::articulated_body_into;
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
/// By articulated bodies where the tree is large, otherwise by the factor of M. A singular M gives numbers that are not
/// finite; [`check_regular`](super::check_regular) says why, and the registry turns them into that error.
pub fn forward_dynamics_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    if model.body_tree().is_large() {
        articulated_body_into(model, q, w, tau, wrenches, workspace, out);
    } else {
        forward_dynamics_by_factor_into(model, q, w, tau, wrenches, workspace, out);
    }
}

/// As [`forward_dynamics_into`], by the factor of M whatever the size of the tree. The factor stays in the workspace.
pub fn forward_dynamics_by_factor_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    factor_mass_matrix(model, q, workspace);
    bias_into(model, q, w, wrenches, workspace, out);
    for (out, &tau) in out.iter_mut().zip(tau) {
        *out = tau - *out;
    }
    factor::solve(model.body_tree(), &workspace.mass, out);
}

/// Leaves the factor of M in the workspace; for a large tree its memory is made here.
fn factor_mass_matrix<S: Scalar>(model: &Model<S::Constant>, q: &[S], workspace: &mut Workspace<S>) {
    let mut mass = std::mem::take(&mut workspace.mass);
    mass.resize(model.nv() * model.nv(), S::zero());
    mass_matrix_into(model, q, workspace, &mut mass);
    factor::factor(model.body_tree(), &mut mass);
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

/// x ← M⁻¹ x with the factor that the last [`forward_dynamics_by_factor_into`] left in the workspace.
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
    factor_mass_matrix(model, q, workspace);
    out.fill(S::zero());
    (0..n).for_each(|i| out[i * n + i] = S::one());
    factor::solve_matrix(model.body_tree(), &workspace.mass, out, n);
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
    factor_mass_matrix(model, q, workspace);
    out.iter_mut().for_each(|x| *x = -*x);
    // M⁻¹ over the first index, then over the second.
    factor::solve_matrix(model.body_tree(), &workspace.mass, out, n * n);
    for rows in out.chunks_mut((n * n).max(1)) {
        factor::solve_matrix(model.body_tree(), &workspace.mass, rows, n);
    }
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
    forward_dynamics_by_factor_into(model, q, w, tau, wrenches, workspace, &mut w_dot);
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
