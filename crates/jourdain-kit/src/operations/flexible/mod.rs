//! Operations on planar arms with flexible links, and what they have in common: the arm and what to change of it.

pub mod animate;
pub mod derive;
pub mod eval;
pub mod linearise;
pub mod modes;
pub mod simulate;

use crate::host::Host;
use crate::problem::Problem;
use crate::resolve::Arm;
use jourdain::flexible::{ArmDescription, BuiltArm, Payload};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arm, and what to change of it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ChangedArm {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: Arm,

    /// How far deflections are kept, instead of what the file says
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub kinematics: Option<Kinematics>,

    /// Another payload: mass in kg and inertia in kg m²
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MASS,INERTIA", value_delimiter = ',', num_args = 1..=2, allow_negative_numbers = true)
    )]
    pub payload: Option<Vec<f64>>,

    /// Keep the mode shapes of the file's payload under the other payload
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "payload"))]
    pub keep_modes: bool,
}

/// How far deflections are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Kinematics {
    /// To first order, as in the paper
    Paper,
    /// Linear frame transformations, nothing dropped
    Linear,
    /// Frames turned by the slopes, nothing dropped
    Rotation,
}

impl Kinematics {
    fn of_library(self) -> jourdain::flexible::Kinematics {
        match self {
            Self::Paper => jourdain::flexible::Kinematics::Paper,
            Self::Linear => jourdain::flexible::Kinematics::Linear,
            Self::Rotation => jourdain::flexible::Kinematics::Rotation,
        }
    }
}

impl ChangedArm {
    /// True if it comes from standard input.
    fn is_stdin(&self) -> bool {
        self.arm.arm == crate::read::STDIN
    }

    /// The description with the changes but for a payload under kept modes.
    fn describe(&self, host: &dyn Host) -> Result<ArmDescription, Problem> {
        let mut description = self.arm.load(host)?;
        if let Some(kinematics) = self.kinematics {
            description.kinematics = kinematics.of_library();
        }
        if let Some(payload) = self.other_payload()?.filter(|_| !self.keep_modes) {
            description.payload = payload;
        }
        Ok(description)
    }

    fn other_payload(&self) -> Result<Option<Payload<f64>>, Problem> {
        let Some(numbers) = &self.payload else { return Ok(None) };
        if !(1..=2).contains(&numbers.len()) {
            return Err(Problem::new("bad-option", "a payload is a mass, or a mass and an inertia"));
        }
        if let Some(bad) = numbers.iter().find(|x| !(**x >= 0.0 && x.is_finite())) {
            return Err(Problem::new("bad-option", format!("a payload must be zero or positive, not {bad}")));
        }
        Ok(Some(Payload { mass: numbers[0], inertia: numbers.get(1).copied().unwrap_or(0.0) }))
    }

    /// The arm of a description made from this one.
    fn assemble(&self, description: &ArmDescription) -> Result<BuiltArm, Problem> {
        description.build().map_err(|error| Problem::new("bad-arm", error.to_string()).file(&self.arm.arm))
    }

    fn build(&self, host: &dyn Host) -> Result<BuiltArm, Problem> {
        let mut built = self.assemble(&self.describe(host)?)?;
        if let Some(payload) = self.other_payload()?.filter(|_| self.keep_modes) {
            built.arm = built.arm.with_payload(payload);
        }
        Ok(built)
    }
}

/// The description with the payload that many times.
fn scaled(description: &ArmDescription, scale: f64) -> ArmDescription {
    let Payload { mass, inertia } = description.payload;
    ArmDescription { payload: Payload { mass: scale * mass, inertia: scale * inertia }, ..description.clone() }
}
