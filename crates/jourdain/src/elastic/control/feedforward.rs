//! Feed-forward by inverse dynamics, and a PD loop on the motors.
//!
//! u = u_d + K_P (θ_d − θ) + K_D (θ̇_d − θ̇), with θ_d and u_d of the reference (the outputs q are flat: they determine all
//! else). Rigid joints take q for θ. The PD gains see joint i as the inertia J_i = M_ii + B_i at one posture: K_P = J_i K₀,
//! K_D = J_i K₁, so that a single rigid joint would have the given poles.
//!
//! Nothing of the model is computed from measurements, which makes the law cheap and robust, and its convergence only local.

use super::super::inverse::{InverseScratch, MotorMotion, inverse_dynamics_into};
use super::super::model::ElasticModel;
use super::{ControlLaw, Measured, Orders};
use crate::dynamics::recursive;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The law for a nominal robot.
#[derive(Clone, Debug)]
pub struct Feedforward<'m, S: Scalar> {
    nominal: &'m ElasticModel<S::Constant>,
    /// K_P and K_D per joint.
    gains: Vec<[f64; 2]>,
    inverse: InverseScratch<S>,
    desired: MotorMotion<S>,
}

impl<'m, S: Scalar<Constant = f64>> Feedforward<'m, S> {
    /// The law with gains K₀, K₁ per unit of inertia, the inertia taken at `posture`.
    ///
    /// # Panics
    /// If `posture` does not have the robot's length.
    #[must_use]
    pub fn new(nominal: &'m ElasticModel<f64>, gains: [f64; 2], posture: &[f64]) -> Self {
        let (model, n) = (nominal.model(), nominal.model().nv());
        let mut mass = vec![0.0; n * n];
        recursive::mass_matrix_into(model, posture, &mut Workspace::new(model), &mut mass);
        let mut inertia: Vec<f64> = (0..n).map(|i| mass[i * n + i]).collect();
        for spring in nominal.springs() {
            inertia[spring.dof] += spring.inertia;
        }
        Self::per_joint(nominal, inertia.into_iter().map(|inertia| gains.map(|gain| inertia * gain)).collect())
    }
}

impl<'m, S: Scalar> Feedforward<'m, S> {
    /// The law with gains K_P (N m/rad) and K_D (N m s/rad) for each joint.
    #[must_use]
    pub fn per_joint(nominal: &'m ElasticModel<S::Constant>, gains: Vec<[f64; 2]>) -> Self {
        Self { nominal, gains, inverse: InverseScratch::new(nominal.model()), desired: MotorMotion::zero(nominal) }
    }
}

impl<S: Scalar> ControlLaw<S> for Feedforward<'_, S> {
    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        _: &[S],
        _: &mut [S],
        torque: &mut [S],
    ) {
        let Self { nominal, gains, inverse, desired } = self;
        inverse_dynamics_into(nominal, reference[0], &reference[1..], &[], inverse, desired);
        torque.copy_from_slice(&desired.torque);
        let mut add = |i: usize, error: S, rate: S| {
            let [position, velocity] = gains[i].map(S::from_f64);
            torque[i] += position * error + velocity * rate;
        };
        for &i in nominal.rigid() {
            add(i, reference[0][i] - measured.q[i], reference[1][i] - measured.qd[i]);
        }
        for (k, spring) in nominal.springs().iter().enumerate() {
            let i = spring.dof;
            let (theta, speed) = (measured.q[i] + measured.deflection[k], measured.qd[i] + measured.deflection_d[k]);
            add(i, desired.theta[k] - theta, desired.theta_d[k] - speed);
        }
    }
}
