//! Feed-forward by inverse dynamics, and a PD loop on the motors.
//!
//! u = u_d + K_P (θ_d − θ) + K_D (θ̇_d − θ̇), with θ_d and u_d of the reference (the outputs q are flat: they determine all
//! else). Rigid joints take q for θ. The PD gains see joint i as the inertia J_i = M_ii + B_i at one posture: K_P = J_i K₀,
//! K_D = J_i K₁, so that a single rigid joint would have the given poles.
//!
//! Nothing of the model is computed from measurements, which makes the law cheap and robust, and its convergence only local.
//!
//! Damped springs: θ_d is then no function of the reference at one instant. A law that is told its reference
//! ([`Feedforward::along`]) solves for it forwards in time, see [`wound`](super::super::wound); one that is not leaves damping out.

use super::super::inverse::{InverseScratch, MotorMotion, damped_inverse_dynamics_into, inverse_dynamics_into};
use super::super::model::ElasticModel;
use super::super::wound::Wound;
use super::{ControlLaw, Measured, Orders};
use crate::dynamics::recursive;
use crate::prescribed::Reference;
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
    /// Where the damped springs are along the reference, if there are any and it is known.
    damped: Option<Damped<'m, S>>,
}

#[derive(Clone, Debug)]
struct Damped<'m, S> {
    wound: Wound<'m>,
    numbers: Vec<f64>,
    deflection: Vec<S>,
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

    /// The law with the damping of the springs in its feed-forward, along this reference.
    #[must_use]
    pub fn along(mut self, reference: &Reference<'m>) -> Self {
        let rotors = self.nominal.springs().len();
        self.damped = self.nominal.is_damped().then(|| Damped {
            wound: Wound::new(self.nominal, reference.clone(), false),
            numbers: vec![0.0; rotors],
            deflection: vec![S::zero(); rotors],
        });
        self
    }
}

impl<'m, S: Scalar> Feedforward<'m, S> {
    /// The law with gains K_P (N m/rad) and K_D (N m s/rad) for each joint.
    #[must_use]
    pub fn per_joint(nominal: &'m ElasticModel<S::Constant>, gains: Vec<[f64; 2]>) -> Self {
        let (inverse, desired) = (InverseScratch::new(nominal.model()), MotorMotion::zero(nominal));
        Self { nominal, gains, inverse, desired, damped: None }
    }
}

impl<S: Scalar> ControlLaw<S> for Feedforward<'_, S> {
    fn advance_to(&mut self, t: f64) {
        if let Some(Damped { wound, numbers, deflection }) = &mut self.damped {
            wound.deflection_into(t, numbers);
            deflection.iter_mut().zip(numbers).for_each(|(delta, number)| *delta = S::from_f64(*number));
        }
    }

    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        _: &[S],
        _: &mut [S],
        torque: &mut [S],
    ) {
        let Self { nominal, gains, inverse, desired, damped } = self;
        let (q, derivatives) = (reference[0], &reference[1..]);
        match damped {
            Some(Damped { deflection, .. }) => {
                damped_inverse_dynamics_into(nominal, q, derivatives, deflection, &[], inverse, desired);
            }
            None => inverse_dynamics_into(nominal, q, derivatives, &[], inverse, desired),
        }
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
