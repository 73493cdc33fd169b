//! Computed torque as if all joints were rigid, for comparison.
//!
//! u = (M + B) (q̈_d + K₁ ė + K₀ e) + C q̇ + g + friction of links and rotors, with the **motors'** positions and velocities
//! taken for the links': what a controller that knows nothing of springs has to work with. It is the limit of the exact laws as
//! the stiffness grows.
//!
//! # Reference
//! Grimm (1), (2) for C → ∞.

use super::super::model::ElasticModel;
use super::{ControlLaw, Measured, Orders};
use crate::dynamics::recursive;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The law for a nominal robot.
#[derive(Clone, Debug)]
pub struct ComputedTorque<'m, S: Scalar> {
    nominal: &'m ElasticModel<S::Constant>,
    /// K₀, K₁ per joint.
    gains: Vec<[f64; 2]>,
    workspace: Workspace<S>,
    q: Vec<S>,
    qd: Vec<S>,
    acceleration: Vec<S>,
}

impl<'m, S: Scalar> ComputedTorque<'m, S> {
    /// The law with these gains, the same for all joints; [`place`](super::place) gives them from poles.
    #[must_use]
    pub fn new(nominal: &'m ElasticModel<S::Constant>, gains: [f64; 2]) -> Self {
        Self::per_joint(nominal, vec![gains; nominal.model().nv()])
    }

    /// The law with gains K₀ and K₁ for each joint.
    #[must_use]
    pub fn per_joint(nominal: &'m ElasticModel<S::Constant>, gains: Vec<[f64; 2]>) -> Self {
        let zero = vec![S::zero(); nominal.model().nv()];
        let workspace = Workspace::new(nominal.model());
        Self { nominal, gains, workspace, q: zero.clone(), qd: zero.clone(), acceleration: zero }
    }
}

/// (M + B) q̈ + C q̇ + g + friction of links and rotors: the torque of the robot with rigid joints.
pub fn rigid_torque_into<S: Scalar>(
    elastic: &ElasticModel<S::Constant>,
    q: &[S],
    qd: &[S],
    qdd: &[S],
    workspace: &mut Workspace<S>,
    torque: &mut [S],
) {
    recursive::inverse_dynamics_into(elastic.model(), q, qd, qdd, &[], workspace, torque);
    for spring in elastic.springs() {
        let i = spring.dof;
        torque[i] = qdd[i].scale_add(spring.inertia, torque[i] + spring.rotor_friction(qd[i]));
    }
}

impl<S: Scalar> ControlLaw<S> for ComputedTorque<'_, S> {
    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        _: &[S],
        _: &mut [S],
        torque: &mut [S],
    ) {
        let Self { nominal, gains, workspace, q, qd, acceleration } = self;
        q.copy_from_slice(measured.q);
        qd.copy_from_slice(measured.qd);
        for (k, spring) in nominal.springs().iter().enumerate() {
            q[spring.dof] += measured.deflection[k];
            qd[spring.dof] += measured.deflection_d[k];
        }
        for i in 0..q.len() {
            let [position, velocity] = gains[i].map(S::from_f64);
            let (error, rate) = (reference[0][i] - q[i], reference[1][i] - qd[i]);
            acceleration[i] = reference[2][i] + velocity * rate + position * error;
        }
        rigid_torque_into(nominal, q, qd, acceleration, workspace, torque);
    }
}
