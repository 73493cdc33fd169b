//! The rows of the table: what is compared with what, and the goals.

use Part::{Matrix, Vector};

/// One row.
pub struct Row {
    /// jourdain's function without `_into`; CasADi's.
    pub name: &'static str,
    /// Pinocchio's quantity of the same meaning, if it has one.
    pub pinocchio: Option<&'static str>,
    /// Pinocchio's calls.
    pub calls: &'static str,
    /// What a comparison of values reads.
    pub parts: &'static [Part],
    /// The quantities of the registry that make up the row.
    pub compiled: &'static [&'static str],
    pub goals: Goals,
}

/// The parts an answer is made of.
#[derive(Clone, Copy)]
pub enum Part {
    Vector,
    Matrix,
}

/// Wanted speeds, as multiples of a peer's.
#[derive(Clone, Copy)]
pub struct Goals {
    /// On a model read at run time, of Pinocchio's: one state, and four at once.
    pub one: Option<f64>,
    pub lanes: Option<f64>,
    /// Of machine code on one state, of Pinocchio's: for arms of about 7 joints, and for trees of about 30, whose code is
    /// longer than the caches.
    pub compiled: Option<[f64; 2]>,
    /// The same in batches.
    pub batch: Option<f64>,
    /// Of machine code, of CasADi's: one state, and batches.
    pub casadi: Option<[f64; 2]>,
    /// Most time from a model to machine code, ms: up to 7 joints, and up to 30.
    pub compile_ms: Option<[f64; 2]>,
}

impl Goals {
    const NONE: Self = Self { one: None, lanes: None, compiled: None, batch: None, casadi: None, compile_ms: None };

    /// `one` for the model read at run time, and four times Pinocchio's speed for machine code.
    const fn usual(one: f64) -> Self {
        Self { one: Some(one), compiled: Some([4.0; 2]), ..Self::NONE }
    }

    pub fn compiled(&self, nv: usize) -> Option<f64> {
        self.compiled.map(|[arm, tree]| if nv < 15 { arm } else { tree })
    }

    pub fn compile_ms(&self, nv: usize) -> Option<f64> {
        let [arm, tree] = self.compile_ms?;
        (nv <= 30).then_some(if nv <= 7 { arm } else { tree })
    }
}

const fn row(
    name: &'static str,
    calls: &'static str,
    parts: &'static [Part],
    compiled: &'static [&'static str],
    goals: Goals,
) -> Row {
    Row { name, pinocchio: Some(name), calls, parts, compiled, goals }
}

/// All rows.
pub const ROWS: [Row; 13] = [
    row(
        "inverse_dynamics",
        "rnea",
        &[Vector],
        &["inverse_dynamics"],
        Goals {
            one: Some(2.5),
            lanes: Some(9.0),
            compiled: Some([8.0, 7.0]),
            batch: Some(20.0),
            casadi: Some([2.5, 8.0]),
            compile_ms: Some([0.2, 1.0]),
        },
    ),
    Row {
        pinocchio: None,
        ..row(
            "inverse_dynamics_rates",
            "",
            &[Vector, Vector, Vector],
            &["inverse_dynamics", "inverse_dynamics_dot", "inverse_dynamics_ddot"],
            Goals { casadi: Some([2.5, 8.0]), ..Goals::NONE },
        )
    },
    row(
        "mass_matrix",
        "crba",
        &[Matrix],
        &["mass_matrix"],
        Goals { one: Some(2.0), lanes: Some(6.0), compiled: Some([7.0, 5.0]), batch: Some(15.0), ..Goals::NONE },
    ),
    row("coriolis_matrix", "computeCoriolisMatrix", &[Vector], &["coriolis_matrix"], Goals::usual(2.0)),
    Row {
        pinocchio: Some("coriolis_matrix"),
        ..row(
            "coriolis_matrix_christoffel",
            "computeCoriolisMatrix",
            &[Vector],
            &["coriolis_christoffel"],
            Goals::usual(2.0),
        )
    },
    row("gravity", "computeGeneralizedGravity", &[Vector], &["gravity"], Goals::NONE),
    row(
        "dynamic_matrices",
        "crba + computeCoriolisMatrix + computeGeneralizedGravity",
        &[Matrix, Vector, Vector],
        &["mass_matrix", "coriolis_matrix", "gravity"],
        Goals::usual(2.5),
    ),
    row(
        "inverse_dynamics_partials",
        "computeRNEADerivatives",
        &[Matrix, Matrix],
        &["inverse_dynamics_dq", "inverse_dynamics_dqd"],
        Goals::usual(1.5),
    ),
    row("articulated_body", "aba", &[Vector], &["forward_dynamics"], Goals::usual(1.5)),
    row("forward_dynamics", "nonLinearEffects + crba + cholesky", &[Vector], &["forward_dynamics"], Goals::NONE),
    row("mass_matrix_inverse", "computeMinverse", &[Matrix], &["mass_matrix_inverse"], Goals::NONE),
    row(
        "forward_dynamics_partials",
        "computeABADerivatives",
        &[Matrix, Matrix],
        &["forward_dynamics_dq", "forward_dynamics_dqd"],
        Goals::NONE,
    ),
    row("regressor", "computeJointTorqueRegressor", &[Vector], &["regressor"], Goals::usual(3.0)),
];
