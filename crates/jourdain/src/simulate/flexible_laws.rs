//! Laws of a flexible arm that follow joint angles θ_d, with e = θ_d − θ.
//!
//! - PD: u = K_P e + K_D ė: motor feedback, collocated, which takes energy out of every vibration that moves a joint.
//! - PD with gravity: the same, and g_θ at θ_d with the deflections that the arm hangs at there.
//! - strain feedback: PD, and k y + k_d ẏ of each link's tip deflection y = Σ φ_j(ℓ) δ_j, which is its base strain for the
//!   first mode: the joint gives way to the link that bends.
//! - computed torque: u for which θ̈ = θ̈_d + K_D ė + K_P e, whatever the deflections do:
//!   u = B_θθ a + B_θδ δ̈ + h_θ + g_θ + D_θ θ̇ with δ̈ = −B_δδ⁻¹ (B_δθ a + h_δ + g_δ + K δ + D_δ δ̇).
//!
//! Trap: what computed torque leaves to itself are the vibrations with locked joints, which only structural damping ends.
//! The tip does not follow exactly under any of these; no causal law makes it.
//!
//! # Reference
//! De Luca and Siciliano 1993 for PD with gravity; the joint-level inversion is that of their 1991 model, DS (25).

use super::controller::{Controller, Moment};
use crate::flexible::FlexibleArm;
use crate::flexible::factor::{Block, Workspace};
use crate::prescribed::Reference;

/// Which of the laws.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drive {
    Pd,
    PdGravity,
    /// Gains on each link's tip deflection and its rate.
    Strain(Vec<[f64; 2]>),
    ComputedTorque,
}

/// Fixed-point steps to the deflections that an arm hangs at; each takes off the ratio of weight to stiffness.
const HANGING_STEPS: usize = 12;

/// A law at work.
pub(super) struct ArmLaw<'m> {
    arm: &'m FlexibleArm<f64>,
    kind: Drive,
    gains: Vec<[f64; 2]>,
    reference: Reference<'m>,
    orders: [Vec<f64>; 3],
    workspace: Workspace,
    /// K of the deflections, factored.
    springs: Block,
    /// B of the deflections.
    block: Block,
    position: Vec<f64>,
    still: Vec<f64>,
    force: Vec<f64>,
    acceleration: Vec<f64>,
}

impl<'m> ArmLaw<'m> {
    pub fn new(arm: &'m FlexibleArm<f64>, kind: Drive, gains: Vec<[f64; 2]>, reference: Reference<'m>) -> Self {
        let (n, size) = (arm.joints(), arm.size());
        let zero = vec![0.0; size];
        let mut springs = Block::new(size - n);
        for (row, column, k) in arm.stiffness() {
            springs.set(row - n, column - n, k);
        }
        springs.factor();
        Self {
            arm,
            kind,
            gains,
            reference,
            orders: std::array::from_fn(|_| vec![0.0; n]),
            workspace: Workspace::new(arm),
            springs,
            block: Block::new(size - n),
            position: zero.clone(),
            still: zero.clone(),
            force: zero.clone(),
            acceleration: zero,
        }
    }

    /// g_θ at the angles followed, with the deflections that the arm hangs at there.
    fn add_gravity(&mut self, torque: &mut [f64]) {
        let n = self.arm.joints();
        self.position.fill(0.0);
        self.position[..n].copy_from_slice(&self.orders[0]);
        for _ in 0..HANGING_STEPS {
            let gravity = &self.workspace.terms(self.arm, &self.position, &self.still).gravity;
            self.position[n..].iter_mut().zip(&gravity[n..]).for_each(|(x, g)| *x = -g);
            self.springs.solve(&mut self.position[n..]);
        }
        let gravity = &self.workspace.terms(self.arm, &self.position, &self.still).gravity;
        torque.iter_mut().zip(gravity).for_each(|(torque, g)| *torque += g);
    }

    /// The torques for which the joints accelerate as the first numbers of `acceleration` say.
    fn invert(&mut self, x: &[f64], torque: &mut [f64]) {
        let (n, size) = (self.arm.joints(), self.arm.size());
        let (q, qd) = x.split_at(size);
        let Self { arm, workspace, block, force, acceleration, .. } = self;
        let terms = workspace.terms(arm, q, qd);
        force.iter_mut().zip(&terms.velocity).zip(&terms.gravity).for_each(|((f, h), g)| *f = h + g);
        crate::flexible::terms::add_stiffness(arm, q, force);
        crate::flexible::terms::add_damping(arm, qd, force);
        for i in n..size {
            let along: f64 = (0..n).map(|j| terms.inertia[(i, j)] * acceleration[j]).sum();
            acceleration[i] = -force[i] - along;
            (n..size).for_each(|j| block.set(i - n, j - n, terms.inertia[(i, j)]));
        }
        if !block.factor() {
            // Where B is not definite there is no motion to go on with, and the arm says so.
            torque.fill(0.0);
            return;
        }
        block.solve(&mut acceleration[n..]);
        for (i, torque) in torque.iter_mut().enumerate() {
            *torque = force[i] + (0..size).map(|j| terms.inertia[(i, j)] * acceleration[j]).sum::<f64>();
        }
    }
}

impl Controller for ArmLaw<'_> {
    fn torque_into(&mut self, at: Moment, x: &[f64], _: &[f64], _: &mut [f64], torque: &mut [f64]) {
        self.reference.at_into(at.t, &mut self.orders);
        let (q, qd) = x.split_at(self.arm.size());
        for (i, torque) in torque.iter_mut().enumerate() {
            let [position, velocity] = self.gains[i];
            *torque = position * (self.orders[0][i] - q[i]) + velocity * (self.orders[1][i] - qd[i]);
        }
        match &self.kind {
            Drive::Pd => {}
            Drive::PdGravity => self.add_gravity(torque),
            Drive::Strain(gains) => {
                for (i, (torque, [deflection, rate])) in torque.iter_mut().zip(gains).enumerate() {
                    let shape = &self.arm.links()[i].tip;
                    for (c, phi) in self.arm.deflections(i).zip(shape) {
                        *torque += phi * (deflection * q[c] + rate * qd[c]);
                    }
                }
            }
            Drive::ComputedTorque => {
                for (i, torque) in torque.iter().enumerate() {
                    self.acceleration[i] = self.orders[2][i] + torque;
                }
                self.invert(x, torque);
            }
        }
    }
}
