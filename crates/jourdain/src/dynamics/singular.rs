//! A mass matrix without an inverse, told by the joint that has nothing to move.

use crate::model::Model;

/// A pivot of the mass matrix, factored from the tips inwards, is no more than rounding: q̈ has no answer.
///
/// A robot with negative masses may have such a pivot although M is regular; there is no factor of M along the tree then
/// either, and the answer is refused by the same words.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the mass matrix of `{robot}` is singular in this position: joint `{joint}` resists with {pivot:.1e}, and {least:.1e} is rounding"
)]
pub struct SingularMassMatrix {
    /// The robot's name.
    pub robot: String,
    /// The joint, with the part of it where it has several.
    pub joint: String,
    /// What it resists an acceleration with while everything outboard hangs loose, kg m² or kg.
    pub pivot: f64,
    /// The smallest pivot that would be more than rounding.
    pub least: f64,
}

impl SingularMassMatrix {
    /// The pivot of the velocity number `dof`.
    #[must_use]
    pub fn new(model: &Model<f64>, dof: usize, pivot: f64) -> Self {
        let joint = model.velocities().get(dof).map_or_else(String::new, ToString::to_string);
        let least = model.body_tree().least.get(dof).copied().unwrap_or(0.0);
        Self { robot: model.name().to_owned(), joint, pivot, least }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "give what the joint moves mass and inertia, or the joint a motor inertia; `jourdain check` says where M is singular \
         in every position"
    }
}
