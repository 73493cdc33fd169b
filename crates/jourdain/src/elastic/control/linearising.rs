//! Exact feedback linearisation: torques under which every joint is a chain of four integrators.
//!
//! u = B (q̈ + K⁻¹ τ̈) + rotor friction + τ,  τ = K (θ − q),  with τ̈ = M (q_d⁗ + v) + 2 Ṁ q⃛ + M̈ q̈ + (C q̇ + g + friction)̈
//! and v = K₀ e + K₁ ė + K₂ ë + K₃ e⃛, e = q_d − q. Then e⁗ + K₃ e⃛ + K₂ ë + K₁ ė + K₀ e = 0 in every joint.
//!
//! Only q, q̇, θ − q and its rate are measured: q̈ = M⁻¹ (τ − C q̇ − g − friction) and q⃛ from the same equation's rate.
//! M̈ is never formed: τ̈ is the torque's second derivative along (q, q̇, q̈, q⃛, q_d⁗ + v), one pass of the derivative
//! tables. O(n) but for the factor of M.
//!
//! A *rigid* joint among elastic ones has relative degree two, and its torque, felt by the elastic ones at once, would be
//! differentiated twice. Its torque is therefore a state of the law behind two integrators, r⃜ = τ̈_r: linearisation by
//! dynamic feedback, after which all joints have degree four.
//!
//! Traps. Damping of the springs is left out of the law. The laws of e hold where the friction is smooth; the smoothed
//! Coulomb friction is, but changes within 0.01 rad/s, which a sampled law has to resolve.
//!
//! # Reference
//! Grimm (3)–(5), link side, with P and Ψ completed; see [`grimm`](super::grimm) for the literal form.

use super::super::inverse::InverseScratch;
use super::super::model::{ElasticModel, Spring};
use super::{ControlLaw, Measured, Orders};
use crate::dynamics::recursive::{self, TableScratch};
use crate::workspace::Workspace;
use jourdain_symbolic::{Jet, Scalar};

/// The law for a nominal robot.
#[derive(Clone, Debug)]
pub struct Linearising<'m, S: Scalar> {
    nominal: &'m ElasticModel<S::Constant>,
    /// K₀ … K₃, the same for all joints.
    gains: [f64; 4],
    workspace: Workspace<S>,
    first: TableScratch<S, 2>,
    first_series: Vec<Jet<S, 2>>,
    inverse: InverseScratch<S>,
    tau: Vec<S>,
    tau_d: Vec<S>,
    qdd: Vec<S>,
    qddd: Vec<S>,
    snap: Vec<S>,
}

impl<'m, S: Scalar> Linearising<'m, S> {
    /// The law with these gains; [`place`](super::place) gives them from poles.
    #[must_use]
    pub fn new(nominal: &'m ElasticModel<S::Constant>, gains: [f64; 4]) -> Self {
        let model = nominal.model();
        let zero = vec![S::zero(); model.nv()];
        Self {
            nominal,
            gains,
            workspace: Workspace::new(model),
            first: TableScratch::new(model),
            first_series: vec![Jet::fixed(S::zero()); model.nv()],
            inverse: InverseScratch::new(model),
            tau: zero.clone(),
            tau_d: zero.clone(),
            qdd: zero.clone(),
            qddd: zero.clone(),
            snap: zero,
        }
    }

    /// Acceleration and jerk of the links, as they follow from what the last call was given.
    #[must_use]
    pub fn acceleration_and_jerk(&self) -> [&[S]; 2] {
        [&self.qdd, &self.qddd]
    }

    /// q̈ and q⃛ from the measured state.
    fn reconstruct(&mut self, measured: &Measured<'_, S>, memory: &[S]) {
        let Self { nominal, workspace, first, first_series, tau, tau_d, qdd, qddd, .. } = self;
        let (model, rigid) = (nominal.model(), nominal.rigid());
        for (k, spring) in nominal.springs().iter().enumerate() {
            tau[spring.dof] = measured.deflection[k].scale(spring.stiffness);
            tau_d[spring.dof] = measured.deflection_d[k].scale(spring.stiffness);
        }
        for (r, &i) in rigid.iter().enumerate() {
            tau[i] = memory[r];
            tau_d[i] = memory[rigid.len() + r];
        }
        recursive::forward_dynamics_by_factor_into(model, measured.q, measured.qd, tau, &[], workspace, qdd);
        let motion = [measured.qd, &qdd[..]];
        recursive::inverse_dynamics_tables_into(model, measured.q, &motion, &[], first, first_series);
        for ((jerk, &rate), without) in qddd.iter_mut().zip(&tau_d[..]).zip(&first_series[..]) {
            *jerk = rate - without.0[1];
        }
        recursive::solve_with_last_factor(model, workspace, qddd);
    }
}

impl<S: Scalar> ControlLaw<S> for Linearising<'_, S> {
    fn memory(&self) -> usize {
        2 * self.nominal.rigid().len()
    }

    fn start_into(&mut self, q: &[S], derivatives: [&[S]; 3], memory: &mut [S]) {
        let model = self.nominal.model();
        let InverseScratch { tables, series } = &mut self.inverse;
        recursive::inverse_dynamics_tables_into(model, q, &derivatives, &[], tables, series);
        let rigid = self.nominal.rigid();
        for (r, &i) in rigid.iter().enumerate() {
            memory[r] = series[i].0[0];
            memory[rigid.len() + r] = series[i].0[1];
        }
    }

    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        memory: &[S],
        memory_rate: &mut [S],
        torque: &mut [S],
    ) {
        self.reconstruct(measured, memory);
        let Self { nominal, gains, inverse, tau, tau_d, qdd, qddd, snap, .. } = self;
        let gains = gains.map(S::from_f64);
        for i in 0..snap.len() {
            let actual = [measured.q[i], measured.qd[i], qdd[i], qddd[i]];
            snap[i] = (0..4).fold(reference[4][i], |sum, r| gains[r].mul_add(reference[r][i] - actual[r], sum));
        }
        let motion = [measured.qd, &qdd[..], &qddd[..], &snap[..]];
        let InverseScratch { tables, series } = inverse;
        recursive::inverse_dynamics_tables_into(nominal.model(), measured.q, &motion, &[], tables, series);
        for (k, spring) in nominal.springs().iter().enumerate() {
            let i = spring.dof;
            let acceleration = qdd[i] + Spring::over(series[i].derivative(2), spring.stiffness);
            let speed = measured.qd[i] + measured.deflection_d[k];
            torque[i] = acceleration.scale_add(spring.inertia, tau[i] + spring.rotor_friction(speed));
        }
        let rigid = nominal.rigid();
        for (r, &i) in rigid.iter().enumerate() {
            torque[i] = memory[r];
            memory_rate[r] = tau_d[i];
            memory_rate[rigid.len() + r] = series[i].derivative(2);
        }
    }
}
