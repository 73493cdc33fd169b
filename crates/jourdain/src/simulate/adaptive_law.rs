//! Adaptive control: the robot's parameters are learned on the way.
//!
//! With e = q_d − q, q̇_r = q̇_d + Λ e, q̈_r = q̈_d + Λ ė and s = q̇ − q̇_r:
//!
//! u = Y(q, q̇, q̇_r, q̈_r) π̂ − K_D s,  π̂̇ = −Γ Yᵀ s.
//!
//! M ṡ + C s = Y π̃ − K_D s with π̃ = π̂ − π, so that V = ½ sᵀ M s + ½ π̃ᵀ Γ⁻¹ π̃ falls at the rate sᵀ K_D s: the error vanishes,
//! whatever the parameters are. π̂ starts with those of the nominal robot and is the law's own state, integrated with the motion.
//!
//! Trap: parameters converge only as far as the motion excites them; a goal at rest excites hardly any.
//!
//! # Reference
//! Slotine and Li 1987; the regressor is G (15), whose C makes Ṁ − 2C skew.

use super::column::{Column, ESTIMATE};
use super::controller::{Controller, Moment, spread};
use super::error::SimulationError;
use super::law::{AdaptiveLaw, Learned};
use crate::dynamics::{closed_form, recursive};
use crate::model::Model;
use crate::parameters::{BaseParameters, nominal};
use crate::prescribed::Reference;
use crate::quantity::QuantityError;
use crate::unit::Unit;
use crate::workspace::Workspace;

/// The law at work.
pub(super) struct AdaptiveController<'m> {
    model: &'m Model<f64>,
    slope: Vec<f64>,
    velocity: Vec<f64>,
    adaptation: Vec<f64>,
    /// The columns of Y that belong to learned parameters.
    kept: Vec<usize>,
    names: Vec<String>,
    start: Vec<f64>,
    reference: Reference<'m>,
    orders: [Vec<f64>; 3],
    qd_r: Vec<f64>,
    qdd_r: Vec<f64>,
    s: Vec<f64>,
    regressor: Vec<f64>,
    workspace: Workspace<f64>,
}

impl<'m> AdaptiveController<'m> {
    pub fn new(
        model: &'m Model<f64>,
        law: &AdaptiveLaw,
        slope: Vec<f64>,
        velocity: Vec<f64>,
        reference: Reference<'m>,
    ) -> Result<Self, SimulationError> {
        if let Some((link, _)) = model.shafts().next() {
            let (joint, robot) = (link.joint_name.clone(), model.name().to_owned());
            return Err(QuantityError::Shaft { name: "slotine_li_regressor".to_owned(), joint, robot }.into());
        }
        let standard = closed_form::parameters(model);
        let model = if law.learned == Learned::Base { nominal(model) } else { model };
        let (kept, names, start) = match law.learned {
            Learned::Base => {
                let base = BaseParameters::new(model);
                let names = crate::parameters::base_labels(model).to_vec();
                (base.kept().to_vec(), names, base.values(&standard))
            }
            Learned::Standard => {
                ((0..standard.len()).collect(), closed_form::parameter_labels(model), standard.clone())
            }
        };
        let adaptation = spread("adaptation gain", &law.adaptation, |_| 1.0, kept.len(), model.name())?;
        for (name, gains) in [("adaptation gain", &adaptation), ("slope", &slope), ("velocity gain", &velocity)] {
            if let Some(&value) = gains.iter().find(|gain| **gain < 0.0) {
                return Err(SimulationError::Option { name, expected: "zero or a positive number", value });
            }
        }
        let zero = vec![0.0; model.nv()];
        Ok(Self {
            slope,
            velocity,
            adaptation,
            kept,
            names,
            start,
            reference,
            orders: std::array::from_fn(|_| zero.clone()),
            qd_r: zero.clone(),
            qdd_r: zero.clone(),
            s: zero,
            regressor: vec![0.0; model.nv() * recursive::parameter_count(model)],
            workspace: Workspace::new(model),
            model,
        })
    }
}

impl Controller for AdaptiveController<'_> {
    fn torque_into(&mut self, at: Moment, x: &[f64], memory: &[f64], memory_rate: &mut [f64], torque: &mut [f64]) {
        let Self { model, orders, qd_r, qdd_r, s, regressor, workspace, .. } = self;
        self.reference.at_into(at.t, orders);
        let (q, qd) = x.split_at(model.nq());
        let width = regressor.len() / qd.len().max(1);
        for i in 0..qd.len() {
            let slope = self.slope[i];
            qd_r[i] = orders[1][i] + slope * (orders[0][i] - q[i]);
            qdd_r[i] = orders[2][i] + slope * (orders[1][i] - qd[i]);
            s[i] = qd[i] - qd_r[i];
        }
        recursive::slotine_li_regressor_into(model, q, qd, qd_r, qdd_r, workspace, regressor);
        for (i, torque) in torque.iter_mut().enumerate() {
            let row = &regressor[i * width..(i + 1) * width];
            let known: f64 = self.kept.iter().zip(memory).map(|(&c, estimate)| row[c] * estimate).sum();
            *torque = known - self.velocity[i] * s[i];
        }
        for (k, rate) in memory_rate.iter_mut().enumerate() {
            let along: f64 = s.iter().enumerate().map(|(i, s)| regressor[i * width + self.kept[k]] * s).sum();
            *rate = -self.adaptation[k] * along;
        }
    }

    fn memory(&self) -> Vec<Column> {
        let parameters = self.model.standard_parameters();
        let column = |(name, &place): (&String, &usize)| {
            let unit = parameters.get(place).map_or(Unit::ONE, |parameter| parameter.unit(self.model));
            Column::of(ESTIMATE, name, "", unit)
        };
        self.names.iter().zip(&self.kept).map(column).collect()
    }

    fn start_into(&mut self, _: &[f64], memory: &mut [f64]) {
        memory.copy_from_slice(&self.start);
    }
}
