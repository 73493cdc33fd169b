//! Which terms of the drives are unknown: what `identify` and `excite` share.

use crate::problem::Problem;
use jourdain::Model;
use jourdain::identify::{self, Drives};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which terms of the drives are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct DriveTerms {
    /// Friction to identify; the rest is as in the robot file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub friction: Friction,

    /// Identify rotor inertias too; without it they are as in the robot file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub armature: bool,
}

/// Terms of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Friction {
    /// Viscous and Coulomb
    #[default]
    Both,
    /// Viscous only
    Viscous,
    /// Coulomb only
    Coulomb,
    /// As in the robot file
    None,
}

impl DriveTerms {
    /// The problem of a robot with these unknowns.
    ///
    /// # Errors
    /// A robot without moving joints.
    pub fn problem(self, model: &Model<f64>) -> Result<identify::Problem, Problem> {
        let drives = Drives {
            armature: self.armature,
            viscous: matches!(self.friction, Friction::Both | Friction::Viscous),
            coulomb: matches!(self.friction, Friction::Both | Friction::Coulomb),
        };
        Ok(identify::Problem::new(model, drives)?)
    }
}
