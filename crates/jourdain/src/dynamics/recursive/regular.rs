//! Whether the mass matrix has an inverse at a position, and which joint it lacks one for.
//!
//! The formulas give no number where a pivot is rounding alone; here that is explained, once it has happened. The pivots
//! are those of [`factor`](super::factor), found by articulated bodies, or from M itself where joints are coupled.

use super::articulated::articulated_body_into;
use super::matrices::mass_matrix_into;
use crate::dynamics::SingularMassMatrix;
use crate::model::Model;
use crate::workspace::Workspace;

/// That the mass matrix has an inverse at `q`.
///
/// # Errors
/// The first joint, from the tips inwards, that resists with rounding alone.
pub fn check_regular(model: &Model<f64>, q: &[f64], workspace: &mut Workspace<f64>) -> Result<(), SingularMassMatrix> {
    // The articulated bodies know neither coupled joints nor shafts.
    let loose = if model.body_tree().coupling.is_some() || model.shafts().next().is_some() {
        loose_in_matrix(model, q, workspace)
    } else {
        let (rest, mut out) = (std::mem::take(&mut workspace.rest), std::mem::take(&mut workspace.resulting));
        articulated_body_into(model, q, &rest, &rest, &[], workspace, &mut out);
        (workspace.rest, workspace.resulting) = (rest, out);
        workspace.articulated.loose(model.body_tree())
    };
    match loose {
        Some((dof, pivot)) => Err(SingularMassMatrix::new(model, dof, pivot)),
        None => Ok(()),
    }
}

/// The first pivot of M that is too small, and its velocity number.
fn loose_in_matrix(model: &Model<f64>, q: &[f64], workspace: &mut Workspace<f64>) -> Option<(usize, f64)> {
    let n = model.nv();
    let mut m = vec![0.0; n * n];
    mass_matrix_into(model, q, workspace, &mut m);
    first_small(n, |i, j| m[i * n + j], &model.body_tree().least)
}

/// The first pivot of a symmetric matrix, factored from its last row on, that is not above its bound.
pub(super) fn first_small(n: usize, element: impl Fn(usize, usize) -> f64, least: &[f64]) -> Option<(usize, f64)> {
    let mut m: Vec<f64> = (0..n * n).map(|k| element(k / n, k % n)).collect();
    for k in (0..n).rev() {
        let pivot = m[k * n + k];
        // What is no number is not above either.
        let is_large = pivot.abs() > least[k];
        if !is_large {
            return Some((k, pivot));
        }
        for i in 0..k {
            let scaled = m[k * n + i] / pivot;
            for j in 0..=i {
                m[i * n + j] -= scaled * m[k * n + j];
            }
        }
    }
    None
}
