//! A PD loop on the motors, with or without gravity made up for.
//!
//! u = K_P (θ_d − θ) + K_D (θ̇_d − θ̇), with θ_d = q_d; to make up for gravity θ_d = q_d + K⁻¹ g(q_d), and u gains g(q_d). Rigid
//! joints take q for θ. With gravity made up for, rest at q_d is the only equilibrium if K_P is large enough, and q itself
//! arrives there although only the motor is looked at.
//!
//! # Reference
//! Tomei 1991.

use super::super::model::{ElasticModel, Spring};
use super::{ControlLaw, Measured, Orders};
use crate::dynamics::{balance, recursive};
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The law for a nominal robot.
#[derive(Clone, Debug)]
pub struct MotorPd<'m, S: Scalar> {
    nominal: &'m ElasticModel<S::Constant>,
    /// K_P and K_D per joint.
    gains: Vec<[f64; 2]>,
    with_gravity: bool,
    workspace: Workspace<S>,
    gravity: Vec<S>,
}

impl<'m, S: Scalar> MotorPd<'m, S> {
    /// The law with gains K_P (N m/rad) and K_D (N m s/rad) per joint.
    #[must_use]
    pub fn new(nominal: &'m ElasticModel<S::Constant>, gains: Vec<[f64; 2]>, with_gravity: bool) -> Self {
        let gravity = vec![S::zero(); nominal.model().nv()];
        Self { nominal, gains, with_gravity, workspace: Workspace::new(nominal.model()), gravity }
    }
}

impl<S: Scalar> ControlLaw<S> for MotorPd<'_, S> {
    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        _: &[S],
        _: &mut [S],
        torque: &mut [S],
    ) {
        let Self { nominal, gains, with_gravity, workspace, gravity } = self;
        if *with_gravity {
            recursive::gravity_into(nominal.model(), reference[0], workspace, gravity);
            balance::add_torques(nominal.model(), reference[0], gravity);
        }
        for (i, torque) in torque.iter_mut().enumerate() {
            let [position, velocity] = gains[i].map(S::from_f64);
            let (error, rate) = (reference[0][i] - measured.q[i], reference[1][i] - measured.qd[i]);
            *torque = gravity[i] + position * error + velocity * rate;
        }
        for (k, spring) in nominal.springs().iter().enumerate() {
            let i = spring.dof;
            let [position, velocity] = gains[i].map(S::from_f64);
            let wound = Spring::over(gravity[i], spring.stiffness);
            torque[i] += position * (wound - measured.deflection[k]) - velocity * measured.deflection_d[k];
        }
    }
}
