//! What base parameters and the nominal geometry do to the torques, over random states within the robot's limits.
//!
//! Taking 1.5708 as a right angle changes the torques a little; a parameter that counts may still show nothing that could be
//! measured. Both are said in N m (N for slides).

use super::base::BaseParameters;
use super::nominal::nominal;
use crate::dynamics::closed_form::parameters;
use crate::dynamics::recursive;
use crate::model::Model;
use crate::random::Random;
use crate::state::State;
use crate::workspace::Workspace;
use std::f64::consts::PI;

/// Random states.
const STATES: usize = 64;

/// A parameter whose torque stays below this share of the largest torque shows nothing.
const WEAK: f64 = 1e-6;

/// Largest speed where the robot file has no limit, rad/s or m/s, and largest acceleration, rad/s² or m/s².
const SPEED: f64 = 2.0;
const ACCELERATION: f64 = 4.0;

/// Torques over random states.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Per velocity, the largest difference between the torques of the robot as written and of the nominal one, N m or N.
    pub differences: Vec<f64>,
    /// Per velocity, the largest torque, N m or N.
    pub torques: Vec<f64>,
    /// Per base parameter, the largest torque that it makes alone, N m or N.
    pub shares: Vec<f64>,
}

impl Effect {
    /// The largest difference, and the largest relative to the largest torque of its velocity.
    #[must_use]
    pub fn largest_difference(&self) -> (f64, f64) {
        let relative =
            self.differences.iter().zip(&self.torques).map(|(x, size)| if *size > 0.0 { x / size } else { 0.0 });
        (self.differences.iter().copied().fold(0.0, f64::max), relative.fold(0.0, f64::max))
    }

    /// True for a base parameter that counts, but whose value shows in no torque. A value of zero says nothing.
    #[must_use]
    pub fn is_weak(&self, parameter: usize, value: f64) -> bool {
        let largest = self.torques.iter().copied().fold(0.0, f64::max);
        value != 0.0 && self.shares[parameter] < WEAK * largest
    }
}

/// The torques of a robot as written, of the nominal one and of its base parameters, over random states.
#[must_use]
pub fn effect(model: &Model<f64>, base: &BaseParameters, seed: u64) -> Effect {
    let (nv, width) = (model.nv(), base.labels().len());
    let meant = nominal(model);
    let same = std::ptr::eq(meant, model);
    let values = base.values(&parameters(model));
    let mut found = Effect { differences: vec![0.0; nv], torques: vec![0.0; nv], shares: vec![0.0; base.count()] };
    let (mut random, mut workspace) = (Random(seed), Workspace::new(model));
    let mut regressor = vec![0.0; nv * width];
    for _ in 0..STATES {
        let (q, qd, qdd) = state(model, &mut random);
        let written = recursive::inverse_dynamics(model, &q, &qd, &qdd, &[]);
        for (largest, torque) in found.torques.iter_mut().zip(&written) {
            *largest = largest.max(torque.abs());
        }
        if !same {
            let torques = recursive::inverse_dynamics(meant, &q, &qd, &qdd, &[]);
            for (i, (x, y)) in torques.iter().zip(&written).enumerate() {
                found.differences[i] = found.differences[i].max((x - y).abs());
            }
        }
        recursive::regressor_into(meant, &q, &qd, &qdd, &mut workspace, &mut regressor);
        for row in regressor.chunks_exact(width.max(1)) {
            for (k, &column) in base.kept().iter().enumerate() {
                found.shares[k] = found.shares[k].max((row[column] * values[k]).abs());
            }
        }
    }
    found
}

/// A random state: positions and speeds within limits where there are any.
fn state(model: &Model<f64>, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut q = State::neutral(model).q;
    let step: Vec<f64> = (0..model.nv()).map(|_| PI * random.signed()).collect();
    model.retract(&mut q, &step);
    let mut qd: Vec<f64> = (0..model.nv()).map(|_| SPEED * random.signed()).collect();
    for link in model.links().iter().filter(|link| link.is_single()) {
        if let Some([low, high]) = link.limits.position {
            q[link.q] = low + (high - low) * random.fraction();
        }
        if let Some(speed) = link.limits.velocity.filter(|speed| speed.is_finite()) {
            qd[link.v] = speed * random.signed();
        }
    }
    let qdd = (0..model.nv()).map(|_| ACCELERATION * random.signed()).collect();
    (q, qd, qdd)
}
