//! The rows of the table: what is compared with what, and the goals.

use crate::pinocchio_side::Part::{self, Matrix, Vector};

/// One row.
pub struct Row {
    /// jourdain's function without `_into`.
    pub name: &'static str,
    /// Pinocchio's quantity of the same meaning.
    pub peer: &'static str,
    /// Pinocchio's calls.
    pub calls: &'static str,
    /// What a comparison of values reads.
    pub parts: &'static [Part],
    /// Wanted speed as a multiple of Pinocchio's.
    pub target: Option<f64>,
    /// The same for four states at once.
    pub lanes_target: Option<f64>,
}

const fn row(
    name: &'static str,
    calls: &'static str,
    parts: &'static [Part],
    target: Option<f64>,
    lanes_target: Option<f64>,
) -> Row {
    Row { name, peer: name, calls, parts, target, lanes_target }
}

/// All rows.
pub const ROWS: [Row; 12] = [
    row("inverse_dynamics", "rnea", &[Vector], Some(2.5), Some(9.0)),
    row("mass_matrix", "crba", &[Matrix], Some(2.0), None),
    row("coriolis_matrix", "computeCoriolisMatrix", &[Vector], Some(2.0), None),
    Row {
        peer: "coriolis_matrix",
        ..row("coriolis_matrix_christoffel", "computeCoriolisMatrix", &[Vector], Some(2.0), None)
    },
    row("gravity", "computeGeneralizedGravity", &[Vector], None, None),
    row(
        "dynamic_matrices",
        "crba + computeCoriolisMatrix + computeGeneralizedGravity",
        &[Matrix, Vector, Vector],
        Some(2.5),
        None,
    ),
    row("inverse_dynamics_partials", "computeRNEADerivatives", &[Matrix, Matrix], Some(1.5), None),
    row("articulated_body", "aba", &[Vector], Some(1.5), None),
    row("forward_dynamics", "nonLinearEffects + crba + cholesky", &[Vector], None, None),
    row("mass_matrix_inverse", "computeMinverse", &[Matrix], None, None),
    row("forward_dynamics_partials", "computeABADerivatives", &[Matrix, Matrix], None, None),
    row("regressor", "computeJointTorqueRegressor", &[Vector], Some(3.0), None),
];
