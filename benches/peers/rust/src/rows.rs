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
    /// The quantities of the registry that make up the row.
    pub compiled: &'static [&'static str],
    /// Wanted speed of machine code on one state, for arms of about 7 joints and for trees of about 30; and in batches.
    pub compiled_target: Option<[f64; 2]>,
    pub batch_target: Option<f64>,
}

const fn row(
    name: &'static str,
    calls: &'static str,
    parts: &'static [Part],
    target: Option<f64>,
    lanes_target: Option<f64>,
    compiled: &'static [&'static str],
    (compiled_target, batch_target): (Option<[f64; 2]>, Option<f64>),
) -> Row {
    Row { name, peer: name, calls, parts, target, lanes_target, compiled, compiled_target, batch_target }
}

const NONE: (Option<[f64; 2]>, Option<f64>) = (None, None);
const FOUR: (Option<[f64; 2]>, Option<f64>) = (Some([4.0; 2]), None);

/// All rows.
pub const ROWS: [Row; 12] = [
    row(
        "inverse_dynamics",
        "rnea",
        &[Vector],
        Some(2.5),
        Some(9.0),
        &["inverse_dynamics"],
        (Some([8.0, 7.0]), Some(20.0)),
    ),
    row("mass_matrix", "crba", &[Matrix], Some(2.0), None, &["mass_matrix"], (Some([7.0, 5.0]), Some(15.0))),
    row("coriolis_matrix", "computeCoriolisMatrix", &[Vector], Some(2.0), None, &["coriolis_matrix"], FOUR),
    Row {
        peer: "coriolis_matrix",
        ..row(
            "coriolis_matrix_christoffel",
            "computeCoriolisMatrix",
            &[Vector],
            Some(2.0),
            None,
            &["coriolis_christoffel"],
            FOUR,
        )
    },
    row("gravity", "computeGeneralizedGravity", &[Vector], None, None, &["gravity"], NONE),
    row(
        "dynamic_matrices",
        "crba + computeCoriolisMatrix + computeGeneralizedGravity",
        &[Matrix, Vector, Vector],
        Some(2.5),
        None,
        &["mass_matrix", "coriolis_matrix", "gravity"],
        FOUR,
    ),
    row(
        "inverse_dynamics_partials",
        "computeRNEADerivatives",
        &[Matrix, Matrix],
        Some(1.5),
        None,
        &["inverse_dynamics_dq", "inverse_dynamics_dqd"],
        FOUR,
    ),
    row("articulated_body", "aba", &[Vector], Some(1.5), None, &["forward_dynamics"], FOUR),
    row(
        "forward_dynamics",
        "nonLinearEffects + crba + cholesky",
        &[Vector],
        None,
        None,
        &["forward_dynamics"],
        NONE,
    ),
    row("mass_matrix_inverse", "computeMinverse", &[Matrix], None, None, &["mass_matrix_inverse"], NONE),
    row(
        "forward_dynamics_partials",
        "computeABADerivatives",
        &[Matrix, Matrix],
        None,
        None,
        &["forward_dynamics_dq", "forward_dynamics_dqd"],
        NONE,
    ),
    row("regressor", "computeJointTorqueRegressor", &[Vector], Some(3.0), None, &["regressor"], FOUR),
];
