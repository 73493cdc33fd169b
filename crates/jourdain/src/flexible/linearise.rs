//! Small motions about a configuration, or about a steady motion.
//!
//! At rest h vanishes to first order, so that B q̈ + D q̇ + (K + ∂g/∂q) Δq = Q Δu. With gravity the arm is linearised about the
//! deflections at which it hangs still at the given joint angles, the joints being held by their torques.
//!
//! About a motion that goes on at steady rates the stiffness is K + ∂(g + h)/∂q and the damping D + ∂h/∂q̇. A first joint that spins
//! without gravity is such a motion; of others it is a picture of the moment.
//!
//! Trap: the zeros to the tip lie on both sides of the imaginary axis: no causal inverse makes the tip follow exactly.

use super::arm::FlexibleArm;
use super::factor::Indefinite;
use super::range::OutOfRange;
use super::terms::{forces, terms};
use super::tip::tip;
use crate::linear::{LinearError, Linearisation};
use crate::matrix::Matrix;
use jourdain_symbolic::Dual;
use nalgebra::{Cholesky, DVector};

/// Why there is no linear model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LineariseError {
    /// B is not positive definite there.
    #[error(transparent)]
    Indefinite(Box<Indefinite>),
    /// A link bent further than its kinematics bear.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// No deflections at which the arm hangs still were found.
    #[error("the arm has no equilibrium under gravity near these joint angles")]
    NoEquilibrium,
    /// A vector of another length than the arm's.
    #[error("the position must have {joints} joint angles or {size} coordinates, not {found} numbers")]
    Length {
        /// Joints.
        joints: usize,
        /// Coordinates.
        size: usize,
        /// Numbers given.
        found: usize,
    },
    /// Of the linear model itself.
    #[error(transparent)]
    Linear(#[from] LinearError),
}

/// Linearises about rest at joint angles, or at all coordinates.
///
/// # Errors
/// A position of another length, one without equilibrium, one where a link bends further than its kinematics bear, or one where
/// B is not positive definite.
pub fn linearise(arm: &FlexibleArm<f64>, position: &[f64]) -> Result<Linearisation, LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    let q = whole_position(arm, position)?;
    let still = terms(arm, &q, &vec![0.0; size]);
    let damping = arm.damping();
    model(arm, q, still.gravity[..n].to_vec(), |q| {
        (tangent(arm, q), Matrix::from_fn(size, size, |i, j| if i == j { damping[i] } else { 0.0 }))
    })
}

/// Linearises about a motion that goes on at the velocities `qd`, one per coordinate. At joint angles alone the deflections are
/// those in balance with it; deflections given with them are taken to be.
///
/// # Errors
/// As [`linearise`].
///
/// # Panics
/// If `qd` does not have the arm's size.
pub fn linearise_moving(arm: &FlexibleArm<f64>, position: &[f64], qd: &[f64]) -> Result<Linearisation, LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    let mut q = whole_position(arm, position)?;
    if position.len() == n && size > n {
        settle(arm, &mut q, qd, |q| moving_tangents(arm, q, qd).0)?;
    }
    let torque = forces(arm, &q, qd, &vec![0.0; size])[..n].to_vec();
    model(arm, q, torque, |q| moving_tangents(arm, q, qd))
}

/// ∂(h + g + K q + D q̇) along each coordinate and each velocity.
pub(super) fn moving_tangents(arm: &FlexibleArm<f64>, q: &[f64], qd: &[f64]) -> (Matrix<f64>, Matrix<f64>) {
    let size = arm.size();
    let fixed = |values: &[f64]| values.iter().map(|&x| Dual::fixed(x)).collect::<Vec<Dual<f64>>>();
    let still = vec![Dual::fixed(0.0); size];
    let (mut by_q, mut by_qd) = (Matrix::zeros(size, size), Matrix::zeros(size, size));
    for column in 0..size {
        let (mut moved, mut faster) = (fixed(q), fixed(qd));
        moved[column] = Dual::variable(q[column]);
        faster[column] = Dual::variable(qd[column]);
        for (row, force) in forces(arm, &moved, &fixed(qd), &still).iter().enumerate() {
            by_q[(row, column)] = force.derivative;
        }
        for (row, force) in forces(arm, &fixed(q), &faster, &still).iter().enumerate() {
            by_qd[(row, column)] = force.derivative;
        }
    }
    (by_q, by_qd)
}

/// All coordinates of a position: without deflections those at which the arm hangs still at its joint angles.
///
/// # Errors
/// Another length, or no equilibrium.
pub fn whole_position(arm: &FlexibleArm<f64>, position: &[f64]) -> Result<Vec<f64>, LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    let mut q = vec![0.0; size];
    match position.len() {
        found if found == n => q[..n].copy_from_slice(position),
        found if found == size => q.copy_from_slice(position),
        found => return Err(LineariseError::Length { joints: n, size, found }),
    }
    if arm.has_gravity() && position.len() == n && size > n {
        settle(arm, &mut q, &vec![0.0; size], |q| tangent(arm, q))?;
    }
    Ok(q)
}

/// The linear model, with the stiffness and the damping that `partials` gives.
fn model(
    arm: &FlexibleArm<f64>,
    q: Vec<f64>,
    torque: Vec<f64>,
    partials: impl Fn(&[f64]) -> (Matrix<f64>, Matrix<f64>),
) -> Result<Linearisation, LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    if let Some(found) = OutOfRange::at(arm, &q, None) {
        return Err(found.into());
    }
    let inertia = terms(arm, &q, &vec![0.0; size]).inertia;
    if Cholesky::new(inertia.to_nalgebra()).is_none() {
        return Err(LineariseError::Indefinite(Box::new(Indefinite::at(arm, &q, None))));
    }
    let (stiffness, damping) = partials(&q);
    let jacobian = tip(arm, &q).jacobian;
    let one = |hit: bool| f64::from(u8::from(hit));
    let mut outputs: Vec<String> = (1..=n).map(|i| format!("theta{i}")).collect();
    outputs.extend(["tip_x", "tip_y", "tip_angle"].map(str::to_owned));
    Ok(Linearisation {
        torque,
        inertia,
        stiffness,
        damping,
        input: Matrix::from_fn(size, n, |i, j| one(i == j)),
        outputs,
        output: Matrix::from_fn(n + 3, size, |row, c| if row < n { one(row == c) } else { jacobian[(row - n, c)] }),
        q,
    })
}

/// K + ∂g/∂q
fn tangent(arm: &FlexibleArm<f64>, q: &[f64]) -> Matrix<f64> {
    let size = arm.size();
    let mut sum = Matrix::zeros(size, size);
    for (row, column, k) in arm.stiffness() {
        sum[(row, column)] += k;
    }
    if arm.has_gravity() {
        let still = vec![Dual::fixed(0.0); size];
        for column in 0..size {
            let mut moved: Vec<Dual<f64>> = q.iter().map(|&x| Dual::fixed(x)).collect();
            moved[column] = Dual::variable(q[column]);
            for (row, g) in terms(arm, &moved, &still).gravity.iter().enumerate() {
                sum[(row, column)] += g.derivative;
            }
        }
    }
    sum
}

/// Moves the deflections to where they are in balance at the joint angles and velocities at hand, by Newton's method.
fn settle(
    arm: &FlexibleArm<f64>,
    q: &mut [f64],
    qd: &[f64],
    tangent: impl Fn(&[f64]) -> Matrix<f64>,
) -> Result<(), LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    for _ in 0..50 {
        let residual = forces(arm, q, qd, &vec![0.0; size]);
        let tangent = tangent(q).to_nalgebra();
        let part = tangent.view((n, n), (size - n, size - n)).into_owned();
        let right = DVector::from_column_slice(&residual[n..]);
        let step = part.lu().solve(&right).ok_or(LineariseError::NoEquilibrium)?;
        q[n..].iter_mut().zip(step.iter()).for_each(|(x, dx)| *x -= dx);
        let scale = q[n..].iter().fold(1e-12_f64, |m, x| m.max(x.abs()));
        if step.amax() <= 1e-13 * scale {
            return Ok(());
        }
        if !step.amax().is_finite() {
            break;
        }
    }
    Err(LineariseError::NoEquilibrium)
}

#[cfg(test)]
mod tests {
    use super::super::description::ArmDescription;
    use super::super::terms::add_stiffness;
    use super::super::tests::{description, link, numbers, paper, suite};
    use super::*;

    #[test]
    fn assembled_frequencies_are_the_stored_ones_and_near_finite_elements() {
        for case in suite()["linear"].as_array().unwrap() {
            let theta2 = case["theta2"].as_f64().unwrap();
            for modes in [2, 3, 5] {
                let arm = paper(modes).build().unwrap().arm;
                let model = linearise(&arm, &[0.4, theta2]).unwrap();
                let stored = &case["assumed_modes"][format!("m{modes}")];
                for (found, key) in
                    [(model.free_frequencies(), "free_joint_hz"), (model.locked_frequencies(), "locked_joint_hz")]
                {
                    let known = numbers(&stored[key]);
                    assert!(found.len() >= known.len(), "{found:?} {known:?}");
                    assert!(found.iter().zip(&known).all(|(a, b)| (a / b - 1.0).abs() < 1e-9), "{found:?} {known:?}");
                    if modes == 3 {
                        let elements = numbers(&case["linear_FE_20el_EA1e6"][key]);
                        let near = found.iter().zip(&elements).take(4).all(|(a, b)| (a / b - 1.0).abs() < 2e-3);
                        assert!(near, "{found:?} {elements:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn poles_are_the_eigenvalues_of_the_state_matrix_and_damping_moves_them_left() {
        let mut arm = paper(2);
        for damped in [false, true] {
            for link in &mut arm.links {
                link.damping = super::super::Damping::Factor(if damped { 0.1 } else { 0.0 });
                link.viscous = if damped { 0.02 } else { 0.0 };
            }
            let model = linearise(&arm.build().unwrap().arm, &[0.0, 0.9]).unwrap();
            let poles = model.poles().unwrap();
            assert_eq!(poles.len(), 12);
            let a = model.state_space().unwrap().a.to_nalgebra();
            let direct = crate::linear::eigenvalues(a).unwrap();
            for pole in poles.iter().filter(|pole| pole.norm() > 1.0) {
                let nearest = direct.iter().map(|other| (pole - other).norm()).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-8 * pole.norm(), "{pole}");
                assert!(if damped { pole.re < 0.0 } else { pole.re == 0.0 });
            }
        }
    }

    #[test]
    fn zeros_are_where_the_response_vanishes() {
        let arm = paper(2).build().unwrap().arm;
        let model = linearise(&arm, &[0.2, 1.0]).unwrap();
        for (input, output) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
            for zero in model.zeros(input, output).unwrap().iter().filter(|zero| zero.im > 0.5 && zero.re.abs() < 1e-9)
            {
                let size = |omega: f64| model.response(input, output, omega).unwrap().norm();
                let [at, near] = [size(zero.im), size(zero.im * 1.01)];
                assert!(at < 1e-7 * near, "{input} {output} {zero}: {at} {near}");
            }
        }
        // Collocated: the poles with that joint locked, all on the axis.
        assert!(model.zeros(0, 0).unwrap().iter().all(|zero| zero.re.abs() < 1e-6));
        let x = model.outputs.iter().position(|name| name == "tip_y").unwrap();
        assert!(model.zeros(1, x).unwrap().iter().any(|zero| zero.re > 1.0), "the tip is not minimum phase");
        assert!(model.zeros(2, 0).is_err() && model.zeros(0, 5).is_err());
    }

    #[test]
    fn one_link_has_the_zeros_of_its_clamped_beam() {
        let arm = description(vec![link(0.8, 0.3, 2.5, [0.0, 0.05], 4)], [0.25, 0.002]).build().unwrap();
        let model = linearise(&arm.arm, &[0.0]).unwrap();
        let zeros = model.zeros(0, 0).unwrap();
        let positive: Vec<f64> = zeros.iter().filter(|zero| zero.im > 0.0).map(|zero| zero.im).collect();
        assert_eq!(positive.len(), 4);
        for (zero, mode) in positive.iter().zip(&arm.modes[0]) {
            assert!((zero / mode.omega - 1.0).abs() < 1e-9, "{zero} {}", mode.omega);
        }
    }

    #[test]
    fn under_gravity_the_arm_hangs_before_it_is_linearised() {
        for kinematics in super::super::Kinematics::ALL {
            let arm = ArmDescription { gravity: [0.0, -9.81], kinematics, ..paper(2) };
            let mut arm = arm;
            arm.links.iter_mut().for_each(|link| link.beam.rigidity = 60.0);
            let arm = arm.build().unwrap().arm;
            let model = linearise(&arm, &[-1.2, 0.3]).unwrap();
            let mut forces = terms(&arm, &model.q, &[0.0; 6]).gravity;
            add_stiffness(&arm, &model.q, &mut forces);
            assert!(forces[2..].iter().all(|x| x.abs() < 1e-10), "{forces:?}");
            assert!((forces[0] - model.torque[0]).abs() < 1e-14 && model.q[2].abs() > 1e-3);
            let asymmetry = (model.stiffness.to_nalgebra() - model.stiffness.transpose().to_nalgebra()).amax();
            assert!(asymmetry < 1e-10, "{asymmetry}");
            assert_eq!(model.free_frequencies().len(), 6, "a hanging arm is a pendulum with all its frequencies");
            assert_eq!(model.poles().unwrap().len(), 12);
        }
    }

    #[test]
    fn positions_without_a_linear_model_are_refused() {
        let arm = paper(2).build().unwrap().arm;
        assert!(matches!(linearise(&arm, &[0.0; 3]), Err(LineariseError::Length { .. })));
        let bent = [0.0, 1.5, 0.5, 0.0, 0.0, 0.0];
        assert!(matches!(linearise(&arm, &bent), Err(LineariseError::Indefinite(_))));
        let rigid = paper(0).build().unwrap().arm;
        let model = linearise(&rigid, &[0.0, 1.0]).unwrap();
        assert!(model.locked_frequencies().is_empty() && model.free_frequencies().is_empty());
        assert_eq!(model.poles().unwrap().len(), 4);
        assert_eq!(model.zeros(0, 0).unwrap().len(), 2);
    }
}
