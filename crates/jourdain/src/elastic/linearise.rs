//! Small motions about a posture, or about a steady motion.
//!
//! At rest at q with θ = q + K⁻¹ g the robot is in balance under u = g. With p = (q, θ), one θ per spring,
//!
//! 𝓜 p̈ + 𝓓 ṗ + 𝓚 p = E u,  𝓜 = diag(M, B),  𝓚 = [∂g/∂q + K, −K; −K, K].
//!
//! About a steady motion ∂g/∂q is ∂τ/∂q at q̈ = 0, and 𝓓 gains ∂τ/∂q̇. The complete model has S in 𝓜, and is taken at rest only.

use super::error::ElasticError;
use super::model::{ElasticModel, Spring};
use super::rotors::{self, RotorScratch, add_inertia};
use crate::dynamics::{drive, recursive};
use crate::linear::Linearisation;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::workspace::Workspace;

/// Linearises about rest at `q`, one number per joint.
///
/// # Errors
/// A `q` of the wrong length, or a singular mass matrix.
pub fn linearise(elastic: &ElasticModel<f64>, q: &[f64]) -> Result<Linearisation, ElasticError> {
    linearise_moving(elastic, q, &vec![0.0; elastic.model().nv()])
}

/// Linearises about a motion that goes on at the velocities `qd` of links and rotors alike, one number per joint.
///
/// # Errors
/// A vector of the wrong length, or a singular mass matrix.
pub fn linearise_moving(elastic: &ElasticModel<f64>, q: &[f64], qd: &[f64]) -> Result<Linearisation, ElasticError> {
    let couplings = !elastic.couplings().is_empty();
    if couplings && qd.iter().any(|&x| x != 0.0) {
        return Err(ElasticError::CompleteMoving { robot: elastic.model().name().to_owned() });
    }
    let mut linear = joints_linearised(elastic.model(), elastic.springs(), q, qd)?;
    if couplings {
        add_inertia(elastic, q, &mut RotorScratch::new(elastic), linear.inertia.as_mut_slice());
        rotors::check(elastic, q)?;
    }
    Ok(linear)
}

/// Links, and rotors where there are springs.
pub(crate) fn joints_linearised(
    model: &Model<f64>,
    springs: &[Spring<f64>],
    q: &[f64],
    qd: &[f64],
) -> Result<Linearisation, ElasticError> {
    let (nq, n, p) = (model.nq(), model.nv(), model.nv() + springs.len());
    let robot = || model.name().to_owned();
    for (what, found, expected) in [("the posture", q.len(), nq), ("the velocity", qd.len(), n)] {
        if found != expected {
            return Err(ElasticError::Length { what, robot: robot(), found, expected });
        }
    }
    let workspace = &mut Workspace::new(model);
    recursive::check_regular(model, q, workspace)?;
    let still = vec![0.0; n];
    let (mut links, mut by_q, mut by_qd) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    let mut torque = vec![0.0; n];
    recursive::mass_matrix_into(model, q, workspace, &mut links);
    recursive::inverse_dynamics_into(model, q, qd, &still, &[], workspace, &mut torque);
    recursive::inverse_dynamics_partials_into(model, q, qd, &still, &[], workspace, &mut by_q, &mut by_qd);
    if qd.iter().all(|&x| x == 0.0) {
        // ∂g/∂q is the second derivative of the potential, and friction acts joint by joint: what else there is, is rounding.
        let symmetric: Vec<f64> = (0..n * n).map(|k| 0.5 * (by_q[k] + by_q[k % n * n + k / n])).collect();
        by_q = symmetric;
        by_qd.fill(0.0);
        drive::for_each_friction_slope(model, qd, |i, j, slope| by_qd[i * n + j] += slope);
    }

    let mut mass = Matrix::zeros(p, p);
    let mut stiffness = Matrix::zeros(p, p);
    let mut damping = Matrix::zeros(p, p);
    let mut input = Matrix::zeros(p, n);
    for i in 0..n {
        for j in 0..n {
            mass[(i, j)] = links[i * n + j];
            stiffness[(i, j)] = by_q[i * n + j];
            damping[(i, j)] = by_qd[i * n + j];
        }
        input[(i, i)] = 1.0;
    }
    let mut position = q.to_vec();
    for (k, spring) in springs.iter().enumerate() {
        let (i, r) = (spring.dof, n + k);
        mass[(r, r)] = spring.inertia;
        input[(i, i)] = 0.0;
        input[(r, i)] = 1.0;
        for (matrix, value) in [(&mut stiffness, spring.stiffness), (&mut damping, spring.damping)] {
            matrix[(i, i)] += value;
            matrix[(i, r)] -= value;
            matrix[(r, i)] -= value;
            matrix[(r, r)] += value;
        }
        damping[(r, r)] += spring.viscous + spring.coulomb * drive::smooth_sign_slope(qd[i]);
        position.push(q[i] + torque[i] / spring.stiffness);
        torque[i] += spring.rotor_friction(qd[i]);
    }
    if nalgebra::Cholesky::new(mass.to_nalgebra()).is_none() {
        return Err(ElasticError::Indefinite { robot: robot() });
    }
    let outputs = model.velocities().iter().map(ToString::to_string).collect();
    let output = Matrix::from_fn(n, p, |i, j| f64::from(u8::from(i == j)));
    Ok(Linearisation { q: position, torque, inertia: mass, stiffness, damping, input, outputs, output })
}
