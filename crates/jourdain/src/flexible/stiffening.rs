//! What kinematics without foreshortening leave out: the change of the frequencies by spin and weight.
//!
//! Both are compared where links are straight, at the joint angles and joint rates at hand and with joints locked: K + ∂(h + g)/∂δ over
//! B_δδ of the arm as it is and of the same arm `stiffened`. B is the same there, and no equilibrium has to be found.

use super::arm::{FlexibleArm, Kinematics};
use super::linearise::moving_tangents;
use super::terms::terms;
use crate::linear::squares;

/// A frequency that changes most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffening {
    /// Which of the locked ones, counted from one.
    pub number: usize,
    /// ω² without geometric stiffness, rad²/s².
    pub without: f64,
    /// ω² with it; negative where the arm buckles.
    pub with: f64,
}

impl Stiffening {
    /// The change of the frequency as a part of it; infinite if one of both does not swing.
    #[must_use]
    pub fn change(&self) -> f64 {
        if self.without > 0.0 && self.with > 0.0 {
            ((self.with / self.without).sqrt() - 1.0).abs()
        } else {
            f64::INFINITY
        }
    }
}

/// The locked frequency that geometric stiffness changes most, at the joint angles and rates of a state; `None` for an arm that has
/// it, or nothing to swing.
///
/// # Panics
/// If a slice does not have the arm's size.
#[must_use]
pub fn stiffening(arm: &FlexibleArm<f64>, q: &[f64], qd: &[f64]) -> Option<Stiffening> {
    let (n, size) = (arm.joints(), arm.size());
    if arm.kinematics().is_stiffened() || size == n {
        return None;
    }
    let straight = |values: &[f64]| -> Vec<f64> { (0..size).map(|c| if c < n { values[c] } else { 0.0 }).collect() };
    let (q, qd) = (straight(q), straight(qd));
    let inertia = terms(arm, &q, &vec![0.0; size]).inertia.to_nalgebra();
    let of = |arm: &FlexibleArm<f64>| {
        let (stiffness, _) = moving_tangents(arm, &q, &qd);
        let part = |matrix: &nalgebra::DMatrix<f64>| matrix.view((n, n), (size - n, size - n)).into_owned();
        squares(part(&stiffness.to_nalgebra()), part(&inertia))
    };
    let (without, with) = (of(arm)?, of(&arm.clone().with_kinematics(Kinematics::Stiffened))?);
    let found = without.iter().zip(&with).zip(1..);
    found
        .map(|((&without, &with), number)| Stiffening { number, without, with })
        .filter(|found| found.change() > 0.0)
        .max_by(|a, b| a.change().total_cmp(&b.change()))
}
