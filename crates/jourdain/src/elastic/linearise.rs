//! Small motions about a posture: A and B of ẋ = A x + B u, natural frequencies, modes.
//!
//! At rest at q with θ = q + K⁻¹ g the robot is in balance under u = g. With p = (q, θ), one θ per spring,
//!
//! 𝓜 p̈ + 𝓓 ṗ + 𝓚 p = E u,  𝓜 = diag(M, B),  𝓚 = [∂g/∂q + K, −K; −K, K],
//!
//! x = (p, ṗ), A = [0, 1; −𝓜⁻¹𝓚, −𝓜⁻¹𝓓]. Frequencies and modes are those of 𝓜 p̈ + 𝓚 p = 0; eigenvalues of A have friction
//! and damping in them. At rest the smooth Coulomb friction has the slope Fc/ε, which is large.
//!
//! Trap: gravity can make 𝓚 indefinite. A mode with ω² < 0 does not swing but falls, with the rate √−ω².

use super::error::ElasticError;
use super::model::ElasticModel;
use crate::dynamics::{drive, recursive};
use crate::matrix::Matrix;
use crate::workspace::Workspace;
use nalgebra::linalg::{Cholesky, Schur, SymmetricEigen};
use nalgebra::{DMatrix, DVector};

/// An undamped mode of small motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω², (rad/s)²; negative if the posture is unstable in this mode.
    pub omega_squared: f64,
    /// The links' part, of a mode with pᵀ 𝓜 p = 1.
    pub q: Vec<f64>,
    /// The rotors' part, one number per spring.
    pub theta: Vec<f64>,
}

impl Mode {
    /// ω, rad/s; zero if the mode does not swing.
    #[must_use]
    pub fn omega(&self) -> f64 {
        self.omega_squared.max(0.0).sqrt()
    }

    /// ω/2π, Hz; zero if the mode does not swing.
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.omega() / std::f64::consts::TAU
    }
}

/// Small motions about a posture.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// The posture.
    pub q: Vec<f64>,
    /// The rotors' positions that hold it, one per spring.
    pub theta: Vec<f64>,
    /// The torques that hold it, one per joint.
    pub torque: Vec<f64>,
    /// A, over x = (q, θ, q̇, θ̇).
    pub a: Matrix<f64>,
    /// B, one column per joint.
    pub b: Matrix<f64>,
    /// The undamped modes, slowest first.
    pub modes: Vec<Mode>,
    /// The eigenvalues of A, real and imaginary part, friction and damping included; largest real part first.
    pub eigenvalues: Vec<[f64; 2]>,
}

impl Linearisation {
    /// The largest absolute value of the eigenvalues, 1/s: how fast the fastest of the motions is.
    #[must_use]
    pub fn fastest(&self) -> f64 {
        self.eigenvalues.iter().map(|[re, im]| re.hypot(*im)).fold(0.0, f64::max)
    }
}

/// Linearises about rest at `q`.
///
/// # Errors
/// A `q` of the wrong length, a singular mass matrix, eigenvalues that do not converge.
pub fn linearise(elastic: &ElasticModel<f64>, q: &[f64]) -> Result<Linearisation, ElasticError> {
    let model = elastic.model();
    let (n, m, p) = (model.nv(), elastic.springs().len(), elastic.freedom());
    let robot = || model.name().to_owned();
    if q.len() != n {
        return Err(ElasticError::Length { what: "the posture", robot: robot(), found: q.len(), expected: n });
    }
    let workspace = &mut Workspace::new(model);
    let rest = vec![0.0; n];
    let (mut inertia, mut by_q, mut by_qd) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    let mut gravity = vec![0.0; n];
    recursive::mass_matrix_into(model, q, workspace, &mut inertia);
    recursive::gravity_into(model, q, workspace, &mut gravity);
    recursive::inverse_dynamics_partials_into(model, q, &rest, &rest, &[], workspace, &mut by_q, &mut by_qd);

    let mut mass = DMatrix::zeros(p, p);
    let mut stiffness = DMatrix::zeros(p, p);
    let mut damping = DMatrix::zeros(p, p);
    let mut input = DMatrix::zeros(p, n);
    for i in 0..n {
        for j in 0..n {
            mass[(i, j)] = inertia[i * n + j];
            // ∂g/∂q is the second derivative of the potential: symmetric but for rounding.
            stiffness[(i, j)] = 0.5 * (by_q[i * n + j] + by_q[j * n + i]);
        }
    }
    let mut slopes = vec![0.0; n];
    drive::add_friction_slopes(model, &rest, &mut slopes);
    for (i, slope) in slopes.iter().enumerate() {
        damping[(i, i)] = *slope;
    }
    for &i in elastic.rigid() {
        input[(i, i)] = 1.0;
    }
    for (k, spring) in elastic.springs().iter().enumerate() {
        let (i, r) = (spring.dof, n + k);
        mass[(r, r)] = spring.inertia;
        input[(r, i)] = 1.0;
        for (matrix, value) in [(&mut stiffness, spring.stiffness), (&mut damping, spring.damping)] {
            matrix[(i, i)] += value;
            matrix[(i, r)] -= value;
            matrix[(r, i)] -= value;
            matrix[(r, r)] += value;
        }
        damping[(r, r)] += spring.viscous + spring.coulomb / drive::COULOMB_SPEED;
    }

    let factor = Cholesky::new(mass).ok_or_else(|| ElasticError::Singular { robot: robot() })?;
    let (of_position, of_rate, of_input) = (factor.solve(&stiffness), factor.solve(&damping), factor.solve(&input));
    let a = DMatrix::from_fn(2 * p, 2 * p, |i, j| match (i < p, j < p) {
        (true, _) => f64::from(j == i + p),
        (false, true) => -of_position[(i - p, j)],
        (false, false) => -of_rate[(i - p, j - p)],
    });
    let b = Matrix::from_fn(2 * p, n, |i, j| if i < p { 0.0 } else { of_input[(i - p, j)] });
    let schur = Schur::try_new(a.clone(), f64::EPSILON, 100_000);
    let schur = schur.ok_or_else(|| ElasticError::Eigenvalues { robot: robot() })?;
    let mut eigenvalues: Vec<[f64; 2]> = schur.complex_eigenvalues().iter().map(|x| [x.re, x.im]).collect();
    eigenvalues.sort_by(|a, b| b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1])));
    let a = Matrix::from_fn(2 * p, 2 * p, |i, j| a[(i, j)]);
    let theta = elastic.springs().iter().map(|spring| q[spring.dof] + gravity[spring.dof] / spring.stiffness);
    Ok(Linearisation {
        q: q.to_vec(),
        theta: theta.collect(),
        torque: gravity,
        a,
        b,
        modes: modes(&factor, stiffness, n, m),
        eigenvalues,
    })
}

/// The modes of 𝓜 p̈ + 𝓚 p = 0 by L⁻¹ 𝓚 L⁻ᵀ with 𝓜 = L Lᵀ.
fn modes(factor: &Cholesky<f64, nalgebra::Dyn>, stiffness: DMatrix<f64>, n: usize, m: usize) -> Vec<Mode> {
    let l = factor.l();
    let half = l.solve_lower_triangular(&stiffness).unwrap_or(stiffness);
    let scaled = l.solve_lower_triangular(&half.transpose()).unwrap_or(half);
    let scaled = 0.5 * (&scaled + scaled.transpose());
    let eigen = SymmetricEigen::new(scaled);
    let upper = l.transpose();
    let mut modes: Vec<Mode> = (0..n + m)
        .map(|k| {
            let shape = DVector::from(eigen.eigenvectors.column(k));
            let shape = upper.solve_upper_triangular(&shape).unwrap_or(shape);
            // The largest entry of a mode points ahead.
            let largest = shape.iter().fold(0.0_f64, |best, x| if x.abs() > best.abs() { *x } else { best });
            let entry = |i: usize| if largest < 0.0 { -shape[i] } else { shape[i] };
            Mode {
                omega_squared: eigen.eigenvalues[k],
                q: (0..n).map(entry).collect(),
                theta: (n..n + m).map(entry).collect(),
            }
        })
        .collect();
    modes.sort_by(|a, b| a.omega_squared.total_cmp(&b.omega_squared));
    modes
}
